// The state of the workspace: people, channels, messages, views, trigger ids, response addresses, and all traffic.

import { randomBytes } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import type { Fields } from '../../lib/values.ts';
import { Files } from './files.ts';
import { Recent } from './recent.ts';
import { Sessions } from './sessions.ts';
import {
  type CallRecord,
  type Channel,
  type Message,
  objects,
  type ResponseUrl,
  type SentByApp,
  type SentToApp,
  type Team,
  type Trigger,
  type User,
  type UserGroup,
  type View,
} from './types.ts';

/** Ids of the seed, fixed so that settings and tests can name them. */
export const IDS = {
  TEAM: 'T000DEMO',
  OTHER_TEAM: 'T999OTHER',
  APP: 'A000DEMO',
  BOT: 'B000DEMO',
  BOT_USER: 'U000BOT',
  SLACKBOT: 'USLACKBOT',
  U_AGENT: 'U000AGENT',
  U_LEAD: 'U000LEAD',
  U_VIEW: 'U000VIEW',
  U_OTHER: 'U999OTHER',
  S_OPERATORS: 'S000OPERATE',
  S_APPROVERS: 'S000APPROVE',
  C_SUPPORT: 'C000SUPPORT',
  C_APPROVALS: 'C000APPROVE',
  C_EVENTS: 'C000EVENTS',
} as const;

const TRIGGER_MS = 3000;
const RESPONSE_URL_MS = 30 * 60_000;
export const RESPONSE_URL_USES = 5;
export const MAX_STACK = 3;

/**
 * Limits on the stored items, so that a demo that runs for weeks stays small. The newest items are kept. An update of a
 * message that was dropped is answered with `message_not_found`, as for a deleted one.
 */
export const KEPT = {
  /** Messages per channel, threads included. */
  messages: 300,
  /** Ephemeral messages per channel. */
  ephemeral: 100,
  /** API calls; request bodies of the app; requests to the app; its answers; warnings. */
  calls: 200,
  /** Trigger ids and response addresses. */
  handles: 1_000,
} as const;

/** Every scope that a method of the Web API asks for. */
export const ALL_SCOPES = [
  'app_mentions:read',
  'chat:write',
  'commands',
  'users:read',
  'usergroups:read',
  'channels:read',
  'channels:join',
  'groups:read',
  'im:read',
  'im:write',
  'channels:history',
  'groups:history',
  'im:history',
  'mpim:history',
  'connections:write',
  'files:read',
  'files:write',
  'assistant:write',
] as const;

/** The events that the workspace can send to an app that subscribes to them. */
const ALL_EVENTS = [
  'app_context_changed',
  'app_home_opened',
  'app_mention',
  'agent_session_stopped',
  'message.im',
] as const;

function person(id: string, name: string, realName: string, tz: string, teamId: string = IDS.TEAM): User {
  return { id, name, realName, teamId, tz, isBot: false, deleted: false };
}

export class State {
  readonly clock: Clock;
  readonly team: Team = { id: IDS.TEAM, domain: 'switchboard-demo', name: 'Switchboard demo' };
  readonly otherTeam: Team = { id: IDS.OTHER_TEAM, domain: 'partner', name: 'Partner Ltd' };
  readonly users = new Map<string, User>();
  readonly groups = new Map<string, UserGroup>();
  readonly channels = new Map<string, Channel>();
  /** Messages that everybody sees and messages for one person, by channel. */
  readonly #messages = new Map<string, { shared: Recent<Message>; ephemeral: Recent<Message> }>();
  readonly #byTs = new Map<string, Message>();
  /** Open modals by user, the root first. */
  readonly stacks = new Map<string, View[]>();
  readonly files: Files;
  readonly homes = new Map<string, View>();
  readonly triggers = new Map<string, Trigger>();
  readonly #triggers = new Recent<string>(KEPT.handles);
  readonly responseUrls = new Map<string, ResponseUrl>();
  readonly #responseUrls = new Recent<string>(KEPT.handles);
  readonly calls = new Recent<CallRecord>(KEPT.calls);
  readonly sentByApp = new Recent<SentByApp>(KEPT.calls);
  readonly sentToApp = new Recent<SentToApp>(KEPT.calls);
  /** Warnings about requests of the app that Slack accepts but that are probably mistakes. */
  readonly warnings = new Recent<string>(KEPT.calls);
  scopes = new Set<string>(ALL_SCOPES);
  /** The events that the app subscribes to. */
  events: ReadonlySet<string> = new Set<string>(ALL_EVENTS);
  readonly sessions: Sessions;
  /** The channel that each person looked at last, beside the conversation with the app. */
  readonly viewed = new Map<string, string>();
  version = 0;
  readonly #listeners = new Set<() => void>();
  #serial = 0;

