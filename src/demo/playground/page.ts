// The demo's Slack-like page at /playground, for people without a workspace. Loopback only.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dateFormat } from '../../lib/date-formats.ts';
import { defined, type Fields, isRecord } from '../../lib/json.ts';
import { CLIENT } from './client.ts';
import { CHOICES } from './client-choices.ts';
import { DEMO_CLIENT } from './client-demo.ts';
import type { Delivered } from './deliver.ts';
import { entered, type Given, spots } from './forms.ts';
import { readBody } from './http.ts';
import { PAGE_STYLE } from './page-style.ts';
import type { At } from './people.ts';
import { renderConfirm } from './render.ts';
import { HOME, Rooms, type RoomsOptions } from './rooms.ts';
import { shellHtml, type TourStep } from './shell.ts';
import { STYLE } from './style.ts';
import { parseJson, str } from './types.ts';
import { typedText } from './typing.ts';
import { IDS } from './workspace.ts';

export interface PlaygroundOptions extends RoomsOptions {
  /** Shown while typing `/`. */
  commands?: { command: string; description?: string; usageHint?: string }[];
  /** The steps of a tour. With them, the sidebar offers the tour and the controls of the sandbox at `/sandbox/`. */
  tour?: readonly TourStep[];
  /** Time in ms that a request for updates waits for a change, in real time. */
  pollMs?: number;
}

export interface Playground {
  /** Returns true if the request was for the page, and was answered or refused. */
  handle(req: IncomingMessage, res: ServerResponse): Promise<boolean>;
}

const BASE = '/playground';
const MAX_TOKENS = 200;
const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

function isLoopbackHost(host: string | undefined): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host ?? '');
}

function isLoopbackAddress(address: string | undefined): boolean {
  return address === undefined || /^(127\.|::1$|::ffff:127\.)/.test(address);
}

/** Converts a wall-clock time in a zone to Unix seconds. */
function zonedSeconds(local: string, tz: string): number {
  const guess = Date.parse(`${local}:00Z`);
  const shown = dateFormat('sv-SE', { timeZone: tz, dateStyle: 'short', timeStyle: 'short' }).format(guess);
  return Math.floor((guess - (Date.parse(`${shown.replace(' ', 'T')}:00Z`) - guess)) / 1000);
}

