import type { Fields, Words } from '../lib/values.ts';

/** Calls another operation by id, for a workflow or a reconciliation. Rejects with `SwitchboardError`. */
export type Call = (operation: string, input: Fields) => Promise<Fields>;

/**
 * The result of reading the platform about an action with an unknown outcome. `saw` describes what was read. It becomes
 * part of the result or error and of the audit trail.
 */
export type Finding =
  /** The work was done, and the members that identify it as this action's work match. */
  | { outcome: 'done'; result: Fields; saw: Words }
  /**
   * A part of the work was done: `result` lists which numbers were and which were not, as an answer would. Like
   * `not_done`, it counts only once the platform can no longer do the work.
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

/** The data that a reconciliation uses, beside the input. */
export interface Trace {
  call: Call;
  /** The facts known when a person was asked (see `consent`). */
  known: Fields;
  /** Time when the action was sent. Older records cannot be its work. */
  sentAt: Date;
  /** The latest time at which the platform could have worked on it. Younger records cannot be its work. */
  workedUntil: Date;
  now: Date;
  /**
   * Reads a date of an answer and returns its span in epoch ms. A date without a zone is read in PLATFORM_TIME_ZONE.
   */
  date: (text: unknown) => { from: number; until: number } | undefined;
  /**
   * Returns the ids and numbers among these that another call of the same operation got as its result, around that time
   * or later. They belong to that call.
   */
  claimed: (values: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Calls of the same operation without a known end. A record that is found may belong to them too. */
  open: readonly OtherCall[];
  /** Calls of any operation that name this value and are open, or were done since this one was sent. */
  about: (value: string) => Promise<readonly SentCall[]>;
  /** Delivery receipts of messages from a number, received since this action was sent. */
  receipts: (from: string) => Promise<readonly Receipt[]>;
}
