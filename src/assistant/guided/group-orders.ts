import type { Tool } from '../../catalogue/operation.ts';
import type { Fields } from '../../lib/json.ts';
import { answer, type GuidedAnswer, understood } from './answer.ts';
import { switchIn } from './named-switches.ts';
import { type Asked, isForbidden, isPolite, isQuestion } from './stance.ts';

/*
 * Orders about a workgroup that is named: a switch of the group or of a member ("stop recording calls in the workgroup
 * Front desk"), and the number at a digit of its menu.
 */

const CHANGES = ['workgroups_update', 'workgroups_activity_update'] as const;
/** "Digit 2", "menu option 3", "pressing 1": the place of a member in the menu. */
export const DIGIT =
  /\b(?:digits?|menu\s+(?:key|option|item)|(?:when\s+)?(?:callers?\s+|they\s+|people\s+)?press(?:es|ing)?|ring\s+position)\s*#?(?<digit>\d)(?!\d)/iu;

/** The change of such an order. Undefined for any other sentence. */
export function ofGroupOrder(asked: Asked, byId: ReadonlyMap<string, Tool>): GuidedAnswer | undefined {
  const { facts, clauses } = asked;
  const name = facts.details.records.find(({ noun }) => noun === 'workgroup')?.name;
  const isOrder = clauses.every(
    ({ text, isAsked }) => !isForbidden(text) && (isPolite(text) || !isQuestion(text, isAsked)),
  );
  if (name === undefined || facts.message !== undefined || asked.isBack || !isOrder) return undefined;
  const said = (asked.plain ?? asked.said).replace(name, ' ');
  const form = (tool: Tool, input: Fields, remarks?: string) => ({
    ...answer('form', { tool, input, understood: `${understood(tool, input)}${remarks ?? ''}` }),
    ...(remarks !== undefined && { remarks }),
  });
  const [group, member] = CHANGES.map((id) => (asked.mayUse(id) ? byId.get(id) : undefined));
  const [line, ...others] = facts.mentions;
  const digit = DIGIT.exec(said)?.groups?.digit;
  if (member && digit !== undefined && line && others.length === 0)
    return form(
      member,
      { WorkgroupId: name, DigitOrder: Number(digit), PhoneNumber: line.text },
      `; choose the member at digit ${digit} in the form`,
    );
  for (const tool of [group, member]) {
    const found = tool && switchIn(said, tool);
    if (tool && found && facts.mentions.length === 0)
      return form(tool, { WorkgroupId: name, [found.field.name]: found.isOn });
  }
  return undefined;
}
