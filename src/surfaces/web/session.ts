import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Seal } from '../../ledger/seal.ts';
import { type Actor, hasRole, identified, type Role } from '../../lib/actor.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import { type Attempts, cookies, fromLoopback, sameSecret } from '../../lib/http.ts';
import { isLoopback, objectIn, parseUrl, textOf } from '../../lib/values.ts';
import { KeyValues, NEVER } from '../../store/key-values.ts';
import type { Store } from '../../store/types.ts';
import { addressOf, escapeHtml, page, redirect } from './html.ts';

/**
 * Sign-ins on the confirmation page: with an approver's token, with the OAuth issuer, or from a browser paired with
 * this computer. Knowing the address of a page is not enough.
 */
export function createSessions(config: Config, pairing: Pairing, attempts: Attempts) {
  const { MCP_HTTP_TOKENS: tokens, MCP_OAUTH_ISSUER: issuer, user } = config;
  const oauthProof =
    issuer && pairing.proofOf(JSON.stringify([issuer, config.MCP_OAUTH_AUDIENCE, config.MCP_OAUTH_ROLES]));

  /** True if the caller can pair their browser, because the server is local and the request comes from this computer. */
  const mayPair = (request: IncomingMessage) => config.local && fromLoopback(request);

  /** Signs a browser in. Returns its cookie. */
  async function open(who: SignedIn, ms: number): Promise<string> {
    const value = await pairing.open(who, ms);
    return `${pairing.cookieName}=${value}; Path=/confirm; Max-Age=${ms / 1000}; HttpOnly; SameSite=Strict${secure(config)}`;
  }

  return {
    mayPair,
    /** True if any approver token is configured. */
    hasTokens: tokens.some(({ role }) => role === 'approver'),

    /**
     * The person signed in and a digest of their cookie. Undefined without a sign-in, for an expired session, a revoked
     * token, or a paired browser on another computer.
     */
    async find(request: IncomingMessage): Promise<{ person: Actor; id: string } | undefined> {
      for (const value of cookies(request, pairing.cookieName)) {
        const found = await pairing.find(value);
        if (found === undefined) continue;
        const { person: id, proof, name } = found;
        const entry = tokens.find((one) => `token:${one.name}` === id && one.role === 'approver');
        const isPaired = id === `local:${user}` && proof === '';
        const needed = id.startsWith('oauth:') ? oauthProof : entry && pairing.proofOf(entry.token);
        const isValid = isPaired ? mayPair(request) : needed !== undefined && sameSecret(needed, proof);
        if (!isValid) continue;
        const shown = isPaired ? user : (entry?.name ?? name ?? id);
        // The identity is recorded as the decider.
        const person = { id: `page:${id}`, person: id, name: shown, role: 'approver', surface: 'page' } as const;
        return { person: { ...person, priority: 'person' }, id: pairing.sessionId(value) };
      }
      return undefined;
    },

    /**
     * Signs in with an approver's token, or says why not. Repeated attempts with a wrong token, or with one of another
     * role, are delayed longer and longer. They are counted by `address`, the address of the connection.
     */
    async signIn(token: string, address: string | undefined) {
      // Every token is compared, so that timing does not reveal which one was similar.
      const [match] = tokens.filter((entry) => sameSecret(token, entry.token));
      const approver = match?.role === 'approver' ? match : undefined;
      const person = approver && `token:${approver.name}`;
      const busy = 'Too many wrong tokens came from this address. Nothing was done; try again in a few seconds.';
      if (!(await attempts.judge(address, person))) return { problem: busy, status: 429 };
      if (!approver || !person) return { problem: NO_TOKEN, status: 403 };
      return { cookie: await open({ person, proof: pairing.proofOf(approver.token) }, SESSION_MS) };
    },

    /** Pairs the browser behind this request with a one-time key. Returns the cookie; undefined if the key is not valid. */
    async pair(request: IncomingMessage, key: string): Promise<string | undefined> {
      if (!mayPair(request) || !(await pairing.redeem(key))) return undefined;
      return open({ person: `local:${user}`, proof: '' }, SESSION_MS);
    },

    /** Signs in an approver whom the OAuth issuer identified. Returns the cookie. */
    openOAuth: (person: string, name: string) => open({ person, name, proof: oauthProof ?? '' }, OAUTH_SESSION_MS),
  };
}

export type Sessions = ReturnType<typeof createSessions>;

export const NO_TOKEN = 'An approver’s token is required. Nothing was done.';

/** The end of a cookie that is sent over https only. */
const secure = ({ PUBLIC_URL }: Config) => (PUBLIC_URL?.startsWith('https:') ? '; Secure' : '');

/** The secrets of one sign-in. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  /** PKCE code verifier. */
  verifier: string;
}

