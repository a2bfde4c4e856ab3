import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, systemClock } from '../../lib/clock.ts';
import { type Refusal, sendJson } from '../../lib/http.ts';
import { type IdentityLoad, TOO_MANY_CALLS, UNSIGNED_BODY } from '../../lib/load.ts';
import { errorAnswer, readMessages, refuse } from './messages.ts';
import type { ModernHttp } from './modern.ts';
import {
  type Changes,
  type ClientStream,
  type HttpExchange,
  INVALID_PARAMS,
  INVALID_REQUEST,
  LISTEN,
  mayBeModern,
  ProtocolError,
  type ServerDefinition,
} from './protocol.ts';
import { type Session, Sessions } from './sessions.ts';

/** The sender of a request. */
export interface Owner {
  /** Identity and role. Each session and stream belongs to one owner. */
  id: string;
  /** False if the body of a request comes without a token, so that it must arrive soon. */
  hasToken: boolean;
  /** When the access token expires, in epoch ms; undefined if it does not. */
  expiresAt?: number | undefined;
}

/** Makes the server of one request or session, with the stream or the changes through which it reaches the client. */
type Define = (more: { stream?: ClientStream; changes?: Changes }) => ServerDefinition;

/**
 * Streamable HTTP in both protocols. Clients of 2026-07-28 and later have no session; older ones may open one with
 * `initialize`. Each adapter is loaded when the first client needs it.
 */
export class HttpEras {
  readonly #options: { changes: Changes | undefined; onError: (error: unknown) => void; load: IdentityLoad };
  readonly #changes: { changes?: Changes };
  readonly #sessions = new Sessions();
  #modern: Promise<ModernHttp> | undefined;

  /** @param options.changes those that clients may subscribe to; undefined if there are none */
  constructor(options: { changes: Changes | undefined; onError: (error: unknown) => void; load: IdentityLoad }) {
    this.#options = options;
    this.#changes = options.changes ? { changes: options.changes } : {};
  }

  /** The number of open sessions. */
  sessions(): number {
    return this.#sessions.size;
  }

  /** Answers a request of this caller. */
  async handle(exchange: Omit<HttpExchange, 'body'>, caller: Owner, define: Define): Promise<void> {
    const { request, response } = exchange;
    writeAccepted(request);
    const session = request.headers['mcp-session-id'];
    if (request.method !== 'POST') {
      if (typeof session !== 'string')
        return refuse(response, 405, 'POST a JSON-RPC message, or give Mcp-Session-Id.', { allow: 'POST' });
      const found = this.#session(session, caller, response);
      if (request.method !== 'GET') return found?.handle(request, response);
      return found && this.#admitStream(response, caller) ? found.openStream(request, response) : undefined;
    }
    const { load } = this.#options;
    if (load.isFull(caller.id)) return refuseTooMany(response, TOO_MANY_CALLS);
    const body = await readMessages(request, response, caller.hasToken ? {} : { within: UNSIGNED_BODY.within });
    if (!body) return;
    if (Array.isArray(body) && !mayBatch(request)) return refuse(response, 400, ONE_MESSAGE, {}, INVALID_REQUEST);
    const given = { request, response, body };
    const isWrongType = !/^application\/json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '');
    if (isWrongType) return refuse(response, 415, 'Content-Type: must be application/json.', {}, INVALID_REQUEST);
    const many = Array.isArray(body) ? body.length : 1;
    const tooMany = load.admitCalls(caller.id, many, response);
    if (tooMany !== undefined) return refuseTooMany(response, tooMany);
    if (mayBeModern(request.headers, body)) {
      const modern = await this.#loadModern();
      if (!modern.isLegacy(given)) {
        const definition = define(this.#changes);
        if (!Array.isArray(body) && body.method === LISTEN) {
          if (!this.#admitStream(response, caller)) return;
          try {
            await modern.listen(body, response, definition);
          } catch (error) {
            if (!(error instanceof ProtocolError)) throw error;
            return sendJson(
              response,
              200,
              errorAnswer({ id: body.id ?? null, code: INVALID_PARAMS, message: error.message }),
            );
          }
        }
        return modern.handle(given, definition);
      }
    }
    const legacy = await import('./legacy.ts');
    const opens = legacy.opensSession(body);
    // A client that initializes learns from the answer which versions there are.
    const refused = refusedLegacy(request, opens ? undefined : legacy.VERSIONS);
    if (refused) return refuse(response, refused.status, refused.error, {}, INVALID_REQUEST);
    // A client that initializes may still name a session that has ended.
    if (opens)
      return legacy.openSession(given, this.#sessions, caller.id, (stream) => define({ ...this.#changes, stream }));
    if (typeof session !== 'string') return legacy.answerOnce(given, define({}));
    await this.#session(session, caller, response)?.handle(request, response, body);
  }

  /** Answers one message whose body was read before, without a session and without streams of changes. */
  async handleAlone(given: HttpExchange, definition: ServerDefinition): Promise<void> {
    const { request, body } = given;
    writeAccepted(request);
    if (mayBeModern(request.headers, body)) {
      const modern = await this.#loadModern();
      if (!modern.isLegacy(given)) return modern.handle(given, definition);
    }
    await (await import('./legacy.ts')).answerOnce(given, definition);
  }

  async close(): Promise<void> {
    await this.#sessions.close();
    await (await this.#modern)?.close();
  }

  /** The session with this id; undefined if the request was refused because this caller has none. */
  #session(id: string, caller: Owner, response: ServerResponse): Session | undefined {
    const session = this.#sessions.get(id, caller.id);
    if (!session) refuse(response, 404, 'There is no such session; initialize again.');
    return session;
  }

  /**
   * Counts a stream of changes until it is closed. False if this identity has too many streams or has already
   * disconnected.
   */
  #admitStream(response: ServerResponse, caller: Owner): boolean {
    if (response.destroyed) return false;
    const tooMany = this.#options.load.admitStream(caller.id, response);
    if (tooMany !== undefined) {
      refuseTooMany(response, tooMany);
      return false;
    }
    endWithToken(response, caller);
    return true;
  }

  #loadModern(): Promise<ModernHttp> {
    const { changes, onError } = this.#options;
    this.#modern ??= import('./modern.ts').then(({ ModernHttp }) => ModernHttp.open(changes, onError));
    return this.#modern;
  }
}

