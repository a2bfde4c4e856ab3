import type { Finding, SentCall, Trace } from '../../src/catalogue/operation.ts';
import { type Fields, joined, quote, type Words, words } from '../../src/lib/values.ts';
import { isPlainValue } from '../../src/platform/dialect/phone.ts';

/** Largest number of numbers that a finding names. */
const NAMED = 10;
/** The operations that move a number from one state to another. */
const MOVES: ReadonlySet<string> = new Set([
  'numbers_cancel',
  'numbers_cancel_order_submit',
  'numbers_reactivate',
  'numbers_status',
]);

type Numbers = readonly { Number: string }[];

/** A change whose outcome can be read from the state of its numbers. */
interface StateAct {
  /** Set for a cancellation. The ledger has both of its stages, which share this order. */
  orderId?: unknown;
  /** True if another call makes the same change. */
  same: (other: SentCall) => boolean;
  /** Judges by a state (in lower case) if the change was done. */
  judge: (state: string) => 'done' | 'not_done' | 'unknown';
  /** Builds the answer that the platform would have given for these numbers. */
  answer: (done: Numbers, notDone: Numbers) => Fields;
}

/**
 * Judges a change number by number. A number that another call has changed since proves nothing, even if that call makes
 * the same change. Rejects if a number cannot be read.
 */
export async function judgeNumbers(numbers: Numbers, trace: Trace, act: StateAct): Promise<Finding> {
  const moved = await Promise.all(numbers.map((row) => movedSince(row.Number, trace, act)));
  const still = numbers.filter((_row, at) => moved[at] === undefined);
  const states = await Promise.all(
    still.map(async (row) => String((await trace.call('numbers_get', { PhoneNumber: row.Number })).Status ?? '')),
  );
  const saw = joined([...new Set(moved.filter((text) => text !== undefined)), ...readText(still, states)], '; ');
  const judged = states.map((state) => act.judge(state.trim().toLowerCase()));
  if (still.length < numbers.length || judged.includes('unknown')) return { outcome: 'unknown', saw };
  const done = still.filter((_row, at) => judged[at] === 'done');
  const notDone = still.filter((_row, at) => judged[at] === 'not_done');
  if (done.length === 0) return { outcome: 'not_done', saw };
  return { outcome: notDone.length === 0 ? 'done' : 'partly', result: act.answer(done, notDone), saw };
}

function readText(numbers: Numbers, states: readonly string[]): Words[] {
  if (numbers.length === 0) return [];
  const named = numbers.slice(0, NAMED).map((row, at) => {
    const state = states[at] ?? '';
    return isPlainValue(state) ? `${row.Number} is "${state}"` : words`${row.Number} is ${quote(state)}`;
  });
  const rest = numbers.length > NAMED ? ` and ${numbers.length - NAMED} more` : '';
  return [words`numbers_get says that ${joined(named, ', ')}${rest}`];
}

/**
 * Describes the other call that has changed this number, or may have, since the change was sent; undefined if there is
 * none.
 */
async function movedSince(number: string, trace: Trace, { orderId, same }: StateAct): Promise<string | undefined> {
  const others = await trace.about(number);
  const other = others
    .filter(({ operation }) => MOVES.has(operation))
    .find(({ shown, known }) => orderId === undefined || (shown.OrderId ?? known.OrderId) !== orderId);
  if (other === undefined) return undefined;
  const did = !other.open && same(other) ? ', which did it' : '';
  return `another call concerns the same number: ${other.operation} (${other.id})${did}`;
}
