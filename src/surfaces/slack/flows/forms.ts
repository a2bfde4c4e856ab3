import { createHash } from 'node:crypto';
import { menuServices } from '../../../../tools/groups.ts';
import { eventOperations } from '../../../../tools/surfaces/events.ts';
import { leftFields } from '../../../../tools/surfaces/forms.ts';
import { guides } from '../../../../tools/surfaces/tasks.ts';
import { hasService, phoneField } from '../../../cards/line.ts';
import { answerParts, orderCard, readOrderIn } from '../../../cards/outcome.ts';
import { numbersOf } from '../../../cards/question.ts';
import { changesOf } from '../../../catalogue/compare.ts';
import { fieldProblems, fieldsOf, withDefaultAccount } from '../../../catalogue/input.ts';
import { type Field, neededRole, type Tool } from '../../../catalogue/operation.ts';
import { formatPhone } from '../../../language/show.ts';
import { isReference, nounOf } from '../../../language/typed-values.ts';
import type { FieldProblem } from '../../../lib/errors.ts';
import { defined, type Fields, inQuotes, isRecord, listOf, textOf } from '../../../lib/values.ts';
import { isSame } from '../../../platform/dialect/readings.ts';
import { carrierReason, isRejected } from '../../../platform/dialect/verdict.ts';
import { draw } from '../blocks/fitting.ts';
import {
  drawnValues,
  errorsAt,
  type FormState,
  type Frame,
  inputsOf,
  pathOf,
  readForm,
  reasonIn,
  withoutSecrets,
} from '../blocks/form.ts';
import * as ui from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { fitsView, IDS, logged, type Origin, type SentView, type StateOf, sentView, type ViewOf } from '../types.ts';
import {
  type Click,
  drawForm,
  errorsIn,
  findTool,
  inTime,
  NO_BUTTON,
  notOpened,
  openView,
  problemsIn,
  Reply,
  showView,
  updated,
} from './engine.ts';
import { changeNotes, currentRead, formButton, namedRecords, readStart, run } from './run.ts';

/** Maximum wait for names and values before a form is opened. A trigger expires after three seconds. */
const READ_MS = 800;

/** The place where a form is opened, and options of the form. */
export interface FormOrigin extends Origin {
  /** A message that the form answers. */
  quoted?: string | undefined;
  /** Opened by a button that carries values. The form may ask only for the fields that are left to fill in. */
  filled?: boolean;
  /** The only fields that the form asks for. */
  only?: readonly string[] | undefined;
  /** The reason that the person typed in a command. */
  reason?: string | undefined;
  /** The waiting question that the form edits. */
  replaces?: string;
  /** Fields that must be filled in: secrets that were sent before and are not kept. */
  needs?: readonly string[];
  /** The timestamp of that button's message, unless it is ephemeral. */
  postedTs?: string;
}

/**
 * Opens an operation's form with these values, which may be names. The person is told why it is not opened.
 *
 * @param tool undefined for an operation that is not here any more
 */
export async function openForm(slack: SlackContext, tool: Tool | undefined, values: Fields, origin: FormOrigin) {
  const refused = tool && (await slack.roles.timelyRefusal(origin, neededRole(tool)));
  if (!tool || refused)
    return void (await new Reply(slack, origin).add(refused ? ui.refusalMessage(refused) : NO_BUTTON));
  const drawing = firstView(slack, tool, values, origin);
  const first = await slack.web.inTime(drawing, READ_MS);
  const view = first ?? ui.noticeView(tool.title, ui.say('⏳ Reading what is set now…'));
  // An edit is opened again by its own button, because a draft does not know what it edits.
  const kept = () => (origin.replaces === undefined ? formButton(tool, values) : []);
  const id = await openView(slack, origin, view, { kept });
  if (id === undefined) return;
  if (origin.responseUrl) slack.memory.responseUrls.set(id, origin.responseUrl);
  if (first === undefined && !(await showView(slack, id, await drawing)))
    await new Reply(slack, origin).add(notOpened(kept()));
}

