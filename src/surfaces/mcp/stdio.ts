import { isModern } from './protocol.ts';
import type { StdioConnection, StdioOptions } from './stdio-transport.ts';

/**
 * Serves one client over stdio in the protocol of its first message. It loads only the adapter for that protocol.
 *
 * @returns undefined if the input ended before a message came
 */
export async function serveStdio(options: StdioOptions): Promise<StdioConnection | undefined> {
  const first = await options.transport.first();
  if (first === undefined) return undefined;
  const adapter = isModern(first) ? await import('./modern.ts') : await import('./legacy.ts');
  return adapter.serveStdio(options);
}
