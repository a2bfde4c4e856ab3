import type { IncomingMessage } from 'node:http';
import { type BearerTokens, isRefusal, NO_OAUTH } from '../lib/bearer-tokens.ts';
import type { Config } from '../lib/config.ts';
import { fromLoopback, fromOtherOrigin } from '../lib/http.ts';

export interface Refusal {
  status: 401 | 403 | 429 | 503;
  error: string;
  headers?: Record<string, string>;
}

/**
 * Checks that a caller may read `/readyz` and `/metrics`: with any valid token once tokens or OAuth are set, otherwise
 * from this computer only. Returns undefined if the caller may. Wrong tokens are counted together with those at `/mcp`,
 * so that tokens cannot be guessed here instead.
 */
export async function refusedToObserve(
  request: IncomingMessage,
  config: Pick<Config, 'public'>,
  tokens: BearerTokens,
): Promise<Refusal | undefined> {
  if (tokens.areSet) {
    const holder = await tokens.holderOf(request);
    return isRefusal(holder) ? holder : undefined;
  }
  if (config.public)
    return {
      status: 401,
      error:
        'PUBLIC_URL lets others reach this server, so a bearer token is needed, and none is set: set MCP_HTTP_TOKENS or MCP_OAUTH_ISSUER.',
      headers: { 'www-authenticate': NO_OAUTH },
    };
  return fromLoopback(request)
    ? undefined
    : { status: 403, error: 'Without MCP_HTTP_TOKENS, only this computer may read this.' };
}

/**
 * Checks that a caller may use the demo's playground and control plane: only pages of this server on this computer may.
 * Behind a public address all callers are refused, because requests through a proxy may look local.
 */
export function refusedDemo(request: IncomingMessage, config: Pick<Config, 'public'>): Refusal | undefined {
  if (config.public)
    return { status: 403, error: 'The demo is for this computer only, and PUBLIC_URL lets others reach this server.' };
  if (!fromLoopback(request)) return { status: 403, error: 'The demo answers on this computer only.' };
  if (fromOtherOrigin(request))
    return { status: 403, error: 'The demo answers its own pages only; open its address in the address bar.' };
  return undefined;
}
