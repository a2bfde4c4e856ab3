import { expect, it } from 'vitest';
import type { Tool } from '../../src/catalogue/operation.ts';
import { tools } from '../../tools/index.ts';
import { confirm } from '../support/page.ts';
import { call, face, type Json, openWorld, value } from '../support/world.ts';
import { example, expectEffect, expectNoSecrets, expectRead } from './table.derived.ts';
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

async function happy(tool: Tool): Promise<void> {
  const { answers, changes }: Row = rows[tool.id] ?? {};
  const input = await prepared(tool.id);
  const before = await world.state();
  const result: Json = await overMcp(tool.id, input);
  const after = await world.state();
  expectNoSecrets(input, result);
  if (tool.kind === 'operation' && tool.risk === 'read') {
    if (!answers) expectRead(world, tool, input, result);
  } else if (tool.kind === 'operation') {
    expect(result.Successful).toBe(true);
    expectEffect(tool, input, result, before, after);
  }
  answers?.(result);
  changes?.(after, before);
  if (tool.risk === 'read') expect(records(after)).toEqual(records(before));
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

const cases = tools.filter(({ id, kind }) => kind === 'operation' || rows[id] !== undefined);
it.each(cases.map((tool) => [tool.id, tool] as const))('%s does its work over MCP', (_id, tool) => happy(tool));

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
