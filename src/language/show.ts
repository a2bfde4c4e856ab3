import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { labelOf } from '../catalogue/fields.ts';
import { type Fields, isRecord, scalarText } from '../lib/json.ts';
import { visible } from '../lib/text.ts';
import { WITHHELD } from '../platform/dialect/activation.ts';
import { isBlank, isNews, isRepeated, isUnit, memberLabel, memberText, onlyValue, recordText } from './member-words.ts';

/** A platform answer for a terminal or a Slack message. All plain text without control characters. */
export interface Shown {
  /** The number, name or id of the record. */
  title?: string;
  /** Label and value. Empty values are left out. */
  pairs: [label: string, value: string][];
  tables: { title: string; columns: string[]; rows: string[][] }[];
}

const TITLES = ['Number', 'PhoneNumber', 'Name', 'AccountName', 'RouteName', 'PackageName', 'OrderId', 'MessageId'];
/** Rows of a list with one column that are shown as one value. */
const BRIEF_ROWS = 10;
/** Bounds tables whose rows all have different members. Further members go into one column. */
const MAX_COLUMNS = 60;
/** Members that are true in every answer, and therefore not shown. */
const SILENT = new Set(['Successful', 'successful', 'Fix']);

/** Options for turning an answer into words. */
export interface ShownOptions {
  /** IANA zone of times without one. Left out: these times stay as received. */
  timeZone?: string | undefined;
  /** The input of a change. Its empty members are left out, except those that the request was about. */
  asked?: Fields | undefined;
  /** The facts read before that change. */
  known?: Fields;
  /**
   * For cards and pages: labels in words, no members that repeat another one, a short list of one column as one value.
   */
  brief?: boolean;
}

/**
 * Turns an answer into labelled values and tables. Nested records become "Subscriber: name"; lists of records tables.
 */
export function rowsOf(value: unknown, options: ShownOptions = {}): Shown {
  const shown: Shown = { pairs: [], tables: [] };
  if (Array.isArray(value)) addList(shown, '', value, options);
  else if (isRecord(value)) addRecord(shown, '', value, options);
  else if (!isEmpty(value)) shown.pairs.push(['Result', textOf('', value, {}, options)]);
  const title = isRecord(value) ? titleOf(value) : undefined;
  return title === undefined ? shown : { title, ...shown };
}

function titleOf(value: Fields): string | undefined {
  const name = TITLES.find((key) => typeof value[key] === 'string' && value[key] !== '');
  const nested = isRecord(value.Number) ? titleOf(value.Number) : undefined;
  return name === undefined ? nested : clean(String(value[name]));
}

function addRecord(shown: Shown, prefix: string, record: Fields, options: ShownOptions): void {
  for (const [key, value] of Object.entries(record)) {
    if (SILENT.has(key) || isHidden(key, record, options)) continue;
    const own = labelIn(key, options);
    const label = prefix === '' || prefix === own ? own : `${prefix}: ${lower(own)}`;
    if (isEmpty(value) || (options.asked && isBlank(value))) {
      if (options.asked && prefix === '' && isNews(key, options.asked, options.known))
        shown.pairs.push([label, 'none']);
    } else if (isRecord(value)) {
      const text = recordText(value);
      if (text === undefined) addRecord(shown, label, value, options);
      else shown.pairs.push([label, text]);
    } else if (Array.isArray(value)) addList(shown, label, value, options);
    else shown.pairs.push([label, textOf(key, value, record, options)]);
  }
}

