import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Batches } from '../../batches/batches.ts';
import type { Gate } from '../../gate/gate.ts';
import { failureText } from '../../language/outcome.ts';
import type { Action } from '../../ledger/ledger.ts';
import { type Actor, personOf } from '../../lib/actor.ts';
import { inTime, systemClock } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import { asSwitchboardError, type Failure, SwitchboardError } from '../../lib/errors.ts';
import { CLOSING, cookies, fromOtherOrigin, readBody, sameSecret, UNSIGNED_BODY, UnreadBody } from '../../lib/http.ts';
import { isStoreUnavailable } from '../../store/key-values.ts';
import {
  actionHtml,
  isBatch,
  mayShow,
  type Notice,
  press,
  sendCsv,
  signedInHtml,
  strangerHtml,
} from './confirm-views.ts';
import { addressOf, escapeHtml, page, redirect } from './html.ts';
import { NO_TOKEN, type Sessions } from './session.ts';

/** Maximum wait of a click for the platform before the page says "running". */
const PATIENCE_MS = 20_000;
/** The cookie of a form: 16 random bytes. */
const NONCE = /^[\w-]{22}$/;
/** HTTP status of the page after a click that was refused; 409 for other codes. */
const STATUS: Record<string, number> = { forbidden_by_role: 403, unavailable: 503 };
const REFUSALS: readonly string[] = ['not_confirmed', 'forbidden_by_role'];

/** One request for the page: the viewer and the action. */
interface View {
  request: IncomingMessage;
  action: Action | undefined;
  viewer: Actor | undefined;
  /** Digest of the cookie that signed the viewer in; '' without a sign-in. */
  session: string;
}

interface ConfirmPageOptions {
  config: Pick<Config, 'PUBLIC_URL' | 'demo'>;
  /** Opened when it is first used, so that a sign-in works while the platform's side is still being opened. */
  runtime: () => Promise<{ gate: Gate; batches: Batches }>;
  /** Signs people in, and says who is signed in. */
  sessions: Sessions;
  /** Secret for CSRF tokens, the same in all processes of an installation. */
  csrf: string;
  /** Host of the OAuth issuer that approvers can sign in with. */
  issuer: string | undefined;
}

/**
 * `/confirm/{id}`. People who are not signed in see the state and how to sign in. An approver's token, or a browser
 * paired with this computer, also sees the request with its cost and undo, and the buttons Confirm and Decline.
 * `/confirm` alone signs in. It uses plain HTML forms and works without JavaScript.
 */
export class ConfirmPage {
  readonly #options: ConfirmPageOptions;

  constructor(options: ConfirmPageOptions) {
    this.#options = options;
  }

  /** Answers a GET, HEAD or POST. `id` is undefined for `/confirm` itself. */
  async handle(request: IncomingMessage, response: ServerResponse, id?: string): Promise<void> {
    try {
      await this.#answer(request, response, id);
    } catch (error) {
      if (isStoreUnavailable(error) && !response.headersSent) return notFound(response, error);
      if (!(error instanceof UnreadBody)) throw error;
      response.setHeader('connection', CLOSING.connection);
      const text = `The form could not be read. ${error.message} Nothing was done.`;
      page(response, error.status, 'Not accepted', `<p>${escapeHtml(text)}</p>`);
    }
  }