/** A form as it is opened: with the values that it starts from, the given ones over them. */
async function firstView(slack: SlackContext, tool: Tool, values: Fields, origin: FormOrigin): Promise<Fields> {
  const { channel, reason, replaces, needs = [], threadTs: thread } = origin;
  const fields = fieldsOf(tool);
  const named = await namedRecords(slack, tool, values, origin);
  // A name is no value where a form takes a record.
  const isName = (name: string, value: unknown) =>
    fields.some((field) => field.name === name && field.kind === 'id' && isReference(field, textOf(value)));
  const entries = Object.entries(named.input).filter((entry) => !isName(...entry));
  const known = withDefaultAccount(tool, Object.fromEntries(entries), slack.config.PLATFORM_ACCOUNT_ID);
  const prefilled = withoutSecrets(fields, known);
  const left = origin.filled ? leftFields[tool.id] : undefined;
  const isGiven = (name: string) => prefilled[name] !== undefined;
  const isLeft = left?.given.every(isGiven) && !left.asks.some(isGiven);
  const only = origin.only ?? (isLeft ? left?.asks : undefined);
  const state: StateOf<'form'> = {
    ...{
      flow: 'form',
      operation: tool.id,
      channel: channel || undefined,
      reason,
      replaces,
      only: only && [...only],
      needs: [...needs],
    },
    // The confirmation of what a message leads to is requested in its thread.
    thread: thread ?? (isLeft ? origin.postedTs : undefined),
    ...(isLeft && { carried: prefilled }),
  };
  const { correctOrder } = eventOperations;
  if (tool.id === correctOrder.operation && textOf(prefilled[correctOrder.field]) !== '')
    return correctionForm(slack, tool, prefilled, state, origin);
  const found = await startFor(slack, tool, prefilled, origin);
  const key = fields.find(({ name }) => tool.current?.keys.includes(name) && typeof prefilled[name] === 'string');
  // The field of a record that the platform does not have is empty, and says so.
  const unfit =
    found !== 'missing'
      ? await withoutService(slack, tool, prefilled, origin)
      : key &&
        without(prefilled, key, `No ${nounOf(key)} ${inQuotes(String(prefilled[key.name]))} was found. Choose one.`);
  const start = found === 'missing' || unfit !== undefined ? undefined : found;
  const given = unfit?.input ?? prefilled;
  const isUnread = start === undefined && currentRead(tool, prefilled) !== undefined;
  const unread = isUnread ? 'What is set now could not be read. Check each field before you send it.' : undefined;
  // Missing fields are left for the person to fill in.
  const problems = fieldProblems(tool, given, new Date(slack.clock.now()));
  const wrongFields = problems.map(({ field }) => field.split('.')[0]);
  const wrong = problems.find(({ field }) => given[field.split('.')[0] ?? ''] !== undefined);
  const form = {
    tool,
    values: {
      ...start,
      ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, over(start?.[name], value)])),
    },
    state: start ? withStart({ ...state, carried: undefined }, tool, start, given) : state,
    quoted: origin.quoted,
    problem: wordsOf(tool, named.problem) ?? unfit?.problem ?? unread ?? wordsOf(tool, wrong),
  };
  const view = drawForm(slack, form);
  const lost = lostIn(tool, given, view).filter(({ name }) => !wrongFields.includes(name));
  if (lost.length === 0) return view;
  const rest = Object.fromEntries(lost.map(({ name }) => [name, given[name]]));
  const carrying = { ...form.state, carried: { ...form.state.carried, ...rest } };
  if (fitsView(carrying)) return drawForm(slack, { ...form, state: carrying });
  const labels = lost.map(({ label }) => label).join(', ');
  return drawForm(slack, { ...form, problem: `${labels}: too long for this form, so it is not sent with it.` });
}

/** The given fields that a form would not send, or not whole, if it were sent as it is drawn. */
function lostIn(tool: Tool, given: Fields, view: Fields): Field[] {
  const { state, values } = sentView({ ...view, state: { values: drawnValues(view.blocks) } });
  if (state?.flow !== 'form') return [];
  const entered = { ...state.carried, ...readForm(fieldsOf(tool), values) };
  const sent = changesIn(tool, { state, values }, entered)?.input ?? entered;
  return fieldsOf(tool).filter(({ name }) => {
    const asked = given[name];
    // An operation that changes no record has nothing to remove.
    const isNothing = asked === null || (Array.isArray(asked) && asked.length === 0);
    if (isNothing && tool.current === undefined) return false;
    return !isSame(asked, state.start?.[name]) && !isHeldBy(sent[name], asked);
  });
}

