import { memoryOf } from '../attacks/load.ts';
import { makeFolder } from '../support/folder.ts';
import { startCli } from '../support/process.ts';
import { seeded } from '../support/seed.ts';

/**
 * V8 lets garbage pile up as long as it may have more memory. With this limit on the heap, what grows is a leak, inside the
 * heap or outside.
 */
const HEAP_MB = 128;
const PERSON = { user: 'U000AGENT', channel: 'C000SUPPORT' };

/** Commands as a person types them, one after another. */
const COMMANDS = [
  (at: number) => ({ kind: 'command', command: '/number', text: seeded(1 + (at % 6)) }),
  (at: number) => ({ kind: 'command', command: '/numbers', text: `get ${seeded(1 + (at % 6))}` }),
  () => ({ kind: 'command', command: '/numbers', text: 'help' }),
  (at: number) => ({ kind: 'say', text: `@switchboard ${seeded(1 + (at % 6))}` }),
];

/**
 * Types commands into the playground of `switchboard start`, with a page that follows the conversation. Returns by how many
 * MB the process grew over them, after a warm-up.
 */
export async function growthOfDemo(options: { warmUp: number; commands: number }): Promise<number> {
  const folder = makeFolder();
  const env = { PORT: '0', LOG_LEVEL: 'error', PLATFORM_REQUESTS_PER_MINUTE: '6000' };
  const running = startCli(['start'], folder, { ...env, NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` });
  const leaving = new AbortController();
  try {
    const url = (await running.said(/listens on (http:[\w.:/]+)/))[1] ?? '';
    await running.said(/Confirmations/);
    await fetch(`${url}/sandbox/settings`, { method: 'POST', body: JSON.stringify({ requestsPerMinute: 100_000 }) });
    const page = await (await fetch(`${url}/playground`)).text();
    const token = /[0-9a-f]{48}/.exec(page)?.[0] ?? '';
    const headers = { 'x-playground-token': token, 'content-type': 'application/json' };
    const following = follow(`${url}/playground/state`, headers, leaving.signal);
    const type = async (from: number, count: number) => {
      for (let at = from; at < from + count; at += 1) {
        const body = JSON.stringify({ ...PERSON, ...COMMANDS[at % COMMANDS.length]?.(at) });
        const answer = await fetch(`${url}/playground/do`, { method: 'POST', headers, body });
        const { outcome } = (await answer.json()) as { outcome: string };
        if (outcome !== 'acked') throw new Error(`command ${at}: ${outcome}`);
      }
      return memoryOf(running.child.pid ?? 0);
    };
    const before = await type(0, options.warmUp);
    const after = await type(options.warmUp, options.commands);
    leaving.abort();
    await following;
    console.info(`the demo: ${Math.round(before)} MB, ${Math.round(after)} MB after ${options.commands} more commands`);
    return after - before;
  } finally {
    leaving.abort();
  }
}

/** Asks for the state at every change, as the page does. */
async function follow(url: string, headers: Record<string, string>, signal: AbortSignal): Promise<void> {
  let since = -1;
  while (!signal.aborted) {
    const query = new URLSearchParams({ ...PERSON, since: String(since) });
    try {
      const answer = await fetch(`${url}?${query}`, { headers, signal });
      since = ((await answer.json()) as { version: number }).version;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
