import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/catalogue/operation.ts';
import { changeOf } from '../../src/ledger/action.ts';
import { mapLeaves, textsIn } from '../../src/lib/values.ts';
import { tools } from '../../tools/index.ts';
import { example } from '../e2e/table.derived.ts';
import { type Run, rows } from '../e2e/table.rows.ts';
import { type Asked, sharedLateWorld } from '../support/late-platform.ts';
import { id } from '../support/seed.ts';
import { call, face, texts, value } from '../support/world.ts';
import { changing, examplesOf } from './change-cases.ts';

/*
 * A record counts only if it is the one that was asked for. Every read of the catalogue, and every read that a change
 * rests on, is answered with another record: nothing of it is shown, asked about or sent.
 */

type Json = ReturnType<typeof JSON.parse>;

const LEE = { id: 'local:lee', name: 'lee', role: 'approver', surface: 'page', priority: 'person' } as const;
/** Paths of requests that change nothing. */
const FREE: ReadonlySet<string> = new Set([
  '/v1.0/oauth2/tokens',
  '/v1.0/numbers/cancel-order-request',
  ...tools.flatMap((tool) =>
    tool.kind === 'operation' && tool.risk === 'read' && tool.method === 'POST' ? [tool.path] : [],
  ),
]);
const OTHER = '+12015550178';
const isName = (text: unknown): text is string =>
  typeof text === 'string' && /^(?:\+\d{7,}$|89\d{17,}$|[A-Z]{2,7}-[\w-]+$)/.test(text);
/** Texts of a request that name a record. */
const namesIn = ({ sent }: Pick<Asked, 'sent'>): string[] =>
  textsIn(sent).flatMap(({ value: one }) => (isName(one) ? [one] : []));
const otherOf = (name: string) =>
  name.startsWith('+') ? OTHER : name.startsWith('89') ? '8901240397190199999' : name.replace(/[^-]*$/, 'ffffffffffff');

/** The answer with other names in place of those that were asked for. */
function foreign(asked: Asked, came: Json): Json {
  const names = new Set(namesIn(asked));
  return mapLeaves(came, { leaf: ({ value: one }) => (isName(one) && names.has(one) ? otherOf(one) : one) });
}

const { platform, world, client } = await sharedLateWorld();

/** The answers in place of those that came. */
function answers(answer: (asked: Asked, came: Json) => Json): void {
  platform.rewrite = (came, asked) => JSON.stringify(answer(asked, JSON.parse(came)));
}

const run: Run = (operation, input) => world.person(operation, input);

/** True if an answer names what was asked for. */
const isNamed = (asked: Asked, came: Json) => JSON.stringify(foreign(asked, came)) !== JSON.stringify(came);

const ids = tools.filter(
  (tool): tool is Operation =>
    tool.kind === 'operation' &&
    tool.risk === 'read' &&
    tool.id !== 'oauth2_tokens' &&
    namesIn({ sent: example(tool.id) }).length > 0,
);

describe('a read', () => {
  const seen = new Set<string>();

  it.each(ids.map((tool) => [tool.id, tool] as const))('%s', async (_id, tool) => {
    const asking = { ...example(tool.id), ...(await rows[tool.id]?.before?.(run)) };
    let came: Json;
    answers((asked, answer) => {
      if (asked.path !== tool.path) return answer;
      came = answer;
      if (isNamed(asked, answer)) seen.add(tool.id);
      return answer;
    });
    const own = await call(client, tool.id, asking);
    expect(own.isError, texts(own)).toBeFalsy();
    // The sandbox does not name what was asked for in every answer that may name it.
    const named = namesIn({ sent: asking });
    const [member = ''] = Object.entries(asking).flatMap(([name, one]) => (one === named[0] ? [name] : []));
    answers((asked, answer) => {
      if (asked.path !== tool.path) return answer;
      if (isNamed(asked, answer)) return foreign(asked, answer);
      const other = otherOf(named[0] ?? '');
      return Array.isArray(answer) ? [{ [member]: other }] : { ...answer, [member]: other };
    });
    const result = await call(client, tool.id, asking);
    expect(face(result)).toMatchObject({ code: 'unavailable', outcome: 'not_done' });
    expect(texts(result)).toContain('answered with another record');
    expect(came).toBeDefined();
  });

  it('covers the catalogue', () => {
    expect(ids.length).toBeGreaterThan(25);
    expect(seen.size).toBeGreaterThan(15);
  });
});

