import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OrderShown } from '../cards/outcome.ts';
import { type Clock, LOG_AGAIN_MS } from '../lib/clock.ts';
import {
  CLOSING,
  foreign,
  fromLoopback,
  fromOtherOrigin,
  MAX_BODY,
  readBody,
  sameSecret,
  sendJson,
  UNSIGNED_BODY,
  UnreadBody,
} from '../lib/http.ts';
import type { Log } from '../lib/log.ts';
import { inSteps, levelOf, marks } from '../store/key-values.ts';
import type { Database, Queries, Transaction } from '../store/types.ts';
import { addJob, chunks, dropJobs, type Job, type Jobs } from '../work/jobs.ts';
import { type Endpoint, type EventKind, type OrderEvent, type PlatformEvent, parseDelivery } from './parse.ts';

/** The job that shows an event. Its payload has the id, as `event`. */
export const SHOW = 'event.show';
/** The job that reads the outcomes of unknown actions that a delivery receipt may settle. */
export const READ_OUTCOMES = 'event.outcomes';
export const EVENT_JOBS = [SHOW, READ_OUTCOMES] as const;

/** Content is erased from this many events per transaction, so that no transaction is long. */
const STEP = 100;
/** A longer text is neither a number nor an id. */
const MAX_NAME = 200;
export const KINDS: readonly EventKind[] = ['order', 'message', 'status', 'call', 'watch', 'unknown'];

/** The state of an order, as a read or an update showed it. */
export type OrderState = Pick<OrderShown, 'status' | 'message' | 'numbers'>;

/** An event in the inbox. */
export interface StoredEvent {
  id: number;
  event: PlatformEvent;
  /** The time of its last arrival, in epoch ms. */
  arrivedAt: number;
}

/** Filters the events that are read back. */
interface EventFilter {
  /** Epoch ms; events that arrived then or later are left out. */
  until?: number;
  kinds?: readonly EventKind[];
  /** Numbers and ids. An event matches if it is about all of them. */
  about?: readonly string[];
}

interface Row {
  id: number;
  key: string;
  subject: string;
  /** NULL once its content has been erased. */
  event: string | null;
  arrived_at: number;
}

/**
 * The platform's events. An event and the jobs that handle it are on the disk before its delivery is answered. It is
 * stored once even if it is sent several times. Events of one subject are shown in order of arrival.
 */
export class Inbox {
  readonly jobs: Jobs;
  /**
   * Counts since the start of this process, as Prometheus expects of each process: by what happened (`received`,
   * `repeated`, `handled`, `retried`, `waited`, `died`, `refused`), and by the kind of event or the reason of a refusal.
   */
  readonly counters = new Map<string, Map<string, number>>();
  readonly #clock: Clock;
  readonly #database: Database;

  /** @param options.clock the store's clock @param options.jobs the jobs of the same store */
  constructor({ database, clock, jobs }: { database: Database; clock: Clock; jobs: Jobs }) {
    this.jobs = jobs;
    this.#clock = clock;
    this.#database = database;
  }

  /** Resolves when the event is on the disk, to `repeat` if it had been received before. */
  async receive(event: PlatformEvent): Promise<'new' | 'repeat'> {
    const receipt = await this.#database.transaction((tx) => this.#store(tx, event));
    this.count(receipt === 'new' ? 'received' : 'repeated', event.kind);
    return receipt;
  }

  count(what: string, label: string): void {
    const counts = this.counters.get(what) ?? new Map<string, number>();
    this.counters.set(what, counts.set(label, (counts.get(label) ?? 0) + 1));
  }

