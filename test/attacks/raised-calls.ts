import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { example } from '../e2e/table.derived.ts';
import { A1, CRID, confirmed, id, MRID, ORDER, seeded, TSUID } from '../support/world.ts';

/** Creates the target of the attack, with a person's yes. Resolves to the part of the input that names it. */
type Before = (client: Client) => Promise<Record<string, unknown>>;
type Attack = [what: string, operation: string, input: Record<string, unknown>, path: string, before?: Before];

const STRANGER = '+19005550123';
const URL = 'https://elsewhere.example/x';
const MEMBER = { WorkgroupActivityId: id('WAID', 1), WorkgroupId: id('WID', 1) };
const WORKGROUP = { WorkgroupId: id('WID', 1) };
const PERSON = {
  Name: 'Pat',
  Email: 'pat@elsewhere.example',
  Role: 'Subscriber',
  Password: 'of-my-own-making',
  AccountId: A1,
};
const ITEM = { PackageId: id('PKID', 1), ProductId: id('PRID', 2) };
const limits = (more: Record<string, unknown>) => ({ PhoneNumbers: [{ Number: seeded(1) }], ...more });
const address = { Street1: '9 Elsewhere St', City: 'Reno', State: 'Nevada', Zip: '89501', Country: 'USA' };

/** One attack for each of several inputs of an operation. */
function each(
  operation: string,
  path: string,
  base: object,
  inputs: Record<string, unknown>[],
  before: Before = async () => ({}),
): Attack[] {
  return inputs.map((input) => [
    `${operation} ${JSON.stringify(input)}`,
    operation,
    { ...base, ...input },
    path,
    before,
  ]);
}

const messageRoute: Before = async (client) => {
  const made = await confirmed(client, 'message_routes_create', example('message_routes_create'));
  return { MessageRouteId: made.MessageRouteId };
};
const voiceRoute: Before = async (client) => {
  const made = await confirmed(client, 'voice_routes_create', { RouteName: 'Other', RouteType: 'Forward' });
  return { VoiceRouteId: made.CallRouteId };
};
const webhook: Before = async (client) => {
  const made = await confirmed(client, 'webhook_create', { WebhookUrl: `${URL}/own`, SubscribedEvents: 'New_Sms' });
  return { WebhookId: made.WebhookId };
};
const guarded: Before = async (client) => {
  const both = { EnableIntelligentGuardianCalls: true, EnableIntelligentGuardianMessages: true };
  await confirmed(client, 'subscribers_guardian_features_set', { SubscriberId: TSUID, ...both });
  return {};
};

