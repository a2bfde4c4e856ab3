import { randomUUID } from 'node:crypto';
import { eventOperations } from '../../../../tools/surfaces/events.ts';
import type { Guide, GuideStep } from '../../../../tools/surfaces/guides/guide.ts';
import { guides } from '../../../../tools/surfaces/tasks.ts';
import { LABELS } from '../../../cards/card.ts';
import { decidersOf } from '../../../cards/outcome.ts';
import { questionTitle } from '../../../cards/question.ts';
import { fieldsOf, withDefaultAccount } from '../../../catalogue/input.ts';
import { neededRole, type Tool } from '../../../catalogue/operation.ts';
import { isUndecided, isWithdrawn } from '../../../gate/approval.ts';
import { type Performed, statusOf } from '../../../gate/confirmation.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import { formatPhone } from '../../../language/show.ts';
import { canonical } from '../../../ledger/action.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { type Actor, personOf } from '../../../lib/actor.ts';
import { defined, type Fields, inQuotes, isRecord, listOf, textOf, visible } from '../../../lib/values.ts';
import { withheldIn } from '../../../platform/dialect/redact.ts';
import type { Handler } from '../../../work/worker.ts';
import { askedBefore, ownQuestion } from '../blocks/card.ts';
import { errorsAt, hasSecrets, needlessFields, readForm, withoutSecrets, withRequired } from '../blocks/form.ts';
import * as ui from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { maxAgeFor } from '../people/roles.ts';
import { IDS, isOwnQuestion, type Origin, type ViewOf } from '../types.ts';
import {
  askerNotes,
  type Click,
  drawForm,
  errorsIn,
  failureOf,
  findTool,
  inTime,
  linkTo,
  openFor,
  problemsIn,
  Reply,
  showView,
  updated,
} from './engine.ts';
import { namedRecords, nameRecords } from './run.ts';

/*
 * Leads a person through the steps of a guide in one modal. What it needs to go on is stored with the action that it waits
 * for, so any process goes on.
 */

/** The kind of the job that continues a guide after a decision, in any process. */
export const GUIDE_GOES_ON = 'slack-guide';
/** The interval at which such a job looks at an action that another process decides. */
const LOOK_MS = 5_000;
/** Time after which another process goes on with a guide, if the one that began to has not. */
const TAKE_OVER_MS = 60_000;

/** The part of an action's notes that continues a guide. Stored in the ledger, as JSON. */
interface GuideNote {
  guide: string;
  step: string;
  known: Fields;
  view: string;
  turn: number;
  user: string;
  team: string;
  channel?: string;
  thread?: string;
  /** The guide went on. */
  isOver?: true;
  /** The action that it asked for next. */
  next?: string;
  /** Of the step: see `GuideRun`. */
  follows?: string | undefined;
}

/** The note of an action that a guide waits for; undefined for any other action. */
export function guideNote({ notes: { guide: note } }: Action): GuideNote | undefined {
  return isRecord(note) && isRecord(note.known) ? (note as Fields & GuideNote) : undefined;
}

/** Opens a guide at its first step with these values. `unclear`: what was typed and names no single record. */
export async function startGuide(slack: SlackContext, guide: Guide, known: Fields, origin: Origin, unclear = '') {
  const session: Session = { ...beforeFirst(slack, guide, origin), known };
  const step = nextStep(session);
  const isForm = step !== undefined && showsForm(step, known);
  const remark = unclear === '' ? [] : [ui.say(`“${ui.cut(unclear, 100)}” names no single record. Enter it here.`)];
  const first = isForm ? await stepForm({ ...session, step }, undefined, remark) : waitView(session);
  // A guide to a change is refused before its forms are filled in.
  const roles = guide.steps.flatMap(({ run }) => (run ? [neededRole(toolOf(slack, run.operation))] : []));
  const needed = roles.find((role) => role !== 'viewer') ?? 'viewer';
  const viewId = await openFor(slack, origin, needed, () => first);
  if (viewId === undefined || isForm) return;
  await goOn(shownIn(session, viewId));
}

