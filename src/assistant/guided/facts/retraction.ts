import { wordsOf } from '../../../language/sentence.ts';
import { type Facts, readFacts } from './facts.ts';

/* Sentences that order something and take it back: "cancel 0103, but don't", "park 0105. Sorry, wrong number". */

const NOT_DO = String.raw`(?:(?:do|should|must|shall|would)\s*(?:n['’]?o?t|not)|dnt|never)`;
/** Words before what takes an order back. */
const LEAD =
  /^(?:(?:oh|ah|uh|um|hm+|no+(?!\s+(?:one|body|longer|need)\b)|nope|nah|wait|sorry|oops|whoops|actually|ok|okay|please|pls|plz|or|and|but|so|then|rather|better|just|well|hey|though|yet|\p{L}+\s+(?:say|says|said|mean|meant|think|thinks)|(?:i|we|you)(?=\s+(?:should|must|would|better)))[\s,:]+)+/iu;
const AT_END = String.raw`(?:\s+(?:yet|now|right\s+now|please|pls|plz|though|after\s+all|any\s*more|any\s+longer|at\s+all|today|for\s+now|thanks?|thank\s+you|ok))*`;
const PRONOUN = String.raw`(?:it|that|this|so|them|anything|any\s+of\s+(?:it|that)|(?:the|this|that)\s+(?:order|change|request|cancellation|message|text|sms|thing))`;

/** Ends a sentence: "cancel 0103 don't". */
const BARE = new RegExp(String.raw`\s${NOT_DO}${AT_END}[\s.!]*$`, 'i');
/** "Don't", "do not do that", "don't go ahead with it". */
const NOT_THAT = new RegExp(
  `^${NOT_DO}(?:\\s+(?:do|send|bother|proceed|go\\s+(?:ahead|on|through)|submit|start|continue|carry\\s+on|make|change|touch|run|execute|process|file|want|need)(?:\\s+(?:with\\s+)?${PRONOUN})?)?${AT_END}$`,
  'i',
);
/** "She doesn't want it", "nobody asked for that". */
const NOT_WANTED = new RegExp(
  String.raw`^(?:[\p{L}'’]+\s+){1,3}?(?:(?:does|do|did|would|will|is|was|has|have)\s*(?:n['’]?t|not)|wo\s*n['’]?t|no\s+longer|never)\s+(?:even\s+|really\s+|actually\s+|want(?:ing)?\s+(?:us|me|you)\s+)*(?:wants?|wanted|ask(?:ed)?|need(?:ed|s)?|requested|request|agreed?|order(?:ed)?|say|said|mean|meant|approved?|authori[sz]ed?|to)(?:\s+(?:to|for|us|me|you|do|be|have|done|with|${PRONOUN}))*${AT_END}$`,
  'iu',
);
const NOBODY =
  /^(?:no\s*body|no\s*one)\s+(?:wants?|wanted|asked|needs?|needed|ordered|requested|told|said|approved)(?:\s+(?:for|it|that|this|me|us|to|so))*$/i;
