import type { IncomingMessage, ServerResponse } from 'node:http';
import { failure } from '../../language/assistants/results.ts';
import type { Actor } from '../../lib/actor.ts';
import { IdentityLoad, TOO_MANY_CALLS } from '../../lib/load.ts';
import { type CallerOptions, identify } from './callers.ts';
import { refuse } from './http-body.ts';
import { HttpEras } from './http-eras.ts';
import { claimsSlack, SlackbotRequests } from './http-slackbot.ts';
import { INVALID_PARAMS, ProtocolError, type ServerDefinition, type ToolResult } from './protocol.ts';
import { defineServer, type McpOptions } from './server.ts';
import type { Slackbot } from './slackbot.ts';

export interface McpHttpOptions
  extends Omit<McpOptions, 'actor' | 'userRole' | 'pageRole' | 'stopping' | 'stream' | 'slackbot'>,
    CallerOptions {
  /** True if a browser can be paired with this computer, so that callers without a token can confirm on the page. */
  local: boolean;
  /** Left out where Slack signs no requests. */
  slackbot?: Slackbot | undefined;
}

/** `/mcp`: authenticates callers and serves them in the protocol they speak. Host and Origin are checked before. */
export class McpHttp {
  readonly #options: McpHttpOptions;
  readonly #eras: HttpEras;
  readonly #load = new IdentityLoad();
  readonly #stopping = new AbortController();
  readonly #cut = new AbortController();
  readonly #slackbot: SlackbotRequests;

  constructor(options: McpHttpOptions) {
    const { changes, backend, onError } = options;
    this.#options = options;
    this.#eras = new HttpEras({
      changes,
      follow: async () => (await backend()).follow?.(),
      onError: (error) => onError?.(error),
      load: this.#load,
    });
    this.#slackbot = new SlackbotRequests({
      slackbot: options.slackbot,
      eras: this.#eras,
      define: (actor, slackbot) => this.#define(actor, { slackbot }),
    });
  }

  /** The number of open sessions. */
  sessions(): number {
    return this.#eras.sessions();
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A request with an invalid signature is refused even if it has a valid token.
    if (claimsSlack(request)) return this.#slackbot.handle(request, response);
    const caller = await identify(request, this.#options);
    if ('status' in caller) return refuse(response, caller.status, caller.error, caller.headers);
    const { actor, expiresAt } = caller;
    const owner = { id: ownerOf(actor), name: actor.name, expiresAt };
    await this.#eras.handle({ request, response }, owner, (more) => this.#define(actor, more));
  }

  /** Answers calls under way before the process stops: those that wait for their client's user, or all. */
  stop(which: 'waiting' | 'all'): void {
    if (which === 'waiting') this.#stopping.abort();
    else this.#cut.abort();
  }

  /** Runs a tool call until the process stops. */
  async #untilCut(definition: ServerDefinition, ...call: Parameters<ServerDefinition['callTool']>) {
    const { signal } = this.#cut;
    let cut: () => void = () => undefined;
    const late = new Promise<ToolResult>((resolve) => {
      const tool = definition.listTools().find((one) => one.name === call[0]);
      cut = () => resolve(cutAnswer(tool?.annotations.readOnlyHint ?? false));
      signal.addEventListener('abort', cut);
    });
    try {
      return await Promise.race([definition.callTool(...call), late]);
    } finally {
      signal.removeEventListener('abort', cut);
    }
  }

  close(): Promise<void> {
    return this.#eras.close();
  }

  /** The server of one request or session. */
  #define(actor: Actor, more: Pick<McpOptions, 'stream' | 'changes' | 'slackbot'>): ServerDefinition {
    const { changes: _changes, slackbot: _slackbot, local, ...options } = this.#options;
    const definition = defineServer({
      ...options,
      ...more,
      actor,
      userRole: actor.role,
      stopping: this.#stopping.signal,
      // If browsers are paired with this computer, callers without a token act for its user, who can confirm on the
      // page.
      pageRole: local ? 'approver' : actor.role,
    });
    const owner = ownerOf(actor);
    return {
      ...definition,
      callTool: (name, input, context) =>
        this.#load.counted(owner, () => this.#untilCut(definition, name, input, context)) ?? Promise.resolve(BUSY),
      readResource: (uri, signal) => {
        const reading = this.#load.counted(owner, () => definition.readResource(uri, signal));
        if (reading === undefined) throw new ProtocolError(INVALID_PARAMS, TOO_MANY_CALLS);
        return reading;
      },
    };
  }
}

/** The answer to a call that the process does not wait for any longer. */
function cutAnswer(isRead: boolean): ToolResult {
  const message = 'Switchboard stopped before the platform answered.';
  const next = isRead ? 'Try again.' : 'events_since shows the outcome.';
  return failure({ code: 'unavailable', message, next, outcome: isRead ? 'not_done' : 'unknown' });
}

const BUSY = failure({ code: 'rate_limited', message: TOO_MANY_CALLS, outcome: 'not_done' });

/** The owner of a session. It includes the role, because a session keeps the role it was opened with. */
function ownerOf({ id, role }: Actor): string {
  return `${role} ${id}`;
}
