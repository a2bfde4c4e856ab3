/**
 * A metric at the moment it is read, in Prometheus' terms. A histogram has the upper bounds of its buckets, with the number
 * of values up to each.
 */
export interface Metric {
  name: string;
  help: string;
  type: 'gauge' | 'counter' | 'histogram';
  values: readonly ({ labels?: Readonly<Record<string, string>> } & (
    | { value: number }
    | { buckets: readonly { upTo: number; count: number }[]; count: number; sum: number }
  ))[];
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
  readonly #values: { buckets: { upTo: number; count: number }[]; count: number; sum: number };

  /** @param bounds upper bounds, ascending */
  constructor(bounds: readonly number[]) {
    this.#values = { buckets: bounds.map((upTo) => ({ upTo, count: 0 })), count: 0, sum: 0 };
  }

  add(value: number): void {
    this.#values.count += 1;
    this.#values.sum += value;
    for (const bucket of this.#values.buckets) if (value <= bucket.upTo) bucket.count += 1;
  }

  metric(name: string, help: string): Metric {
    return { name, help, type: 'histogram', values: [this.#values] };
  }
}