/** Opens a guide where it was when it asked for this action. */
export async function resumeGuide(slack: SlackContext, guide: Guide, action: string, origin: Origin): Promise<void> {
  const session = beforeFirst(slack, guide, origin);
  const viewId = await openFor(slack, origin, 'viewer', () => waitView(session));
  if (viewId !== undefined) await showWhereItIs(shownIn(session, viewId), action);
}

/** Handles a submitted form of a guide. */
export async function submitGuide(slack: SlackContext, view: ViewOf<'guide'>, origin: Origin) {
  const { state } = view;
  const guide = guides.find(({ name }) => name === state.guide);
  const tool = findTool(slack, state.operation);
  const step = guide?.steps.find(({ name }) => name === state.step);
  if (!guide || !tool || !step) return undefined;
  const fields = fieldsOf(tool);
  const entered = { ...state.carried, ...readForm(fields, view.values) };
  const { input, problem } = await namedRecords(slack, tool, entered, origin);
  const known = { ...state.known, ...withoutSecrets(fields, input) };
  const needed = [
    ...withRequired(tool, fields, input).flatMap((one) => (one.required && one.kind !== 'group' ? [one.name] : [])),
    ...(step.form?.hints?.(known) ?? []).flatMap(({ field }) => field ?? []),
  ];
  const own = step.form?.problem?.(input, known, new Date(slack.clock.now()));
  const problems = problemsIn(slack, view, tool, input, [...listOf(problem), ...listOf(own)]);
  const errors = {
    ...Object.fromEntries(needed.flatMap((name) => (input[name] === undefined ? [[name, 'Fill this in.']] : []))),
    ...errorsAt(fields, problems),
  };
  if (Object.keys(errors).length > 0) return errorsIn(view, errors);
  const { action } = state;
  const session = { ...shownIn(beforeFirst(slack, guide, origin), view.id), known, step, ...defined({ action }) };
  return { ...updated(waitView(session)), after: () => performStep(session, input) };
}

/** Handles the button of a guide that looks again. Its value names the guide and an action. */
export async function pressGuide(slack: SlackContext, view: ViewOf<'guide'>, press: Click) {
  const [name, id = ''] = press.value.split('|');
  const guide = guides.find((candidate) => candidate.name === name);
  if (guide) await showWhereItIs(shownIn(beforeFirst(slack, guide, press.origin), view.id), id);
}

/** Handles the job that continues a guide after a restart. */
export function goOnLater(slack: SlackContext): Handler {
  return async ({ payload }) => {
    const isOver = await advanceGuide(slack, textOf(payload.action));
    return isOver ? undefined : slack.clock.now() + LOOK_MS;
  };
}

/** Shows the state of an action that a guide waits for, and goes on once it has ended. True if nothing is left to do. */
export async function advanceGuide(slack: SlackContext, id: string): Promise<boolean> {
  const action = await slack.gate.actions.get(id);
  const note = action && guideNote(action);
  const guide = guides.find(({ name }) => name === note?.guide);
  if (!action || !note || !guide || note.isOver) return true;
  if (statusOf(action.state) === 'pending') return false;
  const { user: userId, team: teamId, view: viewId, turn } = note;
  const before: Session = { ...beforeFirst(slack, guide, { userId, teamId }), viewId, turn, isAlone: true };
  const session = sessionOf(before, action, note);
  return !(await showOpen(action, session)) && goOnOnce(action, session, note);
}

/** The guide where it was when it asked for an action. */
function sessionOf(session: Session, { id: action }: Action, { known, channel, thread, ...note }: GuideNote): AtStep {
  const { guide } = session;
  const step = guide.steps.find(({ name }) => name === note.step);
  if (!step) throw new Error(`the guide ${guide.name} has no step ${note.step}`);
  return { ...session, known, step, action, origin: { ...session.origin, ...defined({ channel, threadTs: thread }) } };
}

