import type { RecordKind } from '../../../../tools/surfaces/records.ts';
import type { Open } from '../../../cards/card.ts';
import { openOf } from '../../../cards/line.ts';
import type { RowQuestion, Sentences, Tool } from '../../../catalogue/operation.ts';
import { recordHit } from '../../../language/records.ts';
import { formatPhone, stateMark } from '../../../language/show.ts';
import { type Fields, isRecord, recordOf, textOf } from '../../../lib/json.ts';
import { readFlag } from '../../../platform/dialect/readings.ts';
import { IDS } from '../ids.ts';
import type { StoredResult } from './result.ts';
import {
  actions,
  type Block,
  type ButtonOptions,
  button,
  cut,
  type Element,
  escaped,
  label,
  MAX_BUTTON_VALUE,
  type Message,
  PHONE,
  plain,
  quote,
  rich,
  say,
  shortDate,
  small,
} from './text.ts';

const MAX_ROWS = 25;
const MAX_FINDINGS = 12;
const NEXT_SEARCH = 'Check the spelling, or search by the last four digits, a part of a name, or an id.';

/** The numbers in the rows of a search. */
export function numbersFoundIn(value: Fields): string[] {
  return rowsIn(value).flatMap(({ Number: number }) => (PHONE.test(textOf(number)) ? [textOf(number)] : []));
}

/** The result of a search, with one short line for each number and a button that looks it up. */
export function foundMessage(result: StoredResult, query: string): Message {
  const rows = rowsIn(result.value);
  const found = Math.max(rows.length, Number(result.value.Found) || 0);
  const count = found === 0 ? 'No number matches' : found === 1 ? '1 number matches' : `${found} numbers match`;
  const title =
    query === 'orphan'
      ? `${count.replace(/ match(es)?$/, '')} without a subscriber`
      : query === ''
        ? count.replace(/ match(es)?$/, ' found')
        : `${count} “${cut(query, 100)}”`;
  const blocks: Block[] = [say(rich.bold(title))];
  for (const [i, row] of rows.slice(0, MAX_ROWS).entries()) {
    const phone = textOf(row.Number);
    blocks.push({
      type: 'section',
      text: plain(rowText(row), 300),
      ...(PHONE.test(phone) ? { accessory: button(`${IDS.look}_${i}`, 'Look up', phone) } : {}),
    });
  }
  const more = rows.length - MAX_ROWS;
  const remarks = [
    more > 0 ? `… ${more} more: add digits or words.` : '',
    textOf(result.value.Unseen),
    // "No number matches." is the headline already.
    textOf(result.value.Hint),
    rows.length === 0 ? NEXT_SEARCH : textOf(result.value.Message),
    ...result.notes,
  ].filter((remark) => remark !== '');
  if (remarks.length > 0) blocks.push(small(escaped(remarks.join(' '))));
  const next = nextButton(result);
  const many = batchButton(result);
  const buttons = [...(next ? [next] : []), ...(many ? [many] : [])];
  if (buttons.length > 0) blocks.push(actions('found:next', ...buttons));
  return { text: escaped(title), blocks };
}

/** The button that opens a batch of the numbers of this page. */
function batchButton({ value, read }: StoredResult): Element | undefined {
  const numbers = numbersFoundIn(value);
  const list = numbers.join(',');
  if (read === undefined || numbers.length < 2 || list.length > MAX_BUTTON_VALUE) return undefined;
  return button(`${IDS.batchNew}_0`, `Do something with these ${numbers.length}`, list);
}

/** The button that continues the search after this page. */
function nextButton({ value, read }: StoredResult): Element | undefined {
  if (read === undefined || typeof value.NextPage !== 'number') return undefined;
  const again = `${read.toolId}|${JSON.stringify({ ...read.input, Page: value.NextPage })}`;
  return again.length > MAX_BUTTON_VALUE ? undefined : button(`${IDS.run}_0`, 'Search on', again);
}

function rowText(row: Fields): string {
  const phone = textOf(row.Number);
  const state = textOf(row.Status);
  const names = [textOf(row.Customer), textOf(row.CallerName)].filter((name, i, all) => all.indexOf(name) === i);
  const until = textOf(row.ReactivateUntil).slice(0, 10);
  const notes = [
    textOf(row.Trouble),
    until === '' ? '' : `can be reactivated until ${until}`,
    ...['MessageRoute', 'VoiceRoute', 'Plan'].map((name) => besideText(name, row[name])),
  ];
  return [`${stateMark(state)} ${formatPhone(phone).national}`.trim(), ...names, textOf(row.Account), state, ...notes]
    .filter((part) => part !== '')
    .join(' · ');
}

/** "no plan", "plan Starter": what a search adds to its rows. */
function besideText(name: string, value: unknown): string {
  const noun = { MessageRoute: 'message route', VoiceRoute: 'voice route' }[name] ?? 'plan';
  const text = textOf(value);
  return text === '' ? '' : text === 'none' ? `no ${noun}` : `${noun} ${text}`;
}

function rowsIn(value: Fields): Fields[] {
  return Array.isArray(value.Numbers) ? value.Numbers.map(recordOf) : [];
}

/** A finding and its fix. */
interface Finding {
  words: string;
  quoted: string;
  /** What the words speak of: "Main SMS route (9 lines)", the blocked numbers. */
  about: string;
  fix: Open | undefined;
}