  constructor(clock: Clock) {
    this.clock = clock;
    this.files = new Files(clock, IDS.TEAM);
    this.sessions = new Sessions(clock, () => this.changed());
    this.#seed();
  }

  #seed(): void {
    const people = [
      person(IDS.U_AGENT, 'ana', 'Ana (operator)', 'America/New_York'),
      person(IDS.U_LEAD, 'lee', 'Lee (approver)', 'Europe/London'),
      person(IDS.U_VIEW, 'vic', 'Vic (viewer)', 'America/Los_Angeles'),
      person(IDS.U_OTHER, 'olga', 'Olga (Partner Ltd)', 'Europe/Berlin', IDS.OTHER_TEAM),
      { ...person(IDS.BOT_USER, 'switchboard', 'Switchboard', 'UTC'), isBot: true },
      { ...person(IDS.SLACKBOT, 'slackbot', 'Slackbot', 'UTC'), isBot: false },
    ];
    for (const user of people) this.users.set(user.id, user);
    this.groups.set(IDS.S_OPERATORS, {
      id: IDS.S_OPERATORS,
      handle: 'operators',
      name: 'Operators',
      users: [IDS.U_AGENT, IDS.U_LEAD],
    });
    this.groups.set(IDS.S_APPROVERS, {
      id: IDS.S_APPROVERS,
      handle: 'approvers',
      name: 'Approvers',
      users: [IDS.U_LEAD],
    });
    const insiders = [IDS.U_AGENT, IDS.U_LEAD, IDS.U_VIEW, IDS.BOT_USER];
    this.addChannel(IDS.C_SUPPORT, 'support', [...insiders, IDS.U_OTHER], { isExtShared: true });
    this.addChannel(IDS.C_APPROVALS, 'approvals', insiders);
    this.addChannel(IDS.C_EVENTS, 'events', insiders);
  }

  addChannel(id: string, name: string, members: string[], extra: Partial<Channel> = {}): Channel {
    const channel: Channel = {
      id,
      name,
      isPrivate: false,
      isArchived: false,
      isExtShared: false,
      ...extra,
      members: new Set(members),
    };
    this.channels.set(id, channel);
    return channel;
  }

  /** The direct message between the app and a person, made on first use. */
  im(user: string): Channel {
    const known = [...this.channels.values()].find((channel) => channel.imWith === user);
    if (known) return known;
    return this.addChannel(`D${user.slice(1)}`, this.users.get(user)?.name ?? user, [user, IDS.BOT_USER], {
      isPrivate: true,
      imWith: user,
    });
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changed(): void {
    this.version++;
    for (const listener of [...this.#listeners]) listener();
  }

  serial(): number {
    return ++this.#serial;
  }

  id(prefix: string): string {
    return `${prefix}${String(this.serial()).padStart(8, '0')}`;
  }

  ts(): string {
    return `${Math.floor(this.clock.now() / 1000)}.${String(this.serial()).padStart(6, '0')}`;
  }

  hash(): string {
    return `${Math.floor(this.clock.now() / 1000)}.${randomBytes(4).toString('hex')}`;
  }

  trigger(user: string, viewId?: string): Trigger {
    const id = `${this.serial()}.${IDS.TEAM.length}.${randomBytes(8).toString('hex')}`;
    const trigger = { id, user, expiresAt: this.clock.now() + TRIGGER_MS, used: false, viewId };
    this.triggers.set(id, trigger);
    this.triggers.delete(this.#triggers.push(id) ?? '');
    return trigger;
  }

  responseUrl(user: string, channel: string, messageTs?: string, threadTs?: string): ResponseUrl {
    const id = randomBytes(12).toString('hex');
    const expiresAt = this.clock.now() + RESPONSE_URL_MS;
    const entry: ResponseUrl = { id, user, channel, messageTs, threadTs, uses: 0, expiresAt };
    this.responseUrls.set(id, entry);
    this.responseUrls.delete(this.#responseUrls.push(id) ?? '');
    return entry;
  }

  message(ts: string, channel?: string): Message | undefined {
    const found = this.#byTs.get(ts);
    return found && (channel === undefined || found.channel === channel) ? found : undefined;
  }

  /** The stored messages of a channel, oldest first. */
  messagesOf(channel: string): Message[] {
    const kept = this.#messages.get(channel);
    if (!kept) return [];
    const all = [...kept.shared, ...kept.ephemeral];
    return kept.ephemeral.size === 0 ? all : all.sort((a, b) => a.order - b.order);
  }

  #keep(message: Message): void {
    let kept = this.#messages.get(message.channel);
    if (!kept) {
      kept = { shared: new Recent(KEPT.messages), ephemeral: new Recent(KEPT.ephemeral) };
      this.#messages.set(message.channel, kept);
    }
    const old = (message.ephemeralTo === undefined ? kept.shared : kept.ephemeral).push(message);
    if (old) this.#byTs.delete(old.ts);
    this.#byTs.set(message.ts, message);
  }

  post(fields: Partial<Message> & Pick<Message, 'channel' | 'text' | 'source'>): Message {
    const message: Message = {
      ts: this.ts(),
      user: IDS.BOT_USER,
      botId: IDS.BOT,
      blocks: [],
      ...fields,
      entered: new Map(),
      order: this.serial(),
    };
    message.blocks = this.withIds(message.blocks);
    this.#keep(message);
    if (message.user === IDS.BOT_USER && message.threadTs)
      this.sessions.clearWorking(message.channel, message.threadTs);
    this.changed();
    return message;
  }

  /** Forgets messages, dialogs and Homes, as in a new workspace. People and channels stay. */
  clear(): void {
    for (const map of [this.#messages, this.#byTs, this.stacks, this.homes, this.viewed]) map.clear();
    this.sessions.clear();
    this.changed();
  }

  edit(message: Message, text: string, blocks: Fields[] | undefined): void {
    message.text = text;
    if (blocks) message.blocks = this.withIds(blocks);
    message.edited = { user: message.user, ts: this.ts() };
    this.changed();
  }

  remove(message: Message): void {
    const kept = this.#messages.get(message.channel);
    kept?.shared.remove(message);
    kept?.ephemeral.remove(message);
    this.#byTs.delete(message.ts);
    this.changed();
  }

  view(id: string): View | undefined {
    for (const view of this.homes.values()) if (view.id === id) return view;
    return [...this.stacks.values()].flat().find((view) => view.id === id);
  }

  openView(user: string, definition: Fields, below?: View): View {
    const id = this.id('V');
    const view: View = {
      id,
      type: definition.type === 'home' ? 'home' : 'modal',
      user,
      definition: { ...definition, blocks: this.withIds(objects(definition.blocks)) },
      hash: this.hash(),
      rootId: below?.rootId ?? id,
      previousId: below?.id ?? null,
      entered: new Map(),
      errors: {},
    };
    if (view.type === 'home') this.homes.set(user, view);
    else if (below) this.stacks.get(user)?.push(view);
    else this.stacks.set(user, [view]);
    this.changed();
    return view;
  }

  /** Replaces a view's content. Values typed into inputs that remain are kept, as in Slack. */
  updateView(view: View, definition: Fields): void {
    view.definition = { ...definition, blocks: this.withIds(objects(definition.blocks)) };
    view.hash = this.hash();
    view.errors = {};
    this.changed();
  }

  /** Fills in block and action ids where the app left them out. */
  withIds(blocks: Fields[]): Fields[] {
    const copy = structuredClone(blocks);
    for (const block of copy) {
      block.block_id ??= randomBytes(3).toString('hex');
      const elements = [...objects(block.elements), ...objects([block.accessory, block.element])];
      for (const element of [...elements, ...objects(block.actions)]) {
        const type = String(element.type);
        if (!/^(image|plain_text|mrkdwn|rich_text_.*|card)$/.test(type)) {
          element.action_id ??= randomBytes(3).toString('hex');
        }
      }
      if (Array.isArray(block.child_blocks)) block.child_blocks = this.withIds(objects(block.child_blocks));
      if (block.type === 'carousel') block.elements = this.withIds(objects(block.elements));
    }
    return copy;
  }
}
