import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../support/build.ts';
import { bundle } from '../support/bundle.mjs';
import { environment } from '../support/folder.ts';

export type Command =
  | { do: 'ask'; bodies: string[] }
  | { do: 'confirm'; ids: string[] }
  | { do: 'ask and confirm'; bodies: string[] }
  | { do: 'states'; ids: string[] }
  | { do: 'settle' }
  | { do: 'batch'; numbers: string[] }
  | { do: 'batch yes'; id: string }
  | { do: 'batch rows'; id: string }
  | { do: 'batch go on'; id: string }
  | { do: 'close' };

/** The result of one call: `done`, `pending`, a state, or the code of its error. */
export interface Outcome {
  id: string;
  is: string;
  outcome?: string;
}

/** The program of every worker, bundled beside the project's modules so that it finds the native ones. */
export async function buildWorker(): Promise<{ path: string; remove: () => void }> {
  const folder = mkdtempSync(join(ROOT, 'node_modules', '.chaos-'));
  const path = join(folder, 'process.mjs');
  await bundle(folder, { process: join(ROOT, 'test/chaos/process.ts') });
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A process of the installation under test. */
export class Worker {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve: (outcomes: Outcome[]) => void; reject: (error: Error) => void }>();
  readonly ready: Promise<unknown>;
  #number = 0;
  errors = '';

  /** @param shiftFile if given, the clock of the process runs ahead by the milliseconds in this file */
  constructor(program: string, folder: string, env: Record<string, string>, shiftFile?: string) {
    const shift = shiftFile === undefined ? [] : ['--import', join(ROOT, 'test/soak/shift.mjs')];
    this.#child = spawn(process.execPath, [...shift, program], {
      cwd: folder,
      env: environment(folder, { LOG_LEVEL: 'error', ...env, ...(shiftFile && { SOAK_SHIFT_FILE: shiftFile }) }),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child.stderr?.on('data', (chunk) => {
      this.errors = `${this.errors}${chunk}`.slice(-20_000);
    });
    if (this.#child.stdout) createInterface({ input: this.#child.stdout }).on('line', (line) => this.#answered(line));
    this.ready = new Promise((resolve, reject) => {
      this.#waiting.set(0, { resolve, reject });
    });
    this.#child.once('close', (code) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`the process ended (${code}): ${this.errors}`));
      this.#waiting.clear();
    });
  }

  run(command: Command): Promise<Outcome[]> {
    this.#number += 1;
    const number = this.#number;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#child.stdin?.write(`${JSON.stringify({ number, command })}\n`);
    });
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Ends the process at once; commands under way reject. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.kill('SIGKILL');
    await ended;
  }

  #answered(line: string): void {
    const { number, outcomes, error } = JSON.parse(line) as { number: number; outcomes?: Outcome[]; error?: string };
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (outcomes) waiting?.resolve(outcomes);
    else waiting?.reject(new Error(error));
  }
}
