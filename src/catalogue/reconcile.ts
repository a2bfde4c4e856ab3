import type { Fields } from '../lib/json.ts';

/** What a workflow or a reconciliation may do: call another operation by id. Rejects with `SwitchboardError`. */
export type Call = (operation: string, input: Fields) => Promise<Fields>;

/**
 * What reading found out about an action whose outcome was unknown. `saw` says in words what was read: it is part of the
 * result or error and of the audit trail.
 */
export type Finding =
  /** The work was done, and what identifies it as ours matches. */
  | { outcome: 'done'; result: Fields; saw: string }
  /**
   * A part of it was done: `result` lists which numbers were and which were not, as an answer would. It counts as
   * `not_done` does.
   */
  | { outcome: 'partly'; result: Fields; saw: string }
  /** Nothing of it can be seen. It counts only once the platform can no longer do the work (PLATFORM_SETTLE_SECONDS). */
  | { outcome: 'not_done'; saw: string }
  /** Reading cannot tell. What may be ours is named in `saw`, for a person to decide. */
  | { outcome: 'unknown'; saw: string };

/** Another call of the same operation by this installation. */
export interface OtherCall {
  /** Undefined if it was sealed with another key and cannot be read. */
  input: Fields | undefined;
  /** Of a call that was done: what the platform answered. */
  result: Fields;
  /** When it ended; undefined while its end is open. */
  endedAt: Date | undefined;
}

/** Another call by this installation, without its secrets. */
export interface SentCall {
  id: string;
  operation: string;
  /** It may still be under way, or may have been done. */
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
  /** When the action was sent: nothing that is older can be its work. */
  sentAt: Date;
  /** When the platform could last have begun or finished it: nothing that is younger can be its work. */
  workedUntil: Date;
  now: Date;
  /** Reads a date of an answer, without a zone in PLATFORM_TIME_ZONE: what it spans in epoch ms. */
  date: (text: unknown) => { from: number; until: number } | undefined;
  /** Calls of the same operation that were done about then or later: what they brought is theirs. */
  done: readonly OtherCall[];
  /** Calls of the same operation whose end is open too: what is found may be theirs as well. */
  open: readonly OtherCall[];
  /** Calls of any operation that name this value and are open, or were done since this one was sent. */
  about: (value: string) => readonly SentCall[];
  /** Delivery receipts of messages from a number, received since this action was sent. */
  receipts: (from: string) => readonly Receipt[];
}
