import { describe, expect, it } from 'vitest';
import { type Card, headlineOf, type Open, plainOf } from '../../src/cards/card.ts';
import { type LineReader, lineActions, lineCard } from '../../src/cards/line.ts';
import { foundCard } from '../../src/cards/list.ts';
import type { Actor } from '../../src/lib/actor.ts';
import type { Fields } from '../../src/lib/values.ts';
import { tools } from '../../tools/index.ts';
import { linesOf as partLines } from './lines.ts';

const PHONE = '+12015550101';
const NUMBER = { Number: PHONE, Status: 'Active', ICCID: '89012403971900010010', AccountId: 'AID-00000001' };
const HOLDER = { SubscriberId: 'TSUID-00000001', Name: 'Ava Stone', Email: 'ava@acme.example', Status: 'Active' };

it.each<[string, Fields, string]>([
  ['its holder', { Summary: 'Active', Number: NUMBER, Subscriber: HOLDER }, '● Ava Stone · (201) 555-0101: active'],
  ['no holder', { Summary: 'SMS is off', Number: NUMBER, Subscriber: null }, '● (201) 555-0101: SMS is off'],
  ['trouble', { Summary: 'Active', Number: NUMBER, Fix: { Tool: 'a' } }, '⚠️ (201) 555-0101: active'],
  ['an end', { Summary: 'Gone', Number: { ...NUMBER, Status: 'Cancelled' }, Fix: {} }, '✕ (201) 555-0101: gone'],
  ['a port-in', { Summary: 'Is ported', PortIn: { PhoneNumber: PHONE } }, '(201) 555-0101: is ported'],
  ['a part of an answer', { Number: NUMBER }, '(201) 555-0101'],
])('the headline of a line names %s', (_, value, headline) => {
  expect(headlineOf(lineCard({ value }))).toBe(headline);
});

it('the parts of a line are each record in a line by name, what it uses, and its own values; ids are left out of the lines', () => {
  const usage = { Number: PHONE, Status: 'Active', Used: '12.5 MB', Remaining: '7.5 MB' };
  const subscriber = {
    ...HOLDER,
    PhoneNumbers: [{ Number: PHONE }, { Number: '+12015550103' }, { Number: '+12015550104' }],
  };
  const value = { Summary: 'Active', Number: NUMBER, Subscriber: subscriber, DataUsage: usage, CallFilters: [] };
  const uses = [
    { noun: 'message route', id: 'MRID-1', name: 'Main SMS route' },
    { noun: 'account', id: 'AID-1', name: 'Ava Stone' },
  ];
  expect(lineCard({ value, uses }).parts.flatMap(partLines)).toEqual([
    '[actions]',
    'Number: +12015550101 · Active',
    'Subscriber: Ava Stone · ava@acme.example · 3 phone numbers',
    'Data usage: 12.5 of 20 MB used',
    'Message route: Main SMS route',
  ]);
});

const OPERATOR: Actor = { id: 'slack:T1/U1', name: 'Ana', role: 'operator', surface: 'slack', priority: 'person' };
const ACTIVE: Fields = { Number: { Number: PHONE, Status: 'Active', AccountId: 'AID-1' } };
const GONE: Fields = { Number: { Number: PHONE, Status: 'Cancelled - Pending Delete' } };

const LIMIT: Open = {
  does: 'Set a higher limit. The form asks how much.',
  operation: 'numbers_data_usage_set',
  input: { PhoneNumbers: [{ Number: PHONE }] },
  needs: ['LimitValue'],
};

const READER: LineReader = { actor: OPERATOR, tools };

function offered(value: Fields, reader: LineReader, more: { open?: Open; watched?: boolean } = {}) {
  return lineActions({ value, phone: PHONE, open: more.open, watched: more.watched ?? false }, reader);
}

const labels = (...given: Parameters<typeof offered>) => offered(...given).map(({ label }) => label);

describe('the actions of a number', () => {
  const rest = ['Watch', 'Change a number', 'Cancel a line', 'More actions…'];
  it.each<
    [what: string, value: Fields, reader: Partial<LineReader>, more: { open?: Open; watched?: boolean }, string[]]
  >([
    ['in service', ACTIVE, {}, {}, ['Why?', 'Send a message', ...rest]],
    ['that is watched', ACTIVE, {}, { watched: true }, ['Why?', 'Send a message', 'Stop watching', ...rest.slice(1)]],
    ['with trouble', ACTIVE, {}, { open: LIMIT }, ['Set a higher limit', 'Why?', 'Send a message', ...rest]],
    ['that is cancelled', GONE, {}, {}, ['Reactivate', 'More actions…']],
    ['for a viewer', ACTIVE, { actor: { ...OPERATOR, role: 'viewer' } }, {}, ['Why?', 'More actions…']],
    ['for nobody', ACTIVE, { actor: undefined, handle: 'h' }, {}, ['Details', 'Share']],
  ])('%s', (_, value, reader, more, expected) => {
    expect(labels(value, { ...READER, ...reader }, more)).toEqual(expected);
  });
});

/** The title and the lines of a card. */
const linesOf = ({ title, about = '', parts }: Card) => [
  [title, plainOf(about)].filter(Boolean).join(' '),
  ...parts.flatMap(partLines),
];

it('the name of a customer makes no line of its own', () => {
  const value = { Summary: 'Active', Number: { Number: '+12015550101' }, Subscriber: { Name: 'Ava\nUndo: always' } };
  expect(linesOf(lineCard({ value }))[0]).toMatch(/^Ava Undo: always · \(201\) 555-0101/);
});

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
        '1 number matches',
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
  ])('%s', (_, value, query, lines) => {
    expect(linesOf(foundCard(value, query))).toEqual(lines);
  });
});
