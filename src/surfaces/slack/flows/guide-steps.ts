import { type Guide, type GuideStep, orderEnd } from '../../../../tools/surfaces/guides/guide.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import { type Performed, statusOf } from '../../../gate/gate.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { defined, type Fields, isRecord, textOf } from '../../../lib/json.ts';
import { withheldIn } from '../../../platform/dialect/activation.ts';
import { hasSecrets } from '../blocks/form-values.ts';
import { APPROVAL, doneLines, guideView, problemBlocks, summaryBlocks, waitingAt } from '../blocks/guide.ts';
import { refusalText } from '../blocks/notices.ts';
import { deciderElement } from '../blocks/people.ts';
import { requesterCard } from '../blocks/requester-card.ts';
import { actions, type Block, button, type Element, escaped, notice, quote, rich, say } from '../blocks/text.ts';
import type { SlackServices } from '../context.ts';
import { IDS } from '../ids.ts';
import { askerNotes, elsewhereOf, isOwnQuestion } from '../types.ts';
import { yesByForm } from './current.ts';
import { failureOf } from './engine.ts';
import type { GuideOrders } from './guide-orders.ts';
import type { GuideViews, ViewStep } from './guide-views.ts';
import { Reply } from './reply.ts';

/** The kind of the job that continues a guide after a decision, in any process. */
export const GUIDE_GOES_ON = 'slack-guide';
/** The interval at which such a job looks at an action whose change this process did not see. */
export const LOOK_MS = 30_000;

/** A guide at one of its steps. */
export interface GuideSession {
  guide: Guide;
  /** The values known so far, without secrets, and what was done: see `progressOf`. */
  known: Fields;
  place: ViewStep;
  /** It goes on by itself after a decision, so that its person may not look at it. */
  isAlone?: true;
}

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
  /** The guide went on. */
  isOver?: true;
  /** The action that it asked for next. */
  next?: string;
}

export function guideNote({ notes }: Action): GuideNote | undefined {
  return isGuideNote(notes.guide) ? notes.guide : undefined;
}

