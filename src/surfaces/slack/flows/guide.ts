import { type Guide, orderEnd } from '../../../../tools/surfaces/guides/guide.ts';
import { guides } from '../../../../tools/surfaces/tasks.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { mayAsk } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { slackStyle } from '../../../language/help.ts';
import type { Hits } from '../../../language/records.ts';
import { isReference } from '../../../language/typed-values.ts';
import type { Actor } from '../../../lib/actor.ts';
import { type Fields, objectIn, textOf } from '../../../lib/json.ts';
import { guideChoices, guideList } from '../blocks/steps.ts';
import type { Message } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import type { Origin } from '../types.ts';
import { admitted, Reply } from './engine.ts';
import { startGuide } from './guide-flow.ts';

/** Digits of a line, or nothing. */
const LINE_OR_NONE = /^[+…*]*[\d\s().-]*$/;

/**
 * The guide that a line begins with the first word of: "swap 0101". Undefined if an operation of the group begins with this
 * word, or if more is said than a line.
 */
export function guideMeant(
  tools: readonly Tool[],
  group: string,
  text: string,
): { guide: Guide; rest: string } | undefined {
  const [word = '', ...others] = text.trim().split(/\s+/);
  const rest = others.join(' ');
  const isOperation = tools.some(({ id }) => id.split('_')[0] === group && id.split('_')[1] === word.toLowerCase());
  const guide = guides.find((one) => one.group === group && one.words.split(' ')[0] === word.toLowerCase());
  return guide && !isOperation && LINE_OR_NONE.test(rest) ? { guide, rest } : undefined;
}

/** The guide that a line starts, and the rest of the line. */
export function guideIn(group: string, text: string): { guide: Guide; rest: string } | undefined {
  const line = text.trim();
  for (const guide of guides) {
    const pattern = new RegExp(`^${guide.words.split(' ').join('[\\s_/-]+')}(?:\\s+|$)`, 'i');
    const match = guide.group === group ? pattern.exec(line) : null;
    if (match) return { guide, rest: line.slice(match[0].length).trim() };
  }
  return undefined;
}

/** The values that a button gives a guide: fields, or a text that names a number or an order. */
export function guideValues(guide: Guide, given: string): Fields {
  return objectIn(given) ?? guide.reads(given) ?? (given === '' ? {} : { [guide.names.field]: given });
}

/** The guide whose orders this operation corrects, if the values name an order. */
export function correctionOf(tools: readonly Tool[], tool: Tool, values: Fields): Guide | undefined {
  return guidesFor(tools).find((guide) => {
    const end = orderEnd(guide);
    return end?.correct.operation === tool.id && textOf(values[end.key]) !== '';
  });
}

/** The guides whose operations are all available. */
export function guidesFor(tools: readonly Tool[]): Guide[] {
  return guides.filter((guide) => operationsOf(guide).every((operation) => tools.some(({ id }) => id === operation)));
}

function operationsOf(guide: Guide): string[] {
  const runs = guide.steps.flatMap(({ run }) => (run ? [run.operation] : []));
  const end = orderEnd(guide);
  return end ? [...runs, end.follow.operation] : runs;
}

/** The word after the slash, without the prefix. */
export const GUIDE_WORD = 'guide';

/** Answers `/guide`: starts the guide whose title the words begin with, or offers all of them. */
export function onGuideCommand(
  slack: SlackContext,
  text: string,
  origin: Origin,
): { now?: Message; after?: () => Promise<void> } {
  const found = titled(guidesFor(slack.tools), text);
  if (found) return { after: () => startGuideBy(slack, found, origin) };
  return { after: () => showGuides(slack, text, origin) };
}

async function showGuides(slack: SlackContext, text: string, origin: Origin): Promise<void> {
  const reply = new Reply(slack, origin);
  const member = await admitted(slack, origin, 'viewer', reply);
  if (member) await reply.show(guidesMessage(slack, member.actor, text));
}

/** Offers all guides to a person, with buttons for those that they may start. `asked`: the words that none of them fits. */
export function guidesMessage(slack: SlackContext, { role }: Actor, asked = ''): Message {
  const style = slackStyle(slack.config.SLACK_COMMAND_PREFIX);
  const mayStart = (guide: Guide) =>
    operationsOf(guide).every((operation) => slack.tools.some((tool) => tool.id === operation && mayAsk(role, tool)));
  const commandOf = (guide: Guide) => `${style.command(guide.group)} ${guide.words}`;
  return guideList(guidesFor(slack.tools), { asked, commandOf, mayStart });
}

/** The guide whose title a text begins with, and the rest: "new line ava", "swap sim 0104", "port in +1312…". */
function titled(guides: readonly Guide[], text: string): { guide: Guide; rest: string } | undefined {
  const words = text.trim().split(/\s+/);
  const plain = (word: string) => word.toLowerCase().replace(/[^a-z]/g, '');
  for (const guide of guides) {
    const title = guide.title
      .split(' ')
      .map(plain)
      .filter((word) => !FILLERS.has(word));
    let at = 0;
    let taken = 0;
    for (const word of words) {
      const isNext = plain(word) !== '' && plain(word) === title[taken];
      if (!isNext && !FILLERS.has(plain(word))) break;
      if (isNext) taken += 1;
      at += 1;
    }
    if (taken > 0) return { guide, rest: words.slice(at).join(' ') };
  }
  return undefined;
}

const FILLERS: ReadonlySet<string> = new Set(['a', 'an', 'the', 'for', 'of', 'in', 'number', 'guide', 'to']);

/** Starts a guide. A name or last digits after its words mean the record that fits, in time for Slack's trigger. */
export async function startGuideBy(
  slack: SlackContext,
  { guide, rest }: { guide: Guide; rest: string },
  origin: Origin,
): Promise<void> {
  const text = rest.replace(/^\w+=/, '').replaceAll('"', '').trim();
  const known = text === '' ? {} : guide.reads(text);
  if (known) return startGuide(slack, guide, known, origin);
  const member = await slack.roles.timelyMembership(origin);
  if (!member || 'refused' in member || slack.roles.refusal(member, 'viewer'))
    return startGuide(slack, guide, {}, origin);
  const field = namesField(slack, guide);
  const found = field && (await slack.web.inTime(recordsNamed(slack, field, text, member.actor)));
  const [only, ...others] = found?.hits ?? [];
  if (!field || !found) return startGuide(slack, guide, {}, origin);
  if (only !== undefined && others.length === 0 && found.isWhole)
    return startGuide(slack, guide, { [field.name]: only.value }, origin);
  await new Reply(slack, origin).show(guideChoices(guide, { text, field, found }));
}

/** The field that a name after a guide's words is searched for. */
export function namesField(slack: SlackContext, { names }: Guide): Field | undefined {
  const tool: Tool | undefined =
    typeof names.form === 'string' ? slack.tools.find(({ id }) => id === names.form) : names.form;
  return tool && fieldsOf(tool).find(({ name }) => name === names.field);
}

/** The records that a name means; undefined if they cannot be searched. */
export async function recordsNamed(
  slack: SlackContext,
  field: Field,
  text: string,
  actor: Actor,
): Promise<Hits | undefined> {
  if (!isReference(field, text)) return undefined;
  try {
    const found = await slack.records.search(field, text, actor);
    slack.directory.note(found.hits);
    return found;
  } catch (error) {
    slack.log('warn', { field: field.name, error: String(error) }, 'failed to search a record for a guide');
    return undefined;
  }
}