/** Shows where a guide is that waited for an action, in a view that its person has open. */
async function showWhereItIs(before: Session, id: string): Promise<void> {
  const { origin, viewId, turn } = before;
  const { roles, gate } = before.slack;
  const membership = await roles.membership(origin);
  const action = await gate.actions.get(id);
  const note = action && guideNote(action);
  if ('refused' in membership || !action || !note || note.user !== origin.userId) {
    const why = 'refused' in membership ? membership.refused : [ui.text('This request is no longer known.')];
    return void (await showAt(before, APPROVAL, ui.say('⛔ ', ...why)));
  }
  if (note.next !== undefined) return showWhereItIs(before, note.next);
  await gate.notes.merge(id, 'guide', { view: viewId, turn });
  if (action.state === 'unknown') await gate.follow(id, membership.actor);
  const now = (await gate.actions.get(id)) ?? action;
  const session = sessionOf(before, now, note);
  await learnNames(session, membership.actor);
  if (now.state === 'pending') await showPending(now, session);
  else if (!(await showOpen(now, session))) await goOnOnce(now, session, note);
}

/** Goes on after a decision. False if another process does. */
async function goOnOnce(action: Action, session: AtStep, note: GuideNote): Promise<boolean> {
  const { gate, roles, clock } = session.slack;
  if (!note.isOver && !(await gate.notes.claim(action.id, 'guideTaken', clock.now() - TAKE_OVER_MS))) return false;
  const membership = await roles.membership(session.origin);
  if (!('refused' in membership)) await learnNames(session, membership.actor);
  await settle(action, session);
  await gate.notes.merge(action.id, 'guide', { isOver: true });
  return true;
}

/** Goes on after an action that has ended: with its answer, or with the form again. */
async function settle(action: Action, session: AtStep): Promise<void> {
  const { slack } = session;
  if (['done', 'partly'].includes(statusOf(action.state))) return goOnWith(session, action.result ?? {}, action);
  const tool = slack.gate.tool(action.operation);
  const { headline, effect, detail } = outcomeOf(action, tool);
  const isDeclined = action.state === 'declined' && !isUndecided(action) && !isWithdrawn(action);
  const by = isDeclined ? ui.elementsOf(decidersOf(action)) : [];
  const { decidedReason: reason = '' } = action;
  const why = action.state === 'failed' ? slack.reworded(detail) : reason;
  const below = [...(by.length > 0 ? [ui.say('Declined by ', ...by)] : []), ...(why === '' ? [] : [ui.quote(why)])];
  await showNotDone(session, `${headline}: ${named(slack, questionTitle(tool, action))}. ${effect}`, below, true);
}

/** Goes on after the step: to the next form, operation, or the end. */
async function goOn(session: Session): Promise<void> {
  const step = nextStep(session);
  if (!step) return showEnd(session);
  const next = { ...session, step };
  return showsForm(step, session.known) ? showForm(next) : performStep(next, {});
}

const ASKED_BY_OTHER = 'Another guide has asked for the same. Send this form again once that has ended.';

/** Runs the operation of the step. `entered`: the values of its form, with secrets. */
async function performStep(session: AtStep, entered: Fields): Promise<void> {
  const { slack, step, origin, known } = session;
  if (!step.run || step.when?.(known) === false) return goOn(session);
  const tool = toolOf(slack, step.run.operation);
  const member = await slack.roles.admit(origin, neededRole(tool), maxAgeFor(tool));
  if ('refused' in member) return showNotDone(session, ui.refusalText(member.refused));
  if (!step.form || session.isAlone) await update(session, waitView(session));
  let done: Performed;
  try {
    const all = { ...known, ...entered };
    const input = step.run.input?.(all) ?? only(all, (name) => name in tool.input.shape);
    const notes = { ...askerNotes(origin), guide: noteOf(session) };
    done = await slack.gate.perform(tool.id, input, member.actor, tool.risk === 'read' ? {} : { notes });
  } catch (error) {
    const { face, words } = failureOf(slack, error, tool.id);
    return face.outcome === 'unknown' ? stopAt(session, words) : showNotDone(session, words);
  }
  const action = done.kind === 'pending' ? done.action : await slack.gate.actions.get(done.actionId ?? '');
  const note = action && guideNote(action);
  const isOwn = note?.user === origin.userId && canonical(note.known) === canonical(known);
  if (note && !isOwn) {
    const asked = askedBefore(action, action.person !== personOf(member.actor));
    const link = await linkTo(slack, await slack.cards.ensure(action.id));
    return showNotDone(session, ASKED_BY_OTHER, [ui.say(...asked, ...(link ? [' ', link] : []))]);
  }
  if (done.kind === 'pending') return waitFor(done.action, session);
  return goOnWith(session, done.value, action);
}

