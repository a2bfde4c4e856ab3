import { BoundedMap } from '../../../lib/bounded-map.ts';
import type { Fields } from '../../../lib/json.ts';

const MAX_FORMS = 500;

interface OpenForm {
  /** The values of fields that are hidden now, without secrets. */
  values: Fields;
  /** Counts the changes. */
  turn: number;
  /** The update in progress. */
  update: Promise<void>;
}

/** Forms whose fields change while they are open, by view id. In this process only. */
export class OpenForms {
  readonly #forms = new BoundedMap<string, OpenForm>(MAX_FORMS);

  /** Remembers the entered values, and returns them with the values of fields that are hidden now. */
  remember(viewId: string, entered: Fields): Fields {
    const form = this.#form(viewId);
    form.values = { ...form.values, ...entered };
    return form.values;
  }

  /** Runs an update of a view after earlier ones. It is skipped if the form has changed again by then. */
  update(viewId: string, run: () => Promise<void>): Promise<void> {
    const form = this.#form(viewId);
    form.turn += 1;
    const { turn } = form;
    form.update = form.update.then(() => (form.turn === turn ? run() : undefined));
    return form.update;
  }

  #form(viewId: string): OpenForm {
    const known = this.#forms.get(viewId);
    const form = known ?? { values: {}, turn: 0, update: Promise.resolve() };
    if (!known) this.#forms.set(viewId, form);
    return form;
  }
}
