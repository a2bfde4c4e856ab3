import type { Priority } from '../lib/actor.ts';
import { after, type Clock, sleep } from '../lib/clock.ts';
import { POLL_MS } from '../lib/durations.ts';
import { SwitchboardError } from '../lib/errors.ts';
import { BoundedMap } from '../lib/lists.ts';
import { cancelled, outOfBudget } from './answer.ts';
import { isMoreUrgent, type Want } from './budget.ts';
import { momentsOf } from './dialect/dates.ts';
import type { Answer, ClientOptions, Token, TokenStore } from './types.ts';

const MARGIN_MS = 60_000;
/** Maximum characters of an unreadable expiry that are shown. */
const MAX_SHOWN = 60;
/**
 * Maximum number of stored tokens: several times the number of endpoints. Beyond it, the least recently used token is
 * dropped.
 */
const MAX_HELD = 500;

/** Sends a token request: with retries, in the budget. Rejects with `SwitchboardError`, outcome `not_done`. */
export type AskForToken = (url: string, want: Want) => Promise<Answer>;

interface Waiter {
  want: Want;
  resolve: (found: Found) => void;
  reject: (error: unknown) => void;
}

/** A token. `fresh`: true if it was fetched for the calls that wait for it. */
interface Found {
  token: Token;
  fresh: boolean;
}

interface Fetch {
  waiters: Set<Waiter>;
  abort: AbortController;
  priority: Priority;
  /** The actor whose share of the budget it uses: the first that asked for the token. */
  actor: string;
  raise?: (priority: Priority) => void;
  /** The expected time of its turn (epoch ms), while it waits for the budget. */
  turnAt?: number;
  /** A request that was sent is awaited even if no call waits any more: the next call will need the token. */
  onWire: boolean;
}

/**
 * One token for each endpoint URL (PLATFORM.md, Authentication). It is reused until 60 s before the earlier of
 * `tokenExpiry` and the JWT's `exp`, or until half of a lifetime below two minutes is over. A new token that reads as
 * expired serves the calls that waited for it, and no later one. A call never requests another token because of it, so
 * there is no loop. Processes that share a store share their tokens: one fetches, the others read.
 */
export class Tokens {
  readonly #held = new BoundedMap<string, Token>(MAX_HELD);
  readonly #fetches = new Map<string, Fetch>();
  readonly #clock: Clock;
  readonly #timeZone: string;
  readonly #log: ClientOptions['log'];
  readonly #shared: SharedTokens | undefined;
  /** True once the warning was logged. With a wrong clock or zone, every further token would repeat it. */
  #doubted = false;

  /** `timeZone`: IANA zone of `tokenExpiry`. */
  constructor(options: {
    clock: Clock;
    timeZone: string;
    log: ClientOptions['log'] | undefined;
    shared?: SharedTokens | undefined;
  }) {
    this.#clock = options.clock;
    this.#timeZone = options.timeZone;
    this.#log = options.log;
    this.#shared = options.shared;
  }

