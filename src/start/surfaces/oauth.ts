import { sendJson } from '../../lib/http.ts';
import { METADATA_PATH } from '../oauth/metadata.ts';
import { READ, type RequestHandler, type Surface, type SurfaceContext } from '../surface.ts';

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
