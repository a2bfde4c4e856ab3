import type { Level } from '../catalogue/operation.ts';
import { recordOf } from '../lib/json.ts';
import { type Action, changeOf } from './action.ts';

/** True if a program named the requester, without verification (`Actor.claimed`). */
export function isClaimed({ known }: Pick<Action, 'known'>): boolean {
  return recordOf(known.question).claimed === true;
}

/**
 * The level of the yes that an action needs: an approver's if its requester is only claimed, otherwise that of its
 * change. An action without a change needs an approver.
 */
export function levelOfAction(action: Pick<Action, 'known'>): Level {
  return isClaimed(action) ? 'approver' : (changeOf(action)?.level ?? 'approver');
}
