import { describe, expect, it } from 'vitest';
import type { Card, Part } from '../../../src/cards/card.ts';
import { lineCard } from '../../../src/cards/line.ts';
import { checkBlocks } from '../../../src/demo/playground/limits.ts';
import { plainText } from '../../../src/lib/values.ts';
import { draw, drawWhole } from '../../../src/surfaces/slack/blocks/fitting.ts';
import { resultMessage, type StoredResult } from '../../../src/surfaces/slack/blocks/result.ts';
import { header } from '../../../src/surfaces/slack/blocks/text.ts';

const NASTY = '<!channel> <@U1> <https://evil.example|click> *b* _i_ `c` & \u202egnp.exe\u0000\u001b[31m';

function held(value: Record<string, unknown>): StoredResult {
  return { id: 'abc', title: 'Inventory', value };
}

it('a long answer is paged within Slack’s limits, with every row shown once', () => {
  const rows = Array.from({ length: 333 }, (_, i) =>
    Object.fromEntries(
      Array.from({ length: 24 }, (_, j) => [`Column${j}`, j === 0 ? `row-${i}` : `${i}/${j} ${'x'.repeat(i % 40)}`]),
    ),
  );
  const seen: string[] = [];
  for (let page = 0; page < 50; page += 1) {
    const message = resultMessage(held({ Total: 333, List: rows }), { page });
    expect(checkBlocks(message.blocks, 'message')).toEqual([]);
    const text = JSON.stringify(message.blocks);
    seen.push(...(text.match(/row-\d+/g) ?? []));
    const left = /… (\d+) more rows?: Next/.exec(text)?.[1];
    expect(text).toContain('4 more columns');
    if (left === undefined) break;
    expect(Number(left)).toBe(333 - seen.length);
  }
  expect(new Set(seen).size).toBe(333);
  expect(seen).toHaveLength(333);
});

it.each([
  ['a result', resultMessage(held({ Name: NASTY, List: [{ Name: NASTY, Other: 'x' }], Long: NASTY.repeat(500) }))],
  [
    'a lookup',
    {
      text: '',
      blocks: draw(
        lineCard({
          value: {
            Summary: NASTY,
            Number: { Number: '+12015550101', Status: NASTY, X: NASTY },
            Subscriber: { Name: NASTY },
            Missing: [NASTY],
            Waiting: [{ What: NASTY, AskedBy: NASTY, AskedAt: NASTY, AlsoCovers: [NASTY] }],
          },
        }),
      ).blocks,
    },
  ],
])('text from outside stays text in %s', (_name, message) => {
  expect(checkBlocks(message.blocks, 'message')).toEqual([]);
  expect(message.text).not.toMatch(/<[!@h]/);
  const marked = JSON.stringify(message.blocks).match(/\{"type":"mrkdwn"[^}]*\}/g) ?? [];
  expect(marked.join('')).not.toMatch(/<!channel|<@U1|<https/);
  expect(JSON.stringify(message)).not.toMatch(/\\u202e|\\u0000|\\u001b|\u202e/);
});

const TITLE = 'Change a line';
const HEAD = [header(TITLE)];

function card(...parts: Part[]): Pick<Card, 'title' | 'parts'> {
  return { title: TITLE, parts };
}

const fact = (label: string, value: string) => ({ label, value: [{ sent: value }] });

const facts = (...values: string[]): Part => ({
  kind: 'facts',
  rows: values.map((value, at) => fact(`Fact ${at}`, value)),
});

const changes = (...values: string[]): Part => ({
  kind: 'facts',
  title: 'What changes',
  rows: values.map((value) => fact('Body', value)),
});

const numbers = Array.from({ length: 200 }, (_, at) => `+1201555${String(at).padStart(4, '0')}`).join(', ');

it.each<[string, Part[]]>([
  [
    'with short values',
    [facts('Ava Stone'), changes('90 → 300'), { kind: 'quote', title: 'Consent', text: 'I agree.' }],
  ],
  [
    'with what is read on demand left out',
    [facts('Ava'), { kind: 'facts', folded: 'Details', rows: [fact('Id', 'x')] }],
  ],
  [
    'with warnings and sentences',
    [
      { kind: 'note', warns: true, lines: [['Seen twice.']] },
      { kind: 'small', text: 'No & <b>.' },
    ],
  ],
  [
    'with details in small text',
    [{ kind: 'facts', title: 'What is sent', rows: [{ ...fact('Id', 'AID-00000001'), detail: true }] }],
  ],
])('a card is whole %s', (_, parts) => {
  const drawn = draw(card(...parts), { head: HEAD });
  expect(drawn.isWhole).toBe(true);
  expect(checkBlocks(drawn.blocks, 'message')).toEqual([]);
});

describe('a card is not whole, and says so', () => {
  it.each<[string, Part[]]>([
    ['of a list', [changes(numbers)]],
    ['of a text', [changes('x'.repeat(2_000))]],
    ['of a statement', [{ kind: 'quote', title: 'Consent', text: 'I agree. '.repeat(900) }]],
    ['of many values', [changes(...Array.from({ length: 60 }, () => 'y'.repeat(90)))]],
  ])('%s', (_, parts) => {
    const { blocks, isWhole } = draw(card(...parts, { kind: 'actions' }), { head: HEAD });
    expect(isWhole).toBe(false);
    expect(JSON.stringify(blocks)).toContain('Some values do not fit on this card.');
    expect(checkBlocks(blocks, 'message')).toEqual([]);
  });

  it('is whole in a window that shows long values in pieces, unless it is too long for that too', () => {
    expect(drawWhole(card(changes(numbers, 'x'.repeat(9_000))), plainText).isWhole).toBe(true);
    expect(drawWhole(card(changes(...Array.from({ length: 100 }, (_, at) => `${at}`))), plainText).isWhole).toBe(false);
  });
});

it('no line of a value reads as another row, and the card is whole', () => {
  const drawn = draw(card(changes('Hello\nCost  nothing', '90 → 300')), { head: HEAD });
  expect(drawn.isWhole).toBe(true);
  expect(JSON.stringify(drawn.blocks)).toContain('Hello\\n    Cost  nothing');
});
