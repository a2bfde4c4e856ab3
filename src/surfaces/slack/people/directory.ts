import { randomBytes } from 'node:crypto';
import { recordKinds } from '../../../../tools/surfaces/records.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import type { Hit } from '../../../language/records.ts';
import { formatPhone } from '../../../language/show.ts';
import { isReference } from '../../../language/typed-values.ts';
import type { Role } from '../../../lib/actor.ts';
import { type Clock, HOUR_MS } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import { BoundedMap, type Fields, leaves, recordOf, textOf, withPlainDigits } from '../../../lib/values.ts';
import { SlackRefusal, type WebApi } from '../api/web.ts';
import type { StoredResult } from '../blocks/result.ts';
import { cut, type Element, ID, type Message, option, PHONE } from '../blocks/text.ts';
import { NO_ROLE, UNREAD, type ViewStep } from '../types.ts';
import type { Roles } from './roles.ts';

const MAX_ENTRIES = 5_000;
/** Slack's limits for the text and the value of an option. */
const MAX_LABEL = 75;
const MAX_VALUE = 150;

/** The names of numbers and ids in the answers of this process, for the views that show them. */
export class Directory {
  /** Labels by number or id, newest last. */
  readonly #seen = new BoundedMap<string, string>(MAX_ENTRIES);

  /** Learns every number and id in an answer. Each is labelled with the name in the same record. */
  learn(value: unknown): void {
    for (const { value: item, key, around } of leaves(value, ({ depth }) => depth <= 6))
      if (around && typeof item === 'string' && (PHONE.test(item) || ID.test(item)))
        this.note([{ value: item, label: typeof key === 'string' ? ownName(key, item, recordOf(around.value)) : '' }]);
  }

  /** Notes what a search found. */
  note(hits: readonly Hit[]): void {
    for (const { value, label } of hits) {
      const known = this.#seen.get(value) ?? '';
      this.#seen.set(value, label === '' || label === value ? known : label);
    }
  }

  /** The name of a number or id for people; undefined if none was seen. */
  nameOf(value: string): string | undefined {
    return this.#seen.get(value) || undefined;
  }

  /**
   * Options for a field while it is typed in. A number or id that was typed whole is always one.
   *
   * @param found what a search found, for people with a role; undefined if it did not end in time
   */
  offer(field: Field, typed: string, found: readonly Hit[] | undefined): Element[] {
    const text = withPlainDigits(typed).trim();
    if (field.known) return this.offerTyped(field, text);
    this.note(found ?? []);
    const offered = (found ?? []).map(({ value, label, state }) =>
      // The state is what tells the lines of one customer apart, so a long label is cut before it.
      option(value, state === undefined ? label : `${cut(label, MAX_LABEL - state.length - 3)} · ${state}`),
    );
    const isUnlikeId = field.kind === 'id' && !ID.test(text) && offered.length > 0;
    const isWhole = text.length <= MAX_VALUE && !isReference(field, text) && !isUnlikeId;
    const isWaiting = found === undefined && offered.length === 0;
    if (text !== '' && (isWhole || isWaiting) && !offered.some(({ value }) => value === text))
      offered.unshift(option(text, isWhole ? text : `“${text}”, searched when you send`));
    return offered.slice(0, 25);
  }

  /** Options that show nothing that was seen, for people without a role. */
  offerTyped(field: Field, typed: string): Element[] {
    const text = typed.trim();
    const known = (field.known ?? []).filter((value) => value.toLowerCase().includes(text.toLowerCase()));
    const isNew = text !== '' && text.length <= MAX_VALUE && !known.includes(text);
    return [...(isNew ? [text] : []), ...known].map((value) => option(value, value));
  }
}

/** The name of a record in its own members; empty for the id of another one. */
function ownName(member: string, value: string, record: Fields): string {
  if (PHONE.test(value)) {
    const holder = textOf(record.Customer) || textOf(record.CallerName);
    if (member !== 'Number' || holder === '') return '';
    const parts = [holder, formatPhone(value).national, textOf(record.Account)];
    return parts.filter((part) => part !== '' && !ID.test(part)).join(' · ');
  }
  if (member === 'OrderId') {
    const [ordered] = Array.isArray(record.PhoneNumbersOrdered) ? record.PhoneNumbersOrdered.map(recordOf) : [];
    const phones = [record.PhoneNumber, record.PortInNumber, ordered?.Number].map(textOf);
    const phone = phones.find((text) => PHONE.test(text));
    return phone === undefined ? '' : `Order for ${formatPhone(phone).national}`;
  }
  const kind = recordKinds.find(
    ({ id, ids }) => id.includes(member) && ids.some((prefix) => value.startsWith(`${prefix}-`)),
  );
  const name = kind?.names.map((name) => textOf(record[name])).find((text) => text !== '') ?? '';
  return PHONE.test(name) ? formatPhone(name).national : name;
}

/**
 * Direct messages to people who did not just act. Each person's profile and role are checked first, because a message
 * has customers' numbers and texts, and a user group may have members of other organizations.
 */
export class Recipients {
  readonly #services: { roles: Roles; web: WebApi; log: Log };
  readonly #logged = new Set<string>();
  /** People whose profile or role Slack did not return when they were to be notified. */
  readonly #unread = new Map<string, Role>();

  constructor(services: { roles: Roles; web: WebApi; log: Log }) {
    this.#services = services;
  }

