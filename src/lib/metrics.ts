/** A metric at the moment it is read, in Prometheus' terms. */
export type Metric = Simple | Histogram;

interface Simple {
  name: string;
  help: string;
  type: 'gauge' | 'counter';
  values: readonly { labels?: Readonly<Record<string, string>>; value: number }[];
}

interface Histogram {
  name: string;
  help: string;
  type: 'histogram';
  values: readonly Distribution[];
}

interface Distribution {
  labels?: Readonly<Record<string, string>>;
  /** Upper bounds of the buckets, with the number of values up to each. */
  buckets: readonly { upTo: number; count: number }[];
  count: number;
  sum: number;
}

/** A gauge with a single value. */
export function gauge(name: string, help: string, value: number): Metric {
  return { name, help, type: 'gauge', values: [{ value }] };
}

/**
 * A metric with one value for each value of a label. Those of `known` that have not occurred are 0, so that a query does
 * not find a gap before the first one occurs.
 */
export function perLabel(options: {
  name: string;
  help: string;
  type: 'gauge' | 'counter';
  label: string;
  known: readonly string[];
  counts: ReadonlyMap<string, number>;
}): Metric {
  const { name, help, type, label, known, counts } = options;
  const all = [...new Set([...known, ...counts.keys()])];
  const values = all.map((one) => ({ labels: { [label]: one }, value: counts.get(one) ?? 0 }));
  return { name, help, type, values };
}

/** Counts measured values in buckets. */
export class Buckets {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #count = 0;
  #sum = 0;

  /** @param bounds upper bounds, ascending */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  add(value: number): void {
    this.#count += 1;
    this.#sum += value;
    for (const [at, bound] of this.#bounds.entries())
      if (value <= bound) this.#counts[at] = (this.#counts[at] ?? 0) + 1;
  }

  metric(name: string, help: string): Metric {
    const buckets = this.#bounds.map((upTo, at) => ({ upTo, count: this.#counts[at] ?? 0 }));
    return { name, help, type: 'histogram', values: [{ buckets, count: this.#count, sum: this.#sum }] };
  }
}
