import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tools } from '../../tools/index.ts';
import { rows as happy } from '../e2e/table.rows.ts';
import { FastClock } from '../support/clock.ts';
import {
  A1,
  CRID,
  call,
  face,
  id,
  MRID,
  ORDER,
  openWorld,
  seeded,
  TSUID,
  texts,
  value,
  type World,
} from '../support/world.ts';

/*
 * Before and after of every operation that starts from a record, on the sandbox: the values of the record, with names for
 * ids. Records that are not in the seed are made first, as in the table of `test/e2e`.
 */

const lines = (...ends: number[]) => ({ PhoneNumbers: ends.map((n) => ({ Number: seeded(n) })) });
const WAID = id('WAID', 1);

type Row = [operation: string, input: Record<string, unknown>, changes: string[]];

const TABLE: readonly Row[] = [
  ['account_update', { AccountId: A1, AccountName: 'Acme' }, ['Account name: “Acme Mobile” → “Acme”']],
  [
    'account_update',
    { AccountId: A1, BillingAddress: { Street1: '2 Main St', City: 'Heber' } },
    ['Billing address: Street 1: “1 Main St” → “2 Main St”'],
  ],
  // The record shows a caller name as a whole: "Sample Line 1". Its first name may be "Sample" or "Sample Line".
  [
    'numbers_update',
    { Number: seeded(1), CnamFirstName: 'Sample' },
    ['Caller first name, part of the caller name: “Sample Line 1” → “Sample”'],
  ],
  ['message_routes_update', { MessageRouteId: MRID, RouteName: null }, ['Route name: “Main SMS route” → removed']],
  ['voice_routes_update', { CallRouteId: CRID, IpWhitelist: [] }, ['IP whitelist: 192.0.2.10 → removed 192.0.2.10']],
  [
    'numbers_data_usage_set',
    { ...lines(1, 3), LimitValue: 300, NotifyValue: 80 },
    ['Data limit: 20 MB → 300 MB', 'Notify at: none → 80 MB'],
  ],
  [
    'numbers_update',
    { Number: seeded(1), AssignedSubscriberId: id('TSUID', 2) },
    ['Assigned subscriber: “Ava Stone” → “Ben Reed”'],
  ],
  [
    'numbers_portin_update',
    { OrderId: ORDER, CurrentAccountNumber: '46512346' },
    ['Current account number: not known → 46512346'],
  ],
  ['packages_update', { PackageId: id('PKID', 1), Price: 17.5 }, ['Price: 15 USD → 17.50 USD']],
  [
    'subscribers_call_filter_update',
    { BlockedNumbers: ['+12015550198'] },
    ['Blocked numbers: +12015550199 → added +12015550198, removed +12015550199'],
  ],
  [
    'webhook_update',
    { WebhookUrl: 'https://example.com/new-hook', AuthenticationPassword: 'example-password' },
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
    { SubscriberId: TSUID, TNID: id('NID', 1), PackageId: id('PKID', 1), Type: 'Mvno' },
    ['Package: none → “Starter”', 'Subscriber: none → “Ava Stone”', 'Type: none → mobile (Mvno)'],
  ],
];

/** The records of changes whose subject is not the one in the input. */
const SUBJECTS: Readonly<Record<string, string>> = { subscriptions_create: `number ${seeded(1)}` };

let world: World;
let client: Client;
beforeAll(async () => {
  // The retries of a platform that fails wait for seconds.
  world = await openWorld({ MCP_TOOLSETS: 'all' }, new FastClock());
  client = await world.client();
});
afterAll(() => world.close());

const run = async (operation: string, input: Record<string, unknown>) => {
  const ran = await world.cli([operation, '--json', JSON.stringify(input), '--yes']);
  if (ran.code !== 0) throw new Error(`${operation}: ${ran.err}`);
  return ran.json();
};

it.each(TABLE)('%s shows %j as it was and as it becomes', async (operation, input, changes) => {
  await world.reset();
  await world.control('settings', { requestsPerMinute: 100_000 });
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
  await world.runtime.ledger.decline(confirmation.id, undefined);
});

it('shows nothing where a new record gets an empty list, a route by its kind, and no PIN before that nobody read', async () => {
  await world.reset();
  const changesOf = async (operation: string, input: Record<string, unknown>) =>
    value(await call(client, operation, input)).confirmation.changes;
  const [example = {}] = tools.find(({ id: name }) => name === 'subscribers_create')?.examples ?? [];
  const person = { ...example, AccountId: A1, PhoneNumbers: [] };
  const made = await changesOf('subscribers_create', person);
  expect(made.map(({ what }: { what: string }) => what)).not.toContain('Phone numbers');
  expect(await changesOf('voice_routes_delete', { CallRouteId: CRID })).toMatchObject([{ what: 'Voice route' }]);
  const pin = await changesOf('numbers_portout', { PortOutNumber: seeded(5), PortOutPIN: '482913' });
  expect(pin).toMatchObject([{ before: 'not known', after: '••• (not shown)' }]);
});

it('is asked once where a second call only removes what no record has', async () => {
  await world.reset();
  await run('numbers_data_usage_set', { ...lines(1), LimitValue: 300, NotifyValue: null });
  const first = value(await call(client, 'numbers_data_usage_set', { ...lines(1), LimitValue: 400 }));
  const again = await call(client, 'numbers_data_usage_set', { ...lines(1), LimitValue: 400, NotifyValue: null });
  expect(value(again).confirmation.id).toBe(first.confirmation.id);
  expect(JSON.stringify(again.content)).toContain('This already waits, asked at');
});

it('marks no words of our own as text from outside', async () => {
  await world.reset();
  const limits = { ...lines(3), LimitValue: 5000, ThrottleValue: 4000, ThrottleSpeed: '1-mbps' };
  for (const [operation, input] of [
    ['numbers_data_usage_set', limits],
    ['subscribers_call_filter_blocked_numbers_add', { SubscriberId: TSUID, Numbers: ['+12015550197'] }],
    ['numbers_portout', { PortOutNumber: seeded(5) }],
  ] as const) {
    const answer = await call(client, operation, input);
    const marks = (answer._meta?.['switchboard/outside'] ?? []) as string[];
    expect([operation, marks.filter((path) => /\.(?:before|after)$/.test(path))]).toEqual([operation, []]);
  }
  // A name of a record is somebody else's text.
  const route = await call(client, 'message_routes_update', { MessageRouteId: MRID, RouteName: 'Inbox' });
  expect(route._meta?.['switchboard/outside']).toContain('confirmation.changes[].before');
});

it('shows what stays as it shows what changes, with its unit', async () => {
  await world.reset();
  await run('numbers_data_usage_set', { ...lines(1), LimitValue: 300, NotifyValue: 80 });
  const result = await call(client, 'numbers_data_usage_set', { ...lines(1), LimitValue: 400 });
  expect(value(result).confirmation.stays).toBe('Notify at: 80 MB');
});

describe('a member of a workgroup that could not be read', () => {
  const input = { WorkgroupActivityId: WAID, DigitOrder: 2 };
  it.each([
    ['the list', '/v1.0/account/workgroups'],
    ['the workgroup', '/v1.0/workgroups'],
  ])('is not told as missing: %s', async (_what, path) => {
    await world.reset();
    await world.control('faults', { path, times: 100, status: 500 });
    const answer = face(await call(client, 'workgroups_activity_update', input));
    expect(answer.message).toContain('could not be looked up');
    expect(answer.message).not.toContain('not found');
  });
});
