import type { Clock } from '../../../src/lib/clock.ts';
import { AUDIENCE, CLIENT, type Issuer, ROLES } from '../../support/issuer.ts';
import { callOf, rpc } from '../../support/messages.ts';
import { type Json, openWorld, postMcp } from '../../support/world.ts';

/**
 * A value for MCP_OAUTH_AUDIENCE that means the address of `/mcp` itself, which is known only once the server listens.
 */
export const OWN_ADDRESS = 'own';

/** A world whose callers have tokens of this issuer. */
export async function openServer(issuer: Pick<Issuer, 'url'>, clock: Clock, env: Record<string, string> = {}) {
  const settings = {
    LOG_LEVEL: 'debug',
    MCP_OAUTH_ISSUER: issuer.url,
    MCP_OAUTH_AUDIENCE: AUDIENCE,
    MCP_OAUTH_ROLES: ROLES,
    MCP_OAUTH_CLIENT_ID: CLIENT,
    ...env,
  };
  const isOwn = settings.MCP_OAUTH_AUDIENCE === OWN_ADDRESS;
  const world = await openWorld((url) => ({ ...settings, ...(isOwn && { MCP_OAUTH_AUDIENCE: `${url}/mcp` }) }), clock);

  const post = (message: unknown, token?: string) =>
    postMcp(world.url, message, token === undefined ? {} : { authorization: `Bearer ${token}` });
  return {
    ...world,
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
