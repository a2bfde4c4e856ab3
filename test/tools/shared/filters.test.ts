import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
afterEach(async () => {
  await world.close();
  await platform.close();
});

const update = async (kind: 'message' | 'call', input: Record<string, unknown>) =>
  value(await call(await world.client(), `subscribers_${kind}_filter_update`, input));
const confirmedUpdate = async (kind: 'message' | 'call', input: Record<string, unknown>) =>
  confirmed(await world.client(), `subscribers_${kind}_filter_update`, input);
const sent = () => platform.requests.filter(({ path }) => path.endsWith('/update')).map(({ body }) => body);

describe('an update of a message filter', () => {
  it('sends flags as booleans and keyword rules as an object, although they were read otherwise', async () => {
    await confirmedUpdate('message', { FilterId: MFID, BlockMedia: true });
    expect(sent()).toEqual([
      {
        ...message,
        ApplyToInbound: true,
        ApplyToOutbound: false,
        BlockLinks: true,
        BlockMedia: true,
        KeywordFilter: `{${message.KeywordFilter}}`,
      },
    ]);
  });

  it('empties a list that is null, and asks a person who sees what goes', async () => {
    const { confirmation } = await update('message', { FilterId: MFID, BlockedContacts: null });
    expect(confirmation.changes).toContainEqual(
      expect.objectContaining({ what: 'Blocked contacts', before: '+12015553333' }),
    );
    expect(sent()).toEqual([]);
    await decline(confirmation.url);
    await confirmedUpdate('message', { FilterId: MFID, BlockedContacts: null });
    expect(sent()).toMatchObject([{ BlockedContacts: [], AllowedContacts: message.AllowedContacts }]);
  });

  it('sends keyword rules that are no JSON as they were read', async () => {
    platform.answer(MESSAGES, [{ ...message, KeywordFilter: 'banned' }]);
    await confirmedUpdate('message', { FilterId: MFID, BlockMedia: true });
    expect(sent()).toMatchObject([{ KeywordFilter: 'banned' }]);
  });

  it('asks a person where those rules are replaced', async () => {
    platform.answer(MESSAGES, [{ ...message, KeywordFilter: 'banned' }]);
    const KeywordFilter = '{"CustomKeywords":["banned"]}';
    const { confirmation } = await update('message', { FilterId: MFID, KeywordFilter });
    expect(confirmation.consequence).toContain('keyword rules change');
    await decline(confirmation.url);
    expect(sent()).toEqual([]);
  });
});

describe('an update of a call filter whose list does not show its keyword rules', () => {
  it('has to give them again, because they could be lost', async () => {
    const update = { FilterId: CFID, BlockInternational: true };
    const error = face(await call(await world.client(), 'subscribers_call_filter_update', update));
    expect(error).toMatchObject({ code: 'invalid_input', field: 'KeywordFilter', outcome: 'not_done' });
    expect(error.message).toContain('cannot be read back and could be lost');
    expect(sent()).toEqual([]);
  });

  it('may leave them out where keywords have no effect', async () => {
    platform.answer(CALLS, [{ ...calls, EnableTranscription: false }]);
    await confirmedUpdate('call', { FilterId: CFID, BlockInternational: true });
    expect(sent()).toMatchObject([{ FilterMode: 'BLACKLIST', BlockInternational: true }]);
  });
});
