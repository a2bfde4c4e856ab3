import { eventOperations, watchOperations } from '../../../../tools/surfaces/events.ts';
import { placesOrder } from '../../../../tools/surfaces/tasks.ts';
import { numbersOf } from '../../../cards/actions.ts';
import { stepActions } from '../../../cards/line-actions.ts';
import { changeOfOrder, type OrderShown } from '../../../cards/order.ts';
import { questionTitle } from '../../../cards/question.ts';
import type { CallEvent, MessageEvent, StatusEvent, WatchEvent } from '../../../events/parse.ts';
import type { EventCard, EventFeed } from '../../../events/service.ts';
import { WATCH_ENDED } from '../../../events/watches.ts';
import { lookups } from '../../../language/typed-values.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Actor } from '../../../lib/actor.ts';
import { DAY_MS, FETCH_MS } from '../../../lib/clock.ts';
import { Blocked, Unavailable } from '../../../lib/errors.ts';
import { defined, type Fields, recordOf, recordsIn, textOf } from '../../../lib/values.ts';
import { startedOrder } from '../../../platform/dialect/orders.ts';
import { KeyValues } from '../../../store/key-values.ts';
import type { Database } from '../../../store/types.ts';
import { SlackRefusal } from '../api/web.ts';
import {
  callLine,
  deliveryReply,
  type FormButton,
  messageCard,
  messageReply,
  orderMessage,
  orderReply,
  otherCard,
  watchCard,
} from '../blocks/event.ts';
import { type Message, PHONE, slackUser } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { BUSY, type Posted, SLACK_ACTOR } from '../types.ts';
import { type Services, STORED_MS } from './messages.ts';

/** Slack's error codes for what a person has to fix (https://docs.slack.dev/reference/methods/chat.postMessage). */
const OF_CHANNEL =
  /^(not_in_channel|channel_not_found|is_archived|restricted_action(_\w+)?|no_permission|(ekm_)?access_denied|team_access_not_granted)$/;
const OF_TOKEN =
  /^(missing_scope|invalid_auth|not_authed|account_inactive|token_revoked|token_expired|org_login_required)$/;

/** Whether Slack refuses every event. Events wait meanwhile; the log and /readyz say why. */
class Outage {
  readonly #channel: string;
  readonly #services: Pick<Services, 'clock' | 'log'>;
  /** `reason`: Slack's error code. `since`: epoch ms. `fix`: what a person can do. */
  #refused: { reason: string; since: number; fix: string } | undefined;

  constructor(channel: string, services: Pick<Services, 'clock' | 'log'>) {
    this.#channel = channel;
    this.#services = services;
  }