  /** Marks an event as shown. `order` is the state in which its order was shown. */
  async settle(tx: Transaction, { id, event }: StoredEvent, order?: OrderState): Promise<void> {
    await tx.run('UPDATE events SET settled_at = ? WHERE id = ?', this.#clock.now(), id);
    if (order === undefined) return;
    const { status, message, numbers = [] } = order;
    const shown = { ...event, status, message, numbers };
    await tx.run('UPDATE events SET event = ? WHERE id = ?', JSON.stringify(shown), id);
    await addNames(tx, id, numbers);
  }

  /** The newest jobs on the dead list that handle events, newest first, with their events. */
  async dead(limit = 100): Promise<(Job & { stored: StoredEvent })[]> {
    const jobs = await this.jobs.dead(EVENT_JOBS, limit);
    const ids = jobs.map(eventOf);
    const rows = await this.#database.all<Row>(`SELECT * FROM events WHERE id IN (${marks(ids)})`, ...ids);
    const events = new Map(rows.map((row) => [row.id, fromRow(row)]));
    return jobs.flatMap((job) => {
      const stored = events.get(eventOf(job));
      return stored ? [{ ...job, stored }] : [];
    });
  }

  /** Gives these dead jobs up for good. Repeats of their events are not shown either. Resolves to their number. */
  async drop(ids: readonly number[]): Promise<number> {
    let dropped = 0;
    for (const some of chunks(ids))
      dropped += await this.#database.transaction(async (tx) => {
        const events = (await dropJobs(tx, some)).map(eventOf);
        const sql = `UPDATE events SET settled_at = ? WHERE settled_at IS NULL AND id IN (${marks(events)})`;
        await tx.run(sql, this.#clock.now(), ...events);
        return events.length;
      });
    return dropped;
  }

  /** The event that a job handles; undefined if its content is gone. */
  async eventOf(job: Job): Promise<StoredEvent | undefined> {
    const row = await this.#database.get<Row>('SELECT * FROM events WHERE id = ?', eventOf(job));
    return row && fromRow(row);
  }

