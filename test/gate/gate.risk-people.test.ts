import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  call,
  confirm,
  confirmed,
  decline,
  face,
  id,
  type Json,
  look,
  openWorld,
  seeded,
  TSUID,
  value,
  type World,
} from '../support/world.ts';
import { RAISED_PEOPLE } from './risk-people.ts';

/* Changes of filters, subscribers and workgroups need an approver where they take protection, service or control away. */

type Input = Record<string, unknown>;
type McpClient = Awaited<ReturnType<World['client']>>;

const SOMEBODY = '+12015550199';
const OTHER = '+12015550198';
const GUARDIAN = '+12015550177';
const WID = id('WID', 1);
const KEYWORDS = JSON.stringify({ CustomKeywords: ['bad'], SeverityMap: { bad: 'HIGH' } });
const MESSAGES = {
  SubscriberId: TSUID,
  Phone: seeded(1),
  FilterMode: 'ADOLESCENT',
  ApplyToInbound: true,
  ApplyToOutbound: true,
  BlockUnknownNumbers: true,
  BlockLinks: true,
  BlockMedia: true,
  AllowedContacts: [SOMEBODY],
  BlockedContacts: [OTHER],
  NotificationPhones: [GUARDIAN],
  KeywordFilter: KEYWORDS,
};
const CALLS = {
  SubscriberId: TSUID,
  Phone: seeded(1),
  FilterMode: 'WHITELIST',
  ApplyToInbound: true,
  ApplyToOutbound: true,
  BlockUnknownNumbers: true,
  BlockInternational: true,
  EnableTranscription: true,
  TranscriptionAction: 'TERMINATE',
  RecordFlaggedCalls: true,
  AllowedNumbers: [SOMEBODY],
  BlockedNumbers: [OTHER],
  NotificationPhones: [GUARDIAN],
  KeywordFilter: KEYWORDS,
};
const PATHS = { message: '/v1.0/subscribers/message-filter', call: '/v1.0/subscribers/call-filter' } as const;

