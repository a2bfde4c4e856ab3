import { MINUTE_MS, POLL_MS, sleep } from '../lib/clock.ts';
import { changed, type SwitchboardError } from '../lib/errors.ts';
import { BoundedMap } from '../lib/values.ts';
import { cancelled, notSent, outOfBudget } from './answer.ts';
import { moreUrgent, type Want } from './budget.ts';
import { readMoment } from './dialect/dates.ts';
import type { Answer, ClientOptions, Token, TokenStore } from './wire.ts';

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

/** A token. `fresh`: true if it was fetched for the calls that wait for it. */
interface Found {
  token: Token;
  fresh: boolean;
}

/** A call that waits for a token. Its own callbacks may throw, which ends its wait. */
interface Waiting {
  want: Want;
  end: (error: unknown) => void;
}

/** A token request under way. */
interface Fetch {
  found: Promise<Found>;
  /** What it needs of the budget: the most urgent class and the latest deadline of those who wait for it. */
  want: Want;
  waiting: Set<Waiting>;
  /** The expected time of its turn (epoch ms), while it waits for the budget. */
  turnAt: number | undefined;
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
  readonly #options: Pick<ClientOptions, 'clock' | 'timeZone' | 'tokens' | 'log'>;
  /** True once the warning was logged. With a wrong clock or zone, every further token would repeat it. */
  #doubted = false;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** All stored tokens, for redaction. */
  values(): string[] {
    return [...this.#held.values()].map((token) => token.value);
  }

  /**
   * The token for a URL; `fresh` if it was fetched while this call waited. Concurrent callers share one request. A
   * caller's abort or deadline ends only its own wait, and so does an error of its `onWait`.
   *
   * @param ask sends the request for a token if there is none
   */
  async get(url: string, want: Want, ask: AskForToken): Promise<Found> {
    const { clock } = this.#options;
    const token = this.#held.get(url);
    if (token !== undefined && token.usableUntil > clock.now()) {
      // Set again, so that this token is the newest of the map.
      this.#held.set(url, token);
      return { token, fresh: false };
    }
    if (want.signal?.aborted) throw cancelled();
    const fetch = this.#fetches.get(url) ?? this.#fetch(url, want, ask);
    fetch.want.priority = moreUrgent(want.priority, fetch.want.priority);
    fetch.want.deadline = Math.max(want.deadline, fetch.want.deadline);
    const left = new AbortController();
    const gone = new Promise<never>((_, reject) => {
      const waiting = { want, end: reject };
      fetch.waiting.add(waiting);
      void sleep(clock, want.deadline - clock.now(), [want.signal, left.signal]).then((isLate) => {
        fetch.waiting.delete(waiting);
        reject(isLate ? this.#late(fetch) : cancelled());
      });
      const seconds = Math.max(1, Math.ceil(((fetch.turnAt ?? 0) - clock.now()) / 1000));
      if (fetch.turnAt !== undefined) tell([waiting], ({ onWait }) => onWait?.(seconds));
    });
    try {
      return await Promise.race([fetch.found, gone]);
    } finally {
      left.abort();
    }
  }

  /** Removes a token the platform refused, unless a newer one has replaced it. */
  async drop(url: string, { value }: Token): Promise<void> {
    if (this.#held.get(url)?.value === value) this.#held.delete(url);
    await this.#withShared((store) => store.remove(url, value));
  }

  #late({ turnAt }: Fetch): SwitchboardError {
    if (turnAt !== undefined) return outOfBudget(turnAt - this.#options.clock.now());
    return notSent('timeout', 'The platform did not give an access token in time.', 'Try again later.');
  }

  /** Begins a request for a token. It goes on if those who wait for it leave: the next call will need the token. */
  #fetch(url: string, { priority, actor, deadline }: Want, ask: AskForToken): Fetch {
    const want: Want = {
      ...{ priority, actor, deadline },
      onWait: (seconds) => {
        fetch.turnAt = this.#options.clock.now() + seconds * 1000;
        tell(fetch.waiting, ({ onWait }) => onWait?.(seconds));
      },
      onRetry: (seconds, isBusy) => {
        fetch.turnAt = undefined;
        tell(fetch.waiting, ({ onRetry }) => onRetry?.(seconds, isBusy));
      },
    };
    const found = this.#find(url, want, ask).finally(() => this.#fetches.delete(url));
    // Those who wait for it may all have left.
    found.catch(() => undefined);
    const fetch: Fetch = { found, want, waiting: new Set(), turnAt: undefined };
    this.#fetches.set(url, fetch);
    return fetch;
  }

  /** The token that another process has or fetches right now, or a new one. */
  async #find(url: string, want: Want, ask: AskForToken): Promise<Found> {
    const { clock } = this.#options;
    const shared = await this.#withShared(async (store) => {
      for (;;) {
        const found = await store.acquire(url);
        if ('token' in found) return found.token;
        if (found.isMine) return undefined;
        await sleep(clock, POLL_MS);
      }
    });
    let token = shared;
    try {
      token ??= this.#read(await ask(url, want));
      return { token, fresh: shared === undefined };
    } finally {
      const usable = token !== undefined && token.usableUntil > clock.now() ? token : undefined;
      if (usable) this.#held.set(url, usable);
      if (!shared) void this.#withShared((store) => (usable ? store.write(url, usable) : store.release(url)));
    }
  }

  /** The result of work with the tokens of all processes. Undefined while they cannot be read: each then uses its own. */
  async #withShared<T>(work: (store: TokenStore) => Promise<T>): Promise<T | undefined> {
    const { tokens, log } = this.#options;
    try {
      return tokens && (await work(tokens));
    } catch (error) {
      log?.('debug', { error: String(error) }, 'shared access tokens are not available; this process uses its own');
      return undefined;
    }
  }

  #read({ token, tokenExpiry }: Answer): Token {
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
      const message = 'The platform’s answer to the token request holds no token.';
      throw changed(notSent('server_error', message, 'Check PLATFORM_BASE_URL.'), { status: 200 });
    }
    const text = typeof tokenExpiry === 'string' ? tokenExpiry : '';
    const { clock, timeZone, log } = this.#options;
    const inZone = readExpiry(text, timeZone);
    const inToken = readJwtExpiry(token);
    const now = clock.now();
    const expiresAt = Math.min(inZone ?? Number.POSITIVE_INFINITY, inToken ?? Number.POSITIVE_INFINITY);
    const doubt = doubtOf({ now, text, inZone, inToken, timeZone });
    if (doubt !== undefined && !this.#doubted) {
      log?.('warn', { tokenExpiry: text.slice(0, MAX_SHOWN), now: new Date(now).toISOString() }, doubt);
      this.#doubted = true;
    }
    const lifetime = expiresAt - now;
    // A token whose expiry is over or unknown serves only the calls that wait for it.
    const isUsable = lifetime > 0 && Number.isFinite(lifetime);
    const usableUntil = isUsable ? expiresAt - (lifetime < 2 * MARGIN_MS ? lifetime / 2 : MARGIN_MS) : now;
    return { value: token, tokenExpiry: text, expiresAt, usableUntil, ...(doubt !== undefined && { doubt }) };
  }
}