function isGuideNote(note: unknown): note is GuideNote {
  return isRecord(note) && typeof note.guide === 'string' && typeof note.step === 'string' && isRecord(note.known);
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

/**
 * Runs the steps of guides: forms, operations through the gate, waiting for a decision, and the end. An action that a
 * guide waits for keeps where the guide is, so that a restart does not lose it.
 */
export class GuideSteps {
  readonly #slack: SlackServices;
  readonly #views: GuideViews;
  readonly #orders: GuideOrders;

  constructor(slack: SlackServices, views: GuideViews, orders: GuideOrders) {
    this.#slack = slack;
    this.#views = views;
    this.#orders = orders;
  }

  /** Goes on after a step: to the next form, operation, or the end. */
  async goOn(run: GuideSession, after?: GuideStep): Promise<void> {
    const next = nextStep(run.guide, run.known, after);
    if (!next) return this.#end(run);
    if (next.form && next.form.skip?.(run.known) !== true) return this.#showForm(run, next);
    return this.perform(run, next, {});
  }

  /** Runs the operation of a step. `entered`: the values of its form, with secrets. */
  async perform(run: GuideSession, step: GuideStep, entered: Fields): Promise<void> {
    const { gate, roles, directory } = this.#slack;
    const { run: task } = step;
    if (!task) return this.goOn(run, step);
    const { place } = run;
    const tool = this.#views.toolOf(task.operation);
    const member = await roles.admit(place.origin, neededRole(tool).ask);
    if ('refused' in member) return this.notDone(run, step, { problem: refusalText(member.refused) });
    if (!step.form || run.isAlone) await this.showBusy(run, step);
    let done: Performed;
    try {
      const notes = { ...askerNotes(place.origin), guide: this.noteOf(run, step) };
      const known = { ...run.known, ...entered };
      const input = task.input?.(known) ?? pick(Object.keys(tool.input.shape), known);
      const reason = task.reason && this.#views.named(task.reason(known));
      const form = step.form && !run.isAlone ? yesByForm(member.actor, run.known) : {};
      const asked = { notes, ...form, ...defined({ reason }) };
      done = await gate.perform(tool.id, input, member.actor, tool.risk === 'read' ? {} : asked);
    } catch (error) {
      return task.isOptional === true ? this.goOn(run, step) : this.#failed(run, step, error);
    }
    if (done.kind === 'pending') return this.follow(done.action, run, step);
    directory.learn(done.value);
    return this.answered(run, step, done.value, done.actionId);
  }

  /** Goes on with the answer of a step's operation. `action`: the one that it came from. */
  async answered(run: GuideSession, step: GuideStep, answer: Fields, action: string | undefined): Promise<void> {
    const { known } = run;
    const stopped = step.run?.stops?.(answer, known);
    const isRead = this.#views.toolOf(step.run?.operation ?? '').risk === 'read';
    if (stopped && isRead) return this.notDone(run, step, stopped);
    if (stopped) return this.#stop(run, step, stopped.problem);
    const { ran, code } = progressOf(known);
    const hasCode = action !== undefined && withheldIn(answer).length > 0;
    const next: Fields = {
      ...known,
      ...defined({ ...step.run?.keeps?.(answer, known) }),
      ran: [...ran.filter((name) => name !== step.name), step.name],
      ...defined({ code: hasCode ? action : code }),
    };
    return this.goOn({ ...run, known: next }, step);
  }

  /** Shows the form of a step again, or of the one before it, with the reason why it was not done. */
  async notDone(run: GuideSession, step: GuideStep, notDone: NotDone): Promise<void> {
    const { problem, quoted = '', isLater, declined } = notDone;
    const { steps } = run.guide;
    const at = steps.indexOf(step);
    const back = steps.slice(0, at + 1).findLast((one) => one.form && (one.when?.(run.known) ?? true));
    if (!back?.form) return this.#stop(run, step, problem);
    const tool = this.#views.toolOf(back.form.of);
    const skip = step.run?.skip;
    const done = this.#doneSoFar(run);
    const above = [
      ...problemBlocks(problem, quoted),
      ...(declined ? declinedBlocks(declined) : []),
      ...doneLines(done),
      ...(done.length > 0 ? [say('What was done stays. Send the form to go on from here, or close it to leave.')] : []),
      ...(isLater && hasSecrets(fieldsOf(tool)) ? [say('Secrets are not kept. Enter them again.')] : []),
      ...(skip === undefined
        ? []
        : [actions('guide-skip', button(IDS.guideSkip, skip, `${run.guide.name}|${step.name}`))]),
    ];
    const by = declined ? declinedBlocks(declined) : [];
    await this.#showForm(run, back, { above, problem: { text: problem, by }, isAgain: isLater === true });
  }

  /** Ends the guide without a step that was not done. */
  skip(run: GuideSession, step: GuideStep): Promise<void> {
    const tool = this.#views.toolOf(step.run?.operation ?? '');
    const { leftOut } = progressOf(run.known);
    const own = this.#views.toolOf(step.form?.of ?? tool);
    const known = Object.fromEntries(Object.entries(run.known).filter(([name]) => !(name in own.input.shape)));
    const left = `Left out: ${tool.title.toLowerCase()}`;
    return this.goOn({ ...run, known: { ...known, leftOut: [...leftOut, left] } }, step);
  }

  async showBusy(run: GuideSession, step: GuideStep | undefined): Promise<void> {
    await this.#views.show(run.place, this.busyView(run, step));
  }

  /** The view while a step's operation runs. */
  busyView({ guide, known, place, isAlone }: GuideSession, step: GuideStep | undefined) {
    const busy = step?.run?.busy ?? 'Working on it…';
    const isSent = step?.form !== undefined && !isAlone;
    const at = isSent ? step.title : step ? waitingAt(guide, step, known) : guide.end.title;
    return guideView(guide, { at, known }, place.state, say(`⏳ ${busy}`));
  }

  /** The first step with an operation at or after this one, which says what the guide is busy with. */
  busyStep(run: GuideSession, from: GuideStep): GuideStep | undefined {
    if (from.run) return from;
    const next = nextStep(run.guide, run.known, from);
    return next?.form ? from : (next ?? from);
  }

  async #showForm(
    run: GuideSession,
    step: GuideStep,
    {
      above = [],
      problem,
      isAgain = false,
    }: { above?: Block[]; problem?: { text: string; by: Block[] }; isAgain?: boolean } = {},
  ): Promise<void> {
    const { guide, known, place } = run;
    const member = await this.#slack.roles.membership(place.origin);
    const actor = 'refused' in member ? undefined : member.actor;
    const view = await this.#views.stepForm(guide, step, { known, state: place.state, actor, isAgain }, ...above);
    if (await this.#views.show(place, view)) return;
    const words = problem?.text ?? `The next step needs you: ${step.title.toLowerCase()}.`;
    const mark = problem === undefined ? '👉 ' : '⚠️ ';
    await this.#tell(run, [say(mark, rich.bold(`${guide.title}: `), words), ...(problem?.by ?? [])], words);
  }

  async #failed(run: GuideSession, step: GuideStep, error: unknown): Promise<void> {
    const { face, words: problem } = failureOf(this.#slack, error, step.run?.operation);
    if (face.outcome !== 'unknown') return this.notDone(run, step, { problem });
    await this.#stop(run, step, problem);
  }

  /** Says where the guide ended, without a form that would send the same again. */
  async #stop(run: GuideSession, step: GuideStep, problem: string): Promise<void> {
    const { guide, known, place } = run;
    const at = waitingAt(guide, step, known);
    const blocks = [say('❓ ', rich.text(problem)), ...doneLines(this.#doneSoFar(run))];
    if (await this.#views.tell(place, guide, { at, known }, ...blocks)) return;
    await this.#tell(run, [say('❓ ', rich.bold(`${guide.title}: `), problem)], problem);
  }

  async #end(run: GuideSession): Promise<void> {
    const { guide, known, place } = run;
    const { end } = guide;
    const order = orderEnd(guide);
    if (end.kind === 'order') return this.#orders.follow(guide, textOf(known[order?.key ?? '']), place);
    const { leftOut, code } = progressOf(known);
    const named = (text: string) => this.#views.named(text);
    const blocks = summaryBlocks(end, known, { done: this.#doneSoFar(run), leftOut, named, code });
    if (await this.#views.tell(place, guide, { at: end.title, known }, ...blocks)) return;
    await this.#tell(run, blocks, named(end.headline(known)), { isEnd: true });
  }

  /** A sentence for each step that was done. */
  #doneSoFar({ guide, known }: GuideSession): string[] {
    const { ran } = progressOf(known);
    return guide.steps.flatMap(({ name, done }) =>
      done && ran.includes(name) ? [this.#views.named(done(known))] : [],
    );
  }

  /** Sends the person a message if the form was closed. */
  async #tell(run: GuideSession, blocks: Block[], text: string, { isEnd = false } = {}): Promise<void> {
    const { guide, place } = run;
    const { action } = place.state;
    if (!run.isAlone) return void (await new Reply(this.#slack, place.origin).add(notice('⚠️', text)));
    const more =
      isEnd || action === undefined
        ? []
        : [actions('guide', button(`${IDS.guide}_0`, 'Continue', `${guide.name}|${action}`, { style: 'primary' }))];
    await this.#slack.web.direct(place.origin.userId, {
      text: escaped(`${guide.title}: ${text}`),
      blocks: [...blocks, ...more],
    });
  }

  /** The note for an action that this step asks for. */
  noteOf({ guide, known, place }: GuideSession, step: GuideStep | undefined): GuideNote {
    const { userId, teamId, channel } = place.origin;
    return {
      guide: guide.name,
      step: step?.name ?? '',
      known,
      view: place.viewId,
      turn: place.turn,
      user: userId,
      team: teamId,
      ...defined({ channel: channel || undefined }),
    };
  }

  /** Continues this run once the action is decided, and shows that it waits. */
  async follow(action: Action, run: GuideSession, step: GuideStep | undefined): Promise<void> {
    const { gate, jobs, clock } = this.#slack;
    // The same call may have been waiting before.
    const fresh = { ...this.noteOf(run, step), isOver: undefined, next: undefined };
    await gate.notes.merge(action.id, 'guide', fresh);
    await jobs.add({
      kind: GUIDE_GOES_ON,
      key: `guide ${action.id}`,
      payload: { action: action.id },
      runAt: clock.now() + LOOK_MS,
    });
    const { action: before } = run.place.state;
    if (before !== undefined && before !== action.id)
      await gate.notes.merge(before, 'guide', { isOver: true, next: action.id });
    await this.showPending(action, run, step);
  }

  async showPending(action: Action, { guide, known, place }: GuideSession, step: GuideStep | undefined): Promise<void> {
    const { cards, web, gate } = this.#slack;
    if (isOwnQuestion(action)) return this.#askForIt(action, { guide, known, place }, step);
    const asks = step?.run?.asks?.(known);
    const asked = asks === undefined ? undefined : this.#views.named(asks);
    const card = await cards.ensure(action.id);
    const link = card && (await web.permalink(card));
    // It may have been decided while its card was being posted; then the change has drawn the view.
    if ((await gate.actions.get(action.id))?.state !== 'pending') return;
    await this.#showAt({ guide, known, place }, step, [
      ...doneLines(this.#doneSoFar({ guide, known, place })),
      say('🔐 ', rich.bold(asked ?? action.consent?.title ?? ''), ' waits for an approver. It has not been sent.'),
      say(
        'The guide goes on by itself after the decision, even if you close this form. ',
        ...(link ? [{ type: 'link', url: link, text: 'Open the card' }] : ['Approvers find it in the app’s Home.']),
      ),
      actions('guide', button(IDS.orderLook, 'Refresh', `${guide.name}|${action.id}`)),
    ]);
  }

  /** Asks the person of the guide for the yes to an own change: in the form, or by direct message if it was closed. */
  async #askForIt(action: Action, run: GuideSession, step: GuideStep | undefined): Promise<void> {
    const { web, gate, reworded } = this.#slack;
    const context = { tool: gate.tool(action.operation), reworded, elsewhere: elsewhereOf(gate, action.id) };
    const done = doneLines(this.#doneSoFar(run));
    const question = requesterCard(action, { ...context, isStep: true });
    if (await this.#showAt(run, step, [...done, ...question.blocks])) return;
    await web.direct(run.place.origin.userId, question);
  }

  /** Shows an action that runs or whose outcome is unknown. False for other states. */
  async showOpen(action: Action, run: GuideSession, step: GuideStep | undefined): Promise<boolean> {
    const { gate, reworded } = this.#slack;
    const status = statusOf(action.state);
    const { mark, detail } = outcomeOf(action, gate.tool(action.operation));
    if (status === 'running') {
      const by = deciderElement(action) ?? 'a person';
      await this.#showAt(run, step, [say(`${mark} Confirmed by `, by, ' and running.')]);
      return true;
    }
    if (status !== 'unknown') return false;
    await this.#showAt(run, step, [
      say(`${mark} `, rich.bold('It may have been done.'), ' ', rich.text(reworded(detail))),
      say('The guide goes on by itself once this is known. Do not start it again before.'),
      actions('guide', button(IDS.orderLook, 'Check now', `${run.guide.name}|${action.id}`)),
    ]);
    return true;
  }

  async #showAt({ guide, known, place }: GuideSession, step: GuideStep | undefined, blocks: Block[]): Promise<boolean> {
    const at = step ? waitingAt(guide, step, known) : APPROVAL;
    return this.#views.tell(place, guide, { at, known }, ...blocks);
  }
}

/** The next step of a guide with what is known. */
export function nextStep(guide: Guide, known: Fields, after?: GuideStep): GuideStep | undefined {
  const from = after === undefined ? 0 : guide.steps.indexOf(after) + 1;
  return guide.steps.slice(from).find(({ when }) => when?.(known) ?? true);
}

function declinedBlocks({ by, reason = '' }: NonNullable<NotDone['declined']>): Block[] {
  return [say('Declined by ', by, reason === '' ? '.' : ':'), ...(reason === '' ? [] : [quote(reason)])];
}

function pick(names: readonly string[], values: Fields): Fields {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
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
