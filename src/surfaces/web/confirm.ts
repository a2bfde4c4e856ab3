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
import { beginAddress } from './sign-in.ts';
import { askedRows, notDoneList, resultHtml, statementHtml, stateWords, strangerWords, waitingHtml } from './words.ts';

export interface ConfirmPageOptions {
  gate: () => Promise<Gate>;
  /** Signs people in, and says who is signed in. */
  sessions: Sessions;
  /** Secret for CSRF tokens, the same in all processes of an installation. Left out: one of this process. */
  csrf?: string;
  /** PUBLIC_URL: forms may come from its origin as well as from the Host of the request. */
  publicUrl?: string | undefined;
  /** Host of the OAuth issuer that approvers can sign in with. */
  issuer?: string | undefined;
  /** True if everything runs on a sandbox, which the page then says. */
  demo?: boolean;
}

/** How long a click waits for the platform before the page says "running". */
const PATIENCE_MS = 20_000;

/**
 * `/confirm/{id}`. People who are not signed in see the state and how to sign in. An approver's token, or a browser paired
 * with this computer, also sees the request with its cost and undo, and the buttons Confirm and Decline. `/confirm` alone
 * signs in. It uses plain HTML forms and works without JavaScript.
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
    const session = await sessions.find(request);
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
        '<p>This form is too large to have come from this page. Nothing was done.</p>',
      );
    }
    const oneTime = form.get('key');
    if (oneTime !== null) return pair(request, response, oneTime, action?.id);
    const sent = form.get('csrf') ?? '';
    const [nonce = ''] = sent.split('.');
    const known = cookies(request, 'sb_csrf').some((cookie) => sameSecret(cookie, nonce));
    if (!sameSecret(sent, csrfFor(view, nonce)) || !known) {
      return show(response, view, {
        problem: 'This form is out of date or came from another page. Nothing was done. Try again.',
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
        once ? { once } : { problem: 'It was already shown. It is shown once, and only to the person who confirmed.' },
      );
    }
    try {
      if (act === 'decline') await gate.decline(action.id, viewer, 'page');
      else if (act === 'check') await patiently(gate.reconcile(action.id, viewer));
      else if (act === 'confirm') await patiently(gate.confirm(action.id, viewer, 'page'));
      else return show(response, view, { problem: 'Press Confirm or Decline.', status: 400 });
    } catch (error) {
      const { face } = asSwitchboardError(error);
      // The platform's answer is part of the action and is shown with it. Only a refused click is shown as a problem.
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

  /** Signs in with an approver's token, then reloads the page, which now shows the request. */
  async function signIn(response: ServerResponse, view: View, token: string): Promise<void> {
    if (token === '') {
      const needed = sessions.hasTokens ? 'An approver’s token is required.' : 'Sign in first.';
      return show(response, view, { problem: `${needed} Nothing was done.`, status: 403 });
    }
    const signed = await sessions.signIn(token, view.request.socket.remoteAddress);
    if (signed.kind === 'in') return seeOther(response, signed.cookie, view.action?.id);
    if (signed.kind === 'wrong')
      return show(response, view, { problem: 'An approver’s token is required. Nothing was done.', status: 403 });
    response.setHeader('retry-after', '10');
    return show(response, view, {
      problem: 'Too many wrong tokens came from this address. Nothing was done; try again in a few seconds.',
      status: 429,
    });
  }

  /** Shows a link of `switchboard key`. A form pairs the browser, so that a prefetch of the link does not use up the key. */
  async function pairByLink(
    request: IncomingMessage,
    response: ServerResponse,
    oneTime: string,
    id: string | undefined,
  ): Promise<void> {
    const ahead = /prefetch|preview/i.test(`${request.headers['sec-purpose']} ${request.headers.purpose}`);
    const form = `<form method="post" action="${addressOf(id)}"><input type="hidden" name="key" value="${escapeHtml(oneTime)}"><button>Pair this browser</button></form>`;
    if (request.method === 'GET' && !ahead) await pair(request, response, oneTime, id);
    else page(response, 200, 'Pair this browser', form);
  }

  /** The key becomes a cookie and leaves the address bar. */
  async function pair(
    request: IncomingMessage,
    response: ServerResponse,
    oneTime: string,
    id: string | undefined,
  ): Promise<void> {
    const cookie = await sessions.pair(request, oneTime);
    if (cookie !== undefined || (await sessions.who(request))) {
      seeOther(response, cookie, id);
      return;
    }
    const why = sessions.mayPair(request)
      ? `This link has already been used or is older than ten minutes. <code>${typed('switchboard key')}</code> prints a new one.`
      : 'Only a browser on the computer where Switchboard runs can be paired, and only if Switchboard serves no other computer. Sign in with an approver’s token.';
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
   * A form's token is valid for one action, one session and one purpose: a token from the sign-in form cannot decide, and
   * one session's token is not valid in another.
   */
  const csrfFor = ({ action, viewer, session }: Omit<View, 'request' | 'gate'>, nonce: string) =>
    `${nonce}.${sign(key, JSON.stringify([viewer ? 'decide' : 'signin', session, action?.id ?? '', nonce]))}`;

  /** A form's hidden field and its cookie, which is limited to this page, so that several pages can be open. */
  function guarded(response: ServerResponse, view: Omit<View, 'request' | 'gate'>): string {
    const nonce = randomBytes(16).toString('base64url');
    response.setHeader('set-cookie', `sb_csrf=${nonce}; Path=${addressOf(view.action?.id)}; HttpOnly; SameSite=Strict`);
    return `<input type="hidden" name="csrf" value="${csrfFor(view, nonce)}">`;
  }

  async function show(response: ServerResponse, view: View, how: Shown = {}): Promise<void> {
    if (!view.viewer) showStranger(response, view, how);
    else if (view.action) await showAction(response, { ...view, action: view.action, viewer: view.viewer }, how);
    else {
      const text = `<p>This browser is signed in as <strong>${escapeHtml(view.viewer.name)}</strong>.${otherAccount(view.viewer, undefined)}</p>${await waitingHtml(view.gate, view.viewer)}`;
      page(response, how.status ?? 200, 'Signed in', text);
    }
  }

  /** The page for people who are not signed in: the state and how to sign in, and nothing about the request. */
  function showStranger(response: ServerResponse, view: View, how: Shown): void {
    const { request, action } = view;
    const state = action && statusOf(action.state);
    const hidden = guarded(response, view);
    const body = [
      action && state ? `<p class="state ${state}">${escapeHtml(strangerWords(action))}</p>` : '',
      how.problem ? `<p class="problem" role="alert">${escapeHtml(how.problem)}</p>` : '',
      '<p>Sign in to see the request.</p>',
      sessions.mayPair(request)
        ? `<p>On this computer, run <code>${typed('switchboard key')}</code> and open the link it prints; <code>${typed('switchboard key --open')}</code> opens it.</p>`
        : '',
      sessions.hasTokens
        ? `<form method="post">${hidden}<p><label>Approver’s token <input name="token" type="password" autocomplete="off" required></label></p><button name="act" value="signin">Sign in</button></form>`
        : '',
      options.issuer === undefined
        ? ''
        : `<p><a class="button" href="${escapeHtml(beginAddress(action?.id))}">Sign in with ${escapeHtml(options.issuer)}</a></p>`,
      !sessions.hasTokens && options.issuer === undefined && !sessions.mayPair(request)
        ? '<p>Nobody can sign in from here: MCP_HTTP_TOKENS names no approver.</p>'
        : '',
    ].join('\n');
    // A browser does not send a Strict cookie after a click on another site. Reloading the page sends it.
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
                `<p class="once">${escapeHtml(name)}: <code>${escapeHtml(value)}</code><br>This is shown only once. Write it down now.</p>`,
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
        ? '<p>This cannot be decided on the confirmation page, because CONFIRM_VIA does not include it.</p>'
        : '',
      state === 'unknown' && gate.tool(action.operation)?.reconcile
        ? `<form method="post">${hidden}<button name="act" value="check">Check now</button></form>`
        : '',
      state === 'running' ? '<p>Still running. <a href="">Look again</a></p>' : '',
      open && options.issuer !== undefined
        ? `<p>Signed in as ${escapeHtml(identified(personOf(viewer), viewer.name))}.${otherAccount(viewer, action.id)}</p>`
        : '',
    ].join('\n');
    page(response, how.status ?? 200, asked.title, body);
  }

  return { handle };
}

