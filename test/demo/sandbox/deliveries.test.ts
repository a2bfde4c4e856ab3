import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { A1, A2, Client, CRID, id, type Json, MRID, ORDER, receiver, seeded } from './helper.ts';

let client: Client;
let hook: Awaited<ReturnType<typeof receiver>>;
beforeEach(async () => {
  client = await Client.start();
  hook = await receiver();
});
afterEach(async () => {
  await client.close();
  await hook.close();
});

const register = (rest: object = {}) =>
  client.post('/v1.0/webhook/create', {
    AccountId: A1,
    WebhookUrl: hook.url,
    SubscribedEvents: 'Order_Update,New_Sms',
    ...rest,
  });
const fire = (Status = 'Scheduled', rest: object = {}) => client.control('orders', { OrderId: ORDER, Status, ...rest });
const attempts = async (): Promise<Json[]> => (await client.control('deliveries')).body;

describe('webhook create and delete', () => {
  const create = (rest: object) =>
    client.post('/v1.0/webhook/create', { WebhookUrl: 'https://x.test/h', SubscribedEvents: 'New_Sms', ...rest });

  it('repeats what was sent, and keeps its secrets out of the state', async () => {
    const basic = { AuthenticationType: 'Basic', AuthenticationUsername: 'ann', AuthenticationPassword: 'hunter22' };
    const { body } = await create({ ...basic, AccountId: A1, AuthenticationToken: 'tok-tok' });
    expect(body).toMatchObject({
      AccountId: A1,
      Method: 'POST',
      DataFormat: 'json',
      ...basic,
      AuthenticationToken: 'tok-tok',
      Active: true,
    });
    expect(body.WebhookId).toMatch(/^WID-/);
    for (const secret of ['hunter22', 'tok-tok'])
      for (const text of [JSON.stringify(await client.state()), JSON.stringify(client.sandbox.state())])
        expect(text).not.toContain(secret);
  });

  it.each([
    [{ AccountId: `AID-${'x'.repeat(100)}` }, 'AccountId'],
    [{ AccountId: 'AID-x' }, 'Invalid AccountId'],
    [{ AccountId: id('AID', 9) }, 'Invalid AccountId'],
    [{ WebhookUrl: undefined }, 'WebhookUrl'],
    [{ WebhookUrl: `https://x.test/${'x'.repeat(255)}` }, 'WebhookUrl'],
    [{ WebhookUrl: 'http://x.test/h' }, 'WebhookUrl'],
    [{ WebhookUrl: 'ftp://127.0.0.1/h' }, 'WebhookUrl'],
    [{ Method: 'POSTPOSTPOST' }, 'Method'],
    [{ DataFormat: 'x'.repeat(51) }, 'DataFormat'],
    [{ AuthenticationType: 'Bearer' }, 'AuthenticationType'],
    [{ AuthenticationType: 'Basic', AuthenticationPassword: 'p' }, 'AuthenticationUsername'],
    [{ AuthenticationType: 'Basic', AuthenticationUsername: 'u' }, 'AuthenticationPassword'],
    [{ AuthenticationType: 'Token' }, 'AuthenticationToken'],
    [{ AuthenticationToken: 'x'.repeat(256) }, 'AuthenticationToken'],
    [{ SubscribedEvents: undefined }, 'SubscribedEvents'],
    [{ SubscribedEvents: 'New_Sms,Lost' }, 'SubscribedEvents'],
    [{ SubscribedEvents: 'New_Sms,'.repeat(40) }, 'SubscribedEvents'],
  ])('refuses %j naming %s', async (change, field) => {
    const answer = await create(change);
    expect([answer.status, answer.body.Message]).toEqual([400, expect.stringContaining(field)]);
  });

  it('stops deliveries, retries too', async () => {
    hook.answers.push(500);
    const { body } = await register();
    await fire();
    expect((await client.post('/v1.0/webhook/delete', { WebhookId: body.WebhookId, AccountId: A2 })).status).toBe(404);
    expect((await client.post('/v1.0/webhook/delete', { WebhookId: body.WebhookId }, 'other')).status).toBe(404);
    const gone = await client.post('/v1.0/webhook/delete', { WebhookId: body.WebhookId, AccountId: A1 });
    expect(gone.body).toEqual({ WebhookId: body.WebhookId, WebhookStatus: 'Deleted', Successful: true });
    await client.advance('1m');
    await fire('Cancelled');
    expect(hook.received).toHaveLength(1);
    expect((await client.post('/v1.0/webhook/delete', { WebhookId: body.WebhookId })).status).toBe(404);
  });
});

