import { describe, expect, it } from 'vitest';
import type { BatchView } from '../../src/batches/batches.ts';
import { type BatchRow, countsOf, type Outcome } from '../../src/batches/states.ts';
import { batchCard, rowsPart } from '../../src/cards/batch.ts';
import { changeLine, changeText, headlineOf, valueText } from '../../src/cards/card.ts';
import { byCustomer, type ChangeReader, changeActions } from '../../src/cards/question.ts';
import type { Change, ChangeRow } from '../../src/catalogue/change.ts';
import type { Action } from '../../src/ledger/ledger.ts';
import { tools } from '../../tools/index.ts';
import { linesOf } from './lines.ts';

const names: Change['names'] = {
  '+12015550101': { noun: 'line', name: 'Ava Stone · Acme Mobile', leads: [] },
  'MRID-0001': { noun: 'message route', name: 'Main "SMS" route', leads: [] },
};

it.each([
  [null, 'none (clears the current value)'],
  [true, 'yes'],
  [false, 'no'],
  [0, '0'],
  ['', ''],
  ['Ava', 'Ava'],
  [[], 'none'],
  [['a', 'b'], 'a, b'],
  [[{ Number: '+12015550101' }, { Number: '+12015550102' }], '+12015550101, +12015550102'],
  [
    [
      { Number: '+12015550101', Limit: 5 },
      { Number: '+12015550102', Limit: 6 },
    ],
    'Number: +12015550101, Limit: 5\nNumber: +12015550102, Limit: 6',
  ],
  [{ Street1: '1 Main St', Street2: undefined }, '1 Main St'],
  [{ FirstName: 'Ava', Address: { City: 'Reno', Zip: '89501' } }, 'First name: Ava, Address: City: Reno, ZIP: 89501'],
  ['a\u202eb', 'a[U+202E]b'],
])('a value of an input %j: %s', (value, text) => expect(valueText(value)).toBe(text));

describe('a row of a change', () => {
  const cases: [string, Partial<ChangeRow>, string][] = [
    ['a value that is replaced', { before: 90, after: 300 }, '90 → 300'],
    ['a value that is set', { after: 300 }, '300'],
    ['a value that could not be read', { unread: true, after: 300 }, 'not known → 300'],
    ['a choice in words', { member: 'ThrottleSpeed', before: '64-kbps', after: '1-mbps' }, '64 Kbps → 1 Mbps'],
    ['a value that goes', { before: 90, removed: true }, '90 → removed'],
    ['a secret', { hidden: true }, '••• (not shown)'],
    ['a secret that goes', { hidden: true, removed: true }, '••• (not shown) → removed'],
    ['an id', { before: 'MRID-0002', after: 'MRID-0001' }, 'MRID-0002 → “Main "SMS" route”'],
    [
      'an address of which only the secret differs',
      { before: 'https://example.com/hook', after: 'https://example.com/hook' },
      'https://example.com/hook → https://example.com/hook (its secret changes)',
    ],
    ['entries of a list', { added: ['Ad blocker'], taken: ['sms'] }, 'added “Ad blocker”, removed sms'],
    // An arrow between them would point to the old value, because such a line is read from right to left.
    [
      'texts that are read from right to left',
      { before: 'מיכל כהן', after: 'דוד לוי' },
      '“מיכל כהן” becomes “דוד לוי”',
    ],
    ['entries of a list that is shown', { before: ['a'], added: ['b'] }, '“a” → added “b”'],
  ];
  it.each(cases)('%s', (_what, row, text) => {
    expect(changeText(changeLine({ of: '+12015550101', what: 'Value', ...row }, names))).toBe(text);
  });

  it('keeps its order behind a name that is read from right to left', () => {
    const line = {
      ...changeLine({ of: '+12015550102', what: 'Limit', before: 1, after: 0 }, {}),
      target: '+12015550102',
    };
    const called = { '+12015550102': { noun: 'number', name: 'מיכל כהן', leads: [] } };
    expect(byCustomer([line], called)).toBe('מיכל כהן, +12015550102: 1 becomes 0');
    expect(byCustomer([line], {})).toBe('+12015550102: 1 → 0');
  });
});