/** The authorization code flow with the OAuth issuer. */
interface AuthorizationFlow {
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
export function createSignIn(
  flow: AuthorizationFlow,
  { config, sessions, seal, clock }: { config: Config; sessions: Sessions; seal: Seal; clock: Clock },
) {
  /** Lax, because the browser comes back from another site. One per sign-in, so that two tabs can sign in. */
  const cookie = (state: string, value: string, ms: number) =>
    `${nameOf(state)}=${value}; Path=/confirm/oauth; Max-Age=${ms / 1000}; HttpOnly; SameSite=Lax${secure(config)}`;

  async function begin(query: URLSearchParams, response: ServerResponse): Promise<void> {
    const random = () => randomBytes(32).toString('base64url');
    const begun: Begun = {
      state: random(),
      nonce: random(),
      verifier: random(),
      id: /^[\w-]{1,100}$/.exec(query.get('id') ?? '')?.[0],
      expiresAt: clock.now() + SIGN_IN_MS,
    };
    const address = await flow.begin(begun, query.has('again'));
    const sealed = Buffer.from(seal.seal(begun, `sign-in ${begun.state}`)).toString('base64url');
    redirect(response, address.href, [cookie(begun.state, sealed, SIGN_IN_MS)]);
  }

  async function finish(request: IncomingMessage, response: ServerResponse, query: string): Promise<void> {
    const state = new URLSearchParams(query).get('state') ?? '';
    const begun = begunIn(request, state);
    if (!begun)
      throw new SignInFailed(403, 'This sign-in was not started in this browser, or took longer than ten minutes.');
    const { person, name, role } = await flow.finish(query, begun);
    if (role === undefined || !hasRole({ role }, 'approver')) {
      const has = role === undefined ? 'no role' : `the role ${role}`;
      const text = `Confirming needs the role approver (MCP_OAUTH_ROLES); ${identified(person, name)} has ${has}.`;
      return refuse(response, 403, text, begun.id);
    }
    redirect(response, addressOf(begun.id), [await sessions.openOAuth(person, name), cookie(state, '', 0)]);
  }

  function refuse(response: ServerResponse, status: number, text: string, id?: string): void {
    const again = `<a href="${escapeHtml(beginAddress(id, true))}">Try again, or sign in as somebody else</a>`;
    const body = `<p class="problem" role="alert">${escapeHtml(text)} Nothing was done.</p><p>${again}</p>`;
    page(response, status, 'Not signed in', body);
  }

  function begunIn(request: IncomingMessage, state: string): Begun | undefined {
    for (const value of cookies(request, nameOf(state)))
      try {
        const begun = seal.open(Buffer.from(value, 'base64url'), `sign-in ${state}`) as Begun;
        if (begun.state === state && begun.expiresAt > clock.now()) return begun;
      } catch {
        // The cookie is of another installation or another sign-in.
      }
    return undefined;
  }

  /** Answers a GET of `BEGIN_PATH` or `RETURN_PATH`. */
  return async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    const query = (request.url ?? '').split('?')[1] ?? '';
    try {
      if (path === BEGIN_PATH) await begin(new URLSearchParams(query), response);
      else await finish(request, response, query);
    } catch (error) {
      if (!(error instanceof SignInFailed)) throw error;
      refuse(response, error.status, error.message);
    }
  };
}

/** The address that begins a sign-in and comes back to this confirmation. */
export function beginAddress(id: string | undefined, again = false): string {
  const query = new URLSearchParams({ ...(id !== undefined && { id }), ...(again && { again: '1' }) }).toString();
  return query === '' ? BEGIN_PATH : `${BEGIN_PATH}?${query}`;
}

function nameOf(state: string): string {
  return `sb_signin_${/^[\w-]{8}/.exec(state)?.[0] ?? 'none'}`;
}

/** Time limit of a sign-in: for a link of `switchboard key`, and for the sign-in at the OAuth issuer. */
export const SIGN_IN_MS = 10 * 60_000;
/** Lifetime of a browser's sign-in: a working day. */
export const SESSION_MS = 12 * 3_600_000;
/**
 * The same after a sign-in with the OAuth issuer. Shorter, because a change of roles takes effect at the next sign-in.
 */
const OAUTH_SESSION_MS = 3_600_000;

/** The person who is signed in in a browser. */
interface SignedIn {
  /** "local:ana", "token:ops" or "oauth:<sub>": the same identity as on every other surface. */
  person: string;
  /**
   * Digest of the token that signed in, or of the OAuth settings, so that changing or removing them signs out; '' for a
   * key.
   */
  proof: string;
  /** For display, if the identity does not include it. */
  name?: string | null;
}

/** A process of this installation that serves confirmation pages. */
export interface PageServer {
  url: string;
  pid: number;
}

/** A stored sign-in. `until`: its end (epoch ms). */
interface Session extends SignedIn {
  until: number;
  seal: string;
}

/**
 * One-time keys and signed-in browsers of this installation, in the store, so that the key that `switchboard key` makes
 * is valid on the running server. Only digests under the sealing key are stored: the rows alone do not allow a sign-in,
 * and rows written without the sealing key are not valid.
 */
