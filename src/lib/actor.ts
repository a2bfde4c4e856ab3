/**
 * The class of a call in the budget. Calls that a person confirmed are served first, then those of people, then those
 * of assistants, then batches, then background work.
 */
export type Priority = 'confirmed' | 'person' | 'assistant' | 'batch' | 'background';

/** A role includes the ones below it: approver, operator, viewer. */
export type Role = 'viewer' | 'operator' | 'approver';

/** A way into the product, or background work that no person requested at the time. */
export type Surface = 'mcp' | 'slack' | 'cli' | 'page' | 'assistant' | 'background';

/** The person or program that acts. It is recorded with every action and every line of the audit trail. */
export interface Actor {
  /** Stable and unique over surfaces: "mcp:stdio", "mcp:http:ci-bot", "cli:ana", "slack:T1/U2". */
  id: string;
  /** The name that people read. */
  name: string;
  role: Role;
  surface: Surface;
  priority: Priority;
  /**
   * Identity of the person behind the actor, the same on every surface: "slack:T1/U2", "token:ops", "oauth:sub",
   * "local:ana". Left out if the actor itself is the person.
   */
  person?: string;
}

/** Identity of the person an actor acts for. Two actors with the same identity are the same person. */
export function personOf(actor: Pick<Actor, 'id' | 'person'>): string {
  return actor.person ?? actor.id;
}

/** The name of a caller on this computer that presents no token. */
export const LOCAL_ASSISTANT = 'an assistant on this computer';

/** An identity as it is recorded and shown. The identity comes first, because people choose their names themselves. */
export function identified(person: string, name: string | undefined): string {
  const plain = (name ?? '')
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ')
    .trim()
    .slice(0, MAX_NAME);
  return plain === '' || plain === person ? person : `${person} (${plain})`;
}

const MAX_NAME = 80;

/** The ways by which a person can decide about an action; the values of CONFIRM_VIA. */
export const WAYS = ['slack', 'page', 'client', 'terminal'] as const;
export type Way = (typeof WAYS)[number];

const RANK: Record<Role, number> = { viewer: 0, operator: 1, approver: 2 };

export function hasRole(actor: Pick<Actor, 'role'>, needed: Role): boolean {
  return RANK[actor.role] >= RANK[needed];
}

/** Work that no person requested at the time. */
export function backgroundActor(id: string, name: string, role: Role = 'viewer'): Actor {
  return { id, name, role, surface: 'background', priority: 'background' };
}
