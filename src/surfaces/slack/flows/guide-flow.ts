import { type Guide, LINE, orderEnd } from '../../../../tools/surfaces/guides/guide.ts';
import { guides } from '../../../../tools/surfaces/tasks.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { isUndecided } from '../../../gate/approval.ts';
import { statusOf } from '../../../gate/gate.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Role } from '../../../lib/actor.ts';
import { defined, type Fields, textOf } from '../../../lib/json.ts';
import { listOf } from '../../../lib/lists.ts';
import type { Handler } from '../../../work/worker.ts';
import { withRequired } from '../blocks/form-shape.ts';
import { errorsAt, readForm, withoutSecrets } from '../blocks/form-values.ts';
import { APPROVAL, guideView, problemBlocks, unchangedProblems } from '../blocks/guide.ts';
import { deciderElement } from '../blocks/render.ts';
import { notice, OUT_OF_DATE, refusalMessage, refusalText, rich, say } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import type { Press, ViewAnswer, ViewOf, ViewStep } from '../flow-state.ts';
import { IDS } from '../ids.ts';
import { askerNotes, type Origin } from '../types.ts';
import { yesByForm } from './current.ts';
import { errorsIn, failureOf, findTool, openFor, openView, problemsIn, Reply, updated } from './engine.ts';
import { correctOrder, followOrder, isOver, openOrder } from './guide-orders.ts';
import {
  busyView,
  type GuideNote,
  type GuideSession,
  goOn,
  goOnWith,
  guideNote,
  guideNoteOf,
  LOOK_MS,
  nextStep,
  performStep,
  showNotDone,
  showOpen,
  showPending,
  skipStep,
  viewAfterForm,
  waitFor,
} from './guide-steps.ts';
import {
  correctForm,
  guideState,
  guideTool,
  learnNames,
  named,
  showGuide,
  stepForm,
  tellGuide,
} from './guide-views.ts';
import { namedRecords } from './references.ts';

const LOOKING_UP = say('⏳ Looking up the order…');
/** Time after which another process goes on with a guide, if the one that began to has not. */
const TAKE_OVER_MS = 60_000;

/** Opens a guide at its first step with these values, or at the order that they name. */
export async function startGuide(slack: SlackContext, guide: Guide, known: Fields, origin: Origin): Promise<void> {
  const state = guideState(guide, { channel: origin.channel, thread: origin.threadTs });
  const run: GuideSession = { slack, guide, known, step: undefined, place: { viewId: '', turn: 0, origin, state } };
  const end = orderEnd(guide);
  const orderId = end ? textOf(known[end.key]) : '';
  const step = nextStep(run);
  const isForm = orderId === '' && step?.form !== undefined && step.form.skip?.(known) !== true;
  let first = orderId === '' ? busyView(run, step) : guideView(guide, { at: guide.end.title }, state, LOOKING_UP);
  if (isForm) {
    const open = await openOrder(slack, guide, textOf(known[LINE]));
    first = await stepForm(slack, guide, step, { known, state, actor: undefined }, ...open);
  }
  // Viewers may follow an order. A guide to a change is refused before its forms are filled in.
  const needed = orderId === '' ? roleOf(slack, guide) : 'viewer';
  const viewId = await openFor(slack, origin, needed, () => first, { flow: guide.name });
  if (viewId === undefined || isForm) return;
  const place = { ...run.place, viewId, turn: slack.memory.openViews.nextTurn(viewId) };
  await (orderId === '' ? goOn({ ...run, place }) : followOrder(slack, guide, orderId, place));
}

/** The role that a step of the guide needs. */
function roleOf(slack: SlackContext, { steps }: Guide): Role {
  const roles = steps.flatMap(({ run }) => (run ? [neededRole(guideTool(slack, run.operation)).ask] : []));
  return roles.find((role) => role !== 'viewer') ?? 'viewer';
}