/** Goes on with the answer of the step's operation. `action`: the one that it came from. */
async function goOnWith(session: AtStep, answer: Fields, action: Action | undefined): Promise<void> {
  const { slack, known, step } = session;
  const stopped = step.run?.stops?.(answer, known);
  if (stopped && action) return stopAt(session, stopped.problem);
  if (stopped) return showNotDone(session, stopped.problem, stopped.quoted ? [ui.quote(stopped.quoted)] : []);
  const next = {
    ...known,
    ...defined({ ...step.run?.keeps?.(answer, known) }),
    ...(action && {
      done: [...doneSoFar(session), named(slack, questionTitle(slack.gate.tool(action.operation), action))],
    }),
    ...(action && withheldIn(answer).length > 0 && { code: action.id }),
  };
  return goOn({ ...session, known: next });
}

/** Shows the form of the step again, or of the one before it, with the reason why it was not done. */
async function showNotDone(session: AtStep, problem: string, below: ui.Block[] = [], isLater = false): Promise<void> {
  const { slack, guide, step, known } = session;
  const before = guide.steps.slice(0, guide.steps.indexOf(step) + 1);
  const back = before.findLast(({ form, when }) => form && when?.(known) !== false);
  if (!back?.form) return stopAt(session, problem);
  const done = doneSoFar(session);
  const isLost = isLater && hasSecrets(fieldsOf(toolOf(slack, back.form.of)));
  const above = [
    ui.say('❌ ', ui.bold(ui.cut(problem, 1500))),
    ...below,
    ...doneLines(session),
    ...(done.length > 0
      ? [ui.say('What was done stays. Send the form to go on from here, or close it to leave.')]
      : []),
    ...(isLost ? [ui.say('Secrets are not kept. Enter them again.')] : []),
  ];
  await showForm({ ...session, step: back }, { text: problem, above, below });
}

/** @param problem why a step was not done: in words, and in blocks for its form and for a message */
async function showForm(session: AtStep, problem?: Record<'above' | 'below', ui.Block[]> & { text: string }) {
  const { slack, guide, origin, step } = session;
  const member = await slack.roles.membership(origin);
  const view = await stepForm(session, 'refused' in member ? undefined : member.actor, problem?.above);
  if (await update(session, view)) return;
  const words = problem?.text ?? `The next step needs you: ${step.title.toLowerCase()}.`;
  await tellPerson(session, [ui.say('👉 ', ui.bold(`${guide.title}: `), words), ...(problem?.below ?? [])], words);
}

/** Says where the guide ended, without a form that would send the same again. */
async function stopAt(session: AtStep, problem: string): Promise<void> {
  const blocks = [ui.say('❓ ', ui.text(problem)), ...doneLines(session)];
  if (!(await showAt(session, APPROVAL, ...blocks))) await tellPerson(session, blocks, problem);
}

