import { operations } from '../../tools/index.ts';
import { Registrations, runSync } from '../events/sync.ts';
import { approvalOf, waysFor } from '../gate/approval.ts';
import { CHECK_MS, inTime, STOP_MS, systemClock } from '../lib/clock.ts';
import { type Config, ConfigError, excessBudget, unsafeListening } from '../lib/config.ts';
import { createAttempts, createBearers } from '../lib/http.ts';
import { textOf } from '../lib/values.ts';
import { VERSION } from '../lib/version.ts';
import { levelOf } from '../store/key-values.ts';
import { forgetActivity } from '../store/schema.ts';
import { createPairing } from '../surfaces/web/session.ts';
import { openAssistant } from './assistant.ts';
import { openLog, storedIn } from './installation.ts';
import { createRouter, openListener } from './listener.ts';
import { loadOAuth } from './oauth/index.ts';
import { openRuntime, type Runtime } from './runtime.ts';
import { stopSignal } from './signals.ts';
import type { Surface, SurfaceContext } from './surface.ts';
import { openSurfaces } from './surfaces/index.ts';

/** The part of `STOP_MS` that is left after the listening socket was closed. */
const LAST_MS = 1_000;

/**
 * `switchboard start`: runs all surfaces in one process until a stop signal, or until a newer program has raised the
 * stored data. Returns the exit code.
 */
export async function start(config: Config): Promise<number> {
  const unsafe = unsafeListening(config);
  if (unsafe !== undefined) throw new ConfigError(unsafe);
  const clock = systemClock;
  const listener = await openListener(config);
  const { url, port } = listener;
  const runtime = await openRuntime(config, { host: true, serves: 'http', pages: url });
  const { log } = runtime;
  const pairing = createPairing(runtime.store, runtime.seal);
  // The start does not wait for the database, and `switchboard key` finds this server once it is back.
  runtime.worker.persist(() => pairing.serve({ url, pid: process.pid }));
  const attempts = createAttempts(clock, log);
  const oauth = await loadOAuth(config, { url, clock, log });
  const bearers = createBearers(config, attempts, oauth);
  const assistant = openAssistant(config, runtime);
  const surfaces = await openSurfaces({ config, runtime, url, port, attempts, bearers, oauth, pairing, assistant });
  const hosts = [...config.MCP_ALLOWED_HOSTS, config.HOST, new URL(url).hostname];
  const warmed = surfaces.map(async ({ name, warmUp }) => {
    await warmUp?.().catch((error: unknown) => log('warn', { surface: name, error: String(error) }, 'not warmed up'));
  });
  // For two seconds at most: a server that does not answer must not delay the start.
  await inTime(clock, CHECK_MS, Promise.all(warmed), () => undefined);
  listener.route(createRouter({ config, surfaces, hosts, bearers, log }));
  const hasDemoEvents = await openDemoEvents(runtime, surfaces, config.local ? url : `http://127.0.0.1:${port}`);
  const { address } = listener;
  const text = startText({ config, runtime, url, surfaces }, { address, hasDemoEvents });
  // For a person at a terminal; otherwise log lines at any LOG_LEVEL.
  if (process.stderr.isTTY) process.stderr.write(text);
  const announce = openLog({ ...config, LOG_LEVEL: process.stderr.isTTY ? 'silent' : 'info' }).log;
  for (const line of text.split('\n').map((one) => one.trim().replace(/ {2,}/, ': ')))
    if (line !== '') announce(line.startsWith('WARNING') ? 'warn' : 'info', {}, line);
  log('info', { version: VERSION, address, url, pid: process.pid, storage: storedIn(config) }, 'Switchboard started');

  const refused = runtime.store.refused.then(() => 'the stored data is of a newer program' as const);
  const signal = await Promise.race([stopSignal(), refused]);
  log('info', { signal, pid: process.pid }, 'Switchboard is stopping');
  for (const surface of surfaces) surface.stop?.();
  await pairing
    .leave(url)
    .catch((error: unknown) => log(levelOf(error, 'warn'), { error: String(error) }, 'this server stays noted'));
  await listener.drain(STOP_MS - LAST_MS);
  await listener.refuse(LAST_MS);
  // In reverse order: events are still shown while the surfaces that show them are open.
  for (const surface of [...surfaces].reverse()) await surface.close?.();
  listener.close();
  await runtime.close();
  log('info', { pid: process.pid }, 'Switchboard stopped');
  return signal.startsWith('SIG') ? 0 : 1;
}

