import type { AskedValue } from '../language/asked-values.ts';
import { listedIn, recordHit } from '../language/records.ts';
import { clean } from '../language/show.ts';
import { type Fields, isRecord, recordOf } from '../lib/json.ts';

/* The values that a question asks for, each with its field and its record. A field that is not set is named as such. */

const MOST_ROWS = 10;

/** One line for each record of an answer, or for the record itself. */
export function valueLines(operation: string, value: Fields, asked: readonly AskedValue[]): string[] {
  const listed = listedIn(operation, value);
  if (!listed) return [valuesOf(recordWith(value, asked), asked)];
  const lines = listed.rows
    .slice(0, MOST_ROWS)
    .map((row) => `${recordHit(listed.kind, row).label}: ${valuesOf(row, asked)}`);
  const more = listed.rows.length - lines.length;
  return more > 0 ? [...lines, `${more} more are below`] : lines;
}

function valuesOf(record: Fields, asked: readonly AskedValue[]): string {
  return asked
    .map(({ name, label, isSecret }) => `${label}: ${isSecret ? 'a secret, which is never shown' : text(record[name])}`)
    .join(', ');
}

function recordWith(value: Fields, asked: readonly AskedValue[]): Fields {
  const records = [value, ...Object.values(value).filter(isRecord).map(recordOf)];
  return records.find((one) => asked.some(({ name }) => name in one)) ?? value;
}

function text(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'none is set';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? 'none is set' : value.map(text).join(', ');
  return isRecord(value) ? Object.values(value).map(text).join(' ') : clean(String(value));
}
