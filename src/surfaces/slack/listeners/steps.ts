import { guidesFor } from '../../../../tools/surfaces/tasks.ts';
import { inputWith } from '../../../cards/line-actions.ts';
import { lookups } from '../../../language/typed-values.ts';
import { defined, recordOf } from '../../../lib/json.ts';
import { notice } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import type { Reply } from '../flows/engine.ts';
import { type FormOrigin, openOrSay } from '../flows/forms.ts';
import { guideValues } from '../flows/guide.ts';
import { resumeGuide, startGuide } from '../flows/guide-flow.ts';
import { run } from '../flows/run.ts';
import type { Click } from './click.ts';

/* Buttons that start the next step: a lookup, a form, an operation, a guide. */

/** Looks up one of several numbers. */
export async function lookUp(slack: SlackContext, { value, origin }: Click, reply: Reply): Promise<void> {
  const [lookup] = lookups(slack.tools, slack.groups);
  if (lookup) await run(slack, { tool: lookup.tool, input: { [lookup.field]: value }, origin, reply });
  else await reply.add(notice('🤔', 'Number lookup is not available.'));
}

/** Opens a form with the values that the button carries. */
export async function openFilledForm(slack: SlackContext, click: Click): Promise<void> {
  const { id, rest } = splitValue(click.value);
  const tool = slack.tools.find((candidate) => candidate.id === id);
  await openOrSay(slack, tool, recordOf(JSON.parse(rest)), { ...originOf(click), filled: true });
}

/** Runs an operation with the values that the button carries. A change is shown before it is sent. */
export async function runAtOnce(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const { id, rest } = splitValue(click.value);
  const tool = slack.tools.find((candidate) => candidate.id === id);
  if (!tool) return openFilledForm(slack, click);
  await run(slack, { tool, input: recordOf(JSON.parse(rest)), origin: click.origin, reply });
}

/** Handles a choice from the menu of a row: a read with a whole input runs, for anything else its form opens. */
export async function openRowStep(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const { id, rest } = splitValue(click.value);
  const tool = slack.tools.find((candidate) => candidate.id === id);
  const isRead = tool?.risk === 'read' && tool.input.safeParse(recordOf(JSON.parse(rest))).success;
  return isRead ? runAtOnce(slack, click, reply) : openFilledForm(slack, click);
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
export async function openNextStep(slack: SlackContext, click: Click): Promise<void> {
  const { id, rest: phone } = splitValue(click.value);
  const tool = slack.tools.find((candidate) => candidate.id === id);
  await openOrSay(slack, tool, tool ? inputWith(tool, phone) : {}, originOf(click));
}

function originOf({ origin, quoted, postedTs }: Click): FormOrigin {
  return { ...origin, quoted, ...defined({ postedTs }) };
}
