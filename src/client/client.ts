import { Pool } from 'undici';
import { asSwitchboardError, SwitchboardError } from '../errors.ts';
import { VERSION } from '../version.ts';
import { noAnswer, type Raw, refusal, retryAfterSeconds, success, type Told } from './answer.ts';
import { cancelled, createLane, type Lane } from './budget.ts';
import { createTokens, type Token } from './tokens.ts';
import type { Answer, Client, ClientOptions, Priority, Request } from '../platform/types.ts';
import { createMemoryWindow } from './window.ts';

const TOKEN_PATH = '/v1.0/oauth2/tokens';
const MINUTE_MS = 60_000;
const MAX_BYTES = 8 * 1024 * 1024;
/** platform.md, Retry guidance: from 1 s, doubling, at most 30 s. */
const RETRIES = 4;
const RETRY_STATUS = new Set([408, 429, 500, 503, 504]);
/** Refusals that say nothing was done, whatever the operation (design, rule 3). */
const NOTHING_DONE = new Set([429, 503]);
/** Failures before a connection existed: nothing can have arrived. */
const NEVER_LEFT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

interface Attempt {
  method: 'GET' | 'POST';
  path: string;
  input: Record<string, unknown>;
  token: string | undefined;
  /** A connection of its own, so that an idle one the platform just closed cannot make the outcome unknown. */
  once: boolean;
  signal?: AbortSignal;
}

class Cut extends Error {
  readonly reason: 'network' | 'timeout';
  readonly left: boolean;
  constructor(reason: 'network' | 'timeout', left: boolean, message: string) {
    super(message);
    this.reason = reason;
    this.left = left;
  }
}

