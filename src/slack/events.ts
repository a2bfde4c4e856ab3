import { eventOperations, watchOperations } from '../../tools/events.ts';
import { Unavailable } from '../errors.ts';
import type { EventCard, EventShow } from '../event-room.ts';
import { openDatabase } from '../store/database.ts';
import {
  callLine,
  deliveryReply,
  type FormButton,
  messageCard,
  messageReply,
  type OrderShown,
  orderCard,
  orderReply,
  watchCard,
} from './blocks/event.ts';
import { slackUser } from './blocks/people.ts';
import { pairLines } from './blocks/result.ts';
import type { Message } from './blocks/text.ts';
import { eventMessage } from './handlers.ts';
import { stepsOf } from './lookup.ts';
import type { Desk } from './types.ts';
import { type Posted, SlackRefusal } from './web.ts';

const SCHEMA = `CREATE TABLE IF NOT EXISTS threads (
  key TEXT PRIMARY KEY,
  channel TEXT NOT NULL,
  ts TEXT NOT NULL,
  said TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT`;

/** A message that stands for something: where it is, and what it said last. */
interface Thread extends Posted {
  said: string;
}

export interface SlackEvents extends EventShow {
  close(): void;
}

/** Slack itself is why it failed: waiting helps. */
const DOWN = new Set([
  'network',
  'ratelimited',
  'rate_limited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
]);
/** Somebody deleted what we would have added to. */
const GONE = new Set(['message_not_found', 'thread_not_found', 'cant_update_message']);
const CALLS_MS = 7 * 86_400_000;
const PHONE = /^\+\d{7,15}$/;
/** A button carries so many numbers at most; whoever answers a larger group chooses in the form. */
const MAX_GROUP = 30;

/**
 * What happens at the platform, in SLACK_EVENTS_CHANNEL: an order, a conversation and a call have one message each,
 * kept over restarts. Slack is told first and its answer is written down after: where the process ends or the
 * connection breaks between the two, one message may appear a second time, and none is lost.
 */
