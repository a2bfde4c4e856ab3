import { type Actor, hasRole, type Role } from '../../../lib/actor.ts';
import type { Clock } from '../../../lib/clock.ts';
import { type Element, rich } from '../blocks/text.ts';
import type { Person, Web } from '../live/web.ts';
import type { Log, Origin, SlackConfig } from '../types.ts';

export type Membership =
  | { actor: Actor; zone: string | undefined }
  /** Why this person has no role here; nothing of ours is shown to them. */
  | { refused: Element[] };

/** What could not be found out on the way to a role. */
interface Doubt {
  /** Slack told who this is. */
  known: boolean;
  /** A list this person may stand in could not be read. */
  unread: boolean;
}

const UNCHECKED: Element[] = [
  rich.text(
    'Slack does not answer right now, so your role cannot be checked. Nothing was done. Try again in a minute.',
  ),
];

export type Roles = ReturnType<typeof createRoles>;

const GROUP_MS = 3 * 60_000;
const PERSON_MS = 10 * 60_000;
/** What could not be found out is asked again soon, but not at every click. */
const FAILED_MS = 10_000;
const MAX_CACHED = 2_000;

/** Who may do what, from the settings and Slack's user groups. What cannot be found out counts as no. */
export function createRoles(options: { config: SlackConfig; web: Web; clock: Clock; log: Log }) {
  const { config, web, clock, log } = options;
  const lists: Record<Role, readonly string[]> = {
    viewer: config.SLACK_VIEWERS,
    operator: config.SLACK_OPERATORS,
    approver: config.SLACK_APPROVERS,
  };
  const members = cached<Set<string>>(clock, GROUP_MS, async (group) => new Set(await web.groupMembers(group)));
  const people = cached<Person>(clock, PERSON_MS, (user) => web.person(user));
  const installed = cached<{ team: string; enterprise: string | undefined }>(clock, Number.POSITIVE_INFINITY, () =>
    web.identity(),
  );

  async function inList(ids: readonly string[], user: string, foreign: boolean, doubt: Doubt): Promise<boolean> {
    if (ids.includes(user)) return true;
    if (foreign) return false;
    if (ids.includes('*')) {
      if (doubt.known) return true;
      // Everyone of this workspace: Slack did not say whether this person is of it.
      doubt.unread = true;
    }
    for (const group of ids.filter((id) => id.startsWith('S'))) {
      const found = await members(group);
      if (found === undefined) {
        doubt.unread = true;
        log('warn', { group }, 'the members of a Slack user group cannot be read: nobody in it has its role now');
      }
      if (found?.has(user)) return true;
    }
    return false;
  }

  async function roleOf(user: string, foreign: boolean, doubt: Doubt): Promise<Role | undefined> {
    // Somebody of another workspace may at most look, and only when named in person.
    for (const role of foreign ? (['viewer'] as const) : (['approver', 'operator', 'viewer'] as const)) {
      if (await inList(lists[role], user, foreign, doubt)) return role;
    }
    return undefined;
  }

  async function membership(origin: Origin): Promise<Membership> {
    const [ours, person] = await Promise.all([installed('self'), people(origin.userId)]);
    if (!ours)
      return {
        refused: UNCHECKED,
      };
    // What Slack says of the person counts: a request names the organisation the app was installed in, whoever makes it.
    const sameOrg = ours.enterprise !== undefined && ours.enterprise === person?.enterprise;
    const foreign =
      person?.stranger === true ||
      (origin.teamId !== ours.team && !sameOrg) ||
      (person !== undefined && person.team !== '' && person.team !== ours.team && !sameOrg);
    const doubt: Doubt = { known: person !== undefined, unread: false };
    const role = await roleOf(origin.userId, foreign, doubt);
    if (role === undefined && doubt.unread && !foreign) return { refused: UNCHECKED };
    if (role === undefined) {
      return {
        refused: foreign
          ? [rich.text('This app belongs to another workspace; people of yours cannot use it. Nothing was done.')]
          : lacking('viewer', undefined),
      };
    }
    // One person in every workspace of an Enterprise Grid, whichever of them they asked or clicked in.
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
    };
  }

  /** Which role is missing, and who has it. */
  function lacking(needed: Role, has: Role | undefined): Element[] {
    const above: Role[] =
      needed === 'viewer'
        ? ['viewer', 'operator', 'approver']
        : needed === 'operator'
          ? ['operator', 'approver']
          : ['approver'];
    const holders = [...new Set(above.flatMap((role) => lists[role]))];
    const mine = has === undefined ? 'you have none' : `you have ${has}`;
    const start = rich.text(`This needs the role ${needed}; ${mine}. Nothing was done. `);
    if (holders.length === 0)
      return [start, rich.text(`Nobody has it yet: it is given in SLACK_${above.at(0)?.toUpperCase()}S.`)];
    return [
      start,
      rich.text('Who has it: '),
      ...holders.flatMap((id, i) => (i === 0 ? [mention(id)] : [rich.text(', '), mention(id)])),
    ];
  }

  return {
    membership,
    lacking,
    /** Undefined where the person may go on, otherwise what to tell them. */
    refusal(who: Membership, needed: Role): Element[] | undefined {
      if ('refused' in who) return who.refused;
      return hasRole(who.actor, needed) ? undefined : lacking(needed, who.actor.role);
    },
  };
}

function mention(id: string): Element {
  if (id === '*') return rich.text('everyone in this workspace');
  return id.startsWith('S') ? rich.group(id) : rich.user(id);
}

const NOTHING = Promise.resolve(undefined);

/** Keeps what was found; answers undefined, never an old answer, where it cannot be found out. */
function cached<T>(clock: Clock, keepMs: number, load: (key: string) => Promise<T>) {
  const kept = new Map<string, { value: Promise<T | undefined>; until: number }>();
  return (key: string): Promise<T | undefined> => {
    const found = kept.get(key);
    if (found && found.until > clock.now()) return found.value;
    const entry: { value: Promise<T | undefined>; until: number } = { value: NOTHING, until: clock.now() + keepMs };
    entry.value = load(key).catch(() => {
      entry.until = clock.now() + FAILED_MS;
      return undefined;
    });
    if (kept.size >= MAX_CACHED) kept.clear();
    kept.set(key, entry);
    return entry.value;
  };
}
