import { expect, it } from 'vitest';
import { memberOn } from '../../../../src/assistant/guided/changes/group-members.ts';

const group = {
  Activities: [
    { WorkgroupActivityId: 'WAID-1', DigitOrder: 1, PhoneNumber: '+12015550101' },
    { WorkgroupActivityId: 'WAID-2', DigitOrder: 2, PhoneNumber: '+12015550102' },
  ],
};

it('finds the present member by its number, its last digits or its place', () => {
  const input = { WorkgroupId: 'WID-1', PhoneNumber: '+12015550103' };
  const memberFor = (members: Parameters<typeof memberOn>[0]) => memberOn(members, input, group).input;
  expect(memberFor([{ PhoneNumber: '0102' }])).toEqual({ ...input, WorkgroupActivityId: 'WAID-2' });
  expect(memberFor([{ PhoneNumber: '+12015550101' }])).toEqual({ ...input, WorkgroupActivityId: 'WAID-1' });
  expect(memberFor([{ PhoneNumber: '0109' }, { DigitOrder: 2 }])).toEqual({ ...input, WorkgroupActivityId: 'WAID-2' });
});

it('leaves out what the member has already', () => {
  const input = { WorkgroupId: 'WID-1', PhoneNumber: '+12015550102', DigitOrder: 1 };
  expect(memberOn([{ PhoneNumber: '0102' }], input, group).input).toEqual({
    ...{ WorkgroupId: 'WID-1', WorkgroupActivityId: 'WAID-2', DigitOrder: 1 },
  });
});

it('fills in no member where two are meant, none is, or the workgroup was not read', () => {
  const input = { WorkgroupId: 'WID-1', DigitOrder: 5 };
  const two = memberOn([{ DigitOrder: 2 }, { DigitOrder: 1 }], input, group);
  expect(two.input).toEqual(input);
  expect(two.note).toContain('digit 2, +12015550102');
  expect(memberOn([{ DigitOrder: 3 }], input, group).input).toEqual(input);
  expect(memberOn([{ DigitOrder: 1 }], input, undefined).input).toEqual(input);
});
