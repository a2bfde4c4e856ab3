import { fieldsOf } from '../../../catalogue/fields.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import { isOffer, type Meant, type Reading } from '../answers/topics.ts';

/*
 * A value for a port-in whose form was not sent yet: "sorry, pin is 4321", "the account number of that port is 991". It goes
 * into the form that is offered. An order, which "correct the pin of the port" would change, is there only afterwards.
 */

const PORT_IN = 'numbers_portin';
const CORRECTS = 'numbers_portin_update';
const PIN = 'the PIN (a secret: type it into the form alone)';
const ASKS = /\?\s*$|^\W*(?:what|which|who|when|where|why|how|is|are|was|did|does|has)\b/iu;

/**
 * The open port-in with the values of a message that was read as a correction of its order. Undefined for other messages.
 *
 * @param own the reading of the message without the offers
 */
export function ofOpenPort(said: string, own: Meant, offered: readonly string[], reading: Reading): Meant | undefined {
  const read = reading.of(own.text);
  if (read.operation !== CORRECTS || ASKS.test(said) || /\b[A-Z]{2,7}-/iu.test(said)) return undefined;
  const number = read.input.OrderId;
  const open = offered.findLast((one) => {
    const offer = reading.of(one);
    const isSame = number === undefined || number === offer.input.PortInNumber;
    return (
      offer.operation === PORT_IN && isOffer(offer, reading) && isSame && phonesIn(said).every((one) => one === number)
    );
  });
  const tool = reading.toolOf(PORT_IN);
  if (open === undefined || !tool) return undefined;
  const names = new Set(fieldsOf(tool).map(({ name }) => name));
  const input = Object.fromEntries(Object.entries(read.input).filter(([name]) => names.has(name)));
  const isPin = /\b(?:pin|passcode|password)\b/iu.test(said);
  if (Object.keys(input).length === 0 && !isPin) return undefined;
  const isTold = reading.of(open).understood.includes(PIN);
  const left = isPin && !isTold ? [PIN] : [];
  const fragment = `, ${said.trim()}`;
  reading.join(fragment, { operation: PORT_IN, input, left });
  return {
    text: `${open.replace(/[\s.!]+$/, '')}${fragment}`,
    kind: 'corrects',
    before: open,
    note: 'If the form was sent already, write it again with the id of the order (JNUOID-…)',
  };
}

const ENDS_PORT =
  /\b(?:cancel|stop|abort|kill|pull|withdraw|halt|end|scrap|drop|call\s+off)\s+(?:(?:the|this|that|her|his|their|our|whole|entire|complete)\s+)*(?:port(?:[\s-]?in|ing)?(?:\s+(?:order|request))?|order|transfer)\b(?!\s+(?:correction|change|update)\b)/iu;
const REFUSES = /\b(?:not|never|dont|if|unless)\b|n['’]t\b|\?/iu;

/** "Cancel the whole port" after a correction of its order: the order ends, and not only its correction. */
export function ofWholePort(said: string, open: string, reading: Reading): Meant | undefined {
  const { operation, input } = reading.of(open);
  const order = operation === CORRECTS ? input.OrderId : undefined;
  if (typeof order !== 'string' || !ENDS_PORT.test(said) || REFUSES.test(said) || phonesIn(said).length > 0)
    return undefined;
  return { text: `cancel the port ${/^[+\d]/.test(order) ? 'of' : 'order'} ${order}`, kind: 'read', gone: open };
}
