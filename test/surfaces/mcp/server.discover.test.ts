import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  A1,
  call,
  confirm,
  face,
  ORDER,
  openWorld,
  seeded,
  TSUID,
  value,
  type World,
  within,
} from '../../support/world.ts';
import { BATCH_READS, BATCHES, names, offeredOf, WAITING } from './offering.ts';

describe('discover mode', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ MCP_DISCOVER: 'true' });
  });
  afterAll(() => world.close());

  it('has three tools, those for batches, and those about calls that wait', async () => {
    expect(await names(world)).toEqual(['search', 'describe', 'call', ...BATCHES, ...WAITING]);
  });

  it('finds by words, everything by none', async () => {
    const client = await world.client();
    const found = value(await call(client, 'search', { query: 'reactivate number' })).operations;
    expect(found[0]).toEqual({ id: 'numbers_reactivate', title: expect.any(String), risk: 'spend' });
    expect(value(await call(client, 'search', { query: '' })).operations).toHaveLength(offeredOf(['core']).length);
    expect(value(await call(client, 'search', { query: 'zeppelin' }))).toMatchObject({
      operations: [],
      hint: expect.any(String),
    });
    expect(face(await call(client, 'search', {}))).toMatchObject({ code: 'invalid_input', field: 'query' });
  });

  it.each([
    ['why can a number not send sms', 'numbers_diagnose'],
    ['cancel a number', 'numbers_cancel'],
    ['what was a customer charged today', 'events_since'],
    ['take a line off hold', 'numbers_status'],
    ['chase a port-in', 'numbers_order_get'],
    ['sned a messge', 'message_outbound'],
    ['delete webhook', 'webhook_delete'],
  ])('ranks first for "%s": %s', async (query, id) => {
    expect(value(await call(await world.client(), 'search', { query })).operations[0].id).toBe(id);
  });

  it('names what fits and is not offered, so that no harsher operation is taken instead', async () => {
    const client = await world.client();
    const moved = value(await call(client, 'search', { query: 'move a number to another package' }));
    expect(moved.notOfferedHere[0]).toBe('subscriptions_update');
    const refused = face(await call(client, 'call', { operation: 'subscriptions_update', input: {} }));
    expect(refused.code).toBe('forbidden_by_role');
    expect(refused.message).toMatch(/MCP_TOOLSETS=core.*Tell the person.*Take no harsher operation/);
    expect(value(await call(client, 'search', { query: 'cancel a number' }))).not.toHaveProperty('notOfferedHere');
    expect(client.getInstructions()).toMatch(/Offered here are \d+ of \d+ operations/);
  });

  it.each(['refund a charge', 'schedule a text message', 'send an sms tomorrow', 'call recording transcript download'])(
    'says that no operation does "%s", and names none that is not offered',
    async (query) => {
      const found = value(await call(await world.client(), 'search', { query }));
      expect(found).toMatchObject({ hint: expect.stringContaining('No operation does this.') });
      expect(found).not.toHaveProperty('notOfferedHere');
      for (const { risk } of found.operations) expect(risk).toBe('read');
    },
  );

  it('calls through the same door', async () => {
    const client = await world.client();
    const read = await call(client, 'call', { operation: 'subscribers_get', input: { SubscriberId: TSUID } });
    expect(JSON.stringify(value(read))).toContain('Ava Stone');
    const wrong = await call(client, 'call', {
      operation: 'numbers_order_get',
      input: { OrderId: ORDER, Nonsense: 1 },
    });
    expect(face(wrong)).toMatchObject({ code: 'invalid_input', field: 'Nonsense' });
    expect(face(await call(client, 'call', { operation: 'numbers_order_get' }))).toMatchObject({ field: 'input' });
    const fields = { SubscriberId: TSUID };
    for (const given of [
      { input: JSON.stringify(fields) },
      { arguments: JSON.stringify(fields) },
      { arguments: fields },
    ])
      expect(value(await call(client, 'call', { operation: 'subscribers_get', ...given }))).toMatchObject(fields);
    for (const [given, says] of [
      [{ input: `SubscriberId=${TSUID}` }, 'input: is a text that is not the JSON of an object;'],
      [{ arguments: '{"SubscriberId":' }, 'input: is a text that is not the JSON of an object;'],
      [{ input: [TSUID] }, 'input: is no object;'],
    ] as const)
      expect(face(await call(client, 'call', { operation: 'subscribers_get', ...given })).message).toContain(says);
    expect(face(await call(client, 'numbers_order_get', { OrderId: ORDER }))).toMatchObject({ code: 'invalid_input' });
  });

  it('and the same gate', async () => {
    const client = await world.client();
    const input = { PhoneNumber: seeded(7), AccountId: A1 };
    const { confirmation } = value(await call(client, 'call', { operation: 'numbers_reactivate', input }));
    expect(await world.sent('/v1.0/numbers/reactivate')).toEqual([]);
    await confirm(confirmation.url);
    const follow = { id: confirmation.id };
    expect(value(await call(client, 'confirmations_get', follow)).status).toBe('done');
    // An assistant may take it for an operation.
    const followed = await call(client, 'call', { operation: 'confirmations_get', input: follow });
    expect(value(followed).status).toBe('done');
    expect(await world.sent('/v1.0/numbers/reactivate')).toHaveLength(1);
  });

  it('refuses by role what a viewer may not do', () =>
    within({ MCP_DISCOVER: 'true', MCP_ROLE: 'viewer' }, async (other) => {
      const client = await other.client();
      expect(await names(other)).toEqual(['search', 'describe', 'call', ...BATCH_READS]);
      const refused = await call(client, 'call', { operation: 'numbers_reactivate', input: {} });
      expect(face(refused)).toMatchObject({ code: 'forbidden_by_role' });
      const found = value(await call(client, 'search', { query: 'pause a number' }));
      expect(found.hint).toMatch(/^numbers_status is not offered: .*your role here is viewer/);
    }));
});
