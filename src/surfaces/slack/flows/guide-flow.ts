import { type Guide, guides } from '../../../../tools/surfaces/flows.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { fieldProblems } from '../../../catalogue/input.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { decidedByOf } from '../../../gate/confirmation.ts';
import { type Performed, statusOf } from '../../../gate/gate.ts';
import { failureWords } from '../../../language/failure.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { BoundedMap } from '../../../lib/bounded-map.ts';
import { asSwitchboardError, severity } from '../../../lib/errors.ts';
import { defined, type Fields, textOf } from '../../../lib/json.ts';
import { hasEnded, orderState } from '../../../platform/dialect/orders.ts';
import type { OrderShown } from '../blocks/event.ts';
import { OUT_OF_DATE } from '../blocks/form.ts';
import { errorsAt, pathOf, readForm, withoutSecrets } from '../blocks/form-values.ts';
import { type GuideMeta, type GuideStage, guideView, problemBlocks } from '../blocks/guide.ts';
import { unchangedProblems } from '../blocks/guide-correction.ts';
import { refusalMessage } from '../blocks/notices.ts';
import { deciderElement } from '../blocks/people.ts';
import { actions, type Block, button, cut, notice, rich, say } from '../blocks/text.ts';
import type { GuideButton, Guides, SlackServices } from '../context.ts';
import { IDS } from '../ids.ts';
import { askerNotes, type Origin, type SentView, SLACK_ACTOR, type ViewAnswer } from '../types.ts';
import { GuideCorrections } from './guide-corrections.ts';
import { GuideOrders } from './guide-orders.ts';
import { GuideViews, type ViewSession, type ViewStep } from './guide-views.ts';
import { Reply } from './reply.ts';

const MAX_SESSIONS = 200;

/**
 * One modal that leads through check, details, approval, tracking and correction. It shows the state in the ledger and
 * on the platform. Closing it loses nothing, because the card and the order's thread continue without it.
 */
export class GuideFlow implements Guides {
  readonly #slack: SlackServices;
  readonly #views: GuideViews;
  readonly #orders: GuideOrders;
  readonly #corrections: GuideCorrections;
  readonly #byAction = new BoundedMap<string, ViewSession>(MAX_SESSIONS);
  readonly #unsubscribe: () => void;

  constructor(slack: SlackServices) {
    this.#slack = slack;
    this.#views = new GuideViews(slack);
    this.#orders = new GuideOrders(slack, this.#views);
    this.#corrections = new GuideCorrections(slack, this.#views, this.#orders);
    this.#unsubscribe = slack.gate.onChange(({ id }) => this.actionChanged(id));
  }