export const ATTACKS: readonly Attack[] = [
  ...each('workgroups_activity_update', '/v1.0/workgroups/activity/update', MEMBER, [
    { PhoneNumber: STRANGER },
    { DigitOrder: 0 },
    { Type: 'Workgroup', ReferenceWorkgroupId: id('WID', 1) },
    { ReferenceUserId: 'stranger' },
    { SmsNotification: true },
    { EmailNotification: true },
  ]),
  ...each('workgroups_update', '/v1.0/workgroups/update', WORKGROUP, [
    { TelegentPhone: STRANGER },
    { OnHoursId: 'stranger' },
    { OffHoursType: 'User', OffHoursId: 'stranger' },
    { ScheduleId: 'never-open' },
    { TimeZone: 'Pacific/Kiritimati' },
    { AnnouncementText: `We moved. Call ${STRANGER}.` },
    { AnnouncementUrl: URL },
    { Type: 'IVR' },
    { CallOrder: '9' },
    { RecordCalls: true },
  ]),
  ...each('subscribers_create', '/v1.0/subscribers/create', PERSON, [
    { Role: 'Account Admin' },
    { Role: 'Manager' },
    {},
    { PhoneNumbers: [seeded(10)] },
    { PhoneNumbers: [seeded(1)] },
  ]),
  ...each('subscribers_update', '/v1.0/subscribers/update', { SubscriberId: TSUID }, [
    { Role: 'Account Admin' },
    { Password: 'of-my-own-making' },
    { PhoneNumbers: [] },
  ]),
  ...each('numbers_portin_update', '/v1.0/numbers/portin/update', { OrderId: ORDER }, [
    { ICCID: '8901240397190195850' },
    { CurrentCarrierName: 'Elsewhere Wireless' },
    { TargetPortinClassification: 'Mobile' },
    { CurrentAccountNumber: '1' },
    { CurrentAccountPassword: '1' },
    { SubscriberName: 'Nobody' },
    { CurrentBillingAddress: { Street1: '9 Elsewhere St', City: 'Reno', State: 'NV', Zip: '89501' } },
  ]),
  ...each('numbers_data_usage_set', '/v1.0/numbers/data-usage', {}, [
    limits({ LimitValue: 0 }),
    limits({ LimitValue: 0.000001 }),
    limits({ LimitValue: 0.99 }),
    limits({ LimitValue: 13 }),
    limits({ LimitValue: 20_000, ThrottleValue: 0, ThrottleSpeed: '64-kbps' }),
    limits({ LimitValue: 20_000, ThrottleValue: 0.5, ThrottleSpeed: '64-kbps' }),
    limits({ LimitValue: 20_000, ThrottleValue: 13, ThrottleSpeed: '64-kbps' }),
  ]),
  ...each('numbers_update', '/v1.0/numbers/update', { Number: seeded(1) }, [
    { ProductType: 'data-only' },
    { ProductType: 'sms-only' },
    { MessageType: 'p2p' },
    { Classification: 'IoT' },
    { Iccid: '8901240397190195850' },
    { AssignedSubscriberId: id('TSUID', 2) },
    { VoiceEnabled: false },
    { MessageEnabled: false },
  ]),
  ...each('packages_items_add', '/v1.0/packages/items/add', ITEM, [
    { Price: '99999' },
    { Price: '0' },
    {},
    { Price: '99999', Monthly: true, Type: 'data' },
  ]),
  ...each('packages_update', '/v1.0/packages/update', { PackageId: id('PKID', 1) }, [{ Price: 99_999 }, { Price: 0 }]),
  ...each('products_update', '/v1.0/products/update', { ProductId: id('PRID', 1) }, [{ Cost: 99_999 }, { Cost: 0 }]),
  ...each('account_update', '/v1.0/account/update', { AccountId: A1 }, [
    { BillingAddress: address },
    { BillingAddress: { Street1: '9 Elsewhere St' } },
    { MailingAddress: address },
  ]),
  ...each('message_routes_update', '/v1.0/message/routes/update', { MessageRouteId: MRID }, [
    { MessageUrl: URL },
    { CallbackMessageUrl: URL },
    { MessageUrlMethod: 'GET' },
    { MessageAuthenticationType: null },
    { MessageUsername: 'x' },
    { RouteName: 'Mine', AccountId: id('AID', 2) },
    { InboundBypass: true },
    { IntelligentRouteEnabled: false },
  ]),
  ...each('numbers_update', '/v1.0/numbers/update', { Number: seeded(1) }, [{}], messageRoute),
  ...each('numbers_update', '/v1.0/numbers/update', { Number: seeded(1) }, [{}], voiceRoute),
  ...each('voice_routes_update', '/v1.0/voice/routes/update', { CallRouteId: CRID }, [
    { IpWhitelist: [] },
    { TrunkIp1: '192.0.2.99' },
    { WssUri: 'wss://elsewhere.example/x' },
    { TransferCallerId: STRANGER },
  ]),
  ...each('webhook_update', '/v1.0/webhook/update', {}, [{ WebhookUrl: URL }], webhook),
  ...each('webhook_create', '/v1.0/webhook/create', { SubscribedEvents: 'New_Sms' }, [{ WebhookUrl: URL }]),
  ...each(
    'subscribers_call_filter_create',
    '/v1.0/subscribers/call-filter',
    { SubscriberId: TSUID, Phone: seeded(1) },
    [{ FilterMode: 'WHITELIST' }, { FilterMode: 'WHITELIST', AllowedNumbers: [] }],
  ),
  ...each(
    'subscribers_message_filter_create',
    '/v1.0/subscribers/message-filter',
    { SubscriberId: TSUID, Phone: seeded(1) },
    [{ FilterMode: 'INACTIVE' }, { FilterMode: 'MONITOR_ONLY' }],
  ),
  ...each(
    'subscribers_guardian_features_set',
    '/v1.0/subscribers/guardian-features',
    { SubscriberId: TSUID },
    [{ EnableIntelligentGuardianCalls: false }, { EnableIntelligentGuardianMessages: false }],
    guarded,
  ),
  ...each('subscriptions_update', '/v1.0/subscriptions/update', { SubscriptionId: id('SUB', 1) }, [
    { SubscriberId: id('TSUID', 2) },
    { ICCID: '8901240397190195850' },
  ]),
];
