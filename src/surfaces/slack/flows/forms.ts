import { createHash } from 'node:crypto';
import { guideForms } from '../../../../tools/surfaces/flows.ts';
import { type ShortForm, shortForms } from '../../../../tools/surfaces/forms.ts';
import { changesOf } from '../../../catalogue/current.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { fieldProblems, parseInput, withDefaultAccount } from '../../../catalogue/input.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import { isGated, type Tool } from '../../../catalogue/operation.ts';
import type { Hit } from '../../../language/records.ts';
import type { Actor } from '../../../lib/actor.ts';
import { defined, type Fields, isRecord } from '../../../lib/json.ts';
import { isSame } from '../../../platform/dialect/readings.ts';
import { batchMeta, sharedPath } from '../blocks/batch.ts';
import { leaveMeta } from '../blocks/batch-leave.ts';
import {
  cautionedView,
  type FormMeta,
  formMeta,
  formView,
  noticeView,
  OUT_OF_DATE,
  shortAbove,
  submitLabel,
} from '../blocks/form.ts';
import { errorsAt, pathOf, readForm, withoutSecrets } from '../blocks/form-values.ts';
import { inFormWords } from '../blocks/form-words.ts';
import { guardMeta } from '../blocks/guard.ts';
import { guideMeta } from '../blocks/guide.ts';
import { reasonIn } from '../blocks/reasons.ts';
import { type Element, lines, notice, rich, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import type { Origin, SentView, ViewAnswer } from '../types.ts';
import { submitBatch } from './batch.ts';
import { submitLeave } from './batch-leave.ts';
import { changeNotes, currentRead, readCurrent } from './current.ts';
import { submitGuard } from './guard.ts';
import { correctionOf } from './guide.ts';
import { namedRecords } from './references.ts';
import { Reply } from './reply.ts';
import { run } from './run.ts';

/** Maximum wait for what is set now before a form is opened. A trigger expires after three seconds. */
const READ_MS = 800;

/** The place where a form is opened, and options of the form. */
export interface FormOrigin extends Origin {
  /** A message that the form answers. */
  quoted?: string | undefined;
  /** Opened by a button that carries values. A short form then shows only the fields that are left to fill in. */
  filled?: boolean;
  /** The reason why the operation was not done before. */
  problem?: string;
  /** The reason that the person typed in a command. */
  reason?: string | undefined;
  /** The waiting question that the form edits. */
  replaces?: string;
  /** The timestamp of that button's message, unless it is ephemeral. */
  postedTs?: string;
}

/** Opens an operation's form with these values. False if Slack did not open it. */
export async function openForm(slack: SlackContext, tool: Tool, values: Fields, origin: FormOrigin): Promise<boolean> {
  if (!origin.triggerId) return false;
  const guide = correctionOf(slack.tools, tool, values);
  if (guide) return slack.guides.correct(guide, withoutSecrets(fieldsOf(tool), values), origin);
  const fields = fieldsOf(tool);
  const known = withDefaultAccount(tool, values, slack.config.PLATFORM_ACCOUNT_ID);
  const prefilled = withoutSecrets(fields, known);
  const isRead = currentRead(tool, prefilled) !== undefined;
  const late = Symbol('late');
  try {
    const reading = isRead ? currentFor(slack, tool, prefilled, origin) : undefined;
    const waiting = isRead ? slack.web.sleep(READ_MS).then(() => late) : undefined;
    const start = await Promise.race([reading, waiting ?? reading]);
    const isLate = start === late;
    const draw = (from: Fields | undefined) => firstView(slack, tool, prefilled, { origin, start: from, isRead });
    const first = isLate
      ? noticeView(tool.title, say('⏳ Reading what is set now…'))
      : draw(isRecord(start) ? start : undefined);
    const id = await slack.web.openView(origin.triggerId, first);
    if (origin.responseUrl) slack.memory.responseUrls.put(id, origin.responseUrl);
    if (isLate) await slack.web.updateView(id, draw(await reading));
    return true;
  } catch (error) {
    slack.log('warn', { operation: tool.id, error: String(error) }, 'failed to open a form');
    return false;
  }
}

/** The values of the record that an input names, read for this person. */
async function currentFor(slack: SlackContext, tool: Tool, input: Fields, origin: Origin): Promise<Fields | undefined> {
  const member = await slack.roles.timelyMembership(origin);
  return member && !('refused' in member) ? readCurrent(slack, { tool, input, actor: member.actor }) : undefined;
}

/** A form as it is opened: with the values that it starts from, the given ones over them. */
function firstView(
  slack: SlackContext,
  tool: Tool,
  given: Fields,
  { origin, start, isRead }: { origin: FormOrigin; start: Fields | undefined; isRead: boolean },
): Element {
  const meta: FormMeta = {
    t: tool.id,
    ...defined({ c: origin.channel || undefined, y: origin.reason, e: origin.replaces }),
  };
  const short = origin.filled ? shortForms[tool.id] : undefined;
  if (short?.given.every((name) => given[name] !== undefined))
    return shortView(slack, { tool, short, values: given, meta, origin });
  const unread =
    isRead && !start ? 'What is set now could not be read. Check each field before you send it.' : undefined;
  return formView({
    tool,
    values: { ...start, ...given },
    meta: start ? { ...meta, ...startMeta(tool, start, given) } : meta,
    reworded: slack.reworded,
    quoted: origin.quoted,
    warning: consequenceOf(slack, tool, given),
    problem: origin.problem ?? unread,
    labelOf: (value) => slack.directory.nameOf(value),
  });
}

/** The metadata of a form that starts from a record. The fields that name the record have no input. */
export function startMeta(tool: Tool, start: Fields, given: Fields): Pick<FormMeta, 'b' | 'v'> {
  return { b: start, v: Object.fromEntries((tool.current?.keys ?? []).map((key) => [key, given[key]])) };
}

/**
 * The consequence and cost of sending these values, as the card will state them; undefined while they are incomplete.
 */
function consequenceOf(slack: SlackContext, tool: Tool, values: Fields): string | undefined {
  const now = new Date(slack.clock.now());
  if (!isGated(tool) || !tool.consent || fieldProblems(tool, values, now).length > 0) return undefined;
  const { consequence, cost = '' } = tool.consent(parseInput(tool, values, now), {});
  return consequence.includes(cost) ? consequence : `${consequence} Cost: ${cost}.`;
}

/**
 * A form with only the fields that a person has to fill in. Its confirmation is requested in the thread of the button.
 */
function shortView(
  slack: SlackContext,
  form: { tool: Tool; short: ShortForm; values: Fields; meta: FormMeta; origin: FormOrigin },
): Element {
  const { tool, short, values, meta, origin } = form;
  const v = Object.fromEntries(short.given.map((name) => [name, values[name]]));
  return formView({
    tool,
    values,
    meta: { ...meta, v, s: 'short', ...defined({ th: origin.threadTs ?? origin.postedTs }) },
    reworded: slack.reworded,
    labelOf: (value) => slack.directory.nameOf(value),
    frame: { title: short.title, submit: submitLabel(tool), above: shortAbove(tool, v, origin.quoted) },
  });
}

/** Handles a submitted form: shows errors at their fields, otherwise closes the form and runs the operation. */
export async function onSubmit(slack: SlackContext, view: SentView, origin: Origin): Promise<ViewAnswer> {
  const guard = guardMeta(view.metadata);
  if (guard) return submitGuard(slack, view, guard, origin);
  const leave = leaveMeta(view.metadata);
  if (leave) return submitLeave(slack, view, leave, origin);
  const batch = batchMeta(view.metadata);
  if (batch) return submitBatch(slack, view, batch, origin);
  const guide = guideMeta(view.metadata);
  if (guide) return slack.guides.submit(view, guide, origin);
  const { tool, meta } = toolIn(slack, view);
  if (!tool) return update(OUT_OF_DATE);
  const fields = fieldsOf(tool);
  const entered = { ...meta.v, ...readForm(fields, view.values) };
  const named = await namedRecords(slack, tool, entered, origin);
  const changes = meta.b && changesOf(tool, { start: meta.b, entered: named.input, shown: namesIn(view) });
  const input = changes?.input ?? named.input;
  // A form that started from the record has every value that will hold.
  const whole = meta.b && tool.current?.whole?.(named.input);
  const problem = named.problem ?? (changes && unchangedProblem(changes, view)) ?? whole;
  const others = problemsOf(slack, tool, input).filter(({ field }) => field !== problem?.field);
  const errors = errorsAt(fields, problem ? [problem, ...others] : others, view.values);
  if (Object.keys(errors).length > 0) return { ack: { response_action: 'errors', errors: atBlocks(errors, view) } };
  const refused = await slack.roles.timelyRefusal(origin, neededRole(tool).ask);
  if (refused) return update(noticeView('Not sent', say('⛔ ', ...refused)));
  const caution = cautionOf(slack, tool, input);
  if (caution !== undefined && caution !== meta.w)
    return update(cautionedView(tool, withoutSecrets(fields, named.input), { ...meta, w: caution }, slack.reworded));
  const stale = meta.b && (await staleView(slack, tool, { meta, start: meta.b, entered: named.input }, origin));
  if (stale) return update(stale);
  const responseUrl = slack.memory.responseUrls.take(view.id);
  const asked: Origin = { ...origin, ...defined({ channel: meta.c || undefined, threadTs: meta.th }) };
  const replying = { ...asked, ...defined({ responseUrl: responseUrl || undefined }) };
  const reply = new Reply(slack, replying, { replaces: meta.e !== undefined });
  const job = {
    ...{ tool, input, origin: asked, reply },
    form: { start: meta.b },
    ...defined({ reason: reasonIn(view.values), replaces: meta.e }),
  };
  return { ack: undefined, after: async () => void (await run(slack, job)) };
}

/**
 * The form again, if the record changed after it was opened: with the present values beside what was typed. Undefined if
 * it did not change, or cannot be read now; the gate compares once more before anything is sent.
 */
async function staleView(
  slack: SlackContext,
  tool: Tool,
  form: { meta: FormMeta; start: Fields; entered: Fields },
  origin: Origin,
): Promise<Element | undefined> {
  const { start, entered, meta } = form;
  const now = await slack.web.inTime(currentFor(slack, tool, { ...meta.v, ...entered }, origin));
  if (now === undefined) return undefined;
  const changed = changeNotes(slack, tool, { start, now });
  if (changed.length === 0) return undefined;
  const typed = Object.entries(entered).filter(([name, value]) => !isSame(value, start[name]));
  const above = [
    say('⚠️ ', rich.bold('Changed since you opened this form. Nothing was sent.')),
    lines(changed.map((note) => [note])),
    say('What you typed is kept. Check it and send it again.'),
  ];
  return formView({
    tool,
    values: { ...now, ...Object.fromEntries(typed) },
    meta: { ...meta, ...startMeta(tool, now, { ...meta.v, ...entered }) },
    reworded: slack.reworded,
    labelOf: (value) => slack.directory.nameOf(value),
    frame: { title: tool.title, submit: submitLabel(tool), above, mark: markOf(now) },
  });
}

/** A mark for the inputs of a form that starts from these values. */
function markOf(values: Fields): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 8);
}

