import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { openEventRoom } from '../events/feed.ts';
import { createAttempts } from '../lib/attempts.ts';
import { systemClock } from '../lib/clock.ts';
import { type Config, ConfigError, unsafeListening } from '../lib/config.ts';
import { foreign } from '../lib/http.ts';
import { VERSION } from '../lib/version.ts';
import { createMcpHttp } from '../surfaces/mcp/http.ts';
import { createConfirmPage } from '../surfaces/web/confirm.ts';
import { Pairing } from '../surfaces/web/pairing.ts';
import { sessionsOf } from '../surfaces/web/session.ts';
import { refusedDemo, refusedToObserve } from './access.ts';
import { approverLines } from './approver-text.ts';
import { readListed } from './commands/mcp.ts';
import { metrics } from './metrics.ts';
import { createReadiness } from './readiness.ts';
import { openRuntime, presets, type Runtime } from './runtime.ts';
import { openParts, type Parts, type RequestHandler } from './slack.ts';

const REACH_MS = 3000;

/** `switchboard start`: everything in one process, until it is told to stop. Returns the exit code. */
export async function start(config: Config): Promise<number> {
  const unsafe = unsafeListening(config);
  if (unsafe !== undefined) throw new ConfigError(unsafe);
  let serve: ((request: IncomingMessage, response: ServerResponse, path: string) => Promise<void>) | undefined;
  // Answers from the first moment on: whoever comes before everything is open hears so, instead of waiting.
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/';
    if (!serve) {
      if (path === '/healthz') return json(response, 200, { ok: true });
      response.setHeader('retry-after', '1');
      return json(response, 503, { error: 'Switchboard is starting; try again in a second.' });
    }
    return void serve(request, response, path).catch((error: unknown) => {
      runtime.log('error', { path, error: error instanceof Error ? error.stack : String(error) }, 'a request failed');
      if (!response.headersSent) json(response, 500, { error: 'Something failed; the log has the details.' });
      else response.end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const used = error.code === 'EADDRINUSE';
      reject(
        used
          ? new ConfigError(`PORT ${config.PORT} is in use on ${config.HOST}; set another one, or 0 for any.`)
          : error,
      );
    });
    server.listen(config.PORT, config.HOST, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const shown = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST;
  const url = (config.PUBLIC_URL ?? `http://${shown}:${port}`).replace(/\/+$/, '');

  const runtime = await openRuntime(config, { host: true, pageUrl: (id) => `${url}/confirm/${id}` });
  const pairing = new Pairing({ path: join(config.DATA_DIR, 'pairing.db'), seal: runtime.seal, clock: systemClock });
  pairing.serve({ url, pid: process.pid });
  const attempts = createAttempts(systemClock, runtime.log);
  const mcp = createMcpHttp({
    attempts,
    listed: readListed(),
    presets,
    toolsets: config.MCP_TOOLSETS,
    readOnly: config.MCP_READ_ONLY,
    discover: config.MCP_DISCOVER,
    version: VERSION,
    behind: async () => runtime,
    changes: runtime.changes,
    tokens: config.MCP_HTTP_TOKENS,
    role: config.MCP_ROLE,
    user: config.user,
    public: config.public,
    onError: (error) => runtime.log('error', { error: String(error) }, 'a tool call failed inside'),
  });
  const confirm = createConfirmPage({
    gate: async () => runtime.gate,
    sessions: sessionsOf(config, pairing, attempts),
  });
  const parts = await openParts(config, runtime, port);
  const events = openEventRoom(runtime, parts.show);
  const readiness = createReadiness(() => notReady(runtime, parts), systemClock);
  /** Answers whoever may not come in; true where it did. */
  const refuse = (response: ServerResponse, refusal: { status: number; error: string } | undefined) => {
    if (refusal === undefined) return false;
    if (refusal.status === 401) response.setHeader('www-authenticate', 'Bearer realm="switchboard"');
    if (refusal.status === 429) response.setHeader('retry-after', '60');
    json(response, refusal.status, { error: refusal.error });
    return true;
  };

  const rooms: RequestHandler[] = [
    ...parts.guarded.map(
      (room): RequestHandler =>
        (request, response, path) =>
          isDemoPath(path) && refuse(response, refusedDemo(request, config)) ? true : room(request, response, path),
    ),
    async (request, response, path) => {
      if (path !== '/mcp') return false;
      await mcp.handle(request, response);
      return true;
    },
    async (request, response, path) => {
      const found = /^\/confirm(?:\/([\w-]+))?$/.exec(path);
      if (!found) return false;
      await confirm.handle(request, response, found[1]);
      return true;
    },
    (request, response, path) => {
      // The demo's control plane stands on this port too, so that one address is enough.
      if (!runtime.sandbox || !path.startsWith('/sandbox/')) return false;
      if (refuse(response, refusedDemo(request, config))) return true;
      runtime.sandbox.handle(request, response);
      return true;
    },
    async (request, response, path) => {
      if (path !== '/metrics') return false;
      if (refuse(response, await refusedToObserve(request, config, attempts))) return true;
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' });
      response.end(metrics(runtime, mcp.sessions()) + events.metrics());
      return true;
    },
    async (request, response, path) => {
      if (path !== '/readyz') return false;
      if (refuse(response, await refusedToObserve(request, config, attempts))) return true;
      const problems = [...(await readiness()), ...events.problems()];
      json(response, problems.length === 0 ? 200 : 503, { ready: problems.length === 0, problems });
      return true;
    },
  ];

  // These are called from elsewhere with credentials of their own; everything else is refused to foreign web pages.
  const open: RequestHandler[] = [
    (_request, response, path) => {
      if (path !== '/healthz') return false;
      json(response, 200, { ok: true });
      return true;
    },
    events.room,
    ...parts.open,
  ];
  const hosts = [...config.MCP_ALLOWED_HOSTS, config.HOST, new URL(url).hostname];

  server.on('upgrade', (request, socket, head) => {
    const refused = foreign(request, { hosts }) !== undefined || refusedDemo(request, config) !== undefined;
    if (refused || !parts.upgrade(request, socket, head)) socket.destroy();
  });
  serve = async (request, response, path) => {
    for (const room of open) if (await room(request, response, path)) return;
    const wrong = foreign(request, { hosts });
    if (wrong !== undefined) {
      return json(response, 403, {
        error: `This ${wrong} is not accepted here; set PUBLIC_URL or MCP_ALLOWED_HOSTS if it should be.`,
      });
    }
    for (const room of rooms) if (await room(request, response, path)) return;
    if (path === '/' && parts.home !== undefined) {
      response.writeHead(302, { location: parts.home }).end();
      return;
    }
    json(response, 404, { error: `There is nothing at ${path}.` });
  };

  process.stderr.write(
    [
      `Switchboard ${VERSION} listens on ${url}`,
      `  MCP            ${url}/mcp`,
      ...(config.demo
        ? [
            `  Demo mode: no PLATFORM_* settings. The platform is a sandbox at ${runtime.platformUrl} (state: ${url}/sandbox/state). Nothing real is touched.`,
            `  Events         the sandbox delivers here after: node dist/cli.js webhooks sync --url ${url} --route MRID-00000000-0000-4000-8000-000000000001`,
          ]
        : [`  Platform       ${config.PLATFORM_BASE_URL}`]),
      ...parts.lines,
      ...approverLines(config, pairing, url, process.stderr.isTTY === true),
      '',
    ].join('\n'),
  );

  await new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  pairing.leave(url);
  server.close();
  await mcp.close();
  await events.close();
  await parts.close();
  server.closeAllConnections();
  await runtime.close();
  pairing.close();
  return 0;
}

const isDemoPath = (path: string) => path === '/playground' || path.startsWith('/playground/');

async function notReady(runtime: Runtime, parts: Parts): Promise<string[]> {
  const problems: string[] = [];
  const check = async (name: string, work: Promise<unknown>) => {
    try {
      await work;
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  await Promise.all([
    // A connection and a cached token are answer enough: readiness must not eat the budget.
    check(
      'platform',
      reachable(runtime.platformUrl).then(() =>
        runtime.gate.checkCredentials('/v1.0/numbers/inventory', Date.now() + 5000),
      ),
    ),
    check('slack', parts.slackReady()),
  ]);
  return problems;
}

/** Resolves when a connection to this address can be made. */
function reachable(url: string): Promise<void> {
  const { hostname, port, protocol } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
      timeout: REACH_MS,
    });
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('timeout', () => fail(new Error(`no connection to ${hostname} within ${REACH_MS / 1000} s`)));
    socket.once('error', fail);
  });
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(value));
}
