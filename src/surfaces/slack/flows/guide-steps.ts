import type { Guide, GuideStep } from '../../../../tools/surfaces/guides/guide.ts';
import { LABELS } from '../../../cards/labels.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import { type Performed, statusOf } from '../../../gate/gate.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { defined, type Fields, isRecord, textOf } from '../../../lib/json.ts';
import { withheldIn } from '../../../platform/dialect/activation.ts';
import { requesterMessage } from '../blocks/card.ts';
import { hasSecrets } from '../blocks/form-values.ts';
import { APPROVAL, doneLines, guideView, problemBlocks, summaryBlocks, waitingAt } from '../blocks/guide.ts';
import { deciderElement } from '../blocks/render.ts';
import {
  actions,
  type Block,
  button,
  type Element,
  escaped,
  notice,
  quote,
  refusalText,
  rich,
  say,
} from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import type { ViewStep } from '../flow-state.ts';
import { IDS } from '../ids.ts';
import { askerNotes, elsewhereOf, isOwnQuestion } from '../types.ts';
import { yesByForm } from './current.ts';
import { failureOf, linkTo, Reply } from './engine.ts';
import { followOrder } from './guide-orders.ts';
import { guideTool, named, showGuide, stepForm, tellGuide } from './guide-views.ts';

/** The kind of the job that continues a guide after a decision, in any process. */
export const GUIDE_GOES_ON = 'slack-guide';
/** The interval at which such a job looks at an action whose change this process did not see. */
export const LOOK_MS = 30_000;

/** A guide that a person goes through. */
export interface GuideSession {
  slack: SlackContext;
  guide: Guide;
  /** The step that it is at; undefined before the first one, and at the order at its end. */
  step: GuideStep | undefined;
  /** The values known so far, without secrets, and what was done: see `progressOf`. */
  known: Fields;
  place: ViewStep;
  /** It goes on by itself after a decision, so that its person may not look at it. */
  isAlone?: true;
}

type AtStep = GuideSession & { step: GuideStep };

/** The part of an action's notes that continues a guide. */
export interface GuideNote {
  guide: string;
  /** Name of the step that waits; empty for a change of the order at the end. */
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
}

/** The note of an action that a guide waits for; undefined for any other action. */
export function guideNote({ notes: { guide: note } }: Action): GuideNote | undefined {
  if (!isRecord(note) || !isRecord(note.known)) return undefined;
  const { guide, step, known, view, turn, user, team, channel, thread, isOver, next } = note;
  if (typeof guide !== 'string' || typeof step !== 'string' || typeof turn !== 'number') return undefined;
  if (typeof view !== 'string' || typeof user !== 'string' || typeof team !== 'string') return undefined;
  return {
    ...{ guide, step, known, view, turn, user, team },
    ...(typeof channel === 'string' && { channel }),
    ...(typeof thread === 'string' && { thread }),
    ...(isOver === true && { isOver }),
    ...(typeof next === 'string' && { next }),
  };
}

/** Why a step was not done. */
export interface NotDone {
  problem: string;
  /** The platform's own words. */
  quoted?: string;
  /** The person who declined, and their reason. */
  declined?: { by: Element; reason: string | undefined };
  /** The form has to be filled in again after a decision, so that its secrets are lost. */
  isLater?: true;
}

/** Goes on after the step: to the next form, operation, or the end. */
export async function goOn(run: GuideSession): Promise<void> {
  const step = nextStep(run);
  if (!step) return showEnd(run);
  if (step.form && step.form.skip?.(run.known) !== true) return showForm({ ...run, step });
  return performStep({ ...run, step }, {});
}

