import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client, CRID, type Json, MRID, receiver, seeded, TSUID } from './helper.ts';

const STRANGER = '+13125550177';
const FRIEND = '+13125550178';

let client: Client;
let hook: Awaited<ReturnType<typeof receiver>>;
beforeEach(async () => {
  client = await Client.start();
  hook = await receiver();
  await client.post('/v1.0/webhook/create', { WebhookUrl: hook.url, SubscribedEvents: 'New_Sms,Call_Ringing' });
  await client.post('/v1.0/message/routes/update', {
    MessageRouteId: MRID,
    MessageUrl: hook.url,
    IntelligentRouteEnabled: true,
    InboundBypass: false,
  });
  await client.post('/v1.0/voice/routes/update', { CallRouteId: CRID, IntelligentRouteEnabled: true });
  await client.post('/v1.0/subscribers/guardian-features', {
    SubscriberId: TSUID,
    EnableIntelligentGuardianCalls: true,
    EnableIntelligentGuardianMessages: true,
  });
});
afterEach(async () => {
  await client.close();
  await hook.close();
});

const filter = async (kind: 'message' | 'call', rest: object): Promise<string> => {
  const base = { SubscriberId: TSUID, Phone: seeded(1), ApplyToInbound: true };
  return (await client.post(`/v1.0/subscribers/${kind}-filter`, { ...base, ...rest })).body.FilterId;
};
const sms = async (Body = 'hello', From = STRANGER, more: object = {}): Promise<Json> =>
  (await client.control('inbound', { From, To: seeded(1), Body, ...more })).body;
const ring = async (From = STRANGER): Promise<Json> =>
  (await client.control('calls', { From, To: seeded(1), Event: 'Call_Ringing' })).body;
const deliveries = async (): Promise<Json[]> => (await client.control('deliveries')).body;
const stopped = async () => (await deliveries()).filter((one) => one.stoppedBy !== undefined);

describe('a message that a filter stops', () => {
  it('reaches neither the route nor a webhook, and the deliveries name the filter and its rule', async () => {
    const FilterId = await filter('message', { FilterMode: 'ACTIVE', BlockedContacts: [STRANGER] });
    const stoppedBy = { FilterId, FilterMode: 'ACTIVE', Rule: 'BlockedContacts' };
    expect(await sms()).toEqual({ MessageId: null, StoppedBy: stoppedBy });
    expect(hook.received).toEqual([]);
    expect(await deliveries()).toEqual([
      expect.objectContaining({
        kind: 'message',
        event: 'Inbound_Message',
        attempt: 0,
        stoppedBy,
        error: `not delivered: stopped by filter ${FilterId} (BlockedContacts)`,
      }),
    ]);
    expect((await client.state()).messages.filter((row: Json) => row.From === STRANGER)).toEqual([]);
    expect((await sms('hello', FRIEND)).MessageId).toMatch(/^TMID-/);
    expect(hook.received).toHaveLength(2);
  });

  it.each([
    ['a link', 'ACTIVE', { BlockLinks: true }, 'see https://x.test/a', 'BlockLinks'],
    ['an unknown number', 'ACTIVE', { BlockUnknownNumbers: true }, 'hi', 'BlockUnknownNumbers'],
    ['the level CHILD', 'CHILD', {}, 'hi', 'BlockUnknownNumbers'],
    ['the level ADOLESCENT', 'ADOLESCENT', {}, 'www.x.test', 'BlockLinks'],
    ['a keyword', 'TEENAGER', { KeywordFilter: '{"CustomKeywords":["Casino"]}' }, 'the casino', 'KeywordFilter'],
  ])('by %s', async (_, FilterMode, rest, body, rule) => {
    await filter('message', { FilterMode, ...rest });
    expect((await sms(body)).StoppedBy?.Rule).toBe(rule);
  });

  it('by the rule against media', async () => {
    await filter('message', { FilterMode: 'ACTIVE', BlockMedia: true });
    expect((await sms('', STRANGER, { MediaUrls: ['https://x.test/a.png'] })).StoppedBy.Rule).toBe('BlockMedia');
  });
});

describe('a message arrives', () => {
  const blocked = { FilterMode: 'ACTIVE', BlockedContacts: [STRANGER] };
  const ROUTE = ['/v1.0/message/routes/update', { MessageRouteId: MRID }] as const;
  const FEATURES = ['/v1.0/subscribers/guardian-features', { SubscriberId: TSUID }] as const;
  it.each([
    ['the feature of the subscriber is off', FEATURES, { EnableIntelligentGuardianMessages: false }],
    ['intelligent routing of the route is off', ROUTE, { IntelligentRouteEnabled: false }],
    ['the route bypasses filters', ROUTE, { InboundBypass: true }],
  ] as const)('where %s', async (_, [path, record], change) => {
    await filter('message', blocked);
    expect((await client.post(path, { ...record, ...change })).status).toBe(200);
    expect((await sms()).MessageId).toMatch(/^TMID-/);
    expect(await stopped()).toEqual([]);
  });
});

describe('a call', () => {
  it.each([
    ['a blocked number', { FilterMode: 'BLACKLIST', BlockedNumbers: [STRANGER] }, STRANGER, 'BlockedNumbers'],
    [
      'a number that a white list does not name',
      { FilterMode: 'WHITELIST', AllowedNumbers: [FRIEND] },
      STRANGER,
      'WHITELIST',
    ],
    ['another country', { FilterMode: 'BLACKLIST', BlockInternational: true }, '+442071838750', 'BlockInternational'],
  ])('from %s does not ring', async (_, rest, from, Rule) => {
    const FilterId = await filter('call', rest);
    expect((await ring(from)).StoppedBy).toEqual({ FilterId, FilterMode: rest.FilterMode, Rule });
    expect(hook.received).toEqual([]);
    expect(await stopped()).toEqual([expect.objectContaining({ kind: 'voice', event: 'Call_Ringing' })]);
  });

  it('rings where the list allows it, and where the voice route has no intelligent routing', async () => {
    await filter('call', { FilterMode: 'WHITELIST', AllowedNumbers: [FRIEND] });
    expect(await ring(FRIEND)).not.toHaveProperty('StoppedBy');
    await client.post('/v1.0/voice/routes/update', { CallRouteId: CRID, IntelligentRouteEnabled: false });
    expect(await ring()).not.toHaveProperty('StoppedBy');
    expect(hook.received).toHaveLength(2);
  });
});
