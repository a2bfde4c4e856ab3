import { BoundedMap } from '../../../lib/bounded-map.ts';
import type { Fields } from '../../../lib/json.ts';

const MAX_VIEWS = 2_000;

interface OpenView {
  /** The values of fields that are hidden now, without secrets. */
  values: Fields;
  /** Counts the steps of the person. Undefined before the first one in this process. */
  turn: number | undefined;
  /** The last update. */
  update: Promise<unknown>;
}

/** Modals that change while they are open, by view id. In this process only. */
export class OpenViews {
  readonly #views = new BoundedMap<string, OpenView>(MAX_VIEWS);

  /** Remembers the entered values, and returns them with the values of fields that are hidden now. */
  remember(viewId: string, entered: Fields): Fields {
    const view = this.#view(viewId);
    view.values = { ...view.values, ...entered };
    return view.values;
  }

  /** Counts a step of the person in this view. */
  nextTurn(viewId: string): number {
    const view = this.#view(viewId);
    view.turn = (view.turn ?? 0) + 1;
    return view.turn;
  }

  /** Updates a view after earlier updates. Skipped if the person has gone on since this turn. */
  update<T>(viewId: string, turn: number, run: () => Promise<T>): Promise<T | undefined> {
    const view = this.#view(viewId);
    const update = view.update.then(() => ((view.turn ?? turn) === turn ? run() : undefined));
    view.update = update.catch(() => undefined);
    return update;
  }

  #view(viewId: string): OpenView {
    const known = this.#views.get(viewId);
    const view = known ?? { values: {}, turn: undefined, update: Promise.resolve() };
    if (!known) this.#views.set(viewId, view);
    return view;
  }
}
