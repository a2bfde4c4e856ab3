import { beforeEach, describe, expect, it } from 'vitest';
import { questionText } from '../../src/cards/card.ts';
import { questionCard } from '../../src/cards/question.ts';
import { actionMessage } from '../../src/surfaces/slack/blocks/card.ts';
import { tools } from '../../tools/index.ts';
import { example } from '../e2e/table.derived.ts';
import { rows as happy } from '../e2e/table.rows.ts';
import { drawer, rawText } from '../snapshots/slack-text.ts';
import { asks, CHANGED, followed } from '../support/asking.ts';
import { FastClock } from '../support/clock.ts';
import { confirm, look } from '../support/page.ts';
import { A1, CRID, id, linesOf as lines, MRID, ORDER, seeded, TSUID } from '../support/seed.ts';
import { call, confirmed, face, type Json, openWorld, texts, value, type World } from '../support/world.ts';

/*
 * A change as a question shows it: before and after with names for ids, whom it concerns, and what is removed. Records that
 * are not in the seed are made first, as in the table of `test/e2e`.
 */

const WAID = id('WAID', 1);

type Row = [operation: string, input: Record<string, unknown>, changes: string[]];

const HOOK = { WebhookUrl: 'https://example.com/new-hook', AuthenticationPassword: 'example-password' };
const PLAN = { SubscriberId: TSUID, TNID: id('NID', 1), PackageId: id('PKID', 1), Type: 'Mvno' };
const BILLING = { Street1: '2 Main St', City: 'Heber' };
const NUMBER = { Number: seeded(1) };
const FIRST_NAME = 'Caller first name, part of the caller name: “Sample Line 1” → “Sample”';
const IP = 'IP whitelist: 192.0.2.10 → removed 192.0.2.10';
const BLOCKED = '+12015550199 → added +12015550198, removed +12015550199';
const TABLE: readonly Row[] = [
  ['account_update', { AccountId: A1, AccountName: 'Acme' }, ['Account name: “Acme Mobile” → “Acme”']],
  [
    'account_update',
    { AccountId: A1, BillingAddress: BILLING },
    ['Billing address: Street 1: “1 Main St” → “2 Main St”'],
  ],
  // The record shows a caller name as a whole: "Sample Line 1". Its first name may be "Sample" or "Sample Line".
  ['numbers_update', { ...NUMBER, CnamFirstName: 'Sample' }, [FIRST_NAME]],
  ['message_routes_update', { MessageRouteId: MRID, RouteName: null }, ['Route name: “Main SMS route” → removed']],
  ['voice_routes_update', { CallRouteId: CRID, IpWhitelist: [] }, [IP]],
  [
    'numbers_data_usage_set',
    { ...lines(1, 3), LimitValue: 300, NotifyValue: 80 },
    ['Data limit: 20 MB → 300 MB', 'Notify at: none → 80 MB'],
  ],
  [
    'numbers_update',
    { ...NUMBER, AssignedSubscriberId: id('TSUID', 2) },
    ['Assigned subscriber: “Ava Stone” → “Ben Reed”'],
  ],
  [
    'numbers_portin_update',
    { OrderId: ORDER, CurrentAccountNumber: '46512346' },
    ['Current account number: not known → “…2346”'],
  ],
  ['packages_update', { PackageId: id('PKID', 1), Price: 17.5 }, ['Price: 15 USD → 17.50 USD']],
  ['subscribers_call_filter_update', { BlockedNumbers: ['+12015550198'] }, [`Blocked numbers: ${BLOCKED}`]],
  [
    'webhook_update',
    HOOK,
    [
      'Webhook URL: https://example.com/hook → https://example.com/new-hook',
      'Authentication password: ••• (not shown) → ••• (not shown)',
    ],
  ],
  [
    'subscribers_call_filter_blocked_numbers_add',
    { SubscriberId: TSUID, Numbers: ['+12015550197'] },
    ['Blocked callers: +12015550198 → added +12015550197'],
  ],
  [
    'subscriptions_create',
    PLAN,
    ['Package: none → “Starter”', 'Subscriber: none → “Ava Stone”', 'Type: none → mobile'],
  ],
];

