import type { Tool } from '../../../catalogue/operation.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import { begins, titleOf } from '../answers/parts.ts';

/*
 * Orders that follow another one: a number has to be here before it gets a plan, a customer has to exist before a number
 * is ported for them, and a number is checked before its port is ordered. The first order is offered, and its answer
 * names the next one.
 */

/** Orders whose number or customer is not there yet. */
const MAKES: ReadonlySet<string> = new Set(['subscribers_create', 'account_create', 'numbers_portin']);
const MAKING =
  /\b(?:add|create|make|register|set\s*up|setup|sign\s*up|onboard|enter|enroll|invite|new|port|bring|transfer|take\s+over)\b/iu;
const JOINT =
  /\s+(?=(?:with|w\/)\s*(?:an?|the)\s+(?:new\s+)?(?:\S+\s+)?(?:numbers?|lines?|plan|package)\b)|\s*[,;.!–—-]\s+(?:(?:and|then|also|plus|afterwards?|after\s+that|later|next)[\s,]+)*|\s+(?:and\s+then|and|then|afterwards)\s+/giu;
/** "She will port +1…", "who wants to bring his number": the order of the person who is new. */
const SUBJECT =
  /^(?:(?:and|but|so|also)\s+)*(?:(?:once|when|after|as\s+soon\s+as)\s+(?:it|that|this|s?he|they|the\s+(?:port|number|line))(?:['’]?s|\s+is|\s+are|\s+has|\s+was)?\s+(?:(?:been|all|fully)\s+)*(?:here|done|complete[sd]?|live|ported|active|over|in|created|set\s+up|through|ours|with\s+us|arrived|finished)[\s,]+)?(?:(?:s?he|they|who|we|i|customer|client)(?:['’]ll)?\s+)?(?:(?:will|also|is\s+going\s+to|are\s+going\s+to|wants?(?:\s+us)?\s+to|would\s+like\s+to|needs?\s+to|plans?\s+to|later)\s+)*/iu;
/** "Wants a 646 number and the starter plan", of a customer who is new. */
const WANTS =
  /^(?:(?:s?he|they|who|and|customer|client|also|will|then)\s+)*(?:wants?|needs?|gets?|would\s+like|should\s+(?:get|have)|with|w\/)\s*(?=(?:an?|the|his|her|their|one|new|\d)\b)(?=[^.;!?]*\b(?:numbers?|lines?|plan|package|e?sim)\b)/iu;
