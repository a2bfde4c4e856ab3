import type { Level } from '../catalogue/operation.ts';
import { type Action, changeOf } from './action.ts';

/** The level of the yes that an action needs: that of its change. An action without a change needs an approver. */
export function levelOfAction(action: Pick<Action, 'known'>): Level {
  return changeOf(action)?.level ?? 'approver';
}