async function showEnd(session: Session): Promise<void> {
  const { slack, guide, known } = session;
  const { end } = guide;
  const code = textOf(known.code);
  const headline = named(slack, end.headline(known));
  const isShown = code !== '' && end.hasCode(known);
  const next =
    end.hasCode(known) && !isShown
      ? 'The platform shows no activation code for this eSIM yet. Look the number up later: its card shows the code.'
      : end.next(known);
  const { operation, field } = eventOperations.readOrder;
  const order = end.places === undefined ? undefined : known.OrderId;
  const buttons = [
    ...(isShown ? [ui.button(IDS.qr, LABELS.qr, `${code}|0`, { style: 'primary' })] : []),
    ...(order === undefined
      ? []
      : ui.operationButton(`${IDS.run}_0`, 'Look up the order', operation, { [field]: order })),
  ];
  const blocks = [ui.say(ui.bold(headline)), ...doneLines(session), ui.say(next), ...ui.buttonRow('guide', ...buttons)];
  if (!(await showAt(session, end.title, ...blocks))) await tellPerson(session, blocks, headline, true);
}

/** Sends the person a message if the form was closed. */
async function tellPerson(session: Session, blocks: ui.Block[], text: string, isEnd = false): Promise<void> {
  const { slack, guide, origin, action } = session;
  if (!session.isAlone) return void (await new Reply(slack, origin).add(ui.notice('⚠️', text)));
  const pressed = ui.button(`${IDS.guide}_0`, 'Continue', `${guide.name}|${action}`, { style: 'primary' });
  const more = isEnd || action === undefined ? [] : ui.buttonRow('guide', pressed);
  await slack.web.direct(origin.userId, ui.messageOf(`${guide.title}: ${text}`, [...blocks, ...more]));
}

/** The note for an action that the step asks for. */
function noteOf({ slack, guide, known, step, viewId: view, turn, origin }: AtStep): GuideNote {
  const nameOf = (id: string) => inQuotes(visible(named(slack, id)));
  const { userId: user, teamId: team, channel, threadTs: thread } = origin;
  return {
    ...{ guide: guide.name, step: step.name, known, view, turn, user, team },
    ...defined({ channel: channel || undefined, thread, follows: step.run?.follows?.(known, nameOf) }),
  };
}

/** Continues the session once the action is decided, and shows that it waits. */
async function waitFor(action: Action, session: AtStep): Promise<void> {
  const { gate, jobs, clock } = session.slack;
  // The same call may have been waiting before.
  await gate.notes.merge(action.id, 'guide', { ...noteOf(session), isOver: undefined, next: undefined });
  const runAt = clock.now() + LOOK_MS;
  await jobs.add({ kind: GUIDE_GOES_ON, key: `guide ${action.id}`, payload: { action: action.id }, runAt });
  const { action: before } = session;
  if (before !== undefined && before !== action.id)
    await gate.notes.merge(before, 'guide', { isOver: true, next: action.id });
  await showPending(action, session);
}

/** Shows that an action waits: its question to the person who may answer it, otherwise who is asked. */
async function showPending(action: Action, session: AtStep): Promise<void> {
  const { cards, web, gate } = session.slack;
  const done = doneLines(session);
  if (isOwnQuestion(action)) {
    const question = ownQuestion(session.slack, action, { isStep: true });
    if (!(await showAt(session, APPROVAL, ...done, ...question.blocks)))
      await cards.posted(action.id, await web.direct(session.origin.userId, question));
    return;
  }
  const link = await linkTo(session.slack, await cards.ensure(action.id));
  // It may have been decided while its card was being posted; then the change has drawn the view.
  if ((await gate.actions.get(action.id))?.state !== 'pending') return;
  await showAt(
    session,
    APPROVAL,
    ...done,
    ui.say(
      '🔐 ',
      ui.bold(named(session.slack, questionTitle(gate.tool(action.operation), action))),
      ' waits for an approver. It has not been sent.',
    ),
    ui.say(
      'The guide goes on by itself after the decision, even if you close this form. ',
      link ?? 'Approvers find it in the app’s Home.',
    ),
    ...lookButton(session, action.id, LABELS.orderLook),
  );
}

