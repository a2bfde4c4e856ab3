import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Changes } from '../../lib/changes.ts';
import { listens, mayBeModern } from './era.ts';
import { type Body, readMessages, refuse } from './http-body.ts';
import type { ModernHttp } from './modern.ts';
import type { ClientStream, ServerDefinition } from './protocol.ts';
import { Sessions } from './sessions.ts';

/** Streams of changes of one identity, so that one identity cannot take those of others. */
const MAX_OWN_STREAMS = 50;
/** The longest delay of Node's timers. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface HttpErasOptions {
  /** What clients may subscribe to; undefined if there is nothing. */
  changes: Changes | undefined;
  /** Starts reporting changes, whichever process records them. */
  follow: () => Promise<void>;
  onError: (error: unknown) => void;
}

/** Who sent a request. */
export interface Owner {
  /** Identity and role: sessions and streams are of one owner. */
  id: string;
  name: string;
  /** When the access token expires, in epoch ms; undefined if it does not. */
  expiresAt?: number | undefined;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** Makes the server of one request or session, with the means to reach its client. */
type Define = (more: { stream?: ClientStream; changes?: Changes }) => ServerDefinition;

/**
 * Streamable HTTP in both protocols. Clients of 2026-07-28 and later have no session; older ones have one after
 * `initialize`, or do without. Each adapter is loaded when the first client needs it.
 */
export class HttpEras {
  readonly #options: HttpErasOptions;
  readonly #changes: { changes?: Changes };
  readonly #sessions = new Sessions();
  /** Open streams of changes by identity. */
  readonly #streams = new Map<string, number>();
  #modern: Promise<ModernHttp> | undefined;

  constructor(options: HttpErasOptions) {
    this.#options = options;
    this.#changes = options.changes ? { changes: options.changes } : {};
  }

  /** The number of open sessions. */
  sessions(): number {
    return this.#sessions.size;
  }

  /** Answers a request of this caller. */
  async handle(exchange: Exchange, caller: Owner, define: Define): Promise<void> {
    const { request, response } = exchange;
    const session = request.headers['mcp-session-id'];
    if (request.method === 'GET') endWithToken(response, caller);
    if (request.method !== 'POST') {
      if (typeof session === 'string') return this.#handleInSession(session, caller.id, exchange);
      return refuse(response, 405, 'POST a JSON-RPC message, or give Mcp-Session-Id.', { allow: 'POST' });
    }
    const body = await readMessages(request, response);
    if (!body) return;
    const given = { request, response, body: body.value };
    if (mayBeModern(request.headers, body.text)) {
      const modern = await this.#loadModern();
      if (!modern.isLegacy(given)) {
        if (listens(body.value) && !(await this.#admitStream(response, caller))) return;
        return modern.handle(given, define(this.#changes));
      }
    }
    if (typeof session === 'string') return this.#handleInSession(session, caller.id, exchange, body);
    const legacy = await import('./legacy.ts');
    if (!legacy.opensSession(body.value)) return legacy.answerOnce(given, define({}));
    await legacy.openSession(given, this.#sessions, caller.id, (stream) => define({ ...this.#changes, stream }));
  }

  /** Answers one message whose body was read before, without a session and without streams of changes. */
  async handleAlone(exchange: Exchange, body: Body, definition: ServerDefinition): Promise<void> {
    const given = { ...exchange, body: body.value };
    if (mayBeModern(exchange.request.headers, body.text)) {
      const modern = await this.#loadModern();
      if (!modern.isLegacy(given)) return modern.handle(given, definition);
    }
    await (await import('./legacy.ts')).answerOnce(given, definition);
  }

  async close(): Promise<void> {
    await this.#sessions.close();
    await (await this.#modern)?.close();
  }

  async #handleInSession(id: string, callerId: string, { request, response }: Exchange, body?: Body): Promise<void> {
    const session = this.#sessions.get(id, callerId);
    if (!session) return refuse(response, 404, 'There is no such session; initialize again.');
    session.use(request, response);
    await session.handle(request, response, body?.value);
  }

  /** Counts a stream of changes until it is closed; false if this identity has too many, or has disconnected already. */
  async #admitStream(response: ServerResponse, caller: Owner): Promise<boolean> {
    if (response.destroyed) return false;
    const { id, name } = caller;
    const open = this.#streams.get(id) ?? 0;
    if (open >= MAX_OWN_STREAMS) {
      refuse(response, 429, `${name} has ${open} streams of changes open; close one first.`);
      return false;
    }
    endWithToken(response, caller);
    this.#streams.set(id, open + 1);
    response.once('close', () => {
      const left = (this.#streams.get(id) ?? 1) - 1;
      if (left === 0) this.#streams.delete(id);
      else this.#streams.set(id, left);
    });
    await this.#options.follow();
    return true;
  }

  #loadModern(): Promise<ModernHttp> {
    const { changes, onError } = this.#options;
    this.#modern ??= import('./modern.ts').then(({ ModernHttp }) => ModernHttp.open(changes, onError));
    return this.#modern;
  }
}

/** Ends a stream when the token that opened it expires. The client opens the next one with its new token. */
function endWithToken(response: ServerResponse, { expiresAt }: Owner): void {
  if (expiresAt === undefined) return;
  const left = Math.min(MAX_TIMER_MS, Math.max(0, expiresAt - Date.now()));
  const timer = setTimeout(() => response.end(), left);
  timer.unref();
  // A change may still be written to a stream that is ending.
  response.on('error', () => undefined);
  response.once('close', () => clearTimeout(timer));
}
