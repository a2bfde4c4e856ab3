/*
 * A custom generator instead of a property-testing library, because the inputs must be texts of a given size (up to 64
 * KiB) built from the tokens of each grammar, with one seed for the whole run. The shrinking of a library is not
 * needed: a failure prints the parser, the seed and the number of the input, which reproduce it.
 */

/** mulberry32: 32 bits of state, the same numbers on every machine. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** 0 (included) to 1 (excluded). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<T>(from: readonly T[]): T {
    const found = from[this.below(from.length)];
    if (found === undefined) throw new Error('nothing to pick from');
    return found;
  }
}

/** The tokens in a text, which white space separates. */
export const tokensOf = (text: string): string[] => text.trim().split(/\s+/);

/** Texts that many grammars know, and texts that none expects. */
export const COMMON: readonly string[] = [
  ...tokensOf(`
    a A Aa 0 1234 " ' “ ” / // - _ . , ; : = + * ~ ( ) [ ] { } < > & % # @ | ^ $ ? ! 👩‍👩‍👧 é 中 __proto__
    constructor toString null true NaN
  `),
  ' ',
  '\n',
  '\r\n',
  '\t',
  '\u00a0',
  '\\',
  '`',
  '\u0000',
  '\u001b[',
  '\u009b',
  '\u202e',
  '\u200b',
  '\u200d',
  '\ud800',
];

/** A text of about `size` characters out of these tokens: at random, repeated, nested, or one token over and over. */
export function textOf(random: Random, tokens: readonly string[], size: number): string {
  const token = () => (random.next() < 0.8 ? random.pick(tokens) : random.pick(COMMON));
  const shape = random.below(5);
  if (shape === 0) return repeated(token(), size);
  if (shape === 1) return repeated(token() + token(), size);
  if (shape === 2) {
    // Many openings, then the rest: nested brackets, quotes and tags that never close.
    const half = Math.floor(size / 2);
    return repeated(token(), half) + repeated(token(), half);
  }
  if (shape === 3) return token() + repeated(random.pick([' ', '\t', 'a', '0', token()]), size) + token();
  let text = '';
  while (text.length < size) text += token();
  return text.slice(0, size);
}

export function repeated(token: string, size: number): string {
  return token === '' || size <= 0 ? '' : token.repeat(Math.ceil(size / token.length)).slice(0, size);
}

/** A size: mostly short, some long. */
export function sizeOf(random: Random): number {
  const kind = random.next();
  if (kind < 0.7) return random.below(64);
  return kind < 0.97 ? random.below(1024) : random.below(8192);
}

/** A JSON value out of these texts, at most a few levels deep. */
export function jsonOf(random: Random, tokens: readonly string[], size: number, depth = 0): unknown {
  const kind = random.below(depth > 4 ? 5 : 8);
  if (kind < 2) return textOf(random, tokens, Math.min(size, 200));
  if (kind === 2) return random.below(100_000);
  if (kind === 3) return random.pick([true, false, null]);
  if (kind === 4) return random.pick(['+12015550101', 'Active', '2026-01-01T00:00:00Z', '']);
  const many = random.below(Math.max(2, Math.min(20, size / 20)));
  if (kind === 5) return Array.from({ length: many }, () => jsonOf(random, tokens, size / 2, depth + 1));
  return Object.fromEntries(
    Array.from({ length: many }, () => [
      random.next() < 0.5 ? random.pick(tokens) : textOf(random, tokens, random.below(30)),
      jsonOf(random, tokens, size / 2, depth + 1),
    ]),
  );
}
