import type { Readable } from 'node:stream';
import { namesModern } from './era.ts';
import type { StdioConnection, StdioOptions } from './protocol.ts';

/**
 * Serves one client over stdio in the protocol of its first message. It loads only the adapter for that protocol.
 *
 * @returns undefined if the input ended before a message came
 */
export async function serveStdio(options: StdioOptions): Promise<StdioConnection | undefined> {
  const first = await firstMessage(options.stdin);
  if (first === undefined) return undefined;
  const adapter = namesModern(first) ? await import('./modern.ts') : await import('./legacy.ts');
  const connection = await adapter.serveStdio(options);
  options.stdin.resume();
  return connection;
}

/** Reads up to the first JSON line, puts everything back and pauses the stream. */
function firstMessage(stdin: Readable): Promise<string | undefined> {
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
      const all = Buffer.concat(chunks);
      const lines = all.toString('utf8', 0, all.lastIndexOf(0x0a)).split('\n');
      // Empty lines and the output of a wrapper script are not messages.
      const first = lines.find((line) => /^\s*[[{]/.test(line));
      if (first === undefined) return;
      stop();
      stdin.pause();
      stdin.unshift(all);
      resolve(first);
    };
    stdin.on('data', read);
    stdin.on('end', end);
    stdin.on('close', end);
  });
}
