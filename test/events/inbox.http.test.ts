import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { MAX_BODY } from '../../src/lib/http.ts';
import { createRedactor } from '../../src/platform/dialect/redact.ts';
import { events as EVENTS } from '../../tools/webhook/create.ts';
import { Client, MRID, NOON, ORDER, seeded } from '../demo/sandbox/helper.ts';
import { order, serve, type TempInbox, tempInbox, until } from './support.ts';

const USER = { username: 'platform', password: 'right-horse' };
const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
const GOOD = { Authorization: basic(USER.username, USER.password), 'Content-Type': 'application/json' };

async function deliver(url: string, body: string, headers: Record<string, string> = GOOD, method = 'POST') {
  const response = await fetch(url, { method, headers, ...(method === 'GET' ? {} : { body }) });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

describe('deliveries of the sandbox', () => {
  let client: Client;
  beforeEach(async () => {
    client = await Client.start({ now: NOON });
  });
  afterEach(() => client.close());

  async function register(url: string, hook: Record<string, unknown> = {}, method = 'POST') {
    const { username, password } = USER;
    const basicAs = (prefix: string, secret = `${prefix}PasswordToken`) => ({
      ...{ [`${prefix}AuthenticationType`]: 'Basic', [`${prefix}Username`]: username, [secret]: password },
    });
    await client.post('/v1.0/webhook/create', {
      ...{ WebhookUrl: `${url}/events/platform`, SubscribedEvents: EVENTS.join(','), AuthenticationType: 'Basic' },
      ...{ AuthenticationUsername: username, AuthenticationPassword: password },
      ...hook,
    });
    const changed = await client.post('/v1.0/message/routes/update', {
      ...{ MessageRouteId: MRID, MessageUrl: `${url}/events/messages`, MessageUrlMethod: method },
      ...{ CallbackMessageUrl: `${url}/events/message-status`, CallbackMessageUrlMethod: method },
      ...basicAs('Message'),
      ...basicAs('CallbackMessage'),
    });
    expect(changed.status).toBe(200);
    const CallbackVoiceUrl = `${url}/events/voice`;
    const voice = { RouteName: 'Events', RouteType: 'URL', CallbackVoiceUrl, ...basicAs('Voice') };
    const route = await client.post('/v1.0/voice/routes', voice);
    await client.post('/v1.0/numbers/update', { Number: seeded(1), VoiceRouteId: route.body.CallRouteId });
  }

  const calls = ['Call_Ringing', 'Call_In_Progress', 'Call_On_Hold', 'Call_Recording', 'Call_Completed'] as const;

  async function fireEverything() {
    for (const Status of ['Pending Carrier Approval', 'Scheduled', 'Complete'])
      await client.control('orders', { OrderId: ORDER, Status });
    for (const Event of calls) await client.control('calls', { From: '+15550001111', To: seeded(1), Event });
    const inbound = { From: '+15550001111', To: seeded(1) };
    await client.control('inbound', { ...inbound, Body: '<b>& "hello" ☎' });
    await client.control('inbound', { ...inbound, Body: 'picture', MediaUrls: ['https://example.invalid/a.png'] });
    await client.post('/v1.0/message/outbound', { To: [{ Number: '+15550001111' }], From: seeded(1), Body: 'reply' });
    await client.advance('3s');
  }

  const BY_TOKEN = { AuthenticationType: 'Token', AuthenticationToken: 'a-token', Method: 'PUT' };
  it.each([
    ['JSON, Basic', {}, 'POST'],
    ['XML, Basic', { DataFormat: 'xml' }, 'POST'],
    ['JSON, a token, PUT; the routes by GET', BY_TOKEN, 'GET'],
  ])('every event type is kept once: %s', async (_, hook, method) => {
    const inbox = tempInbox();
    const { url } = await serve({ inbox, config: { ...USER, token: 'a-token' } });
    await register(url, hook, method);
    await fireEverything();

    const { body: attempts } = await client.control('deliveries');
    expect(attempts.filter((one: { status?: number }) => one.status !== 200)).toEqual([]);
    const kept = (await inbox.since(0)).map(({ event }) => event);
    const named = kept.map((event) => ('status' in event ? event.status : event.name || event.kind));
    const all = ['Pending Carrier Approval', 'Scheduled', 'Completed', ...calls, 'Delivered'];
    expect(named).toEqual(expect.arrayContaining(all));
    const kinds = ['order', 'call', 'message', 'status', 'unknown'];
    expect(kinds.map((kind) => kept.filter((event) => event.kind === kind).length)).toEqual([3, 5, 2, 1, 0]);
    const texts = kept.flatMap((event) => (event.kind === 'message' ? [[event.text, ...event.media]] : []));
    expect(texts).toContainEqual(['<b>& "hello" ☎']);
    expect(texts).toContainEqual(['picture', 'https://example.invalid/a.png']);
    // Calls and messages came from the webhook and from the route: seven repeats.
    const repeated = [...(inbox.counters.get('repeated')?.values() ?? [])];
    expect(repeated.reduce((sum, count) => sum + count, 0)).toBe(7);
  });

  it('refused deliveries arrive by the platform’s retries once the credentials are right', async () => {
    const inbox = tempInbox();
    const registered: { username: string; password: string }[] = [];
    const { url } = await serve({ inbox, config: { token: 'another-one' }, registered: async () => registered });
    await register(url);
    await client.control('orders', { OrderId: ORDER, Status: 'Scheduled' });
    expect((await inbox.counts()).open).toBe(0);
    expect(inbox.counters).toEqual(new Map([['refused', new Map([['credentials', 1]])]]));
    registered.push(USER);
    await client.advance('2s');
    expect((await inbox.counts()).open).toBe(1);
  });
});

describe('what is refused leaves a reason and a counted trace', () => {
  const body = JSON.stringify({ OrderId: ORDER, Status: 'Scheduled', ErrorMessage: '' });
  let inbox: TempInbox;
  beforeEach(() => {
    inbox = tempInbox();
  });
  /** Nothing was kept, and one refusal was counted. */
  async function expectRefused(label: string): Promise<void> {
    expect((await inbox.counts()).open).toBe(0);
    expect(inbox.counters).toEqual(new Map([['refused', new Map([[label, 1]])]]));
  }

  it.each([
    ['no credentials', {}],
    ['a wrong password', { Authorization: basic('platform', 'wrong') }],
    ['the password as a token', { Authorization: `Bearer ${USER.password}` }],
  ])('%s: 401', async (_, headers) => {
    const { url } = await serve({ inbox, config: USER });
    const given = { ...headers, 'Content-Type': 'application/json' };
    const { status, body: said } = await deliver(`${url}/events/platform`, body, given);
    expect({ status, said }).toMatchObject({ status: 401, said: { received: false, reason: 'credentials' } });
    expect(JSON.stringify(said)).not.toContain(USER.password);
    await expectRefused('credentials');
  });
  it('what is no event: 400 with the reason', async () => {
    const { url } = await serve({ inbox, config: USER });
    const { status, body: said } = await deliver(`${url}/events/platform`, '{"OrderId":"JNUOID-1"}');
    expect({ status, reason: said.reason }).toEqual({ status: 400, reason: 'senseless' });
    await expectRefused('senseless');
  });
  it('a connection that ends inside the body', async () => {
    const { port } = await serve({ inbox, config: USER });
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    // Closed as soon as the text has left this process.
    socket.write(
      `POST /events/platform HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${GOOD.Authorization}\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n${body}`,
      () => socket.destroy(),
    );
    await until(async () => inbox.counters.get('refused')?.has('cut_off') === true);
    expect((await inbox.counts()).open).toBe(0);
  });

  it('other methods and other paths', async () => {
    const { url } = await serve({ inbox, config: USER });
    expect((await deliver(`${url}/events/platform`, '', GOOD, 'GET')).status).toBe(405);
    expect((await deliver(`${url}/events/messages`, '', GOOD, 'GET')).status).toBe(400);
    expect((await fetch(`${url}/events/other`, { method: 'POST', headers: GOOD, body })).status).toBe(404);
  });

  it('a store that cannot write: 503, so that the platform tries again', async () => {
    const full = { receive: () => Promise.reject(new Error('disk full')), count: () => undefined };
    const { url } = await serve({ inbox: full, config: USER });
    expect((await deliver(`${url}/events/platform`, body)).status).toBe(503);
  });
});

describe('size, time and secrets', () => {
  it('takes exactly 1 MiB, and answers 413 beyond it', async () => {
    const inbox = tempInbox();
    const { url } = await serve({ inbox, config: USER });
    const frame = JSON.stringify({ MessageId: 'TMID-big', From: '+15550001111', To: seeded(1), Body: '' });
    const fits = frame.replace('"Body":""', `"Body":"${'x'.repeat(MAX_BODY - frame.length)}"`);
    expect(Buffer.byteLength(fits)).toBe(MAX_BODY);
    expect((await deliver(`${url}/events/messages`, fits)).status).toBe(200);
    expect((await inbox.since(0))[0]?.event).toMatchObject({ messageId: 'TMID-big' });
    for (const size of [MAX_BODY + 1, 3 * MAX_BODY]) {
      const { status, body } = await deliver(`${url}/events/messages`, 'x'.repeat(size));
      expect({ status, reason: body.reason }).toEqual({ status: 413, reason: 'too_large' });
    }
    expect((await inbox.counts()).open).toBe(1);
    expect(inbox.counters.get('refused')?.get('too_large')).toBe(2);
  });

  it('keeps unknown fields, but none whose name is secret', async () => {
    const inbox = tempInbox();
    const { url } = await serve({ inbox, config: USER, strip: createRedactor(['Password']).strip });
    const fields = { ...order('Scheduled').fields, New: { Field: 1 }, AuthCode: 'sesame', Deep: { password: 'hush' } };
    await deliver(`${url}/events/platform`, JSON.stringify(fields));
    const text = JSON.stringify(await tempInbox(systemClock, inbox.path).since(0));
    expect(text).toContain('"New":{"Field":1}');
    expect(text).not.toMatch(/sesame|hush/);
  });
});
