import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { answer, type GuidedAnswer, understood } from '../answers/answer.ts';
import { peopleIn } from '../facts/names.ts';
import type { Asked } from '../facts/stance.ts';

/*
 * A message has two parties: beside the number that sends it, the only name is that of the receiver. "Send ava a msg from
 * 0102" goes to Ava, whoever has 0102.
 */

/** The answer with a search for the receiver, where the sentence has the sender's number and the receiver's name. */
export function withReceiver(
  guided: GuidedAnswer,
  { clauses, facts }: Asked,
  tool: Tool | undefined,
  find: Tool | undefined,
): GuidedAnswer {
  const isMessage =
    tool !== undefined && ['From', 'To'].every((name) => fieldsOf(tool).some((one) => one.name === name));
  const { input, kind, remarks } = guided;
  if (!isMessage || !find || guided.find || guided.each || input.From === undefined || input.To !== undefined)
    return guided;
  const [name, ...others] = peopleIn(...clauses.map(({ words }) => words));
  if (kind !== 'form' || name === undefined || others.length > 0 || facts.mentions.length !== 1) return guided;
  const search = { tool: find, input: { Query: name } };
  const text = `${understood(tool, input, search)}${remarks ?? ''}`;
  return { ...guided, ...answer('form', { tool, input, understood: text }, search) };
}
