import { createAttempts } from '../lib/attempts.ts';
import { systemClock } from '../lib/clock.ts';
import { type Config, ConfigError, unsafeListening } from '../lib/config.ts';
import { commandName } from '../lib/invocation.ts';
import { VERSION } from '../lib/version.ts';
import { Pairing } from '../surfaces/web/pairing.ts';
import { Listener } from './listener.ts';
import { NotedServer } from './noted-server.ts';
import { loadOAuth } from './oauth/load.ts';
import { Router } from './router.ts';
import { openRuntime, type Runtime } from './runtime.ts';
import { stopSignal } from './signals.ts';
import type { Surface } from './surface.ts';
import { closeSurfaces, openSurfaces } from './surfaces/index.ts';

/** `switchboard start`: all surfaces in one process, until it is told to stop. Returns the exit code. */
export async function start(config: Config): Promise<number> {
  const unsafe = unsafeListening(config);
  if (unsafe !== undefined) throw new ConfigError(unsafe);
  const clock = systemClock;
  const listener = await Listener.open(config);
  const { url, port } = listener;
  const runtime = await openRuntime(config, { host: true, clock, pageUrl: (id) => `${url}/confirm/${id}` });
  const { log } = runtime;
  const pairing = new Pairing({
    database: runtime.store.database('pairing'),
    seal: runtime.seal,
    clock: runtime.store.clock,
  });
  const noted = new NotedServer(pairing, { url, pid: process.pid }, log);
  await noted.note();
  const attempts = createAttempts(clock, log);
  const oauth = await loadOAuth(config, { url, clock, log });
  const surfaces = await openSurfaces({ config, runtime, url, port, attempts, oauth, pairing });
  const hosts = [...config.MCP_ALLOWED_HOSTS, config.HOST, new URL(url).hostname];
  listener.route(new Router({ config, surfaces, hosts, attempts, oauth: oauth?.tokens, log }));
  process.stderr.write(startText(config, runtime, url, surfaces));

  await stopSignal();
  await noted.leave();
  listener.stop();
  await closeSurfaces(surfaces);
  listener.close();
  await runtime.close();
  return 0;
}

function startText(config: Config, runtime: Runtime, url: string, surfaces: readonly Surface[]): string {
  const platform = config.demo
    ? [
        `  Demo mode: no PLATFORM_* settings. The platform is a sandbox at ${runtime.platformUrl} (state: ${url}/sandbox/state). Nothing real is touched.`,
        `  Events         the sandbox delivers here after: switchboard webhooks sync --url ${url} --route MRID-00000000-0000-4000-8000-000000000001`,
      ]
    : [`  Platform       ${config.PLATFORM_BASE_URL}`];
  const lines = surfaces.flatMap((surface) => surface.lines ?? []);
  const command = commandName();
  if (command !== 'switchboard') lines.push(`  Commands       switchboard stands for: ${command}`);
  return [`Switchboard ${VERSION} listens on ${url}`, ...platform, ...lines, ''].join('\n');
}
