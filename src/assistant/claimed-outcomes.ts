import type { Message } from './conversations.ts';
import { withoutVoice } from './model-voice.ts';

/* Sentences of an answer that say something was done, and whether a call or a record of the conversation shows it. */

/** The calls and the messages of a conversation. */
export interface Happened {
  /** Titles of the changes that were done or may have been, in this turn. */
  titles: readonly string[];
  /** True if a call of this turn waits for a person. */
  waits: boolean;
  /** Results of calls of operations in this turn. */
  results: readonly string[];
  /** The earlier messages, and the message itself. */
  messages: readonly Message[];
}

/** One kind of outcome, with the words of answers for it, the states of records that show it, and the titles of changes that have it. */
interface Outcome {
  says: string;
  shows: RegExp;
  titles: RegExp;
}

const ANY = /./;
const GENERAL = String.raw`done|did(?= (?:it|that|this|so)\b|$)|set|changed|updated|corrected|edited|adjusted|applied|processed|handled|fixed|arranged|renamed|saved|made|performed|executed|carried out|taken care of|sorted`;
/** A record of a change that was done. */
const IS_DONE = /"status":"(?:done|partly)"|"(?:state|Outcome)":"(?:done|partly)"/i;

const OUTCOMES: readonly Outcome[] = [
  {
    says: 'cancel+ed|terminated|disconnected|ended',
    shows: /cancel+ed|terminated|disconnected/i,
    titles: /cancel|end/i,
  },
  {
    says: 'deleted|removed|taken off|erased',
    shows: /deleted|removed|released/i,
    titles: /delet|remov|tak|block|change|set/i,
  },
  {
    says: 'sent(?: out)?|texted|messaged|delivered|resent',
    shows: /\bsent\b|delivered|queued/i,
    titles: /send|text|messag/i,
  },
  {
    says: 'parked|suspended|paused|frozen|put on hold|disabled|deactivated|switched off|turned off|shut off',
    shows: /parked|suspend|paused|hold|disabled|inactive|Enabled":"?false/i,
    titles: /park|hold|suspend|pause|chang|switch|turn|set|updat|disabl|stop/i,
  },
  {
    says: 'blocked|unblocked|allowed|whitelisted|blacklisted',
    shows: /block|allow|blacklist|whitelist/i,
    titles: /block|allow|filter|guard|set|chang/i,
  },
  {
    says: 'ported(?: (?:in|out))?|moved|transferred|migrated|swapped|replaced',
    shows: /port(?:ed|InDate)|complet|moved|transferred|swapped/i,
    titles: /port|mov|transfer|assign|chang|order|swap|replac/i,
  },
  {
    says: 'reactivated|restored|resumed|brought back|reinstated|reconnected|unparked',
    shows: /reactivated|restored|resumed/i,
    titles: /reactivat|restor|resum|chang|activat/i,
  },
  {
    says: 'activated|enabled|switched on|turned on',
    shows: /\bactiv(?:e|ated)|enabled/i,
    titles: /activat|chang|switch|turn|set|updat|enabl/i,
  },
  {
    says: 'created|added|opened|registered|ordered|purchased|bought|provisioned|assigned|reserved|subscribed',
    shows: /creat|added|opened|register|order|purchas|assign|subscri/i,
    titles: /creat|add|assign|order|provision|new|buy|reserv|chang|port/i,
  },
  {
    says: 'raised|increased|lowered|reduced|limited|throttled|capped|doubled|extended|lifted',
    shows: /raised|increas|lowered|reduc|throttl|limited/i,
    titles: /chang|set|limit|updat|edit/i,
  },
  { says: 'approved|confirmed|accepted|signed off', shows: /approved|confirmed|accepted|"decidedBy"/i, titles: ANY },
  { says: 'withdrawn|withdrew|taken back|called off', shows: /withdrawn/i, titles: /withdraw/i },
  { says: 'submitted|requested|placed|filed', shows: /submitted|requested/i, titles: ANY },
  { says: 'completed?|finished|successful|succeeded|stopped', shows: /\bcompleted?\b|finished|stopped/i, titles: ANY },
  { says: GENERAL, shows: IS_DONE, titles: ANY },
];

const VERBS = OUTCOMES.map(({ says }) => says).join('|');
const JUST = String.raw`(?:(?:now|just|already|successfully|also|all|been|actually|since|then)\s+)*`;
const THING = String.raw`(?:it|that|this|them|both|all|everything|the|your|her|his|their|an?|\+?\d|“)`;
const PERSON =
  '(?:he|she|they|someone|somebody|switchboard|(?:an?|the|your|our|another) (?:approver|operator|colleague|system|platform|carrier|administrator|admin|supervisor|manager|team))';
const NAME = String.raw`(?!(?:You|I|We|It|That|This|The|And|But|No)\b)\p{Lu}[\p{L}’'-]+(?: \p{Lu}[\p{L}’'-]+)?`;
const SUBJECT = String.raw`(?:it|that|this|they|everything|all(?: of (?:it|them))?|both|(?:the|your|her|his|their|our)(?: [\p{L}\d-]+){1,5}|(?:the )?\+?\d[\d\s()-]{2,}\d)`;

