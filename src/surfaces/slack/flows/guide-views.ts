import { randomUUID } from 'node:crypto';
import type { Guide, GuideStep, OrderEnd } from '../../../../tools/surfaces/guides/guide.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { withDefaultAccount } from '../../../catalogue/input.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { formatPhone } from '../../../language/show.ts';
import type { Actor } from '../../../lib/actor.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import type { Frame } from '../blocks/form.ts';
import { needlessFields, withRequired } from '../blocks/form-shape.ts';
import { withoutSecrets } from '../blocks/form-values.ts';
import { correctionFrame, foundBlocks, type GuidePoint, guideView, stageLine } from '../blocks/guide.ts';
import type { Block, Element } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import type { ViewStep } from '../flow-state.ts';
import { nameRecords } from './current.ts';
import { drawForm, findTool, showView } from './engine.ts';

/** Updates a view, after earlier updates. False if it was closed, which is no error. */
export async function showGuide(
  slack: SlackContext,
  { viewId, turn }: Pick<ViewStep, 'viewId' | 'turn'>,
  view: Element,
): Promise<boolean> {
  const shown = await slack.memory.openViews.update(viewId, turn, () => showView(slack, viewId, view));
  return shown !== 'closed';
}

/** Shows a view without inputs. False if it was closed. */
export function tellGuide(
  slack: SlackContext,
  { state, ...place }: ViewStep,
  guide: Guide,
  point: GuidePoint,
  ...blocks: Block[]
): Promise<boolean> {
  return showGuide(slack, place, guideView(guide, point, state, ...blocks));
}

/** The form of a step with what is known. `actor`: with one, the only record of a list is filled in. */
export async function stepForm(
  slack: SlackContext,
  guide: Guide,
  step: GuideStep,
  {
    known,
    state: { channel, thread, action },
    actor,
    isAgain = false,
  }: { known: Fields; state: ViewStep['state']; actor: Actor | undefined; isAgain?: boolean },
  ...above: Block[]
): Promise<Element> {
  const { form } = step;
  if (!form) throw new Error(`the step ${step.name} has no form`);
  const { clock, config, gate } = slack;
  const tool = guideTool(slack, form.of);
  const carried = form.carries?.(known);
  const own = (name: string) => name in tool.input.shape;
  const entered = Object.fromEntries(Object.entries(known).filter(([name]) => own(name)));
  const values = { ...form.given?.(known, new Date(clock.now()), gate.timeZone), ...entered };
  const filled = withDefaultAccount(tool, values, config.PLATFORM_ACCOUNT_ID);
  const others = Object.fromEntries(Object.entries(known).filter(([name]) => !own(name)));
  return guideFormView(
    slack,
    tool,
    { ...filled, ...(actor ? await singles(slack, tool, { ...carried, ...filled }, actor) : {}) },
    { ...guideState(guide, { channel, thread, action }), step: step.name, known: others, carried },
    {
      title: guide.title,
      submit: isAgain && step.run ? 'Ask again' : form.submit,
      needs: (form.hints?.(known) ?? []).flatMap(({ field }) => field ?? []),
      above: [stageLine(guide, step.title, known), ...above, ...foundBlocks(form, known, (text) => named(slack, text))],
    },
  );
}

/** `state` has the order, from `correctionState`. */
export function correctForm(
  slack: SlackContext,
  { guide, end }: { guide: Guide; end: OrderEnd },
  input: Fields,
  state: ViewStep['state'],
  ...problem: Block[]
): Element {
  const tool = guideTool(slack, end.correct.operation);
  const frame = correctionFrame(end, tool, state);
  const above = [stageLine(guide, end.title, {}), ...problem, ...frame.above];
  return guideFormView(slack, tool, input, state, { ...frame, title: tool.title, above });
}

/** An operation, or a form of a guide's own. Throws if there is none with this id. */
export function guideTool(slack: SlackContext, of: Tool | string): Tool {
  if (typeof of !== 'string') return of;
  const tool = findTool(slack, of);
  if (!tool) throw new Error(`there is no operation ${of}`);
  return tool;
}

/** Looks up the names of the records that a guide knows, because a restart forgets them. */
export async function learnNames(slack: SlackContext, guide: Guide, known: Fields, actor: Actor): Promise<void> {
  const fields = guide.steps.flatMap(({ form }) => (form ? fieldsOf(guideTool(slack, form.of)) : []));
  await nameRecords(slack, fields, known, actor);
}

/** A text with names in place of ids, and with numbers as people read them. */
export function named(slack: SlackContext, text: string): string {
  return text
    .replace(/\b[A-Z]{2,7}-[\w.-]{8,}/g, (id) => slack.directory.nameOf(id)?.split(' · ')[0] ?? id)
    .replace(/\+\d{7,15}/g, (phone) => formatPhone(phone).national);
}

function guideFormView(
  slack: SlackContext,
  tool: Tool,
  input: Fields,
  state: ViewStep['state'],
  frame: Frame,
): Element {
  // Unique, also among the views of an earlier process.
  const mark = randomUUID().slice(0, 8);
  return drawForm(slack, {
    tool,
    values: withoutSecrets(fieldsOf(tool), input),
    state: { ...state, operation: tool.id },
    frame: { ...frame, mark },
  });
}

/** The records of required fields whose lists have exactly one. */
async function singles(slack: SlackContext, tool: Tool, values: Fields, actor: Actor): Promise<Fields> {
  const { records, directory, web, log } = slack;
  const needless = needlessFields(tool, values);
  const open = withRequired(tool, fieldsOf(tool), values).filter(
    ({ name, kind, required }) => required && kind === 'id' && values[name] === undefined && !needless.has(name),
  );
  const found = await Promise.all(
    open.map(async (field): Promise<[string, unknown]> => {
      const searching = records.search(field, '', actor, { isTyping: true, input: values }).catch((error: unknown) => {
        log('info', { field: field.name, error: String(error) }, 'failed to search for the only record');
        return undefined;
      });
      const hits = await web.inTime(searching);
      const [only, ...others] = hits?.hits ?? [];
      if (!only || others.length > 0 || !hits?.isWhole) return [field.name, undefined];
      directory.note([only]);
      return [field.name, only.value];
    }),
  );
  return defined(Object.fromEntries(found));
}

/** The state that every view of a guide carries. */
export function guideState(
  { name }: Guide,
  { channel, thread, action }: Partial<Pick<ViewStep['state'], 'channel' | 'thread' | 'action'>>,
): ViewStep['state'] {
  return { flow: 'guide', guide: name, channel: channel || undefined, thread, action };
}
