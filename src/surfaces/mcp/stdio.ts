import type { Readable } from 'node:stream';
import { NAMES_MODERN } from './era.ts';
import type { StdioConnection, StdioOptions } from './protocol.ts';

/**
 * Serves one client over stdio in the protocol of its first message, and loads the adapter for that protocol alone.
 *
 * @returns undefined if the input ended before a message came
 */
export async function serveStdio(options: StdioOptions): Promise<StdioConnection | undefined> {
  const first = await firstLine(options.stdin);
  if (first === undefined) return undefined;
  const adapter = first.includes(NAMES_MODERN) ? await import('./modern.ts') : await import('./legacy.ts');
  const connection = await adapter.serveStdio(options);
  options.stdin.resume();
  return connection;
}

/** Reads the first line and puts everything back. The stream is paused then. */
function firstLine(stdin: Readable): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const stop = () => {
      stdin.off('data', read);
      stdin.off('end', end);
      stdin.off('close', end);
    };
    const end = () => {
      stop();
      resolve(undefined);
    };
    const read = (chunk: Buffer) => {
      chunks.push(chunk);
      if (!chunk.includes(0x0a)) return;
      stop();
      stdin.pause();
      const all = Buffer.concat(chunks);
      stdin.unshift(all);
      resolve(all.toString('utf8', 0, all.indexOf(0x0a)));
    };
    stdin.on('data', read);
    stdin.on('end', end);
    stdin.on('close', end);
  });
}
