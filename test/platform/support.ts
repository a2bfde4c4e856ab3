import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect } from 'vitest';
import { type ErrorFace, faceOf as wordsOf } from '../../src/language/outcome.ts';
import { SwitchboardError } from '../../src/lib/errors.ts';
import type { Client } from '../../src/platform/client.ts';
import { createClient } from '../../src/platform/client.ts';
import type { ClientOptions, Request } from '../../src/platform/wire.ts';
import { storeUnavailable } from '../../src/store/key-values.ts';
import type { Database } from '../../src/store/types.ts';
import { FakeClock, START } from '../support/clock.ts';
import { cpuTime } from '../support/cpu.ts';
import { atEnd, listen } from '../support/ending.ts';
import { until } from '../support/until.ts';

export { FakeClock, START, until };
export const SECRET = 'hunter2-account-secret';

export interface Hit {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
}

export interface Scripted {
  status?: number;
  body?: unknown;
  text?: string;
  headers?: Record<string, string>;
}
/** An answer, "cut" for a connection that ends without one, "hang" for none at all, or anything by hand. */
export type Step = Scripted | 'cut' | 'hang' | ((req: IncomingMessage, res: ServerResponse) => void);

export interface Upstream {
  url: string;
  /** Requests that arrived, token requests left out. */
  hits: Hit[];
  tokens: Hit[];
  /** Answers to come for calls; then 200 {"ok":true}. */
  script: Step[];
  /** Answers to come for token requests; then a token that holds for an hour. */
  tokenScript: Step[];
  /** Connections are refused from now on. */
  stop(): Promise<void>;
  /** Listens again on the same port. */
  restart(): Promise<void>;
}

export async function upstream(clock: FakeClock): Promise<Upstream> {
  const up: Upstream = {
    url: '',
    hits: [],
    tokens: [],
    script: [],
    tokenScript: [],
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
    restart: () => new Promise((resolve) => server.listen(Number(new URL(up.url).port), '127.0.0.1', resolve)),
  };
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('error', () => undefined);
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { method = '', url = '', headers } = req;
      const forToken = url.endsWith('/oauth2/tokens');
      const list = forToken ? up.tokens : up.hits;
      list.push({ method, url, headers, body: Buffer.concat(chunks).toString(), at: clock.now() });
      const usual: Scripted = forToken ? { body: tokenAnswer(up.tokens.length, clock.now()) } : { body: { ok: true } };
      play((forToken ? up.tokenScript : up.script).shift() ?? usual, req, res);
    });
  });
  up.url = await listen(server);
  return up;
}

function play(step: Step, req: IncomingMessage, res: ServerResponse): void {
  if (step === 'hang') return;
  if (step === 'cut') req.socket.destroy();
  else if (typeof step === 'function') step(req, res);
  else {
    res.writeHead(step.status ?? 200, { 'content-type': 'application/json', ...step.headers });
    res.end(step.text ?? (step.body === undefined ? '' : JSON.stringify(step.body)));
  }
}

export function tokenAnswer(n: number, now: number, seconds = 3600): Record<string, unknown> {
  return { token: `opaque-token-${n}`, successful: true, tokenExpiry: platformTime(now + seconds * 1000) };
}

/** MM/DD/YYYY hh:mm:ss AM/PM in UTC. */
export function platformTime(at: number): string {
  const [date = '', time = ''] = new Date(at).toISOString().split('T');
  const [year, month, day] = date.split('-');
  const hour = Number(time.slice(0, 2));
  const shown = String(hour % 12 === 0 ? 12 : hour % 12).padStart(2, '0');
  return `${month}/${day}/${year} ${shown}${time.slice(2, 8)} ${hour < 12 ? 'AM' : 'PM'}`;
}

export function makeClient(clock: FakeClock, baseUrl: string, options: Partial<ClientOptions> = {}): Client {
  const client = createClient({
    baseUrl,
    accountKey: 'DID-key',
    accountSecret: SECRET,
    timeZone: 'UTC',
    requestsPerMinute: 120,
    timeoutMs: 30_000,
    clock,
    jitter: 0,
    ...options,
  });
  atEnd(() => client.close());
  return client;
}

/** A platform and a client of it, by a clock of the test. */
export async function opened(options: Partial<ClientOptions> = {}) {
  const clock = new FakeClock();
  const up = await upstream(clock);
  return { clock, up, client: makeClient(clock, up.url, options) };
}

export function call(clock: FakeClock, over: Partial<Request> = {}): Request {
  const defaults = { path: '/v1.0/thing', input: {}, priority: 'assistant' } as const;
  return { method: 'GET', read: true, resend: true, deadline: clock.now() + 600_000, ...defaults, ...over };
}

export const CHANGE = { method: 'POST', read: false, resend: false } as const;
export const AGAIN = { method: 'POST', read: false, resend: true } as const;
export const READ = { method: 'GET', read: true, resend: true } as const;

/** Returns the face of the error with which a call failed. */
export async function faceOf(promise: Promise<unknown>): Promise<ErrorFace> {
  const error = await promise.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SwitchboardError);
  return wordsOf((error as SwitchboardError).face, 'assistant');
}