/** Runs the operation of the step. `entered`: the values of its form, with secrets. */
export async function performStep(run: AtStep, entered: Fields): Promise<void> {
  const { slack, step, place } = run;
  const { run: task } = step;
  if (!task) return goOn(run);
  const tool = guideTool(slack, task.operation);
  const member = await slack.roles.admit(place.origin, neededRole(tool).ask);
  if ('refused' in member) return showNotDone(run, { problem: refusalText(member.refused) });
  if (!step.form || run.isAlone) await showGuide(slack, place, busyView(run));
  let done: Performed;
  try {
    const notes = { ...askerNotes(place.origin), guide: guideNoteOf(run) };
    const known = { ...run.known, ...entered };
    const fields = Object.entries(known).filter(([name]) => name in tool.input.shape);
    const reason = task.reason && named(slack, task.reason(known));
    const form = step.form && !run.isAlone ? yesByForm(member.actor, run.known) : {};
    const asked = tool.risk === 'read' ? {} : { notes, ...form, ...defined({ reason }) };
    done = await slack.gate.perform(tool.id, task.input?.(known) ?? Object.fromEntries(fields), member.actor, asked);
  } catch (error) {
    if (task.isOptional === true) return goOn(run);
    const { face, words: problem } = failureOf(slack, error, task.operation);
    return face.outcome === 'unknown' ? stopAt(run, problem) : showNotDone(run, { problem });
  }
  if (done.kind === 'pending') return waitFor(done.action, run);
  slack.directory.learn(done.value);
  return goOnWith(run, done.value, done.actionId);
}

/** Goes on with the answer of the step's operation. `action`: the one that it came from. */
export async function goOnWith(run: AtStep, answer: Fields, action: string | undefined): Promise<void> {
  const { slack, known, step } = run;
  const stopped = step.run?.stops?.(answer, known);
  const isRead = guideTool(slack, step.run?.operation ?? '').risk === 'read';
  if (stopped) return isRead ? showNotDone(run, stopped) : stopAt(run, stopped.problem);
  const { ran, code } = progressOf(known);
  const hasCode = action !== undefined && withheldIn(answer).length > 0;
  const next: Fields = {
    ...known,
    ...defined({ ...step.run?.keeps?.(answer, known) }),
    ran: [...ran.filter((name) => name !== step.name), step.name],
    ...defined({ code: hasCode ? action : code }),
  };
  return goOn({ ...run, known: next });
}

/** Shows the form of the step again, or of the one before it, with the reason why it was not done. */
export async function showNotDone(run: AtStep, notDone: NotDone): Promise<void> {
  const { problem, quoted = '', isLater, declined } = notDone;
  const { slack, guide, step } = run;
  const before = guide.steps.slice(0, guide.steps.indexOf(step) + 1);
  const back = before.findLast((one) => one.form && (one.when?.(run.known) ?? true));
  if (!back?.form) return stopAt(run, problem);
  const skip = step.run?.skip;
  const done = doneSoFar(run);
  const by = declined ? declinedBlocks(declined) : [];
  const above = [
    ...problemBlocks(problem, quoted),
    ...by,
    ...doneLines(done),
    ...(done.length > 0 ? [say('What was done stays. Send the form to go on from here, or close it to leave.')] : []),
    ...(isLater && hasSecrets(fieldsOf(guideTool(slack, back.form.of)))
      ? [say('Secrets are not kept. Enter them again.')]
      : []),
    ...(skip === undefined ? [] : [actions('guide-skip', button(IDS.guideSkip, skip, `${guide.name}|${step.name}`))]),
  ];
  await showForm({ ...run, step: back }, { above, problem: { text: problem, by }, isAgain: isLater === true });
}

/** Ends the guide without the step, which was not done. */
export function skipStep(run: AtStep): Promise<void> {
  const { slack, step } = run;
  const tool = guideTool(slack, step.run?.operation ?? '');
  const { leftOut } = progressOf(run.known);
  const own = guideTool(slack, step.form?.of ?? tool);
  const known = Object.fromEntries(Object.entries(run.known).filter(([name]) => !(name in own.input.shape)));
  return goOn({ ...run, known: { ...known, leftOut: [...leftOut, `Left out: ${tool.title.toLowerCase()}`] } });
}

/** The view while the step's operation runs. `busy`: the step that says what the guide is busy with. */
export function busyView({ guide, known, place, isAlone, step }: GuideSession, busy = step) {
  const isSent = busy?.form !== undefined && !isAlone;
  const at = isSent ? busy.title : busy ? waitingAt(guide, busy, known) : guide.end.title;
  return guideView(guide, { at, known }, place.state, say(`⏳ ${busy?.run?.busy ?? 'Working on it…'}`));
}

