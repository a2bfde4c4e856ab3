import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../../src/assistant/guided/sets/set-found.ts';

const row = (end: string, Account: string, Status = 'Active', Customer = 'Ava Stone') => ({
  ...{ Number: `+1201555${end}`, Customer, Account, Status },
});
const found = (...Numbers: readonly object[]) => ({ Numbers, Found: Numbers.length });

describe('the lines of a set', () => {
  it('are those in service, or the cancelled ones for a reactivation', () => {
    const value = found(row('0101', 'Acme'), row('0107', 'Acme', 'Cancelled - Pending Delete'));
    expect(linesOf('message_outbound', value, 'acme')).toMatchObject({ lines: [{ phone: '+12015550101' }], left: 1 });
    expect(linesOf('numbers_reactivate', value, 'acme')).toMatchObject({ lines: [{ phone: '+12015550107' }], left: 1 });
  });

  it('are those of one customer, or of the account that has the name', () => {
    const value = found(row('0101', 'Acme'), row('0103', 'Acme', 'Active', 'Ava Reed'));
    expect(linesOf('message_outbound', value, 'acme')).toMatchObject({ left: 0 });
    expect(linesOf('message_outbound', value, 'ava')).toEqual({ why: expect.stringContaining('Ava Stone, Ava Reed') });
  });

  it.each([
    ['no line', { Numbers: [], Found: 0 }],
    ['names that are spelled alike', { ...found(row('0101', 'Acme')), Similar: true }],
    ['lines of several accounts', found(row('0101', 'Acme'), row('0102', 'Globex'))],
    ['a part of the lines', { ...found(row('0101', 'Acme')), Found: 40 }],
    ['a part of the lists', { ...found(row('0101', 'Acme')), Unseen: 'Only numbers 1 to 100 of 900 were searched.' }],
    ['no line in service', found(row('0107', 'Acme', 'Cancelled'))],
  ])('are none where a search found %s', (_what, value) => {
    expect(linesOf('message_outbound', value, 'acme')).toEqual({ why: expect.stringContaining('Nothing was done') });
  });
});
