import { hasPlaceholder } from '../lib/hide.ts';
import { defined, type Fields, isRecord, missingFrom, recordOf, scalarText, searchForm } from '../lib/values.ts';
import { toE164 } from '../platform/dialect/phone.ts';
import { isSame, jsonIn, readFlag, readTexts } from '../platform/dialect/readings.ts';
import type { ChangeRow, KeptValue, Target } from './change.ts';
import { fieldsOf, takes } from './input.ts';
import type { Field, Tool } from './operation.ts';

/** The record in the answer of the read that `current` names. */
export function recordIn({ current }: Tool, answer: Fields, given: Fields): Fields | undefined {
  return current?.record ? current.record(answer, given) : answer;
}

/**
 * The record's values as the fields of the operation take them. Secrets, and values that cannot be read, are left out. A
 * text that the record shows for several fields is there under the record's own name for it.
 */
export function currentIn(tool: Tool, answer: Fields, given: Fields): Fields {
  const record = recordIn(tool, answer, given) ?? {};
  const { member = '' } = tool.current?.joined ?? {};
  return { ...(record[member] ? { [member]: record[member] } : {}), ...valuesNow(tool, record) };
}

/** The text of the record that contains the value of a field among others. `start`: the result of `currentIn`. */
export function wholeOf({ current }: Tool, name: string, start: Fields = {}): string | undefined {
  const whole = current?.joined?.fields.includes(name) ? start[current.joined.member] : undefined;
  return typeof whole === 'string' ? whole : undefined;
}

/** The values of a record, by field. */
export function valuesNow(tool: Tool, record: Fields): Fields {
  const values: Fields = {};
  for (const field of fieldsOf(tool)) {
    const { name, secret, attachment } = field;
    if (secret || attachment || tool.current?.keys.includes(name)) continue;
    const value = readAs(field, memberNow(tool, name, record));
    // A value with a part that is hidden would be sent as it is shown.
    if (hasPlaceholder(value)) continue;
    if (value !== undefined && takes(tool, name, value)) values[name] = value;
  }
  return values;
}

/** The value that a record has for a field; the record's own value if the field does not take it. */
export function valueNow(tool: Tool, field: Field, record: Fields): unknown {
  const value = memberNow(tool, field.name, record);
  return readAs(field, value) ?? value;
}

function memberNow({ current }: Tool, name: string, record: Fields): unknown {
  return record[current?.members?.[name] ?? name];
}

function readAs(field: Field, value: unknown): unknown {
  if (value === undefined || value === null || value === '') return undefined;
  switch (field.kind) {
    case 'boolean':
      return readFlag(value);
    case 'number':
      return Number.isFinite(Number(value)) ? Number(value) : undefined;
    case 'choice':
      return field.choices?.find((choice) => choice.toLowerCase() === String(value).toLowerCase());
    case 'phone':
      return typeof value === 'object' ? undefined : toE164(String(value));
    case 'list':
      return field.items?.kind === 'phone' ? readTexts(value)?.map(toE164) : readTexts(value);
    case 'rows':
      return Array.isArray(value) ? value.map((row: unknown) => partsAs(field, row)) : undefined;
    case 'group':
      return partsAs(field, value);
    default:
      return typeof value === 'object' ? undefined : String(value);
  }
}

function partsAs({ fields = [] }: Field, value: unknown): unknown {
  if (!isRecord(value)) return undefined;
  return defined(Object.fromEntries(fields.map((field) => [field.name, readAs(field, value[field.name])])));
}

/**
 * Compares a form with the values it started from. `input`: the keys and the fields that differ; the gate fills in what
 * an endpoint that replaces the record needs. `kept`: paths of fields that were emptied and that the platform cannot remove.
 *
 * @param shown names of the fields that the form has. Only these can have been emptied.
 */
export function changesOf(
  tool: Tool,
  { start, entered, shown }: { start: Fields; entered: Fields; shown: ReadonlySet<string> },
): { input: Fields; kept: readonly string[]; isEmpty: boolean } {
  const { keys = [] } = tool.current ?? {};
  const input: Fields = {};
  const kept: string[] = [];
  let isEmpty = true;
  for (const { name } of fieldsOf(tool)) {
    const [was, now] = [start[name], entered[name]];
    // The members of a group that were emptied.
    const gone =
      isRecord(was) && isRecord(now) && shown.has(name) ? Object.keys(was).filter((one) => !(one in now)) : [];
    const without = { ...recordOf(now), ...Object.fromEntries(gone.map((one) => [one, null])) };
    const is = gone.length > 0 && takes(tool, name, without) ? without : now;
    if (is !== without && gone.length > 0 && takes(tool, name, now)) kept.push(`${name}.${gone[0]}`);
    const isRemoved = is === undefined && !isNothing(was) && shown.has(name);
    const isChanged =
      is !== undefined && !keys.includes(name) && !isSame(is, was) && JSON.stringify(is) !== JSON.stringify(was);
    if (isChanged || isRemoved) isEmpty = false;
    if (is !== undefined && (isChanged || keys.includes(name))) input[name] = is;
    if (!isRemoved) continue;
    if (takes(tool, name, null)) input[name] = null;
    else if (Array.isArray(was) && takes(tool, name, [])) input[name] = [];
    else kept.push(name);
  }
  return { input, kept, isEmpty };
}

