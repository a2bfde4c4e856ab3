import type { RecordKind } from '../../../../tools/surfaces/records.ts';
import type { Sentences, Tool } from '../../../catalogue/operation.ts';
import { recordHit } from '../../../language/records.ts';
import { formatPhone, stateMark } from '../../../language/show.ts';
import { type Fields, recordsIn, textOf } from '../../../lib/json.ts';
import { readFlag } from '../../../platform/dialect/readings.ts';
import { IDS } from '../ids.ts';
import type { StoredResult } from './stored-result.ts';
import {
  actions,
  type Block,
  button,
  cut,
  type Element,
  escaped,
  label,
  type Message,
  plain,
  quote,
  rich,
  say,
  shortDate,
  small,
} from './text.ts';

/* A list of records as sentences, with what can be done with each. */

const MAX_ROWS = 25;
/** A sentence takes two blocks, and Slack accepts 50. */
const MAX_SENTENCES = 20;
const MAX_QUOTE = 500;
/** Slack accepts 150 characters in an option of a menu. */
const MAX_VALUE = 150;

/** What the list is made of. */
export interface RecordList {
  kind: RecordKind;
  rows: readonly Fields[];
  /** Changes of one record that the reader may ask for, with the field that takes its id. */
  changes: readonly { tool: Tool; field: string }[];
  /** The name of another record by its id. */
  nameOf: (id: string) => string | undefined;
}

/** The list as a message. */
export function recordListMessage(result: StoredResult, list: RecordList): Message {
  const { kind, rows } = list;
  const total = Math.max(rows.length, Number(result.value[kind.list.page?.total ?? '']) || 0);
  const noun = total === 1 ? kind.noun : `${kind.noun}s`;
  const title = total > rows.length ? `${rows.length} of ${total} ${noun}` : `${total === 0 ? 'No' : total} ${noun}`;
  const shown = rows.slice(0, MAX_ROWS).map((row, at) => rowBlock(row, at, list));
  return listMessage(result, title, { shown, hidden: rows.length - shown.length });
}

/**
 * An answer whose rows are sentences, as its definition says them, as a message.
 *
 * @param tools operations that the reader may run or ask for
 */
export function sentencesMessage(
  result: StoredResult,
  { of, total, title, row }: Sentences,
  { input, tools }: { input: Fields; tools: readonly Tool[] },
): Message {
  const rows = recordsIn(result.value[of]);
  const count = Math.max(rows.length, Number(result.value[total ?? '']) || 0);
  const shown = rows.slice(0, MAX_SENTENCES).map((one, at) => {
    const { says, at: when, quote: said, next = [] } = row(one, input);
    const options = next.flatMap(({ tool, title: name, input: known }) => {
      const found = tools.find(({ id }) => id === tool);
      return found ? [{ tool: found, title: name, input: known }] : [];
    });
    const time = when === undefined ? '' : `${shortDate(when)} `;
    const text = { type: 'mrkdwn', text: cut(`${time}${escaped(national(says))}`, 300) };
    return [{ type: 'section', text, ...menuOf(at, options) }, ...(said ? [quote(cut(said, MAX_QUOTE))] : [])];
  });
  const more = count - shown.length;
  return listMessage(result, national(title(count, input)), { shown: shown.flat(), hidden: more });
}

/** Phone numbers in a text of ours as people write them. */
function national(text: string): string {
  return text.replaceAll(/\+\d{8,15}/g, (phone) => formatPhone(phone).national);
}

function listMessage(
  result: StoredResult,
  title: string,
  { shown, hidden }: { shown: readonly Block[]; hidden: number },
): Message {
  const blocks: Block[] = [say(rich.bold(title)), ...shown];
  const notes = [...(hidden > 0 ? [`… ${hidden} more: Details has all that were read.`] : []), ...result.notes];
  if (notes.length > 0) blocks.push(small(escaped(notes.join(' '))));
  const { id } = result;
  if (id)
    blocks.push(
      actions(`records:${id}`, button(IDS.page, 'Details', `${id}|0`), button(IDS.share, 'Share', `${id}|0`)),
    );
  return { text: escaped(title), blocks };
}

function rowBlock(row: Fields, at: number, { kind, changes, nameOf }: RecordList): Block {
  const { value, label: name } = recordHit(kind, row);
  const others = (kind.refers ?? []).flatMap((member) => nameOf(textOf(row[member])) ?? []);
  const [own, ...beside] = name.split(' · ');
  // A record without a name is known by the others that it belongs to.
  const known = others.length > 0 && kind.names.length === 0 ? [...others, ...beside] : [own, ...beside, ...others];
  const text = `${markOf(row)}${known.join(' · ')}`;
  const options = changes.map(({ tool, field }) => ({ tool, title: tool.title, input: { [field]: value } }));
  return { type: 'section', text: plain(text, 300), ...menuOf(at, options) };
}

/** A mark for a record that is not in use. */
function markOf(row: Fields): string {
  const status = textOf(row.Status);
  if (status !== '') return `${stateMark(status)} `;
  return readFlag(row.Active) === false ? '○ inactive: ' : '';
}

/** What can be done with a row. A read with a whole input runs; for anything else its form opens. */
function menuOf(at: number, actions: readonly { tool: Tool; title: string; input: Fields }[]): { accessory?: Element } {
  const options = actions
    .map(({ tool, title, input }) => ({ text: label(title, 75), value: `${tool.id}|${JSON.stringify(input)}` }))
    .filter(({ value }) => value.length <= MAX_VALUE)
    .slice(0, 5);
  return options.length === 0 ? {} : { accessory: { type: 'overflow', action_id: `${IDS.rowStep}_${at}`, options } };
}
