// The Web API over HTTP: bodies, tokens, scopes, faults, and the response_url addresses.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Fields, isRecord } from '../../lib/values.ts';
import { contentOf, Refusal, structured } from './arguments.ts';
import { MAX_FILE } from './files.ts';
import { METHODS } from './methods.ts';
import { messagePayload } from './payloads.ts';
import { RESPONSE_URL_USES, type State } from './state.ts';
import { type Fault, type Message, objects, parseJson } from './types.ts';

const MAX_BODY = 1_000_000;

export interface ApiOptions {
  state: State;
  botToken: string;
  appToken: string;
  /** Path in front of `/api/` and `/response/`. */
  prefix: string;
  socketUrl(): string;
  /** The address of this server, with the prefix. */
  base(): string;
}

export interface Api {
  handle(req: IncomingMessage, res: ServerResponse): Promise<boolean>;
  /** Makes the next `times` calls of a method (or `response_url`, or `*`) fail. */
  fail(method: string, fault: Fault, times?: number): void;
  clearFaults(): void;
  /** Handles a message that the app sent to a response_url or in an acknowledgement. */
  reply(to: { id: string }, body: Fields, source: 'ack' | 'response_url'): Message | undefined;
}

export async function readBytes(req: IncomingMessage, max: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > max) throw new Error('body too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export async function readBody(req: IncomingMessage): Promise<string> {
  return (await readBytes(req, MAX_BODY)).toString('utf8');
}

/** The content of an uploaded file: the whole body, or the first file of a form. */
async function uploaded(req: IncomingMessage): Promise<Buffer> {
  const body = await readBytes(req, MAX_FILE + 10_000);
  const type = req.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return body;
  const form = await new Response(body, { headers: { 'content-type': type } }).formData();
  const file = [...form.values()].find((value) => typeof value !== 'string');
  return Buffer.from(file instanceof Blob ? await file.arrayBuffer() : new ArrayBuffer(0));
}

function decode(raw: string, type: string, query: URLSearchParams): { args: Fields; text: string } {
  const args: Fields = Object.fromEntries(query);
  if (type.includes('application/json')) {
    const body = parseJson(raw);
    return { args: isRecord(body) ? { ...args, ...body } : args, text: raw };
  }
  const form = Object.fromEntries(new URLSearchParams(raw));
  const text = Object.entries(form)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
  return { args: { ...args, ...form }, text };
}

