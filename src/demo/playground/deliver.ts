// Carries payloads to the app: signed over HTTP, or as envelopes over Socket Mode, inside Slack's three seconds.

import { createHmac } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Fields } from '../../lib/values.ts';
import { Recent } from './recent.ts';
import type { EnvelopeType, SocketMode } from './socket.ts';
import { KEPT, type State } from './state.ts';
import { parseJson } from './types.ts';

const ACK_MS = 3000;

export interface Delivered {
  deliveryId: string;
  via: 'http' | 'socket' | 'none';
  /** HTTP status; 200 for a socket acknowledgement, 0 if there was no response. */
  status: number;
  body: string;
  /** `body` as JSON; undefined if it is not JSON. */
  json: unknown;
  ackMs: number;
  /** `refused`: Slack's client would not have sent it at all (see `reason`). */
  outcome: 'acked' | 'timeout' | 'failed' | 'refused';
  /** The error that Slack's client shows: `operation_timeout`, `dispatch_failed`, or a sentence. */
  reason?: string | undefined;
  /** The dialog that the person had to accept first. */
  confirm?: Fields | undefined;
  /** Errors shown at the fields after a submit, from Slack's client or from the app. */
  errors?: Record<string, string> | undefined;
  /** The options a typeahead offers. */
  options?: Fields[] | undefined;
}

interface Post {
  status: number;
  body: string;
}

export function sign(secret: string, body: string, seconds: number): Record<string, string> {
  const hex = createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': String(seconds), 'x-slack-signature': `v0=${hex}` };
}

function post(url: string, body: string, headers: Record<string, string>): Promise<Post> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const onAnswer = (res: IncomingMessage) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => resolve({ status: res.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }));
      res.on('error', reject);
    };
    const req = send(url, { method: 'POST', agent: false, headers }, onAnswer);
    req.on('error', reject);
    req.end(body);
  });
}

export interface DelivererOptions {
  state: State;
  sockets: SocketMode;
  requestUrl(): string | undefined;
  signingSecret: string;
  /** Unix ms for the signature's timestamp; the app compares it with its own clock. */
  signatureTime(): number;
}

export type Parcel = { type: EnvelopeType; payload: Fields } & ({ form: Record<string, string> } | { json: Fields });

export interface Deliverer {
  send(parcel: Parcel, extraHeaders?: Record<string, string>): Promise<Delivered>;
  raw(body: string, headers: Record<string, string>): Promise<Delivered>;
  replay(deliveryId: string): Promise<Delivered>;
  /** Deliveries in order. An answer that came too late is in `late`. */
  log: Recent<Delivered & { kind: string; late?: Post }>;
}

export function createDeliverer(options: DelivererOptions): Deliverer {
  const { state, sockets } = options;
  type Entry = Delivered & { kind: string; late?: Post };
  const log: Deliverer['log'] = new Recent<Entry>(KEPT.calls);
  const again = new Map<string, () => Promise<Delivered>>();
  const replayable = new Recent<string>(KEPT.calls);
  const remember = (id: string, run: () => Promise<Delivered>) => {
    again.set(id, run);
    again.delete(replayable.push(id) ?? '');
  };

  const race = async (
    kind: string,
    id: string,
    via: 'http' | 'socket',
    run: () => Promise<Post>,
  ): Promise<Delivered> => {
    const start = state.clock.now();
    let handle: unknown;
    const deadline = new Promise<'timeout'>((resolve) => {
      handle = state.clock.setTimeout(() => resolve('timeout'), ACK_MS);
    });
    const answered = run().then(
      (got) => ({ ...got, failed: '' }),
      (error: unknown) => ({ status: 0, body: '', failed: error instanceof Error ? error.message : String(error) }),
    );
    const first = await Promise.race([answered, deadline]);
    state.clock.clearTimeout(handle);
    const ackMs = state.clock.now() - start;
    const base = { deliveryId: id, via, ackMs, kind };
    if (first === 'timeout' || ackMs > ACK_MS) {
      const entry: Entry = {
        ...base,
        status: 0,
        body: '',
        json: undefined,
        outcome: 'timeout',
        reason: 'operation_timeout',
      };
      log.push(entry);
      answered.then(({ status, body }) => Object.assign(entry, { late: { status, body } })).catch(() => undefined);
      return entry;
    }
    state.sentByApp.push({ at: state.clock.now(), origin: `ack of ${kind}`, raw: first.body, text: first.body });
    const ok = first.failed === '' && first.status >= 200 && first.status < 300;
    const entry: Entry = {
      ...base,
      status: first.status,
      body: first.body,
      json: parseJson(first.body),
      outcome: ok ? 'acked' : 'failed',
      reason: ok ? undefined : first.failed === '' ? 'dispatch_failed' : `dispatch_failed: ${first.failed}`,
    };
    log.push(entry);
    return entry;
  };

  const overHttp = (kind: string, url: string, raw: string, headers: Record<string, string>): Promise<Delivered> => {
    const id = state.id('dlv');
    state.sentToApp.push({ at: state.clock.now(), deliveryId: id, via: 'http', headers, raw });
    remember(id, () => overHttp(kind, url, raw, headers));
    return race(kind, id, 'http', () => post(url, raw, headers));
  };

  const overSocket = (kind: string, type: EnvelopeType, payload: Fields): Promise<Delivered> => {
    const id = state.id('dlv');
    state.sentToApp.push({
      at: state.clock.now(),
      deliveryId: id,
      via: 'socket',
      headers: {},
      raw: JSON.stringify(payload),
    });
    remember(id, () => overSocket(kind, type, payload));
    return race(kind, id, 'socket', async () => {
      const answer = await sockets.deliver(type, payload);
      const empty = answer === undefined || (typeof answer === 'object' && Object.keys(answer ?? {}).length === 0);
      return { status: 200, body: empty ? '' : JSON.stringify(answer) };
    });
  };

  const target = (): string => {
    const url = options.requestUrl();
    if (!url) throw new Error('nothing to deliver to: set requestUrl or connect over Socket Mode');
    return url;
  };

  return {
    log,
    send(parcel, extra = {}) {
      const kind = String(parcel.payload.type ?? parcel.payload.command ?? parcel.type);
      if (sockets.connections() > 0) return overSocket(kind, parcel.type, parcel.payload);
      const isForm = 'form' in parcel;
      const raw = isForm ? new URLSearchParams(parcel.form).toString() : JSON.stringify(parcel.json);
      const headers = {
        'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
        'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
        ...sign(options.signingSecret, raw, Math.floor(options.signatureTime() / 1000)),
        ...extra,
      };
      return overHttp(kind, target(), raw, headers);
    },
    raw: (body, headers) => overHttp('raw', target(), body, headers),
    replay(deliveryId) {
      const run = again.get(deliveryId);
      if (!run) throw new Error(`there was no delivery ${deliveryId}`);
      return run();
    },
  };
}
