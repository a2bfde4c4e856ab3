import { type Card, type CardAction, type Fact, type Part, plainOf, type Text } from '../../../cards/card.ts';
import { type ActionId, LABELS } from '../../../cards/labels.ts';
import { clean } from '../../../language/show.ts';
import { defined, isRecord, recordOf } from '../../../lib/json.ts';
import { plainText } from '../../../lib/words.ts';
import { IDS } from '../ids.ts';
import type { Reworder } from '../types.ts';
import { elementsOf, mrkdwnOf } from './render.ts';
import {
  actions,
  alert,
  type Block,
  button,
  cut,
  type Element,
  escaped,
  label,
  lines,
  MAX_BUTTON_VALUE,
  plain,
  plainSentence,
  quote,
  rich,
  say,
  small,
} from './text.ts';

/* Draws the parts of a card in blocks, as far as they fit. It knows the limits of Slack, and no operation. */

/** Characters of the values that are listed on one card. Slack accepts 3,000 in a section, and a channel should stay readable. */
const LIST_CHARS = 2_800;
/** Characters of one of these values. */
const VALUE_CHARS = 900;
/** Characters of facts, sentences, warnings and statement on one card, and how many of them. */
const FACTS_CHARS = 6_000;
const MAX_FACTS = 40;
/** Lines of the values on one card. Slack folds a message with more, and a reader would not see what is below the fold. */
const MAX_LINES = 60;
/** Characters of a value that is shown in small text, and elements that Slack accepts in one block of it. */
const SMALL_CHARS = 600;
const MAX_SMALL = 10;
/** Slack accepts 100 options in a group of a menu. */
const MAX_CHOICES = 100;
/** Characters of one piece of text in a block. */
const PIECE_CHARS = 2_900;
/** Slack accepts 100 blocks in a view. The last ones are for the decision. */
const VIEW_BLOCKS = 92;
/** Slack accepts views of 250 kB. */
const VIEW_BYTES = 200_000;

/** A part of a card that is drawn as one line of text. */
interface Entry {
  kind: 'fact' | 'listed' | 'detail' | 'line' | 'warning' | 'statement' | 'remark';
  label: string;
  value: string;
  /** The elements of the value, or of a part of it. */
  draw: (value: string) => Element[];
}

/** A card as far as it fits. */
export interface Drawn {
  blocks: Block[];
  /** A sentence for each value that does not fit. */
  cuts: string[];
  /** True if everything is shown that the card has, except what is read on demand. */
  isWhole: boolean;
}

export interface DrawOptions {
  reworded?: Reworder;
  /** Blocks in the place of the card's actions. */
  buttons?: readonly Block[];
  /** Blocks above the parts, which may have the card's title. */
  head?: readonly Block[];
  /** Added to the line that says who did what and when, in mrkdwn. */
  beside?: string;
  /** Warnings are drawn as alerts, which Slack accepts in modals alone. */
  inModal?: true;
}

/** The parts of a card in blocks. */
export function draw({ title, parts }: Pick<Card, 'title' | 'parts'>, options: DrawOptions = {}): Drawn {
  const { reworded = plainText, buttons = [], head = [], beside, inModal } = options;
  const cuts: string[] = [];
  const left = { facts: FACTS_CHARS, count: MAX_FACTS, list: LIST_CHARS, lines: MAX_LINES };
  const drawn = parts.flatMap((part) => {
    if (part.kind === 'actions') return [...(cuts.length > 0 ? cutsLine(cuts) : []), ...buttons];
    if (part.kind === 'facts' && part.small) return [small(peopleText(part.rows, beside))];
    const shown = entriesOf(part, reworded).flatMap((entry) => fitted(entry, left, cuts));
    if (inModal && part.kind === 'note' && part.warns) return shown.map(({ value }) => alert('error', value));
    return blocksOfPart(part, shown);
  });
  const blocks = [...head, ...drawn];
  return {
    blocks,
    cuts,
    // Only a card with a confirming button needs to know.
    get isWhole() {
      return cuts.length === 0 && showsAll(blocks, title, parts, reworded);
    },
  };
}

/** Every part of a card in blocks for a modal, as far as Slack accepts them. */
export function drawWhole({ title, parts }: Pick<Card, 'title' | 'parts'>, reworded: Reworder): Drawn {
  const all = [
    say(rich.bold(cut(title, PIECE_CHARS))),
    ...parts.flatMap((part) =>
      entriesOf(part, reworded)
        .flatMap(inPieces)
        .flatMap((entry) => blocksOfPart(part, [entry])),
    ),
  ];
  const blocks: Block[] = [];
  let bytes = 0;
  for (const block of all) {
    bytes += Buffer.byteLength(JSON.stringify(block));
    if (blocks.length === VIEW_BLOCKS || bytes > VIEW_BYTES) break;
    blocks.push(block);
  }
  return { blocks, cuts: [], isWhole: showsAll(blocks, title, parts, reworded) };
}