export function createApi(options: ApiOptions): Api {
  const { state, prefix } = options;
  const faults: { method: string; fault: Fault; times: number }[] = [];

  const takeFault = (method: string, args: Fields = {}): Fault | undefined => {
    const concerns = (fault: Fault) =>
      !('block' in fault) || objects(structured(args.blocks)).some(({ type }) => type === fault.block);
    const fits = (name: string) => name === method || name === '*';
    const found = faults.find(({ method: name, fault, times }) => times > 0 && fits(name) && concerns(fault));
    if (found) found.times--;
    return found?.fault;
  };

  const send = (res: ServerResponse, status: number, body: Fields | string, headers: Record<string, string> = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const type = typeof body === 'string' ? 'text/plain' : 'application/json';
    res.writeHead(status, { 'content-type': `${type}; charset=utf-8`, ...headers });
    res.end(text);
  };

  const later = (ms: number) => new Promise<void>((resolve) => state.clock.setTimeout(resolve, ms));

  /** Plays a fault. Returns undefined if the call should still run. */
  const play = async (fault: Fault, res: ServerResponse): Promise<{ status: number; response: Fields } | undefined> => {
    if ('drop' in fault) {
      res.destroy();
      return { status: 0, response: {} };
    }
    if ('hangMs' in fault) {
      await later(fault.hangMs);
      return undefined;
    }
    if ('lateMs' in fault) return undefined;
    if ('status' in fault) {
      const response: Fields = { ok: false, error: fault.status === 429 ? 'ratelimited' : 'internal_error' };
      const headers: Record<string, string> =
        fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) };
      send(res, fault.status, response, headers);
      return { status: fault.status, response };
    }
    const response = { ok: false, error: fault.error };
    send(res, 200, response);
    return { status: 200, response };
  };

  const answer = (method: string, args: Fields, token: string): Fields => {
    if (method === 'apps.connections.open') {
      if (token === '') return { ok: false, error: 'not_authed' };
      if (token !== options.appToken) return { ok: false, error: 'invalid_auth' };
      return { ok: true, url: options.socketUrl() };
    }
    const entry = METHODS[method];
    if (!entry) return { ok: false, error: 'unknown_method', req_method: method };
    if (token === '') return { ok: false, error: 'not_authed' };
    if (token !== options.botToken) return { ok: false, error: 'invalid_auth' };
    const [needed] = entry.scopes;
    if (needed && !entry.scopes.some((scope) => state.scopes.has(scope))) {
      return { ok: false, error: 'missing_scope', needed, provided: [...state.scopes].join(',') };
    }
    try {
      return { ok: true, ...entry.run(state, args, options.base) };
    } catch (error) {
      if (error instanceof Refusal) return error.answer;
      throw error;
    }
  };

  const call = async (method: string, req: IncomingMessage, res: ServerResponse, query: URLSearchParams) => {
    const raw = await readBody(req);
    const { args, text } = decode(raw, req.headers['content-type'] ?? '', query);
    const bearer = /^Bearer (.+)$/i.exec(req.headers.authorization ?? '')?.[1];
    const token = bearer ?? (typeof args.token === 'string' ? args.token : '');
    const { token: _hidden, ...visible } = args;
    const at = state.clock.now();
    state.sentByApp.push({ at, origin: method, raw, text: text || JSON.stringify(visible) });
    const record = (status: number, response: Fields) => {
      state.calls.push({ at, method, args: visible, status, response, token: token.slice(0, 8) });
    };
    const fault = takeFault(method, args);
    if (fault && 'drop' in fault && fault.afterCommit) record(0, answer(method, args, token));
    const played = fault && (await play(fault, res));
    if (played) return 'drop' in fault && fault.afterCommit ? undefined : record(played.status, played.response);
    const response = answer(method, args, token);
    record(200, response);
    if (fault && 'lateMs' in fault) await later(fault.lateMs);
    const scopes = [...state.scopes].join(',');
    send(res, 200, response, {
      'x-oauth-scopes': scopes,
      'x-accepted-oauth-scopes': METHODS[method]?.scopes.join(',') ?? '',
    });
  };

  const reply: Api['reply'] = (to, body, source) => {
    const entry = state.responseUrls.get(to.id);
    if (!entry) return undefined;
    const original = entry.messageTs ? state.message(entry.messageTs, entry.channel) : undefined;
    if (body.delete_original === true) {
      const others = Object.keys(body).filter((name) => name !== 'delete_original');
      if (others.length > 0) throw new Refusal('invalid_payload', { detail: 'delete_original must stand alone' });
      if (original) state.remove(original);
      return undefined;
    }
    const content = contentOf(state, body);
    if (content.warning) state.warnings.push(`${source}: ${content.warning}`);
    if (body.replace_original === true && original) {
      state.edit(original, content.text, content.blocks ?? []);
      return original;
    }
    if (body.replace_original === true && !original) state.warnings.push(`${source}: replace_original had no original`);
    const threadTs = typeof body.thread_ts === 'string' ? body.thread_ts : entry.threadTs;
    const message = state.post({
      channel: entry.channel,
      text: content.text,
      blocks: content.blocks ?? [],
      threadTs,
      ephemeralTo: body.response_type === 'in_channel' ? undefined : entry.user,
      source,
    });
    // A command has no original message, so its response_url later updates the first message posted through it.
    entry.messageTs ??= message.ts;
    return message;
  };

  const respond = async (id: string, req: IncomingMessage, res: ServerResponse) => {
    const raw = await readBody(req);
    const { args, text } = decode(raw, req.headers['content-type'] ?? 'application/json', new URLSearchParams());
    const body = isRecord(parseJson(raw)) ? (parseJson(raw) as Fields) : args;
    const at = state.clock.now();
    state.sentByApp.push({ at, origin: 'response_url', raw, text });
    const done = (status: number, response: Fields | string) => {
      const shown = typeof response === 'string' ? { text: response } : response;
      state.calls.push({ at, method: 'response_url', args: body, status, response: shown, token: '' });
      send(res, status, response);
    };
    const fault = takeFault('response_url');
    const played = fault && (await play(fault, res));
    if (played) {
      state.calls.push({ at, method: 'response_url', args: body, ...played, token: '' });
      return;
    }
    const entry = state.responseUrls.get(id);
    if (!entry) return done(404, { ok: false, error: 'no_such_url' });
    if (state.clock.now() > entry.expiresAt) return done(404, { ok: false, error: 'expired_url' });
    if (entry.uses >= RESPONSE_URL_USES) return done(404, { ok: false, error: 'used_url' });
    entry.uses++;
    try {
      const message = reply(entry, body, 'response_url');
      done(200, message ? { ok: true, message_ts: messagePayload(message).ts } : { ok: true });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      done(400, error.answer);
    }
  };

  /** Receives the content of a file at its upload address, as Slack's file service does. */
  const receive = async (key: string, req: IncomingMessage, res: ServerResponse) => {
    const data = await uploaded(req);
    if (req.method !== 'POST') return send(res, 405, 'Use POST.');
    if (!state.files.receive(key, data)) return send(res, 400, 'The upload failed.');
    return send(res, 200, `OK - ${data.length}`);
  };

  /** Sends a file to the app. Without the app's token, Slack answers with its page for signing in. */
  const download = (id: string, req: IncomingMessage, res: ServerResponse) => {
    const token = /^Bearer (.+)$/i.exec(req.headers.authorization ?? '')?.[1];
    const location = `https://${state.team.domain}.slack.com/?redir=${encodeURIComponent(req.url ?? '')}`;
    if (token !== options.botToken) return send(res, 302, '', { location });
    const file = state.files.find(id);
    if (!file?.data) return send(res, 404, 'file_not_found');
    res.writeHead(200, { 'content-type': file.mimetype, 'content-length': file.data.length });
    res.end(file.data);
  };

  return {
    async handle(req, res) {
      const url = new URL(req.url ?? '/', 'http://local');
      if (!url.pathname.startsWith(prefix)) return false;
      const path = url.pathname.slice(prefix.length);
      const method = /^\/api\/([\w.]+)$/.exec(path)?.[1];
      const id = /^\/response\/(\w+)$/.exec(path)?.[1];
      const uploadKey = /^\/upload\/v1\/(\w+)$/.exec(path)?.[1];
      const file = /^\/files-pri\/\w+-(F\w+)\//.exec(path)?.[1];
      if (!method && !id && !uploadKey && !file) return false;
      try {
        if (method) await call(method, req, res, url.searchParams);
        else if (id) await respond(id, req, res);
        else if (uploadKey) await receive(uploadKey, req, res);
        else if (file) download(file, req, res);
      } catch (error) {
        if (!res.headersSent) send(res, 500, { ok: false, error: 'fatal_error', detail: String(error) });
      }
      return true;
    },
    fail(method, fault, times = 1) {
      faults.push({ method, fault, times });
    },
    clearFaults() {
      faults.length = 0;
    },
    reply,
  };
}