const PHONE = '+12015550101';
const ID = 'act_0000000000000000000000';
const change = (level: Change['level']) => ({ level, rows: [], leads: [], keeps: [], names: {} });

/** A change that an approver decides. */
const ACTION = {
  id: ID,
  operation: 'numbers_cancel',
  state: 'pending',
  shown: { PhoneNumbers: [{ Number: PHONE }] },
  known: { change: change('approver') },
  consent: { title: 'Cancel one line', consequence: 'It ends.', undo: 'For 30 days.', confirm: 'Cancel this line' },
  person: 'token:ana',
  notes: {},
} as unknown as Action;

const OWN = { operation: 'numbers_data_usage_set', known: { change: change('own') } } as unknown as Partial<Action>;
const BATCH = { operation: 'batches_run', shown: { Batch: 'bat_1' } } as Partial<Action>;

const PARKED_LATER = {
  operation: 'numbers_status',
  state: 'done',
  shown: { StatusChange: 'park', PhoneNumbers: [{ Number: PHONE }], EffectiveDate: '12/31/2099' },
  sentAt: Date.parse('2026-11-27T10:00:00Z'),
  result: { OrderStatus: 'Scheduled', EffectiveDate: '2099-12-31T00:00:00' },
} as unknown as Partial<Action>;

const SLACK: ChangeReader = { surface: 'slack', who: 'decider', decides: true };
const ASKER: ChangeReader = { surface: 'slack', who: 'requester', decides: false };
const PAGE: ChangeReader = { surface: 'page', who: 'decider', decides: true };
const VIEW: ChangeReader = { surface: 'mcp', who: 'requester', decides: false, page: 'https://x.example/confirm/a' };

const offered = (given: Partial<Action>, reader: ChangeReader) => {
  const action = { ...ACTION, ...given };
  const tool = tools.find(({ id }) => id === action.operation);
  return changeActions(action, tool, reader);
};

const labels = (given: Partial<Action>, reader: ChangeReader) => offered(given, reader).map(({ label }) => label);

describe('the actions of a question', () => {
  const batch = ['Cancel this line', 'Decline', 'All rows', 'Leave rows out', 'Plan as CSV'];
  it.each<[what: string, given: Partial<Action>, reader: ChangeReader, labels: string[]]>([
    ['a card in a channel', {}, SLACK, ['Cancel this line', 'Decline']],
    ['no words of its own', { consent: undefined }, SLACK, ['Approve', 'Decline']],
    ['a card where Slack may not confirm', {}, { ...SLACK, decides: false }, []],
    ['its requester in Slack', {}, ASKER, ['Edit', 'Withdraw']],
    ['its requester in a guide', {}, { ...ASKER, inGuide: true }, ['Withdraw']],
    ['an own change, for its requester', OWN, { ...ASKER, decides: true }, ['Apply', 'Edit', 'Cancel']],
    ['an own change, where Slack may not confirm', OWN, ASKER, ['Edit', 'Withdraw']],
    ['an own change, for any operator', OWN, SLACK, ['Apply', 'Decline']],
    ['an own change, on the page', OWN, PAGE, ['Apply', 'Decline']],
    ['a batch in Slack', BATCH, SLACK, batch],
    ['a batch, for its requester', BATCH, ASKER, ['Edit', 'Withdraw', ...batch.slice(2)]],
    ['a batch, on the page', BATCH, PAGE, ['Cancel this line', 'Decline']],
    ['the page', {}, PAGE, ['Cancel this line', 'Decline']],
    ['the page that may not decide', {}, { ...PAGE, decides: false }, []],
    ['the view of its requester', {}, VIEW, ['Open the question', 'Withdraw']],
    ['the view without a page', {}, { ...VIEW, page: undefined }, ['Withdraw']],
    ['a card in a channel', {}, { ...SLACK, who: 'everyone' }, ['Cancel this line', 'Decline', 'Edit', 'Withdraw']],
  ])('%s', (_, given, reader, expected) => {
    expect(labels(given, reader)).toEqual(expected);
  });

  it.each<[what: string, given: Partial<Action>, style: string, asked: string | undefined]>([
    ['takes a line away', {}, 'danger', 'It ends. For 30 days.'],
    ['costs money alone', { operation: 'numbers_reactivate' }, 'primary', 'It ends. For 30 days.'],
    ['is an own change', OWN, 'primary', undefined],
    ['has no consent', { consent: undefined }, 'danger', 'This is sent immediately.'],
  ])('the yes to what %s', (_, given, style, asked) => {
    const [yes] = offered(given, SLACK);
    expect([yes?.id, yes?.style, yes?.confirm?.text, yes?.value]).toEqual(['confirm', style, asked, ID]);
  });
});

