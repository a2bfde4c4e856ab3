import { expect, it } from 'vitest';
import { headlineOf, plainOf } from '../../src/cards/card.ts';
import { lineOf } from '../../src/cards/line-of.ts';
import type { Gate } from '../../src/gate/gate.ts';
import type { Actor } from '../../src/lib/actor.ts';
import { groups } from '../../tools/groups.ts';
import { tools } from '../../tools/index.ts';

const PHONE = '+12015550101';
const ACTOR: Actor = { id: 'cli:ana', name: 'ana', role: 'operator', surface: 'cli', priority: 'person' };
const VALUE = {
  Summary: 'Data is nearly used up',
  Fix: { Does: 'Set a higher limit', Tool: 'numbers_data_usage_set', Input: {}, Needs: [] },
  Number: { Number: PHONE, Status: 'Active' },
};
const ORDER = {
  id: 'act_1',
  operation: 'numbers_portin',
  state: 'done',
  shown: {},
  known: {},
  result: { OrderId: 'JNUOID-00000001' },
  person: 'local:ana',
  surface: 'cli',
  notes: {},
  createdAt: 1,
  updatedAt: 1,
};

/** A gate that knows one order, one change that waits, one message and that the number is watched. */
const gate = {
  timeZone: 'UTC',
  tool: (id: string) => tools.find((tool) => tool.id === id),
  actions: { about: async () => [ORDER] },
  history: () => ({
    watched: async () => [{ phone: PHONE }],
    lastMessage: async () => ({ at: '2026-11-26T08:00:00.000Z', values: { From: '+12015550199', Body: 'Hello' } }),
    waitingFor: async () => [
      { id: 'act_1', what: 'Park the line', askedBy: 'Ana', at: '2026-11-26T08:00:00.000Z', others: [] },
    ],
    order: async () => ({ status: 'Submitted' }),
  }),
} as unknown as Gate;

const READER = {
  ...{ tools, groups, actor: ACTOR, own: ACTOR, asked: PHONE, hasGuard: false },
  records: { usedBy: async () => [{ noun: 'message route', id: 'MRID-1', name: 'Main SMS route' }] },
};

const textOf = (card: Awaited<ReturnType<typeof lineOf>>) =>
  card.parts
    .flatMap((part) => {
      if (part.kind === 'facts') return part.rows.map(({ value }) => plainOf(value));
      return part.kind === 'note' ? part.lines.map(plainOf) : [];
    })
    .join('\n');

it('is the whole card of a number with one call, for any surface', async () => {
  const card = await lineOf(gate, VALUE, READER);
  expect(headlineOf(card)).toBe('⚠️ (201) 555-0101: data is nearly used up');
  for (const part of ['Park the line waits', 'Main SMS route', 'Submitted as of', 'Hello', 'asked by'])
    expect(textOf(card)).toContain(part);
  const labels = card.actions.map(({ label }) => label);
  expect(labels.slice(0, 2)).toEqual(['Set a higher limit', 'Why?']);
  expect(labels).toContain('Stop watching');
});
