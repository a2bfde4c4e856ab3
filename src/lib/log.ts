import { createRequire } from 'node:module';
import { isatty } from 'node:tty';
import type { Logger, pino } from 'pino';
import { colourEnvironment } from './config.ts';
import type { Fields } from './json.ts';
import { readableLine } from './log-lines.ts';
import { type ColourEnvironment, hasColours, styleOf } from './style.ts';
import { escapeJson } from './text.ts';

type LogLevel = 'debug' | 'info' | 'warn' | 'error';
const LEVELS: readonly string[] = ['trace', 'debug', 'info', 'warn', 'error'] satisfies (LogLevel | 'trace')[];
export type Log = (level: LogLevel, fields: Fields, message: string) => void;

/** Removes secrets from the fields and the message of a line. */
export interface LogRedaction {
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
  return (line) => readableLine(line, style);
}