/** The records of changes whose subject is not the one in the input. */
const SUBJECTS: Readonly<Record<string, string>> = { subscriptions_create: `number ${seeded(1)}` };

// The retries of a platform that fails wait for seconds.
const world = await openWorld({ MCP_TOOLSETS: 'all' }, new FastClock());
const client = await world.client();
beforeEach(() => world.afresh());

const run: World['person'] = (operation, input) => world.person(operation, input);

it.each(TABLE)('%s shows %j as it was and as it becomes', async (operation, input, changes) => {
  const made = (await happy[operation]?.before?.(run)) ?? {};
  const result = await call(client, operation, { ...made, ...input });
  const { confirmation } = value(result) ?? {};
  expect(confirmation, texts(result)).toMatchObject({ status: 'pending' });
  const shown = confirmation.changes.map(
    ({ what, before, after }: Record<string, string>) => `${what}: ${before} → ${after}`,
  );
  expect(shown).toEqual(changes);
  for (const row of confirmation.changes) {
    const { lines, ...own } = row;
    expect(Object.keys(own).sort()).toEqual(['after', 'before', 'of', 'what']);
    // Lines with the same values are one row.
    if (lines) expect(row.of).toBe(`${lines.length} lines`);
    expect(row.of).toBe(SUBJECTS[operation] ?? row.of);
  }
});

it('shows nothing where a new record gets an empty list, a route by its kind, and no PIN before that nobody read', async () => {
  const changesOf = async (operation: string, input: Record<string, unknown>) =>
    (await asks(client, operation, input)).changes;
  const person = { ...example('subscribers_create'), AccountId: A1, PhoneNumbers: [] };
  const made = await changesOf('subscribers_create', person);
  expect(made.map(({ what }: { what: string }) => what)).not.toContain('Phone numbers');
  expect(await changesOf('voice_routes_delete', { CallRouteId: CRID })).toMatchObject([{ what: 'Voice route' }]);
  const pin = await changesOf('numbers_portout', { PortOutNumber: seeded(5), PortOutPIN: '482913' });
  expect(pin).toMatchObject([{ before: 'not known', after: '••• (not shown)' }]);
});

it('is asked once where a second call only removes what no record has', async () => {
  await run('numbers_data_usage_set', { ...lines(1), LimitValue: 300, NotifyValue: null });
  const first = await asks(client, 'numbers_data_usage_set', { ...lines(1), LimitValue: 400 });
  const again = await call(client, 'numbers_data_usage_set', { ...lines(1), LimitValue: 400, NotifyValue: null });
  expect(value(again).confirmation.id).toBe(first.id);
  expect(texts(again)).toContain('This already waits, asked at');
});

describe('a question that was asked while something could not be read', () => {
  const zed = ['numbers_update', { ...NUMBER, CnamFirstName: 'Zed' }] as const;
  const named = ['numbers_update', { ...NUMBER, CnamFirstName: 'Bob' }] as const;
  const limit = ['numbers_data_usage_set', { ...lines(1), NotifyValue: 15 }] as const;
  const added = ['numbers_data_usage_set', { ...lines(1), NotifyValue: 10 }] as const;
  const other = ['numbers_update', { Number: seeded(3), CnamFirstName: 'Bob' }] as const;
  const route = ['message_routes_delete', { MessageRouteId: MRID }] as const;
  const changed = { status: 'failed', error: CHANGED };
  it.each([
    ['the name of the account', '/v1.0/account', zed, other, { status: 'done' }],
    ['the name of the account', '/v1.0/account', zed, named, changed],
    ['the name of the account', '/v1.0/account', limit, added, changed],
    ['the record', '/v1.0/message/routes', route, other, changed],
  ] as const)('%s (%s): %j after %j', async (_what, path, [operation, input], [meanwhile, values], end) => {
    await world.control('faults', { path, times: 1, status: path === '/v1.0/account' ? 400 : 404 });
    const asked = await asks(client, operation, input);
    await run(meanwhile, values);
    await confirm(asked.url);
    expect(await followed(client, asked.id)).toMatchObject(end);
  });
});

