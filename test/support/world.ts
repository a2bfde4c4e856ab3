import { createServer } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type CallToolResult,
  type ElicitRequest,
  ElicitRequestSchema,
  type ElicitResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { ErrorFace } from '../../src/language/outcome.ts';
import type { Actor } from '../../src/lib/actor.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { createAttempts, createBearers } from '../../src/lib/http.ts';
import { createRouter } from '../../src/start/listener.ts';
import { loadOAuth } from '../../src/start/oauth/index.ts';
import { openRuntime, type Runtime, type RuntimeOptions } from '../../src/start/runtime.ts';
import type { Route, SurfaceContext } from '../../src/start/surface.ts';
import { confirmRoutes } from '../../src/start/surfaces/confirm-pages.ts';
import { createMcp, openOAuthMetadata } from '../../src/start/surfaces/index.ts';
import { runCall, runSettle } from '../../src/surfaces/cli/call.ts';
import { createPairing } from '../../src/surfaces/web/session.ts';
import { tools } from '../../tools/index.ts';
import { FastClock } from './clock.ts';
import { atEnd, listen } from './ending.ts';
import { makeFolder } from './folder.ts';
import { HeldTime } from './held-time.ts';
import { isOnPostgres } from './ledger.ts';
import { controlSandbox, onSandbox, openSandbox, sentTo } from './on-sandbox.ts';
import { confirm, pairBrowser } from './page.ts';
import { makeSchema } from './stores.ts';
import { streams } from './streams.ts';
import { until } from './until.ts';
import { sharedValidator } from './validator.ts';

export { until };

/** The JSON of an answer, untyped because its shape is what a test checks. */
export type Json = ReturnType<typeof JSON.parse>;

export interface ClientOptions {
  /** Answers the server's questions to the client's person. If left out, the client says that it cannot ask. */
  person?: (request: ElicitRequest) => Promise<ElicitResult> | ElicitResult;
  /** Overrides the elicitation capability the client states. */
  elicitation?: Record<string, unknown>;
  token?: string;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/**
 * A platform, everything behind the surfaces, and the part of `switchboard start` that assistants and people see. It is
 * closed after the test that opens it, or after all tests of a file. `env`: more settings, which may need the address.
 */
export async function openWorld(
  env: Record<string, string> | ((url: string) => Record<string, string>) = {},
  clock: Clock = systemClock,
  serves?: RuntimeOptions['serves'],
) {
  // A wait that ends at once is over for the platform too.
  const platformTime = new HeldTime(clock instanceof FastClock ? () => clock.now() : undefined);
  const sandbox = await openSandbox({ clock: platformTime });
  const folder = makeFolder();
  const server = createServer();
  const url = await listen(server);
  const config = loadConfig({
    ...onSandbox(sandbox.url),
    PLATFORM_REQUESTS_PER_MINUTE: '100000',
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    ...(typeof env === 'function' ? env(url) : env),
  });
  const database = isOnPostgres ? await makeSchema() : undefined;
  const logged: string[] = [];
  const writeLog = (line: string) => void logged.push(line);
  const options = { clock, pages: url, writeLog, ...(serves && { serves }) };
  const runtime: Runtime = await openRuntime({ ...config, DATABASE_URL: database?.url }, options);
  const attempts = createAttempts(clock, runtime.log);
  const oauth = await loadOAuth(config, { url, clock, log: runtime.log });
  const bearers = createBearers(config, attempts, oauth);
  const mcp = createMcp({ config, runtime, bearers, surfaces: [] });
  const pairing = createPairing(runtime.store, runtime.seal);
  const routes: Route[] = [
    { path: '/mcp', access: 'local', handle: (request, response) => mcp.handle(request, response) },
    ...confirmRoutes({ ...runtime, runtime: async () => runtime, oauth, config, attempts, pairing }),
    ...(openOAuthMetadata({ oauth, config } as SurfaceContext)?.routes ?? []),
  ];
  const hosts = config.MCP_ALLOWED_HOSTS;
  const router = createRouter({ config, surfaces: [{ name: 'world', routes }], hosts, bearers, log: runtime.log });
  server.on('request', (request, response) => void router.handle(request, response));
  // The test is the person at this computer, in a browser that is paired.
  if (config.local) await pairBrowser(`${url}/confirm?key=${await pairing.makeKey()}`);
  const clients: Client[] = [];

  let shared: Promise<Client> | undefined;
  /** A new client with options, or the one client without any, because each lists all tools when it connects. */
  async function client(options?: ClientOptions): Promise<Client> {
    if (options) return connect(options);
    shared ??= connect({});
    return shared;
  }

  async function connect(options: ClientOptions): Promise<Client> {
    const elicitation = options.elicitation ?? (options.person ? {} : undefined);
    const capabilities = { ...(elicitation && { elicitation }) };
    const made = new Client({ name: 'test', version: '1' }, { capabilities, jsonSchemaValidator: sharedValidator });
    const { person } = options;
    if (person) made.setRequestHandler(ElicitRequestSchema, (request) => person(request));
    const headers = options.token === undefined ? {} : { authorization: `Bearer ${options.token}` };
    await made.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }) as never);
    // The SDK's client checks structuredContent against the output schemas it has listed.
    await made.listTools();
    clients.push(made);
    return made;
  }

  const control = (path: string, body?: unknown): Promise<Json> => controlSandbox(sandbox.url, path, body);

  atEnd(async () => {
    await Promise.allSettled(clients.map((made) => made.close()));
    await mcp.close();
    server.close();
    server.closeAllConnections();
    await runtime.close();
    await database?.drop();
  });
  return {
    url,
    server,
    config,
    folder,
    sandbox,
    runtime,
    /** Lines of the log, as JSON. There are none without LOG_LEVEL. */
    logged,
    sessions: () => mcp.sessions(),
    client,
    control,
    /** Calls a tool that must wait for a person, and returns the confirmation that its result names. */
    asks: async (name: string, input: Record<string, unknown>, from?: Client): Promise<Json> =>
      value(await call(from ?? (await client()), name, input)).confirmation,
    /** What a client learns of a call that it made. */
    follows: async (id: string, from?: Client): Promise<Json> =>
      value(await call(from ?? (await client()), 'confirmations_get', { id })),
    /** A link that pairs one more browser. */
    link: async (path = '/confirm') => `${url}${path}?key=${await pairing.makeKey()}`,
    state: () => control('state'),
    /** Requests that reached the platform, the newest last. */
    requests: () => control('requests') as Promise<{ method: string; path: string; status: number }[]>,
    sent: (path: string) => sentTo(sandbox.url, path),
    reset: () => control('reset', { keepTokens: true }),
    /** The platform as it was seeded, without a limit of its own, and no action open that counts as a repeat. */
    afresh: async () => {
      const open = `UPDATE actions SET state = 'failed' WHERE state IN ('pending', 'unknown')`;
      await runtime.store.database('ledger').run(open);
      await control('reset', { keepTokens: true });
      await control('settings', { requestsPerMinute: 100_000 });
    },
    /** What a person does at a terminal, with their yes, even if it was done before. */
    person: async (operation: string, input: Record<string, unknown>): Promise<Json> => {
      const ran = await cli(runtime, [operation, '--json', JSON.stringify(input), '--yes', '--again'], 'approver');
      if (ran.code !== 0) throw new Error(`${operation} ${JSON.stringify(input)}: ${ran.err}`);
      return ran.json();
    },
    /** Ends answers of the platform that hang for this many ms, once there is one. */
    answerNow: (ms: number) => until(() => platformTime.end(ms) > 0, `an answer hangs for ${ms} ms`),
    cli: (args: string[], role: Actor['role'] = 'approver') => cli(runtime, args, role),
    /** `switchboard settle`, in the same way. */
    settle: (args: string[], role: Actor['role'] = 'approver') => cli(runtime, args, role, runSettle),
  };
}

