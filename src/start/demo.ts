import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import type { DataFile } from '../demo/sandbox/index.ts';
import type { Seal } from '../ledger/seal.ts';
import { CHECK_MS, GATHER_MS } from '../lib/clock.ts';
import { type Config, dataFile } from '../lib/config.ts';
import type { Log } from '../lib/log.ts';
import { objectIn, parseUrl, textOf } from '../lib/values.ts';

/** The sandbox's data hold secrets of its customers, so they are sealed. */
const DATA = 'sandbox.sealed';
const JOINED = 'It is the sandbox of the running switchboard start.';
/** File in which `start` notes the address of its sandbox. */
const NOTE = 'server.json';

/**
 * Joins the sandbox that `switchboard start` runs on the same DATA_DIR, or starts one. Its data are kept in DATA_DIR,
 * so that the next start, or the next terminal command, sees the same platform.
 *
 * Returns its address, the sandbox itself if it runs in this process, and a sentence that says which data it uses.
 *
 * @param options.host true for `switchboard start`: notes the sandbox's address in DATA_DIR, for others to join
 */
export async function openDemo(config: Config, { host, seal, log }: { host: boolean; seal: Seal; log: Log }) {
  const path = dataFile(config, NOTE);
  const noted = readNote(path);
  if (noted !== undefined && (await answers(noted)))
    return { url: noted, data: JOINED, sandbox: undefined, close: async () => undefined };
  const file = sealedFile(dataFile(config, DATA), seal, host ? undefined : path);
  const { startSandbox } = await import('../demo/sandbox/index.ts');
  const onSaveFailed = (error: unknown) =>
    log('error', { error: String(error) }, 'the data of the demo could not be written; trying again');
  const start = (port: number) =>
    startSandbox({ port, data: file, onSaveFailed, ...(host && { saveAfterMs: GATHER_MS }) });
  // On the port of the last start, because the platform's address is part of what was registered there.
  const sandbox = await start(host && noted !== undefined ? Number(new URL(noted).port) : 0).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return start(0);
  });
  if (host) writeFileSync(path, JSON.stringify({ url: sandbox.url }), { mode: 0o600 });
  return { url: sandbox.url, sandbox, data: file.found(), close: () => sandbox.close() };
}

function readNote(path: string): string | undefined {
  const url = existsSync(path) ? textOf(objectIn(readFileSync(path, 'utf8'))?.url) : '';
  return parseUrl(url) && url;
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(new URL('/sandbox/state', url), { signal: AbortSignal.timeout(CHECK_MS) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    // The process has ended, and nothing listens at this address.
    return false;
  }
}

/**
 * The data file of the demo, sealed with the key of this installation. `found` says in a sentence which data were read.
 *
 * @param note where `start` notes that it has taken over the data; undefined for `start` itself
 */
function sealedFile(name: string, seal: Seal, note: string | undefined): DataFile & { found(): string } {
  const openedAt = Date.now();
  let found = 'It starts with new data.';
  return {
    name,
    found: () => found,
    read: () => {
      if (!existsSync(name)) return null;
      try {
        const text = String(seal.open(readFileSync(name), DATA));
        found = 'It continues with the data of the last start.';
        return text;
      } catch {
        found = 'It starts with new data, because those of the last start were sealed with another key.';
        return null;
      }
    },
    write: (text) => {
      // An assistant's server that runs longer keeps its data in memory only once `start` has taken over the data.
      const taken = note === undefined ? undefined : statSync(note, { throwIfNoEntry: false });
      if (taken !== undefined && taken.mtimeMs > openedAt) return;
      // The text is written to a temporary file that is then renamed, so that the file is never incomplete.
      const temporary = `${name}.${process.pid}.tmp`;
      writeFileSync(temporary, seal.seal(text, DATA), { mode: 0o600 });
      renameSync(temporary, name);
    },
  };
}
