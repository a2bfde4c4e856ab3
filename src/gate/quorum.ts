import type { Level, Tool } from '../catalogue/operation.ts';
import { changeOf } from '../ledger/action.ts';
import type { Action, Yes } from '../ledger/ledger.ts';
import type { SwitchboardError } from '../lib/errors.ts';
import { type Approval, type Decider, forbidden, waysFor } from './approval.ts';
import { BATCH_RUN } from './frozen-batch.ts';
import { factsOf } from './question.ts';

/* Rules for changes that need the yes of several approvers (CONFIRM_QUORUM). */

/**
 * True for a change that takes service, data or control away: it needs an approver, and its operation does more than
 * cost money. A batch has the risk of the operation that it runs. An operation that the catalogue no longer has counts.
 */
export function takesAway(tool: Pick<Tool, 'id' | 'risk'> | undefined, action: Pick<Action, 'known'>): boolean {
  const risk = tool?.id === BATCH_RUN ? action.known.Risk : tool?.risk;
  return (changeOf(action)?.level ?? 'approver') === 'approver' && risk !== 'spend';
}

/** Counts the approvers who have to say yes. A question keeps its number if the setting was lowered since. */
export function approversNeeded(
  tool: Pick<Tool, 'id' | 'risk'> | undefined,
  action: Pick<Action, 'known'>,
  { quorum = 1 }: Pick<Approval, 'quorum'>,
): number {
  return Math.max(factsOf(action).approvers ?? 1, takesAway(tool, action) ? quorum : 1);
}

/** The yeses of an action that needs several, as its card shows them. */
export interface Yeses {
  needed: number;
  given: readonly Yes[];
}

/** Undefined for an action that needs one yes. */
export function yesesOf({ known, yeses = [], state }: Pick<Action, 'known' | 'yeses' | 'state'>): Yeses | undefined {
  const left = state === 'pending' ? 1 : 0;
  // A setting that became stricter later requires more than the question says.
  const needed = Math.max(factsOf({ known }).approvers ?? 1, yeses.length + left);
  return needed > 1 ? { needed, given: yeses } : undefined;
}

/**
 * The error for a call that fewer people could confirm than have to; undefined if enough could. `asked`: the user of the
 * client or of the terminal.
 */
export function tooFewCan(
  requester: string,
  asked: Decider | undefined,
  approval: Approval,
  needed: number,
): SwitchboardError | undefined {
  const people = needed > 1 ? peopleWhoCan(requester, asked, approval) : needed;
  if (people >= needed) return undefined;
  return forbidden(
    `CONFIRM_QUORUM requires the yes of ${needed} different approvers for this, and only ${people} could confirm it, so it was refused. Name another approver in SLACK_APPROVERS or MCP_HTTP_TOKENS.`,
    'nothing_sent',
  );
}

/** The number of different people who could confirm; infinite where the settings do not name them one by one. */
export function peopleWhoCan(requester: string, asked: Decider | undefined, approval: Approval): number {
  const { slackApprovers = [], pageApprovers, oauth, pairing, twoPerson } = approval;
  const level: Level = 'approver';
  const open = waysFor(requester, asked, approval, level).flatMap(({ way, reason }) => (reason ? [] : way));
  const isOpenList = slackApprovers.some((id) => id === '*' || id.startsWith('S'));
  if ((open.includes('slack') && isOpenList) || (open.includes('page') && oauth)) return Number.POSITIVE_INFINITY;
  const requesterInSlack = /^slack:[^/]*\/(.+)$/.exec(requester)?.[1];
  const people = new Set([
    ...(open.includes('slack')
      ? slackApprovers.map((id) => (id === requesterInSlack ? requester : `slack ${id}`))
      : []),
    ...(open.includes('page') ? pageApprovers : []),
    // The users of a paired browser and of a terminal on this computer count as one person.
    ...(open.includes('page') && pairing && !twoPerson ? [LOCAL] : []),
    ...(asked && open.includes(asked.way) ? [asked.person.startsWith('local:') ? LOCAL : asked.person] : []),
  ]);
  if (twoPerson) people.delete(requester);
  return people.size;
}

const LOCAL = 'local';
