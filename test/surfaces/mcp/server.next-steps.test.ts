import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  call,
  confirmed,
  face,
  id,
  type Json,
  nobody,
  openWorld,
  seeded,
  TSUID,
  texts,
  value,
  type World,
} from '../../support/world.ts';

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
const idOf = async (n: number): Promise<string> => {
  const state: Json = await world.state();
  return state.numbers.find((row: Json) => row.Number === seeded(n)).PhoneNumberId;
};

describe('a subscription', () => {
  it.each(['NID-x', nobody('NID')])('of a number that the platform does not know is not asked: %s', async (TNID) => {
    const { code, field, message } = face(await call(client, 'subscriptions_create', { ...PLAN, TNID }));
    expect([code, field]).toEqual(['not_found', 'TNID']);
    expect(message).toContain('numbers_get shows the TNID of a number.');
  });

  it('of a number that has one names what only a person can run', async () => {
    const { message } = face(await call(client, 'subscriptions_create', { ...PLAN, TNID: await idOf(5) }));
    expect(message).toContain('Not offered to you: subscriptions_update, subscriptions_delete. Tell the person');
  });

  it.each(['mobile', 'Mobile (mvno)'])('takes the words that the choices are shown with: %s', async (Type) => {
    const asked = value(await call(client, 'subscriptions_create', { ...PLAN, Type, TNID: await idOf(3) }));
    expect((await world.runtime.gate.actions.get(asked.confirmation.id))?.shown.Type).toBe('Mvno');
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

it('a limit on a line without data says that it has no effect', async () => {
  const limit = { PhoneNumbers: [{ Number: seeded(4) }], LimitValue: 500 };
  expect(texts(await call(client, 'numbers_data_usage_set', limit))).toContain('so the limits have no effect there');
  const other = { PhoneNumbers: [{ Number: seeded(1) }], LimitValue: 500 };
  expect(texts(await call(client, 'numbers_data_usage_set', other))).not.toContain('have no effect');
});

describe('a new account', () => {
  const BillingAddress = { Street1: '1 Main St', City: 'Heber', State: 'Utah', Zip: '84032', Country: 'USA' };
  it.each([
    ['own', {}],
    ['approver', { BillingAddress }],
    ['own', { AccountAdmin: 'm@x.example' }],
  ])('is of the level %s with %j, as its change is', async (level, input) => {
    const asked = value(await call(client, 'account_create', { AccountName: 'Bill Co', ...input }));
    expect(asked.confirmation.level).toBe(level);
  });
});

it('the account of a record that stays is named', async () => {
  const input = { MessageRouteId: id('MRID', 1), RouteName: 'R9' };
  const { stays } = value(await call(client, 'message_routes_update', input)).confirmation;
  expect(stays).toContain('Account: “Acme Mobile”');
});

it('a port-in that was ordered here names the customer in its correction', async () => {
  const order = await confirmed(client, 'numbers_portin', {
    PortInNumber: '+13125550155',
    CurrentCarrierName: 'Lakeside Wireless',
    CurrentAccountNumber: '46512222',
    CurrentAccountPassword: '0550',
    CurrentBillingAddress: { Street1: '1 Main St', City: 'Chicago', State: 'IL', Zip: '60601' },
    SubscriberName: 'Ava Stone',
    AssignedSubscriberId: TSUID,
    TargetPortinClassification: 'mobile',
  });
  const input = { OrderId: order.OrderId, CurrentAccountNumber: '46512346' };
  expect(value(await call(client, 'numbers_portin_update', input)).confirmation.customer).toBe(
    'Ava Stone · Acme Mobile',
  );
});

describe('a value of another shape', () => {
  it('is read where it can mean one thing', async () => {
    const filter = { SubscriberId: TSUID, Phone: seeded(1), FilterMode: 'CHILD', ApplyToInbound: true };
    const rules = { CustomKeywords: ['bad'] };
    const asked = value(await call(client, 'subscribers_message_filter_create', { ...filter, KeywordFilter: rules }));
    const action = await world.runtime.gate.actions.get(asked.confirmation.id);
    expect(JSON.parse(String(action?.shown.KeywordFilter))).toEqual(rules);
    const hook = { WebhookUrl: 'https://h.example/x', SubscribedEvents: ['New_Sms', 'Order_Update'] };
    const made = value(await call(client, 'webhook_create', hook));
    expect((await world.runtime.gate.actions.get(made.confirmation.id))?.shown.SubscribedEvents).toBe(
      'New_Sms,Order_Update',
    );
  });

  it('is otherwise refused with the values there are', async () => {
    const input = { Number: seeded(1), MessageEnabled: 'perhaps' };
    expect(face(await call(client, 'numbers_update', input)).message).toContain('must be true or false');
  });
});
