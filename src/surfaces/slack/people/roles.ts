import type { Field, Tool } from '../../../catalogue/operation.ts';
import { inputLine, slackStyle } from '../../../language/help.ts';
import type { Hit } from '../../../language/records.ts';
import { memberLabel } from '../../../language/show.ts';
import { isReference } from '../../../language/typed-values.ts';
import { type Actor, hasRole, type Role } from '../../../lib/actor.ts';
import { type Clock, FRESH_MS, MINUTE_MS, monotonicOf, RETRY_MS } from '../../../lib/clock.ts';
import type { Log } from '../../../lib/log.ts';
import { BoundedMap, type Fields, plainText, withPlainDigits } from '../../../lib/values.ts';
import { withDaysInWords } from '../../../platform/dialect/readings.ts';
import { type Person, SlackRefusal, type WebApi } from '../api/web.ts';
import type { StoredResult } from '../blocks/result.ts';
import * as ui from '../blocks/text.ts';
import { isPerson, NO_ROLE, type Origin, type Reworder, type SlackConfig, UNREAD } from '../types.ts';

/** A person with a role, and their time zone. */
export interface Member {
  actor: Actor;
  zone: string | undefined;
  /** True if a part of Slack's data could not be read, so that the role may be a higher one. */
  unread: boolean;
}

type Membership =
  | Member
  /**
   * The reason why this person has no role, which is all they see. `unread`: Slack did not answer, so it may change
   * soon.
   */
  | { refused: ui.Element[]; unread?: boolean };

const UNCHECKED: ui.Element[] = [
  ui.text('Slack is not responding, so your role cannot be checked. Nothing was done. Try again in a minute.'),
];
const FOREIGN = 'This app belongs to another workspace, so you cannot use it. Nothing was done.';
const GUEST = 'Guests and bots cannot use this app. Nothing was done.';

/** Slack's answers about a user whom it does not have, or does not show to the app. */
const NO_USER: ReadonlySet<string> = new Set(['user_not_found', 'user_not_visible']);
const GROUP_MS = 3 * MINUTE_MS;
const MAX_CACHED = 2_000;
const ALL_ROLES: readonly Role[] = ['viewer', 'operator', 'approver'];

interface RoleServices {
  config: SlackConfig;
  web: WebApi;
  clock: Clock;
  log: Log;
}

/**
 * The age of Slack's answers that what only reads goes by. Whatever may change, decide or end something goes by those of the
 * last ten seconds, which is the default everywhere.
 */
export const REMEMBERED = Number.POSITIVE_INFINITY;

/** The age of Slack's answers that an operation goes by. */
export function maxAgeFor({ risk }: Pick<Tool, 'risk'>): number {
  return risk === 'read' ? REMEMBERED : RETRY_MS;
}

/** Roles from the settings and from Slack's user groups. If Slack does not answer, a person has no role. */
export class Roles {
  readonly #lists: Readonly<Record<Role, readonly string[]>>;
  readonly #services: RoleServices;
  readonly #members: Cached<Set<string>>;
  readonly #people: Cached<Person>;
  readonly #installed: Cached<Awaited<ReturnType<WebApi['identity']>>>;
  /** Refusals to notify a person, each of which is logged once. */
  readonly #logged = new Set<string>();

