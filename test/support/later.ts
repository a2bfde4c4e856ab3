import type { Gate } from '../../src/gate/gate.ts';
import { LATER } from '../../src/ledger/rows.ts';
import type { Store } from '../../src/store/types.ts';
import type { Worker } from '../../src/work/worker.ts';

/** One process of an installation. */
interface Process {
  gate: Gate;
  store: Store;
  worker: Worker;
}

/** The processes that send actions have not renewed their claims. */
export const SILENCE = `UPDATE jobs SET claimed_until = 0 WHERE kind = '${LATER.send}'`;

/**
 * Has this process take over every action that is being sent, as if the processes that send them were dead. Actions that
 * a test wrote by hand get the job that they would have.
 */
export async function takeOver({ gate, store, worker }: Process): Promise<void> {
  const database = store.database('ledger');
  await database.run(
    `INSERT INTO jobs (kind, key, subject, payload, run_at, added_at)
       SELECT '${LATER.send}', '${LATER.send} ' || id, '', '{"action":"' || id || '"}', 0, 0 FROM actions
         WHERE state IN ('confirmed', 'in_flight')
       ON CONFLICT DO NOTHING`,
  );
  await database.run(SILENCE);
  worker.look();
  await worker.idle();
  await gate.idle();
}

/** The same, and makes every reading of an unknown outcome that waits. */
export async function recover(process: Process): Promise<void> {
  await takeOver(process);
  await process.store.database('ledger').run(`UPDATE jobs SET run_at = 0 WHERE kind = '${LATER.read}'`);
  process.worker.look();
  await process.worker.idle();
  await process.gate.idle();
}
