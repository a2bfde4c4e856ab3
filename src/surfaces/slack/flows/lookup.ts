import type { Tool } from '../../../catalogue/operation.ts';
import { lookups } from '../../../language/lookup.ts';
import { phoneField, type Step, stepsFor } from '../blocks/steps.ts';
import type { SlackServices } from '../context.ts';

export { type Lookup, lookups, numbersIn, wantedIn } from '../../../language/lookup.ts';

/** The phone field of an operation that is the lookup of its group. */
export function lookupField({ tools, groups }: SlackServices, tool: Tool): string | undefined {
  return lookups(tools, groups).find((lookup) => lookup.tool.id === tool.id)?.field;
}

/** Steps that a number in this state offers: some as buttons (`first`), and all operations by group (`next`). */
export function stepsUnder(
  slack: SlackServices,
  number: { state: string; watched: boolean },
): { first: Step[]; next: { group: string; tools: Tool[] }[] } {
  const fitting = slack.tools.filter((tool) => phoneField(tool) && lookupField(slack, tool) === undefined);
  const next = Object.entries(slack.groups).map(([name, { title }]) => ({
    group: title,
    tools: fitting.filter((tool) => tool.group === name),
  }));
  const first = Object.values(slack.groups).flatMap((group) => stepsFor(slack.tools, group.next ?? [], number));
  return { first, next: next.filter(({ tools }) => tools.length > 0) };
}