describe('the actions of an outcome', () => {
  const settled = ['It was done', 'It was not done'];
  const done = { ...BATCH, state: 'done' } as const;
  const failed = (outcome: string) => ({ state: 'failed', error: { outcome } }) as unknown as Partial<Action>;
  it.each<[what: string, given: Partial<Action>, reader: ChangeReader, labels: string[]]>([
    ['running', { state: 'in_flight' }, SLACK, []],
    ['done, with what often follows', { state: 'done' }, SLACK, ['Reactivate', 'Look up']],
    ['partly done', { state: 'partly' }, SLACK, ['Reactivate', 'Look up']],
    ['done for a later day, of which nothing follows yet', PARKED_LATER, SLACK, ['Look up']],
    ['done, on the page', { state: 'done' }, PAGE, []],
    ['done, about no number', { state: 'done', shown: {} }, SLACK, []],
    ['a batch that runs', done, SLACK, ['Stop', 'All rows', 'Results']],
    ['a batch that runs, beside its card', done, { ...SLACK, isCopy: true }, []],
    ['a batch that runs, on the page', done, PAGE, []],
    ['unknown', { state: 'unknown' }, SLACK, ['Check now', ...settled]],
    ['unknown, on the page', { state: 'unknown' }, PAGE, ['Check now', ...settled]],
    ['unknown, where Slack may not decide', { state: 'unknown' }, { ...SLACK, decides: false }, ['Check now']],
    ['unknown, and not to be read', { state: 'unknown', operation: 'numbers_data_usage_set' }, SLACK, settled],
    ['unknown, of an operation that is gone', { state: 'unknown', operation: 'gone' }, SLACK, settled],
    ['unknown, in the view', { state: 'unknown' }, VIEW, ['Check now']],
    ['declined', { state: 'declined', decidedPerson: 'token:lee', decidedVia: 'slack' }, SLACK, ['Ask again']],
    ['asked again', { state: 'declined' }, { ...SLACK, askedAgain: true }, []],
    ['withdrawn', { state: 'declined', decidedPerson: 'token:ana', decidedVia: 'slack' }, SLACK, []],
    ['replaced', { state: 'declined', decidedVia: 'replaced' }, SLACK, []],
    ['expired', { state: 'expired' }, SLACK, ['Ask again']],
    ['expired, on the page', { state: 'expired' }, PAGE, []],
    ['failed', failed('not_done'), SLACK, ['Ask again']],
    ['failed, perhaps done', failed('unknown'), SLACK, []],
    [
      'with secrets',
      { state: 'done' },
      { ...PAGE, hidden: { once: true, code: true } },
      ['Show the secret once', 'Show QR code'],
    ],
  ])('%s', (_, given, reader, expected) => {
    expect(labels(given, reader)).toEqual(expected);
  });
});

const ROW: BatchRow = {
  n: 1,
  line: 2,
  target: '+12015550101',
  said: { Number: '+12015550101' },
  tries: 0,
  failure: undefined,
  asked: undefined,
  action: undefined,
  result: undefined,
  at: undefined,
  outcome: 'waiting',
  effects: {},
};

const refused = { code: 'refused', outcome: 'not_done', message: 'It is parked.' } as const;

/** A batch whose rows have these outcomes. */
function viewOf(state: BatchView['state'], outcomes: readonly Outcome[], more: Partial<BatchView> = {}): BatchView {
  const counts = countsOf(outcomes.map((outcome) => ({ outcome })));
  return {
    id: 'bat_1',
    operation: 'numbers_park',
    title: 'Park 3 numbers',
    state,
    reason: undefined,
    counts,
    total: outcomes.length,
    scheduled: 0,
    standing: [],
    notDone: counts.failed,
    plan: undefined,
    confirmation: undefined,
    requester: { person: 'slack:T1/U1', actorName: '@ana', surface: 'slack' },
    decider: undefined,
    ...more,
  } as BatchView;
}

