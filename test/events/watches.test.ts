import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { OrderState } from '../../src/events/inbox.ts';
import type { WatchEvent } from '../../src/events/parse.ts';
import type { EventFeed } from '../../src/events/service.ts';
import { planSync, Registrations, runSync, type SyncRequest } from '../../src/events/sync.ts';
import { checkWatches, EVERY_MS, Watches } from '../../src/events/watches.ts';
import type { Gate } from '../../src/gate/gate.ts';
import { createSeal } from '../../src/ledger/seal.ts';
import { SwitchboardError } from '../../src/lib/errors.ts';
import type { Fields } from '../../src/lib/values.ts';
import { SqliteStore } from '../../src/store/sqlite.ts';
import { Jobs } from '../../src/work/jobs.ts';
import { Worker } from '../../src/work/worker.ts';
import { operations } from '../../tools/index.ts';
import { events as EVENTS } from '../../tools/webhook/create.ts';
import { A1, A2, Client, MRID, NOON, ORDER, seeded } from '../demo/sandbox/helper.ts';
import { makeFolder } from '../support/folder.ts';
import { FakeClock, ORDER_1, order, serve, sms, tempInbox, worker } from './support.ts';

const A = '+12015550101';
const B = '+12015550103';
const LIMITS = { NotifyValue: 500, ThrottleValue: 800, LimitValue: 1000, ValueUnit: 'MB' };
type Row = Record<string, unknown>;

/** A platform that answers from `usage`, and notes the requests. */
function lookout() {
  const clock = new FakeClock();
  const usage = new Map<string, Row>();
  const limits = new Map<string, Row>();
  const asked: { priority: string }[] = [];
  const gate: Pick<Gate, 'perform'> = {
    perform: async (operation, input, actor) => {
      const numbers = (input as { PhoneNumbers: { Number: string }[] }).PhoneNumbers.map((row) => row.Number);
      asked.push({ priority: actor.priority });
      if (numbers.some((number) => !usage.has(number)))
        throw new SwitchboardError({ code: 'not_found', message: 'Number not found', outcome: 'not_done' });
      const from = operation.endsWith('settings') ? limits : usage;
      const value = { PhoneNumbers: numbers.map((phone) => ({ Number: phone, ...from.get(phone) })) };
      return { kind: 'done', value };
    },
  };
  const store = new SqliteStore({ path: ':memory:', clock });
  const watches = new Watches({ database: store.database('watches'), clock });
  const found: WatchEvent[] = [];
  let fails = false;
  const jobs = new Jobs({ database: store.database('ledger'), clock, owner: randomUUID() });
  const worker = new Worker({ jobs, clock, log: () => undefined });
  const checker = checkWatches({
    watches,
    worker,
    gate,
    found: async (event) => {
      found.push(event);
      if (fails) throw new Error('stopped here');
    },
    clock,
    log: () => undefined,
  });
  onTestFinished(async () => {
    await checker.close();
    await worker.stop();
    await store.close();
  });
  const set = (phone: string, Used: string, CurrentBehavior = 'Active', Status = 'ACTIVE') => {
    usage.set(phone, { Used, Remaining: '', CurrentBehavior, Status });
    limits.set(phone, LIMITS);
  };
  return {
    clock,
    watches,
    found,
    asked,
    worker,
    set,
    limits,
    forget: (phone: string) => usage.delete(phone),
    failing: (yes: boolean) => {
      fails = yes;
    },
    pass: (ms: number) => clock.pass(ms, () => worker.idle()),
  };
}

/** A lookout over numbers with this usage, which has looked once. */
async function watching(phones: string[], ...usage: [used: string, behaviour?: string]) {
  const l = lookout();
  for (const phone of phones) {
    l.set(phone, ...usage);
    await l.watches.add(phone, 'cli:ana');
  }
  l.worker.start();
  await l.pass(EVERY_MS);
  return l;
}

it('tells of each threshold once as it is crossed, of a new month, and of a state', async () => {
  const l = await watching([A], '100 MB');
  await l.watches.add(A, 'mcp:http');
  expect(l.found).toEqual([]);
  expect(l.asked.every(({ priority }) => priority === 'background')).toBe(true);
  const steps: [string, string, string, string?][] = [
    ['500 MB', 'Active', 'has reached its notify threshold'],
    ['0.7 GB', 'Active', ''],
    ['900 MB', 'Throttled', 'has reached its throttle threshold'],
    ['1.2 GB', 'Limited', 'has reached its data limit'],
    ['1.3 GB', 'Limited', ''],
    ['900 MB', 'Throttled', 'is below its data limit again'],
    ['0 B', 'Active', 'is below its data thresholds again'],
    ['0 B', 'Active', 'is suspended now (was active)', 'SUSPENDED'],
  ];
  for (const [used, behaviour, said, status] of steps) {
    const before = l.found.length;
    l.set(A, used, behaviour, status);
    await l.pass(EVERY_MS * 2);
    const found = l.found.slice(before).map((one) => one.found);
    expect([used, found]).toEqual([used, said === '' ? [] : [said]]);
  }
  const fields = { Used: '500 MB', ...LIMITS };
  expect(l.found[0]).toMatchObject({ phone: A, by: ['cli:ana', 'mcp:http'], fields });
  expect(new Set(l.found.map(({ key }) => key)).size).toBe(l.found.length);
});

