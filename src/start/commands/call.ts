import { tools } from '../../../tools/index.ts';
import type { Seal } from '../../ledger/seal.ts';
import type { Actor } from '../../lib/actor.ts';
import { REACH_MS } from '../../lib/clock.ts';
import { type Config, colourEnvironment } from '../../lib/config.ts';
import { hasColours } from '../../lib/log.ts';
import { defined } from '../../lib/values.ts';
import { readOrElse } from '../../store/key-values.ts';
import type { Store } from '../../store/types.ts';
import { runCall, runSettle } from '../../surfaces/cli/call.ts';
import type { CallIo, Door } from '../../surfaces/cli/io.ts';
import { onTerminal } from '../../surfaces/cli/table.ts';
import { createPairing } from '../../surfaces/web/session.ts';
import { openRuntime, type Runtime } from '../runtime.ts';
import { readSettings, readSettingsQuietly, warnOfNames } from '../settings.ts';
import { isRunning } from './key.ts';

/** The local user at a terminal. A user who can start the process with these settings has every role. */
export function localActor(user: string): Actor {
  return {
    id: `cli:${user}`,
    name: user,
    person: `local:${user}`,
    role: 'approver',
    surface: 'cli',
    priority: 'person',
  };
}

/** Returns the address of a running `start` or `mcp` that serves confirmation pages, where a person can decide. */
async function servedAt({ store, seal }: { store: Store; seal: Seal }): Promise<string | undefined> {
  const pairing = createPairing(store, seal);
  // Reads go on without the pages, and a change says itself that the database is away.
  return (await readOrElse(pairing.servers(), [])).find(isRunning)?.url;
}

const DEMO = 'Demo mode: no PLATFORM_* settings, so this runs on a sandbox. Nothing real is touched.';

/** Runs `switchboard call` with this process's streams and settings. */
export function call(args: string[]): Promise<number> {
  return runCall(args, terminalIo(openSoon));
}

/** Runs `switchboard batch` with this process's streams and settings. Batches run in it while it is open. */
export async function batch(args: string[]): Promise<number> {
  const { runBatch } = await import('../../surfaces/cli/batch-command.ts');
  return runBatch(args, terminalIo(openHere));
}

/** Runs `switchboard settle` with this process's streams and settings. */
export function settle(args: string[]): Promise<number> {
  return runSettle(args, terminalIo(openSoon));
}

/** Runs `switchboard ask` with this process's streams and settings. */
export async function ask(args: string[]): Promise<number> {
  const { runAsk } = await import('../../surfaces/cli/ask.ts');
  const { openAssistant } = await import('../assistant.ts');
  const open = async (config: Config) => {
    const runtime = await openSoon(config);
    const assistant = openAssistant(config, runtime);
    const close = async () => {
      await assistant.close();
      await runtime.close();
    };
    return { ...runtime, assistant, close };
  };
  return runAsk(args, terminalIo(open));
}

/** The settings of a command that prints the outcome itself: only fatal errors are logged unless the user asks for every step. */
export function quieted(config: Config): Config {
  const asksForSteps = ['debug', 'trace', 'silent'].includes(config.LOG_LEVEL);
  return asksForSteps ? config : { ...config, LOG_LEVEL: 'fatal' };
}

async function openHere(config: Config, reachMs?: number): Promise<Runtime> {
  const runtime = await openRuntime(quieted(config), { ...defined({ reachMs }), pages: servedAt });
  if (config.demo && process.stderr.isTTY) process.stderr.write(`${onTerminal(DEMO, process.stderr)}\n`);
  return runtime;
}

/** Opens the runtime of a command whose caller waits for its one answer. */
const openSoon = (config: Config) => openHere(config, REACH_MS);

/** This process's streams and settings, for the commands that run operations. */
function terminalIo<D extends Door>(open: (config: Config) => Promise<D>): CallIo<D> {
  const config = process.stderr.isTTY ? readSettings() : readSettingsQuietly();
  // In a pipe the error of a failure is all that stderr has, so the warnings come last, and only if nothing failed.
  if (!process.stderr.isTTY) process.once('exit', (code) => code === 0 && warnOfNames(config));
  return {
    tools,
    openDoor: () => open(config),
    startedAt: Math.floor(performance.timeOrigin),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    columns: process.stdout.columns || 80,
    colours: { out: hasColours(process.stdout), err: hasColours(process.stderr) },
    redraws: colourEnvironment().TERM !== 'dumb',
    actor: localActor(config.user),
  };
}
