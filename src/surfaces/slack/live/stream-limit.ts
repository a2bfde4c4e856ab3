import { randomUUID } from 'node:crypto';
import type { Log } from '../../../lib/log.ts';
import type { Database } from '../../../store/types.ts';

/** Slack starts and stops 20 streams a minute in a workspace. */
const STREAMS_A_MINUTE = 20;
const MINUTE_MS = 60_000;

/** Counts the streams of the last minute over all processes. A stream is a row of `seen`, which is deleted there. */
export class StreamLimit {
  readonly #database: Database;
  readonly #log: Log;

  /** @param database the area slack-seen */
  constructor(database: Database, log: Log) {
    this.#database = database;
    this.#log = log;
  }

  /** Resolves to false if no stream may start now. */
  async take(): Promise<boolean> {
    try {
      return await this.#database.transaction(async (tx) => {
        await tx.lock('slack streams');
        const now = await tx.now();
        const live = "SELECT COUNT(*) AS n FROM seen WHERE key LIKE 'stream %' AND until > ?";
        const { n } = (await tx.get<{ n: number }>(live, now)) ?? { n: 0 };
        if (Number(n) >= STREAMS_A_MINUTE) return false;
        await tx.run('INSERT INTO seen (key, until) VALUES (?, ?)', `stream ${randomUUID()}`, now + MINUTE_MS);
        return true;
      });
    } catch (error) {
      this.#log('warn', { error: String(error) }, 'streams could not be counted; the answer is one message');
      return false;
    }
  }
}
