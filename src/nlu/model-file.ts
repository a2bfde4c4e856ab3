import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import type { Token, Vocabulary } from './entities.ts';

/** Everything that is learned. */
export interface Taught {
  names: readonly string[];
  common: readonly string[];
  classifiers: Readonly<Record<'intent' | 'stance' | 'thread' | 'slot' | 'choice', Learned>>;
}

/*
 * The file of what was learned, `tools/words.model`. Its first line is a digest of all that it was learned from; the rest
 * is compressed: a line that describes the classifiers, and their bytes.
 */

/** The model that the reader uses. */
export interface Model {
  vocabulary: Vocabulary;
  classifiers: Readonly<Record<keyof Taught['classifiers'], Classifier>>;
}

/** The line in front of the bytes of the classifiers. */
type Head = Omit<Taught, 'classifiers'> & {
  classifiers: readonly { name: string; labels: readonly string[]; length: number }[];
};

const NEWLINE = 10;

export function writeModel({ names, common, classifiers }: Taught, digest: string): Buffer {
  const all = Object.entries(classifiers);
  const list = all.map(([name, { labels, bytes }]) => ({ name, labels, length: bytes.length }));
  const head = JSON.stringify({ names, common, classifiers: list });
  const learned = Buffer.concat([Buffer.from(`${head}\n`), ...all.map(([, { bytes }]) => bytes)]);
  return Buffer.concat([Buffer.from(`${digest}\n`), brotliCompressSync(learned)]);
}

/** The part of a file that was learned, without its compression, which may differ between versions of Node. */
export function learnedIn(file: Uint8Array): Buffer {
  return brotliDecompressSync(file.subarray(file.indexOf(NEWLINE) + 1));
}

export function readModel(file: Uint8Array): Model {
  const learned = learnedIn(file);
  const end = learned.indexOf(NEWLINE);
  const { names, common, classifiers } = JSON.parse(learned.subarray(0, end).toString()) as Head;
  let at = end + 1;
  const read = classifiers.map(({ name, labels, length }) => {
    at += length;
    return [name, new Classifier({ labels, bytes: learned.subarray(at - length, at) })] as const;
  });
  const vocabulary = { names: new Set(names), common: new Set(common) };
  return { vocabulary, classifiers: Object.fromEntries(read) as Model['classifiers'] };
}

/*
 * A classifier: given the features of a text, how likely is each label? Every feature has a weight for each label; the
 * weights of the features that a text has are added up, and the sums become shares that add up to 1. `learn.ts` finds
 * the weights.
 */

export interface Ranked {
  label: string;
  /** From 0 to 1; the shares of all labels add up to 1. */
  share: number;
}

/** A classifier as it is stored. */
export interface Learned {
  labels: readonly string[];
  bytes: Uint8Array;
}

/** Features are texts. Each is hashed to one of this many places, which have the weights. */
const PLACES = 1 << 20;
/** Weights are whole numbers from -127 to 127; this many of them are 1. */
export const STEPS = 8;
const { LN2 } = Math;
/** Arguments below this are 0 in effect. */
const LEAST = -40;

/** The place of a feature (FNV-1a). */
export function placeOf(feature: string): number {
  let hash = 2166136261;
  for (let at = 0; at < feature.length; at++) hash = Math.imul(hash ^ feature.charCodeAt(at), 16777619);
  hash ^= hash >>> 15;
  return (hash >>> 0) & (PLACES - 1);
}

/** The places of features, each once. */
export function placesOf(features: Iterable<string>): number[] {
  return [...new Set([...features].map(placeOf))];
}

/**
 * e to the power of x, for x up to 0. `Math.exp` may differ between versions of Node; additions and products may not, and
 * what is taught and answered has to be the same on all of them.
 */
export function exp(x: number): number {
  if (x < LEAST) return 0;
  const halvings = Math.round(-x / LN2);
  const rest = x + halvings * LN2;
  let [term, sum] = [1, 1];
  for (let at = 1; at < 14; at++) {
    term *= rest / at;
    sum += term;
  }
  for (let at = 0; at < halvings; at++) sum /= 2;
  return sum;
}

/** Scores as shares. */
export function toShares(scores: Float64Array): Float64Array {
  let [most, sum] = [Number.NEGATIVE_INFINITY, 0];
  for (const score of scores) if (score > most) most = score;
  const powers = scores.map((score) => exp(score - most));
  for (const power of powers) sum += power;
  return powers.map((power) => power / sum);
}

export class Classifier {
  readonly labels: readonly string[];
  readonly #bytes: Uint8Array;
  /** The offset in the bytes of the weights of each place. */
  readonly #starts = new Map<number, number>();