/** Problems by the names of the blocks, which may have a mark. */
function atBlocks(errors: Readonly<Record<string, string>>, { values }: SentView): Record<string, string> {
  const blocks = new Map(Object.keys(values).map((block) => [pathOf(block), block]));
  return Object.fromEntries(Object.entries(errors).map(([path, text]) => [blocks.get(path) ?? path, text]));
}

/** Names of the fields that a form shows. */
function namesIn({ values }: SentView): ReadonlySet<string> {
  return new Set(Object.keys(values).map((block) => pathOf(block).split('.')[0] ?? ''));
}

/** The problem of a form that changes nothing, or that removes what cannot be removed. */
function unchangedProblem(
  { kept, isEmpty }: ReturnType<typeof changesOf>,
  { values }: SentView,
): { field: string; message: string } | undefined {
  const [field] = kept;
  if (field !== undefined) return { field, message: 'cannot be removed here: enter a value' };
  const [first = ''] = Object.keys(values);
  return isEmpty ? { field: pathOf(first), message: 'nothing differs from what is set now' } : undefined;
}

/** Problems with the input, in the words of the form. */
function problemsOf(slack: SlackContext, tool: Tool, input: Fields): { field: string; message: string }[] {
  const problems = fieldProblems(tool, input, new Date(slack.clock.now()));
  return problems.map(({ field, message }) => ({ field, message: inFormWords(tool, slack.reworded(message)) }));
}

