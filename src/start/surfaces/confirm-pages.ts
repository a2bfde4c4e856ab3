import type { Gate } from '../../gate/gate.ts';
import type { Seal } from '../../ledger/seal.ts';
import type { Attempts } from '../../lib/attempts.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import { ConfirmPage } from '../../surfaces/web/confirm.ts';
import type { Pairing } from '../../surfaces/web/pairing.ts';
import { sessionsOf } from '../../surfaces/web/session.ts';
import { type AuthorizationFlow, OAuthSignIn } from '../../surfaces/web/sign-in.ts';
import { approverLines } from '../approver-text.ts';
import type { Route, Surface, SurfaceContext } from '../surface.ts';

/** The confirmation pages at `/confirm/{id}`. */
export async function openConfirmPages(context: SurfaceContext): Promise<Surface> {
  const { config, runtime, attempts, pairing, oauth, url } = context;
  return {
    name: 'pages',
    routes: [
      confirmRoute({ ...runtime, gate: async () => runtime.gate, config, attempts, pairing, flow: oauth?.flow }),
    ],
    lines: await approverLines(config, pairing, url, process.stderr.isTTY === true),
  };
}

export interface ConfirmRouteOptions {
  config: Config;
  gate: () => Promise<Gate>;
  attempts: Attempts;
  pairing: Pairing;
  seal: Seal;
  clock: Clock;
  /** The sign-in with the OAuth issuer; undefined without one. */
  flow: AuthorizationFlow | undefined;
}

export function confirmRoute({ config, gate, attempts, pairing, seal, clock, flow }: ConfirmRouteOptions): Route {
  const sessions = sessionsOf(config, pairing, attempts);
  const page = new ConfirmPage({
    gate,
    sessions,
    // Derived from the sealing key: a form that one process made may be sent to another.
    csrf: seal.mac('forms of the confirmation pages'),
    publicUrl: config.PUBLIC_URL,
    issuer: flow?.issuer,
    demo: config.demo,
  });
  const secure = config.PUBLIC_URL?.startsWith('https:') ?? false;
  const signIn = flow && new OAuthSignIn({ flow, sessions, seal, clock, secure });
  return {
    path: '/confirm',
    access: 'page',
    handle: async (request, response, path) => {
      if (await signIn?.handle(request, response, path)) return true;
      const match = /^\/confirm(?:\/([\w-]+))?$/.exec(path);
      if (!match) return false;
      await page.handle(request, response, match[1]);
      return true;
    },
  };
}
