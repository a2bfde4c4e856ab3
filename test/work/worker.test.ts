import { afterEach, beforeEach, expect, it } from 'vitest';
import { RETRY_MS } from '../../src/lib/clock.ts';
import { Blocked, NeedsPerson, Unavailable } from '../../src/lib/errors.ts';
import type { Database, Engine } from '../../src/store/types.ts';
import { type Job, Jobs } from '../../src/work/jobs.ts';
import { type Handler, Worker } from '../../src/work/worker.ts';
import { FakeClock } from '../support/clock.ts';
import { describeEngines, makeStore, type TestStore } from '../support/stores.ts';
import { until } from '../support/until.ts';

let clock: FakeClock;
let stores: TestStore;
/** Their workers are stopped when a test ends. */
const opened: { jobs: Jobs; worker: Worker; database: Database }[] = [];

/** Gives each test of a `describe` a separate store and clock. */
function useStore(engine: Engine): void {
  beforeEach(async () => {
    clock = new FakeClock();
    stores = await makeStore(engine, clock);
  });
  afterEach(async () => {
    for (const { worker } of opened.splice(0)) await worker.stop();
  });
}

/** One more process, with handlers by kind. Its worker is not started. */
async function open(handlers: Record<string, Handler>) {
  const database = (await stores.open()).database('ledger');
  const jobs = new Jobs({ database, clock, owner: `process ${opened.length}` });
  const worker = new Worker({ jobs, clock, log: () => undefined });
  for (const [kind, handler] of Object.entries(handlers)) worker.on(kind, handler);
  const made = { jobs, worker, database };
  opened.push(made);
  return made;
}

/** Waits until a process has done its due jobs. */
async function settled({ worker }: { worker: Worker }): Promise<void> {
  worker.look();
  await worker.idle();
}

