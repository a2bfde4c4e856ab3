import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { ElicitRequest } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { approver, BatchClient, numbers, PARK, STATUS } from '../support/batches.ts';
import { begunDay } from '../support/clock.ts';
import {
  call,
  confirm,
  decline,
  face,
  type Json,
  look,
  openWorld,
  PROVISION,
  seeded,
  until,
  value,
  type World,
} from '../support/world.ts';

let world: World;
let client: Client;
let batches: BatchClient;
beforeAll(async () => {
  world = await openWorld({ MCP_TOOLSETS: 'all' });
  client = await world.client();
  batches = new BatchClient(client);
});
afterAll(() => world.close());
beforeEach(() => world.reset());

describe('a batch of changes over MCP', () => {
  it('reads every row, asks once, and sends the rows after the yes', async () => {
    const made = await batches.park([1, 2, 3, 7, 99]);
    expect(made.batch).toMatchObject({ status: 'waiting', total: 5, ready: 3, leftOut: 2 });
    expect(made.confirmation).toMatchObject({ status: 'pending' });
    expect(await world.sent(STATUS)).toHaveLength(0);
    const left = (await batches.rows(made.batch.id)).filter(({ status }) => status === 'left out');
    expect(left.map(({ target }) => target)).toEqual(numbers(7, 99));
    for (const { reason } of left) expect(reason).not.toBe('');
    const page = await look(made.confirmation.url);
    for (const phone of numbers(1, 2, 3, 7, 99)) expect(page.html).toContain(phone);
    await confirm(made.confirmation.url);
    const done = await batches.reaches(made.batch.id, 'done', 'partly', 'failed', 'stopped');
    expect(done).toMatchObject({ status: 'done', done: 3, leftOut: 2 });
    expect(await batches.followed(made)).toMatchObject({ status: 'done', result: { Done: 3, LeftOut: 2, NotSent: 0 } });
    // The first row alone, then two in one request.
    expect(await world.sent(STATUS)).toHaveLength(2);
    const audit = (await world.runtime.gate.actions.audit(50)).filter(({ batch }) => batch === made.batch.id);
    expect(audit.filter(({ what }) => what === 'done')).toHaveLength(2);
    for (const { decider } of audit) expect(decider).toContain('local:');
  });
});

describe('a list as JSON text', () => {
  const named = (n: number, CnamFirstName: string) => JSON.stringify({ Number: seeded(n), CnamFirstName });

  it('is read, as a whole or row by row', async () => {
    for (const Rows of [`[${named(1, 'Ann')},${named(3, 'Ann')}]`, [named(1, 'Ben'), named(3, 'Ben')]]) {
      const made = await batches.create({ Operation: 'numbers_update', Rows });
      expect(made.batch).toMatchObject({ ready: 2 });
      await decline(made.confirmation.url);
    }
  });
});

describe('the same batch made twice at once', () => {
  it('is one batch, and is sent once', async () => {
    const list = { numbers: ['+12025550181', '+12025550182'] };
    const request = {
      ...{ operation: 'message_outbound', list },
      shared: { From: numbers(1)[0], Body: 'The line is ready' },
    };
    const made = await Promise.all([1, 2, 3].map(() => world.runtime.batches.create(request, approver)));
    expect(new Set(made.map(({ view }) => view.id)).size).toBe(1);
    expect(made.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1);
    await world.runtime.batches.stop(made[0]?.view.id ?? '', approver, 'page');
  });
});

describe('a batch of own changes where these need no yes', () => {
  it('runs at once, and says that nobody was asked', async () => {
    const open = await openWorld({ MCP_TOOLSETS: 'all', CONFIRM_OWN: 'false' });
    const own = new BatchClient(await open.client());
    const made = value(
      await call(await open.client(), 'batches_create', {
        Operation: 'numbers_update',
        Rows: numbers(1, 2).map((PhoneNumber) => ({ PhoneNumber, CnamFirstName: 'Front', CnamLastName: 'Desk' })),
      }),
    );
    const ended = await own.reaches(made.batch.id, 'done', 'partly', 'failed', 'stopped');
    expect(ended).toMatchObject({ status: 'done', done: 2 });
    const audit = await open.runtime.gate.actions.audit(50);
    for (const { decider, what } of audit) expect([what, decider]).toEqual([what, null]);
    await open.close();
  });

  it('still waits for a person where a change of it needs an approver', async () => {
    const open = await openWorld({ MCP_TOOLSETS: 'all', CONFIRM_OWN: 'false' });
    const made = value(
      await call(await open.client(), 'batches_create', {
        ...{ Operation: 'numbers_status', Numbers: numbers(1, 2), Fields: PARK },
      }),
    );
    expect(made).toMatchObject({ batch: { status: 'waiting' }, confirmation: { status: 'pending' } });
    await open.close();
  });
});

