import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { SandboxClock } from './clock.ts';
import { answerControl } from './control.ts';
import type { Control, RequestLine } from './control-types.ts';
import { ApiError, badField } from './errors.ts';
import type { Fault } from './faults.ts';
import { Fields } from './fields.ts';
import { type Answer, errorAnswer, jsonAnswer, parseObject, parseUrl, readBody, send } from './http.ts';
import type { JsonObject } from './json.ts';
import { accountRoutes } from './routes/accounts.ts';
import { cancelRoutes } from './routes/cancel.ts';
import { dataUsageRoutes } from './routes/data-usage.ts';
import { guardianRoutes } from './routes/guardian.ts';
import { messageRoutes } from './routes/messages.ts';
import { numberRoutes } from './routes/numbers.ts';
import { portRoutes } from './routes/portin.ts';
import { productRoutes } from './routes/products.ts';
import { statusRoutes } from './routes/status.ts';
import { subscriptionRoutes } from './routes/subscriptions.ts';
import { voiceRoutes } from './routes/voice.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { workgroupRoutes } from './routes/workgroups.ts';
import { DISTRIBUTORS } from './seed.ts';
import { requestScope } from './tokens.ts';
import type { Result, Route } from './world.ts';

const TOKEN_PATH = '/v1.0/oauth2/tokens';

/** Number of requests that `GET /sandbox/requests` shows. */
const KEPT_REQUESTS = 10_000;

export const ROUTES: readonly Route[] = [
  ...accountRoutes,
  ...cancelRoutes,
  ...dataUsageRoutes,
  ...guardianRoutes,
  ...messageRoutes,
  ...numberRoutes,
  ...portRoutes,
  ...productRoutes,
  ...statusRoutes,
  ...subscriptionRoutes,
  ...voiceRoutes,
  ...webhookRoutes,
  ...workgroupRoutes,
];

const BY_PATH = new Map<string, Map<string, Route>>();
for (const route of ROUTES) {
  const methods = BY_PATH.get(route.path) ?? new Map<string, Route>();
  BY_PATH.set(route.path, methods.set(route.method, route));
}

/** Answers requests: the platform under /v1.0/, the control plane under /sandbox/. */
export class Server {
  readonly #control: Control;
  readonly #clock: SandboxClock;
  readonly #log: (line: string) => void;
  readonly #hanging = new Set<() => void>();

  constructor(control: Control, log: (line: string) => void) {
    this.#control = control;
    this.#clock = control.clock;
    this.#log = log;
    control.release = () => {
      for (const wake of [...this.#hanging]) wake();
    };
  }

  handle(req: IncomingMessage, res: ServerResponse): void {
    this.#answer(req, res).catch((error: unknown) => {
      this.#log(`sandbox: ${String(error)}`);
      if (!res.headersSent) send(res, errorAnswer(new ApiError(500, 'Server error'), req.headers.accept));
    });
  }

  /** Runs a `POST` as the first distributor, without a token and limits. */
  perform(path: string, body: JsonObject): JsonObject {
    const result = this.#run('POST', path, new Fields(body), new URLSearchParams());
    this.#control.commit();
    return { ...result };
  }

  /** Runs a `GET` as the first distributor. A bare array is returned as `Results`. */
  read(path: string, query: Readonly<Record<string, string>>): JsonObject {
    const result = this.#run('GET', path, new Fields({}), new URLSearchParams(query));
    return Array.isArray(result) ? { Results: result } : { ...result };
  }

