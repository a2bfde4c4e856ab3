import type { Running } from './process.ts';
import { type Json, postMcp, until } from './world.ts';

/* Messages of MCP clients as they are sent over HTTP, and over the streams of a process. */

export const rpc = (method: string, params: object = {}, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });

export const callOf = (name: string, input: unknown, id?: unknown) => rpc('tools/call', { name, arguments: input }, id);

/** The first message of a client of the older protocol. */
export const initialize = (capabilities: object = {}, protocolVersion = '2025-06-18') =>
  rpc('initialize', { protocolVersion, capabilities, clientInfo: { name: 'raw', version: '1' } });

/** What each request of the newer protocol says of its client. */
export const MODERN = '2026-07-28';
export const metaOf = (capabilities: object = {}) => ({
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});

/** Opens a session at `/mcp` of this server, and returns the header that names it. */
export async function openSession(url: string, message: object = initialize(), headers: Record<string, string> = {}) {
  const opened = await postMcp(url, message, headers);
  await opened.text();
  return { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
}

/** The message in the text of an answer, which may be the event of a stream. */
export const messageIn = (text: string): Json => JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);

/** The messages that a process has written. Each line must be one. */
export const written = ({ out }: Running): Json[] =>
  out()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** What a process answers to the request with this id. */
export const answerTo = (process: Running, id: unknown): Promise<Json> =>
  until(() => written(process).find((message) => message.id === id && !message.method), `an answer to ${id}`);

/** Sends a request to a process, and resolves to the answer. */
export function request(process: Running, message: { id: unknown }): Promise<Json> {
  process.write(message);
  return answerTo(process, message.id);
}

/** Begins a session with a process, and resolves to the answer. */
export async function begin(process: Running, capabilities?: object): Promise<Json> {
  const opened = await request(process, initialize(capabilities));
  process.write({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return opened;
}
