import MiniSearch from 'minisearch';
import type { Tool } from '../catalogue/operation.ts';

/* Finds operations by their names, and by the words of their definitions. */

/** The part of a definition that is searched. */
export type Searchable = Pick<Tool, 'id' | 'title' | 'description'>;

/** Words without meaning for a search. */
const EMPTY = new Set(
  (
    'a an the and for with from that this what why how does did can not are was has have who which when its into our ' +
    'your his her their of on to in is it be i we you me us my'
  ).split(' '),
);
const LONG_ENOUGH = { prefix: 3, fuzzy: 5 };

export class DefinitionSearch {
  readonly #names = new Map<string, string>();
  readonly #index: MiniSearch;

  constructor(tools: readonly Searchable[]) {
    for (const { id, title } of tools) for (const name of [title, id]) this.#names.set(nameOf(name), id);
    this.#index = new MiniSearch({
      fields: ['title', 'words', 'description'],
      tokenize: (text) => text.split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean),
      processTerm: (term) => (EMPTY.has(term.toLowerCase()) ? null : term.toLowerCase()),
      searchOptions: {
        boost: { title: 3, words: 3 },
        prefix: (term) => term.length >= LONG_ENOUGH.prefix,
        fuzzy: (term) => (term.length >= LONG_ENOUGH.fuzzy ? 0.2 : false),
      },
    });
    this.#index.addAll(
      tools.map(({ id, title, description }) => ({ id, title, description, words: id.replaceAll('_', ' ') })),
    );
  }

  /** The operation whose id or title a text is, in any spelling of them: `numbers cancel`, `Cancel numbers`. */
  named(text: string): string | undefined {
    return this.#names.get(nameOf(text));
  }

  /** Ids of the operations with the words of a text, the best first. */
  ranked(text: string): string[] {
    return this.#index.search(text).map(({ id }) => String(id));
  }
}

function nameOf(text: string): string {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(' ');
}
