import type { Fields } from '../lib/json.ts';
import type { Words } from '../lib/words.ts';

/** What a workflow or a reconciliation may do: call another operation by id. Rejects with `SwitchboardError`. */
export type Call = (operation: string, input: Fields) => Promise<Fields>;

/**
 * The result of reading the platform about an action with an unknown outcome. `saw` describes what was read. It becomes
 * part of the result or error and of the audit trail.
 */
export type Finding =
  /** The work was done, and what identifies it as ours matches. */
  | { outcome: 'done'; result: Fields; saw: Words }
  /**
   * A part of it was done: `result` lists which numbers were and which were not, as an answer would. It counts as
   * `not_done` does.
   */
  | { outcome: 'partly'; result: Fields; saw: Words }
  /** No part of the work was found. It counts only once the platform can no longer do it (PLATFORM_SETTLE_SECONDS). */
  | { outcome: 'not_done'; saw: Words }
  /** The reading is inconclusive. `saw` names records that may belong to the action, for a person to decide. */
  | { outcome: 'unknown'; saw: Words };

/** Another call of the same operation by this installation. */
export interface OtherCall {
  /** Undefined if it was sealed with another key and cannot be read. */
  input: Fields | undefined;
}

/** Another call by this installation, without its secrets. */
export interface SentCall {
  id: string;
  operation: string;
  /** True while the call is running or its outcome is unknown. */
  open: boolean;
  shown: Fields;
  known: Fields;
}

/** A delivery receipt the platform sent for a message. */
export interface Receipt {
  messageId: string;
  from: string;
  to: readonly string[];
  body: string;
  status: string;
}

/** What a reconciliation works with, beside the input. */
export interface Trace {
  call: Call;
  /** What was known when a person was asked (see `consent`). */
  known: Fields;
  /** When the action was sent. Older records cannot be its work. */
  sentAt: Date;
  /** The latest time at which the platform could have worked on it. Younger records cannot be its work. */
  workedUntil: Date;
  now: Date;
  /** Reads a date of an answer, without a zone in PLATFORM_TIME_ZONE: what it spans in epoch ms. */
  date: (text: unknown) => { from: number; until: number } | undefined;
  /**
   * Which of these ids and numbers a call of the same operation got as its result, around that time or later. They belong
   * to that call.
   */
  claimed: (values: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Calls of the same operation without a known end. A record that is found may belong to them too. */
  open: readonly OtherCall[];
  /** Calls of any operation that name this value and are open, or were done since this one was sent. */
  about: (value: string) => Promise<readonly SentCall[]>;
  /** Delivery receipts of messages from a number, received since this action was sent. */
  receipts: (from: string) => Promise<readonly Receipt[]>;
}
