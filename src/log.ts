import pino from 'pino';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type Log = (level: LogLevel, fields: Record<string, unknown>, message: string) => void;

/**
 * Logs to stderr: stdout belongs to results and to the protocol.
 * `strip` takes secret members out of every line before it is written.
 */
export function createLog(level: string, strip: <T>(value: T) => T): Log {
  const logger = pino({ level, base: null }, pino.destination({ fd: 2, sync: true }));
  return (at, fields, message) => logger[at](strip(fields), message);
}
