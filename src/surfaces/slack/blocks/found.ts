import type { Card, Part, Row } from '../../../cards/card.ts';
import { numbersFoundIn } from '../../../cards/list.ts';
import { IDS } from '../ids.ts';
import type { Reworder } from '../types.ts';
import { buttonsOf, draw } from './fitting.ts';
import { elementsOf, mrkdwnOf } from './render.ts';
import type { StoredResult } from './result.ts';
import {
  actions,
  type Block,
  button,
  cut,
  type Element,
  escaped,
  label,
  lines,
  MAX_BUTTON_VALUE,
  type Message,
  plain,
  quote,
  rich,
  say,
  small,
} from './text.ts';

/* Draws cards of several things, which are search results, events, findings and lists of records. */

/** Slack accepts 50 blocks in a message. */
const MAX_BLOCKS = 50;
/** Slack accepts 150 characters in an option of a menu. */
const MAX_VALUE = 150;
const ROW_CHARS = 300;

/**
 * A card of several things as a message.
 *
 * @param options.beside further buttons of its last row
 * @param options.notes sentences below it
 */
export function listMessage(
  card: Card,
  { reworded, beside = [], notes = [] }: { reworded: Reworder; beside?: readonly Element[]; notes?: readonly string[] },
): Message {
  const { title, about = '', parts, actions: offered } = card;
  const whole = offered.find(({ id }) => id === 'page')?.label;
  const blocks = [
    say(rich.bold(title), ...(about === '' ? [] : [' ', ...elementsOf(about, reworded)])),
    ...parts.flatMap((part) =>
      part.kind === 'rows' ? rowsBlocks(part, whole, reworded) : draw({ title, parts: [part] }, { reworded }).blocks,
    ),
    ...(notes.length === 0 ? [] : [small(escaped(notes.join(' ')))]),
  ];
  const buttons = [...buttonsOf(offered, { reworded }), ...beside];
  const row = buttons.length === 0 ? [] : [actions('list', ...buttons)];
  return {
    text: cut(escaped(title), 3000),
    blocks: [...blocks.slice(0, MAX_BLOCKS - row.length), ...row],
  };
}

/** @param whole the label of the button that opens the whole answer */
function rowsBlocks(
  { title, count, numbered, rows }: Part & { kind: 'rows' },
  whole: string | undefined,
  reworded: Reworder,
): Block[] {
  const left = (count ?? rows.length) - rows.length;
  const more = left > 0 ? `… ${left} more: ${whole ?? 'the whole answer'}` : undefined;
  const isPlain = rows.every(({ actions: offered = [], said }) => offered.length === 0 && said === undefined);
  if (numbered) return rows.flatMap((row, at) => numberedRow(row, at, reworded));
  if (isPlain && title !== undefined)
    return [
      lines([
        [rich.bold(title), ` ${count ?? rows.length}`],
        ...rows.map(({ says }) => elementsOf(says, reworded)),
        ...(more === undefined ? [] : [[more]]),
      ]),
    ];
  return [
    ...(title === undefined ? [] : [say(title)]),
    ...rows.flatMap((row, at) => listedRow(row, at)),
    ...(more === undefined ? [] : [small(escaped(`${more} has all that were read.`))]),
  ];
}

/** Draws a separate row with its buttons below. */
function numberedRow({ says, beside, said, actions: offered = [] }: Row, at: number, reworded: Reworder): Block[] {
  const buttons = buttonsOf(offered, { from: at });
  return [
    say(`${at + 1}. `, ...elementsOf(says, reworded)),
    ...(beside === undefined ? [] : [small(escaped(beside))]),
    ...(said === undefined ? [] : [quote(cut(said, 1_000))]),
    ...(buttons.length === 0 ? [] : [actions(`row:${at}`, ...buttons)]),
  ];
}

/** A row of a list, with a button or a menu beside it. */
function listedRow({ says, said, actions: offered = [] }: Row, at: number): Block[] {
  const text =
    typeof says === 'string' ? plain(says, ROW_CHARS) : { type: 'mrkdwn', text: cut(mrkdwnOf(says), ROW_CHARS) };
  return [{ type: 'section', text, ...besideRow(offered, at) }, ...(said === undefined ? [] : [quote(said)])];
}

/** A lookup as a button, everything else in a menu. */
function besideRow(offered: NonNullable<Row['actions']>, at: number): { accessory?: Element } {
  const look = offered.find(({ id }) => id === 'look');
  if (look) return { accessory: button(`${IDS.look}_${at}`, look.label, look.value) };
  const options = offered
    .filter(({ value }) => value.length <= MAX_VALUE)
    .slice(0, 5)
    .map(({ label: text, value }) => ({ text: label(text, 75), value }));
  return options.length === 0 ? {} : { accessory: { type: 'overflow', action_id: `${IDS.rowStep}_${at}`, options } };
}

/** The buttons of a search: to go on with it, and to do something with all of its numbers. */
export function searchButtons({ value, read }: Pick<StoredResult, 'value' | 'read'>): Element[] {
  if (read === undefined) return [];
  const numbers = numbersFoundIn(value);
  const next = typeof value.NextPage === 'number' ? { ...read.input, Page: value.NextPage } : undefined;
  const again = `${read.toolId}|${JSON.stringify(next)}`;
  const list = numbers.join(',');
  return [
    ...(next === undefined || again.length > MAX_BUTTON_VALUE ? [] : [button(`${IDS.run}_0`, 'Search on', again)]),
    ...(numbers.length < 2 || list.length > MAX_BUTTON_VALUE
      ? []
      : [button(`${IDS.batchNew}_0`, `Do something with these ${numbers.length}`, list)]),
  ];
}
