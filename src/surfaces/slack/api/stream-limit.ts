import { type Clock, MINUTE_MS } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import { KeyValues } from '../../../store/key-values.ts';
import type { Database } from '../../../store/types.ts';
import { levelOf } from '../../../store/unavailable.ts';

/** Slack starts and stops 20 streams a minute in a workspace. */
const STREAMS_A_MINUTE = 20;

/** Counts the streams of the last minute over all processes. */
export class StreamLimit {
  readonly #started: KeyValues;
  readonly #clock: Clock;
  readonly #log: Log;

  constructor({ database, clock, log }: { database: Database; clock: Clock; log: Log }) {
    this.#started = new KeyValues({ database, clock, kind: 'stream' });
    this.#clock = clock;
    this.#log = log;
  }

  /** Resolves to false if no stream may start now. */
  async take(): Promise<boolean> {
    try {
      return await this.#started.addBelow(STREAMS_A_MINUTE, this.#clock.now() + MINUTE_MS);
    } catch (error) {
      this.#log(
        levelOf(error, 'warn'),
        { error: String(error) },
        'streams could not be counted; the answer is one message',
      );
      return false;
    }
  }
}
