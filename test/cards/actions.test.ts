import { describe, expect, it } from 'vitest';
import { type ChangeReader, changeActions } from '../../src/cards/actions.ts';
import type { Change } from '../../src/catalogue/change.ts';
import type { Action } from '../../src/ledger/ledger.ts';
import { tools } from '../../tools/index.ts';

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
    ['a batch, for its requester', BATCH, ASKER, ['Withdraw', ...batch.slice(2)]],
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
