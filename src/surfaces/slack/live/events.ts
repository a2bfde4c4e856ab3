import { eventOperations, watchOperations } from '../../../../tools/surfaces/events.ts';
import { placesOrder } from '../../../../tools/surfaces/tasks.ts';
import { headlineOf, LABELS } from '../../../cards/card.ts';
import { stepActions, usageOf } from '../../../cards/line.ts';
import { changeOfOrder, type OrderShown, orderCard } from '../../../cards/outcome.ts';
import { numbersOf, questionTitle } from '../../../cards/question.ts';
import type { CallEvent, MessageEvent, StatusEvent, WatchEvent } from '../../../events/parse.ts';
import type { EventCard, EventFeed } from '../../../events/service.ts';
import { formatPhone } from '../../../language/show.ts';
import type { Actor } from '../../../lib/actor.ts';
import { DAY_MS, FETCH_MS } from '../../../lib/clock.ts';
import { Blocked, Unavailable } from '../../../lib/errors.ts';
import {
  capital,
  defined,
  type Fields,
  parseUrl,
  recordOf,
  recordsIn,
  scalarText,
  textOf,
} from '../../../lib/values.ts';
import { NOT_DELIVERED } from '../../../platform/dialect/readings.ts';
import { hasEnded, isRejected, startedOrder } from '../../../platform/dialect/verdict.ts';
import { KeyValues } from '../../../store/key-values.ts';
import type { Database } from '../../../store/types.ts';
import { SlackRefusal } from '../api/web.ts';
import { buttonsOf, draw } from '../blocks/fitting.ts';
import * as ui from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { BUSY, IDS, type Posted, SLACK_ACTOR } from '../types.ts';
import { STORED_MS } from './cards.ts';

/** Slack's error codes for what a person has to fix (https://docs.slack.dev/reference/methods/chat.postMessage). */
const FIXES: readonly (readonly [codes: RegExp, fix: string])[] = [
  [
    /^(not_in_channel|channel_not_found|is_archived|restricted_action(_\w+)?|no_permission|(ekm_)?access_denied|team_access_not_granted)$/,
    'Invite the app there (/invite @Switchboard), and let it post.',
  ],
  [
    /^(missing_scope|invalid_auth|not_authed|account_inactive|token_revoked|token_expired|org_login_required)$/,
    'Install the app again from manifest.json, set the new SLACK_BOT_TOKEN and restart Switchboard.',
  ],
];

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

/** Id of the block with a received text. A form that answers the message quotes the text from this block. */
export const TEXT_BLOCK = 'sb_text';
const MAX_BODY = 10_000;
const MAX_SHOWN = 10;
const MAX_URL = 2000;

/** One message about an event. */
interface EventMessage {
  /** The same for every attempt to post the message. */
  name: string;
  message: ui.Message;
  /** An earlier attempt failed, and may have posted it. */
  isRetry: boolean;
}

/** The message about one subject: an order, a conversation, a call. */
interface Thread extends Posted {
  /** The content that was last shown, in the encoding of its kind. */
  shown: string;
  at: number;
  /** SLACK_EVENTS_CHANNEL when it was posted. */
  eventsChannel: string;
}

/** What the message about a call shows. */
type CallShown = { trail: string[]; facts: Record<string, string> };

/**
 * Shows platform events in SLACK_EVENTS_CHANNEL. An order, a conversation and a call have one message each, also across
 * restarts. After a failure, a message is looked up in the channel before it is posted again.
 */
export class SlackEvents implements EventFeed {
  readonly #slack: SlackContext;
  readonly #channel: string;
  readonly #threads: KeyValues;
  /** Set while Slack refuses every event. `reason`: Slack's error code. `since`: epoch ms. `fix`: what a person can do. */
  #refused: { reason: string; since: number; fix: string } | undefined;
  /** Number of cards to which a customer's name is being added. */
  #naming = 0;
  #lastOrder: Promise<unknown> = Promise.resolve();

  constructor(slack: SlackContext, channel: string, database: Database) {
    this.#slack = slack;
    this.#channel = channel;
    this.#threads = new KeyValues({ database, clock: slack.clock, kind: 'event message' });
  }

  /** The orders of a batch share a message, so orders are shown one after another. */
  order(reported: OrderShown, isRetry = false): Promise<void> {
    const shown = this.#lastOrder.then(() => this.#showOrder(reported, isRetry));
    this.#lastOrder = shown.catch(() => undefined);
    return shown;
  }

