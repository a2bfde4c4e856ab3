import { expect, it } from 'vitest';
import { type BatchRow, type Outcome, stopReason } from '../../src/batches/states.ts';
import type { ErrorCode } from '../../src/lib/errors.ts';

/** Rows that ended in the order of their `at`, failed ones with this code. Rows without an outcome wait. */
function rowsOf(count: number, ended: Record<number, [Outcome, number]>, code: ErrorCode = 'refused'): BatchRow[] {
  return Array.from({ length: count }, (_, i): BatchRow => {
    const [outcome, at] = ended[i + 1] ?? ['waiting', undefined];
    const failure = outcome === 'failed' ? ({ code, outcome: 'not_done', message: 'not done' } as const) : undefined;
    const rest = { tries: 0, asked: undefined, failure, action: undefined, result: undefined };
    return { n: i + 1, line: i + 1, target: `row ${i + 1}`, said: {}, effects: {}, outcome, at, ...rest };
  });
}

/** So many refused rows of many, each between two that are done. */
function refused(count: number): Record<number, [Outcome, number]> {
  const ends = Array.from({ length: 60 }, (_, i): [number, [Outcome, number]] => {
    const isRefused = i >= 10 && i % 4 === 0 && i < 10 + count * 4;
    return [i + 1, [isRefused ? 'failed' : 'done', i + 1]];
  });
  return Object.fromEntries(ends);
}

/** Rows that failed, one after the other. */
const failed = (...rows: number[]): Record<number, [Outcome, number]> =>
  Object.fromEntries(rows.map((n) => [n, ['failed', n]]));

it.each([
  ['a refusal of row 5', rowsOf(100, { 6: ['done', 1], 5: ['failed', 2] }), 'refused'],
  ['a refusal of row 6, which ended first', rowsOf(100, { 6: ['failed', 1] }), undefined],
  ['a refusal of row 6 after a row left out', rowsOf(100, { 1: ['left_out', 1], 6: ['failed', 2] }), undefined],
  ['4 of 100 refused', rowsOf(100, refused(4)), undefined],
  ['5 of 100 refused', rowsOf(100, refused(5)), 'often'],
  ['three refused in a row', rowsOf(500, { 1: ['done', 1], ...failed(20, 21, 22) }), 'often'],
  ['a row that reading found not done', rowsOf(100, failed(1), 'network'), undefined],
  ['six rows of a killed process', rowsOf(100, failed(6, 7, 8, 9, 10, 11), 'network'), undefined],
])('when a batch stops %s', (_what, rows, why) => {
  expect(stopReason('spend', rows)?.why).toBe(why);
});
