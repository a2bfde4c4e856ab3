import { LONG_WAIT_MS, MINUTE_MS, POLL_MS, SECOND_MS, sleep } from '../lib/clock.ts';
import { type ErrorCode, SwitchboardError } from '../lib/errors.ts';
import { hider } from '../lib/hide.ts';
import type { Metric } from '../lib/http.ts';
import { Proxies } from '../lib/proxies.ts';
import { BoundedMap, defined, type Fields } from '../lib/values.ts';
import { VERSION } from '../lib/version.ts';
import { takenOver } from '../work/jobs.ts';
import { Lane, moreUrgent, type Place, type Want } from './budget.ts';
import { readMoment } from './dialect/readings.ts';
import {
  type Answer,
  type CallContext,
  type ClientOptions,
  cancelled,
  closing,
  errorOf,
  type FailedAttempt,
  MAX_RETRIES,
  type NoReply,
  notSent,
  outOfBudget,
  type Reply,
  type Request,
  readReply,
  requestMeasures,
  retryDelay,
  type Token,
  type TokenStore,
  wireTo,
} from './wire.ts';

const TOKEN_PATH = '/v1.0/oauth2/tokens';
/**
 * Time that a place stays taken after its answer began (PLATFORM.md, Limits). It is one millisecond more than the
 * period, because clocks that count whole milliseconds can make a period look that much longer than it was.
 */
const EXTRA_MS = 1;
/**
 * The longest time for all attempts of a read that the platform does not answer. The clients of assistants stop waiting
 * after a minute.
 */
const SILENT_MS = 55_000;
const BUSY_PROXY = [429, 503, 504];
/** Tokens of a call that the platform may refuse (401): they may be of other calls, which fetched them before. */
const MOST_REFUSALS = 3;

/** One exchange with the platform, from its first attempt to its last. */
interface Exchange {
  context: CallContext;
  /** With the query. */
  target: string;
  body?: string;
  lane: Lane;
  resend: boolean;
  want: Want;
  /** Undefined for a token request, which needs no token, and which nobody cancels or withdraws. */
  request?: Request;
}

/** For whom a request is sent, and until when. */
type Caller = Pick<Request, 'priority' | 'actor' | 'deadline' | 'signal'>;

/** Every request to the platform goes through this client: tokens, budget, retries and errors. */
class PlatformClient {
  readonly #options: ClientOptions;
  /** Without a slash at its end. */
  readonly #origin: string;
  readonly #wire: ReturnType<typeof wireTo>;
  readonly #lanes: Readonly<Record<'shared' | 'provision' | 'portin', Lane>>;
  readonly #closer = new AbortController();
  readonly #measures = requestMeasures();
  readonly #tokens: Tokens;

