import { MAKES_NUMBER } from '../../../language/families.ts';
import { wordsOf } from '../../../language/sentence.ts';
import { DEEDS } from '../facts/contrast.ts';
import { isForbidden } from '../facts/stance.ts';
import type { GuidedAnswer } from './answer.ts';

/*
 * Clauses that only say why: "don't cancel the port-in of +1…, customer wants it after all", "chase up ava's port-in, the
 * customer keeps calling". Their words (a customer, a call, a wish) are none of what is asked for. A reason behind a
 * refusal orders nothing: read beside the number of the refusal, it would be an order that costs.
 */

const BREAK =
  /(\s*[,;.!–—]+(?:\s+|$)|\s+-+\s+|\n+|\s+(?=(?:because|cause|cuz|cos|bc|since|as)\s)|\s+(?=(?:and|so)\s+(?:s?he|they|(?:the\s+|our\s+)?(?:customer|client|caller|subscriber))\s))/u;
const JOINT = /^\W*(?:(?:because|cause|cuz|cos|bc|since|as|and|coz|also|so)\s+)*/iu;
const POLITE = String.raw`\W*(?:(?:please|pls|plz|so|ok|okay|hi|hey|and|no|wait|actually)\b[\s,]*)*`;
/** A refusal in other words than "don't". */
const LEAVES = new RegExp(
  String.raw`^${POLITE}(?:(?:leave|keep|let)\b.*\b(?:alone|as\s+(?:it\s+)?is|untouched|running|open|be|in\s+place)|hands\s+off\b.*)\s*$`,
  'iu',
);
/** A person or a thing that a report is about. */
const WHO = String.raw`(?:(?:(?:the|our|this|that|her|his|their)\s+)?(?:customer|cust|client|subscriber|sub|caller|user|owner|guy|lady|man|woman|family|company|husband|wife|mother|mum|mom|father|dad|boss|carrier|number|line|phone)|s?he|they|it|that|this|we|nobody|no\s+one)`;
const NAMED = String.raw`(?:${WHO}|\p{L}[\p{L}'’-]+(?:\s+\p{L}[\p{L}'’-]+)??)`;
const ADVERBS = String.raw`(?:(?:still|really|now|just|already|always|also|only|actually|apparently|definitely|obviously)\s+)*`;
const STATES = new RegExp(
  String.raw`^(?<who>${NAMED}?)(?:['’]?(?:s|re|ll|ve|d))?\s+${ADVERBS}(?:wants?|wanted|needs?|needed|keeps?|kept|is|are|was|were|has|had|have|will|would|may|might|can|could|did|does|do|says?|said|told|changed|decided|prefers?|hopes?|stays?|staying|likes?|uses?|depends?|asked|asking|agreed|paid|came|comes|went|goes|got|left|moved|going|not|waiting|calling|never|\p{L}{3,}ed)\b`,
  'iu',
);
/** The words of a report that asks for something else instead. */
const OTHERWISE =
  /\b(?:instead|rather|just(?!\s+(?:called|rang|phoned|texted|wrote|told|said|came|confirmed))|only|please|pls|plz|but|should|must|you|u|we|i|if|unless|until|till|when)\b|\?/iu;