/** Patterns of one part of a sentence. */
const CLAIMS: readonly RegExp[] = [
  // "The number was cancelled", "it has been sent", "is now parked".
  String.raw`\b(?:was|were|been|got|gets|(?:is|are)(?: now| already| hereby)|now)\s+${JUST}(?<verb>${VERBS})\b`,
  // "It is cancelled now", "the port-in is completed".
  String.raw`^(?:yes\s+)?${SUBJECT}(?:['’]s|['’]re|\s+is|\s+are)\s+${JUST}(?<verb>${VERBS})(?:\s+(?:now|already|as (?:requested|asked|you asked)|for (?:you|her|him|them)|in (?:our|the) system|successfully))*$`,
  // "I have cancelled it".
  String.raw`\b(?:I|we)(?:['’]ve| have|['’]d| had)?\s+${JUST}(?<verb>${VERBS}|cancel+ed|set|sent|withdrew)\b`,
  // "Lee approved it".
  String.raw`\b${PERSON}\s+(?:(?:has|have|had)\s+)?${JUST}(?<verb>${VERBS})\s+${THING}`,
  // "Cancelled the number", "successfully parked".
  String.raw`^(?:successfully\s+(?<verb>${VERBS})\b|(?<verb2>${VERBS})(?:\s+(?:it|that|this|the|your|\+\d|\d{4,}|as requested|for you|successfully|now).*)?$)`,
  // "Approved by Lee".
  String.raw`^(?<verb>${VERBS})\s+by\s`,
]
  .map((source) => new RegExp(source, 'iu'))
  .concat(new RegExp(String.raw`(?:^|\s)${NAME}\s+(?:(?:has|have|had)\s+)?${JUST}(?<verb>${VERBS})\s+${THING}`, 'u'));

/** Outcomes that name no act: "cancellation went through", "the change is in effect", "all set". */
const GENERAL_CLAIMS = new RegExp(
  [
    String.raw`^(?<what>.*?)\b(?:went|has gone|have gone|['’]s gone|is|are|was|were|got)\s+${JUST}(?:through|out|live|in effect|in place|effective|complete|over|all set|settled|taken care of|successful|off the account)$`,
    String.raw`^(?<what2>.*?)\b(?:went (?:through|out)|took effect|takes effect now|succeeded|has gone (?:through|out)|is on its way)\b`,
    String.raw`^(?:yes\s+)?(?:(?:it|that|this|all|everything)(?:['’]s| is| was)\s+)?(?:all )?(?:done|set|sorted|taken care of)(?:\s+(?:now|already|for you))*$`,
    String.raw`^(?:all )?done\b`,
    String.raw`^yes\s+(?:it|that|this)(?:['’]s| is| was| has(?: been)?)(?:\s+(?:now|already))*$`,
  ].join('|'),
  'iu',
);
/** The act that a noun names: "the cancellation", "the SMS". */
const NOUNS: readonly (readonly [RegExp, string])[] = [
  [/cancell?ation/i, 'cancelled'],
  [/\b(?:sms|text|message)/i, 'sent'],
  [/\bport/i, 'ported'],
  [/reactivation/i, 'reactivated'],
  [/removal|deletion/i, 'deleted'],
  [/\bpark/i, 'parked'],
];
/** "Your limit is now 300 MB". */
const NOW = /\b(?:is|are|stands|sits|has|have) now\s+(?:at |up to |down to |on )?(?=\D{0,3}\d)/i;

