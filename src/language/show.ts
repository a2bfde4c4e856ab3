import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { CHOICE_WORDS, KIND_WORDS } from '../../tools/shared/fields.ts';
import { labelOf } from '../catalogue/input.ts';
import { type Fields, isRecord, lowerFirst, scalarText, visible } from '../lib/values.ts';
import { dayText, memberMoney, readDate } from '../platform/dialect/readings.ts';
import { WITHHELD } from '../platform/dialect/redact.ts';

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
/** Bounds tables whose rows all have different members. No list of the platform has so many. */
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
  if (name !== undefined) return clean(String(value[name]));
  return isRecord(value.Number) ? titleOf(value.Number) : undefined;
}

function addRecord(shown: Shown, prefix: string, record: Fields, options: ShownOptions): void {
  for (const [key, value] of Object.entries(record)) {
    if (SILENT.has(key) || isHidden(key, record, options)) continue;
    const own = labelIn(key, options);
    const label = prefix === '' || prefix === own ? own : `${prefix}: ${lowerFirst(own)}`;
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
  const title = label === '' ? 'Results' : label;
  const records = list.filter(isRecord);
  if (records.length === 0 || records.length < list.length) {
    const pieces = list.filter((item) => !isEmpty(item)).map((item) => textOf('', item, {}, options));
    shown.pairs.push([title, pieces.length === 0 ? 'none' : pieces.join(', ')]);
    return;
  }
  const isShown = (record: Fields, key: string) =>
    Object.hasOwn(record, key) && !isEmpty(record[key]) && !isHidden(key, record, options) && !isWithheld(record, key);
  const all = new Set(records.flatMap((record) => Object.keys(record).filter((key) => isShown(record, key))));
  const keys = [...all].slice(0, MAX_COLUMNS);
  const cell = (record: Fields, key: string) => (isShown(record, key) ? textOf(key, record[key], record, options) : '');
  if (options.brief && all.size === 1 && records.length <= BRIEF_ROWS)
    shown.pairs.push([title, records.map((record) => cell(record, keys[0] ?? '')).join(', ')]);
  else
    shown.tables.push({
      title,
      columns: keys.map((key) => labelIn(key, options)),
      rows: records.map((record) => keys.map((key) => cell(record, key))),
    });
}

/** The label of a member. On the terminal it follows the member's own name, by which `--fields` chooses it. */
function labelIn(key: string, { brief }: ShownOptions): string {
  return brief ? memberLabel(key) : labelOf(clean(key));
}

function isHidden(key: string, record: Fields, options: ShownOptions): boolean {
  return isUnit(key, record) || (options.brief === true && isRepeated(key, record));
}

/**
 * True for the note that codes are withheld. Lists leave it out, because its column would repeat the same text in each
 * row.
 */
const isWithheld = (record: Fields, key: string) => key === 'activation' && record[key] === WITHHELD;

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
  const { StatusChange, EffectiveDate, ...more } = value;
  // A change that is scheduled: "park on 2026-12-15".
  if (StatusChange !== undefined && EffectiveDate !== undefined && Object.keys(more).length === 0)
    return `${memberText('StatusChange', StatusChange, value)} on ${memberText('EffectiveDate', EffectiveDate, value)}`;
  const members = Object.entries(value);
  const [first] = members;
  // The rows of a list of numbers, for example, have one member.
  if (first && members.length === 1 && (typeof first[1] !== 'object' || first[1] === null))
    return textOf(...first, value, options);
  const listed = members
    .filter(([name, member]) => !isEmpty(member) && !isHidden(name, value, options))
    .map(([name, member]) => `${labelIn(name, options)} ${textOf(name, member, value, options)}`);
  return recordText(value) ?? listed.join(', ');
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

/** The marks of states: done, stopped, not known and in progress. */
const MARKS = [
  ['●', /^(active|complete|completed|done|delivered|sent|ok|success|successful|enabled|valid)$/],
  ['✕', /^(failed|rejected|cancelled|canceled|declined|expired|undelivered|suspended|error|invalid|disabled)\b/],
  ['?', /^unknown$/],
  [
    '○',
    /^(pending|submitted|running|queued|processing|in.?progress|parked|received|confirmed|in_flight|accepted|new)\b/,
  ],
] as const;

/** The mark before a status. Empty for a status not listed here. */
export function stateMark(status: unknown): (typeof MARKS)[number][0] | '' {
  const word = scalarText(status).trim().toLowerCase();
  return MARKS.find(([, states]) => states.test(word))?.[0] ?? '';
}

/** A phone number as people read it and as it is sent. Other text is returned unchanged. */
export function formatPhone(e164: string): { national: string; e164: string } {
  const parsed = parsePhoneNumberFromString(e164);
  return parsed
    ? { national: parsed.formatNational(), e164: parsed.number }
    : { national: clean(e164), e164: clean(e164) };
}

/** Writes the phone numbers in a text as people do. */
export function nationalIn(text: string): string {
  return text.replaceAll(/\+\d{8,15}/g, (phone) => formatPhone(phone).national);
}

/*
 * The members of the platform's answers in words: labels, units, dates, states. Everything else is shown as received.
 */

/**
 * Members whose own name is a misspelling, an abbreviation, another word than the one of forms, or no label for a list of
 * what was not done.
 */
const LABELS: Readonly<Record<string, string>> = {
  NumbersChange: 'Numbers changed',
  FailedChange: 'Not changed',
  NumbersValid: 'Numbers accepted',
  NumbersInvalid: 'Numbers not accepted',
  MRID: 'Message route',
  TNID: 'Number ID',
  Tnid: 'Number ID',
  PhoneNumberId: 'Number ID',
  Trunk1Priortiy: 'Trunk 1 priority',
  Trunk2Priortiy: 'Trunk 2 priority',
  NotifyValue: 'Notify at',
  ThrottleValue: 'Slow down at',
  ThrottleSpeed: 'Slowed to',
  LimitValue: 'Data limit',
  ChangeType: 'Change',
  NGP: 'Number area (NGP)',
  Cnam: 'Caller name',
  SwapsRemaining: 'SIM swaps left',
  NextSwapResetDate: 'SIM swaps renewed on',
  KnownUsd: 'Known',
  CnamFirstName: 'Caller first name',
  CnamLastName: 'Caller last name',
  Body: 'Text',
  CallRouteId: 'Voice route',
  CallRouteID: 'Voice route',
  EnableIntelligentGuardianCalls: 'Filter calls',
  EnableIntelligentGuardianMessages: 'Filter messages',
  InboundBypass: 'Inbound: skip guardian filtering',
  OutboundBypass: 'Outbound: skip guardian filtering',
  PortInDate: 'Port-in date',
  TelegentPhone: 'Number of the workgroup',
  TransferCallerId: 'Transfer caller ID',
};

/** Thresholds of data usage. They are in MB unless the answer names another unit (PLATFORM.md, Data usage). */
const THRESHOLDS: readonly string[] = ['NotifyValue', 'ThrottleValue', 'LimitValue'];
/** Members with which the platform repeats another member of the same record, the preferred one first. */
const SAME: readonly (readonly string[])[] = [
  ['Number', 'PhoneNumber', 'PhoneNumberAssigned'],
  ['PhoneNumberId', 'TNID', 'Tnid'],
  ['Status', 'OrderStatus'],
  ['From', 'Owner'],
  ['NumberType', 'Classification'],
];
/** Members that hold a word of a list, which the platform may write in capitals. */
const STATES = /(status|state|direction|behavior|mode)$/i;
/** Members that are on or off. The platform sends some of them as text. */
const FLAGS = /(enabled|active|monthly|bypass)$|^(enable|apply|block|record)/i;
/** Members with the kind of a line. */
const KIND = /^(NumberType|Classification|TargetPortinClassification|Kind|Type)$/;
/** Choices of the platform that people know by other words. */
const CHOICES: Readonly<Record<string, Readonly<Record<string, string>>>> = CHOICE_WORDS;

/** A day without a time. */
const DAY = /^(?:\d{4}-\d\d-\d\d|\d{1,2}\/\d{1,2}\/\d{4})$/;

/** A choice in the words that people use; undefined for a value that has none. */
export function choiceText(name: string, value: unknown): string | undefined {
  const own = scalarText(value).trim();
  if (THRESHOLDS.includes(name)) {
    // "2560" is "2560 MB (2.5 GB)", where the GB is a short number.
    if (!/^\d+(\.\d+)?$/.test(own)) return undefined;
    const gigabytes = Number(own) / 1024;
    const isShort = gigabytes >= 1 && Number.isInteger(gigabytes * 10);
    return `${own} MB${isShort ? ` (${gigabytes} GB)` : ''}`;
  }
  if (/date$/i.test(name) && DAY.test(own)) return dayText(own);
  const money = memberMoney(name, own);
  if (money !== undefined) return money;
  const [, amount, unit] = /^(\d+)-([kmg])bps$/i.exec(own) ?? [];
  // "1 Mbps".
  if (name === 'ThrottleSpeed' && unit !== undefined) return `${amount} ${unit.toUpperCase()}bps`;
  const words = Object.hasOwn(CHOICES, name) ? CHOICES[name] : KIND.test(name) ? KIND_WORDS : undefined;
  const word = own.toLowerCase();
  if (words !== undefined && Object.hasOwn(words, word)) return words[word];
  return STATES.test(name) && /^[A-Z][A-Z_]{2,}$/.test(own) ? labelOf(own) : undefined;
}

const ID = /^[A-Z]{2,7}-[A-Za-z0-9._-]{4,}$/;

/** The label of a member of an answer: "Limit" for `LimitValue`. */
export function memberLabel(name: string): string {
  return (Object.hasOwn(LABELS, name) ? LABELS[name] : undefined) ?? labelOf(visible(name));
}

/**
 * One value of an answer in words. `true` and "true" become "yes", a threshold gets its unit, a day becomes
 * "2026-11-22". A time becomes ISO 8601 in UTC, which every surface shows in its reader's zone.
 *
 * @param timeZone IANA zone of times without one; without it these times stay as received
 */
export function memberText(name: string, value: unknown, record: Fields, timeZone?: string): string {
  const text = visible(String(value ?? ''));
  if (name === 'activation' && value === WITHHELD)
    return 'shown only to those who ordered or approved it, and to operators who ask for it';
  if (value === true || (FLAGS.test(name) && /^true$/i.test(text))) return 'yes';
  if (value === false || (FLAGS.test(name) && /^false$/i.test(text))) return 'no';
  const money = memberMoney(name, text);
  if (money !== undefined) return money;
  if (/^\d+(\.\d+)?$/.test(text)) {
    if (THRESHOLDS.includes(name)) return `${text} ${visible(String(record.ValueUnit ?? 'MB'))}`;
    return /seconds$/i.test(name) ? `${text} s` : text;
  }
  const choice = choiceText(name, text);
  if (choice !== undefined) return choice;
  const isDate = /date|expir|until|since|time/i.test(name) || /(On|At)$/.test(name);
  return (isDate && dateText(text, timeZone)) || text;
}

/** True for the unit of other members of the record. It is shown after their values. */
export function isUnit(name: string, record: Fields): boolean {
  return name === 'ValueUnit' && THRESHOLDS.some((threshold) => threshold in record);
}

/** True for a member that repeats another one of the record. */
export function isRepeated(name: string, record: Fields): boolean {
  const same = SAME.find((names) => names.includes(name)) ?? [];
  const said = scalarText(record[name]).toLowerCase();
  const others = said === '' ? [] : same.slice(0, same.indexOf(name));
  return others.some((other) => scalarText(record[other]).toLowerCase() === said);
}

/**
 * A record that reads better as one value: "1 Main St, Heber, Utah 84032, USA", or "Acme Mobile" for an id and a name.
 * Undefined for any other record.
 */
export function recordText(record: Fields): string | undefined {
  const filled = Object.entries(record).filter(([, value]) => !isEmpty(value));
  if (filled.some(([, value]) => typeof value === 'object')) return undefined;
  const named = Object.fromEntries(filled.map(([name, value]) => [name, visible(String(value))]));
  const { Street1, Street2, City, State, Zip, ZipCode, Country, ...others } = named;
  if (Street1 !== undefined && City !== undefined && Object.keys(others).length === 0) {
    const region = [State, Zip ?? ZipCode].filter((part) => part !== undefined).join(' ');
    return [Street1, Street2, City, region, Country].filter((part) => part !== undefined && part !== '').join(', ');
  }
  if (filled.length !== 2) return undefined;
  const id = filled.find(([name, value]) => /id$/i.test(name) && ID.test(String(value)));
  const name = filled.find(([key]) => /name$/i.test(key));
  return id && name ? named[name[0]] : undefined;
}

/**
 * True if the result of a change shows this empty member: the request named it, or named the entries that it removed
 * from it ("Numbers" for "BlockedNumbers"). A member that was empty before is left out, because an update repeats the
 * fields that its caller left out.
 *
 * @param known the records read before the change, by name
 */
export function isNews(name: string, asked: Fields, known: Fields = {}): boolean {
  const isOld = Object.values(known).some((record) => isRecord(record) && name in record && isBlank(record[name]));
  const member = name.toLowerCase();
  const fields = Object.keys(asked).map((field) => field.toLowerCase());
  return (
    !isOld && fields.some((field) => member === field || (/^(allowed|blocked)/.test(member) && member.endsWith(field)))
  );
}

/** True for a value that says nothing: null, an empty text, a list without entries. */
export function isBlank(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isBlank);
  return value === undefined || value === null || value === '';
}

/** A date of the platform in words; undefined for any other text. */
function dateText(text: string, timeZone: string | undefined): string | undefined {
  // Midnight without a zone is a day: `EffectiveDate`.
  const day = text.replace(/T00:00:00(\.0+)?$/, '');
  if (DAY.test(day)) return readDate(day, 'UTC') && dayText(day);
  if (timeZone === undefined || !/^\d{4}-\d\d-\d\dT|^\d{1,2}\/\d{1,2}\/\d{4},? \d/.test(text)) return undefined;
  const span = readDate(text, timeZone);
  return span && new Date(span.from).toISOString();
}
