import { beforeEach, describe, expect, it } from 'vitest';
import { lateWorld } from '../support/late-platform.ts';
import { confirm, look } from '../support/page.ts';
import { id, MRID, nobody, seeded, TSUID } from '../support/seed.ts';
import { call, confirmed, face, type Json, value } from '../support/world.ts';

/* Attacks by records that leave out a member, spell it otherwise or hide it: what is not known is not said, lowered or sent. */

const TWO = [{ Number: seeded(1) }, { Number: seeded(3) }];
const LIMITS = { LimitValue: 900, NotifyValue: null, ThrottleValue: null, ThrottleSpeed: null };
const SECRET = 'events-token-abcdefghijklmnop-1234';
const { platform, world } = await lateWorld({ EVENTS_TOKEN: SECRET });
const client = await world.client();
let sent: Record<string, Json> = {};

beforeEach(async () => {
  sent = {};
  answers('', (answer) => answer);
  await world.afresh();
});

/** Changes the answers of one endpoint, and keeps the last body that was sent to each one. */
function answers(path: string, change: (answer: Json) => Json) {
  platform.rewrite = (answer, asked) => {
    if (asked.method === 'POST') sent[asked.path] = asked.sent;
    return asked.path === `/v1.0/${path}` ? JSON.stringify(change(JSON.parse(answer))) : answer;
  };
}

const without = (name: string) => (record: Json) => {
  const { [name]: _left, ...rest } = record;
  return rest;
};
const asks = (operation: string, input: Json): Promise<Json> => world.asks(operation, input);
/** How a question ends that somebody says yes to. */
const ends = async ({ id: asked, url }: Json): Promise<Json> => {
  await confirm(url);
  return world.follows(asked);
};
const refusal = async (operation: string, input: Json) => face(await call(client, operation, input));

describe('a value of a record that could be lost', () => {
  it('is asked for where a secret in it is hidden, and its mask is not sent', async () => {
    const hook = { WebhookUrl: `https://example.com/${SECRET}`, SubscribedEvents: 'New_Sms' };
    const { url } = await asks('webhook_create', hook);
    await confirm(url);
    const [{ WebhookId }] = value(await call(client, 'account_webhooks_get')).Results;
    const error = await refusal('webhook_update', { WebhookId, SubscribedEvents: 'Order_Update' });
    expect(error).toMatchObject({ field: 'WebhookUrl', outcome: 'not_done' });
  });

  it.each(['BASIC', 'Digest'])('is asked for where it is the password of the authentication %s', async (type) => {
    answers('message/routes', (route) => ({ ...route, MessageAuthenticationType: type, MessageUsername: 'ana' }));
    const error = await refusal('message_routes_update', { MessageRouteId: MRID, RouteName: 'Inbox' });
    expect(error.field).toBe('MessagePasswordToken');
  });

  it('stays where the same number is named with the other prefix of its id', async () => {
    const [{ SubscriptionId, TNID, ICCID }] = value(
      await call(client, 'account_subscriptions_get', { Filter: 'Active' }),
    ).Results;
    const same = TNID.replace(/^NID/, 'TNID');
    const { changes, stays } = await asks('subscriptions_update', { SubscriptionId, TNID: same, Type: 'Voip' });
    expect(changes.map(({ what }: Json) => what)).toEqual(['Type']);
    expect(stays).toContain(ICCID);
  });

  it('is sent where the record does not repeat the id of its workgroup', async () => {
    answers('workgroups', without('WorkgroupId'));
    const member = { WorkgroupId: id('WID', 1), WorkgroupActivityId: id('WAID', 1), DigitOrder: 7 };
    const { url } = await asks('workgroups_activity_update', member);
    await confirm(url);
    expect(sent['/v1.0/workgroups/activity/update']).toEqual(member);
  });
});

