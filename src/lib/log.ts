import { createRequire } from 'node:module';
import { isatty } from 'node:tty';
import { styleText } from 'node:util';
import type { Logger, pino } from 'pino';
import { colourEnvironment } from './config.ts';
import { escapeJson, type Fields, isRecord, jsonText, visible } from './values.ts';

/** Ways to emphasize text on a terminal. Without colours each returns the text as it is. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  /** Only for failures and for calls that take something away. */
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
  cyan(text: string): string;
  /** White on black, independent of the terminal's colours. */
  onBlack(text: string): string;
}

/** The styles of a stream with colours, or of one without. */
export function styleOf(colours: boolean): Style {
  // The caller has decided about colours, so Node must not decide by its own standard output.
  const paint = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    colours && text !== '' ? styleText(format, text, { validateStream: false }) : text;
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    red: paint('red'),
    yellow: paint('yellow'),
    green: paint('green'),
    cyan: paint('cyan'),
    onBlack: paint(['whiteBright', 'bgBlack']),
  };
}

/** The part of the environment that says whether a terminal shows colours. */
export type ColourEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * True if a stream gets colours: it is a terminal that shows them. `FORCE_COLOR` decides if it is set (`0` and `false`
 * turn colours off); otherwise `NO_COLOR` (no-color.org) and `TERM=dumb` turn them off.
 */
export function hasColours(stream: { isTTY?: boolean | undefined }, env: ColourEnvironment): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: off = '', TERM: term } = env;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return stream.isTTY === true && off === '' && term !== 'dumb';
}

type LogLevel = 'debug' | 'info' | 'warn' | 'error';
const LEVELS: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error'] satisfies (LogLevel | 'trace')[];
export type Log = (level: LogLevel, fields: Fields, message: string) => void;

/** Removes secrets from the fields and the message of a line. */
interface LogRedaction {
  strip: <T>(value: T) => T;
  text: (text: string) => string;
}

/**
 * Logs to stderr: stdout belongs to results and to the protocol. Characters that move a terminal's cursor or turn the
 * reading direction are escaped, because logs are read on terminals.
 *
 * @param write takes each line, one JSON object; by default stderr, where a terminal gets readable lines instead of
 * JSON
 */
export function createLog(level: string, redact: LogRedaction, write?: (line: string) => void): Log {
  let logger: Logger | undefined;
  const open = () => {
    // Loaded with the first line, because most processes at the terminal write none.
    const make = createRequire(import.meta.url)('pino') as typeof pino;
    const stderr = write ? undefined : make.destination({ fd: 2, sync: true });
    const format = terminalFormat(isatty(2), colourEnvironment());
    const writeLine = write ?? ((line: string) => stderr?.write(format(line)));
    return make({ level, base: null }, { write: (line: string) => writeLine(escapeJson(line)) });
  };
  return (at, fields, message) => {
    // A level above those of lines, such as `silent`, is in no place of the list.
    const least = LEVELS.indexOf(level);
    if (least < 0 || LEVELS.indexOf(at) < least) return;
    logger ??= open();
    logger[at](redact.strip(fields), redact.text(message));
  };
}

/** The format of log lines on stderr: JSON, or readable text if stderr is a terminal. */
export function terminalFormat(isTTY: boolean, env: ColourEnvironment): (line: string) => string {
  if (!isTTY) return (line) => line;
  const style = styleOf(hasColours({ isTTY }, env));
  // Secrets are removed from `line` already. A person reads local time, level, message and fields.
  return (line) => {
    const parsed: unknown = JSON.parse(line);
    const { level, time, msg, ...fields } = isRecord(parsed) ? parsed : {};
    const { name, paint } = SHOWN_LEVELS[Number(level)] ?? { name: String(level), paint: 'dim' };
    const texts = Object.entries(fields).map(fieldText);
    const inline = texts.filter((text) => !text.includes('\n')).join(' ');
    const below = texts.filter((text) => text.includes('\n'));
    const head = [style.dim(clockTime(Number(time))), style[paint](name.padEnd(5)), visible(String(msg ?? ''))];
    const first = [...head, style.dim(inline)].filter((part) => part !== '').join(' ');
    return `${[first, ...below.map((text) => style.dim(INDENT + text.replaceAll('\n', `\n${INDENT}`)))].join('\n')}\n`;
  };
}

/** pino's numbers of the levels. */
const SHOWN_LEVELS: Readonly<Record<number, { name: string; paint: keyof Style }>> = {
  10: { name: 'trace', paint: 'dim' },
  20: { name: 'debug', paint: 'dim' },
  30: { name: 'info', paint: 'green' },
  40: { name: 'warn', paint: 'yellow' },
  50: { name: 'error', paint: 'red' },
  60: { name: 'fatal', paint: 'red' },
};

/** Indentation of texts of several lines, such as a stack. */
const INDENT = '    ';

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
