import type { Clock } from '../lib/clock.ts';
import { Unavailable } from '../lib/errors.ts';
import { ClaimLost, type Right } from './feed.ts';
import type { Claim, ClaimedEvent, Inbox } from './inbox.ts';

/** Duration of a claim without a renewal. After this time, other processes take over the events of a killed process. */
export const LEASE_MS = 15_000;
/** A claim that ends sooner than this is renewed before anything is shown, because showing takes time. */
const MARGIN_MS = 5_000;

/** An event that is being handled, and the right of this process to do so. */
export class Running implements Right {
  readonly claimed: ClaimedEvent;
  /** Resolves when it has been handled. */
  ended: Promise<void> = Promise.resolve();
  readonly #inbox: Pick<Inbox, 'renew'>;
  readonly #clock: Clock;
  readonly #abort = new AbortController();
  #claim: Claim;
  #until: number;

  constructor(options: { claimed: ClaimedEvent; inbox: Pick<Inbox, 'renew'>; clock: Clock }) {
    this.claimed = options.claimed;
    this.#inbox = options.inbox;
    this.#clock = options.clock;
    this.#claim = { id: options.claimed.id, claim: options.claimed.claim };
    this.#until = options.claimed.claimedUntil;
  }

  get claim(): Claim {
    return this.#claim;
  }

  /** Aborts when another process has claimed the event. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Takes over a new claim of this process, made after the earlier one had ended. */
  claimedAgain({ id, claim, claimedUntil }: ClaimedEvent): void {
    this.#claim = { id, claim };
    this.#until = claimedUntil;
  }

  /** @param until epoch ms, reckoned from before the renewal was written */
  renewed(until: number): void {
    this.#until = Math.max(this.#until, until);
  }

  /** Marks the claim as lost because another process has claimed the event. */
  lose(): void {
    this.#until = 0;
    this.#abort.abort(lost());
  }

  async check(): Promise<void> {
    if (this.signal.aborted) throw lost();
    const now = this.#clock.now();
    if (now < this.#until - MARGIN_MS) return;
    // The process may have slept without renewing, so another process may have claimed the event.
    const [kept] = await this.#inbox.renew([this.#claim], LEASE_MS).catch((error: unknown) => {
      throw new Unavailable(`it is not known whose the event is: ${String(error)}`);
    });
    if (!kept) {
      this.lose();
      throw lost();
    }
    this.renewed(now + LEASE_MS);
  }
}

function lost(): ClaimLost {
  return new ClaimLost('another process has taken over the event; nothing more is shown here');
}
