import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLI } from './build.ts';
import { atEnd } from './ending.ts';
import { environment, makeFolder } from './folder.ts';
import { pairBrowser } from './page.ts';
import { until } from './world.ts';

/** An empty settings file, so that a developer's own .env beside package.json plays no part. */
function noSettings(folder: string): string[] {
  const path = join(folder, 'empty.env');
  writeFileSync(path, '');
  return ['--settings', path];
}

const namesSettings = (args: readonly string[]) => args.some((arg) => arg.startsWith('--settings'));

/** Pairs the test's browser with the processes of this folder, as a person does with `switchboard key`. */
export async function pair(folder: string, env: Record<string, string | undefined> = {}): Promise<void> {
  const { code, out, err } = await runCli(['key'], folder, env);
  if (code !== 0) throw new Error(`switchboard key ended with ${code}: ${err}`);
  await pairBrowser(out.trim());
}

/** `node dist/cli.js …` to its end. */
export function runCli(args: string[], folder: string, env: Record<string, string | undefined>) {
  const given = namesSettings(args) ? args : [...args, ...noSettings(folder)];
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const child = execFile(
      process.execPath,
      [CLI, ...given],
      { cwd: folder, env: environment(folder, env) },
      (_error, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
    );
    child.stdin?.end();
  });
}

export interface Running {
  child: ChildProcess;
  out: () => string;
  err: () => string;
  write: (line: unknown) => void;
  /** Waits for a line on stderr. */
  said: (pattern: RegExp) => Promise<RegExpExecArray>;
  ended: Promise<number | null>;
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** `node dist/cli.js …` that stays, at most until the end of the test. */
export function startCli(args: string[], folder: string, env: Record<string, string> = {}): Running {
  const given = namesSettings(args) ? args : [...args, ...noSettings(folder)];
  const child = spawn(process.execPath, [CLI, ...given], { cwd: folder, env: environment(folder, env) });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal);
    return ended;
  };
  atEnd(() => stop('SIGKILL'));
  return {
    child,
    out: () => out,
    err: () => err,
    write: (line) => child.stdin.write(`${JSON.stringify(line)}\n`),
    said: async (pattern) => {
      await until(() => pattern.test(err) || child.exitCode !== null);
      const match = pattern.exec(err);
      if (!match) throw new Error(`it ended without saying ${pattern}: ${err}`);
      return match;
    },
    ended,
    stop,
  };
}

/** `switchboard start` on a free port, once it listens there. */
export async function startServer(env: Record<string, string> = {}, folder = makeFolder()) {
  const running = startCli(['start'], folder, { PORT: '0', ...env });
  const [, url = ''] = await running.said(/listens on (http:[\w.:/]+)/);
  return { running, url, folder };
}
