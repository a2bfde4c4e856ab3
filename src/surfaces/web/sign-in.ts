import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Seal } from '../../ledger/seal.ts';
import { hasRole, identified, type Role } from '../../lib/actor.ts';
import type { Clock } from '../../lib/clock.ts';
import { cookies } from '../../lib/http.ts';
import { addressOf, escapeHtml, page, redirect } from './html.ts';
import { SIGN_IN_MS } from './pairing.ts';
import type { Sessions } from './session.ts';

/** The secrets of one sign-in. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  /** PKCE code verifier. */
  verifier: string;
}

/** The authorization code flow with the OAuth issuer. */
export interface AuthorizationFlow {
  /** Host of the issuer, as the page shows it. */
  issuer: string;
  /**
   * The issuer's address to send the browser to. With `again`, the issuer asks for the account even if the browser is
   * signed in there.
   *
   * @throws SignInFailed
   */
  begin(secrets: SignInSecrets, again: boolean): Promise<URL>;
  /**
   * The person who signed in. `query` comes from the address that the issuer sent the browser back to.
   *
   * @throws SignInFailed
   */
  finish(query: string, secrets: SignInSecrets): Promise<{ person: string; name: string; role: Role | undefined }>;
}

/** A sign-in that did not succeed. The message is a sentence for the person in the browser. */
export class SignInFailed extends Error {
  override readonly name = 'SignInFailed';
  readonly status: 403 | 503;

  constructor(status: 403 | 503, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** Two segments below `/confirm`, so that they are not ids of confirmations. */
export const BEGIN_PATH = '/confirm/oauth/begin';
export const RETURN_PATH = '/confirm/oauth/return';

export interface SignInOptions {
  flow: AuthorizationFlow;
  sessions: Sessions;
  seal: Seal;
  clock: Clock;
  /** True if cookies are sent over https only. */
  secure: boolean;
}

interface Begun extends SignInSecrets {
  /** The confirmation the person came from. */
  id: string | undefined;
  expiresAt: number;
}

/**
 * Signs approvers in with the OAuth issuer: `BEGIN_PATH` sends the browser there, and it comes back to `RETURN_PATH`.
 * The secrets of a sign-in are kept in a sealed cookie, so that any process of this installation can finish it, but
 * only in the browser that began it.
 */
export class OAuthSignIn {
  readonly #options: SignInOptions;

  constructor(options: SignInOptions) {
    this.#options = options;
  }

  /** Answers a GET of `BEGIN_PATH` or `RETURN_PATH`. */
  async handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const query = (request.url ?? '').split('?')[1] ?? '';
    try {
      if (path === BEGIN_PATH) await this.#begin(new URLSearchParams(query), response);
      else await this.#finish(request, response, query);
    } catch (error) {
      if (!(error instanceof SignInFailed)) throw error;
      this.#refuse(response, error.status, error.message, undefined);
    }
  }

  async #begin(query: URLSearchParams, response: ServerResponse): Promise<void> {
    const random = () => randomBytes(32).toString('base64url');
    const begun: Begun = {
      state: random(),
      nonce: random(),
      verifier: random(),
      id: /^[\w-]{1,100}$/.exec(query.get('id') ?? '')?.[0],
      expiresAt: this.#options.clock.now() + SIGN_IN_MS,
    };
    const address = await this.#options.flow.begin(begun, query.has('again'));
    const sealed = Buffer.from(this.#options.seal.seal(begun, `sign-in ${begun.state}`)).toString('base64url');
    redirect(response, address.href, [this.#cookie(begun.state, sealed, SIGN_IN_MS)]);
  }

  async #finish(request: IncomingMessage, response: ServerResponse, query: string): Promise<void> {
    const state = new URLSearchParams(query).get('state') ?? '';
    const begun = this.#begun(request, state);
    if (!begun) {
      const text = 'This sign-in was not started in this browser, or took longer than ten minutes.';
      return this.#refuse(response, 403, text, undefined);
    }
    const { person, name, role } = await this.#options.flow.finish(query, begun);
    if (role === undefined || !hasRole({ role }, 'approver')) {
      const has = role === undefined ? 'no role' : `the role ${role}`;
      const text = `Confirming needs the role approver (MCP_OAUTH_ROLES); ${identified(person, name)} has ${has}.`;
      return this.#refuse(response, 403, text, begun.id);
    }
    const done = this.#cookie(state, '', 0);
    redirect(response, addressOf(begun.id), [await this.#options.sessions.openOAuth(person, name), done]);
  }

  #refuse(response: ServerResponse, status: number, text: string, id: string | undefined): void {
    const again = `<a href="${escapeHtml(beginAddress(id, true))}">Try again, or sign in as somebody else</a>`;
    const body = `<p class="problem" role="alert">${escapeHtml(text)} Nothing was done.</p><p>${again}</p>`;
    page(response, status, 'Not signed in', body);
  }

  #begun(request: IncomingMessage, state: string): Begun | undefined {
    for (const value of cookies(request, nameOf(state)))
      try {
        const begun = this.#options.seal.open(Buffer.from(value, 'base64url'), `sign-in ${state}`) as Begun;
        if (begun.state === state && begun.expiresAt > this.#options.clock.now()) return begun;
      } catch {
        // The cookie is of another installation or another sign-in.
      }
    return undefined;
  }

  /** Lax, because the browser comes back from another site. One per sign-in, so that two tabs can sign in. */
  #cookie(state: string, value: string, ms: number): string {
    const secure = this.#options.secure ? '; Secure' : '';
    return `${nameOf(state)}=${value}; Path=/confirm/oauth; Max-Age=${ms / 1000}; HttpOnly; SameSite=Lax${secure}`;
  }
}

/** The address that begins a sign-in and comes back to this confirmation. */
export function beginAddress(id: string | undefined, again = false): string {
  const query = new URLSearchParams({ ...(id !== undefined && { id }), ...(again && { again: '1' }) }).toString();
  return query === '' ? BEGIN_PATH : `${BEGIN_PATH}?${query}`;
}

function nameOf(state: string): string {
  return `sb_signin_${/^[\w-]{8}/.exec(state)?.[0] ?? 'none'}`;
}