describe('what a batch refuses', () => {
  it('leaves out a row whose record changed between the yes and the run', async () => {
    const made = await batches.park([1, 2, 3]);
    // Another person parks the number while the question waits.
    await world.sandbox.perform('/v1.0/numbers/status', {
      StatusChange: 'park',
      PhoneNumbers: [{ Number: seeded(2) }],
      EffectiveDate: begunDay(),
    });
    await confirm(made.confirmation.url);
    const ended = await batches.reaches(made.batch.id, 'done', 'partly', 'failed', 'stopped');
    expect(ended).toMatchObject({ status: 'partly', done: 2, leftOut: 1 });
    const [changed] = (await batches.rows(made.batch.id)).filter(({ status }) => status === 'left out');
    expect(changed).toMatchObject({ target: seeded(2) });
    const sent = (await world.runtime.gate.actions.ofBatch(made.batch.id)).map(({ shown }) => JSON.stringify(shown));
    expect(sent.join()).not.toContain(seeded(2));
  });

  it('sends nothing without a confirmed question about exactly these rows', async () => {
    const made = await batches.park([1, 2]);
    const { runtime } = world;
    const action = (await runtime.gate.actions.get(made.confirmation.id)) as Json;
    const rows = [{ n: 1, said: { Number: seeded(1) }, asked: { shown: {}, known: {}, consent: undefined } }];
    const frozen = { id: made.batch.id, operation: 'numbers_status', shared: PARK, statement: undefined, rows };
    const opening = () => runtime.gate.batchRows.open(action.id, frozen);
    await expect(opening()).rejects.toMatchObject({ face: { code: 'forbidden_by_role' } });
    await confirm(made.confirmation.url);
    await batches.reaches(made.batch.id, 'done');
    // Confirmed by now, but other rows than the person saw.
    await expect(opening()).rejects.toMatchObject({ face: { code: 'forbidden_by_role' } });
    const sent = (await world.sent(STATUS)).length;
    // The digest of a confirmed batch starts nothing else, and not a second time.
    expect(face(await call(client, 'batches_run', action.shown))).toMatchObject({ code: 'invalid_input' });
    await expect(runtime.gate.confirm(action.id, approver, 'page')).rejects.toMatchObject({
      face: { code: 'not_confirmed' },
    });
    expect(await world.sent(STATUS)).toHaveLength(sent);
  });

  it.each([
    ['a batch of batches', { Operation: 'batches_create', Numbers: numbers(1, 2) }],
    ['the question of a batch', { Operation: 'batches_run', Numbers: numbers(1, 2) }],
    ['an operation that takes no list', { Operation: 'numbers_portout', Numbers: numbers(1, 2) }],
    ['no list', { Operation: 'numbers_get' }],
    ['a field of its own', { Operation: 'numbers_get', Numbers: numbers(1, 2), Yes: true }],
  ])('%s', async (_what, input) => {
    expect(face(await call(client, 'batches_create', input))).toMatchObject({ code: 'invalid_input' });
  });

  it('is withdrawn by its assistant, which decides nothing', async () => {
    const made = await batches.park([1, 2]);
    const { batch } = value(await call(client, 'batches_stop', { id: made.batch.id }));
    expect([batch.status, batch.decidedBy]).toEqual(['stopped', undefined]);
    expect(await batches.followed(made)).toMatchObject({ status: 'declined', error: { reason: 'withdrawn' } });
    const audit = (await world.runtime.gate.actions.audit(20)).filter(({ action }) => action === made.confirmation.id);
    expect(audit.map(({ decider }) => decider).filter(Boolean)).toEqual([]);
  });

  it('shows and obeys the requester and approvers only', async () => {
    const made = await batches.park([1, 2]);
    const own = world.runtime.batches;
    const stranger = { ...approver, id: 'eve', person: 'eve', role: 'operator' as const };
    const { id } = made.batch;
    for (const attempt of [
      () => own.view(id, stranger),
      () => own.rows(id, stranger),
      () => own.csv(id, stranger, 'plan'),
      () => own.stop(id, stranger, 'page'),
    ])
      await expect(attempt()).rejects.toMatchObject({ face: { code: 'not_found' } });
    expect(await own.list(stranger)).toEqual([]);
    const csv = await own.csv(id, approver, 'plan');
    expect([csv.startsWith('\uFEFFRow,'), csv.includes(seeded(1))]).toEqual([true, true]);
    expect((await own.stop(id, approver, 'page')).state).toBe('stopped');
    await confirm(made.confirmation.url);
    expect(await world.sent(STATUS)).toHaveLength(0);
  });
});

