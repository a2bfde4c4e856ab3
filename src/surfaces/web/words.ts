import type { BatchView } from '../../batches/batches.ts';
import type { Card } from '../../cards/card.ts';
import { askedOf } from '../../cards/question.ts';
import { BATCH_RUN } from '../../gate/batch.ts';
import { type Gate, statusOf } from '../../gate/gate.ts';
import { outcomeOf } from '../../language/outcome.ts';
import type { Action } from '../../ledger/ledger.ts';
import type { Actor } from '../../lib/actor.ts';
import { escapeHtml } from './html.ts';

/* The confirmation page's texts about an action, escaped where they have values. */

const PENDING = 'Waiting for your decision. Nothing has been done yet.';

/** The state for people who are not signed in. It says nothing about the request, and not whether it costs money. */
export function strangerWords({ state, operation, decidedVia }: Action): string {
  if (state === 'pending') return PENDING;
  // Its rows are sent after the action itself is done.
  if (state === 'done' && operation === BATCH_RUN) return 'Confirmed.';
  const { headline, effect } = outcomeOf({ state, decidedVia }, undefined);
  return `${headline}. ${effect}`.trim();
}

/** The first line of the page: the action's state and what it means. */
export function stateText({ state }: Action, card: Card): string {
  if (state === 'pending') return PENDING;
  return `${card.state}. ${card.effect ?? ''}`.trim();
}

/** Tells the person that they can close the page, and where else the result is shown. Empty before a decision. */
export function nextHtml({ id, state, surface }: Action): string {
  if (['pending', 'running'].includes(statusOf(state))) return '';
  const shown: Record<string, string> = {
    mcp: ' The assistant that asked can read the outcome.',
    slack: ' The card in Slack shows the outcome.',
    cli: ` In the terminal, <kbd>switchboard call confirmations_get id=${escapeHtml(id)}</kbd> prints the outcome.`,
  };
  return `You can close this page.${shown[surface] ?? ''}`;
}

/** The same for a batch that was confirmed. */
export function runNextHtml({ name }: { name: BatchView['state'] }): string {
  return name === 'running' ? 'You can close this page. The batch goes on.' : '';
}

/** The actions that this person can decide now, as links, the one that has waited longest first. */
export async function waitingHtml(gate: Gate, viewer: Actor): Promise<string> {
  await gate.sweepExpired();
  const pending = await gate.actions.list({ states: ['pending'], limit: 100, oldestFirst: true });
  const waiting = pending.filter((action) => gate.refusal('confirm', action, viewer, 'page') === undefined);
  if (waiting.length === 0) return '<p>Nothing is waiting for your decision.</p>';
  const links = waiting.map((action) => {
    const { title, customer } = askedOf(gate.tool(action.operation), action);
    return `<li><a href="/confirm/${action.id}">${escapeHtml(title)}</a>${customer === '' ? '' : ` · ${escapeHtml(customer)}`}</li>`;
  });
  return `<p>Waiting for your decision:</p><ul>${links.join('')}</ul>`;
}
