import { defined } from '../../../lib/json.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import { type GuidedAnswer, help } from '../answers/answer.ts';
import { values } from '../answers/thread-values.ts';
import { readFacts } from '../facts/facts.ts';

/*
 * A number in a message about a port-in is that of its order, and none of ours. It is looked for among the orders, and a
 * part such as "pull it" is about the order.
 */

const PORT = /\bport(?:s|ed|ing)?\b(?![\s-]*(?:out|away)\b)/iu;
const PORT_OUT = /\b(?:port(?:s|ing|ed)?|transfer)\b[^,.;!?]*\b(?:out|away)\b/iu;
const ACCOUNT = String.raw`\b(?:ac+oun?t|acct|acc|a\/c)\b\.?`;
/** "Acct no 99812": this "no" is an abbreviation, and refuses or corrects nothing. */
const ACCOUNT_NO = new RegExp(
  String.raw`${ACCOUNT}\s+(?:no|nr|num|nbr)\b\.?(?=\s*(?:(?:is|to|was)\s+|[:=#]\s*)?[A-Z-]{0,6}\d)`,
  'giu',
);
const ACCOUNT_VALUE = new RegExp(
  String.raw`${ACCOUNT}\s+number\b[^\d,;]{0,24}?\b(?<value>(?=[A-Z-]*\d)[A-Z\d-]{4,20})\b`,
  'iu',
);
const QUOTED = /["“„]/u;
/** Asks how something goes. */
const STATE =
  /\b(?:how|status|state|doing|going|coming|news|word|updates?|where|progress|stuck|done|through|when|ready|cancel\w*|stop\w*|pulled|change|check)\b/iu;
const REFUSES = /\b(?:do\s*n['’]?t|do\s+not|dont|never|wait)\b|\?/iu;
/** A deed to what was named before it in the sentence: "pull it". */
const DEED_ON_IT =
  /(?:^|[,;.!–—-]\s*|\b(?:so|and|then)\s+)(?:(?:so|and|then|please|pls|plz|just|can\s+you|could\s+you|we\s+should)\s+)*(?<deed>\p{L}{3,})\s+(?:it|this|that)(?<end>\s+(?:off|back|out|down))?(?=\s*(?:$|[.,;!]|\b(?:please|pls|plz|now|asap|then|for|today)\b))/iu;

/** The message with "account number" in full, where it or its thread speaks of a port-in. */
export function withAccountNumber(text: string, earlier: readonly string[]): string {
  const isPort = [text, ...earlier.slice(-3)].some((one) => PORT.test(one));
  return isPort && !QUOTED.test(text) ? text.replace(ACCOUNT_NO, 'account number') : text;
}

/** Asks whether a port-in can be ended: "can it still be stopped", "is it too late to call it off". */
const CAN_END =
  /\b(?:can|could|may|possible|able|too\s+late)\b[^.;!]*\b(?:cancel\w*|stop\w*|call(?:ed)?\s+(?:it\s+)?off|pull\w*|halt\w*|withdraw\w*|undone|undo|revers\w+)\b[^.;!]*\?|\btoo\s+late\s+to\s+(?:cancel|stop|call|pull|halt|withdraw|undo)\b/iu;
const MAY_END = 'A port-in can be cancelled until it is completed, and that is final: “cancel it” offers it.';

const AN_ORDER = String.raw`(?:(?:the|this|that|our|my|his|her|their|[\p{L}-]+['’]s?)\s+){0,2}port(?:ing)?(?:[\s-]?in)?(?:\s+(?:order|request))?\b(?![\s-]*(?:out|away)\b)`;
/** "Put Ben's port on hold", "pause the port of +1…", "hold off on porting +1…" */
const PAUSES = new RegExp(
  String.raw`^(?!.*["“„?])(?:.*?\b(?:and|so|please|pls|can\s+you|could\s+you)\s+|\W*)(?:(?:pause|hold|freeze|suspend|halt)\s+(?:off\s+(?:on|with)\s+|up\s+)?${AN_ORDER}|(?:put|place|keep)\s+${AN_ORDER}[^,.;!]*\bon\s+(?:hold|pause|ice)\b|wait\s+with\s+${AN_ORDER})`,
  'iu',
);
const NO_PAUSE =
  'A port-in cannot be paused. Until it is completed its day can be moved (“move the port of NUMBER to DATE”), or it can be cancelled for good (“cancel the port of NUMBER”).';

/** The answer about the order of a port-in, where the number of one was looked up among ours. */
export function ofPortOrder(
  guided: GuidedAnswer,
  text: string,
  earlier: readonly string[],
  answered: (text: string) => GuidedAnswer,
): GuidedAnswer {
  if (PAUSES.test(text) && guided.operation !== 'numbers_portin_update') {
    const [number, ...others] = phonesIn(text);
    if (number === undefined || others.length > 0) return help(`${NO_PAUSE} An order is found by its number or id`);
    const status = answered(`status of the port order of ${number}`);
    return { ...status, isInstead: true, lead: NO_PAUSE, understood: `${NO_PAUSE} ${status.understood}` };
  }
  const order = orderOf(guided, text, earlier, answered);
  if (order.operation !== 'numbers_order_get' || order.lead !== undefined || !CAN_END.test(text)) return order;
  return { ...order, isInstead: true, lead: MAY_END, understood: `${MAY_END} ${order.understood}` };
}

/** "We ported +1… in last week, when was that completed?" */
const WAS_PORTED =
  /\b(?:we|i|you|u|they|was|were|been|got)\s+(?:already\s+|just\s+)?(?:ported|brought|transferred)\b/iu;
const ASKS_OF_IT = /\?\s*$|\b(?:when|did|has|is|was)\s+(?:it|that|this)\b/iu;

/** Words that only a number which is ported in has: "who are we getting +1… from", "when was +1… submitted". */
const ONLY_OF_ORDERS =
  /\b(?:getting|taking|bringing|receiving)\s+\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}\s+(?:over\s+|in\s+)?from\b|\b(?:losing|old|previous)\s+(?:carrier|provider|operator)\b|\bfoc\b|\bcarrier\s+(?:\p{L}+\s+)?(?:reject|refus|accept|confirm|object)\w*|\b(?:when\s+was|was|has|is)\b[^.;!?]*\b(?:submitted|sent\s+in|rejected)\b/iu;
const TRAFFIC = /\b(?:texts?|sms|mms|messages?|calls?|spam|webhooks?|events?)\b/iu;

function orderOf(
  guided: GuidedAnswer,
  text: string,
  earlier: readonly string[],
  answered: (text: string) => GuidedAnswer,
): GuidedAnswer {
  const called =
    ofCustomersPorts(guided, text, answered) ?? calledOff(guided, text, answered) ?? corrected(guided, text, answered);
  if (called) return called;
  const [only, ...more] = phonesIn(text);
  const isOver = guided.operation === 'numbers_portin' && WAS_PORTED.test(text) && ASKS_OF_IT.test(text);
  if (isOver && only !== undefined && more.length === 0) return answered(`status of the port order of ${only}`);
  const number = guided.input.PhoneNumber;
  if (guided.operation !== 'numbers_lookup' || guided.kind !== 'lookup' || typeof number !== 'string') return guided;
  const isOwn = PORT.test(text) || (ONLY_OF_ORDERS.test(text) && !TRAFFIC.test(text));
  const before = earlier.slice(-3);
  const isThread = before.some((one) => PORT.test(one)) && STATE.test(text) && phonesIn(text).length < 2;
  if ((!isOwn && !isThread) || [text, ...before].some((one) => PORT_OUT.test(one))) return guided;
  // "It" of one of several wishes may be another thing.
  const done = guided.nearest === undefined ? ofDeed(number, text, answered) : undefined;
  if (done) return done;
  if (guided.isRefused && isOwn) return asRefused(guided);
  const status = toldOf(answered(`status of the port order of ${number}`), number, isOwn, guided);
  if (guided.lead === undefined) return status;
  const { lead, nearest } = guided;
  return { ...status, ...defined({ nearest }), isInstead: true, lead, understood: `${lead} ${status.understood}` };
}

/** "Don't cancel the port of +1…": the order goes on, and its number is none of our lines that could be shown. */
function asRefused({ lead = '', remarks }: GuidedAnswer): GuidedAnswer {
  const text = `${lead} The port-in order is as it was`;
  return { ...help(text), isRefused: true, ...defined({ remarks }) };
}

/** "We wanted to port +1…, but she stays: call it off": the order is cancelled, and no other one is offered. */
function calledOff(
  { operation, kind }: GuidedAnswer,
  text: string,
  answered: (text: string) => GuidedAnswer,
): GuidedAnswer | undefined {
  const [number, ...others] = PORT.test(text) && !PORT_OUT.test(text) ? phonesIn(text) : [];
  const isOther = operation === 'numbers_portin' || (kind === 'help' && operation === undefined);
  const done = isOther && number !== undefined && others.length === 0 ? ofIt(number, text, answered) : undefined;
  return done?.operation === 'numbers_portin_cancel' ? done : undefined;
}

/** "Did the port for Acme go through": no order is found by a customer, and the events name those of their lines. */
function ofCustomersPorts(
  { operation, kind, input }: GuidedAnswer,
  text: string,
  answered: (text: string) => GuidedAnswer,
): GuidedAnswer | undefined {
  if (operation !== 'numbers_order_get' || kind !== 'form' || input.OrderId !== undefined) return undefined;
  const [name, ...others] = values(text, 0).flatMap((one) => (one.kind === 'person' ? [one.text] : []));
  if (name === undefined || others.length > 0 || !PORT.test(text)) return undefined;
  const listed = answered(`ports of ${name.replace(/['’]s?$/u, '')}`);
  return listed.kind === 'events' ? listed : undefined;
}

const ASKS =
  /\?\s*$|^\W*(?:status|state|progress|who|what|which|where|when|why|how|is|are|was|does|do|did|has|have|if|check|show|see)\b/iu;

/** "New authorized name on the order of +1…: Maria Delgado": a value that is given for an order changes it. */
function corrected(
  { operation, kind, input }: GuidedAnswer,
  text: string,
  answered: (text: string) => GuidedAnswer,
): GuidedAnswer | undefined {
  if (operation !== 'numbers_order_get' || kind !== 'lookup' || input.OrderId === undefined) return undefined;
  if (ASKS.test(text) || REFUSES.test(text)) return undefined;
  const { account, details } = readFacts(text, 0);
  const values = { name: details.holder, 'account number': account, zip: details.postal?.parts.Zip };
  const changes = Object.entries(values).flatMap(([part, value]) => {
    const changed = value && answered(`change the ${part} of the port order ${String(input.OrderId)} to ${value}`);
    return changed && isOfOrder(changed) ? [changed] : [];
  });
  const [first] = changes;
  return first && { ...first, input: Object.assign({}, ...changes.map((one) => one.input)) };
}

/** What the message asks to do with the order. Undefined if it asks for nothing. */
function ofDeed(number: string, text: string, answered: (text: string) => GuidedAnswer): GuidedAnswer | undefined {
  const account = ACCOUNT_VALUE.exec(text)?.groups?.value;
  const changed = account && answered(`the account number of the port of ${number} is ${account}`);
  if (changed && isOfOrder(changed)) return toldOf(changed, number, false);
  return ofIt(number, text, answered);
}

/** A deed to "it", which is the order that was named before. */
function ofIt(number: string, text: string, answered: (text: string) => GuidedAnswer): GuidedAnswer | undefined {
  const { deed, end = '' } = (REFUSES.test(text) ? null : DEED_ON_IT.exec(text))?.groups ?? {};
  const done = deed === undefined ? undefined : answered(`${deed}${end} the port of ${number}`);
  return done && isOfOrder(done) ? toldOf(done, number, false) : undefined;
}

function isOfOrder({ operation, kind }: GuidedAnswer): boolean {
  return kind === 'form' && /^numbers_portin_(?:cancel|update)$/.test(operation ?? '');
}

/** The answer, with what the number is read as, and what the first reading did not take. */
function toldOf(guided: GuidedAnswer, number: string, isOwn: boolean, first?: GuidedAnswer): GuidedAnswer {
  const told = `${isOwn ? '' : `; read as the port-in order of ${number}`}${first?.remarks ?? ''}`;
  if (told === '') return guided;
  return {
    ...guided,
    understood: `${guided.understood.replace(/\.$/, '')}${told}.`,
    remarks: `${guided.remarks ?? ''}${told}`,
  };
}
