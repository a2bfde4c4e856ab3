import { type Card, type CardAction, LABELS, type Part, plainOf, type Row, type Text } from '../../../cards/card.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { choiceLabel, type Hit, type Resolution } from '../../../language/records.ts';
import { nounOf, withValue } from '../../../language/typed-values.ts';
import { defined, lowerFirst, plainText, recordsIn, textOf } from '../../../lib/values.ts';
import { withDaysInWords } from '../../../platform/dialect/readings.ts';
import { IDS, type Reworder } from '../types.ts';
import type { StoredResult } from './result.ts';
import * as ui from './text.ts';

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
interface Entry extends Record<'label' | 'value', string> {
  elements: ui.Element[];
  isSmall?: boolean;
}

/**
 * The parts of a card in the blocks of a message, which says if some do not fit. `isWhole`: everything is shown that the card
 * has, except what is read on demand.
 *
 * @param options.buttons blocks in the place of the card's actions
 * @param options.head blocks above the parts, which have the card's title
 * @param options.beside added to the line that says who did what and when, in mrkdwn
 */
export function draw(
  { title, parts }: Pick<Card, 'title' | 'parts'>,
  options: { reworded?: Reworder; buttons?: readonly ui.Block[]; head?: readonly ui.Block[]; beside?: string } = {},
) {
  const { reworded = plainText, buttons = [], head = [], beside = '' } = options;
  const room: Room = { chars: MESSAGE_CHARS, lines: MESSAGE_LINES, isWhole: true };
  const drawn = parts.flatMap((part) => {
    if (part.kind === 'actions') {
      return room.isWhole ? buttons : [ui.say('⚠️ ', ui.bold('Some values do not fit on this card.')), ...buttons];
    }
    if (part.kind === 'facts' && part.small) {
      // "Asked by @ana · waits until 10:00".
      const texts = part.rows.map(({ label, value }, at) =>
        at === 0 ? `${label} ${ui.mrkdwnOf(value)}${beside}` : `${lowerFirst(label)} ${ui.mrkdwnOf(value)}`,
      );
      return [ui.small(texts.join(' · '))];
    }
    const isValue = part.kind === 'facts' || part.kind === 'table';
    const entries = entriesOf(part, reworded).flatMap((entry) => fitted(entry, room, isValue));
    return blocksOfPart(part, entries);
  });
  return { blocks: [...head, ...drawn], isWhole: room.isWhole && title.length <= MAX_TITLE };
}

