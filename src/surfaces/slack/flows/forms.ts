import { createHash } from 'node:crypto';
import { shortForms } from '../../../../tools/surfaces/forms.ts';
import { changesOf } from '../../../catalogue/current.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { fieldProblems, parseInput, withDefaultAccount } from '../../../catalogue/input.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import { isGated, type Tool } from '../../../catalogue/operation.ts';
import { nounOf } from '../../../language/typed-values.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import { inQuotes } from '../../../lib/text.ts';
import { isSame } from '../../../platform/dialect/readings.ts';
import { cautionedView, reasonIn, shortAbove, submitLabel } from '../blocks/form.ts';
import { errorsAt, pathOf, readForm, withoutSecrets } from '../blocks/form-values.ts';
import { type Element, lines, notice, noticeView, OUT_OF_DATE, rich, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import type { SentView, StateOf, ViewAnswer, ViewOf } from '../flow-state.ts';
import type { Origin } from '../types.ts';
import { changeNotes, currentRead, readStart } from './current.ts';
import { drawForm, errorsIn, findTool, notAllowed, openView, problemsIn, Reply, showView, updated } from './engine.ts';
import { correctionOf } from './guide.ts';
import { openCorrection } from './guide-flow.ts';
import { namedRecords, withoutNames } from './references.ts';
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
  if (guide) return openCorrection(slack, guide, withoutSecrets(fieldsOf(tool), values), origin);
  const fields = fieldsOf(tool);
  const known = withDefaultAccount(tool, values, slack.config.PLATFORM_ACCOUNT_ID);
  const prefilled = withoutSecrets(fields, known);
  const isRead = currentRead(tool, prefilled) !== undefined;
  const reading = isRead ? startFor(slack, tool, prefilled, origin) : Promise.resolve(undefined);
  const start = await Promise.race([
    reading,
    ...(isRead ? [slack.web.sleep(READ_MS).then(() => 'late' as const)] : []),
  ]);
  const draw = (from: Fields | 'missing' | undefined) =>
    firstView(slack, tool, prefilled, { origin, start: from, isRead });
  const first = start === 'late' ? noticeView(tool.title, say('⏳ Reading what is set now…')) : draw(start);
  const id = await openView(slack, origin, first, { flow: tool.id });
  if (id === undefined) return false;
  if (origin.responseUrl) slack.memory.responseUrls.put(id, origin.responseUrl);
  return start !== 'late' || (await showView(slack, id, draw(await reading))) === 'shown';
}

/** The values of the record that an input names, read for this person. */
async function startFor(
  slack: SlackContext,
  tool: Tool,
  input: Fields,
  origin: Origin,
): Promise<Fields | 'missing' | undefined> {
  const member = await slack.roles.timelyMembership(origin);
  return member && !('refused' in member) ? readStart(slack, { tool, input, actor: member.actor }) : undefined;
}

/** The form of a record that the platform does not have: its field is empty, and says so. */
function withoutRecord(tool: Tool, given: Fields): { input: Fields; problem: string } | undefined {
  const key = fieldsOf(tool).find(({ name }) => tool.current?.keys.includes(name) && typeof given[name] === 'string');
  if (!key) return undefined;
  const { [key.name]: value, ...input } = given;
  return { input, problem: `No ${nounOf(key)} ${inQuotes(String(value))} was found. Choose one.` };
}

/** A form as it is opened: with the values that it starts from, the given ones over them. */
function firstView(
  slack: SlackContext,
  tool: Tool,
  values: Fields,
  read: { origin: FormOrigin; start: Fields | 'missing' | undefined; isRead: boolean },
): Element {
  const { origin, isRead } = read;
  const missing = read.start === 'missing' ? withoutRecord(tool, values) : undefined;
  const start = read.start === 'missing' ? undefined : read.start;
  const given = missing?.input ?? values;
  const { channel, reason, replaces } = origin;
  const state: StateOf<'form'> = {
    ...{ flow: 'form', operation: tool.id, channel: channel || undefined, reason, replaces },
    thread: origin.threadTs,
  };
  const short = origin.filled ? shortForms[tool.id] : undefined;
  // Only the fields that are left to fill in. The confirmation is requested in the thread of the button.
  if (short?.given.every((name) => given[name] !== undefined)) {
    const carried = Object.fromEntries(short.given.map((name) => [name, given[name]]));
    return drawForm(slack, {
      tool,
      values: given,
      state: { ...state, carried, short: 'short', thread: origin.threadTs ?? origin.postedTs },
      frame: {
        title: short.title,
        submit: submitLabel(tool),
        above: shortAbove(tool, carried, { quoted: origin.quoted }),
      },
    });
  }
  const unread =
    isRead && !start ? 'What is set now could not be read. Check each field before you send it.' : undefined;
  return drawForm(slack, {
    tool,
    values: { ...start, ...given },
    state: start ? { ...state, ...startState(tool, start, given) } : state,
    quoted: origin.quoted,
    warning: consequenceOf(slack, tool, given),
    problem: origin.problem ?? missing?.problem ?? unread,
  });
}

/**
 * The state of a form that starts from a record. The fields that name the record have no input. A given value replaces
 * the record's in the form.
 */
export function startState(tool: Tool, start: Fields, given: Fields) {
  const keys = tool.current?.keys ?? [];
  const filledIn = Object.keys(given).filter((name) => !keys.includes(name) && !isSame(given[name], start[name]));
  return { start, carried: Object.fromEntries(keys.map((key) => [key, given[key]])), filledIn };
}

