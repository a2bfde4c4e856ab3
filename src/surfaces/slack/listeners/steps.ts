import { neededRole } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { defined, type Fields, recordOf } from '../../../lib/json.ts';
import { guardMeta } from '../blocks/guard.ts';
import { guideMeta } from '../blocks/guide.ts';
import { refusalMessage } from '../blocks/notices.ts';
import { inputWith } from '../blocks/steps.ts';
import { notice } from '../blocks/text.ts';
import type { GuideButton, SlackContext } from '../context.ts';
import { type FormChange, onFormChange } from '../flows/form-changes.ts';
import { openForm } from '../flows/forms.ts';
import { chooseFilter, reviseGuard } from '../flows/guard.ts';
import { guidesFor, guideValues } from '../flows/guide.ts';
import { lookups } from '../flows/lookup.ts';
import type { Reply } from '../flows/reply.ts';
import { run } from '../flows/run.ts';
import type { Click, ClickHandler } from './click.ts';

/* Buttons that start the next step: a lookup, a form, an operation, a guide. */

/** Looks up one of several numbers. */
export async function lookUp(slack: SlackContext, { value, origin }: Click, reply: Reply): Promise<void> {
  const [lookup] = lookups(slack.tools, slack.groups);
  if (lookup) await run(slack, { tool: lookup.tool, input: { [lookup.field]: value }, origin, reply });
  else await reply.add(notice('🤔', 'Number lookup is not available.'));
}

/** Opens a form with the values that the button carries. */
export async function openFilledForm(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const { toolId, given } = readValue(click.value);
  await openStep(slack, click, reply, {
    toolId,
    inputOf: async () => given,
    filled: true,
  });
}

/** Runs a step without a form. A change is shown before it is sent. */
export async function runAtOnce(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const { toolId, given } = readValue(click.value);
  const tool = slack.tools.find((candidate) => candidate.id === toolId);
  if (!tool) return openFilledForm(slack, click, reply);
  await run(slack, { tool, input: given, origin: click.origin, reply });
}

/** What a reader chose from the menu of a row: a read with a whole input runs, for anything else its form opens. */
export async function openRowStep(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const { toolId, given } = readValue(click.value);
  const tool = slack.tools.find((candidate) => candidate.id === toolId);
  const runs = tool?.risk === 'read' && tool.input.safeParse(given).success;
  await (runs ? runAtOnce : openFilledForm)(slack, click, reply);
}

/** Asks for the confirmation of a change that was read from plain words. */
export async function askForIt(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const { toolId, given } = readValue(click.value);
  const tool = slack.tools.find((candidate) => candidate.id === toolId);
  if (!tool || tool.risk === 'read') return openFilledForm(slack, click, reply);
  await run(slack, { tool, input: given, origin: click.origin, reply });
}

function readValue(value: string): { toolId: string; given: Fields } {
  const { toolId, rest } = splitValue(value);
  return { toolId, given: recordOf(JSON.parse(rest)) };
}

function splitValue(value: string): { toolId: string; rest: string } {
  const split = value.indexOf('|');
  return { toolId: value.slice(0, split), rest: value.slice(split + 1) };
}

/** Opens a guide with the values that the button carries, or where it was when it asked for an action. */
export async function startGuide(slack: SlackContext, { value, origin }: Click, reply: Reply): Promise<void> {
  const { toolId: name, rest: given } = splitValue(value);
  const guide = guidesFor(slack.tools).find((candidate) => candidate.name === name);
  if (!guide) await reply.add(notice('🤔', 'This button no longer works. Enter the command again.'));
  else if (given.startsWith('act_')) await slack.guides.resume(guide, given, origin);
  else await slack.guides.start(guide, guideValues(guide, given), origin);
}

/** A button inside a guide. */
export function pressInGuide(pressed: GuideButton): ClickHandler {
  return async (slack, { value, view, origin }) => {
    const meta = view && guideMeta(view.metadata);
    if (view && meta) await slack.guides.press(pressed, value, { id: view.id, meta }, origin);
  };
}

/** Opens the form of the operation chosen under a number. */
export async function openNextStep(slack: SlackContext, click: Click, reply: Reply): Promise<void> {
  const [toolId = '', phone = ''] = click.value.split('|');
  await openStep(slack, click, reply, { toolId, inputOf: async (tool) => inputWith(tool, phone) });
}

/** A choice in a form that other fields depend on, or a button under its rows. */
export function changeForm(kind: FormChange['kind']): ClickHandler {
  return async (slack, { view, value, blockId, origin }) => {
    const guard = view && guardMeta(view.metadata);
    if (view && guard) await chooseFilter(slack, view, guard, { blockId, value, userId: origin.userId });
    else if (view) {
      const field = kind === 'choice' || kind === 'record' ? blockId : value;
      await onFormChange(slack, { view, kind, field, origin });
    }
  };
}

/** "Back" in the form of guardian filtering. */
export async function reviseProtection(slack: SlackContext, { view, origin }: Click): Promise<void> {
  const meta = view && guardMeta(view.metadata);
  if (view && meta) await reviseGuard(slack, view, meta, origin);
}

async function openStep(
  slack: SlackContext,
  { origin, quoted, postedTs }: Click,
  reply: Reply,
  step: { toolId: string; inputOf: (tool: Tool) => Promise<Fields>; filled?: boolean },
): Promise<void> {
  const tool = slack.tools.find((candidate) => candidate.id === step.toolId);
  if (!tool) {
    await reply.add(notice('🤔', 'This button no longer works. Enter the command again.'));
    return;
  }
  const member = await slack.roles.admit(origin, neededRole(tool).ask);
  if ('refused' in member) {
    await reply.add(refusalMessage(member.refused));
    return;
  }
  const { filled = false } = step;
  const from = { ...origin, quoted, filled, ...defined({ postedTs }) };
  if (!(await openForm(slack, tool, await step.inputOf(tool), from)))
    await reply.add(notice('⚠️', 'Slack did not open the form. Press the button again.'));
}
