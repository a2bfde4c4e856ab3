import { guides } from '../../../../tools/surfaces/flows.ts';
import { type Guide, type GuideStep, LINE, orderEnd } from '../../../../tools/surfaces/guides/guide.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { isUndecided } from '../../../gate/approval.ts';
import { statusOf } from '../../../gate/gate.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Role } from '../../../lib/actor.ts';
import { defined, type Fields, textOf } from '../../../lib/json.ts';
import type { Job } from '../../../work/jobs.ts';
import type { OrderShown } from '../blocks/event.ts';
import { withRequired } from '../blocks/form-shape.ts';
import { errorsAt, readForm, withoutSecrets } from '../blocks/form-values.ts';
import { APPROVAL, guideView, problemBlocks, unchangedProblems } from '../blocks/guide.ts';
import { refusalMessage, refusalText } from '../blocks/notices.ts';
import { deciderElement } from '../blocks/people.ts';
import { type Block, notice, rich, say } from '../blocks/text.ts';
import { OUT_OF_DATE } from '../blocks/view.ts';
import type { Guides, SlackServices } from '../context.ts';
import type { Press, ViewAnswer, ViewOf } from '../flow-state.ts';
import { IDS } from '../ids.ts';
import { askerNotes, type Origin } from '../types.ts';
import { yesByForm } from './current.ts';
import { errorsIn, failureOf, openFor, openView, updated } from './engine.ts';
import { problemsIn } from './forms.ts';
import { GuideOrders } from './guide-orders.ts';
import { type GuideNote, type GuideSession, GuideSteps, guideNote, LOOK_MS, nextStep } from './guide-steps.ts';
import { GuideViews, guideState, type ViewStep } from './guide-views.ts';
import { namedRecords } from './references.ts';
import { Reply } from './reply.ts';

const LOOKING_UP = say('⏳ Looking up the order…');
/** Time after which another process goes on with a guide, if the one that began to has not. */
const TAKE_OVER_MS = 60_000;

/**
 * Guides in one modal each. A modal shows the state in the ledger and on the platform. Closing it loses nothing: the
 * guide goes on after a decision, and its person gets a message when it needs them.
 */
export class GuideFlow implements Guides {
  readonly #slack: SlackServices;
  readonly #views: GuideViews;
  readonly #orders: GuideOrders;
  readonly #steps: GuideSteps;
  readonly #unsubscribe: () => void;
  readonly #working = new Set<Promise<void>>();