/** Shows an action that runs or whose outcome is unknown. False for other states. */
async function showOpen(action: Action, session: AtStep): Promise<boolean> {
  const status = statusOf(action.state);
  if (status !== 'running' && status !== 'unknown') return false;
  const { mark, detail } = outcomeOf(action, session.slack.gate.tool(action.operation));
  const deciders = ui.elementsOf(decidersOf(action));
  const by = deciders.length > 0 ? deciders : ['a person'];
  const blocks =
    status === 'running'
      ? [ui.say(`${mark} Confirmed by `, ...by, ' and running.')]
      : [
          ui.say(`${mark} `, ui.bold('It may have been done.'), ' ', ui.text(session.slack.reworded(detail))),
          ui.say('The guide goes on by itself once this is known. Do not start it again before.'),
          ...lookButton(session, action.id, LABELS.check),
        ];
  await showAt(session, APPROVAL, ...blocks);
  return true;
}

function lookButton({ guide }: Session, id: string, label: string): ui.Block[] {
  return ui.buttonRow('guide', ui.button(IDS.orderLook, label, `${guide.name}|${id}`));
}

/** The step after this one with what is known. */
function nextStep({ guide, known, step }: Session): GuideStep | undefined {
  const from = step === undefined ? 0 : guide.steps.indexOf(step) + 1;
  return guide.steps.slice(from).find(({ when }) => when?.(known) !== false);
}

function showsForm({ form }: GuideStep, known: Fields): boolean {
  return form !== undefined && (form.unless === undefined || known[form.unless] === undefined);
}

/** A guide before its first step, in no view yet. */
function beforeFirst(slack: SlackContext, guide: Guide, origin: Origin): Session {
  return { slack, guide, known: {}, step: undefined, viewId: '', turn: 0, origin };
}

/** The session after a step of its person in this view. Updates that belong to an earlier step are skipped. */
function shownIn(session: Session, viewId: string): Session {
  return { ...session, viewId, turn: session.slack.memory.openViews.nextTurn(viewId) };
}

/* The views of a guide: the form of a step, and what stands in its place while the guide waits. */

/** A guide that a person goes through. */
interface Session {
  slack: SlackContext;
  guide: Guide;
  /** The step that it is at; undefined before the first one. */
  step: GuideStep | undefined;
  /**
   * The values known so far, without secrets. In lower case: `done`, the titles of what was done, and `code`, the action
   * whose answer has the activation code of an eSIM.
   */
  known: Fields;
  viewId: string;
  /** Counts the person's own steps in the view. */
  turn: number;
  /** Where it was started. */
  origin: Origin;
  /** The action whose end led to this view. */
  action?: string;
  /** It goes on by itself after a decision, so that its person may not look at it. */
  isAlone?: true;
}

type AtStep = Session & { step: GuideStep };

/** The title of the step at which a guide waits for a decision. */
const APPROVAL = 'Approval';

/** All steps in one line: done, current, ahead. `at`: the title of the current one. */
function stageLine(session: Session, at: string): ui.Block {
  const { steps, end } = session.guide;
  const forms = steps.filter(({ form, when }) => form && (when?.(session.known) ?? true)).map(({ title }) => title);
  const stages = [...new Set([...forms, APPROVAL, end.title])];
  // It waits for a decision at the form that asked, if further forms follow.
  const asked = stages.indexOf(session.step?.title ?? '');
  const now = at === APPROVAL && asked >= 0 && asked < stages.length - 3 ? asked : stages.indexOf(at);
  // A summary is shown when everything is done.
  const done = now === stages.length - 1 ? stages.length : now;
  return ui.say(
    ...stages.flatMap((stage, i) => {
      const step = `${i + 1} ${stage}`;
      const shown = i < done ? `✅ ${step}` : i === now ? ui.bold(`🔵 ${step}`) : `⚪ ${step}`;
      return i === 0 ? [shown] : ['  ›  ', shown];
    }),
  );
}

