import { randomUUID } from 'node:crypto';
import type { Guide, GuideStep } from '../../../../tools/surfaces/guides/guide.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { withDefaultAccount } from '../../../catalogue/input.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { formatPhone } from '../../../language/show.ts';
import type { Actor } from '../../../lib/actor.ts';
import { type Fields, textOf } from '../../../lib/values.ts';
import { needlessFields, withoutSecrets, withRequired } from '../blocks/form-values.ts';
import { type Block, divider, flowView, lines, rich, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import type { ViewStep } from '../types.ts';
import { drawForm, findTool, inTime, showView } from './engine.ts';
import { nameRecords } from './run.ts';

/* The views of a guide: the form of a step, and what stands in its place while the guide waits. */

/** A guide that a person goes through. */
export interface Session {
  slack: SlackContext;
  guide: Guide;
  /** The step that it is at; undefined before the first one. */
  step: GuideStep | undefined;
  /**
   * The values known so far, without secrets. In lower case: `done`, the titles of what was done, and `code`, the action
   * whose answer has the activation code of an eSIM.
   */
  known: Fields;
  place: ViewStep;
  /** It goes on by itself after a decision, so that its person may not look at it. */
  isAlone?: true;
}

export type AtStep = Session & { step: GuideStep };

/** The title of the step at which a guide waits for a decision. */
export const APPROVAL = 'Approval';

/** The titles of a guide's steps with what is known, with the approval before the end. */
function stagesOf({ guide: { steps, end }, known }: Session): string[] {
  const forms = steps.filter(({ form, when }) => form && (when?.(known) ?? true)).map(({ title }) => title);
  return [...new Set([...forms, APPROVAL, end.title])];
}

/** The title at which a guide waits for a decision about a step: the approval, unless forms follow. */
export function waitingAt(session: AtStep): string {
  const titles = stagesOf(session);
  const { title } = session.step;
  return titles.indexOf(title) < titles.length - 3 ? title : APPROVAL;
}

/** All steps in one line: done, current, ahead. `at`: the title of the current one. */
function stageLine(session: Session, at: string): Block {
  const stages = stagesOf(session);
  const now = stages.indexOf(at);
  // A summary is shown when everything is done.
  const done = session.guide.end.kind === 'summary' && now === stages.length - 1 ? stages.length : now;
  return say(
    ...stages.flatMap((stage, i) => {
      const step = `${i + 1} ${stage}`;
      const shown = i < done ? `✅ ${step}` : i === now ? rich.bold(`🔵 ${step}`) : `⚪ ${step}`;
      return i === 0 ? [shown] : ['  ›  ', shown];
    }),
  );
}

/** The form of the step with what is known. `actor`: with one, the only record of a list is filled in. */
export async function stepForm(session: AtStep, actor?: Actor, above?: readonly Block[]): Promise<Fields> {
  const { slack, guide, step, known, place } = session;
  const { form } = step;
  if (!form) throw new Error(`the step ${step.name} has no form`);
  const { clock, config, gate } = slack;
  const tool = toolOf(slack, form.of);
  const own = (name: string) => name in tool.input.shape;
  const carried = form.carries?.(known);
  const values = { ...form.given?.(known, new Date(clock.now()), gate.timeZone), ...only(known, own) };
  const filled = withDefaultAccount(tool, values, config.PLATFORM_ACCOUNT_ID);
  const singles = actor ? await onlyRecords(slack, tool, { ...carried, ...filled }, actor) : {};
  const found = form.found?.(known);
  const facts = (found?.facts ?? []).filter((fact) => fact !== '').map((fact) => named(slack, fact));
  return drawForm(slack, {
    tool,
    values: withoutSecrets(fieldsOf(tool), { ...filled, ...singles }),
    state: {
      ...{ ...place.state, operation: tool.id, step: step.name, carried },
      known: only(known, (name) => !own(name)),
      needs: (form.hints?.(known) ?? []).flatMap(({ field }) => field ?? []),
    },
    frame: {
      title: guide.title,
      submit: above && step.run ? 'Ask again' : (form.submit ?? 'Ask for approval'),
      above: [
        stageLine(session, step.title),
        ...(above ?? []),
        ...(found && facts.length > 0 ? [say(`✅ ${found.text} `, rich.bold(facts.join(' · ')))] : []),
        say(form.text),
        ...(form.hints?.(known) ?? []).map(({ text }) => say(text)),
        ...(found === undefined ? [] : [divider]),
      ],
      // Slack keeps what was typed in a field of the same name in the step before.
      mark: randomUUID().slice(0, 8),
    },
  });
}

/** The records of required fields whose lists have exactly one. */
async function onlyRecords(slack: SlackContext, tool: Tool, values: Fields, actor: Actor): Promise<Fields> {
  const needless = needlessFields(tool, values);
  const open = withRequired(tool, fieldsOf(tool), values).filter(
    ({ name, kind, required }) => required && kind === 'id' && values[name] === undefined && !needless.has(name),
  );
  const found = open.map(async (field) => {
    const search = slack.records.search(field, '', actor, { isTyping: true, input: values });
    const hits = await inTime(slack, field.name, search);
    const [one, ...others] = hits?.hits ?? [];
    if (!one || others.length > 0 || !hits?.isWhole) return [];
    slack.directory.note([one]);
    return [[field.name, one.value] as const];
  });
  return Object.fromEntries((await Promise.all(found)).flat());
}

/** An operation, or a form of a guide's own. Throws if there is none with this id. */
export function toolOf(slack: SlackContext, of: Tool | string): Tool {
  const tool = typeof of === 'string' ? findTool(slack, of) : of;
  if (!tool) throw new Error(`there is no operation ${of}`);
  return tool;
}

/** Looks up the names of the records that a guide knows, because a restart forgets them. */
export async function learnNames({ slack, guide, known }: Session, actor: Actor): Promise<void> {
  const fields = guide.steps.flatMap(({ form }) => (form ? fieldsOf(toolOf(slack, form.of)) : []));
  await nameRecords(slack, fields, known, actor);
}

/** A text with names in place of ids, and with numbers as people read them. */
export function named(slack: SlackContext, text: string): string {
  return text
    .replace(/\b[A-Z]{2,7}-[\w.-]{8,}/g, (id) => slack.directory.nameOf(id)?.split(' · ')[0] ?? id)
    .replace(/\+\d{7,15}/g, (phone) => formatPhone(phone).national);
}

/** A view without inputs. Only forms keep the known values; otherwise the action that waits has them. */
function viewAt(session: Session, at: string, ...blocks: readonly Block[]): Fields {
  const { channel, action } = session.place.state;
  const { name: guide, title } = session.guide;
  return flowView({ flow: 'guide', guide, channel, action }, { title }, [stageLine(session, at), ...blocks]);
}

export function waitView(session: Session): Fields {
  return viewAt(session, session.step?.title ?? session.guide.end.title, say('⏳ Working on it…'));
}

/** Shows a view without inputs. False if it is not shown, for example because it was closed. */
export function showAt(session: Session, at: string, ...blocks: readonly Block[]): Promise<boolean> {
  return update(session, viewAt(session, at, ...blocks));
}

/** Updates the view, after earlier updates. False if it is not shown, for example because it was closed. */
export async function update({ slack, place: { viewId, turn } }: Session, view: Fields): Promise<boolean> {
  return (await slack.memory.openViews.update(viewId, turn, () => showView(slack, viewId, view))) !== false;
}

/** The titles of what the guide has done. */
export function doneSoFar({ known: { done } }: Session): string[] {
  return Array.isArray(done) ? done.map(textOf) : [];
}

/** A line for each step that was done. */
export function doneLines(session: Session): Block[] {
  const done = doneSoFar(session);
  return done.length === 0 ? [] : [lines(done.map((text) => [`✅ ${text}`]))];
}

export function only(values: Fields, keeps: (name: string) => boolean): Fields {
  return Object.fromEntries(Object.entries(values).filter(([name]) => keeps(name)));
}
