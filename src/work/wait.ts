import { type Clock, sleep } from '../lib/clock.ts';
import type { Jobs, NewJob } from './jobs.ts';
import type { Worker } from './worker.ts';

/** Interval between reads of a job that is waited for. */
const READ_MS = 25;

/** Adds a job, and resolves when a process has tried it, or after `maxMs`. */
export async function addAndWait(
  { jobs, worker, clock }: { jobs: Jobs; worker: Pick<Worker, 'look'>; clock: Clock },
  job: NewJob & { key: string },
  maxMs: number,
): Promise<void> {
  await jobs.add(job);
  worker.look();
  const end = clock.now() + maxMs;
  while (clock.now() < end && (await jobs.isDue(job.key))) await sleep(clock, READ_MS);
}