describe('a member of a workgroup that could not be read', () => {
  const input = { WorkgroupActivityId: WAID, DigitOrder: 2 };
  it.each([
    ['the list', '/v1.0/account/workgroups'],
    ['the workgroup', '/v1.0/workgroups'],
  ])('is not told as missing: %s', async (_what, path) => {
    await world.control('faults', { path, times: 100, status: 500 });
    const answer = face(await call(client, 'workgroups_activity_update', input));
    expect(answer.message).toContain('could not be looked up');
    expect(answer.message).not.toContain('not found');
  });
});

const slackDrawer = drawer(tools);
const asked = (operation: string, input: Json): Promise<Json> => asks(client, operation, input);

/** A question as each surface shows it. */
async function shownOf({ id: name, url }: Json) {
  const action = await world.runtime.gate.actions.get(name);
  if (action === undefined) throw new Error(`there is no ${name}`);
  const tool = world.runtime.gate.tool(action.operation);
  const slack = rawText(actionMessage(slackDrawer, action) as never);
  return { terminal: questionText(questionCard(tool, action)), page: (await look(url)).html, slack };
}

describe('a name of the longest length that the platform takes', () => {
  const COMMON = 'Northwind Traders Regional Hospital Network Cardiology Emergency Line OPEN, third floor, east wing, ';
  const NAME = `${COMMON.repeat(2)}(production)`.slice(-250);
  it.each([
    ['numbers_cancel', lines(1)],
    ['numbers_update', { Number: seeded(2), AssignedSubscriberId: TSUID }],
  ])('is whole in %s, and the card has its button', async (operation, input) => {
    await run('subscribers_update', { SubscriberId: TSUID, Name: NAME });
    const confirmation = await asked(operation, input);
    const { terminal, page, slack } = await shownOf(confirmation);
    for (const text of [JSON.stringify(confirmation), terminal, page, slack]) expect(text).toContain(NAME);
    expect(slack).not.toContain('Show everything');
  });
});

describe('every row of a change of several lines', () => {
  const lines = [1, 3, 5].map((n) => ({ Number: seeded(n) }));
  it.each([
    ['numbers_status', { StatusChange: 'swap', AreaCode: '212', EffectiveDate: '12/31/2099', PhoneNumbers: lines }],
    ['numbers_data_usage_set', { PhoneNumbers: lines, LimitValue: 300 }],
    ['message_outbound', { To: lines, From: seeded(4), Body: 'Hello' }],
  ])('of %s %j is of a line', async (operation, input) => {
    const { changes } = await asked(operation, input);
    const of = changes.flatMap((row: Json) => row.lines ?? row.of);
    expect(of.filter((one: string) => !/^\+1201555010[1345]$/.test(one))).toEqual([]);
  });
});

describe('a text with many line breaks', () => {
  it.each([
    [30, false],
    [300, true],
  ])('%s of them: Show everything instead of the confirming button: %s', async (breaks, isFolded) => {
    const input = { To: [{ Number: '+12015550199' }], From: seeded(4), Body: `ok${'\n'.repeat(breaks)}pay 500` };
    const { slack } = await shownOf(await asked('message_outbound', input));
    expect([slack.includes('Show everything'), slack.includes('[Send')]).toEqual([isFolded, !isFolded]);
  });
});

/*
 * Null in an update: it removes a value where the platform can be without one, alone and beside other values, and
 * otherwise the answer says that it removes nothing. A secret of a record that is replaced whole is asked for by name.
 */
const PKID = id('PKID', 1);
const SUB = id('SUB', 1);

