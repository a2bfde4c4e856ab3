import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { WatchEvent } from '../../src/events/parse.ts';
import { Checker, EVERY_MS, Watches } from '../../src/events/watches.ts';
import type { Gate } from '../../src/gate/gate.ts';
import { SwitchboardError } from '../../src/lib/errors.ts';
import { SqliteStore } from '../../src/store/sqlite.ts';
import { Jobs } from '../../src/work/jobs.ts';
import { Worker } from '../../src/work/worker.ts';
import { FakeClock, scratch, tempInbox } from './support.ts';

const A = '+12015550101';
const B = '+12015550103';
const LIMITS = { NotifyValue: 500, ThrottleValue: 800, LimitValue: 1000, ValueUnit: 'MB' };

type Row = Record<string, unknown>;

/** A platform that answers from `usage`, and notes the requests. */
function lookout(options: { path?: string; clock?: FakeClock } = {}) {
  const clock = options.clock ?? new FakeClock();
  const usage = new Map<string, Row>();
  const limits = new Map<string, Row>();
  const asked: { at: number; operation: string; numbers: string[]; priority: string }[] = [];
  let down: SwitchboardError | undefined;
  const gate: Pick<Gate, 'perform'> = {
    perform: async (operation, input, actor) => {
      const numbers = (input as { PhoneNumbers: { Number: string }[] }).PhoneNumbers.map((row) => row.Number);
      asked.push({ at: clock.now(), operation, numbers, priority: actor.priority });
      if (down) throw down;
      if (numbers.some((number) => !usage.has(number)))
        throw new SwitchboardError({ code: 'not_found', message: 'Number not found', outcome: 'not_done' });
      const from = operation.endsWith('settings') ? limits : usage;
      const value = { PhoneNumbers: numbers.map((phone) => ({ Number: phone, ...from.get(phone) })) };
      return { kind: 'done', value, mismatched: [] };
    },
  };
  const file = options.path ?? join(scratch(), 'switchboard.db');
  const store = new SqliteStore({ path: file, clock });
  const watches = new Watches({ database: store.database('watches'), clock });
  const found: WatchEvent[] = [];
  let fails = false;
  const jobs = new Jobs({ database: store.database('ledger'), clock, owner: randomUUID() });
  const worker = new Worker({ jobs, clock, log: () => undefined });
  const checker = new Checker({
    watches,
    worker,
    gate,
    found: async (event) => {
      found.push(event);
      if (fails) throw new Error('stopped here');
    },
    clock,
    log: () => undefined,
  });
  onTestFinished(async () => {
    await checker.close();
    await worker.stop();
    await store.close();
  });
  const set = (phone: string, Used: string, CurrentBehavior = 'Active', Status = 'ACTIVE') => {
    usage.set(phone, { Used, Remaining: '', CurrentBehavior, Status });
    limits.set(phone, LIMITS);
  };
  return {
    clock,
    watches,
    found,
    asked,
    worker,
    set,
    limits,
    forget: (phone: string) => usage.delete(phone),
    breakDown: (error: SwitchboardError | undefined) => {
      down = error;
    },
    failing: (yes: boolean) => {
      fails = yes;
    },
    pass: (ms: number) => clock.pass(ms, () => worker.idle()),
  };
}

it('tells of each threshold once as it is crossed, of a new month, and of a state', async () => {
  const l = lookout();
  l.set(A, '100 MB');
  await l.watches.add(A, 'slack:T1/U1');
  await l.watches.add(A, 'mcp:http');
  l.worker.start();
  await l.pass(EVERY_MS);
  expect(l.found).toEqual([]);
  expect(l.asked.every(({ priority }) => priority === 'background')).toBe(true);
  const steps: [string, string, string, string?][] = [
    ['500 MB', 'Active', 'has reached its notify threshold'],
    ['0.7 GB', 'Active', ''],
    ['900 MB', 'Throttled', 'has reached its throttle threshold'],
    ['1.2 GB', 'Limited', 'has reached its data limit'],
    ['1.3 GB', 'Limited', ''],
    ['900 MB', 'Throttled', 'is below its data limit again'],
    ['0 B', 'Active', 'is below its data thresholds again'],
    ['0 B', 'Active', 'is suspended now (was active)', 'SUSPENDED'],
  ];
  for (const [used, behaviour, said, status] of steps) {
    const before = l.found.length;
    l.set(A, used, behaviour, status);
    await l.pass(EVERY_MS * 2);
    expect(
      l.found.slice(before).map(({ found }) => found),
      used,
    ).toEqual(said === '' ? [] : [said]);
  }
  expect(l.found[0]).toMatchObject({
    phone: A,
    by: ['slack:T1/U1', 'mcp:http'],
    fields: { Used: '500 MB', ...LIMITS },
  });
  expect(new Set(l.found.map(({ key }) => key)).size).toBe(l.found.length);
});

