/** A metric at the moment it is read. */
export interface Metric {
  name: string;
  help: string;
  type: 'gauge' | 'counter';
  /** The name of the label that tells its values apart; left out for a single value. */
  label?: string;
  values: readonly { label?: string; value: number }[];
}

/** A gauge with a single value. */
export function gauge(name: string, help: string, value: number): Metric {
  return { name, help, type: 'gauge', values: [{ value }] };
}
