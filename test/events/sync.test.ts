import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { planSync, type RegisteredWebhook, Registrations, runSync, type SyncRequest } from '../../src/events/sync.ts';
import { createSeal } from '../../src/ledger/seal.ts';
import { SqliteStore } from '../../src/store/sqlite.ts';
import { operations } from '../../tools/index.ts';
import { events as EVENTS } from '../../tools/webhook/create.ts';
import { A1, A2, Client, MRID, NOON, ORDER, seeded } from '../demo/sandbox/helper.ts';
import { FakeClock, scratch, serve, tempInbox } from './support.ts';

const HERE = 'https://sb.example.com';

function registrations() {
  const path = join(scratch(), 'registrations.db');
  const store = new SqliteStore({ path, clock: new FakeClock() });
  const opened = new Registrations(store, createSeal(randomBytes(32)));
  onTestFinished(() => store.close());
  return Object.assign(opened, { path });
}

const webhook = (more: Partial<RegisteredWebhook> = {}): RegisteredWebhook => ({
  id: 'WID-1',
  accountId: '',
  url: `${HERE}/events/platform`,
  events: EVENTS,
  method: 'POST',
  format: 'json',
  authentication: 'Basic',
  username: 'u',
  isActive: true,
  ...more,
});

describe('the plan', () => {
  const request: SyncRequest = {
    url: 'https://sb.example.com/',
    messageRoutes: [],
    credentials: { username: 'u', password: 'p' },
    registered: { webhooks: [], routes: [] },
    made: [],
  };
  const planFor = (webhooks: RegisteredWebhook[], more: Partial<SyncRequest> = {}) =>
    planSync({ ...request, registered: { webhooks, routes: [] }, ...more });
  const steps = (plan: ReturnType<typeof planSync>) => plan.map(({ operation, input }) => [operation, input.WebhookId]);

  it('makes the webhook first and then points the routes', () => {
    const routes = [{ MessageRouteId: MRID, RouteName: 'Main', MessageUrl: 'https://old.example.com' }];
    const [first, second, ...more] = planSync({
      ...request,
      url: 'https://sb.example.com/base/',
      accountId: 'AID-1',
      messageRoutes: [MRID, MRID],
      registered: { webhooks: [], routes },
    });
    expect([first?.operation, second?.operation, more]).toEqual(['webhook_create', 'message_routes_update', []]);
    expect(first?.input).toMatchObject({
      WebhookUrl: 'https://sb.example.com/base/events/platform',
      SubscribedEvents: EVENTS.join(','),
      AuthenticationType: 'Basic',
      AuthenticationPassword: 'p',
      AccountId: 'AID-1',
    });
    expect(second?.input).toMatchObject({
      MessageUrl: 'https://sb.example.com/base/events/messages',
      CallbackMessageUrl: 'https://sb.example.com/base/events/message-status',
    });
    expect(second?.why).toContain('“Main”');
    expect(second?.why).toContain('https://old.example.com, is overwritten');
  });

  it.each<[string, Partial<RegisteredWebhook>, string]>([
    ['another address', { url: 'https://else.example.com/x' }, 'it delivers to https://else.example.com/x'],
    ['an event left out', { events: EVENTS.slice(1) }, `it does not deliver ${EVENTS[0]}`],
    ['another method', { method: 'PUT' }, 'it sends PUT'],
    ['another format', { format: 'xml' }, 'it sends xml'],
    ['other credentials', { username: 'somebody' }, 'it has other credentials'],
    ['no credentials', { authentication: 'None', username: '' }, 'it has other credentials'],
  ])('changes our webhook with %s in one step, which says so', (_what, differs, words) => {
    const plan = planFor([webhook(differs)], { made: ['WID-1'] });
    expect(steps(plan)).toEqual([['webhook_update', 'WID-1']]);
    expect(plan[0]?.why).toContain(words);
    expect(plan[0]?.input).toMatchObject({ WebhookUrl: `${HERE}/events/platform`, AuthenticationPassword: 'p' });
  });

  it('has nothing to do where everything stands, in any letter case', () => {
    const same = webhook({ method: 'post', format: 'JSON', events: EVENTS.map((name) => name.toUpperCase()) });
    expect(planFor([same])).toEqual([]);
  });

  it('leaves webhooks of others alone, and those of another account', () => {
    const others = [webhook({ id: 'WID-2', url: 'https://crm.example.com' }), webhook({ id: 'WID-3', accountId: A2 })];
    expect(steps(planFor([...others, webhook({ accountId: A1 })], { accountId: A1 }))).toEqual([]);
    expect(steps(planFor(others, { accountId: A1 }))).toEqual([['webhook_create', undefined]]);
  });

  it.each([
    ['plain http', { url: 'http://sb.example.com' }],
    ['no URL', { url: 'sb.example.com' }],
    ['credentials in it', { url: 'https://a:b@sb.example.com' }],
    ['a query', { url: 'https://sb.example.com/?a=1' }],
    ['too long', { url: `https://sb.example.com/${'x'.repeat(230)}` }],
  ])('refuses %s', (_, wrong) => {
    expect(() => planSync({ ...request, ...wrong })).toThrow();
  });
});