describe('the rest of a batch', () => {
  it('is a new batch of what was not done, and of nothing else', async () => {
    const made = await batches.create({ Operation: 'numbers_reactivate', Numbers: numbers(8, 7), Fields: {} });
    await decline(made.confirmation.url);
    const all = await batches.create({ RestOf: made.batch.id });
    expect(all.batch).toMatchObject({ status: 'waiting', total: 2 });
    expect(all.batch.id).not.toBe(made.batch.id);
    expect(face(await call(client, 'batches_create', { RestOf: all.batch.id }))).toMatchObject({ field: 'RestOf' });
    await confirm(all.confirmation.url);
    // The first row is refused, so the rule stops it.
    await batches.reaches(all.batch.id, 'stopped');
    const rest = await batches.create({ RestOf: all.batch.id });
    expect((await batches.rows(rest.batch.id)).map(({ target }) => target)).toEqual([seeded(8), seeded(7)]);
    expect((await batches.create({ RestOf: all.batch.id })).batch.id).toBe(rest.batch.id);
    const mixed = await call(client, 'batches_create', { RestOf: all.batch.id, Numbers: numbers(1, 2) });
    expect(face(mixed)).toMatchObject({ code: 'invalid_input', field: 'Numbers' });
  });
});

describe('a batch whose writer reads the plan first', () => {
  it('asks nobody before it is told to, and is asked about once', async () => {
    const own = world.runtime.batches;
    const list = { numbers: numbers(1, 3) };
    const { view } = await own.create({ operation: 'numbers_status', list, shared: PARK, isHeld: true }, approver);
    const isPlanning = (now: { state: string }) => now.state === 'planning';
    expect(await own.while(isPlanning, view.id, approver, { ms: 10_000 })).toMatchObject({ state: 'planned' });
    const pending = () => world.runtime.gate.actions.list({ states: ['pending'], limit: 50 });
    expect((await pending()).map(({ shown }) => shown.Batch)).not.toContain(view.id);
    const fewer = await own.leaveOut(view.id, [2], approver, 'page');
    expect((await own.view(view.id, approver)).state).toBe('stopped');
    expect(await own.while(isPlanning, fewer.id, approver, { ms: 10_000 })).toMatchObject({
      state: 'planned',
      total: 1,
    });
    const asked = await own.ask(fewer.id, approver, {});
    expect(asked.kind).toBe('pending');
    await own.stop(fewer.id, approver, 'page');
  });
});

describe('the reads of a long list', () => {
  const provisioned = (count: number) =>
    Array.from({ length: count }, () =>
      String(world.sandbox.perform('/v1.0/numbers/provision', PROVISION).PhoneNumberAssigned),
    );
  const run = async (phones: string[], meanwhile: () => void = () => undefined) => {
    const made = await batches.create({ Operation: 'numbers_status', Numbers: phones, Fields: PARK });
    meanwhile();
    await confirm(made.confirmation.url);
    return batches.reaches(made.batch.id, 'done', 'partly', 'failed', 'stopped');
  };

  it('come from the inventory, and still find the row that has changed', async () => {
    const phones = provisioned(120);
    const last = phones.at(-1) ?? '';
    const ended = await run(phones, () => world.sandbox.perform(STATUS, { ...PARK, PhoneNumbers: [{ Number: last }] }));
    expect(ended).toMatchObject({ status: 'partly', done: 119, leftOut: 1 });
    const lookups = (await world.sent('/v1.0/numbers')).length + (await world.sent('/v1.0/numbers/inventory')).length;
    expect(lookups).toBeLessThanOrEqual(60);
    expect((await world.sent(STATUS)).length).toBeLessThanOrEqual(8);
  });
});

describe('who may confirm a batch', () => {
  it('is the user of a client with the role approver, who is shown everything', async () => {
    const token = 't'.repeat(40);
    const own = await openWorld({ CONFIRM_VIA: 'client', MCP_HTTP_TOKENS: `ana:approver:${token}` });
    const asked: string[] = [];
    let answer: 'accept' | 'decline' = 'decline';
    try {
      const person = ({ params }: ElicitRequest) => {
        asked.push(params.message);
        return { action: answer, content: {} };
      };
      const asker = await own.client({ token, person });
      const input = { Operation: 'numbers_status', Numbers: numbers(1, 2, 7), Fields: PARK };
      expect(face(await call(asker, 'batches_create', input))).toMatchObject({ code: 'not_confirmed' });
      expect(await own.sent(STATUS)).toHaveLength(0);
      answer = 'accept';
      const started = await call(asker, 'batches_create', input);
      const made = value(started);
      expect(made.batch).not.toHaveProperty('digest');
      // The result of the question, which the batch replaces, has members that may not be named here.
      expect(started._meta?.['switchboard/outside'] ?? []).toEqual([]);
      await until(
        async () => value(await call(asker, 'batches_get', { id: made.batch.id })).batch.status === 'done',
        'the batch is done',
      );
      for (const message of asked) {
        for (const phone of numbers(1, 2, 7)) expect(message).toContain(phone);
        expect(message).toMatch(/Left out \(1\).*Numbers \(2\).*stops at the first refusal/s);
        expect(message).not.toMatch(/Digest|batches_run|bat_/);
      }
      const { batch } = value(await call(asker, 'batches_get', { id: made.batch.id }));
      expect([asked.length, batch.done, batch.decidedBy]).toEqual([2, 2, expect.stringContaining('token:ana')]);
    } finally {
      await own.close();
    }
  });
});
