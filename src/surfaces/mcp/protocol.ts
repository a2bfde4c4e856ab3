import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Batches } from '../../batches/batches.ts';
import type { Performed } from '../../gate/confirmation.ts';
import type { Gate } from '../../gate/gate.ts';
import type { OfferOptions } from '../../language/assistants/offer.ts';
import type { SlackbotPerson } from '../../language/assistants/own-tools.ts';
import type { Seal } from '../../ledger/seal.ts';
import type { Actor, Role } from '../../lib/actor.ts';
import type { Failure } from '../../lib/errors.ts';
import { type Fields, isRecord, type Part, partsOf, recordOf, scalarText } from '../../lib/values.ts';
import type { Completions } from '../../platform/dialect/verdict.ts';

/** The outcome of a call, for Slack's cards. */
export type SlackbotOutcome =
  | { kind: 'done'; operation: string; input: Fields; done: Extract<Performed, { kind: 'done' }> }
  /** The call waits for a person. */
  | { kind: 'pending'; action: string }
  /** The call asked for the state of an action. */
  | { kind: 'action'; action: string }
  /** `operation` is left out if the call named none that exists. */
  | { kind: 'failed'; operation?: string; error: Failure };

/** The answers for a person who calls through Slackbot. */
interface SlackbotAnswers {
  /** Stored with an action that waits. They say where its card goes. */
  notes: Fields;
  /** Returns Block Kit for a result, and a sentence for the assistant if Slack knows more than the result says. */
  present(outcome: SlackbotOutcome): Promise<{ blocks: Fields[]; text?: string }>;
}

/** Slack's own assistant as a caller. The Slack surface provides it. */
export interface Slackbot {
  signatures: {
    /** True if Slack signed this body a short time ago. */
    isGenuine(raw: Buffer, headers: IncomingHttpHeaders): boolean;
    /** True if a genuine request arrives for the first time. */
    isNew(headers: IncomingHttpHeaders): Promise<boolean>;
  };
  /** The person as the Slack app knows them, or the reason why they may not call. */
  admit(person: SlackbotPerson): Promise<{ actor: Actor; answers: SlackbotAnswers } | { refused: SlackbotRefusal }>;
}

/** The reason why a person may not call. */
export interface SlackbotRefusal {
  text: string;
  blocks: Fields[];
  /** Set if Slack does not return the person's role now. The call may be repeated after this time. */
  retryAfterSeconds?: number;
}

/*
 * The definition of a server and of a request, without an SDK. `legacy.ts` serves clients of the protocol up to
 * 2025-11-25, `modern.ts` clients of 2026-07-28. They are two adapters, because @modelcontextprotocol/sdk 1.32 knows no
 * version after 2025-11-25.
 */

/** A question to the client's user: a form with nothing to fill in, or an address where they decide. */
export type Question = { mode: 'form'; message: string } | { mode: 'url'; message: string; url: string };

/** The user's answer. It is `unavailable` if the client does not show such questions. */
type QuestionAnswer = 'accept' | 'decline' | 'cancel' | 'unavailable';

/**
 * The answer to a call that needs its user first. The client answers the question and repeats the call with the answer
 * and the state. Without a question it repeats the call unchanged, because the user has not decided yet.
 */
export interface InputNeeded {
  question?: Question;
  state: string;
}

/** The client's information about itself. */
export interface ClientInfo {
  name: string | undefined;
  /** The capability of the client to ask its user; undefined if it has none. */
  elicitation: { form?: unknown; url?: unknown } | undefined;
}

/** Questions that are asked during a call: the server sends the client a request while the call waits. */
export interface LiveQuestions {
  kind: 'live';
  ask(question: Question, options: { signal: AbortSignal; timeout: number }): Promise<QuestionAnswer>;
  /** Reports that the user has decided at the address of the question that `ask` has open. */
  decided(): void;
}

/** Questions that are returned as the result of a call. The client then calls again. */
interface ReturnedQuestions {
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
  notifyProgress(progress: number, message: string): void;
  /** The way to ask the client's user; undefined if they cannot be reached. */
  questions: LiveQuestions | ReturnedQuestions | undefined;
}

