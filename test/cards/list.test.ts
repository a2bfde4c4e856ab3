import { describe, expect, it } from 'vitest';
import { type Card, plainOf } from '../../src/cards/card.ts';
import { foundCard } from '../../src/cards/list.ts';
import type { Fields } from '../../src/lib/values.ts';

/** The lines of a card, with the actions of each row in brackets. */
function linesOf({ title, about = '', parts, actions }: Card): string[] {
  const bracket = (list: readonly { label: string }[]) =>
    list.length === 0 ? '' : ` [${list.map(({ label }) => label).join('] [')}]`;
  return [
    [title, plainOf(about)].filter((text) => text !== '').join(' '),
    ...parts.flatMap((part) => {
      if (part.kind === 'small') return [`(${part.text})`];
      if (part.kind !== 'rows') return [];
      const head = part.title === undefined ? [] : [`${part.title} ${part.count}`];
      return [
        ...head,
        ...part.rows.map(
          ({ says, beside, said, actions: own = [] }) =>
            [plainOf(says), beside, said].filter(Boolean).join(' | ') + bracket(own),
        ),
      ];
    }),
    ...(actions.length === 0 ? [] : [bracket(actions).trim()]),
  ];
}

describe('the numbers that a search found', () => {
  const row = { Number: '+12015550103', Customer: 'Ava Stone', Account: 'Acme Mobile', Status: 'Active' };

  it.each<[string, Fields, string, string[]]>([
    [
      'one number',
      { Numbers: [row], Found: 1 },
      '0103',
      ['1 number matches “0103”', '● (201) 555-0103 · Ava Stone · Acme Mobile · Active [Look up]'],
    ],
    [
      'what the search adds',
      { Numbers: [{ ...row, Plan: 'none', MessageRoute: 'Main' }] },
      '',
      [
        '1 number found',
        '● (201) 555-0103 · Ava Stone · Acme Mobile · Active · message route Main · no plan [Look up]',
      ],
    ],
    [
      'nothing',
      { Numbers: [], Message: 'No number matches.', Hint: 'Try 0104.' },
      '999',
      [
        'No number matches “999”',
        '(Try 0104. Check the spelling, or search by the last four digits, a part of a name, or an id.)',
      ],
    ],
    [
      'lines without a customer',
      { Numbers: [{ Number: '+12015550110', Status: 'Active' }] },
      'orphan',
      ['1 number without a subscriber', '● (201) 555-0110 · Active [Look up]'],
    ],
  ])('%s', (_, value, query, lines) => {
    expect(linesOf(foundCard(value, query))).toEqual(lines);
  });
});
