import { joined, meanings, synonyms } from '../../tools/surfaces/synonyms.ts';
import type { Tool } from '../catalogue/operation.ts';
import { defined } from '../lib/json.ts';
import { nearest } from '../lib/nearest.ts';
import { COMMON } from './common-words.ts';

/** One word of a sentence: as typed, and what it means. */
export interface Word {
  typed: string;
  /** Lower case, and each of its meanings. */
  means: readonly string[];
  /** True if neither the catalogue nor everyday English has it, so that it may be a name. */
  isUnknown: boolean;
}

/** The members of an operation that phrases need. */
export type Phrased = Pick<Tool, 'id' | 'title' | 'risk'>;

/** An operation that a sentence may ask for. */
export interface Fit<T extends Phrased = Tool> {
  tool: T;
  given: Readonly<Record<string, unknown>>;
  /** The guide that leads through it. */
  guide?: string;
  /** The words of the phrase that fit. */
  phrase: readonly string[];
}

interface Phrase<T extends Phrased> extends Fit<T> {
  order: number;
}

const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/[’`]/g, "'"],
  [/\b(?:can\s*not|can'?t|cant)\b/g, 'cannot'],
  [/\bwon'?t\b(?!\s+(?:need|want))/g, 'wont'],
  [/\b(does|do|did|is|are|has|have|was|were|should|would|could)n'?t\b/g, '$1 not'],
  [/\bwhat'?s\b/g, 'what is'],
  [/\b(who|where|how|when|it|that|he|she)'s\b/g, '$1 is'],
];

/** Length of the words in which any slip of the keyboard is corrected. */
const MIN_CORRECTED = 5;
/** Length of the words in which two neighbouring letters in the wrong order are corrected. */
const MIN_SWAPPED = 4;

/** The words of sentences, and the phrases that they fit. */
export class Phrases<T extends Phrased = Tool> {
  readonly #phrases: readonly Phrase<T>[];
  readonly #meanings: ReadonlyMap<string, readonly string[]>;
  readonly #vocabulary: readonly string[];
  /** The shorter words of the vocabulary. */
  readonly #short: readonly string[];

  constructor(tools: readonly T[]) {
    this.#meanings = byWord();
    const byId = new Map(tools.map((tool) => [tool.id, tool]));
    const declared = synonyms.flatMap(({ operation, phrases, given = {}, guide }) => {
      const tool = byId.get(operation);
      return tool
        ? listed(phrases).map((text) => ({ tool, given, phrase: text.split(' '), ...defined({ guide }) }))
        : [];
    });
    // A title of one word fits too much.
    const titles = tools
      .map((tool) => ({ tool, given: {}, phrase: this.#titleWords(tool.title) }))
      .filter(({ phrase }) => phrase.length > 1);
    this.#phrases = [...declared, ...titles].map((one, order) => ({ ...one, order }));
    const inPhrases = this.#phrases.flatMap(({ phrase }) => phrase);
    const all = [...new Set([...this.#meanings.keys(), ...inPhrases])];
    this.#vocabulary = all.filter((word) => word.length >= MIN_CORRECTED);
    this.#short = all.filter((word) => word.length >= MIN_SWAPPED && word.length < MIN_CORRECTED);
  }

  /** The words of a clause, with slips corrected. */
  words(clause: string): Word[] {
    return plain(clause)
      .split(/[^\p{L}\p{M}'’-]+/u)
      .map((typed) => typed.replace(/^['’-]+|['’-]+$/g, ''))
      .filter(Boolean)
      .map((typed) => this.#word(typed));
  }

  /** The operations that a clause fits, the best first. */
  fits(words: readonly Word[], sees: (id: string) => boolean): Fit<T>[] {
    const means = new Set(words.flatMap((word) => word.means));
    return this.#phrases
      .filter(({ tool, phrase }) => sees(tool.id) && phrase.every((word) => means.has(word)))
      .sort((a, b) => b.phrase.length - a.phrase.length || riskOrder(a) - riskOrder(b) || a.order - b.order);
  }

  #word(typed: string): Word {
    const lower = typed.toLowerCase().replace(/'s$/, '');
    const known = this.#meanings.get(lower);
    const isPhraseWord = this.#vocabulary.includes(lower);
    if (known || isPhraseWord || COMMON.has(lower))
      return { typed, means: [lower, ...(known ?? [])], isUnknown: false };
    const isName = /^\p{Lu}/u.test(typed);
    const meant = isName ? undefined : this.#corrected(lower);
    if (meant === undefined) return { typed, means: [lower], isUnknown: true };
    return { typed, means: [meant, ...(this.#meanings.get(meant) ?? [])], isUnknown: false };
  }

  /** The word that was meant by one with slips; undefined if none or several are near. */
  #corrected(word: string): string | undefined {
    if (word.length >= MIN_CORRECTED) return nearest(word, this.#vocabulary, word.length >= 8 ? 2 : 1);
    const [only, ...others] = this.#short.filter((candidate) => isSwapOf(word, candidate));
    return others.length === 0 ? only : undefined;
  }

  #titleWords(title: string): string[] {
    const words = title.toLowerCase().match(/[a-z]+/g) ?? [];
    const telling = words.filter((word) => !TITLE_FILLERS.has(word));
    return [...new Set(telling.map((word) => this.#meanings.get(word)?.[0] ?? word))];
  }
}

function listed(phrases: string | readonly string[]): string[] {
  return [phrases].flat().flatMap((text) => text.split(', '));
}

/** Operations that make a new number. */
export const MAKES_NUMBER: ReadonlySet<string> = new Set(
  synonyms.filter(({ makesNumber }) => makesNumber).map(({ operation }) => operation),
);

const TITLE_FILLERS = new Set(['a', 'an', 'the', 'of', 'to', 'in', 'or', 'and', 'on', 'off', 'stage']);

function riskOrder({ tool }: Fit<Phrased>): number {
  return tool.risk === 'read' ? 0 : 1;
}

function byWord(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [meaning, words] of Object.entries(meanings))
    for (const word of words.split(' ')) found.set(word, [...(found.get(word) ?? []), meaning]);
  return found;
}

/** The clause with its joined words replaced. Upper case stays, because it marks names. */
function plain(clause: string): string {
  let text = clause;
  for (const [pattern, word] of CONTRACTIONS) text = text.replace(new RegExp(pattern.source, 'gi'), word);
  for (const [pattern, word] of joined)
    text = text.replace(new RegExp(pattern.source, 'gi'), (...match) => replaced(match, word));
  return text;
}

/** True if two neighbouring letters in the other order make the two words the same. */
function isSwapOf(word: string, other: string): boolean {
  if (word.length !== other.length) return false;
  const at = [...word].findIndex((letter, i) => letter !== other[i]);
  return at >= 0 && word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2) === other;
}

/** A joined word takes the place of the first and last of its words, and keeps those between them. */
function replaced([whole, first]: readonly unknown[], word: string): string {
  const between = String(whole).split(/\s+/).slice(1, -1);
  return [word.replace('$1', typeof first === 'string' ? first : ''), ...between].join(' ');
}
