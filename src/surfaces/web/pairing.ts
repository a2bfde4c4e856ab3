import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Seal } from '../../ledger/seal.ts';
import type { Clock } from '../../lib/clock.ts';
import { isLoopback, parseUrl, sameSecret } from '../../lib/http.ts';
import { objectIn, textOf } from '../../lib/values.ts';
import { KeyValues, NEVER } from '../../store/key-values.ts';
import type { Database } from '../../store/types.ts';
import { escapeHtml } from './html.ts';

/** Time limit of a sign-in: for a link of `switchboard key`, and for the sign-in at the OAuth issuer. */
export const SIGN_IN_MS = 10 * 60_000;
/** Lifetime of a browser's sign-in: a working day. */
export const SESSION_MS = 12 * 3_600_000;
/**
 * The same after a sign-in with the OAuth issuer. Shorter, because a change of roles takes effect at the next sign-in.
 */
export const OAUTH_SESSION_MS = 3_600_000;

/** The person who is signed in in a browser. */
export interface SignedIn {
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
export class Pairing {
  readonly #seal: Seal;
  readonly #clock: Clock;
  readonly #links: KeyValues;
  readonly #sessions: KeyValues;
  readonly #servers: KeyValues;
  /** Distinguishes this installation's cookie from that of another one on the same computer. */
  readonly cookieName: string;

  constructor(options: { database: Database; seal: Seal; clock: Clock }) {
    this.#seal = options.seal;
    this.#clock = options.clock;
    this.#sessions = new KeyValues({ ...options, kind: 'session' });
    this.#links = new KeyValues({ ...options, kind: 'sign-in link' });
    this.#servers = new KeyValues({ ...options, kind: 'page server' });
    this.cookieName = `sb_session_${options.seal.digest('cookie name').slice(0, 8)}`;
  }

  /** A new one-time key, valid for ten minutes. Only its digest is stored. */
  async makeKey(): Promise<string> {
    const key = randomBytes(32).toString('base64url');
    await this.#links.add(this.#digest('key', key), this.#clock.now() + SIGN_IN_MS);
    return key;
  }

  /** Uses a key. True once, for a key that this installation made and that has not expired. */
  redeem(key: string): Promise<boolean> {
    return this.#links.take(this.#digest('key', key));
  }

  /** Signs a browser in for this many milliseconds. Returns the value of its cookie. */
  async open(who: SignedIn, ms: number = SESSION_MS): Promise<string> {
    const value = randomBytes(32).toString('base64url');
    const digest = this.#digest('session', value);
    const until = this.#clock.now() + ms;
    const session = { person: who.person, proof: who.proof, name: who.name ?? null, until };
    const sealed: Session = { ...session, seal: this.#sealOfSession(digest, session) };
    await this.#sessions.add(digest, until, JSON.stringify(sealed));
    return value;
  }

  /**
   * The person signed in with this cookie. Undefined if it has expired or is unknown, or if its row was changed: with
   * another person in it, an approver could confirm their own request.
   */
  async find(cookie: string): Promise<SignedIn | undefined> {
    const digest = this.#digest('session', cookie);
    const stored = await this.#sessions.get(digest);
    if (stored === undefined) return undefined;
    const { until, seal, ...who } = JSON.parse(stored) as Session;
    const isOurs = sameSecret(seal, this.#sealOfSession(digest, { ...who, until }));
    return isOurs && until > this.#clock.now() ? who : undefined;
  }

  /** A keyed digest of a session's cookie, different from the one it is stored under. */
  sessionId(cookie: string): string {
    return this.#digest('session id', cookie);
  }

  /** A keyed digest of a token, for `SignedIn.proof`. */
  proofOf(token: string): string {
    return this.#digest('token', token);
  }

  /** Stores the address where this process serves pages, for `switchboard key`. */
  async serve(server: PageServer): Promise<void> {
    const startedAt = this.#clock.now();
    const noted = { pid: server.pid, startedAt, proof: this.#proofOfServer(server, startedAt) };
    await this.#servers.change(server.url, NEVER, () => JSON.stringify(noted));
  }

  async leave(url: string): Promise<void> {
    await this.#servers.take(url);
  }

  /**
   * The addresses where pages are served, newest first, including those of processes that were killed. One-time keys
   * are sent there, so only rows that this installation wrote count, and only addresses on loopback and `publicUrl`.
   */
  async servers(publicUrl?: string): Promise<PageServer[]> {
    const noted = (await this.#servers.all()).map(({ key: url, value }) => {
      const { pid, startedAt, proof } = objectIn(value) ?? {};
      return { url, pid: Number(pid), startedAt: Number(startedAt), proof: textOf(proof) };
    });
    return noted
      .filter((server) => sameSecret(server.proof, this.#proofOfServer(server, server.startedAt)))
      .filter(({ url }) => {
        const parsed = parseUrl(url);
        return url === publicUrl || (parsed?.protocol === 'http:' && isLoopback(parsed.hostname));
      })
      .sort((a, b) => b.startedAt - a.startedAt)
      .map(({ url, pid }) => ({ url, pid }));
  }

  #sealOfSession(digest: string, { person, proof, name, until }: Omit<Session, 'seal'>): string {
    return this.#seal.mac(JSON.stringify(['session', digest, person, proof, name ?? null, until]));
  }

  #proofOfServer({ url, pid }: PageServer, startedAt: number): string {
    return this.#seal.mac(JSON.stringify(['page server', url, pid, startedAt]));
  }

  #digest(kind: string, secret: string): string {
    return this.#seal.digest(`${kind}\n${secret}`);
  }
}

/** The address that pairs the browser which opens it. */
export function pairingLink(base: string, key: string): string {
  return `${base}/confirm?key=${key}`;
}

const NAME = /^switchboard-pair-[\w-]+\.html$/;

/**
 * Writes a page that posts a one-time key to `address`, and returns its path. Every user of the computer can read the
 * arguments of a program that opens a browser, so the browser gets the path of this file, which only its owner can
 * read.
 */
export function writePairingPage(folder: string, { address, key }: { address: string; key: string }): string {
  // Pages whose keys have expired are removed.
  for (const name of readdirSync(folder).filter((one) => NAME.test(one))) {
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    if (found && found.mtimeMs < Date.now() - SIGN_IN_MS) rmSync(join(folder, name), { force: true });
  }
  const path = join(folder, `switchboard-pair-${randomBytes(9).toString('base64url')}.html`);
  const input = `<input type="hidden" name="key" value="${escapeHtml(key)}">`;
  const form = `<form method="post" action="${escapeHtml(address)}">${input}<button>Pair this browser</button></form>`;
  const html = `<!doctype html><meta charset="utf-8"><title>Switchboard</title>${form}<script>document.forms[0].submit()</script>\n`;
  writeFileSync(path, html, { mode: 0o600, flag: 'wx' });
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
