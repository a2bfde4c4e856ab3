import type { Clock } from '../lib/clock.ts';
import type { Database } from '../store/database.ts';

export interface Tally {
  /** `received`, `repeated`, `handled`, `retried`, `waited`, `died`, `refused`. */
  what: string;
  /** The kind of event; of refusals, the reason. */
  label: string;
  count: number;
  lastAt: number;
}

const FLUSH_MS = 1000;

/** Counters in the inbox's file. They are written once a second; a process that is killed loses that second. */
export class Tallies {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #onDue: () => void;
  /** Counted, but not written yet. */
  #pending = new Map<string, Tally>();
  #timer: unknown;

  /** @param onDue called when the counters should be written with the next transaction */
  constructor(options: { db: Database; clock: Clock; onDue: () => void }) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#onDue = options.onDue;
  }

  get isEmpty(): boolean {
    return this.#pending.size === 0;
  }

  count(what: string, label: string): void {
    const key = keyOf({ what, label });
    const count = (this.#pending.get(key)?.count ?? 0) + 1;
    this.#pending.set(key, { what, label, count, lastAt: this.#clock.now() });
    this.#timer ??= this.#clock.setTimeout(() => {
      this.#timer = undefined;
      this.#onDue();
    }, FLUSH_MS);
  }

  /** All counters, including what is not written yet. */
  all(): Tally[] {
    const rows = this.#db.all<Tally>('SELECT what, label, count, last_at AS lastAt FROM tallies');
    const sum = new Map(rows.map((row) => [keyOf(row), row]));
    for (const [key, tally] of this.#pending)
      sum.set(key, { ...tally, count: tally.count + (sum.get(key)?.count ?? 0) });
    return [...sum.values()].sort((a, b) => (a.what + a.label < b.what + b.label ? -1 : 1));
  }

  /** Writes what is pending. Call `clear` once the transaction is on the disk. */
  write(): void {
    for (const { what, label, count, lastAt } of this.#pending.values()) {
      this.#db.run(
        `INSERT INTO tallies (what, label, count, last_at) VALUES (?, ?, ?, ?)
           ON CONFLICT (what, label) DO UPDATE SET count = count + excluded.count, last_at = excluded.last_at`,
        what,
        label,
        count,
        lastAt,
      );
    }
  }

  clear(): void {
    this.#pending.clear();
  }

  /** What is pending now, for `restore` if the transaction fails. */
  snapshot(): Map<string, Tally> {
    return new Map(this.#pending);
  }

  restore(snapshot: Map<string, Tally>): void {
    this.#pending = snapshot;
  }

  close(): void {
    this.#clock.clearTimeout(this.#timer);
  }
}

function keyOf({ what, label }: Pick<Tally, 'what' | 'label'>): string {
  return `${what}\n${label}`;
}
