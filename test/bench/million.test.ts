import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterEach, expect, it } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import type { Engine } from '../../src/store/types.ts';
import { makeStore, type TestStore } from '../support/stores.ts';
import { stage, U_AGENT } from '../surfaces/slack/support.ts';
import { fillInbox, fillLedger, NUMBER } from './million-fill.ts';

/** Rows of the large store; the small one has as much about the number and the person that are asked about. */
const LARGE = Number(process.env.MILLION ?? 1_000_000);
const SMALL = 1_000;
const ROUNDS = 30;

const made: TestStore[] = [];
afterEach(async () => {
  for (const one of made.splice(0)) await one.remove();
});

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN;
}

async function measure(engine: Engine, size: number): Promise<Record<string, number>> {
  const data = await makeStore(engine);
  made.push(data);
  const url = data.url && `${data.url}&statement_timeout=600000`;
  const filler = await openStore({
    url,
    file: (area) => `${data.folder}/${area}.db`,
    clock: data.store.clock,
    log: () => undefined,
  });
  await fillLedger(filler, size, Date.now());
  await fillInbox(filler, size, Date.now());
  if (engine === 'postgres') await filler.database('ledger').run('ANALYZE');
  await filler.close();

  const figures: Record<string, number> = {};
  const start = performance.now();
  const env: Record<string, string> = data.url === undefined ? { DATA_DIR: data.folder } : { DATABASE_URL: data.url };
  const s = await stage({}, { env, requestsPerMinute: 100_000, slackEvents: true });
  figures.start = performance.now() - start;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const person = {
    id: 'slack:T0PLAYGROUND/U0AGENT',
    name: 'Ana',
    role: 'operator',
    surface: 'slack',
    priority: 'person',
  } as const;
  const perform = (id: string, input: Record<string, unknown>) => s.gate.perform(id, input, person);
  figures['a read'] = await median(() => perform('numbers_get', { PhoneNumber: NUMBER }));
  figures.events_since = await median(() => perform('events_since', { Since: '8h', PhoneNumber: NUMBER }));
  figures.lookup = await median(() => perform('numbers_lookup', { PhoneNumber: NUMBER }));
  figures.Home = await median(() => s.ws.openHome({ user: U_AGENT }));
  figures['a write'] = await median(() =>
    perform('numbers_update', { PhoneNumber: NUMBER, CallerName: `C${Math.random()}`.slice(0, 15) }),
  );
  let n = 0;
  figures['an event'] = await median(async () => {
    n += 1;
    await s.inbox.receive({
      kind: 'message',
      name: 'x',
      key: `bench ${n}`,
      subject: `bench ${n}`,
      messageId: `B-${n}`,
      from: '+12015550199',
      to: [NUMBER],
      text: 'Hello',
      media: [],
      fields: {},
    } as never);
    await s.inbox.settled();
  });
  figures.reconcile = await median(() => s.gate.recover(30_000));
  figures['clean-up'] = await median(() => s.inbox.erase(Date.now() - 30 * 86_400_000));
  delay.disable();
  figures['longest block'] = delay.max / 1e6;
  figures['resident MB'] = process.memoryUsage.rss() / 1e6;
  return figures;
}

const engines: Engine[] = process.env.TEST_DATABASE_URL === undefined ? ['sqlite'] : ['sqlite', 'postgres'];

it.each(engines)('%s: a large store takes as long as a small one', { timeout: 1_800_000 }, async (engine) => {
  const small = await measure(engine, SMALL);
  const large = await measure(engine, LARGE);
  const rows = Object.keys(large).map((name) => {
    const [a = 0, b = 0] = [small[name], large[name]];
    return `  ${name.padEnd(16)} ${a.toFixed(2).padStart(9)} ${b.toFixed(2).padStart(9)}   ${(b / a).toFixed(2)}`;
  });
  console.log(`${engine}: ${SMALL} and ${LARGE} actions and events; median ms of ${ROUNDS}, ratio\n${rows.join('\n')}`);
  expect(rows.length).toBeGreaterThan(0);
});
