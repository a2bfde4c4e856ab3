import type { IncomingMessage } from 'node:http';
import type { Actor, Role } from '../../lib/actor.ts';
import { type BearerTokens, isRefusal } from '../../lib/bearer-tokens.ts';
import type { Refusal } from '../../lib/http.ts';

export interface CallerOptions {
  bearers: BearerTokens;
  /** Role of callers on this computer if no tokens are needed. */
  role: Role;
  /** The local user, for whom callers on this computer act. */
  user: string;
}

/** A caller of `/mcp`. */
export interface McpCaller {
  actor: Actor;
  /** When its access token expires, in epoch ms; left out if it does not. */
  expiresAt?: number;
}

/** Identifies the caller of `/mcp`: the holder of a bearer token, or a program on this computer. */
export async function identify(
  request: IncomingMessage,
  { bearers, role, user }: CallerOptions,
): Promise<McpCaller | Refusal> {
  const common = { surface: 'mcp', priority: 'assistant' } as const;
  const caller = await bearers.callerOf(request);
  if (caller === 'local') {
    const name = 'an assistant on this computer';
    return { actor: { ...common, id: 'mcp:http', name, person: `local:${user}`, role } };
  }
  if (isRefusal(caller)) return caller;
  const { person, name, expiresAt } = caller;
  const id = person.startsWith('oauth:') ? `mcp:${person}` : `mcp:http:${name}`;
  return { actor: { ...common, id, name, person, role: caller.role }, ...(expiresAt !== undefined && { expiresAt }) };
}
