import { describe, expect, it } from 'vitest';
import { select } from '../../../src/catalogue/operation.ts';
import { listed } from '../../../src/start/derive.ts';
import { presets } from '../../../tools/groups.ts';
import { confirm } from '../../support/page.ts';
import { A1, ORDER, seeded, TSUID } from '../../support/seed.ts';
import { call, face, type Json, openWorld, value, type World, within } from '../../support/world.ts';

/** Offered with every operation that can run over a list. */
const BATCHES = ['batches_create', 'batches_get', 'batches_stop'];
/** The same where only reads are offered. */
const BATCH_READS = ['batches_create', 'batches_get'];
const WAITING = ['confirmations_get', 'confirmations_withdraw'];

/** The operations of these toolsets. */
const offeredOf = (toolsets: string[]) =>
  select(listed(), presets, { toolsets, readOnly: false, role: 'operator' }).map((entry) => entry.id);

const toolsOf = async (world: World): Promise<Json[]> => (await (await world.client()).listTools()).tools;
/** The names of the tools that a new client lists. */
const names = async (world: World) => (await toolsOf(world)).map(({ name }) => name);

const world = await openWorld({ MCP_TOOLSETS: 'all' });
const discovering = await openWorld({ MCP_DISCOVER: 'true' });

describe('the server', () => {
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
});

describe('what is offered', () => {
  // Follow-up is offered where something can wait.
  it.each([
    [['oncall'], BATCH_READS],
    [['support'], [...BATCHES, ...WAITING]],
    [['webhook', 'voice'], WAITING],
    [['all'], [...BATCHES, ...WAITING]],
  ])('toolset %s, with %s', (toolsets, more) =>
    within({ MCP_TOOLSETS: toolsets.join(',') }, async (world) =>
      expect((await names(world)).sort()).toEqual([...offeredOf(toolsets), ...more].sort()),
    ),
  );

  it.each<Record<string, string>>([{ MCP_READ_ONLY: 'true' }, { MCP_ROLE: 'viewer' }])(
    'with %j it is reads only, and nobody may change by knowing a name',
    (env) =>
      within(env, async (world) => {
        const client = await world.client();
        const { tools: list } = await client.listTools();
        expect(list.length).toBeGreaterThan(10);
        for (const tool of list) expect([tool.name, tool.annotations?.readOnlyHint]).toEqual([tool.name, true]);
        for (const name of ['message_routes_update', 'numbers_reactivate', 'numbers_cancel', ...WAITING])
          expect(face(await call(client, name, {}))).toMatchObject({ code: 'forbidden_by_role', outcome: 'not_done' });
        expect(await world.requests()).toEqual([]);
        expect(value(await call(client, 'numbers_get', { PhoneNumber: seeded(1) })).Number).toBe(seeded(1));
      }),
  );
});

