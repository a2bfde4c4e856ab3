import { type Fields, isRecord } from './json.ts';
import type { Style } from './style.ts';
import { jsonText, visible } from './text.ts';

/** pino's numbers of the levels. */
const LEVELS: Readonly<Record<number, { name: string; paint: keyof Style }>> = {
  10: { name: 'trace', paint: 'dim' },
  20: { name: 'debug', paint: 'dim' },
  30: { name: 'info', paint: 'green' },
  40: { name: 'warn', paint: 'yellow' },
  50: { name: 'error', paint: 'red' },
  60: { name: 'fatal', paint: 'red' },
};

/** Indentation of texts of several lines, such as a stack. */
const INDENT = '    ';

/**
 * A line of the log as a person reads it on a terminal: local time, level, message, fields. `line` is the JSON that is
 * written elsewhere, so secrets are removed already.
 */
export function readableLine(line: string, style: Style): string {
  const parsed: unknown = JSON.parse(line);
  const { level, time, msg, ...fields } = isRecord(parsed) ? parsed : {};
  const { name, paint } = LEVELS[Number(level)] ?? { name: String(level), paint: 'dim' };
  const texts = Object.entries(fields).map(fieldText);
  const inline = texts.filter((text) => !text.includes('\n')).join(' ');
  const below = texts.filter((text) => text.includes('\n'));
  const head = [style.dim(clockTime(Number(time))), style[paint](name.padEnd(5)), visible(String(msg ?? ''))];
  const first = [...head, style.dim(inline)].filter((part) => part !== '').join(' ');
  return `${[first, ...below.map((text) => style.dim(INDENT + text.replaceAll('\n', `\n${INDENT}`)))].join('\n')}\n`;
}

function fieldText([name, value]: [string, Fields[string]]): string {
  if (typeof value !== 'string') return `${visible(name)}=${jsonText(value)}`;
  const text = visible(value);
  return `${visible(name)}=${text === '' || (/[\s"=]/.test(text) && !text.includes('\n')) ? jsonText(value) : text}`;
}

/** `14:03:09.120` in local time, without the date, which a person at a terminal knows. */
function clockTime(time: number): string {
  const date = new Date(time);
  const two = (value: number) => String(value).padStart(2, '0');
  const seconds = `${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`;
  return `${two(date.getHours())}:${two(date.getMinutes())}:${seconds}`;
}
