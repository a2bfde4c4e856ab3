import type { GuidedAnswer } from '../../../assistant/guided/answers/answer.ts';
import { type FoundSet, linesOf, type SetLine } from '../../../assistant/guided/sets/set-found.ts';
import { batchedBy } from '../../../catalogue/batch-rule.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { isGated, type Tool } from '../../../catalogue/operation.ts';
import { clean, formatPhone } from '../../../language/show.ts';
import { isReference } from '../../../language/typed-values.ts';
import type { Actor } from '../../../lib/actor.ts';
import { textOf } from '../../../lib/json.ts';
import { type Block, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import type { Origin } from '../types.ts';
import type { Reply } from './engine.ts';
import { eachOffered } from './guided-each.ts';
import { run } from './run.ts';

/* A change of all lines of a customer: they are searched, and offered as one list. */

type SetOf = NonNullable<NonNullable<GuidedAnswer['each']>['set']>;

/**
 * The change of all lines of a set in one call, for an operation that takes a list. `left`: says how many are left out.
 * Undefined for an operation that takes one line, and where `showSet` says why there is no offer.
 */
export async function inOneCall(
  slack: SlackContext,
  guided: GuidedAnswer,
  actor: Actor,
): Promise<{ answer: GuidedAnswer; left: readonly Block[] } | undefined> {
  const { each, ...rest } = guided;
  const tool = slack.tools.find(({ id }) => id === guided.operation);
  const { list, row, most = 0 } = (tool && batchedBy(tool)) ?? {};
  if (!each?.set || !tool || !isGated(tool) || list === undefined || row === undefined) return undefined;
  const lines = await found(slack, tool, each.set, actor);
  if (lines === undefined || 'why' in lines || lines.lines.length > most) return undefined;
  slack.directory.note(hitsOf(lines.lines));
  const input = { ...guided.input, [list]: lines.lines.map(({ phone }) => ({ [row]: phone })) };
  return { answer: { ...rest, input }, left: leftOf(lines) };
}

async function found(slack: SlackContext, tool: Tool, set: SetOf, actor: Actor): Promise<FoundSet | undefined> {
  const performed = await slack.gate.perform(set.operation, set.input, actor);
  if (performed.kind !== 'done') return undefined;
  return linesOf(tool.id, performed.value, textOf(set.input.Query), set.except);
}

function hitsOf(lines: readonly SetLine[]): { value: string; label: string }[] {
  return lines.map(({ phone, label }) => ({
    ...{ value: phone, label: label.replace(phone, formatPhone(phone).national) },
  }));
}

function leftOf({ left, leftWhy, unmatched }: Exclude<FoundSet, { why: string }>): Block[] {
  return [
    ...(left === 0 ? [] : [say(`ℹ️ ${left} of the lines found are left out: ${leftWhy}.`)]),
    ...unmatched.map((item) => say(`ℹ️ None of the lines found is “${clean(item)}”.`)),
  ];
}

/** Shows the offer for the lines of a set. If the search leaves open which lines they are, it shows their list and why. */
export async function showSet(
  slack: SlackContext,
  { tool, answer, set, field }: { tool: Tool; answer: GuidedAnswer; set: SetOf; field: string },
  { actor, origin, reply }: { actor: Actor; origin: Origin; reply: Reply },
): Promise<void> {
  const find = slack.tools.find(({ id }) => id === set.operation);
  const lines = await found(slack, tool, set, actor);
  if (!find || lines === undefined) return;
  if ('why' in lines) {
    const lead = `${lines.why}.`;
    return void (await run(slack, { tool: find, input: set.input, origin, reply, isInstead: true, lead }));
  }
  const hits = hitsOf(lines.lines);
  slack.directory.note(hits);
  const each = { field, texts: hits.map(({ value }) => value) };
  // A number finds the record of the line, such as its subscription.
  const place = fieldsOf(tool).find(({ name }) => name === field);
  const isNamed = place !== undefined && hits.some(({ value }) => isReference(place, value));
  const offer = await eachOffered(slack, { tool, answer, each, ...(!isNamed && { found: hits }) }, actor);
  await reply.show({ ...offer, blocks: [...leftOf(lines), ...offer.blocks] });
}
