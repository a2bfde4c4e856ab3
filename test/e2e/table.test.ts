import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isGated, type Tool } from '../../src/catalogue/operation.ts';
import { tools } from '../../tools/index.ts';
import { call, confirm, decline, face, type Json, openWorld, value, type World } from '../support/world.ts';
import { example, expectNoSecrets } from './table.derived.ts';
import { type Row, type Run, rows } from './table.rows.ts';

/*
 * Every operation and workflow over MCP (a session; confirmed on the page), each on a platform as it was seeded: its happy
 * path in the platform's own state. The definition and its first example give most of it; rows say what they cannot.
 */

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld({ MCP_TOOLSETS: 'all' });
  client = await world.client();
});
afterAll(() => world.close());

/** Over MCP, through the gate the way a person goes. */
const overMcp: Run = async (operation, input) => {
  const result = await call(client, operation, input);
  if (result.isError) throw new Error(`${operation}: ${JSON.stringify(result._meta)}`);
  const waiting = value(result).confirmation;
  if (!waiting) return value(result);
  expect((await confirm(waiting.url)).html).toMatch(/>Done[.,( ]/);
  const followed = value(await call(client, 'confirmations_get', { id: waiting.id }));
  expect(followed).toMatchObject({ id: waiting.id, status: 'done' });
  return followed.result;
};

async function prepared(operation: string): Promise<Record<string, unknown>> {
  const { input, before }: Row = rows[operation] ?? {};
  await world.reset();
  return { ...(input ?? example(operation)), ...(await before?.(overMcp)) };
}

async function happy(row: Row, operation: string): Promise<void> {
  const input = await prepared(operation);
  const before = await world.state();
  const result: Json = await overMcp(operation, input);
  if (row.answers) row.answers(result);
  else expect(result.Successful).toBe(true);
  expectNoSecrets(input, result);
  const after = await world.state();
  if (row.changes) row.changes(after, result, before);
  else expect(records(after)).toEqual(records(before));
}

/** The example of a tool without a row is sent as its endpoint says, whether or not the sandbox has that endpoint. */
async function sends(tool: Tool): Promise<void> {
  const input = await prepared(tool.id);
  const before = (await world.requests()).length;
  await overMcp(tool.id, input).catch(() => undefined);
  const [first] = (await world.requests()).slice(before).filter(({ path }) => !path.endsWith('/oauth2/tokens'));
  if (tool.kind === 'operation') expect(first).toMatchObject({ method: tool.method, path: tool.path });
}

/** The platform's records, without what moves by itself. */
function records(state: Json): Json {
  const { now: _now, pendingDeliveries: _deliveries, messages, ...rest } = state;
  return { ...rest, messages: messages.length };
}

/** Returns the number of requests that left for the platform while this ran. */
async function left(run: () => Promise<void>): Promise<number> {
  const before = (await world.requests()).length;
  await run();
  return (await world.requests()).length - before;
}

it('has rows of tools that exist', () => {
  const ids = tools.map((tool) => tool.id);
  expect(Object.keys(rows).filter((id) => !ids.includes(id))).toEqual([]);
});

describe.each(tools.map((tool) => [tool.id, tool] as const))('%s', (id, tool) => {
  const row = rows[id];
  const gated = isGated(tool);

  it('does its work over MCP', () => (row ? happy(row, id) : sends(tool)));

  it('sends nothing for an unknown field, on both', async () => {
    const input = { ...tool.examples[0], Nonsense: 1 };
    const requests = await left(async () => {
      const error = face(await call(client, id, input));
      expect(error).toMatchObject({ code: 'invalid_input', field: 'Nonsense', outcome: 'not_done' });
      expect(error.message).toContain('Nonsense');
      const ran = await world.cli([id, '--json', JSON.stringify(input), '--yes']);
      expect(ran.code).toBe(2);
      expect(ran.out).toBe('');
      expect(ran.error()).toMatchObject({ code: 'invalid_input', field: 'Nonsense', outcome: 'not_done' });
    });
    expect(requests).toBe(0);
  });

  if (gated) {
    it('does nothing without a person', async () => {
      const input = await prepared(id);
      const before = records(await world.state());
      const waiting = value(await call(client, id, input)).confirmation;
      expect(waiting).toMatchObject({
        status: 'pending',
        summary: expect.any(String),
        url: expect.stringContaining('/confirm/'),
      });
      const after = records(await world.state());
      // A cancellation's first stage changes nothing for the customer: its request is made to have something to show.
      expect({ ...after, cancelOrders: [] }).toEqual({ ...before, cancelOrders: [] });
      // A change that ends a number lets no other one of it wait beside it.
      await decline(waiting.url);
    });
  }
});
