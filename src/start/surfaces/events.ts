import { EventService } from '../../events/service.ts';
import type { Surface, SurfaceContext } from '../surface.ts';

/** The platform's events, shown by the surface with a feed that was opened before. */
export function openEvents({ runtime, surfaces }: SurfaceContext): Surface {
  const events = new EventService(runtime, surfaces.find(({ feed }) => feed)?.feed);
  return {
    name: 'events',
    routes: [
      {
        path: '/events',
        below: true,
        access: 'open',
        handle: (request, response, path) => events.handle(request, response, path),
      },
    ],
    ready: async () => {
      const problem = await events.problem();
      if (problem !== undefined) throw new Error(problem);
    },
    metrics: () => events.metrics(),
    close: () => events.close(),
  };
}