  /**
   * @param bytes for each feature with weights: the distance of its place from the one before (7 bits a byte, the highest
   * bit says that more follow), how many weights, and each as the place of its label and its steps
   */
  constructor({ labels, bytes }: Learned) {
    this.labels = labels;
    this.#bytes = bytes;
    let place = 0;
    for (let at = 0; at < bytes.length; at += 1 + 2 * (bytes[at] ?? 0)) {
      for (let shift = 0; ; shift += 7) {
        const byte = bytes[at++] ?? 0;
        place += (byte & 127) << shift;
        if (byte < 128) break;
      }
      this.#starts.set(place, at);
    }
  }

  /** True if a feature has a weight for some label. */
  knows(feature: string): boolean {
    return this.#starts.has(placeOf(feature));
  }

  /** The labels of a text with these features, the likeliest first. */
  rank(features: Iterable<string>): Ranked[] {
    const shares = this.#shares(features);
    return this.labels
      .map((label, at) => ({ label, share: shares[at] ?? 0 }))
      .sort((one, other) => other.share - one.share);
  }

  /** The label with the highest share times its factor; undefined if all factors are 0. */
  best(features: Iterable<string>, factorOf: (one: Ranked) => number): Ranked | undefined {
    let [best, most]: [Ranked | undefined, number] = [undefined, 0];
    this.#shares(features).forEach((share, at) => {
      const one = { label: this.labels[at] ?? '', share };
      const weighed = share > most ? share * factorOf(one) : 0;
      if (weighed > most) [best, most] = [one, weighed];
    });
    return best;
  }

  #shares(features: Iterable<string>): Float64Array {
    const places = placesOf(features);
    const scores = new Float64Array(this.labels.length);
    for (const place of places) {
      const start = this.#starts.get(place);
      if (start === undefined) continue;
      const end = start + 2 * (this.#bytes[start] ?? 0);
      for (let at = start + 1; at < end; at += 2) {
        const label = this.#bytes[at] ?? 0;
        scores[label] = (scores[label] ?? 0) + (((this.#bytes[at + 1] ?? 0) << 24) >> 24);
      }
    }
    const scale = 1 / STEPS / Math.sqrt(places.length || 1);
    return toShares(scores.map((score) => score * scale));
  }
}

/*
 * Features: what the classifiers see of a message. A feature is a text whose first characters say what kind it is. Values
 * count as their kind and people as `@name`, because what is asked for does not depend on them.
 */

/** Signs that carry nothing between two words. */
const SIGNS = new Set([',', '.', '!', ';', '(', ')', '/', "'s"]);
/** A longer word has its parts as features too, so that typing errors cost little. */
const LONG = 5;
/** The words and signs between two clauses. */
const BETWEEN_CLAUSES = /^[,.;:!?]$|^(?:and|but|then|so)$/;

/** A token without what differs from message to message. */
function plainWord({ word, kind, isName }: Token): string {
  if (isName) return '@name';
  return kind === undefined && /^\d/.test(word) ? '@count' : word;
}

/** For the intent: words and their neighbours, parts of words, kinds of values, clauses, and the pattern of the stance. */
export function intentFeatures(tokens: readonly Token[]): string[] {
  const all = tokens.map(plainWord);
  const words = all.filter((word) => !SIGNS.has(word));
  return [
    ...neighbours(words),
    ...words.flatMap((word) => (word.startsWith('@') || word.length < LONG ? [] : parts(`<${word}>`))),
    ...kinds(words),
    ...clauses(all),
    ...stanceFeatures(tokens).map((feature) => `S${feature}`),
  ];
}

/** Words, pairs of neighbours, pairs with one word between, the first and the last, and how many there are. */
function neighbours(words: readonly string[]): string[] {
  const first = ['', `f${words[0]}`, `l${words.at(-1)}`, `n${Math.min(words.length, 4)}`];
  return [...first, ...runs(words, () => [])];
}

/** Words, pairs of neighbours and pairs with one word between. `more`: features of three neighbours. */
function runs(words: readonly string[], more: (run: string) => readonly string[]): string[] {
  return words.flatMap((word, at) => {
    const [next, second] = [words[at + 1], words[at + 2]];
    const pair = next === undefined ? [] : [`b${word} ${next}`];
    return [
      `w${word}`,
      ...pair,
      ...(second === undefined ? [] : [...more(`${word} ${next} ${second}`), `s${word}_${second}`]),
    ];
  });
}

/** The parts of a word, of 3 to 5 letters. */
function parts(word: string): string[] {
  const found: string[] = [];
  for (let length = 3; length <= 5; length++)
    for (let at = 0; at + length <= word.length; at++) found.push(`c${word.slice(at, at + length)}`);
  return found;
}

/** The kinds of values that come together, and how many of each. */
function kinds(words: readonly string[]): string[] {
  const values = words.filter((word) => word.startsWith('@')).sort();
  const distinct = [...new Set(values)];
  const many = (kind: string) => Math.min(values.filter((value) => value === kind).length, 3);
  return [`K${distinct.join('+')}`, ...distinct.map((kind) => `K${kind}${many(kind)}`)];
}

/** The words of the first and of the last clause, and with which word each clause begins. */
function clauses(words: readonly string[]): string[] {
  const found: string[][] = [[]];
  for (const word of words)
    if (BETWEEN_CLAUSES.test(word)) found.push([]);
    else found.at(-1)?.push(word);
  const own = found.filter((clause) => clause.length > 0);
  const last = own.length > 1 ? (own.at(-1) ?? []) : [];
  return [
    ...(own[0] ?? []).map((word) => `A${word}`),
    ...last.map((word) => `Z${word}`),
    ...own.map(([first]) => `B${first}`),
    `C${Math.min(own.length, 4)}`,
  ];
}

/**
 * For the stance, which is whether a message orders, asks or forbids: the common words in their order, with a gap for all
 * words of a topic.
 */
export function stanceFeatures(tokens: readonly Token[]): string[] {
  const own = tokens.map(({ word, kind, isCommon }) => {
    if (kind) return '#';
    if (isCommon || !/\p{L}/u.test(word)) return word;
    return /(?:ing|ed)$/.test(word) ? `_${word.slice(-2)}` : '_';
  });
  const pattern = ['^', ...own.filter((word, at) => word !== own[at - 1]), '$'];
  return [
    ...['', `f${pattern.slice(1, 3).join(' ')}`, `g${pattern.slice(1, 4).join(' ')}`],
    ...runs(pattern, (run) => [`t${run}`]),
    ...tokens.flatMap(({ word, kind }) => (kind ? [] : [`v${word}`])),
  ];
}

/** For the value of one field with choices: words and their neighbours, and the operation. */
export function choiceFeatures(tokens: readonly Token[], operation: string, field: string): string[] {
  const words = tokens.map(plainWord).filter((word) => !SIGNS.has(word));
  return [...neighbours(words), `o${operation}`].map((feature) => `${field} ${feature}`);
}

/**
 * For a message that goes on with others: what came before it, alone and with each word, and what it means alone.
 *
 * @param last the label of the last answer
 * @param offer the label of the open offer
 */
export function threadFeatures(
  tokens: readonly Token[],
  { last, offer }: { last?: string | undefined; offer?: string | undefined },
  [one, two, three]: readonly Ranked[],
): string[] {
  const words = tokens.map(plainWord).filter((word) => !SIGNS.has(word));
  const before = [`tl${last}`, `to${offer}`];
  const share = one?.share ?? 0;
  const firm = share > 0.8 ? 'firm' : share > 0.4 ? 'half' : 'weak';
  return [
    ...[...before, `tn${Math.min(words.length, 5)}`, `tl${last} f${words[0]}`],
    ...words.flatMap((word) => [`tw${word}`, ...before.map((label) => `${label} ${word}`)]),
    ...[`g1${one?.label}`, `g1${one?.label} ${firm}`, `g2${two?.label}`, `g2${three?.label}`],
    ...[`gl${one?.label} ${last}`, `go${one?.label} ${offer}`, `gp${last} ${firm}`, `gq${offer} ${firm}`],
    ...[`gs${one?.label === offer} ${firm}`, `gt${one?.label === last} ${firm}`, `gf${firm}`],
  ];
}

/** The shape of a word: capitals, digits, signs. */
function shapeOf(raw: string): string {
  if (raw.length > 1 && /^\p{Lu}+$/u.test(raw)) return 'XX';
  return /^\p{Lu}/u.test(raw) ? 'Xx' : /^\d/.test(raw) ? '0' : 'x';
}

/**
 * For the slot of a token, which is the field that it fills: its neighbours, its form, the operation, and the slot of the
 * token before it.
 */
export function slotFeatures(tokens: readonly Token[], at: number, operation: string, before: string): string[] {
  const around = [-3, -2, -1, 0, 1, 2].map((step) => {
    const token = tokens[at + step];
    return !token ? '$' : token.isName ? '@name' : token.word;
  });
  const [third, second, previous, here = '', next, behind] = around;
  const kind = tokens[at]?.kind ?? (tokens[at]?.isName ? 'name' : 'word');
  const shape = shapeOf(tokens[at]?.raw ?? '');
  return [
    ...['', `o${operation}`, `h${here}`, `p${previous}`, `n${next}`, `k${kind}`, `b${before}`, `x${shape}`],
    ...[`pp${second} ${previous}`, `nn${next} ${behind}`, `ph${previous} ${here}`, `hn${here} ${next}`],
    ...[`p2${second}`, `p3${third}`, `n2${behind}`, `pk${previous}_${kind}`, `kn${kind}_${next}`],
    ...[`bk${before}_${kind}`, `bh${before}_${here}`, `xb${shape}_${before}`, `xp${shape}_${previous}`],
    ...[`e${here.slice(-3)}`, `i${Math.min(at, 3)}`, `z${Math.min(tokens.length - at, 3)}`],
    ...[`ob${operation}_${before}_${kind}`, `oh${operation}_${here}`, `op${operation}_${previous}`],
    ...[`ok${operation}_${kind}`, `opk${operation}_${previous}_${kind}`],
  ];
}
