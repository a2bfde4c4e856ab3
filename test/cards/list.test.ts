import { describe, expect, it } from 'vitest';
import { type Card, plainOf } from '../../src/cards/card.ts';
import { digestCard } from '../../src/cards/digest.ts';
import { diagnosisCard, foundCard } from '../../src/cards/list.ts';
import type { Fields } from '../../src/lib/json.ts';
import { tools } from '../../tools/index.ts';

const toolOf = (id: string) => tools.find((tool) => tool.id === id);

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

describe('the findings of a diagnosis', () => {
  const Fix = {
    Tool: 'numbers_data_usage_set',
    Does: 'Set a higher limit. The others stay.',
    Input: {},
    Needs: ['LimitValue'],
  };
  const value = {
    Summary: 'Two things stop it.',
    Number: '+12015550105',
    Findings: [
      { Finding: 'No data is left.', Affects: ['data'], Fix },
      { Finding: 'A filter blocks.', Affects: ['sms'], Blocked: ['+19175550123'], CarrierMessage: 'blocked by list' },
    ],
    NotChecked: ['The route was not read.'],
  };

  it('stand in order, each with its step, and what was not checked is said', () => {
    expect(linesOf(diagnosisCard(value, toolOf, 'r1') as Card)).toEqual([
      '(201) 555-0105: Two things stop it.',
      'No data is left. | Affects: data [Set a higher limit]',
      'A filter blocks. | Affects: texts · Blocked: (917) 555-0123 | blocked by list',
      '(Not checked: The route was not read.)',
      '[Look up] [Share] [JSON]',
    ]);
  });

  it('of another answer are none', () => {
    expect(diagnosisCard({ Summary: 'x' }, toolOf)).toBeUndefined();
  });
});

describe('what happened', () => {
  const Since = '2026-01-02T06:00:00.000Z';
  const At = '2026-01-02T07:00:00.000Z';
  const value = {
    ...{ Since, Until: '2026-01-02T08:00:00.000Z' },
    Orders: [
      { At, Status: 'Completed', PhoneNumbers: ['+13125550111'] },
      { At, Status: 'Rejected', PhoneNumbers: ['+13125550190'], ErrorMessage: 'wrong account' },
    ],
    Messages: [{ At, From: '+19175550123', To: ['+12015550101'], Body: 'hi “you”' }],
    Actions: [
      {
        At,
        What: 'Park +12015550103',
        State: 'declined',
        AskedBy: 'slack:T1/U1 (Dana)',
        DecidedBy: 'local:kai (kai)',
        DecidedReason: 'not her',
      },
    ],
    Charges: { List: [{ At, What: 'Reactivate +12015550107', Cost: '5 USD' }] },
  };

  it('begins with rejections, and says who asked and decided', () => {
    expect(linesOf(digestCard(value, 'What happened since', { handle: 'r1' }) as Card)).toEqual([
      `What happened since ${Since}`,
      'Orders 2',
      `✕ Order for (312) 555-0190: Rejected: “wrong account” · ${At}`,
      `• Order for (312) 555-0111: Completed · ${At}`,
      'Messages 1',
      `• (917) 555-0123 to (201) 555-0101: “hi "you"” · ${At}`,
      'Changes 1',
      `🚫 Park (201) 555-0103 · declined · asked by slack:T1/U1 (Dana), declined by local:kai (kai): “not her” · ${At}`,
      'Charges 1',
      `• 5 USD · Reactivate (201) 555-0107 · ${At}`,
      '[All] [Share]',
    ]);
  });

  it('names both ends of a time that is past', () => {
    const asOf = Date.parse('2026-01-03T00:00:00Z');
    const card = digestCard(value, 'What happened since', { asOf }) as Card;
    expect([card.title, plainOf(card.about ?? '')]).toEqual(['What happened', `from ${Since} to ${value.Until}`]);
  });

  it('counts the rows that it leaves out', () => {
    const Calls = Array.from({ length: 7 }, () => ({ At, From: '+19175550123', To: '+12015550101', Event: 'missed' }));
    const [calls] = digestCard({ Since, Until: At, Calls }, '')?.parts ?? [];
    expect(calls).toMatchObject({ kind: 'rows', title: 'Calls', count: 7, rows: { length: 5 } });
  });
});

it('says that a name is known whose numbers do not have the state', () => {
  const Message = '9 numbers match “acme”, and none of them has the state Parked (on hold).';
  const card = foundCard({ Numbers: [], Found: 0, WithoutCriteria: 9, Message }, 'acme');
  expect(card.title).toBe(Message.replace(/\.$/, ''));
  expect(JSON.stringify(card.parts)).not.toContain('Check the spelling');
});