/** Rounds of a turn: each runs the timers that are due at once, and what follows from them. */
const ROUNDS = 3;
/** Passes of the event loop in a round: many more than a round trip on loopback within one process takes. */
const PASSES = 30;
/** A query that has not ended after this long waits for a timer of the test's own clock, which is frozen. */
const LONGEST_QUERY_MS = 1_000;

/** Queries of watched databases that have not ended. */
let queries = 0;

/** The same database; `turn` waits for its queries, which take as long as another process does. */
export function watched(database: Database): Database {
  const counted = async <T>(query: Promise<T>): Promise<T> => {
    queries += 1;
    try {
      return await query;
    } finally {
      queries -= 1;
    }
  };
  return {
    engine: database.engine,
    ready: () => counted(database.ready()),
    run: (...query) => counted(database.run(...query)),
    get: (...query) => counted(database.get(...query)),
    all: (...query) => counted(database.all(...query)),
    transaction: (work) => counted(database.transaction(work)),
    onOtherWrites: (listener) => database.onOtherWrites(listener),
  };
}

/** The database, whose transactions fail while it is away. */
export function unlessAway(database: Database, isAway: () => boolean): Database {
  return {
    engine: database.engine,
    ready: () => database.ready(),
    run: (...query) => database.run(...query),
    get: (...query) => database.get(...query),
    all: (...query) => database.all(...query),
    transaction: async (work) => {
      if (isAway()) throw storeUnavailable(new Error('the test stopped it'));
      return database.transaction(work);
    },
    onOtherWrites: (listener) => database.onOtherWrites(listener),
  };
}

/**
 * Lets everything happen that can without moving the clock. Counts passes of the event loop, not milliseconds, so that a
 * busy machine takes longer and comes as far.
 */
export async function turn(): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    for (let pass = 0; pass < PASSES; pass += 1) await new Promise(setImmediate);
    const end = performance.now() + LONGEST_QUERY_MS;
    while (queries > 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Lets everything happen that can without time moving, also over several processes. */
export async function settle(): Promise<void> {
  for (let n = 0; n < 5; n += 1) await turn();
}

/** A step that answers when it is told to. `came`: true once its request has arrived. */
export function held(status = 200, body: unknown = { ok: true }, headers: Record<string, string> = {}) {
  let response: ServerResponse | undefined;
  const step: Step = (_request, given) => {
    response = given;
  };
  const came = () => response !== undefined;
  return { step, came, answer: () => void response?.writeHead(status, headers).end(JSON.stringify(body)) };
}

/** Steps after something happened, in which its effects may still come to an end. */
const EFFECT_STEPS = 10;
/** Further steps between two looks at whether something happened after all. */
const IDLE_STEPS = 20;

/** Moves a clock step by step. Nothing happens while no timer runs, so most steps without one are not waited for. */
export class Stepper {
  readonly #clock: FakeClock;
  readonly #progress: () => number;
  #idle = 0;
  #seen = -1;

  /** @param progress counts what happens, so that time does not go on in the midst of it */
  constructor(clock: FakeClock, progress: () => number = () => 0) {
    this.#clock = clock;
    this.#progress = progress;
  }

  /** True if there is something to wait for after the step. */
  step(ms: number): boolean {
    const seen = this.#progress();
    const isStill = this.#clock.advance(ms) === 0 && seen === this.#seen;
    this.#seen = seen;
    this.#idle = isStill ? this.#idle + 1 : 0;
    return this.#idle < EFFECT_STEPS || this.#idle % IDLE_STEPS === 0;
  }
}

/** Far longer than any call may wait, by the test's clock. */
const LONGEST_DRIVE_MS = 3 * 3_600_000;

/** Lets time pass step by step until a promise settles. */
export async function drive<T>(
  clock: FakeClock,
  promise: Promise<T>,
  stepMs = 1000,
  progress?: () => number,
): Promise<T> {
  let done = false;
  const end = () => {
    done = true;
  };
  promise.then(end, end);
  const stop = clock.now() + LONGEST_DRIVE_MS;
  const stepper = new Stepper(clock, progress);
  await turn();
  while (!done && clock.now() < stop) if (stepper.step(stepMs)) await turn();
  if (!done) throw new Error('it never settled');
  return promise;
}

/** The longest time the event loop stood still while `work` and what follows from it ran, in ms of processor time. */
export async function longestBlock(work: () => void, ended: () => boolean | Promise<boolean>): Promise<number> {
  await new Promise(setImmediate);
  let longest = 0;
  let last = cpuTime();
  work();
  do {
    await new Promise(setImmediate);
    longest = Math.max(longest, cpuTime() - last);
    last = cpuTime();
  } while (!(await ended()));
  return longest;
}

/** A clock whose timers cost nothing: 10,000 of them are set, and none of them is to fire. */
export class StillClock extends FakeClock {
  override setTimeout(run: () => void, ms: number): unknown {
    return ms > 100_000 ? undefined : super.setTimeout(run, ms);
  }
}
