import { describe, expect, it } from 'vitest';
import type { ViewCard } from '../../../../src/cards/view.ts';
import { cardOf, isNotFound } from '../../../../src/surfaces/mcp/view/result.ts';

/* Tests the cards that the view draws for results. A message between windows may contain values that JSON cannot. */

const HIDDEN = 'a\u202eb\u200bc';
const SHOWN = 'a[U+202E]b[U+200B]c';

/** A table of this size. */
const table = (rows: number, columns: number) => ({
  kind: 'table',
  columns: Array.from({ length: columns }, (_, at) => `c${at}`),
  rows: Array.from({ length: rows }, () => Array.from({ length: columns }, () => 'x')),
});
const withCard = (card: object) => cardOf({ content: [], _meta: { 'switchboard/card': card } });
const rowsIn = ({ parts }: ViewCard) => parts.flatMap((part) => (part.kind === 'table' ? part.rows : []));

describe('the card of a result', () => {
  const cyclic: Record<string, unknown> = { Summary: 'x' };
  cyclic.again = [cyclic];
  it.each([
    ['an object that is no text', { Summary: { toString: 1, valueOf: 1 }, Value: { toString: 1, valueOf: 1 } }],
    ['a cycle', cyclic],
    ['a number of any size', { Summary: 'x', list: [[1n]] }],
  ])('is one that can be drawn for %s', (_, structuredContent) => {
    const card = cardOf({ structuredContent });
    expect(typeof card.title).toBe('string');
    expect(card.parts.length > 0 || card.state?.text.includes('cannot be shown here')).toBe(true);
  });

  it('has only values of the records in its tables', () => {
    const card = cardOf({ structuredContent: { rows: [{ constructor: 'here' }, { other: 1 }] } });
    expect(rowsIn(card)).toEqual([
      ['here', ''],
      ['', '1'],
    ]);
  });

  it('shows characters that cannot be seen as codes', () => {
    const data = cardOf({
      structuredContent: { Summary: HIDDEN, status: HIDDEN, [HIDDEN]: HIDDEN, list: [{ [HIDDEN]: HIDDEN }] },
      content: [
        { type: 'text', text: '{}' },
        { type: 'text', text: HIDDEN },
      ],
    });
    const failed = cardOf({ isError: true, content: [{ type: 'text', text: HIDDEN }] });
    const sent = withCard({ title: HIDDEN, parts: [{ kind: 'quote', title: HIDDEN, text: HIDDEN }] });
    for (const card of [data, failed, sent]) {
      expect(JSON.stringify(card)).not.toMatch(/[\u202e\u200b]/);
      expect(JSON.stringify(card)).toContain(SHOWN);
    }
    expect(data).toMatchObject({ title: SHOWN, state: { text: SHOWN } });
    expect(data.parts).toContainEqual({ kind: 'note', text: SHOWN });
  });

  it('has a bounded number of cells in all, and says what is left out', () => {
    const card = withCard({ title: 'x', parts: Array.from({ length: 8 }, () => table(200, 200)) });
    expect(rowsIn(card).flat().length).toBeLessThanOrEqual(5_000);
    expect(card.parts[0]).toMatchObject({ more: 200 - rowsIn(card).length });
    expect(card.parts[7]).toMatchObject({ rows: [], more: 200 });
    // Cells without a column are not drawn.
    const narrow = withCard({ title: 'x', parts: [{ ...table(200, 200), columns: ['c'] }] });
    expect(rowsIn(narrow).flat()).toHaveLength(200);
    const facts = { kind: 'facts', rows: Array.from({ length: 200 }, () => ['a', 'b']) };
    const many = withCard({ title: 'x', parts: Array.from({ length: 20 }, () => facts) });
    expect(many.parts.flatMap((part) => (part.kind === 'facts' ? part.rows : []))).toHaveLength(2_500);
    expect(many.parts).toContainEqual({ kind: 'note', text: 'More values are not shown here.' });
    const lists = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`list${at}`, [{ a: 1 }]]));
    const content = Array.from({ length: 1_000 }, () => ({ type: 'text', text: 'a sentence' }));
    expect(cardOf({ structuredContent: lists, content }).parts.length).toBeLessThan(40);
  });
});

it.each([
  ['There is no confirmation act_1. (not_found)', true],
  ['“(not_found)” is no number. (invalid_input)', false],
])('%s: %s', (text, isGone) => {
  expect(isNotFound({ isError: true, content: [{ type: 'text', text }] })).toBe(isGone);
  expect(isNotFound({ content: [{ type: 'text', text }] })).toBe(false);
});
