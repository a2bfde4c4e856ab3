import { guideForms } from '../../../../tools/surfaces/flows.ts';
import type { Guide, GuideStep, OrderEnd } from '../../../../tools/surfaces/guides/guide.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { withDefaultAccount } from '../../../catalogue/input.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { formatPhone } from '../../../language/show.ts';
import type { Actor } from '../../../lib/actor.ts';
import { BoundedMap } from '../../../lib/bounded-map.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import type { Frame } from '../blocks/form.ts';
import { needlessFields, withRequired } from '../blocks/form-shape.ts';
import { withoutSecrets } from '../blocks/form-values.ts';
import { correctionFrame, foundBlocks, type GuidePoint, guideView, stageLine } from '../blocks/guide.ts';
import type { Block, Element } from '../blocks/text.ts';
import type { SlackServices } from '../context.ts';
import type { StateOf } from '../flow-state.ts';
import type { Origin } from '../types.ts';
import { nameRecords } from './current.ts';
import { drawForm, showView } from './engine.ts';

/** An open view, and the current step of its person. */
export interface ViewStep {
  viewId: string;
  /** Counts the person's own steps. Updates that belong to an earlier step are skipped. */
  turn: number;
  origin: Origin;
  state: StateOf<'guide'>;
}

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
    const update = (this.#updates.get(viewId) ?? Promise.resolve(true)).then(async () => {
      // Skip the update if the user has moved to a later step. After a restart, the step is not known.
      if ((this.#turns.get(viewId) ?? turn) !== turn) return true;
      return (await showView(this.#slack, viewId, view)) !== 'closed';
    });
    this.#updates.set(viewId, update);
    void update.then(() => {
      if (this.#updates.get(viewId) === update) this.#updates.delete(viewId);
    });
    return update;
  }

  /** Shows a view without inputs. False if it was closed. */
  tell({ state, ...place }: ViewStep, guide: Guide, point: GuidePoint, ...blocks: Block[]): Promise<boolean> {
    return this.show(place, guideView(guide, point, state, ...blocks));
  }

  /** The form of a step with what is known. `actor`: with one, the only record of a list is filled in. */
  async stepForm(
    guide: Guide,
    step: GuideStep,
    {
      known,
      state: { channel, action },
      actor,
      isAgain = false,
    }: { known: Fields; state: ViewStep['state']; actor: Actor | undefined; isAgain?: boolean },
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
    const others = Object.fromEntries(Object.entries(known).filter(([name]) => !own(name)));
    return this.#form(
      { guide, tool },
      { ...filled, ...(actor ? await this.#singles(tool, { ...carried, ...filled }, actor) : {}) },
      { ...guideState(guide, { channel, action }), step: step.name, known: others, carried },
      {
        submit: isAgain && step.run ? 'Ask again' : form.submit,
        above: [stageLine(guide, step.title, known), ...above, ...foundBlocks(form, known, (text) => this.named(text))],
      },
    );
  }

  /** `state` has the order, from `correctionState`. */
  correctForm(
    { guide, end }: { guide: Guide; end: OrderEnd },
    input: Fields,
    state: ViewStep['state'],
    ...problem: Block[]
  ): Element {
    const tool = this.toolOf(end.correct.operation);
    const frame = correctionFrame(end, tool, state);
    const above = [stageLine(guide, end.title, {}), ...problem, ...frame.above];
    return this.#form({ guide, tool }, input, state, { ...frame, above });
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
    const fields = guide.steps.flatMap(({ form }) => (form ? fieldsOf(this.toolOf(form.of)) : []));
    await nameRecords(this.#slack, fields, known, actor);
  }

  /** A text with names in place of ids, and with numbers as people read them. */
  named(text: string): string {
    return text
      .replace(/\b[A-Z]{2,7}-[\w.-]{8,}/g, (id) => this.#slack.directory.nameOf(id)?.split(' · ')[0] ?? id)
      .replace(/\+\d{7,15}/g, (phone) => formatPhone(phone).national);
  }

  #form(
    { guide, tool }: { guide: Guide; tool: Tool },
    input: Fields,
    state: ViewStep['state'],
    frame: Omit<Frame, 'title'>,
  ): Element {
    this.#serial += 1;
    // Unique, also among the views of an earlier process.
    const mark = `${this.#slack.clock.now().toString(36)}${this.#serial}`;
    return drawForm(this.#slack, {
      tool,
      values: withoutSecrets(fieldsOf(tool), input),
      state: { ...state, operation: tool.id },
      frame: { ...frame, title: guide.title, mark },
    });
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
}

/** What every view of a guide carries. */
export function guideState(
  { name }: Guide,
  { channel, action }: { channel?: string | undefined; action?: string | undefined },
): ViewStep['state'] {
  return { flow: 'guide', guide: name, channel: channel || undefined, action };
}
