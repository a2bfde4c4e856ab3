import type { IncomingHttpHeaders } from 'node:http';
import { isRecord } from '../../lib/json.ts';

/** Every request of the protocol since 2026-07-28 contains this name. Some JSON encoders write `/` as `\/`. */
const NAMES_MODERN = /io\.modelcontextprotocol(?:\\?\/|\\u002f)protocolVersion/i;

/** The last version of the protocol that opens with `initialize`. */
const LAST_LEGACY = '2025-11-25';

/** True if a message with this text could be of the protocol since 2026-07-28. */
export function namesModern(text: string): boolean {
  return NAMES_MODERN.test(text);
}

/**
 * True if a request could be of the protocol since 2026-07-28. The SDK for that protocol classifies it exactly, but
 * need not be loaded for a request that is certainly older.
 */
export function mayBeModern(headers: IncomingHttpHeaders, text: string): boolean {
  const version = headers['mcp-protocol-version'];
  return (typeof version === 'string' && version.trim() > LAST_LEGACY) || namesModern(text);
}

/** The method that opens a stream of changes since 2026-07-28. */
export const LISTEN = 'subscriptions/listen';

/** True if this message opens a stream of changes. */
export function listens(body: unknown): boolean {
  return isRecord(body) && body.method === LISTEN;
}
