import { beforeEach, describe, expect, it } from 'vitest';
import { tools } from '../../tools/index.ts';
import { example } from '../e2e/table.derived.ts';
import { asks } from '../support/asking.ts';
import { decline } from '../support/page.ts';
import { scripted } from '../support/scripted.ts';
import { A1, CRID, id, MRID, ORDER, seeded, TSUID } from '../support/seed.ts';
import { call, confirmed, face, openWorld, value } from '../support/world.ts';
import { FLAGS, LISTS, MODES, WEAKER } from './raised-records.ts';

/*
 * An assistant tries to redirect lines, to gain control and to take service or protection away with calls that only
 * change records. Each of them waits for an approver. The law `raised` covers every member that no condition makes ordinary.
 */

type Input = Record<string, unknown>;

const STRANGER = '+19005550123';
const URL = 'https://elsewhere.example/x';
const PACKAGE = { PackageId: id('PKID', 1) };
const NUMBER = { Number: seeded(1) };
const PERSON = { Name: 'Pat', Email: 'pat@elsewhere.example', Password: 'of-my-own-making', AccountId: A1 };
const CALLS = { SubscriberId: TSUID, Phone: seeded(1) };
const limits = (more: Input) => ({ PhoneNumbers: [NUMBER], LimitValue: 20_000, ThrottleSpeed: '64-kbps', ...more });

/** The operation, what each call has, and the rest of each call. */
const SIM = '8901240397190195850';
const ROUTE = { MessageRouteId: MRID };
const PLAN = { SubscriptionId: id('SUB', 1) };
const lowered = [0, 0.000001, 0.99, 13].map((LimitValue) => ({ PhoneNumbers: [NUMBER], LimitValue }));
const throttled = [0, 0.5, 13].map((ThrottleValue) => limits({ ThrottleValue }));
const ATTACKS: readonly [operation: string, base: Input, inputs: Input[]][] = [
  [
    'workgroups_activity_update',
    { WorkgroupActivityId: id('WAID', 1) },
    [{ PhoneNumber: STRANGER }, { DigitOrder: 0 }],
  ],
  ['workgroups_update', { WorkgroupId: id('WID', 1) }, [{ TelegentPhone: STRANGER }, { RecordCalls: true }]],
  ['subscribers_create', { ...PERSON, Role: 'Subscriber' }, [{}, { Role: 'Manager' }, { PhoneNumbers: [seeded(1)] }]],
  ['subscribers_update', { SubscriberId: TSUID }, [{ Role: 'Account Admin' }, { PhoneNumbers: [] }]],
  [
    'numbers_portin_update',
    { OrderId: ORDER },
    [{ ICCID: SIM }, { CurrentAccountNumber: '1' }, { SubscriberName: 'X' }],
  ],
  ['numbers_data_usage_set', {}, [...lowered, ...throttled]],
  ['numbers_update', NUMBER, [{ ProductType: 'sms-only' }, { MessageType: 'p2p' }, { Iccid: SIM }]],
  ['numbers_update', NUMBER, [{ AssignedSubscriberId: id('TSUID', 2) }, { VoiceEnabled: false }]],
  ['packages_items_add', { ...PACKAGE, ProductId: id('PRID', 2) }, [{ Price: '99999' }, { Price: '0' }, {}]],
  ['packages_update', PACKAGE, [{ Price: 15.01 }, { Price: 0 }]],
  ['products_update', { ProductId: id('PRID', 1) }, [{ Cost: 99_999 }, { Cost: 0 }]],
  ['account_update', { AccountId: A1 }, [{ BillingAddress: { Street1: '9 Elsewhere St' } }]],
  ['message_routes_update', ROUTE, [{ MessageUrl: URL }, { MessageAuthenticationType: null }, { InboundBypass: true }]],
  [
    'message_routes_update',
    ROUTE,
    [{ RouteName: 'Mine', AccountId: id('AID', 2) }, { IntelligentRouteEnabled: false }],
  ],
  ['voice_routes_update', { CallRouteId: CRID }, [{ IpWhitelist: [] }, { TrunkIp1: '192.0.2.99' }]],
  ['voice_routes_update', { CallRouteId: CRID }, [{ WssUri: 'wss://elsewhere.example/x' }]],
  ['webhook_create', { SubscribedEvents: 'New_Sms' }, [{ WebhookUrl: URL }]],
  [
    'subscribers_call_filter_create',
    { ...CALLS, FilterMode: 'WHITELIST' },
    [{ AllowedNumbers: [] }, { AllowedNumbers: [STRANGER] }],
  ],
  [
    'subscribers_call_filter_create',
    { ...CALLS, FilterMode: 'BLACKLIST' },
    [{ NotificationPhones: [STRANGER] }, { RecordFlaggedCalls: true }, { WarningMessage: `Call ${STRANGER} instead.` }],
  ],
  ['subscribers_message_filter_create', CALLS, [{ FilterMode: 'INACTIVE' }, { FilterMode: 'MONITOR_ONLY' }]],
  ['subscriptions_update', PLAN, [{ SubscriberId: id('TSUID', 2) }, { ICCID: SIM }]],
];

