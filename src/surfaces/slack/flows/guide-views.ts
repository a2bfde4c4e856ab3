import type { Guide } from '../../../../tools/surfaces/flows.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Actor } from '../../../lib/actor.ts';
import { BoundedMap } from '../../../lib/bounded-map.ts';
import type { Fields } from '../../../lib/json.ts';
import { type Frame, formView } from '../blocks/form.ts';
import { withoutSecrets } from '../blocks/form-values.ts';
import { foundBlocks, type GuideMeta, guideView, stageLine } from '../blocks/guide.ts';
import { correctionFrame } from '../blocks/guide-correction.ts';
import { type Block, type Element, say } from '../blocks/text.ts';
import type { SlackServices } from '../context.ts';
import { SlackRefusal } from '../live/refusal.ts';
import type { Origin } from '../types.ts';

/** An open view, and the current step of its person. */
export interface ViewStep {
  viewId: string;
  /** Counts the person's own steps. Updates that belong to an earlier step are skipped. */
  turn: number;
  origin: Origin;
  meta: GuideMeta;
}

/** An open view that follows an action or an order. */
export interface ViewSession extends ViewStep {
  guide: Guide;
  /** The entered values, without secrets. They are filled in again if the step fails. */
  input: Fields;
  actor: Actor;
}

/** The person has closed the view. */
const CLOSED: ReadonlySet<string> = new Set(['not_found', 'view_not_found']);
const MAX_VIEWS = 2000;

/** The modals of guides: draws their forms, and shows updates of one view in order. */
export class GuideViews {
  readonly #slack: SlackServices;
  readonly #turns = new BoundedMap<string, number>(MAX_VIEWS);
  /** The last update of each view. */
  readonly #updates = new Map<string, Promise<boolean>>();
  #serial = 0;

  constructor(slack: SlackServices) {
    this.#slack = slack;
  }

  /** Counts a step of the person in this view. */
  nextTurn(viewId: string): number {
    const turn = (this.#turns.get(viewId) ?? 0) + 1;
    this.#turns.set(viewId, turn);
    return turn;
  }

  /** Updates a view, after earlier updates. False if it was closed, which is no error. */
  show({ viewId, turn }: Pick<ViewStep, 'viewId' | 'turn'>, view: Element): Promise<boolean> {
    const update = (this.#updates.get(viewId) ?? Promise.resolve(true)).then(() => {
      // Skip the update if the user has moved to a later step.
      return this.#turns.get(viewId) === turn ? this.#update(viewId, view) : true;
    });
    this.#updates.set(viewId, update);
    void update.then(() => {
      if (this.#updates.get(viewId) === update) this.#updates.delete(viewId);
    });
    return update;
  }

  checkForm(guide: Guide, input: Fields, meta: GuideMeta, ...above: Block[]): Element {
    const tool = this.toolOf(guide.check.operation);
    return this.#form(tool, input, meta, {
      ...this.#frameOf(guide),
      submit: 'Check',
      above: [stageLine(guide, 'check'), ...above, say(guide.check.text)],
    });
  }

  submitForm(guide: Guide, input: Fields, meta: GuideMeta, ...above: Block[]): Element {
    const tool = this.toolOf(guide.submit.operation);
    return this.#form(tool, input, meta, {
      ...this.#frameOf(guide),
      submit: 'Ask to confirm',
      above: [stageLine(guide, 'submit'), ...above, ...foundBlocks(guide, meta.k ?? {})],
    });
  }

  /** `meta` comes from `correctionMeta`. */
  correctForm(guide: Guide, input: Fields, meta: GuideMeta, ...problem: Block[]): Element {
    const tool = this.toolOf(guide.correct.operation);
    const { above, ...frame } = correctionFrame(guide, tool, meta);
    return this.#form(tool, input, meta, {
      ...this.#frameOf(guide),
      ...frame,
      above: [stageLine(guide, 'follow'), ...problem, ...above],
    });
  }

  /** The view while a step waits for an approver or for the platform. */
  waitView(guide: Guide, meta: GuideMeta, ...blocks: Block[]): Element {
    return guideView(guide, 'approval', { ...meta, t: '' }, ...blocks);
  }

  toolOf(id: string): Tool {
    const tool = this.#slack.tools.find((candidate) => candidate.id === id);
    if (!tool) throw new Error(`there is no operation ${id}`);
    return tool;
  }

  #form(tool: Tool, input: Fields, meta: GuideMeta, frame: Frame): Element {
    const values = withoutSecrets(fieldsOf(tool), input);
    return formView({ tool, values, meta: { ...meta, t: tool.id }, reworded: this.#slack.reworded, frame });
  }

  #frameOf(guide: Guide): Pick<Frame, 'title'> & { mark: string } {
    this.#serial += 1;
    // Unique, also among the views of an earlier process.
    return { title: guide.title, mark: `${this.#slack.clock.now().toString(36)}${this.#serial}` };
  }

  async #update(viewId: string, view: Element): Promise<boolean> {
    try {
      await this.#slack.web.updateView(viewId, view);
      return true;
    } catch (error) {
      const closed = error instanceof SlackRefusal && CLOSED.has(error.reason);
      this.#slack.log(closed ? 'debug' : 'warn', { view: viewId, error: String(error) }, 'failed to update a guide');
      return !closed;
    }
  }
}
