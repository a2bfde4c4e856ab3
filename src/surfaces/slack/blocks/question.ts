import { type Asked, CONSENT_LABEL, type FactName, questionFacts } from '../../../cards/question.ts';
import { clean, formatPhone } from '../../../language/show.ts';
import { isRecord, recordOf } from '../../../lib/json.ts';
import { plainText } from '../../../lib/words.ts';
import { IDS } from '../ids.ts';
import type { Reworder } from '../types.ts';
import {
  actions,
  type Block,
  button,
  cut,
  type Element,
  escaped,
  lines,
  plainSentence,
  quote,
  rich,
  say,
  small,
} from './text.ts';

/** Characters of all values on one card. Slack accepts 3,000 in a section, and a channel should stay readable. */
const CARD_CHARS = 2_800;
/** Characters of one value on a card. */
const VALUE_CHARS = 900;
/** Characters of customer, consequence, cost, warnings and statement on one card, and how many of them. */
const FACTS_CHARS = 6_000;
const MAX_FACTS = 20;
/** Characters of one piece of text in a block. */
const PIECE_CHARS = 2_900;
/** Slack accepts 100 blocks in a view. The last ones are for the decision. */
const VIEW_BLOCKS = 92;
/** Slack accepts views of 250 kB. */
const VIEW_BYTES = 200_000;

/** A part of a question, drawn as one line of text. */
interface Entry {
  kind: 'customer' | 'reason' | 'fact' | 'warning' | 'statement' | 'remark' | 'row' | 'detail';
  label: string;
  value: string;
}

/** A question as far as it fits, and a sentence for each part that does not. */
export interface DrawnQuestion {
  blocks: Block[];
  cuts: string[];
}

/** The question on a card. */
export function cardQuestion(asked: Asked, reworded: Reworder): DrawnQuestion {
  const facts = fitted(factsOf(asked, reworded), { chars: FACTS_CHARS, each: FACTS_CHARS, count: MAX_FACTS });
  const rows = cardRows(asked, reworded);
  return { blocks: [...blocksOf(facts.shown), ...rows.blocks], cuts: [...facts.cuts, ...rows.cuts] };
}

/** Everything that will be or would have been sent, as far as it fits on a card. */
export function cardRows(asked: Asked, reworded: Reworder): DrawnQuestion {
  const { shown, cuts } = fitted(rowsOf(asked, reworded), { chars: CARD_CHARS, each: VALUE_CHARS });
  return { blocks: rowBlocks(shown), cuts };
}

/** The rows as lines, followed by the details in small text. */
function rowBlocks(entries: readonly Entry[]): Block[] {
  const rows = entries.filter(({ kind }) => kind === 'row');
  const details = entries.filter(({ kind }) => kind === 'detail');
  return [...(rows.length === 0 ? [] : [lines(rows.map(elementsOf))]), ...detailBlocks(details)];
}

/** Elements that Slack accepts in one context block. */
const MAX_SMALL = 10;

function detailBlocks(details: readonly Entry[]): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < details.length; at += MAX_SMALL) {
    const elements = details
      .slice(at, at + MAX_SMALL)
      .map((one) => ({ type: 'plain_text', text: lineOf(one), emoji: false }));
    blocks.push({ type: 'context', elements });
  }
  return blocks;
}

/** The line that names what a card leaves out. */
export function cutsLine(cuts: readonly string[]): Block[] {
  return cuts.length === 0
    ? []
    : [say('⚠️ ', rich.bold('Some values do not fit on this card.'), ` ${cut(cuts.join(' '), 2_000)}`)];
}

/** Blocks with the line that names what they leave out, and the button that shows it. */
export function withWholeButton({ blocks, cuts }: DrawnQuestion, actionId: string): Block[] {
  if (cuts.length === 0) return blocks;
  return [...blocks, ...cutsLine(cuts), actions(`whole:${actionId}`, wholeButton(actionId))];
}

export function wholeButton(actionId: string): Element {
  return button(IDS.everything, 'Show everything', actionId);
}

/** Every part of the question in blocks for a modal, as far as Slack accepts them. */
export function wholeQuestion(asked: Asked, reworded: Reworder): Block[] {
  const all = [
    say(rich.bold(asked.title)),
    ...blocksOf([...factsOf(asked, reworded), ...rowsOf(asked, reworded)].flatMap(inPieces)),
  ];
  const kept: Block[] = [];
  let bytes = 0;
  for (const block of all) {
    bytes += Buffer.byteLength(JSON.stringify(block));
    if (kept.length === VIEW_BLOCKS || bytes > VIEW_BYTES) break;
    kept.push(block);
  }
  return kept;
}

