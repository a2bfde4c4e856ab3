import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { beforeEach, expect } from 'vitest';
import { type ErrorFace, faceOf as wordsOf } from '../../src/language/outcome.ts';
import { SwitchboardError } from '../../src/lib/errors.ts';
import { type Client, createClient } from '../../src/platform/client.ts';
import type { ClientOptions, Request } from '../../src/platform/wire.ts';
import type { Engine } from '../../src/store/types.ts';
import { FakeClock } from '../support/clock.ts';
import { atEnd, listen } from '../support/ending.ts';
import { makeStore, type TestStore } from '../support/stores.ts';

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

/** What each test of `useProcesses` begins with. */
export let clock: FakeClock;
export let stores: TestStore;
export let up: Upstream;

/** Gives each test of a `describe` an empty store, a platform, and a clock for both. */
export function useProcesses(engine: Engine): void {
  beforeEach(async () => {
    clock = new FakeClock();
    stores = await makeStore(engine, clock);
    up = await upstream(clock);
  });
}

/** A platform that answers calls as the script says, and a client of it, by a clock of the test. */
export async function opened(options: Partial<ClientOptions> = {}, script: Step[] = []) {
  const clock = new FakeClock();
  const up = await upstream(clock);
  up.script = script;
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

/** A step that answers when it is told to. `came`: true once its request has arrived. */
export function held(status = 200, body: unknown = { ok: true }, headers: Record<string, string> = {}) {
  let response: ServerResponse | undefined;
  const step: Step = (_request, given) => {
    response = given;
  };
  const came = () => response !== undefined;
  return { step, came, answer: () => void response?.writeHead(status, headers).end(JSON.stringify(body)) };
}