describeEngines('jobs', (engine) => {
  useStore(engine);

  it('runs a job once when it is due, and forgets it', async () => {
    const ran: unknown[] = [];
    const one = await open({ note: async ({ payload }) => void ran.push(payload.text) });
    one.worker.start();
    await one.jobs.add({ kind: 'note', payload: { text: 'later' }, runAt: clock.now() + 60_000 });
    await one.jobs.add({ kind: 'note', payload: { text: 'now' } });
    await settled(one);
    expect(ran).toEqual(['now']);
    clock.advance(60_000);
    await settled(one);
    expect(ran).toEqual(['now', 'later']);
    expect(await one.jobs.counts()).toEqual([]);
  });

  it('runs the jobs of a subject in order, and those of others beside them', async () => {
    const ran: string[] = [];
    const waiting: (() => void)[] = [];
    const one = await open({
      step: async ({ subject, payload }) => {
        ran.push(`${subject}${payload.n}`);
        if (subject === 'a' && payload.n === 1) await new Promise<void>((resolve) => waiting.push(resolve));
        return undefined;
      },
    });
    for (const n of [1, 2, 3]) await one.jobs.add({ kind: 'step', subject: 'a', payload: { n } });
    await one.jobs.add({ kind: 'step', subject: 'b', payload: { n: 1 } });
    one.worker.start();
    await until(() => ran.length === 2);
    expect(ran).toEqual(['a1', 'b1']);
    waiting[0]?.();
    await settled(one);
    expect(ran).toEqual(['a1', 'b1', 'a2', 'a3']);
  });

  it('a failure keeps its place in its subject, waits 1, 2, 4 s, and is dead after ten attempts', async () => {
    const at: number[] = [];
    const started = clock.now();
    const one = await open({
      step: async ({ payload }) => {
        if (payload.n === 2) throw new Error('the second may not run');
        at.push((clock.now() - started) / 1000);
        throw new Error('it does not work');
      },
    });
    await one.jobs.add({ kind: 'step', subject: 'a', payload: { n: 1 } });
    await one.jobs.add({ kind: 'step', subject: 'a', payload: { n: 2 }, runAt: clock.now() + 10_000_000 });
    one.worker.start();
    for (let n = 0; n < 1000; n += 1) {
      await settled(one);
      clock.advance(1000);
    }
    expect(at).toEqual([0, 1, 3, 7, 15, 31, 63, 127, 255, 511]);
    expect(await one.jobs.dead(['step'])).toMatchObject([{ attempts: 10, lastError: 'it does not work' }]);
  });

  it('an outage does not use up attempts, and what needs a person is dead at once', async () => {
    const one = await open({
      away: () => Promise.reject(new Unavailable('Slack is down')),
      hopeless: () => Promise.reject(new NeedsPerson('the channel is archived')),
    });
    await one.jobs.add({ kind: 'away' });
    await one.jobs.add({ kind: 'hopeless' });
    one.worker.start();
    for (let n = 0; n < 400; n += 1) {
      await settled(one);
      clock.advance(10_000);
    }
    expect(await one.jobs.dead(['hopeless'])).toMatchObject([{ lastError: 'the channel is archived' }]);
    expect(await one.jobs.counts()).toMatchObject([
      { kind: 'away', open: 1, dead: 0 },
      { kind: 'hopeless', open: 0, dead: 1 },
    ]);
  });

  it('a key makes one job of many; what is added while it runs makes it run once more', async () => {
    const seen: unknown[] = [];
    const waiting: (() => void)[] = [];
    const one = await open({
      draw: async ({ payload }) => {
        seen.push(payload.version);
        if (seen.length === 1) await new Promise<void>((resolve) => waiting.push(resolve));
        return undefined;
      },
    });
    const add = (version: number) => one.jobs.add({ kind: 'draw', key: 'card', payload: { version } });
    for (const version of [1, 2]) await add(version);
    one.worker.start();
    await until(() => seen.length === 1);
    for (const version of [3, 4]) await add(version);
    waiting[0]?.();
    await settled(one);
    expect(seen).toEqual([2, 4]);
    expect(await one.jobs.counts()).toEqual([]);
  });

  it('repeats work at an interval, once over two processes, also after a failure', async () => {
    const at: number[] = [];
    const started = clock.now();
    const sweep = async () => {
      at.push((clock.now() - started) / 1000);
      if (at.length === 2) throw new Error('the second time fails');
    };
    const both = [await open({}), await open({})];
    for (const { worker } of both) {
      worker.repeat('sweep', 60_000, sweep);
      worker.start();
    }
    for (let n = 0; n < 190; n += 1) {
      for (const one of both) await settled(one);
      clock.advance(1000);
    }
    expect(at).toEqual([0, 60, 120, 180]);
  });

  it('a blocked kind waits, one job is tried at intervals, and then all run in the order in which they were due', async () => {
    let isBlocked = true;
    const tried: unknown[] = [];
    const ran: unknown[] = [];
    const one = await open({
      show: async ({ payload }) => {
        if (isBlocked) tried.push(payload.n);
        if (isBlocked) throw new Blocked('the app is not in the channel');
        ran.push(payload.n);
        return undefined;
      },
      note: async () => void ran.push('another kind'),
    });
    one.worker.start();
    await one.jobs.add({ kind: 'show', subject: 's0', payload: { n: 0 } });
    await settled(one);
    for (let n = 1; n < 20; n += 1) {
      clock.advance(1);
      await one.jobs.add({ kind: 'show', subject: `s${n % 7}`, payload: { n } });
    }
    await one.jobs.add({ kind: 'note' });
    await settled(one);
    for (let probe = 0; probe < 4; probe += 1) {
      clock.advance(RETRY_MS);
      await settled(one);
    }
    expect([new Set(tried), ran]).toEqual([new Set([0]), ['another kind']]);
    // A claim that was under way when the first attempt failed may add one.
    expect([5, 6]).toContain(tried.length);
    isBlocked = false;
    clock.advance(RETRY_MS);
    await settled(one);
    expect(ran.slice(1, 8)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    for (let of = 0; of < 7; of += 1)
      expect(ran.filter((n) => Number(n) % 7 === of)).toEqual([of, of + 7, of + 14].filter((n) => n < 20));
  });
});

describeEngines('jobs of several processes', (engine) => {
  useStore(engine);

  it('a job of a process that died runs in another one after its lease', async () => {
    const ran: string[] = [];
    const stuck = await open({ note: async () => new Promise(() => void ran.push('first')) });
    const other = await open({ note: async () => void ran.push('second') });
    await stuck.jobs.add({ kind: 'note' });
    await stuck.jobs.claim({ note: 1 });
    other.worker.start();
    await settled(other);
    expect(ran).toEqual([]);
    clock.advance(30_001);
    await settled(other);
    expect(ran).toEqual(['second']);
  });

  it('a handler that lost its claim learns it before its effect', async () => {
    const effects: string[] = [];
    let goOn: (() => void) | undefined;
    const slow = await open({
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
    await slow.database.run('UPDATE jobs SET claimed_by = ?, claimed_until = ?', 'other', clock.now() + 30_000);
    goOn?.();
    await slow.worker.idle();
    expect(effects).toEqual([]);
  });

  it('a database that is away is read again, and the end of a job is written when it is back', async () => {
    const database = (await stores.open()).database('ledger');
    let failures = 3;
    class FlakyJobs extends Jobs {
      override async done(job: Job): Promise<void> {
        failures -= 1;
        if (failures >= 0) throw new Error('away');
        await super.done(job);
      }
    }
    const jobs = new FlakyJobs({ database, clock, owner: 'writer' });
    const ran: number[] = [];
    const worker = new Worker({ jobs, clock, log: () => undefined });
    opened.push({ jobs, worker, database });
    worker.on('note', async () => void ran.push(1));
    await jobs.add({ kind: 'note' });
    worker.start();
    await until(async () => {
      clock.advance(1000);
      return (await jobs.counts()).length === 0;
    });
    expect(ran).toEqual([1]);
  });

  it('does exclusive work in one process at a time, and goes on when the holder is gone', async () => {
    const processes = [await open({}), await open({})] as const;
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
      clock.advance(200);
      return ended === 4;
    });
    expect(most).toBe(1);
    expect(await processes[0].jobs.counts()).toEqual([]);

    expect(await processes[0].jobs.hold(keys)).toBe(true);
    expect(await processes[1].jobs.hold(keys.slice(1))).toBe(false);
    clock.advance(30_001);
    expect(await processes[1].jobs.hold(keys.slice(1))).toBe(true);
  });
});
