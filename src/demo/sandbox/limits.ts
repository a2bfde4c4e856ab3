import { MINUTE, type SandboxClock, SECOND } from './clock.ts';
import { ApiError } from './errors.ts';

/** The two paths that have a separate limit and do not count toward the 120 (PLATFORM.md, Limits). */
const ONE_PER_SECOND: ReadonlySet<string> = new Set(['/v1.0/numbers/provision', '/v1.0/numbers/portin']);

/** Request rates per distributor, by the sandbox clock. A request refused with 429 does not count. */
export class RateLimits {
  readonly #minutes = new Map<string, number[]>();
  readonly #seconds = new Map<string, number>();
  readonly #clock: SandboxClock;

  constructor(clock: SandboxClock) {
    this.#clock = clock;
  }

  clear(): void {
    this.#minutes.clear();
    this.#seconds.clear();
  }

  /** Counts a request of a distributor, or throws 429 with Retry-After. */
  count(distributor: string, path: string, perMinute: number): void {
    if (ONE_PER_SECOND.has(path)) this.#countSecond(`${distributor} ${path}`);
    else this.#countMinute(distributor, perMinute);
  }

  /** Allows 120 requests per minute per distributor, over a sliding window, all endpoints together. */
  #countMinute(distributor: string, perMinute: number): void {
    const now = this.#clock.now();
    const window = (this.#minutes.get(distributor) ?? []).filter((at) => at > now - MINUTE);
    this.#minutes.set(distributor, window);
    if (window.length < perMinute) {
      window.push(now);
      return;
    }
    // A slot is free once fewer than perMinute requests are left, because the limit may have been lowered.
    const frees = window[window.length - perMinute] ?? now;
    throw tooMany(`more than ${perMinute} requests per minute`, frees + MINUTE - now);
  }

  /** Allows 1 request per second for each of provision and port-in. */
  #countSecond(key: string): void {
    const now = this.#clock.now();
    const last = this.#seconds.get(key);
    if (last !== undefined && now - last < SECOND) throw tooMany('more than 1 request per second', last + SECOND - now);
    this.#seconds.set(key, now);
  }
}

function tooMany(what: string, waitMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / SECOND));
  return new ApiError(429, `Too many requests: ${what}`, { 'Retry-After': String(seconds) });
}