  /**
   * Keeps the state of an order as a read showed it, if it is another one than the last that is known. Nobody is
   * notified of it, and a delivery of the same state is still shown.
   *
   * @param answered the state in the answer to the call that placed or changed the order
   */
  async keepRead(orderId: string, { status, message, numbers = [] }: OrderState, answered: string): Promise<void> {
    const subject = `order ${orderId}`;
    await this.#database.transaction(async (tx) => {
      if (isSame((await newestOrder(tx, subject)) ?? { status: answered, message }, { status, message })) return;
      const key = `read ${subject} ${this.#clock.now()}`;
      const event: OrderEvent = {
        ...{ kind: 'order', name: '', key, subject, orderId, status, message, numbers, fields: {} },
      };
      const id = await this.#add(tx, event, this.#clock.now());
      if (id !== undefined) await addNames(tx, id, [orderId, ...numbers]);
    });
  }

  /**
   * Events that arrived since `from` (epoch ms), oldest first. If there are more than `limit`, the newest ones are
   * returned.
   */
  async since(from: number, limit = 500, filter: EventFilter = {}): Promise<StoredEvent[]> {
    const { until = Number.MAX_SAFE_INTEGER, kinds = KINDS, about = [] } = filter;
    // The events of a name are few. SQLite reads them first if it cannot use the index of the kinds.
    const kind = about.length === 0 ? 'e.kind' : "(e.kind || '')";
    const rows = await this.#database.all<Row>(
      `SELECT e.* FROM events e WHERE ${kind} IN (${marks(kinds)}) AND e.arrived_at >= ? AND e.arrived_at < ?
         ${about.map(() => 'AND e.id IN (SELECT event FROM event_names WHERE value = ?)').join(' ')}
         ORDER BY e.arrived_at DESC, e.id DESC LIMIT ?`,
      ...[...kinds, from, until, ...about, limit],
    );
    return rows.reverse().map(fromRow);
  }

  /** The numbers of open and dead jobs that handle events, and when the oldest open one was added. */
  async counts(): Promise<{ open: number; dead: number; oldestOpenAt: number | undefined }> {
    const kinds = await this.jobs.counts(EVENT_JOBS);
    const oldest = kinds.flatMap(({ oldestAt }) => oldestAt ?? []);
    return {
      open: kinds.reduce((sum, { open }) => sum + Number(open), 0),
      dead: kinds.reduce((sum, { dead }) => sum + Number(dead), 0),
      oldestOpenAt: oldest.length === 0 ? undefined : Math.min(...oldest),
    };
  }

  /**
   * Erases the content of events that were settled before this time (epoch ms), some at a time. Their keys stay, so
   * that a repeat is recognized. Resolves to their number.
   */
  erase(before: number): Promise<number> {
    return inSteps(STEP, () =>
      this.#database.transaction(async (tx) => {
        const sql = `SELECT id FROM events WHERE event IS NOT NULL AND settled_at < ? ORDER BY settled_at LIMIT ?
          FOR UPDATE SKIP LOCKED`;
        const ids = (await tx.all<{ id: number }>(sql, before, STEP)).map(({ id }) => id);
        await tx.run(`DELETE FROM event_names WHERE event IN (${marks(ids)})`, ...ids);
        return tx.run(`UPDATE events SET event = NULL WHERE id IN (${marks(ids)})`, ...ids);
      }),
    );
  }

  async #store(tx: Transaction, event: PlatformEvent): Promise<'new' | 'repeat'> {
    const now = this.#clock.now();
    const id = await this.#add(tx, event);
    if (id === undefined) {
      if (event.kind === 'order') await this.#showAgain(tx, event, now);
      return 'repeat';
    }
    await addNames(tx, id, namesOf(event));
    await addJob(tx, showJob(id, event), now);
    if (event.kind === 'status') await addJob(tx, { kind: READ_OUTCOMES, payload: { event: id } }, now);
    return 'new';
  }

  /** Resolves to the id of the new row; undefined if there is one with the key of the event. */
  async #add(tx: Transaction, event: PlatformEvent, settledAt: number | null = null): Promise<number | undefined> {
    const { key, kind, subject } = event;
    const row = await tx.get<{ id: number }>(
      `INSERT INTO events (key, kind, subject, event, arrived_at, settled_at) VALUES (?, ?, ?, ?, ?, CAST(? AS BIGINT))
         ON CONFLICT (key) DO NOTHING RETURNING id`,
      ...[key, kind, subject, JSON.stringify(event), this.#clock.now(), settledAt],
    );
    return row?.id;
  }

  /**
   * Has a repeated update of an order shown again if the order is in another state by now: a corrected order passes the
   * same states a second time, and (order, status) is one key.
   */
  async #showAgain(tx: Transaction, event: OrderEvent, now: number): Promise<void> {
    // A state that was only read is not shown yet.
    const newest = await newestOrder(tx, event.subject, "AND key NOT LIKE 'read %'");
    if (newest === undefined || isSame(newest, event)) return;
    const row = await tx.get<{ id: number }>(
      'UPDATE events SET event = ?, arrived_at = ?, settled_at = NULL WHERE key = ? RETURNING id',
      ...[JSON.stringify(event), now, event.key],
    );
    if (row) await addJob(tx, showJob(row.id, event), now);
  }
}

function showJob(id: number, { subject }: PlatformEvent) {
  return { kind: SHOW, key: `${SHOW} ${id}`, subject, payload: { event: id } };
}

function eventOf({ payload }: Job): number {
  return Number(payload.event);
}

/** True if an update says nothing new about an order. */
function isSame(known: OrderState, { status, message }: OrderState): boolean {
  return known.status === status && (message === '' || known.message === message);
}

async function newestOrder(
  queries: Pick<Queries, 'get'>,
  subject: string,
  which = '',
): Promise<OrderState | undefined> {
  const row = await queries.get<Row>(
    `SELECT * FROM events WHERE kind = 'order' AND subject = ? AND event IS NOT NULL ${which}
       ORDER BY arrived_at DESC, id DESC LIMIT 1`,
    subject,
  );
  return row && (eventIn(row) as OrderEvent);
}

