import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../../../src/lib/version.ts';
import { operations, tools } from '../../../tools/index.ts';
import { instructionsFor } from '../../../tools/surfaces/assistants.ts';
import {
  call,
  confirm,
  face,
  id,
  openWorld,
  PROVISION,
  seeded,
  value,
  type World,
  within,
} from '../../support/world.ts';
import { BATCH_READS, BATCHES, names, offeredOf, WAITING } from './offering.ts';

const batchesOf = (toolsets: readonly string[]) =>
  toolsets.includes('webhook') ? [] : toolsets.includes('oncall') ? BATCH_READS : BATCHES;

describe('the server', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ MCP_TOOLSETS: 'all' });
  });
  afterAll(() => world.close());

  it('introduces itself with instructions', async () => {
    const client = await world.client();
    expect(client.getServerVersion()).toMatchObject({ name: 'switchboard', version: VERSION });
    const all = { has: () => true, role: 'operator', readOnly: false, discover: false, offered: 1, all: 1 };
    expect(client.getInstructions()).toBe(instructionsFor(all));
    expect(client.getServerCapabilities()).toMatchObject({ tools: {}, resources: {}, prompts: {}, completions: {} });
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ['numbers_diagnose', { PhoneNumber: 'Ava' }, ['numbers_find']],
    ['numbers_cancel', { PhoneNumbers: ['Ava'] }, ['numbers_find']],
    ['events_since', { SubscriberId: 'Ava Stone' }, ['numbers_find']],
    ['numbers_portin_update', { OrderId: seeded(1), SubscriberName: 'x' }, ['numbers_lookup', 'events_since']],
    [
      'workgroups_activity_update',
      { WorkgroupActivityId: id('WAID', 1), WorkgroupId: 'x' },
      ['account_workgroups_get'],
    ],
    ['webhook_delete', {}, ['account_webhooks_get']],
  ])('names in the error of %s %j the tool that finds it', async (name, input, finders) => {
    const { message } = face(await call(await world.client(), name, input));
    for (const finder of finders) expect(message).toContain(finder);
  });

  it('lists every tool with title, description, hints and both schemas, workflows first', async () => {
    const { tools: list } = await (await world.client()).listTools();
    expect(list.map((tool) => tool.name).sort()).toEqual(
      [...tools.map((tool) => tool.id), ...BATCHES, ...WAITING].sort(),
    );
    expect(list.slice(0, 4).map((tool) => tool.name)).toEqual(
      expect.arrayContaining(['numbers_lookup', 'numbers_find', 'numbers_diagnose', 'numbers_cancel']),
    );
    for (const tool of list) {
      expect(tool.title).toBeTruthy();
      expect(tool.description).toBeTruthy();
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.outputSchema).toMatchObject({ type: 'object' });
      for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint'] as const)
        expect([tool.name, hint, typeof tool.annotations?.[hint]]).toEqual([tool.name, hint, 'boolean']);
    }
    for (const tool of list.filter((entry) => operations.find((operation) => operation.id === entry.name)?.consent))
      expect(tool.description).toMatch(/(A person must confirm|An approver must confirm( [^.]+)?)\.$/);
  });

  it('answers a read as the platform did, in both forms', async () => {
    const result = await call(await world.client(), 'numbers_get', { PhoneNumber: seeded(1) });
    expect(value(result)).toMatchObject({ Number: seeded(1), Status: 'Active' });
    const [first] = result.content;
    expect(JSON.parse(first?.type === 'text' ? first.text : '')).toEqual(value(result));
  });

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

  it('names a missing field as missing', async () => {
    const error = face(await call(await world.client(), 'numbers_order_get', {}));
    expect(error).toMatchObject({ code: 'invalid_input', field: 'OrderId' });
    expect(error.message).toMatch(/is missing/);
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

describe('an input with several mistakes', () => {
  it('is answered with every one of them', () =>
    within({}, async (world) => {
      const client = await world.client();
      const { message, field } = face(await call(client, 'subscribers_get', { Digits: '0107', Limit: 'x', Extra: 1 }));
      expect(field).toBe('SubscriberId');
      expect(message).toMatch(
        /^SubscriberId: is missing; .* Digits: is not a field .* Limit: .* Extra: is not a field/,
      );
      const unknown = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`Extra${i}`, 1]));
      const many = face(await call(client, 'subscribers_create', { Email: 7, ...unknown }));
      expect(many.fields?.length).toBeGreaterThan(12);
      expect(many.message).toMatch(/ \d+ more fields are wrong\. distributor_accounts_get lists accounts\.$/);
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

  it('is refused with the reason and the way out', () =>
    within({ MCP_ROLE: 'viewer' }, async (world) => {
      const refused = face(await call(await world.client(), 'numbers_reactivate', { PhoneNumber: seeded(7) }));
      expect(refused).toMatchObject({ code: 'forbidden_by_role', outcome: 'not_done' });
      expect(refused.message).toMatch(/your role here is viewer.*Tell the person/);
      expect(refused.message).not.toMatch(/MCP_TOOLSETS|read-only/);
      const follow = face(await call(await world.client(), 'confirmations_get', { id: 'act_1' }));
      expect(follow.message).toContain('this connection has the role viewer, so none of its calls waits for a person');
    }));
});