/** The view after the form of the step was sent: the guide is busy with its operation, or with the next one. */
export function viewAfterForm(run: AtStep) {
  const next = run.step.run ? undefined : nextStep(run);
  return busyView(run, next === undefined || next.form ? run.step : next);
}

async function showForm(
  run: AtStep,
  shown: { above?: Block[]; problem?: { text: string; by: Block[] }; isAgain?: boolean } = {},
): Promise<void> {
  const { slack, guide, known, place, step } = run;
  const { above = [], problem, isAgain = false } = shown;
  const member = await slack.roles.membership(place.origin);
  const actor = 'refused' in member ? undefined : member.actor;
  const view = await stepForm(slack, guide, step, { known, state: place.state, actor, isAgain }, ...above);
  if (await showGuide(slack, place, view)) return;
  const words = problem?.text ?? `The next step needs you: ${step.title.toLowerCase()}.`;
  const mark = problem === undefined ? '👉 ' : '⚠️ ';
  await tellPerson(run, [say(mark, rich.bold(`${guide.title}: `), words), ...(problem?.by ?? [])], words);
}

/** Says where the guide ended, without a form that would send the same again. */
async function stopAt(run: AtStep, problem: string): Promise<void> {
  const { slack, guide, known, place, step } = run;
  const blocks = [say('❓ ', rich.text(problem)), ...doneLines(doneSoFar(run))];
  if (await tellGuide(slack, place, guide, { at: waitingAt(guide, step, known), known }, ...blocks)) return;
  await tellPerson(run, [say('❓ ', rich.bold(`${guide.title}: `), problem)], problem);
}

async function showEnd(run: GuideSession): Promise<void> {
  const { slack, guide, known, place } = run;
  const { end } = guide;
  if (end.kind === 'order') return followOrder(slack, guide, textOf(known[end.key]), place);
  const { leftOut, code } = progressOf(known);
  const withNames = (text: string) => named(slack, text);
  const blocks = summaryBlocks(end, known, { done: doneSoFar(run), leftOut, named: withNames, code });
  if (await tellGuide(slack, place, guide, { at: end.title, known }, ...blocks)) return;
  await tellPerson(run, blocks, withNames(end.headline(known)), { isEnd: true });
}

/** A sentence for each step that was done. */
function doneSoFar({ slack, guide, known }: GuideSession): string[] {
  const { ran } = progressOf(known);
  return guide.steps.flatMap(({ name, done }) => (done && ran.includes(name) ? [named(slack, done(known))] : []));
}

/** Sends the person a message if the form was closed. */
async function tellPerson(run: GuideSession, blocks: Block[], text: string, { isEnd = false } = {}): Promise<void> {
  const { slack, guide, place } = run;
  const { action } = place.state;
  if (!run.isAlone) return void (await new Reply(slack, place.origin).add(notice('⚠️', text)));
  const more =
    isEnd || action === undefined
      ? []
      : [actions('guide', button(`${IDS.guide}_0`, 'Continue', `${guide.name}|${action}`, { style: 'primary' }))];
  const message = { text: escaped(`${guide.title}: ${text}`), blocks: [...blocks, ...more] };
  await slack.web.direct(place.origin.userId, message);
}

/** The note for an action that the step asks for. */
export function guideNoteOf({ guide, known, place, step }: GuideSession): GuideNote {
  const { userId: user, teamId: team, channel, threadTs: thread } = place.origin;
  return {
    ...{ guide: guide.name, step: step?.name ?? '', known, view: place.viewId, turn: place.turn, user, team },
    ...defined({ channel: channel || undefined, thread }),
  };
}

