import { Attempts } from '../lib/attempts.ts';
import { BearerTokens } from '../lib/bearer-tokens.ts';
import { inTime, systemClock } from '../lib/clock.ts';
import { type Config, ConfigError, unsafeListening } from '../lib/config.ts';
import { CHECK_MS, STOP_MS } from '../lib/durations.ts';
import { VERSION } from '../lib/version.ts';
import { isStoreUnavailable, levelOf } from '../store/key-values.ts';
import { forgetActivity } from '../store/schema.ts';
import { Pairing } from '../surfaces/web/pairing.ts';
import { openAssistant } from './assistant.ts';
import { registerDemoEvents } from './demo-events.ts';
import { Listener, Router } from './listener.ts';
import { loadOAuth } from './oauth/index.ts';
import { openLog, openRuntime, type Runtime } from './runtime.ts';
import { stopSignal } from './signals.ts';
import { startText, storedIn } from './start-text.ts';
import type { Surface } from './surface.ts';
import { openSurfaces } from './surfaces/index.ts';

/** The part of `STOP_MS` in which calls that take too long are answered. */
const LAST_MS = 1_000;

/**
 * `switchboard start`: runs all surfaces in one process until a stop signal, or until a newer program has raised the
 * stored data. Returns the exit code.
 */
export async function start(config: Config): Promise<number> {
  const unsafe = unsafeListening(config);
  if (unsafe !== undefined) throw new ConfigError(unsafe);
  const clock = systemClock;
  const listener = await Listener.open(config);
  const { url, port } = listener;
  const runtime = await openRuntime(config, { host: true, serves: 'http', clock, pages: url });
  const { log } = runtime;
  const pairing = new Pairing({
    database: runtime.store.database('pairing'),
    seal: runtime.seal,
    clock: runtime.store.clock,
  });
  await noteServer(runtime, pairing, url);
  const attempts = new Attempts(clock, log);
  const oauth = await loadOAuth(config, { url, clock, log });
  const bearers = new BearerTokens({ config, attempts, oauth: oauth?.tokens });
  const assistant = openAssistant(config, runtime);
  const surfaces = await openSurfaces({
    ...{ config, runtime, url, port, attempts, bearers, oauth, pairing, assistant },
  });
  const hosts = [...config.MCP_ALLOWED_HOSTS, config.HOST, new URL(url).hostname];
  await warmUp(surfaces, runtime);
  listener.route(new Router({ config, surfaces, hosts, bearers, log }));
  const hasDemoEvents = await openDemoEvents(runtime, surfaces, config.local ? url : `http://127.0.0.1:${port}`);
  const { address } = listener;
  const started = { config, runtime, url, address, surfaces, hasDemoEvents };
  announce(startText(started), config);
  log('info', { version: VERSION, address, url, pid: process.pid, storage: storedIn(config) }, 'Switchboard started');

  const refused = runtime.store.refused.then(() => 'the stored data is of a newer program' as const);
  const signal = await Promise.race([stopSignal(), refused]);
  log('info', { signal, pid: process.pid }, 'Switchboard is stopping');
  for (const surface of surfaces) surface.stop?.('waiting');
  await pairing
    .leave(url)
    .catch((error: unknown) => log(levelOf(error, 'warn'), { error: String(error) }, 'this server stays noted'));
  await listener.drain(STOP_MS - LAST_MS);
  for (const surface of surfaces) surface.stop?.('all');
  listener.stopListening();
  await listener.drain(LAST_MS);
  listener.refuse();
  // In reverse order: events are still shown while the surfaces that show them are open.
  for (const surface of [...surfaces].reverse()) await surface.close?.();
  listener.close();
  await runtime.close();
  log('info', { pid: process.pid }, 'Switchboard stopped');
  return signal.startsWith('SIG') ? 0 : 1;
}

/** Tells where the server is and what it uses: text for a person at a terminal, otherwise log lines at any LOG_LEVEL. */
function announce(text: string, config: Config): void {
  if (process.stderr.isTTY) return void process.stderr.write(text);
  const { log } = openLog({ ...config, LOG_LEVEL: 'info' });
  for (const line of text.split('\n').map((one) => one.trim().replace(/ {2,}/, ': ')))
    if (line !== '') log(line.startsWith('WARNING') ? 'warn' : 'info', {}, line);
}

/** Warms the surfaces up, for two seconds at most: a server that does not answer must not delay the start. */
async function warmUp(surfaces: readonly Surface[], { clock, log }: Runtime): Promise<void> {
  const warmed = surfaces.map(async ({ name, warmUp: warm }) => {
    await warm?.().catch((error: unknown) => log('warn', { surface: name, error: String(error) }, 'not warmed up'));
  });
  await inTime(clock, CHECK_MS, Promise.all(warmed), () => undefined);
}

/**
 * Stores the address of this server, by which `switchboard key` finds it. If the database cannot be reached, it is
 * stored later, so that the start does not fail.
 */
async function noteServer({ worker }: Runtime, pairing: Pairing, url: string): Promise<void> {
  const note = () => pairing.serve({ url, pid: process.pid });
  await note().catch((error: unknown) => {
    if (!isStoreUnavailable(error)) throw error;
    worker.persist(note);
  });
}

/**
 * Registers this server for the events of the sandbox in this process. Returns false if there is none or registering
 * failed. When the sandbox begins again, its former events and the actions on it are forgotten first.
 */
async function openDemoEvents(runtime: Runtime, surfaces: readonly Surface[], url: string): Promise<boolean> {
  const { sandbox, log } = runtime;
  if (!sandbox) return false;
  const register = async () => {
    try {
      await registerDemoEvents(runtime, sandbox, url);
      return true;
    } catch (error) {
      log('error', { error: String(error) }, 'the sandbox does not deliver its events here');
      return false;
    }
  };
  sandbox.onReset = async () => {
    await runtime.store.database('ledger').transaction(forgetActivity);
    for (const surface of surfaces) await surface.forget?.();
    await register();
  };
  return register();
}