export function createPlayground(options: PlaygroundOptions): Playground {
  const { workspace } = options;
  const { state } = workspace;
  const tokens: Buffer[] = [];

  const newToken = (): string => {
    const token = randomBytes(24).toString('hex');
    tokens.push(Buffer.from(token));
    if (tokens.length > MAX_TOKENS) tokens.shift();
    return token;
  };
  const known = (given: unknown): boolean => {
    const bytes = Buffer.from(String(given ?? ''));
    return tokens.some((token) => token.length === bytes.length && timingSafeEqual(token, bytes));
  };

  const rooms = new Rooms(options, BASE);

  /** Waits until something has changed since `since`, or until the wait is over. */
  const news = (since: number, res: ServerResponse): Promise<void> => {
    if (state.version !== since) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        stop();
        resolve();
      };
      const timer = setTimeout(end, options.pollMs ?? 25_000);
      timer.unref();
      const stop = state.onChange(end);
      res.on('close', end);
    });
  };

  const valuesOf = (given: unknown): Record<string, Given> => {
    const values: Record<string, Given> = {};
    for (const [name, value] of Object.entries(isRecord(given) ? given : {})) {
      if (isRecord(value)) values[name] = zonedSeconds(String(value.zoned), String(value.tz));
      else if (Array.isArray(value)) values[name] = value.map(String);
      else values[name] = value === null || value === undefined ? null : String(value);
    }
    return values;
  };

  const atOf = (body: Fields): At => {
    if (body.home === true) return { home: true };
    const view = str(body.view);
    return view ? { view } : { messageTs: String(body.messageTs) };
  };

  /** Enters the values typed in a modal before a click in it is handled, as Slack does. */
  const keepValues = (user: string, given: unknown) => {
    const top = workspace.openViews(user).at(-1);
    if (!top || !isRecord(given)) return;
    const values = valuesOf(given);
    for (const spot of spots(top)) {
      const value = values[spot.key];
      if (value === undefined) continue;
      try {
        top.entered.set(spot.key, entered(top, spot, value));
      } catch {
        top.entered.delete(spot.key);
      }
    }
  };

  const act = (body: Fields): Promise<Delivered> => {
    const user = String(body.user);
    const callbackId = String(body.callbackId);
    const channel = String(body.channel);
    const element = { user, actionId: String(body.actionId), blockId: String(body.blockId), ...atOf(body) };
    const viewId = String(body.viewId);
    const inThread = defined({ threadTs: str(body.threadTs) });
    switch (body.kind) {
      case 'command':
        return workspace.command({
          user,
          channel,
          command: String(body.command),
          text: String(body.text ?? ''),
          ...inThread,
        });
      case 'say':
        if (options.slackbot && state.channels.get(channel)?.isSlackbot)
          return options.slackbot.ask(user, String(body.text));
        return workspace.say({ user, channel, text: typedText(state, String(body.text)), ...inThread });
      case 'click': {
        keepValues(user, body.values);
        const value = Array.isArray(body.value) ? body.value.map(String) : str(body.value);
        return workspace.click({ ...element, ...defined({ value }) });
      }
      case 'suggest':
        return workspace.suggest({ ...element, value: String(body.value) });
      case 'submit':
        return workspace.submit({ user, viewId, values: valuesOf(body.values) });
      case 'close':
        return workspace.closeView({ user, viewId });
      case 'shortcut':
        return workspace.shortcut({ user, callbackId });
      case 'messageShortcut':
        return workspace.messageShortcut({ user, callbackId, messageTs: String(body.messageTs) });
      case 'home':
        return workspace.openHome({ user });
      default:
        throw new Error(`unknown kind ${String(body.kind)}`);
    }
  };

  const send = (res: ServerResponse, status: number, type: string, body: string | Buffer) => {
    res.writeHead(status, {
      'content-type': typeof body === 'string' ? `${type}; charset=utf-8` : type,
      'content-security-policy': CSP,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    res.end(body);
  };
  const json = (res: ServerResponse, status: number, body: unknown) => {
    send(res, status, 'application/json', JSON.stringify(body));
  };

  const page = (): string =>
    shellHtml({
      base: BASE,
      token: newToken(),
      user: IDS.U_AGENT,
      channel: IDS.C_SUPPORT,
      events: IDS.C_EVENTS,
      people: rooms.people().map(({ id, realName }) => ({ id, name: realName })),
      commands: options.commands ?? [],
      mentions: rooms.mentions(),
      tour: options.tour,
    });

  const answer = async (req: IncomingMessage, res: ServerResponse, url: URL) => {
    const path = url.pathname.slice(BASE.length).replace(/\/$/, '');
    const origin = req.headers.origin;
    if (!isLoopbackHost(req.headers.host) || !isLoopbackAddress(req.socket.remoteAddress)) {
      return send(res, 403, 'text/plain', 'The playground is available on this computer only.');
    }
    const site = req.headers['sec-fetch-site'];
    // Another port of this computer is a different origin. Its pages must not read or click anything here.
    const otherSite = site !== undefined && site !== 'same-origin' && site !== 'none';
    const foreign = (origin !== undefined && origin !== `http://${req.headers.host}`) || otherSite;
    if (foreign)
      return send(
        res,
        403,
        'text/plain',
        'Requests from other pages are refused. Open this address in the address bar.',
      );
    if (req.method === 'GET' && path === '') return send(res, 200, 'text/html', page());
    if (req.method === 'GET' && path === '/app.js') return send(res, 200, 'text/javascript', CHOICES + CLIENT);
    if (req.method === 'GET' && path === '/app.css') return send(res, 200, 'text/css', STYLE + PAGE_STYLE);
    if (req.method === 'GET' && path === '/demo.js') return send(res, 200, 'text/javascript', DEMO_CLIENT);
    const picture = /^\/files\/(F\w+)$/.exec(path)?.[1];
    // A browser requests a picture without the page's token. The id cannot be guessed, so no token is needed.
    if (req.method === 'GET' && picture !== undefined) {
      const file = state.files.image({ id: picture });
      return file?.data ? send(res, 200, file.mimetype, file.data) : send(res, 404, 'text/plain', 'no such picture');
    }
    if (!known(req.headers['x-playground-token'])) return send(res, 403, 'text/plain', 'reload the page');
    if (req.method === 'GET' && path === '/state') {
      const user = state.users.get(url.searchParams.get('user') ?? '');
      const channel = url.searchParams.get('channel') ?? '';
      if (!user) return json(res, 404, { error: 'no such user' });
      const member = channel === HOME || state.channels.get(channel)?.members.has(user.id);
      await news(Number(url.searchParams.get('since')), res);
      if (!res.destroyed) json(res, 200, rooms.snapshot(user, member ? channel : IDS.C_SUPPORT));
      return;
    }
    const isJson = req.headers['content-type']?.startsWith('application/json') === true;
    if (req.method !== 'POST' || !isJson) return json(res, 405, { error: 'POST application/json' });
    const body = parseJson(await readBody(req));
    if (!isRecord(body)) return json(res, 400, { error: 'not an object' });
    if (path === '/confirm') {
      const confirm = isRecord(body.confirm) ? body.confirm : {};
      return json(res, 200, { html: renderConfirm(confirm) });
    }
    if (path !== '/do') return json(res, 404, { error: 'not found' });
    const { outcome, reason, errors, options: offered } = await act(body);
    json(res, 200, { outcome, reason, errors, options: offered });
  };

  return {
    async handle(req, res) {
      const url = new URL(req.url ?? '/', 'http://local');
      if (url.pathname !== BASE && !url.pathname.startsWith(`${BASE}/`)) return false;
      try {
        await answer(req, res, url);
      } catch (error) {
        if (!res.headersSent)
          json(res, 500, { outcome: 'failed', reason: error instanceof Error ? error.message : 'failed' });
      }
      return true;
    },
  };
}
