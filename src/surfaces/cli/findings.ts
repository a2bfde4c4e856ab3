import type { Open } from '../../cards/card.ts';
import { openOf } from '../../cards/line.ts';
import { clean } from '../../language/show.ts';
import { type Fields, isRecord, textOf } from '../../lib/json.ts';
import type { Style } from '../../lib/style.ts';
import { jsonText } from '../../lib/text.ts';
import { wrap } from './table.ts';

interface Layout {
  width: number;
  style: Style;
}

/** Service names in plain words. */
const SERVICES: Readonly<Record<string, string>> = { sms: 'texts', voice: 'calls', data: 'data' };

/**
 * Numbered findings in words, each with the command that fixes it. Undefined for a list other than the findings of a
 * diagnosis (`Finding`, `Affects`, `CarrierMessage`, `Fix`).
 */
export function findingsText(list: unknown, layout: Layout): string | undefined {
  if (!Array.isArray(list) || !list.every(isFinding)) return undefined;
  return list.length === 0 ? undefined : list.map((finding, at) => findingText(finding, at + 1, layout)).join('\n\n');
}

function isFinding(row: unknown): row is Fields {
  return isRecord(row) && typeof row.Finding === 'string';
}

function findingText(finding: Fields, place: number, { width, style }: Layout): string {
  const lead = `${place}. `;
  const margin = ' '.repeat(lead.length);
  const affects = Array.isArray(finding.Affects)
    ? finding.Affects.map((one) => SERVICES[String(one)] ?? String(one))
    : [];
  const more: [string, string][] = [
    ['Affects', clean(affects.join(', '))],
    ['Carrier', clean(textOf(finding.CarrierMessage))],
  ];
  const lines = hanging(clean(textOf(finding.Finding)), width - lead.length).map((line, at) =>
    at === 0 ? `${style.yellow(lead)}${style.bold(line)}` : margin + style.bold(line),
  );
  for (const [label, text] of more) if (text !== '') lines.push(`${margin}${label}: ${text}`);
  lines.push(...fixLines(openOf(finding.Fix), style).map((line) => margin + line));
  return lines.join('\n');
}

/** A fix in words, and the command for it. */
export function fixLines(fix: Open | undefined, style: Style): string[] {
  if (fix === undefined) return [];
  return [...(fix.does === '' ? [] : [`Fix: ${clean(fix.does)}`]), style.cyan(fixCommand(fix))];
}

function hanging(text: string, width: number): string[] {
  return Number.isFinite(width) ? wrap(text, Math.max(20, width)) : [text];
}

/** The command to copy. Values that a person must choose are left as `Field=…`. */
function fixCommand({ operation, input, needs }: Open): string {
  const given = Object.entries(input).flatMap(([name, value]) => written(name, value));
  const needed = needs.map((name) => `${name}=…`);
  return ['switchboard call', operation, ...[...given, ...needed].map(shellWord)].map(clean).join(' ');
}

/** A field as the terminal takes it, without JSON where it can be: `PhoneNumbers=+1…,+1…`, `Address.City=…`. */
function written(name: string, value: unknown): string[] {
  if (Array.isArray(value) && value.length > 0) {
    const pieces = value.map((row: unknown) => {
      const members = isRecord(row) ? Object.values(row) : [row];
      return members.length === 1 && typeof members[0] === 'string' ? members[0] : undefined;
    });
    if (pieces.every((piece) => piece !== undefined && !piece.includes(','))) return [`${name}=${pieces.join(',')}`];
  }
  if (isRecord(value)) return Object.entries(value).flatMap(([member, one]) => written(`${name}.${member}`, one));
  return [`${name}=${typeof value === 'string' ? value : jsonText(value)}`];
}

/** A word as a POSIX shell takes it. */
export function shellWord(text: string): string {
  return /^[\w+=.,:/@%…-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
