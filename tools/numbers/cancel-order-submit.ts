import * as z from 'zod';
import { type Call, defineOperation, type Finding } from '../../src/operation.ts';
import { listNumbers, orderId, out } from '../fields.ts';

/** The numbers a kept cancel request found valid, whatever shape the platform lists them in. */
export function validNumbers(known: Record<string, unknown>): { Number: string }[] {
  const rows = Array.isArray(known.NumbersValid) ? known.NumbersValid : [];
  return rows.flatMap((row: unknown) => {
    if (typeof row === 'string') return [{ Number: row }];
    const number = (row as { Number?: unknown } | null)?.Number;
    return typeof number === 'string' ? [{ Number: number }] : [];
  });
}

/** "+12015550107 (Number is Parked)": the numbers a cancel request found invalid, with the platform's reasons. */
function invalidNumbers(known: Record<string, unknown>): string[] {
  const rows = Array.isArray(known.NumbersInvalid) ? known.NumbersInvalid : [];
  return rows.map((row: unknown) => {
    if (typeof row !== 'object' || row === null) return String(row);
    const { Number: number, Reason: reason } = row as { Number?: unknown; Reason?: unknown };
    return `${String(number ?? 'a number')}${typeof reason === 'string' && reason !== '' ? ` (${reason})` : ''}`;
  });
}

/** The words of a cancellation, for the submit stage and for the workflow that does both. */
export function cancelConsent(known: Record<string, unknown>, fallback: { Number: string }[]) {
  const numbers = validNumbers(known);
  const shown = numbers.length > 0 ? numbers : fallback;
  const statement = typeof known.ConsentStatement === 'string' ? { statement: known.ConsentStatement } : {};
  const invalid = invalidNumbers(known);
  const left = invalid.length === 0 ? '' : ` Not cancelled, because the platform refuses: ${invalid.join(', ')}.`;
  return {
    title: `Cancel ${shown.length > 0 ? listNumbers(shown) : 'the numbers of this order'}`,
    consequence: `Service ends at once on the carrier: no calls, messages or data.${left}`,
    undo: 'Can be reactivated within 30 days for 5 USD a number; after that the number is lost.',
    confirm:
      shown.length === 1 ? 'Cancel this number' : shown.length === 0 ? 'Cancel them' : `Cancel ${shown.length} numbers`,
    ...statement,
  };
}

/** Reads the numbers of a cancellation whose outcome is unknown. */
export async function cancelFinding(numbers: { Number: string }[], call: Call): Promise<Finding> {
  if (numbers.length === 0) return 'unknown';
  const states = await Promise.all(
    numbers.map(async (row) => String((await call('numbers_get', { PhoneNumber: row.Number })).Status)),
  );
  if (states.every((state) => state.startsWith('Cancelled'))) {
    return { done: { Status: 'Complete', NumbersChange: numbers, FailedChange: [] } };
  }
  return states.some((state) => state.startsWith('Cancelled')) ? 'unknown' : 'not_done';
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
  notes: 'platform.md, Cancel order (two-stage); assumed: the lists hold {Number, Reason}',
  input: z.strictObject({ OrderId: orderId }),
  output: z.looseObject({
    OrderId: out.text,
    Status: out.text,
    NumbersChange: z.array(z.unknown()).nullable().optional(),
    FailedChange: z.array(z.unknown()).nullable().optional(),
  }),
  answer: { verb: 'cancelled' },
  takes: { secret: 'AuthCode', under: 'OrderId', from: 'numbers_cancel_order_request' },
  consent: (_input, known) => cancelConsent(known, []),
  reconcile: async (_input, { call, known }) => cancelFinding(validNumbers(known), call),
  examples: [{ OrderId: 'JNUOID-00000000-0000-4000-8000-000000000001' }],
});
