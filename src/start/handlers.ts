import type { BatchStore } from '../batches/store.ts';
import type { Gate } from '../gate/gate.ts';
import { LATER } from '../ledger/later.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { DAY_MS, HOUR_MS } from '../lib/clock.ts';
import { HOLD } from '../work/holds.ts';
import { PROCESS, type Worker } from '../work/worker.ts';

/** Readings wait for the platform, so they leave room for other jobs. */
const MOST_READINGS = 2;

export interface HandlerOptions {
  gate: Gate;
  ledger: Ledger;
  batches: BatchStore;
  /** LEDGER_KEEP_DAYS. */
  keepDays: number;
}

/** Registers what this process does later for the gate and the ledger. */
export function registerHandlers(worker: Worker, { gate, ledger, batches, keepDays }: HandlerOptions): void {
  const { expire, send, read } = gate.handlers();
  worker.on(LATER.expire, expire);
  worker.on(LATER.send, send);
  worker.on(LATER.read, read, { most: MOST_READINGS });
  worker.on(LATER.secrets, async () => {
    await ledger.vault.dropExpired();
    return undefined;
  });
  worker.repeat(LATER.retention, HOUR_MS, async () => {
    await ledger.deleteOld(keepDays * DAY_MS);
    await batches.deleteOld(keepDays * DAY_MS);
  });
  // The process that held it is gone. The job ends, and nothing else is left to do.
  for (const kind of [HOLD, PROCESS]) worker.on(kind, async () => undefined);
}
