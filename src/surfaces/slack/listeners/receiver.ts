import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../../lib/clock.ts';
import type { Log } from '../types.ts';
import type { Seen } from './seen.ts';

type Body = Record<string, unknown>;
/** Handles one checked request. Answers through `ack`, once. */
export type Process = (event: {
  body: Body;
  retryNum?: number;
  retryReason?: string;
  ack: (response?: unknown) => Promise<void>;
}) => Promise<void>;

const MAX_BYTES = 1_048_576;
/** What is read and thrown away of a body that is too large. */
const MAX_DRAINED = 16 * MAX_BYTES;
const MAX_AGE_S = 300;
const SEEN_MS = 2 * MAX_AGE_S * 1000;

/** Slack's requests over HTTP on a server of somebody else's: signature, age, size, replays and sense are checked here. */
export function createReceiver(options: { secret: string; clock: Clock; log: Log; seen: Seen; process: Process }) {
  const { secret, clock, log } = options;
  if (secret === '') throw new Error('SLACK_SIGNING_SECRET is empty: anybody could sign with it');
  /** True the first time. What is older than a signature may be is forgotten. */
  const fresh = (key: string): boolean => options.seen.first(key, SEEN_MS);

  function genuine(raw: Buffer, timestamp: string, signature: string): boolean {
    if (!/^\d{1,12}$/.test(timestamp)) return false;
    if (Math.abs(clock.now() / 1000 - Number(timestamp)) > MAX_AGE_S) return false;
    const wanted = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(raw).digest();
    const given = /^v0=([0-9a-f]{64})$/.exec(signature)?.[1];
    return given !== undefined && timingSafeEqual(wanted, Buffer.from(given, 'hex'));
  }

  return async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const answer = (status: number, text = '', type = 'text/plain') => {
      if (res.headersSent || res.destroyed) return;
      res.writeHead(status, {
        'content-type': `${type}; charset=utf-8`,
        ...(status === 413 ? { connection: 'close' } : {}),
      });
      res.end(text);
    };
    if (req.method !== 'POST') return answer(405, 'POST only');
    const raw = await readBody(req);
    if (raw === undefined) return answer(413, 'too large');
    const timestamp = one(req.headers['x-slack-request-timestamp']);
    const signature = one(req.headers['x-slack-signature']);
    if (!genuine(raw, timestamp, signature)) return answer(401, 'not signed by Slack, or too old');
    const body = parse(raw.toString('utf8'), one(req.headers['content-type']));
    if (!body || !sensible(body)) return answer(400, 'not a Slack request');
    if (body.ssl_check !== undefined && body.command === undefined) return answer(200);
    if (body.type === 'url_verification')
      return answer(200, JSON.stringify({ challenge: body.challenge }), 'application/json');
    if (!fresh(`${timestamp} ${signature}`)) return answer(200);
    // Slack sends an event again, newly signed, when it heard no answer.
    if (typeof body.event_id === 'string' && !fresh(`event ${body.event_id}`)) return answer(200);

    let acked = false;
    const ack = async (response?: unknown) => {
      if (acked) return;
      acked = true;
      if (response === undefined || response === '') answer(200);
      else if (typeof response === 'string') answer(200, response);
      else answer(200, JSON.stringify(response), 'application/json');
    };
    const retryNum = Number(one(req.headers['x-slack-retry-num']));
    try {
      await options.process({
        body,
        ack,
        ...(retryNum > 0 ? { retryNum, retryReason: one(req.headers['x-slack-retry-reason']) } : {}),
      });
      if (!acked) answer(400, 'nothing here handles this');
    } catch (error) {
      log(
        'error',
        { error: error instanceof Error ? (error.stack ?? error.message) : String(error) },
        'a Slack request failed',
      );
      answer(500, 'failed');
    }
  };
}

function one(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header) ?? '';
}

/** Undefined when it is too large. */
async function readBody(req: IncomingMessage): Promise<Buffer | undefined> {
  if (Number(req.headers['content-length'] ?? 0) > MAX_BYTES) {
    req.resume();
    return undefined;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  // Reading on to the end, so that the sender hears the answer instead of a cut connection; a flood is cut anyway.
  for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_DRAINED) break;
    if (size <= MAX_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (size <= MAX_BYTES) return Buffer.concat(chunks);
  req.resume();
  return undefined;
}

function parse(raw: string, type: string): Body | undefined {
  try {
    if (type.includes('application/json')) return record(JSON.parse(raw));
    const form = Object.fromEntries(new URLSearchParams(raw));
    return form.payload === undefined ? form : record(JSON.parse(form.payload));
  } catch {
    return undefined;
  }
}

function record(value: unknown): Body | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : undefined;
}

/** Whether a body has what its kind must have, so that nothing behind this door meets half a request. */
export function sensible(body: Body): boolean {
  const text = (value: unknown) => typeof value === 'string' && value !== '';
  if (body.ssl_check !== undefined) return true;
  if (body.command !== undefined) {
    return (
      [body.command, body.user_id, body.team_id, body.channel_id].every(text) && typeof (body.text ?? '') === 'string'
    );
  }
  const user = record(body.user);
  switch (body.type) {
    case 'url_verification':
      return text(body.challenge);
    case 'event_callback': {
      const event = record(body.event);
      return text(event?.type) && (event?.type !== 'app_home_opened' || text(event.user));
    }
    case 'block_actions': {
      const [action] = Array.isArray(body.actions) ? body.actions : [];
      return text(user?.id) && text(record(action)?.action_id) && text(record(body.team)?.id ?? user?.team_id);
    }
    case 'block_suggestion':
      return text(user?.id) && text(body.action_id) && text(body.block_id) && typeof body.value === 'string';
    case 'view_submission':
    case 'view_closed':
      return text(user?.id) && text(record(body.view)?.id) && typeof record(body.view)?.callback_id === 'string';
    case 'shortcut':
    case 'message_action':
      return text(user?.id) && text(body.callback_id);
    default:
      return false;
  }
}
