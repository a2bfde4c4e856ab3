import { phonesIn } from '../../../platform/dialect/phone.ts';
import { isOffer, isPort, type Meant, type Reading } from '../answers/topics.ts';

/*
 * Messages after the check of a number, or after a port-in that is only offered. There is no order yet whose status could
 * be meant: "why not" asks about the check, "ok, let's do it for Ava" orders what was checked, and "how long does that
 * take" is a question about every port-in.
 */

const CHECK = 'numbers_portin_eligibility';
const PORT_IN = 'numbers_portin';
const TALK = String.raw`(?:(?:ok|okay|k|yes|yep|yeah|ya|great|good|perfect|cool|nice|alright|all\s+right|sure|fine|then|so|well|please|pls|and|but|now|thanks|thx|awesome|hm+|oh|ah|in\s+that\s+case)\b[\s,.!–-]*)*`;
const OBJECT = String.raw`(?:it|that|this|the\s+(?:port|order|transfer|number)(?:[\s-]?in)?|a\s+port(?:[\s-]?in)?|her|him)`;
const GOES_AHEAD = new RegExp(
  String.raw`^\W*${TALK}(?:(?:let['’]?s|lets|we|i|you|u|can|could|will|would|like|want|need|wanna|['’]?ll|to|go\s+ahead\s+and|just)\s+)*(?:(?:do|start|order|submit|begin|port|kick\s+off|book|place|get|make|bring|take|move|transfer|schedule|set\s+up)\s+${OBJECT}(?:\s+(?:in|over|through|going|started|off|up|happen|then|now))*|go\s+(?:for\s+it|ahead(?:\s+with\s+${OBJECT})?)|proceed(?:\s+with\s+${OBJECT})?|start\s+the\s+port(?:[\s-]?in)?|port\s+(?:in|away))(?=\s*(?:$|[\s,.!;:]))(?<rest>[^?]*)$`,
  'iu',
);
const REFUSES = /\b(?:not|never|dont|if|unless|until|wait|stop|cancel)\b|n['’]t\b/iu;
const REFUSED_WORDS = /\b(?:do\s*n['’]?o?t|dont|do\s+not|not|never|wait|yet)\b[\s,]*/giu;
const WHY = new RegExp(
  String.raw`^\W*${TALK}(?:why|how\s+come|for\s+what\s+reason|what(?:['’]?s|\s+is)\s+(?:the\s+(?:reason|problem|matter|issue)|wrong|blocking|stopping|the\s+hold\s?up)|what\s+blocks)\b(?:[\s,]+(?:is|isn['’]?t|isnt|not|can|can['’]?t|cant|cannot|no|that|it|this|we|so|the|number|port|ported|portable|eligible|with|of|be|then|exactly|though|tho|please|pls|in)\b)*[\s?!.]*$`,
  'iu',
);
const DATE =
  /^(?!.*\d{3}).*\b(?:what|which)\s+(?:\p{L}+\s+)?(?:date|day)\b|^(?!.*\d{3})\W*(?:(?:and|so|ok|but)\W+)*(?:do|does|need|must)\b[^?!.]*\bdate\b/iu;
const HOW_LONG =
  /^(?!.*\d{3})\W*(?:(?:and|so|ok|okay|but|then|well|hm+|btw)\W+)*(?:how\s+(?:long|many\s+(?:business\s+|working\s+)?days|soon|fast|quick(?:ly)?)\b|when\s+(?:will|would|is|does|can)\s+(?:it|that|this|the\s+(?:port|number|transfer)|s?he|we|they)\b|until\s+when\s+(?:does|will)\b|by\s+when\b)/iu;
const CORRECTS = 'numbers_portin_update';
/** "The one for 0111", "it's 312 555 0111": the order that is meant. */
const ORDER =
  /^\W*(?:(?:it['’]?s|its|that['’]?s|thats|the|one|port|order|number|for|of|on|is|with|in|that|this|ending)\s+)*(?<order>\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}|[#…*]*\d{4})(?:\s+(?:port|one|order|please|pls))*[\s.!]*$/iu;

/** The number of the order for a correction that names none. Undefined for other messages. */
function ofWhichOrder(text: string, last: string, reading: Reading): Meant | undefined {
  const { operation, input, kind } = reading.of(last);
  const order =
    operation === CORRECTS && kind === 'form' && input.OrderId === undefined
      ? ORDER.exec(text)?.groups?.order
      : undefined;
  if (order === undefined) return undefined;
  const number = order.replace(/^[#…*]+/u, '').trim();
  const fragment = `, the order of ${number}`;
  const OrderId = number.replace(/\D/gu, '').length >= 10 ? `+1${number.replace(/\D/gu, '').slice(-10)}` : number;
  reading.join(fragment, { operation: CORRECTS, input: { OrderId }, left: [] });
  return { text: `${last.replace(/[\s.!]+$/, '')}${fragment}`, kind: 'adds', before: last };
}

/** "If wireline, book it for 12/9" */
const IF_SO =
  /^\W*(?:(?:ok|okay|and|so|then|well|please|pls)[\s,]+)*(?<so>if\s+(?:(?:it|that|this|the\s+(?:number|line))(?:['’]?s|\s+is)?\s+)?(?:(?:an?|so|yes|ok|okay|fine|good|eligible|portable|possible|wire-?line|wireless|land-?line|mobile|cell|voip|not|no)\s*)+)[\s,:–-]*(?:then\s+)?(?<order>\p{L}.*)$/isu;

const OF_DATE =
  'A landline needs a port-in date, 5 to 10 business days from today. A mobile number is ported as soon as the other carrier agrees';

const PORT_OUT = 'numbers_portout';
/** "How long is it valid" after an order for a port-out PIN. */
const VALID =
  /\b(?:how\s+long|until\s+when|till\s+when|when\s+does|does|is|will|would)\b[^.;!]*\b(?:valid|good(?:\s+for)?|expir\w*|last|work|run\s+out)\b/iu;
const GETS_PIN =
  /^\W*(?:(?:and|so|ok|okay|but|then|well|now)[\s,]+)*(?:what(?:['’]?s|\s+is|\s+will\s+be)?|where(?:['’]?s|\s+is)?|who\s+(?:sees?|gets?|is\s+shown|has)|(?:can|could|will|do|does|may|when\s+(?:do|can|will))\s+(?:i|we|you|u|she|he|they)\b[^.;!]*|(?:show|tell|give|send)\s+(?:me|us|her|him))\b[^.;!?\d]{0,40}\b(?:pin|passcode|code)\b[^.;!\d]{0,30}[?.!\s]*$/iu;
const PIN_LATER =
  'There is no PIN yet: it is made when the request is confirmed, which an approver does, and is shown once, to the person who confirms it. What was offered before is as it was';
const IF_REJECTED =
  /\b(?:if|when|in\s+case|once|suppose|should)\s+(?:(?:the|that|their|her|his|losing|old|other|carrier|provider|they|it|he|she|port|order|gets?|is|this|comes?)\s+)*(?:reject\w*|refus\w*|den(?:y|ies|ied)|bounc\w*|declin\w*|(?:kick|send|come)s?\s+(?:it\s+)?back)\b/iu;

/** The question after an order for a port-out PIN, or after one for a port that may be rejected. */
function ofPortAhead(text: string, last: string, reading: Reading): Meant | undefined {
  const before = reading.of(last);
  if (isPort(before) && IF_REJECTED.test(text) && phonesIn(text).length === 0)
    return { text: 'how do i fix a rejected port order', kind: 'read', isAside: true };
  if (before.operation !== PORT_OUT || !isOffer(before, reading)) return undefined;
  if (VALID.test(text)) return { text: 'how long is the port out pin valid', kind: 'read', open: last, isAside: true };
  return GETS_PIN.test(text) ? { text, kind: 'unclear', isAside: true, isRead: true, note: PIN_LATER } : undefined;
}

/** The message about a number that was checked or is offered to be ported in. Undefined for other messages. */
export function ofPortThread(text: string, last: string, reading: Reading): Meant | undefined {
  const which = ofWhichOrder(text, last, reading);
  if (which) return which;
  const ahead = ofPortAhead(text, last, reading);
  if (ahead) return ahead;
  const { operation, input } = reading.of(last);
  const number = input.PhoneNumber ?? input.PortInNumber;
  if ((operation !== CHECK && operation !== PORT_IN) || typeof number !== 'string') return undefined;
  if (HOW_LONG.test(text)) return { text: 'how long does a port-in take', kind: 'read', open: last, isAside: true };
  if (DATE.test(text))
    return operation === CHECK
      ? { text: last, kind: 'again', note: OF_DATE }
      : { text, kind: 'unclear', isAside: true, note: `${OF_DATE}. What was offered before is as it was` };
  if (operation !== CHECK) return undefined;
  if (WHY.test(text)) return { text: last, kind: 'again' };
  const condition = IF_SO.exec(text)?.groups;
  if (condition?.order !== undefined) {
    const meant = ofPortThread(condition.order, last, reading);
    const note = `“${condition.so?.trim()}” is a condition that nothing here waits for: the answer of the check says whether it is so`;
    return meant?.kind === 'read' ? { ...meant, note } : meant;
  }
  const isRefused = REFUSES.test(text);
  if (isRefused && GOES_AHEAD.test(text.replace(REFUSED_WORDS, '')))
    return { text, kind: 'unclear', note: 'No port-in was ordered: the number was only checked' };
  const rest = isRefused ? undefined : GOES_AHEAD.exec(text)?.groups?.rest;
  if (rest === undefined) return undefined;
  const order = `port in ${number.replace(/^\+1(?=\d{10}$)/u, '')}${rest.replace(/\s+(?:then|please|pls|now)\s*$/iu, '').replace(/\bunder\s+(?=\p{L})/iu, 'for ')}`;
  return reading.of(order).operation === PORT_IN ? { text: order, kind: 'read' } : undefined;
}