describe('a value before the change that no record shows', () => {
  it('is not known for a number that an answer about several leaves out', async () => {
    answers('numbers/data-usage/settings', ({ PhoneNumbers, ...rest }) => ({
      ...rest,
      PhoneNumbers: PhoneNumbers.filter(({ Number: one }: Json) => one === seeded(1)),
    }));
    const { changes } = await asks('numbers_data_usage_set', { PhoneNumbers: TWO, ...LIMITS });
    const other = changes.filter(({ of }: Json) => of === seeded(3));
    expect(new Set(other.map(({ before }: Json) => before))).toEqual(new Set(['not known']));
  });

  it.each([
    ['numbers_status', { StatusChange: 'park', EffectiveDate: '12/31/2099' }],
    ['numbers_cancel', {}],
  ])('is not known for a number without a state: %s', async (operation, more) => {
    answers('numbers', without('Status'));
    const { changes } = await asks(operation, { PhoneNumbers: [{ Number: seeded(3) }], ...more });
    expect(changes[0]).toMatchObject({ what: 'Service', before: 'not known' });
  });

  it('is not known for a list that the record leaves out, and nobody loses what they keep', async () => {
    answers('subscribers/get', without('PhoneNumbers'));
    const { changes, consequence } = await asks('subscribers_update', {
      SubscriberId: TSUID,
      PhoneNumbers: [seeded(3)],
    });
    expect(changes[0].before).toBe('not known');
    expect(consequence).not.toContain('taken from');
  });

  it('is a list that is emptied, and not one that is empty already', async () => {
    answers('subscribers/get', without('PhoneNumbers'));
    const { changes } = await asks('subscribers_update', { SubscriberId: TSUID, PhoneNumbers: [] });
    expect(changes).toMatchObject([{ before: 'not known', after: 'none' }]);
  });

  it('is the same list where its numbers are spelled without a plus', async () => {
    answers('subscribers/get', ({ PhoneNumbers, ...rest }) => ({
      ...rest,
      PhoneNumbers: PhoneNumbers.map((phone: string) => phone.slice(1)),
    }));
    const { changes } = await asks('subscribers_update', { SubscriberId: TSUID, PhoneNumbers: [seeded(1)] });
    expect(changes[0].after).not.toMatch(/added|removed \+12015550101/);
  });
});

describe('what a list does not say', () => {
  it('is not said of the numbers on a route', async () => {
    const rows = (list: Json) => ({ ...list, PhoneNumbers: list.PhoneNumbers.map(without('MessageRouteId')) });
    for (const change of [rows, without('PhoneNumbers')]) {
      await world.afresh();
      answers('numbers/inventory', change);
      const { consequence } = await asks('message_routes_delete', { MessageRouteId: MRID });
      expect(consequence).not.toContain('No number is on it');
    }
    answers('numbers/inventory', ({ TotalResults: _, PhoneNumbers: [row] }) => ({
      PhoneNumbers: Array.from({ length: 100 }, (_one, n) => ({ ...row, Number: `+1201555${2000 + n}` })),
    }));
    const other = await asks('message_routes_update', { MessageRouteId: MRID, MessageUrl: 'https://example.com/in' });
    expect(other.consequence).toContain('of the first 100');
  });

  it('does not lower the level of an item for a package whose subscriptions are not told apart', async () => {
    answers('account/subscriptions', (all) => ({ ...all, Results: all.Results.map(without('PackageId')) }));
    const item = { PackageId: id('PKID', 1), ProductId: id('PRID', 2), Price: '9.00' };
    expect(await asks('packages_items_add', item)).toMatchObject({ level: 'approver' });
  });

  it('is not said of the subscription that a number has', async () => {
    answers('account/subscriptions', (answer) => ({ ...answer, Results: [] }));
    const plan = { SubscriberId: TSUID, TNID: id('NID', 5), PackageId: id('PKID', 1), Type: 'Mvno' };
    const { changes } = await asks('subscriptions_create', plan);
    expect(changes).toContainEqual(expect.objectContaining({ what: 'Package', before: 'not known' }));
  });
});

