import type { Ranked } from './classifier.ts';
import type { Token } from './tokens.ts';

/*
 * Features: what the classifiers see of a message. A feature is a text whose first characters say what kind it is. Values
 * count as their kind and people as `@name`, because what is asked for does not depend on them.
 */

/** Signs that carry nothing between two words. */
const SIGNS = new Set([',', '.', '!', ';', '(', ')', '/', "'s"]);
/** A longer word has its parts as features too, so that typing errors cost little. */
const LONG = 5;
/** Where one clause ends and the next begins. */
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
  const features = ['', `f${words[0]}`, `l${words.at(-1)}`, `n${Math.min(words.length, 4)}`];
  words.forEach((word, at) => {
    features.push(`w${word}`);
    if (at + 1 < words.length) features.push(`b${word} ${words[at + 1]}`);
    if (at + 2 < words.length) features.push(`s${word}_${words[at + 2]}`);
  });
  return features;
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
  for (const word of words) {
    if (BETWEEN_CLAUSES.test(word)) found.push([]);
    else found.at(-1)?.push(word);
  }
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
  const features = ['', `f${pattern.slice(1, 3).join(' ')}`, `g${pattern.slice(1, 4).join(' ')}`];
  pattern.forEach((word, at) => {
    const [next, second] = [pattern[at + 1], pattern[at + 2]];
    features.push(`w${word}`);
    if (next !== undefined) features.push(`b${word} ${next}`);
    if (second !== undefined) features.push(`t${word} ${next} ${second}`, `s${word}_${second}`);
  });
  for (const { word, kind } of tokens) if (!kind) features.push(`v${word}`);
  return features;
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

/** How a word is written. */
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
