import type { Config } from '../../lib/config.ts';
import { readOrElse } from '../../store/key-values.ts';
import { ConfirmPage } from '../../surfaces/web/confirm.ts';
import {
  BEGIN_PATH,
  createSessions,
  createSignIn,
  type Pairing,
  pairingLink,
  RETURN_PATH,
} from '../../surfaces/web/session.ts';
import type { Runtime } from '../runtime.ts';
import { READ, type RequestHandler, type Route, type Surface, type SurfaceContext } from '../surface.ts';

/** The confirmation pages at `/confirm/{id}`. */
export async function openConfirmPages(context: SurfaceContext): Promise<Surface> {
  const { config, runtime, pairing, url } = context;
  const { seal, clock } = runtime;
  return {
    name: 'pages',
    routes: confirmRoutes({ ...context, seal, clock, runtime: async () => runtime }),
    lines: await approverLines(config, pairing, url),
  };
}

interface PageContext
  extends Pick<SurfaceContext, 'config' | 'attempts' | 'pairing' | 'oauth'>,
    Pick<Runtime, 'seal' | 'clock'> {
  /** Opened when it is first used. */
  runtime: () => Promise<Pick<Runtime, 'gate' | 'batches'>>;
}

export function confirmRoutes({ config, runtime, attempts, pairing, seal, clock, oauth }: PageContext): Route[] {
  const sessions = createSessions(config, pairing, attempts);
  // Derived from the sealing key: a form that one process made may be sent to another.
  const csrf = seal.mac('forms of the confirmation pages');
  const page = new ConfirmPage({ config, runtime, sessions, csrf, issuer: oauth?.issuer });
  const signIn = oauth && createSignIn(oauth, { config, sessions, seal, clock });
  const handle: RequestHandler = (request, response, path) => {
    const match = /^\/confirm(?:\/([\w-]+))?$/.exec(path);
    return match !== null && page.handle(request, response, match[1]);
  };
  const signInRoute = (path: string): Route[] =>
    signIn ? [{ path, methods: ['GET'], access: 'page', handle: signIn }] : [];
  return [
    ...[BEGIN_PATH, RETURN_PATH].flatMap(signInRoute),
    { path: '/confirm', below: true, methods: [...READ, 'POST'], access: 'page', handle },
  ];
}

/**
 * Returns lines of the start-up text that say how a person becomes an approver on the confirmation page. The link
 * carries a key, so it is only written to a terminal, where a person reads it. A log, or an assistant that started this
 * process, must not learn it.
 */
async function approverLines(config: Config, pairing: Pairing, url: string): Promise<string[]> {
  if (!config.local) {
    const approvers = config.MCP_HTTP_TOKENS.filter(({ role }) => role === 'approver').map(({ name }) => name);
    const ways = [
      ...(approvers.length > 0 ? [`with the token of ${approvers.join(' or ')}`] : []),
      ...(config.MCP_OAUTH_ISSUER === undefined ? [] : [`at ${new URL(config.MCP_OAUTH_ISSUER).host}`]),
    ];
    return ways.length > 0
      ? [`  Confirmations  ${url}/confirm, signed in ${ways.join(' or ')}`]
      : ['  Confirmations  nobody can sign in on the page: MCP_HTTP_TOKENS names no approver'];
  }
  if (process.stderr.isTTY !== true)
    return ['  Confirmations  to pair a browser with this computer, run: switchboard key'];
  const key = await readOrElse(pairing.makeKey(), undefined);
  if (key === undefined) return ['  Confirmations  the database is away; once it is back, run: switchboard key'];
  return [
    '  Confirmations  this link makes a browser the approver of this computer; it works once, for ten minutes:',
    `                 ${pairingLink(url, key)}`,
  ];
}
