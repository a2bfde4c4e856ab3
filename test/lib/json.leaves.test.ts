import { expect, it } from 'vitest';
import { leaves, mapLeaves, partsOf, pathOf, recordAround, textsIn } from '../../src/lib/json.ts';

const ANSWER = { Numbers: [{ Number: '+12015550101', Sim: { ICCID: '89' } }, 7], Note: null, Tags: [['a']] };

it('finds every part in order, each before those in it', () => {
  expect(partsOf(ANSWER).map((part) => pathOf(part))).toEqual([
    '',
    ...['Numbers', 'Numbers.0', 'Numbers.0.Number', 'Numbers.0.Sim', 'Numbers.0.Sim.ICCID', 'Numbers.1'],
    ...['Note', 'Tags', 'Tags.0', 'Tags.0.0'],
  ]);
  expect(leaves(ANSWER).map(({ name, value }) => [name, value])).toEqual([
    ['Number', '+12015550101'],
    ['ICCID', '89'],
    ['Numbers', 7],
    ['Note', null],
    ['Tags', 'a'],
  ]);
});

it('names the record around a text, also through lists', () => {
  const [, iccid, tag] = textsIn(ANSWER);
  expect(iccid && recordAround(iccid)).toBe((ANSWER.Numbers[0] as { Sim: object }).Sim);
  expect(tag && recordAround(tag)).toBe(ANSWER);
});

it('copies a value without a member that would set its prototype', () => {
  const hostile = JSON.parse('{"__proto__": {"isAdmin": true}, "a": [{"__proto__": 1}]}') as object;
  const copy = mapLeaves(hostile, {}) as { isAdmin?: boolean };
  expect(copy.isAdmin).toBeUndefined();
  expect(JSON.stringify(copy)).toBe(JSON.stringify(hostile));
});

it('looks through what is nested deeper than any JSON that is read, and ends for an object that contains itself', () => {
  let deep: unknown = 'x';
  for (let depth = 0; depth < 4_000; depth += 1) deep = depth % 2 === 0 ? [deep] : { deep };
  expect(textsIn(deep)).toHaveLength(1);
  const loop: Record<string, unknown> = {};
  Object.assign(loop, { one: loop, other: loop });
  expect(() => partsOf(loop)).toThrow(RangeError);
});
