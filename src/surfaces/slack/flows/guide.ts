import { type Guide, LINE, phoneIn } from '../../../../tools/surfaces/guides/guide.ts';
import { guidesFor } from '../../../../tools/surfaces/tasks.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { mayAsk, type Tool } from '../../../catalogue/operation.ts';
import { slackStyle } from '../../../language/help.ts';
import { type Fields, objectIn } from '../../../lib/values.ts';
import { guideChoices, guideList } from '../blocks/fitting.ts';
import type { SlackContext } from '../context.ts';
import type { Origin } from '../types.ts';
import { admitted, Reply, recordsNamed } from './engine.ts';
import { startGuide } from './guide-flow.ts';

/** The word after the slash, without the prefix. */
export const GUIDE_WORD = 'guide';

/** A guide, and the text after the words that name it. */
interface Named {
  guide: Guide;
  rest: string;
}

/** The guide that a line starts, and the rest of the line. */
export function guideIn(tools: readonly Tool[], group: string, text: string): Named | undefined {
  for (const guide of guidesFor(tools).filter((one) => one.group === group)) {
    const match = new RegExp(`^${guide.words.replace(' ', '[\\s_/-]+')}(?:\\s+|$)`, 'i').exec(text.trim());
    if (match) return { guide, rest: text.trim().slice(match[0].length) };
  }
  return undefined;
}

/** The values that a button gives a guide: fields, or a text that names a number or an order. */
export function guideValues(guide: Guide, given: string): Fields {
  return objectIn(given) ?? valuesIn(guide, given) ?? (given === '' ? {} : { [guide.names.field]: given });
}

/** The values that a text means; undefined for a name. */
function valuesIn(guide: Guide, text: string): Fields | undefined {
  const phone = phoneIn(text);
  return guide.reads?.(text) ?? (phone === undefined ? undefined : { [LINE]: phone });
}

/** Answers `/guide`: starts the guide whose title or words a text begins with, or offers all of them. */
export async function onGuideCommand(slack: SlackContext, text: string, origin: Origin): Promise<void> {
  const words = text.trim().split(/\s+/);
  const first = words[0]?.toLowerCase() ?? '';
  const offered = guidesFor(slack.tools);
  const isFirst = (one: string) => one.split(' ')[0]?.toLowerCase() === first;
  const guide = offered.find(({ title, words: named }) => isFirst(title) || isFirst(named));
  if (guide) {
    const skipped = new Set([...guide.title.toLowerCase().split(' '), ...guide.words.split(' '), 'for', 'of', 'the']);
    const at = words.findIndex((word) => !skipped.has(word.toLowerCase()));
    return startGuideBy(slack, { guide, rest: at < 0 ? '' : words.slice(at).join(' ') }, origin);
  }
  const reply = new Reply(slack, origin);
  const member = await admitted(slack, origin, 'viewer', reply);
  if (!member) return;
  const { role } = member.actor;
  const style = slackStyle(slack.config.SLACK_COMMAND_PREFIX);
  const mayStart = ({ steps }: Guide) =>
    steps.every(({ run }) => !run || slack.tools.some((tool) => tool.id === run.operation && mayAsk(role, tool)));
  const commandOf = ({ group, words: own }: Guide) => `${style.command(group)} ${own}`;
  await reply.show(guideList(offered, { asked: text, commandOf, mayStart }));
}

/** Starts a guide. A name or last digits after its words mean the record that fits, in time for Slack's trigger. */
export async function startGuideBy(slack: SlackContext, { guide, rest }: Named, origin: Origin): Promise<void> {
  const text = rest.replace(/^\w+=/, '').replaceAll('"', '').trim();
  const known = text === '' ? {} : valuesIn(guide, text);
  if (known) return startGuide(slack, guide, known, origin);
  const { form, field: name } = guide.names;
  const tool = typeof form === 'string' ? slack.tools.find(({ id }) => id === form) : form;
  const field = tool && fieldsOf(tool).find((one) => one.name === name);
  const found = field && (await recordsNamed(slack, field, text, origin));
  const [only, ...others] = found?.hits ?? [];
  if (!field || !found) return startGuide(slack, guide, {}, origin);
  if (only !== undefined && others.length === 0 && found.isWhole)
    return startGuide(slack, guide, { [name]: only.value }, origin);
  await new Reply(slack, origin).show(guideChoices(guide, text, field, found));
}
