// Socket Mode's server: hello, envelopes, acknowledgements, and disconnects on demand.

import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Fields, isRecord } from '../../lib/values.ts';
import { IDS, type State } from './state.ts';
import { parseJson } from './types.ts';

const MAX_CONNECTIONS = 10;
/** Maximum size of a frame. Slack's envelopes are far smaller. */
const MAX_FRAME_BYTES = 1_000_000;
const PING_MS = 10_000;
export type EnvelopeType = 'slash_commands' | 'interactive' | 'events_api';
type DisconnectReason = 'warning' | 'refresh_requested' | 'link_disabled' | 'too_many_websockets';

export interface SocketMode {
  /** Creates an address that can be used once, for apps.connections.open. */
  ticket(): string;
  handleUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  connections(): number;
  /** Sends one envelope over any connection; resolves with the acknowledged payload. */
  deliver(type: EnvelopeType, payload: Fields, envelopeId?: string): Promise<unknown>;
  /** Asks every client to disconnect, as Slack does when it recycles a server. */
  disconnect(reason?: DisconnectReason): void;
  /** Ends every connection with a close frame; cuts the ones that do not answer it. */
  close(): Promise<void>;
}

export function createSocketMode(state: State, path: string): SocketMode {
  const tickets = new Set<string>();
  const open: WebSocket[] = [];
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES });
  const waiting = new Map<string, (payload: unknown) => void>();
  let turn = 0;

  const heard = (text: string) => {
    state.sentByApp.push({ at: state.clock.now(), origin: 'socket', raw: text, text });
    const frame = parseJson(text);
    if (!isRecord(frame) || typeof frame.envelope_id !== 'string') return;
    waiting.get(frame.envelope_id)?.(frame.payload);
    waiting.delete(frame.envelope_id);
  };

  const accept = (client: WebSocket) => {
    client.on('error', () => client.terminate());
    if (open.length >= MAX_CONNECTIONS) {
      client.send(JSON.stringify({ type: 'disconnect', reason: 'too_many_websockets' }));
      client.close();
      return;
    }
    open.push(client);
    // The Socket Mode client measures pings with the real timer, so this timer is real too.
    const beat = setInterval(() => client.ping('Ping from applink'), PING_MS);
    beat.unref();
    client.on('message', (data) => heard(String(data)));
    client.on('close', () => {
      clearInterval(beat);
      open.splice(open.indexOf(client), 1);
      state.changed();
    });
    client.send(
      JSON.stringify({
        type: 'hello',
        num_connections: open.length,
        debug_info: { host: 'playground', approximate_connection_time: 18_060 },
        connection_info: { app_id: IDS.APP },
      }),
    );
    state.changed();
  };

  return {
    ticket() {
      const ticket = randomBytes(16).toString('hex');
      tickets.add(ticket);
      return ticket;
    },
    handleUpgrade(req, socket, head) {
      const url = new URL(req.url ?? '/', 'http://local');
      if (url.pathname !== path) return false;
      if (!tickets.delete(url.searchParams.get('ticket') ?? '')) {
        socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
        return true;
      }
      server.handleUpgrade(req, socket, head, accept);
      return true;
    },
    connections: () => open.length,
    deliver(type, payload, envelopeId = randomUUID()) {
      const target = open[turn++ % open.length];
      if (!target) return Promise.reject(new Error('no Socket Mode connection is open'));
      return new Promise((resolve) => {
        waiting.set(envelopeId, resolve);
        const accepts = type !== 'events_api';
        target.send(JSON.stringify({ envelope_id: envelopeId, type, payload, accepts_response_payload: accepts }));
      });
    },
    disconnect(reason = 'refresh_requested') {
      for (const socket of [...open]) {
        socket.send(JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'playground' } }));
      }
    },
    async close() {
      for (const socket of [...open]) socket.close(1001);
      const cut = setTimeout(() => {
        for (const socket of [...open]) socket.terminate();
      }, 500);
      while (open.length > 0) {
        await new Promise<void>((resolve) => {
          const stop = state.onChange(() => {
            stop();
            resolve();
          });
        });
      }
      clearTimeout(cut);
    },
  };
}
