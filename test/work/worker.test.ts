import { afterEach, beforeEach, expect, it } from 'vitest';
import { RETRY_MS } from '../../src/lib/durations.ts';
import { Blocked, NeedsPerson, Unavailable } from '../../src/lib/errors.ts';
import type { Database } from '../../src/store/types.ts';
import { addJob, type ClaimedJob, Jobs, removeJob } from '../../src/work/jobs.ts';
import { type Handler, Worker } from '../../src/work/worker.ts';
import { FakeClock } from '../support/clock.ts';
import { describeEngines, makeStore, type TestStore } from '../support/stores.ts';
import { until } from '../support/until.ts';

interface Process {
  jobs: Jobs;
  worker: Worker;
  database: Database;
}

describeEngines('jobs', (engine) => {
  let clock: FakeClock;
  let stores: TestStore;
  const processes: Process[] = [];

  beforeEach(async () => {
    clock = new FakeClock();
    stores = await makeStore(engine, clock);
  });
  afterEach(async () => {
    for (const { worker } of processes.splice(0)) await worker.stop();
    await stores.remove();
  });

  async function process(handlers: Record<string, Handler>): Promise<Process> {
    const database = (await stores.open()).database('ledger');
    const jobs = new Jobs({ database, clock, owner: `process ${processes.length}` });
    const worker = new Worker({ jobs, clock, log: () => undefined });
    for (const [kind, handler] of Object.entries(handlers)) worker.on(kind, handler);
    const made = { jobs, worker, database };
    processes.push(made);
    return made;
  }

  async function settled({ worker }: Process): Promise<void> {
    worker.look();
    await worker.idle();
  }

  it('runs a job once when it is due, and forgets it', async () => {
    const ran: unknown[] = [];
    const one = await process({
      note: async ({ payload }) => {
        ran.push(payload.text);
        return undefined;
      },
    });
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

  it('adds a job with the transaction that causes it, or not at all', async () => {
    const one = await process({});
    await expect(
      one.database.transaction(async (tx) => {
        await addJob(tx, { kind: 'note' }, await tx.now());
        throw new Error('the cause failed');
      }),
    ).rejects.toThrow('the cause failed');
    expect(await one.jobs.counts()).toEqual([]);
  });

  it('runs the jobs of a subject in order, and those of others beside them', async () => {
    const ran: string[] = [];
    const waiting: (() => void)[] = [];
    const one = await process({
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
    const one = await process({
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
    expect(await one.jobs.dead(10)).toMatchObject([{ kind: 'step', attempts: 10, lastError: 'it does not work' }]);
  });

  it('an outage does not use up attempts, and what needs a person is dead at once', async () => {
    const one = await process({
      away: async () => {
        throw new Unavailable('Slack is down');
      },
      hopeless: async () => {
        throw new NeedsPerson('the channel is archived');
      },
    });
    await one.jobs.add({ kind: 'away' });
    await one.jobs.add({ kind: 'hopeless' });
    one.worker.start();
    for (let n = 0; n < 400; n += 1) {
      await settled(one);
      clock.advance(10_000);
    }
    expect(await one.jobs.dead(10)).toMatchObject([{ kind: 'hopeless', lastError: 'the channel is archived' }]);
    expect(await one.jobs.counts()).toMatchObject([
      { kind: 'away', open: 1, dead: 0 },
      { kind: 'hopeless', open: 0, dead: 1 },
    ]);
  });

  it('a dead job is tried again, or dropped, when a person says so', async () => {
    let works = false;
    let ran = 0;
    const one = await process({
      note: async () => {
        if (!works) throw new NeedsPerson('not yet');
        ran += 1;
        return undefined;
      },
    });
    await one.jobs.add({ kind: 'note', key: 'a' });
    await one.jobs.add({ kind: 'note', key: 'b' });
    one.worker.start();
    await settled(one);
    const [second, first] = await one.jobs.dead(10);
    works = true;
    expect(await one.jobs.drop([second?.id ?? 0])).toBe(1);
    expect(await one.jobs.revive([first?.id ?? 0, second?.id ?? 0])).toBe(1);
    await settled(one);
    expect(ran).toBe(1);
    expect(await one.jobs.counts()).toEqual([]);
  });

  it('a key makes one job of many; what is added while it runs makes it run once more', async () => {
    const seen: unknown[] = [];
    const waiting: (() => void)[] = [];
    const one = await process({
      draw: async ({ payload }) => {
        seen.push(payload.version);
        if (seen.length === 1) await new Promise<void>((resolve) => waiting.push(resolve));
        return undefined;
      },
    });
    await one.jobs.add({ kind: 'draw', key: 'card', payload: { version: 1 } });
    await one.jobs.add({ kind: 'draw', key: 'card', payload: { version: 2 } });
    one.worker.start();
    await until(() => seen.length === 1);
    await one.jobs.add({ kind: 'draw', key: 'card', payload: { version: 3 } });
    await one.jobs.add({ kind: 'draw', key: 'card', payload: { version: 4 } });
    waiting[0]?.();
    await settled(one);
    expect(seen).toEqual([2, 4]);
    expect(await one.jobs.counts()).toEqual([]);
  });

  it('repeats work at the time that its handler names', async () => {
    const at: number[] = [];
    const started = clock.now();
    const one = await process({
      sweep: async () => {
        at.push((clock.now() - started) / 1000);
        return clock.now() + 60_000;
      },
    });
    await one.jobs.add({ kind: 'sweep', key: 'sweep' });
    one.worker.start();
    for (let n = 0; n < 190; n += 1) {
      await settled(one);
      clock.advance(1000);
    }
    expect(at).toEqual([0, 60, 120, 180]);
  });

  it('repeats work at an interval, once over two processes, also after a failure', async () => {
    const at: number[] = [];
    const started = clock.now();
    const sweep = async () => {
      at.push((clock.now() - started) / 1000);
      if (at.length === 2) throw new Error('the second time fails');
    };
    const both = [await process({}), await process({})];
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
    const one = await process({
      show: async ({ payload }) => {
        if (isBlocked) tried.push(payload.n);
        if (isBlocked) throw new Blocked('the app is not in the channel');
        ran.push(payload.n);
        return undefined;
      },
      note: async () => {
        ran.push('another kind');
        return undefined;
      },
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

  it('a claim does not read the later jobs of a subject, in whatever order they end and are revived', async () => {
    const ran: unknown[] = [];
    const one = await process({
      step: async ({ payload }) => {
        if (payload.n === 2 && ran.length === 1) throw new NeedsPerson('not this one');
        ran.push(payload.n);
        return undefined;
      },
    });
    for (let n = 0; n < 300; n += 1)
      await one.jobs.add({ kind: 'step', key: `step ${n}`, subject: 'a', payload: { n } });
    const claimable = () =>
      one.database.get('SELECT count(*) AS n FROM jobs WHERE kind = ? AND dead_at IS NULL AND parked = 0', 'step');
    expect(await claimable()).toEqual({ n: 1 });
    await one.database.transaction((tx) => removeJob(tx, 'step 0'));
    expect(await claimable()).toEqual({ n: 1 });
    one.worker.start();
    await settled(one);
    expect(await claimable()).toEqual({ n: 0 });
    await one.jobs.revive(await one.jobs.deadIds(['step']));
    await settled(one);
    expect(ran).toEqual([1, ...Array.from({ length: 297 }, (_, n) => n + 3), 2]);
  });

  it('two processes run each of 200 jobs once', async () => {
    const ran = new Map<number, number>();
    const count: Handler = async ({ id }) => {
      ran.set(id, (ran.get(id) ?? 0) + 1);
      return undefined;
    };
    const both = [await process({ note: count }), await process({ note: count })];
    for (let n = 0; n < 200; n += 1) await both[0]?.jobs.add({ kind: 'note', subject: `s${n % 7}` });
    for (const { worker } of both) worker.start();
    await until(async () => {
      for (const each of both) await settled(each);
      return ran.size === 200;
    });
    expect([...ran.values()].every((times) => times === 1)).toBe(true);
  });

  it('a job of a process that died runs in another one after its lease', async () => {
    const ran: string[] = [];
    const stuck = await process({
      note: async () => {
        ran.push('first');
        return new Promise(() => undefined);
      },
    });
    const other = await process({
      note: async () => {
        ran.push('second');
        return undefined;
      },
    });
    await stuck.jobs.add({ kind: 'note' });
    await stuck.jobs.claim(['note'], 1, 30_000);
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
    const slow = await process({
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
      override async done(job: ClaimedJob): Promise<void> {
        failures -= 1;
        if (failures >= 0) throw new Error('away');
        await super.done(job);
      }
    }
    const jobs = new FlakyJobs({ database, clock, owner: 'writer' });
    let ran = 0;
    const worker = new Worker({ jobs, clock, log: () => undefined });
    processes.push({ jobs, worker, database });
    worker.on('note', async () => {
      ran += 1;
      return undefined;
    });
    await jobs.add({ kind: 'note' });
    worker.start();
    await until(async () => {
      clock.advance(1000);
      return (await jobs.counts()).length === 0;
    });
    expect(ran).toBe(1);
  });

  it('does exclusive work in one process at a time, and goes on when the holder is gone', async () => {
    const processes = [await process({}), await process({})] as const;
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
    await until(() => {
      clock.advance(200);
      return ended === 4;
    });
    expect(most).toBe(1);
    expect(await processes[0].jobs.counts()).toEqual([]);

    expect(await processes[0].jobs.holds.take(keys)).toBe(true);
    expect(await processes[1].jobs.holds.take(keys.slice(1))).toBe(false);
    clock.advance(30_001);
    expect(await processes[1].jobs.holds.take(keys.slice(1))).toBe(true);
  });

  it('runs at most so many jobs of a kind at once, and others beside them', async () => {
    let slow = 0;
    let most = 0;
    const ran: string[] = [];
    const one = await process({
      quick: async () => {
        ran.push('quick');
        return undefined;
      },
    });
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    one.worker.on(
      'slow',
      async () => {
        slow += 1;
        most = Math.max(most, slow);
        await gate;
        slow -= 1;
        return undefined;
      },
      { most: 2 },
    );
    for (let n = 0; n < 12; n += 1) await one.jobs.add({ kind: 'slow' });
    await one.jobs.add({ kind: 'quick' });
    one.worker.start();
    await until(() => ran.length === 1 && slow === 2);
    go();
    await settled(one);
    expect(most).toBe(2);
    expect(await one.jobs.counts()).toEqual([]);
  });

  it('repeats a write until the store takes it, and once more when it stops', async () => {
    const one = await process({});
    one.worker.start();
    let attempts = 0;
    const failing = async () => {
      attempts += 1;
      if (attempts < 3) throw new Error('the disk is full');
    };
    one.worker.persist(failing);
    await until(() => {
      clock.advance(1_000);
      return attempts === 3;
    });
    let last = 0;
    one.worker.persist(async () => {
      last += 1;
      throw new Error('the disk is full');
    });
    await until(() => last === 1);
    await one.worker.stop();
    expect(last).toBe(2);
  });
});