/** True for a value that a form shows as an empty field: no text, no entries, keyword rules without a word. */
function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') {
    const rules = /^\s*\{/.test(value) ? jsonIn(value) : undefined;
    return value.trim() === '' || (isRecord(rules) && isNothing(rules));
  }
  return typeof value === 'object' && Object.values(value).every(isNothing);
}

/** The fields of an input beside the records of its targets. */
export interface Compared {
  rows: ChangeRow[];
  keeps: KeptValue[];
  /** Names of the fields that differ from a record. */
  changed: string[];
  /** Names of the fields that every record has already. */
  unchanged: string[];
}

/**
 * Compares an input with the records that it changes.
 *
 * @param keys fields that name the records, which are no change
 */
export function compare(tool: Tool, input: Fields, targets: readonly Target[], keys: readonly string[]): Compared {
  const compared: Compared = { rows: [], keeps: [], changed: [], unchanged: [] };
  for (const field of fieldsOf(tool)) {
    const value = input[field.name];
    if (value === undefined || keys.includes(field.name)) continue;
    const rows = targets.flatMap((target) => rowsOf(tool, field, value, target));
    const isChanged = rows.length > 0;
    const whole = { what: field.label, member: field.name, value, ...keywordsMark(field) };
    const keptOf = (target: Target) =>
      isChanged ? keptMembers(tool, field, value, target) : value === null ? [] : [{ of: target.of, ...whole }];
    compared.rows.push(...rows);
    compared[isChanged ? 'changed' : 'unchanged'].push(field.name);
    compared.keeps.push(...targets.flatMap(keptOf));
  }
  return withJoined(tool, compared, input, targets);
}

function rowsOf(tool: Tool, field: Field, value: unknown, { of, record, isUnread }: Target): ChangeRow[] {
  const now = record && valueNow(tool, field, record);
  // A list that a record leaves out may have entries.
  const isLeftOut = record !== undefined && field.kind === 'list' && now === undefined;
  const isHidden = isLeftOut || (isEmpty(now) && tool.unreadable?.includes(field.name) === true);
  const base: Base = {
    of,
    what: field.label,
    member: field.name,
    ...((isUnread || isHidden) && { unread: true }),
    ...keywordsMark(field),
  };
  if (field.secret) {
    // A new record has no secret yet.
    const isNew = record === undefined && !base.unread && !tool.current;
    return [{ ...base, hidden: true, ...(isNew && { empty: true }), ...(value === null && { removed: true }) }];
  }
  if (record !== undefined) return rowsOfValue(field, value, now, base);
  // A new record has nothing to remove.
  if (value === null) return tool.current === undefined && !base.unread ? [] : [{ ...base, removed: true }];
  if (field.kind === 'group' && isRecord(value)) return membersOf(field, value, {}, base);
  return [{ ...base, after: value }];
}

/**
 * The fields that the record shows as one text are one row with the whole before and after, if all of them are given.
 * One alone does not tell where the whole is divided: its row has the whole before, and it is always asked about.
 */
function withJoined({ current }: Tool, compared: Compared, input: Fields, targets: readonly Target[]): Compared {
  const { member, label, fields } = current?.joined ?? { member: '', label: '', fields: [] };
  const given = fields.filter((name) => input[name] !== undefined);
  if (given.length === 0) return compared;
  const isPart = ({ member: name = '' }: { member?: string }) => fields.includes(name);
  const after = given.map((name) => scalarText(input[name])).join(' ');
  const rows = targets.flatMap(({ of, record, isUnread }): ChangeRow[] => {
    const whole = record?.[member];
    const before = { ...(isUnread && { unread: true as const }), ...(!isEmpty(whole) && { before: whole }) };
    if (given.length < fields.length)
      return compared.rows
        .filter((row) => row.of === of && isPart(row))
        .map((row) => ({ ...row, what: `${row.what}, part of the ${label.toLowerCase()}`, ...before }));
    return whole === after ? [] : [{ of, what: label, member: given[0] ?? '', members: fields, ...before, after }];
  });
  const [same, other] = rows.length === 0 ? [fields, []] : [[], given];
  return {
    rows: [...compared.rows.filter((row) => !isPart(row)), ...rows],
    keeps: compared.keeps.filter((kept) => !isPart(kept)),
    changed: [...compared.changed.filter((name) => !fields.includes(name)), ...other],
    unchanged: [...compared.unchanged.filter((name) => !fields.includes(name)), ...same],
  };
}

