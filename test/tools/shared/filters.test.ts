import { beforeEach, describe, expect, it } from 'vitest';
import { type Scripted, scripted } from '../../support/scripted.ts';
import {
  call,
  confirmed,
  decline,
  face,
  id,
  openWorld,
  seeded,
  TSUID,
  texts,
  value,
  type World,
} from '../../support/world.ts';

/* Filters as the interface's examples show them, where they differ from what the sandbox returns. */

const MESSAGES = '/v1.0/subscribers/message-filter';
const CALLS = '/v1.0/subscribers/call-filter';
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

let platform: Scripted;
let world: World;
beforeEach(async () => {
  platform = await scripted();
  world = await openWorld({ MCP_TOOLSETS: 'all', PLATFORM_BASE_URL: platform.url });
  platform.answer('/v1.0/subscribers/get', { SubscriberId: TSUID, Name: 'Ava Stone' });
  platform.answer(MESSAGES, [message]);
  platform.answer(`${MESSAGES}/update`, (sent) => sent);
  platform.answer(CALLS, [calls]);
  platform.answer(`${CALLS}/update`, (sent) => sent);
});

const update = async (kind: 'message' | 'call', input: Record<string, unknown>) =>
  value(await call(await world.client(), `subscribers_${kind}_filter_update`, input));
const confirmedUpdate = async (kind: 'message' | 'call', input: Record<string, unknown>) =>
  confirmed(await world.client(), `subscribers_${kind}_filter_update`, input);
const sent = () => platform.requests.filter(({ path }) => path.endsWith('/update')).map(({ body }) => body);

it('an update of a message filter empties a list that is null, and asks a person who sees what goes', async () => {
  const { confirmation } = await update('message', { FilterId: MFID, BlockedContacts: null });
  expect(confirmation.changes).toContainEqual(
    expect.objectContaining({ what: 'Blocked contacts', before: '+12015553333' }),
  );
  expect(sent()).toEqual([]);
  await decline(confirmation.url);
  await confirmedUpdate('message', { FilterId: MFID, BlockedContacts: null });
  expect(sent()).toMatchObject([{ BlockedContacts: [], AllowedContacts: message.AllowedContacts }]);
});

it('an update of a call filter whose list does not show its keyword rules has to give them again, because they could be lost', async () => {
  const update = { FilterId: CFID, BlockInternational: true };
  const error = face(await call(await world.client(), 'subscribers_call_filter_update', update));
  expect(error).toMatchObject({ code: 'invalid_input', field: 'KeywordFilter', outcome: 'not_done' });
  expect(error.message).toContain('cannot be read back and could be lost');
  expect(sent()).toEqual([]);
});

describe('a new filter', () => {
  const line = { SubscriberId: TSUID, Phone: seeded(1) };
  const ask = async (kind: 'message' | 'call', input: Record<string, unknown>) =>
    call(await world.client(), `subscribers_${kind}_filter_create`, { ...line, ...input });

  it('beside another one of the line names that one, and says only of itself that it filters nothing', async () => {
    const answer = await ask('message', { FilterMode: 'INACTIVE', ApplyToInbound: true });
    expect(texts(answer)).toContain(`${seeded(1)} has the message filter ${MFID} (ACTIVE) already.`);
    expect(value(answer).confirmation.consequence).toContain('It stops nothing: it is paused');
  });
});

it.each(['message', 'call'])('a new %s filter is not asked about for a line of somebody else', async (kind) => {
  platform.answer('/v1.0/numbers', { Number: seeded(1), AssignedSubscriberId: id('TSUID', 2) });
  platform.answer('/v1.0/subscribers/get', (sent) => ({ SubscriberId: sent.SubscriberId, Name: 'Ben Reed' }));
  const mode = { FilterMode: kind === 'call' ? 'BLACKLIST' : 'TEENAGER', ApplyToInbound: true };
  const input = { SubscriberId: TSUID, Phone: seeded(1), ...mode };
  const refused = face(await call(await world.client(), `subscribers_${kind}_filter_create`, input));
  expect(refused).toMatchObject({ field: 'SubscriberId', outcome: 'not_done' });
  expect(refused.message).toMatch(/\+12015550101 belongs to .Ben Reed., not to this subscriber/);
});

describe('a question about a filter', () => {
  const white = { ...calls, FilterMode: 'WHITELIST', AllowedNumbers: ['+12015551111'], EnableTranscription: false };
  const unknown = { ...message, BlockUnknownNumbers: true };
  const NOBODY_CALLS = 'No number is allowed, so no call gets through.';
  const NOBODY_WRITES = 'No number is allowed, so no message gets through.';
  const taken = { SubscriberId: TSUID, CallFilterId: CFID, Numbers: ['+12015551111'] };

  it.each([
    ['an emptied white list', white, 'call_filter_update', { FilterId: CFID, AllowedNumbers: null }, NOBODY_CALLS],
    [
      'the last contact taken off where unknown ones are blocked',
      unknown,
      'message_filter_update',
      { FilterId: MFID, AllowedContacts: null },
      NOBODY_WRITES,
    ],
    [
      'a filter that only reports',
      { ...white, FilterMode: 'MONITOR_ONLY' },
      'call_filter_blocked_numbers_add',
      { ...taken, Numbers: ['+12015554444'] },
      'It stops nothing',
    ],
    [
      'an allowed number that is on the block list',
      { ...white, BlockedNumbers: ['+12015554444'] },
      'call_filter_allowed_numbers_add',
      { ...taken, Numbers: ['+12015554444'] },
      'still blocked, because the block list comes first',
    ],
  ] as const)('says who gets through: %s', async (_name, record, operation, input, effect) => {
    platform.answer(MESSAGES, [record]);
    platform.answer(CALLS, [record]);
    const { confirmation } = value(await call(await world.client(), `subscribers_${operation}`, input));
    expect(confirmation.consequence).toContain(effect);
  });
});
