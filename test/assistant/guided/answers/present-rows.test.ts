import { expect, it } from 'vitest';
import { rowChange, rowsOn } from '../../../../src/assistant/guided/answers/present-rows.ts';

const [present, added] = [{ IpAddress: '192.0.2.10' }, { IpAddress: '198.51.100.7' }];
const input = { CallRouteId: 'CRID-1', IpWhitelist: [added] };

it('adds to the entries that a record has, and takes single ones off', () => {
  const adds = { field: 'IpWhitelist', adds: [added], removes: [] };
  const list = { IpWhitelist: [present] };
  expect(rowsOn(adds, input, list).input).toEqual({ CallRouteId: 'CRID-1', IpWhitelist: [present, added] });
  expect(rowsOn({ ...adds, removes: [present] }, input, list).input).toMatchObject({ IpWhitelist: [added] });
});

it('fills no list in that it could not read', () => {
  const { input: left, note } = rowsOn({ field: 'IpWhitelist', adds: [added], removes: [] }, input, undefined);
  expect(left).toEqual({ CallRouteId: 'CRID-1' });
  expect(note).toContain('198.51.100.7 is added');
});

it('takes no entry off where a sentence protects the others', () => {
  const said = 'the whitelist needs 198.51.100.7 too, dont drop the others';
  expect(rowChange(said, 'IpWhitelist', [added])).toMatchObject({ adds: [added], removes: [] });
});

it.each([
  'no longer whitelist 198.51.100.7 on the trunk',
  'stop allowing 198.51.100.7 on the trunk',
  'un-whitelist 198.51.100.7',
  '198.51.100.7 has to be removed from the whitelist',
  'take 198.51.100.7 off the allow list',
])('takes the entry off: %s', (said) => {
  expect(rowChange(said, 'IpWhitelist', [added])).toMatchObject({ adds: [], removes: [added] });
});

it('changes a list that is one text, and leaves no empty one', () => {
  const [orders, texts] = [{ Event: 'Order_Update' }, { Event: 'New_Sms' }];
  const change = { field: 'SubscribedEvents', isText: true as const, adds: [], removes: [orders] };
  const list = { SubscribedEvents: 'Order_Update, New_Sms' };
  expect(rowsOn(change, {}, list).input).toEqual({ SubscribedEvents: 'New_Sms' });
  expect(rowsOn({ ...change, adds: [texts], removes: [] }, {}, { SubscribedEvents: 'Order_Update' }).input).toEqual({
    SubscribedEvents: 'Order_Update,New_Sms',
  });
  const none = rowsOn({ ...change, removes: [orders, texts] }, {}, list);
  expect(none.input).toEqual({});
  expect(none.note).toContain('no entry would be left');
});
