import { presets } from '../../../tools/groups.ts';
import { gauge } from '../../lib/metrics.ts';
import { VERSION } from '../../lib/version.ts';
import { levelOf } from '../../store/unavailable.ts';
import { McpHttp } from '../../surfaces/mcp/http.ts';
import { readListed } from '../listed.ts';
import type { Surface, SurfaceContext } from '../surface.ts';

/** The parts of the context that MCP over HTTP needs. */
type McpContext = Pick<SurfaceContext, 'config' | 'runtime' | 'bearers' | 'surfaces'>;

/** Creates MCP over HTTP without a route, with the tools of the build and for the callers that the settings allow. */
export function createMcp({ config, runtime, bearers, surfaces }: McpContext): McpHttp {
  return new McpHttp({
    bearers,
    listed: readListed(),
    presets,
    toolsets: config.MCP_TOOLSETS,
    readOnly: config.MCP_READ_ONLY,
    discover: config.MCP_DISCOVER,
    apps: config.MCP_APPS,
    version: VERSION,
    backend: async () => runtime,
    changes: runtime.changes,
    role: config.MCP_ROLE,
    user: config.user,
    demo: config.demo,
    local: config.local,
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
    stop: (which) => mcp.stop(which),
    close: () => mcp.close(),
  };
}
