import { type Guide, type GuideStep, orderEnd } from '../../../../tools/surfaces/guides/guide.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import type { Performed } from '../../../gate/gate.ts';
import { failureWords } from '../../../language/failure.ts';
import { asSwitchboardError, severity } from '../../../lib/errors.ts';
import { defined, type Fields, textOf } from '../../../lib/json.ts';
import { withheldIn } from '../../../platform/dialect/activation.ts';
import { hasSecrets } from '../blocks/form-values.ts';
import { doneLines, problemBlocks, summaryBlocks, waitingAt } from '../blocks/guide.ts';
import { refusalText } from '../blocks/notices.ts';
import { actions, type Block, button, type Element, escaped, notice, quote, rich, say } from '../blocks/text.ts';
import type { SlackServices } from '../context.ts';
import { IDS } from '../ids.ts';
import { askerNotes } from '../types.ts';
import { yesByForm } from './form-yes.ts';
import type { GuideOrders } from './guide-orders.ts';
import { doneSoFar, progressOf } from './guide-progress.ts';
import type { GuideViews } from './guide-views.ts';
import type { GuideSession, GuideWaits } from './guide-waits.ts';
import { Reply } from './reply.ts';

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

/** Runs the steps of guides: forms, operations through the gate, and the end. */
export class GuideSteps {
  readonly #slack: SlackServices;
  readonly #views: GuideViews;
  readonly #waits: GuideWaits;
  readonly #orders: GuideOrders;

  constructor(slack: SlackServices, parts: { views: GuideViews; waits: GuideWaits; orders: GuideOrders }) {
    this.#slack = slack;
    this.#views = parts.views;
    this.#waits = parts.waits;
    this.#orders = parts.orders;
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
      const notes = { ...askerNotes(place.origin), guide: this.#waits.noteOf(run, step) };
      const known = { ...run.known, ...entered };
      const input = task.input?.(known) ?? pick(Object.keys(tool.input.shape), known);
      const reason = task.reason && this.#views.named(task.reason(known));
      const form = step.form && !run.isAlone ? yesByForm(member.actor, run.known) : {};
      const asked = { notes, ...form, ...defined({ reason }) };
      done = await gate.perform(tool.id, input, member.actor, tool.risk === 'read' ? {} : asked);
    } catch (error) {
      return task.isOptional === true ? this.goOn(run, step) : this.#failed(run, step, error);
    }
    if (done.kind === 'pending') return this.#waits.follow(done.action, run, step);
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
    return this.#views.plainView(guide, { at, known }, place.meta, say(`⏳ ${busy}`));
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
    const view = await this.#views.stepForm(guide, step, { known, meta: place.meta, actor, isAgain }, ...above);
    if (await this.#views.show(place, view)) return;
    const words = problem?.text ?? `The next step needs you: ${step.title.toLowerCase()}.`;
    const mark = problem === undefined ? '👉 ' : '⚠️ ';
    await this.#tell(run, [say(mark, rich.bold(`${guide.title}: `), words), ...(problem?.by ?? [])], words);
  }

  async #failed(run: GuideSession, step: GuideStep, error: unknown): Promise<void> {
    const { log, reworded } = this.#slack;
    const failure = asSwitchboardError(error);
    const { detail, face } = failure;
    if (detail) log(severity(face), { operation: step.run?.operation, detail }, failure.message);
    const problem = reworded(failureWords(face, 'slack'));
    if (face.outcome !== 'unknown') return this.notDone(run, step, { problem });
    await this.#stop(run, step, problem);
  }

  /** Says where the guide ended, without a form that would send the same again. */
  async #stop(run: GuideSession, step: GuideStep, problem: string): Promise<void> {
    const { guide, known, place } = run;
    const at = waitingAt(guide, step, known);
    const blocks = [say('❓ ', rich.text(problem)), ...doneLines(this.#doneSoFar(run))];
    if (await this.#views.show(place, this.#views.plainView(guide, { at, known }, place.meta, ...blocks))) return;
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
    if (await this.#views.show(place, this.#views.plainView(guide, { at: end.title, known }, place.meta, ...blocks)))
      return;
    await this.#tell(run, blocks, named(end.headline(known)), { isEnd: true });
  }

  #doneSoFar({ guide, known }: GuideSession): string[] {
    return doneSoFar(guide, known, (text) => this.#views.named(text));
  }

  /** Sends the person a message if the form was closed. */
  async #tell(run: GuideSession, blocks: Block[], text: string, { isEnd = false } = {}): Promise<void> {
    const { guide, place } = run;
    const { a: action } = place.meta;
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
