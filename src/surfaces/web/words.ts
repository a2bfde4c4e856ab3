import { type Gate, statusOf } from '../../gate/gate.ts';
import type { Action } from '../../gate/ledger/ledger.ts';
import { type Asked, askedOf } from '../../language/asked.ts';
import { outcomeOf } from '../../language/outcome.ts';
import { rowsOf } from '../../language/show.ts';
import type { Actor } from '../../lib/actor.ts';
import type { Fields } from '../../lib/json.ts';
import { escapeHtml } from './html.ts';

/* What the confirmation page says of an action, as HTML with every text escaped. */

/** For people who are not signed in: the state, and nothing of what was asked. */
const STATE: Record<Exclude<ReturnType<typeof statusOf>, 'declined'>, string> = {
  pending: 'Waiting for your decision. Nothing has been done yet.',
  running: 'Confirmed, running.',
  done: 'Done.',
  partly: 'Partly done.',
  failed: 'Failed.',
  unknown: 'Outcome unknown: it may have been done.',
  expired: 'Expired. Nothing was done.',
};

/** The state for people who are not signed in. A question that was withdrawn was declined by nobody. */
export function strangerWords(action: Action): string {
  const state = statusOf(action.state);
  if (state !== 'declined') return STATE[state];
  const { headline, effect } = outcomeOf(action, undefined);
  return `${headline}. ${effect}`;
}

/** The first line of the page: where the action stands, and what that means. */
export function stateWords(action: Action, gate: Gate): string {
  const state = statusOf(action.state);
  if (state === 'pending') return 'Waiting for your decision. Nothing has been done yet.';
  if (state === 'done') return 'Done.';
  if (state === 'running') return 'Confirmed, running.';
  if (state === 'unknown') return `Outcome unknown: it may have been done. ${checking(action, gate)}`;
  const { headline, effect } = outcomeOf(action, gate.tool(action.operation));
  return effect === '' ? `${headline}.` : `${headline}. ${effect}`;
}

/** What becomes of an unknown outcome without anybody doing anything. */
function checking(action: Action, gate: Gate): string {
  if (!gate.tool(action.operation)?.reconcile)
    return 'No reading of the platform can tell; look there before it is asked for again.';
  const until = gate.workedUntil(action.id) ?? 0;
  return until > Date.now()
    ? `We'll keep checking until ${new Date(until).toISOString().slice(11, 16)} UTC.`
    : 'The platform does not tell yet; it is read again from time to time.';
}

/** What was not done, each with the platform's reason. */
export function notDoneList(action: Action, gate: Gate): string {
  if (action.state !== 'partly') return '';
  const { notDone, detail } = outcomeOf(action, gate.tool(action.operation));
  if (notDone.length === 0) return detail === '' ? '' : `<p class="problem">${escapeHtml(detail)}</p>`;
  const rows = notDone.map(({ what, why }) => escapeHtml(why === '' ? what : `${what}: ${why}`));
  return `<div class="problem">Not done:<ul>${rows.map((row) => `<li>${row}</li>`).join('')}</ul></div>`;
}

/** Everything that is asked, as rows of the page. */
export function askedRows(asked: Asked, state: ReturnType<typeof statusOf>): [string, string][] {
  const open = state === 'pending' || state === 'running';
  return [
    ['Customer', asked.customer],
    // What will happen is for whoever decides; afterwards it would tell of something that is over.
    ['What it means', open ? asked.consequence : ''],
    ['Cost', asked.cost],
    ['Undo', open ? asked.undo : ''],
    ...asked.warnings.map((warning): [string, string] => ['Note', warning]),
    ...asked.rows.map(({ label, value }): [string, string] => [label, value]),
  ];
}

export function statementHtml({ statement, statementMissing }: Asked): string {
  if (statementMissing !== '') return `<p>${escapeHtml(statementMissing)}</p>`;
  if (statement === '') return '';
  return `<p>By confirming you give this consent:</p><blockquote>${escapeHtml(statement)}</blockquote>`;
}

/** A result as labelled values and tables. */
export function resultHtml(result: Fields): string {
  const { pairs, tables } = rowsOf(result);
  const list = pairs.map(([label, value]) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`).join('');
  const cells = (tag: string, row: readonly string[]) =>
    row.map((one) => `<${tag}>${escapeHtml(one)}</${tag}>`).join('');
  const lists = tables.map(
    ({ title, columns, rows }) =>
      `<h3>${escapeHtml(title)}</h3><table><tr>${cells('th', columns)}</tr>${rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('')}</table>`,
  );
  return `<h2>Result</h2><dl>${list}</dl>${lists.join('')}`;
}

/** What this person may decide now, each a link to its page. */
export function waitingHtml(gate: Gate, viewer: Actor): string {
  gate.sweepExpired();
  const waiting = gate.actions
    .list({ states: ['pending'], limit: 100 })
    .filter((action) => gate.refusal('confirm', action, viewer, 'page') === undefined);
  if (waiting.length === 0) return '<p>Nothing waits for your decision.</p>';
  const links = waiting.map((action) => {
    const { title, customer } = askedOf(gate.tool(action.operation), action);
    return `<li><a href="/confirm/${action.id}">${escapeHtml(title)}</a>${customer === '' ? '' : ` · ${escapeHtml(customer)}`}</li>`;
  });
  return `<p>Waiting for your decision:</p><ul>${links.join('')}</ul>`;
}
