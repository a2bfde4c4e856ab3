import { afterEach, beforeEach } from 'vitest';
import type { Database, Engine } from '../../src/store/types.ts';
import { Jobs } from '../../src/work/jobs.ts';
import { type Handler, Worker } from '../../src/work/worker.ts';
import { FakeClock } from './clock.ts';
import { makeStore, type TestStore } from './stores.ts';

interface WorkingProcess {
  jobs: Jobs;
  worker: Worker;
  database: Database;
}

/** Processes that work on the jobs of one store. */
interface WorkingProcesses {
  clock: FakeClock;
  stores: TestStore;
  /** Their workers are stopped when a test ends. */
  processes: WorkingProcess[];
  /** One more process, with handlers by kind. Its worker is not started. */
  process(handlers: Record<string, Handler>): Promise<WorkingProcess>;
  /** Waits until a process has done its due jobs. */
  settled(one: WorkingProcess): Promise<void>;
}

/** Gives each test of a `describe` a separate store and clock. They are set when a test begins. */
export function useWorkingProcesses(engine: Engine): WorkingProcesses {
  const processes: WorkingProcess[] = [];
  const world = {
    processes,
    process: async (handlers: Record<string, Handler>) => {
      const { clock, stores } = world;
      const database = (await stores.open()).database('ledger');
      const jobs = new Jobs({ database, clock, owner: `process ${processes.length}` });
      const worker = new Worker({ jobs, clock, log: () => undefined });
      for (const [kind, handler] of Object.entries(handlers)) worker.on(kind, handler);
      const made = { jobs, worker, database };
      processes.push(made);
      return made;
    },
    settled: async ({ worker }: WorkingProcess) => {
      worker.look();
      await worker.idle();
    },
  } as WorkingProcesses;
  beforeEach(async () => {
    world.clock = new FakeClock();
    world.stores = await makeStore(engine, world.clock);
  });
  afterEach(async () => {
    for (const { worker } of processes.splice(0)) await worker.stop();
  });
  return world;
}