  async start(guide: Guide, given: string, origin: Origin): Promise<void> {
    const { web, log, roles } = this.#slack;
    if (!origin.triggerId) return;
    const reply = new Reply(this.#slack, origin);
    const meta: GuideMeta = {
      t: guide.check.operation,
      g: guide.name,
      ...defined({ c: origin.channel || undefined }),
    };
    const isOrder = /^[A-Z]+-/.test(given);
    const phone = isOrder ? '' : given;
    const input = { ...guide.check.given, ...(phone === '' ? {} : { [guide.check.phone]: phone }) };
    const first = isOrder
      ? guideView(guide, 'follow', { ...meta, t: '' }, say('⏳ Looking up the order…'))
      : this.#views.checkForm(guide, input, meta, ...(await this.#openOrder(guide, phone)));
    const refused = await roles.timelyRefusal(origin, 'viewer');
    if (refused) {
      await reply.show(refusalMessage(refused));
      return;
    }
    let viewId: string;
    try {
      viewId = await web.openView(origin.triggerId, first);
    } catch (error) {
      log('warn', { guide: guide.name, error: String(error) }, 'failed to open a guide');
      await reply.show(notice('⚠️', 'Slack did not open the form. Enter the command again.'));
      return;
    }
    if (isOrder) await this.#orders.follow(guide, given, { viewId, turn: this.#views.nextTurn(viewId), origin, meta });
  }

  correct(guide: Guide, input: Fields, origin: Origin): Promise<boolean> {
    return this.#corrections.open(guide, input, origin);
  }

  async submit(view: SentView, meta: GuideMeta, origin: Origin): Promise<ViewAnswer> {
    const guide = guides.find(({ name }) => name === meta.g);
    const tool = this.#slack.tools.find(({ id }) => id === meta.t);
    if (!guide || !tool) return { ack: { response_action: 'update', view: OUT_OF_DATE } };
    const fields = fieldsOf(tool);
    const input = { ...meta.v, ...readForm(fields, view.values) };
    const errors = {
      ...missingFields(guide, tool, input, meta),
      ...unchangedProblems(tool, input, meta),
      ...errorsAt(fields, fieldProblems(tool, input, new Date(this.#slack.clock.now()))),
    };
    if (Object.keys(errors).length > 0) {
      const blocks = new Map(Object.keys(view.values).map((block) => [pathOf(block), block]));
      const inside = (path: string) => [...blocks.keys()].find((one) => one.startsWith(`${path}.`)) ?? '';
      const named = Object.entries(errors).map(([path, text]) => [
        blocks.get(path) ?? blocks.get(inside(path)) ?? path,
        text,
      ]);
      return { ack: { response_action: 'errors', errors: Object.fromEntries(named) } };
    }
    const stage = stageOf(guide, tool);
    const busy = stage === 'check' ? 'Checking whether the number can be ported…' : 'Working on it…';
    const asked: Origin = { ...origin, ...defined({ channel: meta.c || undefined }) };
    return {
      ack: { response_action: 'update', view: guideView(guide, stage, meta, say(`⏳ ${busy}`)) },
      after: () => {
        const step = { viewId: view.id, turn: this.#views.nextTurn(view.id), origin: asked, meta };
        return this.#runStep(guide, tool, input, step);
      },
    };
  }

  async press(
    pressed: GuideButton,
    value: string,
    view: { id: string; meta: GuideMeta },
    origin: Origin,
  ): Promise<void> {
    const [name = '', id = ''] = value.split('|');
    const guide = guides.find((candidate) => candidate.name === name);
    if (!guide) return;
    const asked: Origin = { ...origin, ...defined({ channel: view.meta.c || undefined }) };
    const step = { viewId: view.id, turn: this.#views.nextTurn(view.id), origin: asked, meta: view.meta };
    if (pressed === 'fix') return this.#corrections.show(guide, { [guide.key]: id }, step);
    if (pressed === 'stop')
      return this.#runStep(guide, this.#views.toolOf(guide.stop.operation), { [guide.key]: id }, step);
    return id.startsWith('act_') ? this.#refreshAction(guide, id, step) : this.#orders.follow(guide, id, step);
  }

  actionChanged(id: string): void {
    const session = this.#byAction.get(id);
    if (session)
      void this.#showAction(id, session).catch((error: unknown) =>
        this.#slack.log('error', { error: String(error) }, 'failed to update a guide'),
      );
  }

  orderChanged(order: OrderShown): Promise<void> {
    return this.#orders.changed(order);
  }

  close(): void {
    this.#unsubscribe();
  }

  /** Finds an order for this number that has not ended, so that it is continued instead of placed again. */
  async #openOrder(guide: Guide, phone: string): Promise<Block[]> {
    if (phone === '') return [];
    const { gate } = this.#slack;
    for (const { operation, state, result } of await gate.actions.about(phone, 20)) {
      const orderId = textOf(result?.[guide.key]);
      if (operation !== guide.submit.operation || !['done', 'partly'].includes(state) || orderId === '') continue;
      const status = (await gate.history(SLACK_ACTOR).order(orderId))?.status ?? orderState(result);
      if (hasEnded(status)) continue;
      return [
        say('⚠️ An order for this number already exists: ', rich.code(orderId), ` (${status}).`),
        actions('guide', button(IDS.orderLook, 'Open the order', `${guide.name}|${orderId}`, { style: 'primary' })),
      ];
    }
    return [];
  }

  /** Performs the operation of a step, and shows the next step. */
  async #runStep(guide: Guide, tool: Tool, input: Fields, step: ViewStep): Promise<void> {
    const { gate, roles, directory } = this.#slack;
    const entered = withoutSecrets(fieldsOf(tool), input);
    const member = await roles.admit(step.origin, neededRole(tool).ask);
    if ('refused' in member) {
      // Keep the input, because Slack may only be slow to return the role.
      const problem = member.refused.map((element) => textOf(element.text)).join('');
      await this.#showAgain({ guide, tool, input: entered, step, problem });
      return;
    }
    let done: Performed;
    try {
      const notes = tool.risk === 'read' ? {} : { notes: askerNotes(step.origin) };
      done = await gate.perform(tool.id, input, member.actor, notes);
    } catch (error) {
      await this.#showFailure({ guide, tool, input: entered, step }, error);
      return;
    }
    directory.learn(entered);
    if (done.kind === 'pending') {
      await this.#showPending(done.action, { guide, ...step, input: entered, actor: member.actor });
    } else if (tool.id === guide.check.operation) await this.#showChecked(guide, done.value, entered, step);
    else await this.#orders.follow(guide, textOf(done.value[guide.key]) || textOf(input[guide.key]), step);
  }

  /** Shows the same step again with the input and the problem. False if the view was closed. */
  async #showAgain(again: {
    guide: Guide;
    tool: Tool;
    input: Fields;
    step: ViewStep;
    problem: string;
    quoted?: string;
  }): Promise<boolean> {
    const { guide, tool, input, step, problem, quoted = '' } = again;
    if (tool.id === guide.stop.operation) {
      await this.#orders.follow(guide, textOf(input[guide.key]), step, `${problem} ${quoted}`.trim());
      return true;
    }
    const above = problemBlocks(problem, quoted);
    const { meta } = step;
    switch (stageOf(guide, tool)) {
      case 'check':
        return this.#views.show(step, this.#views.checkForm(guide, input, meta, ...above));
      case 'submit':
        return this.#views.show(step, this.#views.submitForm(guide, input, meta, ...above));
      default:
        return this.#views.show(step, this.#views.correctForm(guide, input, meta, ...above));
    }
  }

  async #showFailure(job: { guide: Guide; tool: Tool; input: Fields; step: ViewStep }, error: unknown): Promise<void> {
    const { log, reworded } = this.#slack;
    const { guide, tool, step } = job;
    const failure = asSwitchboardError(error);
    if (failure.detail) log(severity(failure.face), { operation: tool.id, detail: failure.detail }, failure.message);
    const problem = reworded(failureWords(failure.face, 'slack'));
    if (failure.face.outcome === 'unknown') {
      await this.#views.show(step, this.#views.waitView(guide, step.meta, say('❓ ', rich.text(problem))));
    } else if (!(await this.#showAgain({ ...job, problem })))
      await new Reply(this.#slack, step.origin).add(notice('❌', problem));
  }

  /** After the check: the details form, or the reason why the number cannot be ported. */
  async #showChecked(guide: Guide, answer: Fields, entered: Fields, step: ViewStep): Promise<void> {
    const { check } = guide;
    const passed = answer[check.passes];
    if (passed !== true && passed !== 'true') {
      const quoted = textOf(answer[check.why]);
      const tool = this.#views.toolOf(check.operation);
      await this.#showAgain({
        guide,
        tool,
        input: entered,
        step,
        problem: 'This number cannot be ported in.',
        quoted,
      });
      return;
    }
    const facts = Object.fromEntries(check.facts.map((name) => [name, cut(textOf(answer[name]), 100)]));
    const input = Object.fromEntries(
      Object.entries(check.carries).map(([from, to]) => [to, answer[from] ?? entered[from]]),
    );
    await this.#views.show(step, this.#views.submitForm(guide, input, { ...step.meta, k: facts }));
  }

