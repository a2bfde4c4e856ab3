import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openRegistrations } from '../../src/events/registrations.ts';
import { planSync, runSync, type SyncRequest } from '../../src/events/sync.ts';
import { createSeal } from '../../src/gate/ledger/seal.ts';
import { SqliteStore } from '../../src/store/sqlite.ts';
import { events as EVENTS } from '../../tools/webhook/create.ts';
import { Client, MRID, NOON, ORDER, seeded } from '../demo/sandbox/helper.ts';
import { FakeClock, scratch, serve, tempInbox } from './support.ts';

const OPERATIONS = {
  createWebhook: 'webhook_create',
  deleteWebhook: 'webhook_delete',
  updateMessageRoute: 'message_routes_update',
};
const PATHS: Record<string, string> = {
  webhook_create: '/v1.0/webhook/create',
  webhook_delete: '/v1.0/webhook/delete',
  message_routes_update: '/v1.0/message/routes/update',
};

function registrations() {
  const path = join(scratch(), 'registrations.db');
  const clock = new FakeClock();
  const store = new SqliteStore({ file: () => path, clock });
  const opened = openRegistrations({ database: store.database('events'), seal: createSeal(randomBytes(32)), clock });
  onTestFinished(() => store.close());
  return Object.assign(opened, { path });
}