/** Every part of a card in blocks for a modal, as far as Slack accepts them. */
export function drawWhole({ title, parts }: Pick<Card, 'title' | 'parts'>, reworded: Reworder) {
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

/** A headline of two parts. The second one is below the first if both do not fit in one line. */
export function headed(first: string, second: string, whole = `${first}: ${second}`): ui.Block[] {
  const fits = whole.length <= FITS_HEADER;
  return fits ? [ui.header(withDaysInWords(whole))] : [ui.header(first), titleBlock(second)];
}

export function titleBlock(title: string): ui.Block {
  return ui.say(ui.bold(ui.cut(withDaysInWords(title), MAX_TITLE)));
}

export function wholeButton(actionId: string): ui.Element {
  return ui.button(IDS.everything, LABELS.everything, actionId);
}

/** What Slack has no button for: it links to pages, and shows a secret in a message of its own. */
const NOT_DRAWN: readonly CardAction['id'][] = ['open', 'once'];
/** Several of these may be in one message, in which Slack accepts each id once. */
const NUMBERED: readonly CardAction['id'][] = ['fill', 'run', 'guide', 'guard', 'look'];

/**
 * Draws the actions of a card as buttons and menus. Pages are left out, because the message links to them.
 *
 * @param from the number of the first one, in a message with several rows
 */
export function buttonsOf(offered: readonly CardAction[], reworded: Reworder = plainText, from = 0): ui.Element[] {
  return offered.flatMap(({ id, label: text, style, confirm, value, options }, at) => {
    if (NOT_DRAWN.includes(id) || value.length > ui.MAX_BUTTON_VALUE) return [];
    const actionId = NUMBERED.includes(id) ? `${IDS[id]}_${from + at}` : IDS[id];
    if (options) {
      const option_groups = options.map(({ group, choices }) => ({
        label: ui.plain(group, 75),
        options: choices.slice(0, MAX_CHOICES).map((choice) => ui.option(choice.value, choice.label)),
      }));
      return [{ type: 'static_select', action_id: actionId, placeholder: ui.plain(text, 150), option_groups }];
    }
    const asked = confirm && { ...confirm, text: ui.plainSentence(reworded(confirm.text)) };
    return [ui.button(actionId, text, value, defined({ style, confirm: asked }))];
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
): ui.Block[] {
  const shown = isWhole ? offered : offered.filter((one) => one.id !== 'confirm');
  const decided = shown.findIndex((one) => one.id === 'decline') + 1;
  const buttons = [...(isWhole ? [] : [wholeButton(id)]), ...buttonsOf(shown, reworded)];
  const first = decided === 0 ? buttons.length : buttons.length - shown.length + decided;
  return [
    ...ui.buttonRow(`${name}:${id}`, ...buttons.slice(0, first)),
    ...ui.buttonRow(`${name}:${id}:own`, ...buttons.slice(first)),
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
    elements: ui.elementsOf(text, reworded),
  };
}

/** The lines of a value after its first one are indented, so that none reads as another row. */
function indented(elements: readonly ui.Element[]): ui.Element[] {
  return elements.map((one) =>
    typeof one.text === 'string' ? { ...one, text: one.text.replaceAll('\n', '\n    ') } : one,
  );
}

function blocksOfPart(part: Part, entries: readonly Entry[]): ui.Block[] {
  if (part.kind === 'note' && part.title !== undefined)
    return [ui.lines([[ui.bold(part.title)], ...entries.map(lineOf)])];
  if (entries.length === 0) return [];
  if (part.kind === 'quote') {
    const title = typeof part.title === 'string' ? [{ strong: part.title }] : part.title;
    return entries.flatMap(({ value }) => [ui.say(...ui.elementsOf(title)), ui.quote(ui.text(value))]);
  }
  if (part.kind === 'small') return entries.map(({ value }) => ui.small(ui.escaped(value)));
  const shown = entries.filter(({ isSmall }) => !isSmall);
  const details = entries.filter(({ isSmall }) => isSmall).map((one) => ui.plain(`${one.label}  ${one.value}`));
  const groups = Array.from({ length: Math.ceil(details.length / MAX_SMALL) }, (_, at) => ({
    type: 'context',
    elements: details.slice(at * MAX_SMALL, (at + 1) * MAX_SMALL),
  }));
  return [...(shown.length === 0 ? [] : [ui.lines(shown.map(lineOf))]), ...groups];
}

/** The entry as one line. */
function lineOf({ label, elements }: Entry): ui.Element[] {
  if (label === '') return elements;
  return [...(label === '⚠️' ? [ui.text(`${label} `)] : [ui.bold(label), ui.text('  ')]), ...elements];
}

/** The room that is left in a message. `isWhole`: everything has fitted so far. */
type Room = Record<'chars' | 'lines', number> & { isWhole: boolean };

/** Returns the entry, or a beginning that fits. */
function fitted(entry: Entry, room: Room, isValue: boolean): Entry[] {
  const { label, value } = entry;
  const rows = value.split('\n');
  const space = Math.min(isValue ? VALUE_CHARS : TEXT_CHARS, room.chars - label.length);
  const isTooLong = value.length > space || rows.length > room.lines;
  if (isTooLong) room.isWhole = false;
  if (room.lines === 0 || (isTooLong && space < 40)) return [];
  const [shown = ''] = isTooLong ? ui.pieces(rows.slice(0, room.lines).join('\n'), space) : [value];
  room.lines = Math.max(0, room.lines - rows.length);
  room.chars -= label.length + shown.length;
  return [isTooLong ? pieceOf(entry, label, shown) : entry];
}

/** A long entry as several ones, because Slack limits the text of a block. */
function inPieces(entry: Entry): Entry[] {
  const { label, value } = entry;
  if (value.length <= TEXT_CHARS) return [entry];
  return ui
    .pieces(value, TEXT_CHARS)
    .map((piece, i) => pieceOf(entry, i === 0 || label === '' ? label : `${label}, continued`, piece));
}

function pieceOf(entry: Entry, label: string, value: string): Entry {
  return { ...entry, label, value, elements: indented([ui.text(value)]) };
}

/* Draws cards of several things, which are search results, events, findings and lists of records. */

/** Slack accepts 150 characters in an option of a menu. */
const MAX_VALUE = 150;
const ROW_CHARS = 300;

/**
 * A card of several things as a message.
 *
 * @param beside further buttons of its last row
 */
export function listMessage(card: Card, reworded: Reworder, beside: readonly ui.Element[] = []): ui.Message {
  const { title, about = '', parts, actions: offered } = card;
  const whole = offered.find(({ id }) => id === 'page')?.label;
  const blocks = [
    ui.say(ui.bold(withDaysInWords(title)), ...(about === '' ? [] : [' ', ...ui.elementsOf(about, reworded)])),
    ...parts.flatMap((part) =>
      part.kind === 'rows' ? rowsBlocks(part, whole, reworded) : draw({ title, parts: [part] }, { reworded }).blocks,
    ),
  ];
  const row = ui.buttonRow('list', ...buttonsOf(offered, reworded), ...beside);
  return ui.messageOf(title, [...blocks.slice(0, ui.MAX_BLOCKS - row.length), ...row]);
}

/** @param whole the label of the button that opens the whole answer */
function rowsBlocks(part: Part & { kind: 'rows' }, whole = 'the whole answer', reworded: Reworder): ui.Block[] {
  const { title, count, numbered, rows } = part;
  const left = (count ?? rows.length) - rows.length;
  const more = left > 0 ? [`… ${left} more: ${whole}`] : [];
  const isPlain = rows.every(({ actions: offered = [], said }) => offered.length === 0 && said === undefined);
  if (isPlain && title !== undefined && !numbered)
    return [
      ui.lines([
        [ui.bold(title), ` ${count ?? rows.length}`],
        ...rows.map(({ says }) => ui.elementsOf(says, reworded)),
        ...more.map((text) => [text]),
      ]),
    ];
  return [
    ...(title === undefined ? [] : [ui.say(title)]),
    ...rows.flatMap((row, at) => listedRow(row, at, numbered ? `${at + 1}. ` : '', reworded)),
    ...more.map((text) => ui.small(ui.escaped(text))),
  ];
}

/** A row of a list. A lookup, and what puts a finding right, is a button beside it; everything else is a menu. */
function listedRow(row: Row, at: number, lead: string, reworded: Reworder): ui.Block[] {
  const { says, beside, said, actions: offered = [] } = row;
  const text =
    typeof says === 'string'
      ? ui.plain(lead + withDaysInWords(says), ROW_CHARS)
      : { type: 'mrkdwn', text: lead + ui.cut(ui.mrkdwnOf(says, reworded), 1_000) };
  const first = offered.filter(({ id }) => id === 'look' || lead !== '').slice(0, 1);
  const [pressed] = buttonsOf(first, plainText, at);
  const fitting = offered.filter(({ value }) => value.length <= MAX_VALUE).slice(0, 5);
  const options = fitting.map(({ value, label }) => ui.option(value, label));
  const menu = { type: 'overflow', action_id: `${IDS.rowStep}_${at}`, options };
  const accessory = pressed ?? (options.length > 0 ? menu : undefined);
  return [
    { type: 'section', text, ...defined({ accessory }) },
    ...(beside === undefined ? [] : [ui.small(ui.escaped(beside))]),
    ...(said === undefined ? [] : [ui.quote(ui.cut(said, 1_000))]),
  ];
}

/** The buttons of a search: to go on with it, and to do something with all of its numbers. */
export function searchButtons({ value, read }: Pick<StoredResult, 'value' | 'read'>): ui.Element[] {
  if (read === undefined) return [];
  const numbers = recordsIn(value.Numbers)
    .map((row) => textOf(row.Number))
    .filter((text) => ui.PHONE.test(text));
  const list = numbers.join(',');
  const next = { ...read.input, Page: value.NextPage };
  const hasMore = typeof value.NextPage === 'number';
  const isList = numbers.length > 1 && list.length <= ui.MAX_BUTTON_VALUE;
  return [
    ...(hasMore ? ui.operationButton(`${IDS.run}_0`, 'Search on', read.operation, next) : []),
    ...(isList ? [ui.button(`${IDS.batchNew}_0`, `Do something with these ${numbers.length}`, list)] : []),
  ];
}

const MAX_SHOWN = 20;

/** A name in an input that means several records, or none. */
type Unclear = Extract<Resolution, { kind: 'unclear' }>;

/** A row of a list, with a button or a menu beside it. */
export function rowOf(text: string, accessory: ui.Element | undefined): ui.Block {
  return { type: 'section', text: ui.plain(text, 300), ...defined({ accessory }) };
}

/** Asks which record was meant. Each row has the button that goes on with it. */
export function hitsMessage(
  title: string,
  hits: readonly Hit[],
  buttonOf: (value: string, at: number) => ui.Element | undefined,
  ...below: readonly ui.Block[]
): ui.Message {
  const rows = hits.slice(0, MAX_SHOWN).map((hit, at) => rowOf(choiceLabel(hit), buttonOf(hit.value, at)));
  const more = hits.length > MAX_SHOWN ? [ui.small(`… ${hits.length - MAX_SHOWN} more.`)] : [];
  return ui.messageOf(title, [ui.say(ui.bold(title)), ...rows, ...more, ...below]);
}

/** Asks which record was meant. Each button runs the operation with one. */
export function choicesMessage(tool: Tool, { input, reference, found: { hits, isWhole } }: Unclear): ui.Message {
  const title = `Which ${nounOf(reference.field)} do you mean by “${ui.cut(reference.text, 100)}”?`;
  const chosen = (value: string, i: number) =>
    ui.operationButton(`${IDS.run}_${i}`, 'Choose', tool.id, withValue(input, reference.path, value))[0];
  const isMore = hits.length > MAX_SHOWN || !isWhole;
  const remark = isMore ? ' More may match: a longer name or more digits narrow the search.' : '';
  return hitsMessage(title, hits, chosen, ui.small(ui.escaped(`${tool.title}. Nothing was done yet.${remark}`)));
}

/** A long list, or the records of many lines, is searched in part. */
const NOT_ALL = ' Not all that may be meant was searched: write more of the name, or the number of the line.';

/** Says that nothing matches a name, and what to do next. */
export function nothingFound({ reference: { field, text }, found }: Unclear): ui.Message {
  const noun = nounOf(field);
  const title = `No ${noun} matches “${ui.cut(text, 100)}”.`;
  const next = ` Check the spelling, or choose the ${noun} in the form. Nothing was done.`;
  return ui.messageOf(title, [ui.say('🤔 ', ui.bold(title), `${found.isWhole ? '' : NOT_ALL}${next}`)]);
}
