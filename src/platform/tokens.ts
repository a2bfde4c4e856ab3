import type { Clock } from '../clock.ts';
import { SwitchboardError } from '../errors.ts';
import { cancelled, outOfBudget, type Want } from './budget.ts';
import { after } from './retry.ts';
import type { Answer, Priority } from './types.ts';

const MARGIN_MS = 60_000;
const DAY_MS = 86_400_000;
/** Several times the endpoints the platform has; the least lately used is forgotten beyond it. */
const MAX_HELD = 500;
const RANKS: readonly Priority[] = ['person', 'assistant', 'background'];

export interface Token {
  value: string;
  /** As the platform wrote it. */
  tokenExpiry: string;
  /** Epoch ms. */
  expiresAt: number;
  /** Epoch ms: from then on it is not taken for a new call. */
  usableUntil: number;
}

/** How a token request is sent: with retries, in the budget. Rejects with `SwitchboardError`, outcome `not_done`. */
export type AskForToken = (url: string, want: Want) => Promise<Answer>;

interface Waiter {
  want: Want;
  resolve: (token: Token) => void;
  reject: (error: unknown) => void;
}

interface Fetch {
  waiters: Set<Waiter>;
  abort: AbortController;
  priority: Priority;
  raise?: (priority: Priority) => void;
  /** Epoch ms, while it waits for the budget: when it expects its turn. */
  turnAt?: number;
  /** On the wire, it is awaited even if nobody waits: the next call will want it. */
  onWire: boolean;
}

/**
 * One token per endpoint URL (platform.md, Authentication), reused until the sooner of `tokenExpiry` and the JWT's
 * `exp`, less 60 s, or less half of a lifetime below two minutes (gaps.md, Token lifetime).
 */
export class Tokens {
  private readonly held = new Map<string, Token>();
  private readonly fetches = new Map<string, Fetch>();
  private readonly clock: Clock;
  private readonly timeZone: string;
  private readonly ask: AskForToken;

  constructor(clock: Clock, timeZone: string, ask: AskForToken) {
    this.clock = clock;
    this.timeZone = timeZone;
    this.ask = ask;
  }

  /** All tokens held, for redaction. */
  values(): string[] {
    return [...this.held.values()].map((token) => token.value);
  }

  /**
   * The token for a URL; `fresh` if this call waited for a new one. However many wait, one is fetched. A caller's
   * abort or deadline ends its own wait only, unless it was the last one waiting.
   */
  async get(url: string, want: Want): Promise<{ token: Token; fresh: boolean }> {
    const token = this.held.get(url);
    if (token !== undefined && token.usableUntil > this.clock.now()) {
      this.keep(url, token);
      return { token, fresh: false };
    }
    if (want.signal?.aborted) throw cancelled();
    return { token: await this.join(url, want), fresh: true };
  }

  /** Bounded: the one whose turn is longest past goes first. */
  private keep(url: string, token: Token): void {
    this.held.delete(url);
    const [oldest] = this.held.keys();
    if (this.held.size >= MAX_HELD && oldest !== undefined) this.held.delete(oldest);
    this.held.set(url, token);
  }

  /** The platform refused it: forgotten, unless a newer one is held already. */
  drop(url: string, token: Token): void {
    if (this.held.get(url) === token) this.held.delete(url);
  }

  private join(url: string, want: Want): Promise<Token> {
    return new Promise((resolve, reject) => {
      const found = this.fetches.get(url);
      const { priority } = want;
      const fetch: Fetch = found ?? { waiters: new Set(), abort: new AbortController(), priority, onWire: false };
      const waiter: Waiter = {
        want,
        resolve: (token) => {
          clear();
          resolve(token);
        },
        reject: (error) => {
          clear();
          reject(error);
        },
      };
      const leave = (error: SwitchboardError) => {
        waiter.reject(error);
        if (fetch.waiters.size > 0 || fetch.onWire) return;
        // Whoever comes from now on starts anew.
        if (this.fetches.get(url) === fetch) this.fetches.delete(url);
        fetch.abort.abort();
      };
      const cancel = after(this.clock, want.deadline - this.clock.now(), () => leave(this.late(fetch)));
      const onAbort = () => leave(cancelled());
      want.signal?.addEventListener('abort', onAbort, { once: true });
      const clear = () => {
        cancel();
        want.signal?.removeEventListener('abort', onAbort);
        fetch.waiters.delete(waiter);
      };
      fetch.waiters.add(waiter);
      if (found === undefined) {
        this.fetches.set(url, fetch);
        void this.run(url, fetch);
        return;
      }
      if (RANKS.indexOf(want.priority) < RANKS.indexOf(fetch.priority)) {
        fetch.priority = want.priority;
        fetch.raise?.(want.priority);
      }
      if (fetch.turnAt !== undefined) want.onWait?.(Math.max(1, Math.ceil((fetch.turnAt - this.clock.now()) / 1000)));
    });
  }

