import type { Fields } from '../lib/json.ts';

/** One thing that happened: an event the platform reported, or an action of this installation. Its texts may be from outside. */
export interface Happening {
  /** ISO 8601. */
  at: string;
  kind: 'order' | 'message' | 'status' | 'call' | 'watch' | 'unknown' | 'action';
  /** In the spelling of the platform: `OrderId`, `Status`, `From`, `Body`. */
  values: Fields;
}

/** A number whose data use and state are checked in the background. */
export interface Watched {
  phone: string;
  /** Ids of the actors who asked for it. */
  by: readonly string[];
  used: string;
  remaining: string;
  behaviour: string;
  /** ISO 8601; undefined before the first check. */
  checkedAt: string | undefined;
}

/** Switchboard's own records, for workflows: what happened, and which numbers are watched. Costs no platform request. */
export interface LocalHistory {
  now(): Date;
  /**
   * What happened in this time, oldest first. If there is more than `limit`, the newest of it, with `more` set.
   * `about`: numbers and ids that must all occur in it.
   */
  happened(filter: {
    since: Date;
    until: Date;
    kinds: readonly Happening['kind'][];
    about: readonly string[];
    limit: number;
  }): { list: Happening[]; more: boolean };
  /** The newest message that came in for a number or from it. */
  lastMessage(phone: string): Happening | undefined;
  /** What the platform last reported of an order. */
  order(orderId: string): { status: string; message: string } | undefined;
  /** Watches a number for this caller; `looks` is false while no process runs that checks it. */
  watch(phone: string): { everyMinutes: number; looks: boolean };
  /** True if it was watched. */
  unwatch(phone: string): boolean;
  watched(): Watched[];
}