it.each([
  [{ MCP_TOOLSETS: 'oncall' }, true],
  [{ MCP_ROLE: 'viewer' }, true],
  [{ MCP_TOOLSETS: 'support' }, false],
])('a remedy that is not offered is said with %j: %s', (env, isSaid) =>
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

describe('discover mode', () => {
  it('has three tools, those for batches, and those about calls that wait', async () => {
    expect(await names(discovering)).toEqual(['search', 'describe', 'call', ...BATCHES, ...WAITING]);
  });

  it('finds by words, everything by none', async () => {
    const client = await discovering.client();
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
    expect(value(await call(await discovering.client(), 'search', { query })).operations[0].id).toBe(id);
  });

  it('names what fits and is not offered, so that no harsher operation is taken instead', async () => {
    const client = await discovering.client();
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
      const found = value(await call(await discovering.client(), 'search', { query }));
      expect(found).toMatchObject({ hint: expect.stringContaining('No operation does this.') });
      expect(found).not.toHaveProperty('notOfferedHere');
      for (const { risk } of found.operations) expect(risk).toBe('read');
    },
  );

  it('calls through the same door', async () => {
    const client = await discovering.client();
    const read = await call(client, 'call', { operation: 'subscribers_get', input: { SubscriberId: TSUID } });
    expect(JSON.stringify(value(read))).toContain('Ava Stone');
    const wrong = { operation: 'numbers_order_get', input: { OrderId: ORDER, Nonsense: 1 } };
    expect(face(await call(client, 'call', wrong))).toMatchObject({ code: 'invalid_input', field: 'Nonsense' });
    expect(face(await call(client, 'call', { operation: 'numbers_order_get' }))).toMatchObject({ field: 'input' });
    const fields = { SubscriberId: TSUID };
    const text = JSON.stringify(fields);
    for (const given of [{ input: text }, { arguments: text }, { arguments: fields }])
      expect(value(await call(client, 'call', { operation: 'subscribers_get', ...given }))).toMatchObject(fields);
    for (const [given, says] of [
      [{ input: `SubscriberId=${TSUID}` }, 'input: is a text that is not the JSON of an object;'],
      [{ arguments: '{"SubscriberId":' }, 'input: is a text that is not the JSON of an object;'],
      [{ input: [TSUID] }, 'input: is no object;'],
      [{ input: fields, dryRun: true }, 'dryRun: is not a field of call; the fields are operation, input, Reason.'],
    ] as const)
      expect(face(await call(client, 'call', { operation: 'subscribers_get', ...given })).message).toContain(says);
    expect(face(await call(client, 'numbers_order_get', { OrderId: ORDER }))).toMatchObject({ code: 'invalid_input' });
  });

  it('and the same gate', async () => {
    const client = await discovering.client();
    const input = { PhoneNumber: seeded(7), AccountId: A1 };
    const confirmation = await discovering.asks('call', { operation: 'numbers_reactivate', input });
    expect(await discovering.sent('/v1.0/numbers/reactivate')).toEqual([]);
    await confirm(confirmation.url);
    expect((await discovering.follows(confirmation.id)).status).toBe('done');
    // An assistant may take it for an operation.
    const follow = { operation: 'confirmations_get', input: { id: confirmation.id } };
    expect(value(await call(client, 'call', follow)).status).toBe('done');
    expect(await discovering.sent('/v1.0/numbers/reactivate')).toHaveLength(1);
  });

  it('refuses by role what a viewer may not do', () =>
    within({ MCP_DISCOVER: 'true', MCP_ROLE: 'viewer' }, async (other) => {
      const client = await other.client();
      expect(await names(other)).toEqual(['search', 'describe', 'call', ...BATCH_READS]);
      const refused = await call(client, 'call', { operation: 'numbers_reactivate', input: {} });
      expect(face(refused)).toMatchObject({ code: 'forbidden_by_role' });
      const found = value(await call(client, 'search', { query: 'pause a number' }));
      expect(found.hint).toMatch(/^numbers_status is not offered: .*the role viewer/);
    }));
});

/** The members of a schema, at any depth, whose type is not exactly one. */
function untyped(node: Json, path: string): string[] {
  const members = Object.entries(node.properties ?? {}).flatMap(([name, one]) =>
    untyped(one as Json, `${path}.${name}`),
  );
  const items = node.type === 'array' ? untyped(node.items ?? {}, `${path}[]`) : [];
  const unions = ['anyOf', 'oneOf', 'allOf'].filter((key) => key in node).map((key) => `${path}: ${key}`);
  return [...(typeof node.type === 'string' ? [] : [path]), ...unions, ...members, ...items];
}

it.each([
  ['every operation', { MCP_TOOLSETS: 'all' }],
  ['the tools of discover mode', { MCP_DISCOVER: 'true' }],
  ['reads only', { MCP_READ_ONLY: 'true' }],
])('the tools that clients list have one type for each member: %s', async (_, env) => {
  const world = await openWorld(env);
  const tools = await toolsOf(world);
  expect(tools.flatMap(({ name, inputSchema }) => untyped(inputSchema, name))).toEqual([]);
});

it('the tools for batches list the offered operations that can run as a batch, and no other', () =>
  within({ MCP_TOOLSETS: 'numbers', MCP_DISCOVER: 'true' }, async (world) => {
    const create = (await toolsOf(world)).find(({ name }) => name === 'batches_create');
    const { enum: operations } = create.inputSchema.properties.Operation;
    expect(operations).toEqual(expect.arrayContaining(['numbers_lookup', 'numbers_status', 'numbers_reactivate']));
    for (const other of ['subscriptions_create', 'numbers_portin']) expect(operations).not.toContain(other);
  }));
