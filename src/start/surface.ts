import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Assistant } from '../assistant/assistant.ts';
import type { EventFeed } from '../events/service.ts';
import type { Config } from '../lib/config.ts';
import type { Attempts, Bearers, Metric } from '../lib/http.ts';
import type { Slackbot } from '../surfaces/mcp/protocol.ts';
import type { Pairing } from '../surfaces/web/session.ts';
import type { OAuth } from './oauth/issuer.ts';
import type { Runtime } from './runtime.ts';

/**
 * The callers that may request a route.
 * - `open`: callers from elsewhere that bring credentials, such as Slack and the platform.
 * - `local`: any caller whose Host and Origin are accepted; the surface checks who it is.
 * - `page`: as `local`, and forms of local files, whose Origin is `null`; the surface checks where a form comes from.
 * - `demo`: pages of this server in a browser on this computer.
 * - `observer`: any valid token once tokens are set, otherwise this computer.
 */
export type Access = 'open' | 'local' | 'page' | 'demo' | 'observer';

/** Answers a request. If it returns false, the request is answered with 404. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse, path: string) => unknown;

/** The methods of an address that is only read. */
export const READ = ['GET', 'HEAD'];

export interface Route {
  path: string;
  /** Matches the paths below this one too. */
  below?: true;
  /** Other methods are refused. If left out, the handler checks the method. */
  methods?: readonly string[];
  access: Access;
  handle: RequestHandler;
}

/** A part of `switchboard start`: Slack, MCP over HTTP, the confirmation pages, the platform's events. */
export interface Surface {
  /** Names the surface in `/readyz`. */
  readonly name: string;
  readonly routes?: readonly Route[];
  /** Shows the platform's events to people. */
  readonly feed?: EventFeed | undefined;
  /** Lets Slack's own assistant call tools over MCP. */
  readonly slackbot?: Slackbot | undefined;
  /** Lines of the start-up text. */
  readonly lines?: readonly string[];
  /** The address that a person opens first. */
  readonly link?: string;
  /** The path that `/` redirects to. */
  readonly home?: string;
  /** Takes over a connection, with the access `demo`. Returns false if the connection is not its own. */
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Does once what its first callers would wait for. `/readyz` says no until then, or until two seconds have passed. */
  warmUp?(): Promise<void>;
  /** Rejects with the reason while the surface cannot do its work. */
  ready?(): Promise<void>;
  metrics?(): Metric[] | Promise<Metric[]>;
  /** Forgets what it has shown, when the demo's sandbox begins again. */
  forget?(): Promise<void>;
  /** Answers the calls that wait for a person, before the process stops. */
  stop?(): void;
  close?(): Promise<void>;
}

/** The settings and shared objects with which a surface is opened. */
export interface SurfaceContext {
  config: Config;
  runtime: Runtime;
  /** The address of this server as others reach it, without a slash at its end. */
  url: string;
  port: number;
  /** Counts wrong credentials over all surfaces. */
  attempts: Attempts;
  /** Identifies callers without a session in a browser. */
  bearers: Bearers;
  /** Undefined without MCP_OAUTH_ISSUER. */
  oauth: OAuth | undefined;
  /** The browsers that are paired with this computer. */
  pairing: Pairing;
  /** Answers plain words, with or without a model. */
  assistant: Assistant;
  /** The surfaces opened so far, in order; complete once the server answers requests. */
  surfaces: readonly Surface[];
}