/**
 * True if blocks show the whole question: its title, and each part on a separate line. A view that does not may not
 * confirm, because its reader would agree to values they have not seen.
 */
export function showsAll(blocks: readonly Block[], asked: Asked, reworded: Reworder): boolean {
  const shown = new Set(blocks.flatMap(linesOf));
  const parts = [...factsOf(asked, reworded), ...rowsOf(asked, reworded)];
  return (
    [...shown].some((text) => text.includes(clean(asked.title))) &&
    parts.every((part) => [[part], inPieces(part)].some((pieces) => pieces.every((one) => shown.has(lineOf(one)))))
  );
}

const KINDS = { customer: 'customer', consequence: 'fact', cost: 'fact', undo: 'fact', reason: 'reason' } as const;

function factsOf(asked: Asked, reworded: Reworder): Entry[] {
  const words: Partial<Record<FactName, (text: string) => string>> = {
    consequence: (text) => plainSentence(reworded(text)),
    undo: reworded,
  };
  const entries: Entry[] = [
    // Approvals stand below, with the people.
    ...questionFacts(asked).flatMap(({ name, label, value }): Entry[] =>
      name === 'approvals' ? [] : [{ kind: KINDS[name], label, value: words[name]?.(value) ?? value }],
    ),
    ...asked.warnings.map(
      (warning): Entry => ({ kind: 'warning', label: '⚠️', value: plainSentence(reworded(warning)) }),
    ),
    { kind: 'statement', label: CONSENT_LABEL, value: asked.statement },
    { kind: 'remark', label: '', value: asked.statementMissing },
  ];
  return entries.filter(({ value }) => value !== '');
}

/** Characters of a value that is shown in small text. */
const SMALL_CHARS = 300;

/** The rows of a question. Beside what changes, ids and what names the record are details. */
function rowsOf({ rows }: Asked, reworded: Reworder): Entry[] {
  const isChange = rows.some((row) => row.isChange === true);
  return rows.map(({ label, value, isText, isDetail }) => ({
    kind: isChange && isDetail && value.length <= SMALL_CHARS ? 'detail' : 'row',
    label,
    value: isText ? plainText(reworded(value)) : value,
  }));
}

function blocksOf(entries: readonly Entry[]): Block[] {
  const facts = entries.filter(({ kind }) => kind === 'fact');
  const details = entries.filter(({ kind }) => kind === 'detail');
  const shown = entries.flatMap((entry): Block[] => {
    switch (entry.kind) {
      case 'fact':
        // Consequence, cost and undo are one block.
        return entry === facts[0] ? [lines(facts.map(elementsOf))] : [];
      case 'remark':
        return [small(escaped(entry.value))];
      case 'statement':
        return [say(rich.bold(entry.label)), quote(rich.text(entry.value))];
      case 'detail':
        return [];
      default:
        return [say(...elementsOf(entry))];
    }
  });
  return [...shown, ...detailBlocks(details)];
}

/** The entry as one line. */
function elementsOf({ kind, label, value }: Entry): Element[] {
  switch (kind) {
    case 'remark':
    case 'statement':
      return [rich.text(value)];
    case 'customer':
    case 'reason':
      return [rich.bold(label), rich.text('  '), rich.text(value)];
    case 'fact':
      return [rich.bold(label), rich.text('  '), ...amounts(value)];
    case 'warning':
      return [rich.text(`${label} `), rich.text(value)];
    case 'row':
    case 'detail':
      return [rich.bold(label), rich.text('  '), ...sentValue(value)];
  }
}

const PHONES = /^\+\d{7,15}(, \+\d{7,15})*$/;
const ID = /^[A-Z]{2,7}-[A-Za-z0-9._-]{4,}$/;

/** A value as it will be sent: numbers and ids as code, nothing reworded. */
function sentValue(value: string): Element[] {
  if (ID.test(value)) return [rich.code(value)];
  if (!PHONES.test(value)) return [rich.text(value)];
  const numbers = value.split(', ').flatMap((number) => [rich.text(', '), rich.code(number)]);
  const { national, e164 } = formatPhone(value);
  return e164 === value && national !== e164 ? [rich.text(`${national}  `), rich.code(e164)] : numbers.slice(1);
}

function lineOf(entry: Entry): string {
  return textOf(elementsOf(entry));
}

