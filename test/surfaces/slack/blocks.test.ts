import { describe, expect, it } from 'vitest';
import { lineCard } from '../../../src/cards/line.ts';
import { checkBlocks } from '../../../src/demo/playground/limits.ts';
import { draw } from '../../../src/surfaces/slack/blocks/fitting.ts';
import { resultMessage, type StoredResult } from '../../../src/surfaces/slack/blocks/result.ts';

const NASTY = '<!channel> <@U1> <https://evil.example|click> *b* _i_ `c` & \u202egnp.exe\u0000\u001b[31m';

function held(value: Record<string, unknown>): StoredResult {
  return { id: 'abc', title: 'Inventory', value, mismatched: [] };
}

describe('a long answer', () => {
  it('is paged within Slack’s limits, with every row shown once', () => {
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
      expect(text).toContain('4 more columns: JSON');
      if (left === undefined) break;
      expect(Number(left)).toBe(333 - seen.length);
    }
    expect(new Set(seen).size).toBe(333);
    expect(seen).toHaveLength(333);
  });
});

describe('text from outside', () => {
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
  ])('stays text in %s', (_name, message) => {
    expect(checkBlocks(message.blocks, 'message')).toEqual([]);
    expect(message.text).not.toMatch(/<[!@h]/);
    const marked = JSON.stringify(message.blocks).match(/\{"type":"mrkdwn"[^}]*\}/g) ?? [];
    expect(marked.join('')).not.toMatch(/<!channel|<@U1|<https/);
    expect(JSON.stringify(message)).not.toMatch(/\\u202e|\\u0000|\\u001b|\u202e/);
  });
});