/** Opens a guide where it was when it asked for this action. */
export async function resumeGuide(slack: SlackContext, guide: Guide, action: string, origin: Origin): Promise<void> {
  const state = guideState(guide, { channel: origin.channel, thread: origin.threadTs });
  const first = guideView(guide, { at: guide.end.title }, state, say('⏳ Looking up where you were…'));
  const viewId = await openFor(slack, origin, 'viewer', () => first, { flow: guide.name });
  if (viewId !== undefined)
    await showWhereItIs(slack, guide, action, { viewId, turn: slack.memory.openViews.nextTurn(viewId), origin, state });
}

/**
 * Opens the form that corrects an order, at the details that the carrier refused. `input` names the order, and may have
 * details that were entered before. False if Slack did not open it.
 */
export async function openCorrection(
  slack: SlackContext,
  guide: Guide,
  input: Fields,
  origin: Origin,
): Promise<boolean> {
  const end = orderEnd(guide);
  if (!end) return false;
  const tool = guideTool(slack, end.correct.operation);
  const refused = await slack.roles.timelyRefusal(origin, neededRole(tool).ask);
  if (refused) return new Reply(slack, origin).add(refusalMessage(refused)).then(() => true);
  const state = guideState(guide, { channel: origin.channel, thread: origin.threadTs });
  const first = guideView(guide, { at: end.title, title: tool.title }, state, LOOKING_UP);
  const viewId = await openView(slack, origin, first, { flow: guide.name });
  if (viewId === undefined) return false;
  await correctOrder(slack, guide, input, { viewId, turn: slack.memory.openViews.nextTurn(viewId), origin, state });
  return true;
}

/** Handles a submitted form of a guide. */
export async function submitGuide(slack: SlackContext, view: ViewOf<'guide'>, origin: Origin): Promise<ViewAnswer> {
  const { state } = view;
  const guide = guides.find(({ name }) => name === state.guide);
  const tool = findTool(slack, state.operation);
  const step = guide?.steps.find(({ name }) => name === state.step);
  const isCorrection = guide !== undefined && orderEnd(guide)?.correct.operation === tool?.id;
  if (!guide || !tool || !(step || isCorrection)) return updated(OUT_OF_DATE);
  const fields = fieldsOf(tool);
  const entered = { ...state.carried, ...readForm(fields, view.values) };
  const { input, problem } = await namedRecords(slack, tool, entered, origin);
  const known = { ...state.known, ...withoutSecrets(fields, input) };
  const errors = {
    ...missingFields(tool, input, step?.form?.hints?.(known) ?? []),
    ...unchangedProblems(tool, input, state),
    ...errorsAt(fields, [
      ...problemsIn(slack, tool, input, problem),
      ...listOf(step?.form?.problem?.(input, known, new Date(slack.clock.now()))),
    ]),
  };
  if (Object.keys(errors).length > 0) return errorsIn(view, errors);
  const place: ViewStep = { ...placeOf(slack, view, origin), turn: 0 };
  const run: GuideSession = { slack, guide, known, step, place };
  return {
    ...updated(step ? viewAfterForm({ ...run, step }) : busyView(run)),
    after: () => {
      const now = { ...run, place: { ...place, turn: slack.memory.openViews.nextTurn(view.id) } };
      return step ? performStep({ ...now, step }, input) : changeOrder(now, tool, input);
    },
  };
}

/** Handles a button of a guide. */
export async function pressGuide(
  slack: SlackContext,
  view: ViewOf<'guide'>,
  { actionId, value, origin }: Press,
): Promise<void> {
  const [name = '', id = ''] = value.split('|');
  const guide = guides.find((candidate) => candidate.name === name);
  if (!guide) return undefined;
  const end = orderEnd(guide);
  const place = placeOf(slack, view, origin);
  const run: GuideSession = { slack, guide, known: view.state.known ?? {}, step: undefined, place };
  if (actionId === IDS.guideSkip) {
    const step = guide.steps.find((candidate) => candidate.name === id);
    return step && skipStep({ ...run, step });
  }
  if (id.startsWith('act_')) return showWhereItIs(slack, guide, id, place);
  if (!end) return undefined;
  if (actionId === IDS.orderFix) return correctOrder(slack, guide, { [end.key]: id }, place);
  if (actionId === IDS.orderStop) return changeOrder(run, guideTool(slack, end.stop.operation), { [end.key]: id });
  return followOrder(slack, guide, id, place);
}