  /** Nothing is sent or opened before the first call. Throws if `baseUrl` is not a URL. */
  constructor(options: ClientOptions) {
    const { clock, timeoutMs, reachMs = timeoutMs, proxies = new Proxies() } = options;
    this.#options = options;
    this.#origin = new URL(options.baseUrl).origin;
    this.#wire = wireTo(this.#origin, { timeoutMs: Math.min(timeoutMs, reachMs), clock, proxies });
    const lane = (name: string, limit: number, ms: number) =>
      new Lane({ name, limit, periodMs: ms + EXTRA_MS }, options);
    this.#lanes = {
      shared: lane('shared', options.requestsPerMinute, MINUTE_MS),
      provision: lane('provision', 1, SECOND_MS),
      portin: lane('portin', 1, SECOND_MS),
    };
    this.#tokens = new Tokens(options);
  }

  /** Sends one call. Rejects with `SwitchboardError` only. */
  async send(request: Request): Promise<Answer> {
    const { method, path, read } = request;
    this.#check(request);
    const url = this.#endpointOf(path);
    const redact = request.redact ?? this.#redact;
    const post = method === 'POST';
    const tell: Request['onWait'] = (...why) => {
      try {
        request.onWait?.(...why);
      } catch {
        // An error in a caller's callback must not break the call.
      }
    };
    return this.#run({
      context: { method, path: path.split('?')[0] ?? path, url, read, redact },
      target: post ? path : withQuery(path, request.input),
      ...(post && { body: JSON.stringify(request.input) }),
      lane: this.#lanes[request.lane ?? 'shared'],
      resend: read || request.resend,
      request,
      want: {
        ...wantOf(request),
        onWait: (seconds) => tell('rate_limit', seconds),
        onRetry: (seconds, isBusy) => tell(isBusy ? 'busy' : 'retry', seconds),
      },
    });
  }

  /**
   * Ensures that a token for a full endpoint URL or a path is available, and returns what may be shown of it. `Warning`
   * is set if its expiry is past or unreadable, and says what to check.
   */
  async token(endpoint: string, caller: Caller) {
    this.#check(caller);
    const { token } = await this.#tokens.get(this.#endpointOf(endpoint), wantOf(caller), this.#askForToken);
    return { successful: true, tokenExpiry: token.tokenExpiry, ...defined({ Warning: token.doubt }) };
  }

  /** Places held in the last minute by all processes, the limit, and the calls that wait in this process. */
  async budget(): Promise<{ used: number; limit: number; waiting: number }> {
    const { shared } = this.#lanes;
    return { used: await shared.used(), limit: this.#options.requestsPerMinute, waiting: shared.waiting };
  }

  /** Counts of the requests of this process. */
  metrics(): Metric[] {
    return this.#measures.metrics();
  }

  async close(): Promise<void> {
    if (this.#closer.signal.aborted) return;
    this.#closer.abort();
    await Promise.all(Object.values(this.#lanes).map((lane) => lane.close()));
    await this.#wire.close();
  }

  /** Stored tokens and the account's secret, for redaction. */
  secrets(): string[] {
    return [this.#options.accountSecret, ...this.#tokens.values()];
  }

  /** Throws if the client is closed, the call was cancelled or its deadline has passed. */
  #check({ deadline, signal }: Caller): void {
    if (this.#closer.signal.aborted) throw closing();
    if (signal?.aborted) throw cancelled();
    if (deadline > this.#options.clock.now()) return;
    throw notSent('timeout', 'The time for this call was over before it was sent.', { next: 'Try again.' });
  }

  /** The full URL a token is for: without query or fragment. */
  #endpointOf(path: string): string {
    const url = /^https?:\/\//i.test(path) ? path : `${this.#origin}${path}`;
    return url.split(/[?#]/)[0] ?? url;
  }

  readonly #redact = (text: string, token?: string): string =>
    hider([...this.secrets(), ...(token === undefined ? [] : [token])])(text);

  readonly #askForToken: Ask = (url, want) => {
    const { accountKey, accountSecret } = this.#options;
    return this.#run({
      context: { method: 'POST', path: TOKEN_PATH, url, read: true, forToken: true, redact: this.#redact },
      target: TOKEN_PATH,
      body: JSON.stringify({ AccountKey: accountKey, AccountSecret: accountSecret, ApiEndpoint: url }),
      lane: this.#lanes.shared,
      resend: true,
      want,
    });
  };

  /** Retries until there is an answer or no further attempt is allowed. Rejects with `SwitchboardError` only. */
  async #run(exchange: Exchange): Promise<Answer> {
    const { clock, timeoutMs } = this.#options;
    const { context, want, request } = exchange;
    let retries = 0;
    let refusals = 0;
    let attempt = 0;
    // A token this request fetched itself.
    let own: Token | undefined;
    // True once an attempt had an unclear outcome: later attempts cannot rule out that the work was done.
    let maybeDone = false;
    let begun: number | undefined;
    // Epoch ms: earlier than the deadline for a read that the platform did not answer.
    let silentUntil = Number.POSITIVE_INFINITY;
    const until = () => Math.min(want.deadline, silentUntil);
    // True if the next attempt follows a pause.
    let paused = false;
    for (;;) {
      // A change that may have been done is no longer cancellable; the deadline still applies.
      const signal = maybeDone && !context.read ? undefined : want.signal;
      const doubted = (error: unknown) => {
        throw maybeDone ? afterDoubt(error, context) : error;
      };
      const queued = clock.now();
      const { token, fresh, place } = await this.#admit(exchange, signal, own).catch(doubted);
      if (fresh) own = token;
      paused ||= clock.now() - queued > LONG_WAIT_MS;
      await requireStill(request, place, paused && !maybeDone).catch(doubted);
      paused = false;
      attempt += 1;
      const started = clock.now();
      begun ??= started;
      let withdrawn = false;
      let isLate = false;
      const reply = await this.#wire.send({
        method: context.method === 'GET' ? 'GET' : 'POST',
        path: exchange.target,
        headers: {
          accept: 'application/json',
          'user-agent': `switchboard/${VERSION}`,
          ...(exchange.body !== undefined && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token.value}` }),
        },
        ...(exchange.body !== undefined && { body: exchange.body }),
        timeoutMs: context.read && !context.forToken ? Math.min(timeoutMs, Math.max(1, until() - started)) : timeoutMs,
        fresh: !exchange.resend,
        signal: context.read ? request?.signal : undefined,
        onArrived: (status) => place.used(status === undefined ? {} : { limited: status === 429 }),
        mayWrite: () => {
          isLate = !place.mayUse();
          withdrawn = request?.mayWrite?.() === false;
          return !isLate && !withdrawn;
        },
        onWritten: () => request?.onWritten?.(clock.now()),
      });
      const now = clock.now();
      this.#logAttempt(context, attempt, reply, now - started);
      if (withdrawn) throw maybeDone ? afterDoubt(takenOver(), context) : takenOver();
      paused = isLate;
      if (isLate) continue;
      // A refused token is no longer stored, so it is passed to the redaction here.
      const redact = (text: string) => context.redact(text, token?.value);
      const result =
        reply.kind === 'none' ? { failure: unanswered(reply, context) } : readReply(reply, now, redact, context.read);
      this.#measures.add('answer' in result ? 'ok' : result.failure.code, now - started);
      if ('answer' in result) return result.answer;
      const { failure } = result;
      const final = () => errorOf(failure, { ...context, redact }, maybeDone);

      if (failure.status === 401 && token !== undefined) {
        await this.#tokens.drop(context.url, token);
        own = undefined;
        refusals += 1;
        // One that another call fetched may have been refused since, so a token of this call is final.
        if (fresh || refusals === MOST_REFUSALS) throw final();
        continue;
      }
      if (!failure.certain) maybeDone = true;
      const delay = retryDelay(retries, failure.retryAfterMs, this.#options.jitter);
      if (failure.status === 429) exchange.lane.pause(delay);
      if (!failure.again || retries >= MAX_RETRIES || !(exchange.resend || failure.certain)) throw final();
      const isUnreached = reply.kind === 'none' && !reply.left && reply.why === 'network';
      if (isUnreached && now + delay > begun + (this.#options.reachMs ?? Number.POSITIVE_INFINITY)) throw final();
      const isSilent = reply.kind === 'none' && reply.why === 'timeout';
      if (isSilent && context.read && !context.forToken) silentUntil = begun + SILENT_MS;
      if (now + delay >= until() || this.#closer.signal.aborted) throw final();
      retries += 1;
      paused = true;
      const seconds = Math.max(1, Math.ceil(delay / 1000));
      // A 429 means that the limit is used up, which is not a failure of the platform, so it is reported as a wait.
      if (failure.status === 429) want.onWait?.(seconds);
      else want.onRetry?.(seconds, failure.status === 503);
      const awaited = maybeDone && !context.read ? undefined : want.signal;
      if (await sleep(clock, delay, [awaited, this.#closer.signal])) continue;
      if (!awaited?.aborted) throw final();
      throw maybeDone ? cancelled('Cancelled by the caller.') : cancelled();
    }
  }

  /**
   * Gets a token, if one is needed, and a place in the lane. `own` is a token this request fetched before; it is reused
   * even if its expiry is in the past. `fresh` is true if the token was fetched by this call.
   */
  async #admit(exchange: Exchange, signal: AbortSignal | undefined, own: Token | undefined) {
    const { clock } = this.#options;
    const { want, lane, context } = exchange;
    // A change that may have been done is not cancelled; a token request has no signal, and its deadline may change.
    if (!exchange.request) return { token: undefined, fresh: false, place: await lane.take(want) };
    const mine: Want = { ...want, signal };
    lane.refuse(mine);
    for (let refetched = false; ; refetched = true) {
      const { token, fresh } =
        own?.doubt === undefined
          ? await this.#tokens.get(context.url, mine, this.#askForToken)
          : { token: own, fresh: false };
      const place = await lane.take(mine);
      const now = clock.now();
      // A token whose expiry was already past on arrival is used anyway: another request would return the same.
      const cameExpired = token.expiresAt <= token.usableUntil;
      const usable = token.expiresAt > now || cameExpired || refetched;
      if (usable && want.deadline > now) return { token, fresh, place };
      place.unused();
      if (want.deadline <= now) throw outOfBudget(1000);
    }
  }

  #logAttempt({ method, path, forToken }: CallContext, attempt: number, reply: Reply | NoReply, ms: number): void {
    const status = reply.kind === 'reply' ? reply.status : undefined;
    const code = reply.kind === 'none' ? { code: reply.code || reply.why } : {};
    const fine = status !== undefined && status < 400;
    const isRefused = forToken && status === 401;
    const reason = isRefused ? ': the credentials are refused (PLATFORM_ACCOUNT_KEY, PLATFORM_ACCOUNT_SECRET)' : '';
    this.#options.log?.(
      fine ? 'debug' : 'warn',
      { method, path, status, ms, attempt, ...code },
      fine ? 'platform answered' : `platform call failed${reason}`,
    );
  }
}

export type Client = Pick<PlatformClient, keyof PlatformClient>;

export function createClient(options: ClientOptions): Client {
  return new PlatformClient(options);
}

function wantOf({ priority, actor = priority, deadline, signal }: Caller): Want {
  return { priority, actor, deadline, signal };
}

/** A GET's query: lists repeat their name, objects are JSON, and null and undefined are left out. */
function withQuery(path: string, input: Fields): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one === undefined || one === null) continue;
      query.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one));
    }
  }
  const text = query.toString();
  return text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`;
}

/** The failure for an attempt without an answer. */
function unanswered({ why, left, code, detail, proxy }: NoReply, context: CallContext): FailedAttempt {
  const late = why === 'timeout' || code === 'UND_ERR_CONNECT_TIMEOUT';
  const errorCode: ErrorCode = late ? 'timeout' : 'network';
  // A code of the HTTP library says nothing to people. The log has it.
  const suffix = code === '' || code.startsWith('UND_ERR') ? '' : ` (${code})`;
  if (!left && /CERT|UNABLE_TO_VERIFY/.test(code)) {
    const reason = `A safe connection to the platform could not be established: its certificate is not accepted${suffix}.`;
    const next = 'Check its host name and the clock. For a private CA, set NODE_EXTRA_CA_CERTS to its PEM file.';
    return { code: 'network', reason, next, certain: true, again: false, detail: `${code} ${detail}` };
  }
  const afterSending = late
    ? 'The platform did not answer in time.'
    : 'The connection to the platform was closed before the answer arrived.';
  const before = late
    ? 'A connection to the platform could not be established in time.'
    : `The platform could not be reached${suffix}.`;
  const reason = left ? afterSending : (proxy?.message ?? before);
  // A fault of a proxy lasts longer than a caller waits, unless the proxy says that it is only busy.
  const again = proxy === undefined || (proxy.status !== undefined && BUSY_PROXY.includes(proxy.status));
  return { code: errorCode, reason, certain: !left || context.read, again, detail: `${code} ${detail}` };
}

/** The error of a call that got no further attempt after an earlier attempt may have done the work. */
function afterDoubt(error: unknown, context: CallContext): unknown {
  if (!(error instanceof SwitchboardError) || context.read) return error;
  const reason = 'An earlier attempt got no clear answer, and no further attempt could be made.';
  const failure: FailedAttempt = { code: error.face.code, reason, certain: false, again: false, detail: error.message };
  return errorOf(failure, context, true);
}

/** Asks the caller before an attempt, whose place is free if it is not made. */
async function requireStill(request: Request | undefined, place: Place, paused: boolean): Promise<void> {
  if (request?.mayBegin === undefined) return;
  try {
    if (!(await request.mayBegin({ paused, keep: () => place.keep() }))) throw takenOver();
  } catch (error) {
    place.unused();
    throw error;
  }
}

const MARGIN_MS = 60_000;
/** Maximum characters of an unreadable expiry that are shown. */
const MAX_SHOWN = 60;
/**
 * Maximum number of stored tokens: several times the number of endpoints. Beyond it, the least recently used token is
 * dropped.
 */
const MAX_HELD = 500;

/** A token. `fresh`: true if it was fetched for the calls that wait for it. */
interface Found {
  token: Token;
  fresh: boolean;
}

type Ask = (url: string, want: Want) => Promise<Answer>;

/** A token request under way. */
interface Fetch {
  found: Promise<Found>;
  /** What it needs of the budget: the most urgent class and the latest deadline of those who wait for it. */
  want: Want;
  waiting: Set<Want>;
  /** The expected time of its turn (epoch ms), while it waits for the budget. */
  turnAt: number | undefined;
}

/**
 * One token for each endpoint URL (PLATFORM.md, Authentication). It is reused until 60 s before the earlier of
 * `tokenExpiry` and the JWT's `exp`, or until half of a lifetime below two minutes is over. A new token that reads as
 * expired serves the calls that waited for it, and no later one. A call never requests another token because of it, so
 * there is no loop. Processes that share a store share their tokens: one fetches, the others read.
 */
class Tokens {
  readonly #options: Pick<ClientOptions, 'clock' | 'timeZone' | 'tokens' | 'log'>;
  readonly #held = new BoundedMap<string, Token>(MAX_HELD);
  readonly #fetches = new Map<string, Fetch>();
  /** True once the warning was logged. With a wrong clock or zone, every further token would repeat it. */
  #doubted = false;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** All stored tokens, for redaction. */
  values(): string[] {
    return [...this.#held.values()].map((token) => token.value);
  }

  /**
   * The token for a URL; `fresh` if it was fetched while this call waited. Concurrent callers share one request. A
   * caller's abort or deadline ends only its own wait.
   *
   * @param ask sends a token request: with retries, in the budget. Rejects with `SwitchboardError`, outcome `not_done`
   */
  async get(url: string, want: Want, ask: Ask): Promise<Found> {
    const token = this.#held.get(url);
    if (token !== undefined && token.usableUntil > this.#options.clock.now()) {
      // Set again, so that this token is the newest of the map.
      this.#held.set(url, token);
      return { token, fresh: false };
    }
    if (want.signal?.aborted) throw cancelled();
    const fetch = this.#fetches.get(url) ?? this.#begin(url, want, ask);
    fetch.want.priority = moreUrgent(want.priority, fetch.want.priority);
    fetch.want.deadline = Math.max(want.deadline, fetch.want.deadline);
    const left = new AbortController();
    const gone = new Promise<never>((_, reject) => {
      fetch.waiting.add(want);
      void sleep(this.#options.clock, want.deadline - this.#options.clock.now(), [want.signal, left.signal]).then(
        (isLate) => {
          fetch.waiting.delete(want);
          reject(isLate ? this.#late(fetch) : cancelled());
        },
      );
      const seconds = Math.max(1, Math.ceil(((fetch.turnAt ?? 0) - this.#options.clock.now()) / 1000));
      if (fetch.turnAt !== undefined) want.onWait?.(seconds);
    });
    try {
      return await Promise.race([fetch.found, gone]);
    } finally {
      left.abort();
    }
  }

  /** Removes a token the platform refused, unless a newer one has replaced it. */
  async drop(url: string, { value }: Token): Promise<void> {
    if (this.#held.get(url)?.value === value) this.#held.delete(url);
    await this.#withShared((store) => store.remove(url, value));
  }

  #late({ turnAt }: Fetch): SwitchboardError {
    if (turnAt !== undefined) return outOfBudget(turnAt - this.#options.clock.now());
    return notSent('timeout', 'The platform did not give an access token in time.', { next: 'Try again later.' });
  }

  /** Begins a request for a token. It goes on if those who wait for it leave: the next call will need the token. */
  #begin(url: string, { priority, actor, deadline }: Want, ask: Ask): Fetch {
    const want: Want = {
      ...{ priority, actor, deadline },
      onWait: (seconds) => {
        fetch.turnAt = this.#options.clock.now() + seconds * 1000;
        for (const waiting of fetch.waiting) waiting.onWait?.(seconds);
      },
      onRetry: (seconds, isBusy) => {
        fetch.turnAt = undefined;
        for (const waiting of fetch.waiting) waiting.onRetry?.(seconds, isBusy);
      },
    };
    const found = this.#find(url, want, ask).finally(() => this.#fetches.delete(url));
    // Those who wait for it may all have left.
    found.catch(() => undefined);
    const fetch: Fetch = { found, want, waiting: new Set(), turnAt: undefined };
    this.#fetches.set(url, fetch);
    return fetch;
  }

  /** The token that another process has or fetches right now, or a new one. */
  async #find(url: string, want: Want, ask: Ask): Promise<Found> {
    const shared = await this.#withShared(async (store) => {
      for (;;) {
        const found = await store.acquire(url);
        if ('token' in found) return found.token;
        if (found.isMine) return undefined;
        await sleep(this.#options.clock, POLL_MS);
      }
    });
    let token = shared;
    try {
      token ??= this.#read(await ask(url, want));
      return { token, fresh: shared === undefined };
    } finally {
      const usable = token !== undefined && token.usableUntil > this.#options.clock.now() ? token : undefined;
      if (usable) this.#held.set(url, usable);
      if (!shared) void this.#withShared((store) => (usable ? store.write(url, usable) : store.release(url)));
    }
  }

  /** The result of work with the tokens of all processes. Undefined while they cannot be read: each then uses its own. */
  async #withShared<T>(work: (store: TokenStore) => Promise<T>): Promise<T | undefined> {
    const { tokens, log } = this.#options;
    try {
      return tokens && (await work(tokens));
    } catch (error) {
      log?.('debug', { error: String(error) }, 'shared access tokens are not available; this process uses its own');
      return undefined;
    }
  }

  #read({ token, tokenExpiry }: Answer): Token {
    const { timeZone, log } = this.#options;
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
      const message = 'The platform’s answer to the token request holds no token.';
      throw notSent('server_error', message, { next: 'Check PLATFORM_BASE_URL.', status: 200 });
    }
    const text = typeof tokenExpiry === 'string' ? tokenExpiry : '';
    const inZone = readExpiry(text, timeZone);
    const inToken = readJwtExpiry(token);
    const now = this.#options.clock.now();
    const expiresAt = Math.min(inZone ?? Number.POSITIVE_INFINITY, inToken ?? Number.POSITIVE_INFINITY);
    const doubt = doubtOf(text, timeZone, now, inZone, inToken);
    if (doubt !== undefined && !this.#doubted) {
      log?.('warn', { tokenExpiry: text.slice(0, MAX_SHOWN), now: new Date(now).toISOString() }, doubt);
      this.#doubted = true;
    }
    const lifetime = expiresAt - now;
    // A token whose expiry is over or unknown serves only the calls that wait for it.
    const isUsable = lifetime > 0 && Number.isFinite(lifetime);
    const usableUntil = isUsable ? expiresAt - (lifetime < 2 * MARGIN_MS ? lifetime / 2 : MARGIN_MS) : now;
    return { value: token, tokenExpiry: text, expiresAt, usableUntil, ...defined({ doubt }) };
  }
}

const QUARTER_MS = 15 * MINUTE_MS;

/** What is wrong with a new token's expiry, and what to check; undefined if nothing is. Times are epoch ms. */
function doubtOf(tokenExpiry: string, timeZone: string, now: number, inZone?: number, inToken?: number) {
  const text = JSON.stringify(tokenExpiry.slice(0, MAX_SHOWN));
  const costs = 'It is used for the calls that wait for it, and each further call asks for another.';
  if (inToken !== undefined && inToken <= now) {
    const at = `it ended at ${new Date(inToken).toISOString()}, and this computer’s clock says ${new Date(now).toISOString()}`;
    return `A new access token reads as expired: ${at}. Check the clock. ${costs}`;
  }
  if (inZone !== undefined && inZone <= now) {
    const minutes = Math.max(1, Math.round((now - inZone) / MINUTE_MS));
    const ago = minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 6) / 10} h`;
    const at = `tokenExpiry ${text} was ${ago} ago in ${timeZone}`;
    return `A new access token reads as expired: ${at}. Check this computer’s clock and PLATFORM_TIME_ZONE. ${costs}`;
  }
  const difference = inZone === undefined || inToken === undefined ? 0 : inZone - inToken;
  // The clocks of two zones differ by whole quarters of an hour.
  const quarters = Math.round(difference / QUARTER_MS);
  if (quarters !== 0 && Math.abs(difference - quarters * QUARTER_MS) < MARGIN_MS) {
    const differs = `${Math.abs(quarters) / 4} h ${quarters > 0 ? 'after' : 'before'} the end that the token itself names`;
    return `tokenExpiry ${text} in ${timeZone} is ${differs}. Check PLATFORM_TIME_ZONE.`;
  }
  if (inZone !== undefined || inToken !== undefined) return undefined;
  return `The expiry of a new access token cannot be read: tokenExpiry is ${text}. ${costs}`;
}

/** "MM/DD/YYYY hh:mm:ss AM" of a time zone as epoch ms; for an hour that occurs twice, the first (the safer choice). */
export function readExpiry(text: string, timeZone: string): number | undefined {
  return /^\s*\d{1,2}\/.*:\d{2}:\d{2}\s*[AP]\.?M\.?\s*$/i.test(text) ? readMoment(text, timeZone) : undefined;
}

/** A JWT's own `exp` as epoch ms, if it can be read. The signature is not verified. */
export function readJwtExpiry(token: string): number | undefined {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const exp = (payload as { exp?: unknown } | null)?.exp;
    return typeof exp === 'number' && Number.isFinite(exp) ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}