let world: World;
let client: McpClient;
beforeAll(async () => {
  world = await openWorld({ MCP_TOOLSETS: 'all' });
  client = await world.client();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

const made = async (kind: 'message' | 'call', more: Input = {}): Promise<string> => {
  const input = { ...(kind === 'message' ? MESSAGES : CALLS), ...more };
  return (await confirmed(client, `subscribers_${kind}_filter_create`, input)).FilterId;
};
const asked = async (operation: string, input: Input): Promise<Json> => {
  const result = await call(client, operation, input);
  expect(result.isError ? result._meta : undefined).toBeUndefined();
  return value(result).confirmation;
};
const filterOf = async (kind: 'message' | 'call') =>
  value(await call(client, `subscribers_${kind}_filter_get`, { SubscriberId: TSUID })).Results[0];

const LOSSES: ['message' | 'call', Input][] = [
  ['message', { FilterMode: 'INACTIVE' }],
  ['message', { FilterMode: 'MONITOR_ONLY' }],
  ['message', { FilterMode: 'TEENAGER' }],
  ['message', { ApplyToInbound: false }],
  ['message', { ApplyToOutbound: false }],
  ['message', { BlockUnknownNumbers: false }],
  ['message', { BlockLinks: false }],
  ['message', { BlockMedia: false }],
  ['message', { BlockedContacts: [] }],
  ['message', { BlockedContacts: [SOMEBODY] }],
  ['message', { AllowedContacts: [] }],
  ['message', { NotificationPhones: [] }],
  ['message', { Phone: seeded(3) }],
  ['message', { KeywordFilter: '{"CustomKeywords":[]}' }],
  ['message', { KeywordFilter: KEYWORDS.replace('HIGH', 'LOW') }],
  ['call', { FilterMode: 'BLACKLIST' }],
  ['call', { ApplyToInbound: false }],
  ['call', { ApplyToOutbound: false }],
  ['call', { BlockUnknownNumbers: false }],
  ['call', { BlockInternational: false }],
  ['call', { EnableTranscription: false }],
  ['call', { RecordFlaggedCalls: false }],
  ['call', { TranscriptionAction: 'NOTIFY' }],
  ['call', { BlockedNumbers: [] }],
  ['call', { AllowedNumbers: [] }],
];

describe('an update of a filter', () => {
  it.each(LOSSES)('of %ss waits for a person with %j', async (kind, change) => {
    const FilterId = await made(kind);
    const confirmation = await asked(`subscribers_${kind}_filter_update`, { FilterId, ...change });
    expect(confirmation).toMatchObject({ status: 'pending', level: 'approver', customer: 'Ava Stone · Acme Mobile' });
    expect(confirmation.summary).toBe(`Change the ${kind} filter of ${seeded(1)}`);
    expect(await world.sent(`${PATHS[kind]}/update`)).toEqual([]);
    await decline(confirmation.url);
    expect(await world.sent(`${PATHS[kind]}/update`)).toEqual([]);
  });

  it.each<['message' | 'call', Input]>([
    ['message', { AllowedContacts: [SOMEBODY, '+12015550176'] }],
    ['message', { BlockedContacts: [OTHER, '+12015550176'], ApplyToInbound: true }],
    ['call', { BlockedNumbers: [OTHER, '+12015550176'] }],
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
    await world.control('faults', { path: PATHS.message, times: 20, status: 403 });
    const input = { FilterId, SubscriberId: TSUID, BlockLinks: true };
    const error = face(await call(client, 'subscribers_message_filter_update', input));
    expect(error).toMatchObject({ code: 'unavailable', outcome: 'not_done' });
    expect(error.message).toContain('could not be read');
    expect(await world.sent(`${PATHS.message}/update`)).toEqual([]);
  });

  it('warns of a filter that still applies to neither direction', async () => {
    const FilterId = await made('message', { ApplyToInbound: false, ApplyToOutbound: false });
    const update = (input: Input) => confirmed(client, 'subscribers_message_filter_update', { FilterId, ...input });
    expect((await update({ FilterMode: 'CHILD' })).Warning).toContain('neither direction');
    expect((await update({ ApplyToInbound: true })).Warning).not.toContain('neither direction');
  });

  it('names the level that it cannot keep', async () => {
    const FilterId = await made('call', { FilterMode: 'CHILD' });
    const error = face(await call(client, 'subscribers_call_filter_update', { FilterId, BlockInternational: true }));
    expect(error).toMatchObject({ code: 'invalid_input', field: 'FilterMode', outcome: 'not_done' });
    expect(error.message).toContain('WHITELIST or BLACKLIST');
  });

  it('is shown whole before it is confirmed, and done as shown', async () => {
    const FilterId = await made('message');
    const confirmation = await asked('subscribers_message_filter_update', { FilterId, BlockLinks: false });
    const { html } = await look(confirmation.url);
    for (const text of [OTHER, SOMEBODY, GUARDIAN, 'ADOLESCENT', 'Ava Stone']) expect(html).toContain(text);
    await confirm(confirmation.url);
    expect(value(await call(client, 'confirmations_get', { id: confirmation.id })).status).toBe('done');
    expect(await filterOf('message')).toMatchObject({ BlockLinks: false, BlockMedia: true, BlockedContacts: [OTHER] });
  });

  it('keeps the lists as they are while it waits, so that it puts nothing back', async () => {
    const FilterId = await made('message');
    const waiting = await asked('subscribers_message_filter_update', { FilterId, BlockLinks: false });
    const block = { SubscriberId: TSUID, MessageFilterId: FilterId, Contacts: [SOMEBODY] };
    const error = face(await call(client, 'subscribers_message_filter_blocked_contacts_add', block));
    expect(error).toMatchObject({ code: 'invalid_input', outcome: 'not_done', field: 'MessageFilterId' });
    expect(error.message).toContain(`MessageFilterId: ${FilterId}: "Change the message filter`);
    expect(error.message).toContain(waiting.id);
    await decline(waiting.url);
    expect(await confirmed(client, 'subscribers_message_filter_blocked_contacts_add', block)).toMatchObject({
      BlockedContacts: [OTHER, SOMEBODY],
    });
  });
});

describe('a filter or an entry that is removed', () => {
  it('says what is lost, for whom', async () => {
    const MessageFilterId = await made('message');
    const confirmation = await asked('subscribers_message_filter_delete', { MessageFilterId });
    expect(confirmation.summary).toBe(`Delete the message filter of ${seeded(1)}`);
    expect(confirmation.customer).toBe('Ava Stone · Acme Mobile');
    expect(confirmation.consequence).toContain('Its lists and keyword rules are lost');
    await decline(confirmation.url);
  });

  it('warns of numbers that are not on the list, and refuses if none is', async () => {
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

describe('a subscriber or a workgroup', () => {
  const subscriber = { SubscriberId: TSUID };
  const workgroup = { WorkgroupId: WID };

  it.each<[string, Input]>([
    ['subscribers_update', { ...subscriber, Role: 'Account Admin' }],
    ['subscribers_update', { ...subscriber, Password: 'example-password' }],
    ['subscribers_update', { ...subscriber, PhoneNumbers: [seeded(1)] }],
    ['workgroups_update', { ...workgroup, TelegentPhone: seeded(3) }],
    ['workgroups_update', { ...workgroup, OffHoursType: 'User', OffHoursId: TSUID }],
    ['workgroups_update', { ...workgroup, OnHoursId: TSUID }],
  ])('waits for a person: %s %j', async (operation, input) => {
    const confirmation = await asked(operation, input);
    expect(confirmation.status).toBe('pending');
    expect(confirmation.customer).toContain('Acme Mobile');
    expect(JSON.stringify(confirmation)).not.toContain('example-password');
    const path = operation === 'subscribers_update' ? '/v1.0/subscribers/update' : '/v1.0/workgroups/update';
    expect(await world.sent(path)).toEqual([]);
    await confirm(confirmation.url);
    expect(value(await call(client, 'confirmations_get', { id: confirmation.id })).status).toBe('done');
    expect(await world.sent(path)).toHaveLength(1);
  });

  it('waits before recording ends', async () => {
    const start = await asked('workgroups_update', { ...workgroup, RecordCalls: true });
    await confirm(start.url);
    const confirmation = await asked('workgroups_update', { ...workgroup, RecordCalls: false });
    expect(confirmation.level).toBe('approver');
    await decline(confirmation.url);
  });

  it('waits where it cannot be read', async () => {
    await world.control('faults', { path: '/v1.0/subscribers/get', times: 20, status: 403 });
    const confirmation = await asked('subscribers_update', { ...subscriber, Role: 'Subscriber', PhoneNumbers: [] });
    expect(confirmation.consequence).toContain('loses every number');
    await decline(confirmation.url);
  });

  it.each<[string, Input]>([
    ['subscribers_update', { ...subscriber, Name: 'Ava Reed', Role: 'Subscriber' }],
    ['workgroups_update', { ...workgroup, Name: 'Reception', Type: 'simultaneous' }],
    ['account_update', { AccountId: id('AID', 2), AccountName: 'Globex' }],
  ])('may be confirmed by who asked where nobody loses anything: %s %j', async (operation, input) => {
    const confirmation = await asked(operation, input);
    expect(confirmation.level).toBe('own');
    await confirm(confirmation.url);
    const { result } = value(await call(client, 'confirmations_get', { id: confirmation.id }));
    expect(result).toMatchObject({ ...input, Successful: true });
  });
});

it('states the highest risk, and which inputs a person must confirm', async () => {
  const { tools } = await client.listTools();
  for (const operation of RAISED_PEOPLE) {
    const tool = tools.find(({ name }) => name === operation);
    expect([operation, tool?.annotations?.destructiveHint]).toEqual([operation, true]);
    expect(tool?.description).toContain('A person must confirm');
  }
});
