import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  classifyInboundRequest,
  createMcpHandler,
  type InputRequiredResult,
  inputRequired,
  type McpHttpHandler,
  ResourceNotFoundError,
  ProtocolError as SdkProtocolError,
  Server,
  type ServerContext,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { defined, type Fields, isRecord, recordOf, textOf } from '../../lib/values.ts';
import { errorAnswer, MAX_SUBSCRIBED, type Message, type StdioConnection, type StdioOptions } from './messages.ts';
import {
  answerIn,
  type Changes,
  capabilitiesOf,
  type HttpExchange,
  handlersOf,
  INVALID_PARAMS,
  type InputNeeded,
  LISTEN,
  type LiveQuestions,
  ProtocolError,
  RESOURCE_NOT_FOUND,
  type RequestContext,
  type ServerDefinition,
} from './protocol.ts';
import { subscriptionsTo } from './resources.ts';
import { Session, type Sessions } from './sessions.ts';

/*
 * The adapter to the SDK (@modelcontextprotocol/server and /node), which speaks the protocol of 2026-07-28 and the older
 * ones. Only this file imports the SDK, and it is loaded when a client connects.
 */

type Questions = NonNullable<RequestContext['questions']>;

/** The name of the one question that a call can need. */
const QUESTION = 'confirm';

/** `messages.ts` has checked each message, and the SDK's own schemas take 30 ms to build. */
const CHECKED = { params: z.custom<Fields>() };

/** The SDK's server with handlers whose messages are not checked again, also those that it has itself. */
class LightServer extends Server {
  override setRequestHandler(method: string, handle: unknown): void {
    const handled = handle as (request: unknown, context: ServerContext) => Promise<Fields>;
    super.setRequestHandler(method, CHECKED, (params, context) => handled({ method, params }, context));
  }

  override setNotificationHandler(method: string, handle: unknown): void {
    const handled = handle as (notification: unknown) => void;
    super.setNotificationHandler(method, CHECKED, (params) => handled({ method, params }));
  }
}

/**
 * A server for one request, session or connection. `asks`: `returned` since 2026-07-28, and `live` for an older client
 * that requests of the server reach. Left out if its user cannot be asked.
 */
function createServer(definition: ServerDefinition, asks?: Questions['kind']): Server {
  const { info, instructions, subscribable } = definition;
  const sdk: Server = new LightServer(info, { capabilities: capabilitiesOf(definition), instructions });
  for (const [method, handler] of Object.entries(handlersOf(definition)))
    sdk.setRequestHandler(method as 'tools/call', async ({ params }, context) => {
      try {
        const answer = await handler(recordOf(params), contextOf(sdk, context, asks));
        return (needsInput(answer) ? asInputRequired(answer) : answer) as CallToolResult;
      } catch (error) {
        // Since 2026-07-28, a missing resource is an invalid parameter.
        if (!(error instanceof ProtocolError) || error.code !== RESOURCE_NOT_FOUND) throw error;
        throw new ResourceNotFoundError(textOf(recordOf(params).uri), error.message);
      }
    });
  if (subscribable && asks === 'live') {
    const subscriptions = subscriptionsTo(subscribable.changes, notifierOf(sdk), MAX_SUBSCRIBED);
    sdk.onclose = () => subscriptions.close();
    subscribable.stream?.onOpen(() => subscriptions.reportAll());
    sdk.setRequestHandler('resources/subscribe', ({ params }) => subscriptions.add(params.uri, subscribable));
    sdk.setRequestHandler('resources/unsubscribe', ({ params }) => subscriptions.delete(params.uri, subscribable));
  }
  return sdk;
}

/** Tells a client that a record has changed. One that has disconnected needs no notification. */
function notifierOf(sdk: Server): (uri: string) => void {
  return (uri) => void sdk.sendResourceUpdated({ uri }).catch(() => undefined);
}

const needsInput = (answer: unknown): answer is InputNeeded => isRecord(answer) && typeof answer.state === 'string';