const IT = /\b(?:it|that\s+(?:line|number)|the\s+(?:line|number)|this\s+(?:line|number)|him|her|his|them|their)\b/iu;
/** A whole number, however it is written. */
const WHOLE = /\+?\(?\d[\d\s().-]{8,16}\d/gu;
const ASKS = /\?\s*$|["“„]|\b(?:if|not|never|unless|instead|sorry)\b|n['’]t\b/iu;

/** A longer message is a list of orders. */
const MAX_LENGTH = 400;
/** Each try reads the first part of the sentence. */
const MOST_TRIES = 3;

/** The first of two orders, with the one that follows. Undefined for a sentence without a second order. */
export function ofOrderThen(
  said: string,
  one: (text: string) => GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer | undefined {
  if (said.length > MAX_LENGTH || ASKS.test(said) || !MAKING.test(said)) return undefined;
  let tries = 0;
  for (const { 0: joint, index } of said.matchAll(JOINT)) {
    const tail = said.slice(index + joint.length).trim();
    const wish = tail.replace(WANTS, '');
    const deed = wish === tail ? tail.replace(SUBJECT, '') : `order ${wish}`;
    const head = said.slice(0, index);
    if (!begins(deed.replace(WHOLE, 'number')) || !MAKING.test(head)) continue;
    tries += 1;
    if (tries > MOST_TRIES) return undefined;
    const first = one(head);
    if (!isOffer(first) || !MAKES.has(first.operation ?? '') || Object.keys(first.input).length === 0) continue;
    const isAboutIt = deed !== tail || IT.test(tail) || /\b(?:then|after)/iu.test(joint);
    if (!isAboutIt && first.operation !== 'account_create') continue;
    if (wish !== tail && first.operation === 'subscribers_create') return following(first, tail);
    const [number] = phonesIn(head);
    const next = one(number === undefined || phonesIn(deed).length > 0 ? deed : deed.replace(IT, number));
    const tool = toolOf(next.operation ?? '');
    if (!tool || !isOffer(next) || tool.risk === 'read' || isSame(first.operation, tool.id)) continue;
    const isPort = tool.id === 'numbers_portin';
    if (!isPort) return following(first, tail);
    const label = titleOf(tool, next);
    return {
      ...following(first, tail, ''),
      nearest: [{ operation: tool.id, input: next.input, label }, ...(first.nearest ?? [])],
    };
  }
  return undefined;
}

/** The first order, which says that the other one follows. */
function following(first: GuidedAnswer, tail: string, how = ': write it then'): GuidedAnswer {
  const told = `; “${tail.replace(/[\s.!]+$/u, '')}” follows once that is done${how}`;
  return {
    ...first,
    understood: `${first.understood.replace(/\.$/, '')}${told}.`,
    remarks: `${first.remarks ?? ''}${told}`,
  };
}

/** The order for the port that a check comes before: "is +1… portable? if so start it for Ava". */
function startIn(said: string, number: string): string | undefined {
  const { deed, rest = '' } = STARTS.exec(said)?.groups ?? {};
  const head = deed === undefined ? '' : said.slice(0, said.length - deed.length - rest.length);
  if (!CHECKS.test(head) || !phonesIn(head).includes(number)) return undefined;
  return `port in ${number}${rest.replace(IF_SO, '').replace(/^\s+to\s+/u, ' for ')}`;
}

function isOffer({ kind, isRefused }: GuidedAnswer): boolean {
  return (kind === 'form' || kind === 'question') && isRefused !== true;
}

/** True for one order in two parts. */
function isSame(first: string | undefined, next: string): boolean {
  return first === next || next === 'numbers_portin_update';
}

const NOT_HERE =
  /\b(?:is|she['’]?s|he['’]?s|they['’]?re|shes|hes|theyre|our|a)\s+(?:(?:brand|totally|completely)\s+)?new\b(?!\s+(?:number|line|sim|e-?sim|plan|phone|carrier|one))|\bnot\s+(?:yet\s+)?(?:in\s+(?:the\s+|our\s+)?system|a\s+customer|set\s+up|created|known)\b|\bno\s+(?:customer|subscriber)\s+(?:yet|record)\b/iu;

/** The port-in for a customer who is new, with the order that creates them first. */
export function withNewHolder(guided: GuidedAnswer, said: string, tool: Tool | undefined): GuidedAnswer {
  const { AssignedSubscriberId: name, AccountId } = guided.input;
  if (tool?.id !== 'numbers_portin' || !isOffer(guided) || typeof name !== 'string' || !NOT_HERE.test(said))
    return guided;
  const told = `; ${name} has to be a customer first: “Create a subscriber” is the button below`;
  const input = { Name: name, ...(AccountId !== undefined && { AccountId }) };
  return {
    ...guided,
    understood: `${guided.understood.replace(/\.$/, '')}${told}.`,
    remarks: `${guided.remarks ?? ''}${told}`,
    nearest: [{ operation: 'subscribers_create', input }, ...(guided.nearest ?? [])],
  };
}

const CHECKS =
  /\b(?:check(?:ed)?|portable|eligible|transferr?able|portability|eligibility|be\s+(?:ported|transferred|brought|moved)|(?:can|could)\s+(?:be|come|it|we|you|i)\b|possible)/iu;
const STARTS =
  /(?:[?,;.!–—]\s*|\s)(?:(?:and|so|then|please|pls|if\s+(?:so|yes|ok(?:ay)?|it\s+(?:is|works|can)|that\s+works|possible|we\s+can|eligible|portable))[\s,]+)*(?<deed>(?:port|bring|transfer|take)\s+(?:it|that|this|the\s+number|him|her)(?:\s+(?:in|over|across))?|(?:start|begin|order|submit|do|book|file|go\s+ahead\s+with)\s+(?:it|that|(?:the|a)\s+port(?:[\s-]?in)?|port(?:[\s-]?in)?)|go\s+ahead|proceed)\b(?<rest>[^?]*)$/iu;

const IF_SO =
  /[\s,]*\b(?:if|when|once)\s+(?:it\s+(?:is|works|can)|so|yes|possible|eligible|portable|that\s+works|ok(?:ay)?)[\s.!]*$/iu;

/** "… wants to bring +1… over from Verizon, is it portable?" */
const ASKED_AFTER =
  /^(?<wish>.*\d.*?)[,.;!–—-]+\s*(?:and\s+|but\s+)?(?:(?:is|are|can|could|would|will)\s+(?:it|that|this|we|the\s+number)\b[^,.;!?]*\b)?(?:portable|port(?:ed)?|eligible|possible|transferr?able|brought|moved|come)\b[^,.;!?]*\?\s*$/isu;

/** "If +1… is portable, port it to Ben": the check, with the port-in for when it is. Undefined for other sentences. */
export function ofCheckThen(
  said: string,
  one: (text: string) => GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer | undefined {
  const [number, ...others] = phonesIn(said);
  if (number === undefined || others.length > 0 || /["“„]|\b(?:not|never)\b|n['’]t\b/iu.test(said)) return undefined;
  const wish = ASKED_AFTER.exec(said)?.groups?.wish ?? startIn(said, number);
  if (wish === undefined) return undefined;
  const [checked, order] = [one(`is ${number} portable to us`), one(wish)];
  const tool = toolOf(order.operation ?? '');
  if (tool?.id !== 'numbers_portin' || !isOffer(order) || checked.kind !== 'lookup') return undefined;
  const told = `; if it is, “${tool.title}” is the button below, with what you say${order.remarks ?? ''}`;
  return {
    ...checked,
    understood: `${checked.understood.replace(/\.$/, '')}${told}.`,
    remarks: `${checked.remarks ?? ''}${told}`,
    nearest: [{ operation: tool.id, input: order.input, label: tool.title }],
  };
}