  /**
   * Approvers who may be notified. Those whose profile Slack did not return come last; they are checked again before a
   * message is sent. Guests, bots, deactivated people and people of other organizations are left out.
   */
  async approvers(): Promise<{ everyone: boolean; users: string[]; unreadGroup: boolean }> {
    const { everyone, users: named, unread: unreadGroup } = await this.#services.roles.approvers();
    const known: string[] = [];
    const unread: string[] = [];
    for (const user of named) {
      const may = await this.may(user, 'approver');
      if (may !== false) (may ? known : unread).push(user);
    }
    return { everyone, users: [...known, ...unread], unreadGroup };
  }

  /** True if a person has the role; undefined if Slack does not say. */
  async may(user: string, needed: Role): Promise<boolean | undefined> {
    const may = await this.#services.roles.confirmedRole(user, needed);
    if (may === undefined) this.#unread.set(user, needed);
    else this.#unread.delete(user);
    const text =
      may === undefined
        ? 'Slack does not say whether a person has a role; nothing is sent to them'
        : 'a person has no role, or is a guest, a bot, deactivated or of another organization; nothing is sent to them';
    const key = `${user} ${may}`;
    if (may !== true && !this.#logged.has(key)) this.#services.log('warn', { user, needed }, text);
    this.#logged.add(key);
    return may;
  }

  /** The channel of direct messages with a person who has this role. Otherwise rejects with `NO_ROLE` or `UNREAD`. */
  async open(user: string, needed: Role): Promise<string> {
    const may = await this.may(user, needed);
    if (may) return this.#services.web.open(user);
    throw new SlackRefusal('conversations.open', may === undefined ? UNREAD : NO_ROLE);
  }

  /** One sentence for /readyz while Slack does not say if people may be notified. */
  async problem(): Promise<string | undefined> {
    for (const [user, needed] of this.#unread) await this.may(user, needed);
    if (this.#unread.size === 0) return undefined;
    const people = [...this.#unread.keys()].slice(0, 5).join(', ');
    return `Slack does not return the profile or the role of ${people}, so nothing is sent to them. The app needs the scopes users:read and usergroups:read.`;
  }
}

/** A message that asks one person alone: see `Reply`. */
export type Asking = Record<'redraw' | 'finish', (message: Message) => Promise<boolean>> & { end(): Promise<void> };

const MAX_HELD = 500;
const MAX_VIEWS = 2_000;

/**
 * Answers and drafts that buttons refer to by a handle. In this process only, for an hour. Each belongs to the person
 * it was shown to.
 */
export const createMemory = (clock: Clock) => ({
  /** Input that a form is prefilled with, without secrets. `problem`: why it was not done when it was sent before. */
  drafts: shelf<{ toolId: string; input: Fields; channel: string | undefined; problem?: string }>(clock),
  results: shelf<StoredResult>(clock),
  /** By view id: the response_url of the request that opened the form. */
  responseUrls: new BoundedMap<string, string>(MAX_HELD),
  /** By action and person (`act_… slack:…`), or by plan: the reply whose message asks that person alone. */
  asking: new BoundedMap<string, Asking>(MAX_HELD),
  openViews: new OpenViews(),
  /** By order: the guide's view that shows it. */
  orderViews: new BoundedMap<string, ViewStep>(MAX_VIEWS),
});

/** Entries by handle, each for one user. */
function shelf<T>(clock: Clock) {
  const entries = new BoundedMap<string, { value: T; user: string; until: number }>(MAX_HELD);
  return {
    put(user: string, value: T): string {
      const id = randomBytes(9).toString('base64url');
      entries.set(id, { value, user, until: clock.now() + HOUR_MS });
      return id;
    },
    get(user: string, id: string): T | undefined {
      const entry = entries.get(id);
      return entry && entry.user === user && entry.until > clock.now() ? entry.value : undefined;
    },
  };
}

interface OpenView {
  /** The values of fields that are hidden now, without secrets. */
  values: Fields;
  /** Counts the steps of the person. Undefined before the first one in this process. */
  turn: number | undefined;
  /** The notes that the form has shown once. */
  said: Set<string>;
  /** The last update. */
  update: Promise<unknown>;
}

/** Modals that change while they are open, by view id. In this process only. */
class OpenViews {
  readonly #views = new BoundedMap<string, OpenView>(MAX_VIEWS);

  /** Remembers the entered values, and returns them with the values of fields that are hidden now. */
  remember(viewId: string, entered: Fields): Fields {
    const view = this.#view(viewId);
    view.values = { ...view.values, ...entered };
    return view.values;
  }

  /** False if this view has said it before. */
  isNews(viewId: string, text: string): boolean {
    const { said } = this.#view(viewId);
    return !said.has(text) && said.add(text).has(text);
  }

  /** Counts a step of the person in this view. */
  nextTurn(viewId: string): number {
    const view = this.#view(viewId);
    view.turn = (view.turn ?? 0) + 1;
    return view.turn;
  }

  /** Updates a view after earlier updates. Skipped if the person has gone on since this turn. */
  update<T>(viewId: string, turn: number, run: () => Promise<T>): Promise<T | undefined> {
    const view = this.#view(viewId);
    const update = view.update.then(() => ((view.turn ?? turn) === turn ? run() : undefined));
    view.update = update.catch(() => undefined);
    return update;
  }

  #view(viewId: string): OpenView {
    const view = this.#views.get(viewId) ?? { values: {}, turn: undefined, said: new Set(), update: Promise.resolve() };
    this.#views.set(viewId, view);
    return view;
  }
}
