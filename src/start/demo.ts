import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Sandbox } from '../demo/sandbox/index.ts';
import type { Config } from '../lib/config.ts';
import { dataFile } from '../lib/data-dir.ts';

/** The sandbox of demo mode. */
export interface Demo {
  url: string;
  /** The sandbox itself, if it runs in this process. */
  sandbox?: Sandbox;
  close(): Promise<void>;
}

/** How long a running demo may take to answer. */
const PROBE_MS = 1_000;

/**
 * Joins the sandbox that a process on the same DATA_DIR runs, or starts one.
 *
 * @param host true for `switchboard start`: starts a new sandbox and writes its address to DATA_DIR, for others to join.
 * Otherwise the sandbox keeps its state in a file, so that two terminal commands in a row see the same platform.
 */
export async function openDemo(config: Config, host: boolean): Promise<Demo> {
  const note = dataFile(config, 'server.json');
  const running = await runningDemo(note);
  if (running !== undefined) return { url: running, close: async () => undefined };
  const { startSandbox } = await import('../demo/sandbox/index.ts');
  const sandbox = await startSandbox({ port: 0, ...(!host && { data: dataFile(config, 'sandbox.json') }) });
  if (host) writeFileSync(note, JSON.stringify({ url: sandbox.url, pid: process.pid }), { mode: 0o600 });
  return {
    url: sandbox.url,
    sandbox,
    close: async () => {
      if (host) rmSync(note, { force: true });
      await sandbox.close();
    },
  };
}

async function runningDemo(note: string): Promise<string | undefined> {
  if (!existsSync(note)) return undefined;
  const { url } = JSON.parse(readFileSync(note, 'utf8')) as { url: string };
  try {
    const answer = await fetch(new URL('/sandbox/state', url), { signal: AbortSignal.timeout(PROBE_MS) });
    await answer.body?.cancel();
    return answer.ok ? url : undefined;
  } catch {
    // The process was killed and left its note behind: nothing listens at this address.
    return undefined;
  }
}
