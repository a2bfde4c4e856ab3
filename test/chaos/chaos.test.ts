import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeWithPostgres } from '../support/stores.ts';
import { until } from '../support/until.ts';
import { bodies, Installation, type Machine, moments, openMachine, tally } from './chaos.ts';
import type { Outcome, Worker } from './workers.ts';

const isFull = process.env.CHAOS === 'full';
/** The sizes of the load: small with every `npm run test:all`, full with `npm run chaos`. */
const SIZES = isFull ? { actions: 10_000, kills: 40, restarts: 10 } : { actions: 100, kills: 3, restarts: 1 };
const TIMEOUT = isFull ? 1_200_000 : 120_000;

let machine: Machine;
let installation: Installation | undefined;
afterEach(async () => {
  await installation?.close();
  installation = undefined;
});

/** Returns true if the database refuses the process. */
const isAway = (worker: Worker) =>
  worker.run({ do: 'states', ids: ['act_of_nobody'] }).then(
    () => false,
    () => true,
  );

/** Outcomes after which the message must not have been sent. */
const NOT_SENT = ['unavailable', 'not_confirmed', 'invalid_input', 'rate_limited'];

describeWithPostgres('an installation of several processes', () => {
  beforeAll(async () => {
    machine = await openMachine();
  });
  afterAll(() => {
    machine.server.remove();
    machine.program.remove();
  });

  it('runs each action once, whichever of four processes is told to', { timeout: TIMEOUT }, async () => {
    installation = await Installation.open(machine);
    const workers = [];
    for (let n = 0; n < 4; n += 1) workers.push(await installation.start());
    const texts = bodies('claimed', SIZES.actions);
    const asked = (await workers[0]?.run({ do: 'ask', bodies: texts })) ?? [];
    expect(tally(asked)).toEqual({ pending: SIZES.actions });
    const ids = asked.map(({ id }) => id);
    const start = performance.now();
    const answers = await Promise.all(
      workers.map((worker, n) => worker.run({ do: 'confirm', ids: n % 2 === 0 ? ids : [...ids].reverse() })),
    );
    const seconds = (performance.now() - start) / 1000;
    const sent = installation.sent();
    expect(tally(answers.flat())).toMatchObject({ done: SIZES.actions });
    expect(sent.size).toBe(SIZES.actions);
    expect(Math.max(...sent.values())).toBe(1);
    const states = (await workers[3]?.run({ do: 'states', ids })) ?? [];
    expect(tally(states)).toEqual({ done: SIZES.actions });
    console.log(
      `claims: ${SIZES.actions} actions, 4 processes, each told all of them: 0 twice, 0 lost, ${Math.round(SIZES.actions / seconds)}/s`,
    );
  });

  it('sends nothing twice and forgets nothing when processes are killed', { timeout: TIMEOUT }, async () => {
    installation = await Installation.open(machine);
    const outcomes: Outcome[] = [];
    let number = 0;
    for (let kill = 0; kill < SIZES.kills; kill += 1) {
      const worker = await installation.start();
      const texts = bodies(`killed ${kill}`, 40);
      number += texts.length;
      const running = worker.run({ do: 'ask and confirm', bodies: texts }).then(
        (list) => outcomes.push(...list),
        () => undefined,
      );
      // A moment that differs each time, in the middle of asking, confirming and sending.
      const { size } = installation.sent();
      await installation.sends(size + 1 + ((kill * 7) % 25));
      await moments((kill * 13) % 40);
      await worker.kill();
      await running;
    }
    const last = await installation.start();
    // The last of the killed processes counts as dead once it has been silent for long enough.
    const ended = await installation.actionsSettled(() => last.run({ do: 'settle' }));
    const sent = installation.sent();
    expect(Math.max(0, ...sent.values())).toBeLessThanOrEqual(1);
    // The ledger knows every message that the platform received, and the platform received every message that is done.
    const known = new Map(ended.map(({ body, state }) => [body, state]));
    for (const body of sent.keys()) expect(['done', 'unknown'], body).toContain(known.get(body));
    for (const { body, state } of ended) if (state === 'done') expect(sent.get(body), body).toBe(1);
    for (const { id, is } of outcomes)
      if (is === 'done') expect(ended.find((one) => one.id === id)?.state).toBe('done');
    console.log(`kills: ${SIZES.kills} kill -9, ${number} calls, ${sent.size} sent, 0 twice, 0 lost`);
  });

  it('goes on by itself after the database was killed and restarted', { timeout: TIMEOUT }, async () => {
    installation = await Installation.open(machine);
    const { server } = installation;
    const workers = [await installation.start(), await installation.start()];
    const all: Outcome[] = [];
    for (let restart = 0; restart < SIZES.restarts; restart += 1) {
      const running = workers.map((worker, n) =>
        worker.run({ do: 'ask and confirm', bodies: bodies(`restart ${restart} ${n}`, 100) }),
      );
      const { size } = installation.sent();
      await installation.sends(size + 5 + ((restart * 11) % 50));
      server.stop('immediate');
      for (const worker of workers) await until(() => isAway(worker), 'the process knows that its database is away');
      server.start();
      for (const outcomes of await Promise.all(running)) all.push(...outcomes);
    }
    for (const [n, worker] of workers.entries()) {
      const after = await worker.run({ do: 'ask and confirm', bodies: bodies(`after ${n}`, 5) });
      expect(tally(after)).toEqual({ done: 5 });
    }
    const sent = installation.sent();
    expect(Math.max(...sent.values())).toBe(1);
    const ended = await installation.actionsSettled();
    const known = new Map(ended.map(({ body, state }) => [body, state]));
    for (const body of sent.keys()) expect(['done', 'unknown'], body).toContain(known.get(body));
    const states = new Map(ended.map(({ id, state }) => [id, state]));
    for (const { id, is, outcome } of all) {
      if (is === 'done') expect(states.get(id), id).toBe('done');
      // After the answer that nothing was done, a person may ask again.
      if (NOT_SENT.includes(is) && outcome === 'not_done') expect(states.get(id), `${id} ${is}`).not.toBe('done');
    }
    console.log(`database killed ${SIZES.restarts} times under load: ${JSON.stringify(tally(all))}, 0 twice, 0 lost`);
  });

  it('a process that was stopped for longer than its lease sends nothing that another took over', {
    timeout: TIMEOUT,
  }, async () => {
    installation = await Installation.open(machine);
    const [sleeper, other] = [await installation.start(), await installation.start()];
    const texts = bodies('slept', 30);
    const running = sleeper?.run({ do: 'ask and confirm', bodies: texts });
    await installation.sends(3);
    sleeper?.signal('SIGSTOP');
    // A process that is silent for long enough counts as dead. The other one then takes over its claims.
    await installation.actionsSettled(() => other?.run({ do: 'settle' }));
    sleeper?.signal('SIGCONT');
    const outcomes = (await running) ?? [];
    const sent = installation.sent();
    expect(Math.max(0, ...sent.values())).toBeLessThanOrEqual(1);
    const ended = await installation.actionsSettled();
    for (const { body, state } of ended) if (state === 'done') expect(sent.get(body), body).toBe(1);
    console.log(`stopped for longer than its lease: ${JSON.stringify(tally(outcomes))}, ${sent.size} sent, 0 twice`);
  });

  it('agrees on time with a process whose clock is a minute ahead', { timeout: TIMEOUT }, async () => {
    installation = await Installation.open(machine);
    const [own, ahead] = [await installation.start(), await installation.start(60_000)];
    const asked = (await ahead?.run({ do: 'ask', bodies: bodies('ahead', 5) })) ?? [];
    const late = (await own?.run({ do: 'ask', bodies: bodies('own', 5) })) ?? [];
    const actions = await installation.actions();
    const times = actions.map(({ createdAt }) => createdAt);
    expect(Math.max(...times) - Math.min(...times)).toBeLessThan(20_000);
    // Each of the two may confirm what the other asked: a decision in the future is never run.
    const confirmed = await own?.run({ do: 'confirm', ids: asked.map(({ id }) => id) });
    const other = await ahead?.run({ do: 'confirm', ids: late.map(({ id }) => id) });
    expect(tally([...(confirmed ?? []), ...(other ?? [])])).toEqual({ done: 10 });
    await ahead?.run({ do: 'settle' });
    expect(tally((await own?.run({ do: 'states', ids: asked.map(({ id }) => id) })) ?? [])).toEqual({ done: 5 });
  });
});
