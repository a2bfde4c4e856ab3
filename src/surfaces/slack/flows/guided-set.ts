import type { GuidedAnswer } from '../../../assistant/guided/answer.ts';
import { linesOf } from '../../../assistant/guided/set-found.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { clean, formatPhone } from '../../../language/show.ts';
import type { Actor } from '../../../lib/actor.ts';
import { textOf } from '../../../lib/json.ts';
import { say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import type { Origin } from '../types.ts';
import type { Reply } from './engine.ts';
import { eachOffered } from './guided-each.ts';
import { run } from './run.ts';

/* A change of all lines of a customer: they are searched, and offered as one list. */

type SetOf = NonNullable<NonNullable<GuidedAnswer['each']>['set']>;

/** Shows the offer for the lines of a set. If the search leaves open which lines they are, it shows their list and why. */
export async function showSet(
  slack: SlackContext,
  { tool, answer, set, field }: { tool: Tool; answer: GuidedAnswer; set: SetOf; field: string },
  { actor, origin, reply }: { actor: Actor; origin: Origin; reply: Reply },
): Promise<void> {
  const find = slack.tools.find(({ id }) => id === set.operation);
  const performed = await slack.gate.perform(set.operation, set.input, actor);
  if (!find || performed.kind !== 'done') return;
  const lines = linesOf(tool.id, performed.value, textOf(set.input.Query), set.except);
  if ('why' in lines) {
    const lead = `${lines.why}.`;
    return void (await run(slack, { tool: find, input: set.input, origin, reply, isInstead: true, lead }));
  }
  const found = lines.lines.map(({ phone, label }) => ({
    ...{ value: phone, label: label.replace(phone, formatPhone(phone).national) },
  }));
  slack.directory.note(found);
  const each = { field, texts: found.map(({ value }) => value) };
  const offer = await eachOffered(slack, { tool, answer, each, found }, actor);
  const left = lines.left === 0 ? [] : [say(`ℹ️ ${lines.left} of the lines found are left out: ${lines.leftWhy}.`)];
  for (const item of lines.unmatched) left.push(say(`ℹ️ None of the lines found is “${clean(item)}”.`));
  await reply.show({ ...offer, blocks: [...left, ...offer.blocks] });
}