  async #showOrder(reported: OrderShown, isRetry: boolean): Promise<void> {
    const { orderId, message } = reported;
    const { gate, home } = this.#slack;
    // The action that started the order. Another person may correct it later.
    const named = await gate.actions.about(orderId, 50);
    const start = named.findLast((one) => ['done', 'partly'].includes(one.state) && startedOrder(one) === orderId);
    const starter = start && ui.slackUser(start.person) ? start.person : undefined;
    const placed = start && (await changeOfOrder(gate, start));
    const isPortIn = start && placesOrder(start.operation);
    const act = placed?.whole.consent && questionTitle(gate.tool(placed.whole.operation), placed.whole);
    const order: OrderShown = {
      ...reported,
      ...defined({ isPortIn, act }),
      ...(start?.batch !== undefined &&
        placed && { orderId: '', status: placed.status, numbers: numbersOf(recordsIn(placed.whole.shown.Rows)) }),
    };
    const card = orderCard(order, starter);
    const headline = headlineOf(card);
    const buttons = ui.buttonRow('sb_order', ...buttonsOf(card.actions));
    const whole = ui.messageOf(headline, [ui.header(headline), ...draw(card, { buttons }).blocks]);
    const shown = JSON.stringify([order.status, message]);
    // The orders of a batch have one message.
    const key = start?.batch === undefined ? `order ${orderId}` : `orders ${start.batch}`;
    const thread = await this.#open(key);
    const user = starter && ui.slackUser(starter);
    if (user) void home.changed(user);
    if (thread && (await this.#update(thread, whole))) {
      if (thread.shown === shown) return;
      // The message above it has the reason.
      const hasStopped = hasEnded(order.status) || isRejected(order.status);
      const mention = hasStopped && starter ? [' ', ui.personElement(starter, undefined)] : [];
      const said = `${order.status === JSON.parse(thread.shown)[0] ? 'Still' : 'Moved to'} ${order.status}.`;
      const reply = ui.messageOf(said, [ui.say(said, ...mention)]);
      if (await this.#reply({ name: `${key} ${shown}`, message: reply, isRetry }, thread))
        return this.#store(key, thread, shown);
    }
    await this.#store(key, await this.#post({ name: key, message: whole, isRetry }), shown);
  }

  async message(event: MessageEvent, isRetry = false): Promise<void> {
    const { subject: key, key: name } = event;
    if ((await this.#stored(key))?.shown === name) return;
    const thread = await this.#open(key);
    const from = `From ${formatPhone(event.from).national}`;
    const further = ui.messageOf(from, [ui.small(ui.escaped(from)), ...contents(event)]);
    if (thread && (await this.#reply({ name, message: further, isRetry }, thread)))
      return this.#store(key, thread, name);
    const at = await this.#post({ name, message: messageCard(event), isRetry });
    await this.#store(key, at, name);
    const [ours = ''] = event.to;
    if (!ui.PHONE.test(ours) || this.#naming >= MAX_NAMING) return;
    this.#naming += 1;
    const naming = this.#nameCustomer(ours, (name) => this.#slack.web.update(at, messageCard(event, name)));
    this.#slack.cards.track(naming.finally(() => (this.#naming -= 1)));
  }

  /** Adds the customer's name to a card later, so that a slow platform delays no message. */
  async #nameCustomer(phone: string, show: (name: string) => Promise<void>): Promise<void> {
    const { gate, clock, log, cards, lookup } = this.#slack;
    const { find } = lookup;
    if (!find) return;
    try {
      // A platform that fails would delay the end of the process by its retries.
      const options = { deadline: clock.now() + FETCH_MS, signal: cards.signal };
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
    const failed = NOT_DELIVERED.test(event.status);
    if (!thread || thread.shown === event.key || !(failed || /deliver/i.test(event.status))) return;
    const result = `${failed ? '❌ Not delivered to' : '✅ Delivered to'} ${event.to.join(', ')}`;
    const text = event.text === '' ? [] : [ui.quote(ui.cut(event.text, 500))];
    const message = ui.messageOf(result, [ui.say(ui.cut(result, 1000)), ...text]);
    await this.#reply({ name: event.key, message, isRetry }, thread);
    await this.#store(event.subject, thread, event.key);
  }

  async call(event: CallEvent, isRetry = false): Promise<void> {
    const { subject: key, from, to } = event;
    const thread = await this.#open(key);
    const before: CallShown = thread ? JSON.parse(thread.shown) : { trail: [], facts: {} };
    const words = event.event.replaceAll('_', ' ').toLowerCase();
    const name = capital(words);
    const trail = [...before.trail.filter((earlier) => earlier !== name), name].slice(-10);
    const facts = { ...before.facts, ...callFacts(event.fields) };
    // A late event does not reopen a call that has ended.
    const state = trail.find((one) => /completed/i.test(one)) ?? name;
    const earlier = trail.filter((one) => one !== state);
    const route = [from, to].filter((end) => end !== '').map((end) => formatPhone(end).national);
    const line = `${state}${route.length > 0 ? `: ${route.join(' → ')}` : ''}`;
    const message = ui.messageOf(`📞 ${line}`, [
      ui.say(
        '📞 ',
        ui.cut(line, 1000),
        ...(earlier.length > 0 ? [ui.italic(`  (${earlier.join(', ')})`)] : []),
        ...Object.entries(facts).flatMap(([name, value]) => [' · ', fact(name, value)]),
      ),
    ]);
    const isUpdated = thread !== undefined && (await this.#update(thread, message));
    const at = isUpdated ? thread : await this.#post({ name: key, message, isRetry });
    await this.#store(key, at, JSON.stringify({ trail, facts }));
  }

  /** The data watch's message about a number, with steps that help. */
  async watch(event: WatchEvent, isRetry = false): Promise<void> {
    const { national, e164 } = formatPhone(event.phone);
    const title = `⚠️ ${national} ${event.found}`;
    const value = (name: string) => scalarText(event.fields[name]);
    const limits = ['Notify', 'Throttle', 'Limit'].flatMap((name) => {
      const limit = value(`${name}Value`);
      return limit === '' ? [] : [`${name.toLowerCase()} ${limit} ${value('ValueUnit')}`.trimEnd()];
    });
    const usage = usageOf(event.fields);
    const facts: (readonly [string, string])[] = [
      ['Number', e164],
      // "▓▓▓▓▓▓░░░░ 12.5 of 20 MB used".
      ['Used', usage ? `${ui.barText(usage.bar)} ${usage.of}` : value('Used')],
      ['Remaining', usage ? '' : value('Remaining')],
      ['Current behavior', value('CurrentBehavior')],
      ['Limits', limits.join(' · ')],
    ];
    const watchers = event.by.flatMap((id) => ui.slackUser(id) ?? []);
    const people = watchers.slice(0, MAX_SHOWN).flatMap((user, i) => [...(i > 0 ? [', '] : []), ui.user(user)]);
    const line = { phone: event.phone, state: '', watched: true };
    const steps = stepActions(this.#slack.tools, watchOperations.helps, line);
    const message = ui.messageOf(title, [
      ui.header(title),
      ui.pairLines(facts.filter(([, text]) => text !== '')),
      ...(people.length > 0 ? [ui.say('Watched by ', ...people)] : []),
      ...ui.buttonRow('sb_watch', ...buttonsOf([{ id: 'look', label: LABELS.look, value: event.phone }, ...steps])),
    ]);
    await this.#post({ name: event.key, message, isRetry });
  }

  /** An event of any other kind. */
  async other({ key, title, lines, body = '' }: EventCard, isRetry = false): Promise<void> {
    const message = ui.messageOf(title, [
      ui.header(title),
      ...(lines.length > 0 ? [ui.pairLines(lines)] : []),
      ...(body === '' ? [] : [ui.say(ui.cut(body, MAX_BODY))]),
    ]);
    await this.#post({ name: key, message, isRetry });
  }

  /** One sentence for /readyz while Slack refuses events. */
  async problem(): Promise<string | undefined> {
    if (!this.#refused) return undefined;
    const { reason, since, fix } = this.#refused;
    return `Slack refuses SLACK_EVENTS_CHANNEL ${this.#channel} since ${new Date(since).toISOString()} (${reason}). ${fix}`;
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

  /**
   * Runs a call to Slack. Undefined if the message that it refers to is gone. Throws `Unavailable` if waiting helps, and
   * `Blocked` if a person has to fix something in Slack; events wait meanwhile.
   */
  async #reach<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { clock, log } = this.#slack;
    const channel = this.#channel;
    try {
      const done = await work();
      if (this.#refused) log('info', { channel }, 'Slack accepts events again');
      this.#refused = undefined;
      return done;
    } catch (error) {
      if (!(error instanceof SlackRefusal)) throw error;
      const { reason, message } = error;
      if (GONE.has(reason)) return undefined;
      if (BUSY.test(reason) || error.ambiguous) throw new Unavailable(`Slack cannot be reached: ${message}`);
      const fix = FIXES.find(([codes]) => codes.test(reason))?.[1];
      if (fix === undefined) {
        log('error', { channel, reason }, 'Slack refused an event');
        throw new Error(`Slack refused: ${message}`);
      }
      if (this.#refused?.reason !== reason)
        log('error', { channel, reason }, `Slack refuses events. They are queued. ${fix}`);
      this.#refused = { reason, since: this.#refused?.since ?? clock.now(), fix };
      throw new Blocked(`Slack refuses events in ${channel} (${reason}). ${fix}`);
    }
  }

  /** Posts a message outside threads. */
  async #post(event: EventMessage): Promise<Posted> {
    const at = await this.#reach(() => this.#send(event));
    if (at === undefined) throw new Unavailable('the message of an event was deleted while it was edited');
    return at;
  }

  /** Edits a message. False if it was deleted. */
  async #update(at: Posted, message: ui.Message): Promise<boolean> {
    return (await this.#reach(() => this.#slack.web.update(at, message).then(() => true))) === true;
  }

  /** False if the thread was deleted. */
  async #reply(event: EventMessage, thread: Posted): Promise<boolean> {
    return (await this.#reach(() => this.#send(event, thread.ts))) !== undefined;
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

/**
 * The first message of a conversation. `customer`: the name behind the number that it was sent to, once it is known.
 */
function messageCard(message: MessageEvent, customer?: string): ui.Message {
  const title = `Message from ${formatPhone(message.from).national}`;
  return ui.messageOf(title, [
    ui.header(title),
    ui.pairLines([
      ['From', message.from],
      ...message.to.slice(0, MAX_SHOWN).map((number) => ['To', number] as const),
      ...(customer === undefined ? [] : [['Line of', ui.cut(customer, 300)] as const]),
    ]),
    ...contents(message),
  ]);
}

/** Media is not downloaded; its address is shown in full. */
function contents({ text, media, from, to }: MessageEvent): ui.Block[] {
  const links = media.slice(0, MAX_SHOWN).map((url) => [isLink(url) ? ui.link(url) : ui.text(ui.cut(url, MAX_URL))]);
  return [
    ...(text === '' ? [] : [{ ...ui.say(ui.cut(text, MAX_BODY)), block_id: TEXT_BLOCK }]),
    ...(links.length > 0 ? [ui.lines([[ui.bold('Media')], ...links])] : []),
    ...(text === '' && links.length === 0 ? [ui.say(ui.italic('No text.'))] : []),
    ...ui.buttonRow('sb_message', ...replyButton(from, to)),
  ];
}

/** Answers a message. A reply to a group goes to the whole group. No button if a sender has no number. */
function replyButton(sender: string, [ours = '', ...others]: readonly string[]) {
  const { operation, from, to } = eventOperations.reply;
  if (!ui.PHONE.test(ours) || !ui.PHONE.test(sender)) return [];
  const group = others.filter((number) => ui.PHONE.test(number)).slice(0, MAX_GROUP);
  const recipients = [sender, ...group].map((number) => ({ Number: number }));
  return ui.operationButton(IDS.fill, 'Reply', operation, { [from]: ours, [to]: recipients }, { style: 'primary' });
}

function isLink(text: string): boolean {
  return text.length <= MAX_URL && parseUrl(text) !== undefined;
}

/** One fact about a call: a duration in words, an address as a link. */
function fact(name: string, value: string) {
  if (/^https?:\/\//.test(value) && isLink(value)) return ui.link(value, /recording/i.test(name) ? 'Recording' : name);
  if (!/seconds$/i.test(name) || !/^\d{1,6}$/.test(value)) return ui.text(`${name} ${ui.cut(value, 200)}`);
  const seconds = Number(value);
  return ui.text(seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`);
}
