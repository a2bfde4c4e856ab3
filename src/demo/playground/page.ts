// The demo's Slack-like page at /playground, for people without a workspace. Loopback only.

import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { defined, type Fields, isRecord } from '../../lib/json.ts';
import { CLIENT } from './client.ts';
import { CHOICES } from './client-choices.ts';
import { DEMO_CLIENT } from './client-demo.ts';
import type { Delivered } from './deliver.ts';
import { entered, type Given, spots } from './forms.ts';
import { readBody } from './http.ts';
import { escapeHtml, type Reader } from './mrkdwn.ts';
import { PAGE_STYLE } from './page-style.ts';
import type { At } from './people.ts';
import { renderConfirm, renderMessage, renderView } from './render.ts';
import { shellHtml, type TourStep } from './shell.ts';
import type { ScriptedSlackbot } from './slackbot.ts';
import { STYLE } from './style.ts';
import { type Message, parseJson, str, type User } from './types.ts';
import { IDS, type Workspace } from './workspace.ts';

export interface PlaygroundOptions {
  workspace: Workspace;
  /** Shown while typing `/`. */
  commands?: { command: string; description?: string; usageHint?: string }[];
  messageShortcuts?: { callbackId: string; name: string }[];
  globalShortcuts?: { callbackId: string; name: string }[];
  /** Commands offered in an empty channel. */
  examples?: string[];
  /** The steps of a tour. With it, the sidebar offers the tour, and what can be caused in the sandbox at `/sandbox/`. */
  tour?: readonly TourStep[];
  /** Slack's assistant, with a conversation of its own. */
  slackbot?: ScriptedSlackbot;
  /** How long a request for updates waits, in real time. */
  pollMs?: number;
}

