import type { IncomingHttpHeaders } from 'node:http';
import { isRecord, recordOf } from '../../lib/json.ts';

/** Every request of the protocol since 2026-07-28 has this member in its `_meta`. */
const VERSION_MEMBER = 'io.modelcontextprotocol/protocolVersion';

/** The last version of the protocol that opens with `initialize`. */
const LAST_LEGACY = '2025-11-25';

/** True if a message could be of the protocol since 2026-07-28. */
export function isModern(message: unknown): boolean {
  return isRecord(message) && isRecord(message.params) && VERSION_MEMBER in recordOf(message.params._meta);
}

/**
 * True if a request could be of the protocol since 2026-07-28. The SDK for that protocol classifies it exactly, but
 * need not be loaded for a request that is certainly older.
 */
export function mayBeModern(headers: IncomingHttpHeaders, body: unknown): boolean {
  const version = headers['mcp-protocol-version'];
  return (typeof version === 'string' && version.trim() > LAST_LEGACY) || [body].flat().some(isModern);
}

/** The method that opens a stream of changes since 2026-07-28. */
export const LISTEN = 'subscriptions/listen';

/** True if this message opens a stream of changes. */
export function listens(body: unknown): boolean {
  return isRecord(body) && body.method === LISTEN;
}