it('tells of 80 % where no notify threshold is set, and at once of a number that is over it already', async () => {
  const l = lookout();
  l.set(A, '800 MB');
  l.limits.set(A, { NotifyValue: null, ThrottleValue: null, LimitValue: 1000 });
  await l.watches.add(A, 'cli:ana');
  l.worker.start();
  await l.pass(0);
  expect(l.found.map(({ found }) => found)).toEqual(['has used at least 80 % of its data limit']);
});

it('finds the number a list was refused for, tells of it, and goes on with the others', async () => {
  const l = lookout();
  l.set(A, '0 B');
  l.set(B, '0 B');
  await l.watches.add(A, 'cli:ana');
  await l.watches.add(B, 'cli:ana');
  l.worker.start();
  await l.pass(EVERY_MS);
  l.forget(B);
  await l.pass(EVERY_MS * 2);
  expect(l.found.map(({ phone, found }) => [phone, found])).toEqual([
    [B, 'cannot be read any more and is no longer watched'],
  ]);
  expect((await l.watches.list()).map(({ phone }) => phone)).toEqual([A]);
  l.set(A, '1 GB', 'Limited');
  await l.pass(EVERY_MS);
  expect(l.found.at(-1)).toMatchObject({ phone: A, found: 'has reached its data limit' });
});

it('says a finding again under the same key where it stopped before noting it, so that the inbox keeps one', async () => {
  const l = lookout();
  l.set(A, '0 B');
  await l.watches.add(A, 'cli:ana');
  l.worker.start();
  await l.pass(EVERY_MS);
  l.set(A, '600 MB');
  l.failing(true);
  await l.pass(EVERY_MS);
  l.failing(false);
  await l.pass(EVERY_MS);
  expect(l.found).toHaveLength(2);
  const inbox = tempInbox(l.clock);
  expect([await inbox.receive(l.found[0] as WatchEvent), await inbox.receive(l.found[1] as WatchEvent)]).toEqual([
    'new',
    'repeat',
  ]);
});

it('is a watch of its own when a number is watched anew: what it finds is told, whatever was found before', async () => {
  const l = lookout();
  l.set(A, '900 MB', 'Throttled');
  await l.watches.add(A, 'cli:ana');
  l.worker.start();
  await l.pass(EVERY_MS);
  await l.watches.remove(A);
  await l.pass(EVERY_MS);
  await l.watches.add(A, 'cli:ana');
  await l.pass(EVERY_MS);
  expect(l.found.map(({ found }) => found)).toEqual(Array(2).fill('has reached its throttle threshold'));
  expect(new Set(l.found.map(({ key }) => key)).size).toBe(2);
});

it('ends by itself where the number is released for good, and says so', async () => {
  const l = lookout();
  l.set(A, '0 B');
  await l.watches.add(A, 'cli:ana');
  l.worker.start();
  await l.pass(EVERY_MS);
  l.set(A, '0 B', 'Active', 'CANCELLED - PENDING DELETE');
  await l.pass(EVERY_MS);
  expect(await l.watches.list()).toHaveLength(1);
  l.set(A, '0 B', 'Active', 'CANCELLED');
  await l.pass(EVERY_MS);
  expect(l.found.map(({ found }) => found)).toEqual([
    'is cancelled - pending delete now (was active)',
    'is cancelled now (was cancelled - pending delete)',
  ]);
  expect(await l.watches.list()).toEqual([]);
});
