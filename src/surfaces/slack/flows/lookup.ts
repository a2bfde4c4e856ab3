import { neededRole } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { lookups } from '../../../language/lookup.ts';
import { type Actor, hasRole } from '../../../lib/actor.ts';
import { type NumberFacts, phoneField, type Step, stepsFor } from '../blocks/steps.ts';
import type { SlackServices } from '../context.ts';
import { hasGuard } from './guard.ts';

export { type Lookup, lookups, unquoted, wantedIn } from '../../../language/lookup.ts';

/** The phone field of an operation that is the lookup of its group. */
export function lookupField({ tools, groups }: SlackServices, tool: Tool): string | undefined {
  return lookups(tools, groups).find((lookup) => lookup.tool.id === tool.id)?.field;
}

/**
 * Steps that a number offers to this person: some as buttons (`first`), and all operations by group (`next`). None for a
 * shared card.
 *
 * @param fixes the operation of a fix that already has a button
 */
export function stepsUnder(
  slack: SlackServices,
  number: NumberFacts,
  actor: Actor | undefined,
  fixes?: string,
): { first: Step[]; next: { group: string; tools: Tool[] }[] } {
  const allowed = slack.tools.filter((tool) => actor !== undefined && hasRole(actor, neededRole(tool).ask));
  const fitting = allowed.filter((tool) => phoneField(tool) && lookupField(slack, tool) === undefined);
  const next = Object.entries(slack.groups).map(([name, { title }]) => ({
    group: title,
    tools: fitting.filter((tool) => tool.group === name),
  }));
  const first = Object.values(slack.groups).flatMap((group) => stepsFor(allowed, group.next ?? [], number));
  return {
    first: first.filter(({ tool, isGuard }) => tool.id !== fixes && !(isGuard && !hasGuard(slack.tools))),
    next: next.filter(({ tools }) => tools.length > 0),
  };
}
