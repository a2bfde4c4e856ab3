import { Counter, Gauge, Registry } from 'prom-client';
import { gauge, type Metric } from '../lib/metrics.ts';
import { isStoreUnavailable } from '../store/unavailable.ts';
import type { Runtime } from './runtime.ts';

/** Returns the metrics of this process that belong to no surface. */
export async function runtimeMetrics({ client, ledger, store }: Runtime): Promise<Metric[]> {
  const isUp = await whileUp(async () => {
    await store.check();
    return [1];
  });
  return [
    gauge('switchboard_database_up', 'Whether the database answers', isUp.length),
    ...(await whileUp(async () => budgetMetrics(await client.budget()))),
    ...(await whileUp(async () => [actionMetrics(await ledger.counts())])),
    gauge('process_resident_memory_bytes', 'Resident memory', process.memoryUsage.rss()),
  ];
}

/**
 * Returns the result of the work, or nothing while the database cannot be reached, so that a scrape does not fail for
 * that.
 */
export async function whileUp<T>(work: () => T[] | Promise<T[]>): Promise<T[]> {
  try {
    return await work();
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
    return [];
  }
}

function budgetMetrics({ used, limit, waiting }: { used: number; limit: number; waiting: number }): Metric[] {
  return [
    gauge('switchboard_budget_used', 'Requests counted in the last minute', used),
    gauge('switchboard_budget_limit', 'Requests a minute', limit),
    gauge('switchboard_budget_waiting', 'Calls waiting for the budget', waiting),
  ];
}

function actionMetrics(counts: readonly { state: string; n: number }[]): Metric {
  return {
    name: 'switchboard_actions',
    help: 'Actions in the ledger by state',
    type: 'gauge',
    label: 'state',
    values: counts.map(({ state, n }) => ({ label: state, value: n })),
  };
}

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Renders metrics in Prometheus' text format. Every value is read from the store at the moment of the scrape, because
 * several processes share it, so each scrape fills a new registry.
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
