import type { ServerResponse } from 'node:http';
import { type Batches, type BatchView, PLAN_WAIT_MS } from '../../batches/batches.ts';
import type { BatchRow } from '../../batches/states.ts';
import { batchCard, rowsPart } from '../../cards/batch.ts';
import { type CardAction, PLAN } from '../../cards/card.ts';
import { actionCard } from '../../cards/outcome.ts';
import { askedOf, secretLabel, withoutLists } from '../../cards/question.ts';
import { isOwn, type Refusal } from '../../gate/approval.ts';
import { BATCH_RUN, statusOf } from '../../gate/confirmation.ts';
import type { Gate } from '../../gate/gate.ts';
import { codesMade, outcomeOf } from '../../language/outcome.ts';
import { REPLACED_BY } from '../../ledger/action.ts';
import type { Action } from '../../ledger/ledger.ts';
import { type Actor, identified, personOf } from '../../lib/actor.ts';
import { qrSvg } from '../../lib/qr.ts';
import { mapLeaves, recordOf } from '../../lib/values.ts';
import { type Activation, activationsOf } from '../../platform/dialect/redact.ts';
import { actionsHtml, addressOf, buttonHtml, cardHtml, escapeHtml, formHtml, tableHtml } from './html.ts';
import { beginAddress } from './session.ts';

/** Additions to the page besides the state of the action. */
export interface Notice {
  /** The reason why a click was refused. */
  problem?: string;
  /** Secrets that are shown only this time. */
  once?: Record<string, string>;
  /** The viewer asked for the activation code of the eSIM. */
  activation?: boolean;
  /** HTTP status; 200 by default. */
  status?: number;
}

/** A secret is shown only to the person who confirmed. One that was confirmed in Slack is shown only there. */
export function mayShow(action: Action, viewer: Actor): boolean {
  return action.decidedVia !== 'slack' && action.decidedPerson === personOf(viewer);
}

/**
 * The page for people who are not signed in. It shows the state and how to sign in, and nothing about the request.
 *
 * @param ways how this request can sign in: `mayPair`: its browser can be paired with this computer; `hasTokens`: an
 *   approver's token is configured; `issuer`: host of the OAuth issuer
 */
export function strangerHtml(
  action: Action | undefined,
  { mayPair, hasTokens, issuer }: { mayPair: boolean; hasTokens: boolean; issuer: string | undefined },
  hidden: string,
  { problem }: Notice,
): string {
  const command = '<code>switchboard key</code>';
  // It does not say whether the request costs money. The rows of a batch are sent after the action itself is done.
  const told = action && outcomeOf({ state: action.state, decidedVia: action.decidedVia }, undefined);
  const isBatchDone = action?.state === 'done' && isBatch(action);
  const ended = isBatchDone ? 'Confirmed.' : `${told?.headline}. ${told?.effect}`.trim();
  const said = action?.state === 'pending' ? PENDING : ended;
  const paired = `<p>On this computer, run ${command} and open the link it prints; <code>switchboard key --open</code> opens it. In a clone of the project the command is <code>node dist/cli.js key</code>.</p>`;
  const byToken = `<form method="post">${hidden}<p><label>Approver’s token <input name="token" type="password" autocomplete="off" required></label></p><button class="primary" name="act" value="signin">Sign in</button></form>`;
  const byIssuer = (name: string) =>
    `<p><a class="button" href="${escapeHtml(beginAddress(action?.id))}">Sign in with ${escapeHtml(name)}</a></p>`;
  const ways = [mayPair && paired, hasTokens && byToken, issuer !== undefined && byIssuer(issuer)].filter(Boolean);
  const none = '<p>Nobody can sign in from here: MCP_HTTP_TOKENS names no approver.</p>';
  return [
    action ? `<p class="state ${statusOf(action.state)}">${escapeHtml(said)}</p>` : '',
    problemHtml(problem),
    '<p>Sign in to see the request.</p>',
    ...(ways.length > 0 ? ways : [none]),
  ].join('\n');
}

