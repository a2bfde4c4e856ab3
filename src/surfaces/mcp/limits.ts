/*
 * The limits of one message of a client, in characters where nothing else is said. A session and a subscription keep
 * parts of messages as long as they live, so those parts are short.
 */

/** Messages in one body. */
export const MAX_MESSAGES = 50;
/** A request's id and its progress token, which are kept until the answer. */
export const MAX_ID = 200;
/**
 * The parameters of `initialize`, which a session keeps. The limit also applies to `_meta`, which contains them since
 * 2026-07-28. The ledger records the name of the client whose user decides.
 */
export const MAX_INITIALIZE = 16 * 1024;
/** The parameters of any other request except a tool call. */
export const MAX_PARAMS = 64 * 1024;
/** The name of a method, a tool or a prompt. */
export const MAX_NAME = 200;
/** A URI that is read or subscribed to. */
export const MAX_URI = 500;
/**
 * Subscriptions of one session, and resources of one stream of changes. Beyond this limit, the oldest subscription of a
 * session ends.
 */
export const MAX_SUBSCRIBED = 200;
/** A line over stdio, in bytes. */
export const MAX_LINE = 10 * 1024 * 1024;
/** Sessions of all clients. */
export const MAX_SESSIONS = 500;
