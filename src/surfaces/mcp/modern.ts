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
  type ServerOptions,
  type Transport,
} from '@modelcontextprotocol/server';
import { isRecord, recordOf, textOf } from '../../lib/values.ts';
import { errorAnswer, type Message, type StdioConnection, type StdioOptions } from './messages.ts';
import {
  answerIn,
  type Changes,
  capabilitiesOf,
  type HttpExchange,
  INVALID_PARAMS,
  type InputNeeded,
  LISTEN,
  ProtocolError,
  RESOURCE_NOT_FOUND,
  type RequestContext,
  type ServerDefinition,
} from './protocol.ts';

import { subscriptionsTo } from './resources.ts';

/*
 * The adapter for clients of the protocol since 2026-07-28, with the second SDK (@modelcontextprotocol/server and /node
 * 2.x). Only this file imports that SDK, and it is loaded when such a client connects.
 */

/** The name of the one question that a call can need. */
const QUESTION = 'confirm';

/** The gate validates input. Loading the SDK's own validator would slow down every start. */
const noValidator: NonNullable<ServerOptions['jsonSchemaValidator']> = {
  getValidator: () => {
    throw new Error('the gate validates; the SDK has no schema to check');
  },
};

/** A server for one request over HTTP, or for one connection over stdio. */
function createServer(definition: ServerDefinition): Server {
  const sdk = new Server(definition.info, {
    capabilities: capabilitiesOf(definition),
    instructions: definition.instructions,
    jsonSchemaValidator: noValidator,
  });
  for (const [method, handler] of Object.entries(definition.handlers))
    sdk.setRequestHandler(method as 'tools/call', async ({ params }, context) => {
      try {
        const answer = await handler(recordOf(params), contextOf(sdk, context));
        return (needsInput(answer) ? asInputRequired(answer) : answer) as CallToolResult;
      } catch (error) {
        // Since 2026-07-28, a missing resource is an invalid parameter.
        if (!(error instanceof ProtocolError) || error.code !== RESOURCE_NOT_FOUND) throw error;
        throw new ResourceNotFoundError(textOf(recordOf(params).uri), error.message);
      }
    });
  return sdk;
}

const needsInput = (answer: unknown): answer is InputNeeded => isRecord(answer) && typeof answer.state === 'string';

function contextOf(sdk: Server, { mcpReq }: ServerContext): RequestContext {
  const progressToken = mcpReq._meta?.progressToken;
  const said = recordOf(mcpReq.envelope);
  // A client that probed with the newer protocol and fell back to an older one sends these values in `initialize` instead.
  const { name } = recordOf(said[CLIENT_INFO_META_KEY] ?? sdk.getClientVersion());
  const { elicitation } = recordOf(said[CLIENT_CAPABILITIES_META_KEY] ?? sdk.getClientCapabilities());
  const result = recordOf(mcpReq.inputResponses)[QUESTION];
  const answer = result === undefined ? undefined : answerIn(result);
  return {
    signal: mcpReq.signal,
    client: {
      name: typeof name === 'string' ? name : undefined,
      elicitation: isRecord(elicitation) ? elicitation : undefined,
    },
    notifyProgress: (progress, message) => {
      if (progressToken === undefined) return;
      const params = { progressToken, progress, message };
      // A client that has disconnected needs no report. Its call is being cancelled.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
    questions: { kind: 'returned', state: mcpReq.requestState<string>(), answer },
  };
}

/** The result that makes the client ask its user and call again. */
function asInputRequired({ question, state }: InputNeeded): InputRequiredResult {
  if (!question) return inputRequired({ requestState: state });
  const { message } = question;
  const form = { message, requestedSchema: { type: 'object' as const, properties: {} } };
  const isPage = question.mode === 'url';
  const asked = isPage ? inputRequired.elicitUrl({ message, url: question.url }) : inputRequired.elicit(form);
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

/** Serves a client on stdin and stdout, in the older protocol if it falls back to it after its first message. */
export async function serveStdio({ define, transport, onError }: StdioOptions): Promise<StdioConnection> {
  const { serveStdio: serveSdkStdio } = await import('@modelcontextprotocol/server/stdio');
  const { subscribable } = define();
  const servers = new Set<Server>();
  // A client that has disconnected needs no notification.
  const notify = (uri: string) => {
    for (const sdk of servers) void sdk.sendResourceUpdated({ uri }).catch(() => undefined);
  };
  const subscriptions = subscribable && subscriptionsTo(subscribable.changes, notify);
  const connection = serveSdkStdio(
    ({ era }) => {
      const sdk = createServer(define());
      servers.add(sdk);
      sdk.onclose = () => servers.delete(sdk);
      if (subscribable && subscriptions && era === 'legacy') {
        sdk.setRequestHandler('resources/subscribe', ({ params }) => subscriptions.add(params.uri, subscribable));
        sdk.setRequestHandler('resources/unsubscribe', ({ params }) => subscriptions.delete(params.uri, subscribable));
      }
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
 * Serves requests over HTTP. Each request is self-contained; only streams of changes stay open.
 *
 * @param changes the changes that every identity may listen for
 */
export async function modernHttp(changes: Changes | undefined, onError: (error: unknown) => void) {
  const { toNodeHandler } = await import('@modelcontextprotocol/node');
  const definitions = new WeakMap<Request, ServerDefinition>();
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const definition = requestInfo && definitions.get(requestInfo);
      if (!definition) throw new Error('a request came without the definition that answers it');
      return createServer(definition);
    },
    { legacy: 'reject', onerror: reporter(onError) },
  );
  const subscriptions = changes && subscriptionsTo(changes, (uri) => handler.notify.resourceUpdated(uri));
  return {
    /** True if the older protocol serves this request. */
    isLegacy: ({ request: { method, headers }, body }: HttpExchange): boolean => {
      const version = headers['mcp-protocol-version'];
      const classified = classifyInboundRequest({
        httpMethod: method ?? 'GET',
        body,
        ...(typeof version === 'string' ? { protocolVersionHeader: version } : {}),
      });
      return classified.kind === 'legacy';
    },
    /** Subscribes a stream to the records that it names, until it closes. Throws `ProtocolError` if one cannot be read. */
    listen: async (body: Message, response: ServerResponse, { subscribable }: ServerDefinition): Promise<void> => {
      if (!subscriptions || !subscribable) return;
      for (const uri of addressesIn(body)) {
        await subscriptions.add(uri, subscribable);
        if (response.destroyed) subscriptions.release(uri);
        else response.once('close', () => subscriptions.release(uri));
      }
    },
    /** Answers one request with this definition. */
    handle: ({ request, response, body }: HttpExchange, definition: ServerDefinition): Promise<void> => {
      const fetch: McpHttpHandler['fetch'] = (web, options) => {
        definitions.set(web, definition);
        return handler.fetch(web, options);
      };
      // The SDK's types do not fit Node's own under `exactOptionalPropertyTypes`.
      return toNodeHandler({ fetch })(request as NodeIncomingMessageLike, response, body);
    },
    close: (): Promise<void> => {
      subscriptions?.close();
      return handler.close();
    },
  };
}