/**
 * Registers this server for the events of the sandbox in this process. Returns false if there is none or registering
 * failed. When the sandbox begins again, its former events and the actions on it are forgotten first.
 */
async function openDemoEvents(runtime: Runtime, surfaces: readonly Surface[], url: string): Promise<boolean> {
  const { sandbox, log } = runtime;
  if (!sandbox) return false;
  const pathOf = (id: string) => operations.find((one) => one.id === id)?.path ?? id;
  // As `webhooks sync` does with a platform. Existing registrations stay. No person is asked, because only the demo's
  // set-up changes.
  const register = async () => {
    try {
      const outcome = await runSync({
        url,
        messageRoutes: [DEMO_ROUTE],
        registrations: new Registrations(runtime.store, runtime.seal),
        platform: runtime.platformUrl,
        show: () => undefined,
        ask: async () => true,
        read: async (id, input) => {
          const query = Object.entries(input).map(([name, value]) => [name, textOf(value)]);
          return sandbox.read(pathOf(id), Object.fromEntries(query));
        },
        perform: async (id, input) => sandbox.perform(pathOf(id), input),
      });
      for (const { why, reason } of outcome.failed) log('warn', { why, reason }, 'the demo registered less');
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

/**
 * Returns the text that `switchboard start` writes to stderr once it listens. The first line is the address to open, if
 * there is one.
 *
 * @param address the address that the server listens on
 * @param hasDemoEvents true if the sandbox delivers its events to this server
 */
function startText(
  { config, runtime, url, surfaces }: Pick<SurfaceContext, 'config' | 'runtime' | 'url' | 'surfaces'>,
  { address, hasDemoEvents }: { address: string; hasDemoEvents: boolean },
): string {
  const ways = waysFor('', undefined, approvalOf(config)).filter(({ way }) => way === 'slack' || way === 'page');
  const isNobody = ways.every(({ reason }) => reason !== undefined);
  const link = surfaces.find((surface) => surface.link !== undefined)?.link;
  const reasons = ways.map(({ way, reason }) => `${way}: ${reason}`).join('; ');
  const excess = excessBudget(config);
  return [
    link !== undefined && `Open ${link}`,
    `Switchboard ${VERSION} listens on ${address}`,
    config.PUBLIC_URL !== undefined && `  Reached at     ${url}`,
    ...(runtime.demo
      ? [
          '  Demo mode: no PLATFORM_* settings. The platform is a sandbox, and nothing real is touched.',
          `  Sandbox        ${runtime.platformUrl} (${config.public ? NOT_SERVED : `state: ${url}/sandbox/state`}). ${runtime.demo.data}`,
          hasDemoEvents
            ? '  Events         orders and messages of the sandbox are delivered here'
            : `  Events         the sandbox delivers here after: switchboard webhooks sync --url ${url} --route ${DEMO_ROUTE}`,
        ]
      : [`  Platform       ${config.PLATFORM_BASE_URL}`]),
    `  Stored in      ${storedIn(config)}`,
    isNobody && `  WARNING        nobody may approve what Slack users or assistants ask for (${reasons}).`,
    isNobody && '                 Set SLACK_APPROVERS, or an approver in MCP_HTTP_TOKENS (name:approver:token).',
    excess !== undefined && `  WARNING        ${excess}`,
    ...surfaces.flatMap((surface) => surface.lines ?? []),
    '',
  ]
    .filter((line) => line !== false)
    .join('\n');
}

const NOT_SERVED = 'its state is not served, because others can reach this server';

/** The sandbox's message route (its fixed data). */
const DEMO_ROUTE = 'MRID-00000000-0000-4000-8000-000000000001';