/** Handles the job that continues a guide after a restart. */
export function goOnLater(slack: SlackContext): Handler {
  return async ({ payload }) => {
    const isOver = await advanceGuide(slack, textOf(payload.action));
    return isOver ? undefined : slack.clock.now() + LOOK_MS;
  };
}

function placeOf(slack: SlackContext, { id, state }: ViewOf<'guide'>, origin: Origin): ViewStep {
  const asked: Origin = { ...origin, ...defined({ channel: state.channel || undefined, threadTs: state.thread }) };
  return { viewId: id, turn: slack.memory.openViews.nextTurn(id), origin: asked, state };
}

/** Shows the state of an action that a guide waits for, and goes on once it has ended. True if nothing is left to do. */
export async function advanceGuide(slack: SlackContext, id: string): Promise<boolean> {
  const action = await slack.gate.actions.get(id);
  const note = action && guideNote(action);
  const guide = guides.find(({ name }) => name === note?.guide);
  if (!action || !note || !guide || note.isOver) return true;
  if (statusOf(action.state) === 'pending') return false;
  const { user: userId, team: teamId, channel, thread: threadTs, view: viewId, turn } = note;
  const place = { viewId, turn, origin: { userId, teamId, ...defined({ channel, threadTs }) } };
  const run: GuideSession = { ...sessionOf(slack, guide, { action, note, place }), isAlone: true };
  return !(await showOpen(action, run)) && goOnOnce(action, run, note);
}

/** The guide where it was when it asked for an action. */
function sessionOf(
  slack: SlackContext,
  guide: Guide,
  { action, note, place }: { action: Action; note: GuideNote; place: Omit<ViewStep, 'state'> },
): GuideSession {
  const state = guideState(guide, { channel: note.channel, thread: note.thread, action: action.id });
  const step = guide.steps.find(({ name }) => name === note.step);
  return { slack, guide, known: note.known, step, place: { ...place, state } };
}

/** Shows where a guide is that waited for an action, in a view that its person has open. */
async function showWhereItIs(slack: SlackContext, guide: Guide, id: string, place: ViewStep): Promise<void> {
  const { roles, gate } = slack;
  const membership = await roles.membership(place.origin);
  let action = await gate.actions.get(id);
  const note = action && guideNote(action);
  if ('refused' in membership || !action || !note || action.actorId !== membership.actor.id) {
    const why = 'refused' in membership ? membership.refused : [rich.text('This request is no longer known.')];
    return void (await tellGuide(slack, place, guide, { at: APPROVAL }, say('⛔ ', ...why)));
  }
  if (note.next !== undefined) return showWhereItIs(slack, guide, note.next, place);
  await learnNames(slack, guide, note.known, membership.actor);
  await gate.notes.merge(id, 'guide', { view: place.viewId, turn: place.turn });
  if (action.state === 'unknown') {
    await gate.follow(id, membership.actor);
    action = (await gate.actions.get(id)) ?? action;
  }
  const origin = { ...place.origin, ...defined({ channel: note.channel, threadTs: note.thread }) };
  const run = sessionOf(slack, guide, { action, note, place: { ...place, origin } });
  if (action.state === 'pending') await showPending(action, run);
  else if (!(await showOpen(action, run))) await goOnOnce(action, run, note);
}