/** The page without an action for people who are signed in: what they can decide now, as links, the oldest first. */
export async function signedInHtml(gate: Gate, viewer: Actor): Promise<string> {
  const signedIn = `<p>This browser is signed in as <strong>${escapeHtml(viewer.name)}</strong>.${otherAccount(viewer, undefined)}</p>`;
  const pending = await gate.actions.list({ states: ['pending'], limit: 100, oldestFirst: true });
  const waiting = pending.filter(
    (action) => action.expiresAt > gate.now() && gate.refusal('confirm', action, viewer, 'page') === undefined,
  );
  if (waiting.length === 0) return `${signedIn}<p>Nothing is waiting for your decision.</p>`;
  const links = waiting.map((action) => {
    const { title, customer } = askedOf(gate.tool(action.operation), action);
    return `<li><a href="/confirm/${action.id}">${escapeHtml(title)}</a>${customer === '' ? '' : ` · ${escapeHtml(customer)}`}</li>`;
  });
  return `${signedIn}<p>Waiting for your decision:</p><ul>${links.join('')}</ul>`;
}

/** An action, and the person who sees its page. */
interface Shown {
  batches: Batches;
  action: Action;
  viewer: Actor;
}

interface ActionPage extends Shown {
  gate: Gate;
  /** The hidden field of its forms. */
  hidden: string;
  /** Everything runs on a sandbox. */
  isDemo: boolean;
  issuer: string | undefined;
}

/** The whole request with its state, and the buttons that this viewer may press. */
export async function actionHtml(shown: ActionPage, notice: Notice): Promise<{ title: string; body: string }> {
  const { gate, action, viewer, hidden, isDemo, issuer } = shown;
  const batch = isBatch(action) ? await batchHtml(shown) : undefined;
  const tool = gate.tool(action.operation);
  const state = statusOf(action.state);
  const isAllowed = gate.decidesBy('page');
  const isOpen = state === 'pending' && isAllowed;
  const refused = state === 'pending' ? gate.refusal('confirm', action, viewer, 'page') : undefined;
  // Also where the page may not confirm: a client cannot show a secret to its user alone.
  const hasOnce = !notice.once && mayShow(action, viewer) && action.hasOnce === true;
  const isRunning = state === 'running' || batch?.state?.name === 'running';
  // A batch that was confirmed goes on by itself.
  const goesOn = isRunning ? 'You can close this page. The batch goes on.' : '';
  const next = batch?.state ? goesOn : nextHtml(action);
  const { html: esim, rest, isHidden } = await activationFor(shown, notice);
  const until = state === 'unknown' ? await gate.workedUntil(action.id) : undefined;
  const workedUntil = until !== undefined && until > Date.now() ? until : undefined;
  const card = actionCard({
    action,
    tool,
    timeZone: gate.timeZone,
    result: rest,
    workedUntil,
    reader: { surface: 'page', who: 'decider', decides: isAllowed, hidden: { once: hasOnce, code: isHidden } },
  });
  const waits = refused === undefined ? PENDING : 'Waiting for another person. Nothing has been done yet.';
  const said = action.state === 'pending' ? waits : `${card.state}. ${outcomeOf(action, undefined).effect}`.trim();
  const body = [
    isDemo ? '<p class="demo">Demo: nothing real is touched.</p>' : '',
    `<p class="state ${batch?.state?.name ?? state}">${escapeHtml(batch?.state?.text ?? said)}</p>`,
    problemHtml(notice.problem),
    ...Object.entries(notice.once ?? {}).map(([name, value]) => {
      const label = escapeHtml(secretLabel(name, tool, action.shown));
      return `<p class="once">${label}: <code>${escapeHtml(value)}</code><br>This is shown only once. Write it down now.</p>`;
    }),
    next === '' && !isRunning ? '' : `<p class="next"${isRunning ? ' data-running' : ''}>${next}</p>`,
    batch?.run ?? '',
    state === 'pending' ? '' : actionsHtml(card.actions, hidden),
    isRunning ? '<p><a href="">Look again</a></p>' : '',
    esim,
    cardHtml(batch ? withoutLists(card.parts) : card.parts),
    batch?.rows ?? '',
    isOpen ? decideForm(card.actions, { hidden, refused }) : '',
    refused?.why === 'way' ? `<p>${escapeHtml(refused.message)}</p>` : '',
    isOpen && issuer !== undefined
      ? `<p>Signed in as ${escapeHtml(identified(personOf(viewer), viewer.name))}.${otherAccount(viewer, action.id)}</p>`
      : '',
  ].join('\n');
  return { title: card.title, body };
}

