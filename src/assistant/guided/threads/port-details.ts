import { phonesIn } from '../../../platform/dialect/phone.ts';
import { isPort, type Meant, portOf, type Reading, type Topic } from '../answers/topics.ts';

/*
 * The details of a port-in in a thread about it: "what account number did we send them?" asks for those of its order, and
 * "should be 778812" gives the one that was asked for another value.
 */

const PORTS = 'numbers_portin';
const CORRECTS = 'numbers_portin_update';
const DETAIL = String.raw`(?<what>(?:account|acct)(?:\s*(?:number|no|nr|#))?|zip(?:\s*code)?|carrier|provider|(?:billing\s+|authori[sz]ed\s+|subscriber\s+)?(?:name|address)|(?:port(?:ing)?\s+|foc\s+|activation\s+)?date)`;
const ASKS = new RegExp(
  String.raw`^\W*(?:(?:and|so|ok|but|hm+|hey|wait|sorry|can|could|you|tell|me|show|check)[\s,]+)*(?:what(?:['’]?s)?|whats|which|whose)\b[^?!.]*?\b${DETAIL}\b[^?!.]{0,40}[?!.\s]*$`,
  'iu',
);
/** "What account number did we send": only an order has one. */
const WE_SENT =
  /\b(?:did|have|had)\s+(?:we|i|you|u)\s+(?:send|sent|give|given|gave|submit\w*|enter\w*|put|use[d]?|write|tell|told)\b/iu;
/** Words of another record than the order. */
const OTHER = /\b(?:line|plan|package|route|filter|webhook|caller|cost|price|portable|eligible|sim)\b|["“]/iu;
const OF_IT =
  /^\W*(?:(?:and|so|ok|but|hm+|hey|also)[\s,]+)*(?:who|whom|whose|when|what|which|where|is|was|has|did|does)\b[^.;!]*\b(?:it|that|this)\b/iu;
const SHOULD =
  /^\W*(?:(?:no+|nope|wrong|oh|ok|hm+|that|this|it|they|then|and|but|sorry|actually|the\s+right\s+one|correct)[\s,.!]+)*(?:(?:should|must|has\s+to|needs\s+to)\s+(?:be|say|read)|(?:it['’]?s|is|make\s+(?:it|that)|change\s+(?:it|that)\s+to|correct\s+(?:it|that)\s+to)(?:\s+actually)?)\s+(?<value>[^,;!?]{2,60}?)[\s.!]*$/iu;

/** "The customer wants dec 9 instead", after the status of an order: a fact that corrects it. */
function ofFact(text: string, name: string, before: string | undefined, reading: Reading): Meant | undefined {
  if (before === PORTS || before === CORRECTS || reading.of(text).kind !== 'help') return undefined;
  const full = `${text.replace(/[\s.!]+$/, '')} on ${name}`;
  return reading.of(full).operation === CORRECTS ? { text: full, kind: 'read' } : undefined;
}

/** The question or the correction of the port that the thread is about. Undefined for other messages. */
export function ofPortDetail(text: string, last: string, topic: Topic, reading: Reading): Meant | undefined {
  const before = reading.of(last);
  if (phonesIn(text).length > 0 || OTHER.test(text)) return undefined;
  const order = before.input.OrderId ?? (WE_SENT.test(text) ? before.input.PhoneNumber : undefined);
  if (!isPort(before) && (before.operation !== 'numbers_lookup' || order === undefined)) return undefined;
  const id = typeof order === 'string' ? order : undefined;
  const name =
    portOf(topic, reading) ?? (id === undefined ? undefined : `the port ${/^\+/.test(id) ? 'of' : 'order'} ${id}`);
  if (name === undefined) return undefined;
  if (ASKS.test(text)) {
    const full = `${text.replace(/[\s?!.]+$/, '')} on ${name}`;
    const read = [full, `status of ${name}`].find((one) => reading.of(one).operation === 'numbers_order_get');
    return read === undefined ? undefined : { text: read, kind: 'read' };
  }
  const own = reading.of(text);
  // "Who is it for and when was it sent in"
  if (own.kind === 'help' && own.operation === undefined && own.about === undefined && OF_IT.test(text))
    return {
      text: `status of ${name}`,
      kind: 'read',
      note: `“${text.replace(/[\s?!.]+$/, '')}” is asked of the order`,
    };
  const value = SHOULD.exec(text)?.groups?.value;
  const what = ASKS.exec(last.replace(name, ''))?.groups?.what;
  if (value === undefined || what === undefined) return ofFact(text, name, before.operation, reading);
  const field = /^ac/iu.test(what) ? 'account number' : what.toLowerCase();
  const full = `correct the ${field} of ${name} to ${value}`;
  return reading.of(full).operation === 'numbers_portin_update' ? { text: full, kind: 'read' } : undefined;
}
