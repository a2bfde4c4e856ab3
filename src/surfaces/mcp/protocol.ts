import type { Fields } from '../../lib/json.ts';

/*
 * The parts of the protocol that tool calls and resources use, without the SDK. `server.ts` maps them to the SDK.
 */

export interface TextContent {
  type: 'text';
  text: string;
}

/** The result of a tool call. A type, not an interface, so that it fits the SDK's open object types. */
export type ToolResult = {
  content: TextContent[];
  structuredContent?: Fields;
  isError?: boolean;
  _meta?: Fields;
};

export interface ResourceContent {
  uri: string;
  mimeType: string;
  text: string;
}

export type ElicitationAnswer = 'accept' | 'decline' | 'cancel' | 'unavailable';

/** One request of the client while it runs. */
export interface RequestContext {
  signal: AbortSignal;
  /** Reports progress, if the client asked for it. */
  notifyProgress(progress: number, message: string): void;
  /** Shows a form to the client's user. `unavailable` if the client does not support it. */
  elicit(message: string, options: { signal: AbortSignal; timeout: number }): Promise<ElicitationAnswer>;
}

/** What the client said about itself. */
export interface ClientInfo {
  name(): string | undefined;
  /** The elicitation capability; undefined if the client does not have it. */
  elicitation(): object | undefined;
}

export const INVALID_PARAMS = -32602;
export const RESOURCE_NOT_FOUND = -32002;

/** An error of the protocol itself, as opposed to a tool call that failed. */
export class ProtocolError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
