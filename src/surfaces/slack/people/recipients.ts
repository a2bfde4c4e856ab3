import type { Role } from '../../../lib/actor.ts';
import type { Log } from '../../../lib/log.ts';
import { SlackRefusal } from '../api/refusal.ts';
import type { WebApi } from '../api/web.ts';
import { NO_ROLE, UNREAD } from '../types.ts';
import type { Roles } from './roles.ts';

export interface RecipientsOptions {
  roles: Roles;
  web: WebApi;
  log: Log;
}

/** Approvers who may be notified of questions and outages. */
export interface ApproversFound {
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

  /** A person's name and zone; undefined if Slack does not say. */
  profileOf(user: string): ReturnType<Roles['profileOf']> {
    return this.#options.roles.profileOf(user);
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
