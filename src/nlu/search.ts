import MiniSearch from 'minisearch';
import type { Tool } from '../catalogue/operation.ts';

/* Finds operations by their names, and by the words of their definitions. */

/** The part of a definition that is searched. */
export type Searchable = Pick<Tool, 'id' | 'title' | 'description'>;

export class DefinitionSearch {
  readonly #names: ReadonlyMap<string, string>;
  readonly #index: MiniSearch;

  constructor(tools: readonly Searchable[]) {
    this.#names = new Map(tools.flatMap(({ id, title }) => [title, id].map((name) => [nameOf(name), id])));
    this.#index = new MiniSearch({
      fields: ['id', 'title', 'description'],
      searchOptions: { boost: { id: 3, title: 3 }, prefix: (term) => term.length > 2, fuzzy: 0.2 },
    });
    this.#index.addAll(tools.map(({ id, title, description }) => ({ id, title, description })));
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
