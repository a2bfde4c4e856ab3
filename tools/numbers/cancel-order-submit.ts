import * as z from 'zod';
import { defineOperation, type Finding, type Trace } from '../../src/operation.ts';
import { listNumbers, orderId, out } from '../fields.ts';
import { movedMeanwhile, readStates } from '../states.ts';

/** The numbers a kept cancel request found valid, whatever shape the platform lists them in. */
export function validNumbers(known: Record<string, unknown>): { Number: string }[] {
  const rows = Array.isArray(known.NumbersValid) ? known.NumbersValid : [];
  return rows.flatMap((row: unknown) => {
    if (typeof row === 'string') return [{ Number: row }];
    const number = (row as { Number?: unknown } | null)?.Number;
    return typeof number === 'string' ? [{ Number: number }] : [];
  });
}

/** The words of a cancellation, for the submit stage and for the workflow that does both. */
export function cancelConsent(known: Record<string, unknown>, fallback: { Number: string }[]) {
  const numbers = validNumbers(known);
  const shown = numbers.length > 0 ? numbers : fallback;
  const statement = typeof known.ConsentStatement === 'string' ? { statement: known.ConsentStatement } : {};
  return {
    title: `Cancel ${shown.length > 0 ? listNumbers(shown) : 'the numbers of this order'}`,
    consequence: 'Service ends at once on the carrier: no calls, messages or data.',
    undo: 'Can be reactivated within 30 days for 5 USD a number; after that the number is lost.',
    confirm:
      shown.length === 1 ? 'Cancel this number' : shown.length === 0 ? 'Cancel them' : `Cancel ${shown.length} numbers`,
    ...statement,
  };
}

/** Reads the numbers of a cancellation whose outcome is unknown. */
export async function cancelFinding(orderId: unknown, trace: Trace): Promise<Finding> {
  const numbers = validNumbers(trace.known);
  if (numbers.length === 0) return { outcome: 'unknown', saw: 'it is not known which numbers the order held' };
  const same = ({ operation }: { operation: string }) => operation.startsWith('numbers_cancel');
  const moved = movedMeanwhile(numbers, trace, { orderId, same });
  if (moved) return moved;
  const { states, saw } = await readStates(numbers, trace.call);
  if (states.every((state) => state.startsWith('Cancelled'))) {
    return { outcome: 'done', result: { Status: 'Complete', NumbersChange: numbers, FailedChange: [] }, saw };
  }
  return { outcome: states.some((state) => state.startsWith('Cancelled')) ? 'unknown' : 'not_done', saw };
}

export default defineOperation({
  id: 'numbers_cancel_order_submit',
  endpoint: 'POST /v1.0/numbers/cancel-order-submit',
  title: 'Submit a cancellation (stage 2)',
  description:
    'Stage 2 of cancelling: ends service at once for the numbers of an OrderId from numbers_cancel_order_request, within 5 minutes of it. The AuthCode is added here. Undo: numbers_reactivate within 30 days, 5 USD a number.',
  risk: 'destroy',
  resend: false,
  source: 'S',
  notes: 'platform.md, Cancel order (two-stage)',
  input: z.strictObject({ OrderId: orderId }),
  output: z.looseObject({
    OrderId: out.text,
    Status: out.text,
    NumbersChange: z.array(z.unknown()).nullable().optional(),
    FailedChange: z.array(z.unknown()).nullable().optional(),
  }),
  takes: { secret: 'AuthCode', under: 'OrderId', from: 'numbers_cancel_order_request' },
  consent: (_input, known) => cancelConsent(known, []),
  reconcile: ({ OrderId }, trace) => cancelFinding(OrderId, trace),
  examples: [{ OrderId: 'JNUOID-00000000-0000-4000-8000-000000000001' }],
});