  private late(fetch: Fetch): SwitchboardError {
    if (fetch.turnAt !== undefined) return outOfBudget(fetch.turnAt - this.clock.now());
    const message = 'The platform did not give an access token in time. Nothing was done; try again later.';
    return new SwitchboardError({ code: 'timeout', message, outcome: 'not_done' });
  }

  /** Never rejects: its waiters are told. */
  private async run(url: string, fetch: Fetch): Promise<void> {
    const want: Want = {
      get priority() {
        return fetch.priority;
      },
      /** Retries go on as long as anybody has the time for them. */
      get deadline() {
        return Math.max(0, ...[...fetch.waiters].map((waiter) => waiter.want.deadline));
      },
      signal: fetch.abort.signal,
      onQueued: (raise) => {
        fetch.raise = raise;
      },
      onWait: (seconds) => {
        fetch.turnAt = this.clock.now() + seconds * 1000;
        for (const waiter of fetch.waiters) waiter.want.onWait?.(seconds);
      },
      onWire: (is) => {
        fetch.onWire = is;
        delete fetch.turnAt;
        delete fetch.raise;
      },
    };
    try {
      const token = this.read(await this.ask(url, want));
      if (token.usableUntil > this.clock.now()) this.keep(url, token);
      for (const waiter of [...fetch.waiters]) waiter.resolve(token);
    } catch (error) {
      for (const waiter of [...fetch.waiters]) waiter.reject(error);
    } finally {
      if (this.fetches.get(url) === fetch) this.fetches.delete(url);
    }
  }

  private read(answer: Answer): Token {
    const { token, tokenExpiry } = answer;
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
      const message =
        'The platform’s answer to the token request holds no token. Nothing was done; check PLATFORM_BASE_URL.';
      throw new SwitchboardError({ code: 'server_error', message, outcome: 'not_done', status: 200 });
    }
    const text = typeof tokenExpiry === 'string' ? tokenExpiry : '';
    const said = [readExpiry(text, this.timeZone), readJwtExpiry(token)].filter((at) => at !== undefined);
    const now = this.clock.now();
    // An expiry nobody can read is not assumed: such a token serves those who wait for it, and no one after.
    const expiresAt = said.length === 0 ? Number.POSITIVE_INFINITY : Math.min(...said);
    const lifetime = expiresAt - now;
    const usableUntil = said.length === 0 ? now : expiresAt - (lifetime < 2 * MARGIN_MS ? lifetime / 2 : MARGIN_MS);
    return { value: token, tokenExpiry: text, expiresAt, usableUntil };
  }
}

/** "MM/DD/YYYY hh:mm:ss AM" of a time zone as epoch ms; of an hour that comes twice, the first (the safe reading). */
export function readExpiry(text: string, timeZone: string): number | undefined {
  const found = /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4}),?\s+(\d{1,2}):(\d{2}):(\d{2})\s*([AP])\.?M\.?\s*$/i.exec(text);
  if (found === null) return undefined;
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour < 1 || hour > 12) return undefined;
  const hours = (hour % 12) + (found[7]?.toUpperCase() === 'P' ? 12 : 0);
  const wall = Date.UTC(year, month - 1, day, hours, minute, second);
  const candidates = [wall - DAY_MS, wall + DAY_MS].map((near) => wall - offset(near, timeZone));
  const real = candidates.filter((at) => at + offset(at, timeZone) === wall);
  return Math.min(...(real.length > 0 ? real : candidates));
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** What a zone's wall clock is ahead of UTC at a moment, in ms. */
function offset(at: number, timeZone: string): number {
  const known = formats.get(timeZone);
  const format =
    known ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  if (known === undefined) formats.set(timeZone, format);
  const parts = Object.fromEntries(format.formatToParts(at).map((part) => [part.type, Number(part.value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

/** A JWT's own `exp` as epoch ms, if it can be read; its signature is the platform's business. */
export function readJwtExpiry(token: string): number | undefined {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const exp = (payload as { exp?: unknown } | null)?.exp;
    return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}
