import { describe, expect, it } from 'vitest';
import {
  changeLine,
  changeLines,
  changeText,
  changeValue,
  partyText,
  textOf,
  valueText,
} from '../../src/cards/card.ts';
import { byCustomer } from '../../src/cards/change-rows.ts';
import type { Change, ChangeRow } from '../../src/catalogue/change.ts';

const names: Change['names'] = {
  '+12015550101': { noun: 'line', name: 'Ava Stone · Acme Mobile', leads: [] },
  'MRID-0001': { noun: 'message route', name: 'Main "SMS" route', leads: [] },
};
const files = new Set(['Document']);

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

  it.each([
    ['aGVsbG8=', 5],
    ['aGVsbG8h', 6],
    ['aGVs\nbG8=', 5],
    ['aA==', 1],
    ['', 0],
  ])('is the size of a file: %j has %i bytes', (content, bytes) => {
    expect(textOf({ Document: content }, files)).toBe(`file of ${bytes} bytes`);
  });
});

describe('a value of a change', () => {
  it.each([
    ['an id by the name of its record, whose quotes cannot end it', 'MRID-0001', '“Main "SMS" route”'],
    ['a phone number with the name of its line', '+12015550101', '+12015550101 (Ava Stone · Acme Mobile)'],
    ['an id without a name', 'MRID-0002', 'MRID-0002'],
    ['a state', 'parked', 'parked'],
    ['an address', 'https://example.com/hook?a=1', 'https://example.com/hook?a=1'],
    ['an address with a quotation mark', 'https://example.com/”x', '“https://example.com/"x”'],
    ['an address and words', 'https://example.com/ is safe', '“https://example.com/ is safe”'],
    ['a sentence', 'Approve this', '“Approve this”'],
    ['a number', 300, '300'],
    ['a list, each entry by itself', ['a', 'parked'], '“a”, parked'],
  ])('shows %s', (_what, value, text) => expect(changeValue(value, names)).toBe(text));
});

describe('whom a row concerns', () => {
  it.each([
    ['', 'new'],
    ['+12015550101', '+12015550101 (Ava Stone · Acme Mobile)'],
    ['+12015550102', '+12015550102'],
    ['MRID-0001', 'message route “Main "SMS" route”'],
  ])('%j: %s', (of, text) => expect(partyText(of, names)).toBe(text));
});

describe('a row of a change', () => {
  const cases: [string, Partial<ChangeRow>, string][] = [
    ['a value that is replaced', { before: 90, after: 300 }, '90 → 300'],
    ['a value that is set', { after: 300 }, '300'],
    ['a value that could not be read', { unread: true, after: 300 }, 'not known → 300'],
    [
      'a choice in words',
      { member: 'ThrottleSpeed', before: '64-kbps', after: '1-mbps' },
      '64 Kbps (64-kbps) → 1 Mbps (1-mbps)',
    ],
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

  it('is one line for numbers that are sent themselves', () => {
    const sent = [1, 2, 3, 4, 5, 6].map((last) => {
      const number = `+1201666200${last}`;
      return { ...changeLine({ of: number, what: 'To', after: number }, {}), target: number };
    });
    const named = '+12016662001, +12016662002, +12016662003, +12016662004, +12016662005, …';
    expect(byCustomer(sent, {})).toBe(`6 numbers (${named})`);
  });

  it('says how many rows are not shown', () => {
    const rows = [1, 2, 3].map((after) => ({ of: '', what: 'Limit', after }));
    const change = { rows, names } as unknown as Change;
    expect(changeLines(change, 2).changes.map(({ after }) => after)).toEqual(['1', '2']);
    expect(changeLines(change, 2).more).toBe(1);
    expect(changeLines(change, 3).more).toBe(0);
  });
});
