import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ElicitResultSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { demoInstruction, instructions } from '../../../tools/surfaces/assistants.ts';
import { ToolCalls } from './calls.ts';
import { Elicitation } from './elicitation.ts';
import { Offer } from './offer.ts';
import type { McpOptions } from './options.ts';
import { completeArgument, getPrompt, listPrompts } from './prompts.ts';
import { ProtocolError, type RequestContext } from './protocol.ts';
import { Resources } from './resources.ts';
import { Subscriptions } from './subscriptions.ts';

export type { Backend, McpOptions } from './options.ts';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** The MCP server of one client. Adapts tool calls, resources and prompts to the SDK. */
export class McpServer {
  readonly #options: McpOptions;
  readonly #offer: Offer;
  readonly #sdk: Server;

  constructor(options: McpOptions) {
    const { changes, demo, version } = options;
    this.#options = options;
    this.#offer = new Offer(options);
    this.#sdk = new Server(
      { name: 'switchboard', title: 'Switchboard', version },
      {
        capabilities: { tools: {}, resources: changes ? { subscribe: true } : {}, prompts: {}, completions: {} },
        instructions: demo ? `${demoInstruction}\n${instructions}` : instructions,
      },
    );
    this.#handleTools();
    this.#handleResources();
    this.#handleSubscriptions();
    this.#handlePrompts();
  }

  connect(transport: Transport): Promise<void> {
    return this.#sdk.connect(transport);
  }

  close(): Promise<void> {
    return this.#sdk.close();
  }

  #handleTools(): void {
    const elicitation = new Elicitation(this.#options, {
      name: () => this.#sdk.getClientVersion()?.name,
      elicitation: () => this.#sdk.getClientCapabilities()?.elicitation,
    });
    const calls = new ToolCalls(this.#options, this.#offer, elicitation);
    this.#sdk.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...this.#offer.tools] }));
    this.#sdk.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
      calls.call(params.name, params.arguments ?? {}, contextOf(extra)),
    );
  }

  #handleResources(): void {
    const resources = new Resources(this.#options, this.#offer);
    this.#sdk.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: resources.list() }));
    this.#sdk.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
      resourceTemplates: resources.listTemplates(),
    }));
    this.#sdk.setRequestHandler(ReadResourceRequestSchema, ({ params }, { signal }) =>
      withSdkErrors(async () => ({ contents: await resources.read(params.uri, signal) })),
    );
  }

  #handleSubscriptions(): void {
    const { changes, stream } = this.#options;
    if (!changes) return;
    const subscriptions = new Subscriptions({
      changes,
      stream,
      // A client that has disconnected need not be told.
      notify: (uri) => void this.#sdk.sendResourceUpdated({ uri }).catch(() => undefined),
    });
    this.#sdk.onclose = () => subscriptions.close();
    this.#sdk.setRequestHandler(SubscribeRequestSchema, ({ params }) =>
      withSdkErrors(async () => {
        subscriptions.check(params.uri);
        // Changes are reported only once the backend is open.
        const { follow } = await this.#options.backend();
        follow?.();
        subscriptions.add(params.uri);
        return {};
      }),
    );
    this.#sdk.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
      subscriptions.delete(params.uri);
      return {};
    });
  }

  #handlePrompts(): void {
    this.#sdk.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: listPrompts() }));
    this.#sdk.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
      withSdkErrors(async () => getPrompt(params.name, params.arguments ?? {})),
    );
    this.#sdk.setRequestHandler(CompleteRequestSchema, async ({ params }) => {
      const { known } = await this.#options.backend();
      const values = completeArgument(known, params.argument);
      return { completion: { values, total: values.length, hasMore: false } };
    });
  }
}

function contextOf(extra: Extra): RequestContext {
  const progressToken = extra._meta?.progressToken;
  return {
    signal: extra.signal,
    notifyProgress: (progress, message) => {
      if (progressToken === undefined) return;
      extra
        .sendNotification({ method: 'notifications/progress', params: { progressToken, progress, message } })
        // The client has disconnected, and its call is being cancelled.
        .catch(() => undefined);
    },
    elicit: async (message, options) => {
      try {
        const params = { mode: 'form' as const, message, requestedSchema: { type: 'object' as const, properties: {} } };
        const answer = await extra.sendRequest({ method: 'elicitation/create', params }, ElicitResultSchema, options);
        return answer.action;
      } catch (error) {
        // If the client claims to support forms and does not, its user is asked on the page. A form that failed or was
        // cut off is not a refusal.
        return isUnsupported(error) ? 'unavailable' : 'cancel';
      }
    },
  };
}

function isUnsupported(error: unknown): boolean {
  const codes: readonly number[] = [ErrorCode.MethodNotFound, ErrorCode.InvalidRequest, ErrorCode.InvalidParams];
  return error instanceof McpError && codes.includes(error.code);
}

async function withSdkErrors<T>(handler: () => Promise<T>): Promise<T> {
  try {
    return await handler();
  } catch (error) {
    throw error instanceof ProtocolError ? new McpError(error.code, error.message) : error;
  }
}