function addList(shown: Shown, label: string, list: readonly unknown[], options: ShownOptions): void {
  const records = list.filter(isRecord);
  if (records.length === 0 || records.length < list.length) {
    const pieces = list.filter((item) => !isEmpty(item)).map((item) => textOf('', item, {}, options));
    shown.pairs.push([label === '' ? 'Results' : label, pieces.length === 0 ? 'none' : pieces.join(', ')]);
    return;
  }
  const isShown = (record: Fields, key: string) =>
    Object.hasOwn(record, key) && !isEmpty(record[key]) && !isHidden(key, record, options) && !isWithheld(record, key);
  const all = new Set(records.flatMap((record) => Object.keys(record).filter((key) => isShown(record, key))));
  const keys = [...all].slice(0, MAX_COLUMNS);
  const others = new Set([...all].slice(MAX_COLUMNS));
  const cell = (record: Fields, key: string) => (isShown(record, key) ? textOf(key, record[key], record, options) : '');
  const rest = (record: Fields) =>
    listed(Object.fromEntries(Object.entries(record).filter(([key]) => others.has(key))), options);
  if (options.brief && all.size === 1 && records.length <= BRIEF_ROWS) {
    shown.pairs.push([
      label === '' ? 'Results' : label,
      records.map((record) => cell(record, keys[0] ?? '')).join(', '),
    ]);
    return;
  }
  shown.tables.push({
    title: label === '' ? 'Results' : label,
    columns: [...keys.map((key) => labelIn(key, options)), ...(others.size > 0 ? ['Others'] : [])],
    rows: records.map((record) => [
      ...keys.map((key) => cell(record, key)),
      ...(others.size > 0 ? [rest(record)] : []),
    ]),
  });
}

/** The label of a member. On the terminal it follows the member's own name, by which `--fields` chooses it. */
function labelIn(key: string, { brief }: ShownOptions): string {
  return brief ? memberLabel(key) : labelOf(clean(key));
}

function isHidden(key: string, record: Fields, options: ShownOptions): boolean {
  return isUnit(key, record) || (options.brief === true && isRepeated(key, record));
}

/** A label within a line: "digit order", but "ICCID". */
export function lower(label: string): string {
  return /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

/**
 * True for the note that codes are withheld. Lists leave it out, because its column would repeat the same text in each
 * row.
 */
function isWithheld(record: Fields, key: string): boolean {
  return key === 'activation' && record[key] === WITHHELD;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** A value in words. `key`, `record`: the member that holds it; empty in a list. */
function textOf(key: string, value: unknown, record: Fields, options: ShownOptions): string {
  if (options.brief && key === 'Status' && isPendingDelete(value)) return CANCELLED;
  if (Array.isArray(value))
    return value
      .filter((item) => !isEmpty(item))
      .map((item) => textOf(key, item, record, options))
      .join(', ');
  if (!isRecord(value)) return memberText(key, value, record, options.timeZone);
  const only = onlyValue(value);
  if (only) return textOf(only.name, only.value, value, options);
  return recordText(value) ?? listed(value, options);
}

/** The members of a record in one line. */
function listed(record: Fields, options: ShownOptions): string {
  return Object.entries(record)
    .filter(([key, member]) => !isEmpty(member) && !isHidden(key, record, options))
    .map(([key, member]) => `${labelIn(key, options)} ${textOf(key, member, record, options)}`)
    .join(', ');
}

/**
 * Writes control and direction characters by their code, so that text cannot move a terminal's cursor, change its title
 * or reverse its reading direction. Line breaks and tabs stay.
 */
export const clean = visible;

const CANCELLED = 'Cancelled - Pending Delete (can be brought back)';
const isPendingDelete = (status: unknown) => /^cancelled - pending delete$/i.test(scalarText(status).trim());

/** The state of a number in words. The platform keeps a cancelled number for 30 days (PLATFORM.md, Reactivation). */
export function stateText(status: unknown): string {
  return isPendingDelete(status) ? CANCELLED : clean(scalarText(status));
}

/** The mark before a status: done, in progress, stopped or unknown. Empty for a status not listed here. */
export function stateMark(status: unknown): '' | '●' | '○' | '✕' | '?' {
  const word = scalarText(status).trim().toLowerCase();
  if (/^(active|complete|completed|done|delivered|sent|ok|success|successful|enabled|valid)$/.test(word)) return '●';
  if (
    /^(failed|rejected|cancelled|canceled|declined|expired|undelivered|suspended|error|invalid|disabled)\b/.test(word)
  )
    return '✕';
  if (/^unknown$/.test(word)) return '?';
  if (
    /^(pending|submitted|running|queued|processing|in.?progress|parked|received|confirmed|in_flight|accepted|new)\b/.test(
      word,
    )
  )
    return '○';
  return '';
}

/** A phone number as people read it and as it is sent. Other text is returned unchanged. */
export function formatPhone(e164: string): { national: string; e164: string } {
  const parsed = parsePhoneNumberFromString(e164);
  return parsed
    ? { national: parsed.formatNational(), e164: parsed.number }
    : { national: clean(e164), e164: clean(e164) };
}
