import { sendJson } from '../../lib/http.ts';
import { CONTENT_TYPE, isUp, platformReady, remembered, renderMetrics, runtimeMetrics, whileUp } from '../metrics.ts';
import { READ, type RequestHandler, type Surface, type SurfaceContext } from '../surface.ts';

/** `/healthz`, `/readyz` and `/metrics`. */
export function openStatus({ runtime, surfaces }: SurfaceContext): Surface {
  const readyz: RequestHandler = async (_request, response) => {
    const problems = await problemsOf(surfaces);
    sendJson(response, problems.length === 0 ? 200 : 503, { ready: problems.length === 0, problems });
  };
  const metrics: RequestHandler = async (_request, response) => {
    const others = await Promise.all(surfaces.map((surface) => whileUp(async () => (await surface.metrics?.()) ?? [])));
    response.writeHead(200, { 'content-type': CONTENT_TYPE });
    response.end(renderMetrics([...(await runtimeMetrics(runtime)), ...others.flat()]));
  };
  const ready = remembered(() => platformReady(runtime), runtime.clock);
  return {
    name: 'platform',
    routes: [
      {
        path: '/healthz',
        methods: READ,
        access: 'open',
        handle: (_request, response) => sendJson(response, 200, { ok: true }),
      },
      { path: '/readyz', methods: READ, access: 'observer', handle: readyz },
      { path: '/metrics', methods: READ, access: 'observer', handle: metrics },
    ],
    ready: async () => {
      // A token may be in the database. If the database cannot be reached, its own line says so, and this failure must
      // not be remembered.
      if (await isUp(runtime.store)) await ready();
    },
  };
}

/** The reasons why surfaces cannot do their work, each with the name of its surface. */
async function problemsOf(surfaces: readonly Surface[]): Promise<string[]> {
  const results = await Promise.allSettled(surfaces.map((surface) => surface.ready?.()));
  return results.flatMap((result, at) =>
    result.status === 'rejected'
      ? [`${surfaces[at]?.name}: ${result.reason instanceof Error ? result.reason.message : String(result.reason)}`]
      : [],
  );
}

/**
 * The database as a surface. `/readyz` asks it every time, because an answer costs nothing and it may be back at any
 * moment.
 */
export function openDatabaseStatus({ runtime }: SurfaceContext): Surface {
  return { name: 'database', ready: () => runtime.store.check() };
}
