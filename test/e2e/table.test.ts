import { expect, it } from 'vitest';
import type { Tool } from '../../src/catalogue/operation.ts';
import { tools } from '../../tools/index.ts';
import { call, confirm, face, type Json, openWorld, value } from '../support/world.ts';
import { example, expectNoSecrets } from './table.derived.ts';
import { type Row, type Run, rows } from './table.rows.ts';

/*
 * Every operation and workflow over MCP (a session; confirmed on the page), each on a platform as it was seeded: its happy
 * path in the platform's own state. The definition and its first example give most of it; rows say what they cannot.
 */

const world = await openWorld({ MCP_TOOLSETS: 'all' });
const client = await world.client();

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

it('has rows of tools that exist', () => {
  const ids = tools.map((tool) => tool.id);
  expect(Object.keys(rows).filter((id) => !ids.includes(id))).toEqual([]);
});

it.each(tools.map((tool) => [tool.id, tool] as const))('%s does its work over MCP', (id, tool) => {
  const row = rows[id];
  return row ? happy(row, id) : sends(tool);
});

it('sends nothing for an unknown field, over MCP and at the terminal', async () => {
  const input = { ...example('numbers_cancel'), Nonsense: 1 };
  const wrong = { code: 'invalid_input', field: 'Nonsense', outcome: 'not_done' };
  const before = (await world.requests()).length;
  const error = face(await call(client, 'numbers_cancel', input));
  expect(error).toMatchObject({ ...wrong, message: expect.stringContaining('Nonsense') });
  const ran = await world.cli(['numbers_cancel', '--json', JSON.stringify(input), '--yes']);
  expect([ran.code, ran.out, ran.error()]).toMatchObject([2, '', wrong]);
  expect(await world.requests()).toHaveLength(before);
});
