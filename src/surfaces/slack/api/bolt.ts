import { App, type Logger, LogLevel, type ReceiverEvent } from '@slack/bolt';
import type { Log } from '../../../lib/log.ts';
import type { ClientOptions } from './socket-mode.ts';

/** Creates Bolt with a receiver that does nothing. `process` passes one verified request to Bolt. */
export function createBolt(options: { token: string; logger: Logger; clientOptions: ClientOptions }): {
  app: App;
  process: (event: ReceiverEvent) => Promise<void>;
} {
  const { token, logger, clientOptions } = options;
  const app = new App({
    authorize: async () => ({ botToken: token }),
    receiver: { init: () => undefined, start: async () => undefined, stop: async () => undefined },
    ignoreSelf: false,
    // Slack's token for one step of a workflow ends with the step, and is used for nothing.
    attachFunctionToken: false,
    logger,
    logLevel: LogLevel.WARN,
    clientOptions,
  });
  return { app, process: (event) => app.processEvent(event) };
}

/** Bolt's warnings and errors as log lines, never a payload. */
export function boltLogger(log: Log): Logger {
  const textIn = (parts: unknown[]) =>
    parts
      .map((part) => (part instanceof Error ? part.message : typeof part === 'string' ? part : ''))
      .join(' ')
      .slice(0, 500);
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: (...parts: unknown[]) => log('warn', { from: 'bolt' }, textIn(parts)),
    error: (...parts: unknown[]) => log('error', { from: 'bolt' }, textIn(parts)),
    setLevel: () => undefined,
    getLevel: () => LogLevel.WARN,
    setName: () => undefined,
  };
}