/** "Asked by @ana · waits until 10:00", in mrkdwn. */
function peopleText(rows: readonly Fact[], beside = ''): string {
  const named = (label: string, at: number) => (at === 0 ? label : label.charAt(0).toLowerCase() + label.slice(1));
  return rows
    .map(({ label, value }, at) => `${named(label, at)} ${mrkdwnOf(value)}${at === 0 ? beside : ''}`)
    .join(' · ');
}

/** The line that names what a card leaves out. */
function cutsLine(cuts: readonly string[]): Block[] {
  return [say('⚠️ ', rich.bold('Some values do not fit on this card.'), ` ${cut(cuts.join(' '), 2_000)}`)];
}

export function wholeButton(actionId: string): Element {
  return button(IDS.everything, LABELS.everything, actionId);
}

const NAMES: Partial<Record<ActionId, string>> = IDS;
/** Several of these may be in one message, in which Slack accepts each id once. */
const NUMBERED: ReadonlySet<ActionId> = new Set(['fill', 'run', 'guide', 'guard', 'look']);

/**
 * Draws the actions of a card as buttons and menus. Pages are left out, because the message links to them.
 *
 * @param options.from the number of the first one, in a message with several rows
 */
export function buttonsOf(
  offered: readonly CardAction[],
  { reworded = plainText, from = 0 }: { reworded?: Reworder | undefined; from?: number } = {},
): Element[] {
  return offered.flatMap(({ id, label: text, style, confirm, value, options }, at) => {
    const name = NAMES[id];
    if (name === undefined || value.length > MAX_BUTTON_VALUE) return [];
    const actionId = NUMBERED.has(id) ? `${name}_${from + at}` : name;
    if (options) return [menu(actionId, text, options)];
    const asked = confirm && { ...confirm, text: plainSentence(reworded(confirm.text)) };
    return [button(actionId, text, value, defined({ style, confirm: asked }))];
  });
}

/** A menu of choices in groups. */
function menu(actionId: string, text: string, groups: NonNullable<CardAction['options']>): Element {
  const options = groups.map(({ group, choices }) => ({
    label: plain(group, 75),
    options: choices
      .slice(0, MAX_CHOICES)
      .map((choice) => ({ text: plain(choice.label, 75), value: cut(choice.value, 150) })),
  }));
  return { type: 'static_select', action_id: actionId, placeholder: label(text, 150), option_groups: options };
}

/**
 * The actions of the card of a change in one row. A view that does not show the whole question opens it instead of
 * confirming.
 *
 * @param options.name begins the id of the row, which no other row of the message has
 */
export function changeRow(
  { id }: { id: string },
  offered: readonly CardAction[],
  { isWhole = true, reworded, name = 'card' }: { isWhole?: boolean; reworded?: Reworder; name?: string } = {},
): Block[] {
  const shown = isWhole ? offered : offered.filter((one) => one.id !== 'confirm');
  const buttons = [...(isWhole ? [] : [wholeButton(id)]), ...buttonsOf(shown, { reworded })];
  return buttons.length === 0 ? [] : [actions(`${name}:${id}`, ...buttons)];
}

function entriesOf(part: Part, reworded: Reworder): Entry[] {
  switch (part.kind) {
    case 'facts': {
      if (part.folded !== undefined || part.small) return [];
      if (part.brief !== undefined)
        return part.brief.length === 0 ? [] : [entry('fact', part.title ?? '', part.brief, reworded)];
      return part.rows.map(({ label, value, detail }) => {
        const isSmall = detail && plainOf(value).length <= SMALL_CHARS;
        const kind = isSmall ? 'detail' : part.title === undefined ? 'fact' : 'listed';
        return indented(entry(kind, label, value, reworded));
      });
    }
    case 'table':
      return [entry('listed', part.title, [{ sent: (part.brief ?? part.rows.map(String)).join('\n') }], reworded)];
    case 'note':
      return part.lines.map((line) => entry(part.warns ? 'warning' : 'line', part.warns ? '⚠️' : '', line, reworded));
    case 'quote':
      return [entry('statement', plainOf(part.title), [{ sent: part.text }], reworded)];
    case 'small':
      return [entry('remark', '', [part.text], reworded)];
    // A list has a separate message.
    case 'rows':
    case 'actions':
      return [];
  }
}

function entry(kind: Entry['kind'], label: string, text: Text, reworded: Reworder): Entry {
  const isFact = kind === 'fact' || kind === 'listed';
  const paint = (elements: Element[]) => (isFact ? elements.flatMap(amounts) : elements);
  const [only] = text;
  if (typeof text === 'string')
    return { kind, label, value: text, draw: (value) => paint(elementsOf(value, reworded)) };
  if (text.length === 1 && typeof only === 'object' && 'sent' in only)
    return { kind, label, value: only.sent, draw: (value) => elementsOf([{ sent: value }], reworded) };
  if (text.length === 1 && typeof only === 'string')
    return { kind, label, value: reworded(only), draw: (value) => paint(elementsOf([{ words: value }])) };
  // A text of several pieces is shown whole or not at all.
  return { kind, label, value: plainOf(text), draw: () => paint(elementsOf(text, reworded)) };
}