describe('a sync', () => {
  let client: Client;
  beforeEach(async () => {
    client = await Client.start({ now: NOON });
  });
  afterEach(() => client.close());

  /** Sends an operation to the sandbox, without the gate. */
  async function send(id: string, input: Record<string, unknown>): Promise<Record<string, unknown>> {
    const { method, path } = operations.find((one) => one.id === id) ?? { method: 'GET', path: id };
    const query = new URLSearchParams(input as Record<string, string>).toString();
    const { status, body, text } =
      method === 'GET' ? await client.get(query === '' ? path : `${path}?${query}`) : await client.post(path, input);
    if (status !== 200) throw new Error(text);
    return Array.isArray(body) ? { Results: body } : body;
  }

  function setUp(url: string, store: ReturnType<typeof registrations>) {
    const shown: string[] = [];
    const sent: { operation: string; input: Record<string, unknown> }[] = [];
    const options = {
      url,
      messageRoutes: [MRID],
      registrations: store,
      platform: client.sandbox.url,
      show: (lines: readonly string[]) => void shown.push(...lines),
      ask: async () => true,
      read: send,
      perform: async (operation: string, input: Record<string, unknown>) => {
        sent.push({ operation, input });
        return send(operation, input);
      },
    };
    const done = () => sent.splice(0).map(({ operation }) => operation);
    return { shown, sent, done, options };
  }
  const never = async (): Promise<boolean> => {
    throw new Error('there is nothing to ask');
  };

  it('registers us with credentials that are sealed, and its deliveries come in, also with new ones', async () => {
    const store = registrations();
    const inbox = tempInbox();
    const { url } = await serve({ inbox, registered: () => store.accepted() });
    const { shown, sent, done, options } = setUp(url, store);
    const first = await runSync(options);
    expect(first).toMatchObject({ kind: 'done', failed: [] });
    const password = String(sent[0]?.input.AuthenticationPassword);
    expect(password.length).toBeGreaterThanOrEqual(32);
    expect(shown.join()).not.toContain(password);
    for (const suffix of ['', '-wal']) expect(readFileSync(store.path + suffix).includes(password)).toBe(false);
    expect(done()).toEqual(['webhook_create', 'message_routes_update']);

    const second = await runSync({ ...options, force: true });
    expect(second).toMatchObject({ kind: 'done', webhookId: first.webhookId });
    expect(sent[0]?.input.AuthenticationPassword).not.toBe(password);
    expect(done()).toEqual(['webhook_update', 'message_routes_update']);
    expect(await store.accepted()).toHaveLength(1);
    await client.control('orders', { OrderId: ORDER, Status: 'Scheduled' });
    await client.control('inbound', { From: '+15550001111', To: seeded(1), Body: 'hello' });
    expect((await inbox.counts()).open).toBe(2);
    expect(inbox.counters.all().filter((tally) => tally.what === 'refused')).toEqual([]);
  });

  it('has nothing to do on a second run, and asks nothing', async () => {
    const store = registrations();
    const { shown, done, options } = setUp(HERE, store);
    const first = await runSync(options);
    const [before] = await store.accepted();
    done();
    shown.length = 0;
    expect(await runSync({ ...options, ask: never })).toEqual({
      kind: 'done',
      done: [],
      failed: [],
      webhookId: first.webhookId,
    });
    expect([done(), shown.join()]).toEqual([[], expect.stringMatching(/^Nothing to do/)]);
    // A route that is not named again is not forgotten either.
    await runSync({ ...options, messageRoutes: [], ask: never });
    expect(await store.accepted()).toEqual([before]);
  });

  it('repairs what somebody changed at the platform, and only that', async () => {
    const store = registrations();
    const { shown, done, options } = setUp(HERE, store);
    const { webhookId } = await runSync(options);
    done();
    await client.post('/v1.0/webhook/update', { WebhookId: webhookId, WebhookUrl: 'https://thief.example.com/x' });
    shown.length = 0;
    expect(await runSync({ ...options, ask: async () => false })).toMatchObject({ kind: 'declined' });
    expect([done(), shown]).toEqual([[], [expect.stringContaining('it delivers to https://thief.example.com/x')]]);
    await runSync(options);
    expect(done()).toEqual(['webhook_update']);
    await client.post('/v1.0/message/routes/update', {
      MessageRouteId: MRID,
      CallbackMessageUrl: 'https://thief.example.com/x',
    });
    await runSync({ ...options, messageRoutes: [] });
    expect(done()).toEqual(['message_routes_update']);
    await client.post('/v1.0/webhook/delete', { WebhookId: webhookId });
    await runSync(options);
    expect(done()).toEqual(['webhook_create']);
    expect(await store.accepted()).toHaveLength(1);
  });

  it('stops where the webhook cannot be made, and keeps old credentials while a route may use them', async () => {
    const store = registrations();
    const { done, options } = setUp(HERE, store);
    await runSync(options);
    const failing = (what: string) => async (operation: string, input: Record<string, unknown>) => {
      if (operation === what) throw new Error('the platform refused');
      return options.perform(operation, input);
    };
    done();
    expect(await runSync({ ...options, force: true, perform: failing('webhook_update') })).toMatchObject({
      kind: 'failed',
      done: [],
    });
    expect(done()).toEqual([]);
    const partly = await runSync({ ...options, force: true, perform: failing('message_routes_update') });
    expect(partly).toMatchObject({ kind: 'failed', failed: [{ reason: 'the platform refused' }] });
    expect(await store.accepted()).toHaveLength(3);
    done();
    expect(await runSync(options)).toMatchObject({ kind: 'done', webhookId: partly.webhookId });
    expect(done()).toEqual(['message_routes_update']);
    expect(await store.accepted()).toHaveLength(1);
  });
});
