import type { IncomingMessage } from 'node:http';
import type { Attempts } from '../lib/attempts.ts';
import type { Config } from '../lib/config.ts';
import { bearer, fromLoopback, fromOtherOrigin, sameSecret } from '../lib/http.ts';

export type Refusal = { status: 401 | 403 | 429; error: string };

/**
 * Checks who may read `/readyz` and `/metrics`: any valid token once tokens are set, otherwise this computer. Returns
 * undefined if the caller may. Wrong tokens are answered late, and with 429 if too many of them wait.
 */
export async function refusedToObserve(
  request: IncomingMessage,
  config: Pick<Config, 'MCP_HTTP_TOKENS' | 'public'>,
  attempts: Attempts,
): Promise<Refusal | undefined> {
  if (config.MCP_HTTP_TOKENS.length > 0) {
    const given = bearer(request);
    const known =
      given === undefined ? undefined : config.MCP_HTTP_TOKENS.find(({ token }) => sameSecret(given, token));
    // Wrong tokens count as they do at /mcp; otherwise guesses would be made at these paths.
    const isAnswered =
      given === undefined || (await attempts.judge(request.socket.remoteAddress, known && `token:${known.name}`));
    if (!isAnswered)
      return { status: 429, error: 'Too many wrong tokens came from this address; try again in a minute.' };
    return known
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
    : { status: 403, error: 'Without MCP_HTTP_TOKENS, only this computer may read this.' };
}

/**
 * Checks who may use the demo's playground and control plane: this computer, and only pages of this server. Behind a public
 * address nobody may, because requests through a proxy may look local.
 */
export function refusedDemo(request: IncomingMessage, config: Pick<Config, 'public'>): Refusal | undefined {
  if (config.public)
    return { status: 403, error: 'The demo is for this computer only, and PUBLIC_URL lets others reach this server.' };
  if (!fromLoopback(request)) return { status: 403, error: 'The demo answers on this computer only.' };
  if (fromOtherOrigin(request))
    return { status: 403, error: 'The demo answers its own pages only; open its address in the address bar.' };
  return undefined;
}