/**
 * The eSIM's QR code for the requester and the person who confirmed, after a change that may have made one, and the result
 * without the codes that it shows. Everyone else asks for it with a button. Several codes are folded, so that a camera
 * sees one at a time. The pictures are part of the page: nothing is stored and nothing is loaded.
 */
async function activationFor({ gate, action, viewer }: ActionPage, { activation }: Notice) {
  const nothing = { html: '', rest: action.result, isHidden: false };
  if (codesMade(action).length === 0) return nothing;
  if (!activation && !isOwn(action, personOf(viewer))) return { ...nothing, isHidden: true };
  const result = await gate.reveal({ action: action.id }, viewer);
  if (result === undefined) return nothing;
  const all = activationsOf(result);
  if (all.length === 0) return { ...nothing, rest: result };
  const pictures = all.slice(0, MOST).map((one) => {
    const picture = pictureHtml(one);
    const title = `QR code of ${escapeHtml(one.phone ?? 'an eSIM')}`;
    return all.length === 1 ? picture : `<details><summary>${title}</summary>${picture}</details>`;
  });
  const html = `<h2>eSIM</h2><p>Scan it with the customer’s phone: Settings › Add eSIM. Anyone who has this code can install the SIM.</p>${pictures.join('')}`;
  // Codes that are entered by hand stay.
  const codes: ReadonlySet<unknown> = new Set(all.map(({ code }) => code));
  const without = mapLeaves(result, { member: ({ value, name }) => (codes.has(value) ? undefined : name) });
  return { html, rest: all.length > MOST ? result : recordOf(without), isHidden: false };
}

/**
 * The two buttons, of which the first is shown only beside the whole question. A person whose yes would be refused reads
 * who can give it instead.
 */
function decideForm(
  offered: readonly CardAction[],
  { hidden, refused }: Pick<ActionPage, 'hidden'> & { refused: Refusal | undefined },
): string {
  const button = (act: string, form?: string) =>
    offered.flatMap((one) => (one.id === act ? [buttonHtml(one, form)] : [])).join('');
  const [first, yes] = refused ? [`<p>${escapeHtml(refused.message)}</p>`, ''] : ['', button('confirm')];
  // Because the reason is in a separate form, Enter declines and never confirms.
  const why = `<form method="post" id="why">${hidden}<p><label>Reason for declining (optional) <input name="reason" maxlength="500" autocomplete="off"></label></p></form>`;
  return `${first}${formHtml(hidden, `<div class="buttons">${yes}${button('decline', 'why')}</div>`)}${why}`;
}

function problemHtml(problem: string | undefined): string {
  return problem ? `<p class="problem" role="alert">${escapeHtml(problem)}</p>` : '';
}

/** A link to change the account, for people who signed in with the OAuth issuer. */
function otherAccount(viewer: Actor, id: string | undefined): string {
  if (!personOf(viewer).startsWith('oauth:')) return '';
  return ` <a href="${escapeHtml(beginAddress(id, true))}">Sign in as somebody else</a>`;
}

/* The confirmation page's texts about an action, escaped where they have values. */

const PENDING = 'Waiting for your decision. Nothing has been done yet.';

/** Tells the person that they can close the page. Empty before a decision. */
function nextHtml({ state, notes }: Action): string {
  if (['pending', 'running'].includes(statusOf(state))) return '';
  const newer = notes?.[REPLACED_BY];
  if (typeof newer === 'string')
    return `<a href="${escapeHtml(addressOf(newer))}">Open the question that replaced it</a>`;
  return 'You can close this page.';
}

/** QR codes on one page. Further codes are only in the table of the result. */
const MOST = 20;

function pictureHtml({ code, phone }: Activation): string {
  const svg = qrSvg(code)?.replace(' xmlns="http://www.w3.org/2000/svg"', ' aria-hidden="true"');
  const name = phone === undefined ? 'QR code of the eSIM' : `QR code of the eSIM of ${phone}`;
  const picture = svg === undefined ? '' : `<div class="qr" role="img" aria-label="${escapeHtml(name)}">${svg}</div>`;
  const caption = phone === undefined ? '' : `${escapeHtml(phone)}<br>`;
  return `<figure>${picture}<figcaption>${caption}<code>${escapeHtml(code)}</code></figcaption></figure>`;
}