/** The findings of a diagnosis; undefined for any other answer. */
function findingsIn(value: Fields): Finding[] | undefined {
  const { Summary, Findings } = value;
  if (typeof Summary !== 'string' || !Array.isArray(Findings)) return undefined;
  return Findings.map((row) => {
    const { Finding: words, CarrierMessage, Fix } = recordOf(row);
    return { words: textOf(words), quoted: textOf(CarrierMessage), about: aboutText(recordOf(row)), fix: openOf(Fix) };
  });
}

/** The route and the blocked numbers that a finding speaks of. */
function aboutText({ Route, LinesOnRoute, Blocked }: Fields): string {
  const lines = typeof LinesOnRoute === 'number' ? ` (${LinesOnRoute} ${LinesOnRoute === 1 ? 'line' : 'lines'})` : '';
  const route = textOf(Route) === '' && lines === '' ? '' : `Route: ${textOf(Route)}${lines}`;
  const phones = Array.isArray(Blocked) ? Blocked.map((phone) => formatPhone(String(phone)).national) : [];
  const blocked = phones.length === 0 ? '' : `Blocked: ${phones.join(', ')}`;
  return [route, blocked].filter((part) => part !== '').join(' · ');
}

/**
 * A diagnosis: its summary, then the findings, the worst first, each with a button for the one action that fixes it.
 * The button opens the filled-in form; a read runs at once. Undefined for any other answer.
 */
export function findingsMessage(
  result: StoredResult,
  context: { isRead: (tool: string) => boolean | undefined; reworded: (text: string) => string },
): Message | undefined {
  const { value } = result;
  const findings = findingsIn(value);
  if (!findings) return undefined;
  const summary = textOf(value.Summary);
  const phone = textOf(value.Number);
  const blocks: Block[] = [say(rich.bold(phone === '' ? summary : `${formatPhone(phone).national}: ${summary}`))];
  for (const [i, { words, quoted, about, fix }] of findings.slice(0, MAX_FINDINGS).entries()) {
    blocks.push(say(`${i + 1}. `, context.reworded(words)));
    if (about !== '') blocks.push(small(escaped(about)));
    if (quoted !== '') blocks.push(quote(cut(quoted, 1_000)));
    const step = fix && fixButton(fix, i, context.isRead(fix.operation));
    if (step) blocks.push(actions(`fix:${i}`, step));
  }
  if (findings.length > MAX_FINDINGS) blocks.push(small(`… ${findings.length - MAX_FINDINGS} more: JSON`));
  const first = textOf(value.First);
  if (first !== '') blocks.push(small(escaped(first)));
  const missed = Array.isArray(value.NotChecked) ? value.NotChecked.map(String).join(' ') : '';
  if (missed !== '') blocks.push(small(`Not checked: ${escaped(cut(missed, 1_000))}`));
  if (result.id !== undefined && phone !== '')
    blocks.push(
      actions(
        `found:${result.id}`,
        button(`${IDS.look}_0`, 'Look up', phone),
        button(IDS.share, 'Share', `${result.id}|0`),
        button(IDS.json, 'JSON', `${result.id}|0`),
      ),
    );
  return { text: cut(escaped(summary), 3000), blocks };
}

/**
 * The button of a fix. Undefined if the operation is not offered, or its input does not fit into a button.
 *
 * @param isRead a read runs at once; undefined if the operation is not offered
 */
export function fixButton(
  fix: Open,
  position: number,
  isRead: boolean | undefined,
  options: ButtonOptions = {},
): Element | undefined {
  const value = `${fix.operation}|${JSON.stringify(fix.input)}`;
  if (isRead === undefined || value.length > MAX_BUTTON_VALUE) return undefined;
  // The form says the rest.
  const [label = ''] = fix.does.split(/\.(?:\s|$)/);
  return button(`${isRead ? IDS.run : IDS.fill}_${position}`, label === '' ? 'Put it right' : label, value, options);
}

/** Asks which of several numbers in a message to look up. */
export function numbersFound(numbers: readonly string[]): Message {
  const shown = numbers.slice(0, 25);
  const blocks: Block[] = [
    say(`That message contains ${numbers.length} numbers. Which one?`),
    actions('found', ...shown.map((number, i) => button(`${IDS.look}_${i}`, formatPhone(number).national, number))),
  ];
  if (numbers.length > shown.length) blocks.push(small(`… ${numbers.length - shown.length} more`));
  return { text: `${numbers.length} numbers found`, blocks };
}

/* A list of records as sentences, with what can be done with each. */

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
  const noun = total === 1 ? kind.noun : kind.noun.replace(/^\S+(?= in the )|\S+$/, (word) => `${word}s`);
  const title = total > rows.length ? `${rows.length} of ${total} ${noun}` : `${total === 0 ? 'No' : total} ${noun}`;
  const shown = rows.slice(0, MAX_ROWS).map((row, at) => rowBlock(row, at, list));
  return listMessage(result, title, { shown, hidden: rows.length - shown.length });
}

/**
 * An answer whose rows are sentences, as its definition says them, as a message.
 *
 * @param tools operations that the reader may run or ask for
 * @param question what was asked about the rows, whose answer is shown first
 */
export function sentencesMessage(
  result: StoredResult,
  { of, total, title, row, about }: Sentences,
  { input, tools, question }: { input: Fields; tools: readonly Tool[]; question?: RowQuestion | undefined },
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
  const whole = national(title(count, input));
  const said = question && about?.(rows, question);
  if (said === undefined) return listMessage(result, whole, { shown: shown.flat(), hidden: more });
  const list = rows.length === 0 ? [] : [say(whole)];
  return listMessage(result, national(said), { shown: [...list, ...shown.flat()], hidden: more });
}

function recordsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
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
