import { recordKinds } from '../../../../tools/surfaces/records.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import type { Hit } from '../../../language/records.ts';
import { formatPhone } from '../../../language/show.ts';
import { isReference, kindOf } from '../../../language/typed-values.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Role } from '../../../lib/actor.ts';
import { type Fields, leaves, type Part, recordOf, textOf } from '../../../lib/json.ts';
import { BoundedMap } from '../../../lib/lists.ts';
import type { Log } from '../../../lib/log.ts';
import { withPlainDigits } from '../../../lib/text.ts';
import { SlackRefusal } from '../api/block-fallback.ts';
import type { WebApi } from '../api/web.ts';
import { cut, type Element, PHONE, plain } from '../blocks/text.ts';
import { NO_ROLE, UNREAD } from '../types.ts';
import type { Roles } from './roles.ts';

const MAX_ENTRIES = 5_000;
const MAX_OFFERED = 25;
const MAX_DEPTH = 6;
/** Slack's limit for the text of an option. */
const MAX_LABEL = 75;
const ORDER = /^(?:JNUOID|JNOID|TNOID)-/;
const ID = /^[A-Z]{2,7}-[A-Za-z0-9._-]{4,100}$/;
/** Numbers and ids from answers and from the ledger, offered while people type, without a platform request. */
export class Directory {
  /** Labels by number or id, newest last. */
  readonly #seen = new BoundedMap<string, string>(MAX_ENTRIES);

  /** Learns every number and id in an answer. Each is labelled with the name in the same record. */
  learn(value: unknown): void {
    const into = ({ depth }: Part) => depth <= MAX_DEPTH;
    for (const { value: item, key, around } of leaves(value, into))
      if (around && isKnowable(item) && (typeof key === 'string' || key < 1_000))
        this.#note(item, typeof key === 'string' ? ownName(key, item, recordOf(around.value)) : '');
  }

  /** The name of a number or id for people; undefined if none was seen. */
  nameOf(value: string): string | undefined {
    return this.#seen.get(value) || undefined;
  }

  /** The only order seen whose number ends with these digits. */
  orderOf(text: string): { value: string; label: string } | undefined {
    const digits = text.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '');
    if (digits.length < 4 || /\p{L}/u.test(text)) return undefined;
    const found = [...this.#seen].filter(
      ([value, label]) => ORDER.test(value) && label.replace(/\D/g, '').endsWith(digits),
    );
    const [only, ...others] = found;
    return only && others.length === 0 ? { value: only[0], label: only[1] } : undefined;
  }

  /** Notes what a search found. */
  note(hits: readonly Hit[]): void {
    for (const { value, label } of hits) this.#note(value, label);
  }

  learnActions(actions: readonly Action[]): void {
    for (const action of [...actions].reverse()) {
      this.learn(action.shown);
      this.learn(action.result);
    }
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
    const hits = (found ?? []).map(({ value, label, state }) =>
      // The state is what tells the lines of one customer apart, so a long label is cut before it.
      option(value, state === undefined ? label : `${cut(label, MAX_LABEL - state.length - 3)} · ${state}`),
    );
    // The parts of one record are no choice for another.
    const seen = kindOf(field)?.list.within === undefined ? this.#search(field, text) : [];
    const offered = [...hits, ...seen.filter(({ value }) => !hits.some((hit) => hit.value === value))];
    const isUnlikeId = field.kind === 'id' && !ID.test(text) && offered.length > 0;
    const isWhole = text.length <= 150 && !isReference(field, text) && !isUnlikeId;
    const isWaiting = found === undefined && offered.length === 0;
    if (text !== '' && (isWhole || isWaiting) && !offered.some(({ value }) => value === text))
      offered.unshift(option(text, isWhole ? text : `“${text}”, searched when you send`));
    return offered.slice(0, MAX_OFFERED);
  }

  /** Options that show nothing that was seen, for people without a role. */
  offerTyped(field: Field, typed: string): Element[] {
    const text = typed.trim();
    const known = field.known ? knownFor(field.known, text) : [];
    const isNew = text !== '' && text.length <= 150 && !known.some(({ value }) => value === text);
    return isNew ? [option(text, text), ...known] : known;
  }

  #search(field: Field, text: string): Element[] {
    const words = text.toLowerCase().split(/\s+/);
    const found: Element[] = [];
    for (const [value, name] of [...this.#seen].reverse()) {
      if (found.length >= MAX_OFFERED) break;
      if (!fits(field, value)) continue;
      const label = labelled(value, name);
      const isTyped = text.length > 2 && value.toLowerCase().includes(text.toLowerCase());
      // An id without a name says nothing to people, so it is offered only while it is typed.
      if (label === undefined ? isTyped : isTyped || isNamedLike(label, value, words))
        found.push(option(value, label ?? value));
    }
    return found;
  }

  #note(value: string, label: string): void {
    const known = this.#seen.get(value) ?? '';
    this.#seen.set(value, label === '' || label === value ? known : label);
  }
}

function isKnowable(value: unknown): value is string {
  return typeof value === 'string' && (PHONE.test(value) || ID.test(value));
}

function fits(field: Field, value: string): boolean {
  if (field.kind === 'phone') return PHONE.test(value);
  return (field.ids ?? []).some((prefix) => value.toUpperCase().startsWith(`${prefix}-`));
}

