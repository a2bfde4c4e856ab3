import { describe, expect, it } from 'vitest';
import { countText, narrowed } from '../../src/cards/narrowed.ts';
import type { Narrow } from '../../src/language/narrow.ts';

const found = { Numbers: [{ Number: '+12015550101' }, { Number: '+12015550105' }, { Number: '+12015550106' }] };
const picked = (line: NonNullable<Narrow['line']>) =>
  narrowed('numbers_find', found, { line, kinds: [], said: 'the one' });

describe('the line that is picked out of a list', () => {
  it.each([
    [{ ending: '05' }, '+12015550105'],
    [{ at: 2 }, '+12015550106'],
    [{ at: -1 }, '+12015550106'],
    [{ at: 0 }, '+12015550101'],
  ])('is found by its end or its place: %o', (line, number) => {
    expect(picked(line)).toEqual({ value: { Numbers: [{ Number: number }] }, shown: 1 });
  });

  it('leaves the whole list if there is none', () => {
    expect(picked({ ending: '99' })).toEqual({ value: found, shown: 0 });
    expect(picked({ at: 7 })).toEqual({ value: found, shown: 0 });
  });
});

describe('the entries that a question leaves out', () => {
  const rows = [
    { Number: '+12015550101', Customer: 'Ava Stone', Product: 'mvno' },
    { Number: '+12015550104', Customer: 'Ben Reed', Product: 'voip' },
    { Number: '+12015550106', Customer: 'Ben Reed', Product: 'iot' },
  ];
  const lines = { Numbers: rows, Found: 3 };
  const left = (...without: string[]) => narrowed('numbers_find', lines, { without, kinds: [], said: 'without them' });

  it.each([
    [['0104'], [0, 2]],
    [['ava'], [1, 2]],
    [['iot', '0101'], [1]],
    [['carol'], [0, 1, 2]],
  ])('are lines by their digits, their holders and their products: %o', (without, kept) => {
    expect(left(...without)).toEqual({
      value: { Numbers: kept.map((at) => rows[at]), Found: kept.length },
      shown: kept.length,
    });
  });

  it('are records by their names', () => {
    const packages = {
      Results: [
        { PackageId: 'PKID-1', PackageName: 'Starter' },
        { PackageId: 'PKID-2', PackageName: 'Family' },
      ],
    };
    const shown = narrowed('account_packages_get', packages, { without: ['starter'], kinds: [], said: 'without it' });
    expect(shown?.value.Results).toEqual([packages.Results[1]]);
  });
});

describe('the messages of a line that failed', () => {
  const failed: Narrow = { outcome: 'failed', kinds: [], said: '“failed”' };
  const [arrived, lost] = [{ Status: 'DELIVERED' }, { Status: 'UNDELIVERED' }];

  it('are those whose status says so', () => {
    const all = { Results: [arrived, lost], ResultsTotalRecords: 2 };
    expect(narrowed('message_search_get', all, failed)).toEqual({
      value: { Results: [lost], ResultsTotalRecords: 1 },
      shown: 1,
    });
  });

  it('leaves the whole list if there is none', () => {
    const all = { Results: [arrived], ResultsTotalRecords: 1 };
    expect(narrowed('message_search_get', all, failed)).toEqual({ value: all, shown: 0 });
  });
});

describe('the messages with another number', () => {
  const narrow: Narrow = { contact: '+13125550199', kinds: [], said: 'with +13125550199' };
  const received = { From: '+13125550199', To: [{ Number: '+12015550102' }] };
  const sent = { From: '+12015550102', To: [{ Number: '+13125550199' }] };

  it('are those that one of the two sent to the other', () => {
    const others = [{ From: '+13125550144', To: [{ Number: '+12015550102' }] }, { From: '+12015550102' }];
    const all = { Results: [received, ...others, sent], ResultsTotalRecords: 4 };
    expect(narrowed('message_search_get', all, narrow)).toEqual({
      value: { Results: [received, sent], ResultsTotalRecords: 2 },
      shown: 2,
    });
  });
});

describe('the messages of a time', () => {
  const narrow: Narrow = {
    since: '2026-11-26T00:00:00Z',
    until: '2026-11-27T00:00:00Z',
    direction: 'in',
    text: 'Invoice',
    kinds: [],
    said: '“yesterday”',
  };
  const own = { At: '2026-11-26T08:00:00Z', Direction: 'in', Body: 'Your invoice' };
  const untimed = { Direction: 'in', Body: 'an invoice' };
  const Results = [
    own,
    untimed,
    { ...own, At: '2026-11-27T00:00:00Z' },
    { ...own, Direction: 'outbound' },
    { ...own, Body: 'hello' },
  ];

  it('are counted apart from those whose time is not known', () => {
    const found = narrowed('message_search_get', { Results, ResultsTotalRecords: 9 }, narrow);
    expect(found).toEqual({
      value: { Results: [own, untimed], ResultsTotalRecords: 2 },
      shown: 1,
      untimed: 1,
      read: 5,
    });
    expect(found && countText(narrow, found)).toBe(
      '“yesterday”: 1, and 1 whose time is not known, of the 5 that were read',
    );
  });
});

it('keeps the changes of a record, and those that are open for long enough', () => {
  const Actions = [
    { At: '2026-11-26T08:00:00Z', What: 'Change Main SMS route', State: 'done' },
    { At: '2026-11-26T09:00:00Z', What: 'Park +12015550105', State: 'pending' },
    { At: '2026-11-26T11:00:00Z', What: 'Park +12015550104', State: 'pending' },
  ];
  const about: Narrow = { about: 'main sms', kinds: [], said: '“main sms”' };
  expect(narrowed('events_since', { Actions }, about)).toMatchObject({ shown: 1, value: { Actions: [Actions[0]] } });
  const old: Narrow = { outcome: 'open', until: '2026-11-26T10:00:00Z', kinds: [], said: '“longer than 2 hours”' };
  expect(narrowed('events_since', { Actions }, old)).toMatchObject({ shown: 1, value: { Actions: [Actions[1]] } });
});