describe('a change', () => {
  let changes = 0;

  it.each(changing.map((tool) => [tool.id, tool] as const))('%s', async (_id, tool) => {
    const [input = {}] = await examplesOf(tool, run);
    const paths = new Set<string>();
    answers((asked, came) => {
      if (isNamed(asked, came)) paths.add(asked.path);
      return came;
    });
    const asked = await call(client, tool.id, input);
    const { confirmation } = value(asked) ?? {};
    expect(confirmation?.id, texts(asked)).toBeDefined();
    const action = await world.runtime.gate.actions.get(confirmation.id);
    expect(action && changeOf(action)).toBeDefined();
    const reads = [...paths].filter((path) => ids.some((one) => one.path === path));
    if (reads.length > 0) changes += 1;
    const answered = (paths: readonly string[]) => {
      answers((one, came) => (paths.includes(one.path) ? foreign(one, came) : came));
    };
    const writes = async () =>
      (await world.requests()).filter(({ method, path }) => method === 'POST' && !FREE.has(path)).length;
    const before = await writes();
    if (reads.length > 0) {
      answered(reads);
      await expect(world.runtime.gate.confirm(confirmation.id, LEE, 'page')).rejects.toThrow('another record');
    }
    for (const path of reads) {
      answered([path]);
      const refused = await call(client, tool.id, input);
      expect({ path, face: face(refused) }).toMatchObject({ path, face: { code: 'unavailable', outcome: 'not_done' } });
    }
    expect(await writes()).toBe(before);
  });

  it('rests on reads', () => expect(changes).toBeGreaterThan(35));
});

/** The platform's list at this path has its first number twice, the second time with other values. */
const twice = (path: string, more: object): void =>
  answers((asked, came) => {
    const [first] = came.PhoneNumbers ?? [];
    return asked.path === path ? { ...came, PhoneNumbers: [...came.PhoneNumbers, { ...first, ...more }] } : came;
  });

it('a list with two different records of one number, of which neither counts', async () => {
  twice('/v1.0/numbers/inventory', { AssignedSubscriberId: id('TSUID', 2) });
  const first = String((await world.person('numbers_inventory_get', {})).PhoneNumbers[0].Number);
  const others = [3, 4, 6].map((n) => ({ Number: `+1201555010${n}` }));
  const asked = await call(client, 'numbers_status', {
    ...{ StatusChange: 'park', EffectiveDate: '12/31/2099' },
    PhoneNumbers: [...others, { Number: first }],
  });
  expect(value(asked).confirmation, texts(asked)).toMatchObject({ status: 'pending' });
  expect(texts(asked)).toContain(`Not looked at before asking, customer unknown: ${first}`);
});

it('two different settings of one line, of which neither is sent again', async () => {
  twice('/v1.0/numbers/data-usage/settings', { ThrottleValue: 7 });
  const PhoneNumbers = ['+12015550101', '+12015550103'].map((one) => ({ Number: one }));
  const refused = await call(client, 'numbers_data_usage_set', { PhoneNumbers, LimitValue: 300 });
  expect(face(refused)).toMatchObject({ code: 'unavailable', outcome: 'not_done' });
});

it('a workflow that looks a line up', async () => {
  answers((asked, came) => (asked.path === '/v1.0/numbers' ? foreign(asked, came) : came));
  for (const operation of ['numbers_lookup', 'numbers_diagnose']) {
    const result = await call(client, operation, { PhoneNumber: '+12015550101' });
    expect(face(result)).toMatchObject({ code: 'unavailable' });
    expect(texts(result)).not.toContain('0178');
  }
  answers((asked, came) => (asked.path === '/v1.0/subscribers/get' ? foreign(asked, came) : came));
  const { Subscriber, Missing } = value(await call(client, 'numbers_lookup', { PhoneNumber: '+12015550101' }));
  expect([Subscriber, Missing.length]).toEqual([null, 1]);
  for (const text of ['Subscriber: The platform answered with another record', id('TSUID', 1)])
    expect(Missing[0]).toContain(text);
});
