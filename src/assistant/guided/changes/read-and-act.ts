import { isChange, type Tool } from '../../../catalogue/operation.ts';
import { type GuidedAnswer, help, several } from '../answers/answer.ts';
import { begins, ordersIn } from '../answers/parts.ts';
import { COURTESY } from '../facts/beginnings.ts';

/*
 * A look and a change in one message: "check 0103 and text him we fixed it", "park 0103 and show me its usage". Each part
 * is read alone, and both are answered: the change first, so that the messages after it go on from what is offered.
 */

const TEXT = 'message_outbound';
const MAX_LENGTH = 300;
const MOST_JOINTS = 4;
const JOINT =
  /\s*[,;.!?]+\s+(?:(?:and|then|also|plus|after\s+that)\s+)*|\s+(?:and|then|plus)\s+(?:(?:then|also|please|pls)\s+)*/giu;
const POLITE = String.raw`^\W*${COURTESY}`;
const QUESTION = 'what|whats|who|whos|which|how|hows|when|where|why';
const IS = 'is|are|was|does|do|did|has|have|can';
const SHOWS = String.raw`check(?:\s+(?:on|out))?|show|see|look|lookup|list|find|pull|display|view|(?:give|tell)\s+me|let\s+me\s+(?:see|know)`;
const STATE = String.raw`(?:(?:the|port(?:ing|[\s-]?in)?|order|line)\s+){0,3}(?:status|state)`;
const LOOKS = new RegExp(String.raw`${POLITE}(?:${SHOWS}|${QUESTION}|${IS}|${STATE})\b`, 'iu');
const LOOKS_TOO = new RegExp(String.raw`${POLITE}(?:${SHOWS}|${QUESTION})\b`, 'iu');
const SHOWN = new RegExp(String.raw`${POLITE}(?:${SHOWS})\b`, 'iu');
const ASKS = new RegExp(String.raw`${POLITE}(?:${IS})\b`, 'iu');
const CONDITION = /\b(?:if|unless|in\s+case|once|otherwise|or)\b/iu;
const REFUSES = /\b(?:not|never|don['’]?t|dont|without)\b|n['’]t\b/iu;
const LINE = /(?<![\w+-])[#…*]*\d{4}(?![\w-])|(?<!\d)\+?1?[\s.-]?\(?[2-9]\d{2}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)/gu;
/** The cost of the change itself, which its answer has. */
const COST = /\b(?:costs?|price|charged?|fees?|pays?|paying)\b/iu;
/** To the receiver of a text. */
const YOURS = /\b(?:you|your|yours|u|ur|us|we|our)\b/iu;
const TEXTS = new RegExp(
  String.raw`${POLITE}(?:text|message|msg|sms|tell|let|notify|inform|write|ping|dm|send|shoot|drop)\b`,
  'iu',
);
const TO_THEM = /^(?<before>\W*(?:\p{L}+\s+){0,3}?)(?:him|her|them|it)\b/iu;
const IT =
  /\b(?:it|him|them|(?:that|this|the)\s+(?:line|number|one))\b|\bher\b(?=\s*(?:$|[,.;!?]|\b(?:to|at|on|off|for|from|until|till|back|now|please|pls|with)\b))/giu;
const ITS = /\b(?:its|his|her|their)\b(?=\s+\p{L})/giu;
const SHE = /\b(?:she|he|they|it)\b/giu;

/** "Tell me when its active" asks for a notice: "its" stands for "it is" before a state. */
const NOTICE =
  /\b(?:tell|ping|alert|notify|inform|message|let)\s+(?:me|us)\s+(?:know\s+)?(?:when|once|if|as\s+soon\s+as|the\s+moment)\s+(?:it['’]s|it\s+is|its(?!\s+\p{L}+\s+(?:is|are|was|has|changes?|drops?|goes)\b))(?!\s+(?:all\s+)?(?:done|through|thru|finished|complete|gone|over)\b)/giu;

/** The answers to both parts. Undefined for any other message. */
export function ofReadAndAct(
  typed: string,
  answered: (text: string) => GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer | undefined {
  if (typed.length > MAX_LENGTH) return undefined;
  const said = typed.replace(NOTICE, 'let me know when it is');
  for (const { index, 0: joint } of [...said.matchAll(JOINT)].slice(0, MOST_JOINTS)) {
    const [first, second] = [said.slice(0, index), said.slice(index + joint.length)];
    if (isInQuotes(first)) continue;
    const both =
      LOOKS.test(first) && begins(second)
        ? lookFirst({ first, second, isClose: /^\s*and\s*$/iu.test(joint) }, answered, toolOf)
        : LOOKS_TOO.test(second) || TEXTS.test(first) || TEXTS.test(second)
          ? actFirst({ said, first, second }, answered, toolOf)
          : undefined;
    if (both) return both;
  }
  return undefined;
}

function isInQuotes(before: string): boolean {
  return (before.match(/["“”„]/gu) ?? []).length % 2 === 1;
}

interface Parts {
  first: string;
  second: string;
}

/** "Check 0103 and text him …" */
function lookFirst(
  { first, second, isClose }: Parts & { isClose: boolean },
  answered: (text: string) => GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer | undefined {
  if (CONDITION.test(first) || CONDITION.test(second.slice(0, 12)) || REFUSES.test(first)) return undefined;
  const hasPronoun = second.search(IT) >= 0 || second.search(ITS) >= 0;
  // "Can 0103 call and text" asks one thing.
  if (isClose && ASKS.test(first) && !hasPronoun) return undefined;
  const read = answered(first);
  const of = subjectOf(first, read);
  if (!isRead(read) || of === undefined) return undefined;
  const act = answered(actOn(second, of));
  return isAct(act, toolOf) ? { ...act, also: [...(act.also ?? []), read] } : undefined;
}

/** "Park 0103 and show me its usage". A look in the text of a message is none for its receiver. */
function actFirst(
  { said, first, second }: Parts & { said: string },
  answered: (text: string) => GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer | undefined {
  const isText = TEXTS.test(first);
  const isLook = LOOKS_TOO.test(second);
  if (/^\W*let\s+me\s+know\s+when\b/iu.test(second)) return undefined;
  if (isText && (YOURS.test(second) || (!isLook && !(begins(second) && second.match(LINE))))) return undefined;
  if (LOOKS.test(first)) return undefined;
  if (isLook && COST.test(second) && !CONDITION.test(first)) return withPlanPrice(answered(first), answered, toolOf);
  if (CONDITION.test(first) || CONDITION.test(second) || REFUSES.test(first)) return undefined;
  if (!isText && !isLook) return actAndText({ first, second }, answered, toolOf);
  const act = answered(first);
  if (!isAct(act, toolOf) || (isText && act.operation !== TEXT)) return undefined;
  if (!isLook) return isText && isAct(answered(second), toolOf) ? severalOf(said, answered, toolOf) : undefined;
  const of = subjectOf(first, act);
  const read = answered(of === undefined ? second : lookAt(second, of));
  // A question that only finds the record was not understood: "what do I need from her".
  const isAnswered = SHOWN.test(second) || !isPlainRecord(read);
  return isRead(read) && isAnswered ? { ...act, also: [...(act.also ?? []), read] } : undefined;
}

/** "Put ben on starter and tell me the price": the package that the change names has it. */
function withPlanPrice(
  act: GuidedAnswer,
  answered: (text: string) => GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer | undefined {
  const plan = /^subscriptions_(?:create|update)$/u.test(act.operation ?? '') ? act.input.PackageId : undefined;
  if (typeof plan !== 'string' || !isAct(act, toolOf)) return undefined;
  return { ...act, also: [...(act.also ?? []), answered(`how much is the ${plan} package`)] };
}

const BY_ITSELF = '. The text is sent by itself: confirm it when the change is done';

/** "Park 0103 and text her that it's on hold": both are offered, the change first. */
function actAndText(
  { first, second }: Parts,
  answered: (text: string) => GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer | undefined {
  const act = answered(first);
  const of = subjectOf(first, act);
  if (of === undefined || act.operation === TEXT || !isAct(act, toolOf)) return undefined;
  const text = answered(actOn(second, of));
  const isWhole = text.operation === TEXT && text.input.Body !== undefined && isAct(text, toolOf);
  if (!isWhole) return undefined;
  return {
    ...{ ...act, also: [...(act.also ?? []), text] },
    understood: `${act.understood.replace(/\.$/, '')}${BY_ITSELF}.`,
    remarks: `${act.remarks ?? ''}${BY_ITSELF}`,
  };
}

/** "Text 0103 it's done and cancel 0104": the second order is no part of the text. */
function severalOf(
  said: string,
  answered: (text: string) => GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer | undefined {
  const orders = ordersIn(said, answered, toolOf);
  if (orders?.titles === undefined) return undefined;
  return { ...help(`${several(orders.titles)}${orders.told}. Nothing was done`), nearest: orders.buttons };
}

function isRead({ kind, isInstead, isGuess, isUnread, find, input, isRefused }: GuidedAnswer): boolean {
  const isLook = kind === 'lookup' || kind === 'events';
  return (
    isLook && !isInstead && !isGuess && !isUnread && !isRefused && (find !== undefined || Object.keys(input).length > 0)
  );
}

function isPlainRecord({ operation, input, facts }: GuidedAnswer): boolean {
  const isSearch = operation === 'numbers_find' && Object.keys(input).length < 2;
  return (isSearch || operation === 'numbers_lookup') && facts === undefined;
}

function isAct(
  { kind, operation = '', find, input, each, isRefused, isUnclear }: GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
): boolean {
  const tool = toolOf(operation);
  const isOffer = (kind === 'form' || kind === 'question') && tool !== undefined && isChange(tool);
  return (
    isOffer && !isRefused && !isUnclear && (find !== undefined || each !== undefined || Object.keys(input).length > 0)
  );
}

/** The only line of a part, or the name that its answer looks for. */
function subjectOf(part: string, { find, input }: GuidedAnswer): string | undefined {
  const lines = new Set((part.match(LINE) ?? []).map((one) => one.trim()));
  const [line] = lines;
  const name = Object.values(find?.input ?? {})[0] ?? input.Query ?? input.SubscriberId;
  if (lines.size > 1) return undefined;
  // Of "block +1… for ava", the customer is meant.
  return typeof name === 'string' ? name : line;
}

/** The order with the line or the customer in place of words for it. The text of a message stays as it is. */
function actOn(part: string, of: string): string {
  if (TEXTS.test(part)) return part.replace(TO_THEM, (_, before: string) => `${before}${of}`);
  if (!/\s/.test(part.trim())) return `${part} ${of}`;
  return part.replace(ITS, `${of}'s`).replace(IT, of);
}

function lookAt(part: string, of: string): string {
  return part.replace(ITS, `${of}'s`).replace(SHE, of).replace(IT, of);
}
