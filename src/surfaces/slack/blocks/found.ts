import type { Card, Part, Row } from '../../../cards/card.ts';
import { numbersFoundIn } from '../../../cards/list.ts';
import { defined } from '../../../lib/json.ts';
import { IDS } from '../ids.ts';
import type { Reworder } from '../types.ts';
import { buttonsOf, draw } from './fitting.ts';
import { elementsOf, mrkdwnOf } from './render.ts';
import type { StoredResult } from './result.ts';
import {
  type Block,
  button,
  buttonRow,
  cut,
  type Element,
  escaped,
  lines,
  MAX_BLOCKS,
  MAX_BUTTON_VALUE,
  type Message,
  messageOf,
  operationButton,
  option,
  plain,
  quote,
  rich,
  say,
  small,
} from './text.ts';

/* Draws cards of several things, which are search results, events, findings and lists of records. */

/** Slack accepts 150 characters in an option of a menu. */
const MAX_VALUE = 150;
const ROW_CHARS = 300;

/**
 * A card of several things as a message.
 *
 * @param options.beside further buttons of its last row
 */
export function listMessage(
  card: Card,
  { reworded, beside = [] }: { reworded: Reworder; beside?: readonly Element[] },
): Message {
  const { title, about = '', parts, actions: offered } = card;
  const whole = offered.find(({ id }) => id === 'page')?.label;
  const blocks = [
    say(rich.bold(title), ...(about === '' ? [] : [' ', ...elementsOf(about, reworded)])),
    ...parts.flatMap((part) =>
      part.kind === 'rows' ? rowsBlocks(part, whole, reworded) : draw({ title, parts: [part] }, { reworded }).blocks,
    ),
  ];
  const row = buttonRow('list', [...buttonsOf(offered, { reworded }), ...beside]);
  return messageOf(title, [...blocks.slice(0, MAX_BLOCKS - row.length), ...row]);
}

/** @param whole the label of the button that opens the whole answer */
function rowsBlocks(
  { title, count, numbered, rows }: Part & { kind: 'rows' },
  whole = 'the whole answer',
  reworded: Reworder,
): Block[] {
  const left = (count ?? rows.length) - rows.length;
  const more = left > 0 ? [`… ${left} more: ${whole}`] : [];
  const isPlain = rows.every(({ actions: offered = [], said }) => offered.length === 0 && said === undefined);
  if (isPlain && title !== undefined && !numbered)
    return [
      lines([
        [rich.bold(title), ` ${count ?? rows.length}`],
        ...rows.map(({ says }) => elementsOf(says, reworded)),
        ...more.map((text) => [text]),
      ]),
    ];
  return [
    ...(title === undefined ? [] : [say(title)]),
    ...rows.flatMap((row, at) => listedRow(row, at, { reworded, lead: numbered ? `${at + 1}. ` : '' })),
    ...more.map((text) => small(escaped(text))),
  ];
}

/** A row of a list. A lookup, and what puts a finding right, is a button beside it; everything else is a menu. */
function listedRow(
  { says, beside, said, actions: offered = [] }: Row,
  at: number,
  { reworded, lead }: { reworded: Reworder; lead: string },
): Block[] {
  const text =
    typeof says === 'string'
      ? plain(lead + says, ROW_CHARS)
      : { type: 'mrkdwn', text: lead + cut(mrkdwnOf(says, reworded), 1_000) };
  const first = offered.filter(({ id }) => id === 'look' || lead !== '').slice(0, 1);
  const [pressed] = buttonsOf(first, { from: at });
  const options = offered.filter(({ value }) => value.length <= MAX_VALUE).slice(0, 5);
  const menu = {
    type: 'overflow',
    action_id: `${IDS.rowStep}_${at}`,
    options: options.map(({ value, label }) => option(value, label)),
  };
  const accessory = pressed ?? (options.length > 0 ? menu : undefined);
  return [
    { type: 'section', text, ...defined({ accessory }) },
    ...(beside === undefined ? [] : [small(escaped(beside))]),
    ...(said === undefined ? [] : [quote(cut(said, 1_000))]),
  ];
}

/** The buttons of a search: to go on with it, and to do something with all of its numbers. */
export function searchButtons({ value, read }: Pick<StoredResult, 'value' | 'read'>): Element[] {
  if (read === undefined) return [];
  const numbers = numbersFoundIn(value);
  const list = numbers.join(',');
  return [
    ...(typeof value.NextPage === 'number'
      ? operationButton(`${IDS.run}_0`, 'Search on', read.toolId, { ...read.input, Page: value.NextPage })
      : []),
    ...(numbers.length < 2 || list.length > MAX_BUTTON_VALUE
      ? []
      : [button(`${IDS.batchNew}_0`, `Do something with these ${numbers.length}`, list)]),
  ];
}
