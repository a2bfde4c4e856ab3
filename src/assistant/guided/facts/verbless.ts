import { isTelling } from '../../../language/families.ts';
import { type Word, wordsOf } from '../../../language/sentence.ts';
import type { Facts } from './facts.ts';
import { newNameIn } from './names.ts';

/* Requests without a verb: "0105 on hold from Friday", "data limit 3 GB for 0101", "caller name of 0103: Oak & Pine". */

/** Words of clauses that report or ask, or that have a verb. */
const REPORTS =
  /\b(?:is|are|was|were|been|be|isn'?t|aren'?t|still|why|who|when|what|which|already|has|had|have|having|hit|hits|hitting|reached|over|exceeded|used|says?|said|not|never|no|longer|any\s*more|if|unless)\b/i;
const OWN_VERB =
  /\b(?:put\w*|plac(?:e|es|ed|ing)|keep\w*|leav\w*|left|tak(?:e|es|ing|en)|took|go(?:es|ing)?|stay\w*|call\w*|customer|client|wait\w*|tell|told)\b/i;
const WISHED = String.raw`(?:\s+(?:please|pls|plz|asap|now|today|kindly|thanks))+`;
/** Clauses without a verb, and the verb that each leaves out. */
const NOUNS = [
  ['cancellation|cancelation|disconnection|termination', 'cancel'],
  ['suspension|hold|pause|park', 'park'],
  ['activation', 'activate'],
  ['reactivation|restoration', 'reactivate'],
].map(([nouns = '', verb = '']): readonly [RegExp, string] => [
  new RegExp(
    String.raw`^\W*(?:(?=.*\b(?:please|pls|plz|asap|needs?|wants?|request(?:ing)?)\b)(?:(?:please|pls|plz|i|we|customer|need|needs|want|wants|requesting|request|an?|immediate|full)\s+)*(?:${nouns})\s+(?:of|for|on)\s+)(?=number\b(?:\s+(?:please|pls|plz|asap|now|today))*\W*$)`,
    'i',
  ),
  verb,
]);
const LEFT_OUT: readonly (readonly [pattern: RegExp, verb: string])[] = [
  ...NOUNS,
  [/\b(?:(?:both|all)\s+)?on\s+(?:hold|pause|ice)\b/i, 'park'],
  [/\b(?:back\s+)?off\s+(?:hold|pause)\b/i, 'activate'],
  [/(?<=\bnumber\s+)off(?=\s+(?:the|its|his|her)\s+(?:\S+\s+)?(?:plan|package)\b)/i, 'remove'],
  [/(?<=^\W*(?:please\s+|number\s+|line\s+|and\s+)*number\s+)(?:back(?:\s+(?:on|to\s+life))?)\b/i, 'reactivate'],
  [
    new RegExp(String.raw`(?<=\b(?:number|line)\s+)(?:cancell?ed|disconnected|terminated)(?=${WISHED}\W*$)`, 'i'),
    'cancel',
  ],
  [new RegExp(String.raw`(?<=\b(?:number|line)\s+)(?:parked|suspended|paused|frozen)(?=${WISHED}\W*$)`, 'i'), 'park'],
  [new RegExp(String.raw`(?<=\b(?:number|line)\s+)(?:reactivated|restored)(?=${WISHED}\W*$)`, 'i'), 'reactivate'],
  [
    /(?<=^\W*(?:please\s+)?number\s+)to(?=\s+(?!data|the|a|an|our|my)\p{L}+(?:\s+\p{Lu}\p{L}+)?(?:\s+please)?\W*$)/iu,
    'assign to',
  ],
  [
    /^\W*(?=(?:the\s+)?\p{L}+(?:\s+[\p{L}\d]+)?\s+(?:plan|package|bundle|tariff)\s+(?:for|on)\s+number\b)/iu,
    'subscribe',
  ],
];

/** The clause with the verb in front that it leaves out. Last digits are replaced by "number" before. */
export function withVerb(text: string): string {
  if (REPORTS.test(text) || OWN_VERB.test(text)) return text;
  const hasVerb = wordsOf(text).some((word) => isTelling({ ...word, things: [] }));
  for (const [pattern, verb] of LEFT_OUT) {
    // A word such as "cancel" in front says what is done.
    if (!pattern.test(text) || (hasVerb && /^(?:assign|subscribe)/.test(verb))) continue;
    return `${verb.replace(' to', '')} ${text.replace(pattern, verb.endsWith(' to') ? 'to' : ' ')}`;
  }
  return text;
}

/** The words, with "set" where a clause without a verb gives the new value of something. */
export function withSet(words: readonly Word[], text: string, facts: Facts): Word[] {
  const isAbout = (thing: string) => words.some(({ things }) => things.includes(thing));
  const hasVerb = words.some((word) => word.isPast || word.acts.includes('show') || isTelling({ ...word, things: [] }));
  if (hasVerb || REPORTS.test(text)) return [...words];
  const limits = facts.volumes.some(({ isUnclear, isMore }) => isUnclear !== true && !isMore);
  const gives =
    (isAbout('limit') && limits) ||
    (isAbout('cnam') && (facts.details.name !== undefined || newNameIn(text) !== undefined)) ||
    (isAbout('order') && (facts.details.postal !== undefined || facts.details.holder !== undefined)) ||
    (facts.details.price !== undefined && (isAbout('package') || isAbout('product')) && !COMPARES.test(text)) ||
    (isAbout('email') && facts.email !== undefined && (isAbout('person') || isAbout('number')));
  return gives ? [SET, ...words] : [...words];
}

/** An amount that a list is narrowed to. */
const COMPARES = /\b(?:under|below|over|above|less|more|cheaper|max|maximum|min|minimum|between|than|costs?|for)\b/i;

const SET: Word = {
  typed: 'set',
  plain: 'set',
  acts: ['change'],
  things: [],
  isUnknown: false,
  isNegated: false,
  isPast: false,
};
