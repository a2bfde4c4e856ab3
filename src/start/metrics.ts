import { Counter, Gauge, Registry } from 'prom-client';
import { STATES, type State } from '../ledger/action.ts';
import { gauge, type Metric, perLabel } from '../lib/metrics.ts';
import { VERSION } from '../lib/version.ts';
import { isStoreUnavailable } from '../store/unavailable.ts';
import type { Runtime } from './runtime.ts';

/** Returns the metrics of this process that belong to no surface. */
export async function runtimeMetrics({ client, ledger, store }: Runtime): Promise<Metric[]> {
  const isUp = await whileUp(async () => {
    await store.check();
    return [1];
  });
  return [
    gauge('switchboard_database_up', 'Whether the database answers.', isUp.length),
    ...(client.metrics?.() ?? []),
    ...(await whileUp(async () => budgetMetrics(await client.budget()))),
    ...(await whileUp(async () => [actionMetrics(await ledger.counts())])),
    ...processMetrics(),
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
    gauge('switchboard_budget_used', 'Requests counted in the last minute.', used),
    gauge('switchboard_budget_limit', 'Requests a minute.', limit),
    gauge('switchboard_budget_waiting', 'Calls waiting for the budget.', waiting),
  ];
}

function actionMetrics(counts: readonly { state: State; n: number }[]): Metric {
  return perLabel({
    name: 'switchboard_actions',
    help: 'Actions in the ledger by state.',
    type: 'gauge',
    label: 'state',
    known: STATES,
    counts: new Map(counts.map(({ state, n }) => [state, n])),
  });
}

/** The version of the program, on every scrape, as is usual for joins with other metrics. */
function processMetrics(): Metric[] {
  const labels = { version: VERSION, node: process.versions.node };
  return [
    {
      name: 'switchboard_build_info',
      help: 'The version of Switchboard and of Node; always 1.',
      type: 'gauge',
      values: [{ labels, value: 1 }],
    },
    gauge('process_start_time_seconds', 'Start of the process, in seconds since 1970.', startedAt()),
    gauge('process_resident_memory_bytes', 'Resident memory of the process.', process.memoryUsage.rss()),
  ];
}

function startedAt(): number {
  return performance.timeOrigin / 1000;
}

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Renders metrics in Prometheus' text format. Every value is read from the store at the moment of the scrape, because
 * several processes share it, so each scrape fills a new registry. The library's histograms count values themselves,
 * so ours, whose values were counted elsewhere, are written here.
 */
export async function renderMetrics(metrics: readonly Metric[]): Promise<string> {
  const registry = new Registry();
  const histograms: string[] = [];
  for (const metric of metrics) {
    if (metric.type === 'histogram') {
      histograms.push(histogramText(metric));
      continue;
    }
    const { name, help, values } = metric;
    const labelNames = [...new Set(values.flatMap(({ labels = {} }) => Object.keys(labels)))];
    const options = { name, help, registers: [registry], labelNames };
    const shown = metric.type === 'counter' ? new Counter(options) : new Gauge(options);
    for (const { labels = {}, value } of values) shown.inc(labels, value);
  }
  return [await registry.metrics(), ...histograms].join('\n').replace(/^\n+/, '');
}

function histogramText({ name, help, buckets, count, sum }: Metric & { type: 'histogram' }): string {
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} histogram`,
    ...buckets.map((bucket) => `${name}_bucket{le="${bucket.upTo}"} ${bucket.count}`),
    `${name}_bucket{le="+Inf"} ${count}`,
    `${name}_sum ${sum}`,
    `${name}_count ${count}`,
    '',
  ].join('\n');
}
