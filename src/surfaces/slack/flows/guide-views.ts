import { guideForms } from '../../../../tools/surfaces/flows.ts';
import type { Guide, GuideStep, OrderEnd } from '../../../../tools/surfaces/guides/guide.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { withDefaultAccount } from '../../../catalogue/input.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { formatPhone } from '../../../language/show.ts';
import type { Actor } from '../../../lib/actor.ts';
import { BoundedMap } from '../../../lib/bounded-map.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import { type Frame, formView } from '../blocks/form.ts';
import { needlessFields, withRequired } from '../blocks/form-shape.ts';
import { withoutSecrets } from '../blocks/form-values.ts';
import { foundBlocks, type GuideMeta, type GuidePoint, guideView, stageLine } from '../blocks/guide.ts';
import { correctionFrame } from '../blocks/guide-correction.ts';
import type { Block, Element } from '../blocks/text.ts';
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
      // Skip the update if the user has moved to a later step. After a restart, the step is not known.
      return (this.#turns.get(viewId) ?? turn) === turn ? this.#update(viewId, view) : true;
    });
    this.#updates.set(viewId, update);
    void update.then(() => {
      if (this.#updates.get(viewId) === update) this.#updates.delete(viewId);
    });
    return update;
  }

  /** The form of a step with what is known. `actor`: with one, the only record of a list is filled in. */
  async stepForm(
    guide: Guide,
    step: GuideStep,
    {
      known,
      meta,
      actor,
      isAgain = false,
    }: { known: Fields; meta: GuideMeta; actor: Actor | undefined; isAgain?: boolean },
    ...above: Block[]
  ): Promise<Element> {
    const { form } = step;
    if (!form) throw new Error(`the step ${step.name} has no form`);
    const { clock, config } = this.#slack;
    const tool = this.toolOf(form.of);
    const carried = form.carries?.(known);
    const own = (name: string) => name in tool.input.shape;
    const entered = Object.fromEntries(Object.entries(known).filter(([name]) => own(name)));
    const values = { ...form.given?.(known, new Date(clock.now())), ...entered };
    const filled = withDefaultAccount(tool, values, config.PLATFORM_ACCOUNT_ID);
    const { c, a } = meta;
    return this.#form(
      tool,
      { ...filled, ...(actor ? await this.#singles(tool, { ...carried, ...filled }, actor) : {}) },
      {
        ...{ t: tool.id, g: guide.name, p: step.name },
        k: Object.fromEntries(Object.entries(known).filter(([name]) => !own(name))),
        ...defined({ v: carried, c, a }),
      },
      {
        ...this.#frameOf(guide),
        submit: isAgain && step.run ? 'Ask again' : form.submit,
        above: [stageLine(guide, step.title, known), ...above, ...foundBlocks(form, known, (text) => this.named(text))],
      },
    );
  }

  /** `meta` comes from `correctionMeta`. */
  correctForm(
    { guide, end }: { guide: Guide; end: OrderEnd },
    input: Fields,
    meta: GuideMeta,
    ...problem: Block[]
  ): Element {
    const tool = this.toolOf(end.correct.operation);
    const { above, ...frame } = correctionFrame(end, tool, meta);
    return this.#form(
      tool,
      input,
      { ...meta, t: tool.id },
      {
        ...this.#frameOf(guide),
        ...frame,
        above: [stageLine(guide, end.title, {}), ...problem, ...above],
      },
    );
  }

  /** A view without inputs. Only forms keep the known values; otherwise the action that waits has them. */
  plainView(guide: Guide, point: GuidePoint, { k: _, ...meta }: GuideMeta, ...blocks: Block[]): Element {
    return guideView(guide, point, { ...meta, t: '' }, ...blocks);
  }

  /** An operation, or a form of a guide's own. Throws if there is none with this id. */
  toolOf(of: Tool | string): Tool {
    if (typeof of !== 'string') return of;
    const tool = this.find(of);
    if (!tool) throw new Error(`there is no operation ${of}`);
    return tool;
  }

  find(id: string): Tool | undefined {
    return [...this.#slack.tools, ...guideForms].find((candidate) => candidate.id === id);
  }

  /** Looks up the names of the records that a guide knows, because a restart forgets them. */
  async learnNames(guide: Guide, known: Fields, actor: Actor): Promise<void> {
    const { directory, records, log } = this.#slack;
    const fields = guide.steps.flatMap(({ form }) => (form ? fieldsOf(this.toolOf(form.of)) : []));
    const learning = fields.map(async (field) => {
      const value = known[field.name];
      if (field.kind !== 'id' || typeof value !== 'string' || directory.nameOf(value) !== undefined) return;
      const name = await records.nameOf(field, value, actor);
      if (name !== undefined) directory.note([{ value, label: name }]);
    });
    for (const { reason } of (await Promise.allSettled(learning)).filter((one) => one.status === 'rejected'))
      log('info', { guide: guide.name, error: String(reason) }, 'failed to look up a name for a guide');
  }

  /** A text with names in place of ids, and with numbers as people read them. */
  named(text: string): string {
    return text
      .replace(/\b[A-Z]{2,7}-[\w.-]{8,}/g, (id) => this.#slack.directory.nameOf(id)?.split(' · ')[0] ?? id)
      .replace(/\+\d{7,15}/g, (phone) => formatPhone(phone).national);
  }

  #form(tool: Tool, input: Fields, meta: GuideMeta, frame: Frame): Element {
    const { reworded, directory } = this.#slack;
    const values = withoutSecrets(fieldsOf(tool), input);
    return formView({ tool, values, meta, reworded, frame, labelOf: (value) => directory.nameOf(value) });
  }

  /** The records of required fields whose lists have exactly one. */
  async #singles(tool: Tool, values: Fields, actor: Actor): Promise<Fields> {
    const { records, directory, web, log } = this.#slack;
    const needless = needlessFields(tool, values);
    const open = withRequired(tool, fieldsOf(tool), values).filter(
      ({ name, kind, required }) => required && kind === 'id' && values[name] === undefined && !needless.has(name),
    );
    const found = await Promise.all(
      open.map(async (field): Promise<[string, unknown]> => {
        const searching = records.search(field, '', actor, { isTyping: true }).catch((error: unknown) => {
          log('info', { field: field.name, error: String(error) }, 'failed to search for the only record');
          return undefined;
        });
        const hits = await web.inTime(searching);
        const [only, ...others] = hits?.hits ?? [];
        if (!only || others.length > 0 || !hits?.isWhole) return [field.name, undefined];
        directory.note([only]);
        return [field.name, only.value];
      }),
    );
    return defined(Object.fromEntries(found));
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
