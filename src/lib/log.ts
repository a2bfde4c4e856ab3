import pino from 'pino';
import type { Fields } from './json.ts';
import { escapeJson } from './text.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type Log = (level: LogLevel, fields: Fields, message: string) => void;

/** Removes secrets from the fields and the message of a line. */
export interface LogRedaction {
  strip: <T>(value: T) => T;
  text: (text: string) => string;
}

/**
 * Logs to stderr: stdout belongs to results and to the protocol. Characters that move a terminal's cursor or turn the
 * reading direction are written as JSON's escapes, because logs are read on terminals.
 *
 * @param write takes each line, one JSON object; by default stderr
 */
export function createLog(level: string, redact: LogRedaction, write: (line: string) => void = toStderr()): Log {
  const logger = pino({ level, base: null }, { write: (line: string) => write(escapeJson(line)) });
  return (at, fields, message) => {
    if (logger.isLevelEnabled(at)) logger[at](redact.strip(fields), redact.text(message));
  };
}

function toStderr(): (line: string) => void {
  const stderr = pino.destination({ fd: 2, sync: true });
  return (line) => stderr.write(line);
}
