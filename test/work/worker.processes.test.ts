import { expect, it } from 'vitest';
import { type ClaimedJob, Jobs } from '../../src/work/jobs.ts';
import { Worker } from '../../src/work/worker.ts';
import { useWorkingProcesses } from '../support/jobs.ts';
import { describeEngines } from '../support/stores.ts';
import { until } from '../support/until.ts';

describeEngines('jobs of several processes', (engine) => {
  const world = useWorkingProcesses(engine);

  it('a job of a process that died runs in another one after its lease', async () => {
    const ran: string[] = [];
    const stuck = await world.process({
      note: async () => {
        ran.push('first');
        return new Promise(() => undefined);
      },
    });
    const other = await world.process({
      note: async () => {
        ran.push('second');
        return undefined;
      },
    });
    await stuck.jobs.add({ kind: 'note' });
    await stuck.jobs.claim({ note: 1 }, 30_000);
    other.worker.start();
    await world.settled(other);
    expect(ran).toEqual([]);
    world.clock.advance(30_001);
    await world.settled(other);
    expect(ran).toEqual(['second']);
  });

  it('a handler that lost its claim learns it before its effect', async () => {
    const effects: string[] = [];
    let goOn: (() => void) | undefined;
    const slow = await world.process({
      note: async (_job, { check }) => {
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        await check();
        effects.push('slow');
        return undefined;
      },
    });
    await slow.jobs.add({ kind: 'note' });
    slow.worker.start();
    await until(() => goOn !== undefined);
    // The process was suspended for longer than its lease.
    await slow.database.run('UPDATE jobs SET claimed_by = ?, claimed_until = ?', 'other', world.clock.now() + 30_000);
    goOn?.();
    await slow.worker.idle();
    expect(effects).toEqual([]);
  });

  it('a database that is away is read again, and the end of a job is written when it is back', async () => {
    const database = (await world.stores.open()).database('ledger');
    let failures = 3;
    class FlakyJobs extends Jobs {
      override async done(job: ClaimedJob): Promise<void> {
        failures -= 1;
        if (failures >= 0) throw new Error('away');
        await super.done(job);
      }
    }
    const jobs = new FlakyJobs({ database, clock: world.clock, owner: 'writer' });
    let ran = 0;
    const worker = new Worker({ jobs, clock: world.clock, log: () => undefined });
    world.processes.push({ jobs, worker, database });
    worker.on('note', async () => {
      ran += 1;
      return undefined;
    });
    await jobs.add({ kind: 'note' });
    worker.start();
    await until(async () => {
      world.clock.advance(1000);
      return (await jobs.counts()).length === 0;
    });
    expect(ran).toBe(1);
  });

  it('does exclusive work in one process at a time, and goes on when the holder is gone', async () => {
    const processes = [await world.process({}), await world.process({})] as const;
    let running = 0;
    let most = 0;
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await processes[0].jobs.counts();
      running -= 1;
    };
    const keys = ['+12015550107', '+12015550108'];
    let ended = 0;
    for (const at of [0, 1, 0, 1] as const)
      void processes[at].worker.exclusively(keys, work).then(() => {
        ended += 1;
      });
    // The clock moves no faster than the database answers. Otherwise a hold ends before its work begins.
    await until(async () => {
      await processes[0].jobs.counts();
      world.clock.advance(200);
      return ended === 4;
    });
    expect(most).toBe(1);
    expect(await processes[0].jobs.counts()).toEqual([]);

    expect(await processes[0].jobs.holds.take(keys)).toBe(true);
    expect(await processes[1].jobs.holds.take(keys.slice(1))).toBe(false);
    world.clock.advance(30_001);
    expect(await processes[1].jobs.holds.take(keys.slice(1))).toBe(true);
  });
});
