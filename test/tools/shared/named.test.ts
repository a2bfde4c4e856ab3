import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  CRID,
  call,
  decline,
  face,
  id,
  look,
  MRID,
  openWorld,
  seeded,
  TSUID,
  value,
  type World,
} from '../../support/world.ts';

/* A person who confirms reads names, prices and what is in use, where the platform can be read. */

let world: World;
beforeAll(async () => {
  world = await openWorld({ MCP_TOOLSETS: 'all' });
});
afterAll(() => world.close());
beforeEach(() => world.reset());

const PACKAGE = id('PKID', 1);

/** The question for a call, which is then declined. */
async function question(operation: string, input: Record<string, unknown>) {
  const { confirmation } = value(await call(await world.client(), operation, input));
  await decline(confirmation.url);
  return confirmation;
}

describe('a subscription is not asked about', () => {
  const problem = async (operation: string, input: Record<string, unknown>) =>
    face(await call(await world.client(), operation, input)).message;
  const create = { SubscriberId: TSUID, TNID: id('NID', 3), PackageId: PACKAGE, Type: 'Mvno' };

  it('for a subscriber who does not hold the number, and names who does', async () => {
    const other = { ...create, SubscriberId: id('TSUID', 2) };
    expect(await problem('subscriptions_create', other)).toMatch(
      /SubscriberId: \+12015550103 belongs to .Ava Stone · Acme Mobile., not to this subscriber/,
    );
    expect((await question('subscriptions_create', create)).customer).toBe('Ava Stone · Acme Mobile');
    const update = { SubscriptionId: id('SUB', 1), SubscriberId: id('TSUID', 2) };
    const asked = value(await call(await world.client(), 'subscriptions_update', update)).confirmation;
    const { html } = await look(asked.url);
    await decline(asked.url);
    expect(html).toMatch(/may refuse this: SubscriberId \+12015550105 belongs to .Ava Stone · Acme Mobile/);
  });

  it('for a type that is not that of the number', async () => {
    expect(await problem('subscriptions_create', { ...create, Type: 'Voip' })).toMatch(
      /^Type: must match the kind of number: \+12015550103 is mvno, not voip/,
    );
  });
});

describe('undoing', () => {
  it.each([
    ['subscribers_update', { SubscriberId: id('TSUID', 2), Role: 'Manager' }, /^Another update can change it back\.$/],
    [
      'subscribers_update',
      { SubscriberId: id('TSUID', 2), PhoneNumbers: [] },
      /Calls and messages lost in the meantime are not recovered\.$/,
    ],
    ['account_update', { AccountId: id('AID', 1), AccountName: 'Foo' }, /^Another update can change it back\.$/],
    [
      'account_update',
      { AccountId: id('AID', 1), BillingAddress: { City: 'Provo' } },
      /Invoices sent in the meantime keep the new address\.$/,
    ],
  ])('of %s speaks of what this call changes: %j', async (operation, input, undo) => {
    const { confirmation } = value(await call(await world.client(), operation, input));
    expect((await world.runtime.gate.actions.get(confirmation.id))?.consent?.undo).toMatch(undo);
    await decline(confirmation.url);
  });
});

