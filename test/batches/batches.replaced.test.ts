import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { approver, BatchClient, numbers } from '../support/batches.ts';
import { isOnPostgres } from '../support/ledger.ts';
import {
  call,
  confirm,
  face,
  type Json,
  look,
  openWorld,
  press,
  seeded,
  texts,
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
beforeEach(async () => {
  await world.reset();
  const open = (await world.runtime.batches.list(approver)).filter(({ state }) => state === 'waiting');
  for (const { id } of open) await world.runtime.batches.control(id, 'stop', approver, 'page');
});

const UPDATE = '/v1.0/numbers/update';
const READ = '/v1.0/numbers';

const rename = (name: string, list: readonly string[]) =>
  batches.create({ Operation: 'numbers_update', Numbers: list, Fields: { CnamFirstName: name } });
const named = (name: string, ...ends: number[]) => rename(name, numbers(...ends));
const state = async ({ batch }: Json) => (await batches.get(batch.id)).batch.status;

describe('a batch for the same rows with other values', () => {
  it('takes the place of the one that waits, which nobody can confirm any more', async () => {
    const [first, other] = [await named('Ann', 1, 3, 99), await named('Ann', 2, 4)];
    const next = await named('Ben', 3, 99, 1);
    expect(next.batch).toMatchObject({ status: 'waiting', ready: 2, leftOut: 1 });
    expect(next.batch.summary).toContain(`It takes the place of ${first.batch.id},`);
    const { batch: old } = await batches.get(first.batch.id);
    expect(old).toMatchObject({ status: 'stopped', summary: expect.stringContaining(`values (${next.batch.id})`) });
    expect(await batches.followed(first)).toMatchObject({ status: 'declined', error: { reason: 'replaced' } });
    expect((await look(first.confirmation.url)).html).toContain('Open the question with the other values');
    const again = await call(client, 'batches_create', { Again: first.batch.id });
    expect(face(again)).toMatchObject({ code: 'invalid_input' });
    await confirm(first.confirmation.url);
    expect(await world.sent(UPDATE)).toHaveLength(0);
    await confirm(next.confirmation.url);
    await batches.reaches(next.batch.id, 'done', 'partly', 'paused', 'failed');
    expect(await world.sent(UPDATE)).toHaveLength(2);
    const sent = await world.runtime.gate.actions.ofBatch(next.batch.id);
    expect(sent.map(({ shown }) => shown.CnamFirstName)).toEqual(['Ben', 'Ben']);
    expect(await state(other)).toBe('waiting');
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['without the row that was left out', numbers(1, 3, 99), numbers(1, 3)],
    ['without a row that could not be read', [...numbers(1, 3), '555'], numbers(1, 3)],
    ['without the second of two rows for one number', numbers(1, 3, 3), numbers(3, 1)],
    ['with the number that was mistyped', [...numbers(1, 3), '+1201555'], numbers(1, 3, 2)],
    ['with a row that cannot be sent either', numbers(1, 3, 99), numbers(1, 3, 98)],
  ])('takes its place %s', async (_what, list, corrected) => {
    const first = await rename('Ann', list);
    expect(first.batch).toMatchObject({ status: 'waiting' });
    const next = await rename('Ben', corrected);
    expect(next.batch.status).toBe('waiting');
    expect(await state(first)).toBe('stopped');
    expect(await batches.followed(first)).toMatchObject({ status: 'declined' });
  });

  it('takes the place of one from which a person left rows out', async () => {
    const made = await named('Ann', 1, 2, 3);
    const { url } = made.confirmation;
    await press(url, 'leave', { out: '2' }, await look(url));
    const isOpen = ({ state, id }: Json) => state === 'waiting' && id !== made.batch.id;
    const second = await until(
      async () => (await world.runtime.batches.list(approver)).find(isOpen),
      'the second batch',
    );
    expect((await named('Ben', 1, 3)).batch.status).toBe('waiting');
    expect((await batches.get(second?.id ?? '')).batch.status).toBe('stopped');
  });

  it('keeps the platform’s statement when rows are left out, without asking the platform again', async () => {
    const made = await batches.create({ Operation: 'numbers_cancel', Numbers: numbers(1, 3, 4) });
    const REQUEST = '/v1.0/numbers/cancel-order-request';
    const requested = (await world.sent(REQUEST)).length;
    const { url } = made.confirmation;
    expect((await look(url)).html).toContain('these 3 numbers');
    for (const [out, left] of [
      ['2', 'these 2 numbers'],
      ['1', seeded(4)],
    ] as const) {
      const [asked] = await world.runtime.gate.actions.list({ states: ['pending'], limit: 1 });
      const page = new URL(`/confirm/${asked?.id}`, url).href;
      await press(page, 'leave', { out }, await look(page));
      const isNext = async () =>
        (await world.runtime.gate.actions.list({ states: ['pending'], limit: 1 })).find(({ id }) => id !== asked?.id);
      const next = await until(isNext, 'the question about the others');
      expect(next?.consent?.statement).toContain(left);
      expect(next?.consent?.statement).not.toContain('these 3 numbers');
    }
    expect(await world.sent(REQUEST)).toHaveLength(requested);
  });

  it.each([
    ['fewer', [1, 2, 3], [1, 2]],
    ['other', [1, 2], [1, 3]],
    ['more', [1, 2], [1, 2, 3]],
  ])('leaves the batch for %s rows as it is', async (_what, list, next) => {
    const first = await named('Ann', ...list);
    expect((await named('Ben', ...next)).batch.status).toBe('waiting');
    expect(await state(first)).toBe('waiting');
  });

  it('leaves the batch of another requester, and one that runs, as it is', async () => {
    const made = await named('Ann', 1, 3);
    const { runtime } = world;
    const list = { numbers: numbers(1, 3) };
    const request = { operation: 'numbers_update', list, shared: { CnamFirstName: 'Ben' } };
    await runtime.batches.create(request, approver);
    expect(await state(made)).toBe('waiting');
    await confirm(made.confirmation.url);
    await named('Cem', 1, 3);
    expect(await batches.reaches(made.batch.id, 'done', 'stopped', 'paused')).toMatchObject({ status: 'done' });
  });

  it('lets the waiting one wait if none of its rows can be sent', async () => {
    const made = await named('Ann', 1, 3);
    await world.control('faults', { path: READ, times: 2, status: 400 });
    const next = await named('Ben', 1, 3);
    expect(next.batch).toMatchObject({ status: 'failed' });
    expect(await batches.followed(made)).toMatchObject({ status: 'pending' });
    await confirm(made.confirmation.url);
    expect(await batches.reaches(made.batch.id, 'done', 'failed', 'stopped')).toMatchObject({ status: 'done' });
  });

  it('does not take the place of one that is confirmed before it is planned', async () => {
    const made = await named('Ann', 1, 3);
    const { goOn } = await planning('Ben', 1, 3);
    expect(await state(made)).toBe('waiting');
    await confirm(made.confirmation.url);
    await batches.reaches(made.batch.id, 'done', 'failed', 'stopped');
    const next = await goOn();
    expect(next.batch).toMatchObject({ status: 'waiting' });
    expect(next.batch.summary).not.toContain('takes the place');
    expect(await state(made)).toBe('done');
  });
});

const HANG_MS = 60_000;

/** A batch with another name, while the read of its first row hangs. `goOn`: the read is answered; resolves to the batch. */
async function planning(name: string, ...ends: number[]): Promise<{ goOn: () => Promise<Json> }> {
  await world.control('faults', { path: READ, times: 1, hangMs: HANG_MS });
  const made = named(name, ...ends);
  const list = () => world.runtime.batches.list(approver);
  await until(async () => (await list()).some(({ state }) => state === 'planning'), 'the new batch is planned');
  return {
    goOn: async () => {
      await world.answerNow(HANG_MS);
      return made;
    },
  };
}

describe('a batch that corrects two others', () => {
  it.skipIf(isOnPostgres)('takes the place of both or of neither', async () => {
    const [first, second] = [await named('Ann', 1, 2, 99), await named('Ann', 1, 3, 98)];
    expect([await state(first), await state(second)]).toEqual(['waiting', 'waiting']);
    const db = world.runtime.store.database('ledger');
    // The disk is full when the second of the two questions ends.
    const ids = `'${first.confirmation.id}', '${second.confirmation.id}'`;
    await db.run(`CREATE TRIGGER full BEFORE UPDATE OF state ON actions WHEN new.state = 'declined'
      AND (SELECT count(*) FROM actions WHERE state = 'declined' AND id IN (${ids})) = 1
      BEGIN SELECT RAISE(ABORT, 'a full disk'); END`);
    const making = named('Ben', 1, 2, 3);
    await until(
      async () => db.get(`SELECT 1 FROM jobs WHERE kind = 'batch.plan' AND last_error LIKE '%full disk%'`),
      'the batch could not be written',
    );
    const open = (await world.runtime.batches.list(approver)).filter(({ state }) => state === 'waiting');
    expect(open.map(({ id }) => id).sort()).toEqual([first.batch.id, second.batch.id].sort());
    await db.run('DROP TRIGGER full');
    const next = await making;
    expect(next.batch).toMatchObject({ status: 'waiting', ready: 3 });
    for (const { batch } of [first, second]) expect(next.batch.summary).toContain(batch.id);
    expect([await state(first), await state(second)]).toEqual(['stopped', 'stopped']);
    await confirm(next.confirmation.url);
    await batches.reaches(next.batch.id, 'done');
    expect(await world.sent(UPDATE)).toHaveLength(3);
  });

  it('does not take the place of either before a yes for one of them', async () => {
    const [first, second] = [await named('Ann', 1, 2, 99), await named('Ann', 1, 3, 98)];
    const { goOn } = await planning('Ben', 1, 2, 3);
    await confirm(first.confirmation.url);
    await batches.reaches(first.batch.id, 'done');
    const next = await goOn();
    expect(next.batch.status).toBe('waiting');
    expect([await state(first), await state(second)]).toEqual(['done', 'stopped']);
  });
});

describe('rows that a person leaves out while other values are planned', () => {
  it('stay left out of the batch with the other values, which alone waits', async () => {
    const made = await named('Ann', 1, 2, 3);
    const { url } = made.confirmation;
    const { goOn } = await planning('Ben', 1, 2, 3);
    await press(url, 'leave', { out: '2' }, await look(url));
    const next = await goOn();
    expect(next.batch).toMatchObject({ status: 'waiting', ready: 2, leftOut: 1 });
    const open = (await world.runtime.batches.list(approver)).filter(({ state }) => state === 'waiting');
    expect(open.map(({ id }) => id)).toEqual([next.batch.id]);
    expect((await batches.rows(next.batch.id))[1]).toMatchObject({
      status: 'left out',
      reason: expect.stringContaining('left out by'),
    });
    await confirm(next.confirmation.url);
    await batches.reaches(next.batch.id, 'done');
    const sent = await world.runtime.gate.actions.ofBatch(next.batch.id);
    expect(sent.map(({ shown }) => [shown.Number, shown.CnamFirstName])).toEqual([
      [seeded(1), 'Ben'],
      [seeded(3), 'Ben'],
    ]);
    expect(await world.sent(UPDATE)).toHaveLength(2);
  });

  it('stay left out if the whole list is asked for again', async () => {
    const made = await named('Ann', 1, 2, 3);
    const { url } = made.confirmation;
    await press(url, 'leave', { out: '2' }, await look(url));
    const next = await named('Ann', 1, 2, 3);
    expect(next.batch).toMatchObject({ status: 'waiting', ready: 2, leftOut: 1 });
    const open = (await world.runtime.batches.list(approver)).filter(({ state }) => state === 'waiting');
    expect(open).toHaveLength(1);
  });
});

describe('the same list with the same values', () => {
  it.each<[string, readonly string[]]>([
    ['in another order', numbers(8, 1, 7)],
    ['with a number twice', numbers(7, 1, 8, 7)],
    ['without the row that was left out', numbers(8, 7)],
    ['with a row that cannot be read', [...numbers(7, 8), '555']],
  ])('is the batch that waits, %s', async (_what, list) => {
    const reactivate = (all: readonly string[]) => batches.create({ Operation: 'numbers_reactivate', Numbers: all });
    const first = await reactivate(numbers(7, 1, 8));
    expect(first.batch).toMatchObject({ status: 'waiting', ready: 2, leftOut: 1 });
    const again = await call(client, 'batches_create', { Operation: 'numbers_reactivate', Numbers: list });
    expect(value(again).batch.id).toBe(first.batch.id);
    expect(texts(again)).toContain('already waits, asked at');
    // One of its rows alone is another list.
    expect((await reactivate([seeded(7), seeded(2)])).batch.id).not.toBe(first.batch.id);
  });
});

describe('two batches that add something to the same rows', () => {
  it('are two changes', async () => {
    const text = (Body: string) =>
      batches.create({
        Operation: 'message_outbound',
        Numbers: ['+12025550181', '+12025550182'],
        Fields: { From: seeded(1), Body },
      });
    const first = await text('The line is ready');
    const second = await text('Your number is +12015550101');
    expect([await state(first), await state(second)]).toEqual(['waiting', 'waiting']);
    expect((await text('The line is ready')).batch.id).toBe(first.batch.id);
  });
});
