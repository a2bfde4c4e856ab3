import type { Card, Fact, Part, Piece, Step, Text } from '../../../cards/card.ts';
import { clean, formatPhone, stateMark } from '../../../language/show.ts';
import { personElement } from './people.ts';
import { type Block, cut, type Element, escaped, lines, PHONE, rich, say, sentence, small } from './text.ts';

/* Draws cards in blocks. It knows the limits of Slack, and no operation. */

/** Characters of the lines of a list that stands on a card. */
const LIST_CHARS = 1_500;

/** The parts of a card in blocks. Values that are read on demand are left to a button. `buttons`: where the actions stand. */
export function blocksOf({ parts }: Pick<Card, 'parts'>, buttons: readonly Block[] = []): Block[] {
  return parts.flatMap((part) => (part.kind === 'actions' ? buttons : blocksOfPart(part)));
}

function blocksOfPart(part: Exclude<Part, { kind: 'actions' }>): Block[] {
  switch (part.kind) {
    case 'facts':
      if (part.folded !== undefined) return [];
      if (part.brief === undefined) return [pairLines(part.rows.map(({ label, value }) => [label, value]))];
      return part.brief.length === 0 ? [] : [say(rich.bold(part.title ?? ''), '  ', ...elementsOf(part.brief))];
    case 'table':
      return [say(rich.bold(part.title), '  ', cut((part.brief ?? part.rows.map(String)).join('\n'), LIST_CHARS))];
    case 'note':
      return [lines([...(part.title === undefined ? [] : [[rich.bold(part.title)]]), ...part.lines.map(elementsOf)])];
    case 'small':
      return [small(escaped(part.text))];
  }
}

/** A text of a card in elements. */
export function elementsOf(text: Text): Element[] {
  if (typeof text === 'string') return sentence(text);
  return text.flatMap((piece) => (piece === '' ? [] : pieceOf(piece)));
}

function pieceOf(piece: Piece): Element[] {
  if (typeof piece === 'string') return sentence(piece);
  if ('strong' in piece) return [rich.bold(piece.strong)];
  if ('said' in piece) return [rich.italic(piece.said)];
  if ('value' in piece) return values(piece.value);
  if ('code' in piece) return [rich.code(piece.code)];
  if ('bar' in piece) return [rich.text(`${barText(piece.bar)} ${piece.words}`)];
  if ('steps' in piece) return stepLine(piece.steps);
  return [personElement(piece.person, piece.name)];
}

const CELLS = 10;

/** A share of 1 as a bar in text, which reads the same in messages, tables and notifications. */
export function barText(share: number): string {
  // Show neither a full bar while something is left, nor an empty bar after something was used.
  const filled = Math.min(share < 1 ? CELLS - 1 : CELLS, Math.max(share > 0 ? 1 : 0, Math.round(share * CELLS)));
  return `${'▓'.repeat(filled)}${'░'.repeat(CELLS - filled)}`;
}

const STEP_MARKS: Readonly<Record<Step['state'], string>> = { done: '✅', current: '🔵', rejected: '❌', ahead: '⚪' };

/** The steps of a port-in in one line, for cards with other content. */
export function stepLine(steps: readonly Step[]): Element[] {
  return stepLines(steps).flatMap((step, i) => (i === 0 ? step : [rich.text('  ›  '), ...step]));
}

/** The steps of a port-in with its position, one a line. */
export function stepLines(steps: readonly Step[]): Element[][] {
  return steps.map(({ label, state }) => {
    const mark = STEP_MARKS[state];
    if (state === 'done' || state === 'ahead') return [rich.text(`${mark} ${label}`)];
    return [rich.text(`${mark} `), rich.bold(label), rich.text(state === 'rejected' ? ' (rejected)' : ' (current)')];
  });
}

/** Pairs of label and value, one line each, which also reads well on a phone. */
export function pairLines(pairs: readonly (readonly [string, Fact['value']])[]): Block {
  // The filter of a list is not a state.
  const drawn = (name: string, text: Text) =>
    typeof text !== 'string' ? elementsOf(text) : name === 'Filter' ? [text] : values(text);
  return lines(pairs.map(([name, text]) => [rich.bold(name), '  ', ...drawn(name, text)]));
}

/** An id, which people copy. */
export const ID = /^[A-Z]{2,7}-[A-Za-z0-9._-]{4,}$/;
/** A SIM's serial number. */
const SIM = /^\d{18,21}[\dFf]?$/;
const MAX_VALUE = 2_000;

/** One value as one element. */
export function value(text: string): Element {
  const [first, ...others] = values(text);
  return first !== undefined && others.length === 0 ? first : rich.text(text);
}

/** One value: numbers in both notations, ids as code, states with a mark, times in the reader's zone. */
export function values(raw: string): Element[] {
  const text = clean(raw);
  if (PHONE.test(text)) {
    const { national, e164 } = formatPhone(text);
    return national === e164 ? [rich.code(e164)] : [rich.text(`${national}  `), rich.code(e164)];
  }
  if (ID.test(text) || SIM.test(text)) return [rich.code(text)];
  const at = timeIn(text);
  if (at !== undefined) return [rich.date(at)];
  // "Acme Mobile (AID-…)".
  const named = /^(.+ )\(([A-Z]{2,7}-[\w.-]{4,})\)$/.exec(text);
  if (named) return [rich.text(named[1] ?? ''), rich.code(named[2] ?? '')];
  const mark = stateMark(text);
  if (mark !== '') return [rich.text(`${mark} ${text}`)];
  if (/^\+\d{7,15}(, \+\d{7,15})+$/.test(text)) {
    return text
      .split(', ')
      .flatMap((number, i) => (i === 0 ? [rich.code(number)] : [rich.text(', '), rich.code(number)]));
  }
  if (text.length <= MAX_VALUE) return [rich.text(text)];
  return [rich.text(`${text.slice(0, MAX_VALUE)}… (${text.length - MAX_VALUE} more characters: JSON)`)];
}

/** A time with its zone, as epoch ms. A date without a time is not converted. */
export function timeIn(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