/** Calls a callback of each that waits. */
function tell(waiting: Iterable<Waiting>, call: (want: Want) => void): void {
  for (const { want, end } of [...waiting]) {
    try {
      call(want);
    } catch (error) {
      end(error);
    }
  }
}

const QUARTER_MS = 15 * MINUTE_MS;

/** What is wrong with a new token's expiry, and what to check; undefined if nothing is. Times are epoch ms. */
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
    const minutes = Math.max(1, Math.round((now - inZone) / MINUTE_MS));
    const ago = minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 6) / 10} h`;
    const at = `tokenExpiry ${text} was ${ago} ago in ${timeZone}`;
    return `A new access token reads as expired: ${at}. Check this computer’s clock and PLATFORM_TIME_ZONE. ${costs}`;
  }
  const difference = inZone === undefined || inToken === undefined ? 0 : inZone - inToken;
  // The clocks of two zones differ by whole quarters of an hour.
  const quarters = Math.round(difference / QUARTER_MS);
  if (quarters !== 0 && Math.abs(difference - quarters * QUARTER_MS) < MARGIN_MS) {
    const differs = `${Math.abs(quarters) / 4} h ${quarters > 0 ? 'after' : 'before'} the end that the token itself names`;
    return `tokenExpiry ${text} in ${timeZone} is ${differs}. Check PLATFORM_TIME_ZONE.`;
  }
  if (inZone !== undefined || inToken !== undefined) return undefined;
  return `The expiry of a new access token cannot be read: tokenExpiry is ${text}. ${costs}`;
}

/** "MM/DD/YYYY hh:mm:ss AM" of a time zone as epoch ms; for an hour that occurs twice, the first (the safer choice). */
export function readExpiry(text: string, timeZone: string): number | undefined {
  return /^\s*\d{1,2}\/.*:\d{2}:\d{2}\s*[AP]\.?M\.?\s*$/i.test(text) ? readMoment(text, timeZone) : undefined;
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
