import type { LocalHistory } from '../../src/catalogue/operation.ts';
import { KEPT_MS } from '../../src/lib/durations.ts';
import type { Fields } from '../../src/lib/json.ts';
import { PENDING_DELETE } from './before.ts';
import { reactivateUntil, stateOf } from './line.ts';

const MOST = 50;
const CANCELS: readonly unknown[] = ['numbers_cancel', 'numbers_cancel_order_submit'];
const DONE: readonly unknown[] = ['done', 'partly'];

/**
 * The last moment for a reactivation of a cancelled number (ISO 8601), by the ledger's record of its cancellation.
 * Undefined for a number in another state, and for one that was cancelled elsewhere, because the platform's records
 * have no time of cancellation.
 */
export async function cancelledUntil(
  phone: string,
  number: Fields,
  history: LocalHistory,
): Promise<string | undefined> {
  if (stateOf(number) !== PENDING_DELETE) return undefined;
  const now = history.now();
  const { list } = await history.happened({
    since: new Date(now.getTime() - KEPT_MS),
    until: new Date(now.getTime() + 1),
    kinds: ['action'],
    about: [phone],
    limit: MOST,
  });
  const last = list.findLast(({ values }) => CANCELS.includes(values.Operation) && DONE.includes(values.State));
  return last && reactivateUntil(last.at);
}
