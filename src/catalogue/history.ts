import type { Actor } from '../lib/actor.ts';
import type { Fields, Words } from '../lib/values.ts';

/**
 * One entry of the history: an event the platform reported, or an action of this installation. Texts may be from
 * outside.
 */
export interface Happening {
  /** ISO 8601. */
  at: string;
  kind: 'order' | 'message' | 'status' | 'call' | 'watch' | 'unknown' | 'action';
  /** In the spelling of the platform: `OrderId`, `Status`, `From`, `Body`. */
  values: Fields;
  /** The cost, by customer. */
  charges?: readonly Charge[];
}

/** The cost of one change, or its possible cost. */
export interface Charge {
  cost: string;
  /** True if the outcome is unknown. */
  maybe?: true;
  /** The customer who pays: name and account. */
  customer?: string;
  /** Numbers and ids of the customer who pays; undefined if they are those of the whole entry. */
  payers?: readonly string[];
}

/** A number whose data use and state are checked in the background. */
export interface Watched {
  phone: string;
  used: string;
  remaining: string;
  behaviour: string;
  /** ISO 8601; undefined before the first check. */
  checkedAt: string | undefined;
}

/** A change of a line that waits for a person. */
export interface WaitingChange {
  /** The id of its question. */
  id: string;
  /** The title of its question. May have texts from outside. */
  what: string;
  askedBy: string;
  /** The identity of who asked. */
  person?: string;
  /** ISO 8601. */
  at: string;
  /** Further numbers that the change is for. */
  others: readonly string[];
}

/** A change as it was sent, without secrets. */
export interface SentChange {
  operation: string;
  /** ISO 8601. */
  at: string;
  shown: Readonly<Fields>;
  /** True if the platform answered this call with the order, so that it placed the order. */
  started: boolean;
  /** The state of the order in the answer, empty if it names none. */
  order: string;
  /** True if the platform reported later that the order has ended. */
  isOver: boolean;
  /** True if the answer has the activation code of an eSIM. */
  madeSim: boolean;
  /** The name and account that the question named. */
  customer: string | undefined;
}

/** Switchboard's own records, for workflows: events, actions and watched numbers. Costs no platform request. */
export interface LocalHistory {
  now(): Date;
  /**
   * Entries of this period, oldest first. If there are more than `limit`, returns the newest of them and sets `more`.
   * `about`: numbers and ids that must all occur in an entry. `of`: of longer work, such as a batch, what it did for this
   * number.
   */
  happened(filter: {
    since: Date;
    until: Date;
    kinds: readonly Happening['kind'][];
    about: readonly string[];
    of?: string | undefined;
    limit: number;
  }): Promise<{ list: Happening[]; more: boolean }>;
  /** False while no process of this installation receives what the platform reports (`switchboard start`). */
  isListening(): Promise<boolean>;
  /** The newest message that came in for a number or from it. */
  lastMessage(phone: string): Promise<Happening | undefined>;
  /**
   * Keeps the state of an order that was placed here, as a read has just shown it, so that it is part of what happened
   * where the platform reports nothing. An order that was placed elsewhere is left out.
   */
  keepOrder(orderId: string, order: { status: string; message: string; numbers: readonly string[] }): Promise<void>;
  /** The changes of an order or a number that were made through this installation, newest first. */
  sentAbout(id: string): Promise<SentChange[]>;
  /** Changes of a number that wait for a person, the first asked first. */
  waitingFor(phone: string): Promise<WaitingChange[]>;
  /** Watches a number for this caller. `looks` is false while no process checks watched numbers. */
  watch(phone: string): Promise<{ everyMinutes: number; looks: boolean }>;
  /** True if it was watched. */
  unwatch(phone: string): Promise<boolean>;
  watched(): Promise<Watched[]>;
}

/** The history of an installation. */
export interface Histories {
  /** The history as this actor uses it. */
  of(actor: Actor): LocalHistory;
  /** Delivery receipts of messages from a number since a moment (epoch ms). */
  receipts(from: string, since: number): Promise<readonly Receipt[]>;
}

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
interface Receipt {
  messageId: string;
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
  /**
   * The inputs of calls of the same operation without a known end; undefined for one that is sealed with another key. A
   * record that is found may belong to them too.
   */
  open: readonly (Fields | undefined)[];
  /** Calls of any operation that name this value and are open, or were done since this one was sent. */
  about: (value: string) => Promise<readonly SentCall[]>;
  /** Delivery receipts of messages from a number, received since this action was sent. */
  receipts: (from: string) => Promise<readonly Receipt[]>;
}
