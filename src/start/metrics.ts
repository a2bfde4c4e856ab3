import { Counter, Gauge, Registry } from 'prom-client';
import { gauge, type Metric } from '../lib/metrics.ts';
import type { Runtime } from './runtime.ts';

/** The metrics of this process that belong to no surface. */
export async function runtimeMetrics({ client, ledger }: Runtime): Promise<Metric[]> {
  const { used, limit, waiting } = await client.budget();
  const counts = await ledger.counts();
  return [
    gauge('switchboard_budget_used', 'Requests counted in the last minute', used),
    gauge('switchboard_budget_limit', 'Requests a minute', limit),
    gauge('switchboard_budget_waiting', 'Calls waiting for the budget', waiting),
    {
      name: 'switchboard_actions',
      help: 'Actions in the ledger by state',
      type: 'gauge',
      label: 'state',
      values: counts.map(({ state, n }) => ({ label: state, value: n })),
    },
    gauge('process_resident_memory_bytes', 'Resident memory', process.memoryUsage.rss()),
  ];
}

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Metrics in Prometheus' text format. Every value is read from the store at the moment of the scrape, because several
 * processes share it, so each scrape fills a registry of its own.
 */
export async function renderMetrics(metrics: readonly Metric[]): Promise<string> {
  const registry = new Registry();
  for (const { name, help, type, label, values } of metrics) {
    const options = { name, help, registers: [registry], labelNames: label === undefined ? [] : [label] };
    const metric = type === 'counter' ? new Counter(options) : new Gauge(options);
    for (const { label: is, value } of values) {
      if (label === undefined || is === undefined) metric.inc(value);
      else metric.inc({ [label]: is }, value);
    }
  }
  return registry.metrics();
}
