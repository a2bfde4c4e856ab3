import type { BatchView } from '../../batches/batches.ts';
import { type Asked, askedOf, CONSENT_LABEL, type FactName, questionFacts } from '../../cards/question.ts';
import { BATCH_RUN } from '../../gate/frozen-batch.ts';
import { type Gate, statusOf } from '../../gate/gate.ts';
import { outcomeOf } from '../../language/outcome.ts';
import { rowsOf } from '../../language/show.ts';
import type { Action } from '../../ledger/ledger.ts';
import type { Actor } from '../../lib/actor.ts';
import type { Fields } from '../../lib/json.ts';
import { plainText, words } from '../../lib/words.ts';
import { escapeHtml, timeHtml } from './html.ts';

/* The confirmation page's texts about an action, as HTML with every value escaped. */

/** States for people who are not signed in. They say nothing about the request. */
const STATE: Record<Exclude<ReturnType<typeof statusOf>, 'declined'>, string> = {
  pending: 'Waiting for your decision. Nothing has been done yet.',
  running: 'Confirmed, running.',
  done: 'Done.',
  partly: 'Partly done.',
  failed: 'Failed.',
  unknown: 'Outcome unknown: it may have been done.',
  expired: 'Expired. Nothing was done.',
};

/** The state for people who are not signed in. A withdrawn request is not shown as declined. */
export function strangerWords(action: Action): string {
  const state = statusOf(action.state);
  // Its rows are sent after the action itself is done.
  if (state === 'done' && action.operation === BATCH_RUN) return 'Confirmed.';
  if (state !== 'declined') return STATE[state];
  // Without the consent, which says whether the request costs money.
  const { headline, effect } = outcomeOf({ state: action.state, decidedVia: action.decidedVia }, undefined);
  return `${headline}. ${effect}`;
}

/** The first line of the page, as HTML: the action's state and what it means. */
export async function stateHtml(action: Action, gate: Gate): Promise<string> {
  const state = statusOf(action.state);
  if (state === 'pending' || state === 'running') return STATE[state];
  if (state === 'unknown') return `${STATE.unknown} ${await checkingHtml(action, gate)}`;
  const { headline, effect } = outcomeOf(action, gate.tool(action.operation));
  if (state === 'done') {
    if (action.operation === BATCH_RUN) return 'Confirmed.';
    if (headline.startsWith('Scheduled')) return escapeHtml(`${headline}. Nothing changes before that day.`);
    return headline === 'Done' ? STATE.done : 'Done. The order was submitted; the platform goes on processing it.';
  }
  return escapeHtml(effect === '' ? `${headline}.` : `${headline}. ${effect}`);
}

/**
 * The reason why the action was not done, or may not have been, as HTML with times in the reader's zone. Empty without
 * an error.
 */
export function errorHtml(action: Action, gate: Gate): string {
  if (!action.error) return '';
  return withTimes(escapeHtml(plainText(outcomeOf(action, gate.tool(action.operation)).detail)));
}

/** HTML in which the times are in the reader's zone. */
export function withTimes(html: string): string {
  return html.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, (time) =>
    Number.isNaN(Date.parse(time)) ? time : timeHtml(Date.parse(time)),
  );
}

/** Describes how an unknown outcome is resolved without a person, or what a person can do. */
async function checkingHtml(action: Action, gate: Gate): Promise<string> {
  if (!gate.tool(action.operation)?.reconcile)
    return 'Switchboard cannot find out by reading the platform. Check there before you request it again.';
  const until = (await gate.workedUntil(action.id)) ?? 0;
  return until > Date.now()
    ? `We&#39;ll keep checking until ${timeHtml(until, 'short')}. Do not request it again before then.`
    : 'The platform does not show the outcome yet. It is checked again from time to time. Check the platform before you request it again.';
}

/** Tells the person that they can close the page, and where else the result is shown. Empty before a decision. */
export function nextHtml({ id, state, surface }: Action): string {
  if (state === 'pending') return '';
  if (statusOf(state) === 'running') return 'This page shows the outcome as soon as it is known.';
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

/** Lists the parts that were not done, each with the platform's reason. */
export function notDoneList(action: Action, gate: Gate): string {
  if (action.state !== 'partly') return '';
  const { notDone, detail } = outcomeOf(action, gate.tool(action.operation));
  if (notDone.length === 0) return detail === '' ? '' : `<p class="problem">${escapeHtml(plainText(detail))}</p>`;
  const rows = notDone.map(({ what, why }) => escapeHtml(plainText(why === '' ? what : words`${what}: ${why}`)));
  return `<div class="problem">Not done:<ul>${rows.map((row) => `<li>${row}</li>`).join('')}</ul></div>`;
}

/** The whole request, as rows of the page. */
export function askedRows(asked: Asked, state: ReturnType<typeof statusOf>): [string, string][] {
  const open = state === 'pending' || state === 'running';
  // What happens is for the decision. Afterwards it would be out of date.
  const shown: readonly FactName[] = open ? ['customer', 'consequence', 'cost', 'undo'] : ['customer', 'cost'];
  return [
    ...questionFacts(asked)
      .filter(({ name }) => shown.includes(name))
      .map(({ label, value }): [string, string] => [label, value]),
    ...asked.warnings.map((warning): [string, string] => ['Note', warning]),
    ...asked.rows.map(({ label, value }): [string, string] => [label, value]),
  ];
}

export function statementHtml({ statement, statementMissing }: Asked): string {
  if (statementMissing !== '') return `<p>${escapeHtml(statementMissing)}</p>`;
  if (statement === '') return '';
  return `<p>${CONSENT_LABEL}:</p><blockquote>${escapeHtml(statement)}</blockquote>`;
}

/** The result of an action as labelled values and tables. Empty if it says nothing more than that it was done. */
export function resultHtml(result: Fields, { shown: asked, known }: Action, { timeZone }: Gate): string {
  const { pairs, tables } = rowsOf(result, { asked, known, timeZone, brief: true });
  if (pairs.length === 0 && tables.length === 0) return '';
  const list = pairs.map(([label, value]) => `<dt>${escapeHtml(label)}</dt><dd>${valueHtml(value)}</dd>`).join('');
  const cells = (tag: string, row: readonly string[]) =>
    row.map((one) => `<${tag}>${escapeHtml(one)}</${tag}>`).join('');
  const lists = tables.map(
    ({ title, columns, rows }) =>
      `<h3>${escapeHtml(title)}</h3><div class="scroll" role="region" aria-label="${escapeHtml(title)}" tabindex="0"><table><tr>${cells('th', columns)}</tr>${rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('')}</table></div>`,
  );
  return `<h2>Result</h2>${list === '' ? '' : `<dl>${list}</dl>`}${lists.join('')}`;
}

/** A value of a result. A time that names its zone is shown in the reader's. */
function valueHtml(value: string): string {
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value) && !Number.isNaN(Date.parse(value));
  return isMoment ? timeHtml(Date.parse(value)) : escapeHtml(value);
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
