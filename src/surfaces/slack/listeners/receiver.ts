import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { questionCard } from '../../../cards/question.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { type Performed, statusOf } from '../../../gate/gate.ts';
import { SLACKBOT_BLOCKS, SLACKBOT_TYPES, type SlackbotPerson } from '../../../language/assistants/listed.ts';
import { errorOutcome, failureWords, partlyOutcome } from '../../../language/outcome.ts';
import { levelOfAction } from '../../../ledger/action.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Actor } from '../../../lib/actor.ts';
import { type Clock, inTime } from '../../../lib/clock.ts';
import type { Failure } from '../../../lib/errors.ts';
import { CLOSING, readBody, UnreadBody } from '../../../lib/http.ts';
import { UNSIGNED_BODY } from '../../../lib/load.ts';
import type { Log } from '../../../lib/log.ts';
import { BoundedMap, defined, type Fields, isRecord, objectIn, recordOf } from '../../../lib/values.ts';
import { isStoreUnavailable, type KeyValues } from '../../../store/key-values.ts';
import { actionMessage, confirmElsewhere, titleOf } from '../blocks/card.ts';
import { draw, wholeButton } from '../blocks/fitting.ts';
import { withoutSecrets } from '../blocks/form-values.ts';
import { resultMessage } from '../blocks/result.ts';
import { actions, type Block, type Element, notice, refusalMessage, rich, say, small } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { linkTo } from '../flows/engine.ts';
import { cardOf } from '../flows/number-card.ts';
import { failureNotice } from '../flows/run.ts';
import { askerNotes, elsewhereOf, type Origin } from '../types.ts';

/** Handles one verified request. Answers through `ack`, once. */
export type Process = (event: { body: Fields; ack: (response?: unknown) => Promise<void> }) => Promise<void>;

