import type { Tool } from '../../../catalogue/operation.ts';
import { inputLine, slackStyle } from '../../../language/help.ts';
import { memberLabel } from '../../../language/member-words.ts';
import { type Actor, hasRole, type Role } from '../../../lib/actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import { FRESH_MS, RETRY_MS } from '../../../lib/durations.ts';
import { BoundedMap } from '../../../lib/lists.ts';
import type { Log } from '../../../lib/log.ts';
import { plainText } from '../../../lib/words.ts';
import { SlackRefusal } from '../api/block-fallback.ts';
import type { Identity, Person, WebApi } from '../api/web.ts';
import { type Element, rich } from '../blocks/text.ts';
import type { Origin, Reworder, SlackConfig } from '../types.ts';

export type Membership =
  /** `unread`: a part of Slack's data could not be read, so the role may be a higher one. */
  | { actor: Actor; zone: string | undefined; unread: boolean }
  /**
   * The reason why this person has no role, which is all they see. `unread`: Slack did not answer, so it may change
   * soon.
   */
  | { refused: Element[]; unread?: boolean };

/** The completeness of Slack's answers while a role was looked up. */
interface Lookup {
  /** Slack returned the person's profile. */
  known: boolean;
  /** A list that may contain this person could not be read. */
  unread: boolean;
  /** Answers that are older than this, in ms, are asked for again. */
  maxAgeMs?: number | undefined;
}

const UNCHECKED: Element[] = [
  rich.text('Slack is not responding, so your role cannot be checked. Nothing was done. Try again in a minute.'),
];

const FOREIGN = 'This app belongs to another workspace, so you cannot use it. Nothing was done.';
const GUEST = 'Guests and bots cannot use this app. Nothing was done.';

/** Slack's answers about a user whom it does not have, or does not show to the app. */
const NO_USER: ReadonlySet<string> = new Set(['user_not_found', 'user_not_visible']);

const GROUP_MS = 3 * 60_000;
const MAX_CACHED = 2_000;
const ALL_ROLES: readonly Role[] = ['viewer', 'operator', 'approver'];

export interface RolesOptions {
  config: SlackConfig;
  web: WebApi;
  clock: Clock;
  log: Log;
}

/** Roles from the settings and from Slack's user groups. If Slack does not answer, a person has no role. */
export class Roles {
  readonly #lists: Readonly<Record<Role, readonly string[]>>;
  readonly #log: Log;
  readonly #web: WebApi;
  readonly #members: Cache<Set<string>>;
  readonly #people: Cache<Person>;
  /** Users whom Slack does not have, as of its last answer. */
  readonly #absent = new BoundedMap<string, true>(MAX_CACHED);
  /** Users who have no role although a list may name them: of another workspace, guests, deactivated. */
  readonly #excluded = new BoundedMap<string, true>(MAX_CACHED);
  readonly #installed: Cache<Identity>;

  constructor({ config, web, clock, log }: RolesOptions) {
    this.#log = log;
    this.#web = web;
    this.#lists = { viewer: config.SLACK_VIEWERS, operator: config.SLACK_OPERATORS, approver: config.SLACK_APPROVERS };
    this.#members = new Cache(clock, GROUP_MS, async (group) => new Set(await web.groupMembers(group)));
    this.#people = new Cache(clock, FRESH_MS, (user) => this.#read(user));
    this.#installed = new Cache(clock, Number.POSITIVE_INFINITY, () => web.identity());
  }

