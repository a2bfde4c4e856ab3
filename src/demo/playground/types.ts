import { type Fields, isRecord } from '../../lib/values.ts';

// The data the playground keeps in memory. Slack's payloads are plain objects (`Fields`).

export interface Team {
  id: string;
  domain: string;
  name: string;
  /** The organization that the workspace belongs to, on Enterprise Grid. */
  enterprise?: string;
}

export interface User {
  id: string;
  name: string;
  realName: string;
  teamId: string;
  tz: string;
  isBot: boolean;
  isGuest?: boolean;
  deleted: boolean;
}

export interface UserGroup {
  id: string;
  handle: string;
  name: string;
  users: string[];
}

export interface Channel {
  id: string;
  name: string;
  isPrivate: boolean;
  isArchived: boolean;
  /** A direct message with the app: the other person's id. */
  imWith?: string | undefined;
  /** The person's conversation with Slackbot. */
  isSlackbot?: boolean;
  isExtShared: boolean;
  members: Set<string>;
}

export interface Message {
  channel: string;
  ts: string;
  threadTs?: string | undefined;
  user: string;
  botId?: string | undefined;
  text: string;
  blocks: Fields[];
  /** Only this person sees it. */
  ephemeralTo?: string | undefined;
  edited?: { user: string; ts: string } | undefined;
  metadata?: unknown;
  /** The stream that it is written by, if the app streams it. */
  stream?: MessageStream | undefined;
  /** Ids of files shared with it. */
  files?: readonly string[];
  source: 'api' | 'response_url' | 'ack' | 'person' | 'slackbot';
  /** Increases with every message, over all channels. */
  order: number;
  /** Values that people have entered in its selects and inputs, by `block/action`. */
  entered: Map<string, Fields>;
}

/** A message while the app streams it, and what it has become. */
export interface MessageStream {
  /** `expired` if the app did not stop it in time. @param now the time in Unix ms */
  state(now: number): 'streaming' | 'stopped' | 'stopped_by_user' | 'expired';
  stop(by: 'app' | 'user'): void;
  append(chunks: readonly Fields[]): void;
  /** The text without tasks and blocks. */
  text(): string;
  blocks(): Fields[];
}

export interface View {
  id: string;
  type: 'modal' | 'home';
  user: string;
  /** As the app sent it, with block and action ids filled in. */
  definition: Fields;
  hash: string;
  rootId: string;
  previousId: string | null;
  entered: Map<string, Fields>;
  /** Errors the app answered on the last submit, by block id. */
  errors: Record<string, string>;
}

export interface Trigger {
  id: string;
  user: string;
  expiresAt: number;
  used: boolean;
  viewId?: string | undefined;
}

export interface ResponseUrl {
  id: string;
  user: string;
  channel: string;
  /** The message the interaction happened in, or the one last posted through this address. */
  messageTs?: string | undefined;
  threadTs?: string | undefined;
  uses: number;
  expiresAt: number;
}

export interface CallRecord {
  at: number;
  method: string;
  args: Fields;
  /** HTTP status and body answered; 0 where the connection was cut. */
  status: number;
  response: Fields;
  /** The token that was presented, shortened. */
  token: string;
}

/** Something the app sent: a request body, an acknowledgement, a socket frame. */
export interface SentByApp {
  at: number;
  origin: string;
  raw: string;
  /** `raw` with form encoding undone, so that plain text can be searched. */
  text: string;
}

export interface SentToApp {
  at: number;
  deliveryId: string;
  via: 'http' | 'socket';
  headers: Record<string, string>;
  raw: string;
}

export type Fault =
  /** `block`: refuses only messages with a block of this type. */
  | { error: string; block?: string }
  | { status: number; retryAfter?: number }
  | { hangMs: number }
  /** Runs the call at once and answers after this time. */
  | { lateMs: number }
  | { drop: true; afterCommit?: boolean };

export function objects(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function str(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text of a Slack text object, or ''. */
export function textOf(value: unknown): string {
  return isRecord(value) ? (str(value.text) ?? '') : '';
}
