import { createServer } from 'node:http';
import { Attempts, BearerTokens } from '../../../src/lib/bearer-tokens.ts';
import type { Clock } from '../../../src/lib/clock.ts';
import { loadConfig } from '../../../src/lib/config.ts';
import type { Log } from '../../../src/lib/log.ts';
import { openAssistant } from '../../../src/start/assistant.ts';
import { createRouter } from '../../../src/start/listener.ts';
import { openStatus } from '../../../src/start/metrics.ts';
import { loadOAuth } from '../../../src/start/oauth/index.ts';
import { openRuntime } from '../../../src/start/runtime.ts';
import type { Surface } from '../../../src/start/surface.ts';
import { openConfirmPages } from '../../../src/start/surfaces/confirm-pages.ts';
import { openMcp, openOAuthMetadata } from '../../../src/start/surfaces/index.ts';
import { Pairing } from '../../../src/surfaces/web/pairing.ts';
import { atEnd, listen } from '../../support/ending.ts';
import { makeFolder } from '../../support/folder.ts';
import { AUDIENCE, CLIENT, type Issuer, ROLES } from '../../support/issuer.ts';
import { callOf, rpc } from '../../support/messages.ts';
import { onSandbox, openSandbox } from '../../support/on-sandbox.ts';
import { type Json, postMcp } from '../../support/world.ts';

/**
 * A value for MCP_OAUTH_AUDIENCE that means the address of `/mcp` itself, which is known only once the server listens.
 */
export const OWN_ADDRESS = 'own';

/** The part of `switchboard start` that OAuth is about, with a clock of the test, on a sandbox. */
export async function openServer(issuer: Pick<Issuer, 'url'>, clock: Clock, env: Record<string, string> = {}) {
  const sandbox = await openSandbox();
  const folder = makeFolder();
  const server = createServer();
  const url = await listen(server);
  const port = Number(new URL(url).port);
  const config = loadConfig({
    ...onSandbox(sandbox.url),
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    MCP_OAUTH_ISSUER: issuer.url,
    MCP_OAUTH_AUDIENCE: AUDIENCE,
    MCP_OAUTH_ROLES: ROLES,
    MCP_OAUTH_CLIENT_ID: CLIENT,
    ...env,
    ...(env.MCP_OAUTH_AUDIENCE === OWN_ADDRESS && { MCP_OAUTH_AUDIENCE: `${url}/mcp` }),
  });
  const runtime = await openRuntime(config, { clock, pages: url });
  const logged: string[] = [];
  const log: Log = (level, fields, message) => void logged.push(JSON.stringify([level, fields, message]));
  const pairing = new Pairing({ database: runtime.store.database('pairing'), seal: runtime.seal, clock });
  const attempts = new Attempts(clock, log);
  const oauth = await loadOAuth(config, { url, clock, log });
  const surfaces: Surface[] = [];
  const assistant = openAssistant(config, runtime);
  const bearers = new BearerTokens({ config, attempts, oauth });
  const context = { config, runtime, url, port, attempts, bearers, pairing, oauth, surfaces, assistant };
  const mcp = openMcp(context);
  surfaces.push(mcp);
  for (const surface of [openOAuthMetadata(context), openStatus(context), await openConfirmPages(context)])
    if (surface) surfaces.push(surface);
  const router = createRouter({ config, surfaces, hosts: [], bearers, log });
  server.on('request', (request, response) => void router.handle(request, response));

  /** One JSON-RPC message to `/mcp`. */
  async function post(message: unknown, token?: string, headers: Record<string, string> = {}) {
    return postMcp(url, message, { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...headers });
  }

  atEnd(async () => {
    await mcp.close?.();
    server.closeAllConnections();
    await runtime.close();
  });
  return {
    url,
    folder,
    runtime,
    sandbox,
    pairing,
    logged,
    post,
    /** Calls `tools/list` with this token. Returns the status and, for a refused token, the challenge and the error. */
    async list(token?: string): Promise<{ status: number; challenge: string; error: string }> {
      const answer = await post(rpc('tools/list'), token);
      const body = (await answer.json()) as Json;
      const challenge = answer.headers.get('www-authenticate') ?? '';
      return { status: answer.status, challenge, error: body.error?.message ?? '' };
    },
    /** Calls a tool as the holder of this token. */
    async call(token: string, name: string, input: unknown): Promise<Json> {
      return ((await (await post(callOf(name, input), token)).json()) as Json).result;
    },
  };
}
