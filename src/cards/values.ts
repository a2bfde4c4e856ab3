import { type Change, type ChangeRow, calledText } from '../catalogue/change.ts';
import { labelOf } from '../catalogue/fields.ts';
import { isRecord } from '../lib/json.ts';
import { inQuotes, visible } from '../lib/text.ts';
import { setApart } from '../platform/dialect/plain-values.ts';

/* Values of a change in words: ids by the names of their records, texts of people in quotation marks. */

/** The names of records and lines, by id and phone number. */
type Names = Change['names'];

const NO_FILES: ReadonlySet<string> = new Set();

/** Formats a value of an input for people. */
export function valueText(value: unknown): string {
  return textOf(value, NO_FILES);
}

/**
 * Formats a value for people: `[{Number}]` becomes a list of numbers, a file its size. `files`: names of file members.
 * `worded`: formats each text.
 */
export function textOf(value: unknown, files: ReadonlySet<string>, worded: (text: string) => string = visible): string {
  if (value === null) return 'none (clears the current value)';
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (Array.isArray(value)) {
    if (value.length === 0) return 'none';
    const rows = value.some((member) => isRecord(member) && Object.keys(member).length > 1);
    return value.map((member) => textOf(member, files, worded)).join(rows ? '\n' : ', ');
  }
  if (typeof value === 'string') return worded(value);
  if (!isRecord(value)) return visible(String(value));
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const [only] = members;
  if (members.length === 1 && only && !files.has(only[0])) return textOf(only[1], files, worded);
  return members
    .map(([name, member]) =>
      files.has(name) && typeof member === 'string'
        ? `file of ${sizeOf(member)} bytes`
        : `${labelOf(visible(name))}: ${textOf(member, files, worded)}`,
    )
    .join(', ');
}

/** The number of bytes that a base64 text encodes. */
function sizeOf(base64: string): number {
  const bare = base64.replace(/\s/g, '');
  const padding = bare.endsWith('==') ? 2 : bare.endsWith('=') ? 1 : 0;
  return Math.max(0, (bare.length * 3) / 4 - padding);
}

/** Words of Switchboard in a row of a change. As a value of somebody they are set apart. */
const OWN_WORDS: ReadonlySet<string> = new Set(
  'none,no,yes,new,set,removed,not known,done,confirmed,failed,declined,unknown'.split(','),
);

/**
 * A value as a change shows it: ids by their names, and texts that could be sentences or words of Switchboard in quotation
 * marks. `member`: the field of the value; a text that looks like an id has a name only where the field takes ids.
 */
export function changeValue(
  value: unknown,
  names: Names,
  files: ReadonlySet<string> = NO_FILES,
  member?: string,
): string {
  const takesIds = typeof value !== 'string' || member === undefined || /ids?$/i.test(member);
  return textOf(value, files, (text) => {
    const named = takesIds ? names[text] : undefined;
    if (named !== undefined && !text.startsWith('+')) return inQuotes(visible(named.name));
    const isOwn = member !== undefined && OWN_WORDS.has(text.trim().toLowerCase());
    return isOwn ? inQuotes(visible(text)) : setApart(visible(text));
  });
}

/** The line, record or person that a row concerns: "+12015550101 (Ava Stone · Acme Mobile)", "“Main SMS route”". */
export function partyText(of: string, names: Names): string {
  const named = names[of];
  if (of === '') return 'new';
  if (named === undefined) return visible(of);
  return of.startsWith('+') ? `${of} (${visible(named.name)})` : `${named.noun} ${calledText(named)}`;
}

/** One row of a change in words. */
export interface ChangeLine {
  of: string;
  what: string;
  before: string;
  after: string;
}

const HIDDEN = '••• (not shown)';

/** A row of a change in words: the value before and after, or the entries of a list that are added and removed. */
export function changeLine(row: ChangeRow, names: Names, files: ReadonlySet<string> = NO_FILES): ChangeLine {
  const { of, what, before, after, added, taken, removed, hidden, unread } = row;
  const line = { of: partyText(of, names), what: visible(what) };
  const shown = (value: unknown) => changeValue(value, names, files, row.member);
  const was = before === undefined ? (unread ? 'not known' : 'none') : shown(before);
  const isNew = of === '' && before === undefined;
  if (hidden) return { ...line, before: isNew ? 'none' : HIDDEN, after: removed ? 'removed' : HIDDEN };
  if (removed) return { ...line, before: was, after: 'removed' };
  if (added === undefined && taken === undefined) {
    const next = shown(after);
    return { ...line, before: was, after: next === was && before !== undefined ? alikeText(after, next, names) : next };
  }
  const entries = [
    ...(added ?? []).map((entry) => `added ${shown(entry)}`),
    ...(taken ?? []).map((entry) => `removed ${shown(entry)}`),
  ];
  return { ...line, before: before === undefined ? '' : was, after: entries.join(', ') };
}

/** A value that reads as the one before it: another record of the same name, or an address whose hidden parts differ. */
function alikeText(after: unknown, text: string, names: Names): string {
  return typeof after === 'string' && names[after] !== undefined ? `another ${text}` : `${text} (its secret changes)`;
}

/** "90 MB → 300 MB"; an effect without a value before is its value after. */
export function changeText({ before, after }: ChangeLine): string {
  return before === '' || before === 'none' || before === after ? after : `${before} → ${after}`;
}

/** The first rows of a change in words, and the number of the others. */
export function changeLines(change: Change, most: number): { changes: ChangeLine[]; more: number } {
  const lines = change.rows.slice(0, most).map((row) => changeLine(row, change.names));
  return { changes: lines, more: Math.max(0, change.rows.length - most) };
}