  constructor(slack: SlackServices) {
    this.#slack = slack;
    this.#views = new GuideViews(slack);
    this.#orders = new GuideOrders(slack, this.#views);
    this.#steps = new GuideSteps(slack, this.#views, this.#orders);
    this.#unsubscribe = slack.gate.onChange((action) => {
      if (guideNote(action)) this.actionChanged(action.id);
    });
  }

  async start(guide: Guide, known: Fields, origin: Origin): Promise<void> {
    const state = guideState(guide, origin);
    const run: GuideSession = { guide, known, place: { viewId: '', turn: 0, origin, state } };
    const end = orderEnd(guide);
    const orderId = end ? textOf(known[end.key]) : '';
    const step = nextStep(guide, known);
    const isForm = orderId === '' && step?.form !== undefined && step.form.skip?.(known) !== true;
    const first =
      isForm && step
        ? await this.#views.stepForm(
            guide,
            step,
            { known, state, actor: undefined },
            ...(await this.#orders.openOrder(guide, textOf(known[LINE]))),
          )
        : orderId === ''
          ? this.#steps.busyView(run, step)
          : guideView(guide, { at: guide.end.title }, state, LOOKING_UP);
    // Viewers may follow an order. A guide to a change is refused before its forms are filled in.
    const needed = orderId === '' ? this.#roleOf(guide) : 'viewer';
    const viewId = await openFor(this.#slack, origin, needed, () => first, { flow: guide.name });
    if (viewId === undefined || isForm) return;
    const place = { ...run.place, viewId, turn: this.#views.nextTurn(viewId) };
    await (orderId === '' ? this.#steps.goOn({ ...run, place }) : this.#orders.follow(guide, orderId, place));
  }

  /** The role that a step of the guide needs. */
  #roleOf({ steps }: Guide): Role {
    const roles = steps.flatMap(({ run }) => (run ? [neededRole(this.#views.toolOf(run.operation)).ask] : []));
    return roles.find((role) => role !== 'viewer') ?? 'viewer';
  }

  async resume(guide: Guide, action: string, origin: Origin): Promise<void> {
    const state = guideState(guide, origin);
    const first = guideView(guide, { at: guide.end.title }, state, say('⏳ Looking up where you were…'));
    const viewId = await openFor(this.#slack, origin, 'viewer', () => first, { flow: guide.name });
    if (viewId !== undefined)
      await this.#resume(guide, action, { viewId, turn: this.#views.nextTurn(viewId), origin, state });
  }

  async correct(guide: Guide, input: Fields, origin: Origin): Promise<boolean> {
    const end = orderEnd(guide);
    if (!end) return false;
    const refused = await this.#slack.roles.timelyRefusal(
      origin,
      neededRole(this.#views.toolOf(end.correct.operation)).ask,
    );
    if (refused) return new Reply(this.#slack, origin).add(refusalMessage(refused)).then(() => true);
    const state = guideState(guide, origin);
    const first = guideView(guide, { at: end.title }, state, LOOKING_UP);
    const viewId = await openView(this.#slack, origin, first, { flow: guide.name });
    if (viewId === undefined) return false;
    await this.#orders.correct(guide, input, { viewId, turn: this.#views.nextTurn(viewId), origin, state });
    return true;
  }

  async submit(view: ViewOf<'guide'>, origin: Origin): Promise<ViewAnswer> {
    const { state } = view;
    const guide = guides.find(({ name }) => name === state.guide);
    const tool = this.#views.find(state.operation ?? '');
    const step = guide?.steps.find(({ name }) => name === state.step);
    const isCorrection = guide !== undefined && orderEnd(guide)?.correct.operation === tool?.id;
    if (!guide || !tool || !(step || isCorrection)) return updated(OUT_OF_DATE);
    const fields = fieldsOf(tool);
    const entered = { ...state.carried, ...readForm(fields, view.values) };
    const { input, problem } = await namedRecords(this.#slack, tool, entered, origin);
    const known = { ...state.known, ...withoutSecrets(fields, input) };
    const errors = {
      ...missingFields(tool, input, step?.form?.hints?.(known) ?? []),
      ...unchangedProblems(tool, input, state),
      ...errorsAt(fields, problemsIn(this.#slack, tool, input, problem)),
    };
    if (Object.keys(errors).length > 0) return errorsIn(view, errors);
    const place: ViewStep = { ...this.#placeOf(view, origin), turn: 0 };
    const run: GuideSession = { guide, known, place };
    const busy = step ? this.#steps.busyStep(run, step) : undefined;
    return {
      ...updated(this.#steps.busyView(run, busy ?? step)),
      after: () => {
        const now = { ...run, place: { ...place, turn: this.#views.nextTurn(view.id) } };
        return step ? this.#steps.perform(now, step, input) : this.#changeOrder(now, tool, input);
      },
    };
  }

  async press(view: ViewOf<'guide'>, { actionId, value, origin }: Press): Promise<void> {
    const [name = '', id = ''] = value.split('|');
    const guide = guides.find((candidate) => candidate.name === name);
    if (!guide) return undefined;
    const end = orderEnd(guide);
    const place = this.#placeOf(view, origin);
    const run: GuideSession = { guide, known: view.state.known ?? {}, place };
    if (actionId === IDS.guideSkip) {
      const step = guide.steps.find((candidate) => candidate.name === id);
      return step && this.#steps.skip(run, step);
    }
    if (id.startsWith('act_')) return this.#resume(guide, id, place);
    if (!end) return undefined;
    if (actionId === IDS.orderFix) return this.#orders.correct(guide, { [end.key]: id }, place);
    if (actionId === IDS.orderStop)
      return this.#changeOrder(run, this.#views.toolOf(end.stop.operation), { [end.key]: id });
    return this.#orders.follow(guide, id, place);
  }

  actionChanged(id: string): void {
    const work = this.#advance(id)
      .then(() => undefined)
      .catch((error: unknown) => this.#slack.log('error', { error: String(error) }, 'failed to continue a guide'));
    this.#working.add(work);
    void work.finally(() => this.#working.delete(work));
  }

  async goOn({ payload }: Job): Promise<number | undefined> {
    const isOver = await this.#advance(textOf(payload.action));
    return isOver ? undefined : this.#slack.clock.now() + LOOK_MS;
  }

  orderChanged(order: OrderShown): Promise<void> {
    return this.#orders.changed(order);
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    await Promise.allSettled([...this.#working]);
  }

  #placeOf({ id, state }: ViewOf<'guide'>, origin: Origin): ViewStep {
    const asked: Origin = { ...origin, ...defined({ channel: state.channel || undefined }) };
    return { viewId: id, turn: this.#views.nextTurn(id), origin: asked, state };
  }

  /** Shows the state of an action that a guide waits for, and goes on once it has ended. True if nothing is left to do. */
  async #advance(id: string): Promise<boolean> {
    const { gate } = this.#slack;
    const action = await gate.actions.get(id);
    const note = action && guideNote(action);
    const guide = guides.find(({ name }) => name === note?.guide);
    if (!action || !note || !guide || note.isOver) return true;
    if (statusOf(action.state) === 'pending') return false;
    const { user: userId, team: teamId, channel } = note;
    const origin: Origin = { userId, teamId, ...defined({ channel }) };
    const state = guideState(guide, { channel, action: id });
    const place: ViewStep = { viewId: note.view, turn: note.turn, origin, state };
    const run: GuideSession = { guide, known: note.known, place, isAlone: true };
    const step = guide.steps.find(({ name }) => name === note.step);
    if (await this.#steps.showOpen(action, run, step)) return false;
    return this.#goOnOnce(action, run, step, note);
  }

  /** Shows where a guide is that waited for an action, in a view that its person has open. */
  async #resume(guide: Guide, id: string, place: ViewStep): Promise<void> {
    const { roles, gate } = this.#slack;
    const membership = await roles.membership(place.origin);
    let action = await gate.actions.get(id);
    const note = action && guideNote(action);
    if ('refused' in membership || !action || !note || action.actorId !== membership.actor.id) {
      const why = 'refused' in membership ? membership.refused : [rich.text('This request is no longer known.')];
      return void (await this.#views.tell(place, guide, { at: APPROVAL }, say('⛔ ', ...why)));
    }
    if (note.next !== undefined) return this.#resume(guide, note.next, place);
    await this.#views.learnNames(guide, note.known, membership.actor);
    await gate.notes.merge(id, 'guide', { view: place.viewId, turn: place.turn });
    if (action.state === 'unknown') {
      await gate.follow(id, membership.actor);
      action = (await gate.actions.get(id)) ?? action;
    }
    const { channel } = note;
    const state = guideState(guide, { channel, action: id });
    const origin = { ...place.origin, ...defined({ channel }) };
    const run: GuideSession = { guide, known: note.known, place: { ...place, origin, state } };
    const step = guide.steps.find(({ name }) => name === note.step);
    if (action.state === 'pending') await this.#steps.showPending(action, run, step);
    else if (!(await this.#steps.showOpen(action, run, step))) await this.#goOnOnce(action, run, step, note);
  }

  /** Goes on after a decision. False if another process does. */
  async #goOnOnce(action: Action, run: GuideSession, step: GuideStep | undefined, note: GuideNote): Promise<boolean> {
    const { gate, roles, clock } = this.#slack;
    if (!note.isOver && !(await gate.notes.claim(action.id, 'guideTaken', clock.now() - TAKE_OVER_MS))) return false;
    const membership = await roles.membership(run.place.origin);
    if (!('refused' in membership)) await this.#views.learnNames(run.guide, note.known, membership.actor);
    await this.#settle(action, run, step);
    await gate.notes.merge(action.id, 'guide', { isOver: true });
    return true;
  }

  /** Goes on after an action that has ended. */
  async #settle(action: Action, run: GuideSession, step: GuideStep | undefined): Promise<void> {
    const { guide, place } = run;
    const end = orderEnd(guide);
    const status = statusOf(action.state);
    const isDone = status === 'done' || status === 'partly';
    if (isDone && step) return this.#steps.answered(run, step, action.result ?? {}, action.id);
    const { headline, effect, detail } = outcomeOf(action, this.#slack.gate.tool(action.operation));
    const why = action.state === 'failed' ? this.#slack.reworded(detail) : '';
    const isDeclined = action.state === 'declined' && !isUndecided(action);
    const by = isDeclined ? deciderElement(action) : undefined;
    if (step) {
      const asks = step.run?.asks?.(run.known);
      const what = asks === undefined ? '' : `: ${this.#views.named(asks)}`;
      const declined = by && { by, reason: action.decidedReason };
      const problem = `${headline}${what}. ${effect}`;
      return this.#steps.notDone(run, step, { problem, quoted: why, isLater: true, ...defined({ declined }) });
    }
    if (!end) return undefined;
    const orderId = textOf(action.result?.[end.key]) || textOf(action.shown[end.key]);
    return this.#orders.follow(guide, orderId, place, isDone ? undefined : `${headline}. ${why}`.trim());
  }

  /** Corrects or cancels the order at the end of a guide. */
  async #changeOrder(run: GuideSession, tool: Tool, input: Fields): Promise<void> {
    const { gate, roles } = this.#slack;
    const { guide, place } = run;
    const end = orderEnd(guide);
    if (!end) return undefined;
    const orderId = textOf(input[end.key]);
    const again = async (problem: string): Promise<void> => {
      if (tool.id === end.stop.operation) return this.#orders.follow(guide, orderId, place, problem);
      const above: Block[] = problemBlocks(problem);
      const entered = withoutSecrets(fieldsOf(tool), input);
      const form = this.#views.correctForm({ guide, end }, entered, place.state, ...above);
      if (!(await this.#views.show(place, form))) await new Reply(this.#slack, place.origin).add(notice('❌', problem));
    };
    const member = await roles.admit(place.origin, neededRole(tool).ask);
    if ('refused' in member) return again(refusalText(member.refused));
    try {
      const notes = { ...askerNotes(place.origin), guide: this.#steps.noteOf(run, undefined) };
      const isForm = tool.id === end.correct.operation;
      const done = await gate.perform(tool.id, input, member.actor, {
        notes,
        ...(isForm && yesByForm(member.actor, run.known)),
      });
      if (done.kind === 'pending') return await this.#steps.follow(done.action, run, undefined);
      return await this.#orders.follow(guide, textOf(done.value[end.key]) || orderId, place);
    } catch (error) {
      return again(failureOf(this.#slack, error, tool.id).words);
    }
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
