/** What a caller wants of a window: one place. */
export interface Ask {
  lane: string;
  /** Level of the caller in its queue; 0 is the most urgent. */
  level: number;
  /** The most places that may be held once this one is taken. A less urgent level has no higher limit. */
  limit: number;
  /** The longest time from taking a place until it falls free, in ms. */
  holdMs: number;
  /** Calls of this level that wait in this process, this one included. */
  calls: number;
}

/** No place: the epoch ms at which one is free as far as is known now. */
export interface Full {
  freeAt: number;
}

/**
 * The id of the place, or when one is free. `leasing`: places are being asked for in the store; it resolves, and never
 * rejects, once it is known. Take again after it, unless it says that there is none.
 */
export type Taken = { id: string } | Full | { leasing: Promise<Full | undefined> };

/** What a 429 has done to a lane. */
export interface LaneState {
  /** Epoch ms: nothing is sent before. */
  pausedUntil: number;
  /** No request has been answered since with something other than 429. */
  isDoubtful: boolean;
}

/** The sliding window of requests that were sent, in one process or in all that share a store. */
export interface Window {
  /**
   * Takes a place in a lane if fewer than `limit` are held. Callers with different limits share a lane: a lower limit
   * leaves places to the others. A place is held until the time that `release` sets, and at most for `holdMs`.
   */
  take(ask: Ask): Taken;
  /** The request was answered or failed: its place falls free at `at` (epoch ms). */
  release(id: string, at: number): void;
  /** Places held now, for App Home, /metrics and the limits resource. */
  held(lane: string): Promise<number>;
  /** The platform answered 429: no process takes a place before `until` (epoch ms), and then one takes a single place. */
  pause(lane: string, until: number): void;
  /** That single request is over. `isOpen`: the platform answered something other than 429. */
  probed(lane: string, isOpen: boolean): void;
  /** Calls the listener with what other processes' answers did to the lane. Returns a function that removes it. */
  onState(lane: string, listener: (state: LaneState) => void): () => void;
}
