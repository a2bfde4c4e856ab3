import { announceOrder } from './orders.ts';
import type { NumberRecord, Order, StatusChange } from './records.ts';
import { STATUS } from './records.ts';
import type { World } from './world.ts';

/** Applies a change of numbers/status to one number. `number` is the new number of a swap or a replacement. */
export function applyChange(
  row: StatusChange['rows'][number],
  change: StatusChange['change'],
  record: NumberRecord,
): void {
  if (change === 'activate') record.Status = STATUS.active;
  if (change === 'park') record.Status = STATUS.parked;
  if (change === 'swap') record.SwapsRemaining -= 1;
  if (row.number !== null) record.Number = row.number;
  if (row.iccid !== null) record.Iccid = row.iccid;
}

/**
 * Returns the time at which a scheduled change takes effect (its EffectiveDate, by the sandbox clock); null for any
 * other order.
 */
export function changeDue(order: Order): number | null {
  return order.StatusChange != null && order.OrderStatus === 'Scheduled' ? order.StatusChange.dueAt : null;
}

/** Carries out a scheduled change. A number that was cancelled or released since is not changed. */
export function runChange(world: World, order: Order): void {
  const scheduled = order.StatusChange;
  if (scheduled == null) return;
  const left: string[] = [];
  for (const row of scheduled.rows) {
    const record = world.store.state.numbers.find((one) => one.PhoneNumberId === row.numberId);
    const open = record?.Status === STATUS.active || record?.Status === STATUS.parked;
    if (record !== undefined && open) applyChange(row, scheduled.change, record);
    else left.push(`${record?.Number ?? row.numberId} is ${record?.Status ?? 'gone'}`);
  }
  order.OrderStatus = left.length === scheduled.rows.length ? 'Failed' : 'Complete';
  order.ErrorMessage = left.join('; ');
  announceOrder(world, order);
}
