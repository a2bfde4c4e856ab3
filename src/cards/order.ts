import type { Gate } from '../gate/gate.ts';
import { notDoneIn } from '../gate/question.ts';
import { orderNow } from '../language/outcome.ts';
import { formatPhone, nationalIn } from '../language/show.ts';
import type { Action } from '../ledger/ledger.ts';
import { type Fields, recordsIn } from '../lib/values.ts';
import { numberKey } from '../platform/dialect/number-lists.ts';
import {
  carrierReason,
  hasEnded,
  isRejected,
  type OrderOutlook,
  orderOutlook,
  portInProgress,
} from '../platform/dialect/orders.ts';
import { act, numbersOf } from './actions.ts';
import { ASSIGN, type Card, type CardAction, factsPart, LABELS, notePart, type Part } from './card.ts';

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
  /** The states of all orders of that change, if there are several. `orderId` and `message` are then empty. */
  states?: readonly string[];
}

/** The state of the orders of one change: that of all, or the number in each. `outlook`: what it means. */
export function ordersNow(states: readonly string[]): { status: string; outlook: OrderOutlook } {
  const each = [...new Set(states)];
  const outlooks = [...new Set(each.map(orderOutlook))];
  const [first = 'open', ...more] = outlooks;
  return {
    status:
      each.length <= 1
        ? (each[0] ?? '')
        : each.map((state) => `${states.filter((one) => one === state).length} ${state.toLowerCase()}`).join(', '),
    outlook: more.length === 0 ? first : outlooks.includes('open') ? 'open' : 'partly',
  };
}

/**
 * The change that placed an order, whole, with the states of its orders: for a row of a batch, the question about the
 * batch, with a state for each of its rows.
 */
export async function changeOfOrder(
  gate: Pick<Gate, 'tool' | 'actions'>,
  action: Action,
): Promise<{ whole: Action; states: string[]; numbers: string[] }> {
  const whole = (action.partOf && (await gate.actions.get(action.partOf))) || action;
  const sent = action.batch === undefined ? [action] : await gate.actions.ofBatch(action.batch);
  const states = sent.flatMap((one) => {
    const tool = gate.tool(one.operation);
    const { status, stands = status } = orderNow(one, tool);
    if (action.batch === undefined) return stands ?? [];
    const state = UNORDERED[one.state] ?? stands ?? 'Accepted';
    const notDone = tool === undefined ? new Map<string, unknown>() : notDoneIn(tool, one);
    const phones = numbersOf([one.shown]);
    return (phones.length === 0 ? [''] : phones).map((phone) => (notDone.has(numberKey(phone)) ? 'Failed' : state));
  });
  const unsent = Math.max(0, recordsIn(whole.shown.Rows).length - states.length);
  return {
    whole,
    states: [...states, ...Array<string>(unsent).fill('Not sent')],
    numbers: numbersOf(sent.map(({ shown }) => shown)),
  };
}

/** The states of rows without an order. */
const UNORDERED: Readonly<Partial<Record<Action['state'], string>>> = { failed: 'Failed', unknown: 'Outcome unknown' };

/** The actions that the reader of an order's card may take. */
export interface OrderReader {
  /** The guide that follows the order, and what this person may do there. */
  guide?: { name: string; correct: boolean; stop: boolean };
  /** The operation that corrects the order, with its input. */
  correct?: { operation: string; input: Fields } | undefined;
  /** The operation that gives the number of a completed port-in to a subscriber, with its input. */
  assign?: { operation: string; input: Fields } | undefined;
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
export function orderCard(order: OrderShown, starter?: string, reader: OrderReader = {}): Card {
  const { orderId, message, numbers = [], isPortIn, act: asked } = order;
  const { status, outlook } = ordersNow(order.states ?? [order.status]);
  const [number, ...more] = numbers;
  const others = more.length > 0 ? ` and ${more.length} more` : '';
  const what = isPortIn ? 'Port-in' : 'Order';
  const steps = isPortIn === false ? [] : portInProgress(status);
  const named = number === undefined ? `${what} ${orderId}` : `${what} of ${formatPhone(number).national}${others}`;
  return {
    mark: status === '' ? '' : ORDER_MARKS[outlook],
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
    actions: orderActions({ ...order, status }, reader),
  };
}

/** The actions for an order: correct it once it was refused, read it again, or cancel it. */
function orderActions(
  { orderId, status, numbers = [] }: OrderShown,
  { guide, correct, assign }: OrderReader,
): CardAction[] {
  const corrects = isRejected(status);
  const [number] = numbers;
  const fill = (one: { operation: string; input: Fields }, more: Partial<CardAction>) =>
    act('fill', `${one.operation}|${JSON.stringify(one.input)}`, more);
  const [primary, label] = ['primary', LABELS.orderFix] as const;
  if (!guide)
    return [
      ...(corrects && correct ? [fill(correct, { label, style: primary })] : []),
      ...(assign ? [fill(assign, { label: ASSIGN })] : []),
      ...(status === 'Completed' && number !== undefined ? [act('look', number)] : []),
    ];
  if (hasEnded(status)) return [];
  const value = `${guide.name}|${orderId}`;
  return [
    ...(corrects && guide.correct ? [act('orderFix', value, { style: primary })] : []),
    act('orderLook', value),
    ...(status !== '' && guide.stop ? [act('orderStop', value)] : []),
  ];
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
