import { guides } from '../../../../tools/surfaces/flows.ts';
import { type Guide, type GuideStep, LINE, orderEnd } from '../../../../tools/surfaces/guides/guide.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { fieldProblems } from '../../../catalogue/input.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { isUndecided } from '../../../gate/approval.ts';
import { statusOf } from '../../../gate/gate.ts';
import { failureWords } from '../../../language/failure.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { Role } from '../../../lib/actor.ts';
import { asSwitchboardError, severity } from '../../../lib/errors.ts';
import { defined, type Fields, textOf } from '../../../lib/json.ts';
import type { Job } from '../../../work/jobs.ts';
import type { OrderShown } from '../blocks/event.ts';
import { OUT_OF_DATE } from '../blocks/form.ts';
import { withRequired } from '../blocks/form-shape.ts';
import { errorsAt, pathOf, readForm, withoutSecrets } from '../blocks/form-values.ts';
import { inFormWords } from '../blocks/form-words.ts';
import { APPROVAL, type GuideMeta, problemBlocks } from '../blocks/guide.ts';
import { unchangedProblems } from '../blocks/guide-correction.ts';
import { refusalMessage, refusalText } from '../blocks/notices.ts';
import { deciderElement } from '../blocks/people.ts';
import { type Block, notice, rich, say } from '../blocks/text.ts';
import type { GuideButton, Guides, SlackServices } from '../context.ts';
import { askerNotes, type Origin, type SentView, type ViewAnswer } from '../types.ts';
import { yesByForm } from './form-yes.ts';
import { GuideCorrections } from './guide-corrections.ts';
import { GuideOrders } from './guide-orders.ts';
import { GuideSteps, nextStep } from './guide-steps.ts';
import { GuideViews, type ViewStep } from './guide-views.ts';
import { type GuideNote, type GuideSession, GuideWaits, guideNote, LOOK_MS } from './guide-waits.ts';
import { namedRecords } from './references.ts';
import { Reply } from './reply.ts';

/** Time after which another process goes on with a guide, if the one that began to has not. */
const TAKE_OVER_MS = 60_000;

/**
 * Guides in one modal each. A modal shows the state in the ledger and on the platform. Closing it loses nothing: the
 * guide goes on after a decision, and its person gets a message when it needs them.
 */
export class GuideFlow implements Guides {
  readonly #slack: SlackServices;
  readonly #views: GuideViews;
  readonly #waits: GuideWaits;
  readonly #orders: GuideOrders;
  readonly #steps: GuideSteps;
  readonly #corrections: GuideCorrections;
  readonly #unsubscribe: () => void;
  readonly #working = new Set<Promise<void>>();