type Removal = [operation: string, keys: Json, nulls: Json, beside: Json, level: string, removed: string[]];
const VOICE: Json = { CallRouteId: CRID };
const REMOVED: readonly Removal[] = [
  ['voice_routes_update', VOICE, { TrunkIp1: null }, { RouteName: 'New' }, 'approver', ['Trunk IP 1']],
  ['voice_routes_update', VOICE, { IpWhitelist: null }, { RouteName: 'New' }, 'approver', ['IP whitelist']],
  ['voice_routes_update', VOICE, { TrunkPort1: null }, { RouteName: 'New' }, 'approver', ['Trunk port 1']],
  ['packages_update', { PackageId: PKID }, { Description: null }, { PackageName: 'S2' }, 'own', ['Description']],
  ['subscriptions_update', { SubscriptionId: SUB }, { ICCID: null }, {}, 'approver', ['SIM serial (ICCID)']],
];

describe.each(REMOVED)('%s %j', (operation, keys, nulls, beside, level, removed) => {
  it.each([nulls, { ...nulls, ...beside }])('with %j removes the value', async (values) => {
    const { changes, level: asked } = await asks(client, operation, { ...keys, ...values });
    const gone = changes.filter(({ after }: Json) => after === 'removed').map(({ what }: Json) => what);
    expect([asked, gone]).toEqual([level, removed]);
  });
});

it('what is removed is gone from the record, and the rest of it stays', async () => {
  await confirmed(client, 'voice_routes_update', { ...VOICE, TrunkIp1: null });
  const route = value(await call(client, 'voice_routes_get', { CallRouteID: CRID }));
  expect([route.TrunkIp1 ?? null, route.RouteName]).toEqual([null, 'Main SIP trunk']);
});

describe('null for a value that cannot be removed', () => {
  it.each<[string, Json, string]>([
    ['numbers_update', { ...NUMBER, CnamFirstName: null }, 'CnamFirstName'],
    ['numbers_data_usage_set', { ...lines(1), LimitValue: null }, 'LimitValue'],
    ['voice_routes_update', { CallRouteId: CRID, RouteType: null }, 'RouteType'],
  ])('is the reason why %s %j changes nothing', async (operation, input, field) => {
    const { message, code } = face(await call(client, operation, input));
    expect([code, message.split(':')[0]]).toEqual(['invalid_input', field]);
    expect(message).toContain('cannot be removed');
  });
});

describe('the secrets of a message route', () => {
  const BOTH = {
    MessageAuthenticationType: 'Basic',
    MessageUsername: 'in',
    MessagePasswordToken: 'inbound-pass-1',
    CallbackMessageUrl: 'https://r.example/receipts',
    CallbackMessageAuthenticationType: 'Bearer',
    CallbackMessagePasswordToken: 'receipt-token-1',
  };
  beforeEach(async () => {
    await confirmed(client, 'message_routes_update', { MessageRouteId: MRID, ...BOTH });
  });

  it.each([{ RouteName: 'New' }, { MessageAuthenticationType: 'Bearer' }])(
    'that %j would lose are asked for in one error, which does not switch the authentication off',
    async (input) => {
      const { message } = face(await call(client, 'message_routes_update', { MessageRouteId: MRID, ...input }));
      expect(message).toMatch(/^MessagePasswordToken: /);
      expect(message).toContain('CallbackMessagePasswordToken');
      expect(message).toContain('in the form of this operation');
      expect(message).not.toMatch(/None|leave the type out/);
    },
  );

  it('are sent again for a new name, and the question says no more than that', async () => {
    const { MessagePasswordToken, CallbackMessagePasswordToken } = BOTH;
    const input = { MessageRouteId: MRID, RouteName: 'New', MessagePasswordToken, CallbackMessagePasswordToken };
    const { consequence } = await asked('message_routes_update', input);
    expect(consequence).not.toMatch(/elsewhere or stop|no longer authenticated/);
  });
});