/** One request for the page: the viewer and the action. */
interface View {
  request: IncomingMessage;
  gate: Gate;
  action: Action | undefined;
  viewer: Actor | undefined;
  /** Digest of the cookie that signed the viewer in; '' if nobody is signed in. */
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

/** A link to change the account, for people who signed in with the OAuth issuer. */
function otherAccount(viewer: Actor, id: string | undefined): string {
  if (!personOf(viewer).startsWith('oauth:')) return '';
  return ` <a href="${escapeHtml(beginAddress(id, true))}">Sign in as somebody else</a>`;
}

/** Of the page after a click that was refused. */
const STATUS: Record<string, number> = { forbidden_by_role: 403, unavailable: 503 };
const SURFACE: Record<string, string> = { mcp: 'over MCP', cli: 'in the terminal', slack: 'in Slack' };

/** A secret is shown only to the person who confirmed. One that was confirmed in Slack is shown only there. */
function mayShow(action: Action, viewer: Actor): boolean {
  return action.decidedVia !== 'slack' && action.decidedPerson === personOf(viewer);
}

/** Refuses a form without reading its body, so the connection must be closed. */
function refuseOtherPage(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  page(
    response,
    403,
    'Not accepted',
    '<p class="problem" role="alert">This form was sent from a different page. Nothing was done. Open the address of the confirmation in the address bar; behind a proxy, PUBLIC_URL must be the address that browsers use.</p>',
  );
}

/** A command as the reader types it. The folder of their terminal is unknown. */
function typed(command: string): string {
  return escapeHtml(command);
}

/** The submitted form; undefined if it is larger than any form of this page. */
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

/** Waits for the work of a click for a short time. Longer work goes on, and its result is shown on reload. */
async function patiently(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  try {
    await Promise.race([work, enough]);
  } finally {
    clearTimeout(timer);
    // The gate records the outcome in the ledger, so a late failure needs no handling.
    work.catch(() => undefined);
  }
}