/** The stream to a client over HTTP, which can be cut and reopened. */
export interface ClientStream {
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

/** Answers one method of the protocol. A tool call may answer with `InputNeeded`. Throws `ProtocolError` for protocol errors. */
export type Handler = (params: Fields, context: RequestContext) => unknown;

/** The server of one client. */
export interface ServerDefinition {
  info: { name: string; title: string; version: string };
  instructions: string;
  /** By method, for all versions of the protocol. Parameters were checked in `messages.ts`. */
  handlers: Readonly<{ 'tools/call': Handler; 'resources/read': Handler; [method: string]: Handler }>;
  /** Undefined if nothing can be subscribed to. */
  subscribable: Subscribable | undefined;
}

/** One request over HTTP, its body parsed. */
export interface HttpExchange {
  request: IncomingMessage;
  response: ServerResponse;
  body: unknown;
}

/** The capabilities that a server declares to its client. */
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

/** The parts that tool calls need. They are opened at the first call, so that listing tools stays cheap. */
interface Backend {
  gate: Gate;
  batches: Batches;
  known: Completions;
  /** Seals the state that a client returns with a repeated call. */
  seal: Seal;
  /** Starts reporting new events, including those that other processes record. */
  follow?: () => void;
}

export interface McpOptions extends OfferOptions {
  /** True if everything runs on a sandbox. The instructions say so. */
  demo?: boolean;
  version: string;
  backend: () => Promise<Backend>;
  /** Role of the client's user: over stdio that of the local user, who may confirm; over HTTP that of the identity. */
  userRole: Role;
  /** Role of the client's user on the confirmation page, after signing in or pairing a browser. */
  pageRole: Role;
  onError?: (error: unknown) => void;
  /** Called with a new confirmation before any person is asked, so that its page can be opened for the user. */
  onPending?: (id: string) => Promise<void>;
  /** Set if the connection can be cut and reopened. Changes during a cut are reported when it opens again. */
  stream?: ClientStream;
  /**
   * Set for a person who calls through Slack's own assistant. No question is asked there, because a permission given in
   * that assistant is not a confirmation.
   */
  slackbot?: SlackbotAnswers;
  /** Fires when the process stops. A call that waits for its client's user is then answered as waiting. */
  stopping?: AbortSignal;
  /** Changes a client may subscribe to. Left out if the server cannot reach the client later. */
  changes?: Changes;
}

/** Announces to listeners that a resource has changed, by its URI. One for each process. */
export type Changes = ReturnType<typeof createChanges>;

export function createChanges() {
  const listeners = new Set<(uri: string) => void>();
  return {
    announce: (uri: string): void => {
      for (const listener of listeners) listener(uri);
    },
    /** Returns a function that removes the listener. */
    listen: (listener: (uri: string) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const YES = /^(?:yes|y|true|on|1|ok|okay|accept(?:ed)?|approved?|confirm(?:ed)?|agreed?)[.!]?$/i;
const NO =
  /^(?:no|n|nope|not|false|off|0|never|decline[ds]?|den(?:y|ied)|refused?|reject(?:ed)?|cancel(?:led|ed)?|stop|abort(?:ed)?|disagreed?)\b/i;
/** Names of members that say no if they are set. */
const NO_NAME =
  /(?:^| )(?:(?:no|not|dont|don t|never)\b|decline|deny|denied|refuse|reject|cancel|stop|abort|skip|disagree|disapprove)/i;
/** Names of members in which a yes answers the question. In any other it may answer something else: `dryRun`, `later`. */
const YES_NAME =
  /^(?:i |is )?(?:yes|ok|okay|accept(?:ed)?|approved?|approval|confirm(?:ed|ation)?|agreed?|consent|proceed|continue|answer|response|reply|decision|choice|selection|value|result)$/i;

/**
 * The answer in a client's result. The question has no members, so an accept should have no content. Where it has some,
 * it counts only if each value is a yes in a member that is named for one; a value that says no is a no, because the user
 * saw a form of the client's own.
 *
 * @param result as the client sent it
 * @returns `unavailable` if it cannot be read, so that the question goes on waiting
 */
export function answerIn(result: unknown): QuestionAnswer {
  const { action, content } = recordOf(result);
  if (action === 'decline' || action === 'cancel') return action;
  if (action !== 'accept') return 'unavailable';
  if (content === undefined || content === null) return 'accept';
  if (!isRecord(content)) return 'unavailable';
  const [, ...parts] = partsOf(content);
  const values = parts
    .filter(({ value }) => typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    .map((part) => ({ text: scalarText(part.value).trim(), names: namesOf(part) }));
  if (values.some(({ text, names }) => NO.test(text) || (names.some((name) => NO_NAME.test(name)) && YES.test(text))))
    return 'decline';
  const isYes = values.every(({ text, names }) => YES.test(text) && names.every((name) => YES_NAME.test(name)));
  return isYes ? 'accept' : 'unavailable';
}

/** The words of the names of a member and of those around it. */
function namesOf({ name, around }: Part): string[] {
  if (around === undefined) return [];
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[^\p{L}\p{N}]+/gu, ' ');
  return [words.trim(), ...namesOf(around)];
}