function knownFor(known: readonly string[], text: string): Element[] {
  const fitting = known.filter((value) => value.toLowerCase().includes(text.toLowerCase()));
  return fitting.map((value) => option(value, value));
}

/** The name of a record in its own members; empty for the id of another one. */
function ownName(member: string, value: string, record: Fields): string {
  if (PHONE.test(value)) {
    const holder = textOf(record.Customer) || textOf(record.CallerName);
    if (member !== 'Number' || holder === '') return '';
    const parts = [holder, formatPhone(value).national, textOf(record.Account)];
    return parts.filter((part) => part !== '' && !ID.test(part)).join(' · ');
  }
  const [ordered] = Array.isArray(record.PhoneNumbersOrdered) ? record.PhoneNumbersOrdered.map(recordOf) : [];
  const phones = [record.PhoneNumber, record.PortInNumber, ordered?.Number];
  const phone = phones.map(textOf).find((text) => PHONE.test(text));
  if (member === 'OrderId') return phone === undefined ? '' : `Order for ${formatPhone(phone).national}`;
  const kind = recordKinds.find(
    ({ id, ids }) => id.includes(member) && ids.some((prefix) => value.startsWith(`${prefix}-`)),
  );
  const name = kind?.names.map((name) => textOf(record[name])).find((text) => text !== '') ?? '';
  return PHONE.test(name) ? formatPhone(name).national : name;
}

/** Returns the label of a record for people; undefined for an id without a name. */
function labelled(value: string, name: string): string | undefined {
  if (name !== '') return name;
  return PHONE.test(value) ? formatPhone(value).national : undefined;
}

function isNamedLike(label: string, value: string, words: readonly string[]): boolean {
  const digits = words.join('').replace(/\D/g, '');
  if (digits.length >= 3 && PHONE.test(value)) return value.includes(digits);
  // "Order for (312) 555-0190" is found by the digits of its number.
  if (digits.length >= 3 && label.replace(/\D/g, '').includes(digits.replace(/^1(?=\d{10}$)/, ''))) return true;
  const own = label.toLowerCase().split(/[\s·]+/);
  return words.every((word) => own.some((part) => part.startsWith(word)));
}

function option(value: string, label: string): Element {
  return { text: plain(cut(label, MAX_LABEL), MAX_LABEL), value: cut(value, 150) };
}

interface RecipientsOptions {
  roles: Roles;
  web: WebApi;
  log: Log;
}

/** Approvers who may be notified of questions and outages. */
interface ApproversFound {
  everyone: boolean;
  users: string[];
  /** Slack returned no profile, so nothing is sent to them for now. */
  unread: string[];
  /** A user group could not be read. */
  unreadGroup: boolean;
  /** Guests, bots, deactivated people and people of other organizations. They are never notified. */
  outsiders: string[];
}

/**
 * Direct messages to people who did not just act. Each person's profile and role are checked first, because a message
 * has customers' numbers and texts, and a user group may have members of other organizations.
 */
export class Recipients {
  readonly #options: RecipientsOptions;
  readonly #logged = new Set<string>();
  /** People whose profile or role Slack did not return when they were to be notified. */
  readonly #unread = new Map<string, Role>();

  constructor(options: RecipientsOptions) {
    this.#options = options;
  }

  async approvers(): Promise<ApproversFound> {
    const { everyone, users: named, unread: unreadGroup } = await this.#options.roles.approvers();
    const found: ApproversFound = { everyone, users: [], unread: [], unreadGroup, outsiders: [] };
    for (const user of named) {
      const may = await this.may(user, 'approver');
      (may ? found.users : may === undefined ? found.unread : found.outsiders).push(user);
    }
    return found;
  }

  /** True if a person has the role; undefined if Slack does not say. */
  async may(user: string, needed: Role): Promise<boolean | undefined> {
    const may = await this.#options.roles.confirmedRole(user, needed);
    if (may === undefined) this.#unread.set(user, needed);
    else this.#unread.delete(user);
    if (may !== true) this.#warnOnce(user, needed, may === undefined ? UNREAD : NO_ROLE);
    return may;
  }

  /** The channel of direct messages with a person who has this role. Otherwise rejects with `NO_ROLE` or `UNREAD`. */
  async open(user: string, needed: Role): Promise<string> {
    const may = await this.may(user, needed);
    if (may) return this.#options.web.open(user);
    throw new SlackRefusal('conversations.open', may === undefined ? UNREAD : NO_ROLE);
  }

  /** One sentence for /readyz while Slack does not say if people may be notified. */
  async problem(): Promise<string | undefined> {
    for (const [user, needed] of this.#unread) await this.may(user, needed);
    if (this.#unread.size === 0) return undefined;
    const people = [...this.#unread.keys()].slice(0, 5).join(', ');
    return `Slack does not return the profile or the role of ${people}, so nothing is sent to them. The app needs the scopes users:read and usergroups:read.`;
  }

  #warnOnce(user: string, needed: Role, reason: string): void {
    const key = `${user} ${reason}`;
    if (this.#logged.has(key)) return;
    this.#logged.add(key);
    const text =
      reason === UNREAD
        ? 'Slack does not say whether a person has a role; nothing is sent to them'
        : 'a person has no role, or is a guest, a bot, deactivated or of another organization; nothing is sent to them';
    this.#options.log('warn', { user, needed }, text);
  }
}