  constructor(services: RoleServices) {
    const { config, web, clock } = services;
    this.#services = services;
    this.#lists = { viewer: config.SLACK_VIEWERS, operator: config.SLACK_OPERATORS, approver: config.SLACK_APPROVERS };
    this.#members = cached(clock, GROUP_MS, async (group) => new Set(await web.groupMembers(group)));
    this.#people = cached(clock, FRESH_MS, (user) =>
      web.person(user).catch((error: unknown) => {
        if (!(error instanceof SlackRefusal && NO_USER.has(error.reason))) throw error;
        return { name: user, team: '', zone: undefined, enterprise: undefined, stranger: false, outsider: true };
      }),
    );
    this.#installed = cached(clock, Number.POSITIVE_INFINITY, () => web.identity());
  }

  /** Reads what every lookup of a role needs: the workspace, and the members of the user groups in the settings. */
  async warmUp(): Promise<void> {
    const groups = groupsIn(Object.values(this.#lists).flat());
    await Promise.all([this.#installed('self'), ...groups.map((group) => this.#members(group))]);
  }

  /**
   * The person's actor, or the reason why they have no role.
   *
   * @param maxAgeMs answers of Slack that are older are asked for again
   */
  async membership({ userId, teamId }: Origin, maxAgeMs = RETRY_MS): Promise<Membership> {
    const [ours, person] = await Promise.all([this.#installed('self'), this.#people(userId, maxAgeMs)]);
    if (!ours) return { refused: UNCHECKED, unread: true };
    // Slack's profile of the person counts: every request names the app's organization, not the person's.
    const sameOrg = ours.enterprise !== undefined && ours.enterprise === person?.enterprise;
    const isOf = (team: string) => team === ours.team || sameOrg;
    const isOurs = person?.stranger !== true && isOf(teamId) && isOf(person?.team || ours.team);
    const foreign = !isOurs || person?.outsider === true;
    const { role, unread } = await this.#roleOf(userId, { isKnown: person !== undefined, foreign, maxAgeMs });
    if (role === undefined) {
      if (unread && !foreign) return { refused: UNCHECKED, unread: true };
      const why = person?.outsider && !person.stranger ? GUEST : FOREIGN;
      return { refused: foreign ? [ui.text(why)] : this.lacking('viewer', undefined) };
    }
    // A person is the same in every workspace of an organization, and before and after the app's own joins it.
    const home = isOurs ? ours.team : (person?.enterprise ?? (person?.team || teamId));
    const id = `slack:${home}/${userId}`;
    const name = `@${person?.name ?? userId}`;
    const actor: Actor = { id, person: id, name, role, surface: 'slack', priority: 'person' };
    return { actor, zone: person?.zone, unread };
  }

  /**
   * The highest role whose list has the user. `unread`: a list that may have them could not be read.
   *
   * @param by.isKnown Slack returned the person's profile
   * @param by.foreign a guest, or a person of another workspace
   */
  async #roleOf(user: string, by: { isKnown: boolean; foreign: boolean; maxAgeMs: number }) {
    const { isKnown, foreign, maxAgeMs } = by;
    let unread = false;
    const isListed = async (ids: readonly string[]) => {
      if (ids.includes(user)) return true;
      if (foreign) return false;
      if (ids.includes('*')) {
        if (isKnown) return true;
        // `*` means everyone in this workspace, and it is unknown if this person belongs to it.
        unread = true;
      }
      for (const group of groupsIn(ids)) {
        const members = await this.#members(group, maxAgeMs);
        if (members?.has(user)) return true;
        if (members !== undefined) continue;
        unread = true;
        const text = 'failed to read the members of a Slack user group; they have no role for now';
        this.#services.log('warn', { group }, text);
      }
      return false;
    };
    // A guest or a person of another workspace can at most be a viewer, and only if the settings name them.
    const roles: readonly Role[] = foreign ? ['viewer'] : [...ALL_ROLES].reverse();
    for (const role of roles) {
      if (!(await isListed(this.#lists[role]))) continue;
      if (isKnown || role !== 'approver') return { role, unread };
      // On Enterprise Grid a request does not name the person's organization. Only the profile does.
      unread = true;
    }
    return { role: undefined, unread };
  }

  /**
   * True if a person who did not just act has the role, by Slack's profile of them; undefined if Slack does not say. A
   * person's own requests are signed for their workspace. For this check, only the profile shows if they belong to it.
   * Messages to them have customers' numbers and texts, and a user group may have members of other organizations.
   */
  async may(user: string, needed: Role): Promise<boolean | undefined> {
    const [ours, person] = await Promise.all([this.#installed('self'), this.#people(user)]);
    const may =
      ours && (person?.team || person?.enterprise !== undefined)
        ? hasConfirmed(await this.membership({ userId: user, teamId: ours.team }, REMEMBERED), needed)
        : undefined;
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

  /** True if a person (`slack:T…/U…`) is an operator now; undefined if Slack does not say. */
  async isOperator(identity: string): Promise<boolean | undefined> {
    const [teamId = '', userId = ''] = identity.slice('slack:'.length).split('/');
    return hasConfirmed(await this.membership({ userId, teamId }), 'operator');
  }

  /** A person's name; undefined if Slack does not say. */
  profileOf(user: string): Promise<Pick<Person, 'name'> | undefined> {
    return this.#people(user);
  }

  /** True if this user is the app's bot. */
  async isOwnBot(user: string): Promise<boolean> {
    return (await this.#installed('self'))?.user === user;
  }

  /** The reason why the person may not go on; undefined if they have the role. */
  refusal(membership: Membership, needed: Role): ui.Element[] | undefined {
    if ('refused' in membership) return membership.refused;
    const { actor, unread } = membership;
    if (hasRole(actor, needed)) return undefined;
    return unread ? UNCHECKED : this.lacking(needed, actor.role);
  }

  /** Looks up a person and their role for an operation. `maxAgeMs`: as in `membership`. */
  async admit(origin: Origin, needed: Role, maxAgeMs?: number): Promise<Member | { refused: ui.Element[] }> {
    const membership = await this.membership(origin, maxAgeMs);
    const refused = this.refusal(membership, needed);
    return refused ? { refused } : membership;
  }

  /**
   * The reason why the person lacks the role. Undefined if Slack does not answer in time: forms do not wait for Slack,
   * and the role is checked again when they are submitted.
   */
  async timelyRefusal(origin: Origin, needed: Role): Promise<ui.Element[] | undefined> {
    const membership = await this.#services.web.inTime(this.membership(origin, REMEMBERED));
    return membership && this.refusal(membership, needed);
  }

  /** The person of a request; undefined without a role, or if Slack does not answer in time. */
  async timelyActor(origin: Origin): Promise<Actor | undefined> {
    const membership = await this.#services.web.inTime(this.membership(origin, REMEMBERED));
    return membership && 'actor' in membership ? membership.actor : undefined;
  }

  /** Names the missing role and the people who have it by the settings. */
  lacking(needed: Role, has: Role | undefined): ui.Element[] {
    const holders = this.#mentions(ALL_ROLES.slice(ALL_ROLES.indexOf(needed)));
    const start = `This needs the role ${needed}; you have ${has ?? 'none'}. Nothing was done. `;
    if (holders.length > 0) return [ui.text(start), ui.text('People with this role: '), ...holders];
    return [ui.text(start), ui.text(`Nobody has it yet. Add people to SLACK_${needed.toUpperCase()}S.`)];
  }

  /** The people and groups of a role. */
  holding(role: Role): ui.Element[] {
    const holders = this.#mentions([role]);
    return holders.length === 0 ? [ui.text('nobody')] : holders;
  }

  #mentions(roles: readonly Role[]): ui.Element[] {
    const listed = [...new Set(roles.flatMap((role) => this.#lists[role]))];
    return listed.flatMap((id, i) => {
      const everyone = id === '*' ? ui.text('everyone in this workspace') : undefined;
      const mention = everyone ?? (id.startsWith('S') ? ui.group(id) : ui.user(id));
      return i === 0 ? [mention] : [ui.text(', '), mention];
    });
  }

  /**
   * The approvers that the settings name, with the members of user groups, as far as they may be notified. Those whose
   * profile Slack did not return come last; they are checked again before a message is sent. `unreadGroup`: the members of a
   * group could not be read.
   */
  async approvers(): Promise<{ everyone: boolean; users: string[]; unreadGroup: boolean }> {
    const ids = this.#lists.approver;
    const groups = await Promise.all(groupsIn(ids).map((group) => this.#members(group)));
    const known: string[] = [];
    const unread: string[] = [];
    for (const user of new Set([...ids.filter(isPerson), ...groups.flatMap((members) => [...(members ?? [])])])) {
      const may = await this.may(user, 'approver');
      if (may !== false) (may ? known : unread).push(user);
    }
    return { everyone: ids.includes('*'), users: [...known, ...unread], unreadGroup: groups.includes(undefined) };
  }
}

/** True if the membership has the role; undefined if Slack does not say. */
function hasConfirmed(membership: Membership, needed: Role): boolean | undefined {
  if (!('refused' in membership) && hasRole(membership.actor, needed)) return true;
  return membership.unread ? undefined : false;
}

function groupsIn(ids: readonly string[]): string[] {
  return ids.filter((id) => id.startsWith('S'));
}

/** Loads a value, or answers with the one loaded before if it is no older than `maxAgeMs`. A failed load is undefined. */
type Cached<T> = (key: string, maxAgeMs?: number) => Promise<T | undefined>;

/** @param ms for how long a value is used; one that could not be loaded is tried again sooner */
function cached<T>(clock: Clock, ms: number, load: (key: string) => Promise<T>): Cached<T> {
  const entries = new BoundedMap<string, { value: Promise<T | undefined>; at: number; until: number }>(MAX_CACHED);
  return (key, maxAgeMs = Number.POSITIVE_INFINITY) => {
    const now = monotonicOf(clock);
    const known = entries.get(key);
    if (known && known.until > now && known.at + maxAgeMs > now) return known.value;
    const value = load(key).catch(() => {
      entry.until = monotonicOf(clock) + RETRY_MS;
      return undefined;
    });
    const entry = { value, at: now, until: now + ms };
    entries.set(key, entry);
    return value;
  };
}

/**
 * Replaces operation ids by the commands that people type, "numbers_portin_cancel" by "/numbers portin cancel", and names of
 * fields by their labels, "LimitValue" by "“Data limit”". A command that people type has the name: "LimitValue=300". Days are
 * in words.
 */
export function createReworder(tools: readonly Tool[], prefix?: string): Reworder {
  const style = slackStyle(prefix);
  const commands = new Map([
    ...tools.map((tool) => [tool.id, `${style.command(tool.group)} ${inputLine(tool, {})}`.trimEnd()] as const),
    ['batches_create', style.command('batch')] as const,
  ]);
  let fields: ReadonlySet<string> | undefined;
  const reword = (text: string) =>
    withDaysInWords(text)
      // The id of an earlier call is for programs.
      .replace(/ \(act_[\w-]+\)|(?<="), act_[\w-]+(?=\))/g, '')
      // Programs write null. People empty a field.
      .replace(/[;,] null clears [^.;]*(?=[.;])/g, '')
      .replace(/\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g, (word) => commands.get(word) ?? word)
      .replace(/“[^”]*”|\b[A-Z][a-z]+(?:[A-Z][A-Za-z]*\d?)+\b(?!=)/g, (word, at: number, all: string) => {
        fields ??= new Set(tools.flatMap(({ input }) => Object.keys(input.shape)));
        if (!fields.has(word)) return word;
        return all[at + word.length] === ':' ? memberLabel(word) : `“${memberLabel(word)}”`;
      });
  // Only Switchboard's own text: a quote stays as it was written.
  return (text) => plainText(text, reword);
}

const MAX_ENTRIES = 5_000;
/** Slack's limits for the text and the value of an option. */
const MAX_LABEL = 75;
const MAX_VALUE = 150;

/** The names of numbers and ids that this process has searched, for the views that show them. */
export class Directory {
  /** Labels by number or id, newest last. */
  readonly #seen = new BoundedMap<string, string>(MAX_ENTRIES);

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
  offer(field: Field, typed: string, found: readonly Hit[] | undefined): ui.Element[] {
    const text = withPlainDigits(typed).trim();
    if (field.known) return this.offerTyped(field, text);
    this.note(found ?? []);
    const offered = (found ?? []).map(({ value, label, state }) =>
      // The state is what tells the lines of one customer apart, so a long label is cut before it.
      ui.option(value, state === undefined ? label : `${ui.cut(label, MAX_LABEL - state.length - 3)} · ${state}`),
    );
    const isUnlikeId = field.kind === 'id' && !ui.ID.test(text) && offered.length > 0;
    const isWhole = text.length <= MAX_VALUE && !isReference(field, text) && !isUnlikeId;
    const isWaiting = found === undefined && offered.length === 0;
    if (text !== '' && (isWhole || isWaiting) && !offered.some(({ value }) => value === text))
      offered.unshift(ui.option(text, isWhole ? text : `“${text}”, searched when you send`));
    return offered.slice(0, 25);
  }

  /** Options that show nothing that was seen, for people without a role. */
  offerTyped(field: Field, typed: string): ui.Element[] {
    const text = typed.trim();
    const known = (field.known ?? []).filter((value) => value.toLowerCase().includes(text.toLowerCase()));
    const isNew = text !== '' && text.length <= MAX_VALUE && !known.includes(text);
    return [...(isNew ? [text] : []), ...known].map((value) => ui.option(value, value));
  }
}

/** A message that asks one person alone: see `Reply`. */
export type Asking = Record<'redraw' | 'finish', (message: ui.Message) => Promise<boolean>> & { end(): Promise<void> };

const MAX_HELD = 500;
const MAX_VIEWS = 2_000;

/** What this process alone remembers. */
export const createMemory = () => ({
  /** Answers that buttons refer to by a handle, until a time (epoch ms). Each belongs to the person it was shown to. */
  results: new BoundedMap<string, StoredResult & { user: string; until: number }>(MAX_HELD),
  /** By view id: the response_url of the request that opened the form. */
  responseUrls: new BoundedMap<string, string>(MAX_HELD),
  /** By action and person (`act_… slack:…`), or by plan: the reply whose message asks that person alone. */
  asking: new BoundedMap<string, Asking>(MAX_HELD),
  openViews: new OpenViews(),
});

const opened = () => ({
  /** The values of fields that are hidden now, without secrets. */
  values: {} as Fields,
  /** Counts the steps of the person. Undefined before the first one in this process. */
  turn: undefined as number | undefined,
  /** The notes that the form has shown once. */
  said: new Set<string>(),
  /** The last update. */
  update: Promise.resolve() as Promise<unknown>,
});

/** Modals that change while they are open, by view id. In this process only. */
class OpenViews {
  readonly #views = new BoundedMap<string, ReturnType<typeof opened>>(MAX_VIEWS);

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

  #view(viewId: string) {
    const view = this.#views.get(viewId) ?? opened();
    this.#views.set(viewId, view);
    return view;
  }
}
