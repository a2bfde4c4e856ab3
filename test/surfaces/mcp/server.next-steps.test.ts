import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, face, id, nobody, openWorld, TSUID, value, type World } from '../../support/world.ts';

/*
 * What is known is checked before a person is asked, and an error names a next step that its reader can take: the tool
 * that finds an id, and a person for what is not offered.
 */

let world: World;
let client: Awaited<ReturnType<World['client']>>;
beforeAll(async () => {
  world = await openWorld({ PLATFORM_REQUESTS_PER_MINUTE: '1000' });
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.reset();
  await world.control('settings', { requestsPerMinute: 1000 });
  client = await world.client();
});

const PLAN = { SubscriberId: TSUID, PackageId: id('PKID', 1), Type: 'Mvno' };

describe('a subscription', () => {
  it.each(['NID-x', nobody('NID')])('of a number that the platform does not know is not asked: %s', async (TNID) => {
    const { code, field, message } = face(await call(client, 'subscriptions_create', { ...PLAN, TNID }));
    expect([code, field]).toEqual(['not_found', 'TNID']);
    expect(message).toContain('numbers_get shows the TNID of a number.');
  });
});

it('an id that is not found names the tool that finds it', async () => {
  const all = await openWorld({ MCP_TOOLSETS: 'all' });
  try {
    const { message } = face(await call(await all.client(), 'webhook_delete', { WebhookId: nobody('WID') }));
    expect(message).toContain('account_webhooks_get lists webhooks.');
  } finally {
    await all.close();
  }
});

it('the account of a record that stays is named', async () => {
  const input = { MessageRouteId: id('MRID', 1), RouteName: 'R9' };
  const { stays } = value(await call(client, 'message_routes_update', input)).confirmation;
  expect(stays).toContain('Account: “Acme Mobile”');
});
