import MiniSearch from 'minisearch';
import { isChange, type Tool } from '../catalogue/operation.ts';
import type { Fields } from '../lib/json.ts';

/*
 * Reads plain words: which operation a message asks for, and with which values. It performs nothing. Sentences teach it
 * (`tools/<group>/words.json`); the README of this folder shows how a message travels through it.
 */

/** An operation that a message may ask for, filled in as far as the message says. */
export interface Offer {
  /** The id of a tool. */
  operation: string;
  /**
   * Values by field, as the operation takes them. A field of kind `id` may hold a name or last digits as they were typed
   * ("ava", "0103"), which the surface looks up.
   */
  input: Fields;
  /** What the surface's search of lines and customers is to look for: names, last digits or numbers, separated by ", ". */
  find?: string;
}

/** What a message asks for that is no operation. */
export type About =
  /** What can be asked here. */
  | 'help'
  /** Thanks, a greeting or a yes: nothing is asked. */
  | 'thanks'
  /** What waits for a person. */
  | 'waiting'
  /** The open offer, or a waiting change of the writer, is taken back. Nothing is withdrawn by the words. */
  | 'withdraw'
  /** Something that was done is to be undone. */
  | 'undo_last'
  /** What a change does, costs or needs. `operation` is the change, where it is known. */
  | 'consequence'
  /** Who may do or approve something. */
  | 'who_may'
  /** Whether the platform is up. */
  | 'health'
  /** One change of many records. */
  | 'batch'
  /** Something that is not done here, or that was not understood. */
  | 'not_here';

export interface Understood {
  /**
   * - `read`: a likely read, to be shown.
   * - `form`: a likely and ordered change, to be offered as its form, filled in.
   * - `choose`: up to three offers, and the line that `find` names.
   * - `told`: something that is no operation; `about` says what.
   */
  kind: 'read' | 'form' | 'choose' | 'told';
  about?: About;
  operation?: string;
  input: Fields;
  find?: string;
  /** Names said beside a line. The surface compares them with its holder. */
  beside?: string[];
  /** At most three, the likeliest first. */
  offers: Offer[];
  /** Recognised values that no field took, and the clause of a second order. */
  notTaken: string[];
  /** True if the open offer of the thread is taken back. */
  withdraws?: boolean;
  /** How likely the first offer is, from 0 to 1. */
  share: number;
}

/** What is kept of a conversation. Plain data, stored by the surface. */
export interface Thread {
  /** What the last answer was about: an operation, one kind of it (`numbers_status:park`), or a topic. */
  last?: string;
  /** The line or customer that was shown or named last, as text for the search. */
  subject?: string;
  /** The input of the last answer. */
  input?: Fields;
  /** The change that is offered and still open. */
  offer?: Offer;
}

export interface ReadOptions {
  /** Milliseconds since the epoch. Days are read from it. */
  now: number;
  /** The writer's time zone, such as `America/Denver`; UTC if left out. */
  zone?: string;
  /** True if the writer may use an operation. What they may not use is neither answered nor offered. */
  mayUse(id: string): boolean;
}

export interface Found {
  operation: string;
  share: number;
}

const MOST_OFFERED = 3;
const LINE = /(?<![\d.])(?:\+?1?[\s.(-]*[2-9]\d\d[\s.)-]*\d{3}[\s.-]*\d{4}|0\d{3})(?!\d)/g;

export class Reader {
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #words: MiniSearch;

  constructor(tools: readonly Tool[]) {
    this.#tools = new Map(tools.map((tool) => [tool.id, tool]));
    this.#words = new MiniSearch({
      fields: ['title', 'words', 'description'],
      searchOptions: { boost: { title: 3, words: 3 }, prefix: true },
    });
    this.#words.addAll(
      tools.map(({ id, title, description }) => ({ id, title, description, words: id.replaceAll('_', ' ') })),
    );
  }

  /**
   * Reads a message.
   *
   * @returns the answer, and the thread after it, which the surface stores
   */
  answer(text: string, thread: Thread | undefined, options: ReadOptions): { answer: Understood; thread: Thread } {
    const find = [...text.matchAll(LINE)].map(([line]) => line).join(', ') || undefined;
    const found = this.search(text.replace(LINE, ' '), options.mayUse).slice(0, MOST_OFFERED);
    const offers = found.map(({ operation }): Offer => ({ operation, input: {}, ...(find !== undefined && { find }) }));
    const next: Thread = { ...thread, ...(find !== undefined && { subject: find }) };
    const share = found[0]?.share ?? 0;
    if (offers.length > 0) {
      const answer: Understood = {
        kind: 'choose',
        input: {},
        offers,
        notTaken: [],
        share,
        ...(find !== undefined && { find }),
      };
      return { answer, thread: next };
    }
    if (!this.#tools.has('numbers_find') || !options.mayUse('numbers_find'))
      return {
        answer: { kind: 'told', about: 'not_here', input: {}, offers: [], notTaken: [], share: 0 },
        thread: next,
      };
    const query = find ?? text.trim();
    const answer: Understood = {
      kind: 'read',
      operation: 'numbers_find',
      input: { Query: query },
      offers: [],
      notTaken: [],
      share: 1,
    };
    return { answer, thread: { ...next, last: 'numbers_find', subject: query } };
  }

  /**
   * Finds operations by their id, their title or in words of one's own, the best first. Used by help, by assistants'
   * search, and for "did you mean".
   */
  search(text: string, mayUse: (id: string) => boolean): Found[] {
    const found = this.#words.search(text).filter(({ id }) => mayUse(String(id)));
    const sum = found.reduce((all, { score }) => all + score, 0);
    const ranked = found.map(({ id, score }) => ({ operation: String(id), share: score / sum }));
    const name = plain(text);
    const exact = [...this.#tools.values()].find(
      (tool) => mayUse(tool.id) && [plain(tool.id), plain(tool.title)].includes(name),
    );
    if (!exact) return ranked;
    return [{ operation: exact.id, share: 1 }, ...ranked.filter(({ operation }) => operation !== exact.id)];
  }

  /** True if an operation changes something, so that it is never shown without a press. */
  isChange(operation: string): boolean {
    const tool = this.#tools.get(operation);
    return tool !== undefined && isChange(tool);
  }
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(' ');
}

let loaded: { tools: readonly Tool[]; reader: Reader } | undefined;

/** The reader of these operations. What was learned is read from `tools/words.model` when it is first needed. */
export function loadReader(tools: readonly Tool[]): Reader {
  if (loaded?.tools !== tools) loaded = { tools, reader: new Reader(tools) };
  return loaded.reader;
}