  /** All stored tokens, for redaction. */
  values(): string[] {
    return [...this.#held.values()].map((token) => token.value);
  }

  /**
   * The token for a URL; `fresh` if it was fetched while this call waited. Concurrent callers share one request. A
   * caller's abort or deadline ends only its own wait, unless it was the last one waiting.
   *
   * @param ask sends the request for a token if there is none
   */
  async get(url: string, want: Want, ask: AskForToken): Promise<Found> {
    const token = this.#held.get(url);
    if (token !== undefined && token.usableUntil > this.#clock.now()) {
      // Set again, so that this token is the newest of the map.
      this.#held.set(url, token);
      return { token, fresh: false };
    }
    if (want.signal?.aborted) throw cancelled();
    return this.#join(url, want, ask);
  }

  /** Removes a token the platform refused, unless a newer one has replaced it. */
  drop(url: string, token: Token): void {
    if (this.#held.get(url) === token) this.#held.delete(url);
    this.#shared?.refused(url, token);
  }

  #join(url: string, want: Want, ask: AskForToken): Promise<Found> {
    return new Promise((resolve, reject) => {
      const found = this.#fetches.get(url);
      const { priority, actor } = want;
      const fetch: Fetch = found ?? {
        waiters: new Set(),
        abort: new AbortController(),
        priority,
        actor,
        onWire: false,
      };
      const waiter: Waiter = {
        want,
        resolve: (found) => {
          clear();
          resolve(found);
        },
        reject: (error) => {
          clear();
          reject(error);
        },
      };
      const leave = (error: SwitchboardError) => {
        waiter.reject(error);
        if (fetch.waiters.size > 0 || fetch.onWire) return;
        // A later caller starts a new request.
        if (this.#fetches.get(url) === fetch) this.#fetches.delete(url);
        fetch.abort.abort();
      };
      const cancel = after(this.#clock, want.deadline - this.#clock.now(), () => leave(this.#late(fetch)));
      const onAbort = () => leave(cancelled());
      want.signal?.addEventListener('abort', onAbort, { once: true });
      const clear = () => {
        cancel();
        want.signal?.removeEventListener('abort', onAbort);
        fetch.waiters.delete(waiter);
      };
      fetch.waiters.add(waiter);
      if (found === undefined) {
        this.#fetches.set(url, fetch);
        void this.#run(url, fetch, ask);
        return;
      }
      if (isMoreUrgent(want.priority, fetch.priority)) {
        fetch.priority = want.priority;
        fetch.raise?.(want.priority);
      }
      if (fetch.turnAt !== undefined) want.onWait?.(Math.max(1, Math.ceil((fetch.turnAt - this.#clock.now()) / 1000)));
    });
  }

  #late(fetch: Fetch): SwitchboardError {
    if (fetch.turnAt !== undefined) return outOfBudget(fetch.turnAt - this.#clock.now());
    const message = 'The platform did not give an access token in time.';
    const rest = { effect: 'nothing_done', next: 'Try again later.' } as const;
    return new SwitchboardError({ code: 'timeout', outcome: 'not_done', message, ...rest });
  }

  /** Fetches a token and settles the waiting callers. Never rejects. */
  async #run(url: string, fetch: Fetch, ask: AskForToken): Promise<void> {
    const want: Want = {
      get priority() {
        return fetch.priority;
      },
      actor: fetch.actor,
      /** Retries go on as long as one of the waiting calls has time for them. */
      get deadline() {
        let latest = 0;
        for (const waiter of fetch.waiters) latest = Math.max(latest, waiter.want.deadline);
        return latest;
      },
      signal: fetch.abort.signal,
      onQueued: (raise) => {
        fetch.raise = raise;
      },
      onWait: (seconds) => {
        fetch.turnAt = this.#clock.now() + seconds * 1000;
        for (const waiter of fetch.waiters) waiter.want.onWait?.(seconds);
      },
      onRetry: (seconds) => {
        for (const waiter of fetch.waiters) waiter.want.onRetry?.(seconds);
      },
      onWire: (is) => {
        fetch.onWire = is;
        delete fetch.turnAt;
        delete fetch.raise;
      },
    };
    try {
      const found = (await this.#fromOthers(url, fetch)) ?? { token: await this.#fetch(url, want, ask), fresh: true };
      if (found.token.usableUntil > this.#clock.now()) this.#held.set(url, found.token);
      for (const waiter of [...fetch.waiters]) waiter.resolve(found);
    } catch (error) {
      for (const waiter of [...fetch.waiters]) waiter.reject(error);
    } finally {
      if (this.#fetches.get(url) === fetch) this.#fetches.delete(url);
    }
  }

  /** A token that another process fetched. */
  async #fromOthers(url: string, { abort }: Fetch): Promise<Found | undefined> {
    const token = await this.#shared?.find(url, abort.signal);
    if (token) return { token, fresh: false };
    if (!abort.signal.aborted) return undefined;
    this.#shared?.notFetched(url);
    throw cancelled();
  }

  async #fetch(url: string, want: Want, ask: AskForToken): Promise<Token> {
    try {
      const token = this.#read(await ask(url, want));
      if (token.usableUntil > this.#clock.now()) this.#shared?.fetched(url, token);
      else this.#shared?.notFetched(url);
      return token;
    } catch (error) {
      this.#shared?.notFetched(url);
      throw error;
    }
  }

  #read(answer: Answer): Token {
    const { token, tokenExpiry } = answer;
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
      throw new SwitchboardError({
        code: 'server_error',
        outcome: 'not_done',
        message: 'The platform’s answer to the token request holds no token.',
        effect: 'nothing_done',
        next: 'Check PLATFORM_BASE_URL.',
        status: 200,
      });
    }
    const text = typeof tokenExpiry === 'string' ? tokenExpiry : '';
    const inZone = readExpiry(text, this.#timeZone);
    const inToken = readJwtExpiry(token);
    const now = this.#clock.now();
    const expiresAt = Math.min(inZone ?? Number.POSITIVE_INFINITY, inToken ?? Number.POSITIVE_INFINITY);
    const doubt = doubtOf({ now, text, inZone, inToken, timeZone: this.#timeZone });
    // A token with a doubtful expiry serves only the calls that wait for it.
    if (doubt !== undefined) {
      if (!this.#doubted)
        this.#log?.('warn', { tokenExpiry: text.slice(0, MAX_SHOWN), now: new Date(now).toISOString() }, doubt);
      this.#doubted = true;
      return { value: token, tokenExpiry: text, expiresAt, usableUntil: now, doubt };
    }
    const lifetime = expiresAt - now;
    const usableUntil = expiresAt - (lifetime < 2 * MARGIN_MS ? lifetime / 2 : MARGIN_MS);
    return { value: token, tokenExpiry: text, expiresAt, usableUntil };
  }
}

/** The reason why a new token's expiry cannot be used, and what to check; undefined if it can. Times are epoch ms. */
function doubtOf(read: {
  now: number;
  text: string;
  inZone: number | undefined;
  inToken: number | undefined;
  timeZone: string;
}): string | undefined {
  const { now, inZone, inToken, timeZone } = read;
  const text = JSON.stringify(read.text.slice(0, MAX_SHOWN));
  const costs = 'It is used for the calls that wait for it, and each further call asks for another.';
  if (inToken !== undefined && inToken <= now) {
    const at = `it ended at ${new Date(inToken).toISOString()}, and this computer’s clock says ${new Date(now).toISOString()}`;
    return `A new access token reads as expired: ${at}. Check the clock. ${costs}`;
  }
  if (inZone !== undefined && inZone <= now) {
    const at = `tokenExpiry ${text} was ${ago(now - inZone)} ago in ${timeZone}`;
    return `A new access token reads as expired: ${at}. Check this computer’s clock and PLATFORM_TIME_ZONE. ${costs}`;
  }
  if (inZone !== undefined || inToken !== undefined) return undefined;
  return `The expiry of a new access token cannot be read: tokenExpiry is ${text}. ${costs}`;
}

function ago(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 6) / 10} h`;
}

/** "MM/DD/YYYY hh:mm:ss AM" of a time zone as epoch ms; for an hour that occurs twice, the first (the safer choice). */
export function readExpiry(text: string, timeZone: string): number | undefined {
  const found = /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4}),?\s+(\d{1,2}):(\d{2}):(\d{2})\s*([AP])\.?M\.?\s*$/i.exec(text);
  if (found === null) return undefined;
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour < 1 || hour > 12) return undefined;
  const hours = (hour % 12) + (found[7]?.toUpperCase() === 'P' ? 12 : 0);
  const wall = Date.UTC(year, month - 1, day, hours, minute, second);
  return Math.min(...momentsOf(wall, timeZone));
}

/** A JWT's own `exp` as epoch ms, if it can be read. The signature is not verified. */
export function readJwtExpiry(token: string): number | undefined {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const exp = (payload as { exp?: unknown } | null)?.exp;
    return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}

/** Tokens of other processes, for as long as the store can be read. Without it each process fetches its own. */
export class SharedTokens {
  readonly #store: TokenStore;
  readonly #clock: Clock;
  readonly #log: ClientOptions['log'];
  /** Removals under way: the token must not be read again. */
  readonly #removing = new Map<string, Promise<void>>();

  constructor(options: { store: TokenStore; clock: Clock; log: ClientOptions['log'] }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /** A token that another process has, or fetches right now. Undefined if this process must fetch one. */
  async find(url: string, signal: AbortSignal): Promise<Token | undefined> {
    try {
      await this.#removing.get(url);
      for (;;) {
        const found = await this.#store.acquire(url);
        if ('token' in found) return found.token;
        if (found.isMine) return undefined;
        if (!(await sleep(this.#clock, POLL_MS, [signal]))) return undefined;
      }
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  fetched(url: string, token: Token): void {
    this.#store.write(url, token).catch((error: unknown) => this.#failed(error));
  }

  notFetched(url: string): void {
    this.#store.release(url).catch((error: unknown) => this.#failed(error));
  }

  refused(url: string, { value }: Token): void {
    const removing = this.#store
      .remove(url, value)
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        if (this.#removing.get(url) === removing) this.#removing.delete(url);
      });
    this.#removing.set(url, removing);
  }

  #failed(error: unknown): void {
    this.#log?.('debug', { error: String(error) }, 'shared access tokens are not available; this process uses its own');
  }
}
