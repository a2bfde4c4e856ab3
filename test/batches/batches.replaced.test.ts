import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { approver, BatchClient, numbers } from '../support/batches.ts';
import {
  call,
  confirm,
  face,
  type Json,
  openWorld,
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
  for (const { id } of open) await world.runtime.batches.stop(id, approver, 'page');
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
    const { batch: old } = await batches.get(first.batch.id);
    expect(old).toMatchObject({ status: 'stopped', summary: expect.stringContaining('in its place') });
    expect(await batches.followed(first)).toMatchObject({ status: 'declined', error: { reason: 'replaced' } });
    const again = await call(client, 'batches_create', { RestOf: first.batch.id });
    expect(face(again)).toMatchObject({ code: 'invalid_input' });
    await confirm(first.confirmation.url);
    expect(await world.sent(UPDATE)).toHaveLength(0);
    await confirm(next.confirmation.url);
    await batches.reaches(next.batch.id, 'done', 'partly', 'stopped', 'failed');
    expect(await world.sent(UPDATE)).toHaveLength(2);
    const sent = await world.runtime.gate.actions.ofBatch(next.batch.id);
    expect(sent.map(({ shown }) => shown.CnamFirstName)).toEqual(['Ben', 'Ben']);
    expect(await state(other)).toBe('waiting');
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['without the row that was left out', numbers(1, 3, 99), numbers(1, 3)],
    ['without a row that could not be read', [...numbers(1, 3), '555'], numbers(1, 3)],
    ['with a row that cannot be sent either', numbers(1, 3, 99), numbers(1, 3, 98)],
  ])('takes its place %s', async (_what, list, corrected) => {
    const first = await rename('Ann', list);
    expect(first.batch).toMatchObject({ status: 'waiting' });
    const next = await rename('Ben', corrected);
    expect(next.batch.status).toBe('waiting');
    expect(await batches.followed(first)).toMatchObject({ status: 'declined' });
  });

  it('leaves the batch of another requester, and one that runs, as it is', async () => {
    const made = await named('Ann', 1, 3);
    const list = { numbers: numbers(1, 3) };
    await world.runtime.batches.create(
      { operation: 'numbers_update', list, shared: { CnamFirstName: 'Ben' } },
      approver,
    );
    expect(await state(made)).toBe('waiting');
    await confirm(made.confirmation.url);
    await named('Cem', 1, 3);
    expect(await batches.reaches(made.batch.id, 'done', 'stopped')).toMatchObject({ status: 'done' });
  });

  it('does not wait if a newer one for the same rows was planned before it', async () => {
    await world.control('faults', { path: READ, times: 1, hangMs: HANG_MS });
    const slow = named('Ann', 1, 3);
    const list = () => world.runtime.batches.list(approver);
    await until(async () => (await list()).some(({ state }) => state === 'planning'), 'the first one is planned');
    const next = await named('Ben', 1, 3);
    await world.answerNow(HANG_MS);
    expect((await slow).batch).toMatchObject({ status: 'stopped' });
    expect(await state(next)).toBe('waiting');
  });
});

const HANG_MS = 60_000;

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
