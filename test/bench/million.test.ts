import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Inbox } from '../../src/events/inbox.ts';
import type { Actor } from '../../src/lib/actor.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { openRuntime } from '../../src/start/runtime.ts';
import type { Engine } from '../../src/store/types.ts';
import { sms } from '../events/support.ts';
import { onSandbox } from '../support/on-sandbox.ts';
import { openStore } from '../support/open-store.ts';
import { makeStore } from '../support/stores.ts';
import { C_APPROVALS, U_AGENT } from '../surfaces/slack/ids.ts';
import { type Stage, stage } from '../surfaces/slack/support.ts';
import { ACTOR, type Filling, fillInbox, fillLedger, NUMBER } from './million-fill.ts';

/** Rows of the large store; the small one has as much about the number and the person that are asked about. */
const LARGE = Number(process.env.MILLION ?? 1_000_000);
const SMALL = 1_000;
const ROUNDS = 30;
const WARM = 3;
/** Rows that one round of a clean-up finds. */
const CLEANED = 10;

const ANA: Actor = { id: ACTOR, name: 'Ana', role: 'operator', surface: 'slack', priority: 'person' };

type Step = (round: number) => Promise<unknown>;

/** The measurements of one step on one store. */
class Figure {
  readonly #times: number[] = [];
  /** The longest time for which the step blocked the event loop, in ms. */
  block = 0;

  get median(): number {
    return this.#times.sort((a, b) => a - b)[this.#times.length >> 1] ?? Number.NaN;
  }

  async measure(step: Step, round: number): Promise<void> {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const start = performance.now();
    await step(round);
    const took = performance.now() - start;
    await turn();
    delay.disable();
    // The first calls load code and prepare statements.
    if (round < WARM) return;
    this.#times.push(took);
    this.block = Math.max(this.block, delay.max / 1e6);
  }
}

interface Filled {
  env: Record<string, string>;
  actions: Filling;
  events: Filling;
}

async function fill(engine: Engine, size: number): Promise<Filled> {
  const data = await makeStore(engine);
  const filler = openStore({
    url: data.url && `${data.url}&statement_timeout=600000`,
    path: `${data.folder}/switchboard.db`,
    clock: data.store.clock,
    log: () => undefined,
  });
  const actions = await fillLedger(filler, size);
  const events = await fillInbox(filler, size);
  if (engine === 'postgres') await filler.database('ledger').run('ANALYZE');
  await filler.close();
  const env: Record<string, string> = { DATA_DIR: data.folder, ...(data.url && { DATABASE_URL: data.url }) };
  return { env, actions, events };
}

/** Opens and closes a process on the data. */
async function start(env: Record<string, string>): Promise<void> {
  const config = loadConfig({
    ...onSandbox('http://127.0.0.1:9'),
    LOG_LEVEL: 'error',
    ...env,
  });
  const runtime = await openRuntime(config, {});
  await runtime.inbox().counts();
  await runtime.ledger.counts();
  await runtime.close();
}

/** An event that is received, handled and shown in Slack. */
async function shown(s: Stage, received: Parameters<Inbox['receive']>[0]): Promise<void> {
  const before = s.ws.messages(C_APPROVALS).length;
  await s.inbox.receive(received);
  const end = performance.now() + 10_000;
  while (s.ws.messages(C_APPROVALS).length === before) {
    if (performance.now() > end) throw new Error(`not shown; log: ${s.logged.slice(-5).join('\n')}`);
    await turn();
  }
}

/** Opens a process on a filled store. Returns the steps to measure on it. */
async function stepsOf(engine: Engine, size: number): Promise<Record<string, Step>> {
  const { env, actions, events } = await fill(engine, size);
  const s = await stage({}, { env, requestsPerMinute: 100_000, events: true });
  await s.control('settings', { requestsPerMinute: 10_000_000 });
  const feed = s.slack.openEvents(s.store.database('slack-events'));
  if (!feed) throw new Error('no channel for events');
  const perform = (id: string, input: Record<string, unknown>) => s.gate.perform(id, input, ANA);
  return {
    start: () => start(env),
    'a read': () => perform('numbers_get', { PhoneNumber: NUMBER }),
    events_since: () => perform('events_since', { Since: '8h', PhoneNumber: NUMBER }),
    'lookup card': () => s.type('/number', NUMBER),
    Home: async () => {
      await s.ws.openHome({ user: U_AGENT });
      await s.settled();
    },
    'a question': (round) =>
      perform('message_outbound', { From: NUMBER, To: [{ Number: '+12015550199' }], Body: `Hello ${round}` }),
    'an order event': (round) => feed.order({ orderId: `ORDER-${round}`, status: 'Submitted', message: '' }),
    'a message': (round) => shown(s, sms(round, `+1404555${String(1000 + round)}`)),
    reconcile: () => s.gate.recover(30_000),
    'inbox clean-up': (round) => s.inbox.erase(events.before(CLEANED * (round + 1))),
    'ledger clean-up': (round) => s.ledger.deleteOld(Date.now() - actions.before(CLEANED * (round + 1))),
    'audit, newest': () => s.ledger.audit(100),
    counts: async () => [await s.ledger.counts(), await s.inbox.counts()],
  };
}

const engines: Engine[] = process.env.TEST_DATABASE_URL === undefined ? ['sqlite'] : ['sqlite', 'postgres'];

it.each(engines)('%s: a large store takes as long as a small one', { timeout: 1_800_000 }, async (engine) => {
  const small = await stepsOf(engine, SMALL);
  const large = await stepsOf(engine, LARGE);
  const lines: string[] = [];
  for (const [name, ofSmall] of Object.entries(small)) {
    const ofLarge = large[name];
    if (!ofLarge) throw new Error(`${name} is missing`);
    const [a, b] = [new Figure(), new Figure()];
    // The stores take turns, so that other work of the machine slows both.
    for (let round = 0; round < ROUNDS + WARM; round += 1) {
      await a.measure(ofSmall, round);
      await b.measure(ofLarge, round);
    }
    const ms = [a.median, b.median, a.block, b.block].map((figure) => figure.toFixed(2).padStart(9));
    lines.push(`  ${name.padEnd(16)} ${ms.join(' ')}   ${(b.median / a.median).toFixed(2)}`);
    process.stderr.write(`${engine}${lines.at(-1)}\n`);
    expect(b.median).toBeGreaterThan(0);
  }
  console.log(
    `${engine}: ${SMALL} and ${LARGE} actions and events; median ms, longest block in ms, ratio\n${lines.join('\n')}`,
  );
});
