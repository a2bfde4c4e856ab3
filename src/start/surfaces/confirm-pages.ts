import type { Gate } from '../../gate/gate.ts';
import type { Attempts } from '../../lib/attempts.ts';
import type { Config } from '../../lib/config.ts';
import { createConfirmPage } from '../../surfaces/web/confirm.ts';
import type { Pairing } from '../../surfaces/web/pairing.ts';
import { sessionsOf } from '../../surfaces/web/session.ts';
import { approverLines } from '../approver-text.ts';
import type { Route, Surface, SurfaceContext } from '../surface.ts';

/** The confirmation pages at `/confirm/{id}`. */
export async function openConfirmPages({ config, runtime, attempts, pairing, url }: SurfaceContext): Promise<Surface> {
  return {
    name: 'pages',
    routes: [confirmRoute({ config, gate: runtime.gate, attempts, pairing })],
    lines: await approverLines(config, pairing, url, process.stderr.isTTY === true),
  };
}

export function confirmRoute(options: { config: Config; gate: Gate; attempts: Attempts; pairing: Pairing }): Route {
  const { config, gate, attempts, pairing } = options;
  const page = createConfirmPage({
    gate: async () => gate,
    sessions: sessionsOf(config, pairing, attempts),
    publicUrl: config.PUBLIC_URL,
    demo: config.demo,
  });
  return {
    path: '/confirm',
    access: 'local',
    handle: async (request, response, path) => {
      const match = /^\/confirm(?:\/([\w-]+))?$/.exec(path);
      if (!match) return false;
      await page.handle(request, response, match[1]);
      return true;
    },
  };
}
