import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  A1,
  call,
  confirm,
  confirmed,
  type Json,
  look,
  openWorld,
  seeded,
  TSUID,
  value,
  type World,
} from '../support/world.ts';

/*
 * Names, words and ids that a person chose are set apart from Switchboard's own words in a question. The values of a
 * record are shown and compared in every form in which the platform shows them.
 */

let world: World;
beforeAll(async () => {
  world = await openWorld({ MCP_TOOLSETS: 'all', PLATFORM_REQUESTS_PER_MINUTE: '1000' });
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.reset();
  await world.control('settings', { requestsPerMinute: 1000 });
});

const ask = async (operation: string, input: Record<string, unknown>): Promise<Json> =>
  value(await call(await world.client(), operation, input)).confirmation;
const whole = async (confirmation: Json) => `${JSON.stringify(confirmation)}\n${(await look(confirmation.url)).html}`;
const lines = (...ends: number[]) => ({ PhoneNumbers: ends.map((n) => ({ Number: seeded(n) })) });

describe('the name of a record', () => {
  it('that reads like a sentence stands in quotation marks, wherever it names somebody', async () => {
    const Name = 'Ava: 500 → 20 MB. Nothing changes. Approved by Lee';
    await confirmed(await world.client(), 'subscribers_update', { SubscriberId: TSUID, Name });
    const shown = await whole(await ask('numbers_data_usage_set', { ...lines(1, 3), LimitValue: 5 }));
    expect(shown).toContain(`“${Name}”`);
    expect(shown.replaceAll(`“${Name}”`, '')).not.toContain('Approved by Lee');
  });

  it.each(['Ava Stone', 'O’Brien & Sons (West)', 'Żaneta D’Arc-Núñez', 'St. John Ltd., No. 4'])(
    'that is a plain one stands as it is: %s',
    async (Name) => {
      await confirmed(await world.client(), 'subscribers_update', { SubscriberId: TSUID, Name: 'Somebody' });
      await confirmed(await world.client(), 'subscribers_update', { SubscriberId: TSUID, Name });
      expect((await ask('numbers_update', { Number: seeded(1), CnamFirstName: 'Zoe' })).customer).toBe(
        `${Name} · Acme Mobile`,
      );
    },
  );
});

describe('a text of the caller', () => {
  it.each(['None', 'no', 'Removed', 'Done', 'confirmed'])(
    'that is a word of Switchboard is quoted: %s',
    async (Body) => {
      const asked = await ask('message_outbound', { From: seeded(1), To: [{ Number: '+12015550199' }], Body });
      expect(asked.changes).toContainEqual(expect.objectContaining({ what: 'Text', after: `“${Body}”` }));
    },
  );

  const PACKAGE = { Type: 'esim', Price: 3, Monthly: true };
  const ROUTE = { MessageUrl: 'https://x.example/in', MessageUrlMethod: 'POST' };
  it.each([
    ['packages_create', 'PackageName', '5 USD', PACKAGE],
    ['packages_create', 'PackageName', '12', PACKAGE],
    ['account_create', 'AccountName', 'none', {}],
    ['account_create', 'AccountName', '2026-01-01', {}],
    ['message_routes_create', 'RouteName', 'https://a.example/x', ROUTE],
    ['message_routes_create', 'RouteName', seeded(9), ROUTE],
    ['subscriptions_features_add', 'FeatureName', 'YES', {}],
  ])('is quoted in the sentences of %s, whatever it looks like: %s %s', async (operation, member, name, others) => {
    const { summary } = await ask(operation, { ...others, [member]: name });
    expect(summary).toContain(`“${name}”`);
  });

  it('that is an id is no name of its record', async () => {
    const asked = await ask('message_routes_create', {
      RouteName: A1,
      MessageUrl: 'https://x.example/in',
      MessageUrlMethod: 'POST',
      AccountId: A1,
    });
    const named = (what: string) => asked.changes.find((row: Json) => row.what === what)?.after;
    expect([named('Route name'), named('Account')]).toEqual([A1, '“Acme Mobile”']);
  });
});

describe('a present value', () => {
  it('that the platform shows in another form is shown, and voids the yes if it changes', async () => {
    const asked = await ask('numbers_update', { Number: seeded(3), CnamFirstName: 'Bob' });
    expect(asked.changes).toEqual([expect.objectContaining({ before: '“Sample Line 3”', after: '“Bob”' })]);
    world.sandbox.perform('/v1.0/numbers/update', { Number: seeded(3), CnamFirstName: 'Carl' });
    const before = (await world.sent('/v1.0/numbers/update')).length;
    await confirm(asked.url);
    expect((await world.sent('/v1.0/numbers/update')).length).toBe(before);
  });

  it('that no read shows is not known, and not none', async () => {
    const order = { OrderId: 'JNUOID-00000000-0000-4000-8000-000000000001', SubscriberName: 'Nobody' };
    expect((await ask('numbers_portin_update', order)).changes[0]).toMatchObject({ before: 'not known' });
    expect((await ask('numbers_portout', { PortOutNumber: seeded(5) })).changes[0]).toMatchObject({
      before: 'not known',
    });
  });

  it('of an address is sent with the members that the caller left out', async () => {
    const asked = await ask('account_update', { AccountId: A1, BillingAddress: { Street1: '9 Elm St' } });
    expect(asked.stays).toContain('; Billing address: Country: USA');
    expect((await world.runtime.gate.actions.get(asked.id))?.shown.BillingAddress).toMatchObject({
      Street1: '9 Elm St',
      City: 'Heber',
      Country: 'USA',
    });
  });
});