/** True if a value that is sent has every part of the one that was asked, removals included. */
function isHeldBy(sent: unknown, asked: unknown): boolean {
  if (asked === undefined) return true;
  if (asked === null) return sent === null;
  if (Array.isArray(asked)) return Array.isArray(sent) && sent.length === asked.length;
  if (isRecord(asked))
    return isRecord(sent) && Object.entries(asked).every(([name, value]) => isHeldBy(sent[name], value));
  return sent !== undefined && sent !== null;
}

/** The changes that a form makes in the record it started from; undefined for a form without one. */
function changesIn(tool: Tool, { state, values }: Pick<ViewOf<'form'>, 'state' | 'values'>, entered: Fields) {
  const shown = new Set(Object.keys(values).map((block) => pathOf(block).split('.')[0] ?? ''));
  return state.start && changesOf(tool, { start: state.start, entered, shown });
}

/** A given value with the members of the record's that it leaves out. */
const over = (now: unknown, given: unknown) => (isRecord(now) && isRecord(given) ? { ...now, ...given } : given);

/** A problem with a field's label before it. */
function wordsOf(tool: Tool, problem: FieldProblem | undefined): string | undefined {
  const [name = ''] = problem?.field.split('.') ?? [];
  const label = fieldsOf(tool).find((field) => field.name === name)?.label ?? name;
  return problem && `${label}: ${problem.message}`;
}

/** The values of the record that an input names, read for this person. */
async function startFor(slack: SlackContext, tool: Tool, input: Fields, origin: Origin) {
  if (currentRead(tool, input) === undefined) return undefined;
  const actor = await slack.roles.timelyActor(origin);
  return actor && readStart(slack, tool, input, actor);
}

/** The input without the value of a field, and why. */
function without({ ...input }: Fields, { name }: Field, problem: string): { input: Fields; problem: string } {
  delete input[name];
  return { input, problem };
}

/** The form of a service that the line does not have: its number is empty, and the form says so. */
export async function withoutService(slack: SlackContext, tool: Tool, given: Fields, origin: Origin) {
  const [phone, ...others] = numbersOf([given]);
  const field = phoneField(tool);
  if (phone === undefined || others.length > 0 || field === undefined || menuServices[tool.id] === undefined) return;
  const actor = await slack.roles.timelyActor(origin);
  if (!actor) return;
  const read = await slack.gate.perform('numbers_get', { PhoneNumber: phone }, actor).catch(() => undefined);
  if (read?.kind !== 'done' || hasService(tool, read.value)) return;
  const service = menuServices[tool.id] === 'data' ? 'data' : 'texts';
  return without(given, field, `${formatPhone(phone).national} has no ${service}. Choose another line.`);
}

/** The form that corrects an order: the reason of the carrier first, then what was sent before, without secrets. */
async function correctionForm(slack: SlackContext, tool: Tool, given: Fields, state: StateOf<'form'>, origin: Origin) {
  const { gate, roles } = slack;
  const { readOrder, correctOrder } = eventOperations;
  const orderId = textOf(given[correctOrder.field]);
  const sent: Fields = {};
  for (const { state: ended, shown } of await gate.actions.about(orderId, 200))
    if (ended === 'done' || ended === 'partly')
      for (const name of Object.keys(tool.input.shape)) if (!(name in sent) && name in shown) sent[name] = shown[name];
  const member = await roles.membership(origin);
  const failed = logged(slack, 'info', 'an order could not be read before its correction', { order: orderId });
  const read =
    'refused' in member
      ? undefined
      : await gate.perform(readOrder.operation, { [readOrder.field]: orderId }, member.actor).catch(failed);
  const order = read?.kind === 'done' ? read.value : {};
  const { status, message } = readOrderIn(order);
  const refused = isRejected(status) ? message : undefined;
  const reason = carrierReason(refused ?? '');
  const fields = (reason?.fields ?? []).filter((name) => name in tool.input.shape);
  const hasLead = fields.length > 0;
  const kept = ui.small('As it was sent before. What is empty here stays as it is.');
  const unchanged = ui.say('Submit the order again once that is done. No detail has to change.');
  const heading = fields.length > 1 ? 'One of these is wrong' : 'Refused by the carrier';
  return drawForm(slack, {
    tool,
    values: { ...sent, ...given },
    state: { ...state, carried: { [correctOrder.field]: orderId } },
    frame: {
      title: tool.title,
      above: [
        ...(refused === undefined ? [] : draw({ title: '', parts: answerParts(true, refused) }).blocks),
        ...(reason && !hasLead ? [unchanged] : []),
        ...draw(orderCard({ orderId, status: '', message: '' })).blocks,
        ...(hasLead ? [] : [kept]),
      ],
      ...(hasLead && {
        lead: { fields, heading, rest: [ui.divider, ui.say(ui.bold('The other details')), kept] },
      }),
      secretHint: 'Not shown again. Left empty, the one that was sent before stays.',
    },
  });
}

