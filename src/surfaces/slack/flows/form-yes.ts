import { levelOfAction } from '../../../gate/approval.ts';
import type { PerformOptions } from '../../../gate/confirmation.ts';
import { deciderOf } from '../../../gate/decisions.ts';
import { factsOf } from '../../../gate/question.ts';
import { changeOf } from '../../../ledger/action.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Actor } from '../../../lib/actor.ts';
import type { Fields } from '../../../lib/json.ts';
import { isSame } from '../../../platform/dialect/readings.ts';

/**
 * Makes a sent form the yes of its sender to an own change, if the form showed all of it. Any other change waits.
 *
 * @param start the record's values that the form showed
 */
export function yesByForm(actor: Actor, start: Fields | undefined): Pick<PerformOptions, 'ask' | 'decider'> {
  return {
    decider: deciderOf(actor, 'slack'),
    ask: async (action) => (showedChange(action, start) ? 'accept' : 'unavailable'),
  };
}

/**
 * True if a form showed the whole of an own change: each present value as the record has it, and nothing that a form
 * cannot show, such as the address that a route leads to. Its sender typed the secrets.
 */
function showedChange(action: Action, start: Fields = {}): boolean {
  const change = changeOf(action);
  if (change === undefined || levelOfAction(action) !== 'own') return false;
  const { warnings, warned } = factsOf(action);
  if (change.leads.length + warnings.length + warned.length > 0) return false;
  const isShown = (member: string | undefined, now: unknown) =>
    member !== undefined && (now === undefined || isSame(start[member], now) || isSame(now, start[member]));
  return (
    change.rows.every(({ member, before, unread }) => unread !== true && isShown(member, before)) &&
    change.keeps.every(({ member, value }) => isShown(member, value))
  );
}
