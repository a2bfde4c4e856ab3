import type { IncomingHttpHeaders } from 'node:http';
import { isRecord } from '../../lib/json.ts';

/** Every request of the protocol since 2026-07-28 holds this name. */
export const NAMES_MODERN = 'io.modelcontextprotocol/protocolVersion';

/** The last version of the protocol that opens with `initialize`. */
const LAST_LEGACY = '2025-11-25';

/**
 * Whether a request could be one of the protocol since 2026-07-28. The SDK for it draws the line; it need not be loaded for
 * a request that carries none of its marks.
 */
export function mayBeModern(headers: IncomingHttpHeaders, text: string): boolean {
  const version = headers['mcp-protocol-version'];
  return (typeof version === 'string' && version.trim() > LAST_LEGACY) || text.includes(NAMES_MODERN);
}

/** The method that opens a stream of changes since 2026-07-28. */
export const LISTEN = 'subscriptions/listen';

/** Whether this message opens a stream of changes. */
export function listens(body: unknown): boolean {
  return isRecord(body) && body.method === LISTEN;
}