/** The form of the step with what is known. `actor`: with one, the only record of a list is filled in. */
async function stepForm(session: AtStep, actor?: Actor, above?: readonly ui.Block[]): Promise<Fields> {
  const { slack, guide, step, known } = session;
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
      ...{ ...stateOf(session), operation: tool.id, step: step.name, carried },
      known: only(known, (name) => !own(name)),
      needs: (form.hints?.(known) ?? []).flatMap(({ field }) => field ?? []),
    },
    frame: {
      title: guide.title,
      submit: actor && above && step.run ? 'Ask again' : (form.submit ?? 'Ask for approval'),
      above: [
        stageLine(session, step.title),
        ...(above ?? []),
        ...(found && facts.length > 0 ? [ui.say(`✅ ${found.text} `, ui.bold(facts.join(' · ')))] : []),
        ui.say(form.text),
        ...(form.hints?.(known) ?? []).map(({ text }) => ui.say(text)),
        ...(found === undefined ? [] : [ui.divider]),
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
    const search = slack.records.search(field, '', actor, { isTyping: true });
    const hits = await inTime(slack, field.name, search);
    const [one, ...others] = hits?.hits ?? [];
    if (!one || others.length > 0 || !hits?.isWhole) return [];
    slack.directory.note([one]);
    return [[field.name, one.value] as const];
  });
  return Object.fromEntries((await Promise.all(found)).flat());
}

/** An operation, or a form of a guide's own. Throws if there is none with this id. */
function toolOf(slack: SlackContext, of: Tool | string): Tool {
  const tool = typeof of === 'string' ? findTool(slack, of) : of;
  if (!tool) throw new Error(`there is no operation ${of}`);
  return tool;
}

/** Looks up the names of the records that a guide knows, because a restart forgets them. */
async function learnNames({ slack, guide, known }: Session, actor: Actor): Promise<void> {
  const fields = guide.steps.flatMap(({ form }) => (form ? fieldsOf(toolOf(slack, form.of)) : []));
  await nameRecords(slack, fields, known, actor);
}

/** A text with names in place of ids, and with numbers as people read them. */
export function named(slack: SlackContext, text: string): string {
  return text
    .replace(/\b[A-Z]{2,7}-[\w.-]{8,}/g, (id) => slack.directory.nameOf(id)?.split(' · ')[0] ?? id)
    .replace(/\+\d{7,15}/g, (phone) => formatPhone(phone).national);
}

function stateOf({ guide, origin, action }: Session) {
  return {
    flow: 'guide',
    guide: guide.name,
    channel: origin.channel || undefined,
    thread: origin.threadTs,
    action,
  } as const;
}

/** A view without inputs. Only forms keep the known values; otherwise the action that waits has them. */
function viewAt(session: Session, at: string, ...blocks: readonly ui.Block[]): Fields {
  const { title } = session.guide;
  return ui.flowView(stateOf(session), { title }, [stageLine(session, at), ...blocks]);
}

function waitView(session: Session): Fields {
  return viewAt(session, session.step?.title ?? session.guide.end.title, ui.say('⏳ Working on it…'));
}

/** Shows a view without inputs. False if it is not shown, for example because it was closed. */
function showAt(session: Session, at: string, ...blocks: readonly ui.Block[]): Promise<boolean> {
  return update(session, viewAt(session, at, ...blocks));
}

/** Updates the view, after earlier updates. False if it is not shown, for example because it was closed. */
async function update({ slack, viewId, turn }: Session, view: Fields): Promise<boolean> {
  return (await slack.memory.openViews.update(viewId, turn, () => showView(slack, viewId, view))) !== false;
}

/** The titles of what the guide has done. */
function doneSoFar({ known: { done } }: Session): string[] {
  return Array.isArray(done) ? done.map(textOf) : [];
}

/** A line for each step that was done. */
function doneLines(session: Session): ui.Block[] {
  const done = doneSoFar(session);
  return done.length === 0 ? [] : [ui.lines(done.map((text) => [`✅ ${text}`]))];
}

function only(values: Fields, keeps: (name: string) => boolean): Fields {
  return Object.fromEntries(Object.entries(values).filter(([name]) => keeps(name)));
}
