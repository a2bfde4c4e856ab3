import type { ServerResponse } from 'node:http';
import { sendJson } from '../../lib/http.ts';
import { isStoreUnavailable } from '../../store/unavailable.ts';
import { platformReady, remembered } from '../readiness.ts';
import type { RequestHandler, Surface, SurfaceContext } from '../surface.ts';

/** `/healthz`, `/readyz` and `/metrics`. */
export function openStatus({ runtime, surfaces }: SurfaceContext): Surface {
  const readyz = async (response: ServerResponse) => {
    const problems = await problemsOf(surfaces);
    sendJson(response, problems.length === 0 ? 200 : 503, { ready: problems.length === 0, problems });
  };
  const metrics = async (response: ServerResponse) => {
    // The library for metrics is loaded at the first scrape.
    const { CONTENT_TYPE, renderMetrics, runtimeMetrics, whileUp } = await import('../metrics.ts');
    const others = await Promise.all(surfaces.map((surface) => whileUp(async () => (await surface.metrics?.()) ?? [])));
    const all = [...(await runtimeMetrics(runtime)), ...others.flat()];
    const text = await renderMetrics(all);
    response.writeHead(200, { 'content-type': CONTENT_TYPE });
    response.end(text);
  };
  const ready = remembered(() => platformReady(runtime), runtime.clock);
  return {
    name: 'platform',
    routes: [
      {
        path: '/healthz',
        access: 'open',
        handle: exactly('/healthz', async (response) => sendJson(response, 200, { ok: true })),
      },
      { path: '/readyz', access: 'observer', handle: exactly('/readyz', readyz) },
      { path: '/metrics', access: 'observer', handle: exactly('/metrics', metrics) },
    ],
    ready: async () => {
      // A token may be in the database. If the database cannot be reached, its own line says so, and this failure must
      // not be remembered.
      if (await isAway(runtime)) return;
      await ready();
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

async function isAway({ store }: SurfaceContext['runtime']): Promise<boolean> {
  try {
    await store.check();
    return false;
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
    return true;
  }
}

function exactly(path: string, answer: (response: ServerResponse) => Promise<void>): RequestHandler {
  return async (request, response, requested) => {
    if (requested !== path) return false;
    request.resume();
    if (request.method === 'GET' || request.method === 'HEAD') await answer(response);
    else {
      response.setHeader('allow', 'GET, HEAD');
      sendJson(response, 405, { error: 'GET this address.' });
    }
    return true;
  };
}

/**
 * The database as a surface. `/readyz` asks it every time, because an answer costs nothing and it may be back at any
 * moment.
 */
export function openDatabaseStatus({ runtime }: SurfaceContext): Surface {
  return { name: 'database', ready: () => runtime.store.check() };
}
