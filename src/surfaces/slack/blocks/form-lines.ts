import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf, labelOf, soleMember } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { choiceText } from '../../../language/member-words.ts';
import { isRecord } from '../../../lib/json.ts';

/*
 * Converts lists, rows and keyword rules to lines of text, one entry per line, and back. People do not have to type
 * JSON in a form, but pasted JSON is accepted too.
 */

/** One entry of a text with its line number, starting at 1. */
export interface Entry {
  text: string;
  line: number;
}

/** The entries of a text. With `commas`, a comma or semicolon ends an entry too. */
export function entriesOf(text: string, commas: boolean): Entry[] {
  return text
    .split('\n')
    .flatMap((line, i) => (commas ? line.split(/[,;]+/) : [line]).map((piece) => ({ text: piece.trim(), line: i + 1 })))
    .filter((entry) => entry.text !== '');
}

/** True if commas separate the entries of this field: free text may contain them. */
export function takesCommas(field: Field): boolean {
  return field.kind === 'rows' || field.items?.kind !== 'text';
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
    const { [members.first.name]: first, [members.second?.name ?? '']: second } = row;
    return second === undefined ? String(first ?? '') : `${String(first ?? '')}: ${String(second)}`;
  });
  return lines.join('\n');
}

/** Reads rows from lines. */
export function rowsFrom(field: Field, text: string): unknown {
  const members = lineMembers(field);
  if (!members || text.trimStart().startsWith('[')) return jsonOr(text);
  const { first, second } = members;
  return entriesOf(text, true).map((entry) => {
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

const WORDS = 'CustomKeywords';
const SEVERITIES = 'SeverityMap';

/**
 * Keyword rules as lines: `word` or `word: HIGH`, and `SystemKeywords.name: value` for what belongs to another member.
 * Undefined for rules that lines cannot show.
 */
export function keywordLines(json: string): string | undefined {
  const rules = jsonOr(/^\s*\{/.test(json) ? json : `{${json}}`);
  if (!isRecord(rules)) return undefined;
  const { [WORDS]: words = [], [SEVERITIES]: severities = {}, ...others } = rules;
  if (!Array.isArray(words) || !isRecord(severities)) return undefined;
  const lines = words.map((word) =>
    severities[String(word)] === undefined ? String(word) : `${word}: ${severities[String(word)]}`,
  );
  const left = Object.entries(severities).filter(([word]) => !words.includes(word));
  for (const [name, members] of [[SEVERITIES, Object.fromEntries(left)] as const, ...Object.entries(others)]) {
    if (!isRecord(members) || Object.values(members).some((value) => typeof value === 'object')) return undefined;
    lines.push(...Object.entries(members).map(([member, value]) => `${name}.${member}: ${String(value)}`));
  }
  return lines.join('\n');
}

/** Reads keyword rules from lines, in the platform's format: a JSON object in a string. */
export function keywordsFrom(text: string): string {
  if (text.trimStart().startsWith('{')) return text;
  const words = new Set<string>();
  const members: Record<string, Record<string, unknown>> = {};
  const put = (name: string, member: string, value: unknown) => {
    members[name] = { ...members[name], [member]: value };
  };
  for (const entry of entriesOf(text, false)) {
    const other = /^([A-Z][A-Za-z]+)\.([^:]+?)\s*:\s*(.*)$/.exec(entry.text);
    const word = /^(.*\S)\s*:\s*([A-Za-z_]+)$/.exec(entry.text);
    if (other) put(other[1] ?? '', other[2] ?? '', scalar(other[3] ?? ''));
    else {
      words.add(word?.[1] ?? entry.text);
      if (word) put(SEVERITIES, word[1] ?? '', word[2]?.toUpperCase());
    }
  }
  return JSON.stringify({ [WORDS]: [...words], ...members });
}

function scalar(text: string): unknown {
  const value = jsonOr(text);
  return typeof value === 'object' ? text : value;
}

/* The platform's names in the words of a form. */

/**
 * A choice as a form shows it: "MONITOR_ONLY" and "Call_On_Hold" become "Monitor only" and "Call on hold". Other
 * spellings stay.
 */
export function choiceLabel(choice: string): string {
  if (/^[A-Z][a-z]+(_[A-Z][a-z]+)+$/.test(choice)) return labelOf(choice);
  return /^[A-Z]{2,}(_[A-Z]+)*$/.test(choice) && choice.length > 3 ? labelOf(choice) : choice;
}

const words = new WeakMap<Tool, ReadonlyMap<string, string>>();

/**
 * A sentence with the labels of this form in place of the platform's names: “Block links” for BlockLinks. An example in
 * JSON becomes a line, as the form takes it.
 */
export function inFormWords(tool: Tool, text: string): string {
  let known = words.get(tool);
  if (!known) {
    known = new Map(fieldsOf(tool).flatMap(wordsOf));
    words.set(tool, known);
  }
  const named = known;
  return withoutJson(text).replace(/(?<![\w"“{])[A-Z][A-Za-z0-9_]+(?![\w"”}])/g, (name, at: number, whole: string) => {
    const found = named.get(name);
    if (found === undefined) return name;
    return /(^|[.:?!] )$/.test(whole.slice(0, at)) ? found.charAt(0).toUpperCase() + found.slice(1) : found;
  });
}

/** A longer label explains more than a sentence can take. */
const MAX_LABEL = 30;

function wordsOf(field: Field): [string, string][] {
  const { name, label } = field;
  // A name of one word, such as "From", is a word of the sentence.
  const isNamed = /.[A-Z0-9]/.test(name) && label.length <= MAX_LABEL;
  const own: [string, string][] = isNamed ? [[name, field.kind === 'id' ? idWords(name) : `“${label}”`]] : [];
  const choices = (field.choices ?? []).flatMap((choice): [string, string][] => {
    const shown = choiceText(name, choice) ?? choiceLabel(choice);
    return shown === choice ? [] : [[choice, `“${shown}”`]];
  });
  return [...own, ...choices, ...(field.fields ?? []).flatMap(wordsOf)];
}

/** "AssignedSubscriberId" becomes "assigned subscriber id". */
function idWords(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}

/** `[{"Number":"+1201","ICCID":"8901"}]` becomes `+1201: 8901`, and `["+1201"]` becomes `+1201`. */
function withoutJson(text: string): string {
  return text
    .replace(/\[?\{"\w+":"([^"]*)"(?:,"\w+":"([^"]*)")?\}\]?/g, (_, first: string, second?: string) =>
      second === undefined ? first : `${first}: ${second}`,
    )
    .replace(/\["([^"\]]*)"\]/g, '$1');
}
