import type { BatchView } from '../../batches/batches.ts';
import type { Card, CardAction } from '../../cards/card.ts';
import { actionCard } from '../../cards/outcome.ts';
import { askedOf, secretLabel, withoutLists } from '../../cards/question.ts';
import type { WaitingChange } from '../../catalogue/history.ts';
import { isOwn, type Refusal } from '../../gate/approval.ts';
import { REPLACED_BY } from '../../gate/confirmation.ts';
import { BATCH_RUN } from '../../gate/frozen-batch.ts';
import { type Gate, statusOf } from '../../gate/gate.ts';
import { codesMade, outcomeOf } from '../../language/outcome.ts';
import type { Action } from '../../ledger/ledger.ts';
import { type Actor, identified, personOf } from '../../lib/actor.ts';
import { qrSvg } from '../../lib/qr.ts';
import { type Fields, mapLeaves, recordOf, textsIn } from '../../lib/values.ts';
import { type Activation, activationsOf } from '../../platform/dialect/redact.ts';
import { readOrElse } from '../../store/key-values.ts';
import type { BatchHtml } from './batch-part.ts';
import { actionsHtml, buttonHtml, cardHtml, formHtml } from './card.ts';
import { addressOf, escapeHtml } from './html.ts';
import { beginAddress } from './sign-in.ts';

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

/** Ways to sign in that this request can use. */
export interface WaysIn {
  /** This browser can be paired with this computer. */
  mayPair: boolean;
  /** An approver's token is configured. */
  hasTokens: boolean;
  /** Host of the OAuth issuer. */
  issuer: string | undefined;
}

/** A secret is shown only to the person who confirmed. One that was confirmed in Slack is shown only there. */
export function mayShow(action: Action, viewer: Actor): boolean {
  return action.decidedVia !== 'slack' && action.decidedPerson === personOf(viewer);
}

/** The page for people who are not signed in. It shows the state and how to sign in, and nothing about the request. */
export function strangerHtml(action: Action | undefined, ways: WaysIn, hidden: string, { problem }: Notice): string {
  const { mayPair, hasTokens, issuer } = ways;
  const command = '<code>switchboard key</code>';
  return [
    action ? `<p class="state ${statusOf(action.state)}">${escapeHtml(strangerWords(action))}</p>` : '',
    problemHtml(problem),
    '<p>Sign in to see the request.</p>',
    mayPair
      ? `<p>On this computer, run ${command} and open the link it prints; <code>switchboard key --open</code> opens it. In a clone of the project the command is <code>node dist/cli.js key</code>.</p>`
      : '',
    hasTokens
      ? `<form method="post">${hidden}<p><label>Approver’s token <input name="token" type="password" autocomplete="off" required></label></p><button class="primary" name="act" value="signin">Sign in</button></form>`
      : '',
    issuer === undefined
      ? ''
      : `<p><a class="button" href="${escapeHtml(beginAddress(action?.id))}">Sign in with ${escapeHtml(issuer)}</a></p>`,
    hasTokens || mayPair || issuer !== undefined
      ? ''
      : '<p>Nobody can sign in from here: MCP_HTTP_TOKENS names no approver.</p>',
  ].join('\n');
}

/** The page without an action for people who are signed in. It lists the actions that wait for them. */
export async function signedInHtml(gate: Gate, viewer: Actor): Promise<string> {
  const name = escapeHtml(viewer.name);
  return `<p>This browser is signed in as <strong>${name}</strong>.${otherAccount(viewer, undefined)}</p>${await waitingHtml(gate, viewer)}`;
}

export interface ActionPage {
  gate: Gate;
  action: Action;
  viewer: Actor;
  /** The hidden field of its forms. */
  hidden: string;
  /** Everything runs on a sandbox. */
  isDemo: boolean;
  issuer: string | undefined;
  /** Set for the question about a batch. */
  batch: BatchHtml | undefined;
}