function update(view: Element): ViewAnswer {
  return { ack: { response_action: 'update', view } };
}

/** A caution to show before this valid input is saved. */
function cautionOf(slack: SlackContext, tool: Tool, input: Fields): string | undefined {
  if (tool.kind !== 'operation' || !tool.caution) return undefined;
  return tool.caution(parseInput(tool, input, new Date(slack.clock.now())));
}

/** Searches the text typed. Undefined if the platform does not answer in time. */
async function hitsWithin(
  slack: SlackContext,
  field: Field,
  typed: string,
  actor: Actor,
): Promise<readonly Hit[] | undefined> {
  const searching = slack.records.search(field, typed.trim(), actor, { isTyping: true }).catch((error: unknown) => {
    slack.log('info', { error: String(error) }, 'failed to search while a person typed');
    return undefined;
  });
  return (await slack.web.inTime(searching))?.hits;
}

/** Offers options while a person types: records that were seen before, and those that a search finds. */
export async function onSuggest(
  slack: SlackContext,
  suggest: { view: SentView; blockId: string; typed: string; origin: Origin },
): Promise<Element[]> {
  const batch = batchMeta(suggest.view.metadata);
  const tool = batch ? slack.tools.find(({ id }) => id === batch.batch) : toolIn(slack, suggest.view).tool;
  const path = pathOf(batch ? sharedPath(suggest.blockId) : suggest.blockId);
  const field = tool && fieldAt(fieldsOf(tool), path.split('.'));
  if (!field) return [];
  const membership = await slack.roles.timelyMembership(suggest.origin);
  // Without a role, a person sees only a number or id that they typed. The refusal follows when they submit.
  if (!membership || 'refused' in membership) return slack.directory.offerTyped(field, suggest.typed);
  const found = await hitsWithin(slack, field, suggest.typed, membership.actor);
  return slack.directory.offer(field, suggest.typed, found);
}

