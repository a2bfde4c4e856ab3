/* The sandbox shares no code with the client, so it has separate helpers. */

/** Members by name, of any type: a request body, an answer. */
export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