const VALUE = /\d{3}|@|["“„]|https?:|\b(?:JNUOID|SUBID|PRID|PKID|ACID)-/u;
const MOOD =
  /^(?:(?:the|our|this|that)\s+)?(?:customer|cust|client|subscriber|caller|s?he|they|people)(?:['’]?(?:s|re))?\s+(?:(?:is|are|was|has|have|been|keeps?|kept|just|gets?|getting|got|now|already|still|really|very|so|quite|a\s+bit|not|rather)\s+)*(?:ask(?:s|ed|ing)?|call(?:s|ed|ing)?|r[iau]ng(?:s|ing)?|chas(?:es|ed|ing)|complain(?:s|ed|ing)?|wait(?:s|ed|ing)?|push(?:es|ed|ing)?|bug(?:s|ged|ging)?|nag(?:s|ged|ging)?|scream(?:s|ed|ing)?|phon(?:es|ed|ing)|writ(?:es|ing)|email(?:s|ed|ing)?|wonder(?:s|ed|ing)?|upset|angry|mad|furious|happy|impatient|nervous|worried|annoyed|here|in\s+(?:the\s+(?:shop|store|office)|a\s+hurry)|on\s+the\s+(?:phone|line)|wants?\s+to\s+know|needs?\s+to\s+know)(?:\s+(?:again|already|now|all|day|every|hour|week|morning|for|days|hours|weeks|ages|an|a|about|it|that|this|me|us|here|up|back|in|non\s?stop|constantly|twice|today|lately|the|whole|time|once|more|too|impatient|and|angry|upset))*$/iu;
const MAX_LENGTH = 300;

interface Part {
  said: string;
  mark: string;
}

/** The parts of a message, each with the mark behind it. */
function partsOf(text: string): Part[] {
  const pieces = text.split(BREAK);
  return pieces.flatMap((said, at) =>
    at % 2 === 0 && said.trim() !== '' ? [{ said, mark: pieces[at + 1] ?? '' }] : [],
  );
}

function isRefusal(said: string): boolean {
  // "Not ava, ben needs it" corrects a name.
  return (isForbidden(said) && !/^\W*not\b/iu.test(said)) || LEAVES.test(said);
}

/** True for a report that names nothing to do but what the refusal is about. */
function isReason(part: string, refused: string): boolean {
  const said = part.replace(JOINT, '');
  const who = STATES.exec(said)?.groups?.who;
  if (who === undefined || OTHERWISE.test(said) || VALUE.test(said) || isRefusal(said)) return false;
  const isNamed = new RegExp(`^${WHO}$`, 'iu').test(who) || wordsOf(who).every(({ isUnknown }) => isUnknown);
  const known = new Set(wordsOf(refused).flatMap(({ acts, things }) => [...acts, ...things]));
  return (
    isNamed &&
    wordsOf(said).every(({ acts, isPast }) => isPast || acts.every((act) => !DEEDS.has(act) || known.has(act)))
  );
}

/** The message without the clauses that only say why. Any other message as it is. */
export function withoutContext(text: string): string {
  if (text.length > MAX_LENGTH || /["“„]/u.test(text)) return text;
  const parts = partsOf(text);
  if (parts.length < 2) return text;
  const refusals = parts.filter(({ said }) => isRefusal(said));
  const refused = refusals.map(({ said }) => said).join(', ');
  if (refusals.length > 0 && parts.every((part) => refusals.includes(part) || isReason(part.said, refused)))
    return refused;
  const others = parts.filter(({ said }) => !MOOD.test(said.replace(JOINT, '').trim()));
  if (others.length === parts.length || !others.some(({ said }) => speaks(said))) return text;
  return joined(others);
}

function joined(parts: readonly Part[]): string {
  return parts
    .map(({ said, mark }, at) => (at < parts.length - 1 ? `${said}${mark}` : said))
    .join('')
    .trim();
}

/** "Too expensive": why something is ended. */
const TOO =
  /^(?:(?:it['’]?s|its|it\s+is|that['’]?s|is|was|way|far|much)\s+)*too\s+\p{L}+(?:\s+(?:now|for\s+(?:him|her|them|us)))?$/iu;

/** True for an answer that does nothing of what was written, because it was not understood or read as a question. */
function isUnclear({ kind, operation, isInstead, isOutside }: GuidedAnswer): boolean {
  return (kind === 'help' || isInstead === true) && !(operation === undefined && isOutside === true);
}

/** The beginning of an answer to a message that was not understood, or that was read as a question. */
const UNREAD = /\bwas not understood\b|^You asked about\b|^That names no number\b/u;
/** A question, a text, or words that take an order back. */
const WITHDRAWN = /[?"“„]|\b(?:mistakes?|mistaken|errors?|wrong|accident(?:ally)?|oops|sorry|forget)\b/iu;
const WISHES = /\b(?:wants?|wanted|needs?|needed|hopes?|likes?|wishes|waits?|waiting)\b/iu;
/** The message without the reasons behind its first part. */
export function withoutTrailingReasons(text: string): string {
  const parts = text.length > MAX_LENGTH || /["“„]/u.test(text) ? [] : partsOf(text);
  const end = parts.findLastIndex(({ said }) => !isReason(said, said));
  return end < 0 || end === parts.length - 1 ? text : joined(parts.slice(0, end + 1));
}

/** An order that costs. */
const COSTS: ReadonlySet<string> = new Set([...MAKES_NUMBER, 'numbers_portin']);

/**
 * The answer without the reasons of a message, where only they make an order that costs of it ("where is the port-in of
 * +1…, customer wants it asap" asks about an order), or where the message is not understood with them.
 */
export function withoutReasons(guided: GuidedAnswer, text: string, read: (part: string) => GuidedAnswer): GuidedAnswer {
  const isLost = isUnclear(guided) && !guided.isRefused && UNREAD.test(guided.understood) && !WITHDRAWN.test(text);
  const costs = COSTS.has(guided.operation ?? '') && guided.kind !== 'help';
  if (!(costs || isLost) || text.length > MAX_LENGTH) return guided;
  const parts = partsOf(text);
  const isAside = ({ said }: Part, at: number) =>
    isLost
      ? at > 0 && (isReason(said, said) || TOO.test(said.replace(JOINT, '')))
      : WISHES.test(said) && isReason(said, said);
  const rest = parts.filter((part, at) => !isAside(part, at));
  if (rest.length === 0 || rest.length === parts.length || !rest.some(({ said }) => speaks(said))) return guided;
  const own = read(joined(rest));
  if (isLost) return own.kind === 'help' || (isUnclear(own) && own.isOutside !== true) ? guided : own;
  return own.isUnread || COSTS.has(own.operation ?? '') || (own.kind === 'help' && !own.isRefused) ? guided : own;
}

/** True for a part that names a thing or a deed. */
function speaks(said: string): boolean {
  return (
    wordsOf(said).some(({ acts, things }) => acts.length > 0 || things.length > 0) &&
    said.trim().split(/\s+/u).length > 1
  );
}