const PEOPLE = ['Asked by: slack:T1/U1 (@ana)', 'Batch: bat_1', '[actions]'];

it.each<[BatchView, string, string[]]>([
  [
    viewOf('planning', ['waiting', 'planning']),
    '⏳ Park 3 numbers: reading the rows: 1 of 2. Nothing has been sent.',
    PEOPLE,
  ],
  [
    viewOf('waiting', ['waiting', 'left_out']),
    '🔐 Park 3 numbers: 1 of 2 rows are ready, 1 left out. It waits for a yes. Nothing has been sent.',
    PEOPLE,
  ],
  [
    viewOf('running', ['done', 'running', 'waiting', 'left_out']),
    '⏳ Park 3 numbers: running: 1 done, 1 left out, 1 being sent, 1 to go.',
    ['1 of 3', ...PEOPLE],
  ],
  [
    viewOf('stopped', ['done', 'failed', 'waiting'], { reason: { why: 'often', count: 3 } }),
    '⏹️ Park 3 numbers: stopped: 1 done, 1 failed, 1 not sent. The platform refused too many rows (3). Rows that were not sent stay as they are.',
    PEOPLE,
  ],
  [
    viewOf('done', ['done', 'done'], {
      decider: { state: 'done', decidedPerson: 'token:lee', decidedBy: 'Lee' } as never,
    }),
    '✅ Park 3 numbers: done: 2 done.',
    ['Asked by: slack:T1/U1 (@ana)', 'Confirmed by: token:lee (Lee)', 'Batch: bat_1', '[actions]'],
  ],
  [
    viewOf('declined', ['waiting'], {
      decider: { state: 'declined', decidedPerson: 'token:lee', decidedBy: 'Lee' } as never,
    }),
    '🚫 Park 3 numbers: A person declined it. Nothing was sent.',
    ['Asked by: slack:T1/U1 (@ana)', 'Declined by: token:lee (Lee)', 'Batch: bat_1', '[actions]'],
  ],
  [
    viewOf('expired', ['waiting']),
    '⌛ Park 3 numbers: nobody decided in time, so it expired. Nothing was sent.',
    PEOPLE,
  ],
])('the card of a batch %#: %s', (view, headline, lines) => {
  const card = batchCard(view, 'page');
  expect(headlineOf(card)).toBe(headline);
  expect(card.parts.flatMap(linesOf)).toEqual(lines);
});

it.each<[what: string, rows: Partial<BatchRow>[], columns: string[], brief: string[]]>([
  ['the target alone', [{}], ['Row', 'Target', 'State', 'Reason'], ['1. +12015550101 ready']],
  [
    'a reason, and a row without a target',
    [
      { outcome: 'failed', failure: refused },
      { n: 2, target: '', outcome: 'left_out', failure: refused, said: {} },
    ],
    ['Row', 'Target', 'State', 'Reason'],
    ['1. +12015550101 failed: It is parked.', '2. – left out: It is parked.'],
  ],
  [
    'values of its own, and effects that differ',
    [
      { said: { Number: '+12015550101', LimitValue: 90 }, effects: { customer: 'Ava Stone', cost: '5 USD' } },
      { n: 2, target: '+12015550102', said: {}, effects: { customer: 'Ben Reed', cost: '5 USD' } },
    ],
    ['Row', 'Target', 'State', 'Reason', 'Data limit', 'Customer'],
    ['1. +12015550101 ready\n   Ava Stone', '2. +12015550102 ready\n   Ben Reed'],
  ],
])('the rows of a batch %s', (_what, given, columns, brief) => {
  const rows = given.map((row) => ({ ...ROW, ...row }));
  const part = rowsPart({ state: 'waiting' }, rows);
  expect(part.columns).toEqual(columns);
  expect(part.brief).toEqual(brief);
  expect(part.rows.map((row) => row.length)).toEqual(rows.map(() => columns.length));
});
