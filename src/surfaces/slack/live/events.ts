import { eventOperations, watchOperations } from '../../../../tools/surfaces/events.ts';
import type { EventCard, EventShow } from '../../../events/feed.ts';
import { Unavailable } from '../../../lib/errors.ts';
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
} from '../blocks/event.ts';
import { slackUser } from '../blocks/people.ts';
import { pairLines } from '../blocks/result.ts';
import type { Message } from '../blocks/text.ts';
import { stepsOf } from '../flows/lookup.ts';
import { eventMessage } from '../listeners/handlers.ts';
import type { SlackContext } from '../types.ts';
import { createOnce, type Doubt } from './once.ts';
import { createOutages } from './outage.ts';
import { openThreads } from './threads.ts';
import { type Posted, SlackRefusal } from './web.ts';

export interface SlackEvents extends EventShow {
  close(): Promise<void>;
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
const PHONE = /^\+\d{7,15}$/;
/** A button carries so many numbers at most; whoever answers a larger group chooses in the form. */
const MAX_GROUP = 30;

/** One message about something that happened. */
interface Said {
  /** What it is about: the key of its thread. */
  key: string;
  /** The same for every attempt at this message, and for no other one. */
  name: string;
  message: Message;
}

/**
 * What happens at the platform, in SLACK_EVENTS_CHANNEL: an order, a conversation and a call have one message each,
 * kept over restarts. What Slack may have taken without an answer is looked for before it is sent again.
 */
export function createSlackEvents(slack: SlackContext, channel: string, path: string): SlackEvents {
  const { clock, log, web, directory, config } = slack;
  const threads = openThreads(path, channel, clock);
  const once = createOnce({ web, clock, log });
  const outages = createOutages({ config, channel, threads, once, web, log, now: () => clock.now() });
  const { keep } = threads;
  /** Nothing is added to a thread of a channel that the settings no longer name. */
  const threadOf = (key: string) => {
    const thread = threads.get(key);
    return thread?.elsewhere ? undefined : thread;
  };

  /** False where the message is gone. */
  async function reached(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      outages.over();
      return true;
    } catch (error) {
      if (error instanceof SlackRefusal && GONE.has(error.reason)) return false;
      throw failure(error);
    }
  }

  /** Posts once, over attempts. `found`: an earlier attempt has left it there, and it may be out of date. */
  async function send({ key, name, message }: Said, threadTs?: string): Promise<Posted & { found: boolean }> {
    const job = {
      channel,
      threadTs,
      doubt: threads.doubt(name),
      keep: (doubt: Doubt | undefined) => threads.putDoubt(name, key, doubt),
    };
    return once.post({ ...job, message }).catch((error: unknown) => {
      if (!(error instanceof SlackRefusal) || error.reason !== 'invalid_blocks') throw error;
      // An event whose layout Slack does not take is shown as text, and holds up none behind it.
      log('error', { detail: error.message }, 'Slack refused the blocks of an event; its text is shown instead');
      return once.post({ ...job, doubt: threads.doubt(name), message: { text: message.text, blocks: [] } });
    });
  }

  /** A message of its own. One that an earlier attempt has left there is brought up to date. */
  async function post(reworded: Said): Promise<Posted> {
    try {
      const { found, ...at } = await send(reworded);
      if (found) await web.update(at, reworded.message);
      outages.over();
      return at;
    } catch (error) {
      throw failure(error);
    }
  }

  /** A message that nothing is added to later. */
  async function postAlone(name: string, message: Message): Promise<void> {
    await post({ key: name, name, message });
    threads.putDoubt(name, name, undefined);
  }

  const reply = (reworded: Said, thread: Posted) => reached(() => send(reworded, thread.ts));

  /** What to throw: `Unavailable` where waiting helps, `Blocked` where a person has to do something about Slack. */
  function failure(error: unknown): Error {
    if (!(error instanceof SlackRefusal)) return error instanceof Error ? error : new Error(String(error));
    if (DOWN.has(error.reason) || error.ambiguous) return new Unavailable(`Slack cannot be reached: ${error.message}`);
    const blocked = outages.refused(error.reason);
    if (blocked) return blocked;
    log('error', { channel, reason: error.reason }, 'Slack refuses an event');
    return new Error(`Slack refused: ${error.message}`);
  }

