import { type Guide, guides } from '../../../../tools/surfaces/flows.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { fieldProblems } from '../../../catalogue/input.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { decidedByOf } from '../../../gate/confirmation.ts';
import { type Performed, statusOf } from '../../../gate/gate.ts';
import type { Action } from '../../../gate/ledger/ledger.ts';
import { outcomeOf } from '../../../language/outcome.ts';
import { type Actor, hasRole } from '../../../lib/actor.ts';
import { asSwitchboardError, severity } from '../../../lib/errors.ts';
import { errorsAt, formView, isRecord, OUT_OF_DATE, pathOf, readForm, withoutSecrets } from '../blocks/form.ts';
import {
  followBlocks,
  foundBlocks,
  type GuideMeta,
  type GuideStage,
  guideView,
  problemBlocks,
  reasonBlocks,
  stageLine,
} from '../blocks/guide.ts';
import { deciderElement } from '../blocks/people.ts';
import { actions, type Block, button, cut, type Element, notice, rich, say } from '../blocks/text.ts';
import { IDS } from '../ids.ts';
import { SlackRefusal } from '../live/web.ts';
import type { Origin, SlackContext } from '../types.ts';
import type { SentView, ViewAnswer } from './forms.ts';
import { createReply } from './reply.ts';
import { refusalMessage } from './run.ts';

type Input = Record<string, unknown>;

/** A view, and the step its person is at. */
type At = Pick<ViewSession, 'viewId' | 'turn' | 'origin' | 'meta'>;

/** An open view of somebody who follows an action or an order in it. */
interface ViewSession {
  guide: Guide;
  viewId: string;
  /** Of the person's own steps: what belongs to an earlier one is not shown any more. */
  turn: number;
  origin: Origin;
  meta: GuideMeta;
  /** What was typed, without secrets: it comes back where the answer is no. */
  input: Input;
  actor: Actor;
}

export type Guides = ReturnType<typeof createGuides>;

const NOBODY: Actor = { id: 'slack', name: 'Slack', role: 'viewer', surface: 'slack', priority: 'person' };
const ROLE_MS = 1_200;
/** Its person has closed it. */
const GONE: ReadonlySet<string> = new Set(['not_found', 'view_not_found']);
const MAX_SEATS = 200;
const MAX_VIEWS = 2000;

/** Which guide a line starts, and what stands after its words. */
export function guideOf(group: string, text: string): { guide: Guide; rest: string } | undefined {
  for (const guide of guides) {
    const pattern = new RegExp(`^${guide.words.split(' ').join('[\\s_/-]+')}(?:\\s+|$)`, 'i');
    const found = guide.group === group ? pattern.exec(text.trim()) : null;
    if (found) return { guide, rest: text.trim().slice(found[0].length).trim() };
  }
  return undefined;
}

/** The guides that everything they need is there for. */
export function guidesFor(tools: readonly Tool[]): Guide[] {
  return guides.filter(({ check, submit, follow }) =>
    [check, submit, follow].every(({ operation }) => tools.some((tool) => tool.id === operation)),
  );
}

/**
 * One modal that steps along: check, details, approval, tracking, correction. It shows what the ledger and the
 * platform say; closing it loses nothing, because the card and the order's thread go on without it.
 */
