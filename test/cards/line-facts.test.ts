import { expect, test } from 'vitest';
import { factLines } from '../../src/cards/line-facts.ts';
import { narrowed } from '../../src/cards/narrowed.ts';

const NOW = Date.parse('2026-11-26T12:00:00Z');
const linesOf = (facts: Parameters<typeof factLines>[0], value: Record<string, unknown>) =>
  factLines(facts, { value, uses: [], now: NOW });

test('says what a question asks of a line, and what its record does not have', () => {
  const value = {
    Number: { Status: 'Active' },
    Subscriber: { Email: 'ava@acme.example' },
    DataUsage: { Used: '19.75 MB', Remaining: '0.25 MB' },
  };
  expect(linesOf(['parked', 'active', 'email', 'limit', 'left', 'sim'], value)).toEqual([
    'No: it is active',
    'Yes: it is active',
    'Email: ava@acme.example',
    'Data limit: 20 MB',
    'Data left: 0.25 MB',
    'SIM (ICCID): none in its record',
  ]);
  const cancelled = { Number: { Status: 'Cancelled - Pending Delete' }, ReactivateUntil: '2026-12-01T00:00:00.000Z' };
  expect(linesOf(['cancelled', 'until'], cancelled)).toEqual([
    'Yes: it is cancelled, and can still be brought back',
    'It can be brought back until Dec 1, 2026 (5 days left), and is deleted after that',
  ]);
  expect(linesOf(['state'], { PortIn: { Status: 'Submitted' } })).toEqual([]);
});

test('says of a line what its card shows, also where the record has numbers and no texts', () => {
  const voip = {
    Number: { Status: 'Active', NumberType: 'voip', ProductType: 'sms-only', SwapsRemaining: 2, DataEnabled: false },
    DataUsage: { Used: '0 MB', Remaining: '20 MB' },
  };
  expect(linesOf(['swaps', 'left', 'used', 'limit', 'kind', 'sim kind'], voip)).toEqual([
    'SIM swaps left: 2',
    'Data left: no data on this line',
    'Data used: no data on this line',
    'Data limit: no data on this line',
    'Kind: internet phone (voip), sms-only',
    'SIM (ICCID): none in its record',
  ]);
  const cancelled = { Number: { Status: 'Cancelled', SwapsRemaining: 0 } };
  expect(linesOf(['swaps', 'left'], cancelled)).toEqual([
    'SIM swaps left: 0',
    'Data left: it is cancelled and released, and cannot be brought back',
  ]);
});

test('says whether a service of a line is on, how near its limit it is, when it was bought, and what waits', () => {
  const value = {
    Number: {
      ...{ Status: 'Active', ProductType: 'sms+data', DataEnabled: true, MessageEnabled: true, VoiceEnabled: 'false' },
      OriginalDatePurchased: '2025-10-22T00:00:00Z',
    },
    DataUsage: { Used: '19.75 MB', Remaining: '0.25 MB' },
    Waiting: [{ What: 'Cancel it' }],
  };
  expect(linesOf(['texts on', 'calls on', 'data on', 'near limit', 'bought', 'waiting'], value)).toEqual([
    'Yes: texts are on for this line',
    'No: calls are off for this line',
    'Yes: data is on for this line',
    'Data used: 19.75 of 20 MB; 0.25 MB left',
    'Bought on: Oct 22, 2025',
    'A change of it waits for a decision',
  ]);
  const parked = { Number: { Status: 'Parked', MessageEnabled: true } };
  expect(linesOf(['texts on', 'calls on', 'waiting'], parked)).toEqual([
    'Yes: texts are on for this line; it is on hold (parked)',
    'Whether calls are on is not in its record; it is on hold (parked)',
    'Nothing waits for a decision on this line',
  ]);
});

test('leaves out the events that a question does not ask for', () => {
  const value = {
    Since: 'a',
    Until: 'b',
    Actions: [
      { What: 'Swap the SIM of +12015550103', State: 'failed' },
      { What: 'Swap the SIM of +12015550105', State: 'done', DecidedBy: 'Kai' },
      { What: 'Park +12015550105', State: 'failed' },
    ],
    Orders: [{ Status: 'Rejected' }, { Status: 'Submitted' }],
  };
  expect(narrowed('events_since', value, { outcome: 'failed', kinds: ['swap'], said: '' })).toMatchObject({
    shown: 1,
    value: { Orders: [], Actions: [{ What: 'Swap the SIM of +12015550103' }] },
  });
  expect(narrowed('events_since', value, { outcome: 'open', kinds: [], said: '' })).toMatchObject({
    shown: 1,
    value: { Orders: [{ Status: 'Submitted' }] },
  });
  expect(narrowed('events_since', { Since: 'a' }, { kinds: [], said: '' })).toBeUndefined();
});
