import { eventOperations, watchOperations } from '../../../../tools/surfaces/events.ts';
import { stepActions } from '../../../cards/line-actions.ts';
import type { OrderShown } from '../../../cards/order.ts';
import type { EventCard, EventFeed } from '../../../events/handlers.ts';
import type { CallEvent, MessageEvent, StatusEvent, WatchEvent } from '../../../events/parse.ts';
import { WATCH_ENDED } from '../../../events/watches.ts';
import type { Gate } from '../../../gate/gate.ts';
import { lookups } from '../../../language/typed-values.ts';
import type { Actor } from '../../../lib/actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import { FETCH_MS, FRESH_MS } from '../../../lib/durations.ts';
import { Unavailable } from '../../../lib/errors.ts';
import { defined, type Fields, isRecord, recordOf, textOf } from '../../../lib/json.ts';
import { BoundedMap } from '../../../lib/lists.ts';
import type { Log } from '../../../lib/log.ts';
import { startedOrder } from '../../../platform/dialect/orders.ts';
import type { Database } from '../../../store/types.ts';
import { SlackRefusal } from '../api/block-fallback.ts';
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
import { slackUser } from '../blocks/render.ts';
import { type Message, PHONE } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { BUSY, type Posted } from '../types.ts';
import { EventThreads, type Thread } from './messages.ts';
import { Outage } from './outage.ts';

/** The message to update or reply to was deleted. */
const GONE = new Set(['message_not_found', 'thread_not_found', 'cant_update_message']);
/** Maximum number of recipients that a reply button carries. In a larger group, the person chooses in the form. */
const MAX_GROUP = 30;

/** One message about an event. */
interface EventMessage {
  /** The same for every attempt to post the message. */
  name: string;
  message: Message;
  /** An earlier attempt failed, and may have posted it. */
  isRetry: boolean;
}

/**
 * Shows platform events in SLACK_EVENTS_CHANNEL. An order, a conversation and a call have one message each, also across
 * restarts. After a failure, a message is looked up in the channel before it is posted again.
 */
export class SlackEvents implements EventFeed {
  readonly #slack: SlackContext;
  readonly #channel: string;
  readonly #threads: EventThreads;
  readonly #outage: Outage;
  readonly #customers: Customers;
  /** Cards to which a customer's name is being added. */
  readonly #naming = new Set<Promise<void>>();

  constructor(slack: SlackContext, channel: string, database: Database) {
    const { log, worker, clock } = slack;
    this.#slack = slack;
    this.#channel = channel;
    const find = lookups(slack.tools, slack.groups).find((lookup) => lookup.find)?.find;
    this.#customers = new Customers({ gate: slack.gate, find, clock, log });
    this.#threads = new EventThreads(database, channel, clock);
    worker.on(WATCH_ENDED, async ({ payload }) => {
      await this.#watchEnded(textOf(payload.phone));
      return undefined;
    });
    this.#outage = new Outage(channel, slack);
    slack.home.showOrders(async (orderId) => {
      const thread = await this.#threads.get(orderKey(orderId));
      return thread && { channel: thread.channel, ts: thread.ts, at: thread.at, ...reportIn(thread) };
    });
  }

