import { describe, expect, it } from 'vitest';
import { changeLine, changeText, valueText } from '../../src/cards/card.ts';
import { byCustomer } from '../../src/cards/question.ts';
import type { Change, ChangeRow } from '../../src/catalogue/change.ts';

const names: Change['names'] = {
  '+12015550101': { noun: 'line', name: 'Ava Stone · Acme Mobile', leads: [] },
  'MRID-0001': { noun: 'message route', name: 'Main "SMS" route', leads: [] },
};

describe('a value of an input', () => {
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
  ])('%j: %s', (value, text) => expect(valueText(value)).toBe(text));
});

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
