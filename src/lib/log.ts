import { isatty } from 'node:tty';
import pino from 'pino';
import { colourEnvironment } from './config.ts';
import type { Fields } from './json.ts';
import { readableLine } from './log-lines.ts';
import { type ColourEnvironment, hasColours, styleOf } from './style.ts';
import { escapeJson } from './text.ts';

type LogLevel = 'debug' | 'info' | 'warn' | 'error';
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
export function createLog(level: string, redact: LogRedaction, write: (line: string) => void = toStderr()): Log {
  const logger = pino({ level, base: null }, { write: (line: string) => write(escapeJson(line)) });
  return (at, fields, message) => {
    if (logger.isLevelEnabled(at)) logger[at](redact.strip(fields), redact.text(message));
  };
}

function toStderr(): (line: string) => void {
  const stderr = pino.destination({ fd: 2, sync: true });
  const format = terminalFormat(isatty(2), colourEnvironment());
  return (line) => stderr.write(format(line));
}

/** The format of log lines on stderr: JSON, or readable text if stderr is a terminal. */
export function terminalFormat(isTTY: boolean, env: ColourEnvironment): (line: string) => string {
  if (!isTTY) return (line) => line;
  const style = styleOf(hasColours({ isTTY }, env));
  return (line) => readableLine(line, style);
}