/**
 * The headers for which the SDK refuses a request. It would do so without the id of the request, so that its sender
 * waits for an answer.
 */
function refusedLegacy({ headers }: IncomingMessage, versions: readonly string[] | undefined): Refusal | undefined {
  const { accept, 'mcp-protocol-version': version } = headers;
  if (TYPES.some((one) => !accept?.includes(one)))
    return { status: 406, error: `Accept: must contain ${TYPES.join(' and ')}.` };
  if (typeof version !== 'string' || !versions || versions.includes(version)) return undefined;
  const error = `MCP-Protocol-Version: ${version.slice(0, 40)} is not supported; use one of ${versions.join(', ')}.`;
  return { status: 400, error };
}

const ONE_MESSAGE = 'POST one JSON-RPC message: MCP has no batches of them since 2025-06-18.';

/** True for a revision whose clients may send an array of messages. A request without the header is older than both. */
function mayBatch({ headers }: IncomingMessage): boolean {
  const version = headers['mcp-protocol-version'];
  return typeof version !== 'string' || version < '2025-06-18';
}

function refuseTooMany(response: ServerResponse, message: string): void {
  refuse(response, 429, message, { 'retry-after': '1' });
}

/** Ends a stream when the token that opened it expires. The client opens the next one with its new token. */
function endWithToken(response: ServerResponse, { expiresAt }: Owner): void {
  if (expiresAt === undefined) return;
  const cancel = after(systemClock, expiresAt - Date.now(), () => response.end());
  // A change may still be written to a stream that is ending.
  response.on('error', () => undefined);
  response.once('close', cancel);
}

/** The types that an answer of `/mcp` can have. */
const TYPES = ['application/json', 'text/event-stream'];

/** Writes the header Accept as the SDKs know it: without wildcards and capital letters. Without it, all is accepted. */
function writeAccepted({ headers, rawHeaders }: IncomingMessage): void {
  const given = (headers.accept ?? '*').toLowerCase();
  headers.accept = given.includes('*') ? TYPES.join(', ') : given;
  // The adapters to Fetch requests read the headers as they came.
  const at = rawHeaders.findIndex((name, place) => place % 2 === 0 && name.toLowerCase() === 'accept');
  if (at >= 0) rawHeaders[at + 1] = headers.accept;
  else rawHeaders.push('Accept', headers.accept);
}
