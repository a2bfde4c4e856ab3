import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { ListedTool } from '../../language/assistants/listed.ts';
import type { Content, ResourceContent, ToolResult } from '../../language/assistants/offer.ts';
import type { Changes } from '../../lib/changes.ts';
import { type Fields, isRecord, recordOf, textOf } from '../../lib/json.ts';

/*
 * The definition of a server and of a request, without an SDK. `legacy.ts` serves clients of the protocol up to
 * 2025-11-25, `modern.ts` clients of 2026-07-28. They are two adapters, because @modelcontextprotocol/sdk 1.32 knows no
 * version after 2025-11-25.
 */

export type { Content, ResourceContent, ToolResult };

interface BinaryContent {
  uri: string;
  mimeType: string;
  /** Base64. */
  blob: string;
}

/** A question to the client's user: a form with nothing to fill in, or an address where they decide. */
export type Question = { mode: 'form'; message: string } | { mode: 'url'; message: string; url: string };

/** The user's answer. It is `unavailable` if the client does not show such questions. */
export type QuestionAnswer = 'accept' | 'decline' | 'cancel' | 'unavailable';

/**
 * The answer to a call that needs its user first. The client answers the question and repeats the call with the answer
 * and the state. Without a question it repeats the call unchanged, because the user has not decided yet.
 */
export interface InputNeeded {
  question?: Question;
  state: string;
}

/** The capability of a client to ask its user. */
type ElicitationCapability = { form?: unknown; url?: unknown };

/** The client's information about itself. */
export interface ClientInfo {
  name: string | undefined;
  /** Undefined if the client does not ask its user. */
  elicitation: ElicitationCapability | undefined;
}

/** Questions that are asked during a call: the server sends the client a request while the call waits. */
export interface LiveQuestions {
  kind: 'live';
  ask(question: Question, options: { signal: AbortSignal; timeout: number }): Promise<QuestionAnswer>;
  /** Reports that the user has decided at the address of the question that `ask` has open. */
  decided(): void;
}

/** Questions that are returned as the result of a call. The client then calls again. */
export interface ReturnedQuestions {
  kind: 'returned';
  /** The state of an earlier `InputNeeded`; undefined on the first call. */
  state: string | undefined;
  /** The user's answer to its question. */
  answer: QuestionAnswer | undefined;
}

/** One request of the client while it runs. */
export interface RequestContext {
  signal: AbortSignal;
  client: ClientInfo;
  /** Reports progress, if the client asked for it. */
  notifyProgress(progress: number, message: string, total?: number): void;
  /** The way to ask the client's user; undefined if they cannot be reached. */
  questions: LiveQuestions | ReturnedQuestions | undefined;
}

/** The stream to a client over HTTP, which can be cut and reopened. */
export interface ClientStream {
  isOpen(): boolean;
  onOpen(listener: () => void): void;
}

/** The changes that clients may subscribe to. */
export interface Subscribable {
  changes: Changes;
  /** The address under which changes of a record are announced. Throws `ProtocolError` for one that cannot be read. */
  recordOf(uri: string): Promise<string>;
  /** Starts reporting changes, including those that other processes record. */
  follow(): Promise<void>;
  stream: ClientStream | undefined;
}

export interface PromptResult {
  description?: string;
  messages: { role: 'user' | 'assistant'; content: Content }[];
}

/** The server of one client. Handlers throw `ProtocolError` for protocol errors. */
export interface ServerDefinition {
  info: { name: string; title: string; version: string };
  instructions: string;
  listTools(): ListedTool['tool'][];
  callTool(name: string, input: Fields, context: RequestContext): Promise<ToolResult | InputNeeded>;
  listResources(): { uri: string; name: string; description?: string }[];
  listResourceTemplates(): { uriTemplate: string; name: string; description?: string }[];
  readResource(uri: string, signal: AbortSignal): Promise<(ResourceContent | BinaryContent)[]>;
  listPrompts(): { name: string; description?: string }[];
  getPrompt(name: string, given: Readonly<Record<string, string>>): Promise<PromptResult>;
  /** Values for an argument of a prompt or a resource template. */
  complete(argument: { name: string; value: string }): Promise<string[]>;
  /** Undefined if nothing can be subscribed to. */
  subscribable: Subscribable | undefined;
}

/** One request over HTTP, its body parsed. */
export interface HttpExchange {
  request: IncomingMessage;
  response: ServerResponse;
  body: unknown;
}

/** Answers one method. A call may need its user first. */
type Handler = (params: Fields, context: RequestContext) => unknown;

/** The methods of a server, for the adapters of both protocols. Parameters were checked in `messages.ts`. */
export function handlersOf(definition: ServerDefinition): Map<string, Handler> {
  return new Map<string, Handler>([
    ['tools/list', () => ({ tools: definition.listTools() })],
    [
      'tools/call',
      ({ name, arguments: given }, context) => definition.callTool(textOf(name), recordOf(given), context),
    ],
    ['resources/list', () => ({ resources: definition.listResources() })],
    ['resources/templates/list', () => ({ resourceTemplates: definition.listResourceTemplates() })],
    [
      'resources/read',
      async ({ uri }, { signal }) => ({ contents: await definition.readResource(textOf(uri), signal) }),
    ],
    ['prompts/list', () => ({ prompts: definition.listPrompts() })],
    [
      'prompts/get',
      ({ name, arguments: given }) => definition.getPrompt(textOf(name), recordOf(given) as Record<string, string>),
    ],
    [
      'completion/complete',
      async ({ argument }) => {
        const values = await definition.complete(argument as { name: string; value: string });
        return { completion: { values, total: values.length, hasMore: false } };
      },
    ],
  ]);
}

/** What a server declares to its client. */
export function capabilitiesOf({ subscribable }: ServerDefinition) {
  return { tools: {}, resources: subscribable ? { subscribe: true } : {}, prompts: {}, completions: {} };
}

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
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
