import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { EVENT_JOBS, type EventsOptions, eventsHttp, Inbox, type OrderState } from '../../src/events/inbox.ts';
import { type PlatformEvent, parseDelivery } from '../../src/events/parse.ts';
import { type EventFeed, EventService } from '../../src/events/service.ts';
import { Watches } from '../../src/events/watches.ts';
import { createSeal } from '../../src/ledger/seal.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { SqliteStore } from '../../src/store/sqlite.ts';
import type { Database, Engine, Store } from '../../src/store/types.ts';
import { type Job, Jobs } from '../../src/work/jobs.ts';
import { Worker, type WorkerOptions } from '../../src/work/worker.ts';
import { FakeClock, START } from '../support/clock.ts';
import { listen } from '../support/ending.ts';
import { makeFolder } from '../support/folder.ts';
import { makeStore } from '../support/stores.ts';
import { until } from '../support/until.ts';

export { FakeClock, START, until };

export const ORDER_1 = 'JNUOID-00000000-0000-4000-8000-000000000001';

export type TempInbox = Inbox & { path: string; database: Database };

/** The inbox of a process on this store, which is closed before it. */
function inboxOf(store: Store) {
  const { clock } = store;
  const database = store.database('events');
  const inbox = new Inbox({ database, clock, jobs: new Jobs({ database, clock, owner: randomUUID() }) });
  return Object.assign(inbox, { database });
}

/** An inbox in an SQLite file. */
export function tempInbox(clock: Clock = systemClock, path = join(makeFolder(), 'switchboard.db')): TempInbox {
  const store = new SqliteStore({ path, clock });
  onTestFinished(() => store.close());
  return Object.assign(inboxOf(store), { path });
}

/** An empty inbox on this engine. `another`: of another process, with the first one's clock unless another is given. */
export async function engineInbox(engine: Engine, clock: Clock = systemClock) {
  const made = await makeStore(engine, clock);
  const another = async (own: Clock = clock) => inboxOf(await made.open(own));
  return { made, inbox: inboxOf(made.store), another };
}

/** Claims the jobs that are due. */
export function claimDue(inbox: Inbox, limit = 32): Promise<Job[]> {
  return inbox.jobs.claim(Object.fromEntries(EVENT_JOBS.map((kind) => [kind, limit])));
}

/** Ends a job that shows an event, as its handler would. */
export async function settle(inbox: Inbox, job: Job, order?: OrderState): Promise<void> {
  const stored = await inbox.eventOf(job);
  if (stored) await inbox.jobs.done(job, (tx) => inbox.settle(tx, stored, order));
}

type MadeWorker = Partial<Omit<WorkerOptions, 'jobs'>> & { inbox: TempInbox | (Inbox & { database: Database }) };

/** Makes a worker that shows the events of an inbox by these methods of a feed. Other kinds of events are not shown. */
export function worker(
  options: MadeWorker,
  feed: Partial<EventFeed> = {},
  readOrder: () => Promise<OrderState> = async () => ({ status: 'Submitted', message: '' }),
): Worker {
  const none = async () => undefined;
  const { inbox, clock = systemClock } = options;
  const log = () => undefined;
  const made = new Worker({ clock, log, ...options, jobs: inbox.jobs });
  const store = { database: () => inbox.database, clock };
  const perform = () =>
    readOrder().then(({ status, message }) => ({ kind: 'done', value: { Status: status, ErrorMessage: message } }));
  new EventService(
    {
      ...{ clock, log, store, worker: made, redactor: { strip: (value) => value }, seal: createSeal(randomBytes(32)) },
      config: { local: true, demo: false } as never,
      gate: { perform, readAbout: none, actions: { about: async () => [] }, notes: { merge: none } } as never,
      inbox: () => inbox,
      watches: () => new Watches({ database: inbox.database, clock }),
    },
    { order: none, message: none, status: none, call: none, watch: none, other: none, ...feed },
  );
  const receive = inbox.receive.bind(inbox);
  inbox.receive = async (event) => {
    const receipt = await receive(event);
    made.look();
    return receipt;
  };
  onTestFinished(() => made.stop());
  return made;
}

/** A loopback server with nothing but `/events/…`. */
export async function serve(options: Partial<EventsOptions> & Pick<EventsOptions, 'inbox'>) {
  const handle = eventsHttp({ config: {}, local: true, clock: systemClock, log: () => undefined, ...options });
  const server = createServer((request, response) => {
    void handle(request, response, (request.url ?? '/').split('?')[0] ?? '/').then((ours) => {
      if (!ours) response.writeHead(404).end();
    });
  });
  const url = await listen(server);
  return { port: Number(new URL(url).port), url };
}

export function event(fields: Record<string, unknown>, named?: string): PlatformEvent {
  const parsed = parseDelivery({
    endpoint: 'platform',
    body: Buffer.from(JSON.stringify(fields)),
    contentType: 'application/json',
    named,
  });
  if (!('event' in parsed)) throw new Error(parsed.message);
  return parsed.event;
}

export const order = (Status: string, OrderId = ORDER_1, ErrorMessage = '') => event({ OrderId, Status, ErrorMessage });
export const sms = (n: number, From = '+15550001111') =>
  event({ MessageId: `TMID-${n}`, Direction: 'INBOUND', From, To: '+12015550101', Body: `text ${n}` });