/** "Cancel it, she doesn't want it any more" says why. */
const ANY_MORE = /\b(?:any\s*more|any\s+longer|no\s+longer)\b/i;
/** The writer's own change of mind, or another person's after a word that turns ("but", "actually"). Otherwise it is a reason. */
export const MIND =
  /\bthen\s+again\b|\bchang(?:e|ed|es|ing)\s+(?:my|our|the)\s+minds?\b|\b(?:but|no|nope|wait|actually|oh|oops|sorry|never\s*mind|nvm|hm+)[\s,.!]+(?:[\p{L}'’]+\s+){0,4}?chang(?:ed|es|ing)\s+(?:her|his|their|its)\s+minds?\b/iu;

const WRONG =
  /^(?:(?:it|that|this)\s*(?:['’]?s|is|was)\s+|(?:i|we|you)\s+(?:had|have|got|took|gave|typed|wrote|sent|mixed\s+up)\s+)?(?:you\s+)?(?:the\s+|a\s+|my\s+)?(?:totally\s+|completely\s+)?(?:wrong|incorrect)\s+(?:number|customer|line|person|one|guy|account|client|subscriber|chat|channel|thread|window|ticket|button|order|caller|woman|man|lady|digits|name)$/i;
const BACK =
  /^(?:never\s*mind|nvm|forget\s+(?:it|that|this|about\s+(?:it|that)|(?:what\s+)?i\s+(?:said|asked|wrote))|scratch\s+(?:it|that|this)|strike\s+(?:it|that|this)|ignore\s+(?:it|that|this|me|my\b.*|what\b.*)|disregard\b.*|(?:leave|keep)\s+(?:it|that|her|him|them)(?:\s+(?:alone|be|for\s+now|as\s+(?:it\s+)?is|running|active|on|open|up|there))?|hang\s+on|not\s+(?:it|that|this|him|her|them)(?:\s+(?:one|number|line|customer))?|hold\s+(?:on|off|it|that)|halt|abort(?:\s+mission)?|false\s+alarm|all\s+(?:resolved|sorted|solved|settled|clear)|(?:resolved|sorted|solved)\s+(?:itself|already)|not|(?:do|done)\s+nothing|on\s+second\s+thoughts?\b.*|(?:just\s+)?kidding|jk|as\s+you\s+were|my\s+(?:mistake|bad)|(?:a\s+|my\s+)?mistake|take\s+(?:it|that)\s+back|i\s+take\s+(?:it|that)\s+back|not\s+(?:needed|necessary|required)(?:\s+any\s*more)?|no\s+need|no\s+longer\s+(?:needed|necessary|wanted|required|relevant)|(?:(?:i|we|you)(?:'d|\s+had)\s+)?(?:maybe|better|rather|perhaps)\s+not|not\s+any\s*more|\p{L}+\s+(?:says?|said)\s+no)$/iu;
/** Ends a text: "cancel 0103. No." */
const ONLY_NO = /^(?:(?:no+|nope|nah|stop|wait|oh|oops|please|sorry)[\s,!]*)*(?:no+|nope|nah|stop|wait)$/i;
/** After such words only: "no, cancel that". */
const AFTER_NO = /^(?:cancel|drop|undo|stop|delete|remove)\s+(?:it|that|this)$/i;
const PARTS =
  /[.,;:!?\n]+|\s[-–—]+>?\s|\s+(?=(?:but|so|then|because|or)\s|(?:oops|whoops|sorry)\s+(?:wrong|incorrect)\s)/;

/** In the text of a message only what cannot be meant for its receiver takes it back. */
const NOT_SENT = new RegExp(
  String.raw`(?:^|[\s,.;!-])(?:no|nope|wait|actually|stop|oops|sorry|hm+)[\s,.!-]+(?:please\s+)?${NOT_DO}(?:\s+(?:send|text|do|write|message|tell)\b(?:\s+(?:it|that|this|her|him|them))?)?${AT_END}[\s.!]*$|\b${NOT_DO}\s+(?:send|text)\s+(?:it|that|this)${AT_END}[\s.!]*$|[,.;!\n–—-]\s*(?:or\s+rather\s+|please\s+|i\s+say\s+|so\s+|but\s+)*${NOT_DO}[\s.!]*$|[,.;!\n–—-]\s*(?:(?:no|wait|oh|sorry|actually)[\s,]+)*(?:never\s*mind|nvm|scratch\s+that|forget\s+(?:it|that)|on\s+second\s+thoughts?)[\s.!]*$|\bno[\s,]+wait[\s.!,]*$`,
  'i',
);

/**
 * True if a text takes back what it asks for.
 *
 * @param message the text of a message that it sends, if it has one
 */
export function isTakenBack(said: string, message?: string): boolean {
  const text = said.replace(/["“„][^"“”„]*["”“]/g, ' ');
  const isTyped = message !== undefined && text.includes(message);
  if (isTyped && NOT_SENT.test(message)) return true;
  // "Did I cancel 0110 or not" asks, and takes nothing back.
  const order = (isTyped ? text.replace(message, ' ') : text).replace(OR_NOT, '').trim();
  if (BARE.test(order) || MIND.test(order)) return true;
  const parts = order
    .split(PARTS)
    .map((part) => part.trim())
    .filter(Boolean);
  const isWhy = (part: string, at: number) =>
    ((WRONG_NUMBER.test(part) || NOT_NEEDED.test(part)) && ENDING.test(parts.slice(0, at).join(', '))) ||
    (UNWANTED.test(part) && ENDS_MANY.test(parts.slice(0, at).join(', ')));
  return parts.some(
    (part, at) =>
      at > 0 && !isWhy(part, at) && takesBack(part, at === parts.length - 1) && hasOrder(parts.slice(0, at)),
  );
}

const OR_NOT = /\s+or\s+not(?:\s+yet)?(?=\s*(?:$|[?.!,]))/iu;
/** Why something is ended: "cancel 0105, wrong number". "Sorry, wrong number" takes it back. */
const WRONG_NUMBER =
  /^(?:(?:because|cause|cuz|cos|as|since|it['’]?s|it\s+is|it\s+was|was)\s+)*(?:the\s+|a\s+)?(?:wrong|incorrect)\s+(?:number|nr|digits|num|acct|account\s+number)(?:\s+(?:was\s+|got\s+)?(?:ordered|ported|given|entered|typed|assigned|submitted))?$/i;
/** The same, of a record: "delete the route, nobody needs it". "Nobody asked for that" takes it back. */
const NOT_NEEDED =
  /^(?:(?:because|cause|cuz|cos|as|since)\s+)?(?:(?:no\s*body|no\s*one)\s+(?:really\s+|even\s+|here\s+)*(?:needs?|needed|uses?|used)|(?!i\b|we\b|you\b|u\b)[\p{L}'’]+(?:\s+\p{L}+)?\s+(?:does\s*n['’]?t|do\s*n['’]?t|does\s+not|do\s+not|did\s*n['’]?t)\s+(?:really\s+|even\s+)*(?:need|use))(?:\s+(?:it|that|this|them|one))?(?:\s+(?:any\s*more|any\s+longer|now))?$/iu;
/** "Stop texts on 0104, she doesn't want them": “them” is what is stopped. */
const UNWANTED =
  /^(?:(?:because|cause|cuz|cos|as|since)\s+)?(?!i\b|we\b)(?:[\p{L}'’]+\s+){1,3}?(?:does\s*n['’]?t|do\s*n['’]?t|does\s+not|do\s+not|never)\s+(?:really\s+|even\s+)*(?:want(?:s|ed)?|like[sd]?)\s+(?:them|those|any(?:\s+of\s+(?:them|those))?)(?:\s+(?:now|at\s+all))?$/iu;
const ENDS_MANY =
  /\b(?:stop|disable|block|mute|kill|end|(?:turn|switch|shut)(?:\s+\p{L}+)?\s+off|off|no\s+more)\b[^.;!?]*\b(?:texts|sms(?:es)?|messages|calls|notices|notifications|alerts|e?-?mails|services)\b|\b(?:texts|sms(?:es)?|messages|calls|notices|notifications|alerts|e?-?mails|services)\s+off\b/iu;
const ENDING =
  /^\W*(?:(?:please|pls|plz|hey|hi|ok|can|could|would|you|u|we|need|to|want|must|just|and)[\s,]+)*(?:cancel|kill|stop|drop|delete|remove|retire|clear|scrub|get\s+rid\s+of|disconnect|terminate|scrap|abort|withdraw|call\s+off|end|pull|axe|void)\b/i;

function takesBack(part: string, isLast: boolean): boolean {
  const rest = part.replace(/['’]/g, "'").replace(LEAD, '').trim();
  const [first = ''] = part.split(/\s/);
  if (isLast && ONLY_NO.test(part)) return true;
  if (AFTER_NO.test(rest) && /^(?:no+|nope|sorry|oops|wait|actually)\b/i.test(part)) return true;
  if (NOT_WANTED.test(rest)) return /^but$/i.test(first) || !ANY_MORE.test(rest);
  return [NOT_THAT, NOBODY, WRONG, BACK].some((pattern) => pattern.test(rest));
}

/** True for a message that only takes back what is before it: "nobody asked for that", "wrong number". */
export function isRetraction(part: string): boolean {
  const rest = part.replace(/['’]/g, "'").replace(LEAD, '').trim();
  if (NOT_WANTED.test(rest)) return !ANY_MORE.test(rest);
  return [NOT_THAT, NOBODY, WRONG, BACK].some((pattern) => pattern.test(rest));
}

/** True if something before is asked for. A report alone cannot be taken back. */
function hasOrder(parts: readonly string[]): boolean {
  return parts.some((part) => wordsOf(part.replace(/\d/g, ' ')).some(({ acts }) => acts.length > 0));
}

const CUE = String.raw`(?:oh|sorry|wait|oops|no|nope|actually|i\s+mean|i\s+meant|or\s+rather|correction)`;
const NAME = String.raw`\p{L}[\p{L}\p{M}'’]+`;
const CORRECTED = new RegExp(
  String.raw`(?<first>${NAME}(?:\s+${NAME})?)[\s,;.–—-]+(?:(?:${CUE}[\s,.]+)+(?:not\s+(?:(?:for|to)\s+)?${NAME}[\s,;.]+(?:but\s+)?)?|not\s+(?:(?:for|to)\s+)?\k<first>[\s,;.]+(?:but\s+)?)(?:(?:it['’]?s|for|to|is|make\s+(?:it|that))\s+)?(?<second>${NAME}(?:\s+${NAME})?)[\s.!]*$`,
  'iu',
);

/** Most sentences have none of these words, and the pattern above is slow. */
const CORRECTS = new RegExp(String.raw`\b(?:${CUE}|not)\b`, 'iu');

/** The sentence with the second name of "give 0110 to Ben, no, not Ben, Ava", and the first one. Undefined for others. */
function withCorrectedName(said: string): { text: string; leftOut: string } | undefined {
  const match = CORRECTS.test(said) ? CORRECTED.exec(said) : null;
  const { first = '', second = '' } = match?.groups ?? {};
  const isName = (word: string) => wordsOf(word.toLowerCase()).every(({ isUnknown }) => isUnknown);
  const words = first.split(/\s+/);
  const name = words.slice(words.findLastIndex((word) => !isName(word)) + 1).join(' ');
  if (!match || name === '' || second === '' || !second.split(/\s+/).every(isName)) return undefined;
  return { text: `${said.slice(0, match.index)}${first.slice(0, first.length - name.length)}${second}`, leftOut: name };
}

/** The values of a sentence, with the second name of one that corrects itself. */
export function factsOf(said: string, now: number): Facts {
  const facts = readFacts(said, now);
  const corrected = facts.message === undefined ? withCorrectedName(said) : undefined;
  if (!corrected) return facts;
  const better = readFacts(corrected.text, now);
  return { ...better, leftOut: [...better.leftOut, corrected.leftOut] };
}
