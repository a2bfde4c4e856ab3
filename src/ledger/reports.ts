import type { Tool } from '../catalogue/operation.ts';
import { type Fields, recordOf } from '../lib/values.ts';
import { orderOutlook, orderState } from '../platform/dialect/orders.ts';
import type { Action } from './action.ts';

/* What the platform reported about a done action after its answer. */

/** Name of the note with what the platform reported about a done action later, such as the delivery of a message. */
export const REPORTED = 'reported';

/** The members of the answer that the platform reported later. */
export function reportOf({ notes = {} }: { notes?: Fields | undefined }): Fields {
  return recordOf(notes[REPORTED]);
}

/** True if the platform reported that the order of an action has ended. */
export function isOrderOver(action: Pick<Action, 'notes'>): boolean {
  return orderOutlook(orderState(reportOf(action))) !== 'open';
}

/**
 * The later day on which a done action takes effect, in words. Undefined once that day has come or the platform reported
 * the end of its order.
 *
 * @param now epoch ms; that of the call if left out
 */
export function scheduledFor(
  { state, shown, sentAt, result = {}, notes = {} }: Pick<Action, 'state'> & Partial<Action>,
  tool: Pick<Tool, 'answer'> | undefined,
  now = sentAt,
): string | undefined {
  if (state !== 'done' || shown === undefined || now === undefined || isOrderOver({ notes })) return undefined;
  return tool?.answer?.scheduled?.(shown, new Date(now), result);
}