/* The part of the confirmation page about a batch: its rows, its progress, and its buttons. */

/** The buttons of a run and of its end. */
const CONTROLS: readonly string[] = ['stop', 'rest'];

export function isBatch(action: Action | undefined): action is Action {
  return action?.operation === BATCH_RUN;
}

/** The parts of a batch on the confirmation page: the state of its run, the progress with its buttons, and the rows. */
async function batchHtml({ batches, action, viewer, hidden }: ActionPage) {
  const view = await batches.view(idOf(action), viewer);
  const isOpen = view.state === 'waiting' && action.state === 'pending';
  const by = view.reason?.why === 'replaced' ? view.reason.by : undefined;
  const next = by === undefined ? undefined : await batches.view(by, viewer).catch(() => undefined);
  const newer = next?.confirmation;
  const replaced = newer === undefined ? '' : `<p><a href="${addressOf(newer)}">Open the question in its place</a></p>`;
  const card = batchCard(view, 'page');
  const controls = isOpen ? [] : card.actions.filter(({ id }) => CONTROLS.includes(id));
  // The page says who asked and confirmed below.
  const notes = cardHtml(card.parts.filter(({ kind }) => kind === 'note'));
  const run = controls.length === 0 ? '' : `${notes}${actionsHtml(controls, hidden)}`;
  return {
    /** Undefined before the run. */
    state: isOpen || action.state !== 'done' ? undefined : { text: card.state, name: view.state },
    run: `${run}${replaced}`,
    rows: rowsHtml(view, await batches.rows(view.id, viewer, 'exceptions first'), isOpen ? hidden : undefined),
  };
}

/** Sends the rows of a batch as a CSV file. */
export async function sendCsv(response: ServerResponse, { batches, action, viewer }: Shown, which: 'plan' | 'results') {
  const id = idOf(action);
  const csv = await batches.csv(id, viewer, which);
  response.writeHead(200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${id}-${which}.csv"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  response.end(csv);
}

/**
 * Handles the buttons of a batch. Resolves to the id of the question to show: about the other rows or the rest, if it is
 * asked yet. Undefined for any other button.
 */
export async function press(
  act: string | null,
  form: URLSearchParams,
  { batches, action, viewer }: Shown,
): Promise<string | undefined> {
  const id = idOf(action);
  if (act === 'stop') {
    await batches.stop(id, viewer, 'page');
    return action.id;
  }
  if (act !== 'leave' && act !== 'rest') return undefined;
  const next =
    act === 'rest'
      ? (await batches.rest(id, viewer)).view
      : await batches.leaveOut(id, form.getAll('out').map(Number), viewer, 'page');
  const isComing = ({ state, confirmation }: BatchView) =>
    state === 'planning' || (state === 'waiting' && confirmation === undefined);
  return (await batches.while(isComing, next.id, viewer, { ms: PLAN_WAIT_MS })).confirmation ?? action.id;
}

function idOf({ shown }: Action): string {
  return String(shown.Batch);
}

/** @param hidden set while rows can be left out */
function rowsHtml(view: BatchView, rows: readonly BatchRow[], hidden: string | undefined): string {
  const mayLeave = hidden !== undefined && view.counts.waiting > 1;
  const box = ({ n }: BatchRow) => `<input type="checkbox" name="out" value="${n}" aria-label="Leave out row ${n}">`;
  const boxes = mayLeave ? rows.map((row) => (row.outcome === 'waiting' ? box(row) : '')) : undefined;
  const leave = '<button name="act" value="leave">Leave out the selected rows</button>';
  const table = tableHtml(rowsPart(view, rows), boxes && { title: 'Leave out', cells: boxes });
  const results = view.startedAt === undefined ? '' : ' · <a href="?csv=results" download>Results as CSV</a>';
  return [
    mayLeave ? formHtml(hidden, `${table}<p>${leave}</p>`) : table,
    `<p><a href="?csv=plan" download>${PLAN}</a>${results}</p>`,
  ].join('');
}
