import type { Call, Finding, SentCall, Trace } from '../../src/catalogue/operation.ts';

/** How many numbers are named one by one in what a reading saw. */
const NAMED = 10;
/** What moves a number from one state to another. */
const MOVES: ReadonlySet<string> = new Set([
  'numbers_cancel',
  'numbers_cancel_order_submit',
  'numbers_reactivate',
  'numbers_status',
]);

type Numbers = readonly { Number: string }[];

/** Reads the states of numbers, and says in words what was read. Rejects where one cannot be read. */
export async function readStates(numbers: Numbers, call: Call) {
  const states = await Promise.all(
    numbers.map(async (row) => String((await call('numbers_get', { PhoneNumber: row.Number })).Status)),
  );
  const named = numbers.slice(0, NAMED).map((row, at) => `${row.Number} is "${states[at]}"`);
  const rest = numbers.length > NAMED ? ` and ${numbers.length - NAMED} more` : '';
  return { states, saw: `numbers_get says that ${named.join(', ')}${rest}` };
}

/**
 * What other calls from here mean for an act that is found out by the state of numbers: their state tells of the act
 * only where nothing else moved them since. Undefined where nothing did.
 * @param same says of another call whether it is the very same act. The platform does such an act once and refuses it
 *   after that (PLATFORM.md, Number states), so where another call did it, this one did not.
 */
export function movedMeanwhile(
  numbers: Numbers,
  trace: Trace,
  own: { orderId?: unknown; same: (other: SentCall) => boolean },
): Finding | undefined {
  const others = numbers
    .flatMap((row) => trace.about(row.Number))
    .filter((other) => MOVES.has(other.operation))
    // Both stages of a cancellation stand in the ledger for one piece of work.
    .filter(({ shown, known }) => own.orderId === undefined || (shown.OrderId ?? known.OrderId) !== own.orderId);
  const [first] = others;
  if (first === undefined) return undefined;
  const saw = `another call concerns the same number: ${first.operation} (${first.id})`;
  const outcome = others.every((other) => !other.open && own.same(other)) ? 'not_done' : 'unknown';
  return { outcome, saw: outcome === 'not_done' ? `${saw}, which did it` : saw };
}