/** The record's values that a form showed. */
function startShown({ start, filledIn = [] }: StateOf<'form'>): Fields | undefined {
  return start && Object.fromEntries(Object.entries(start).filter(([name]) => !filledIn.includes(name)));
}

/**
 * The consequence and cost of sending these values, as the card will state them; undefined while they are incomplete.
 */
function consequenceOf(slack: SlackContext, tool: Tool, values: Fields): string | undefined {
  const now = new Date(slack.clock.now());
  if (!isGated(tool) || !tool.consent || fieldProblems(tool, values, now).length > 0) return undefined;
  const { consequence, cost = '' } = tool.consent(parseInput(tool, values, now), {});
  const whole = consequence.includes(cost) ? consequence : `${consequence} Cost: ${cost}.`;
  // An id says nothing to people.
  const named = whole.replaceAll(ID, (id) => inQuotes(slack.directory.nameOf(id) ?? id));
  return named.match(ID) === null ? named : undefined;
}

const ID = /\b[A-Z]{2,7}-[0-9a-f]{8}-[0-9a-f-]{4,}/g;

/** Handles a submitted form: shows errors at their fields, otherwise closes the form and runs the operation. */
export async function submitForm(slack: SlackContext, view: ViewOf<'form'>, origin: Origin): Promise<ViewAnswer> {
  const { state } = view;
  const tool = findTool(slack, state.operation);
  if (!tool) return updated(OUT_OF_DATE);
  const fields = fieldsOf(tool);
  const entered = { ...state.carried, ...readForm(fields, view.values) };
  const named = await namedRecords(slack, tool, entered, origin);
  const changes = state.start && changesOf(tool, { start: state.start, entered: named.input, shown: namesIn(view) });
  const input = changes?.input ?? named.input;
  // A form that started from the record has every value that will hold.
  const whole = state.start && tool.current?.whole?.(named.input);
  const problem = named.problem ?? (changes && unchangedProblem(changes, view)) ?? whole;
  const errors = errorsAt(fields, problemsIn(slack, tool, input, problem), view.values);
  if (Object.keys(errors).length > 0) return errorsIn(view, errors);
  const refused = await slack.roles.timelyRefusal(origin, neededRole(tool).ask);
  if (refused) return notAllowed('Not sent', refused);
  const caution = cautionOf(slack, tool, input);
  if (caution !== undefined && caution !== state.caution)
    return updated(cautionedView(tool, withoutSecrets(fields, named.input), { ...state, caution }, slack.reworded));
  const stale =
    state.start && (await staleView(slack, tool, { state, start: state.start, entered: named.input }, origin));
  if (stale) return updated(stale);
  const responseUrl = slack.memory.responseUrls.take(view.id);
  const asked: Origin = { ...origin, ...defined({ channel: state.channel || undefined, threadTs: state.thread }) };
  const replying = { ...asked, ...defined({ responseUrl: responseUrl || undefined }) };
  const reply = new Reply(slack, replying, { replaces: state.replaces !== undefined });
  const job = {
    ...{ tool, input, origin: asked, reply },
    form: { start: startShown(state), caution },
    ...defined({ reason: reasonIn(view.values), replaces: state.replaces }),
  };
  return { ack: undefined, after: async () => void (await run(slack, job)) };
}

/**
 * The form again, if the record changed after it was opened: with the present values beside what was typed. Undefined if
 * it did not change, or cannot be read now; the gate compares again before anything is sent.
 */
async function staleView(
  slack: SlackContext,
  tool: Tool,
  form: { state: StateOf<'form'>; start: Fields; entered: Fields },
  origin: Origin,
): Promise<Element | undefined> {
  const { start, entered, state } = form;
  const now = await slack.web.inTime(startFor(slack, tool, { ...state.carried, ...entered }, origin));
  if (now === undefined || now === 'missing') return undefined;
  const changed = changeNotes(slack, tool, { start, now });
  if (changed.length === 0) return undefined;
  const typed = Object.entries(entered).filter(([name, value]) => !isSame(value, start[name]));
  const above = [
    say('⚠️ ', rich.bold('Changed since you opened this form. Nothing was sent.')),
    ...shortAbove(tool, state.carried ?? {}, { labelOf: (id) => slack.directory.nameOf(id) }),
    lines(changed.map((note) => [note])),
    say('What you typed is kept. Check it and send it again.'),
  ];
  return drawForm(slack, {
    tool,
    values: { ...now, ...Object.fromEntries(typed) },
    state: { ...state, ...startState(tool, now, { ...state.carried, ...entered }), filledIn: state.filledIn },
    frame: { title: tool.title, submit: submitLabel(tool), above, mark: markOfValues(now) },
  });
}

/** A mark for the inputs of a form that starts from these values. */
function markOfValues(values: Fields): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 8);
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

/** A caution to show before this valid input is saved. */
function cautionOf(slack: SlackContext, tool: Tool, input: Fields): string | undefined {
  if (tool.kind !== 'operation' || !tool.caution) return undefined;
  return tool.caution(parseInput(tool, input, new Date(slack.clock.now())));
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
  const named = await namedRecords(slack, tool, draft?.input ?? {}, origin);
  const opened = await openForm(slack, tool, withoutNames(tool, named.input), {
    ...origin,
    ...defined({ channel: channel || undefined, problem: draft?.problem ?? named.problem?.message }),
  });
  if (!opened) await reply.add(notice('⚠️', 'Slack did not open the form. Press the button again.'));
}
