import { randomBytes } from 'node:crypto';
import { type Clock, HOUR_MS } from '../../../lib/clock.ts';
import type { Fields } from '../../../lib/json.ts';
import { BoundedMap } from '../../../lib/lists.ts';
import type { StoredResult } from '../blocks/result.ts';

/** Input that a form is prefilled with. Without secrets. */
export interface Draft {
  toolId: string;
  input: Fields;
  channel: string | undefined;
  /** The reason why it was not done when it was sent before. */
  problem?: string;
}

const MAX_ENTRIES = 500;
const MAX_VIEWS = 2_000;

/**
 * Answers and drafts that buttons refer to by a handle. In this process only, for an hour. Each belongs to the person
 * it was shown to.
 */
export class Memory {
  readonly drafts: Shelf<Draft>;
  /** By view id: the response_url of the request that opened the form. */
  readonly responseUrls = new ResponseUrls();
  readonly openViews = new OpenViews();
  readonly #results: Shelf<StoredResult>;

  constructor(clock: Clock) {
    this.drafts = new Shelf(clock);
    this.#results = new Shelf(clock);
  }

  /** Stores an answer, and returns it with its handle. */
  putResult(user: string, result: StoredResult): StoredResult {
    const stored: StoredResult = { ...result };
    stored.id = this.#results.put(user, stored);
    return stored;
  }

  result(user: string, id: string): StoredResult | undefined {
    return this.#results.get(user, id);
  }
}

/** Entries by handle, each for one user. */
class Shelf<T> {
  readonly #entries = new BoundedMap<string, { value: T; user: string; until: number }>(MAX_ENTRIES);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  put(user: string, value: T): string {
    const id = randomBytes(9).toString('base64url');
    this.#entries.set(id, { value, user, until: this.#clock.now() + HOUR_MS });
    return id;
  }

  get(user: string, id: string): T | undefined {
    const entry = this.#entries.get(id);
    return entry && entry.user === user && entry.until > this.#clock.now() ? entry.value : undefined;
  }
}

class ResponseUrls {
  readonly #urls = new BoundedMap<string, string>(MAX_ENTRIES);

  put(viewId: string, url: string): void {
    this.#urls.set(viewId, url);
  }

  /** Returns the address once, because Slack accepts only a few answers to it. */
  take(viewId: string): string | undefined {
    const url = this.#urls.get(viewId);
    this.#urls.delete(viewId);
    return url;
  }
}

interface OpenView {
  /** The values of fields that are hidden now, without secrets. */
  values: Fields;
  /** Counts the steps of the person. Undefined before the first one in this process. */
  turn: number | undefined;
  /** What the form has said once. */
  said: Set<string>;
  /** The last update. */
  update: Promise<unknown>;
}

/** Modals that change while they are open, by view id. In this process only. */
class OpenViews {
  readonly #views = new BoundedMap<string, OpenView>(MAX_VIEWS);

  /** Remembers the entered values, and returns them with the values of fields that are hidden now. */
  remember(viewId: string, entered: Fields): Fields {
    const view = this.#view(viewId);
    view.values = { ...view.values, ...entered };
    return view.values;
  }

  /** False if this view has said it before. */
  isNews(viewId: string, text: string): boolean {
    const { said } = this.#view(viewId);
    return !said.has(text) && said.add(text).has(text);
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
    const view = this.#views.get(viewId) ?? { values: {}, turn: undefined, said: new Set(), update: Promise.resolve() };
    this.#views.set(viewId, view);
    return view;
  }
}
