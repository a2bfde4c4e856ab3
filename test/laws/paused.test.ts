import { describe, expect, it } from 'vitest';
import type { Tool } from '../../src/catalogue/operation.ts';
import type { Actor } from '../../src/lib/actor.ts';
import { asSwitchboardError } from '../../src/lib/errors.ts';
import { rows } from '../e2e/table.rows.ts';
import { FastClock } from '../support/clock.ts';
import { sharedLateWorld } from '../support/late-platform.ts';
import type { World } from '../support/world.ts';
import { changing } from './change-cases.ts';

/*
 * What was confirmed is sent only as it was confirmed, also after a pause. Every operation that changes something is sent
 * to a platform that refuses the first attempt for the moment (429, 503): its change is built again before the second one.
 * After an answer that leaves open what was done (500), nothing is read again.
 */

const ANA: Actor = { id: 'cli:ana', name: 'ana', role: 'approver', surface: 'cli', priority: 'person' };

const { platform, world } = await sharedLateWorld(new FastClock());

const run: World['person'] = (operation, input) => world.person(operation, input);

/** Asks for a change on a platform as it was seeded. Resolves to what its yes does, and the requests that arrive then. */
async function asked(tool: Tool) {
  const { input = tool.examples[0], before } = rows[tool.id] ?? {};
  const { gate } = world.runtime;
  const pending = await gate.perform(tool.id, { ...input, ...(await before?.(run)) }, ANA);
  if (pending.kind !== 'pending') throw new Error(`${tool.id} is not asked`);
  const from = platform.arrived.length;
  return {
    confirm: () => gate.confirm(pending.action.id, ANA, 'terminal'),
    arrived: () => platform.arrived.slice(from),
  };
}

/** The endpoint that does the work of an operation. */
function pathOf(tool: Tool): string {
  const does = tool.id === 'numbers_cancel' ? changing.find(({ id }) => id === 'numbers_cancel_order_submit') : tool;
  if (does?.kind !== 'operation') throw new Error(`${tool.id} has no endpoint`);
  return does.path;
}

/** What is read before each request to the endpoint of an operation, in any order and each once. */
function readsBefore(arrived: readonly string[], path: string): string[][] {
  const reads: string[][] = [[]];
  for (const request of arrived) {
    if (request === `POST ${path}`) reads.push([]);
    else if (request.startsWith('GET ')) reads.at(-1)?.push(request);
  }
  return reads.slice(0, -1).map((each) => [...new Set(each)].sort());
}

/** Another program changes every text of the records: names, states, addresses. */
function altered(answer: string): string {
  const isKept = (text: string) => /^[A-Z]{2,7}-|^\+\d+$|^\d+$/.test(text);
  return JSON.stringify(
    JSON.parse(answer, (_name, value: unknown) =>
      typeof value === 'string' && value !== '' && !isKept(value) ? `${value}x` : value,
    ),
  );
}

describe.each(changing.map((tool, at) => [tool.id, tool, at] as const))('%s', (_id, tool, at) => {
  const path = pathOf(tool);
  /** What comes of the yes where the attempts get these statuses, and the records change after the last of them. */
  async function confirmed(...statuses: number[]) {
    const { confirm, arrived } = await asked(tool);
    for (const status of statuses) platform.next(path, status, 'POST');
    const attempts = () => arrived().filter((request) => request === `POST ${path}`).length;
    platform.rewrite = (answer, { method }) =>
      method === 'GET' && attempts() >= statuses.length ? altered(answer) : answer;
    const end = await confirm().catch((error: unknown) => asSwitchboardError(error).face);
    return { end, reads: readsBefore(arrived(), path) };
  }

  it('is built again before an attempt that follows a pause, and not sent if what it rests on has changed', async () => {
    const { end, reads } = await confirmed(429, 503);
    const [first = [], ...later] = reads;
    expect(end).toMatchObject(
      first.length > 0 ? { code: 'not_confirmed', reason: 'changed', outcome: 'not_done' } : { kind: 'done' },
    );
    expect(later).toEqual(first.length > 0 ? [first] : [[], []]);
  });

  // How an attempt ended is judged in one place, so a part of the operations is enough: some are sent again, some not.
  if (at % 4 !== 0) return;
  it('is not read again after a 500, because its outcome is unknown', async () => {
    const { end, reads } = await confirmed(500);
    expect(end).toMatchObject(tool.resend ? { kind: 'done' } : { outcome: 'unknown' });
    expect(reads.slice(1)).toEqual(tool.resend ? [[]] : []);
  });
});

it('covers operations that are sent again after a 500, and others', () => {
  const tried = changing.filter((_, at) => at % 4 === 0);
  expect(new Set(tried.map(({ resend }) => resend)).size).toBe(2);
});