  /** Reads what every lookup of a role needs: the workspace, and the members of the user groups in the settings. */
  async warmUp(): Promise<void> {
    const groups = Object.values(this.#lists)
      .flat()
      .filter((id) => id.startsWith('S'));
    await Promise.all([this.#installed.get('self'), ...groups.map((group) => this.#members.get(group))]);
  }

  /**
   * The person's actor, or the reason why they have no role.
   *
   * @param maxAgeMs answers of Slack that are older are asked for again
   */
  async membership(origin: Origin, maxAgeMs?: number): Promise<Membership> {
    const [ours, person] = await Promise.all([this.#installed.get('self'), this.#people.get(origin.userId, maxAgeMs)]);
    if (!ours) return { refused: UNCHECKED, unread: true };
    // Slack's profile of the person counts: every request names the app's organization, not the person's.
    const sameOrg = ours.enterprise !== undefined && ours.enterprise === person?.enterprise;
    const foreign =
      person?.stranger === true ||
      person?.outsider === true ||
      (origin.teamId !== ours.team && !sameOrg) ||
      (person !== undefined && person.team !== '' && person.team !== ours.team && !sameOrg);
    const lookup: Lookup = { known: person !== undefined, unread: false, maxAgeMs };
    const role = await this.#roleOf(origin.userId, foreign, lookup);
    if (role === undefined && lookup.unread && !foreign) return { refused: UNCHECKED, unread: true };
    if (role === undefined) {
      this.#excluded.set(origin.userId, true);
      return {
        refused: foreign
          ? [rich.text(person?.outsider && !person.stranger ? GUEST : FOREIGN)]
          : this.lacking('viewer', undefined),
      };
    }
    this.#excluded.delete(origin.userId);
    // On Enterprise Grid, a person is the same in every workspace of the organization.
    const home = foreign ? (person?.enterprise ?? (person?.team || origin.teamId)) : (ours.enterprise ?? ours.team);
    const identity = `slack:${home}/${origin.userId}`;
    return {
      actor: {
        id: identity,
        person: identity,
        name: `@${person?.name ?? origin.userId}`,
        role,
        surface: 'slack',
        priority: 'person',
      },
      zone: person?.zone,
      unread: lookup.unread,
    };
  }

  /**
   * True if a person who did not just act has the role, by Slack's profile of them; undefined if Slack does not say. A
   * person's own requests are signed for their workspace. For this check, only the profile shows if they belong to it.
   */
  async confirmedRole(user: string, needed: Role): Promise<boolean | undefined> {
    const membership = await this.confirmedMembership(user);
    if (membership === undefined) return undefined;
    if ('refused' in membership) return membership.unread ? undefined : false;
    return hasRole(membership.actor, needed) || (membership.unread ? undefined : false);
  }

  /** True if a person (`slack:T…/U…`) is an operator now; undefined if Slack does not say. */
  async isOperator(identity: string): Promise<boolean | undefined> {
    const [home = '', userId = ''] = identity.slice('slack:'.length).split('/');
    const ours = await this.#installed.get('self');
    const teamId = ours !== undefined && home === ours.enterprise ? ours.team : home;
    const membership = await this.membership({ userId, teamId }, RETRY_MS);
    if (this.isAbsent(userId)) return false;
    if ('refused' in membership) return membership.unread ? undefined : false;
    return hasRole(membership.actor, 'operator') || (membership.unread ? undefined : false);
  }

  /** The membership of a person who did not just act, by Slack's profile of them; undefined if Slack does not say. */
  async confirmedMembership(user: string): Promise<Membership | undefined> {
    const [ours, person] = await Promise.all([this.#installed.get('self'), this.#people.get(user)]);
    if (!ours || !person || (person.team === '' && person.enterprise === undefined)) return undefined;
    return this.membership({ userId: user, teamId: ours.team });
  }

  /** True if Slack said, when it was last asked for this user, that it has no such user. */
  isAbsent(user: string): boolean {
    return this.#absent.get(user) === true;
  }

  /** A person's name; undefined if Slack does not say. */
  profileOf(user: string): Promise<Pick<Person, 'name'> | undefined> {
    return this.#people.get(user);
  }

  /** True if this user is the app's bot. */
  async isOwnBot(user: string): Promise<boolean> {
    return (await this.#installed.get('self'))?.user === user;
  }

  /** The reason why the person may not go on; undefined if they have the role. */
  refusal(membership: Membership, needed: Role): Element[] | undefined {
    if ('refused' in membership) return membership.refused;
    return hasRole(membership.actor, needed) ? undefined : this.lacking(needed, membership.actor.role);
  }

  /** Looks up a person and their role for an operation. */
  async admit(
    origin: Origin,
    needed: Role,
  ): Promise<{ actor: Actor; zone: string | undefined } | { refused: Element[] }> {
    const membership = await this.membership(origin);
    const refused = this.refusal(membership, needed);
    return refused ? { refused } : membership;
  }

  /**
   * The reason why the person lacks the role. Undefined if Slack does not answer in time: forms do not wait for Slack,
   * and the role is checked again when they are submitted.
   */
  async timelyRefusal(origin: Origin, needed: Role): Promise<Element[] | undefined> {
    const membership = await this.timelyMembership(origin);
    return membership && this.refusal(membership, needed);
  }

  /** The membership, or undefined if Slack does not answer in time. */
  timelyMembership(origin: Origin): Promise<Membership | undefined> {
    return this.#web.inTime(this.membership(origin));
  }

  /** Names the missing role and the people who have it, without those of whom Slack has said that they cannot. */
  lacking(needed: Role, has: Role | undefined): Element[] {
    const sufficient = ALL_ROLES.slice(ALL_ROLES.indexOf(needed));
    const holders = this.#holdersOf(...sufficient);
    const mine = has === undefined ? 'you have none' : `you have ${has}`;
    const start = rich.text(`This needs the role ${needed}; ${mine}. Nothing was done. `);
    if (holders.length === 0)
      return [start, rich.text(`Nobody has it yet. Add people to SLACK_${needed.toUpperCase()}S.`)];
    return [start, rich.text('People with this role: '), ...mentions(holders)];
  }

  /** The people and groups of a role, without those of whom Slack has said that they cannot have it. */
  holding(role: Role): Element[] {
    const holders = this.#holdersOf(role);
    return holders.length === 0 ? [rich.text('nobody')] : mentions(holders);
  }

  #holdersOf(...roles: readonly Role[]): string[] {
    const listed = new Set(roles.flatMap((role) => this.#lists[role]));
    return [...listed].filter((id) => !this.isAbsent(id) && this.#excluded.get(id) === undefined);
  }

  /** The approvers that the settings name, with the members of user groups. `unread`: a group could not be read. */
  async approvers(): Promise<{ everyone: boolean; users: string[]; unread: boolean }> {
    const ids = this.#lists.approver;
    const groups = await Promise.all(ids.filter((id) => id.startsWith('S')).map((group) => this.#members.get(group)));
    const named = ids.filter((id) => id.startsWith('U') || id.startsWith('W'));
    return {
      everyone: ids.includes('*'),
      users: [...new Set([...named, ...groups.flatMap((members) => [...(members ?? [])])])],
      unread: groups.includes(undefined),
    };
  }

  async #read(user: string): Promise<Person> {
    try {
      const person = await this.#web.person(user);
      this.#absent.delete(user);
      return person;
    } catch (error) {
      if (error instanceof SlackRefusal && NO_USER.has(error.reason)) this.#absent.set(user, true);
      throw error;
    }
  }

  async #roleOf(user: string, foreign: boolean, lookup: Lookup): Promise<Role | undefined> {
    // A guest or a person of another workspace can at most be a viewer, and only if the settings name them.
    const roles: readonly Role[] = foreign ? ['viewer'] : [...ALL_ROLES].reverse();
    for (const role of roles) {
      if (!(await this.#isListed(this.#lists[role], user, foreign, lookup))) continue;
      if (lookup.known || role !== 'approver') return role;
      // On Enterprise Grid a request does not name the person's organization. Only the profile does.
      lookup.unread = true;
    }
    return undefined;
  }

  async #isListed(ids: readonly string[], user: string, foreign: boolean, lookup: Lookup): Promise<boolean> {
    if (ids.includes(user)) return true;
    if (foreign) return false;
    if (ids.includes('*')) {
      if (lookup.known) return true;
      // `*` means everyone in this workspace, and it is unknown if this person belongs to it.
      lookup.unread = true;
    }
    for (const group of ids.filter((id) => id.startsWith('S'))) {
      const members = await this.#members.get(group, lookup.maxAgeMs);
      if (members === undefined) {
        lookup.unread = true;
        this.#log('warn', { group }, 'failed to read the members of a Slack user group; they have no role for now');
      }
      if (members?.has(user)) return true;
    }
    return false;
  }
}

function mentions(ids: readonly string[]): Element[] {
  return ids.flatMap((id, i) => (i === 0 ? [mention(id)] : [rich.text(', '), mention(id)]));
}

function mention(id: string): Element {
  if (id === '*') return rich.text('everyone in this workspace');
  return id.startsWith('S') ? rich.group(id) : rich.user(id);
}

const NOTHING = Promise.resolve(undefined);

/** Loaded values. A failed load is undefined, never an earlier value. */
class Cache<T> {
  readonly #entries = new BoundedMap<string, { value: Promise<T | undefined>; at: number; until: number }>(MAX_CACHED);
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #load: (key: string) => Promise<T>;

  constructor(clock: Clock, ms: number, load: (key: string) => Promise<T>) {
    this.#clock = clock;
    this.#ms = ms;
    this.#load = load;
  }

  get(key: string, maxAgeMs = Number.POSITIVE_INFINITY): Promise<T | undefined> {
    const now = this.#clock.now();
    const cached = this.#entries.get(key);
    if (cached && cached.until > now && cached.at + maxAgeMs > now) return cached.value;
    const entry: { value: Promise<T | undefined>; at: number; until: number } = {
      value: NOTHING,
      at: now,
      until: now + this.#ms,
    };
    entry.value = this.#load(key).catch(() => {
      entry.until = this.#clock.now() + RETRY_MS;
      return undefined;
    });
    this.#entries.set(key, entry);
    return entry.value;
  }
}

/**
 * Replaces operation ids by the commands that people type, "numbers_portin_cancel" by "/numbers portin cancel", and names of
 * fields by their labels, "LimitValue" by "“Data limit”". A command that people type has the name: "LimitValue=300".
 */
export function createReworder(tools: readonly Tool[], prefix?: string): Reworder {
  const style = slackStyle(prefix);
  const commands = new Map(
    tools.map((tool) => [tool.id, `${style.command(tool.group)} ${inputLine(tool, {})}`.trimEnd()]),
  );
  let fields: ReadonlySet<string> | undefined;
  const isField = (name: string) => {
    fields ??= new Set(tools.flatMap(({ input }) => Object.keys(input.shape)));
    return fields.has(name);
  };
  const reword = (text: string) =>
    text
      // Programs write null. People empty a field.
      .replace(/[;,] null clears [^.;]*(?=[.;])/g, '')
      .replace(/\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g, (word) => commands.get(word) ?? word)
      .replace(/“[^”]*”|\b[A-Z][a-z]+(?:[A-Z][A-Za-z]*\d?)+\b(?!=)/g, (word, at: number, all: string) => {
        if (!isField(word)) return word;
        return all[at + word.length] === ':' ? memberLabel(word) : `“${memberLabel(word)}”`;
      });
  // Only Switchboard's own text: a quote stays as it was written.
  return (text) => plainText(text, reword);
}