describe('an answer about another record', () => {
  const item = { PackageId: id('PKID', 1), PackageItemId: id('PIID', 1) };
  it.each([
    ['message_routes_delete', 'message/routes/delete', { MessageRouteId: MRID }, { MRID: nobody('MRID') }],
    ['packages_items_delete', 'packages/items/delete', item, { PackageItemId: nobody('PIID') }],
  ])('leaves the outcome open: %s', async (operation, path, input, other) => {
    const question = await asks(operation, input);
    answers(path, (answer) => ({ ...answer, ...other }));
    const { status, error } = await ends(question);
    expect(status).toBe('unknown');
    expect(error.message).toContain(Object.values(other)[0]);
  });

  it('is settled by reading the record that was named', async () => {
    const input = { SubscriberId: TSUID, EnableIntelligentGuardianCalls: true };
    const { id: asked, url } = await asks('subscribers_guardian_features_set', input);
    answers('subscribers/guardian-features', (answer) =>
      sent['/v1.0/subscribers/guardian-features'] ? { ...answer, SubscriberId: id('TSUID', 2) } : answer,
    );
    await confirm(url);
    answers('', (answer) => answer);
    const { status, result } = await world.follows(asked);
    expect({ status, SubscriberId: result.SubscriberId }).toEqual({ status: 'done', SubscriberId: TSUID });
    expect(result.Resolved).toContain('the values that were sent');
  });
});

it('is said of an answer that it shows another value than the one that was sent', async () => {
  const question = await asks('numbers_update', { Number: seeded(3), VoiceEnabled: false });
  answers('numbers/update', (answer) => ({ ...answer, VoiceEnabled: true }));
  const { result } = await ends(question);
  expect(result.Warning).toBe('The platform’s answer shows other values than were sent: VoiceEnabled.');
});

it('is not said of an answer that spells the values otherwise, and names another filter beside the one of the call', async () => {
  const Phone = seeded(1);
  const KeywordFilter = '{"CustomKeywords":["bad"],"SeverityMap":{"bad":"HIGH"}}';
  const filter = { SubscriberId: TSUID, Phone, FilterMode: 'ADOLESCENT', ApplyToInbound: true };
  const { FilterId } = await confirmed(client, 'subscribers_message_filter_create', filter);
  const question = await asks('subscribers_message_filter_update', { FilterId, Phone, KeywordFilter });
  answers('subscribers/message-filter/update', (answer) => ({
    ...answer,
    ...{ Phone: Phone.slice(1), KeywordFilter: JSON.parse(answer.KeywordFilter), CallFilterId: nobody('CFID') },
  }));
  const { status, result } = await ends(question);
  expect({ status, resolved: result.Resolved }).toEqual({ status: 'done', resolved: undefined });
  expect(result.Warning).not.toContain('other values');
});

it('names who loses a feature, and holds for them alone', async () => {
  const SubscriptionId = id('SUB', 1);
  const { FeatureId } = await confirmed(client, 'subscriptions_features_add', { FeatureName: 'Roaming' });
  await confirmed(client, 'subscriptions_features_assignments_add', { FeatureId, SubscriptionId });
  const { customer, url } = await asks('subscriptions_features_delete', { FeatureId });
  expect(customer).toContain('Ava Stone');
  answers('subscriptions/features/assignments', (rows) =>
    rows.map((row: Json) => ({ ...row, SubscriptionId: nobody('SUB') })),
  );
  await confirm(url);
  expect(await world.sent('/v1.0/subscriptions/features/delete')).toEqual([]);
});

it('names the person behind an id in small letters', async () => {
  const member = { WorkgroupId: id('WID', 1), WorkgroupActivityId: id('WAID', 1) };
  const ReferenceUserId = id('TSUID', 2).toLowerCase();
  const { changes } = await asks('workgroups_activity_update', { ...member, ReferenceUserId });
  expect(changes[0].after).toContain('Ben Reed');
});

