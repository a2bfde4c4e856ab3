import { describe, expect, it } from 'vitest';
import { runSync } from '../../src/events/sync.ts';
import type { Actor } from '../../src/lib/actor.ts';
import { asSwitchboardError } from '../../src/lib/errors.ts';
import { isOnPostgres } from '../support/ledger.ts';
import { A1, call, id, type Json, sharedWorld, value, within } from '../support/world.ts';

/* With PLATFORM_ACCOUNT_ID of account 1, the records of account 2 are found, and what is made belongs to account 1. */

const A2 = id('AID', 2);

const world = await sharedWorld({ PLATFORM_ACCOUNT_ID: A1, MCP_TOOLSETS: 'all' });
const client = await world.client();

const ask = async (operation: string, input: Record<string, unknown> = {}): Promise<Json> =>
  value(await call(client, operation, input));

describe('what is made', () => {
  // Another process of the same data folder has other settings.
  it.skipIf(isOnPostgres)('belongs to no other account if the default one was changed before the yes', async () => {
    const route = { RouteName: 'Changed', MessageUrl: 'https://a.example.com/in', MessageUrlMethod: 'POST' };
    const { confirmation } = await ask('message_routes_create', route);
    const env = { DATA_DIR: world.folder, PLATFORM_BASE_URL: world.sandbox.url, PLATFORM_ACCOUNT_ID: A2 };
    await within(env, async ({ runtime }) => {
      const lee: Actor = { id: 'lee', name: 'lee', role: 'approver', surface: 'page', priority: 'person' };
      const error = await runtime.gate.confirm(confirmation.id, lee, 'page').catch(asSwitchboardError);
      expect(error).toMatchObject({ face: { code: 'not_confirmed', reason: 'changed' } });
    });
    expect(await world.sent('/v1.0/message/routes/create')).toEqual([]);
  });
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