describe('deliveries', () => {
  it('reach the account and events subscribed to', async () => {
    await register({ SubscribedEvents: 'New_Sms' });
    await register({ AccountId: A2 });
    await fire();
    expect(hook.received).toEqual([]);
    await register({ AccountId: undefined, SubscribedEvents: ' order_update , New_Sms' });
    await fire('Cancelled');
    expect(hook.received).toHaveLength(1);
  });

  it('authenticate with Basic and Bearer', async () => {
    await register({ AuthenticationType: 'Basic', AuthenticationUsername: 'ann', AuthenticationPassword: 'p:w' });
    await register({ AuthenticationType: 'Token', AuthenticationToken: 'tok', Method: 'PUT' });
    await register();
    await fire();
    const seen = hook.received.map((one) => `${one.method} ${one.headers.authorization}`).sort();
    expect(seen).toEqual([
      `POST Basic ${Buffer.from('ann:p:w').toString('base64')}`,
      'POST undefined',
      'PUT Bearer tok',
    ]);
  });

  it('are XML where asked for, escaped', async () => {
    await register({ DataFormat: 'xml' });
    await fire('Rejected', { ErrorMessage: 'a <b> & "c"' });
    const [one] = hook.received;
    expect(one?.headers['content-type']).toContain('application/xml');
    expect(one?.body).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><Order_Update>' +
        `<OrderId>${ORDER}</OrderId><Status>Rejected</Status>` +
        '<ErrorMessage>a &#60;b&#62; &#38; &#34;c&#34;</ErrorMessage></Order_Update>',
    );
  });

  it('are tried again after 1, 2, 4, 8 and 16 s, then given up', async () => {
    hook.answers.push(500, 302, 404, 503, 500, 500);
    await register();
    await fire();
    const seen = [hook.received.length];
    for (const by of ['900ms', '100ms', '1900ms', '100ms', '4s', '8s', '15s', '1s', '1h']) {
      await client.advance(by);
      seen.push(hook.received.length);
    }
    expect(seen).toEqual([1, 1, 2, 2, 3, 4, 5, 5, 6, 6]);
    const rows = await attempts();
    expect(rows.map((row) => [row.attempt, row.status])).toEqual([
      [1, 500],
      [2, 302],
      [3, 404],
      [4, 503],
      [5, 500],
      [6, 500],
    ]);
    expect(new Set(rows.map((row) => row.id)).size).toBe(1);
    expect(rows[0]).toMatchObject({ kind: 'webhook', event: 'Order_Update', url: hook.url });
    expect((await client.state()).pendingDeliveries).toEqual([]);
  });

  it('run all retries within one advance, and stop at the first success', async () => {
    hook.answers.push(500, 500, 500);
    await register();
    await fire();
    await client.advance('31s');
    expect((await attempts()).map((row) => row.status)).toEqual([500, 500, 500, 200]);
  });
});

describe('inbound messages and calls', () => {
  const inbound = (rest: object = {}) =>
    client.control('inbound', { From: '+13125550100', To: seeded(1), Body: 'Hi', ...rest });
  const route = (rest: object) => client.post('/v1.0/message/routes/update', { MessageRouteId: MRID, ...rest });

  it('go to the message route with its authentication, and to New_Sms', async () => {
    await route({ MessageUrl: hook.url, MessageAuthenticationType: 'Bearer', MessagePasswordToken: 'route-token' });
    await register();
    const { body } = await inbound();
    const record = hook.received.map((one) => JSON.parse(one.body));
    expect(record[0]).toEqual(record[1]);
    expect(record[0]).toMatchObject({
      MessageId: body.MessageId,
      Direction: 'INBOUND',
      From: '+13125550100',
      To: seeded(1),
      Body: 'Hi',
      MessageType: 'sms',
    });
    expect(record[0].CreatedOn).toMatch(/^2026-03-02T12:00:\d\d\.\d{3}$/);
    expect(hook.received.map((one) => one.headers.authorization).sort()).toEqual(['Bearer route-token', undefined]);
    expect((await attempts()).map((row) => row.kind).sort()).toEqual(['message', 'webhook']);
    const details = await client.get(`/v1.0/message/details?MessageId=${body.MessageId}`);
    expect(details.body).toMatchObject({ ...record[0], Successful: true });
  });

  it('skip a route that is switched off, and refuse numbers that take none', async () => {
    await route({ MessageUrl: hook.url, MessageRouteEnabled: false });
    await inbound();
    expect(hook.received).toEqual([]);
    expect((await inbound({ To: seeded(9) })).status).toBe(400);
    await route({ MessageRouteEnabled: true });
    await inbound({ Body: undefined, MediaUrls: ['https://x.test/a.png'] });
    expect(JSON.parse(hook.received[0]?.body ?? '')).toMatchObject({
      MessageType: 'mms',
      MmsMedia: [{ MediaUrl: 'https://x.test/a.png' }],
    });
  });

  it('carry call events with one CallId per call', async () => {
    await register({ SubscribedEvents: 'Call_Ringing,Call_Completed,Call_Recording' });
    const call = async (Event: string, rest: object = {}) =>
      (await client.control('calls', { From: '+13125550100', To: seeded(1), Event, ...rest })).body;
    const ringing = await call('Call_Ringing');
    await call('Call_On_Hold');
    await client.advance('42s');
    const done = await call('Call_Completed');
    expect(done.CallId).toBe(ringing.CallId);
    expect(done.DurationSeconds).toBe(42);
    expect((await call('Call_Ringing')).CallId).not.toBe(ringing.CallId);
    expect((await call('Call_Recording', { CallId: 'MINE' })).CallId).toBe('MINE');
    const bodies = hook.received.map((one) => JSON.parse(one.body));
    expect(bodies.map((one) => one.Event)).toEqual([
      'Call_Ringing',
      'Call_Completed',
      'Call_Ringing',
      'Call_Recording',
    ]);
    expect(bodies[0]).toMatchObject({
      From: '+13125550100',
      To: seeded(1),
      Direction: 'INBOUND',
      StartedOn: expect.any(String),
    });
    expect(bodies[3].RecordingUrl).toContain('MINE');
    expect(
      (await client.control('calls', { From: '+13125550100', To: '+13125550101', Event: 'Call_Ringing' })).status,
    ).toBe(404);
  });

  it('tell the voice route of calls', async () => {
    const created = await client.post('/v1.0/voice/routes', {
      RouteName: 'IVR',
      RouteType: 'URL',
      CallbackVoiceUrl: hook.url,
      VoiceAuthenticationType: 'Basic',
      VoiceUsername: 'v',
      VoicePasswordToken: 'voice-secret',
    });
    expect(JSON.stringify(created.body) + JSON.stringify(await client.state())).not.toContain('voice-secret');
    await client.post('/v1.0/numbers/update', { Number: seeded(1), VoiceRouteId: created.body.CallRouteId });
    await client.control('calls', { From: '+13125550100', To: seeded(1), Event: 'Call_Ringing' });
    expect(hook.received[0]?.headers.authorization).toBe(`Basic ${Buffer.from('v:voice-secret').toString('base64')}`);
    expect((await attempts())[0].kind).toBe('voice');
    expect(CRID).not.toBe(created.body.CallRouteId);
  });
});

