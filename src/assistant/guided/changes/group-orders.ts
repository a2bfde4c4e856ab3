import type { Tool } from '../../../catalogue/operation.ts';
import { answer, type GuidedAnswer, understood } from '../answers/answer.ts';
import { type Asked, isForbidden, isPolite, isQuestion } from '../facts/stance.ts';
import { switchIn } from './named-switches.ts';

/*
 * Orders about a workgroup that is named: a switch of the group or of a member ("stop recording calls in the workgroup
 * Front desk").
 */

const CHANGES = ['workgroups_update', 'workgroups_activity_update'] as const;

/** The change of such an order. Undefined for any other sentence. */
export function ofGroupOrder(asked: Asked, byId: ReadonlyMap<string, Tool>): GuidedAnswer | undefined {
  const { facts, clauses } = asked;
  const name = facts.details.records.find(({ noun }) => noun === 'workgroup')?.name;
  const isOrder = clauses.every(
    ({ text, isAsked }) => !isForbidden(text) && (isPolite(text) || !isQuestion(text, isAsked)),
  );
  if (name === undefined || facts.message !== undefined || asked.isBack || !isOrder) return undefined;
  const said = (asked.plain ?? asked.said).replace(name, ' ');
  for (const tool of CHANGES.flatMap((id) => (asked.mayUse(id) ? (byId.get(id) ?? []) : []))) {
    const found = switchIn(said, tool);
    if (!found || facts.mentions.length > 0) continue;
    const input = { WorkgroupId: name, [found.field.name]: found.isOn };
    return answer('form', { tool, input, understood: understood(tool, input) });
  }
  return undefined;
}