/** The whole request with its state, and the buttons that this viewer may press. */
export async function actionHtml(shown: ActionPage, notice: Notice): Promise<{ title: string; body: string }> {
  const { gate, action, viewer, hidden, isDemo, issuer, batch } = shown;
  const tool = gate.tool(action.operation);
  const state = statusOf(action.state);
  const isAllowed = gate.decidesBy('page');
  const isOpen = state === 'pending' && isAllowed;
  const refused = isOpen ? gate.refusal('confirm', action, viewer, 'page') : undefined;
  // Also where the page may not confirm: a client cannot show a secret to its user alone.
  const hasOnce = !notice.once && mayShow(action, viewer) && (await gate.hasOnce(action.id));
  const next = batch?.state ? runNextHtml(batch.state) : nextHtml(action);
  const { html: esim, rest, isHidden } = await activationFor(shown, notice);
  const until = state === 'unknown' ? await gate.workedUntil(action.id) : undefined;
  const workedUntil = until !== undefined && until > Date.now() ? until : undefined;
  const beside = isOpen ? await besideOf(gate, action, viewer) : [];
  const card = actionCard({
    action,
    tool,
    beside,
    timeZone: gate.timeZone,
    result: rest,
    workedUntil,
    reader: {
      surface: 'page',
      who: 'decider',
      decides: isAllowed,
      hidden: { once: hasOnce, code: isHidden },
    },
  });
  const isRunning = state === 'running' || batch?.state?.name === 'running';
  const body = [
    isDemo ? '<p class="demo">Demo: nothing real is touched.</p>' : '',
    `<p class="state ${batch?.state?.name ?? state}">${escapeHtml(batch?.state?.text ?? stateText(action, card, refused))}</p>`,
    problemHtml(notice.problem),
    onceHtml(notice.once, (name) => secretLabel(name, tool, action.shown)),
    next === '' && !isRunning ? '' : `<p class="next"${isRunning ? ' data-running' : ''}>${next}</p>`,
    batch?.run ?? '',
    state === 'pending' ? '' : actionsHtml(card.actions, hidden),
    isRunning ? '<p><a href="">Look again</a></p>' : '',
    esim,
    cardHtml(batch ? withoutLists(card.parts) : card.parts),
    batch?.rows ?? '',
    isOpen ? decideForm(card.actions, { hidden, refused }) : '',
    state === 'pending' && !isAllowed
      ? '<p>This cannot be decided on the confirmation page, because CONFIRM_VIA does not include it.</p>'
      : '',
    isOpen && issuer !== undefined
      ? `<p>Signed in as ${escapeHtml(identified(personOf(viewer), viewer.name))}.${otherAccount(viewer, action.id)}</p>`
      : '',
  ].join('\n');
  return { title: card.title, body };
}

/** Numbers of a question for which other changes are read. */
const MOST_NUMBERS = 3;
const PHONE = /^\+\d{7,15}$/;

/** The other changes that wait for the numbers of a question. Empty while the database is away, and for a batch. */
async function besideOf(gate: Gate, action: Action, viewer: Actor): Promise<WaitingChange[]> {
  const texts = textsIn(action.shown).map(({ value }) => value);
  const phones = [...new Set(texts.filter((text) => PHONE.test(text)))].slice(0, MOST_NUMBERS);
  const history = gate.history(viewer);
  const found = await Promise.all(phones.map((phone) => readOrElse(history.waitingFor(phone), [])));
  const others = new Map(found.flat().map((one) => [one.id, one]));
  others.delete(action.id);
  return [...others.values()];
}

/**
 * The eSIM's QR code for the requester and the person who confirmed, after a change that may have made one. Everyone else
 * asks for it with a button.
 */
async function activationFor(
  { gate, action, viewer }: ActionPage,
  { activation }: Notice,
): Promise<ActivationPart & { isHidden: boolean }> {
  const { result: rest } = action;
  const nothing = { html: '', rest, isHidden: false };
  if (codesMade(action).length === 0) return nothing;
  if (!activation && !isOwn(action, personOf(viewer))) return { ...nothing, isHidden: true };
  const revealed = await gate.reveal({ action: action.id }, viewer);
  return revealed ? { ...activationPart(revealed), isHidden: false } : nothing;
}

/**
 * The two buttons, of which the first is shown only beside the whole question. A person whose yes would be refused reads
 * who can give it instead.
 */
function decideForm(
  offered: readonly CardAction[],
  { hidden, refused }: Pick<ActionPage, 'hidden'> & { refused: Refusal | undefined },
): string {
  const confirm = refused === undefined ? offered.find(({ id }) => id === 'confirm') : undefined;
  const yes = confirm ? buttonHtml(confirm) : '';
  const first = refused === undefined ? '' : `<p>${escapeHtml(refused.message)}</p>`;
  const declines = offered.filter(({ id }) => id === 'decline').map((one) => buttonHtml(one, 'why'));
  // Because the reason is in a separate form, Enter declines and never confirms.
  const why = `<form method="post" id="why">${hidden}<p><label>Reason for declining (optional) <input name="reason" maxlength="500" autocomplete="off"></label></p></form>`;
  return `${first}${formHtml(hidden, `<div class="buttons">${yes}${declines.join('')}</div>`)}${why}`;
}