/** The lines of a value after its first one are indented, so that none reads as another row. */
function indented(one: Entry): Entry {
  return {
    ...one,
    draw: (value) =>
      one
        .draw(value)
        .map((element) =>
          typeof element.text === 'string' ? { ...element, text: element.text.replaceAll('\n', '\n    ') } : element,
        ),
  };
}

/** Amounts are set in bold. */
function amounts(element: Element): Element[] {
  const { text, style } = element;
  if (typeof text !== 'string' || style !== undefined) return [element];
  return text
    .split(/(\d{1,9}(?:\.\d{1,9})? USD)/)
    .filter((piece) => piece !== '')
    .map((piece) => (/^\d.* USD$/.test(piece) ? rich.bold(piece) : rich.text(piece)));
}

function blocksOfPart(part: Part, entries: readonly Entry[]): Block[] {
  if (part.kind === 'note' && part.title !== undefined)
    return [lines([[rich.bold(part.title)], ...entries.map(elementsOfEntry)])];
  if (entries.length === 0) return [];
  if (part.kind === 'quote') {
    const title = typeof part.title === 'string' ? [{ strong: part.title }] : part.title;
    return entries.flatMap(({ value }) => [say(...elementsOf(title)), quote(rich.text(value))]);
  }
  if (part.kind === 'small') return entries.map(({ value }) => small(escaped(value)));
  if (part.kind === 'note' && part.warns) return entries.map((one) => say(...elementsOfEntry(one)));
  const shown = entries.filter(({ kind }) => kind !== 'detail');
  const details = entries.filter(({ kind }) => kind === 'detail');
  return [...(shown.length === 0 ? [] : [lines(shown.map(elementsOfEntry))]), ...detailBlocks(details)];
}

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

/** The entry as one line. */
function elementsOfEntry({ kind, label, value, draw: drawValue }: Entry): Element[] {
  if (kind === 'warning') return [rich.text(`${label} `), ...drawValue(value)];
  const head = label === '' || kind === 'statement' ? [] : [rich.bold(label), rich.text('  ')];
  return [...head, ...drawValue(value)];
}

/** What is left of the room on a card. */
type Room = Record<'facts' | 'count' | 'list' | 'lines', number>;

/** Returns the entry, or a beginning that fits. `cuts` gets what is left out. */
function fitted(entry: Entry, left: Room, cuts: string[]): Entry[] {
  const { kind, label } = entry;
  const isListed = kind === 'listed' || kind === 'detail';
  const room = isListed ? Math.min(VALUE_CHARS, left.list) : left.facts;
  const space = Math.min(PIECE_CHARS, room - label.length);
  const name = kind === 'warning' ? 'A warning' : kind === 'statement' ? 'The statement' : label || 'A sentence';
  const rows = entry.value.split('\n');
  const value = rows.slice(0, left.lines).join('\n');
  if ((!isListed && left.count === 0) || left.lines === 0 || (space < 40 && value.length > space)) {
    cuts.push(`${name} is not shown.`);
    return [];
  }
  const used = label.length + Math.min(value.length, space);
  const extra = Math.max(0, rows.length - left.lines);
  left.lines = Math.max(0, left.lines - rows.length);
  if (isListed) left.list -= used;
  else {
    left.facts -= used;
    left.count -= 1;
  }
  if (extra > 0) cuts.push(`${name}: ${extra} of ${rows.length} lines are not shown.`);
  if (value.length <= space) return [{ ...entry, value }];
  const { text, missing } = beginning(value, space);
  cuts.push(`${name}: ${missing} not shown.`);
  return [{ ...entry, value: text }];
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

/**
 * True if blocks show the title of a card and every value of its parts on a separate line. A view that does not may
 * not confirm, because its reader would agree to values they have not seen.
 */
function showsAll(blocks: readonly Block[], title: string, parts: readonly Part[], reworded: Reworder): boolean {
  const shown = new Set(blocks.flatMap(linesOf));
  const entries = parts.flatMap((part) => entriesOf(part, reworded));
  return (
    [...shown].some((text) => text.includes(clean(title))) &&
    entries.every((part) => [[part], inPieces(part)].some((pieces) => pieces.every((one) => shown.has(lineOf(one)))))
  );
}

function lineOf(entry: Entry): string {
  return entry.kind === 'remark' ? escaped(entry.value) : textOf(elementsOfEntry(entry));
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
    label: i === 0 || entry.label === '' ? entry.label : `${entry.label}, continued`,
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
      const found = charactersOf(member);
      pieces.push(...found);
      size = [...(found.at(-1) ?? '')].length;
    }
  }
  return pieces;
}

function charactersOf(text: string): string[] {
  const characters = [...text];
  const count = Math.max(1, Math.ceil(characters.length / PIECE_CHARS));
  return Array.from({ length: count }, (_, i) => characters.slice(i * PIECE_CHARS, (i + 1) * PIECE_CHARS).join(''));
}