/** Continues this run once the action is decided, and shows that it waits. */
export async function waitFor(action: Action, run: GuideSession): Promise<void> {
  const { gate, jobs, clock } = run.slack;
  // The same call may have been waiting before.
  await gate.notes.merge(action.id, 'guide', { ...guideNoteOf(run), isOver: undefined, next: undefined });
  const runAt = clock.now() + LOOK_MS;
  await jobs.add({ kind: GUIDE_GOES_ON, key: `guide ${action.id}`, payload: { action: action.id }, runAt });
  const { action: before } = run.place.state;
  if (before !== undefined && before !== action.id)
    await gate.notes.merge(before, 'guide', { isOver: true, next: action.id });
  await showPending(action, run);
}

/** Shows that an action waits: its question to the person who may answer it, otherwise who is asked. */
export async function showPending(action: Action, run: GuideSession): Promise<void> {
  const { slack, guide, known, step } = run;
  const { cards, web, gate, reworded } = slack;
  const done = doneLines(doneSoFar(run));
  if (isOwnQuestion(action)) {
    const context = { tool: gate.tool(action.operation), reworded, elsewhere: elsewhereOf(gate, action.id) };
    const question = requesterMessage(action, { ...context, isStep: true });
    // A direct message if the form was closed.
    if (!(await showAt(run, ...done, ...question.blocks))) await web.direct(run.place.origin.userId, question);
    return;
  }
  const asks = step?.run?.asks?.(known);
  const asked = asks === undefined ? undefined : named(slack, asks);
  const link = await linkTo(slack, await cards.ensure(action.id));
  // It may have been decided while its card was being posted; then the change has drawn the view.
  if ((await gate.actions.get(action.id))?.state !== 'pending') return;
  await showAt(
    run,
    ...done,
    say('🔐 ', rich.bold(asked ?? action.consent?.title ?? ''), ' waits for an approver. It has not been sent.'),
    say(
      'The guide goes on by itself after the decision, even if you close this form. ',
      link ?? 'Approvers find it in the app’s Home.',
    ),
    actions('guide', button(IDS.orderLook, LABELS.orderLook, `${guide.name}|${action.id}`)),
  );
}

/** Shows an action that runs or whose outcome is unknown. False for other states. */
export async function showOpen(action: Action, run: GuideSession): Promise<boolean> {
  const { gate, reworded } = run.slack;
  const status = statusOf(action.state);
  const { mark, detail } = outcomeOf(action, gate.tool(action.operation));
  if (status === 'running')
    await showAt(run, say(`${mark} Confirmed by `, deciderElement(action) ?? 'a person', ' and running.'));
  else if (status === 'unknown')
    await showAt(
      run,
      say(`${mark} `, rich.bold('It may have been done.'), ' ', rich.text(reworded(detail))),
      say('The guide goes on by itself once this is known. Do not start it again before.'),
      actions('guide', button(IDS.orderLook, LABELS.check, `${run.guide.name}|${action.id}`)),
    );
  return status === 'running' || status === 'unknown';
}

function showAt({ slack, guide, known, place, step }: GuideSession, ...blocks: Block[]): Promise<boolean> {
  const at = step ? waitingAt(guide, step, known) : APPROVAL;
  return tellGuide(slack, place, guide, { at, known }, ...blocks);
}

/** The step after this one with what is known. */
export function nextStep({ guide, known, step }: GuideSession): GuideStep | undefined {
  const from = step === undefined ? 0 : guide.steps.indexOf(step) + 1;
  return guide.steps.slice(from).find(({ when }) => when?.(known) ?? true);
}

function declinedBlocks({ by, reason = '' }: NonNullable<NotDone['declined']>): Block[] {
  return [say('Declined by ', by, reason === '' ? '.' : ':'), ...(reason === '' ? [] : [quote(reason)])];
}

/** The progress of a guide. It is among the known values, in lower case because the platform's members are not. */
interface Progress {
  /** Names of the steps that ran. */
  ran: readonly string[];
  /** The steps that were left out, in words. */
  leftOut: readonly string[];
  /** The id of the action whose answer has the activation code of an eSIM. */
  code: string | undefined;
}

function progressOf({ ran, leftOut, code }: Fields): Progress {
  const texts = (list: unknown) => (Array.isArray(list) ? list.map(textOf) : []);
  return { ran: texts(ran), leftOut: texts(leftOut), code: textOf(code) || undefined };
}