it('says where the audio of calls goes if a flag is a text', async () => {
  const { CallRouteId } = await confirmed(client, 'voice_routes_create', { RouteName: 'Aside', RouteType: 'Trunk' });
  answers('voice/routes', (route) => ({ ...route, EnableCallStreaming: 'true', WssUri: 'wss://example.com/audio' }));
  const { url } = await asks('numbers_update', { Number: seeded(2), VoiceRouteId: CallRouteId });
  expect((await look(url)).html).toContain('wss://example.com/audio');
});

it('asks about no webhook of an account that the platform does not know', async () => {
  const hook = { WebhookUrl: 'https://example.com/hook', SubscribedEvents: 'New_Sms', AccountId: nobody('AID') };
  expect(await refusal('webhook_create', hook)).toMatchObject({ field: 'AccountId', code: 'bad_request' });
});

it('does not call a cancellation doubtful that nobody has confirmed', async () => {
  platform.next('/v1.0/numbers/cancel-order-request', 'cut-done');
  const error = await refusal('numbers_cancel', { PhoneNumbers: [{ Number: seeded(3) }] });
  expect(error.outcome).toBe('not_done');
});

it('says of a line without a subscriber that nobody loses it', async () => {
  answers('numbers', (record) => ({ ...record, AssignedSubscriberId: null }));
  const PhoneNumbers = [seeded(1), seeded(2)];
  const { consequence } = await asks('subscribers_update', { SubscriberId: TSUID, PhoneNumbers });
  expect(consequence).not.toContain('taken from');
});

describe('a yes holds where the platform lists the same in another order', () => {
  it('of the lines whose data stops at once', async () => {
    const info = (change: (rows: Json[]) => Json[]) =>
      answers('numbers/data-usage/info', ({ PhoneNumbers, ...rest }) => ({
        ...rest,
        PhoneNumbers: change(PhoneNumbers.map((row: Json) => ({ ...row, Used: '5000 MB' }))),
      }));
    info((rows) => rows);
    const question = await asks('numbers_data_usage_set', { PhoneNumbers: TWO, ...LIMITS });
    expect((await look(question.url)).html).toContain('more than this limit is used already');
    info((rows) => rows.reverse());
    expect(await ends(question)).toMatchObject({ status: 'done' });
  });

  const ROUTE = { MessageRouteId: MRID, MessageUrl: 'https://example.com/in' };
  it.each<[string, Json, string, string]>([
    ['numbers_cancel', { PhoneNumbers: TWO }, 'numbers/cancel-order-request', 'NumbersValid'],
    ['message_routes_update', ROUTE, 'numbers/inventory', 'PhoneNumbers'],
  ])('of the numbers of %s', async (operation, input, path, list) => {
    const question = await asks(operation, input);
    answers(path, (answer) => ({ ...answer, [list]: answer[list].reverse() }));
    expect(await ends(question)).toMatchObject({ status: 'done' });
  });

  it('of the subscriptions that lose a feature', async () => {
    const plan = { SubscriberId: id('TSUID', 2), TNID: id('NID', 2), PackageId: id('PKID', 1), Type: 'Voip' };
    const { SubscriptionId } = await confirmed(client, 'subscriptions_create', plan);
    const { FeatureId } = await confirmed(client, 'subscriptions_features_add', { FeatureName: 'Roaming' });
    for (const one of [id('SUB', 1), SubscriptionId])
      await confirmed(client, 'subscriptions_features_assignments_add', { FeatureId, SubscriptionId: one });
    const question = await asks('subscriptions_features_delete', { FeatureId });
    answers('subscriptions/features/assignments', (rows) => rows.reverse());
    expect(await ends(question)).toMatchObject({ status: 'done' });
  });
});

it('reads no subscription for an assignment that names none', async () => {
  const { FeatureId } = await confirmed(client, 'subscriptions_features_add', { FeatureName: 'Roaming' });
  await confirmed(client, 'subscriptions_features_assignments_add', { FeatureId, SubscriptionId: id('SUB', 1) });
  answers('subscriptions/features/assignments', (rows) => rows.map(without('SubscriptionId')));
  const { url } = await asks('subscriptions_features_delete', { FeatureId });
  expect((await look(url)).html).not.toContain('could not be read');
});

