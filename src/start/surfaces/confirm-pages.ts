import type { Batches } from '../../batches/batches.ts';
import type { Gate } from '../../gate/gate.ts';
import type { Seal } from '../../ledger/seal.ts';
import type { Attempts } from '../../lib/attempts.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import { ConfirmPage } from '../../surfaces/web/confirm.ts';
import type { Pairing } from '../../surfaces/web/pairing.ts';
import { sessionsOf } from '../../surfaces/web/session.ts';
import { type AuthorizationFlow, BEGIN_PATH, OAuthSignIn, RETURN_PATH } from '../../surfaces/web/sign-in.ts';
import { approverLines } from '../start-text.ts';
import { READ, type Route, type Surface, type SurfaceContext } from '../surface.ts';

/** The confirmation pages at `/confirm/{id}`. */
export async function openConfirmPages(context: SurfaceContext): Promise<Surface> {
  const { config, runtime, attempts, pairing, oauth, url } = context;
  return {
    name: 'pages',
    routes: confirmRoutes({
      ...runtime,
      gate: async () => runtime.gate,
      batches: async () => runtime.batches,
      ...{ config, attempts, pairing, flow: oauth?.flow },
    }),
    lines: await approverLines(config, pairing, url, process.stderr.isTTY === true),
  };
}

export interface ConfirmRouteOptions {
  config: Config;
  gate: () => Promise<Gate>;
  batches: () => Promise<Batches>;
  attempts: Attempts;
  pairing: Pairing;
  seal: Seal;
  clock: Clock;
  /** The sign-in with the OAuth issuer; undefined without one. */
  flow: AuthorizationFlow | undefined;
}

export function confirmRoutes({
  config,
  gate,
  batches,
  attempts,
  pairing,
  seal,
  clock,
  flow,
}: ConfirmRouteOptions): Route[] {
  const sessions = sessionsOf(config, pairing, attempts);
  const page = new ConfirmPage({
    gate,
    batches,
    sessions,
    // Derived from the sealing key: a form that one process made may be sent to another.
    csrf: seal.mac('forms of the confirmation pages'),
    publicUrl: config.PUBLIC_URL,
    issuer: flow?.issuer,
    demo: config.demo,
  });
  const secure = config.PUBLIC_URL?.startsWith('https:') ?? false;
  const signIn = flow && new OAuthSignIn({ flow, sessions, seal, clock, secure });
  const oauthRoutes = [BEGIN_PATH, RETURN_PATH].map((path) => ({ path, methods: ['GET'], access: 'page' as const }));
  return [
    ...(signIn ? oauthRoutes.map((route): Route => ({ ...route, handle: signIn.handle.bind(signIn) })) : []),
    {
      path: '/confirm',
      below: true,
      methods: [...READ, 'POST'],
      access: 'page',
      handle: (request, response, path) => {
        const match = /^\/confirm(?:\/([\w-]+))?$/.exec(path);
        return match !== null && page.handle(request, response, match[1]);
      },
    },
  ];
}