  #run(method: 'GET' | 'POST', path: string, body: Fields, query: URLSearchParams): Result {
    const route = BY_PATH.get(path)?.get(method);
    if (route === undefined) throw new ApiError(404, `No such endpoint: ${path}`);
    const { store, deliveries } = this.#control;
    return route.handle({
      store,
      deliveries,
      clock: this.#clock,
      distributor: DISTRIBUTORS[0].key,
      body,
      query,
      refused: new Set(),
    });
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const [path = '/', search = ''] = splitOnce(req.url ?? '/', '?');
    if (path.startsWith('/sandbox/')) {
      send(res, await answerControl(this.#control, req, path, (error) => this.#failed(error, req)));
      return;
    }
    const line: RequestLine = { method: req.method ?? 'GET', path, status: 0, time: this.#clock.iso() };
    this.#note(line);
    const fault = (await this.#turnedAway(req, path)) ? null : this.#control.faults.take(path);
    const answer = await this.#faulted(fault, req, path, search);
    if (answer !== null) line.status = answer.status;
    this.#log(`${line.method} ${path} ${line.status}`);
    if (fault?.kind === 'hang') await this.#hang(fault.ms);
    if (answer === null || fault?.kind === 'dropAfterCommit') {
      line.dropped = true;
      req.socket.destroy();
      return;
    }
    send(res, answer);
  }

  /** A call with an expired token does no work and uses no fault, because its caller repeats it with a new token. */
  async #turnedAway(req: IncomingMessage, path: string): Promise<boolean> {
    const { authorization } = req.headers;
    if (path === TOKEN_PATH || authorization === undefined) return false;
    const bearer = await this.#control.tokens.read(authorization, requestScope(req.headers.host ?? '', path));
    return bearer.kind === 'refused' || !bearer.inScope;
  }

  #note(line: RequestLine): void {
    const { requests } = this.#control;
    requests.push(line);
    if (requests.length > KEPT_REQUESTS) requests.splice(0, requests.length - KEPT_REQUESTS);
  }

  /** Returns the answer, or the answer of a fault; null if the connection is cut before any work. */
  async #faulted(fault: Fault | null, req: IncomingMessage, path: string, search: string): Promise<Answer | null> {
    if (fault?.kind === 'dropBeforeCommit') return null;
    if (fault?.kind === 'status') {
      const headers = fault.retryAfter === null ? {} : { 'Retry-After': String(fault.retryAfter) };
      const name = STATUS_CODES[fault.status] ?? 'Error';
      return errorAnswer(new ApiError(fault.status, name, headers), req.headers.accept);
    }
    try {
      const body = await readBody(req);
      const result = await (path === TOKEN_PATH
        ? this.#token(req, body)
        : this.#authorised(req, path, search, body, refusedBy(fault)));
      this.#control.commit();
      return jsonAnswer(200, result);
    } catch (error) {
      return this.#failed(error, req);
    }
  }

  #failed(error: unknown, req: IncomingMessage): Answer {
    if (error instanceof ApiError) return errorAnswer(error, req.headers.accept);
    this.#log(`sandbox: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return errorAnswer(new ApiError(500, 'Server error'), req.headers.accept);
  }

  /** Waits in real time. A reset or the end of the sandbox ends the wait. */
  #hang(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#clock.real.clearTimeout(timer);
        this.#hanging.delete(wake);
        resolve();
      };
      const timer = this.#clock.real.setTimeout(wake, ms);
      this.#hanging.add(wake);
    });
  }

  /**
   * Issues a token (PLATFORM.md, Authentication). Token requests count toward the 120 of the AccountKey that they name.
   */
  async #token(req: IncomingMessage, text: string): Promise<Result> {
    if (req.method !== 'POST') throw notAllowed(['POST']);
    const { tokens, limits, store } = this.#control;
    const body = new Fields(parseObject(text));
    const named = DISTRIBUTORS.find((one) => one.key === body.raw('AccountKey'));
    const { tokenSeconds, requestsPerMinute } = store.state.settings;
    if (named !== undefined) limits.count(named.key, TOKEN_PATH, requestsPerMinute);
    body.text('AccountKey');
    const secret = body.text('AccountSecret');
    if (named === undefined || named.secret !== secret) throw new ApiError(401, 'AccountKey or AccountSecret is wrong');
    const endpoint = body.text('ApiEndpoint');
    const url = parseUrl(endpoint);
    if (url === undefined || !/^https?:$/.test(url.protocol)) throw badField('ApiEndpoint', 'must be a full URL');
    const { token, tokenExpiry } = await tokens.issue(named.key, url, tokenSeconds);
    return { token, successful: true, tokenExpiry };
  }

  /**
   * Checks rate, path and method, token, and body, in this order. A request with a valid token counts even when it
   * fails.
   */
  async #authorised(
    req: IncomingMessage,
    path: string,
    search: string,
    text: string,
    refused: ReadonlySet<string>,
  ): Promise<Result> {
    const { tokens, limits, store, deliveries } = this.#control;
    const bearer = await tokens.read(req.headers.authorization, requestScope(req.headers.host ?? '', path));
    if (bearer.kind === 'valid') limits.count(bearer.distributor, path, store.state.settings.requestsPerMinute);
    const methods = BY_PATH.get(path);
    if (methods === undefined) throw new ApiError(404, `No such endpoint: ${path}`);
    const route = methods.get(req.method ?? '');
    if (route === undefined) throw notAllowed([...methods.keys()]);
    if (bearer.kind === 'refused') throw bearer.error;
    if (!bearer.inScope) throw new ApiError(403, 'The token is scoped to another ApiEndpoint');
    const result = route.handle({
      store,
      deliveries,
      clock: this.#clock,
      distributor: bearer.distributor,
      body: new Fields(req.method === 'POST' ? parseObject(text) : {}),
      query: new URLSearchParams(search),
      refused,
    });
    return Array.isArray(result) ? result : { ...result, Successful: true };
  }
}

function refusedBy(fault: Fault | null): ReadonlySet<string> {
  return new Set(fault?.kind === 'refuse' ? fault.numbers : []);
}

function notAllowed(allowed: readonly string[]): ApiError {
  return new ApiError(405, 'Method not allowed', { Allow: allowed.join(', ') });
}

function splitOnce(text: string, at: string): readonly string[] {
  const index = text.indexOf(at);
  return index === -1 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}
