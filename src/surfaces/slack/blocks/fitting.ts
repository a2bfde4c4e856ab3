import {
  type ActionId,
  type Card,
  type CardAction,
  type Fact,
  LABELS,
  type Part,
  plainOf,
  type Text,
} from '../../../cards/card.ts';
import { defined, plainText } from '../../../lib/values.ts';
import { IDS, type Reworder } from '../types.ts';
import {
  type Block,
  button,
  buttonRow,
  cut,
  type Element,
  elementsOf,
  escaped,
  header,
  label,
  lines,
  MAX_BUTTON_VALUE,
  mrkdwnOf,
  option,
  pieces,
  plain,
  plainSentence,
  quote,
  rich,
  say,
  small,
} from './text.ts';

/* Draws the parts of a card in blocks, as far as they fit. It knows the limits of Slack, and no operation. */

/** Slack accepts 150 characters in a header, with the mark. */
export const FITS_HEADER = 140;
/** Characters of a title that Slack accepts in a block. A card with a longer title is not whole. */
const MAX_TITLE = 2_900;
/** Characters of one text. Slack accepts 3,000. */
const TEXT_CHARS = 2_900;
/** Characters of one value of a record in a message. A channel should stay readable. */
const VALUE_CHARS = 900;
/** Characters and lines of all values in a message. Slack folds a longer one, and a reader would not see the rest. */
const MESSAGE_CHARS = 4_000;
const MESSAGE_LINES = 60;
/** Characters of a value that is shown in small text, and texts that Slack accepts in one block of it. */
const SMALL_CHARS = 600;
const MAX_SMALL = 10;
/** Slack accepts 100 options in a group of a menu. */
const MAX_CHOICES = 100;
/** Slack accepts 100 blocks and 250 kB in a view. The last ones are for the decision. */
const VIEW_BLOCKS = 92;
const VIEW_BYTES = 200_000;

/** A labelled value, or a sentence without a label. */
interface Entry {
  label: string;
  value: string;
  elements: Element[];
  isSmall?: boolean;
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
  /** Blocks above the parts, which have the card's title. */
  head?: readonly Block[];
  /** Added to the line that says who did what and when, in mrkdwn. */
  beside?: string;
}

/** The parts of a card in the blocks of a message. */
export function draw({ title, parts }: Pick<Card, 'title' | 'parts'>, options: DrawOptions = {}): Drawn {
  const { reworded = plainText, buttons = [], head = [], beside } = options;
  const cuts: string[] = [];
  const room: Room = { chars: MESSAGE_CHARS, lines: MESSAGE_LINES };
  const drawn = parts.flatMap((part) => {
    if (part.kind === 'actions')
      return [
        ...(cuts.length === 0
          ? []
          : [say('⚠️ ', rich.bold('Some values do not fit on this card.'), ` ${cut(cuts.join(' '), 2_000)}`)]),
        ...buttons,
      ];
    if (part.kind === 'facts' && part.small) return [small(peopleText(part.rows, beside))];
    return blocksOfPart(
      part,
      entriesOf(part, reworded).flatMap((entry) =>
        fitted(entry, room, cuts, part.kind === 'facts' || part.kind === 'table'),
      ),
    );
  });
  return { blocks: [...head, ...drawn], cuts, isWhole: cuts.length === 0 && title.length <= MAX_TITLE };
}

/** Every part of a card in blocks for a modal, as far as Slack accepts them. */
export function drawWhole({ title, parts }: Pick<Card, 'title' | 'parts'>, reworded: Reworder): Omit<Drawn, 'cuts'> {
  const all = [
    titleBlock(title),
    ...parts.flatMap((part) =>
      entriesOf(part, reworded)
        .flatMap(inPieces)
        .flatMap((entry) => blocksOfPart(part, [entry])),
    ),
  ];
  let bytes = 0;
  const blocks = all.slice(0, VIEW_BLOCKS).filter((block) => {
    bytes += Buffer.byteLength(JSON.stringify(block));
    return bytes <= VIEW_BYTES;
  });
  return { blocks, isWhole: blocks.length === all.length && title.length <= MAX_TITLE };
}

/** A headline of two parts. The second one stands below the first if both do not fit in one line. */
export function headed(first: string, second: string, whole = `${first}: ${second}`): Block[] {
  return whole.length <= FITS_HEADER ? [header(whole)] : [header(first), say(rich.bold(cut(second, MAX_TITLE)))];
}

export function titleBlock(title: string): Block {
  return say(rich.bold(cut(title, MAX_TITLE)));
}

/** "Asked by @ana · waits until 10:00", in mrkdwn. */
function peopleText(rows: readonly Fact[], beside = ''): string {
  const texts = rows.map(({ label, value }, at) =>
    at === 0
      ? `${label} ${mrkdwnOf(value)}${beside}`
      : `${label.charAt(0).toLowerCase()}${label.slice(1)} ${mrkdwnOf(value)}`,
  );
  return texts.join(' · ');
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
    if (options) {
      const groups = options.map(({ group, choices }) => ({
        label: plain(group, 75),
        options: choices.slice(0, MAX_CHOICES).map((choice) => option(choice.value, choice.label)),
      }));
      const placeholder = label(text, 150);
      return [{ type: 'static_select', action_id: actionId, placeholder, option_groups: groups }];
    }
    const asked = confirm && { ...confirm, text: plainSentence(reworded(confirm.text)) };
    return [button(actionId, text, value, defined({ style, confirm: asked }))];
  });
}

