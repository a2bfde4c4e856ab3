// Reads a record again while it can change: soon at first, then less and less often.
import type { ViewRecord } from '../../../cards/view.ts';
import type { Members } from './shapes.ts';

/** Pauses in ms between readings. A reading of an order is a request to the platform, the others are not. */
const PAUSES: Readonly<Record<ViewRecord['kind'], readonly number[]>> = {
  confirmation: [2_000, 4_000, 8_000, 15_000, 30_000, 60_000],
  batch: [2_000, 4_000, 8_000, 15_000, 30_000, 60_000],
  order: [30_000, 60_000, 120_000, 300_000],
};

/** The call that reads a record. All of these tools change nothing. */
export function readingOf({ kind, id, page }: ViewRecord): { name: string; arguments: Members } {
  if (kind === 'order') return { name: 'numbers_order_get', arguments: { OrderId: id } };
  if (kind === 'confirmation') return { name: 'confirmations_get', arguments: { id } };
  return { name: 'batches_get', arguments: page === undefined ? { id } : { id, Page: page } };
}

/** The call that takes a request back before a person has decided. */
export function withdrawalOf({ kind, id }: ViewRecord): { name: string; arguments: Members } | undefined {
  if (kind === 'confirmation') return { name: 'confirmations_withdraw', arguments: { id } };
  return kind === 'batch' ? { name: 'batches_stop', arguments: { id } } : undefined;
}

/** The end of a reading. `gone`: the record can no longer be read. */
export type Reading = 'read' | 'failed' | 'gone';

/** After these failures in a row, the state that is shown may be out of date. */
const UNREAD_AFTER = 3;
/** After these, the readings stop until the page becomes visible again. */
const STOP_AFTER = 8;

/** Repeats a reading while the page is visible. */
export class Following {
  readonly #read: () => Promise<void>;
  #kind: ViewRecord['kind'] | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #round = 0;
  #failures = 0;
  #isReading = false;
  #hasEnded = false;

  /** `read`: reads and draws the record; never rejects. */
  constructor(read: () => Promise<void>) {
    this.#read = read;
    document.addEventListener('visibilitychange', () => {
      // Allows one reading after the stop.
      this.#failures = Math.min(this.#failures, STOP_AFTER - 1);
      this.soon();
    });
  }

  /** True if the last readings failed, so that the state that is shown may be out of date. */
  get isUnread(): boolean {
    return this.#failures >= UNREAD_AFTER;
  }

  /** Takes note of how a reading ended. */
  heard(reading: Reading): void {
    if (reading === 'read') this.#failures = 0;
    else this.#failures = reading === 'gone' ? STOP_AFTER : this.#failures + 1;
  }

  /** Follows a record of this kind; undefined if there is nothing that changes. `isNews`: it differs from before. */
  follow(kind: ViewRecord['kind'] | undefined, isNews: boolean): void {
    this.#kind = kind;
    if (isNews) this.#round = 0;
    this.#plan();
  }

  /** Reads without a pause, because something has probably changed. */
  soon(): void {
    this.#round = 0;
    clearTimeout(this.#timer);
    if (!document.hidden && this.#kind !== undefined) this.#now();
  }

  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
  }

  #plan(): void {
    clearTimeout(this.#timer);
    if (this.#hasEnded || this.#kind === undefined || document.hidden || this.#failures >= STOP_AFTER) return;
    const pauses = PAUSES[this.#kind];
    this.#timer = setTimeout(() => this.#now(), pauses[Math.min(this.#round, pauses.length - 1)]);
  }

  #now(): void {
    if (this.#isReading || this.#hasEnded) return;
    this.#isReading = true;
    this.#round += 1;
    void this.#read().finally(() => {
      this.#isReading = false;
      this.#plan();
    });
  }
}