  constructor(slack: SlackServices) {
    this.#slack = slack;
    this.#views = new GuideViews(slack);
    this.#waits = new GuideWaits(slack, this.#views);
    this.#orders = new GuideOrders(slack, this.#views);
    this.#steps = new GuideSteps(slack, { views: this.#views, waits: this.#waits, orders: this.#orders });
    this.#corrections = new GuideCorrections(slack, this.#views, this.#orders);
    this.#unsubscribe = slack.gate.onChange((action) => {
      if (guideNote(action)) this.actionChanged(action.id);
    });
  }

  async start(guide: Guide, known: Fields, origin: Origin): Promise<void> {
    const meta: GuideMeta = { t: '', g: guide.name, ...defined({ c: origin.channel || undefined }) };
    const run: GuideSession = { guide, known, place: { viewId: '', turn: 0, origin, meta } };
    const end = orderEnd(guide);
    const orderId = end ? textOf(known[end.key]) : '';
    const step = nextStep(guide, known);
    const isForm = orderId === '' && step?.form !== undefined && step.form.skip?.(known) !== true;
    const first =
      isForm && step
        ? await this.#views.stepForm(
            guide,
            step,
            { known, meta, actor: undefined },
            ...(await this.#orders.openOrder(guide, textOf(known[LINE]))),
          )
        : orderId === ''
          ? this.#steps.busyView(run, step)
          : this.#views.plainView(guide, { at: guide.end.title }, meta, say('⏳ Looking up the order…'));
    // Viewers may follow an order. A guide to a change is refused before its forms are filled in.
    const viewId = await this.#open(guide, first, origin, orderId === '' ? this.#roleOf(guide) : 'viewer');
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
    const meta: GuideMeta = { t: '', g: guide.name, ...defined({ c: origin.channel || undefined }) };
    const first = this.#views.plainView(guide, { at: guide.end.title }, meta, say('⏳ Looking up where you were…'));
    const viewId = await this.#open(guide, first, origin, 'viewer');
    if (viewId !== undefined)
      await this.#resume(guide, action, { viewId, turn: this.#views.nextTurn(viewId), origin, meta });
  }

  correct(guide: Guide, input: Fields, origin: Origin): Promise<boolean> {
    return this.#corrections.open(guide, input, origin);
  }

  /** Opens a view for a person with the role. Undefined if it was not opened; the person gets the reason. */
  async #open(guide: Guide, view: Fields, origin: Origin, needed: Role): Promise<string | undefined> {
    const { web, log, roles } = this.#slack;
    if (!origin.triggerId) return undefined;
    const reply = new Reply(this.#slack, origin);
    const refused = await roles.timelyRefusal(origin, needed);
    if (refused) {
      await reply.show(refusalMessage(refused));
      return undefined;
    }
    try {
      return await web.openView(origin.triggerId, view);
    } catch (error) {
      log('warn', { guide: guide.name, error: String(error) }, 'failed to open a guide');
      await reply.show(notice('⚠️', 'Slack did not open the form. Enter the command again.'));
      return undefined;
    }
  }

  async submit(view: SentView, meta: GuideMeta, origin: Origin): Promise<ViewAnswer> {
    const guide = guides.find(({ name }) => name === meta.g);
    const tool = this.#views.find(meta.t);
    const step = guide?.steps.find(({ name }) => name === meta.p);
    const isCorrection = guide !== undefined && orderEnd(guide)?.correct.operation === tool?.id;
    if (!guide || !tool || !(step || isCorrection)) return { ack: { response_action: 'update', view: OUT_OF_DATE } };
    const entered = { ...meta.v, ...readForm(fieldsOf(tool), view.values) };
    const { input, problem } = await namedRecords(this.#slack, tool, entered, origin);
    const known = { ...meta.k, ...withoutSecrets(fieldsOf(tool), input) };
    const errors = {
      ...missingFields(tool, input, step?.form?.hints?.(known) ?? []),
      ...unchangedProblems(tool, input, meta),
      ...this.#errors(tool, input, problem),
    };
    if (Object.keys(errors).length > 0) return { ack: { response_action: 'errors', errors: atBlocks(errors, view) } };
    const place: ViewStep = { ...this.#placeOf(view.id, meta, origin), turn: 0 };
    const run: GuideSession = { guide, known, place };
    const busy = step ? this.#steps.busyStep(run, step) : undefined;
    return {
      ack: { response_action: 'update', view: this.#steps.busyView(run, busy ?? step) },
      after: () => {
        const now = { ...run, place: { ...place, turn: this.#views.nextTurn(view.id) } };
        return step ? this.#steps.perform(now, step, input) : this.#changeOrder(now, tool, input);
      },
    };
  }

  /** Problems by path, in the words of the form. */
  #errors(tool: Tool, input: Fields, named: { field: string; message: string } | undefined): Record<string, string> {
    const problems = fieldProblems(tool, input, new Date(this.#slack.clock.now()));
    const others = problems.filter(({ field }) => field !== named?.field);
    const all = [...(named ? [named] : []), ...others];
    const worded = all.map(({ field, message }) => ({
      field,
      message: inFormWords(tool, this.#slack.reworded(message)),
    }));
    return errorsAt(fieldsOf(tool), worded);
  }

  async press(
    pressed: GuideButton,
    value: string,
    view: { id: string; meta: GuideMeta },
    origin: Origin,
  ): Promise<void> {
    const [name = '', id = ''] = value.split('|');
    const guide = guides.find((candidate) => candidate.name === name);
    if (!guide) return undefined;
    const end = orderEnd(guide);
    const place = this.#placeOf(view.id, view.meta, origin);
    const run: GuideSession = { guide, known: view.meta.k ?? {}, place };
    if (pressed === 'skip') {
      const step = guide.steps.find((candidate) => candidate.name === id);
      return step && this.#steps.skip(run, step);
    }
    if (id.startsWith('act_')) return this.#resume(guide, id, place);
    if (!end) return undefined;
    if (pressed === 'fix') return this.#corrections.show(guide, { [end.key]: id }, place);
    if (pressed === 'stop') return this.#changeOrder(run, this.#views.toolOf(end.stop.operation), { [end.key]: id });
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

  #placeOf(viewId: string, meta: GuideMeta, origin: Origin): ViewStep {
    const asked: Origin = { ...origin, ...defined({ channel: meta.c || undefined }) };
    return { viewId, turn: this.#views.nextTurn(viewId), origin: asked, meta };
  }

  /** Shows the state of an action that a guide waits for, and goes on once it has ended. True if nothing is left to do. */
  async #advance(id: string): Promise<boolean> {
    const { gate, clock } = this.#slack;
    const action = await gate.actions.get(id);
    const note = action && guideNote(action);
    const guide = guides.find(({ name }) => name === note?.guide);
    if (!action || !note || !guide || note.isOver) return true;
    if (statusOf(action.state) === 'pending') return false;
    const { user: userId, team: teamId, channel } = note;
    const origin: Origin = { userId, teamId, ...defined({ channel }) };
    const meta: GuideMeta = { t: '', g: guide.name, a: id, ...defined({ c: channel }) };
    const place: ViewStep = { viewId: note.view, turn: note.turn, origin, meta };
    const run: GuideSession = { guide, known: note.known, place, isAlone: true };
    const step = guide.steps.find(({ name }) => name === note.step);
    if (await this.#waits.showOpen(action, run, step)) return false;
    if (!(await gate.notes.claim(id, 'guideTaken', clock.now() - TAKE_OVER_MS))) return false;
    const membership = await this.#slack.roles.membership(origin);
    if (!('refused' in membership)) await this.#views.learnNames(guide, note.known, membership.actor);
    await this.#settle(action, run, step);
    await gate.notes.merge(id, 'guide', { isOver: true });
    return true;
  }

  /** Shows where a guide is that waited for an action, in a view that its person has open. */
  async #resume(guide: Guide, id: string, place: ViewStep): Promise<void> {
    const { roles, gate } = this.#slack;
    const membership = await roles.membership(place.origin);
    let action = await gate.actions.get(id);
    const note = action && guideNote(action);
    if ('refused' in membership || !action || !note || action.actorId !== membership.actor.id) {
      const why = 'refused' in membership ? membership.refused : [rich.text('This request is no longer known.')];
      await this.#views.show(place, this.#views.plainView(guide, { at: APPROVAL }, place.meta, say('⛔ ', ...why)));
      return;
    }
    if (note.next !== undefined) return this.#resume(guide, note.next, place);
    await this.#views.learnNames(guide, note.known, membership.actor);
    await gate.notes.merge(id, 'guide', { view: place.viewId, turn: place.turn });
    if (action.state === 'unknown') {
      await gate.follow(id, membership.actor);
      action = (await gate.actions.get(id)) ?? action;
    }
    const { channel } = note;
    const meta: GuideMeta = { t: '', g: guide.name, a: id, ...defined({ c: channel }) };
    const origin = { ...place.origin, ...defined({ channel }) };
    const run: GuideSession = { guide, known: note.known, place: { ...place, origin, meta } };
    const step = guide.steps.find(({ name }) => name === note.step);
    if (action.state === 'pending') await this.#waits.showPending(action, run, step);
    else if (!(await this.#waits.showOpen(action, run, step))) await this.#goOnOnce(action, run, step, note);
  }

  /** Goes on after a decision unless another process does. */
  async #goOnOnce(action: Action, run: GuideSession, step: GuideStep | undefined, note: GuideNote): Promise<void> {
    const { notes } = this.#slack.gate;
    const stale = this.#slack.clock.now() - TAKE_OVER_MS;
    if (!note.isOver && !(await notes.claim(action.id, 'guideTaken', stale))) return;
    await this.#settle(action, run, step);
    await notes.merge(action.id, 'guide', { isOver: true });
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
    const { gate, roles, log, reworded } = this.#slack;
    const { guide, place } = run;
    const end = orderEnd(guide);
    if (!end) return undefined;
    const orderId = textOf(input[end.key]);
    const again = async (problem: string): Promise<void> => {
      if (tool.id === end.stop.operation) return this.#orders.follow(guide, orderId, place, problem);
      const above: Block[] = problemBlocks(problem);
      const entered = withoutSecrets(fieldsOf(tool), input);
      const form = this.#views.correctForm({ guide, end }, entered, place.meta, ...above);
      if (!(await this.#views.show(place, form))) await new Reply(this.#slack, place.origin).add(notice('❌', problem));
    };
    const member = await roles.admit(place.origin, neededRole(tool).ask);
    if ('refused' in member) return again(refusalText(member.refused));
    try {
      const notes = { ...askerNotes(place.origin), guide: this.#waits.noteOf(run, undefined) };
      const isForm = tool.id === end.correct.operation;
      const done = await gate.perform(tool.id, input, member.actor, {
        notes,
        ...(isForm && yesByForm(member.actor, run.known)),
      });
      if (done.kind === 'pending') return await this.#waits.follow(done.action, run, undefined);
      return await this.#orders.follow(guide, textOf(done.value[end.key]) || orderId, place);
    } catch (error) {
      const failure = asSwitchboardError(error);
      const { detail, face } = failure;
      if (detail) log(severity(face), { operation: tool.id, detail }, failure.message);
      return again(reworded(failureWords(face, 'slack')));
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

/** Problems by the names of the blocks, which have a mark. */
function atBlocks(errors: Readonly<Record<string, string>>, { values }: SentView): Record<string, string> {
  const blocks = new Map(Object.keys(values).map((block) => [pathOf(block), block]));
  const inside = (path: string) => [...blocks.keys()].find((one) => one.startsWith(`${path}.`)) ?? '';
  return Object.fromEntries(
    Object.entries(errors).map(([path, text]) => [blocks.get(path) ?? blocks.get(inside(path)) ?? path, text]),
  );
}
