import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import { defineWorkflow, type Tool } from '../../src/catalogue/operation.ts';
import type { Gate } from '../../src/gate/gate.ts';
import { Ledger } from '../../src/ledger/ledger.ts';
import { LATER } from '../../src/ledger/rows.ts';
import { createSeal } from '../../src/ledger/seal.ts';
import type { Actor } from '../../src/lib/actor.ts';
import { asSwitchboardError, SwitchboardError } from '../../src/lib/errors.ts';
import type { Request } from '../../src/platform/wire.ts';
import { storeUnavailable } from '../../src/store/key-values.ts';
import type { Store } from '../../src/store/types.ts';
import { HOLD } from '../../src/work/jobs.ts';
import type { Worker } from '../../src/work/worker.ts';
import { tools } from '../../tools/index.ts';
import { actorOf, answering, gateOn } from '../support/approval.ts';
import { waits } from '../support/asking.ts';
import { takeOver } from '../support/later.ts';
import { workerOn } from '../support/ledger.ts';
import { A1 } from '../support/seed.ts';
import { describeEngines, makeStore, type TestStore } from '../support/stores.ts';
import { until } from '../support/until.ts';

/** Processes on one database, and actions that they race for. */
const PROCESSES = 4;
/** With `npm run chaos`: as many as a busy installation has in a month. */
const ACTIONS = process.env.CHAOS === 'full' ? 10_000 : 100;
const SECONDS = 1_000;

const actor = actorOf('cli:lee', { person: 'local:lee', surface: 'cli' });

/** The catalogue, with a reactivation that needs no reading before a person is asked. */
const catalogue = tools.map((tool): Tool => {
  if (tool.id !== 'numbers_reactivate') return tool;
  const { before: _before, ...plain } = tool;
  return plain;
});

/** Sends a first stage before it asks. */
const staged = defineWorkflow({
  id: 'numbers_staged',
  group: 'numbers',
  title: 'Cancel',
  description: 'Cancels a number.',
  risk: 'spend',
  input: () => ({ PhoneNumber: z.string() }),
  output: () => ({}),
  examples: [{ PhoneNumber: '+12015550107' }],
  exclusive: { values: ({ PhoneNumber }) => [PhoneNumber], with: ['numbers_staged'] },
  prepare: async ({ PhoneNumber }, call) => ({
    known: await call('numbers_cancel_order_request', { PhoneNumbers: [{ Number: PhoneNumber }] }),
  }),
  consent: () => ({ title: 'Cancel', consequence: 'Ends service.', undo: '', confirm: 'Cancel' }),
  run: async () => ({}),
});

interface Process {
  gate: Gate;
  ledger: Ledger;
  store: Store;
  worker: Worker;
}

/** The requests that the platform got, by number, and a function that runs before a process sends. */
interface Platform {
  sent: Map<string, number>;
  beforeSending: (request: Request) => Promise<void>;
}

