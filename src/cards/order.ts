import { formatPhone } from '../language/show.ts';
import { carrierReason } from '../platform/dialect/carrier-reasons.ts';
import { isRejected, portInProgress } from '../platform/dialect/orders.ts';
import { type Card, factsPart, type Part } from './card.ts';

/** An order in its last known state. */
export interface OrderShown {
  orderId: string;
  /** Empty if no state was reported. */
  status: string;
  /** What the platform or the carrier says about it. */
  message: string;
  numbers?: readonly string[];
  isPortIn?: boolean;
}

/** The card of an order in any state. `starter`: the identity of the person who placed it. */
export function orderCard({ orderId, status, message, numbers = [], isPortIn }: OrderShown, starter?: string): Card {
  const [number, ...more] = numbers;
  const others = more.length > 0 ? ` and ${more.length} more` : '';
  const what = isPortIn ? 'Port-in' : 'Order';
  const steps = portInProgress(status);
  return {
    mark: '',
    title: number === undefined ? `${what} ${orderId}` : `${what} of ${formatPhone(number).national}${others}`,
    state: status === '' ? 'not reported yet' : status,
    parts: [
      ...factsPart([
        ...(number === undefined ? [] : [{ label: 'Number', value: [{ value: number }, others] }]),
        { label: 'Order', value: [{ value: orderId }] },
        ...(starter === undefined ? [] : [{ label: 'Started by', value: [{ person: starter }] }]),
      ]),
      ...(steps.length > 0 ? [{ kind: 'note', lines: [[{ steps }]] } as const] : []),
      ...answerParts(isRejected(status), message),
      { kind: 'actions' },
    ],
  };
}

/** What the platform says about an order, or why the carrier refused it, in plain words and in its own. */
export function answerParts(isRefused: boolean, message: string): Part[] {
  const silent = 'The carrier refused the order without a reason. Ask it what is wrong.';
  const why = message === '' ? silent : carrierReason(message)?.words;
  const title = isRefused ? 'The carrier refused the order' : 'Message from the platform';
  return [
    ...(isRefused && why !== undefined ? [{ kind: 'note', warns: true, lines: [[why]] } as const] : []),
    ...(message === '' ? [] : [{ kind: 'quote', title, text: message } as const]),
  ];
}
