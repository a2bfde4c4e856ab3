import { beforeEach, describe, expect, it } from 'vitest';
import { asks } from '../../support/asking.ts';
import { decline } from '../../support/page.ts';
import { scripted } from '../../support/scripted.ts';
import { id, seeded, TSUID } from '../../support/seed.ts';
import { call, confirmed, face, openWorld, texts, value } from '../../support/world.ts';

/* Filters as the interface's examples show them, where they differ from what the sandbox returns. */

const MESSAGES = '/v1.0/subscribers/message-filter';
const CALLS = '/v1.0/subscribers/call-filter';
const UPDATE = 'subscribers_message_filter_update';
const MFID = id('MFID', 1);
const CFID = id('CFID', 1);
const message = {
  FilterId: MFID,
  SubscriberId: TSUID,
  Phone: seeded(1),
  FilterMode: 'ACTIVE',
  AllowedContacts: ['+12015551111'],
  BlockedContacts: ['+12015553333'],
  KeywordFilter: '"CustomKeywords":["banned"],"SeverityMap":{"banned":"HIGH"}',
  NotificationPhones: [],
  ApplyToInbound: 'true',
  ApplyToOutbound: 'false',
  BlockLinks: 'True',
};
const { KeywordFilter: _rules, AllowedContacts: _allowed, BlockedContacts: _blocked, ...common } = message;
const calls = { ...common, FilterId: CFID, FilterMode: 'BLACKLIST', EnableTranscription: true };

const platform = await scripted();
const world = await openWorld({ MCP_TOOLSETS: 'all', PLATFORM_BASE_URL: platform.url });
const client = await world.client();
beforeEach(async () => {
  await world.afresh();
  platform.requests.length = 0;
  platform.answer('/v1.0/numbers', {}, 404);
  platform.answer('/v1.0/subscribers/get', { SubscriberId: TSUID, Name: 'Ava Stone' });
  platform.answer(MESSAGES, [message]);
  platform.answer(`${MESSAGES}/update`, (sent) => sent);
  platform.answer(CALLS, [calls]);
  platform.answer(`${CALLS}/update`, (sent) => sent);
});

const sent = () => platform.requests.filter(({ path }) => path.endsWith('/update')).map(({ body }) => body);

it('an update of a message filter empties a list that is null, and asks a person who sees what goes', async () => {
  const { changes, url } = await asks(client, UPDATE, { FilterId: MFID, BlockedContacts: null });
  expect(changes).toContainEqual(expect.objectContaining({ what: 'Blocked contacts', before: '+12015553333' }));
  expect(sent()).toEqual([]);
  await decline(url);
  await confirmed(client, UPDATE, { FilterId: MFID, BlockedContacts: null });
  expect(sent()).toMatchObject([{ BlockedContacts: [], AllowedContacts: message.AllowedContacts }]);
});

it('an update of a call filter whose list does not show its keyword rules has to give them again, because they could be lost', async () => {
  const update = { FilterId: CFID, BlockInternational: true };
  const error = face(await call(client, 'subscribers_call_filter_update', update));
  expect(error).toMatchObject({ code: 'invalid_input', field: 'KeywordFilter', outcome: 'not_done' });
  expect(error.message).toContain('cannot be read back and could be lost');
  expect(sent()).toEqual([]);
});

it('a new filter beside another one of the line names that one, and says only of itself that it filters nothing', async () => {
  const input = { SubscriberId: TSUID, Phone: seeded(1), FilterMode: 'INACTIVE', ApplyToInbound: true };
  const answer = await call(client, 'subscribers_message_filter_create', input);
  expect(texts(answer)).toContain(`${seeded(1)} has the message filter ${MFID} (ACTIVE) already.`);
  expect(value(answer).confirmation.consequence).toContain('It stops nothing: it is paused');
});

it.each(['CustomKeyword', 'severitymap'])('keyword rules with the misspelt member %s are refused', async (name) => {
  const rules = { KeywordFilter: JSON.stringify({ [name]: {} }) };
  expect(face(await call(client, UPDATE, { FilterId: MFID, ...rules })).message).toMatch(/did you mean (Cust|Sever)/);
});

it.each(['message', 'call'])('a new %s filter is not asked about for a line of somebody else', async (kind) => {
  platform.answer('/v1.0/numbers', { Number: seeded(1), AssignedSubscriberId: id('TSUID', 2) });
  platform.answer('/v1.0/subscribers/get', (sent) => ({ SubscriberId: sent.SubscriberId, Name: 'Ben Reed' }));
  const mode = { FilterMode: kind === 'call' ? 'BLACKLIST' : 'TEENAGER', ApplyToInbound: true };
  const input = { SubscriberId: TSUID, Phone: seeded(1), ...mode };
  const refused = face(await call(client, `subscribers_${kind}_filter_create`, input));
  expect(refused).toMatchObject({ field: 'SubscriberId', outcome: 'not_done' });
  expect(refused.message).toMatch(/\+12015550101 belongs to .Ben Reed., not to this subscriber/);
});

describe('a question about a filter', () => {
  const white = { ...calls, FilterMode: 'WHITELIST', AllowedNumbers: ['+12015551111'], EnableTranscription: false };
  const unknown = { ...message, BlockUnknownNumbers: true };
  const NOBODY_CALLS = 'No number is allowed, so no call gets through.';
  const NOBODY_WRITES = 'No number is allowed, so no message gets through.';
  const added = { SubscriberId: TSUID, CallFilterId: CFID, Numbers: ['+12015554444'] };
  const STILL = '+12015554444: still blocked.';
  const reports = { ...white, FilterMode: 'MONITOR_ONLY' };
  const blocked = { ...white, AllowedNumbers: [], BlockedNumbers: added.Numbers };
  it.each([
    ['an emptied white list', white, 'call_filter_update', { FilterId: CFID, AllowedNumbers: null }, NOBODY_CALLS],
    ['the last contact', unknown, 'message_filter_update', { FilterId: MFID, AllowedContacts: null }, NOBODY_WRITES],
    ['a filter that only reports', reports, 'call_filter_blocked_numbers_add', added, 'It stops nothing'],
    ['a blocked number', blocked, 'call_filter_allowed_numbers_add', added, `${STILL} Each allowed number is blocked`],
  ] as const)('says who gets through: %s', async (_name, record, operation, input, effect) => {
    platform.answer(MESSAGES, [record]);
    platform.answer(CALLS, [record]);
    expect((await asks(client, `subscribers_${operation}`, input)).consequence).toContain(effect);
  });

  it('says after the yes that an allowed number is still blocked', async () => {
    platform.answer(CALLS, [blocked]);
    platform.answer(`${CALLS}/allowed-numbers/add`, (sent) => sent);
    const done = await confirmed(client, 'subscribers_call_filter_allowed_numbers_add', added);
    expect(done.Warning).toContain(STILL);
  });
});
