import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, face, type Json, openWorld, seeded, value, type World } from '../../support/world.ts';

/** The members of a schema, at any depth, whose type is not exactly one. */
function untyped(node: Json, path: string): string[] {
  const members = Object.entries(node.properties ?? {}).flatMap(([name, one]) =>
    untyped(one as Json, `${path}.${name}`),
  );
  const items = node.type === 'array' ? untyped(node.items ?? {}, `${path}[]`) : [];
  const unions = ['anyOf', 'oneOf', 'allOf'].filter((key) => key in node).map((key) => `${path}: ${key}`);
  return [...(typeof node.type === 'string' ? [] : [path]), ...unions, ...members, ...items];
}

const toolsOf = async (world: World): Promise<Json[]> => (await (await world.client()).listTools()).tools;

describe('the tools that clients list', () => {
  it.each([
    ['every operation', { MCP_TOOLSETS: 'all' }],
    ['the tools of discover mode', { MCP_DISCOVER: 'true' }],
    ['reads only', { MCP_READ_ONLY: 'true' }],
  ])('have one type for each member: %s', async (_, env) => {
    const world = await openWorld(env);
    try {
      const tools = await toolsOf(world);
      expect(tools.flatMap(({ name, inputSchema }) => untyped(inputSchema, name))).toEqual([]);
    } finally {
      await world.close();
    }
  });
});

describe('the tools for batches', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld({ MCP_TOOLSETS: 'numbers', MCP_DISCOVER: 'true' });
  });
  afterAll(() => world.close());

  it('list the offered operations that can run as a batch, and no other', async () => {
    const create = (await toolsOf(world)).find(({ name }) => name === 'batches_create');
    const { enum: operations } = create.inputSchema.properties.Operation;
    expect(operations).toEqual(expect.arrayContaining(['numbers_lookup', 'numbers_status', 'numbers_reactivate']));
    expect(operations).not.toEqual(expect.arrayContaining(['subscriptions_create']));
    expect(operations).not.toContain('numbers_portin');
  });

  it('are described in discover mode, with the fields of a row and the list that one call takes', async () => {
    const client = await world.client();
    const described = value(await call(client, 'describe', { operation: 'batches_create' }));
    expect(described.inputSchema.properties.Rows).toMatchObject({ type: 'array', items: { type: 'object' } });
    expect(described.rows).toMatchObject({
      numbers_reactivate: { row: 'PhoneNumber' },
      numbers_status: { row: 'Number', list: 'PhoneNumbers', most: 100 },
    });
    for (const operation of ['batches_get', 'batches_stop', 'confirmations_get'])
      expect(value(await call(client, 'describe', { operation })).inputSchema.properties).toHaveProperty('id');
    const one = value(await call(client, 'describe', { operation: 'numbers_status' }));
    expect(one.batch).toEqual({ row: 'Number', list: 'PhoneNumbers', most: 100 });
    expect(face(await call(client, 'describe', { operation: 'batches_drop' }))).toMatchObject({ field: 'operation' });
  });

  it('run through `call`, with arguments as clients really send them', async () => {
    const client = await world.client();
    const input = JSON.stringify({
      Operation: 'numbers_lookup',
      Numbers: JSON.stringify([seeded(1), seeded(2)]),
      Rows: null,
      Fields: null,
      RestOf: null,
    });
    const { batch } = value(await call(client, 'call', { operation: 'batches_create', input }));
    const seen = value(await call(client, 'batches_get', { id: batch.id, Page: '1' }));
    expect(seen.rows).toHaveLength(2);
    const wrong = await call(client, 'batches_get', { id: batch.id, Page: 'one' });
    expect(face(wrong)).toMatchObject({ code: 'invalid_input', field: 'Page' });
  });
});