  /** The error for a refused event: `Blocked` if a person can fix it, `undefined` if only this event is refused. */
  refused(reason: string): Blocked | undefined {
    const { clock, log } = this.#services;
    const fix = OF_CHANNEL.test(reason)
      ? 'Invite the app there (/invite @Switchboard), and let it post.'
      : OF_TOKEN.test(reason)
        ? 'Install the app again from manifest.json, set the new SLACK_BOT_TOKEN and restart Switchboard.'
        : undefined;
    if (fix === undefined) return undefined;
    const channel = this.#channel;
    if (this.#refused?.reason !== reason)
      log('error', { channel, reason }, `Slack refuses events. They are queued. ${fix}`);
    this.#refused = { reason, since: this.#refused?.since ?? clock.now(), fix };
    return new Blocked(`Slack refuses events in ${channel} (${reason}). ${fix}`);
  }

  /** Slack accepted an event, which ends an outage. */
  over(): void {
    if (this.#refused) this.#services.log('info', { channel: this.#channel }, 'Slack accepts events again');
    this.#refused = undefined;
  }

  /** One sentence for /readyz while Slack refuses events. */
  problem(): string | undefined {
    if (!this.#refused) return undefined;
    const { reason, since, fix } = this.#refused;
    return `Slack refuses SLACK_EVENTS_CHANNEL ${this.#channel} since ${new Date(since).toISOString()} (${reason}). ${fix}`;
  }
}

/** The message to update or reply to was deleted. */
const GONE = new Set(['message_not_found', 'thread_not_found', 'cant_update_message']);
/** Maximum number of recipients that a reply button carries. In a larger group, the person chooses in the form. */
const MAX_GROUP = 30;
/** Customers that are looked up at once. A flood of messages must leave the request budget to people. */
const MAX_NAMING = 20;
/** How long the place of an order or a conversation is stored. An order may wait for weeks, and App Homes link to it. */
const LONG_MS = 365 * DAY_MS;
/** Reads for the process itself, with a lower priority than people's requests. */
const READER: Actor = { ...SLACK_ACTOR, priority: 'background' };
/** Fields that the line of a call shows, or that are of no use to readers. */
const CALL_FIELDS = new Set(['CallId', 'Event', 'EventType', 'From', 'To', 'Direction', 'StartedOn']);

/** One message about an event. */
interface EventMessage {
  /** The same for every attempt to post the message. */
  name: string;
  message: Message;
  /** An earlier attempt failed, and may have posted it. */
  isRetry: boolean;
}

/** The message about one subject: an order, a conversation, a call. */
interface Thread extends Posted {
  /** What was last shown, in the encoding of its kind. */
  shown: string;
  at: number;
  /** SLACK_EVENTS_CHANNEL when it was posted. */
  eventsChannel: string;
}

/**
 * Shows platform events in SLACK_EVENTS_CHANNEL. An order, a conversation and a call have one message each, also across
 * restarts. After a failure, a message is looked up in the channel before it is posted again.
 */
export class SlackEvents implements EventFeed {
  readonly #slack: SlackContext;
  readonly #channel: string;
  readonly #threads: KeyValues;
  readonly #outage: Outage;
  /** Cards to which a customer's name is being added. */
  readonly #naming = new Set<Promise<void>>();
  #lastOrder: Promise<unknown> = Promise.resolve();
  readonly #closing = new AbortController();

  constructor(slack: SlackContext, channel: string, database: Database) {
    this.#slack = slack;
    this.#channel = channel;
    this.#threads = new KeyValues({ database, clock: slack.clock, kind: 'event message' });
    this.#outage = new Outage(channel, slack);
    slack.worker.on(WATCH_ENDED, async ({ payload }) => {
      await this.#watchEnded(textOf(payload.phone));
      return undefined;
    });
    slack.home.showOrders(async (action) => {
      const thread = await this.#stored(keyOfOrder(action));
      return thread && { channel: thread.channel, ts: thread.ts, at: thread.at, ...reportIn(thread) };
    });
  }

  /** The orders of a batch share a message, so orders are shown one after another. */
  order(reported: OrderShown, isRetry = false): Promise<void> {
    const shown = this.#lastOrder.then(() => this.#showOrder(reported, isRetry));
    this.#lastOrder = shown.catch(() => undefined);
    return shown;
  }

  async #showOrder(reported: OrderShown, isRetry: boolean): Promise<void> {
    const { orderId, message } = reported;
    const { directory, gate, home, web } = this.#slack;
    const { correctOrder, assignNumber } = eventOperations;
    const start = await this.#startOf(orderId);
    const starter = start && slackUser(start.person) ? start.person : undefined;
    const placed = start && (await changeOfOrder(gate, start));
    const isPortIn = start && placesOrder(start.operation);
    const act = placed?.whole.consent && questionTitle(gate.tool(placed.whole.operation), placed.whole);
    const order: OrderShown = {
      ...reported,
      ...defined({ isPortIn, act }),
      ...(start?.batch !== undefined &&
        placed && {
          orderId: '',
          status: placed.status,
          numbers: numbersOf(recordsIn(placed.whole.shown.Rows)),
        }),
    };
    const [number, ...others] = order.numbers ?? [];
    const isPortedIn = order.status === 'Completed' && isPortIn;
    const card = orderMessage(order, starter, {
      correct: this.#formButton(correctOrder.operation, { [correctOrder.field]: orderId }),
      ...(isPortedIn && number !== undefined && others.length === 0
        ? { assign: this.#formButton(assignNumber.operation, { [assignNumber.field]: number }) }
        : {}),
    });
    const shown = JSON.stringify([order.status, message]);
    const key = start ? keyOfOrder(start) : orderKey(orderId);
    const thread = await this.#open(key);
    directory.learn({ OrderId: orderId });
    const user = starter && slackUser(starter);
    if (user) void home.changed(user);
    if (thread && (await this.#reached(() => web.update(thread, card)))) {
      if (thread.shown === shown) return;
      const reply = orderReply(order, reportIn(thread).status, starter);
      if (await this.#reply({ name: `${key} ${shown}`, message: reply, isRetry }, thread))
        return this.#store(key, thread, shown);
    }
    await this.#store(key, await this.#post({ name: key, message: card, isRetry }), shown);
  }

  async message(event: MessageEvent, isRetry = false): Promise<void> {
    const { subject: key, key: name } = event;
    if ((await this.#stored(key))?.shown === name) return;
    const thread = await this.#open(key);
    const reply = this.#replyButton(event);
    this.#slack.directory.learn({ From: event.from, To: event.to[0] ?? '' });
    if (thread && (await this.#reply({ name, message: messageReply(event, reply), isRetry }, thread)))
      return this.#store(key, thread, name);
    const at = await this.#post({ name, message: messageCard(event, reply), isRetry });
    await this.#store(key, at, name);
    const [ours = ''] = event.to;
    if (!PHONE.test(ours) || this.#naming.size >= MAX_NAMING) return;
    const naming = this.#nameCustomer(ours, (name) =>
      this.#slack.web.update(at, messageCard(event, reply, name)),
    ).finally(() => this.#naming.delete(naming));
    this.#naming.add(naming);
  }

  /** Adds the customer's name to a card later, so that a slow platform delays no message. */
  async #nameCustomer(phone: string, show: (name: string) => Promise<void>): Promise<void> {
    const { tools, groups, gate, clock, log } = this.#slack;
    const find = lookups(tools, groups).find((lookup) => lookup.find)?.find;
    if (!find) return;
    try {
      const options = { deadline: clock.now() + FETCH_MS, signal: this.#closing.signal };
      const performed = await gate.perform(find.tool.id, { [find.field]: phone }, READER, options);
      const found = performed.kind === 'done' ? performed.value.Numbers : undefined;
      const { Customer, Account } = recordOf(Array.isArray(found) ? found[0] : undefined);
      const name = [textOf(Customer), textOf(Account)].filter((part) => part !== '').join(' · ');
      if (name !== '') await show(name);
    } catch (error) {
      log('info', { error: String(error) }, 'the customer could not be added to an inbound message');
    }
  }

  async status(event: StatusEvent, isRetry = false): Promise<void> {
    const thread = await this.#open(event.subject);
    const failed = /fail|undeliver|reject|expired/i.test(event.status);
    if (!thread || thread.shown === event.key || !(failed || /deliver/i.test(event.status))) return;
    await this.#reply({ name: event.key, message: deliveryReply(!failed, event.to, event.text), isRetry }, thread);
    await this.#store(event.subject, thread, event.key);
  }

  async call(event: CallEvent, isRetry = false): Promise<void> {
    const { subject: key, from, to } = event;
    const thread = await this.#open(key);
    const before: { trail: string[]; facts: Record<string, string> } = JSON.parse(
      thread?.shown ?? '{"trail":[],"facts":{}}',
    );
    const words = event.event.replaceAll('_', ' ').toLowerCase();
    const name = words.charAt(0).toUpperCase() + words.slice(1);
    const trail = [...before.trail.filter((earlier) => earlier !== name), name].slice(-10);
    const facts = { ...before.facts, ...callFacts(event.fields) };
    // A late event does not reopen a call that has ended.
    const state = trail.find((one) => /completed/i.test(one)) ?? name;
    const earlier = trail.filter((one) => one !== state);
    const line = callLine({ from, to, facts }, state, earlier);
    const updated = thread !== undefined && (await this.#reached(() => this.#slack.web.update(thread, line)));
    const at = updated ? thread : await this.#post({ name: key, message: line, isRetry });
    await this.#store(key, at, JSON.stringify({ trail, facts }));
  }

  async watch(event: WatchEvent, isRetry = false): Promise<void> {
    const isWatched = await this.#isWatched(event.phone);
    const at = await this.#post({ name: event.key, message: this.#watchMessage(event, isWatched), isRetry });
    await this.#store(event.subject, at, JSON.stringify(event));
  }

  /** Draws the last card of a number again if the number is no longer watched. */
  async #watchEnded(phone: string): Promise<void> {
    const thread = await this.#open(`watch ${phone}`);
    if (!thread || (await this.#isWatched(phone))) return;
    const message = this.#watchMessage(JSON.parse(thread.shown), false);
    await this.#reached(() => this.#slack.web.update(thread, message));
  }

  async #isWatched(phone: string): Promise<boolean> {
    const watched = await this.#slack.gate.history(READER).watched();
    return watched.some((watch) => watch.phone === phone);
  }

  #watchMessage(event: WatchEvent, isWatched: boolean): Message {
    const watchers = isWatched ? event.by.flatMap((id) => slackUser(id) ?? []) : [];
    const line = { phone: event.phone, state: '', watched: isWatched };
    return watchCard(event, { watchers, isWatched }, stepActions(this.#slack.tools, watchOperations.helps, line));
  }

  async other(card: EventCard, isRetry = false): Promise<void> {
    this.#slack.directory.learn(Object.fromEntries(card.lines));
    await this.#post({ name: card.key, message: otherCard(card), isRetry });
  }

  async problem(): Promise<string | undefined> {
    return this.#outage.problem();
  }

  /** Ends the reads under way, because a platform that fails would delay the end of the process by its retries. */
  async close(): Promise<void> {
    await this.#slack.worker.off([WATCH_ENDED]);
    this.#closing.abort();
    await Promise.all(this.#naming);
  }

  async #stored(key: string): Promise<Thread | undefined> {
    const stored = await this.#threads.get(key);
    return stored === undefined ? undefined : JSON.parse(stored);
  }

  /** The thread, unless it is in a channel that the settings no longer name. */
  async #open(key: string): Promise<Thread | undefined> {
    const thread = await this.#stored(key);
    return thread?.eventsChannel === this.#channel ? thread : undefined;
  }

  /** Stores the message about a subject and what it shows. */
  #store(key: string, { channel, ts }: Posted, shown: string): Promise<void> {
    const at = this.#slack.clock.now();
    const thread: Thread = { channel, ts, shown, at, eventsChannel: this.#channel };
    const until = at + (key.startsWith('call ') ? STORED_MS : LONG_MS);
    return this.#threads.change(key, until, () => JSON.stringify(thread));
  }

  /** Runs a call to Slack. False if the message it refers to is gone. */
  async #reached(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      this.#outage.over();
      return true;
    } catch (error) {
      if (error instanceof SlackRefusal && GONE.has(error.reason)) return false;
      throw this.#failure(error);
    }
  }

  /** Posts a message outside threads. */
  async #post(event: EventMessage): Promise<Posted> {
    try {
      const at = await this.#send(event);
      this.#outage.over();
      return at;
    } catch (error) {
      throw this.#failure(error);
    }
  }

  #reply(event: EventMessage, thread: Posted): Promise<boolean> {
    return this.#reached(() => this.#send(event, thread.ts));
  }

  /** Posts a message. If an earlier attempt already posted it, it is updated. */
  async #send({ name: mark, message, isRetry }: EventMessage, threadTs?: string): Promise<Posted> {
    const { web, log } = this.#slack;
    const [earlier] = isRetry ? await web.find(this.#channel, mark, threadTs) : [];
    if (earlier) {
      await web.update(earlier, message);
      return earlier;
    }
    const options = { mark, ...defined({ threadTs }) };
    return web.post(this.#channel, message, options).catch((error: unknown) => {
      if (!(error instanceof SlackRefusal) || error.reason !== 'invalid_blocks') throw error;
      // Shown as text, so that one event with a layout that Slack refuses does not delay those behind it.
      log('error', { detail: error.message }, 'Slack refused the blocks of an event; showing its text');
      return web.post(this.#channel, { text: message.text, blocks: [] }, options);
    });
  }

  /** The error to throw: `Unavailable` if waiting helps, `Blocked` if a person has to fix something in Slack. */
  #failure(error: unknown): Error {
    if (!(error instanceof SlackRefusal)) return error instanceof Error ? error : new Error(String(error));
    if (BUSY.has(error.reason) || error.ambiguous) return new Unavailable(`Slack cannot be reached: ${error.message}`);
    const blocked = this.#outage.refused(error.reason);
    if (blocked) return blocked;
    this.#slack.log('error', { channel: this.#channel, reason: error.reason }, 'Slack refused an event');
    return new Error(`Slack refused: ${error.message}`);
  }

  /** The action that started the order. Another person may correct it later. */
  async #startOf(orderId: string): Promise<Action | undefined> {
    const named = await this.#slack.gate.actions.about(orderId, 50);
    return named.findLast((one) => ['done', 'partly'].includes(one.state) && startedOrder(one) === orderId);
  }

  /** Undefined if this installation does not have the operation. */
  #formButton(operation: string, input: Fields): FormButton | undefined {
    return this.#slack.tools.some((tool) => tool.id === operation) ? { operation, input } : undefined;
  }

  /** Answers a message. A reply to a group goes to the whole group. */
  #replyButton(event: MessageEvent): FormButton | undefined {
    const { operation, from, to } = eventOperations.reply;
    const [ours = '', ...others] = event.to;
    if (!PHONE.test(ours) || !PHONE.test(event.from)) return undefined;
    const group = others.filter((number) => PHONE.test(number)).slice(0, MAX_GROUP);
    const recipients = [event.from, ...group].map((number) => ({ Number: number }));
    return this.#formButton(operation, { [from]: ours, [to]: recipients });
  }
}

function orderKey(orderId: string): string {
  return `order ${orderId}`;
}

/** The key of the message about the order that an action placed. The orders of a batch have one. */
function keyOfOrder(action: Action): string {
  return action.batch === undefined ? orderKey(startedOrder(action) ?? '') : `orders ${action.batch}`;
}

/** The state and message of an order that its thread shows. */
function reportIn({ shown }: Thread): { status: string; message: string } {
  const [status = '', message = ''] = JSON.parse(shown) as [string?, string?];
  return { status, message };
}

/** Further facts about a call: its length, its recording, and fields that are not known yet. */
function callFacts(fields: Readonly<Fields>): Record<string, string> {
  const known = Object.entries(fields).filter(
    ([name, value]) => !CALL_FIELDS.has(name) && value !== null && value !== '',
  );
  return Object.fromEntries(
    known.slice(0, 8).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}
