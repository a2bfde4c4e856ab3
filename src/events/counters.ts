/** A counter of this process. */
export interface Count {
  /** `received`, `repeated`, `handled`, `retried`, `waited`, `died`, `refused`. */
  what: string;
  /** The kind of event; of refusals, the reason. */
  label: string;
  count: number;
}

/** Counts deliveries and attempts since the start of this process, as Prometheus expects of each process. */
export class Counters {
  readonly #counts = new Map<string, Count>();

  count(what: string, label: string): void {
    const key = `${what}\n${label}`;
    this.#counts.set(key, { what, label, count: (this.#counts.get(key)?.count ?? 0) + 1 });
  }

  all(): Count[] {
    return [...this.#counts.values()];
  }
}
