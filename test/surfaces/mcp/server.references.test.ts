import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Scripted, scripted } from '../../support/scripted.ts';
import { call, openWorld, value, type World } from '../../support/world.ts';

/* Ids as the platform's documents spell them, at the terminal as over MCP. Commands in Slack are read by the same code. */

let platform: Scripted;
let world: World;
let client: Awaited<ReturnType<World['client']>>;
beforeAll(async () => {
  platform = await scripted();
  world = await openWorld({ MCP_TOOLSETS: 'all', PLATFORM_BASE_URL: platform.url });
  client = await world.client();
});
afterAll(async () => {
  await world.close();
  await platform.close();
});
beforeEach(() => {
  platform.requests.length = 0;
});

const reads = [
  ['products_get', 'ProductId', '/v1.0/products', ['PRID-1', 'PID-1', 'PRID-a7', 'PID-d9e74d70-3ca8-40f3-a415']],
  ['packages_get', 'PackageId', '/v1.0/packages', ['PKID-1', 'PID-1', 'PKID-a7', 'PID-23bf4d8d']],
  ['subscribers_get', 'SubscriberId', '/v1.0/subscribers/get', ['TSUID-1', 'TSUID-d7b3-4696-bdd9-444b8d']],
  ['webhook_get', 'WebhookId', '/v1.0/webhook', ['WID-1']],
  ['workgroups_get', 'WorkgroupId', '/v1.0/workgroups', ['WID-1', 'WG-abc123', 'WG-1']],
  ['account_get', 'AccountId', '/v1.0/account', ['AID-7']],
] as const;

describe.each(reads)('%s', (operation, field, path, ids) => {
  it.each(ids)(`takes ${field} %s as an id, not as a name`, async (id) => {
    platform.answer(path, { Successful: true, [field]: id });
    expect(value(await call(client, operation, { [field]: id }))[field]).toBe(id);
    const group = operation.replace(/_get$/, '').split('_');
    for (const words of [
      [operation, `${field}=${id}`],
      [...group, 'get', id],
      [operation, `${field}=${id.toLowerCase()}`],
    ]) {
      const ran = await world.cli(words);
      expect([ran.code, ran.err]).toEqual([0, '']);
    }
    // The prefix is sent in the platform's spelling; the rest stays as it was typed.
    const [prefix = ''] = id.split('-');
    const sent = platform.requests.map(({ query }) => query.get(field));
    expect(sent).toEqual([id, id, id, prefix + id.toLowerCase().slice(prefix.length)]);
  });
});

it('a text without such a prefix is still a name', async () => {
  platform.answer('/v1.0/account/products', [{ ProductId: 'PRID-1', Description: 'eSIM profile', SKU: 'ESIM-01' }]);
  platform.answer('/v1.0/products', { Successful: true, ProductId: 'PRID-1' });
  expect((await world.cli(['products', 'get', 'esim'])).code).toBe(0);
  expect(platform.requests.at(-1)?.query.get('ProductId')).toBe('PRID-1');
});
