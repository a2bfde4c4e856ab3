import { guideForms } from '../../../../tools/surfaces/flows.ts';
import { fieldProblems } from '../../../catalogue/input.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { failureWords } from '../../../language/failure.ts';
import type { Actor, Role } from '../../../lib/actor.ts';
import { asSwitchboardError, type Failure, severity } from '../../../lib/errors.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import { SlackRefusal } from '../api/refusal.ts';
import { type FormParts, formView } from '../blocks/form.ts';
import { inFormWords } from '../blocks/form-lines.ts';
import { pathOf } from '../blocks/form-values.ts';
import { type Element, notice, noticeView, refusalMessage, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import type { FlowName, Press, SentView, ViewAnswer, ViewOf } from '../flow-state.ts';
import type { Origin, Posted } from '../types.ts';
import { Reply } from './reply.ts';

/** The handlers of the views of one flow. */
export interface Flow<F extends FlowName> {
  submit?: (slack: SlackContext, view: ViewOf<F>, origin: Origin) => Promise<ViewAnswer>;
  press?: (slack: SlackContext, view: ViewOf<F>, press: Press) => Promise<void>;
  /** The person closed a view that asks Slack to say so. */
  closed?: (slack: SlackContext, view: ViewOf<F>) => Promise<void>;
}

/** An operation, or a form of a guide's own. */
export function findTool({ tools }: SlackContext, id: string | undefined): Tool | undefined {
  return [...tools, ...guideForms].find((candidate) => candidate.id === id);
}

/** Problems with the input, in the words of the form, after the one that is `known` and replaces those of its field. */
export function problemsIn(
  { clock, reworded }: SlackContext,
  tool: Tool,
  input: Fields,
  known: { field: string; message: string } | undefined,
): { field: string; message: string }[] {
  const others = fieldProblems(tool, input, new Date(clock.now())).filter(({ field }) => field !== known?.field);
  const worded = others.map(({ field, message }) => ({ field, message: inFormWords(tool, reworded(message)) }));
  return known ? [known, ...worded] : worded;
}

/** Shows this view in place of the submitted one. */
export function updated(view: Element): ViewAnswer {
  return { ack: { response_action: 'update', view } };
}

/** Shows that a person may not do it. */
export function notAllowed(title: string, refused: readonly (Element | string)[]): ViewAnswer {
  return updated(noticeView(title, say('⛔ ', ...refused)));
}

/** Shows errors at the inputs with these paths. Their blocks may have a mark. */
export function errorsIn({ values }: SentView, errors: Readonly<Record<string, string>>): ViewAnswer {
  const blocks = new Map(Object.keys(values).map((block) => [pathOf(block), block]));
  const inside = (path: string) => [...blocks.keys()].find((one) => one.startsWith(`${path}.`)) ?? '';
  const named = Object.entries(errors).map(([path, text]) => [
    blocks.get(path) ?? blocks.get(inside(path)) ?? path,
    text,
  ]);
  return { ack: { response_action: 'errors', errors: Object.fromEntries(named) } };
}

/** A form in this app's words, with the names of the records that were seen. */
export function drawForm({ reworded, directory }: SlackContext, form: FormParts): Element {
  return formView({ ...form, reworded, labelOf: (value) => directory.nameOf(value) });
}

/** Opens a view. Undefined if Slack did not open it, which is logged. */
export async function openView(
  { web, log }: SlackContext,
  { triggerId }: Origin,
  view: Element,
  { flow, level = 'warn', above = false }: { flow: string; level?: 'info' | 'warn'; above?: boolean },
): Promise<string | undefined> {
  try {
    if (triggerId === undefined) throw new Error('Slack sent no trigger');
    return await (above ? web.pushView(triggerId, view) : web.openView(triggerId, view));
  } catch (error) {
    log(level, { flow, error: String(error) }, 'failed to open a view');
    return undefined;
  }
}

/** The person has closed the view. */
const CLOSED: ReadonlySet<string> = new Set(['not_found', 'view_not_found']);

/** Changes an open view. `closed` if the person closed it, `failed` if Slack did not change it otherwise. */
export async function showView(
  { web, log }: SlackContext,
  viewId: string,
  view: Element,
): Promise<'shown' | 'closed' | 'failed'> {
  try {
    await web.updateView(viewId, view);
    return 'shown';
  } catch (error) {
    const isClosed = error instanceof SlackRefusal && CLOSED.has(error.reason);
    log(isClosed ? 'debug' : 'warn', { view: viewId, error: String(error) }, 'failed to change a view');
    return isClosed ? 'closed' : 'failed';
  }
}

/** Opens a view for a person with the role. Undefined if it was not opened; the person then has the reason. */
export async function openFor(
  slack: SlackContext,
  origin: Origin,
  needed: Role,
  view: () => Element,
  { flow, retry = 'Enter the command again.' }: { flow: string; retry?: string },
): Promise<string | undefined> {
  const reply = new Reply(slack, origin);
  const refused = await slack.roles.timelyRefusal(origin, needed);
  const viewId = refused ? undefined : await openView(slack, origin, view(), { flow });
  if (viewId === undefined)
    await reply.show(refused ? refusalMessage(refused) : notice('⚠️', `Slack did not open the form. ${retry}`));
  return viewId;
}

/** The person of a request, if they have the role. Otherwise they get the reason. */
export async function admitted(
  { roles }: SlackContext,
  origin: Origin,
  needed: Role,
  reply: Reply,
): Promise<{ actor: Actor; zone: string | undefined } | undefined> {
  const member = await roles.admit(origin, needed);
  if (!('refused' in member)) return member;
  await reply.show(refusalMessage(member.refused));
  return undefined;
}

/** Logs the detail of an error. Returns it with its words for a person. `operation`: for the log. */
export function failureOf(
  { log, reworded }: SlackContext,
  error: unknown,
  operation?: string,
): { face: Failure; words: string } {
  const { detail, face, message } = asSwitchboardError(error);
  if (detail) log(severity(face), { ...defined({ operation }), detail }, message);
  return { face, words: reworded(failureWords(face, 'slack')) };
}

/** A link to a card. Undefined for one without a message, and if Slack does not say where it is. */
export async function linkTo(
  { web }: SlackContext,
  at: Posted | undefined,
  text = 'Open the card',
): Promise<Element | undefined> {
  const url = at && (await web.permalink(at));
  return url ? { type: 'link', url, text } : undefined;
}