describe('the plan', () => {
  const request: SyncRequest = {
    url: 'https://sb.example.com/base/',
    operations: OPERATIONS,
    events: EVENTS,
    messageRoutes: [MRID, MRID],
    credentials: { username: 'u', password: 'p' },
  };

  it('makes the webhook first, points the routes, and deletes the old one last', () => {
    const steps = planSync({ ...request, replaces: { webhookId: 'WID-old' }, accountId: 'AID-1' });
    expect(steps.map((step) => step.operation)).toEqual(['webhook_create', 'message_routes_update', 'webhook_delete']);
    expect(steps[0]?.input).toMatchObject({
      WebhookUrl: 'https://sb.example.com/base/events/platform',
      SubscribedEvents: EVENTS.join(','),
      AuthenticationType: 'Basic',
      AuthenticationPassword: 'p',
      AccountId: 'AID-1',
    });
    expect(steps[1]?.input).toMatchObject({
      MessageUrl: 'https://sb.example.com/base/events/messages',
      CallbackMessageUrl: 'https://sb.example.com/base/events/message-status',
    });
    expect(steps[2]?.input).toEqual({ WebhookId: 'WID-old' });
  });

  it.each([
    ['plain http', { url: 'http://sb.example.com' }],
    ['no URL', { url: 'sb.example.com' }],
    ['credentials in it', { url: 'https://a:b@sb.example.com' }],
    ['a query', { url: 'https://sb.example.com/?a=1' }],
    ['too long', { url: `https://sb.example.com/${'x'.repeat(230)}` }],
    ['no events', { events: [] }],
    ['too many events', { events: Array.from({ length: 50 }, (_, n) => `Event_${n}`) }],
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

  function setUp(url: string, store: ReturnType<typeof registrations>) {
    const shown: string[] = [];
    const sent: { operation: string; input: Record<string, unknown> }[] = [];
    const options = {
      url,
      operations: OPERATIONS,
      events: EVENTS,
      messageRoutes: [MRID],
      registrations: store,
      platform: client.sandbox.url,
      show: (lines: readonly string[]) => void shown.push(...lines),
      ask: async () => true,
      perform: async (operation: string, input: Record<string, unknown>) => {
        sent.push({ operation, input });
        const { status, body, text } = await client.post(PATHS[operation] ?? '', input);
        if (status !== 200) throw new Error(text);
        return body as Record<string, unknown>;
      },
    };
    return { shown, sent, options };
  }

  it('registers us with credentials that are sealed, and its deliveries come in; one that is forced replaces it', async () => {
    const store = registrations();
    const inbox = tempInbox();
    const { url } = await serve({ inbox, registered: () => store.accepted() });
    const { shown, sent, options } = setUp(url, store);
    const first = await runSync(options);
    expect(first).toMatchObject({ kind: 'done', failed: [] });
    const password = String(sent[0]?.input.AuthenticationPassword);
    expect(password.length).toBeGreaterThanOrEqual(32);
    expect(shown.join()).not.toContain(password);
    for (const suffix of ['', '-wal']) expect(readFileSync(store.path + suffix).includes(password)).toBe(false);

    const second = await runSync({ ...options, force: true });
    expect(second.kind).toBe('done');
    expect(sent.map((one) => one.operation)).toEqual([
      'webhook_create',
      'message_routes_update',
      'webhook_create',
      'message_routes_update',
      'webhook_delete',
    ]);
    expect((await client.state()).webhooks.map((hook: { WebhookId: string }) => hook.WebhookId)).toEqual([
      second.webhookId,
    ]);
    expect(await store.accepted()).toHaveLength(1);
    await client.control('orders', { OrderId: ORDER, Status: 'Scheduled' });
    await client.control('inbound', { From: '+15550001111', To: seeded(1), Body: 'hello' });
    expect((await inbox.counts()).open).toBe(2);
    expect((await inbox.tallies()).filter((tally) => tally.what === 'refused')).toEqual([]);
  });

  it('does only what is missing or different, and asks for nothing where all of it stands', async () => {
    const store = registrations();
    const { sent, shown, options } = setUp('https://sb.example.com', store);
    const first = await runSync(options);
    const [before] = await store.accepted();
    sent.length = 0;
    shown.length = 0;
    const never = async (): Promise<boolean> => {
      throw new Error('there is nothing to ask');
    };
    expect(await runSync({ ...options, ask: never })).toEqual({
      kind: 'done',
      done: [],
      failed: [],
      webhookId: first.webhookId,
    });
    expect([sent, shown.join()]).toEqual([[], expect.stringMatching(/^Nothing to do/)]);

    const other = `${MRID.slice(0, -1)}9`;
    await runSync({
      ...options,
      messageRoutes: [MRID, other],
      perform: async (operation, input) => {
        sent.push({ operation, input });
        return {};
      },
    });
    expect(sent.map(({ operation }) => operation)).toEqual(['message_routes_update']);
    expect(await store.accepted()).toEqual([before]);

    sent.length = 0;
    await runSync({ ...options, url: 'https://other.example.com' });
    expect(sent.map(({ operation }) => operation)).toEqual([
      'webhook_create',
      'message_routes_update',
      'webhook_delete',
    ]);

    // Another platform has none of it, and nothing there is to be deleted.
    sent.length = 0;
    await runSync({ ...options, url: 'https://other.example.com', platform: 'https://new.example.com' });
    expect(sent.map(({ operation }) => operation)).toEqual(['webhook_create', 'message_routes_update']);
  });

  it('does nothing when the person says no', async () => {
    const store = registrations();
    const { sent, shown, options } = setUp('https://sb.example.com', store);
    expect(await runSync({ ...options, ask: async () => false })).toMatchObject({ kind: 'declined' });
    expect(shown).toHaveLength(2);
    expect(sent).toEqual([]);
    expect(await store.accepted()).toEqual([]);
  });

  it('stops where the webhook cannot be made, and keeps old credentials while a route may use them', async () => {
    const store = registrations();
    const { sent, options } = setUp('https://sb.example.com', store);
    await runSync(options);
    const failing = (what: string) => async (operation: string, input: Record<string, unknown>) => {
      if (operation === what) throw new Error('the platform refused');
      return options.perform(operation, input);
    };
    sent.length = 0;
    expect(await runSync({ ...options, force: true, perform: failing('webhook_create') })).toMatchObject({
      kind: 'failed',
      done: [],
    });
    expect(sent).toEqual([]);
    const partly = await runSync({ ...options, force: true, perform: failing('message_routes_update') });
    expect(partly).toMatchObject({ kind: 'failed', failed: [{ reason: 'the platform refused' }] });
    expect(await store.accepted()).toHaveLength(3);
    sent.length = 0;
    expect(await runSync(options)).toMatchObject({ kind: 'done', webhookId: partly.webhookId });
    expect(sent.map((one) => one.operation)).toEqual(['message_routes_update']);
    expect(await store.accepted()).toHaveLength(1);
    const left = await runSync({ ...options, force: true, perform: failing('webhook_delete') });
    expect(left.kind).toBe('failed');
    expect(await store.leftOver()).toMatchObject([{ webhookId: partly.webhookId }]);
    expect((await runSync({ ...options, force: true })).kind).toBe('done');
    expect(await store.accepted()).toHaveLength(2);
  });
});
