import { sendJson } from '../../lib/http.ts';
import { METADATA_PATH } from '../oauth/metadata.ts';
import type { Surface, SurfaceContext } from '../surface.ts';

/**
 * The protected-resource metadata (RFC 9728) of `/mcp`, at its own address and at the one that clients try next
 * (MCP, Authorization: Protected Resource Metadata Discovery). It is public, also to scripts of other sites.
 */
export function openOAuthMetadata({ oauth, config }: SurfaceContext): Surface | undefined {
  if (!oauth) return undefined;
  return {
    name: 'oauth',
    routes: [
      {
        path: METADATA_PATH,
        access: 'open',
        handle: async (request, response, path) => {
          if (path !== METADATA_PATH && path !== `${METADATA_PATH}/mcp`) return false;
          request.resume();
          response.setHeader('access-control-allow-origin', '*');
          response.setHeader('access-control-allow-headers', 'mcp-protocol-version');
          if (request.method === 'OPTIONS') response.writeHead(204).end();
          else if (request.method === 'GET' || request.method === 'HEAD')
            sendJson(response, 200, await oauth.resourceMetadata());
          else {
            response.setHeader('allow', 'GET, HEAD, OPTIONS');
            sendJson(response, 405, { error: 'GET this address.' });
          }
          return true;
        },
      },
    ],
    lines: [`  OAuth          access tokens and sign-in of ${config.MCP_OAUTH_ISSUER}`],
  };
}