  async #showPending(action: Action, session: ViewSession): Promise<void> {
    const { cards, web, gate } = this.#slack;
    const { guide, meta } = session;
    this.#byAction.set(action.id, session);
    const card = await cards.ensure(action.id);
    const link = card && (await web.permalink(card));
    // It may have been decided while its card was being posted.
    if ((await gate.actions.get(action.id))?.state !== 'pending') return this.#showAction(action.id, session);
    const view = this.#views.waitView(
      guide,
      meta,
      say('🔐 ', rich.bold(action.consent?.title ?? ''), ' waits for an approver. Nothing has been sent.'),
      say(
        'This form continues automatically after the decision. ',
        ...(link ? [{ type: 'link', url: link, text: 'Open the card' }] : ['Approvers find it in the app’s Home.']),
      ),
      actions('guide', button(IDS.orderLook, 'Refresh', `${guide.name}|${action.id}`)),
    );
    await this.#views.show(session, view);
    return undefined;
  }

  /** Shows the current state of the action that a view waits for. */
  async #showAction(id: string, session: ViewSession): Promise<void> {
    const { gate, reworded } = this.#slack;
    const action = await gate.actions.get(id);
    if (!action) return;
    const { guide, meta } = session;
    const status = statusOf(action.state);
    if (status === 'pending') return;
    const { mark, detail } = outcomeOf(action, gate.tool(action.operation));
    if (status === 'running') {
      const by = deciderElement(action) ?? 'a person';
      const running = say(`${mark} Confirmed by `, by, ' and running.');
      await this.#views.show(session, this.#views.waitView(guide, meta, running));
      return;
    }
    this.#byAction.delete(action.id);
    if (status === 'done' || status === 'partly') {
      await this.#orders.follow(guide, orderIn(guide, action), session);
    } else if (status === 'unknown') {
      const message = rich.text(reworded(detail));
      const unknown = say(`${mark} `, rich.bold('It may have been done.'), ' ', message);
      await this.#views.show(session, this.#views.waitView(guide, meta, unknown));
    } else await this.#showNotDone(action, session);
  }

  /** After a refusal, failure or expiry: the form with its input, or the order as it was. */
  async #showNotDone(action: Action, session: ViewSession): Promise<void> {
    const { guide, meta } = session;
    const { headline, effect, detail } = outcomeOf(action, this.#slack.gate.tool(action.operation));
    const why = action.state === 'failed' ? this.#slack.reworded(detail) : '';
    const declined = action.state === 'declined' && action.decidedVia !== 'cancelled';
    const by = declined ? ` by ${decidedByOf(action) ?? 'a person'}` : '';
    if (action.operation !== guide.submit.operation) {
      await this.#orders.follow(guide, orderIn(guide, action), session, `${headline}${by}. ${why}`.trim());
      return;
    }
    const above = problemBlocks(`${headline}${by}. ${effect}`, why);
    const form = this.#views.submitForm(
      guide,
      session.input,
      meta,
      ...above,
      say('Secrets are not kept. Enter them again.'),
    );
    await this.#views.show(session, form);
  }

  /** Reads the action that a view waits for, also after a restart, when its session is lost. */
  async #refreshAction(guide: Guide, id: string, step: ViewStep): Promise<void> {
    const { roles, gate } = this.#slack;
    const membership = await roles.membership(step.origin);
    const action = await gate.actions.get(id);
    if ('refused' in membership || !action || action.actorId !== membership.actor.id) {
      const why = 'refused' in membership ? membership.refused : [rich.text('This request is no longer known.')];
      await this.#views.show(step, this.#views.waitView(guide, step.meta, say('⛔ ', ...why)));
      return;
    }
    const input = action.operation === guide.submit.operation ? action.shown : {};
    const session: ViewSession = { guide, ...step, input, actor: membership.actor };
    await (action.state === 'pending' ? this.#showPending(action, session) : this.#showAction(id, session));
  }
}

function stageOf({ check, submit }: Guide, tool: Tool): GuideStage {
  if (tool.id === check.operation) return 'check';
  return tool.id === submit.operation ? 'submit' : 'follow';
}

/** Fields that this number requires although the operation does not require them in general. */
function missingFields(guide: Guide, tool: Tool, input: Fields, meta: GuideMeta): Record<string, string> {
  if (tool.id !== guide.submit.operation) return {};
  const applying = guide.submit.hints.filter(({ when }) => when?.[1].test(meta.k?.[when[0]] ?? ''));
  return Object.fromEntries(
    applying.flatMap(({ field, text }) => (field !== undefined && input[field] === undefined ? [[field, text]] : [])),
  );
}

/** The order that an action started or changed. */
function orderIn(guide: Guide, { result, shown }: Action): string {
  return textOf(result?.[guide.key]) || textOf(shown[guide.key]);
}
