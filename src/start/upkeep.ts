import type { Gate } from '../gate/gate.ts';
import type { Ledger } from '../gate/ledger/ledger.ts';
import type { Log } from '../lib/log.ts';

/** How often confirmations whose time is over are expired. */
const EXPIRE_MS = 1_000;
/** How often a process writes that it is alive. */
const BEAT_MS = 5_000;
/** After this long without a beat a process counts as dead, and its actions are taken over. */
const SILENT_MS = 30_000;
/** How often actions of dead processes and unknown outcomes are looked for. */
const RECOVER_MS = 10_000;

export interface UpkeepOptions {
  gate: Pick<Gate, 'recover' | 'sweepExpired'>;
  ledger: Pick<Ledger, 'beat'>;
  log: Log;
}

/** The repeated work of a process: expires confirmations, tells others that it is alive, takes over from dead processes. */
export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #timers: readonly NodeJS.Timeout[];
  #recovering: Promise<void> | undefined;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    const { gate, ledger } = options;
    this.#recover();
    this.#timers = [
      this.#every(EXPIRE_MS, 'expiring confirmations', () => gate.sweepExpired()),
      this.#every(BEAT_MS, 'writing that this process is alive', () => ledger.beat()),
      this.#every(RECOVER_MS, 'taking over interrupted actions', () => this.#recover()),
    ];
  }

  /** Resolves when the work under way has ended. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#recovering;
  }

  #recover(): void {
    const { gate, log } = this.#options;
    this.#recovering ??= gate
      .recover(SILENT_MS)
      .catch((error: unknown) => log('error', { error: String(error) }, 'taking over interrupted actions failed'))
      .finally(() => {
        this.#recovering = undefined;
      });
  }

  #every(ms: number, what: string, work: () => void): NodeJS.Timeout {
    const timer = setInterval(() => {
      try {
        work();
      } catch (error) {
        this.#options.log('error', { error: String(error) }, `${what} failed; trying again`);
      }
    }, ms);
    return timer.unref();
  }
}
