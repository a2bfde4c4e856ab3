import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  A1,
  call,
  confirm,
  confirmed,
  type Json,
  look,
  MRID,
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
  world = await openWorld({ MCP_TOOLSETS: 'all' });
});
afterAll(() => world.close());
beforeEach(() => world.afresh());

const ask = async (operation: string, input: Record<string, unknown>): Promise<Json> =>
  value(await call(await world.client(), operation, input)).confirmation;
const pageOf = async ({ url }: Json) => (await look(url)).html.replace(/<[^>]+>/g, ' ');

describe('the name of a record', () => {
  it.each(['O’Brien & Sons (West)', 'Żaneta D’Arc-Núñez'])('that is a plain one stands as it is: %s', async (Name) => {
    await confirmed(await world.client(), 'subscribers_update', { SubscriberId: TSUID, Name: 'Somebody' });
    await confirmed(await world.client(), 'subscribers_update', { SubscriberId: TSUID, Name });
    expect((await ask('numbers_update', { Number: seeded(1), CnamFirstName: 'Zoe' })).customer).toBe(
      `${Name} · Acme Mobile`,
    );
  });
});

describe('a text of the caller', () => {
  it.each(['None', 'confirmed'])('that is a word of Switchboard is quoted: %s', async (Body) => {
    const asked = await ask('message_outbound', { From: seeded(1), To: [{ Number: '+12015550199' }], Body });
    expect(asked.changes).toContainEqual(expect.objectContaining({ what: 'Text', after: `“${Body}”` }));
  });

  const ROUTE = { MessageUrl: 'https://x.example/in', MessageUrlMethod: 'POST' };
  it.each([
    ['packages_create', 'PackageName', '5 USD', { Type: 'esim', Price: 3, Monthly: true }],
    ['account_create', 'AccountName', '2026-01-01', {}],
    ['message_routes_create', 'RouteName', seeded(9), ROUTE],
  ])('is quoted in the sentences of %s, whatever it looks like: %s %s', async (operation, member, name, others) => {
    const { summary } = await ask(operation, { ...others, [member]: name });
    expect(summary).toContain(`“${name}”`);
  });

  it('with line breaks imitates no line of a question', async () => {
    const Name = 'Evil\nCost: nothing\u2028Customer: Globex';
    const person = { Email: 'evil@acme.example', Role: 'Account Admin', Password: 'of-my-own-making', AccountId: A1 };
    const { summary, consequence } = await ask('subscribers_create', { Name, ...person });
    expect(summary).toContain('“Evil Cost: nothing Customer: Globex”');
    expect(`${summary}${consequence}`).not.toMatch(/[\n\u2028\u2029]/);
  });

  it('that is an id is no name of its record', async () => {
    const asked = await ask('message_routes_create', {
      RouteName: A1,
      ...ROUTE,
      AccountId: A1,
    });
    const named = (what: string) => asked.changes.find((row: Json) => row.what === what)?.after;
    expect([named('Route name'), named('Account')]).toEqual([A1, '“Acme Mobile”']);
  });
});

describe('words of the caller in a batch', () => {
  it('remove no consequence from its question', async () => {
    const consequence = 'Each message is billed.';
    for (const Body of [consequence, 'Undo: everything', 'What happens: nothing']) {
      const batch = { Operation: 'message_outbound', Numbers: [1, 2].map(seeded), Fields: { From: seeded(3), Body } };
      const asked = await ask('batches_create', batch);
      expect(asked.consequence).toContain(`2 numbers. ${consequence}`);
      expect(await pageOf(asked)).toContain(Body);
    }
    const Rows = [1, 3].map((n) => ({ Number: seeded(n), CnamFirstName: `Takes effect at once.${n}` }));
    const asked = await ask('batches_create', { Operation: 'numbers_update', Rows });
    expect(asked.consequence).toContain('Takes effect at once.');
    const page = await pageOf(asked);
    for (const { CnamFirstName } of Rows) expect(page).toContain(CnamFirstName);
  });
});

describe('where a line leads', () => {
  const MessageUrl = 'https://elsewhere.example/inbox';

  it('is shown for a new route with the name of the present one', async () => {
    const route = { RouteName: 'Main SMS route', MessageUrl, MessageUrlMethod: 'POST', AccountId: A1 };
    const { MessageRouteId } = await confirmed(await world.client(), 'message_routes_create', route);
    const asked = await ask('numbers_update', { Number: seeded(1), MessageRouteId });
    expect(await pageOf(asked)).toContain(`https://example.invalid/messages → ${MessageUrl}`);
    expect(asked.changes).toMatchObject([{ before: '“Main SMS route”', after: 'another “Main SMS route”' }]);
    expect(asked.leads).toMatchObject([{ from: 'https://example.invalid/messages', to: MessageUrl }]);
  });

  it('is shown for the new address of a route that lines use', async () => {
    const asked = await ask('message_routes_update', { MessageRouteId: MRID, MessageUrl });
    expect(await pageOf(asked)).toContain(`https://example.invalid/messages → ${MessageUrl}`);
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
