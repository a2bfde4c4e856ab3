import { beforeEach, describe, expect, it } from 'vitest';
import { example } from '../e2e/table.derived.ts';
import { asks, followed } from '../support/asking.ts';
import { confirm, decline, look } from '../support/page.ts';
import { CRID, id, MRID, ORDER, seeded, TSUID } from '../support/seed.ts';
import { call, confirmed, face, type Json, openWorld, texts, value } from '../support/world.ts';

/* The level of a change whose harm depends on its input, where it is ordinary. `attacks/raised` has what is not. */

type Input = Record<string, unknown>;

const world = await openWorld({ MCP_TOOLSETS: 'all' });
const client = await world.client();
beforeEach(() => world.afresh());

const asked = (operation: string, input: Input): Promise<Json> => asks(client, operation, input);

const PACKAGE = id('PKID', 1);
const PRODUCT = id('PRID', 1);

describe('a change with ordinary members only', () => {
  // Some of them have values that are raised and that the record has.
  it.each<[string, Input]>([
    ['numbers_update', { Number: seeded(1), CnamFirstName: 'Ava', VoiceEnabled: true }],
    ['numbers_data_usage_set', { PhoneNumbers: [{ Number: seeded(1) }], LimitValue: 21 }],
    ['subscribers_guardian_features_set', { SubscriberId: TSUID, EnableIntelligentGuardianCalls: true }],
    ['products_update', { ProductId: PRODUCT, SKU: 'ESIM-02', Cost: 4.5, BillingFrequency: 'mrc', Type: 'esim' }],
    ['packages_update', { PackageId: PACKAGE, PackageName: 'Other', Price: 15, Monthly: true }],
    ['voice_routes_update', { CallRouteId: CRID, RouteName: 'New', RouteEnabled: true, IntelligentRouteEnabled: true }],
  ])('may be confirmed by who asked: %s with %j', async (operation, input) => {
    const confirmation = await asked(operation, input);
    expect(confirmation).toMatchObject({ status: 'pending', level: 'own' });
    await confirm(confirmation.url);
    expect((await followed(client, confirmation.id)).status).toBe('done');
  });

  it.each<[string, Input]>([
    ['message_routes_update', { MessageRouteId: MRID, MessageRouteEnabled: true, InboundBypass: false }],
    ['message_routes_update', { MessageRouteId: MRID, MessageAuthenticationType: 'None' }],
    ['numbers_update', { Number: seeded(1), ProductType: 'sms+data+voice', Classification: 'MVNO' }],
    ['workgroups_update', { WorkgroupId: id('WID', 1), Type: 'simultaneous', RecordCalls: false }],
  ])('sends and asks nothing where the record has every value: %s with %j', async (operation, input) => {
    const result = value(await call(client, operation, input));
    expect(result.Warning).toBe('Nothing was sent: this is already so.');
    expect((await world.requests()).filter(({ path }) => path.endsWith('/update'))).toEqual([]);
  });
});

describe('a correction of a port-in', () => {
  it('of a Rejected one has the own yes, and its SIM an approver', async () => {
    await world.control('orders', { OrderId: ORDER, Status: 'Rejected', ErrorMessage: 'Invalid account number' });
    const waits = await asked('numbers_portin_update', { OrderId: ORDER, ICCID: '8901240397190195850' });
    expect(waits.level).toBe('approver');
    expect(waits.changes).toContainEqual(expect.objectContaining({ before: 'Rejected', after: 'Submitted' }));
    const correction = { OrderId: ORDER, CurrentAccountNumber: '46512346', SubscriberName: 'Ava Stone' };
    expect((await asked('numbers_portin_update', correction)).level).toBe('own');
    expect(await confirmed(client, 'numbers_portin_update', correction)).toMatchObject({ Status: 'Updated' });
  });

  it('needs an approver for an order that its own port-in only names', async () => {
    const portin = { ...example('numbers_portin'), SubscriberName: ORDER };
    const { OrderId } = await confirmed(client, 'numbers_portin', portin);
    const correct = (order: string) =>
      asked('numbers_portin_update', { OrderId: order, CurrentAccountNumber: '46512346' });
    expect((await correct(OrderId)).level).toBe('own');
    const cancelled = await asked('numbers_portin_cancel', { OrderId });
    expect(cancelled.customer).toContain('Ava Stone');
    await decline(cancelled.url);
    expect((await correct(ORDER)).level).toBe('approver');
  });
});

