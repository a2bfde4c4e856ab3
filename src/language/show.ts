import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { labelOf } from '../catalogue/fields.ts';
import { type Fields, isRecord } from '../lib/json.ts';
import { visible } from '../lib/text.ts';

/** A platform answer for a terminal or a Slack message. All plain text without control characters. */
export interface Shown {
  /** The number, name or id of the record. */
  title?: string;
  /** Label and value. Empty values are left out. */
  pairs: [label: string, value: string][];
  tables: { title: string; columns: string[]; rows: string[][] }[];
}

const TITLES = ['Number', 'PhoneNumber', 'Name', 'AccountName', 'RouteName', 'PackageName', 'OrderId', 'MessageId'];
/** Bounds tables whose rows all have different members. Further members go into one column. */
const MAX_COLUMNS = 60;
/** True on every answer, so not shown. */
const SILENT = new Set(['Successful', 'successful']);

/** Turns an answer into labelled values and tables. Nested records become "Subscriber: name"; lists of records tables. */
export function rowsOf(value: unknown): Shown {
  const shown: Shown = { pairs: [], tables: [] };
  if (Array.isArray(value)) addList(shown, '', value);
  else if (isRecord(value)) addRecord(shown, '', value);
  else if (!isEmpty(value)) shown.pairs.push(['Result', textOf(value)]);
  const title = isRecord(value) ? titleOf(value) : undefined;
  return title === undefined ? shown : { title, ...shown };
}

function titleOf(value: Fields): string | undefined {
  const name = TITLES.find((key) => typeof value[key] === 'string' && value[key] !== '');
  const nested = isRecord(value.Number) ? titleOf(value.Number) : undefined;
  return name === undefined ? nested : textOf(value[name]);
}

function addRecord(shown: Shown, prefix: string, record: Fields): void {
  for (const [key, value] of Object.entries(record)) {
    if (isEmpty(value) || SILENT.has(key)) continue;
    const own = labelOf(clean(key));
    const label = prefix === '' || prefix === own ? own : `${prefix}: ${lower(own)}`;
    if (isRecord(value)) addRecord(shown, label, value);
    else if (Array.isArray(value)) addList(shown, label, value);
    else shown.pairs.push([label, textOf(value)]);
  }
}

function addList(shown: Shown, label: string, list: readonly unknown[]): void {
  const records = list.filter(isRecord);
  if (records.length === 0 || records.length < list.length) {
    const pieces = list.filter((item) => !isEmpty(item)).map(textOf);
    shown.pairs.push([label === '' ? 'Results' : label, pieces.length === 0 ? 'none' : pieces.join(', ')]);
    return;
  }
  const all = new Set(records.flatMap((record) => Object.keys(record).filter((key) => !isEmpty(record[key]))));
  const keys = [...all].slice(0, MAX_COLUMNS);
  const others = new Set([...all].slice(MAX_COLUMNS));
  const cell = (record: Fields, key: string) =>
    Object.hasOwn(record, key) && !isEmpty(record[key]) ? textOf(record[key]) : '';
  const rest = (record: Fields) =>
    textOf(Object.fromEntries(Object.entries(record).filter(([key]) => others.has(key))));
  shown.tables.push({
    title: label === '' ? 'Results' : label,
    columns: [...keys.map((key) => labelOf(clean(key))), ...(others.size > 0 ? ['Others'] : [])],
    rows: records.map((record) => [
      ...keys.map((key) => cell(record, key)),
      ...(others.size > 0 ? [rest(record)] : []),
    ]),
  });
}

function lower(label: string): string {
  return /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function textOf(value: unknown): string {
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (Array.isArray(value))
    return value
      .filter((item) => !isEmpty(item))
      .map((item) => textOf(isRecord(item) ? (soleNumber(item) ?? item) : item))
      .join(', ');
  if (isRecord(value)) {
    return Object.entries(value)
      .filter(([, member]) => !isEmpty(member))
      .map(([key, member]) => `${labelOf(clean(key))} ${textOf(member)}`)
      .join(', ');
  }
  return clean(String(value ?? ''));
}

/** The number of `{ Number }`, as the platform lists recipients: the name would only repeat itself in a cell. */
function soleNumber(record: Fields): unknown {
  const [only, ...others] = Object.entries(record).filter(([, member]) => !isEmpty(member));
  return only?.[0] === 'Number' && others.length === 0 ? only[1] : undefined;
}

/**
 * Writes control and direction characters by their code, so that text cannot move a terminal's cursor, change its title
 * or reverse its reading direction. Line breaks and tabs stay.
 */
export const clean = visible;

/** The mark before a status: done, in progress, stopped or unknown. Empty for a status not listed here. */
export function stateMark(status: unknown): '' | '●' | '○' | '✕' | '?' {
  const word = String(status ?? '')
    .trim()
    .toLowerCase();
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