it('tells of 80 % where no notify threshold is set, and at once of a number that is over it already', async () => {
  const l = lookout();
  l.set(A, '800 MB');
  l.limits.set(A, { NotifyValue: null, ThrottleValue: null, LimitValue: 1000 });
  await l.watches.add(A, 'cli:ana');
  l.worker.start();
  await l.pass(0);
  expect(l.found.map(({ found }) => found)).toEqual(['has used at least 80 % of its data limit']);
});

it('finds the number a list was refused for, tells of it, and goes on with the others', async () => {
  const l = await watching([A, B], '0 B');
  l.forget(B);
  await l.pass(EVERY_MS * 2);
  expect(l.found).toMatchObject([{ phone: B, found: 'cannot be read any more and is no longer watched' }]);
  expect((await l.watches.list()).map(({ phone }) => phone)).toEqual([A]);
  l.set(A, '1 GB', 'Limited');
  await l.pass(EVERY_MS);
  expect(l.found.at(-1)).toMatchObject({ phone: A, found: 'has reached its data limit' });
});

it('says a finding again under the same key where it stopped before noting it, so that the inbox keeps one', async () => {
  const l = await watching([A], '0 B');
  l.set(A, '600 MB');
  l.failing(true);
  await l.pass(EVERY_MS);
  l.failing(false);
  await l.pass(EVERY_MS);
  expect(l.found).toHaveLength(2);
  const inbox = tempInbox(l.clock);
  for (const [at, answer] of ['new', 'repeat'].entries())
    expect(await inbox.receive(l.found[at] as WatchEvent)).toBe(answer);
});

it('is a watch of its own when a number is watched anew: what it finds is told, whatever was found before', async () => {
  const l = await watching([A], '900 MB', 'Throttled');
  await l.watches.remove(A);
  await l.pass(EVERY_MS);
  await l.watches.add(A, 'cli:ana');
  await l.pass(EVERY_MS);
  expect(l.found.map(({ found }) => found)).toEqual(Array(2).fill('has reached its throttle threshold'));
  expect(new Set(l.found.map(({ key }) => key)).size).toBe(2);
});

it('ends by itself where the number is released for good, and says so', async () => {
  const l = await watching([A], '0 B');
  l.set(A, '0 B', 'Active', 'CANCELLED - PENDING DELETE');
  await l.pass(EVERY_MS);
  expect(await l.watches.list()).toHaveLength(1);
  l.set(A, '0 B', 'Active', 'CANCELLED');
  await l.pass(EVERY_MS);
  expect(l.found.map(({ found }) => found)).toEqual([
    'is cancelled - pending delete now (was active)',
    'is cancelled now (was cancelled - pending delete)',
  ]);
  expect(await l.watches.list()).toEqual([]);
});

const HERE = 'https://sb.example.com';

function registrations(clock = new FakeClock()) {
  const path = join(makeFolder(), 'registrations.db');
  const store = new SqliteStore({ path, clock });
  const opened = new Registrations(store, createSeal(randomBytes(32)));
  onTestFinished(() => store.close());
  return Object.assign(opened, { path, store });
}

