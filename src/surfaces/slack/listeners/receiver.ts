import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type App, type AppOptions, type Logger, SocketModeReceiver } from '@slack/bolt';
import type { Dispatcher } from 'undici';
import { type Performed, statusOf } from '../../../gate/confirmation.ts';
import { SLACKBOT_TYPES, type SlackbotPerson } from '../../../language/assistants/own-tools.ts';
import { errorOutcome, failureWords } from '../../../language/outcome.ts';
import { levelOfAction } from '../../../ledger/action.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { type Clock, inTime, MINUTE_MS } from '../../../lib/clock.ts';
import type { Failure } from '../../../lib/errors.ts';
import { CLOSING, readBody, UNSIGNED_BODY, UnreadBody } from '../../../lib/http.ts';
import type { Log } from '../../../lib/log.ts';
import { BoundedMap, defined, type Fields, objectIn } from '../../../lib/values.ts';
import { isStoreUnavailable, type KeyValues } from '../../../store/key-values.ts';
import { backoff } from '../../../work/jobs.ts';
import { actionMessage, elsewhere } from '../blocks/card.ts';
import { resultMessage } from '../blocks/result.ts';
import * as ui from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { askerNotes, linkTo } from '../flows/engine.ts';
import { cardOf, failureNotice } from '../flows/run.ts';
import { logged, type Origin } from '../types.ts';

/** Handles one verified request. Answers through `ack`, once. */
export type Process = (event: { body: Fields; ack: (response?: unknown) => Promise<void> }) => Promise<void>;

/**
 * Slack's requests over HTTP. Checks size, signature, age, shape and repetition before Bolt sees a request. Bolt's own
 * receiver is not used, because it waits for a slow body without a limit, accepts requests from the future, handles a
 * repeated request again, and ends the process with an unhandled rejection if a signed body is `null`.
 */
export function createReceiver(signatures: SlackSignatures, log: Log, process: Process) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    /** Sends the answer to a request, once. */
    const send = (status: number, text = '', headers: Record<string, string> = {}) => {
      if (response.headersSent || response.destroyed) return;
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(text);
    };
    if (request.method !== 'POST') return send(405, 'POST only');
    let raw: Buffer;
    try {
      raw = await readBody(request, UNSIGNED_BODY);
    } catch (error) {
      if (!(error instanceof UnreadBody)) throw error;
      return send(error.status, error.message, CLOSING);
    }
    if (!signatures.isGenuine(raw, request.headers)) return send(401, 'not signed by Slack, or too old');
    const form = Object.fromEntries(new URLSearchParams(raw.toString('utf8')));
    const isJson = one(request.headers['content-type']).includes('application/json');
    const json = isJson ? raw.toString('utf8') : form.payload;
    const body = json === undefined ? form : objectIn(json);
    if (!body || !isSlackRequest(body)) return send(400, 'not a Slack request');
    if (body.ssl_check !== undefined && body.command === undefined) return send(200);
    if (body.command === undefined && !Object.hasOwn(KINDS, String(body.type))) {
      log('debug', { type: body.type }, 'a kind of request of Slack that this app does not handle');
      return send(200);
    }
    if (body.type === 'url_verification') return send(200, JSON.stringify({ challenge: body.challenge }), JSON_TYPE);
    const event = typeof body.event_id === 'string' ? body.event_id : undefined;
    if (!(await signatures.isNew(request.headers, event))) return send(200);
    const ack = async (answer?: unknown) =>
      typeof answer === 'object'
        ? send(200, JSON.stringify(answer), JSON_TYPE)
        : send(200, answer === undefined ? '' : String(answer));
    try {
      await process({ body, ack });
      // Slack sends an event again that is not acknowledged, also one of a kind that this app does not know.
      send(200);
    } catch (error) {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log('error', { error: detail }, 'failed to handle a Slack request');
      send(500, 'failed');
    }
  };
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** The kinds of requests that this app listens to, each with the paths of the texts that its handlers rely on. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  command: ['command', 'user_id', 'team_id', 'channel_id'],
  url_verification: ['challenge'],
  event_callback: ['event.type'],
  app_home_opened: ['event.user'],
  block_actions: ['user.id', 'actions.0.action_id', 'team.id|user.team_id'],
  block_suggestion: ['user.id', 'action_id', 'block_id'],
  view_submission: ['user.id', 'view.id', 'view.callback_id'],
  view_closed: ['user.id', 'view.id', 'view.callback_id'],
  shortcut: ['user.id', 'callback_id'],
  message_action: ['user.id', 'callback_id'],
};
/** Another kind is one that Slack has, or will have, and that this app does not handle. */
const OTHER = ['type', 'user.id'];

/** True if a body has the members that handlers rely on for its kind. */
function isSlackRequest(body: Fields): boolean {
  if (body.ssl_check !== undefined) return true;
  const inside = (inner: unknown, key: string) =>
    key === '0' && !Array.isArray(inner) ? undefined : Object(inner)[key];
  const valueAt = (path: string) => path.split('.').reduce<unknown>(inside, body);
  const kinds = body.command === undefined ? [body.type, valueAt('event.type')].map(String) : ['command'];
  const known = kinds.filter((kind) => Object.hasOwn(KINDS, kind));
  const isText = (path: string) => typeof valueAt(path) === 'string' && valueAt(path) !== '';
  const paths = known.length === 0 ? OTHER : known.flatMap((kind) => KINDS[kind] ?? []);
  return paths.every((path) => path.split('|').some(isText));
}

