import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/types.ts';

export interface Tally {
  /** `received`, `repeated`, `handled`, `retried`, `waited`, `died`, `refused`. */
  what: string;
  /** The kind of event; of refusals, the reason. */
  label: string;
  count: number;
  lastAt: number;
}

const FLUSH_MS = 1000;

/** Counters of the inbox. They are written once a second, so a killed process loses at most one second. */
export class Tallies {
  readonly #clock: Clock;
  readonly #onDue: () => void;
  /** Counted, but not being written yet. */
  #pending = new Map<string, Tally>();
  /** Part of the transaction under way. */
  #writing = new Map<string, Tally>();
  #timer: unknown;

  /** @param onDue called when the counters should be written with the next transaction */
  constructor(options: { clock: Clock; onDue: () => void }) {
    this.#clock = options.clock;
    this.#onDue = options.onDue;
  }

  get isEmpty(): boolean {
    return this.#pending.size === 0;
  }

  /** A transaction with what `begin` took is under way. */
  get isWriting(): boolean {
    return this.#writing.size > 0;
  }

  count(what: string, label: string): void {
    add(this.#pending, { what, label, count: 1, lastAt: this.#clock.now() });
    this.#timer ??= this.#clock.setTimeout(() => {
      this.#timer = undefined;
      this.#onDue();
    }, FLUSH_MS);
  }

  /** All counters, including what is not written yet. */
  async all(queries: Queries): Promise<Tally[]> {
    const rows = await queries.all<Tally>('SELECT what, label, count, last_at AS "lastAt" FROM tallies');
    const sum = new Map(rows.map((row) => [keyOf(row), row]));
    for (const tally of [...this.#writing.values(), ...this.#pending.values()]) add(sum, tally);
    return sorted(sum);
  }

  /** Takes pending counts into the next transaction. Call `written` or `failed` when it has ended. */
  begin(): void {
    this.#writing = this.#pending;
    this.#pending = new Map();
  }

  /** Writes what `begin` took. The counters are sorted, so that two processes do not wait for each other. */
  async write(queries: Queries): Promise<void> {
    for (const { what, label, count, lastAt } of sorted(this.#writing)) {
      await queries.run(
        `INSERT INTO tallies (what, label, count, last_at) VALUES (?, ?, ?, ?)
           ON CONFLICT (what, label) DO UPDATE SET count = tallies.count + excluded.count, last_at = excluded.last_at`,
        what,
        label,
        count,
        lastAt,
      );
    }
  }

  written(): void {
    this.#writing = new Map();
  }

  failed(): void {
    for (const tally of this.#writing.values()) add(this.#pending, tally);
    this.#writing = new Map();
  }

  close(): void {
    this.#clock.clearTimeout(this.#timer);
  }
}

function add(sum: Map<string, Tally>, tally: Tally): void {
  const before = sum.get(keyOf(tally));
  const lastAt = Math.max(before?.lastAt ?? 0, tally.lastAt);
  sum.set(keyOf(tally), { ...tally, count: tally.count + (before?.count ?? 0), lastAt });
}

function sorted(tallies: Map<string, Tally>): Tally[] {
  return [...tallies.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function keyOf({ what, label }: Pick<Tally, 'what' | 'label'>): string {
  return `${what}\n${label}`;
}