/** The operation of a form, and the form's metadata. */
export function toolIn(slack: SlackContext, { metadata }: SentView): { tool: Tool | undefined; meta: FormMeta } {
  const meta = formMeta(metadata) ?? { t: '' };
  return { tool: [...slack.tools, ...guideForms].find((tool) => tool.id === meta.t), meta };
}

function fieldAt(fields: readonly Field[], path: readonly string[]): Field | undefined {
  const [name, ...rest] = path;
  const field = fields.find((candidate) => candidate.name === name);
  // A row's path has its number: "PackageItems.0.ProductId".
  const inside = field?.kind === 'rows' ? rest.slice(1) : rest;
  return inside.length === 0 || !field ? field : fieldAt(field.fields ?? [], inside);
}

/** Opens the form of a "form" button. After a restart its values are lost, and the form opens empty. */
export async function onFormButton(slack: SlackContext, value: string, origin: Origin): Promise<void> {
  const [draftId = '', toolId = ''] = value.split('|');
  const draft = slack.memory.drafts.get(origin.userId, draftId);
  const tool = slack.tools.find((candidate) => candidate.id === (draft?.toolId ?? toolId));
  const reply = new Reply(slack, origin);
  if (!tool) {
    await reply.add(notice('🤔', 'This button no longer works. Enter the command again.'));
    return;
  }
  const channel = origin.channel ?? draft?.channel;
  const opened = await openForm(slack, tool, draft?.input ?? {}, {
    ...origin,
    ...defined({ channel: channel || undefined, problem: draft?.problem }),
  });
  if (!opened) await reply.add(notice('⚠️', 'Slack did not open the form. Press the button again.'));
}