export function createGuides(slack: Omit<SlackContext, 'guides'>) {
  const { gate, web, log } = slack;
  const byAction = new Map<string, ViewSession>();
  const byOrder = new Map<string, Map<string, ViewSession>>();
  const lanes = new Map<string, Promise<boolean>>();
  const turns = new Map<string, number>();
  /** The person's next step in this view. */
  function step(viewId: string): number {
    const turn = (turns.get(viewId) ?? 0) + 1;
    turns.delete(viewId);
    turns.set(viewId, turn);
    const [oldest] = turns.keys();
    if (turns.size > MAX_VIEWS && oldest !== undefined) turns.delete(oldest);
    return turn;
  }
  function actionMoved(id: string): void {
    const who = byAction.get(id);
    if (who) void moved(id, who).catch(failed);
  }
  const stop = gate.onChange(({ id }) => actionMoved(id));
  const failed = (error: unknown) => log('error', { error: String(error) }, 'a guide could not go on');

  const toolOf = (id: string): Tool => {
    const tool = slack.tools.find((candidate) => candidate.id === id);
    if (!tool) throw new Error(`there is no operation ${id}`);
    return tool;
  };

  function seat(at: Map<string, ViewSession>, key: string, who: ViewSession): void {
    at.set(key, who);
    const [oldest] = at.keys();
    if (at.size > MAX_SEATS && oldest !== undefined) at.delete(oldest);
  }

  /** Shows a view again, one change after the other; false where somebody has closed it, which is no fault. */
  function show({ viewId, turn }: Pick<ViewSession, 'viewId' | 'turn'>, view: Element): Promise<boolean> {
    const work = (lanes.get(viewId) ?? Promise.resolve(true)).then(async () => {
      // Somebody who has gone on, and may be typing, is not taken back.
      if (turns.get(viewId) !== turn) return true;
      try {
        await web.updateView(viewId, view);
        return true;
      } catch (error) {
        const gone = error instanceof SlackRefusal && GONE.has(error.reason);
        log(gone ? 'debug' : 'warn', { view: viewId, error: String(error) }, 'a guide could not be shown');
        return !gone;
      }
    });
    lanes.set(viewId, work);
    void work.then(() => {
      if (lanes.get(viewId) === work) lanes.delete(viewId);
    });
    return work;
  }

  let serial = 0;
  function framed(guide: Guide) {
    serial += 1;
    // Unlike any before it, also of the process before this one.
    return { title: guide.title, mark: `${slack.clock.now().toString(36)}${serial}` };
  }

  function checkForm(guide: Guide, input: Input, meta: GuideMeta, ...above: Block[]): Element {
    const tool = toolOf(guide.check.operation);
    return formView(tool, fieldsOf(tool), input, { ...meta, t: tool.id }, slack.reworded, {
      ...framed(guide),
      submit: 'Check',
      above: [stageLine(guide, 'check'), ...above, say(guide.check.says)],
    });
  }

  function submitForm(guide: Guide, input: Input, meta: GuideMeta, ...above: Block[]): Element {
    const tool = toolOf(guide.submit.operation);
    const fields = fieldsOf(tool);
    return formView(tool, fields, withoutSecrets(fields, input), { ...meta, t: tool.id }, slack.reworded, {
      ...framed(guide),
      submit: 'Ask to confirm',
      above: [stageLine(guide, 'submit'), ...above, ...foundBlocks(guide, meta.k ?? {})],
    });
  }

  function waitView(guide: Guide, meta: GuideMeta, ...blocks: Block[]): Element {
    return guideView(guide, 'approval', { ...meta, t: '' }, ...blocks);
  }

  /** An order for this number that has not ended: it goes on, rather than being placed again. */
  function underWay(guide: Guide, phone: string): Block[] {
    if (phone === '') return [];
    for (const { operation, state, result } of gate.actions.about(phone, 20)) {
      const orderId = text(result?.[guide.key]);
      if (operation !== guide.submit.operation || !['done', 'partly'].includes(state) || orderId === '') continue;
      const status = gate.history(NOBODY).order(orderId)?.status ?? text(result?.Status);
      if (guide.ends.includes(status)) continue;
      return [
        say('⚠️ There is an order for this number already: ', rich.code(orderId), ` (${status}).`),
        actions('guide', button(IDS.orderLook, 'Go on with it', `${guide.name}|${orderId}`, { style: 'primary' })),
      ];
    }
    return [];
  }

  /** Opens the guide at its beginning, or at the order that is named. */
  async function start(guide: Guide, given: string, origin: Origin): Promise<void> {
    const reply = createReply(web, log, origin, false);
    const meta: GuideMeta = {
      t: guide.check.operation,
      g: guide.name,
      ...(origin.channel ? { c: origin.channel } : {}),
    };
    const isOrder = /^[A-Z]+-/.test(given);
    const input: Input = { ...guide.check.given, ...(given !== '' && !isOrder ? { [guide.check.phone]: given } : {}) };
    const first = isOrder
      ? guideView(guide, 'follow', { ...meta, t: '' }, say('⏳ Looking the order up…'))
      : checkForm(guide, input, meta, ...underWay(guide, given));
    if (!origin.triggerId) return;
    // A role that is known to be missing is said; one that is still being looked up does not hold the form back.
    const late = web.sleep(ROLE_MS).then(() => undefined);
    const who = await Promise.race([slack.roles.membership(origin), late]);
    const refused = who && slack.roles.refusal(who, 'viewer');
    if (refused) {
      await reply.show(refusalMessage(refused));
      return;
    }
    let viewId: string;
    try {
      viewId = await web.openView(origin.triggerId, first);
    } catch (error) {
      log('warn', { guide: guide.name, error: String(error) }, 'a guide could not be opened');
      await reply.show(notice('⚠️', 'Slack did not open the form. Write the command once more.'));
      return;
    }
    if (isOrder) await follow(guide, given, { viewId, turn: step(viewId), origin, meta });
  }

  /** One step forward: what is wrong is said at its field, otherwise the view says that it is being worked on. */
  async function submit(view: SentView, meta: GuideMeta, origin: Origin): Promise<ViewAnswer> {
    const guide = guides.find(({ name }) => name === meta.g);
    const tool = slack.tools.find(({ id }) => id === meta.t);
    if (!guide || !tool) return { ack: { response_action: 'update', view: OUT_OF_DATE } };
    const fields = fieldsOf(tool);
    const input = readForm(fields, view.values);
    const errors = {
      ...missing(guide, tool, input, meta),
      ...errorsAt(fields, fieldProblems(tool, input, new Date(slack.clock.now()))),
    };
    if (Object.keys(errors).length > 0) {
      const blocks = new Map(Object.keys(view.values).map((block) => [pathOf(block), block]));
      const named = Object.entries(errors).map(([path, text]) => [blocks.get(path) ?? path, text]);
      return { ack: { response_action: 'errors', errors: Object.fromEntries(named) } };
    }
    const at: GuideStage =
      tool.id === guide.check.operation ? 'check' : tool.id === guide.submit.operation ? 'submit' : 'follow';
    const busy = at === 'check' ? 'Asking whether it can be ported…' : 'Working on it…';
    const asked: Origin = { ...origin, ...(meta.c ? { channel: meta.c } : {}) };
    return {
      ack: { response_action: 'update', view: guideView(guide, at, meta, say(`⏳ ${busy}`)) },
      after: () => go(guide, tool, input, { viewId: view.id, turn: step(view.id), origin: asked, meta }),
    };
  }

  /** What this number needs although the operation does not always. */
  function missing(guide: Guide, tool: Tool, input: Input, meta: GuideMeta): Record<string, string> {
    if (tool.id !== guide.submit.operation) return {};
    const wanted = guide.submit.hints.filter(
      ({ when, field }) => field !== undefined && when?.[1].test(meta.k?.[when[0]] ?? ''),
    );
    return Object.fromEntries(
      wanted.flatMap(({ field, text }) => (field !== undefined && input[field] === undefined ? [[field, text]] : [])),
    );
  }

  async function go(guide: Guide, tool: Tool, input: Input, at: At): Promise<void> {
    const kept = withoutSecrets(fieldsOf(tool), input);
    const again = async (problem: string, quoted = '') => {
      if (tool.id === guide.stop.operation) {
        await follow(guide, text(input[guide.key]), at, `${problem} ${quoted}`.trim());
        return true;
      }
      const above = problemBlocks(problem, quoted);
      const view =
        tool.id === guide.check.operation
          ? checkForm(guide, kept, at.meta, ...above)
          : tool.id === guide.submit.operation
            ? submitForm(guide, kept, at.meta, ...above)
            : correctForm(guide, kept, at.meta, ...above);
      return show(at, view);
    };
    const who = await slack.roles.membership(at.origin);
    const refused = slack.roles.refusal(who, neededRole(tool).ask);
    if ('refused' in who || refused) {
      // What was typed stays: Slack may only be slow to tell the role.
      await again((refused ?? []).map((element) => text(element.text)).join(''));
      return;
    }
    let done: Performed;
    try {
      done = await gate.perform(tool.id, input, who.actor, {
        ...(tool.risk === 'read'
          ? {}
          : {
              notes: { slack: { asker: at.origin.userId, ...(at.origin.channel ? { from: at.origin.channel } : {}) } },
            }),
      });
    } catch (error) {
      const failure = asSwitchboardError(error);
      if (failure.detail) log(severity(failure.face), { operation: tool.id, detail: failure.detail }, failure.message);
      if (failure.face.outcome === 'unknown')
        await show(at, waitView(guide, at.meta, say('❓ ', rich.text(slack.reworded(failure.message)))));
      else if (!(await again(slack.reworded(failure.message))))
        await createReply(web, log, at.origin, false).add(notice('❌', slack.reworded(failure.message)));
      return;
    }
    slack.directory.learn(kept);
    const who2: ViewSession = { guide, ...at, input: kept, actor: who.actor };
    if (done.kind === 'pending') {
      await waiting(done.action, who2);
      return;
    }
    if (tool.id === guide.check.operation) {
      const yes = done.value[guide.check.passes];
      if (yes !== true && yes !== 'true') {
        await again('It cannot be ported in.', text(done.value[guide.check.why]));
        return;
      }
      const found = Object.fromEntries(guide.check.facts.map((name) => [name, cut(text(done.value[name]), 100)]));
      const next: Input = {};
      for (const [from, to] of Object.entries(guide.check.carries)) next[to] = done.value[from] ?? kept[from];
      await show(at, submitForm(guide, next, { ...at.meta, k: found }));
      return;
    }
    const order = text(done.value[guide.key]) || text(input[guide.key]);
    await follow(guide, order, at);
  }

  async function waiting(action: Action, who: ViewSession): Promise<void> {
    seat(byAction, action.id, who);
    const card = await slack.cards.ensure(action.id);
    const link = card && (await web.permalink(card));
    // It may have been decided while its card was posted.
    if (gate.actions.get(action.id)?.state !== 'pending') return moved(action.id, who);
    await show(
      who,
      waitView(
        who.guide,
        who.meta,
        say('🔐 ', rich.bold(action.consent?.title ?? ''), ' waits for an approver. Nothing has been sent.'),
        say(
          'This form goes on by itself once it is decided. ',
          ...(link ? [{ type: 'link', url: link, text: 'Open the card' }] : ['Approvers find it in the app’s Home.']),
        ),
        actions('guide', button(IDS.orderLook, 'Look again', `${who.guide.name}|${action.id}`)),
      ),
    );
    return undefined;
  }

  /** The action that a view waits for has moved. */
  async function moved(id: string, who: ViewSession): Promise<void> {
    // As it is now: a change that was told a moment ago may be past.
    const action = gate.actions.get(id);
    if (!action) return;
    const { guide, meta } = who;
    const status = statusOf(action.state);
    if (status === 'pending') return;
    const { mark, headline: word } = outcomeOf(action, gate.tool(action.operation));
    if (status === 'running') {
      await show(
        who,
        waitView(guide, meta, say(`${mark} Confirmed by `, deciderElement(action) ?? 'a person', ' and running.')),
      );
      return;
    }
    byAction.delete(action.id);
    const order = text(action.result?.[guide.key]) || text(action.shown[guide.key]);
    if (status === 'done' || status === 'partly') return void (await follow(guide, order, who));
    if (status === 'unknown') {
      const reworded = slack.reworded(action.error?.message ?? '');
      await show(
        who,
        waitView(guide, meta, say(`${mark} `, rich.bold('It may have been done.'), ' ', rich.text(reworded))),
      );
      return;
    }
    const why = status === 'failed' ? slack.reworded(action.error?.message ?? '') : '';
    const by =
      status === 'declined' && action.decidedVia !== 'cancelled' ? ` by ${decidedByOf(action) ?? 'a person'}` : '';
    if (action.operation === guide.submit.operation) {
      const above = problemBlocks(`${word}${by}. Nothing was done.`, why);
      await show(who, submitForm(guide, who.input, meta, ...above, say('Secrets are not kept: type them again.')));
    } else await follow(guide, order, who, `${word}${by}. ${why}`.trim());
  }

  /** Reads an order and shows where it is; from then on the view moves with it. */
  async function follow(guide: Guide, orderId: string, at: At, problem?: string): Promise<void> {
    const who = await slack.roles.membership(at.origin);
    const refused = slack.roles.refusal(who, 'viewer');
    if ('refused' in who || refused) {
      await show(at, guideView(guide, 'follow', at.meta, say('⛔ ', ...(refused ?? []))));
      return;
    }
    let value: Input = {};
    let trouble = problem;
    try {
      const read = await gate.perform(guide.follow.operation, { [guide.follow.field]: orderId }, who.actor);
      value = read.kind === 'done' ? read.value : {};
    } catch (error) {
      trouble = slack.reworded(asSwitchboardError(error).message);
    }
    const first = (names: readonly string[]) => names.map((name) => text(value[name])).find((one) => one !== '') ?? '';
    const { list, member } = guide.follow.numbers;
    const numbers = Array.isArray(value[list]) ? (value[list] as Input[]) : [];
    const who2: ViewSession = { guide, ...at, input: {}, actor: who.actor };
    const order = { orderId, status: first(guide.follow.status), message: first(guide.follow.message) };
    const seats = byOrder.get(orderId) ?? new Map<string, ViewSession>();
    seat(seats, at.viewId, who2);
    byOrder.set(orderId, seats);
    if (byOrder.size > MAX_SEATS) byOrder.delete([...byOrder.keys()][0] ?? '');
    if (!(await showOrder({ ...order, phone: text(numbers[0]?.[member]) || undefined }, who2, trouble)))
      seats.delete(at.viewId);
  }

  function showOrder(
    order: { orderId: string; status: string; message: string; phone?: string | undefined },
    who: ViewSession,
    problem?: string,
  ): Promise<boolean> {
    const { guide, meta, actor } = who;
    const may = (operation: string) => {
      const tool = slack.tools.find(({ id }) => id === operation);
      return tool !== undefined && hasRole(actor, neededRole(tool).ask);
    };
    const blocks = followBlocks(guide, order, {
      correct: may(guide.correct.operation),
      stop: may(guide.stop.operation),
    });
    return show(who, guideView(guide, 'follow', { ...meta, t: '' }, ...problemBlocks(problem), ...blocks));
  }

  function correctForm(guide: Guide, input: Input, meta: GuideMeta, ...above: Block[]): Element {
    const tool = toolOf(guide.correct.operation);
    const fields = fieldsOf(tool);
    return formView(tool, fields, withoutSecrets(fields, input), { ...meta, t: tool.id }, slack.reworded, {
      ...framed(guide),
      submit: 'Submit again',
      above: [stageLine(guide, 'follow'), ...above, say(guide.correct.says)],
    });
  }

  /** A button inside the form: look again, correct, stop. */
  async function press(
    what: 'look' | 'fix' | 'stop',
    value: string,
    view: { id: string; meta: GuideMeta },
    origin: Origin,
  ): Promise<void> {
    const [name = '', orderId = ''] = value.split('|');
    const guide = guides.find((candidate) => candidate.name === name);
    if (!guide) return;
    const asked: Origin = { ...origin, ...(view.meta.c ? { channel: view.meta.c } : {}) };
    const at = { viewId: view.id, turn: step(view.id), origin: asked, meta: view.meta };
    if (what === 'look' && orderId.startsWith('act_')) return lookAt(guide, orderId, at);
    if (what === 'look') return follow(guide, orderId, at);
    if (what === 'stop') return go(guide, toolOf(guide.stop.operation), { [guide.key]: orderId }, at);
    byOrder.get(orderId)?.delete(view.id);
    const tool = toolOf(guide.correct.operation);
    const refused = slack.roles.refusal(await slack.roles.membership(asked), neededRole(tool).ask);
    if (refused) return void (await createReply(web, log, asked, false).add(refusalMessage(refused)));
    const old = slack.before(tool, { [guide.key]: orderId });
    const reworded = gate.history(NOBODY).order(orderId)?.message ?? '';
    await show(at, correctForm(guide, { ...old, [guide.key]: orderId }, view.meta, ...reasonBlocks(reworded)));
    return undefined;
  }

  /** The action a view waits for, read again: also after a restart, when nobody remembers the view. */
  async function lookAt(guide: Guide, id: string, at: At): Promise<void> {
    const who = await slack.roles.membership(at.origin);
    const action = gate.actions.get(id);
    if ('refused' in who || !action || action.actorId !== who.actor.id) {
      const why = 'refused' in who ? who.refused : [rich.text('This is not known here any more.')];
      await show(at, waitView(guide, at.meta, say('⛔ ', ...why)));
      return;
    }
    const input = action.operation === guide.submit.operation ? action.shown : {};
    const next: ViewSession = { guide, ...at, input, actor: who.actor };
    await (action.state === 'pending' ? waiting(action, next) : moved(id, next));
  }

  return {
    start,
    submit,
    press,
    /** An action has moved, in whichever process. */
    actionMoved,
    /** An order has moved, as the platform told: the views that show it follow. */
    async orderMoved(order: {
      orderId: string;
      status: string;
      message: string;
      numbers?: readonly string[];
    }): Promise<void> {
      const seats = byOrder.get(order.orderId);
      const shown = { ...order, phone: order.numbers?.[0] };
      await Promise.all(
        [...(seats ?? [])].map(async ([viewId, who]) => {
          if (!(await showOrder(shown, who).catch(() => false))) seats?.delete(viewId);
        }),
      );
      if (seats?.size === 0) byOrder.delete(order.orderId);
    },
    close: stop,
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** What a guide's view carries; undefined for every other view. */
export function guideMeta(metadata: string): GuideMeta | undefined {
  try {
    const meta: unknown = JSON.parse(metadata);
    if (!isRecord(meta) || typeof meta.g !== 'string') return undefined;
    const found = isRecord(meta.k) ? Object.entries(meta.k).map(([name, value]) => [name, text(value)]) : [];
    return {
      t: text(meta.t),
      g: meta.g,
      ...(typeof meta.c === 'string' ? { c: meta.c } : {}),
      ...(found.length > 0 ? { k: Object.fromEntries(found) } : {}),
    };
  } catch {
    return undefined;
  }
}
