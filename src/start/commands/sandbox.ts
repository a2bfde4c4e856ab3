import { ConfigError } from '../../lib/config.ts';
import { defined } from '../../lib/values.ts';
import { readArguments } from '../../surfaces/cli/flags.ts';
import { stopSignal } from '../signals.ts';

/** `switchboard sandbox`: runs the sandbox until a stop signal. */
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
  const { DISTRIBUTORS, startSandbox, UnusableData } = await import('../../demo/sandbox/index.ts');
  const started = startSandbox({ port, ...defined({ data: values.data, now: values.now }) });
  const sandbox = await started.catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof UnusableData) throw new ConfigError(message);
    if (code === 'EADDRINUSE') throw new ConfigError(`--port ${port} is in use; set another one, or 0 for any.`);
    if (values.data === undefined || code === undefined) throw error;
    throw new ConfigError(`--data ${values.data} cannot be written (${code}); name a file in a folder of your own.`);
  });
  // Scripts read the address from stdout.
  process.stdout.write(`${sandbox.url}\n`);
  const [{ key, secret }] = DISTRIBUTORS;
  process.stderr.write(
    `PLATFORM_BASE_URL=${sandbox.url}\nPLATFORM_ACCOUNT_KEY=${key}\nPLATFORM_ACCOUNT_SECRET=${secret}\n`,
  );
  await stopSignal();
  await sandbox.close();
  return 0;
}