/** The numbers and ids that an event is about: its sender, its receivers, its order. The text of a message does not count. */
function namesOf(event: PlatformEvent): string[] {
  switch (event.kind) {
    case 'order':
      return [event.orderId];
    case 'message':
    case 'status':
      return [event.from, ...event.to, event.messageId];
    case 'call':
      return [event.from, event.to, event.callId];
    case 'watch':
      return [event.phone];
    default:
      return [];
  }
}

/** Makes an event findable under these names. */
async function addNames(queries: Queries, event: number, names: readonly string[]): Promise<void> {
  const sql = 'INSERT INTO event_names (value, event) VALUES (?, ?) ON CONFLICT DO NOTHING';
  for (const name of names) if (name !== '' && name.length <= MAX_NAME) await queries.run(sql, name, event);
}

function fromRow(row: Row): StoredEvent {
  return { id: row.id, event: eventIn(row), arrivedAt: row.arrived_at };
}

/** The event; without its content if that has been erased. */
function eventIn({ event, key, subject }: Row): PlatformEvent {
  return event === null
    ? { kind: 'unknown', name: '', key, subject, fields: {} }
    : (JSON.parse(event) as PlatformEvent);
}

/** The credentials that the platform presents: Basic, or a token as `Bearer` or `Token`. */
export type Credentials = { username: string; password: string } | { token: string };

export interface EventsOptions {
  config: { username?: string | undefined; password?: string | undefined; token?: string | undefined };
  inbox: Pick<Inbox, 'receive' | 'count'>;
  clock: Clock;
  log: Log;
  /** Credentials made by `webhooks sync`, accepted beside the configured ones. Read at every request. */
  registered?: () => Promise<readonly Credentials[]>;
  /**
   * Treats requests from this computer as requests of its user (`Config.local`). Otherwise every delivery without
   * credentials is refused, because a proxy on this computer may hide that it forwards.
   */
  local: boolean;
  /** True in the demo, which registers itself: programs on this computer may deliver without credentials. */
  demo?: boolean;
  /** Removes secret members before anything is written. */
  strip?: <T>(value: T) => T;
}

/** Why a delivery was refused. */
export const REFUSAL_REASONS = [
  ...(['credentials', 'method', 'too_large', 'slow', 'cut_off'] as const),
  ...(['content_type', 'unreadable', 'senseless', 'store'] as const),
] as const;

interface Refusal {
  status: number;
  reason: (typeof REFUSAL_REASONS)[number];
  message: string;
  headers?: Readonly<Record<string, string>>;
}

const NOT_STORED: Refusal = {
  status: 503,
  reason: 'store',
  message: 'The event could not be stored; deliver it again.',
  headers: { 'Retry-After': '5', ...CLOSING },
};

const PATHS = new Map<string, Endpoint>([
  ['/events/platform', 'platform'],
  ['/events/messages', 'messages'],
  ['/events/message-status', 'message-status'],
  ['/events/voice', 'voice'],
]);

/**
 * `/events/…`: checks the credentials, reads the body, writes the event to the inbox, then answers 200. The function
 * resolves to false for any other path than the four.
 */
