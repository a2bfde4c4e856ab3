import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { decidedByOf } from '../../gate/confirmation.ts';
import { type Gate, statusOf } from '../../gate/gate.ts';
import type { Action } from '../../gate/ledger/ledger.ts';
import { askedOf } from '../../language/asked.ts';
import { type Actor, identified, personOf } from '../../lib/actor.ts';
import { asSwitchboardError } from '../../lib/errors.ts';
import { BodyTooLarge, CLOSING, cookies, fromOtherOrigin, readBody, sameSecret } from '../../lib/http.ts';
import { isStoreUnavailable } from '../../store/unavailable.ts';
import { escapeHtml, page, time } from './html.ts';
import type { Sessions } from './session.ts';
import { askedRows, notDoneList, resultHtml, statementHtml, stateWords, strangerWords, waitingHtml } from './words.ts';

export interface ConfirmPageOptions {
  gate: () => Promise<Gate>;
  /** Who is signed in, and how somebody does. */
  sessions: Sessions;
  /** Secret of this process, for CSRF tokens. */
  csrf?: string;
  /** PUBLIC_URL: forms may come from its origin, beside the one the request names as Host. */
  publicUrl?: string | undefined;
  /** Everything runs on a sandbox, which the page says. */
  demo?: boolean;
}

/** How long a click waits for the platform before the page says "running". */
const PATIENCE_MS = 20_000;

/**
 * `/confirm/{id}`: to a stranger the state and how to sign in. To an approver's token, or a browser paired with this
 * computer: who asks, what, for which number, at what cost, whether it can be undone, until when; Confirm and Decline.
 * `/confirm` alone signs in. Plain HTML forms: works without JavaScript.
 */