export function createPairing(store: Pick<Store, 'database' | 'clock'>, seal: Seal) {
  const { clock } = store;
  const values = { database: store.database('pairing'), clock };
  const sessions = new KeyValues({ ...values, kind: 'session' });
  const links = new KeyValues({ ...values, kind: 'sign-in link' });
  const servers = new KeyValues({ ...values, kind: 'page server' });
  const random = () => randomBytes(32).toString('base64url');
  const digestOf = (kind: string, secret: string) => seal.digest(`${kind}\n${secret}`);
  const sealOf = (digest: string, { person, proof, name = null, until }: Omit<Session, 'seal'>) =>
    seal.mac(JSON.stringify(['session', digest, person, proof, name, until]));
  const proofOfServer = ({ url, pid }: PageServer, startedAt: number) =>
    seal.mac(JSON.stringify(['page server', url, pid, startedAt]));

  return {
    /** Distinguishes this installation's cookie from that of another one on the same computer. */
    cookieName: `sb_session_${seal.digest('cookie name').slice(0, 8)}`,

    /** A new one-time key, valid for ten minutes. Only its digest is stored. */
    async makeKey(): Promise<string> {
      const key = random();
      await links.add(digestOf('key', key), clock.now() + SIGN_IN_MS);
      return key;
    },

    /** Uses a key. True once, for a key that this installation made and that has not expired. */
    redeem: (key: string) => links.take(digestOf('key', key)),

    /** Signs a browser in for this many milliseconds. Returns the value of its cookie. */
    async open({ person, proof, name = null }: SignedIn, ms: number = SESSION_MS): Promise<string> {
      const value = random();
      const digest = digestOf('session', value);
      const session = { person, proof, name, until: clock.now() + ms };
      const sealed: Session = { ...session, seal: sealOf(digest, session) };
      await sessions.add(digest, session.until, JSON.stringify(sealed));
      return value;
    },

    /**
     * The person signed in with this cookie. Undefined if it has expired or is unknown, or if its row was changed: with
     * another person in it, an approver could confirm their own request.
     */
    async find(cookie: string): Promise<SignedIn | undefined> {
      const digest = digestOf('session', cookie);
      const stored = await sessions.get(digest);
      if (stored === undefined) return undefined;
      const { until, seal: given, ...who } = JSON.parse(stored) as Session;
      return sameSecret(given, sealOf(digest, { ...who, until })) && until > clock.now() ? who : undefined;
    },

    /** A keyed digest of a session's cookie, different from the one it is stored under. */
    sessionId: (cookie: string) => digestOf('session id', cookie),

    /** A keyed digest of a token, for `SignedIn.proof`. */
    proofOf: (token: string) => digestOf('token', token),

    /** Stores the address where this process serves pages, for `switchboard key`. */
    async serve(server: PageServer): Promise<void> {
      const startedAt = clock.now();
      const noted = { pid: server.pid, startedAt, proof: proofOfServer(server, startedAt) };
      await servers.change(server.url, NEVER, () => JSON.stringify(noted));
    },

    leave: (url: string) => servers.take(url),

    /**
     * The addresses where pages are served, newest first, including those of processes that were killed. One-time keys
     * are sent there, so only rows that this installation wrote count, and only addresses on loopback and `publicUrl`.
     */
    async servers(publicUrl?: string): Promise<PageServer[]> {
      const noted = (await servers.all()).map(({ key: url, value }) => {
        const { pid, startedAt, proof } = objectIn(value) ?? {};
        return { url, pid: Number(pid), startedAt: Number(startedAt), proof: textOf(proof) };
      });
      return noted
        .filter((server) => sameSecret(server.proof, proofOfServer(server, server.startedAt)))
        .filter(({ url }) => {
          const parsed = parseUrl(url);
          return url === publicUrl || (parsed?.protocol === 'http:' && isLoopback(parsed.hostname));
        })
        .sort((a, b) => b.startedAt - a.startedAt)
        .map(({ url, pid }) => ({ url, pid }));
    },
  };
}
export type Pairing = ReturnType<typeof createPairing>;

/** The address that pairs the browser which opens it. */
export function pairingLink(base: string, key: string): string {
  return `${base}/confirm?key=${key}`;
}

/**
 * Writes a page that posts a one-time key to `address`, and returns its path. Every user of the computer can read the
 * arguments of a program that opens a browser, so the browser gets the path of this file, which only its owner can
 * read.
 */
export function writePairingPage(folder: string, { address, key }: { address: string; key: string }): string {
  const path = join(folder, 'switchboard-pair.html');
  const input = `<input type="hidden" name="key" value="${escapeHtml(key)}">`;
  const form = `<form method="post" action="${escapeHtml(address)}">${input}<button>Pair this browser</button></form>`;
  const html = `<!doctype html><meta charset="utf-8"><title>Switchboard</title>${form}<script>document.forms[0].submit()</script>\n`;
  writeFileSync(path, html, { mode: 0o600 });
  return path;
}

/**
 * Opens a file in the user's browser. Rejects if no browser could be started. `path` becomes an argument of a program,
 * which every user of the computer can read.
 */
export type Opener = (path: string) => Promise<void>;

/** Uses the `open` package, which knows how each system opens a browser. It is loaded when it is first needed. */
export const openBrowser: Opener = async (path) => {
  const { default: open } = await import('open');
  const child = await open(path);
  // Without a listener, a browser that fails later would end this process.
  child.on('error', () => undefined);
};
