import { describe, expect, it } from 'vitest';
import { withDefaultAccount } from '../../src/catalogue/input.ts';
import { runSync } from '../../src/events/sync.ts';
import { tools } from '../../tools/index.ts';
import { actorOf } from '../support/approval.ts';
import { asks } from '../support/asking.ts';
import { isOnPostgres } from '../support/ledger.ts';
import { A1, id } from '../support/seed.ts';
import { openWorld, within } from '../support/world.ts';

/* With PLATFORM_ACCOUNT_ID of account 1, the records of account 2 are found, and what is made belongs to account 1. */

const A2 = id('AID', 2);

const world = await openWorld({ PLATFORM_ACCOUNT_ID: A1, MCP_TOOLSETS: 'all' });
const client = await world.client();

describe('what is made', () => {
  // Another process of the same data folder has other settings.
  it.skipIf(isOnPostgres).each([A2, ''])(
    'belongs to the account that was asked about, sent with “%s”',
    async (other) => {
      const route = { RouteName: `Other ${other}`, MessageUrl: 'https://a.example.com/in', MessageUrlMethod: 'POST' };
      const { id } = await asks(client, 'message_routes_create', route);
      const env = { DATA_DIR: world.folder, PLATFORM_BASE_URL: world.sandbox.url, PLATFORM_ACCOUNT_ID: other };
      const confirmed = await within(env, ({ runtime }) => runtime.gate.confirm(id, actorOf('lee'), 'page'));
      expect(confirmed).toMatchObject({ kind: 'done' });
      expect((await world.state()).messageRoutes.at(-1)).toMatchObject({ AccountId: A1 });
    },
  );
});

it('a sync reads the webhooks of all accounts, and registers for the default one', async () => {
  const reads: [string, unknown][] = [];
  const plan: string[] = [];
  await runSync({
    url: 'https://switchboard.example.com',
    messageRoutes: [],
    accountId: A1,
    registrations: { held: async () => [] } as never,
    platform: 'https://platform.example.com',
    show: (lines) => plan.push(...lines),
    ask: async () => false,
    read: async (operation, input) => {
      reads.push([operation, input]);
      return { Results: [] };
    },
    perform: async () => ({}),
  });
  expect(reads.map(([, input]) => input)).toEqual([{}, { AccountId: A1 }]);
  expect(plan.join('\n')).toContain('webhook_create');
});

/* PLATFORM_ACCOUNT_ID is the account of what is made or paid. It narrows no read, no search and no check. */

/** Every operation that gets the default account if a call names none. */
const TAKE_DEFAULT = [
  'message_routes_create',
  'numbers_portin',
  'numbers_provision',
  'numbers_reactivate',
  'subscribers_create',
  'subscriptions_features_add',
  'voice_routes_create',
  'webhook_create',
];

it('the default account is filled in for what is made or paid, and for nothing else', () => {
  const filled = tools.filter((tool) => 'AccountId' in withDefaultAccount(tool, {}, A1));
  expect(filled.map(({ id }) => id).sort()).toEqual(TAKE_DEFAULT);
  const paid = tools.filter(({ risk, input }) => risk === 'spend' && 'AccountId' in input.shape);
  expect(paid.filter((tool) => !filled.includes(tool))).toEqual([]);
  for (const tool of filled) {
    expect(withDefaultAccount(tool, {}, A1)).toEqual({ AccountId: A1 });
    expect(withDefaultAccount(tool, { AccountId: A2 }, A1)).toEqual({ AccountId: A2 });
    expect(withDefaultAccount(tool, {}, undefined)).toEqual({});
  }
});