export function createConfirmPage(options: ConfirmPageOptions) {
  const key = options.csrf ?? randomBytes(32).toString('base64url');
  const { sessions } = options;

  /** `id` is undefined for `/confirm` itself. */
  async function handle(request: IncomingMessage, response: ServerResponse, id?: string): Promise<void> {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (!reads && request.method !== 'POST')
      return page(response, 405, 'Not allowed', '<p>Open this page in a browser.</p>');
    // A page on another port of this host is same-site: a browser sends it the cookies of this one.
    if (!reads && fromOtherOrigin(request, options.publicUrl)) return refuseOtherPage(request, response);
    const query = new URLSearchParams((request.url ?? '').split('?')[1] ?? '');
    const oneTime = query.get('key');
    if (reads && oneTime !== null) return pairByLink(request, response, oneTime, id);
    const gate = await options.gate();
    let action: Action | undefined;
    try {
      action = id === undefined ? undefined : await gate.refresh(id);
    } catch (error) {
      const { face } = asSwitchboardError(error);
      if (face.code !== 'not_found') return page(response, 503, 'Not available', `<p>${escapeHtml(face.message)}</p>`);
      return page(
        response,
        404,
        'No such confirmation',
        '<p>There is no confirmation at this address. It may have been mistyped.</p>',
      );
    }
    const session = sessions.find(request);
    const view: View = { request, gate, action, viewer: session?.person, session: session?.id ?? '' };
    return reads ? show(response, view) : post(response, view);
  }

  async function post(response: ServerResponse, view: View): Promise<void> {
    const { request, gate, action, viewer } = view;
    const form = await readForm(request);
    if (!form) {
      response.setHeader('connection', CLOSING.connection);
      return page(
        response,
        413,
        'Too large',
        '<p>The form was too large to be one of this page. Nothing was done.</p>',
      );
    }
    const oneTime = form.get('key');
    if (oneTime !== null) return pair(request, response, oneTime, action?.id);
    const sent = form.get('csrf') ?? '';
    const [nonce = ''] = sent.split('.');
    const known = cookies(request, 'sb_csrf').some((cookie) => sameSecret(cookie, nonce));
    if (!sameSecret(sent, csrfFor(view, nonce)) || !known) {
      return show(response, view, {
        problem: 'The form was not the one of this page. Nothing was done; try again.',
        status: 403,
      });
    }
    if (!viewer) return signIn(response, view, form.get('token') ?? '');
    if (!action) return show(response, view);
    const act = form.get('act');
    if (act === 'once') {
      const once = mayShow(action, viewer) ? await gate.takeOnce(action.id, personOf(viewer)) : undefined;
      return show(
        response,
        { ...view, action: await gate.refresh(action.id) },
        once
          ? { once }
          : { problem: 'It has been shown already. It is shown once, and only to the person who confirmed.' },
      );
    }
    try {
      if (act === 'decline') await gate.decline(action.id, viewer, 'page');
      else if (act === 'check') await patiently(gate.reconcile(action.id, viewer));
      else if (act === 'confirm') await patiently(gate.confirm(action.id, viewer, 'page'));
      else return show(response, view, { problem: 'Press Confirm or Decline.', status: 400 });
    } catch (error) {
      const { face } = asSwitchboardError(error);
      // What the platform answered stands on the action and is shown with it; only a refusal of the click is a problem of the page.
      if (face.code === 'not_confirmed' || face.code === 'forbidden_by_role' || isStoreUnavailable(error)) {
        return show(
          response,
          // While the database is away, the action is shown as it was.
          { ...view, action: await gate.refresh(action.id).catch(() => action) },
          { problem: face.message, status: STATUS[face.code] ?? 409 },
        );
      }
    }
    const now = await gate.refresh(action.id);
    const once = mayShow(now, viewer) ? await gate.takeOnce(now.id, personOf(viewer)) : undefined;
    return show(response, { ...view, action: now }, once ? { once } : {});
  }

  /** An approver's token becomes a session; the page is then opened anew, with what would be sent. */
  async function signIn(response: ServerResponse, view: View, token: string): Promise<void> {
    if (token === '') {
      const needed = sessions.hasTokens ? 'The token of an approver is needed.' : 'Sign in first.';
      return show(response, view, { problem: `${needed} Nothing was done.`, status: 403 });
    }
    const signed = await sessions.signIn(token, view.request.socket.remoteAddress);
    if (signed.kind === 'in') return seeOther(response, signed.cookie, view.action?.id);
    if (signed.kind === 'wrong')
      return show(response, view, { problem: 'The token of an approver is needed. Nothing was done.', status: 403 });
    response.setHeader('retry-after', '10');
    return show(response, view, {
      problem: 'Too many wrong tokens came from this address. Nothing was done; try again in a few seconds.',
      status: 429,
    });
  }

  /** A link of `switchboard key` was opened. What a browser fetches ahead of its user must not use the key up. */
  function pairByLink(request: IncomingMessage, response: ServerResponse, oneTime: string, id: string | undefined) {
    const ahead = /prefetch|preview/i.test(`${request.headers['sec-purpose']} ${request.headers.purpose}`);
    const form = `<form method="post" action="${addressOf(id)}"><input type="hidden" name="key" value="${escapeHtml(oneTime)}"><button>Pair this browser</button></form>`;
    if (request.method === 'GET' && !ahead) pair(request, response, oneTime, id);
    else page(response, 200, 'Pair this browser', form);
  }

  /** The key becomes a cookie and leaves the address bar. */
  function pair(request: IncomingMessage, response: ServerResponse, oneTime: string, id: string | undefined): void {
    const cookie = sessions.pair(request, oneTime);
    if (cookie !== undefined || sessions.who(request)) {
      seeOther(response, cookie, id);
      return;
    }
    const why = sessions.mayPair(request)
      ? `This link was used already, or is older than ten minutes. <code>${typed('switchboard key')}</code> prints a new one.`
      : 'Only a browser on the computer that Switchboard runs on can be paired, and only while it serves nobody else. Sign in with the token of an approver.';
    page(response, 403, 'Not paired', `<p class="problem" role="alert">${why}</p>`);
  }

  function seeOther(response: ServerResponse, cookie: string | undefined, id: string | undefined): void {
    response.writeHead(303, {
      location: addressOf(id),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
    });
    response.end();
  }

  /**
   * A form's token counts for one action, one browser and one purpose: what a stranger's page carries signs in and never
   * decides, and what one session was shown decides in no other.
   */
  const csrfFor = ({ action, viewer, session }: Omit<View, 'request' | 'gate'>, nonce: string) =>
    `${nonce}.${sign(key, JSON.stringify([viewer ? 'decide' : 'signin', session, action?.id ?? '', nonce]))}`;

  /** A form's hidden field, and the cookie that belongs to it; of this page only, so that several can be open. */
  function guarded(response: ServerResponse, view: Omit<View, 'request' | 'gate'>): string {
    const nonce = randomBytes(16).toString('base64url');
    response.setHeader('set-cookie', `sb_csrf=${nonce}; Path=${addressOf(view.action?.id)}; HttpOnly; SameSite=Strict`);
    return `<input type="hidden" name="csrf" value="${csrfFor(view, nonce)}">`;
  }

  async function show(response: ServerResponse, view: View, how: Shown = {}): Promise<void> {
    if (!view.viewer) showStranger(response, view, how);
    else if (view.action) await showAction(response, { ...view, action: view.action, viewer: view.viewer }, how);
    else {
      const text = `<p>This browser is signed in as <strong>${escapeHtml(view.viewer.name)}</strong>.</p>${await waitingHtml(view.gate, view.viewer)}`;
      page(response, how.status ?? 200, 'Signed in', text);
    }
  }

  /** To somebody who is not signed in: the state, and how to sign in. Nothing of what would be sent. */
  function showStranger(response: ServerResponse, view: View, how: Shown): void {
    const { request, action } = view;
    const state = action && statusOf(action.state);
    const hidden = guarded(response, view);
    const body = [
      action && state ? `<p class="state ${state}">${escapeHtml(strangerWords(action))}</p>` : '',
      how.problem ? `<p class="problem" role="alert">${escapeHtml(how.problem)}</p>` : '',
      '<p>Sign in to see what is asked.</p>',
      sessions.mayPair(request)
        ? `<p>On this computer, run <code>${typed('switchboard key')}</code> and open the link it prints; <code>${typed('switchboard key --open')}</code> opens it.</p>`
        : '',
      sessions.hasTokens
        ? `<form method="post">${hidden}<p><label>Token of an approver <input name="token" type="password" autocomplete="off" required></label></p><button name="act" value="signin">Sign in</button></form>`
        : '',
      !sessions.hasTokens && !sessions.mayPair(request)
        ? '<p>Nobody can sign in from here: MCP_HTTP_TOKENS names no approver.</p>'
        : '',
    ].join('\n');
    // After a click on another site a browser keeps a Strict cookie back; a page that loads itself again gets it.
    const refresh = request.method === 'GET' && request.headers['sec-fetch-site'] === 'cross-site';
    page(response, how.status ?? 200, action ? 'Confirmation' : 'Sign in', body, { refresh });
  }

  async function showAction(
    response: ServerResponse,
    view: View & { action: Action; viewer: Actor },
    how: Shown,
  ): Promise<void> {
    const { gate, action, viewer } = view;
    const { consent } = action;
    const asked = askedOf(gate.tool(action.operation), action);
    const state = statusOf(action.state);
    const rows: [string, string][] = [
      ['Asked by', `${identified(action.person, action.actorName)}, ${SURFACE[action.surface] ?? action.surface}`],
      ...askedRows(asked, state),
      [
        state === 'pending' ? 'Waits until' : 'Asked at',
        time(state === 'pending' ? action.expiresAt : action.createdAt),
      ],
    ];
    const decidedBy = decidedByOf(action);
    if (decidedBy !== undefined && action.decidedVia !== 'cancelled')
      rows.push([
        action.state === 'declined' ? 'Declined by' : 'Confirmed by',
        `${decidedBy}, ${time(action.decidedAt ?? 0)}`,
      ]);
    const allowed = gate.decidesBy('page');
    const open = state === 'pending' && allowed;
    const hidden = guarded(response, view);
    const body = [
      options.demo ? '<p class="demo">Demo: nothing real is touched.</p>' : '',
      `<p class="state ${state}">${escapeHtml(await stateWords(action, gate))}</p>`,
      notDoneList(action, gate),
      how.problem ? `<p class="problem" role="alert">${escapeHtml(how.problem)}</p>` : '',
      how.once
        ? Object.entries(how.once)
            .map(
              ([name, value]) =>
                `<p class="once">${escapeHtml(name)}: <code>${escapeHtml(value)}</code><br>Shown this once. Write it down now.</p>`,
            )
            .join('')
        : '',
      !how.once && allowed && mayShow(action, viewer) && (await gate.hasOnce(action.id))
        ? `<form method="post">${hidden}<button name="act" value="once">Show the secret once</button></form>`
        : '',
      `<dl>${rows
        .filter(([, value]) => value !== '')
        .map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`)
        .join('')}</dl>`,
      state === 'pending' ? statementHtml(asked) : '',
      action.error ? `<p class="problem">${escapeHtml(action.error.message)}</p>` : '',
      action.result ? resultHtml(action.result) : '',
      open
        ? `<form method="post">${hidden}<div class="buttons"><button class="${consent ? 'danger' : ''}" name="act" value="confirm">${escapeHtml(consent?.confirm ?? 'Do it')}</button><button name="act" value="decline">Decline</button></div></form>`
        : '',
      state === 'pending' && !allowed
        ? '<p>This is not decided on the confirmation page: CONFIRM_VIA leaves it out.</p>'
        : '',
      state === 'unknown' && gate.tool(action.operation)?.reconcile
        ? `<form method="post">${hidden}<button name="act" value="check">Check now</button></form>`
        : '',
      state === 'running' ? '<p>Still running. <a href="">Look again</a></p>' : '',
    ].join('\n');
    page(response, how.status ?? 200, asked.title, body);
  }

  return { handle };
}

/** One look at the page: who looks at what. */
interface View {
  request: IncomingMessage;
  gate: Gate;
  action: Action | undefined;
  viewer: Actor | undefined;
  /** Digest of the cookie that signed the viewer in; '' for a stranger. */
  session: string;
}

interface Shown {
  problem?: string;
  once?: Record<string, string>;
  status?: number;
}

function addressOf(id: string | undefined): string {
  return id === undefined ? '/confirm' : `/confirm/${id}`;
}

/** Of the page after a click that was refused. */
const STATUS: Record<string, number> = { forbidden_by_role: 403, unavailable: 503 };
const SURFACE: Record<string, string> = { mcp: 'over MCP', cli: 'in the terminal', slack: 'in Slack' };

/** A secret is for whoever confirmed, and for nobody else; what was confirmed in Slack is shown there or nowhere. */
function mayShow(action: Action, viewer: Actor): boolean {
  return action.decidedVia !== 'slack' && action.decidedPerson === personOf(viewer);
}

/** The form is not read: what is left of it would come after the answer. */
function refuseOtherPage(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  page(
    response,
    403,
    'Not accepted',
    '<p class="problem" role="alert">This form was sent by another page than this one. Nothing was done. Open the address of the confirmation in the address bar; behind a proxy, PUBLIC_URL must be the address that browsers use.</p>',
  );
}

/** A command as the reader types it; the folder their terminal is in is not known here. */
function typed(command: string): string {
  return escapeHtml(command);
}

/** Undefined for more than any form of this page can hold. */
async function readForm(request: IncomingMessage): Promise<URLSearchParams | undefined> {
  try {
    return new URLSearchParams((await readBody(request, { limit: 16 * 1024 })).toString('utf8'));
  } catch (error) {
    if (error instanceof BodyTooLarge) return undefined;
    throw error;
  }
}

function sign(key: string, value: string): string {
  return createHmac('sha256', key).update(value).digest('base64url');
}

/** Waits for the click's work as long as a reader would; what takes longer goes on and is shown when looked at again. */
async function patiently(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  try {
    await Promise.race([work, enough]);
  } finally {
    clearTimeout(timer);
    // Its end is written to the ledger by the door; a late failure has no other reader here.
    work.catch(() => undefined);
  }
}