function onceHtml(once: Record<string, string> | undefined, label: (name: string) => string): string {
  return Object.entries(once ?? {})
    .map(
      ([name, value]) =>
        `<p class="once">${escapeHtml(label(name))}: <code>${escapeHtml(value)}</code><br>This is shown only once. Write it down now.</p>`,
    )
    .join('');
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
const PENDING_ELSEWHERE = 'Waiting for another person. Nothing has been done yet.';

/** The state for people who are not signed in. It says nothing about the request, and not whether it costs money. */
function strangerWords({ state, operation, decidedVia }: Action): string {
  if (state === 'pending') return PENDING;
  // Its rows are sent after the action itself is done.
  if (state === 'done' && operation === BATCH_RUN) return 'Confirmed.';
  const { headline, effect } = outcomeOf({ state, decidedVia }, undefined);
  return `${headline}. ${effect}`.trim();
}

/** The first line of the page: the action's state and what it means. */
function stateText(action: Action, card: Card, refused: Refusal | undefined): string {
  if (action.state === 'pending') return refused === undefined ? PENDING : PENDING_ELSEWHERE;
  return `${card.state}. ${outcomeOf(action, undefined).effect}`.trim();
}

/** Tells the person that they can close the page, and where else the result is shown. Empty before a decision. */
function nextHtml({ id, state, surface, notes }: Action): string {
  if (['pending', 'running'].includes(statusOf(state))) return '';
  const newer = notes?.[REPLACED_BY];
  if (typeof newer === 'string')
    return `<a href="${escapeHtml(addressOf(newer))}">Open the question that replaced it</a>`;
  const shown: Record<string, string> = {
    mcp: ' The assistant that asked can read the outcome.',
    slack: ' The card in Slack shows the outcome.',
    cli: ` In the terminal, <kbd>switchboard call confirmations_get id=${escapeHtml(id)}</kbd> prints the outcome.`,
  };
  return `You can close this page.${shown[surface] ?? ''}`;
}

/** The same for a batch that was confirmed. */
function runNextHtml({ name }: { name: BatchView['state'] }): string {
  return name === 'running' ? 'You can close this page. The batch goes on.' : '';
}

/** The actions that this person can decide now, as links, the one that has waited longest first. */
async function waitingHtml(gate: Gate, viewer: Actor): Promise<string> {
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

/** QR codes on one page. Further codes are only in the table of the result. */
const MOST = 20;

/** The activation codes of a result as pictures, and the result without those codes. */
interface ActivationPart {
  /** Empty if the result has no code that can be scanned. */
  html: string;
  rest: Fields | undefined;
}

/**
 * The eSIM's QR code with its text, for a reader to whom the gate revealed it. Several codes are folded, so that a
 * camera sees one at a time. The pictures are part of the page: nothing is stored and nothing is loaded.
 */
function activationPart(result: Fields): ActivationPart {
  const all = activationsOf(result);
  const found = all.slice(0, MOST);
  if (found.length === 0) return { html: '', rest: result };
  const pictures = found.map((one) => (found.length === 1 ? pictureHtml(one) : foldedHtml(one)));
  const html = `<h2>eSIM</h2><p>Scan it with the customer’s phone: Settings › Add eSIM. Anyone who has this code can install the SIM.</p>${pictures.join('')}`;
  return { html, rest: all.length > MOST ? result : withoutCodes(result, all) };
}

function pictureHtml({ code, phone }: Activation): string {
  const svg = qrSvg(code)?.replace(' xmlns="http://www.w3.org/2000/svg"', ' aria-hidden="true"');
  const name = phone === undefined ? 'QR code of the eSIM' : `QR code of the eSIM of ${phone}`;
  const picture = svg === undefined ? '' : `<div class="qr" role="img" aria-label="${escapeHtml(name)}">${svg}</div>`;
  const caption = phone === undefined ? '' : `${escapeHtml(phone)}<br>`;
  return `<figure>${picture}<figcaption>${caption}<code>${escapeHtml(code)}</code></figcaption></figure>`;
}

function foldedHtml(one: Activation): string {
  return `<details><summary>QR code of ${escapeHtml(one.phone ?? 'an eSIM')}</summary>${pictureHtml(one)}</details>`;
}

/** The result without what the pictures show. Codes that are entered by hand stay. */
function withoutCodes(value: Fields, shown: readonly Activation[]): Fields {
  const codes = new Set(shown.map(({ code }) => code));
  const isCode = (text: unknown) => typeof text === 'string' && codes.has(text);
  return recordOf(mapLeaves(value, { member: (part) => (isCode(part.value) ? undefined : part.name) }));
}