type Base = Pick<ChangeRow, 'of' | 'what' | 'unread' | 'keywords'> & { member: string };

const keywordsMark = ({ kind }: Field) => (kind === 'keywords' ? { keywords: true as const } : {});

/** The rows of a value that differs from the present one; none if it does not. */
function rowsOfValue(field: Field, value: unknown, now: unknown, base: Base): ChangeRow[] {
  const isReference = field.kind === 'id' && base.unread !== true;
  const before = isEmpty(now) ? (isReference ? { empty: true as const } : {}) : { before: now };
  if (value === null || value === '') return isEmpty(now) ? [] : [{ ...base, ...before, removed: true }];
  if (isSameValue(field, value, now)) return [];
  if (field.kind === 'group' && isRecord(value)) return membersOf(field, value, isRecord(now) ? now : {}, base);
  const [was, next] = [entriesOf(field, now), entriesOf(field, value)];
  // Entries that are added to an unknown list, or taken from it, are not known either.
  if (base.unread || was === undefined || next === undefined) return [{ ...base, ...before, after: value }];
  const [added, taken] = [missingFrom(next, was), missingFrom(was, next)];
  return added.length + taken.length === 0 ? [] : [{ ...base, ...before, after: value, added, taken }];
}

/** One row for each member of a group that differs: "Billing address: City". Members that are left out stay. */
function membersOf({ label, fields = [] }: Field, value: Fields, now: Fields, base: Base): ChangeRow[] {
  return fields.flatMap((field) => {
    const next = value[field.name];
    if (next === undefined) return [];
    return rowsOfValue(field, next, now[field.name], { ...base, what: `${label}: ${field.label}` });
  });
}

/** The members of a group that are sent with the ones that differ, and stay. */
function keptMembers(tool: Tool, field: Field, value: unknown, { of, record }: Target): KeptValue[] {
  const { label, name, fields = [] } = field;
  const now = record && valueNow(tool, field, record);
  if (field.kind !== 'group' || !isRecord(value) || !isRecord(now)) return [];
  const isKept = (member: Field) =>
    value[member.name] !== undefined &&
    rowsOfValue(member, value[member.name], now[member.name], { of, what: '', member: name }).length === 0;
  const kept = fields.filter(isKept);
  return kept.map((one) => ({ of, what: `${label}: ${one.label}`, member: name, value: value[one.name] }));
}

/** The entries of a list in any of its shapes; undefined for a value that is no list. */
function entriesOf(field: Field, value: unknown): string[] | undefined {
  if (!['list', 'rows', 'choices'].includes(field.kind)) return undefined;
  if (isEmpty(value)) return [];
  if (!Array.isArray(value)) return readTexts(value);
  return value.map((entry: unknown) => {
    if (!isRecord(entry)) return scalarText(entry);
    const members = Object.entries(entry).filter(([, member]) => member !== undefined && member !== null);
    // A row with one member is that member.
    if (members.length === 1) return scalarText(members[0]?.[1]);
    return members.map(([name, member]) => `${name}: ${scalarText(member)}`).join(', ');
  });
}

/** The fields that the answer to a change of a record shows with another value than the one that was sent. */
export function otherwiseIn(tool: Tool, input: Fields, answer: Fields): string[] {
  if (tool.current === undefined) return [];
  const { keys, joined } = tool.current;
  const shown = fieldsOf(tool).filter((field) => {
    const value = valueNow(tool, field, answer);
    // One of another shape, such as rules that are no text, says nothing.
    const isOther = isRecord(value) && field.kind !== 'group';
    const isTold = !isEmpty(value) && !isOther && !hasPlaceholder(value);
    return isTold && !field.secret && !joined?.fields.includes(field.name);
  });
  const sent = Object.fromEntries(shown.map(({ name }) => [name, input[name]]));
  return compare(tool, sent, [{ of: '', record: answer }], keys).changed;
}

/** Choices and ids are the same in any letter case, and ids with any of the prefixes of their kind. */
function isSameValue(field: Field, value: unknown, now: unknown): boolean {
  if (isSame(value, now)) return true;
  const ignoresCase = field.kind === 'choice' || field.kind === 'id' || field.known !== undefined;
  const [one = '', other = ''] = [value, now].map((entry) => {
    const text = scalarText(entry).trim();
    const prefix = field.ids?.find((start) => text.toUpperCase().startsWith(`${start}-`)) ?? '';
    return text.slice(prefix.length);
  });
  // The platform fills a serial up with an F, which is no digit of it.
  if (field.kind === 'iccid') return one !== '' && one.replace(/f$/i, '') === other.replace(/f$/i, '');
  return ignoresCase && one !== '' && searchForm(one) === searchForm(other);
}

/** True for a value that a record does not have: null, an empty text, a list without entries. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
