import { inputWith } from '../../../cards/line-actions.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { lookups } from '../../../language/typed-values.ts';
import { defined, type Fields, recordOf } from '../../../lib/json.ts';
import { notice } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import type { Reply } from '../flows/engine.ts';
import { admitted } from '../flows/engine.ts';
import { openForm } from '../flows/forms.ts';
import { guidesFor, guideValues } from '../flows/guide.ts';
import { resumeGuide, startGuide } from '../flows/guide-flow.ts';
import { namedRecords, withoutNames } from '../flows/references.ts';
import { obstacleTo, run } from '../flows/run.ts';
import type { Click } from './click.ts';

/* Buttons that start the next step: a lookup, a form, an operation, a guide. */

/** Looks up one of several numbers. */
export async function lookUp(slack: SlackContext, { value, origin }: Click, reply: Reply): Promise<void> {
  const [lookup] = lookups(slack.tools, slack.groups);
  if (lookup) await run(slack, { tool: lookup.tool, input: { [lookup.field]: value }, origin, reply });
  else await reply.add(notice('🤔', 'Number lookup is not available.'));
}

/** Opens a form with the values that the button carries. */
export async function openFilledForm(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const { id, rest } = splitValue(click.value);
  await openStep(slack, click, reply, { id, inputOf: () => recordOf(JSON.parse(rest)), filled: true });
}

/** Runs an operation with the values that the button carries. A change is shown before it is sent. */
export async function runAtOnce(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const { id, rest } = splitValue(click.value);
  const tool = slack.tools.find((candidate) => candidate.id === id);
  if (!tool) return openFilledForm(slack, click, reply);
  await run(slack, { tool, input: recordOf(JSON.parse(rest)), origin: click.origin, reply });
}

/**
 * Handles a choice from the menu of a row: a read with a whole input runs, for anything else its form opens. A list does
 * not show what is in the way of a removal, such as a package that contains the product, so it is read now.
 */
export async function openRowStep(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const { id, rest } = splitValue(click.value);
  const tool = slack.tools.find((candidate) => candidate.id === id);
  const input = recordOf(JSON.parse(rest));
  const isWhole = tool?.input.safeParse(input).success === true;
  if (tool?.risk === 'read' && isWhole) return runAtOnce(slack, click, reply);
  if (tool?.removes !== undefined && isWhole) {
    const member = await admitted(slack, click.origin, neededRole(tool).ask, reply);
    if (!member) return;
    const obstacle = await obstacleTo(slack, { tool, input, origin: click.origin }, member.actor);
    if (obstacle) return void (await reply.add(obstacle));
  }
  return openFilledForm(slack, click, reply);
}

/** The operation of a button, and its values. */
function splitValue(value: string): { id: string; rest: string } {
  const split = value.indexOf('|');
  return { id: value.slice(0, split), rest: value.slice(split + 1) };
}

/** Opens a guide with the values that the button carries, or where it was when it asked for an action. */
export async function openGuide(slack: SlackContext, { value, origin }: Click, reply: Reply): Promise<void> {
  const { id: name, rest: given } = splitValue(value);
  const guide = guidesFor(slack.tools).find((candidate) => candidate.name === name);
  if (!guide) await reply.add(notice('🤔', 'This button no longer works. Enter the command again.'));
  else if (given.startsWith('act_')) await resumeGuide(slack, guide, given, origin);
  else await startGuide(slack, guide, guideValues(guide, given), origin);
}

/** Opens the form of the operation chosen under a number. */
export async function openNextStep(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const { id, rest: phone } = splitValue(click.value);
  await openStep(slack, click, reply, { id, inputOf: (tool) => inputWith(tool, phone) });
}

async function openStep(
  slack: SlackContext,
  { origin, quoted, postedTs }: Click,
  reply: Reply,
  { id, inputOf, filled = false }: { id: string; inputOf: (tool: Tool) => Fields; filled?: boolean },
): Promise<void> {
  const tool = slack.tools.find((candidate) => candidate.id === id);
  if (!tool) return void (await reply.add(notice('🤔', 'This button no longer works. Enter the command again.')));
  if (!(await admitted(slack, origin, neededRole(tool).ask, reply))) return;
  const from = { ...origin, quoted, filled, ...defined({ postedTs }) };
  // The customer of a line is given by its number.
  const { input } = await namedRecords(slack, tool, inputOf(tool), from);
  if (!(await openForm(slack, tool, withoutNames(tool, input), from)))
    await reply.add(notice('⚠️', 'Slack did not open the form. Press the button again.'));
}