  /** Whoever asked for the order in Slack; a later correction is somebody else's. */
  function askerOf(orderId: string): string | undefined {
    const action = slack.gate.actions
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

  slack.home.showOrders((orderId) => {
    const thread = threads.get(`order ${orderId}`);
    if (!thread) return undefined;
    const [status = '', message = ''] = JSON.parse(thread.reworded) as [string?, string?];
    return { channel: thread.channel, ts: thread.ts, at: thread.at, status, message };
  });

  function formOf(toolId: string, input: Record<string, unknown>): FormButton | undefined {
    return slack.tools.some((tool) => tool.id === toolId) ? { toolId, input } : undefined;
  }

  return {
    async order(order: OrderShown) {
      const { orderId } = order;
      const key = `order ${orderId}`;
      const { operation, field } = eventOperations.correctOrder;
      const asker = askerOf(orderId);
      const card = orderCard(order, asker, formOf(operation, { [field]: orderId }));
      const reworded = JSON.stringify([order.status, order.message]);
      const thread = threadOf(key);
      directory.learn({ OrderId: orderId });
      void slack.guides.orderMoved(order);
      if (asker) slack.home.changed(asker);
      if (thread && (await reached(() => web.update(thread, card)))) {
        if (thread.reworded === reworded) return;
        const [before] = JSON.parse(thread.reworded) as [string, string];
        const step = { key, name: `${key} ${reworded}`, message: orderReply(order, before, asker) };
        if (await reply(step, thread)) {
          keep(key, thread, reworded);
          return;
        }
      }
      keep(key, await post({ key, name: key, message: card }), reworded);
    },
    async message(event) {
      const { subject: key, key: name } = event;
      if (threads.get(key)?.reworded === name) return;
      const thread = threadOf(key);
      directory.learn({ From: event.from, To: event.to[0] ?? '' });
      if (thread && (await reply({ key, name, message: messageReply(event) }, thread))) {
        keep(key, thread, name);
        return;
      }
      const { operation, from, to } = eventOperations.reply;
      const ours = event.to[0] ?? '';
      const mayReply = PHONE.test(ours) && PHONE.test(event.from);
      // A group is answered as a group.
      const others = event.to.slice(1).filter((number) => PHONE.test(number));
      const everybody = [event.from, ...others.slice(0, MAX_GROUP)].map((number) => ({ Number: number }));
      const form = mayReply ? formOf(operation, { [from]: ours, [to]: everybody }) : undefined;
      keep(key, await post({ key, name, message: messageCard(event, form) }), name);
    },
    async status(event) {
      const thread = threadOf(event.subject);
      const failed = /fail|undeliver|reject|expired/i.test(event.status);
      if (!thread || thread.reworded === event.key || !(failed || /deliver/i.test(event.status))) return;
      const message = deliveryReply(!failed, event.to, event.text);
      await reply({ key: event.subject, name: event.key, message }, thread);
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
      const key = event.subject;
      keep(key, there ? thread : await post({ key, name: key, message: line }), JSON.stringify({ trail, facts }));
    },
    async watch(event) {
      const people = event.by.flatMap((id) => slackUser(id) ?? []);
      const message = watchCard(event, people, stepsOf(slack, watchOperations.helps, ''));
      await postAlone(event.key, message);
    },
    async other(card: EventCard) {
      directory.learn(Object.fromEntries(card.lines));
      await postAlone(card.key, eventMessage(card, pairLines));
    },
    problem: outages.problem,
    close: async () => {
      await outages.settled();
      threads.close();
    },
  };
}

/** What was said of a call so far. */
function saidOf(thread: { reworded: string } | undefined): { trail: string[]; facts: Record<string, string> } {
  const reworded: unknown = thread ? JSON.parse(thread.reworded) : [];
  // Written by an older version: the trail alone.
  return Array.isArray(reworded) ? { trail: reworded.map(String), facts: {} } : (reworded as ReturnType<typeof saidOf>);
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
