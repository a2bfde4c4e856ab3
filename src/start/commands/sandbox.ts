import { ConfigError } from '../../lib/config.ts';
import { defined } from '../../lib/json.ts';
import { readArguments } from '../../surfaces/cli/arguments.ts';

/** `switchboard sandbox`: runs the sandbox until it is told to stop. */
export async function runSandbox(args: string[]): Promise<number> {
  const { values } = readArguments(args, 'switchboard sandbox [--port 3901] [--data FILE] [--now ISO]', {
    port: { type: 'string', default: '3901' },
    data: { type: 'string' },
    now: { type: 'string' },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new ConfigError(`--port must be a port number from 0 to 65535, not ${values.port}`);
  if (values.now !== undefined && Number.isNaN(Date.parse(values.now)))
    throw new ConfigError(`--now must be an ISO date, for example 2026-11-21T12:00:00Z, not ${values.now}`);
  const { startSandbox } = await import('../../demo/sandbox/index.ts');
  const sandbox = await startSandbox({
    port,
    ...defined({ data: values.data, now: values.now }),
  });
  process.stdout.write(`${sandbox.url}\n`);
  await new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  await sandbox.close();
  return 0;
}
