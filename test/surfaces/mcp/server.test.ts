import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../../tools/index.ts';
import { call, confirm, face, openWorld, PROVISION, seeded, value, type World, within } from '../../support/world.ts';
import { BATCH_READS, BATCHES, names, offeredOf, WAITING } from './offering.ts';

const batchesOf = (toolsets: readonly string[]) =>
  toolsets.includes('webhook') ? [] : toolsets.includes('oncall') ? BATCH_READS : BATCHES;

describe('the server', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ MCP_TOOLSETS: 'all' });
  });
  afterAll(() => world.close());

  it('says what went wrong as data, beside a sentence', async () => {
    const client = await world.client();
    const wrong = await call(client, 'numbers_get', { PhoneNumber: '12' });
    expect(face(wrong)).toMatchObject({ code: 'invalid_input', field: 'PhoneNumber', outcome: 'not_done' });
    expect(wrong).not.toHaveProperty('structuredContent');
    expect(wrong.content).toHaveLength(1);
    expect(face(await call(client, 'numbers_get', { PhoneNumber: '+12015550177' }))).toMatchObject({
      code: 'not_found',
      status: 404,
      outcome: 'not_done',
    });
    expect(face(await call(client, 'numbers_teleport'))).toMatchObject({ code: 'invalid_input' });
  });

  it('shows a token as its expiry only', async () => {
    const result = await call(await world.client(), 'oauth2_tokens', { ApiEndpoint: 'numbers_get' });
    expect(Object.keys(value(result)).sort()).toEqual(['successful', 'tokenExpiry']);
    expect(JSON.stringify(result)).not.toMatch(/eyJ/);
  });

  it('keeps an AuthCode to itself, from the request to the submit', async () => {
    await world.reset();
    const client = await world.client();
    const request = await call(client, 'numbers_cancel_order_request', { PhoneNumbers: [{ Number: seeded(3) }] });
    expect(JSON.stringify(request)).not.toMatch(/"?AuthCode"?\s*:/i);
    const input = { OrderId: value(request).OrderId };
    const waiting = value(await call(client, 'numbers_cancel_order_submit', input)).confirmation;
    await confirm(waiting.url);
    const followed = await call(client, 'confirmations_get', { id: waiting.id });
    expect(value(followed)).toMatchObject({ status: 'done', result: { Successful: true } });
    expect(JSON.stringify(followed)).not.toMatch(/AuthCode/i);
    // It works once.
    expect(face(await call(client, 'numbers_cancel_order_submit', input))).toMatchObject({
      code: 'invalid_input',
      field: 'OrderId',
    });
  });

  it('fits every read to its output schema', async () => {
    await world.reset();
    const client = await world.client();
    const reads = operations.filter((operation) => operation.risk === 'read');
    for (const { id, examples } of reads) {
      // The SDK's client throws where structuredContent does not fit.
      const result = await call(client, id, { ...examples[0] });
      if (result.isError) expect([id, face(result).code]).toEqual([id, 'not_found']);
      else expect(value(result)).toBeTypeOf('object');
    }
  });
});

describe('what is offered', () => {
  it.each([[['oncall']], [['support']], [['webhook', 'voice']], [['all']]])('toolset %s', (toolsets) =>
    within({ MCP_TOOLSETS: toolsets.join(',') }, async (world) => {
      const list = await names(world);
      expect(list.filter((name) => !WAITING.includes(name)).sort()).toEqual(
        [...offeredOf(toolsets), ...batchesOf(toolsets)].sort(),
      );
      // Follow-up is offered where something can wait.
      for (const name of WAITING) expect(list.includes(name)).toBe(!toolsets.includes('oncall'));
    }),
  );

  it('refuses what a toolset leaves out, and says so', () =>
    within({ MCP_TOOLSETS: 'webhook' }, async (world) => {
      const error = face(await call(await world.client(), 'numbers_get', { PhoneNumber: seeded(1) }));
      expect(error).toMatchObject({ code: 'forbidden_by_role', outcome: 'not_done' });
      expect(await world.requests()).toEqual([]);
    }));

  it('read-only has reads only', () =>
    within({ MCP_READ_ONLY: 'true' }, async (world) => {
      const { tools: list } = await (await world.client()).listTools();
      expect(list.length).toBeGreaterThan(10);
      for (const tool of list) expect([tool.name, tool.annotations?.readOnlyHint]).toEqual([tool.name, true]);
      const refused = await call(await world.client(), 'numbers_provision', PROVISION);
      expect(face(refused)).toMatchObject({ code: 'forbidden_by_role' });
      expect(await world.requests()).toEqual([]);
    }));

  it('a viewer has reads only, and may not change by knowing the name', () =>
    within({ MCP_ROLE: 'viewer' }, async (world) => {
      const client = await world.client();
      const { tools: list } = await client.listTools();
      for (const tool of list) expect(tool.annotations?.readOnlyHint).toBe(true);
      for (const name of ['message_routes_update', 'numbers_reactivate', 'numbers_cancel', ...WAITING])
        expect(face(await call(client, name, {}))).toMatchObject({ code: 'forbidden_by_role', outcome: 'not_done' });
      expect(await world.requests()).toEqual([]);
      expect(value(await call(client, 'numbers_get', { PhoneNumber: seeded(1) })).Number).toBe(seeded(1));
    }));
});

describe('a remedy that is not offered', () => {
  it.each([
    [{ MCP_TOOLSETS: 'oncall' }, true],
    [{ MCP_ROLE: 'viewer' }, true],
    [{ MCP_TOOLSETS: 'support' }, false],
  ])('is said with %j: %s', (env, isSaid) =>
    within(env, async (world) => {
      const client = await world.client();
      for (const name of ['numbers_diagnose', 'numbers_lookup']) {
        const result = await call(client, name, { PhoneNumber: seeded(7) });
        expect(JSON.stringify(value(result))).toContain('"Tool":"numbers_reactivate"');
        const texts = result.content.map((one) => ('text' in one ? one.text : ''));
        expect(texts.some((text) => text.startsWith('Not offered to you: numbers_reactivate.'))).toBe(isSaid);
      }
    }),
  );
});