function textOf(elements: readonly Element[]): string {
  return elements.map(({ text }) => (typeof text === 'string' ? text : '')).join('');
}

/** The lines of a block, as a reader sees them. */
function linesOf(block: Block): string[] {
  const { text, elements } = block;
  if (!Array.isArray(elements)) return [isRecord(text) ? String(text.text ?? '') : ''];
  return elements.map(recordOf).flatMap((part) => {
    if (!Array.isArray(part.elements)) return [String(part.text ?? '')];
    const found: Element[][] = [[]];
    for (const element of part.elements.map(recordOf)) {
      if (element.text === '\n') found.push([]);
      else found.at(-1)?.push(element);
    }
    return found.map(textOf);
  });
}

/** A long entry as several ones, because Slack limits the text of a block. A member of a list is not cut in two. */
function inPieces(entry: Entry): Entry[] {
  if ([...entry.value].length <= PIECE_CHARS) return [entry];
  return piecesOf(entry.value).map((value, i) => ({
    ...entry,
    label: i === 0 ? entry.label : `${entry.label}, continued`,
    value,
  }));
}

/** A text in pieces that fit into a block: whole lines or members of a list, otherwise cut between characters. */
function piecesOf(text: string): string[] {
  const separator = text.includes('\n') ? '\n' : ', ';
  const pieces: string[] = [];
  let size = 0;
  for (const member of text.split(separator)) {
    const last = pieces.at(-1);
    const joinedSize = size + separator.length + [...member].length;
    if (last !== undefined && joinedSize <= PIECE_CHARS) {
      pieces[pieces.length - 1] = `${last}${separator}${member}`;
      size = joinedSize;
    } else {
      const cut = charactersOf(member);
      pieces.push(...cut);
      size = [...(cut.at(-1) ?? '')].length;
    }
  }
  return pieces;
}

function charactersOf(text: string): string[] {
  const characters = [...text];
  const count = Math.max(1, Math.ceil(characters.length / PIECE_CHARS));
  return Array.from({ length: count }, (_, i) => characters.slice(i * PIECE_CHARS, (i + 1) * PIECE_CHARS).join(''));
}

/** The entries that fit, and sentences that name what is left out. */
function fitted(
  entries: readonly Entry[],
  limits: { chars: number; each: number; count?: number },
): { shown: Entry[]; cuts: string[] } {
  const shown: Entry[] = [];
  const cuts: string[] = [];
  let left = limits.chars;
  for (const entry of entries) {
    const name = entry.kind === 'warning' ? 'A warning' : entry.kind === 'statement' ? 'The statement' : entry.label;
    const space = Math.min(limits.each, PIECE_CHARS, left - entry.label.length);
    if (shown.length === limits.count || (space < 40 && entry.value.length > space)) {
      cuts.push(`${name} is not shown.`);
      continue;
    }
    if (entry.value.length <= space) shown.push(entry);
    else {
      const { text, missing } = beginning(entry.value, space);
      shown.push({ ...entry, value: text });
      cuts.push(`${name}: ${missing} not shown.`);
    }
    left -= entry.label.length + Math.min(entry.value.length, space);
  }
  return { shown, cuts };
}

/** The first part of a value: whole members of a list, or whole characters of a text. */
function beginning(value: string, space: number): { text: string; missing: string } {
  const separator = value.includes('\n') ? '\n' : ', ';
  const members = value.split(separator);
  let end = 0;
  let size = 0;
  while (end < members.length && size + (members[end]?.length ?? 0) + separator.length < space) {
    size += (members[end]?.length ?? 0) + separator.length;
    end += 1;
  }
  // Prose that contains a comma is cut by characters, because its pieces are not members of a list.
  const isList =
    end > 0 && members.every((member) => member.length > 0 && member.length < 100 && !member.includes(' '));
  if (isList) {
    const missing = members.length - end;
    return { text: members.slice(0, end).join(separator), missing: `${missing} of ${members.length} are` };
  }
  const characters = [...value];
  const kept = characters.slice(0, space).join('');
  return { text: kept, missing: `${characters.length - [...kept].length} of ${characters.length} characters are` };
}

/** Amounts are set in bold. */
function amounts(text: string): Element[] {
  return text
    .split(/(\d{1,9}(?:\.\d{1,9})? USD)/)
    .filter((piece) => piece !== '')
    .map((piece) => (/^\d.* USD$/.test(piece) ? rich.bold(piece) : rich.text(piece)));
}