/** `switchboard call` in this process, on a door that is open already; neither stream is a terminal. */
async function cli(runtime: Runtime, args: string[], role: Actor['role'], run = runCall) {
  const { stdin, stdout, stderr, said } = streams();
  // Secrets are taken from standard input only.
  const at = args.indexOf('--json') + 1;
  const json = at > 0 ? args[at] : undefined;
  stdin.end(json);
  const given = json === undefined ? args : args.with(at, '-');
  const code = await run(given, {
    tools,
    openDoor: async () => ({ gate: runtime.gate, close: async () => undefined }),
    stdin,
    stdout,
    stderr,
    actor: { id: 'cli:ana', name: 'ana', role, surface: 'cli', priority: 'person' },
  });
  return {
    code,
    ...said,
    json: () => JSON.parse(said.out) as Json,
    // A call that needs --yes shows its change before the error.
    error: () => JSON.parse(said.err.slice(said.err.indexOf('{\n  "error"'))).error as ErrorFace,
  };
}

/** One tool call, as the protocol answers it. */
export async function call(client: Client, name: string, input: Record<string, unknown> = {}): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: input })) as CallToolResult;
}

export const value = (result: CallToolResult): Json => result.structuredContent;

/** Everything that a result says in words. */
export const texts = ({ content }: CallToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

/** Returns the error's face, and checks it against the contract for failures. */
export function face(result: CallToolResult): ErrorFace {
  const found = result._meta?.['switchboard/error'] as ErrorFace | undefined;
  if (!result.isError || !found) throw new Error(`not an error: ${JSON.stringify(result).slice(0, 500)}`);
  if (result.structuredContent !== undefined) throw new Error('a failure must not carry structuredContent');
  if (found.outcome !== 'not_done' && found.outcome !== 'unknown') throw new Error('a failure says its outcome');
  const [first] = result.content;
  if (first?.type !== 'text' || !first.text.includes(`(${found.code})`)) throw new Error('the sentence names the code');
  return found;
}

/** The id by which a call whose outcome is unknown is followed. Its error names it. */
export function followUpId(error: ErrorFace): string {
  const id = /id (act_[\w-]+)/.exec(error.message)?.[1];
  if (error.outcome !== 'unknown' || id === undefined) throw new Error(`no outcome to follow: ${error.message}`);
  return id;
}

/** Makes a call whose outcome stays open, and returns the id by which it is followed. */
export async function lose(client: Client, name: string, input: Record<string, unknown>): Promise<string> {
  return followUpId(face(await call(client, name, input)));
}

/** Confirms a change on its page and returns its result. */
export async function confirmed(client: Client, name: string, input: Record<string, unknown>): Promise<Json> {
  const { confirmation } = value(await call(client, name, input));
  await confirm(confirmation.url);
  const { status, result, error } = value(await call(client, 'confirmations_get', { id: confirmation.id }));
  if (status !== 'done') throw new Error(`${name} is ${status}: ${JSON.stringify(error)}`);
  return result;
}

/** Sends a message to `/mcp` of this server as JSON, or a text as it is. */
export const postMcp = (url: string, message: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });

/** A world with other settings. */
export async function within<T>(env: Record<string, string>, run: (world: World) => Promise<T>): Promise<T> {
  return run(await openWorld(env));
}