  /** Pairs the browser if the request has a key. Otherwise shows the action, or handles the form that was sent. */
  async #answer(request: IncomingMessage, response: ServerResponse, id: string | undefined): Promise<void> {
    const { config, runtime, sessions } = this.#options;
    const reads = request.method !== 'POST';
    // A page on another port of this host is same-site: a browser sends it the cookies of this one.
    if (!reads && fromOtherOrigin(request, config.PUBLIC_URL)) {
      // Such a form is accepted only if it holds a key, as the file that Switchboard opens in the browser does.
      const mayPair = request.headers.origin === 'null' && sessions.mayPair(request);
      const key = mayPair ? (await readForm(request)).get('key') || undefined : undefined;
      return key === undefined ? refuseOtherPage(request, response) : this.#pair(request, response, key, id);
    }
    const query = new URLSearchParams((request.url ?? '').split('?')[1] ?? '');
    const key = query.get('key');
    if (reads && key !== null) {
      const ahead = /prefetch|preview/i.test(`${request.headers['sec-purpose']} ${request.headers.purpose}`);
      if (request.method === 'GET' && !ahead) return this.#pair(request, response, key, id);
      // A form pairs the browser, so that a prefetch of the link of `switchboard key` does not use up the key.
      const form = `<form method="post" action="${addressOf(id)}"><input type="hidden" name="key" value="${escapeHtml(key)}"><button>Pair this browser</button></form>`;
      return page(response, 200, 'Pair this browser', form);
    }
    let action: Action | undefined;
    try {
      action = id === undefined ? undefined : await (await runtime()).gate.refresh(id);
    } catch (error) {
      return notFound(response, error);
    }
    const session = await sessions.find(request);
    const view: View = { request, action, viewer: session?.person, session: session?.id ?? '' };
    const csv = query.get('csv');
    if (reads && session && isBatch(action) && (csv === 'plan' || csv === 'results'))
      return sendCsv(response, { ...(await runtime()), action, viewer: session.person }, csv);
    return reads ? this.#show(response, view) : this.#post(response, view);
  }

  /** Handles a form: a key, or the token of a sign-in or a decision that this page offered. */
  async #post(response: ServerResponse, view: View): Promise<void> {
    const { request, action, viewer } = view;
    const form = await readForm(request);
    const key = form.get('key');
    if (key !== null) return this.#pair(request, response, key, action?.id);
    const sent = form.get('csrf') ?? '';
    const [nonce = ''] = sent.split('.');
    const isKnown = cookies(request, 'sb_csrf').some((cookie) => sameSecret(cookie, nonce));
    if (!isKnown || !sameSecret(sent, this.#csrfFor(view, nonce))) {
      const isOpen = action === undefined || action.state === 'pending';
      const next = isOpen ? 'Nothing was done. Try again.' : 'This press did nothing.';
      const problem = `This form is out of date or came from another page. ${next}`;
      return this.#show(response, view, { problem, status: 403 });
    }
    if (!viewer) return this.#signIn(response, view, form.get('token') ?? '');
    if (!action) return this.#show(response, view);
    return this.#act(response, { ...view, action, viewer }, form);
  }

  /** Does what the pressed button says, then shows the action as it is now. */
  async #act(response: ServerResponse, view: View & { action: Action; viewer: Actor }, form: URLSearchParams) {
    const { action, viewer } = view;
    const { gate, batches } = await this.#options.runtime();
    const act = form.get('act');
    let failed: Failure | undefined;
    /** Only a refused click is a problem. The platform's answer is part of the action and is shown with it. */
    let isRefused = false;
    try {
      const next = isBatch(action) ? await press(act, form, { batches, action, viewer }) : undefined;
      if (next !== undefined) return redirect(response, addressOf(next));
      if (act === 'decline') await gate.decline(action.id, viewer, 'page', { reason: form.get('reason') ?? '' });
      else if (act === 'check') await patiently(gate.reconcile(action.id, viewer));
      else if (act === 'wasDone') await gate.settle(action.id, viewer, 'done', 'page');
      else if (act === 'wasNot') await gate.settle(action.id, viewer, 'not_done', 'page');
      else if (act === 'qr') return this.#show(response, view, { activation: true });
      else if (act === 'confirm') await patiently(gate.confirm(action.id, viewer, 'page'));
      else if (act !== 'once') return this.#show(response, view, { problem: 'Press Confirm or Decline.', status: 400 });
    } catch (error) {
      failed = asSwitchboardError(error).face;
      isRefused = isBatch(action) || REFUSALS.includes(failed.code) || isStoreUnavailable(error);
    }
    const now = await gate.refresh(action.id).catch((error: unknown) => {
      // While the database is away, the action is shown as it was. The first failure says more than that of the reading.
      return isRefused ? action : notFound(response, failed ? new SwitchboardError(failed) : error);
    });
    if (now === undefined) return;
    if (failed && (isRefused || now.state === 'pending')) {
      const { charge: _, ...face } = failed;
      // The state of the action, above, says what a refused click was charged.
      const problem = failureText(isRefused ? face : failed, 'page');
      const status = isRefused ? (STATUS[failed.code] ?? 409) : 503;
      return this.#show(response, { ...view, action: now }, { problem, status });
    }
    const once = mayShow(now, viewer) ? await gate.takeOnce(now.id, personOf(viewer)) : undefined;
    if (act === 'once' && !once) {
      const shown = now.state === 'pending' ? 'There is nothing to show before the yes' : 'It was already shown';
      const problem = `${shown}. It is shown once, and only to the person who confirmed.`;
      return this.#show(response, { ...view, action: now }, { problem });
    }
    // A browser loads the page of a redirect again without sending the form again. Other clients get the outcome at once.
    if (!once && view.request.headers['sec-fetch-mode'] === 'navigate') return redirect(response, addressOf(now.id));
    return this.#show(response, { ...view, action: now }, once ? { once } : {});
  }

  /** Signs in with an approver's token, then reloads the page, which now shows the request. */
  async #signIn(response: ServerResponse, view: View, token: string): Promise<void> {
    const { sessions } = this.#options;
    if (token === '') {
      const problem = sessions.hasTokens ? NO_TOKEN : 'Sign in first. Nothing was done.';
      return this.#show(response, view, { problem, status: 403 });
    }
    const signed = await sessions.signIn(token, view.request.socket.remoteAddress);
    if ('cookie' in signed) return redirect(response, addressOf(view.action?.id), [signed.cookie]);
    if (signed.status === 429) response.setHeader('retry-after', '10');
    return this.#show(response, view, signed);
  }

  /** The key becomes a cookie and leaves the address bar. */
  async #pair(request: IncomingMessage, response: ServerResponse, key: string, id: string | undefined): Promise<void> {
    const { sessions } = this.#options;
    const cookie = await sessions.pair(request, key);
    if (cookie !== undefined || (await sessions.find(request)))
      return redirect(response, addressOf(id), cookie === undefined ? [] : [cookie]);
    const why = sessions.mayPair(request)
      ? 'This link has already been used or is older than ten minutes. <code>switchboard key</code> prints a new one.'
      : 'Only a browser on the computer where Switchboard runs can be paired, and only if Switchboard serves no other computer. Sign in with an approver’s token.';
    return page(response, 403, 'Not paired', `<p class="problem" role="alert">${why}</p>`);
  }

  /**
   * A form's token is valid for one action, one session and one purpose: a token from the sign-in form cannot decide,
   * and one session's token is not valid in another.
   */
  #csrfFor({ action, viewer, session }: View, nonce: string): string {
    const bound = JSON.stringify([viewer ? 'decide' : 'signin', session, action?.id ?? '', nonce]);
    return `${nonce}.${createHmac('sha256', this.#options.csrf).update(bound).digest('base64url')}`;
  }

  /**
   * A form's hidden field and its cookie, which is limited to this page, so that several pages can be open. A cookie
   * that the browser has already is used again, so that the same page in two windows can be pressed in both.
   */
  #guarded(response: ServerResponse, view: View): string {
    const known = cookies(view.request, 'sb_csrf').find((cookie) => NONCE.test(cookie));
    const nonce = known ?? randomBytes(16).toString('base64url');
    response.setHeader('set-cookie', `sb_csrf=${nonce}; Path=${addressOf(view.action?.id)}; HttpOnly; SameSite=Strict`);
    return `<input type="hidden" name="csrf" value="${this.#csrfFor(view, nonce)}">`;
  }

  /** Shows the action to a person who is signed in; to others, its state and how to sign in. */
  async #show(response: ServerResponse, view: View, notice: Notice = {}): Promise<void> {
    const { config, runtime, sessions, issuer } = this.#options;
    const { request, action, viewer } = view;
    const status = notice.status ?? 200;
    if (viewer && action) {
      const shown = { ...(await runtime()), action, viewer, hidden: this.#guarded(response, view) };
      const { title, body } = await actionHtml({ ...shown, isDemo: config.demo, issuer }, notice);
      return page(response, status, title, body);
    }
    if (viewer) return page(response, status, 'Signed in', await signedInHtml((await runtime()).gate, viewer));
    const ways = { mayPair: sessions.mayPair(request), hasTokens: sessions.hasTokens, issuer };
    const body = strangerHtml(action, ways, this.#guarded(response, view), notice);
    // A browser does not send a Strict cookie after a click on another site. Reloading the page sends it.
    const refresh = request.method === 'GET' && request.headers['sec-fetch-site'] === 'cross-site';
    return page(response, status, action ? 'Confirmation' : 'Sign in', body, refresh);
  }
}

function notFound(response: ServerResponse, error: unknown): void {
  const { face } = asSwitchboardError(error);
  const isMissing = face.code === 'not_found';
  const text = isMissing
    ? 'There is no confirmation at this address. It may have been mistyped.'
    : failureText(face, 'page');
  const title = face.outcome === 'unknown' ? 'Outcome unknown' : 'Not available';
  page(response, isMissing ? 404 : 503, isMissing ? 'No such confirmation' : title, `<p>${escapeHtml(text)}</p>`);
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

/**
 * The submitted form.
 *
 * @throws UnreadBody if it is larger than any form of this page, or arrives too late
 */
async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams((await readBody(request, { ...UNSIGNED_BODY, limit: 16 * 1024 })).toString('utf8'));
}

/** Waits a short time for the work of a click. Longer work goes on, and its result is shown on reload. */
async function patiently(work: Promise<unknown>): Promise<void> {
  await inTime(systemClock, PATIENCE_MS, work, () => undefined);
}
