import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, openWorld, type World } from '../../support/world.ts';

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
});