/** Goes on after a decision. False if another process does. */
async function goOnOnce(action: Action, run: GuideSession, note: GuideNote): Promise<boolean> {
  const { gate, roles, clock } = run.slack;
  if (!note.isOver && !(await gate.notes.claim(action.id, 'guideTaken', clock.now() - TAKE_OVER_MS))) return false;
  const membership = await roles.membership(run.place.origin);
  if (!('refused' in membership)) await learnNames(run.slack, run.guide, note.known, membership.actor);
  await settle(action, run);
  await gate.notes.merge(action.id, 'guide', { isOver: true });
  return true;
}

/** Goes on after an action that has ended. */
async function settle(action: Action, run: GuideSession): Promise<void> {
  const { slack, guide, place, step } = run;
  const end = orderEnd(guide);
  const status = statusOf(action.state);
  const isDone = status === 'done' || status === 'partly';
  if (isDone && step) return goOnWith({ ...run, step }, action.result ?? {}, action.id);
  const { headline, effect, detail } = outcomeOf(action, slack.gate.tool(action.operation));
  const why = action.state === 'failed' ? slack.reworded(detail) : '';
  if (step) {
    const isDeclined = action.state === 'declined' && !isUndecided(action);
    const by = isDeclined ? deciderElement(action) : undefined;
    const asks = step.run?.asks?.(run.known);
    const what = asks === undefined ? '' : `: ${named(slack, asks)}`;
    const declined = by && { by, reason: action.decidedReason };
    const problem = `${headline}${what}. ${effect}`;
    return showNotDone({ ...run, step }, { problem, quoted: why, isLater: true, ...defined({ declined }) });
  }
  if (!end) return undefined;
  const orderId = textOf(action.result?.[end.key]) || textOf(action.shown[end.key]);
  return followOrder(slack, guide, orderId, place, isDone ? undefined : `${headline}. ${why}`.trim());
}

/** Corrects or cancels the order at the end of a guide. */
async function changeOrder(run: GuideSession, tool: Tool, input: Fields): Promise<void> {
  const { slack, guide, place, known } = run;
  const end = orderEnd(guide);
  if (!end) return undefined;
  const orderId = textOf(input[end.key]);
  const isForm = tool.id === end.correct.operation;
  const again = async (problem: string): Promise<void> => {
    if (!isForm) return followOrder(slack, guide, orderId, place, problem);
    const entered = withoutSecrets(fieldsOf(tool), input);
    const form = correctForm(slack, { guide, end }, entered, place.state, ...problemBlocks(problem));
    if (!(await showGuide(slack, place, form))) await new Reply(slack, place.origin).add(notice('❌', problem));
  };
  const member = await slack.roles.admit(place.origin, neededRole(tool).ask);
  if ('refused' in member) return again(refusalText(member.refused));
  try {
    const notes = { ...askerNotes(place.origin), guide: guideNoteOf(run) };
    const yes = isForm ? yesByForm(member.actor, known) : {};
    const done = await slack.gate.perform(tool.id, input, member.actor, { notes, ...yes });
    if (done.kind === 'pending') return await waitFor(done.action, run);
    return await followOrder(slack, guide, textOf(done.value[end.key]) || orderId, place);
  } catch (error) {
    const { words } = failureOf(slack, error, tool.id);
    const isEnded = isForm && (await isOver(slack, end, orderId, member.actor));
    return isEnded ? followOrder(slack, guide, orderId, place, words) : again(words);
  }
}

/** Fields that are required by a choice in the form, or by what earlier steps found. */
function missingFields(
  tool: Tool,
  input: Fields,
  hints: readonly { text: string; field?: string }[],
): Record<string, string> {
  const shown = withRequired(tool, fieldsOf(tool), input).filter(({ required }) => required);
  const empty = shown.filter(({ name }) => input[name] === undefined);
  return {
    ...Object.fromEntries(empty.filter(({ kind }) => kind !== 'group').map(({ name }) => [name, 'Fill this in.'])),
    ...Object.fromEntries(
      hints.flatMap(({ field, text }) => (field !== undefined && input[field] === undefined ? [[field, text]] : [])),
    ),
  };
}