const webhook = (more: Fields = {}): Fields => ({
  WebhookId: 'WID-1',
  WebhookUrl: `${HERE}/events/platform`,
  SubscribedEvents: EVENTS.join(', '),
  Method: 'POST',
  DataFormat: 'json',
  AuthenticationType: 'Basic',
  AuthenticationUsername: 'u',
  Active: true,
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
  const planFor = (webhooks: Fields[], more: Partial<SyncRequest> = {}) =>
    planSync({ ...request, registered: { webhooks, routes: [] }, ...more });
  const steps = (plan: ReturnType<typeof planSync>) => plan.map(({ operation, input }) => [operation, input.WebhookId]);

  it('makes the webhook first and then points the routes', () => {
    const routes = [{ MessageRouteId: MRID, RouteName: 'Main', MessageUrl: 'https://old.example.com' }];
    const url = 'https://sb.example.com/base/';
    const own = { url, accountId: 'AID-1', messageRoutes: [MRID, MRID], registered: { webhooks: [], routes } };
    const [first, second, ...more] = planSync({ ...request, ...own });
    expect([first?.operation, second?.operation, more]).toEqual(['webhook_create', 'message_routes_update', []]);
    expect(first?.input).toMatchObject({
      ...{ WebhookUrl: `${url}events/platform`, SubscribedEvents: EVENTS.join(','), AccountId: 'AID-1' },
      ...{ AuthenticationType: 'Basic', AuthenticationPassword: 'p' },
    });
    const CallbackMessageUrl = `${url}events/message-status`;
    expect(second?.input).toMatchObject({ MessageUrl: `${url}events/messages`, CallbackMessageUrl });
    expect(second?.why).toMatch(/“Main”.*https:\/\/old\.example\.com, is overwritten/);
  });

  it.each<[string, Fields, string]>([
    ['another address', { WebhookUrl: 'https://else.example.com/x' }, 'it delivers to https://else.example.com/x'],
    ['an event left out', { SubscribedEvents: EVENTS.slice(1).join(',') }, `it does not deliver ${EVENTS[0]}`],
    ['another method', { Method: 'PUT' }, 'it sends PUT'],
    ['another format', { DataFormat: 'xml' }, 'it sends xml'],
    ['other credentials', { AuthenticationUsername: 'somebody' }, 'it has other credentials'],
    ['no credentials', { AuthenticationType: 'None', AuthenticationUsername: '' }, 'it has other credentials'],
  ])('changes our webhook with %s in one step, which says so', (_what, differs, words) => {
    const plan = planFor([webhook(differs)], { made: ['WID-1'] });
    expect(steps(plan)).toEqual([['webhook_update', 'WID-1']]);
    expect(plan[0]?.why).toContain(words);
    expect(plan[0]?.input).toMatchObject({ WebhookUrl: `${HERE}/events/platform`, AuthenticationPassword: 'p' });
  });

  it('has nothing to do where everything stands, in any letter case', () => {
    const SubscribedEvents = ` ${EVENTS.join(', ').toUpperCase()} `;
    const same = { Method: 'post', DataFormat: 'JSON', SubscribedEvents };
    expect(planFor([webhook(same)])).toEqual([]);
    // The platform may leave out what is its default.
    expect(planFor([webhook({ ...same, DataFormat: null })])).toEqual([]);
  });

  it('leaves webhooks of others alone, and those of another account', () => {
    const crm = webhook({ WebhookId: 'WID-2', WebhookUrl: 'https://crm.example.com' });
    const others = [crm, webhook({ WebhookId: 'WID-3', AccountId: A2 })];
    expect(steps(planFor([...others, webhook({ AccountId: A1 })], { accountId: A1 }))).toEqual([]);
    expect(steps(planFor(others, { accountId: A1 }))).toEqual([['webhook_create', undefined]]);
  });

  it.each([
    ['plain http', { url: 'http://sb.example.com' }],
    ['no URL', { url: 'sb.example.com' }],
    ['credentials in it', { url: 'https://a:b@sb.example.com' }],
    ['a query', { url: 'https://sb.example.com/?a=1' }],
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
    expect(inbox.counters.get('refused')).toBeUndefined();
  });

  it('has its credentials accepted by another process at once', async () => {
    const seal = createSeal(randomBytes(32));
    const { store } = registrations();
    const [one, other] = [new Registrations(store, seal), new Registrations(store, seal)];
    const { url } = await serve({
      inbox: tempInbox(),
      config: { token: 'another-one' },
      registered: () => one.accepted(),
    });
    const credentials = { username: 'platform', password: 'right-horse' };
    const deliver = async () => {
      const Authorization = `Basic ${Buffer.from('platform:right-horse').toString('base64')}`;
      const headers = { Authorization, 'Content-Type': 'application/json' };
      const body = JSON.stringify({ OrderId: ORDER, Status: 'Scheduled', ErrorMessage: '' });
      return (await fetch(`${url}/events/platform`, { method: 'POST', headers, body })).status;
    };
    expect(await deliver()).toBe(401);
    await other.add({ url, accountId: undefined, platform: HERE, credentials });
    expect(await deliver()).toBe(200);
  });

  it('has nothing to do on a second run, and asks nothing', async () => {
    const store = registrations();
    const { shown, done, options } = setUp(HERE, store);
    const first = await runSync(options);
    const [before] = await store.accepted();
    done();
    shown.length = 0;
    const nothing = { kind: 'done', done: [], failed: [], webhookId: first.webhookId };
    expect(await runSync({ ...options, ask: never })).toEqual(nothing);
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
    const stopped = await runSync({ ...options, force: true, perform: failing('webhook_update') });
    expect([stopped, done()]).toMatchObject([{ kind: 'failed', done: [] }, []]);
    const partly = await runSync({ ...options, force: true, perform: failing('message_routes_update') });
    expect(partly).toMatchObject({ kind: 'failed', failed: [{ reason: 'the platform refused' }] });
    expect(await store.accepted()).toHaveLength(3);
    done();
    expect(await runSync(options)).toMatchObject({ kind: 'done', webhookId: partly.webhookId });
    expect(done()).toEqual(['message_routes_update']);
    expect(await store.accepted()).toHaveLength(1);
  });
});

