import type { IncomingMessage, ServerResponse } from 'node:http';
import { MAX_OWN_SESSIONS } from '../../lib/load.ts';
import type { ClientStream } from './protocol.ts';

const MAX_SESSIONS = 500;
const IDLE_MS = 30 * 60_000;

/** The methods of a transport that a session uses. */
interface SessionTransport {
  handleRequest(request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void>;
  close(): Promise<void>;
}

/** A client that has initialized, and its open streams. A client that listens on a stream is not idle. */
export class Session implements ClientStream {
  readonly actorId: string;
  readonly #transport: SessionTransport;
  #usedAt = Date.now();
  #streams = 0;
  #onOpen: () => void = () => undefined;

  constructor(actorId: string, transport: SessionTransport) {
    this.actorId = actorId;
    this.#transport = transport;
  }

  get usedAt(): number {
    return this.#usedAt;
  }

  isOpen(): boolean {
    return this.#streams > 0;
  }

  onOpen(listener: () => void): void {
    this.#onOpen = listener;
  }

  isIdle(now: number): boolean {
    return !this.isOpen() && now - this.#usedAt >= IDLE_MS;
  }

  handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    return this.#transport.handleRequest(request, response, body);
  }

  /** Records a request. A GET opens a stream. */
  use(request: IncomingMessage, response: ServerResponse): void {
    this.#usedAt = Date.now();
    if (request.method === 'GET') whenHeadSent(response, () => this.#streamOpened(response));
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  #streamOpened(response: ServerResponse): void {
    this.#streams += 1;
    this.#onOpen();
    response.once('close', () => {
      this.#streams -= 1;
      this.#usedAt = Date.now();
    });
  }
}

/**
 * The sessions of all clients. Beyond its limit, the oldest session of the same identity ends first, so that one identity
 * cannot end the sessions of others.
 */
export class Sessions {
  readonly #sessions = new Map<string, Session>();

  get size(): number {
    return this.#sessions.size;
  }

  /** The session with this id, if this caller opened it. An id is not a credential. */
  get(id: string, actorId: string): Session | undefined {
    const session = this.#sessions.get(id);
    return session?.actorId === actorId ? session : undefined;
  }

  add(id: string, session: Session): void {
    this.#makeRoom(session.actorId);
    this.#sessions.set(id, session);
  }

  delete(id: string): void {
    this.#sessions.delete(id);
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#sessions.values()].map((session) => session.close()));
    this.#sessions.clear();
  }

  /** Ends idle sessions, and the least recently used ones beyond the limits. Sessions with an open stream go last. */
  #makeRoom(actorId: string): void {
    const now = Date.now();
    let own = [...this.#sessions.values()].filter((session) => session.actorId === actorId).length;
    const oldestFirst = [...this.#sessions].sort(
      ([, a], [, b]) => Number(a.isOpen()) - Number(b.isOpen()) || a.usedAt - b.usedAt,
    );
    for (const [id, session] of oldestFirst) {
      const tooManyOwn = session.actorId === actorId && own >= MAX_OWN_SESSIONS;
      if (!session.isIdle(now) && !tooManyOwn && this.#sessions.size < MAX_SESSIONS) continue;
      if (session.actorId === actorId) own -= 1;
      this.#sessions.delete(id);
      void session.close();
    }
  }
}

/** Calls back once the head of the stream is sent. Before that, nothing can be sent over the stream. */
function whenHeadSent(response: ServerResponse, callback: () => void): void {
  if (response.destroyed) return;
  if (!response.headersSent) setImmediate(() => whenHeadSent(response, callback));
  else if (response.statusCode === 200) callback();
}