export function eventsHttp({ config, inbox, clock, log, registered, local, demo, strip }: EventsOptions) {
  const { username, password, token } = config;
  const configured: Credentials[] = [];
  if (username !== undefined && password !== undefined) configured.push({ username, password });
  if (token !== undefined) configured.push({ token });
  /** When each reason was last logged. */
  const logged = new Map<string, number>();

  /** Writes the event to the inbox. Resolves to a refusal if it may not be. */
  const receive = async (request: IncomingMessage, endpoint: Endpoint): Promise<Refusal | undefined> => {
    const known = [...configured, ...((await registered?.()) ?? [])];
    const isOwnDemo = demo === true && configured.length === 0 && request.headers.authorization === undefined;
    const isOpen = known.length === 0 || isOwnDemo;
    const problem = isOpen ? strangerProblem(request, local) : credentialProblem(request, known);
    if (problem !== undefined) {
      const isLarge = !(Number(request.headers['content-length'] ?? 0) <= MAX_BODY);
      const headers = { 'WWW-Authenticate': 'Basic realm="events"', ...(isLarge ? CLOSING : {}) };
      return { status: 401, reason: 'credentials', message: problem, headers };
    }
    // A web page can make a browser GET any address, so a GET counts only with credentials.
    const allowed = isOpen ? ['POST'] : ['POST', 'PUT', ...(endpoint === 'platform' ? [] : ['GET'])];
    if (!allowed.includes(request.method ?? '')) {
      const message = `Deliveries come by ${allowed.join(' or ')}.`;
      return { status: 405, reason: 'method', message, headers: { Allow: allowed.join(', '), ...CLOSING } };
    }
    let body: Buffer;
    try {
      body = await readBody(request, { limit: MAX_BODY, within: { ...UNSIGNED_BODY.within, clock } });
    } catch (error) {
      if (!(error instanceof UnreadBody)) throw error;
      return { status: error.status, reason: error.reason, message: error.message, headers: CLOSING };
    }
    const header = request.headers['x-event'];
    const parsed = parseDelivery({
      endpoint,
      body,
      contentType: request.headers['content-type'],
      named: typeof header === 'string' ? header : undefined,
      ...(request.method === 'GET' && { query: new URL(request.url ?? '/', 'http://localhost').searchParams }),
    });
    if ('reason' in parsed) return { status: 400, ...parsed };
    await inbox.receive(strip ? strip(parsed.event) : parsed.event);
    return undefined;
  };

  return async (request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean> => {
    const endpoint = PATHS.get(path);
    if (endpoint === undefined) return false;
    const refusal = await receive(request, endpoint).catch((error: unknown): Refusal => {
      log(levelOf(error, 'error'), { path, error: String(error) }, 'an event could not be kept');
      return NOT_STORED;
    });
    if (!refusal) {
      sendJson(response, 200, { received: true });
      return true;
    }
    const { status, reason, message, headers } = refusal;
    inbox.count('refused', reason);
    const now = clock.now();
    // A failure of the store was already logged with its cause.
    if (reason !== 'store' && now - (logged.get(reason) ?? Number.NEGATIVE_INFINITY) >= LOG_AGAIN_MS) {
      logged.set(reason, now);
      log('warn', { path, status, why: reason }, `a delivery was refused: ${message}`);
    }
    sendJson(response, status, { received: false, reason, message }, headers);
    return true;
  };
}

/** Without credentials, only this computer may deliver, and only if the server serves this computer alone. */
function strangerProblem(request: IncomingMessage, local: boolean): string | undefined {
  const isOwn = local && fromLoopback(request) && foreign(request, []) === undefined;
  if (isOwn && !fromOtherOrigin(request)) return undefined;
  const who = local ? 'only this computer may deliver' : 'nothing may deliver to a server that others can reach';
  return `No credentials are configured for events, so ${who}. Set EVENTS_USERNAME and EVENTS_PASSWORD, or EVENTS_TOKEN, or run: switchboard webhooks sync`;
}

/** Compares every accepted credential in full even after a match, so that the duration reveals nothing. */
function credentialProblem(request: IncomingMessage, accepted: readonly Credentials[]): string | undefined {
  const given = presented(request.headers.authorization);
  if (!given) return 'Credentials are missing: Basic or a token is needed in Authorization.';
  const textOf = (one: Credentials) => JSON.stringify('token' in one ? [one.token] : [one.username, one.password]);
  const matching = accepted.filter((one) => sameSecret(textOf(given), textOf(one)));
  return matching.length > 0 ? undefined : 'The credentials are not the configured ones.';
}

function presented(header = ''): Credentials | undefined {
  const [, scheme = '', value = ''] = /^(Basic|Bearer|Token) +(\S+) *$/i.exec(header) ?? [];
  if (value === '') return undefined;
  if (scheme.toLowerCase() !== 'basic') return { token: value };
  const [, username = '', password] = /^([^:]*):(.*)$/s.exec(Buffer.from(value, 'base64').toString('utf8')) ?? [];
  return password === undefined ? undefined : { username, password };
}