const MAX_AGE_S = 300;
/** A request is remembered for longer than its signature is accepted. */
const SEEN_MS = 2 * MAX_AGE_S * 1000;
/** Slack expects an answer within three seconds, so a slow database is not waited for. */
const STORE_MS = 1_000;
/** Maximum number of requests that this process remembers by itself. */
const MAX_OWN = 10_000;

/**
 * `secret`: SLACK_SIGNING_SECRET. `seen`: requests that were handled, stored so that none is handled again after a
 * restart.
 */
type SignatureParts = { secret: string; clock: Clock; seen: KeyValues };

/** Checks that Slack made a request, a short time ago, and that it was not handled before. */
export class SlackSignatures {
  readonly #options: SignatureParts;
  /** Requests that were handled while the database was away, and until when they are remembered (epoch ms). */
  readonly #own = new BoundedMap<string, number>(MAX_OWN);

  constructor(options: SignatureParts) {
    if (options.secret === '') throw new Error('SLACK_SIGNING_SECRET is empty: anybody could sign with it');
    this.#options = options;
  }

  /**
   * True if Slack signed this body within the last five minutes. Bolt's check is not used, because it also accepts other
   * spellings of the same two headers, with which a request that is sent again would count as new.
   */
  isGenuine(raw: Buffer, headers: IncomingHttpHeaders): boolean {
    const { timestamp, signature } = signedBy(headers);
    if (!/^\d{1,12}$/.test(timestamp)) return false;
    if (Math.abs(this.#options.clock.now() / 1000 - Number(timestamp)) > MAX_AGE_S) return false;
    const wanted = createHmac('sha256', this.#options.secret).update(`v0:${timestamp}:`).update(raw).digest();
    const given = /^v0=([0-9a-f]{64})$/.exec(signature)?.[1];
    return given !== undefined && timingSafeEqual(wanted, Buffer.from(given, 'hex'));
  }

  /**
   * True the first time that a genuine request is received, over all processes and addresses. While the database is
   * away, lookups go on and nothing can be changed, so that it is enough that this process remembers its requests.
   *
   * @param event id of the event in it. Slack repeats an event, with a new signature, if it received no answer.
   */
  async isNew(headers: IncomingHttpHeaders, event?: string): Promise<boolean> {
    const { timestamp, signature } = signedBy(headers);
    const { seen, clock } = this.#options;
    const keys = [`${timestamp} ${signature}`, ...(event === undefined ? [] : [`event ${event}`])];
    const now = clock.now();
    if (keys.some((key) => (this.#own.get(key) ?? 0) > now)) return false;
    const remember = () => {
      for (const key of keys) this.#own.set(key, now + SEEN_MS);
      return true;
    };
    const adding = seen.add(keys, now + SEEN_MS).catch((error: unknown) => {
      if (!isStoreUnavailable(error)) throw error;
      return remember();
    });
    return inTime(clock, STORE_MS, adding, remember);
  }
}

function signedBy(headers: IncomingHttpHeaders): { timestamp: string; signature: string } {
  return { timestamp: one(headers['x-slack-request-timestamp']), signature: one(headers['x-slack-signature']) };
}

/** The first value of a header; '' without one. */
function one(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header) ?? '';
}

/**
 * Retry delay while Slack does not return roles. A lookup is repeated after ten seconds, but the text says a minute.
 */
const RETRY_SECONDS = 60;

/** The outcome of a call. */
type Outcome =
  | { kind: 'done'; operation: string; input: Fields; done: Extract<Performed, { kind: 'done' }> }
  | { kind: 'pending' | 'action'; action: string }
  | { kind: 'failed'; operation?: string; error: Failure };

/**
 * Calls of tools that Slackbot makes over MCP for a person. Finds the person's role and presents answers as blocks. The
 * blocks have no buttons, because elements of an app do nothing in Slackbot. People confirm on the card that the app
 * posts.
 */
export function slackbotCalls(slack: SlackContext, signatures: SlackSignatures) {
  /** The person with the identity and role that they have in commands, or a refusal. */
  const admit = async ({ userId, teamId, channel }: SlackbotPerson) => {
    const origin: Origin = { userId, teamId, ...defined({ channel }) };
    const member = await slack.roles.membership(origin);
    if ('refused' in member) {
      const { blocks } = ui.refusalMessage(member.refused);
      // Mentions are their ids.
      const texts = member.refused.map(({ text, user_id, usergroup_id }) =>
        String(text ?? user_id ?? usergroup_id ?? ''),
      );
      const retry = member.unread ? { retryAfterSeconds: RETRY_SECONDS } : {};
      return { refused: { text: texts.join(''), blocks, ...retry } };
    }
    const notes = { slack: { ...askerNotes(origin).slack, slackbot: true } };
    /** Blocks for Slackbot, and a sentence for it to say. */
    const present = async (outcome: Outcome) => {
      const presented = await presentedIn(slack, outcome, member.zone);
      // Slackbot drops all blocks of a result if it does not accept one of them.
      const accepted = presented.blocks.filter(({ type }) => SLACKBOT_TYPES.has(String(type)));
      return { ...presented, blocks: accepted.slice(0, ui.MAX_BLOCKS) };
    };
    return { actor: member.actor, answers: { notes, present } };
  };
  return { signatures, admit };
}

async function presentedIn(slack: SlackContext, outcome: Outcome, zone: string | undefined) {
  const { gate, reworded } = slack;
  if (outcome.kind === 'failed') {
    const { operation = '', error } = outcome;
    const tool = gate.tool(operation);
    if (tool) return { blocks: failureNotice(slack, tool, error).blocks };
    return { blocks: ui.notice(errorOutcome(error).mark, reworded(failureWords(error, 'slack'))).blocks };
  }
  if (outcome.kind === 'done') {
    const { operation, input, done } = outcome;
    const tool = gate.tool(operation);
    if (!tool) return { blocks: [] };
    // An empty handle: the whole card, and no buttons that would need a stored answer.
    const card = await cardOf(slack, { tool, input }, done.value, '');
    if (card) return { blocks: card.blocks };
    const result = { title: tool.title, value: done.value, timeZone: gate.timeZone };
    return { blocks: resultMessage(result, { assistant: true, ...defined({ zone }) }).blocks };
  }
  const action = await gate.actions.get(outcome.action);
  if (!action) return { blocks: [] };
  if (outcome.kind === 'pending' || statusOf(action.state) === 'pending') return pendingIn(slack, action);
  return { blocks: actionMessage(slack, action).blocks };
}

/** The waiting action, and the place of its card. */
async function pendingIn(slack: SlackContext, action: Action) {
  const at = await slack.cards.ensure(action.id);
  const link = await linkTo(slack, at);
  const who = levelOfAction(action) === 'own' ? 'an operator' : 'an approver';
  const direct = at?.channel.startsWith('D') ? 'in your direct messages with the app' : 'on a card in Slack';
  const card = at ? direct : "in the app's Home";
  const place = elsewhere(slack, action).length > 0 ? 'on the confirmation page' : card;
  const text = `It waits for ${who} ${place}. Nothing has been sent. Allowing the tool in Slackbot does not confirm it.`;
  return { blocks: [ui.say('🔐 ', text, ...(link ? [' ', link] : [])), ...actionMessage(slack, action).blocks], text };
}

export type ClientOptions = NonNullable<AppOptions['clientOptions']>;

interface SocketParts extends Pick<SlackContext, 'clock' | 'log'> {
  app: App;
  appToken: string;
  logger: Logger;
  clientOptions: ClientOptions;
  /** Connects through the proxies of the settings; undefined without one. */
  dispatcher: Dispatcher | undefined;
}

/** Receives Slack's requests over a WebSocket, for servers that Slack cannot reach. */
export class SocketMode {
  readonly #receiver: SocketModeReceiver;
  readonly #services: SocketParts;
  #open = false;
  /** The last failure that was logged, so that each is logged once; undefined while connected. */
  #failure: string | undefined;
  #closed = false;
  #timer: unknown;

  constructor(options: SocketParts) {
    const { app, appToken, logger, clientOptions, dispatcher, log } = options;
    this.#services = options;
    this.#receiver = new SocketModeReceiver({
      appToken,
      logger,
      ...(dispatcher && { dispatcher }),
      installerOptions: { clientOptions: { ...clientOptions, retryConfig: { retries: 2 } } },
    });
    this.#receiver.init(app);
    this.#receiver.client.on('connected', () => {
      this.#open = true;
      if (this.#failure !== undefined) log('info', {}, 'Socket Mode is connected again');
      this.#failure = undefined;
    });
    for (const event of ['connecting', 'reconnecting', 'disconnected'])
      this.#receiver.client.on(event, () => {
        this.#open = false;
      });
  }

  get connected(): boolean {
    return this.#open;
  }

  /** Connects, and tries again at growing intervals while Slack is down. */
  async connect(attempt = 0): Promise<void> {
    if (this.#closed) return;
    try {
      await this.#receiver.start();
    } catch (failure) {
      const error = String(failure);
      const level = error === this.#failure ? 'debug' : 'error';
      this.#failure = error;
      // Slack's codes for a token name the setting.
      const setting = /auth|token|missing_scope|account_inactive/.test(error) ? ' (SLACK_APP_TOKEN)' : '';
      this.#services.log(level, { error }, `Socket Mode could not connect${setting}; trying again`);
      const wait = backoff(attempt + 1, MINUTE_MS);
      this.#timer = this.#services.clock.setTimeout(() => void this.connect(attempt + 1), wait);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#services.clock.clearTimeout(this.#timer);
    await this.#receiver.stop().catch(logged(this.#services, 'info', 'Socket Mode was not connected'));
  }
}
