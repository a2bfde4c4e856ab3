import type { Field } from '../../../catalogue/field-types.ts';
import { labelOf, soleMember } from '../../../catalogue/fields.ts';
import { isRecord } from '../../../lib/json.ts';

/*
 * Converts lists, rows and keyword rules to lines of text, one entry per line, and back. People do not have to type
 * JSON in a form, but pasted JSON is accepted too.
 */

/** One entry of a text with its line number, starting at 1. */
interface Entry {
  text: string;
  line: number;
}

/** The entries of the text of a field. A comma or semicolon ends an entry too, except in free text. */
export function entriesOf(text: string, field: Field): Entry[] {
  const isFreeText = field.kind !== 'rows' && field.items?.kind === 'text';
  return text
    .split('\n')
    .flatMap((line, i) =>
      (isFreeText ? [line] : line.split(/[,;]+/)).map((piece) => ({ text: piece.trim(), line: i + 1 })),
    )
    .filter((entry) => entry.text !== '');
}

/**
 * The members of rows that fit on one line: the one that is needed, and at most one more, which is written after a
 * colon. Undefined for rows of more members, which have a field for each.
 */
export function lineMembers(field: Field): { first: Field; second: Field | undefined } | undefined {
  const first = soleMember(field);
  const members = field.fields ?? [];
  if (field.kind !== 'rows' || !first || members.length > 2) return undefined;
  return { first, second: members.find((member) => member !== first) };
}

/** Rows as lines; undefined if they have members that lines cannot show. */
export function rowLines(field: Field, rows: readonly unknown[]): string | undefined {
  const members = lineMembers(field);
  if (!members) return undefined;
  const lines = rows.map((row) => {
    if (!isRecord(row)) return String(row);
    const values = [row[members.first.name] ?? '', row[members.second?.name ?? '']];
    return values.filter((value) => value !== undefined).join(': ');
  });
  return lines.join('\n');
}

/** Reads rows from lines. */
export function rowsFrom(field: Field, text: string): unknown {
  const members = lineMembers(field);
  if (!members || text.trimStart().startsWith('[')) return jsonOr(text);
  const { first, second } = members;
  return entriesOf(text, field).map((entry) => {
    const row = entry.text.replace(/^tel:/i, '');
    const colon = second ? row.indexOf(':') : -1;
    if (!second || colon < 0) return { [first.name]: row };
    return { [first.name]: row.slice(0, colon).trim(), [second.name]: row.slice(colon + 1).trim() };
  });
}

/** Malformed JSON stays text, so that validation can explain what is wrong with it. */
export function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Keyword rules as lines: `word` or `word: HIGH`. Undefined for rules that lines cannot show. */
export function keywordLines(json: string): string | undefined {
  const rules = jsonOr(/^\s*\{/.test(json) ? json : `{${json}}`);
  if (!isRecord(rules)) return undefined;
  const { CustomKeywords: words = [], SeverityMap: severities = {}, ...others } = rules;
  if (!Array.isArray(words) || !isRecord(severities) || Object.keys(others).length > 0) return undefined;
  if (Object.keys(severities).some((word) => !words.includes(word))) return undefined;
  return words.map((word) => [word, severities[String(word)] ?? []].flat().join(': ')).join('\n');
}

/** Reads keyword rules from lines, in the platform's format: a JSON object in a string. */
export function keywordsFrom(text: string): string {
  if (text.trimStart().startsWith('{')) return text;
  const rules = text
    .split('\n')
    .map((line) => /^(.*\S)\s*:\s*([A-Za-z_]+)$/.exec(line.trim()) ?? [line, line.trim()])
    .filter(([, word]) => word !== '');
  const severe = rules.flatMap(([, word, severity]) => (severity ? [[word, severity.toUpperCase()]] : []));
  return JSON.stringify({
    CustomKeywords: [...new Set(rules.map(([, word]) => word))],
    ...(severe.length > 0 && { SeverityMap: Object.fromEntries(severe) }),
  });
}

/**
 * A choice as a form shows it: "MONITOR_ONLY" and "Call_On_Hold" become "Monitor only" and "Call on hold". Other
 * spellings stay.
 */
export function choiceLabel(choice: string): string {
  if (/^[A-Z][a-z]+(_[A-Z][a-z]+)+$/.test(choice)) return labelOf(choice);
  return /^[A-Z]{2,}(_[A-Z]+)*$/.test(choice) && choice.length > 3 ? labelOf(choice) : choice;
}
