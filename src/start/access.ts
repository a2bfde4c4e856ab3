import type { IncomingMessage } from 'node:http';
import type { Attempts } from '../lib/attempts.ts';
import type { Config } from '../lib/config.ts';
import { bearer, fromLoopback, fromOtherOrigin, sameSecret } from '../lib/http.ts';

export type Refusal = { status: 401 | 403 | 429; error: string };

/**
 * Who may read `/readyz` and `/metrics`: any valid token once tokens are set, otherwise this computer.
 * Undefined for whoever may. Wrong tokens are answered late, and with 429 where too many wait.
 */
export async function refusedToObserve(
  request: IncomingMessage,
  config: Pick<Config, 'MCP_HTTP_TOKENS' | 'public'>,
  attempts: Attempts,
): Promise<Refusal | undefined> {
  if (config.MCP_HTTP_TOKENS.length > 0) {
    const given = bearer(request);
    const found =
      given === undefined ? undefined : config.MCP_HTTP_TOKENS.find(({ token }) => sameSecret(given, token));
    // Guesses count here as they do at /mcp: otherwise this would be the place to make them.
    const heard =
      given === undefined || (await attempts.judge(request.socket.remoteAddress, found && `token:${found.name}`));
    if (!heard) return { status: 429, error: 'Too many wrong tokens came from this address; try again in a minute.' };
    return found
      ? undefined
      : { status: 401, error: 'A bearer token is needed: Authorization: Bearer <token of MCP_HTTP_TOKENS>.' };
  }
  if (config.public)
    return {
      status: 401,
      error:
        'PUBLIC_URL lets others reach this server, so a bearer token is needed, and none is set: set MCP_HTTP_TOKENS.',
    };
  return fromLoopback(request)
    ? undefined
    : { status: 403, error: 'Without MCP_HTTP_TOKENS only this computer may ask.' };
}

/**
 * The demo's playground and control plane: for this computer, and for no page but their own. Behind a public address
 * they are for nobody, because a proxy's requests may look local.
 */
export function refusedDemo(request: IncomingMessage, config: Pick<Config, 'public'>): Refusal | undefined {
  if (config.public)
    return { status: 403, error: 'The demo is for this computer only, and PUBLIC_URL lets others reach this server.' };
  if (!fromLoopback(request)) return { status: 403, error: 'The demo answers on this computer only.' };
  if (fromOtherOrigin(request))
    return { status: 403, error: 'The demo answers its own pages only; open its address in the address bar.' };
  return undefined;
}