it('waits for an approver where what stands now cannot be read', async () => {
  await world.control('faults', { path: '/v1.0/products', times: 20, status: 403 });
  const result = await call(client, 'products_update', { ProductId: PRODUCT, Cost: 4.5 });
  expect(value(result).confirmation.level).toBe('approver');
  expect(texts(result)).toContain('could not be read');
});

describe('an update of a filter', () => {
  const [SOMEBODY, OTHER, MORE] = ['+12015550199', '+12015550198', '+12015550176'];
  const FILTERS: Readonly<Record<string, Input>> = {
    message: {
      ...{ FilterMode: 'ADOLESCENT', ApplyToInbound: true, BlockUnknownNumbers: true, BlockLinks: true },
      ...{ AllowedContacts: [SOMEBODY], BlockedContacts: [OTHER], NotificationPhones: ['+12015550177'] },
      KeywordFilter: '{"CustomKeywords":["bad"],"SeverityMap":{"bad":"HIGH"}}',
    },
    call: { FilterMode: 'WHITELIST', ApplyToInbound: true, AllowedNumbers: [SOMEBODY], BlockedNumbers: [OTHER] },
  };
  const made = async (kind: string): Promise<string> => {
    const input = { SubscriberId: TSUID, Phone: seeded(1), ...FILTERS[kind] };
    return (await confirmed(client, `subscribers_${kind}_filter_create`, input)).FilterId;
  };
  const filterOf = async (kind: string) =>
    value(await call(client, `subscribers_${kind}_filter_get`, { SubscriberId: TSUID })).Results[0];

  it.each([
    ['message', { BlockedContacts: [OTHER, MORE], ApplyToInbound: true }],
    ['call', { BlockedNumbers: [OTHER, MORE] }],
  ])('of %ss may be confirmed by who asked with %j, and loses nothing that it leaves out', async (kind, change) => {
    const FilterId = await made(kind);
    const before = await filterOf(kind);
    const confirmation = await asked(`subscribers_${kind}_filter_update`, { FilterId, ...change });
    expect(confirmation.level).toBe('own');
    await confirm(confirmation.url);
    expect(await filterOf(kind)).toEqual({ ...before, ...change });
  });

  it('is refused where the filter cannot be read, because what is left out would be lost', async () => {
    const FilterId = await made('message');
    await world.control('faults', { path: '/v1.0/subscribers/message-filter', times: 20, status: 403 });
    const input = { FilterId, SubscriberId: TSUID, BlockLinks: true };
    const error = face(await call(client, 'subscribers_message_filter_update', input));
    expect(error).toMatchObject({ code: 'unavailable', outcome: 'not_done' });
    expect(error.message).toContain('could not be read');
    expect(await world.sent('/v1.0/subscribers/message-filter/update')).toEqual([]);
  });

  it('keeps the lists as they are while it waits, so that it puts nothing back', async () => {
    const FilterId = await made('message');
    const waiting = await asked('subscribers_message_filter_update', { FilterId, BlockLinks: false });
    expect(waiting).toMatchObject({ level: 'approver', summary: `Change the message filter of ${seeded(1)}` });
    const block = { SubscriberId: TSUID, MessageFilterId: FilterId, Contacts: [SOMEBODY] };
    const error = face(await call(client, 'subscribers_message_filter_blocked_contacts_add', block));
    expect(error).toMatchObject({ code: 'invalid_input', outcome: 'not_done', field: 'MessageFilterId' });
    expect(error.message).toContain(waiting.id);
    await decline(waiting.url);
    const { BlockedContacts } = await confirmed(client, 'subscribers_message_filter_blocked_contacts_add', block);
    expect(BlockedContacts).toEqual([OTHER, SOMEBODY]);
  });

  it('that removes entries warns of numbers that are not on the list, and is refused if none is', async () => {
    const MessageFilterId = await made('message');
    const remove = 'subscribers_message_filter_blocked_contacts_remove';
    const input = { SubscriberId: TSUID, MessageFilterId };
    const confirmation = await asked(remove, { ...input, Contacts: [OTHER, SOMEBODY] });
    expect((await look(confirmation.url)).html).toContain(`${SOMEBODY}: not on the block list`);
    await decline(confirmation.url);
    const error = face(await call(client, remove, { ...input, Contacts: [SOMEBODY] }));
    expect(error).toMatchObject({ code: 'invalid_input', field: 'Contacts', outcome: 'not_done' });
    expect(error.message).toContain('nothing to remove');
  });
});
