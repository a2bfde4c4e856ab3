import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  call,
  confirm,
  confirmed,
  decline,
  face,
  type Json,
  look,
  openWorld,
  seeded,
  TSUID,
  value,
  type World,
} from '../support/world.ts';

/* Changes of filters, subscribers and workgroups need an approver where they take protection, service or control away. */

type Input = Record<string, unknown>;
type McpClient = Awaited<ReturnType<World['client']>>;

const SOMEBODY = '+12015550199';
const OTHER = '+12015550198';
const GUARDIAN = '+12015550177';
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
  ['message', { BlockedContacts: [SOMEBODY] }],
  ['message', { NotificationPhones: [] }],
  ['message', { Phone: seeded(3) }],
  ['message', { KeywordFilter: KEYWORDS.replace('HIGH', 'LOW') }],
  ['call', { FilterMode: 'BLACKLIST' }],
  ['call', { TranscriptionAction: 'NOTIFY' }],
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