  async order(order: OrderShown, isRetry = false): Promise<void> {
    const { orderId, status, message } = order;
    const { directory, home, web } = this.#slack;
    const key = orderKey(orderId);
    const { operation, field } = eventOperations.correctOrder;
    const starter = await this.#starterOf(orderId);
    const card = orderMessage(order, starter, this.#formButton(operation, { [field]: orderId }));
    const shown = JSON.stringify([status, message]);
    const thread = await this.#openThread(key);
    directory.learn({ OrderId: orderId });
    const user = starter && slackUser(starter);
    if (user) void home.changed(user);
    if (thread && (await this.#reached(() => web.update(thread, card)))) {
      if (thread.shown === shown) return;
      const reply = orderReply(order, reportIn(thread).status, starter);
      if (await this.#reply({ name: `${key} ${shown}`, message: reply, isRetry }, thread)) {
        await this.#threads.put(key, thread, shown);
        return;
      }
    }
    await this.#threads.put(key, await this.#post({ name: key, message: card, isRetry }), shown);
  }

  async message(event: MessageEvent, isRetry = false): Promise<void> {
    const { subject: key, key: name } = event;
    if ((await this.#threads.get(key))?.shown === name) return;
    const thread = await this.#openThread(key);
    this.#slack.directory.learn({ From: event.from, To: event.to[0] ?? '' });
    if (
      thread &&
      (await this.#reply({ name, message: messageReply(event, this.#replyButton(event)), isRetry }, thread))
    ) {
      await this.#threads.put(key, thread, name);
      return;
    }
    const reply = this.#replyButton(event);
    const at = await this.#post({ name, message: messageCard(event, reply), isRetry });
    await this.#threads.put(key, at, name);
    this.#nameCustomer(event, at, reply);
  }

  /** Adds the customer's name to a card later, so that a slow platform delays no message. */
  #nameCustomer(event: MessageEvent, at: Posted, reply: FormButton | undefined): void {
    const [ours = ''] = event.to;
    if (!PHONE.test(ours)) return;
    const naming = this.#customers
      .nameOf(ours)
      .then((name) => (name === undefined ? undefined : this.#slack.web.update(at, messageCard(event, reply, name))))
      .catch((error: unknown) =>
        this.#slack.log('info', { error: String(error) }, 'the customer could not be added to an inbound message'),
      )
      .finally(() => this.#naming.delete(naming));
    this.#naming.add(naming);
  }

  async status(event: StatusEvent, isRetry = false): Promise<void> {
    const thread = await this.#openThread(event.subject);
    const failed = /fail|undeliver|reject|expired/i.test(event.status);
    if (!thread || thread.shown === event.key || !(failed || /deliver/i.test(event.status))) return;
    const message = deliveryReply(!failed, event.to, event.text);
    await this.#reply({ name: event.key, message, isRetry }, thread);
    await this.#threads.put(event.subject, thread, event.key);
  }

  async call(event: CallEvent, isRetry = false): Promise<void> {
    const key = event.subject;
    const thread = await this.#openThread(key);
    const before = callIn(thread);
    const name = inWords(event.event);
    const trail = [...before.trail.filter((earlier) => earlier !== name), name].slice(-10);
    const facts = { ...before.facts, ...callFacts(event.fields) };
    // A late event does not reopen a call that has ended.
    const state = trail.find((one) => /completed/i.test(one)) ?? name;
    const earlier = trail.filter((one) => one !== state);
    const line = callLine({ from: event.from, to: event.to, facts }, state, earlier);
    const updated = thread !== undefined && (await this.#reached(() => this.#slack.web.update(thread, line)));
    const at = updated ? thread : await this.#post({ name: key, message: line, isRetry });
    await this.#threads.put(key, at, JSON.stringify({ trail, facts }));
  }

  async watch(event: WatchEvent, isRetry = false): Promise<void> {
    const before = await this.#openThread(event.subject);
    const isWatched = await this.#isWatched(event.phone);
    const at = await this.#post({ name: event.key, message: this.#watchMessage(event, { isWatched }), isRetry });
    // The newest card alone ends the watch, so that no other one is drawn again when it has ended.
    if (before && before.ts !== at.ts) {
      const earlier = this.#watchMessage(JSON.parse(before.shown) as WatchEvent, { isWatched, isEarlier: true });
      await this.#reached(() => this.#slack.web.update(before, earlier));
    }
    await this.#threads.put(event.subject, at, JSON.stringify(event));
  }

  /** Draws the last card of a number again if the number is no longer watched. */
  async #watchEnded(phone: string): Promise<void> {
    const thread = await this.#openThread(`watch ${phone}`);
    if (!thread || (await this.#isWatched(phone))) return;
    const message = this.#watchMessage(JSON.parse(thread.shown) as WatchEvent, { isWatched: false });
    await this.#reached(() => this.#slack.web.update(thread, message));
  }

  async #isWatched(phone: string): Promise<boolean> {
    const watched = await this.#slack.gate.history(READER).watched();
    return watched.some((watch) => watch.phone === phone);
  }

  #watchMessage(event: WatchEvent, { isWatched, isEarlier = false }: { isWatched: boolean; isEarlier?: boolean }) {
    const watchers = isWatched ? event.by.flatMap((id) => slackUser(id) ?? []) : [];
    const steps = stepActions(this.#slack.tools, watchOperations.helps, {
      phone: event.phone,
      state: '',
      watched: isWatched && !isEarlier,
    });
    return watchCard(event, { watchers, isWatched }, steps);
  }

  async other(card: EventCard, isRetry = false): Promise<void> {
    this.#slack.directory.learn(Object.fromEntries(card.lines));
    await this.#post({ name: card.key, message: otherCard(card), isRetry });
  }

  async problem(): Promise<string | undefined> {
    return this.#outage.problem();
  }

  async close(): Promise<void> {
    await this.#slack.worker.off([WATCH_ENDED]);
    await this.#customers.close();
    await Promise.all(this.#naming);
  }

  /** The thread, unless it is in a channel that the settings no longer name. */
  async #openThread(key: string): Promise<Thread | undefined> {
    const thread = await this.#threads.get(key);
    return thread?.inOtherChannel ? undefined : thread;
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

  /** Posts a message outside threads. If an earlier attempt already posted it, it is updated. */
  async #post(event: EventMessage): Promise<Posted> {
    try {
      const { found, ...at } = await this.#send(event);
      if (found) await this.#slack.web.update(at, event.message);
      this.#outage.over();
      return at;
    } catch (error) {
      throw this.#failure(error);
    }
  }

  #reply(event: EventMessage, thread: Posted): Promise<boolean> {
    return this.#reached(() => this.#send(event, thread.ts));
  }

  /** `found`: an earlier attempt already posted it, and it may be out of date. */
  async #send({ name: mark, message, isRetry }: EventMessage, threadTs?: string): Promise<Posted & { found: boolean }> {
    const { web, log } = this.#slack;
    const [earlier] = isRetry ? await web.find(this.#channel, mark, threadTs) : [];
    if (earlier) return { ...earlier, found: true };
    const options = { mark, ...defined({ threadTs }) };
    const at = await web.post(this.#channel, message, options).catch((error: unknown) => {
      if (!(error instanceof SlackRefusal) || error.reason !== 'invalid_blocks') throw error;
      // Shown as text, so that one event with a layout that Slack refuses does not delay those behind it.
      log('error', { detail: error.message }, 'Slack refused the blocks of an event; showing its text');
      return web.post(this.#channel, { text: message.text, blocks: [] }, options);
    });
    return { ...at, found: false };
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

  /** The identity of the Slack user who started the order. Another person may correct it later. */
  async #starterOf(orderId: string): Promise<string | undefined> {
    const named = await this.#slack.gate.actions.about(orderId, 50);
    const action = named.findLast(
      (one) =>
        ['done', 'partly'].includes(one.state) && startedOrder(one) === orderId && slackUser(one.person) !== undefined,
    );
    return action?.person;
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

/** The state and message of an order that its thread shows. */
function reportIn({ shown }: Thread): { status: string; message: string } {
  const [status = '', message = ''] = JSON.parse(shown) as [string?, string?];
  return { status, message };
}

/** The events and facts of a call that its thread shows. */
function callIn(thread: Thread | undefined): { trail: string[]; facts: Record<string, string> } {
  const shown: unknown = thread && JSON.parse(thread.shown);
  return isRecord(shown) ? (shown as ReturnType<typeof callIn>) : { trail: [], facts: {} };
}

/** Fields that the line of a call shows, or that are of no use to readers. */
const CALL_FIELDS = new Set(['CallId', 'Event', 'EventType', 'From', 'To', 'Direction', 'StartedOn']);

/** Further facts about a call: its length, its recording, and fields that are not known yet. */
function callFacts(fields: Readonly<Fields>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name, value]) => !CALL_FIELDS.has(name) && value !== null && value !== '')
      .slice(0, 8)
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

function inWords(name: string): string {
  const text = name.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Reads for the process itself, with a lower priority than people's requests. */
const READER: Actor = { id: 'slack', name: 'Slack', role: 'viewer', surface: 'slack', priority: 'background' };
const MAX_KEPT = 1_000;
/** Maximum number of queued numbers. A flood of messages must leave the request budget to people. */
const MAX_QUEUED = 20;

interface CustomersOptions {
  gate: Gate;
  /** The search that finds a number with its customer, and its field. */
  find: { tool: { id: string }; field: string } | undefined;
  clock: Clock;
  log: Log;
}

/** Names of the customers behind numbers, read one at a time with the lowest priority and kept for ten minutes. */
class Customers {
  readonly #options: CustomersOptions;
  readonly #known = new BoundedMap<string, { name: string | undefined; until: number }>(MAX_KEPT);
  #queue: Promise<unknown> = Promise.resolve();
  #queued = 0;
  readonly #closing = new AbortController();

  constructor(options: CustomersOptions) {
    this.#options = options;
  }

  /** The customer and the account of a number; undefined if it has none, or if the platform does not answer in time. */
  async nameOf(phone: string): Promise<string | undefined> {
    const known = this.#known.get(phone);
    if (known && known.until > this.#options.clock.now()) return known.name;
    if (!this.#options.find || this.#queued >= MAX_QUEUED || this.#closing.signal.aborted) return undefined;
    this.#queued += 1;
    const name = this.#queue
      .then(() => this.#read(phone))
      .finally(() => {
        this.#queued -= 1;
      });
    this.#queue = name;
    return name;
  }

  /** Ends the read under way, because a platform that fails would delay the end of the process by its retries. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#queue;
  }

  async #read(phone: string): Promise<string | undefined> {
    const { gate, find, clock, log } = this.#options;
    const { signal } = this.#closing;
    if (!find || signal.aborted) return undefined;
    try {
      const options = { deadline: clock.now() + FETCH_MS, signal };
      const performed = await gate.perform(find.tool.id, { [find.field]: phone }, READER, options);
      if (performed.kind !== 'done' || !Array.isArray(performed.value.Numbers)) return undefined;
      const { Customer, Account } = recordOf(performed.value.Numbers[0]);
      const name = [textOf(Customer), textOf(Account)].filter((part) => part !== '').join(' · ') || undefined;
      this.#known.set(phone, { name, until: clock.now() + FRESH_MS });
      return name;
    } catch (error) {
      log('info', { error: String(error) }, 'the customer of an inbound message could not be read');
      return undefined;
    }
  }
}
