import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as TransportV1 } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type CallToolResult,
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Json } from '../../support/world.ts';

/** The place of a server: its address and a bearer token, or the command that starts it. */
export type Place =
  | { kind: 'http'; url: string; token: string }
  | { kind: 'stdio'; command: string; args: string[]; env: Record<string, string>; cwd: string };

/** A question of the server to the client's user. */
export interface Asked {
  mode: 'form' | 'url';
  message: string;
  url?: string;
}

export interface Wants {
  /** The elicitation capability that the client states; left out, it states none. */
  elicitation?: { form?: Record<string, never>; url?: Record<string, never> };
  /** The user's answer. */
  person?: (asked: Asked) => Promise<'accept' | 'decline' | 'cancel'>;
}

/** One connected client, whichever library it is of. */
export interface Connected {
  era: 'legacy' | 'modern';
  list(): Promise<string[]>;
  call(name: string, input: Json, options?: CallOptions): Promise<CallToolResult>;
  read(uri: string): Promise<Json>;
  /** Subscribes to a resource. `told` is called for every change of it. */
  subscribe(uri: string, told: (uri: string) => void): Promise<void>;
  /** Addresses whose question was reported as decided. Older protocol only. */
  completed(): number;
  close(): Promise<void>;
}

interface CallOptions {
  signal?: AbortSignal;
  onprogress?: (progress: { message?: string | undefined }) => void;
}

export type Connect = (place: Place, wants?: Wants) => Promise<Connected>;

const answer = async (params: Json, person: Wants['person']) => {
  const { mode = 'form', message, url } = params;
  const action = (await person?.({ mode, message, url })) ?? 'cancel';
  return action === 'accept' && mode === 'form' ? { action, content: {} } : { action };
};

/** The JSON in a resource. */
const textOf = (content: object | undefined): Json =>
  JSON.parse(content && 'text' in content ? String(content.text) : '');

const bearer = (place: { token: string }) => ({ requestInit: { headers: { authorization: `Bearer ${place.token}` } } });

/** A client of the SDK's first line. */
export function first(fetch?: typeof globalThis.fetch): Connect {
  return async (place, { elicitation, person } = {}) => {
    const client = new ClientV1({ name: 'first', version: '1' }, { capabilities: elicitation ? { elicitation } : {} });
    let completed = 0;
    if (elicitation) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params, person));
    client.setNotificationHandler(ElicitationCompleteNotificationSchema, () => {
      completed += 1;
    });
    const transport =
      place.kind === 'http'
        ? new HttpV1(new URL(`${place.url}/mcp`), { ...bearer(place), ...(fetch ? { fetch } : {}) })
        : new StdioV1({ command: place.command, args: place.args, env: place.env, cwd: place.cwd, stderr: 'ignore' });
    await client.connect(transport as TransportV1);
    return {
      era: 'legacy',
      list: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, input, options) =>
        (await client.callTool({ name, arguments: input }, undefined, options)) as CallToolResult,
      read: async (uri) => textOf((await client.readResource({ uri })).contents[0]),
      subscribe: async (uri, told) => {
        client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => told(params.uri));
        await client.subscribeResource({ uri });
      },
      completed: () => completed,
      close: () => client.close(),
    };
  };
}

/** A client of the SDK's second line, in one of its modes. */
export function second(mode: 'legacy' | 'auto' | { pin: string }, fetch?: typeof globalThis.fetch): Connect {
  return async (place, { elicitation, person } = {}) => {
    const client = new ClientV2(
      { name: 'second', version: '1' },
      { capabilities: elicitation ? { elicitation } : {}, versionNegotiation: { mode } },
    );
    let completed = 0;
    if (elicitation) client.setRequestHandler('elicitation/create', ({ params }) => answer(params, person));
    client.setNotificationHandler('notifications/elicitation/complete', () => {
      completed += 1;
    });
    const transport: Transport =
      place.kind === 'http'
        ? new HttpV2(new URL(`${place.url}/mcp`), { ...bearer(place), ...(fetch ? { fetch } : {}) })
        : new StdioV2({ command: place.command, args: place.args, env: place.env, cwd: place.cwd, stderr: 'ignore' });
    await client.connect(transport);
    const era = client.getProtocolEra() ?? 'legacy';
    return {
      era,
      list: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, input, options) =>
        (await client.callTool({ name, arguments: input }, options)) as CallToolResult,
      read: async (uri) => textOf((await client.readResource({ uri })).contents[0]),
      subscribe: async (uri, told) => {
        client.setNotificationHandler('notifications/resources/updated', ({ params }) => told(params.uri));
        if (era === 'legacy') await client.subscribeResource({ uri });
        else await client.listen({ resourceSubscriptions: [uri] });
      },
      completed: () => completed,
      close: () => client.close(),
    };
  };
}

/** Fetches without ever naming a session, as clients that do not keep one. */
export const withoutSession: typeof globalThis.fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  headers.delete('mcp-session-id');
  // Only a session has a stream.
  if (init?.method === 'GET') return new Response(null, { status: 405 });
  return fetch(input, { ...init, headers });
};
