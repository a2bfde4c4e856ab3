import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, systemClock } from '../../lib/clock.ts';
import { MAX_OWN_SESSIONS, sendJson } from '../../lib/http.ts';
import { awaitsAnswer, errorAnswer, MAX_SESSIONS, type Message, type RequestId } from './messages.ts';
import { type ClientStream, INVALID_REQUEST } from './protocol.ts';

const IDLE_MS = 30 * 60_000;
/** Maximum time for a replaced stream to end, in ms. Its client may be gone without having closed the connection. */
const END_MS = 1_000;

/** The methods of a transport that a session uses. */
interface SessionTransport {
  handleRequest(request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void>;
  /** Ends the stream of the session. */
  closeStandaloneSSEStream(): void;
  /** Ends the answer to a request. */
  closeSSEStream(id: RequestId): void;
  close(): Promise<void>;
}

/** A client that has initialized, and its open stream. A client that listens on a stream is not idle. */
export class Session implements ClientStream {
  readonly actorId: string;
  readonly #transport: SessionTransport;
  usedAt = Date.now();
  #stream: ServerResponse | undefined;
  /** Resolves when the last stream was opened or refused. */
  #opening = Promise.resolve();
  /** Ids of the requests that are not answered. */
  readonly #underWay = new Set<RequestId>();
  #onOpen: () => void = () => undefined;

  constructor(actorId: string, transport: SessionTransport) {
    this.actorId = actorId;
    this.#transport = transport;
  }

  isOpen(): boolean {
    return this.#stream !== undefined;
  }

  onOpen(listener: () => void): void {
    this.#onOpen = listener;
  }

  /** Answers a POST, or the DELETE that ends the session. */
  async handle(request: IncomingMessage, response: ServerResponse, body?: Message | Message[]): Promise<void> {
    this.usedAt = Date.now();
    const messages = body === undefined ? [] : [body].flat();
    const ids = messages.flatMap((message) => (awaitsAnswer(message) && message.id !== undefined ? [message.id] : []));
    // Both answers would go to the later request.
    const repeated = ids.find((id) => this.#underWay.has(id));
    if (repeated !== undefined) {
      const message = 'id: a request with this id is under way; use another id.';
      return sendJson(response, 400, errorAnswer({ id: repeated, code: INVALID_REQUEST, message }));
    }
    for (const id of ids) this.#underWay.add(id);
    response.once('close', () => {
      for (const id of ids) this.#underWay.delete(id);
    });
    await this.#transport.handleRequest(request, response, body);
    // A request that its client cancelled gets no answer, so its connection is closed.
    for (const { method, params } of messages)
      if (method === 'notifications/cancelled') this.#transport.closeSSEStream(params?.requestId as RequestId);
  }

  /** Opens the stream of a GET, and ends the one that was open: its client has lost it. One after another. */
  async openStream(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let handled = Promise.resolve();
    this.#opening = this.#opening.then(async () => {
      const replaced = this.#stream;
      this.#transport.closeStandaloneSSEStream();
      if (replaced) after(systemClock, END_MS, () => replaced.destroy());
      this.#stream = response;
      handled = this.#transport.handleRequest(request, response);
      // Nothing can be sent over the stream before its head.
      while (!response.headersSent && !response.destroyed) await new Promise((resolve) => setImmediate(resolve));
    });
    response.once('close', () => {
      if (this.#stream === response) this.#stream = undefined;
      this.usedAt = Date.now();
    });
    await this.#opening;
    if (response.statusCode === 200) this.#onOpen();
    await handled;
  }

  close(): Promise<void> {
    return this.#transport.close();
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
      const isIdle = !session.isOpen() && now - session.usedAt >= IDLE_MS;
      if (!isIdle && !tooManyOwn && this.#sessions.size < MAX_SESSIONS) continue;
      if (session.actorId === actorId) own -= 1;
      this.#sessions.delete(id);
      void session.close();
    }
  }
}
