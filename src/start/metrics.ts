import { ENDED_STATES, OPEN_STATES } from '../ledger/action.ts';
import { type Clock, FETCH_MS, RETRY_MS } from '../lib/clock.ts';
import { gauge, type Metric, perLabel, sendJson } from '../lib/http.ts';
import { VERSION } from '../lib/version.ts';
import { readOrElse } from '../store/key-values.ts';
import type { Store } from '../store/types.ts';
import type { Runtime } from './runtime.ts';
import { READ, type RequestHandler, type Surface, type SurfaceContext } from './surface.ts';

/** `/readyz` and `/metrics`. The listener answers `/healthz`. */
export function openStatus({ runtime, surfaces }: SurfaceContext): Surface {
  const readyz: RequestHandler = async (_request, response) => {
    const results = await Promise.allSettled(surfaces.map((surface) => surface.ready?.()));
    const problems = results.flatMap((result, at) =>
      result.status === 'rejected' ? [`${surfaces[at]?.name}: ${result.reason?.message ?? result.reason}`] : [],
    );
    sendJson(response, problems.length === 0 ? 200 : 503, { ready: problems.length === 0, problems });
  };
  const metrics: RequestHandler = async (_request, response) => {
    const others = surfaces.map((surface) => whileUp(async () => (await surface.metrics?.()) ?? []));
    const all = await Promise.all([runtimeMetrics(runtime, ended), ...others]);
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(renderMetrics(all.flat()));
  };
  const { client, clock, store, gate } = runtime;
  const ended = new Map<string, number>();
  gate.onChange(({ state }) => {
    if ((ENDED_STATES as readonly string[]).includes(state)) ended.set(state, (ended.get(state) ?? 0) + 1);
  });
  // A cached token is enough: readiness must not use up the budget.
  const ready = remembered(async () => {
    await client.token('/v1.0/numbers/inventory', { priority: 'background', deadline: clock.now() + FETCH_MS });
  }, clock);
  return {
    name: 'platform',
    routes: [
      { path: '/readyz', methods: READ, access: 'observer', handle: readyz },
      { path: '/metrics', methods: READ, access: 'observer', handle: metrics },
    ],
    ready: async () => {
      // A token may be in the database. If the database cannot be reached, its own line says so, and this failure must
      // not be remembered.
      if (await isUp(store)) await ready();
    },
  };
}

/**
 * The database as a surface. `/readyz` asks it every time, because an answer costs nothing and it may be back at any
 * moment.
 */
export function openDatabaseStatus({ runtime }: SurfaceContext): Surface {
  return { name: 'database', ready: () => runtime.store.check() };
}

/** Returns the metrics of this process that belong to no surface. */
async function runtimeMetrics(
  { client, ledger, store }: Runtime,
  ended: ReadonlyMap<string, number>,
): Promise<Metric[]> {
  return [
    gauge('switchboard_database_up', 'Whether the database answers.', Number(await isUp(store))),
    ...client.metrics(),
    ...(await whileUp(async () => {
      const { used, limit, waiting } = await client.budget();
      return [
        gauge('switchboard_budget_used', 'Requests counted in the last minute.', used),
        gauge('switchboard_budget_limit', 'Requests a minute.', limit),
        gauge('switchboard_budget_waiting', 'Calls waiting for the budget.', waiting),
      ];
    })),
    ...(await whileUp(async () => {
      const counts = new Map((await ledger.counts()).map(({ state, n }) => [state, n]));
      const help = 'Actions in the ledger that have not ended, by state.';
      const byState = { type: 'gauge', label: 'state', known: OPEN_STATES, counts } as const;
      return [perLabel({ name: 'switchboard_actions', help, ...byState })];
    })),
    perLabel({
      name: 'switchboard_actions_ended_total',
      help: 'Actions that this process has ended, by state.',
      ...{ type: 'counter', label: 'state', known: ENDED_STATES, counts: ended },
    }),
    // The version of the program, on every scrape, as is usual for joins with other metrics.
    gauge('switchboard_build_info', 'The version of Switchboard and of Node; always 1.', 1, {
      version: VERSION,
      node: process.versions.node,
    }),
    gauge('process_start_time_seconds', 'Start of the process, in seconds since 1970.', performance.timeOrigin / 1000),
    gauge('process_resident_memory_bytes', 'Resident memory of the process.', process.memoryUsage.rss()),
  ];
}

/** Resolves to true if the database answers and takes writes. */
function isUp(store: Store): Promise<boolean> {
  return readOrElse(
    store.check().then(() => true),
    false,
  );
}

/**
 * Returns the result of the work, or nothing while the database cannot be reached, so that a scrape does not fail for
 * that.
 */
function whileUp<T>(work: () => Promise<T[]>): Promise<T[]> {
  return readOrElse(work(), []);
}

/** Renders metrics in Prometheus' text format. */
export function renderMetrics(metrics: readonly Metric[]): string {
  const line = (name: string, labels: Readonly<Record<string, string>>, value: number) => {
    // JSON escapes the same characters in a text.
    const own = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(text)}`);
    return `${name}${own.length === 0 ? '' : `{${own.join(',')}}`} ${value}\n`;
  };
  const texts = metrics.map(({ name, help, type, values }) => {
    const lines = values.map(({ labels = {}, value }) => line(name, labels, value));
    return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
  });
  return texts.join('\n');
}

/**
 * Remembers the outcome of a check for some seconds, and makes one check for all callers that wait meanwhile. Frequent
 * readiness checks therefore take almost nothing of the platform's budget.
 */
export function remembered(check: () => Promise<void>, clock: Clock): () => Promise<void> {
  let last: Promise<void> | undefined;
  let until = 0;
  return () => {
    if (last && until > clock.now()) return last;
    until = Number.POSITIVE_INFINITY;
    last = check().finally(() => {
      until = clock.now() + RETRY_MS;
    });
    return last;
  };
}
