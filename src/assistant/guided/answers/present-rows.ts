import { type Fields, isRecord } from '../../../lib/json.ts';
import { jsonText } from '../../../lib/text.ts';

/*
 * Entries that a sentence adds to a list of a record or takes off it: "add 198.51.100.7 to the whitelist of the trunk". An
 * update replaces a list as a whole, so that surfaces read the present one first.
 */

/** A change of the entries of a list. The input has the added ones alone. */
export interface RowChange {
  field: string;
  /** True for a list that is one text, with commas between its entries. */
  isText?: true;
  adds: readonly Fields[];
  removes: readonly Fields[];
}

/** Words of an order that sets a list as a whole. */
const WHOLE =
  /\b(?:only|just|solely|exclusively|nothing\s+(?:but|else)|no\s*body\s+(?:but|else)|no\s+(?:one|others?)\s+(?:but|else)?)\b|\b(?:set|overwrite|change|replace)\s+(?:the\s+|its\s+|our\s+)?(?:\p{L}+[\s-]+){0,3}?(?:white|allow)[\s-]?list\b[^.;!?]*\b(?:to|with|by)\s/iu;
/** Before an entry that goes: "remove A from the list". "Dont drop the others" takes nothing off. */
const TAKES = String.raw`\b(?<!\b(?:not|never|dont|without)\s+|n['’]t\s+)(?:remove|delete|drop|take|kick|strip|pull|erase|throw|revoke|disallow|removing|dropping|get\s+rid\s+of)\s+(?:off\s+|out\s+)?`;
/** "No longer allow A", "un-whitelist A", "A should be removed". */
const IS_TAKEN =
  /(?<!\b(?:not|never)\s+(?:\p{L}+\s+)?)\b(?:be|get|gets|is|are|was|has\s+to\s+be)\s+(?:removed|dropped|deleted|taken\s+(?:off|out)|kicked)\b|\b(?:not|never|dont|no\s+longer|stop|quit|cease)\s+(?:to\s+)?(?:allow|white-?list|permit|accept|trust|let)(?:t?ing)?\b|n['’]t\s+(?:allow|white-?list|permit|accept|trust|let)\b|\b(?:un|de)[\s-]?(?:white|allow)[\s-]?list/iu;
/** Of two entries, the one that goes: "replace A with B", "B instead of A". */
const GOES = String.raw`\b(?:replace|swap|exchange|change|switch)\s+(?:out\s+)?`;
const INSTEAD = String.raw`\b(?:instead\s+of|in\s+place\s+of|rather\s+than)\s+`;

/** True for words that let an entry in no longer: "dont allow A any more". */
export function letsInNoMore(text: string): boolean {
  return IS_TAKEN.test(text);
}

/** The entries that a sentence adds to a list or takes off it. Undefined if it sets the list as a whole. */
export function rowChange(said: string, field: string, rows: readonly Fields[]): RowChange | undefined {
  const leads = (row: Fields, words: string) => {
    const text = String(Object.values(row)[0]).replace(/[^\p{L}\d]/gu, '\\$&');
    return new RegExp(String.raw`${words}(?:the\s+)?(?:\p{L}+\s+){0,2}?${text}(?![\d/])`, 'iu').test(said);
  };
  const gone = rows.filter((row) => leads(row, GOES) || leads(row, INSTEAD));
  if (gone.length > 0 && gone.length < rows.length)
    return { field, adds: rows.filter((row) => !gone.includes(row)), removes: gone };
  if (IS_TAKEN.test(said) || rows.some((row) => leads(row, TAKES))) return { field, adds: [], removes: rows };
  return WHOLE.test(said) ? undefined : { field, adds: rows, removes: [] };
}

function named(rows: readonly unknown[]): string {
  return rows.map((row) => (isRecord(row) ? String(Object.values(row)[0]) : String(row))).join(', ');
}

/** A remark on what happens to the list, for a surface that has not read it yet. */
export function rowsTold({ adds, removes }: RowChange): string {
  const parts = [
    ...(adds.length > 0 ? [`${named(adds)} is added to the present entries`] : []),
    ...(removes.length > 0 ? [`${named(removes)} is taken off the present entries`] : []),
  ];
  return `; ${parts.join(', and ')}: the list is sent as a whole`;
}

/** The input with the present list and its changes, and a sentence about it. */
export function rowsOn(change: RowChange, input: Fields, present: Fields | undefined): { input: Fields; note: string } {
  const { field, adds, removes, isText } = change;
  const { [field]: _, ...rest } = input;
  const now = presentRows(change, present);
  // Without the present list, a list that is sent would take its entries away.
  if (!Array.isArray(now)) return { input: rest, note: unread(change) };
  const rows: readonly unknown[] = now;
  const isAmong = (list: readonly unknown[], row: unknown) => list.some((one) => jsonText(one) === jsonText(row));
  const kept = rows.filter((row) => !isAmong(removes, row));
  const all = [...kept, ...adds.filter((row) => !isAmong(kept, row))];
  const parts = [
    rows.length === 0 ? 'no entry now' : `${named(rows)} now`,
    ...(adds.length > 0 ? [`${named(adds)} added`] : []),
    ...(removes.length > 0 ? [`${named(removes)} taken off`] : []),
  ];
  if (isText && all.length === 0)
    return { input: rest, note: `${parts.join('; ')}: no entry would be left, so that nothing is filled in` };
  return { input: { ...rest, [field]: isText ? named(all).replaceAll(', ', ',') : all }, note: parts.join('; ') };
}

/** The entries of the list of a record that was read. */
function presentRows({ field, isText, adds, removes }: RowChange, present: Fields | undefined): unknown {
  const now = present === undefined ? undefined : (present[field] ?? []);
  const [key = ''] = Object.keys(adds[0] ?? removes[0] ?? {});
  if (!isText || typeof now !== 'string') return now;
  return now.split(',').flatMap((one) => (one.trim() === '' ? [] : [{ [key]: one.trim() }]));
}

function unread(change: RowChange): string {
  return `the present entries were not read, so that the list is not filled in${rowsTold(change).replace(/: the list.*$/, '')}`;
}
