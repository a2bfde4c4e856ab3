import { describe, expect, it } from 'vitest';
import { questionText } from '../../src/cards/card.ts';
import { askedOf, questionCard, withoutLists } from '../../src/cards/question.ts';
import type { Change } from '../../src/catalogue/change.ts';
import { BATCH_RUN } from '../../src/gate/confirmation.ts';
import type { Action } from '../../src/ledger/ledger.ts';
import type { Fields } from '../../src/lib/values.ts';

type Asking = Parameters<typeof askedOf>[1];

const AVA = '+12015550101';
const LEO = '+12015550102';
const ROUTE = 'MRID-00000000-0000-4000-8000-000000000001';

const names: Change['names'] = {
  [AVA]: { noun: 'line', name: 'Ava Stone', leads: [] },
  [LEO]: { noun: 'line', name: 'Leo Park', leads: [] },
  [ROUTE]: { noun: 'message route', name: 'Main', leads: [] },
};

/** A question of an operation that has no definition, so that only the change and the input count. */
function asking(change: Partial<Change>, shown: Fields = {}, question: Fields = {}): Asking {
  const whole = {
    operation: 'x',
    level: 'approver',
    sends: shown,
    concerns: [],
    rows: [],
    keeps: [],
    leads: [],
    names,
  };
  return { operation: 'x', shown, known: { change: { ...whole, ...change }, question }, consent: undefined };
}

const rowsOf = (...given: Parameters<typeof asking>) =>
  askedOf(undefined, asking(...given)).rows.map(({ label, value }) => `${label}: ${value}`);

describe('the rows of a question', () => {
  it.each<[string, Partial<Change>, string[]]>([
    [
      'the same change of several lines under its name once',
      { rows: [AVA, LEO].map((of) => ({ of, what: 'Limit', before: 90, after: 300 })) },
      [`Limit: Ava Stone, ${AVA}: 90 → 300\nLeo Park, ${LEO}: 90 → 300`],
    ],
    [
      'different changes of several lines, each with its customer',
      { rows: [AVA, LEO].map((of, at) => ({ of, what: 'Limit', before: at, after: 300 })) },
      [`Limit: Ava Stone, ${AVA}: 0 → 300\nLeo Park, ${LEO}: 1 → 300`],
    ],
    [
      'at most five lines by name',
      {
        rows: [1, 2, 3, 4, 5, 6, 7].map((n) => ({ of: `+1201555010${n}`, what: 'State', after: 'parked' })),
        names: {},
      },
      [`State: 7 lines (${[1, 2, 3, 4, 5].map((n) => `+1201555010${n}`).join(', ')}, …): parked`],
    ],
    [
      'what stays, by the names of ids',
      { keeps: [{ of: AVA, what: 'Message route', member: 'MessageRouteId', value: ROUTE }] },
      ['Stays as it is: Message route: “Main”'],
    ],
    [
      'several values that stay in one line, by name and value',
      {
        keeps: [
          { of: AVA, what: 'Message route', member: 'MessageRouteId', value: ROUTE },
          { of: AVA, what: 'Trunk port 1', member: 'TrunkPort1', value: '5060' },
        ],
      },
      ['2 others stay as they are: Message route: “Main”; Trunk port 1: 5060'],
    ],
    [
      'a value that stays once for all lines, and one that differs with its lines',
      {
        keeps: [AVA, LEO].flatMap((of, at) => [
          { of, what: 'Notify at', member: 'NotifyValue', value: '10' },
          { of, what: 'Trunk port 1', member: 'TrunkPort1', value: `506${at}` },
        ]),
      },
      [`2 others stay as they are: Notify at: 10 MB; Trunk port 1, ${AVA}: 5060; Trunk port 1, ${LEO}: 5061`],
    ],
  ])('show %s', (_what, change, rows) => expect(rowsOf(change)).toEqual(rows));

  it('show a member that no row of the change has, and no member twice', () => {
    const change = { rows: [{ of: AVA, what: 'Limit', member: 'Limit', before: 90, after: 300 }] };
    expect(rowsOf(change, { Limit: 300, PhoneNumber: AVA })).toEqual(['Limit: 90 → 300', `Phone number: ${AVA}`]);
  });

  it('show an id that the change has a name for, as it is sent, at the end', () => {
    const change = { rows: [{ of: AVA, what: 'Message route', member: 'MessageRouteId', after: ROUTE }] };
    expect(rowsOf(change, { MessageRouteId: ROUTE })).toEqual(['Message route: “Main”', `Message route: ${ROUTE}`]);
  });

  it('show that a secret is sent, and not its value', () => {
    expect(rowsOf({}, {}, { hidden: ['Auth.Password'] })).toEqual(['Auth: Password: ••• (not shown)']);
  });

  it('show the lines that a batch leaves out before those that it sends', () => {
    const shown = { LeftOut: [{ Line: 2, Row: LEO, Reason: 'is cancelled' }], Rows: [{ PhoneNumber: AVA }] };
    const known = { Run: 'ten at a time' };
    expect(askedOf(undefined, { operation: BATCH_RUN, shown, known, consent: undefined }).rows).toMatchObject([
      { label: 'Left out (1)', value: `Line 2 (${LEO}): is cancelled`, list: true },
      { label: 'Numbers (1)', value: AVA, list: true },
      { label: 'How it runs', value: 'ten at a time' },
    ]);
  });
});

it('a question without its lists keeps everything else', () => {
  const shown = { Rows: [{ PhoneNumber: AVA }] };
  const partsOf = (known: Fields) =>
    withoutLists(questionCard(undefined, { operation: BATCH_RUN, shown, known, consent: undefined }).parts);
  expect(partsOf({})).toEqual([]);
  expect(partsOf({ Run: 'ten at a time' })).toEqual([
    { kind: 'facts', title: 'The batch', rows: [{ label: 'How it runs', value: ['ten at a time'] }] },
  ]);
});

describe('the text of a question', () => {
  const consent: Action['consent'] = {
    title: 'Cancel\nthe line',
    consequence: 'Service ends.',
    undo: 'Not possible.',
    confirm: 'Cancel',
    statement: 'I agree.\nCost: 0 USD',
  };
  const withConsent = { ...asking({}, {}, { customer: 'Ava Stone', warnings: ['Seen twice.'] }), consent };

  it('has each part once, with its label', () => {
    expect(questionText(questionCard(undefined, { ...withConsent, reason: 'moved away' })).split('\n')).toEqual([
      'Cancel the line',
      '',
      'Customer: Ava Stone',
      'What happens: Service ends.',
      'Undo: Not possible.',
      'Note: Seen twice.',
      '',
      'Reason given:',
      '> moved away',
      '',
      'By confirming you give this consent, in the words of the platform:',
      '> I agree.',
      '> Cost: 0 USD',
    ]);
  });

  it.each(['x\nCost: 0 USD', 'x\rCost: 0 USD', 'x\u2028Cost: 0 USD'])(
    'shows no line of a reason as its own: %j',
    (reason) => {
      expect(questionText(questionCard(undefined, { ...withConsent, reason }))).not.toMatch(/^Cost/m);
    },
  );
});
