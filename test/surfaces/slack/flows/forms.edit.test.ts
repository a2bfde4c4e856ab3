import { expect, it } from 'vitest';
import { objects } from '../../../../src/demo/playground/types.ts';
import { inputLine } from '../../../../src/language/help.ts';
import { tools } from '../../../../tools/index.ts';
import { C_SUPPORT, U_AGENT } from '../ids.ts';
import { record, type Stage, sharedStage, shown, until } from '../support.ts';

/* *Edit* opens the form of a waiting change with all of it: sent as it is, the form asks for the same again. */

const stageOf = sharedStage();
const LINES = [{ Number: '+12015550101' }, { Number: '+12015550103' }];
const LIMITS = { LimitValue: 900, NotifyValue: 100, ThrottleValue: 500, ThrottleSpeed: '1-mbps' };
const MMS = { To: [{ Number: '+12015550199' }], From: '+12015550101', Body: 'a "b" <c>\nd' };

/** The change that waits, and its open form. */
async function edited(s: Stage) {
  await s.settled();
  const [asked] = await s.gate.actions.list({ states: ['pending'] });
  const message = s.ws
    .messages(C_SUPPORT, { visibleTo: U_AGENT })
    .findLast((one) => shown(one).includes('"action_id":"sb_edit"'));
  return { asked, form: await s.opens(message, 'sb_edit') };
}

async function typed(s: Stage, id: string, input: Record<string, unknown>): Promise<void> {
  const tool = tools.find((one) => one.id === id);
  if (tool) await s.type(`/${tool.group}`, inputLine(tool, input));
}

it.each<[string, string, Record<string, unknown>, RegExp]>([
  [
    'a removal for several lines',
    'numbers_data_usage_set',
    { PhoneNumbers: LINES, LimitValue: 800, NotifyValue: null },
    /Notify at.*removed/,
  ],
  [
    'a secret that is removed',
    'voice_routes_update',
    { CallRouteId: 'CRID-00000000-0000-4000-8000-000000000001', RouteName: 'New', VoicePasswordToken: null },
    /Voice password or token.*removed/,
  ],
  [
    'a part of an address that is removed',
    'account_update',
    { AccountId: 'AID-00000000-0000-4000-8000-000000000001', MailingAddress: { City: 'Ogden', Street2: null } },
    /Mailing address.*Street 2 removed, City Ogden/,
  ],
  [
    'fields that another choice makes needless',
    'voice_routes_create',
    {
      ...{ RouteName: 'New', RouteType: 'URL', VoiceUrl: 'https://example.com/voice' },
      ...{ TrunkIp1: '192.0.2.10', IpWhitelist: [{ IpAddress: '192.0.2.10' }] },
    },
    /Trunk IP 1.*192\.0\.2\.10/,
  ],
  [
    'a file',
    'message_outbound',
    { ...MMS, MmsBase64: [{ Base64: 'aGk=', BaseType: 'image/png' }] },
    /MMS base64.*image\/png/,
  ],
])('%s is kept', async (_what, id, input, says) => {
  const s = stageOf();
  await s.apply('numbers_data_usage_set', { PhoneNumbers: LINES, ...LIMITS });
  await typed(s, id, input);
  const { asked, form } = await edited(s);
  expect(form).toMatch(says);
  expect(await s.sends()).toMatchObject({ outcome: 'acked', body: '' });
  const [now] = await s.gate.actions.list({});
  expect(now?.shown).toEqual(asked?.shown);
  const rowsOf = (action: typeof now) => record(record(action?.known).change).rows;
  expect(rowsOf(now)).toEqual(rowsOf(asked));
});

it('what is too long for the form is named', async () => {
  const s = stageOf();
  await typed(s, 'message_outbound', { ...MMS, MmsBase64: [{ Base64: 'aGkh'.repeat(1_000), BaseType: 'image/png' }] });
  expect((await edited(s)).form).toContain('MMS base64: too long for this form, so it is not sent with it.');
});

it('a secret has to be entered again', async () => {
  const s = stageOf();
  await s.form('/webhook', 'create WebhookUrl=https://example.com/two AuthenticationType=Basic form');
  const secret = { AuthenticationUsername: 'x', AuthenticationPassword: 'secret-pw-1' };
  const values = { SubscribedEvents: ['Order_Update'], ...secret };
  expect(await s.ws.submit({ user: U_AGENT, values })).toMatchObject({ outcome: 'acked', body: '' });
  const { form } = await edited(s);
  const blocks = objects(record(JSON.parse(form)).blocks);
  expect(blocks.find(({ block_id: id }) => id === 'AuthenticationPassword')).toMatchObject({ optional: false });
  expect(form).not.toContain('secret-pw-1');
});

it('a part of an address that is emptied is removed, or the form says that it cannot be', async () => {
  const s = stageOf();
  const account = 'AID-00000000-0000-4000-8000-000000000001';
  const place = { City: 'Heber', State: 'Utah', Zip: '84032', Country: 'USA' };
  const address = { Street1: '1 Main St', Street2: 'Suite 2', ...place };
  const both = { AccountId: account, BillingAddress: address, MailingAddress: address };
  await s.apply('account_update', both);
  await s.type('/account', `update ${account} form`);
  await until(() => s.view().includes('Suite 2'), 'the form');
  const wrong = await s.sends({ 'BillingAddress.Street2': '', 'MailingAddress.Street2': '' });
  expect(wrong.errors).toEqual({ 'BillingAddress.Street2': 'Cannot be removed here: enter a value' });
  const sent = await s.sends({ 'BillingAddress.Street2': 'Suite 2', 'BillingAddress.City': 'Ogden' });
  expect(sent).toMatchObject({ outcome: 'acked', body: '' });
  const { asked } = await edited(s);
  const rows = [
    { what: 'Billing address: City', before: 'Heber', after: 'Ogden' },
    { what: 'Mailing address: Street 2', before: 'Suite 2', removed: true },
  ];
  expect(record(asked?.known.change).rows).toMatchObject(rows);
  expect(await s.sends()).toMatchObject({ outcome: 'acked', body: '' });
  expect((await s.gate.actions.list({}))[0]?.shown).toEqual(asked?.shown);
});
