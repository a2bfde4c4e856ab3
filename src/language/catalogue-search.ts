import MiniSearch from 'minisearch';
import { families } from '../../tools/surfaces/families.ts';
import { besides, NOTHING, unfulfilled } from '../../tools/surfaces/wishes.ts';
import { acts, things } from '../../tools/surfaces/words.ts';
import { fieldsOf } from '../catalogue/fields.ts';
import type { Tool } from '../catalogue/operation.ts';
import { type Fit, familiesOf } from './families.ts';
import { type Word, wordsOf } from './sentence.ts';
import { respelled } from './spelling.ts';
import { askedIn, isActOf } from './wishes.ts';

/** The part of an operation that the search reads. */
export interface Searchable {
  id: string;
  title: string;
  description: string;
  risk: string;
  /** Names of its fields. */
  fields: readonly string[];
}

/** An operation that a clause asks for. */
export type OperationFit = Fit;

/** An operation as the search reads it. */
export function searchableOf(tool: Tool): Searchable {
  const { id, title, description, risk } = tool;
  return { id, title, description, risk, fields: fieldsOf(tool).map(({ name }) => name) };
}

/** Words without meaning for a search. */
const EMPTY_WORDS = new Set(
  'a an the and for with from that this what why how does did can cannot not are was has have who which when its into our your his her their of on to in is it be i we you me us my'.split(
    ' ',
  ),
);
/** Length of the words that are completed, and of those with slips that are found. */
const MIN_PREFIX = 3;
const MIN_FUZZY = 5;
const SLIPS = 0.2;
/** Risks of operations that destroy or cost. */
const RISKY = new Set(['destroy', 'spend']);
/** A fit below this explains too little of a query. */
const MIN_SCORE = 1;

/** Finds operations by what people say: families of sentences first, then the words of their definitions. */
export class CatalogueSearch {
  readonly #tools: ReadonlyMap<string, Searchable>;
  readonly #index: MiniSearch;

  constructor(tools: readonly Searchable[]) {
    this.#tools = new Map(tools.map((tool) => [tool.id, tool]));
    this.#index = new MiniSearch({
      fields: ['words', 'title', 'said', 'description', 'fields'],
      tokenize: (text) => text.split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean),
      processTerm: (term) => {
        const lower = term.toLowerCase();
        return EMPTY_WORDS.has(lower) ? null : lower;
      },
      searchOptions: {
        boost: { words: 3, title: 3, said: 1.5 },
        prefix: (term) => term.length >= MIN_PREFIX,
        fuzzy: (term) => (term.length >= MIN_FUZZY ? SLIPS : false),
      },
    });
    this.#index.addAll(
      tools.map(({ id, title, description, fields }) => ({
        id,
        title,
        description,
        words: id.replaceAll('_', ' '),
        fields: fields.join(' '),
        said: SAID.get(id) ?? '',
      })),
    );
  }

  /** The operations that a clause asks for, the best first. */
  fits(words: readonly Word[], sees: (id: string) => boolean = () => true): Fit[] {
    return familiesOf(words, (id) => this.#tools.get(id)?.risk !== 'read').filter(
      ({ family, score }) => this.#tools.has(family.operation) && sees(family.operation) && score > 0,
    );
  }

  /**
   * Ids of operations, and of tools beside them, the best first: the one whose name the query is, then what wishes of
   * assistants and sentences of people mean by it, then those with its words. One that destroys or costs comes first only
   * if the query says what it does. Only reads if no operation does what the query asks for.
   */
  search(query: string): string[] {
    const named = this.#ids(query, { fields: ['words', 'title'], combineWith: 'AND', fuzzy: false }).slice(0, 1);
    if (hasEveryWord(this.#tools.get(named[0] ?? ''), query)) return this.#listed(query, named);
    const wish = respelled(query).text;
    if (this.lacks(query)) return this.#ids(query).filter((id) => this.#tools.get(id)?.risk === 'read');
    const asked = this.asked(wish);
    const meant = this.fits(wordsOf(query)).filter(({ score }) => score >= MIN_SCORE);
    // A guide is for people: an assistant takes the operation that does it alone, if there is one.
    const alone = [...meant].sort(
      (a, b) => b.score - a.score || Number(a.family.guide !== undefined) - Number(b.family.guide !== undefined),
    );
    const said = alone.map(({ family }) => family.operation);
    const found = this.#listed(query, [...asked, ...(said.length > 0 ? said : named)]);
    const isAct = isActOf(wish);
    const isSafe = (id: string) => !RISKY.has(this.#tools.get(id)?.risk ?? '') || isAct(id);
    const first = found.find(isSafe);
    return first === undefined ? found : [first, ...found.filter((id) => id !== first)];
  }

  /** True if a query asks for something that no operation does, such as deleting an account. */
  lacks(query: string): boolean {
    if (unfulfilled.some((wish) => wish.test(query))) return true;
    return askedIn(respelled(query).text, (id) => this.#tools.get(id)?.risk === 'read')[0]?.operation === NOTHING;
  }

  /** Ids of the operations that a wish asks for, the best first; none if it says too little. */
  asked(query: string): string[] {
    const asked = askedIn(query, (id) => this.#tools.get(id)?.risk === 'read').map(({ operation }) => operation);
    return asked.filter((id) => this.#tools.has(id) || id in besides);
  }

  /** These operations, then all that have a word of the query. */
  #listed(query: string, best: readonly string[]): string[] {
    return [...new Set([...best, ...this.#ids(query)])];
  }

  #ids(query: string, options: Parameters<MiniSearch['search']>[1] = {}): string[] {
    return this.#index.search(query, options).map(({ id }) => String(id));
  }
}

/** True if a query is the id of an operation, or most of it, as it is written. */
function hasEveryWord(tool: Searchable | undefined, query: string): boolean {
  if (!tool) return false;
  const parts = tool.id.split('_');
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !EMPTY_WORDS.has(word));
  return words.every((word) => parts.includes(word)) && words.length * 2 > parts.length;
}

/** The words of the vocabulary for which people ask for an operation. */
const SAID: ReadonlyMap<string, string> = said();

function said(): Map<string, string> {
  const found = new Map<string, string>();
  const listed = (names: string, table: Readonly<Record<string, string>>) =>
    names
      .split(' ')
      .filter(Boolean)
      .map((name) => table[name] ?? '')
      .join(' ');
  for (const { operation, acts: doing, things: about, also = '' } of families) {
    const text = `${listed(doing, acts)} ${listed(about, things)} ${listed(also, things)}`;
    found.set(operation, `${found.get(operation) ?? ''} ${text}`);
  }
  return found;
}