/** The one way to the platform: tokens, budget, retries and errors live behind `send`. */
export function createClient(options: ClientOptions): Client {
  const { clock } = options;
  const random = options.random ?? Math.random;
  const log = options.log ?? (() => undefined);
  const base = options.baseUrl.replace(/\/+$/, '');
  const origin = new URL(base).origin;
  const prefix = new URL(base).pathname.replace(/\/$/, '');
  const pool = new Pool(origin, { connections: 32 });
  const fresh = new Pool(origin, { connections: 32, pipelining: 0 });
  const window = options.window ?? createMemoryWindow(clock);
  const lane = (name: string, limit: number, spacing: number) =>
    createLane({ name, limit, holdMs: options.timeoutMs + spacing, window, clock });
  const shared = lane('shared', options.requestsPerMinute, MINUTE_MS);
  // platform.md, Limits: provision and port-in at one a second, separate from the 120 a minute.
  const lanes: Record<'provision' | 'portin', Lane> = {
    provision: lane('provision', 1, 1000),
    portin: lane('portin', 1, 1000),
  };
  // The best priority of those who wait for a token decides when it is fetched.
  const wanted = new Map<string, { priority: Priority; deadline: number; onWait?: Request['onWait'] }>();
  const tokens = createTokens({ clock, timeZone: options.timeZone, fetch: fetchToken });

  async function fetchToken(endpoint: string): Promise<{ token: string; tokenExpiry: string }> {
    const { priority = 'assistant', deadline = clock.now() + 60_000, onWait } = wanted.get(endpoint) ?? {};
    const body = { AccountKey: options.accountKey, AccountSecret: options.accountSecret, ApiEndpoint: endpoint };
    const call: Request = {
      method: 'POST',
      path: TOKEN_PATH,
      input: body,
      read: true,
      resend: true,
      priority,
      deadline,
      ...(onWait ? { onWait } : {}),
    };
    try {
      const answer = await withRetries(call, base + TOKEN_PATH, undefined, shared);
      if (typeof answer.token !== 'string' || answer.token === '') {
        throw new SwitchboardError({
          code: 'server_error',
          message: 'The platform answered a token request without a token.',
          outcome: 'not_done',
        });
      }
      return { token: answer.token, tokenExpiry: typeof answer.tokenExpiry === 'string' ? answer.tokenExpiry : '' };
    } catch (error) {
      // No token was had, so the call it was for was never sent.
      const { face, detail } = asSwitchboardError(error);
      throw new SwitchboardError(
        { ...face, outcome: 'not_done' },
        { cause: error, ...(detail === undefined ? {} : { detail }) },
      );
    }
  }

  async function tokenFor(endpoint: string, call: Pick<Request, 'priority' | 'deadline' | 'signal' | 'onWait'>) {
    const present = wanted.get(endpoint);
    if (!present || (present.priority !== 'person' && call.priority === 'person')) {
      wanted.set(endpoint, {
        priority: call.priority,
        deadline: Math.max(call.deadline, present?.deadline ?? 0),
        ...(call.onWait ? { onWait: call.onWait } : {}),
      });
    }
    try {
      return await unlessAborted(tokens.get(endpoint), call.signal);
    } finally {
      wanted.delete(endpoint);
    }
  }

  async function send(call: Request): Promise<Answer> {
    const endpoint = base + call.path;
    let { token, fresh: isFresh } = await tokenFor(endpoint, call);
    const own = call.lane ? lanes[call.lane] : shared;
    try {
      return await withRetries(call, endpoint, token, own);
    } catch (error) {
      if (!(error instanceof SwitchboardError) || error.face.status !== 401) throw error;
      tokens.drop(endpoint, token);
      // platform.md: a token on its own endpoint that was just made and is refused will be refused again.
      if (isFresh) throw error;
      ({ token, fresh: isFresh } = await tokenFor(endpoint, call));
      return await withRetries(call, endpoint, token, own);
    }
  }

  async function withRetries(call: Request, endpoint: string, token: Token | undefined, own: Lane): Promise<Answer> {
    const secrets = [options.accountSecret, token?.value ?? '', ...(call.secrets ?? [])].filter(
      (value) => value.length >= 3,
    );
    const redact = (text: string) => secrets.reduce((kept, value) => kept.replaceAll(value, '«redacted»'), text);
    /** True once an earlier try of this very call may have arrived. */
    let doubt = false;
    for (let tried = 0; ; tried += 1) {
      const told = (maybe: boolean): Told => ({
        outcome: !call.read && (maybe || doubt) ? 'unknown' : 'not_done',
        endpoint,
        redact,
        now: clock.now(),
      });
      const place = await takePlace(call, own, told);
      const started = clock.now();
      let failure: SwitchboardError;
      let again: boolean;
      let floor: number | undefined;
      try {
        const raw = await attempt({
          method: call.method,
          path: call.path,
          input: call.input,
          token: token?.value,
          once: !call.resend,
          ...(call.read && call.signal ? { signal: call.signal } : {}),
        });
        place.free(own === shared ? MINUTE_MS : 1000);
        log(
          'debug',
          { method: call.method, path: call.path, status: raw.status, ms: clock.now() - started, tried },
          'platform answered',
        );
        if (raw.status >= 200 && raw.status < 300) return success(raw, told(true));
        const maybe = RETRY_STATUS.has(raw.status) ? !NOTHING_DONE.has(raw.status) : raw.status > 500;
        failure = refusal(raw, told(maybe));
        floor = retryAfterSeconds(raw.retryAfter, clock.now());
        again = RETRY_STATUS.has(raw.status) && (call.resend || NOTHING_DONE.has(raw.status));
        if (maybe) doubt = true;
        if (raw.status === 429) own.pause(clock.now() + (floor ?? 1) * 1000);
      } catch (error) {
        if (error instanceof SwitchboardError) throw error;
        place.free(own === shared ? MINUTE_MS : 1000);
        if (!(error instanceof Cut)) throw error;
        if (call.signal?.aborted && call.read) throw cancelled();
        log(
          'warn',
          { method: call.method, path: call.path, reason: error.message, ms: clock.now() - started, tried },
          'platform did not answer',
        );
        failure = noAnswer(error.reason, error.message, told(error.left));
        again = call.resend || !error.left;
        if (error.left) doubt = true;
      }
      const waitMs = Math.max(backoff(tried), (floor ?? 0) * 1000);
      if (!again || tried >= RETRIES || clock.now() + waitMs > call.deadline) throw failure;
      call.onWait?.('retry', waitMs / 1000);
      await pause(waitMs, call.signal, failure);
    }
  }

  async function takePlace(call: Request, own: Lane, told: (maybe: boolean) => Told) {
    try {
      return await own.take({
        priority: call.priority,
        deadline: call.deadline,
        ...(call.signal ? { signal: call.signal } : {}),
        ...(call.onWait ? { onWait: (seconds: number) => call.onWait?.('rate_limit', seconds) } : {}),
      });
    } catch (error) {
      const { outcome } = told(false);
      if (outcome === 'not_done' || !(error instanceof SwitchboardError)) throw error;
      // An earlier try may have arrived: leaving the queue does not make that undone.
      throw new SwitchboardError({
        ...error.face,
        outcome,
        message:
          'The call was given up while it waited to be sent again. It may have been done: check before trying again.',
      });
    }
  }

  /** 1 s, doubling, at most 30 s; half of it at random, so that callers do not come back together. */
  function backoff(tried: number): number {
    const full = Math.min(30_000, 1000 * 2 ** tried);
    return full / 2 + (full / 2) * random();
  }

  function pause(ms: number, signal: AbortSignal | undefined, failure: SwitchboardError): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = clock.setTimeout(done, ms);
      function done() {
        signal?.removeEventListener('abort', gone);
        resolve();
      }
      function gone() {
        clock.clearTimeout(timer);
        reject(failure.face.outcome === 'unknown' ? failure : cancelled());
      }
      if (signal?.aborted) gone();
      else signal?.addEventListener('abort', gone, { once: true });
    });
  }

  async function attempt(what: Attempt): Promise<Raw> {
    const stop = new AbortController();
    let timedOut = false;
    const timer = clock.setTimeout(() => {
      timedOut = true;
      stop.abort();
    }, options.timeoutMs);
    const gone = () => stop.abort();
    what.signal?.addEventListener('abort', gone, { once: true });
    if (what.signal?.aborted) gone();
    try {
      const query = what.method === 'GET' ? queryOf(what.input) : '';
      const answer = await (what.once ? fresh : pool).request({
        method: what.method,
        path: `${prefix}${what.path}${query}`,
        headers: {
          accept: 'application/json',
          'user-agent': `switchboard/${VERSION}`,
          ...(what.method === 'POST' ? { 'content-type': 'application/json' } : {}),
          ...(what.token === undefined ? {} : { authorization: `Bearer ${what.token}` }),
        },
        body: what.method === 'POST' ? JSON.stringify(what.input) : null,
        signal: stop.signal,
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      const header = answer.headers['retry-after'];
      return {
        status: answer.statusCode,
        body: await readCapped(answer.body),
        retryAfter: Array.isArray(header) ? header[0] : header,
      };
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      if (timedOut) throw new Cut('timeout', true, `no answer within ${options.timeoutMs} ms`);
      throw new Cut('network', !NEVER_LEFT.has(code), `${code} ${message}`.trim());
    } finally {
      clock.clearTimeout(timer);
      what.signal?.removeEventListener('abort', gone);
    }
  }

  return {
    send,
    token: async (endpoint, call) => {
      const url = endpoint.startsWith('/') ? base + endpoint : endpoint;
      const { token } = await tokenFor(url, call);
      return { successful: true, tokenExpiry: token.tokenExpiry };
    },
    budget: () => ({ used: window.held('shared'), limit: options.requestsPerMinute, waiting: shared.waiting() }),
    close: async () => {
      await Promise.all([shared, lanes.provision, lanes.portin].map((one) => one.close()));
      await Promise.all([pool.destroy(), fresh.destroy()]);
    },
  };
}

async function readCapped(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`the answer is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function queryOf(input: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input))
    if (value !== undefined && value !== null) query.set(name, String(value));
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** A caller that goes away does not stop a token others wait for. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const gone = () => reject(cancelled());
    if (signal.aborted) gone();
    signal.addEventListener('abort', gone, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', gone));
  });
}
