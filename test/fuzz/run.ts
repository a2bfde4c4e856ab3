import { cpuTime } from '../support/cpu.ts';
import { jsonOf, Random, repeated, sizeOf, textOf } from './generate.ts';
import { type Parser, parsers } from './parsers.ts';

export const LARGEST = 64 * 1024;
/** The slowest a parser may be at 64 KiB, in ms of processor time. */
export const SLOWEST_MS = 100;

export interface Figures {
  parser: string;
  inputs: number;
  slowestMs: number;
  /** Characters of the slowest input. */
  size: number;
  failures: string[];
}

/** Runs random inputs, spread over all parsers. A quarter of them are JSON. */
export function fuzz(seed: number, inputs: number): Figures[] {
  const each = Math.ceil(inputs / parsers.length);
  return parsers.map((parser, index) => {
    const random = new Random(seed + index * 7919);
    const figures = emptyFigures(parser);
    for (let at = 0; at < each; at += 1) {
      const size = at % 500 === 499 ? LARGEST : sizeOf(random);
      const json = random.next() < 0.25;
      const made = json ? JSON.stringify(jsonOf(random, parser.tokens, size)) : textOf(random, parser.tokens, size);
      const text = made.slice(0, LARGEST);
      read(parser, text, figures, `seed ${seed}, input ${at}`);
    }
    return figures;
  });
}

interface Pumped {
  figures: Figures;
  /** The slowest text, with its times at 64 KiB and at a quarter of that. */
  worst: { text: string; ms: number; quarter: number };
}

/** Below this, a time is noise of the machine. */
const NOTICEABLE_MS = 20;

/** A text four times as long takes four times as long in linear time, and sixteen times as long in quadratic time. */
export function isLinear({ ms, quarter }: Pumped['worst']): boolean {
  return ms <= NOTICEABLE_MS || ms < 8 * quarter;
}

/** Every token of every grammar, alone, in pairs and around spaces, at 64 KiB; the slowest also at a quarter of it. */
export function pump(parser: Parser): Pumped {
  return pumped(parser, [...shapes(parser.tokens)], emptyFigures(parser));
}

type Shape = (size: number) => string;

const shortened = (make: Shape) => JSON.stringify(make(40)).slice(0, 60);

function pumped(parser: Parser, made: readonly Shape[], figures: Figures): Pumped {
  let worst: { make: Shape; ms: number } = { make: () => '', ms: 0 };
  for (const make of made) {
    const ms = read(parser, make(LARGEST), figures, `pumped with ${shortened(make)}`);
    if (ms > worst.ms) worst = { make, ms };
  }
  const [whole, part] = [worst.make(LARGEST), worst.make(LARGEST / 4)];
  const times = { text: shortened(worst.make), ms: Infinity, quarter: Infinity };
  // Other work of the machine lengthens a time, never shortens it, so the shortest of several is the parser's own.
  for (let again = 0; again < 3 || (again < 30 && !isLinear(times)); again += 1) {
    times.ms = Math.min(times.ms, once(parser, whole, undefined, ''));
    times.quarter = Math.min(times.quarter, once(parser, part, undefined, ''));
  }
  return { figures, worst: times };
}

function* shapes(tokens: readonly string[]): Generator<Shape> {
  for (const token of tokens) {
    yield (size) => repeated(token, size);
    for (const filler of [' ', 'a', '0', '\n']) {
      yield (size) => `${token}${repeated(filler, size - token.length - 1)}!`;
      yield (size) => repeated(token + filler, size);
    }
  }
  // Each token with the next one, so that openings meet closings and near misses.
  for (const [index, token] of tokens.entries()) {
    const next = tokens[(index + 1) % tokens.length] ?? '';
    yield (size) => repeated(token + next, size);
    yield (size) => repeated(token, size / 2) + repeated(next, size / 2);
  }
}

/** Runs one parser on one text; returns its processor time, in ms. A slow run is measured again: the first warms up, and
 * a busy machine slows several in a row. */
export function read(parser: Parser, text: string, figures: Figures, where: string): number {
  let ms = once(parser, text, figures, where);
  for (let again = 0; again < 12 && ms > SLOWEST_MS / 2; again += 1)
    ms = Math.min(ms, once(parser, text, undefined, where));
  figures.inputs += 1;
  if (ms > figures.slowestMs) Object.assign(figures, { slowestMs: ms, size: text.length });
  if (ms > SLOWEST_MS) figures.failures.push(`${where}: ${Math.round(ms)} ms for ${text.length} characters`);
  return ms;
}

function once(parser: Parser, text: string, figures: Figures | undefined, where: string): number {
  const started = cpuTime();
  try {
    parser.read(text);
  } catch (error) {
    const declared = (parser.declared ?? []).some((kind) => error instanceof kind);
    if (!declared) figures?.failures.push(`${where}: ${String(error)} on ${JSON.stringify(text.slice(0, 80))}`);
  }
  return cpuTime() - started;
}

export function emptyFigures(parser: Parser): Figures {
  return { parser: parser.name, inputs: 0, slowestMs: 0, size: 0, failures: [] };
}

/** Returns a table of a run: the number of inputs, the slowest one and the failures of each parser. */
export function tableOf(all: readonly Figures[]): string {
  const rows = all.map(({ parser, inputs, slowestMs, size, failures }) =>
    [
      parser.padEnd(24),
      String(inputs).padStart(8),
      `${slowestMs.toFixed(1)} ms`.padStart(10),
      `${size} characters`.padStart(18),
      `${failures.length} failures`.padStart(12),
    ].join('  '),
  );
  const total = all.reduce((sum, { inputs }) => sum + inputs, 0);
  const slowest = Math.max(...all.map(({ slowestMs }) => slowestMs));
  const failures = all.reduce((sum, { failures }) => sum + failures.length, 0);
  return [
    ...rows,
    `${total} inputs over ${all.length} parsers, slowest ${slowest.toFixed(1)} ms, ${failures} failures`,
  ].join('\n');
}