const NEGATED =
  /\b(?:not|never|no|none|nothing|nobody|cannot|without|neither|nor|yet to|unable|refused|failed)\b|n['’]t\b/i;
/** Before the verb: a condition, a wish or another person's words. */
const NOT_SAID =
  /\b(?:will|would|can|could|may|might|shall|should|must|need|needs|going to|to be|be|wants?|wanted|about to|ready to|if|once|until|unless|whether|before|when|in case|as soon as|waits?|waiting|pending|how|why|what|which|who|says?|said|claims?|claimed|asks?|reads|writes|wrote|you)\b/i;

/** The sentences that claim an outcome which nothing of the conversation shows. */
export function unprovenOutcomes(answer: string, happened: Happened, hasValues: (text: string) => boolean): string[] {
  const proof = new Proof(happened);
  const found = sentencesOf(answer).flatMap((sentence) => {
    if (sentence.trim().endsWith('?')) return [];
    const isClaimed = partsOf(sentence).some((part) => {
      const claim = claimIn(part, sentence);
      if (claim === undefined || proof.shows(claim)) return false;
      // "The limit was set to 20 MB" is what a record says, if it has the 20 MB.
      return !(claim.isGeneral && !claim.isOwn && /\d/.test(part) && hasValues(part));
    });
    return isClaimed ? [sentence] : [];
  });
  return [...new Set(found)];
}

function sentencesOf(text: string): string[] {
  return text
    .replace(/\b(?:a\.m|p\.m|e\.g|i\.e)\./gi, (one) => one.replaceAll('.', ''))
    .split(/(?<=[.!?])["”*_)]*\s+|\n+/)
    .map((one) => withoutVoice(one).trim())
    .filter(Boolean);
}

/** Parts of a sentence, without what it quotes and without formatting. */
function partsOf(sentence: string): string[] {
  return sentence
    .replace(/“[^”]*”|"[^"]*"|‘[^’]*’/g, ' “” ')
    .replace(/[*_`~]/g, '')
    .split(
      /[;:!?]\s*|,\s+|[.](?=\s|$)|\s[-–—]+\s|\b(?:and|but|so|because)\s+(?=(?:it|I|we|the|they|she|he|that|this|your|is|was|has)\b)/i,
    )
    .map((one) =>
      one
        .replace(/^[^\p{L}\d+“]+|[^\p{L}\d”]+$/gu, '')
        .replace(/^(?:and|so|ok|okay|sure|well|but|as requested)\s+/i, ''),
    )
    .filter(Boolean);
}

interface Claim {
  verb: string;
  /** True for a verb that names no act. */
  isGeneral: boolean;
  /** True if the answer says that it did it itself. */
  isOwn: boolean;
}

function claimIn(part: string, sentence: string): Claim | undefined {
  if (NEGATED.test(part)) return undefined;
  for (const pattern of CLAIMS) {
    const match = pattern.exec(part);
    if (!match) continue;
    const verb = match.groups?.verb ?? match.groups?.verb2 ?? '';
    const before = part.slice(0, match.index + Math.max(0, match[0].toLowerCase().lastIndexOf(verb.toLowerCase())));
    const isPresent = /(?:['’](?:s|re)|\b(?:is|are))\b(?!.*\b(?:was|were|been|now|already)\b)/i.test(match[0]);
    if (NOT_SAID.test(before) || (isPresent && /\b(?:if|once|when|then|after|until)\b/i.test(sentence))) continue;
    return { verb, isGeneral: isGeneral(verb), isOwn: /\b(?:I|we)\b(?:['’]|\s)/.test(match[0]) };
  }
  const general = GENERAL_CLAIMS.exec(part) ?? NOW.exec(part);
  if (!general || NOT_SAID.test(part.slice(0, general.index + general[0].length))) return undefined;
  const what = general.groups?.what ?? general.groups?.what2 ?? '';
  const noun = NOUNS.find(([pattern]) => pattern.test(what))?.[1];
  return noun === undefined
    ? { verb: 'done', isGeneral: true, isOwn: false }
    : { verb: noun, isGeneral: false, isOwn: false };
}

function isGeneral(verb: string): boolean {
  return new RegExp(`^(?:${GENERAL}|raised|increased|lowered|reduced|limited|throttled|capped|assigned)$`, 'i').test(
    verb,
  );
}

/** The evidence that something was done. */
class Proof {
  readonly #happened: Happened;
  /** Titles of changes that were done in this conversation. */
  readonly #titles: readonly string[];
  /** Results without members that hold nothing, and without sentences that deny something. */
  readonly #records: string;
  /** Sentences of people and of earlier answers in the past tense. */
  readonly #statements: string;

  constructor(happened: Happened) {
    this.#happened = happened;
    const { titles, results, messages } = happened;
    const earlier = messages.flatMap(({ from, text }) =>
      from === 'assistant' ? [...text.matchAll(/\bDone: ([^\]]+?)\.(?=\s|\])/g)].map(([, title = '']) => title) : [],
    );
    this.#titles = [...titles, ...earlier];
    this.#records = results.map(affirmed).join('\n');
    this.#statements = messages
      .flatMap(({ text }) => sentencesOf(text))
      .filter(isStatement)
      .join('\n');
  }

  shows({ verb, isOwn, isGeneral }: Claim): boolean {
    const outcomes = OUTCOMES.filter(({ says }) => new RegExp(`^(?:${says})$`, 'i').test(verb));
    const { waits, results } = this.#happened;
    if (outcomes.some(({ titles }) => this.#titles.some((title) => titles.test(title)))) return true;
    if (results.some((text) => IS_DONE.test(text))) return true;
    if (waits && /^(?:submitted|requested|placed|filed)$/i.test(verb)) return true;
    if (isOwn) return false;
    if (outcomes.some(({ shows }) => shows.test(this.#records))) return true;
    return (
      !isGeneral && outcomes.some(({ says }) => new RegExp(String.raw`\b(?:${says})\b`, 'i').test(this.#statements))
    );
  }
}

function affirmed(result: string): string {
  return result
    .replace(/"\w+":(?:null|""|\[\]|\{\}|0(?=[,}]))/g, '')
    .replace(/"(?!\w*Enabled)\w+":"?false"?/g, '')
    .replace(/[^.!?"\n]*\b(?:not|nothing|never|cannot|no one|nobody)\b[^.!?"\n]*/gi, '');
}

/** True for a sentence that says what was, not one that asks for it or about it. */
function isStatement(sentence: string): boolean {
  return (
    !sentence.endsWith('?') &&
    !NEGATED.test(sentence) &&
    !/^(?:was|were|is|are|has|have|did|do|does|can|could|will|would|if|what|who|when|why|how)\b/i.test(sentence)
  );
}
