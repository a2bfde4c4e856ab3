import { describe, expect, it } from 'vitest';
import type { BatchView } from '../../src/batches/batches.ts';
import { type BatchRow, countsOf, type Outcome } from '../../src/batches/states.ts';
import { batchCard, rowsPart } from '../../src/cards/batch.ts';
import { headlineOf, type Part, plainOf } from '../../src/cards/card.ts';

const ROW: BatchRow = {
  n: 1,
  line: 2,
  target: '+12015550101',
  said: { Number: '+12015550101' },
  tries: 0,
  failure: undefined,
  asked: undefined,
  action: undefined,
  result: undefined,
  at: undefined,
  outcome: 'waiting',
  effects: {},
};
const refused = { code: 'refused', outcome: 'not_done', message: 'It is parked.' } as const;

/** A batch whose rows have these outcomes. */
function viewOf(state: BatchView['state'], outcomes: readonly Outcome[], more: Partial<BatchView> = {}): BatchView {
  const counts = countsOf(outcomes.map((outcome) => ({ outcome })));
  return {
    id: 'bat_1',
    operation: 'numbers_park',
    title: 'Park 3 numbers',
    state,
    reason: undefined,
    counts,
    total: outcomes.length,
    notDone: counts.failed,
    plan: undefined,
    confirmation: undefined,
    requester: { person: 'slack:T1/U1', actorName: '@ana', surface: 'slack' },
    decider: undefined,
    ...more,
  } as BatchView;
}

const linesOf = (part: Part): string[] => {
  if (part.kind === 'facts') return part.rows.map(({ label, value }) => `${label}: ${plainOf(value)}`);
  return part.kind === 'note' ? part.lines.map(plainOf) : [`[${part.kind}]`];
};
const PEOPLE = ['Asked by: slack:T1/U1 (@ana)', 'Batch: bat_1', '[actions]'];

describe('the card of a batch', () => {
  it.each<[BatchView, string, string[]]>([
    [
      viewOf('planning', ['waiting', 'planning'], { readingMs: 70_000 }),
      '⏳ Park 3 numbers: reading the rows: 1 of 2, about 2 min to go. Nothing has been sent.',
      PEOPLE,
    ],
    [
      viewOf('waiting', ['waiting', 'left_out']),
      '🔐 Park 3 numbers: 1 of 2 rows are ready, 1 left out. It waits for a yes. Nothing has been sent.',
      PEOPLE,
    ],
    [
      viewOf('running', ['done', 'running', 'waiting', 'left_out']),
      '⏳ Park 3 numbers: running: 1 done, 1 left out, 1 being sent, 1 to go.',
      ['1 of 3', ...PEOPLE],
    ],
    [
      viewOf('stopped', ['done', 'failed', 'waiting'], { reason: { why: 'often', count: 3 } }),
      '⏹️ Park 3 numbers: stopped: 1 done, 1 failed, 1 not sent. The platform refused too many rows (3). Rows that were not sent stay as they are.',
      PEOPLE,
    ],
    [
      viewOf('done', ['done', 'done'], {
        decider: { state: 'done', decidedPerson: 'token:lee', decidedBy: 'Lee' } as never,
      }),
      '✅ Park 3 numbers: done: 2 done.',
      ['Asked by: slack:T1/U1 (@ana)', 'Confirmed by: token:lee (Lee)', 'Batch: bat_1', '[actions]'],
    ],
    [
      viewOf('expired', ['waiting']),
      '⌛ Park 3 numbers: nobody decided in time, so it expired. Nothing was sent.',
      PEOPLE,
    ],
  ])('%#: %s', (view, headline, lines) => {
    const card = batchCard(view, 'page');
    expect(headlineOf(card)).toBe(headline);
    expect(card.parts.flatMap(linesOf)).toEqual(lines);
  });
});

describe('the rows of a batch', () => {
  it.each<[what: string, rows: Partial<BatchRow>[], columns: string[], brief: string[]]>([
    ['the target alone', [{}], ['Row', 'Target', 'State', 'Reason'], ['1. +12015550101 ready']],
    [
      'a reason, and a row without a target',
      [
        { outcome: 'failed', failure: refused },
        { n: 2, target: '', outcome: 'left_out', failure: refused, said: {} },
      ],
      ['Row', 'Target', 'State', 'Reason'],
      ['1. +12015550101 failed: It is parked.', '2. – left out: It is parked.'],
    ],
    [
      'values of its own, and effects that differ',
      [
        { said: { Number: '+12015550101', LimitValue: 90 }, effects: { customer: 'Ava Stone', cost: '5 USD' } },
        { n: 2, target: '+12015550102', said: {}, effects: { customer: 'Ben Reed', cost: '5 USD' } },
      ],
      ['Row', 'Target', 'State', 'Reason', 'Data limit', 'Customer'],
      ['1. +12015550101 ready\n   Ava Stone', '2. +12015550102 ready\n   Ben Reed'],
    ],
  ])('%s', (_what, given, columns, brief) => {
    const rows = given.map((row) => ({ ...ROW, ...row }));
    const part = rowsPart({ changed: undefined }, rows);
    expect(part.columns).toEqual(columns);
    expect(part.brief).toEqual(brief);
    expect(part.rows.map((row) => row.length)).toEqual(rows.map(() => columns.length));
  });
});