/** Records of which a member that the change leaves out cannot be read, so that it could not be kept. */
const UNREADABLE: ReadonlySet<string> = new Set(
  [
    [{ FilterMode: 'CHILD', ApplyToInbound: 'perhaps' }, { BlockMedia: true }],
    [{ FilterMode: 'CHILD', BlockedContacts: { PHONE: '+12015550199' } }, { BlockLinks: true }],
    [{ FilterMode: 'CHILD', KeywordFilter: ['bad'] }, { BlockLinks: true }],
  ].map((one) => JSON.stringify(one)),
);

const world = await openWorld({ MCP_TOOLSETS: 'all' });
const client = await world.client();

describe('an assistant over MCP', () => {
  beforeEach(() => world.reset());

  async function expectWaits(operation: string, input: Input): Promise<void> {
    const tool = tools.find(({ id: one }) => one === operation);
    const path = tool?.kind === 'operation' ? tool.path : '';
    const writes = async () => (await world.sent(path)).filter(({ method }) => method !== 'GET').length;
    const already = await writes();
    const asked = await asks(client, operation, input);
    expect(asked).toMatchObject({ status: 'pending', level: 'approver', consequence: expect.any(String) });
    await decline(asked.url);
    expect(await writes()).toBe(already);
  }

  it.each(ATTACKS.flatMap(([operation, base, inputs]) => inputs.map((input) => [operation, input, base] as const)))(
    'waits for an approver with %s %j',
    (operation, input, base) => expectWaits(operation, { ...base, ...input }),
  );

  it('waits for an approver with a new route of a line, another address of a webhook, and a protection that is on', async () => {
    const { MessageRouteId } = await confirmed(client, 'message_routes_create', example('message_routes_create'));
    await expectWaits('numbers_update', { ...NUMBER, MessageRouteId });
    const voice = await confirmed(client, 'voice_routes_create', { RouteName: 'Other', RouteType: 'Forward' });
    await expectWaits('numbers_update', { ...NUMBER, VoiceRouteId: voice.CallRouteId });
    const hook = { WebhookUrl: `${URL}/own`, SubscribedEvents: 'New_Sms' };
    const { WebhookId } = await confirmed(client, 'webhook_create', hook);
    await expectWaits('webhook_update', { WebhookId, WebhookUrl: URL });
    const guards = { SubscriberId: TSUID, EnableIntelligentGuardianCalls: true };
    await confirmed(client, 'subscribers_guardian_features_set', guards);
    await expectWaits('subscribers_guardian_features_set', { ...guards, EnableIntelligentGuardianCalls: false });
  });

  it('waits for an approver with a low limit for a batch of lines, after the monthly reset too', async () => {
    await world.control('clock', { advance: '40d' });
    const batch = { Operation: 'numbers_data_usage_set', Numbers: [1, 3, 5].map(seeded), Fields: { LimitValue: 1 } };
    const asked = await asks(client, 'batches_create', batch);
    expect(asked).toMatchObject({ status: 'pending', level: 'approver' });
    await decline(asked.url);
    await expectWaits('numbers_data_usage_set', { PhoneNumbers: [NUMBER], LimitValue: 1 });
  });

  it.each([1e300, -1, 2_147_483_648])('is refused a data limit of %s MB', async (LimitValue) => {
    const error = face(await call(client, 'numbers_data_usage_set', { PhoneNumbers: [NUMBER], LimitValue }));
    expect(error).toMatchObject({ code: 'invalid_input', field: 'LimitValue', outcome: 'not_done' });
    expect(await world.sent('/v1.0/numbers/data-usage')).toEqual([]);
  });
});

const platform = await scripted();
const strange = await openWorld({ MCP_TOOLSETS: 'all', PLATFORM_BASE_URL: platform.url });

describe('an assistant over MCP, where a record has values that cannot be read', () => {
  it.each([...MODES, ...FLAGS, ...LISTS, ...WEAKER])(
    'waits with %s filter %j, changed by %j',
    async (kind, record, change) => {
      const path = `/v1.0/subscribers/${kind}-filter`;
      const FilterId = id(kind === 'message' ? 'MFID' : 'CFID', 1);
      platform.answer('/v1.0/subscribers/get', { SubscriberId: TSUID, Name: 'Ava Stone' });
      platform.answer(path, [{ FilterId, SubscriberId: TSUID, Phone: seeded(1), KeywordFilter: '', ...record }]);
      platform.answer(`${path}/update`, (sent) => sent);
      const result = await call(await strange.client(), `subscribers_${kind}_filter_update`, { FilterId, ...change });
      expect(platform.requests.filter((request) => request.path === `${path}/update`)).toEqual([]);
      if (UNREADABLE.has(JSON.stringify([record, change]))) {
        expect(face(result)).toMatchObject({ code: 'invalid_input', outcome: 'not_done' });
        expect(face(result).message).toContain('cannot be read back and could be lost');
        return;
      }
      expect(result.isError ? result._meta : undefined).toBeUndefined();
      expect(value(result).confirmation).toMatchObject({ status: 'pending', level: 'approver' });
      await decline(value(result).confirmation.url);
    },
  );
});