function contextOf(sdk: Server, { mcpReq }: ServerContext, asks: Questions['kind'] | undefined): RequestContext {
  const progressToken = mcpReq._meta?.progressToken;
  const said = recordOf(mcpReq.envelope);
  // Clients of the older protocol send these values in `initialize` instead.
  const { name } = recordOf(said[CLIENT_INFO_META_KEY] ?? sdk.getClientVersion());
  const { elicitation } = recordOf(said[CLIENT_CAPABILITIES_META_KEY] ?? sdk.getClientCapabilities());
  const result = recordOf(mcpReq.inputResponses)[QUESTION];
  const answer = result === undefined ? undefined : answerIn(result);
  const returned = { kind: 'returned', state: mcpReq.requestState<string>(), answer } as const;
  return {
    signal: mcpReq.signal,
    client: {
      name: typeof name === 'string' ? name : undefined,
      elicitation: isRecord(elicitation) ? elicitation : undefined,
    },
    notifyProgress: (progress, message, total) => {
      if (progressToken === undefined) return;
      const params = { progressToken, progress, message, ...defined({ total }) };
      // A client that has disconnected gets none, and its call is being cancelled.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
    questions: asks === 'live' ? liveQuestions(mcpReq) : asks && returned,
  };
}

/** The SDK's schema of an answer would turn one that does not fit into an error of its own. */
const ANSWER = z.looseObject({});

function liveQuestions({ send, notify }: ServerContext['mcpReq']): LiveQuestions {
  const elicitationId = randomUUID();
  return {
    kind: 'live',
    ask: async (question, options) => {
      const more = question.mode === 'form' ? NO_FIELDS : { elicitationId };
      try {
        return answerIn(
          await send({ method: 'elicitation/create', params: { ...question, ...more } }, ANSWER, options),
        );
      } catch (error) {
        // If the client answers with an error, its user is asked elsewhere. A question that was cut off is withdrawn.
        return error instanceof SdkProtocolError ? 'unavailable' : 'cancel';
      }
    },
    decided: () =>
      void notify({ method: 'notifications/elicitation/complete', params: { elicitationId } }).catch(() => undefined),
  };
}

/** The form of a question has nothing to fill in. */
const NO_FIELDS = { requestedSchema: { type: 'object' as const, properties: {} } };

/** The result that makes the client ask its user and call again. */
function asInputRequired({ question, state }: InputNeeded): InputRequiredResult {
  if (!question) return inputRequired({ requestState: state });
  const { message } = question;
  const asked =
    question.mode === 'url'
      ? inputRequired.elicitUrl({ message, url: question.url })
      : inputRequired.elicit({ message, ...NO_FIELDS });
  return inputRequired({ inputRequests: { [QUESTION]: asked }, requestState: state });
}

/**
 * Messages of requests that the SDK refuses. It reports them as errors too, although they are errors of the client,
 * which gets them as answers.
 */
const REFUSED = /^(Rejected inbound|Unsupported Media Type|subscriptions\/listen refused)/;

/** Reports errors of this server, but not those of the client. */
function reporter(onError: (error: unknown) => void): (error: Error) => void {
  return (error) => {
    if (!(error instanceof SdkProtocolError) && !REFUSED.test(error.message)) onError(error);
  };
}

/** Serves a client on stdin and stdout, in the protocol of its first message or in the older one that it falls back to. */
export async function serveStdio({ define, transport, onError }: StdioOptions): Promise<StdioConnection> {
  const { serveStdio: serveSdkStdio } = await import('@modelcontextprotocol/server/stdio');
  const definition = define();
  const { subscribable } = definition;
  let notify: (uri: string) => void = () => undefined;
  const subscriptions = subscribable && subscriptionsTo(subscribable.changes, (uri) => notify(uri));
  const connection = serveSdkStdio(
    ({ era }) => {
      const sdk = createServer(definition, era === 'modern' ? 'returned' : 'live');
      if (era === 'modern') notify = notifierOf(sdk);
      return sdk;
    },
    { transport: transport as Transport, onerror: reporter(onError) },
  );
  const deliver = transport.onmessage;
  transport.onmessage = (message) => {
    if (!subscribable || !subscriptions || message.method !== LISTEN) return deliver?.(message);
    // The SDK passes on the changes that the client listens for.
    Promise.all(addressesIn(message).map((uri) => subscriptions.add(uri, subscribable)))
      .then(() => deliver?.(message))
      .catch((error: unknown) => {
        if (!(error instanceof ProtocolError)) return onError(error);
        return transport.send(errorAnswer({ id: message.id ?? null, code: INVALID_PARAMS, message: error.message }));
      });
  };
  return {
    close: async () => {
      subscriptions?.close();
      await connection.close();
    },
  };
}

/** The addresses that a request for a stream of changes names. */
function addressesIn({ params }: Message): string[] {
  return (recordOf(params?.notifications).resourceSubscriptions ?? []) as string[];
}

/**
 * Loads the SDK's part for HTTP. Since 2026-07-28 each request is self-contained, and only streams of changes stay open.
 *
 * @param changes the changes that every identity may listen for
 */
export async function httpAdapter(changes: Changes | undefined, onError: (error: unknown) => void) {
  const { NodeStreamableHTTPServerTransport, toNodeHandler } = await import('@modelcontextprotocol/node');
  const definitions = new WeakMap<Request, ServerDefinition>();
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const definition = requestInfo && definitions.get(requestInfo);
      if (!definition) throw new Error('a request came without the definition that answers it');
      return createServer(definition, 'returned');
    },
    { legacy: 'reject', onerror: reporter(onError) },
  );
  const subscriptions = changes && subscriptionsTo(changes, (uri) => handler.notify.resourceUpdated(uri));

  /** True if a request is of a version before 2026-07-28. */
  const isOlder = ({ request: { method, headers }, body }: HttpExchange): boolean => {
    const version = headers['mcp-protocol-version'];
    const classified = classifyInboundRequest({
      httpMethod: method ?? 'GET',
      body,
      ...(typeof version === 'string' ? { protocolVersionHeader: version } : {}),
    });
    return classified.kind === 'legacy';
  };

  return {
    /** The versions of the protocol before 2026-07-28. */
    olderVersions: SUPPORTED_PROTOCOL_VERSIONS as readonly string[],
    isOlder,
    /** Subscribes a stream to the records that it names, until it closes. Throws `ProtocolError` if one cannot be read. */
    listen: async (body: Message, response: ServerResponse, { subscribable }: ServerDefinition): Promise<void> => {
      if (!subscriptions || !subscribable) return;
      for (const uri of addressesIn(body)) {
        await subscriptions.add(uri, subscribable);
        if (response.destroyed) subscriptions.release(uri);
        else response.once('close', () => subscriptions.release(uri));
      }
    },
    /** Opens a session for a client of the older protocol that initializes. */
    openSession: async (
      { request, response, body }: HttpExchange,
      sessions: Sessions,
      actorId: string,
      define: (session: Session) => ServerDefinition,
    ): Promise<void> => {
      const transport = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => sessions.add(id, session),
        onsessionclosed: (id) => sessions.delete(id),
      });
      const session = new Session(actorId, transport);
      const sdk = createServer(define(session), 'live');
      await sdk.connect(transport);
      await transport.handleRequest(request, response, body);
      // The transport refused to initialize, so no session will close the server.
      if (transport.sessionId === undefined) await sdk.close();
    },
    /** Answers one request with this definition, without a session. */
    answer: async (exchange: HttpExchange, definition: ServerDefinition): Promise<void> => {
      const { request, response, body } = exchange;
      if (!isOlder(exchange)) {
        const fetch: McpHttpHandler['fetch'] = (web, options) => {
          definitions.set(web, definition);
          return handler.fetch(web, options);
        };
        // The SDK's types do not fit Node's own under `exactOptionalPropertyTypes`.
        return toNodeHandler({ fetch })(request as NodeIncomingMessageLike, response, body);
      }
      // Nothing can reach the client later, so the answer is one JSON document.
      const transport = new NodeStreamableHTTPServerTransport({ enableJsonResponse: true });
      const sdk = createServer(definition);
      await sdk.connect(transport);
      response.once('close', () => void sdk.close());
      await transport.handleRequest(request, response, body);
    },
    close: (): Promise<void> => {
      subscriptions?.close();
      return handler.close();
    },
  };
}
