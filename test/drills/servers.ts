import { makeFolder } from '../support/folder.ts';
import { onSandbox, openSandbox } from '../support/on-sandbox.ts';
import { type Running, runCli, startCli } from '../support/process.ts';
import { until } from '../support/until.ts';

/* Servers on one PostgreSQL database, for drills. Everything listens on loopback. */

export const TOKEN = 'token-of-the-drill';
export const [OLD, NEW] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string];

export interface Server {
  url: string;
  running: Running;
  /** Time from its start to 200 on `/readyz`, in ms. */
  readyMs: number;
}

export interface Drill {
  platform: string;
  start(database: string, keys: string): Promise<Server>;
  /** `switchboard …` on the database. */
  run(args: string[], database: string, keys: string): ReturnType<typeof runCli>;
  close(): Promise<void>;
}

export async function openDrill(): Promise<Drill> {
  const sandbox = await openSandbox();
  const folder = makeFolder();
  const servers: Running[] = [];
  const env = (database: string, keys: string) => ({
    ...onSandbox(sandbox.url),
    PORT: '0',
    LOG_LEVEL: 'warn',
    DATABASE_URL: database,
    SEALING_KEY: keys,
    MCP_HTTP_TOKENS: `drill:approver:${TOKEN}`,
  });
  return {
    platform: sandbox.url,
    start: async (database, keys) => {
      const started = performance.now();
      const running = startCli(['start'], folder, env(database, keys));
      servers.push(running);
      const [, url = ''] = await running.said(/listens on (http:[\w.:/]+)/);
      await until(async () => (await ask(url, '/readyz')) === 200);
      return { url, running, readyMs: Math.round(performance.now() - started) };
    },
    run: (args, database, keys) => runCli(args, folder, env(database, keys)),
    close: async () => {
      for (const running of servers) await running.stop('SIGKILL');
    },
  };
}

/** The status of one request; 0 if there was no answer. */
export async function ask(url: string, path: string, init: RequestInit = {}): Promise<number> {
  const headers = { authorization: `Bearer ${TOKEN}`, ...init.headers };
  return fetch(`${url}${path}`, { ...init, headers }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
    () => 0,
  );
}

export const figure = (line: string): void => void process.stdout.write(`${line}\n`);
