import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, confirm, type Json, look, openWorld, seeded, until, value, type World } from '../support/world.ts';

const STATUS = '/v1.0/numbers/status';
const PARK = { StatusChange: 'park', EffectiveDate: '01/01/2026' };

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

const numbers = (...ends: number[]) => ends.map(seeded);
const create = async (input: Record<string, unknown>): Promise<Json> =>
  value(await call(client, 'batches_create', input));
const get = async (id: string, more = {}): Promise<Json> => value(await call(client, 'batches_get', { id, ...more }));
const rowsOf = async (id: string) =>
  (await get(id, { Page: 1 })).rows as { target: string; status: string; reason?: string }[];
const park = (ends: number[], more = {}) =>
  create({ Operation: 'numbers_status', Numbers: numbers(...ends), Fields: PARK, ...more });

/** Waits until the batch has one of these states. */
async function reaches(id: string, ...states: string[]): Promise<Json> {
  let found: Json;
  await until(
    async () => {
      found = (await get(id)).batch;
      return states.includes(found.status);
    },
    `batch ${id} is ${states.join(' or ')}`,
  );
  return found;
}

describe('a batch of changes over MCP', () => {
  it('reads every row, asks once, and sends the rows after the yes', async () => {
    const made = await park([1, 2, 3, 7, 99]);
    expect(made.batch).toMatchObject({ status: 'waiting', total: 5, ready: 3, leftOut: 2 });
    expect(made.confirmation).toMatchObject({ status: 'pending' });
    expect(await world.sent(STATUS)).toHaveLength(0);
    const left = (await rowsOf(made.batch.id)).filter(({ status }) => status === 'left out');
    expect(left.map(({ target }) => target)).toEqual(numbers(7, 99));
    for (const { reason } of left) expect(reason).not.toBe('');
    const page = await look(made.confirmation.url);
    for (const phone of numbers(1, 2, 3, 7, 99)) expect(page.html).toContain(phone);
    await confirm(made.confirmation.url);
    const done = await reaches(made.batch.id, 'done', 'partly', 'paused', 'failed');
    expect(done).toMatchObject({ status: 'done', done: 3, leftOut: 2 });
    // The first row alone, then two in one request.
    expect(await world.sent(STATUS)).toHaveLength(2);
    const audit = (await world.runtime.gate.actions.audit(50)).filter(({ batch }) => batch === made.batch.id);
    expect(audit.filter(({ what }) => what === 'done')).toHaveLength(2);
    for (const { decider } of audit) expect(decider).toContain('local:');
  });
});