export interface Playground {
  /** True when the request was for the page (answered or refused). */
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

/** A wall-clock time in a zone as Unix seconds. */
function zonedSeconds(local: string, tz: string): number {
  const guess = Date.parse(`${local}:00Z`);
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: tz, dateStyle: 'short', timeStyle: 'short' }).format(
    guess,
  );
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

  const reader = (user: User): Reader => ({
    tz: user.tz,
    now: state.clock.now(),
    userName: (id) => state.users.get(id)?.realName,
    channelName: (id) => state.channels.get(id)?.name,
    groupName: (id) => state.groups.get(id)?.handle,
  });
  const people = () => [...state.users.values()].filter((user) => !user.isBot && user.id !== IDS.SLACKBOT);
  const context = (user: User) => ({
    reader: reader(user),
    people: people().map(({ id, realName }) => ({ id, name: realName })),
    channels: [...state.channels.values()]
      .filter((c) => !c.imWith && !c.isSlackbot)
      .map(({ id, name }) => ({ id, name: `#${name}` })),
    pictureUrl: (slackFile: Fields) => {
      const file = state.files.image(slackFile);
      return file && `${BASE}/files/${file.id}`;
    },
  });

  const placesOf = (user: User): string => {
    const place = (id: string, mark: string, name: string, count: number) =>
      `<button type="button" class="place" data-channel="${escapeHtml(id)}" data-count="${count}"><span>${mark}</span>${escapeHtml(name)}</button>`;
    const mine = [...state.channels.values()].filter((c) => c.members.has(user.id));
    const count = (id: string) => workspace.messages(id, { visibleTo: user.id }).length;
    const rooms = mine.filter((c) => !c.imWith && !c.isSlackbot).map((c) => place(c.id, '#', c.name, count(c.id)));
    const im = state.im(user.id);
    const assistant = options.slackbot?.room(user.id);
    const globals = (options.globalShortcuts ?? []).map(
      ({ callbackId, name }) =>
        `<button type="button" class="place" data-global="${escapeHtml(callbackId)}"><span>⚡</span>${escapeHtml(name)}</button>`,
    );
    return (
      `<h2>Channels</h2>${rooms.join('')}<h2>Switchboard</h2>${place('home', '⌂', 'Home', 0)}` +
      `${place(im.id, '⇄', 'Messages', count(im.id))}${assistant ? `<h2>Assistant</h2>${place(assistant.id, '✦', 'Slackbot', count(assistant.id))}` : ''}${globals.length > 0 ? `<h2>Shortcuts</h2>${globals.join('')}` : ''}`
    );
  };

  const messageHtml = (message: Message, user: User): string => {
    const author = state.users.get(message.user);
    const shortcuts = message.ephemeralTo === undefined ? (options.messageShortcuts ?? []) : [];
    const buttons = shortcuts.map(
      ({ callbackId, name }) =>
        `<button type="button" data-shortcut="${escapeHtml(callbackId)}">${escapeHtml(name)}</button>`,
    );
    return renderMessage(message, {
      ...context(user),
      author: { name: author?.realName ?? message.user, isApp: author?.isBot === true },
      tools: buttons.length > 0 ? `<div class="tools">${buttons.join('')}</div>` : '',
    });
  };

  const welcome = (assistant: boolean): string => {
    const tries = ((assistant ? options.slackbot?.examples : options.examples) ?? []).map(
      (text) => `<button type="button" data-try="${escapeHtml(text)}">${escapeHtml(text)}</button>`,
    );
    if (assistant)
      return (
        '<div class="welcome"><h3>Slackbot, by a script</h3><p>In Slack a model picks the tool. Here a few sentences are recognized, and any tool can be called with its fields: ' +
        `<code>tool Field=value</code>. Requests to /mcp are signed as Slack signs them.</p><div class="tries">${tries.join('')}</div></div>`
      );
    return (
      '<div class="welcome"><h3>Try Switchboard here</h3><p>This is a local stand-in for a Slack workspace, on demo data. ' +
      `Type a command below, click the buttons on the cards, and change who you are in the lower left corner.</p><div class="tries">${tries.join('')}</div></div>`
    );
  };

  const listOf = (user: User, channel: string): string => {
    if (channel === 'home') {
      const home = state.homes.get(user.id);
      return home ? renderView(home, context(user)) : '<div class="home"><p class="hint">Nothing here yet.</p></div>';
    }
    const visible = workspace.messages(channel, { visibleTo: user.id });
    // Replies are shown below the message they answer.
    const roots = visible.filter((m) => !m.threadTs || !visible.some((root) => root.ts === m.threadTs));
    const ordered = roots.flatMap((root) => [root, ...visible.filter((m) => m.threadTs === root.ts && m !== root)]);
    return `<div class="fill">${welcome(state.channels.get(channel)?.isSlackbot === true)}${ordered.map((message) => messageHtml(message, user)).join('')}</div>`;
  };

  const snapshot = (user: User, channel: string): Fields => {
    const top = workspace.openViews(user.id).at(-1);
    const room = state.channels.get(channel);
    return {
      places: placesOf(user),
      title:
        channel === 'home'
          ? 'Switchboard'
          : room?.imWith
            ? 'Switchboard'
            : room?.isSlackbot
              ? 'Slackbot'
              : `#${room?.name ?? ''}`,
      note: user.teamId === IDS.TEAM ? '' : 'You are a guest from another workspace',
      list: listOf(user, channel),
      modal: top ? renderView(top, context(user)) : '',
      version: state.version,
    };
  };

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

  /** Values typed in a modal are entered before a click in it, as in Slack. */
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
    switch (body.kind) {
      case 'command':
        return workspace.command({ user, channel, command: String(body.command), text: String(body.text ?? '') });
      case 'say':
        if (options.slackbot && state.channels.get(channel)?.isSlackbot)
          return options.slackbot.ask(user, String(body.text));
        return workspace.say({ user, channel, text: escapeMessage(String(body.text)) });
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
      people: people().map(({ id, realName }) => ({ id, name: realName })),
      commands: options.commands ?? [],
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
    // A browser adds no header of the page to its request for a picture. Nobody can guess the id.
    if (req.method === 'GET' && picture !== undefined) {
      const file = state.files.image({ id: picture });
      return file?.data ? send(res, 200, file.mimetype, file.data) : send(res, 404, 'text/plain', 'no such picture');
    }
    if (!known(req.headers['x-playground-token'])) return send(res, 403, 'text/plain', 'reload the page');
    if (req.method === 'GET' && path === '/state') {
      const user = state.users.get(url.searchParams.get('user') ?? '');
      const channel = url.searchParams.get('channel') ?? '';
      if (!user) return json(res, 404, { error: 'no such user' });
      const member = channel === 'home' || state.channels.get(channel)?.members.has(user.id);
      await news(Number(url.searchParams.get('since')), res);
      if (!res.destroyed) json(res, 200, snapshot(user, member ? channel : IDS.C_SUPPORT));
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

/** Escapes typed text as Slack's client does, except mentions. */
function escapeMessage(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@switchboard', `<@${IDS.BOT_USER}>`);
}
