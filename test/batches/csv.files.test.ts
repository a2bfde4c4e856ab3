import { expect, it } from 'vitest';
import { readListFile } from '../../src/batches/csv.ts';
import { readRows } from '../../src/batches/rows.ts';
import { plainText } from '../../src/lib/values.ts';
import { tools } from '../../tools/index.ts';
import { begunDay } from '../support/clock.ts';
import { LINE_1, LINE_2, readableLists, refusedLists, refusedRows } from '../support/inputs/lists.ts';

const PARK = { StatusChange: 'park', EffectiveDate: begunDay() };
const status = tools.find(({ id }) => id === 'numbers_status');

function rowsOf(bytes: Buffer) {
  const read = readListFile(bytes);
  if ('problem' in read) throw new Error(read.problem);
  if (status === undefined) throw new Error('no such operation');
  return readRows(status, { text: read.text }, { shared: PARK, now: new Date('2026-11-22T00:00:00Z') }).rows;
}

it.each(readableLists)('a list is read from $what', ({ bytes }) => {
  expect(rowsOf(bytes).map(({ target, failure }) => failure ?? target)).toEqual([LINE_1, LINE_2]);
});

it.each(refusedLists)('a list is refused with the reason: $what', ({ bytes, says }) => {
  expect(() => rowsOf(bytes)).toThrow(says);
});

it.each(refusedRows)('a row is left out with the reason: $what', ({ cell, says }) => {
  const [first, second] = rowsOf(Buffer.from(`number\n${LINE_1}\n${cell}\n`));
  expect(first).toMatchObject({ target: LINE_1, failure: undefined });
  expect(plainText(second?.failure?.message ?? '')).toMatch(says);
});
