import { isRecord } from '../../lib/json.ts';

/*
 * The limits of one message of a client. A session and a subscription keep parts of messages as long as they live, so
 * those parts are short. The arguments of a tool call are bounded by the body (1 MiB) and are dropped after the call.
 */

/** Messages in one body. */
const MAX_MESSAGES = 50;
/** Characters of a request's id and its progress token, which are kept until the answer. */
export const MAX_ID = 200;
/**
 * Characters of clientInfo, capabilities and everything else in `initialize`, which a session keeps. The limit also
 * applies to `_meta`, which contains them since 2026-07-28. The ledger records the name of the client whose user
 * decides.
 */
const MAX_INITIALIZE = 16 * 1024;
/** Characters of the parameters of any other request except a tool call. */
const MAX_PARAMS = 64 * 1024;
const MAX_NAME = 200;
/** Characters of a URI that is read or subscribed to. */
export const MAX_URI = 500;
/**
 * Subscriptions of one session, and resources of one stream of changes. Beyond this limit, the oldest subscription of a
 * session ends.
 */
export const MAX_SUBSCRIBED = 200;

/**
 * The reason why this body is refused, and how to correct it; undefined if it is within the limits. `of`: the message
 * that is too long, left out if there are too many.
 */
export function overLimit(body: unknown): { why: string; of?: unknown } | undefined {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  if (messages.length > MAX_MESSAGES)
    return { why: `A body may hold at most ${MAX_MESSAGES} messages; send fewer at once.` };
  for (const of of messages) {
    const why = messageOver(of);
    if (why !== undefined) return { why, of };
  }
  return undefined;
}

function messageOver(message: unknown): string | undefined {
  if (!isRecord(message)) return undefined;
  const { id, method, params } = message;
  if (typeof id === 'string' && id.length > MAX_ID) return `id: has more than ${MAX_ID} characters; use a shorter one.`;
  if (typeof method === 'string' && method.length > MAX_NAME) return 'method: is longer than any known method.';
  if (!isRecord(params)) return undefined;
  const { _meta: meta, uri, name } = params;
  const token = isRecord(meta) ? meta.progressToken : undefined;
  if (typeof token === 'string' && token.length > MAX_ID)
    return `_meta.progressToken: has more than ${MAX_ID} characters; use a shorter one.`;
  if (isRecord(meta) && JSON.stringify(meta).length > MAX_INITIALIZE)
    return `_meta: more than ${MAX_INITIALIZE / 1024} KiB; send less.`;
  if (typeof uri === 'string' && uri.length > MAX_URI)
    return `uri: has more than ${MAX_URI} characters; no resource has a URI that long.`;
  if (typeof name === 'string' && name.length > MAX_NAME) return `name: has more than ${MAX_NAME} characters.`;
  const listened = isRecord(params.notifications) ? params.notifications.resourceSubscriptions : undefined;
  if (Array.isArray(listened) && listened.length > MAX_SUBSCRIBED)
    return `notifications.resourceSubscriptions: has more than ${MAX_SUBSCRIBED} members; listen for fewer at once.`;
  if (Array.isArray(listened) && listened.some((one) => typeof one === 'string' && one.length > MAX_URI))
    return `notifications.resourceSubscriptions: a URI has more than ${MAX_URI} characters; no resource has one that long.`;
  if (method === 'tools/call') return undefined;
  const most = method === 'initialize' ? MAX_INITIALIZE : MAX_PARAMS;
  if (JSON.stringify(params).length <= most) return undefined;
  const what = method === 'initialize' ? 'clientInfo and capabilities' : 'params';
  return `${what}: more than ${most / 1024} KiB; send less.`;
}