/**
 * The state of a form that starts from a record. The fields that name the record have no input. A given value replaces
 * the record's in the form. A record that is too long for a view is not kept: the form then sends all that it shows, and a
 * card follows.
 */
function withStart<S extends FormState>(state: S, tool: Tool, start: Fields, given: Fields): S {
  const keys = tool.current?.keys ?? [];
  const filledIn = Object.keys(given).filter((name) => !keys.includes(name) && !isSame(given[name], start[name]));
  const carried = { ...state.carried, ...Object.fromEntries(keys.map((key) => [key, given[key]])) };
  const whole = { ...state, carried, filledIn, start };
  return fitsView(whole) ? whole : { ...whole, start: undefined };
}

/** Handles a submitted form: shows errors at their fields, otherwise closes the form and runs the operation. */
export async function submitForm(slack: SlackContext, view: ViewOf<'form'>, origin: Origin) {
  const { state, values } = view;
  const { start, filledIn = [], replaces } = state;
  const tool = findTool(slack, state.operation);
  if (!tool) return undefined;
  const fields = fieldsOf(tool);
  const named = await namedRecords(slack, tool, { ...state.carried, ...readForm(fields, values) }, origin);
  const changes = changesIn(tool, view, named.input);
  const input = changes?.input ?? named.input;
  // A form that started from the record has every value that will hold.
  const whole = start && tool.current?.whole?.(named.input);
  const [kept] = changes?.kept ?? [];
  const [first = ''] = Object.keys(values);
  const unchanged =
    kept !== undefined
      ? { field: kept, message: 'cannot be removed here: enter a value' }
      : changes?.isEmpty && { field: pathOf(first), message: 'nothing differs from what is set now' };
  const known = listOf(named.problem ?? (unchanged || undefined) ?? whole);
  const errors = errorsAt(fields, problemsIn(slack, view, tool, input, known), values);
  if (Object.keys(errors).length > 0) return errorsIn(view, errors);
  const refused = await slack.roles.timelyRefusal(origin, neededRole(tool));
  // What was typed stays. Without an input, the answer to the command says it.
  if (refused && first !== '') return errorsIn(view, { [pathOf(first)]: ui.refusalText(refused) });
  const stale = start && (await staleView(slack, tool, { ...state, start }, named.input, origin));
  if (stale) return updated(stale);
  const reply = new Reply(slack, origin, { replaces: replaces !== undefined });
  const seen = start && Object.fromEntries(Object.entries(start).filter(([name]) => !filledIn.includes(name)));
  const job = { tool, input, origin, reply, ...defined({ reason: reasonIn(values), replaces }) };
  return { ack: undefined, after: async () => void (await run(slack, job, seen)) };
}

/**
 * The form again, if the record changed after it was opened: with the present values beside what was typed. Undefined if
 * it did not change, or cannot be read now; the gate compares again before anything is sent.
 */
