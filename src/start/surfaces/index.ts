import { EventService } from '../../events/service.ts';
import { gauge, sendJson } from '../../lib/http.ts';
import { VERSION } from '../../lib/version.ts';
import { levelOf } from '../../store/key-values.ts';
import { McpHttp } from '../../surfaces/mcp/http.ts';
import { openDatabaseStatus, openStatus } from '../metrics.ts';
import { METADATA_PATH } from '../oauth/index.ts';
import { offeringOf } from '../settings.ts';
import { READ, type RequestHandler, type Surface, type SurfaceContext } from '../surface.ts';
import { openConfirmPages } from './confirm-pages.ts';
import { openPlayground, openSlack } from './slack.ts';

/**
 * Every surface of `switchboard start`, in the order they are opened. A new surface has one line in this list,
 * before `openEvents` if it shows events. src/README.md, What to touch, names its other places.
 */
const OPENERS: readonly ((context: SurfaceContext) => Promise<Surface | undefined> | Surface | undefined)[] = [
  openSlack,
  openPlayground,
  openEvents,
  openMcp,
  openOAuthMetadata,
  openSandboxControl,
  openStatus,
  openDatabaseStatus,
  openConfirmPages,
  // Closed first, so that the surfaces still show the end of its turns.
  openConversation,
];

/** Opens every surface that the settings ask for. */
export async function openSurfaces(context: Omit<SurfaceContext, 'surfaces'>): Promise<Surface[]> {
  const surfaces: Surface[] = [];
  for (const open of OPENERS) {
    const surface = await open({ ...context, surfaces });
    if (surface) surfaces.push(surface);
  }
  return surfaces;
}

/** The conversation, which other surfaces show. It has metrics, and its turns are stopped before the surfaces close. */
function openConversation({ assistant, config: { ASSISTANT_MODEL: model } }: SurfaceContext): Surface {
  const example = 'ASSISTANT_MODEL=qwen3 ASSISTANT_URL=http://127.0.0.1:11434/v1';
  const by = model
    ? `plain words are answered by the model ${model}`
    : `without a model; Ollama on this computer: ${example}`;
  return {
    name: 'conversation',
    lines: [`  Conversation   ${by}`],
    metrics: () => assistant.metrics(),
    warmUp: () => assistant.warmUp(),
    close: () => assistant.close(),
  };
}

/** The platform's events, shown by the surface with a feed that was opened before. */
function openEvents({ runtime, surfaces }: SurfaceContext): Surface {
  const events = new EventService(runtime, surfaces.find(({ feed }) => feed)?.feed);
  return {
    name: 'events',
    routes: [{ path: '/events', below: true, access: 'open', handle: events.handle }],
    ready: async () => {
      const problem = await events.problem();
      if (problem !== undefined) throw new Error(problem);
    },
    metrics: () => events.metrics(),
    close: () => events.close(),
  };
}

/**
 * The protected-resource metadata (RFC 9728) of `/mcp`, at its own address and at the one that clients try next
 * (MCP, Authorization: Protected Resource Metadata Discovery). It is public, also to scripts of other sites.
 */
export function openOAuthMetadata({ oauth, config }: SurfaceContext): Surface | undefined {
  if (!oauth) return undefined;
  const handle: RequestHandler = async (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'mcp-protocol-version');
    if (request.method === 'OPTIONS') response.writeHead(204).end();
    else sendJson(response, 200, await oauth.resourceMetadata());
  };
  const methods = [...READ, 'OPTIONS'];
  return {
    name: 'oauth',
    routes: [METADATA_PATH, `${METADATA_PATH}/mcp`].map((path) => ({ path, methods, access: 'open', handle })),
    lines: [`  OAuth          access tokens and sign-in of ${config.MCP_OAUTH_ISSUER}`],
  };
}

/** The demo sandbox's control plane at `/sandbox/`, so that one address serves the whole demo. */
function openSandboxControl({ runtime }: SurfaceContext): Surface | undefined {
  const { sandbox } = runtime;
  if (!sandbox) return undefined;
  const handle: RequestHandler = (request, response, path) => path !== '/sandbox' && sandbox.handle(request, response);
  return { name: 'sandbox', routes: [{ path: '/sandbox', below: true, access: 'demo', handle }] };
}

type McpContext = Pick<SurfaceContext, 'config' | 'runtime' | 'bearers' | 'surfaces'>;

/** Creates MCP over HTTP without a route, with the tools of the build and for the callers that the settings allow. */
export function createMcp({ config, runtime, bearers, surfaces }: McpContext) {
  const { MCP_ROLE: role, user, demo, local } = config;
  return new McpHttp({
    ...{ bearers, role, user, demo, local, ...offeringOf(config) },
    version: VERSION,
    backend: async () => runtime,
    changes: runtime.changes,
    slackbot: surfaces.find(({ slackbot }) => slackbot !== undefined)?.slackbot,
    onError: (error) => runtime.log(levelOf(error, 'error'), { error: String(error) }, 'a tool call failed'),
  });
}

/** MCP over HTTP at `/mcp`. */
export function openMcp(context: McpContext & Pick<SurfaceContext, 'url'>): Surface {
  const mcp = createMcp(context);
  return {
    name: 'mcp',
    routes: [{ path: '/mcp', access: 'local', handle: (request, response) => mcp.handle(request, response) }],
    lines: [`  MCP            ${context.url}/mcp`],
    metrics: () => [gauge('switchboard_mcp_sessions', 'Open MCP sessions.', mcp.sessions())],
    stop: () => mcp.stop(),
    close: () => mcp.close(),
  };
}