it.each(['+12015550199', '+442071234567'])(
  'takes %s off a list that the platform keeps without plus',
  async (phone) => {
    const filter = { SubscriberId: TSUID, Phone: seeded(1), FilterMode: 'BLACKLIST', BlockedNumbers: [phone] };
    const { FilterId: CallFilterId } = await confirmed(client, 'subscribers_call_filter_create', filter);
    answers('subscribers/call-filter', ([one]) => [{ ...one, BlockedNumbers: [phone.slice(1)] }]);
    const removal = { SubscriberId: TSUID, CallFilterId, Numbers: [phone] };
    const { changes } = await asks('subscribers_call_filter_blocked_numbers_remove', removal);
    expect(changes[0].before).toBe(phone);
  },
);

describe('what a question counts without naming it', () => {
  const PKID = id('PKID', 1);
  const NUMBERS = ['numbers/inventory', 'PhoneNumbers'] as const;
  const route = ['message_routes_update', { MessageRouteId: MRID, RouteName: 'Inbox' }] as const;
  const line = (n: number) => ({ Number: `+12015552${n}`, MessageRouteId: n < 200 ? MRID : 'none', Status: 'Active' });
  const plan = (n: number) => ({ SubscriberId: id('TSUID', n), PackageId: PKID, Active: true });
  const pack = (n: number) => ({ PackageId: id('PKID', n), Active: true });
  const upTo = <T>(count: number, row: (n: number) => T) => Array.from({ length: count }, (_, n) => row(100 + n));
  /** How a question ends where the list has these rows when it is asked, and those when somebody says yes. */
  const endOf = async ([path, member]: readonly [string, string], call: readonly [string, Json], lists: Json[][]) => {
    const list = (rows: Json[] = []) =>
      answers(path, (all) => ({ ...all, [member]: rows.slice(0, 100), TotalResults: rows.length }));
    list(lists[0]);
    const asked = await asks(...call);
    list(lists[1]);
    const { status, error } = await ends(asked);
    // The lines that are on both lists are not named.
    expect(error?.message ?? '').not.toContain('+12015552100');
    return error?.reason ?? status;
  };

  it.each([
    ['a line of a route', NUMBERS, route, upTo(25, line), line(150)],
    [
      'a subscriber of a package',
      ['account/subscriptions', 'Results'],
      ['packages_update', { PackageId: PKID, Price: 20 }],
      upTo(5, plan),
      plan(150),
    ],
  ] as const)('is compared at the yes, in any order: %s', async (_what, list, call, rows, other) => {
    const others = [...rows.slice(0, -1), other];
    expect(await endOf(list, call, [[...rows], others])).toBe('changed');
    expect(await endOf(list, call, [others, [...others].reverse()])).toBe('done');
  });

  it.each([
    ['a number of no route', NUMBERS, route, upTo(120, line), line(250)],
    [
      'a package without the product',
      ['account/packages', 'Results'],
      ['products_update', { ProductId: id('PRID', 2), Cost: 11 }],
      upTo(12, pack),
      pack(150),
    ],
  ] as const)('does not void it by what is beside it: %s', async (_what, list, call, rows, other) => {
    expect(await endOf(list, call, [[...rows], [...rows, other]])).toBe('done');
  });

  it('holds where the packages of a product are listed in another order', async () => {
    const item = { ProductId: id('PRID', 1), Price: '9.00', Monthly: true, Type: 'data' };
    const pair = { PackageName: 'Pair', Type: 'esim', Price: 20, Monthly: true, PackageItems: [item] };
    await world.person('packages_create', pair);
    const asked = await asks('products_update', { ProductId: id('PRID', 1), Cost: 11 });
    expect(asked.consequence).toContain('“Pair”');
    answers('account/packages', (all) => ({ ...all, Results: all.Results.reverse() }));
    expect(await ends(asked)).toMatchObject({ status: 'done' });
  });
});