/** A worker on a clock of the test, and an order whose state the test sets. */
function setUp(feed: Partial<EventFeed> = {}) {
  const clock = new FakeClock();
  const inbox = tempInbox(clock);
  const platform: { now: OrderState; reads: number; fail?: Error | undefined } = {
    now: { status: 'Submitted', message: '' },
    reads: 0,
  };
  const shown: string[] = [];
  const readOrder = async () => {
    platform.reads += 1;
    if (platform.fail) throw platform.fail;
    return platform.now;
  };
  const showOrder = async ({ status, message }: OrderState) =>
    void shown.push(`${status}${message && ` (${message})`}`);
  const made = worker({ inbox, clock }, { order: showOrder, ...feed }, readOrder);
  const rest = () => made.idle();
  const deliver = async (status: string, now: OrderState | undefined = undefined) => {
    if (now) platform.now = now;
    await inbox.receive(order(status));
    await clock.pass(10_000, rest);
  };
  return { clock, inbox, platform, made, shown, rest, deliver };
}

const at = (status: string, message = ''): OrderState => ({ status, message });

describe('order updates', () => {
  it('are a hint: the order is read and shown as it is', async () => {
    const { made, shown, deliver } = setUp();
    made.start();
    await deliver('Submitted', at('Submitted'));
    await deliver('Complete', at('Complete'));
    await deliver('Scheduled');
    expect(shown).toEqual(['Submitted', 'Completed', 'Completed']);
  });

  it('tell each step of an order that was rejected, corrected and rejected again', async () => {
    const { made, inbox, clock, shown, deliver } = setUp();
    made.start();
    await deliver('Submitted', at('Submitted'));
    await deliver('Rejected', at('Rejected', 'wrong PIN'));
    await deliver('Rejected');
    // A guide or a look-up read the corrected order before its update arrived.
    clock.advance(1_000);
    await inbox.keepRead(ORDER_1, at('Submitted'), '');
    await deliver('Submitted', at('Submitted'));
    await deliver('Rejected', at('Rejected', 'wrong name'));
    await deliver('Submitted', at('Submitted'));
    await deliver('Scheduled', at('Scheduled'));
    const rejected = ['Rejected (wrong PIN)', 'Submitted', 'Rejected (wrong name)'];
    expect(shown).toEqual(['Submitted', ...rejected, 'Submitted', 'Scheduled']);
  });

  it('wait for the platform when it cannot be read, without an end after ten attempts', async () => {
    const { clock, made, inbox, platform, shown, rest } = setUp();
    made.start();
    platform.fail = new SwitchboardError({ code: 'unavailable', message: 'down', outcome: 'not_done' });
    await inbox.receive(order('Submitted'));
    await clock.pass(3_600_000, rest);
    expect(await inbox.counts()).toMatchObject({ open: 1, dead: 0 });
    platform.fail = undefined;
    await clock.pass(300_000, rest);
    expect(shown).toEqual(['Submitted']);
  });
});

it('an event that fails is dead after ten attempts, and the next of its subject goes on', async () => {
  const { clock, inbox, made, rest } = setUp({
    message: async ({ messageId }) => {
      if (messageId === 'TMID-1') throw new Error('no such channel');
    },
  });
  made.start();
  await inbox.receive(sms(1));
  await inbox.receive(sms(2));
  await clock.pass(400_000, rest);
  expect((await inbox.counts()).open).toBe(2);
  await clock.pass(200_000, rest);
  const stored = { event: { messageId: 'TMID-1' } };
  expect(await inbox.dead()).toMatchObject([{ lastError: 'no such channel', stored }]);
  expect(inbox.counters.get('died')?.get('message')).toBe(1);
  // A repeat of a dead event is not shown, and not a second dead event.
  expect(await inbox.receive(sms(1))).toBe('repeat');
  expect(await inbox.counts()).toMatchObject({ open: 0, dead: 1 });
});