describe('outbound messages', () => {
  const out = (rest: object = {}) =>
    client.post('/v1.0/message/outbound', {
      To: [{ Number: '+13125550100' }],
      From: seeded(1),
      Body: 'Hello',
      ...rest,
    });

  it('are queued, then delivered, with a status callback and arrival at own numbers', async () => {
    await client.post('/v1.0/message/routes/update', {
      MessageRouteId: MRID,
      MessageUrl: `${hook.url}/in`,
      CallbackMessageUrl: `${hook.url}/status`,
      CallbackMessageAuthenticationType: 'Basic',
      CallbackMessageUsername: 'cb',
      CallbackMessagePasswordToken: 'pw',
    });
    const { body } = await out({ To: [{ Number: '+13125550100' }, { Number: seeded(3) }], CampaignId: 'JCID-1' });
    expect(body).toMatchObject({
      Status: 'Queued',
      Direction: 'OUTBOUND',
      Type: 'a2p',
      CampaignId: 'JCID-1',
      Cost: 0.009,
      MessageType: 'sms',
    });
    expect(body.MessageId).toMatch(/^TMID-/);
    await client.advance('1s');
    expect(hook.received).toEqual([]);
    await client.advance('1s');
    const seen = hook.received.map((one) => [one.url, JSON.parse(one.body).Status]).sort();
    expect(seen).toEqual([
      ['/hook/in', 'Received'],
      ['/hook/status', 'Delivered'],
    ]);
    expect(hook.received.find((one) => one.url === '/hook/status')?.headers.authorization).toMatch(/^Basic /);
    expect((await client.get(`/v1.0/message/details?MessageId=${body.MessageId}`)).body).toMatchObject({
      Status: 'Delivered',
      To: `+13125550100,${seeded(3)}`,
    });
    expect((await client.get(`/v1.0/message/details?MessageId=${body.MessageId}`, 'other')).status).toBe(404);
    expect((await client.get('/v1.0/message/details')).body.Message).toContain('MessageId');
  });

  it('name what is wrong', async () => {
    const refused = async (rest: object, field: string) => {
      const answer = await out(rest);
      expect([field, answer.status, answer.body.Message]).toEqual([field, 400, expect.stringContaining(field)]);
    };
    await refused({ To: [] }, 'To');
    await refused({ To: ['+13125550100'] }, 'To[0]');
    await refused({ To: [{ Number: '312' }] }, 'To[0].Number');
    await refused({ Body: '' }, 'Body');
    await refused({ From: '+13125550100' }, 'Invalid From');
    await refused({ From: seeded(7) }, 'From');
    await client.post('/v1.0/numbers/update', { Number: seeded(3), MessageEnabled: false });
    await refused({ From: seeded(3) }, 'messaging enabled');
  });
});