export function createSlackEvents(desk: Desk, channel: string, path: string): SlackEvents {
  const { clock, log, web, directory } = desk;
  const db = openDatabase(path, SCHEMA, { durable: true });
  db.run(`DELETE FROM threads WHERE key LIKE 'call %' AND at < ?`, clock.now() - CALLS_MS);

  const threadOf = (key: string) => db.get<Thread>('SELECT channel, ts, said FROM threads WHERE key = ?', key);
  function keep(key: string, at: Posted, said: string): void {
    db.run(
      'INSERT OR REPLACE INTO threads (key, channel, ts, said, at) VALUES (?, ?, ?, ?, ?)',
      key,
      at.channel,
      at.ts,
      said,
      clock.now(),
    );
  }

  /** False where the message is gone. */
  async function reached(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof SlackRefusal && GONE.has(error.reason)) return false;
      throw failure(error);
    }
  }

  async function post(message: Message, threadTs?: string, to = channel): Promise<Posted> {
    return web.post(to, message, threadTs).catch((error: unknown) => {
      if (!(error instanceof SlackRefusal) || error.reason !== 'invalid_blocks') throw failure(error);
      // A layout Slack does not take hides no event, and holds up none behind it: its words go alone.
      log('error', { detail: error.message }, 'Slack refused the blocks of an event; its text is shown instead');
      return web.post(to, { text: message.text, blocks: [] }, threadTs).catch((again: unknown) => {
        throw failure(again);
      });
    });
  }

  function failure(error: unknown): Error {
    if (!(error instanceof SlackRefusal)) return error instanceof Error ? error : new Error(String(error));
    if (DOWN.has(error.reason)) return new Unavailable(`Slack cannot be reached: ${error.message}`);
    log('error', { channel, reason: error.reason }, 'Slack refuses events in SLACK_EVENTS_CHANNEL');
    return new Error(`Slack refused: ${error.message}`);
  }

  /** Whoever asked for the order in Slack; a later correction is somebody else's. */
  function askerOf(orderId: string): string | undefined {
    const action = desk.door.ledger
      .about(orderId, 50)
      .findLast(
        (one) =>
          ['done', 'partly'].includes(one.state) &&
          one.result?.OrderId === orderId &&
          one.shown.OrderId !== orderId &&
          slackUser(one.person) !== undefined,
      );
    return action && slackUser(action.person);
  }

  desk.home.showOrders((orderId) => {
    const thread = db.get<Thread & { at: number }>(
      'SELECT channel, ts, said, at FROM threads WHERE key = ?',
      `order ${orderId}`,
    );
    if (!thread) return undefined;
    const [status = '', message = ''] = JSON.parse(thread.said) as [string?, string?];
    return { channel: thread.channel, ts: thread.ts, at: thread.at, status, message };
  });

  function formOf(toolId: string, input: Record<string, unknown>): FormButton | undefined {
    return desk.tools.some((tool) => tool.id === toolId) ? { toolId, input } : undefined;
  }

  return {
    async order(order: OrderShown) {
      const { orderId } = order;
      const key = `order ${orderId}`;
      const { operation, field } = eventOperations.correctOrder;
      const asker = askerOf(orderId);
      const card = orderCard(order, asker, formOf(operation, { [field]: orderId }));
      const said = JSON.stringify([order.status, order.message]);
      const thread = threadOf(key);
      directory.learn({ OrderId: orderId });
      void desk.guides.orderMoved(order);
      if (asker) desk.home.changed(asker);
      if (thread && (await reached(() => web.update(thread, card)))) {
        if (thread.said === said) return;
        const [before] = JSON.parse(thread.said) as [string, string];
        const reply = orderReply(order, before, asker);
        if (await reached(() => web.post(thread.channel, reply, thread.ts))) {
          keep(key, thread, said);
          return;
        }
      }
      keep(key, await post(card), said);
    },
    async message(event) {
      const thread = threadOf(event.subject);
      if (thread?.said === event.key) return;
      directory.learn({ From: event.from, To: event.to[0] ?? '' });
      if (thread && (await reached(() => web.post(thread.channel, messageReply(event), thread.ts)))) {
        keep(event.subject, thread, event.key);
        return;
      }
      const { operation, from, to } = eventOperations.reply;
      const ours = event.to[0] ?? '';
      const mayReply = PHONE.test(ours) && PHONE.test(event.from);
      // A group is answered as a group.
      const others = event.to.slice(1).filter((number) => PHONE.test(number));
      const everybody = [event.from, ...others.slice(0, MAX_GROUP)].map((number) => ({ Number: number }));
      const reply = mayReply ? formOf(operation, { [from]: ours, [to]: everybody }) : undefined;
      keep(event.subject, await post(messageCard(event, reply)), event.key);
    },
    async status(event) {
      const thread = threadOf(event.subject);
      const failed = /fail|undeliver|reject|expired/i.test(event.status);
      if (!thread || thread.said === event.key || !(failed || /deliver/i.test(event.status))) return;
      await reached(() => web.post(thread.channel, deliveryReply(!failed, event.to, event.text), thread.ts));
      keep(event.subject, thread, event.key);
    },
    async call(event) {
      const thread = threadOf(event.subject);
      const told = saidOf(thread);
      const name = words(event.event);
      const trail = [...told.trail.filter((one) => one !== name), name].slice(-10);
      const facts = { ...told.facts, ...factsOf(event.fields) };
      // What comes late does not start a call again that has ended.
      const state = trail.find((one) => /completed/i.test(one)) ?? name;
      const line = callLine(
        { ...event, facts },
        state,
        trail.filter((one) => one !== state),
      );
      const there = thread !== undefined && (await reached(() => web.update(thread, line)));
      keep(event.subject, there ? thread : await post(line), JSON.stringify({ trail, facts }));
    },
    async watch(event) {
      const people = event.by.flatMap((id) => slackUser(id) ?? []);
      await post(watchCard(event, people, stepsOf(desk, watchOperations.helps, '')));
    },
    async other(card: EventCard) {
      directory.learn(Object.fromEntries(card.lines));
      await post(eventMessage(card, pairLines));
    },
    close: () => db.close(),
  };
}

/** What was said of a call so far. */
function saidOf(thread: Thread | undefined): { trail: string[]; facts: Record<string, string> } {
  const said: unknown = thread ? JSON.parse(thread.said) : [];
  // Written by an older version: the trail alone.
  return Array.isArray(said) ? { trail: said.map(String), facts: {} } : (said as ReturnType<typeof saidOf>);
}

/** Said by the line itself, or of no use to a reader. */
const CALL_FIELDS = new Set(['CallId', 'Event', 'EventType', 'From', 'To', 'Direction', 'StartedOn']);

/** What else an event of a call tells: its length, where its recording is, and what nobody here knows yet. */
function factsOf(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name, value]) => !CALL_FIELDS.has(name) && value !== null && value !== '')
      .slice(0, 8)
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

function words(name: string): string {
  const text = name.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
