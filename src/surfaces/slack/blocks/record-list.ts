import type { RecordKind } from '../../../../tools/surfaces/records.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { recordHit } from '../../../language/records.ts';
import { stateMark } from '../../../language/show.ts';
import { type Fields, textOf } from '../../../lib/json.ts';
import { readFlag } from '../../../platform/dialect/readings.ts';
import { IDS } from '../ids.ts';
import type { StoredResult } from './stored-result.ts';
import {
  actions,
  type Block,
  button,
  type Element,
  escaped,
  label,
  type Message,
  plain,
  rich,
  say,
  small,
} from './text.ts';

/* A list of records as sentences, with what can be done with each. */

const MAX_ROWS = 25;
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

/** The list as a message. Undefined if it has no rows. */
export function recordListMessage(result: StoredResult, list: RecordList): Message | undefined {
  const { kind, rows } = list;
  if (rows.length === 0) return undefined;
  const total = Math.max(rows.length, Number(result.value[kind.list.page?.total ?? '']) || 0);
  const noun = total === 1 ? kind.noun : `${kind.noun}s`;
  const title = total > rows.length ? `${rows.length} of ${total} ${noun}` : `${total} ${noun}`;
  const blocks: Block[] = [say(rich.bold(title)), ...rows.slice(0, MAX_ROWS).map((row, at) => rowBlock(row, at, list))];
  const more = rows.length - MAX_ROWS;
  const notes = [...(more > 0 ? [`… ${more} more: Details has all of them.`] : []), ...result.notes];
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
  return { type: 'section', text: plain(text, 300), ...menuOf(value, at, changes) };
}

/** A mark for a record that is not in use. */
function markOf(row: Fields): string {
  const status = textOf(row.Status);
  if (status !== '') return `${stateMark(status)} `;
  return readFlag(row.Active) === false ? '○ inactive: ' : '';
}

function menuOf(id: string, at: number, changes: RecordList['changes']): { accessory?: Element } {
  const options = changes
    .map(({ tool, field }) => ({ text: label(tool.title, 75), value: `${tool.id}|${JSON.stringify({ [field]: id })}` }))
    .filter(({ value }) => value.length <= MAX_VALUE)
    .slice(0, 5);
  return options.length === 0 ? {} : { accessory: { type: 'overflow', action_id: `${IDS.fill}_${at}`, options } };
}