describeEngines('processes on one database', (engine) => {
  let data: TestStore;
  let platform: Platform;
  let processes: [first: Process, second: Process, ...others: Process[]];
  const seal = createSeal(randomBytes(32));

  async function open(id: string): Promise<Process> {
    const store = await data.open();
    const ledger = new Ledger({ db: store.database('ledger'), seal, clock: store.clock, owner: id });
    const worker = workerOn(store, id);
    const own = { tools: [...catalogue, staged], clock: store.clock, confirmSeconds: 3_600 };
    const gate = gateOn({ client: answering(send), ledger, worker, ...own });
    const { send: sendLater, expire, read } = gate.handlers();
    worker.on(LATER.send, sendLater);
    worker.on(LATER.expire, expire);
    worker.on(LATER.read, read);
    worker.start();
    return { gate, ledger, store, worker };
  }

  async function send(request: Request) {
    if (!request.read) await platform.beforeSending(request);
    if (
      (await request.mayBegin?.({ paused: false, keep: () => undefined })) === false ||
      request.mayWrite?.() === false
    )
      throw new SwitchboardError({ code: 'unavailable', message: 'Withdrawn.', outcome: 'not_done' });
    const { input, path } = request;
    const name = String(input.PhoneNumber ?? path);
    if (!request.read) platform.sent.set(name, (platform.sent.get(name) ?? 0) + 1);
    return { Status: 'Success', StatusMessage: 'Success', OrderId: 'JNUOID-1' };
  }

  const ask = ({ gate }: Process, PhoneNumber: string, asker: Actor = actor): Promise<string> =>
    waits(gate, 'numbers_reactivate', { PhoneNumber, AccountId: A1 }, asker);

  beforeEach(async () => {
    data = await makeStore(engine);
    platform = { sent: new Map(), beforeSending: async () => undefined };
    const others = Array.from({ length: PROCESSES - 2 }, (_, at) => open(`process-${at}`));
    processes = await Promise.all([open('process-one'), open('process-two'), ...others]);
  });
  afterEach(async () => {
    for (const { worker, ledger } of processes) {
      await worker.stop();
      await ledger.close();
    }
  });

  it(
    `executes each of ${ACTIONS} actions once, though ${PROCESSES} processes confirm and claim all of them`,
    async () => {
      const [first] = processes;
      const phones = Array.from({ length: ACTIONS }, (_, at) => `+1201${5_550_000 + at}`);
      // A requester may have 50 open questions.
      const asker = (phone: string): Actor => ({ ...actor, id: `cli:lee${phone.slice(0, -1)}` });
      const ids = await inParallel(phones, 8, (phone) => ask(first, phone, asker(phone)));
      const refusals = await Promise.all(
        processes.map(({ gate }) =>
          inParallel(ids, 8, async (id) => {
            try {
              await gate.confirm(id, actor, 'page');
              return 0;
            } catch (error) {
              if (asSwitchboardError(error).face.code !== 'not_confirmed') throw error;
              return 1;
            }
          }),
        ),
      );
      const refused = refusals.flat().reduce((sum: number, one) => sum + one, 0);
      const sent = [...platform.sent.values()];
      expect(sent).toHaveLength(ACTIONS);
      expect(sent.every((n) => n === 1)).toBe(true);
      expect(refused).toBe(ACTIONS * (PROCESSES - 1));
      expect(await first.ledger.list({ states: ['done'], limit: 2 * ACTIONS })).toHaveLength(ACTIONS);
    },
    600 * SECONDS,
  );

  it('of which each asks for other values of one record leave one question', async () => {
    const asked = Array.from({ length: 3 * PROCESSES }, async (_, at) => {
      const Description = `Text ${at}`;
      await processes[at % PROCESSES]?.gate.perform('products_update', { ProductId: 'PRID-1', Description }, actor);
    });
    await Promise.all(asked);
    expect(await processes[0].ledger.list({ states: ['pending'] })).toHaveLength(1);
  });

  it('does not send what was taken over while its process slept', async () => {
    const [sleeper, heir] = processes;
    for (const { worker } of processes.filter((one) => one !== heir)) await worker.stop();
    const id = await ask(sleeper, '+12015550107');
    // The process sleeps after its claim, right before it would send, and wakes up when all is over.
    platform.beforeSending = async () => {
      await takeOver(heir);
    };
    await expect(sleeper.gate.confirm(id, actor, 'page')).rejects.toThrow();
    expect([...platform.sent.values()]).toEqual([]);
    // Any other process may be the one that takes it over.
    expect(await heir.ledger.get(id)).toMatchObject({
      state: 'failed',
      owner: expect.not.stringMatching(sleeper.ledger.ownerId),
    });
  });

  const LINE = { PhoneNumber: '+12015550107' };

  it('prepares one question once, though two processes are asked for it at once', async () => {
    const ids = await Promise.all(processes.map(({ gate }) => waits(gate, 'numbers_staged', LINE, actor)));
    expect(new Set(ids).size).toBe(1);
    expect([...platform.sent.values()]).toEqual([1]);
  });

  /** Another process takes the holds of a suspended one, and asks the same question for another requester. */
  async function askMeanwhile({ gate, store }: Process): Promise<void> {
    await store.database('ledger').run(`UPDATE jobs SET claimed_until = 0 WHERE kind = '${HOLD}'`);
    await waits(gate, 'numbers_staged', LINE, { ...actor, id: 'cli:mia' });
  }
  /** The other process does so once the suspended one has looked for questions that wait. */
  function suspendAfterLook({ ledger }: Process, other: Process): void {
    const holding = ledger.open.holding.bind(ledger.open);
    ledger.open.holding = async (values, states) => {
      const found = await holding(values, states);
      if (states.includes('pending')) await askMeanwhile(other);
      return found;
    };
  }
  const REFUSED = { face: { code: 'unavailable', outcome: 'not_done' } };

  it.each([
    { when: 'before the first stage', stages: 1 },
    { when: 'after the first stage', stages: 2 },
  ])('one of two processes asks, though the other was suspended $when', async ({ when, stages }) => {
    const [sleeper, other] = processes;
    // A suspended process does not renew its holds.
    await sleeper.worker.stop();
    if (when === 'before the first stage') suspendAfterLook(sleeper, other);
    else
      platform.beforeSending = async () => {
        platform.beforeSending = async () => undefined;
        await askMeanwhile(other);
      };
    await expect(sleeper.gate.perform('numbers_staged', LINE, actor)).rejects.toMatchObject(REFUSED);
    expect(await other.ledger.list({ states: ['pending'], limit: 10 })).toMatchObject([{ actorId: 'cli:mia' }]);
    expect([...platform.sent.values()]).toEqual([stages]);
  });

  it('a change that needs no confirmation is not sent after its process was suspended', async () => {
    const [sleeper, other] = processes;
    await sleeper.worker.stop();
    suspendAfterLook(sleeper, other);
    const asked = sleeper.gate.perform('numbers_cancel_order_request', { PhoneNumbers: [LINE.PhoneNumber] }, actor);
    await expect(asked).rejects.toMatchObject(REFUSED);
    // The stage of the other process.
    expect([...platform.sent.values()]).toEqual([1]);
  });

  it('never sends what a person was told is not done, because the database was away', async () => {
    const [one, other] = processes;
    const id = await ask(one, '+12015550107');
    // The commit is kept, and its confirmation is lost.
    const confirm = one.ledger.confirm.bind(one.ledger);
    one.ledger.confirm = async (...given) => {
      await confirm(...given);
      throw storeUnavailable(new Error('the connection broke'));
    };
    await expect(one.gate.confirm(id, actor, 'page')).rejects.toMatchObject(REFUSED);
    const ended = await until(
      () => other.gate.refresh(id),
      ({ state }) => state === 'failed',
    );
    expect(ended.error).toMatchObject({ code: 'unavailable', outcome: 'not_done' });
    await takeOver(other);
    expect([...platform.sent.values()]).toEqual([]);
  });
});

/** Runs the work for all items, `width` at a time. */
async function inParallel<T, R>(items: readonly T[], width: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const run = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as T);
  };
  await Promise.all(Array.from({ length: width }, run));
  return results;
}
