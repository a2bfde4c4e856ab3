import type { IncomingMessage, ServerResponse } from 'node:http';
import { failure, withSlackBlocks } from '../../language/assistants/results.ts';
import { slackbotPerson } from '../../language/assistants/slackbot.ts';
import type { Actor } from '../../lib/actor.ts';
import type { Failure } from '../../lib/errors.ts';
import { defined } from '../../lib/json.ts';
import { UNSIGNED_BODY } from '../../lib/load.ts';
import { parseMessages, readRaw, refuse } from './http-body.ts';
import type { HttpEras } from './http-eras.ts';
import type { Message } from './messages.ts';
import type { ServerDefinition, ToolResult } from './protocol.ts';
import type { Slackbot, SlackbotAnswers, SlackbotRefusal } from './slackbot.ts';

export interface SlackbotRequestsOptions {
  /** Undefined where Slack signs no requests: without SLACK_SIGNING_SECRET. */
  slackbot: Slackbot | undefined;
  eras: HttpEras;
  define: (actor: Actor, answers: SlackbotAnswers) => ServerDefinition;
}

/** Methods that a client may call, and repeat, before it names a person, because they only describe the server. */
const DISCOVERY = new Set(['initialize', 'notifications/initialized', 'ping', 'server/discover', 'tools/list']);
/** Opens a stream that outlives the signed request, so it is refused. */
const LISTEN = 'subscriptions/listen';

/** Lists tools for a client that names no person yet. It calls nothing. */
const DISCOVERER: Actor = {
  id: 'slack:slackbot',
  name: 'Slackbot',
  role: 'operator',
  surface: 'slack',
  priority: 'assistant',
};

/** Stores nothing and shows nothing. */
const NO_ANSWERS: SlackbotAnswers = { notes: {}, present: async () => ({ blocks: [] }) };

/** True if a request claims to be signed by Slack. */
export function claimsSlack({ headers }: IncomingMessage): boolean {
  return headers['x-slack-signature'] !== undefined || headers['x-slack-request-timestamp'] !== undefined;
}

/** Serves requests that Slack signs. Signature, age and repetition are checked before any part of a request is used. */
export class SlackbotRequests {
  readonly #options: SlackbotRequestsOptions;

  constructor(options: SlackbotRequestsOptions) {
    this.#options = options;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { slackbot, eras } = this.#options;
    if (!slackbot)
      return refuse(response, 401, 'Requests signed by Slack are not accepted here: SLACK_SIGNING_SECRET is not set.');
    if (request.method !== 'POST') return refuse(response, 405, 'POST a JSON-RPC message.', { allow: 'POST' });
    const raw = await readRaw(request, response, UNSIGNED_BODY);
    if (!raw) return;
    const { signatures } = slackbot;
    if (!signatures.isGenuine(raw, request.headers))
      return refuse(response, 401, 'Not signed by Slack, or too old. Nothing was done.');
    const message = parseMessages(raw, response);
    if (!message) return;
    if (Array.isArray(message)) return refuse(response, 400, 'POST one JSON-RPC message.', {}, -32600);
    // Two such requests in one second can have the same bytes, because they name no person and each client counts its
    // ids from the start. So their repetition is not refused.
    const repeatable = typeof message.method === 'string' && DISCOVERY.has(message.method);
    if (!repeatable && !(await signatures.isNew(request.headers)))
      return refuse(response, 401, 'This signed request was handled before. Nothing was done.');
    const definition = await this.#definitionFor(slackbot, message);
    if ('error' in definition) {
      const { error, retryAfterSeconds } = definition;
      if (retryAfterSeconds === undefined) return refuse(response, 403, error);
      return refuse(response, 503, error, { 'retry-after': String(retryAfterSeconds) });
    }
    await eras.handleAlone({ request, response }, message, definition);
  }

  /** The server for the person that a message names, or the reason why there is none. */
  async #definitionFor(
    slackbot: Slackbot,
    { method, params }: Message,
  ): Promise<ServerDefinition | { error: string; retryAfterSeconds?: number }> {
    const { define } = this.#options;
    if (method === LISTEN) return { error: 'Slackbot is told nothing later; read what changed with a tool.' };
    const person = slackbotPerson(params);
    if (!person) {
      if (typeof method !== 'string' || !DISCOVERY.has(method))
        return {
          error: 'params._meta.slack names no person (user_id, team_id), so this is for nobody. Nothing was done.',
        };
      return {
        ...define(DISCOVERER, NO_ANSWERS),
        callTool: async () => refusedResult({ text: 'No person is named.', blocks: [] }),
      };
    }
    const caller = await slackbot.admit(person);
    if (!('refused' in caller)) return define(caller.actor, caller.answers);
    const { refused } = caller;
    const { text: error, retryAfterSeconds } = refused;
    if (method !== 'tools/call') return { error, ...defined({ retryAfterSeconds }) };
    // The reason is the result of the call, so that the person reads it.
    return { ...define(DISCOVERER, NO_ANSWERS), callTool: async () => refusedResult(refused) };
  }
}

function refusedResult({ text: message, blocks, retryAfterSeconds }: SlackbotRefusal): ToolResult {
  const code = retryAfterSeconds === undefined ? 'forbidden_by_role' : 'unavailable';
  const face: Failure = { code, message, effect: 'stated', outcome: 'not_done', ...defined({ retryAfterSeconds }) };
  return withSlackBlocks(failure(face), blocks);
}
