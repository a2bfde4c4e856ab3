import { eventOperations } from '../../tools/surfaces/events.ts';
import type { Gate } from '../gate/gate.ts';
import { orderNow } from '../language/outcome.ts';
import { formatPhone, nationalIn } from '../language/show.ts';
import type { Action } from '../ledger/ledger.ts';
import { type Fields, recordsIn, textOf } from '../lib/values.ts';
import {
  carrierReason,
  isCompleted,
  isRejected,
  type OrderOutlook,
  orderOutlook,
  orderState,
  portInProgress,
} from '../platform/dialect/orders.ts';
import { act, correctionOf, fillAction } from './actions.ts';
import { ASSIGN, type Card, type CardAction, factsPart, notePart, type Part } from './card.ts';

/** An order in its last known state. */
export interface OrderShown {
  orderId: string;
  /** Empty if no state was reported. */
  status: string;
  /** The message of the platform or the carrier about it. */
  message: string;
  numbers?: readonly string[];
  /** False for an order of another kind; left out if that is not known. */
  isPortIn?: boolean;
  /** The change that placed it, in words: "Park +12015550103". */
  act?: string | undefined;
}

/**
 * The change that placed an order, whole, with its state: for a row of a batch, the question about the batch and the state
 * of all its rows.
 */
export async function changeOfOrder(
  gate: Pick<Gate, 'tool' | 'actions'>,
  action: Action,
): Promise<{ whole: Action; status: string }> {
  const whole = (action.partOf && (await gate.actions.get(action.partOf))) || action;
  const tool = gate.tool(whole.operation);
  const isBatch = action.batch !== undefined && tool?.kind === 'workflow';
  const state = isBatch ? (await tool.started?.(whole.shown))?.state : undefined;
  const { status = '', stands = status } = orderNow(action, gate.tool(action.operation));
  return { whole, status: state === 'done' ? 'Completed' : (state ?? stands) };
}

/** The state of an order, its message and its numbers in the answer of the operation that reads it. */
export function readOrderIn(value: Fields): Required<Pick<OrderShown, 'status' | 'message' | 'numbers'>> {
  const { message, numbers } = eventOperations.readOrder;
  return {
    status: orderState(value),
    message: message.map((name) => textOf(value[name])).find((text) => text !== '') ?? '',
    numbers: recordsIn(value[numbers.list]).flatMap((row) => textOf(row[numbers.member]) || []),
  };
}

/** Marks of orders, by what their states mean. */
export const ORDER_MARKS: Readonly<Record<OrderOutlook, string>> = {
  open: '🔵',
  partly: '⚠️',
  completed: '✅',
  failed: '❌',
  cancelled: '🚫',
};

/** The card of an order in any state. `starter`: the identity of the person who placed it. */
export function orderCard(order: OrderShown, starter?: string): Card {
  const { orderId, status, message, numbers = [], isPortIn, act: asked } = order;
  const [number, ...more] = numbers;
  const others = more.length > 0 ? ` and ${more.length} more` : '';
  const what = isPortIn ? 'Port-in' : 'Order';
  const steps = isPortIn === false ? [] : portInProgress(status);
  const named = number === undefined ? `${what} ${orderId}` : `${what} of ${formatPhone(number).national}${others}`;
  return {
    mark: status === '' ? '' : ORDER_MARKS[orderOutlook(status)],
    title: asked === undefined ? named : nationalIn(asked),
    state: status === '' ? 'not reported yet' : status,
    parts: [
      ...factsPart([
        ...(number === undefined ? [] : [{ label: 'Number', value: [{ value: number }, others] }]),
        ...(orderId === '' ? [] : [{ label: 'Order', value: [{ value: orderId }], detail: true as const }]),
        ...(starter === undefined ? [] : [{ label: 'Started by', value: [{ person: starter }] }]),
      ]),
      ...notePart(steps.length > 0 ? [[{ steps }]] : []),
      ...answerParts(isRejected(status), message),
      { kind: 'actions' },
    ],
    actions: orderActions(order),
  };
}

/** The actions for an order: correct it once it was refused; once it is completed, give its number to a subscriber. */
function orderActions({ orderId, status, numbers = [], isPortIn }: OrderShown): CardAction[] {
  const correction = isPortIn === false ? undefined : correctionOf(orderId, status);
  if (correction) return [fillAction(correction, 'primary')];
  const [number] = numbers;
  if (!isCompleted(status) || number === undefined) return [];
  const { operation, field } = eventOperations.assignNumber;
  const assign = { operation, label: ASSIGN, input: { [field]: number } };
  return [...(isPortIn && numbers.length === 1 ? [fillAction(assign)] : []), act('look', number)];
}

/** The platform's message about an order, or the carrier's reason for refusing it, in plain words and as quoted. */
export function answerParts(isRefused: boolean, message: string): Part[] {
  const silent = 'The carrier refused the order without a reason. Ask it what is wrong.';
  const why = message === '' ? silent : carrierReason(message)?.words;
  const title = isRefused ? 'The carrier refused the order' : 'Message from the platform';
  return [
    ...notePart(isRefused && why !== undefined ? [[why]] : [], { warns: true }),
    ...(message === '' ? [] : [{ kind: 'quote', title, text: message } as const]),
  ];
}
