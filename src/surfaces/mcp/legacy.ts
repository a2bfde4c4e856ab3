import { randomUUID } from 'node:crypto';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  McpError,
  type Result,
  ResultSchema,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { recordOf, textOf } from '../../lib/values.ts';
import { MAX_SUBSCRIBED, type StdioConnection, type StdioOptions } from './messages.ts';
import {
  answerIn,
  capabilitiesOf,
  type HttpExchange,
  type LiveQuestions,
  METHOD_NOT_FOUND,
  ProtocolError,
  type ServerDefinition,
} from './protocol.ts';

import { subscriptionsTo } from './resources.ts';
import { Session, type Sessions } from './sessions.ts';

/*
 * The adapter for clients of the protocol up to 2025-11-25, with the first SDK (@modelcontextprotocol/sdk 1.x). Only
 * this file imports that SDK, and it is loaded when such a client connects.
 */

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/**
 * A server for one client. `canAsk` is true if requests of the server reach the client, so that it can ask its user.
 * The SDK sends the code and the message of a `ProtocolError` unchanged. Its own `McpError` would repeat the code in
 * the message.
 */
function createServer(definition: ServerDefinition, canAsk: boolean): Server {
  const { info, instructions, subscribable } = definition;
  const sdk = new Server(info, { capabilities: capabilitiesOf(definition), instructions });
  const handlers = new Map(Object.entries(definition.handlers));
  if (subscribable) {
    // A client that has disconnected needs no notification.
    const notify = (uri: string) => void sdk.sendResourceUpdated({ uri }).catch(() => undefined);
    const subscriptions = subscriptionsTo(subscribable.changes, notify, MAX_SUBSCRIBED);
    sdk.onclose = () => subscriptions.close();
    subscribable.stream?.onOpen(() => subscriptions.reportAll());
    handlers.set('resources/subscribe', ({ uri }) => subscriptions.add(textOf(uri), subscribable));
    handlers.set('resources/unsubscribe', ({ uri }) => subscriptions.delete(textOf(uri), subscribable));
  }
  sdk.fallbackRequestHandler = async ({ method, params }, extra) => {
    const handler = handlers.get(method);
    if (!handler) throw new ProtocolError(METHOD_NOT_FOUND, 'Method not found');
    const progressToken = extra._meta?.progressToken;
    // The client may have disconnected. Its call is being cancelled then.
    const notify = (notification: ServerNotification) =>
      void extra.sendNotification(notification).catch(() => undefined);
    return (await handler(recordOf(params), {
      signal: extra.signal,
      client: { name: sdk.getClientVersion()?.name, elicitation: sdk.getClientCapabilities()?.elicitation },
      notifyProgress: (progress, message) => {
        if (progressToken === undefined) return;
        notify({ method: 'notifications/progress', params: { progressToken, progress, message } });
      },
      questions: canAsk ? liveQuestions(extra, notify) : undefined,
    })) as Result;
  };
  return sdk;
}

function liveQuestions(extra: Extra, notify: (notification: ServerNotification) => void): LiveQuestions {
  const elicitationId = randomUUID();
  return {
    kind: 'live',
    ask: async (question, options) => {
      const params =
        question.mode === 'form'
          ? { ...question, requestedSchema: { type: 'object' as const, properties: {} } }
          : { ...question, elicitationId };
      try {
        // The SDK's schema of an answer would turn one that does not fit into an error of its own.
        return answerIn(await extra.sendRequest({ method: 'elicitation/create', params }, ResultSchema, options));
      } catch (error) {
        // If the client answers with an error, its user is asked elsewhere. The SDK reports its own timeouts and lost
        // connections alike, but such a question was cut off and is withdrawn.
        const ofSdk: readonly number[] = [ErrorCode.ConnectionClosed, ErrorCode.RequestTimeout];
        return error instanceof McpError && !ofSdk.includes(error.code) ? 'unavailable' : 'cancel';
      }
    },
    decided: () => notify({ method: 'notifications/elicitation/complete', params: { elicitationId } }),
  };
}

/** Serves a client on stdin and stdout. */
export async function serveStdio({ define, transport }: StdioOptions): Promise<StdioConnection> {
  const sdk = createServer(define(), true);
  await sdk.connect(transport as Transport);
  return sdk;
}

/** The versions of the protocol that this adapter serves, and whether a message opens a session. */
export { isInitializeRequest, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';

/** Opens a session for a client that initializes. */
export async function openSession(
  { request, response, body }: HttpExchange,
  sessions: Sessions,
  actorId: string,
  define: (session: Session) => ServerDefinition,
): Promise<void> {
  // A client over stdio does not need it.
  const { StreamableHTTPServerTransport } = await import('@modelcontextprotocol/sdk/server/streamableHttp.js');
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => sessions.add(id, session),
    onsessionclosed: (id) => sessions.delete(id),
  });
  const session = new Session(actorId, transport);
  const sdk = createServer(define(session), true);
  // The SDK's own transport does not fit its interface under `exactOptionalPropertyTypes`.
  await sdk.connect(transport as Transport);
  await transport.handleRequest(request, response, body);
  // The transport refused to initialize, so no session will close the server.
  if (transport.sessionId === undefined) await sdk.close();
}

/** Answers without a session, with one JSON answer because nothing can reach the client later. */
export async function answerOnce(
  { request, response, body }: HttpExchange,
  definition: ServerDefinition,
): Promise<void> {
  const { StreamableHTTPServerTransport } = await import('@modelcontextprotocol/sdk/server/streamableHttp.js');
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  const sdk = createServer(definition, false);
  await sdk.connect(transport as Transport);
  response.once('close', () => void sdk.close());
  await transport.handleRequest(request, response, body);
}
