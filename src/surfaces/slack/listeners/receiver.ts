import type { IncomingMessage, ServerResponse } from 'node:http';
import { CLOSING, readBody, UnreadBody } from '../../../lib/http.ts';
import { type Fields, objectIn, recordOf } from '../../../lib/json.ts';
import { UNSIGNED_BODY } from '../../../lib/load.ts';
import type { Log } from '../../../lib/log.ts';
import { one, type SlackSignatures } from './signature.ts';

/** Handles one verified request. Answers through `ack`, once. */
export type Process = (event: { body: Fields; ack: (response?: unknown) => Promise<void> }) => Promise<void>;

export interface ReceiverOptions {
  signatures: SlackSignatures;
  log: Log;
  process: Process;
  /** Called first with a genuine request that Slack sends for the first time. Must not throw, wait, or change anything. */
  onGenuine?: (body: Fields) => void;
}

/**
 * Slack's requests over HTTP. Checks size, signature, age, shape and repetition before Bolt sees a request. Bolt's own
 * receiver is not used, because it waits for a slow body without a limit, accepts requests from the future, handles a
 * repeated request again, and ends the process with an unhandled rejection if a signed body is `null`.
 */
export class SlackReceiver {
  readonly #options: ReceiverOptions;

  constructor(options: ReceiverOptions) {
    this.#options = options;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = new Answer(response);
    if (request.method !== 'POST') return answer.send(405, 'POST only');
    let raw: Buffer;
    try {
      raw = await readBody(request, UNSIGNED_BODY);
    } catch (error) {
      if (!(error instanceof UnreadBody)) throw error;
      return answer.send(error.status, error.message, CLOSING);
    }
    const { signatures } = this.#options;
    if (!signatures.isGenuine(raw, request.headers)) return answer.send(401, 'not signed by Slack, or too old');
    const body = parse(raw.toString('utf8'), one(request.headers['content-type']));
    if (!body || !isSlackRequest(body)) return answer.send(400, 'not a Slack request');
    if (body.ssl_check !== undefined && body.command === undefined) return answer.send(200);
    if (!isHandled(body)) {
      this.#options.log('debug', kindOf(body), 'a kind of request of Slack that this app does not handle');
      return answer.send(200);
    }
    if (body.type === 'url_verification') return answer.json({ challenge: body.challenge });
    if (request.headers['x-slack-retry-num'] === undefined) this.#options.onGenuine?.(body);
    const event = typeof body.event_id === 'string' ? body.event_id : undefined;
    if (!(await signatures.isNew(request.headers, event))) return answer.send(200);
    await this.#process(body, answer);
  }

  async #process(body: Fields, answer: Answer): Promise<void> {
    let acked = false;
    const ack = async (response?: unknown) => {
      if (acked) return;
      acked = true;
      if (response === undefined || response === '') answer.send(200);
      else if (typeof response === 'string') answer.send(200, response);
      else answer.json(response);
    };
    try {
      await this.#options.process({ body, ack });
      if (acked) return;
      // Slack shows an error to the person, or sends it again, if a kind that this app does not know is refused.
      this.#options.log('debug', kindOf(body), 'no handler for a request of Slack');
      answer.send(200);
    } catch (error) {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#options.log('error', { error: detail }, 'failed to handle a Slack request');
      answer.send(500, 'failed');
    }
  }
}

/** An HTTP answer, sent at most once. */
class Answer {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  send(status: number, text = '', headers: Record<string, string> = {}): void {
    if (this.#response.headersSent || this.#response.destroyed) return;
    this.#response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers });
    this.#response.end(text);
  }

  json(value: unknown): void {
    this.send(200, JSON.stringify(value), { 'content-type': 'application/json; charset=utf-8' });
  }
}

function parse(raw: string, type: string): Fields | undefined {
  const form = Object.fromEntries(new URLSearchParams(raw));
  const json = type.includes('application/json') ? raw : form.payload;
  return json === undefined ? form : objectIn(json);
}

/** True if a body has the members that handlers rely on for its kind. */
function isSlackRequest(body: Fields): boolean {
  if (body.ssl_check !== undefined) return true;
  if (body.command !== undefined) {
    const { command, user_id, team_id, channel_id, text = '' } = body;
    return [command, user_id, team_id, channel_id].every(isText) && typeof text === 'string';
  }
  const user = recordOf(body.user);
  switch (body.type) {
    case 'url_verification':
      return isText(body.challenge);
    case 'event_callback': {
      const event = recordOf(body.event);
      return isText(event.type) && (event.type !== 'app_home_opened' || isText(event.user));
    }
    case 'block_actions': {
      const [action] = Array.isArray(body.actions) ? body.actions : [];
      return isText(user.id) && isText(recordOf(action).action_id) && isText(recordOf(body.team).id ?? user.team_id);
    }
    case 'block_suggestion':
      return isText(user.id) && isText(body.action_id) && isText(body.block_id) && typeof body.value === 'string';
    case 'view_submission':
    case 'view_closed':
      return isText(user.id) && isText(recordOf(body.view).id) && typeof recordOf(body.view).callback_id === 'string';
    case 'shortcut':
    case 'message_action':
      return isText(user.id) && isText(body.callback_id);
    default:
      // A kind that Slack has, or will have, and that this app does not handle.
      return isText(body.type) && isText(user.id);
  }
}

const HANDLED: readonly unknown[] = [
  'url_verification',
  'event_callback',
  'block_actions',
  'block_suggestion',
  'view_submission',
  'view_closed',
  'shortcut',
  'message_action',
];

/** True for a kind of request that Bolt tells apart and this app listens to. */
function isHandled({ type, command }: Fields): boolean {
  return command !== undefined || HANDLED.includes(type);
}

/** What kind of request a body is, for the log. Nothing of it was written by a person. */
function kindOf({ type, callback_id: callback, view, actions }: Fields): Fields {
  const [action] = Array.isArray(actions) ? actions : [];
  return { type, callback: callback ?? recordOf(view).callback_id, action: recordOf(action).action_id };
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
