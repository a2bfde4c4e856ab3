import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';

const FORGET_MS = 60_000;
const FREE = 3;
const FIRST_MS = 250;
const MOST_MS = 8_000;
/** Beyond this many waiting answers a further attempt is not looked at. */
const MOST_WAITING = 16;

/**
 * Slows down whoever tries tokens: after a few wrong ones within a minute each further wrong one is answered later
 * than the one before, and a log line says so. A right token is never delayed. Attempts are counted together, because
 * behind a proxy all callers have one address.
 */
export class WrongTokens {
  private readonly clock: Clock;
  private readonly log: Log;
  private wrong = 0;
  private lastAt = 0;
  private waiting = 0;

  constructor(options: { clock: Clock; log: Log }) {
    this.clock = options.clock;
    this.log = options.log;
  }

  /** True while so many wrong attempts wait for their answer that no other is looked at. */
  get busy(): boolean {
    return this.waiting >= MOST_WAITING;
  }

  /** Counts a wrong token; resolves when it may be answered. `where` names the form or endpoint for the log. */
  async note(where: string): Promise<void> {
    const now = this.clock.now();
    if (now - this.lastAt > FORGET_MS) this.wrong = 0;
    this.wrong += 1;
    this.lastAt = now;
    if (this.wrong <= FREE) return;
    const ms = Math.min(MOST_MS, FIRST_MS * 2 ** (this.wrong - FREE - 1));
    this.log('warn', { where, wrong: this.wrong, delayMs: ms }, 'wrong tokens are being tried; answers are delayed');
    this.waiting += 1;
    await new Promise<void>((resolve) => void this.clock.setTimeout(resolve, ms));
    this.waiting -= 1;
  }
}