interface ReceiverOptions {
  signatures: SlackSignatures;
  log: Log;
  process: Process;
  /** Called first with a genuine request that Slack sends for the first time. Must not throw, wait, or change anything. */
  onGenuine?: (body: Fields) => void;
  /** Gets a message for a person that came too late for the answer to the request, which Slack no longer shows. */
  onLate?: (responseUrl: string, message: Fields) => void;
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
    await this.#process(body, answer, () => signatures.isLate(request.headers));
  }

  async #process(body: Fields, answer: Answer, isLate: () => boolean): Promise<void> {
    let acked = false;
    const ack = async (response?: unknown) => {
      if (acked) return;
      acked = true;
      const { response_url: url } = body;
      const isMessage = isRecord(response) && response.response_type !== undefined;
      if (isMessage && isText(url) && isLate()) {
        answer.send(200);
        this.#options.onLate?.(String(url), response);
      } else if (response === undefined || response === '') answer.send(200);
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

/** Returns the kind of request of a body, for the log. No part of it was written by a person. */
function kindOf({ type, callback_id: callback, view, actions }: Fields): Fields {
  const [action] = Array.isArray(actions) ? actions : [];
  return { type, callback: callback ?? recordOf(view).callback_id, action: recordOf(action).action_id };
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

const MAX_AGE_S = 300;
/** Slack shows no answer after three seconds. Its timestamp has whole seconds. */
const LATE_MS = 2_500;
/** A request is remembered for longer than its signature is accepted. */
const SEEN_MS = 2 * MAX_AGE_S * 1000;
/** Slack expects an answer within three seconds, so a slow database is not waited for. */
const STORE_MS = 1_000;
/** Maximum number of requests that this process remembers by itself. */
const MAX_OWN = 10_000;

interface SlackSignaturesOptions {
  /** SLACK_SIGNING_SECRET. */
  secret: string;
  clock: Clock;
  /** Requests that were handled, stored so that none is handled again after a restart. */
  seen: KeyValues;
}

/** Checks that Slack made a request, a short time ago, and that it was not handled before. */
export class SlackSignatures {
  readonly #options: SlackSignaturesOptions;
  /** Requests that were handled while the database was away, and until when they are remembered (epoch ms). */
  readonly #own = new BoundedMap<string, number>(MAX_OWN);

  constructor(options: SlackSignaturesOptions) {
    if (options.secret === '') throw new Error('SLACK_SIGNING_SECRET is empty: anybody could sign with it');
    this.#options = options;
  }

  /**
   * True if Slack signed this body within the last five minutes. Bolt's check is not used, because it also accepts other
   * spellings of the same two headers, with which a request that is sent again would count as new.
   */
  isGenuine(raw: Buffer, headers: IncomingHttpHeaders): boolean {
    const { clock, secret } = this.#options;
    const { timestamp, signature } = signedBy(headers);
    if (!/^\d{1,12}$/.test(timestamp)) return false;
    if (Math.abs(clock.now() / 1000 - Number(timestamp)) > MAX_AGE_S) return false;
    const wanted = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(raw).digest();
    const given = /^v0=([0-9a-f]{64})$/.exec(signature)?.[1];
    return given !== undefined && timingSafeEqual(wanted, Buffer.from(given, 'hex'));
  }

  /** True if Slack no longer shows what a request is answered with. */
  isLate(headers: IncomingHttpHeaders): boolean {
    return this.#options.clock.now() - Number(signedBy(headers).timestamp) * 1_000 > LATE_MS;
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
    const adding = seen.addAll(keys, now + SEEN_MS).catch((error: unknown) => {
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

type Done = Extract<Performed, { kind: 'done' }>;

/**
 * Retry delay while Slack does not return roles. A lookup is repeated after ten seconds, but the text says a minute.
 */
const RETRY_SECONDS = 60;

/** The outcome of a call. */
type Outcome =
  | { kind: 'done'; operation: string; input: Fields; done: Done }
  | { kind: 'pending'; action: string }
  | { kind: 'action'; action: string }
  | { kind: 'failed'; operation?: string; error: Failure };

/** Blocks for Slackbot, and a sentence for it to say. */
interface Presented {
  blocks: Block[];
  text?: string;
}

/**
 * Calls of tools that Slackbot makes over MCP for a person. Finds the person's role and presents answers as blocks. The
 * blocks have no buttons, because elements of an app do nothing in Slackbot. People confirm on the card that the app
 * posts.
 */
export class SlackbotCalls {
  readonly signatures: SlackSignatures;
  readonly #slack: SlackContext;

  constructor(slack: SlackContext, signatures: SlackSignatures) {
    this.#slack = slack;
    this.signatures = signatures;
  }

  /** The person with the identity and role that they have in commands, or a refusal. */
  async admit({
    userId,
    teamId,
    channel,
  }: SlackbotPerson): Promise<
    | { actor: Actor; answers: { notes: Fields; present(outcome: Outcome): Promise<Presented> } }
    | { refused: { text: string; blocks: Block[]; retryAfterSeconds?: number } }
  > {
    const origin: Origin = { userId, teamId, ...defined({ channel }) };
    const member = await this.#slack.roles.membership(origin);
    if ('refused' in member) {
      const { blocks } = refusalMessage(member.refused);
      const retry = member.unread ? { retryAfterSeconds: RETRY_SECONDS } : {};
      return { refused: { text: plainText(member.refused), blocks, ...retry } };
    }
    const { actor, zone } = member;
    const notes = { slack: { ...askerNotes(origin).slack, slackbot: true } };
    const present = async (outcome: Outcome) => {
      const { blocks, text } = await this.#present(outcome, zone);
      // Slackbot drops all blocks of a result if it does not accept one of them.
      const accepted = blocks.filter(({ type }) => SLACKBOT_TYPES.has(String(type))).slice(0, SLACKBOT_BLOCKS);
      return { blocks: accepted, ...defined({ text }) };
    };
    return { actor, answers: { notes, present } };
  }

  async #present(outcome: Outcome, zone: string | undefined): Promise<Presented> {
    const { gate, reworded } = this.#slack;
    if (outcome.kind === 'done') return this.#done(outcome, zone);
    if (outcome.kind === 'failed') {
      const { operation = '', error } = outcome;
      const tool = gate.tool(operation);
      const { mark } = errorOutcome(error);
      const { blocks } = tool
        ? failureNotice(this.#slack, tool, error)
        : notice(mark, reworded(failureWords(error, 'slack')));
      return { blocks };
    }
    const action = await gate.actions.get(outcome.action);
    if (!action) return { blocks: [] };
    if (outcome.kind === 'pending' || statusOf(action.state) === 'pending') return this.#pending(action);
    const { blocks } = actionMessage(action, { tool: gate.tool(action.operation), reworded, timeZone: gate.timeZone });
    return { blocks };
  }

  async #done({ operation, input, done }: Extract<Outcome, { kind: 'done' }>, zone?: string): Promise<Presented> {
    const slack = this.#slack;
    const tool = slack.gate.tool(operation);
    if (!tool) return { blocks: [] };
    // An empty handle: the whole card, and no buttons that would need a stored answer.
    const card = await cardOf(slack, { tool, input }, done.value, { handle: '' });
    if (card) return { blocks: card.blocks };
    const result = {
      title: tool.title,
      value: done.value,
      changed: tool.risk !== 'read',
      ...(done.partly ? { partly: partlyOutcome(done.partly, done.value) } : {}),
      mismatched: done.mismatched,
      asked: withoutSecrets(fieldsOf(tool), input),
      timeZone: slack.gate.timeZone,
    };
    return { blocks: resultMessage(result, { assistant: true, ...defined({ zone }) }).blocks };
  }

  /** The waiting action, and the place of its card. */
  async #pending(action: Action): Promise<Presented> {
    const slack = this.#slack;
    const at = await slack.cards.ensure(action.id);
    const tool = slack.gate.tool(action.operation);
    const elsewhere = elsewhereOf(slack.gate, action.id);
    const link = await linkTo(slack, at);
    const who = levelOfAction(action) === 'own' ? 'an operator' : 'an approver';
    const { blocks, cuts } = draw(questionCard(tool, action), { reworded: slack.reworded });
    const place = !at
      ? "in the app's Home"
      : at.channel.startsWith('D')
        ? "on a card in your direct messages with the app, or in the app's Home"
        : 'on a card in Slack';
    const isShared = at !== undefined && !at.channel.startsWith('D');
    const where = say(
      `It is ${place}. `,
      ...(isShared ? [rich.channel(at.channel), ' '] : []),
      ...(link ? [link] : []),
    );
    return {
      blocks: [
        say('🔐 ', rich.bold(titleOf(action, tool)), ` waits for ${who}. Nothing has been sent.`),
        ...blocks,
        ...(cuts.length === 0 ? [] : [actions(`whole:${action.id}`, wholeButton(action.id))]),
        elsewhere ? confirmElsewhere(elsewhere) : where,
        small('Allowing the tool in Slackbot, once or always, does not confirm this.'),
      ],
      text: `It waits for ${who} ${elsewhere ? 'on the confirmation page' : place}. Nothing has been sent. Allowing the tool in Slackbot does not confirm it.`,
    };
  }
}

/** Elements as text; mentions as their ids. */
function plainText(elements: readonly Element[]): string {
  return elements.map(({ text, user_id: user, usergroup_id: group }) => String(text ?? user ?? group ?? '')).join('');
}