/**
 * The actions of the card of a change: the decision in one row, and those of the requester below it. A view that does not
 * show the whole question opens it instead of confirming.
 *
 * @param options.name begins the id of the row, which no other row of the message has
 */
export function changeRow(
  { id }: { id: string },
  offered: readonly CardAction[],
  { isWhole = true, reworded, name = 'card' }: { isWhole?: boolean; reworded?: Reworder; name?: string } = {},
): Block[] {
  const shown = isWhole ? offered : offered.filter((one) => one.id !== 'confirm');
  const decided = shown.findIndex((one) => one.id === 'decline') + 1;
  const buttons = [...(isWhole ? [] : [wholeButton(id)]), ...buttonsOf(shown, { reworded })];
  const first = decided === 0 ? buttons.length : buttons.length - shown.length + decided;
  return [
    ...buttonRow(`${name}:${id}`, buttons.slice(0, first)),
    ...buttonRow(`${name}:${id}:own`, buttons.slice(first)),
  ];
}

function entriesOf(part: Part, reworded: Reworder): Entry[] {
  switch (part.kind) {
    case 'facts':
      if (part.folded !== undefined || part.small) return [];
      if (part.brief !== undefined)
        return part.brief.length === 0 ? [] : [entry(part.title ?? '', part.brief, reworded)];
      return part.rows.map(({ label, value, detail }) => {
        const one = entry(label, value, reworded);
        const isSmall = detail === true && one.value.length <= SMALL_CHARS;
        return { ...one, elements: indented(one.elements), isSmall };
      });
    case 'table':
      return [entry(part.title, [{ sent: (part.brief ?? part.rows.map(String)).join('\n') }], reworded)];
    case 'note':
      return part.lines.map((line) => entry(part.warns ? '⚠️' : '', line, reworded));
    case 'quote':
      return [entry(plainOf(part.title), [{ sent: part.text }], reworded)];
    case 'small':
      return [entry('', [part.text], reworded)];
    // A list has a separate message.
    default:
      return [];
  }
}

function entry(label: string, text: Text, reworded: Reworder): Entry {
  const sentences = Array.isArray(text) && text.every((piece) => typeof piece === 'string');
  return {
    label,
    value: sentences ? text.map((piece) => reworded(piece)).join('') : plainOf(text),
    elements: elementsOf(text, reworded),
  };
}

/** The lines of a value after its first one are indented, so that none reads as another row. */
function indented(elements: readonly Element[]): Element[] {
  return elements.map((one) =>
    typeof one.text === 'string' ? { ...one, text: one.text.replaceAll('\n', '\n    ') } : one,
  );
}

function blocksOfPart(part: Part, entries: readonly Entry[]): Block[] {
  if (part.kind === 'note' && part.title !== undefined)
    return [lines([[rich.bold(part.title)], ...entries.map(lineOf)])];
  if (entries.length === 0) return [];
  if (part.kind === 'quote') {
    const title = typeof part.title === 'string' ? [{ strong: part.title }] : part.title;
    return entries.flatMap(({ value }) => [say(...elementsOf(title)), quote(rich.text(value))]);
  }
  if (part.kind === 'small') return entries.map(({ value }) => small(escaped(value)));
  const shown = entries.filter(({ isSmall }) => !isSmall);
  const details = entries.filter(({ isSmall }) => isSmall).map((one) => plain(`${one.label}  ${one.value}`));
  const groups = Array.from({ length: Math.ceil(details.length / MAX_SMALL) }, (_, at) => ({
    type: 'context',
    elements: details.slice(at * MAX_SMALL, (at + 1) * MAX_SMALL),
  }));
  return [...(shown.length === 0 ? [] : [lines(shown.map(lineOf))]), ...groups];
}

/** The entry as one line. */
function lineOf({ label, elements }: Entry): Element[] {
  if (label === '') return elements;
  return [...(label === '⚠️' ? [rich.text(`${label} `)] : [rich.bold(label), rich.text('  ')]), ...elements];
}

/** What is left of the room in a message. */
type Room = Record<'chars' | 'lines', number>;

/** Returns the entry, or a beginning that fits. `cuts` gets what is left out. */
function fitted(entry: Entry, room: Room, cuts: string[], isValue: boolean): Entry[] {
  const { label, value } = entry;
  const name = label === '⚠️' ? 'A warning' : label || 'A sentence';
  const rows = value.split('\n');
  const space = Math.min(isValue ? VALUE_CHARS : TEXT_CHARS, room.chars - label.length);
  const isTooLong = value.length > space || rows.length > room.lines;
  if (room.lines === 0 || (isTooLong && space < 40)) {
    cuts.push(`${name} is not shown.`);
    return [];
  }
  const [shown = ''] = isTooLong ? pieces(rows.slice(0, room.lines).join('\n'), space) : [value];
  room.lines = Math.max(0, room.lines - rows.length);
  room.chars -= label.length + shown.length;
  if (!isTooLong) return [entry];
  cuts.push(`${name}: only the first ${shown.length} of ${value.length} characters are shown.`);
  return [pieceOf(entry, label, shown)];
}

/** A long entry as several ones, because Slack limits the text of a block. */
function inPieces(entry: Entry): Entry[] {
  const { label, value } = entry;
  if (value.length <= TEXT_CHARS) return [entry];
  return pieces(value, TEXT_CHARS).map((piece, i) =>
    pieceOf(entry, i === 0 || label === '' ? label : `${label}, continued`, piece),
  );
}

function pieceOf(entry: Entry, label: string, value: string): Entry {
  return { ...entry, label, value, elements: indented([rich.text(value)]) };
}
