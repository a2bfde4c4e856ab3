import { SILENT_MS } from '../gate/dispatch.ts';
import type { Gate } from '../gate/gate.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Log } from '../lib/log.ts';

/** Interval between searches for confirmations that have expired. */
const EXPIRE_MS = 1_000;
/** Interval at which a process writes that it is alive. */
const BEAT_MS = 5_000;
/** Interval between deletions of old actions. */
const DELETE_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Interval between searches for actions of dead processes and unknown outcomes. */
const RECOVER_MS = 10_000;

export interface UpkeepOptions {
  gate: Pick<Gate, 'recover' | 'sweepExpired'>;
  ledger: Pick<Ledger, 'beat' | 'deleteOld'>;
  /** LEDGER_KEEP_DAYS. */
  keepDays: number;
  log: Log;
}

/**
 * The repeated work of a process: expires confirmations, tells others that it is alive, takes over from dead
 * processes, deletes old actions.
 */
export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #timers: readonly NodeJS.Timeout[];
  /** Work in progress, by its description. */
  readonly #running = new Map<string, Promise<void>>();

  constructor(options: UpkeepOptions) {
    this.#options = options;
    const { gate, ledger, keepDays } = options;
    const recover = () => gate.recover(SILENT_MS);
    this.#run('taking over interrupted actions', recover);
    this.#timers = [
      this.#every(EXPIRE_MS, 'expiring confirmations', () => gate.sweepExpired()),
      this.#every(BEAT_MS, 'writing that this process is alive', () => ledger.beat()),
      this.#every(DELETE_MS, 'deleting old actions', async () => void (await ledger.deleteOld(keepDays * DAY_MS))),
      this.#every(RECOVER_MS, 'taking over interrupted actions', recover),
    ];
  }

  /** Resolves when the work under way has ended. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#running.values());
  }

  #every(ms: number, what: string, work: () => Promise<void>): NodeJS.Timeout {
    return setInterval(() => this.#run(what, work), ms).unref();
  }

  /** Runs the work unless it is still under way. */
  #run(what: string, work: () => Promise<void>): void {
    if (this.#running.has(what)) return;
    const running = work()
      .catch((error: unknown) => this.#options.log('error', { error: String(error) }, `${what} failed; trying again`))
      .finally(() => this.#running.delete(what));
    this.#running.set(what, running);
  }
}