async function staleView(
  slack: SlackContext,
  tool: Tool,
  state: StateOf<'form'> & { start: Fields },
  entered: Fields,
  origin: Origin,
): Promise<Fields | undefined> {
  const { start } = state;
  const named = { ...state.carried, ...entered };
  const now = await slack.web.inTime(startFor(slack, tool, named, origin));
  if (now === undefined || now === 'missing') return undefined;
  const changed = changeNotes(slack, tool, { start, now });
  if (changed.length === 0) return undefined;
  const typed = Object.entries(entered).filter(([name, value]) => !isSame(value, start[name]));
  return drawForm(slack, {
    tool,
    values: { ...now, ...Object.fromEntries(typed) },
    state: { ...withStart(state, tool, now, named), filledIn: state.filledIn },
    problem: [
      'Changed since you opened this form. Nothing was sent.',
      ...changed,
      'What you typed is kept. Check it and send it again.',
    ].join('\n'),
    frame: { mark: createHash('sha256').update(JSON.stringify(now)).digest('hex').slice(0, 8) },
  });
}

/**
 * Redraws an open form after a choice that makes fields needless or needed, after the choice of the record whose values
 * it then shows, and when a short form shows its further fields. Slack keeps the entered text,
 * because the names of the inputs stay. The values of a field that disappears return with it, except secrets.
 */
export async function changeForm(slack: SlackContext, view: ViewOf<'form' | 'guide'>, press: Click): Promise<void> {
  const { actionId, origin } = press;
  const { state } = view;
  const tool = findTool(slack, state.operation);
  if (!tool) return;
  const fields = fieldsOf(tool);
  const entered = withoutSecrets(fields, readForm(fields, view.values));
  const { openViews } = slack.memory;
  // Fields that the form shows and that are empty now override earlier values.
  const names = Object.keys(view.values).map((block) => pathOf(block).split('.')[0] ?? '');
  const cleared = Object.fromEntries(names.filter((name) => !(name in entered)).map((name) => [name, undefined]));
  const values = { ...openViews.remember(view.id, entered), ...cleared };
  let start: Fields | undefined;
  if (actionId === IDS.pick) {
    // The values of the record that was chosen.
    const member = await slack.roles.membership(origin);
    const read = 'refused' in member ? undefined : await readStart(slack, tool, entered, member.actor);
    if (read === undefined || read === 'missing') return;
    start = read;
  }
  const shown = start ? withStart(state, tool, start, entered) : state;
  const marks = Object.keys(view.values).flatMap((block) => block.split('~')[1] ?? []);
  const firstInput = view.blocks.findIndex(({ type }) => type === 'input');
  const next = drawForm(slack, {
    tool,
    values: { ...start, ...defined(values) },
    state: shown,
    frame: {
      ...textsOf(shown),
      // The introduction, or a message that the form answers.
      drawn: start ? undefined : view.blocks.slice(0, Math.max(0, firstInput)),
      ...defined({ mark: start ? RECORD_MARK : marks[0] }),
    },
  });
  await openViews.update(view.id, openViews.nextTurn(view.id), () => showView(slack, view.id, next));
}

/** Slack keeps the empty fields of the form before, so the fields with the values of a record get other names. */
const RECORD_MARK = 'record';

/** The title and the button that a guide names for its form. */
function textsOf(state: FormState): Pick<Frame, 'title' | 'submit'> {
  const guide = state.flow === 'guide' ? guides.find(({ name }) => name === state.guide) : undefined;
  const form = guide?.steps.find(({ name }) => 'step' in state && name === state.step)?.form;
  return guide && form ? { title: guide.title, submit: form.submit ?? 'Ask for approval' } : {};
}

/** Offers options while a person types: the records that a search finds. */
export async function suggest(
  slack: SlackContext,
  { state }: SentView,
  { blockId, typed, origin }: { blockId: string; typed: string; origin: Origin },
): Promise<Fields[]> {
  const tool = state && 'operation' in state ? findTool(slack, state.operation) : undefined;
  const { field } = inputsOf(tool ? fieldsOf(tool) : []).find(({ path }) => path === pathOf(blockId)) ?? {};
  if (!field) return [];
  const actor = await slack.roles.timelyActor(origin);
  // Without a role, a person sees only a number or id that they typed. The refusal follows when they submit.
  if (!actor) return slack.directory.offerTyped(field, typed);
  const search = slack.records.search(field, typed.trim(), actor, { isTyping: true });
  const found = await inTime(slack, field.name, search);
  return slack.directory.offer(field, typed, found?.hits);
}
