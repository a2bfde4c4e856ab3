import type { Surface, SurfaceContext } from '../surface.ts';

/** The demo sandbox's control plane at `/sandbox/`, so that one address serves the whole demo. */
export function openSandboxControl({ runtime }: SurfaceContext): Surface | undefined {
  const { sandbox } = runtime;
  if (!sandbox) return undefined;
  return {
    name: 'sandbox',
    routes: [
      {
        path: '/sandbox',
        below: true,
        access: 'demo',
        handle: (request, response, path) => {
          if (path === '/sandbox') return false;
          return sandbox.handle(request, response);
        },
      },
    ],
  };
}
