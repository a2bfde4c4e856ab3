import { createRequire } from 'node:module';
import { isatty } from 'node:tty';
import { styleText } from 'node:util';
import type { Logger, pino } from 'pino';
import { colourEnvironment } from './config.ts';
import { escapeJson, type Fields, isRecord, jsonText, visible } from './values.ts';

/** Ways to emphasize text on a terminal. Without colours each returns the text as it is. */
export function styleOf(colours: boolean) {
  // The caller has decided about colours, so Node must not decide by its own standard output.
  const paint = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    colours && text !== '' ? styleText(format, text, { validateStream: false }) : text;
  return {
    bold: paint('bold'),
    dim: paint('dim'),
    /** Only for failures and for calls that take something away. */
    red: paint('red'),
    yellow: paint('yellow'),
    green: paint('green'),
    /** White on black, independent of the terminal's colours. */
    onBlack: paint(['whiteBright', 'bgBlack']),
  };
}
export type Style = ReturnType<typeof styleOf>;

/**
 * True if a stream gets colours: it is a terminal that shows them. `FORCE_COLOR` decides if it is set (`0` and `false`
 * turn colours off); otherwise `NO_COLOR` (no-color.org) and `TERM=dumb` turn them off.
 */
export function hasColours(stream: { isTTY?: boolean | undefined }, env = colourEnvironment()): boolean {
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
    const format = terminalFormat(isatty(2));
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
export function terminalFormat(isTTY: boolean, env = colourEnvironment()): (line: string) => string {
  if (!isTTY) return (line) => line;
  const style = styleOf(hasColours({ isTTY }, env));
  // Secrets are removed from `line` already. A person reads local time, level, message and fields.
  return (line) => {
    const parsed: unknown = JSON.parse(line);
    const { level, time, msg, ...fields } = isRecord(parsed) ? parsed : {};
    // pino's numbers of the levels are 10, 20 and so on.
    const name = [...LEVELS, 'fatal'][Number(level) / 10 - 1] ?? String(level);
    const paint = PAINTS[name] ?? 'dim';
    const texts = Object.entries(fields).map(fieldText);
    const inline = texts.filter((text) => !text.includes('\n')).join(' ');
    const below = texts.filter((text) => text.includes('\n'));
    const head = [style.dim(clockTime(Number(time))), style[paint](name.padEnd(5)), visible(String(msg ?? ''))];
    const first = [...head, style.dim(inline)].filter((part) => part !== '').join(' ');
    return `${[first, ...below.map((text) => style.dim(INDENT + text.replaceAll('\n', `\n${INDENT}`)))].join('\n')}\n`;
  };
}

const PAINTS: Readonly<Record<string, keyof Style>> = { info: 'green', warn: 'yellow', error: 'red', fatal: 'red' };

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
  return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}