describe('a question names', () => {
  it('the route, the numbers on it, and their customers', async () => {
    const asked = await question('message_routes_delete', { MessageRouteId: MRID });
    expect(asked).toMatchObject({
      customer: expect.stringContaining('Ava Stone · Acme Mobile'),
      summary: expect.stringContaining('“Main SMS route”'),
    });
    expect(asked.consequence).toContain(`7 numbers are on it: ${seeded(1)} (Ava Stone · Acme Mobile), `);
    for (const n of [1, 2, 3, 4, 5, 6, 10]) expect(asked.consequence).toContain(seeded(n));
    const voice = await question('voice_routes_update', { CallRouteId: CRID, TrunkIp1: '192.0.2.9' });
    expect(voice).toMatchObject({
      customer: expect.stringContaining('Ava Stone · Acme Mobile'),
      summary: expect.stringContaining('“Main SIP trunk”'),
    });
  });

  it('the account of a workgroup as its customer, not the workgroup', async () => {
    const asked = await question('workgroups_update', { WorkgroupId: id('WID', 1), Name: 'Front office' });
    expect(asked.customer).toBe('Acme Mobile');
    const member = { WorkgroupActivityId: id('WAID', 1), DigitOrder: 4 };
    expect((await question('workgroups_activity_update', member)).customer).toBe('Acme Mobile');
  });

  it('a new trunk from which the route accepts no calls', async () => {
    const page = async (input: Record<string, unknown>) => {
      const asked = value(await call(await world.client(), 'voice_routes_update', { CallRouteId: CRID, ...input }));
      const { html } = await look(asked.confirmation.url);
      await decline(asked.confirmation.url);
      return html;
    };
    const warning = 'The IP whitelist does not contain 192.0.2.9';
    expect(await page({ TrunkIp1: '192.0.2.9' })).toContain(warning);
    const listed = { TrunkIp1: '192.0.2.9', IpWhitelist: [{ IpAddress: '192.0.2.9' }] };
    expect(await page(listed)).not.toContain(warning);
  });

  it('the package with its price, and who is billed', async () => {
    const bought = await question('subscriptions_create', {
      SubscriberId: TSUID,
      TNID: id('NID', 1),
      PackageId: PACKAGE,
      Type: 'Mvno',
    });
    expect(bought.consequence).toContain('“Starter” (15 USD a month)');
    expect(bought.summary).toContain(`Subscribe ${seeded(1)} to “Starter”`);
    const dearer = await question('packages_update', { PackageId: PACKAGE, Price: 20 });
    expect(dearer.consequence).toContain(
      'Price: 15 USD → 20 USD. 1 active subscription is on it: Ava Stone · Acme Mobile.',
    );
    const ended = await question('subscriptions_delete', { SubscriptionId: id('SUB', 1) });
    expect(ended).toMatchObject({
      customer: expect.stringContaining('Ava Stone'),
      consequence: expect.stringContaining('loses package “Starter” (15 USD a month)'),
      changes: [expect.objectContaining({ what: 'Package', before: '“Starter”', after: 'removed' })],
    });
  });

  // The platform spells the prefix of a number's id in two ways.
  it.each(['NID', 'TNID'])(
    'nobody, where a number (%s-…) has a subscription already: the error says how it is moved or ended',
    async (prefix) => {
      const again = { SubscriberId: TSUID, TNID: id(prefix, 5), PackageId: PACKAGE, Type: 'Mvno' };
      const error = face(await call(await world.client(), 'subscriptions_create', again));
      expect(error).toMatchObject({ code: 'invalid_input', field: 'TNID', outcome: 'not_done' });
      expect(error.message).toContain(`has the subscription ${id('SUB', 1)} already`);
      expect(error.message).toContain('Move it with subscriptions_update');
    },
  );

  it('the product, the feature and the webhook’s address', async () => {
    const item = { PackageId: PACKAGE, PackageItemId: id('PIID', 1) };
    expect((await question('packages_items_delete', item)).summary).toContain('“eSIM profile”');
    expect((await question('products_delete', { ProductId: id('PRID', 2) })).summary).toContain('“5 GB of data”');
    const feature = await question('subscriptions_features_delete', { FeatureId: id('FEID', 1) });
    expect(feature).toMatchObject({
      summary: expect.stringContaining('“International Roaming”'),
      consequence: expect.stringContaining('No subscription has it.'),
    });
    await world.cli([
      'webhook_create',
      '--json',
      '{"WebhookUrl":"https://crm.example.com/x","SubscribedEvents":"New_Sms"}',
      '--yes',
    ]);
    const [hook] = (await world.state()).webhooks;
    const moved = { WebhookId: hook.WebhookId, WebhookUrl: 'https://new.example.com/x' };
    expect((await question('webhook_update', moved)).consequence).toContain('instead of https://crm.example.com/x');
  });

  it('the packages and customers of a product whose cost changes, with the currency', async () => {
    const dearer = await question('products_update', { ProductId: id('PRID', 1), Cost: 12 });
    expect(dearer.consequence).toMatch(/Cost: [\d.]+ USD → 12 USD\./);
    expect(dearer.consequence).toContain('It is in “Starter” (15 USD a month).');
    expect(dearer.consequence).toContain('1 active subscription is on it: Ava Stone · Acme Mobile.');
    expect(dearer.customer).toContain('Ava Stone');
    const unused = await question('products_update', { ProductId: id('PRID', 2), Cost: 12 });
    expect(unused.consequence).toContain('No package that was read contains it.');
  });

  it('refuses to ask about a product that an active package contains', async () => {
    const error = face(await call(await world.client(), 'products_delete', { ProductId: id('PRID', 1) }));
    expect(error).toMatchObject({ code: 'invalid_input', field: 'ProductId', outcome: 'not_done' });
    expect(error.message).toContain('it is in the active package “Starter”');
    expect(await world.sent('/v1.0/products/delete')).toEqual([]);
  });

  it('refuses to ask about a package that somebody is subscribed to', async () => {
    const error = face(await call(await world.client(), 'packages_delete', { PackageId: PACKAGE }));
    expect(error).toMatchObject({ code: 'invalid_input', field: 'PackageId', outcome: 'not_done' });
    expect(error.message).toContain('1 active subscription is on package “Starter”');
    expect(await world.sent('/v1.0/packages/delete')).toEqual([]);
  });
});
