// Renders the parts of the page that one person sees: the sidebar, and the conversation or Home in the middle.
import { escapeHtml } from './mrkdwn.ts';
import type { Mention, Snapshot } from './protocol.ts';
import { type RenderContext, renderMessage, renderView } from './render.ts';
import type { Working } from './sessions.ts';
import type { ScriptedSlackbot } from './slackbot.ts';
import type { Message, User } from './types.ts';
import { IDS, type Workspace } from './workspace.ts';

/** A shortcut as the page offers it. */
interface Shortcut {
  callbackId: string;
  name: string;
}

export interface RoomsOptions {
  workspace: Workspace;
  messageShortcuts?: readonly Shortcut[];
  globalShortcuts?: readonly Shortcut[];
  /** Offered in an empty channel, and in the direct message with the app. */
  examples?: readonly string[];
  directExamples?: readonly string[];
  slackbot?: ScriptedSlackbot;
}

/** The id of the app's Home, which is not a channel. */
export const HOME = 'home';

/**
 * Number of messages shown in a conversation. The whole list is rendered and sent at every change, so its size must not
 * grow with the time that the demo runs.
 */
const SHOWN = 30;

type Kind = 'home' | 'channel' | 'direct' | 'assistant';

/** Renders places and conversations as HTML for a person. */
export class Rooms {
  readonly #options: RoomsOptions;
  /** The path of the page. */
  readonly #base: string;

  constructor(options: RoomsOptions, base: string) {
    this.#options = options;
    this.#base = base;
  }

  /** Returns the people whom the page can act as. */
  people(): User[] {
    const { users } = this.#options.workspace.state;
    return [...users.values()].filter((user) => !user.isBot && user.id !== IDS.SLACKBOT);
  }

  /** Returns the app and the people that can be mentioned, the app first. */
  mentions(): Mention[] {
    const { users } = this.#options.workspace.state;
    const app = users.get(IDS.BOT_USER);
    return [...(app ? [app] : []), ...this.people()].map(({ name, realName }) => ({ name, text: realName }));
  }

  /** Returns the content that the page shows to this person in this channel, or in `HOME`. */
  snapshot(user: User, channel: string): Snapshot {
    const { workspace } = this.#options;
    const top = workspace.openViews(user.id).at(-1);
    const kind = this.#kind(channel);
    const name = workspace.state.channels.get(channel)?.name ?? '';
    return {
      places: this.#places(user),
      title: { home: 'Switchboard', direct: 'Switchboard', assistant: 'Slackbot', channel: `#${name}` }[kind],
      note: user.teamId === IDS.TEAM ? '' : 'You are a guest from another workspace',
      hint: HINTS[kind],
      mentions: kind === 'channel',
      list: kind === 'home' ? this.#home(user) : this.#list(user, channel, kind),
      modal: top ? renderView(top, this.#context(user)) : '',
      version: workspace.state.version,
    };
  }

  #kind(channel: string): Kind {
    if (channel === HOME) return 'home';
    const room = this.#options.workspace.state.channels.get(channel);
    return room?.imWith ? 'direct' : room?.isSlackbot ? 'assistant' : 'channel';
  }

  #context(user: User): RenderContext {
    const { state } = this.#options.workspace;
    return {
      reader: {
        tz: user.tz,
        now: state.clock.now(),
        userName: (id) => state.users.get(id)?.realName,
        channelName: (id) => state.channels.get(id)?.name,
        groupName: (id) => state.groups.get(id)?.handle,
      },
      people: this.people().map(({ id, realName }) => ({ id, name: realName })),
      channels: [...state.channels.values()]
        .filter((c) => !c.imWith && !c.isSlackbot)
        .map(({ id, name }) => ({ id, name: `#${name}` })),
      fileOf: (id) => {
        const file = state.files.find(id);
        if (!file?.data || file.mimetype.startsWith('image/')) return undefined;
        return { name: file.name, size: file.data.length, url: `${this.#base}/files/${file.id}/download` };
      },
      pictureUrl: (slackFile) => {
        const file = state.files.image(slackFile);
        return file && `${this.#base}/files/${file.id}`;
      },
    };
  }

  #places(user: User): string {
    const { workspace, slackbot, globalShortcuts = [] } = this.#options;
    const { state } = workspace;
    const place = (id: string, mark: string, name: string) => {
      const count = id === HOME ? 0 : workspace.messages(id, { visibleTo: user.id }).length;
      return `<button type="button" class="place" data-channel="${escapeHtml(id)}" data-count="${count}"><span aria-hidden="true">${mark}</span>${escapeHtml(name)}</button>`;
    };
    const channels = [...state.channels.values()]
      .filter((c) => c.members.has(user.id) && !c.imWith && !c.isSlackbot)
      .map((c) => place(c.id, '#', c.name));
    const direct = [place(state.im(user.id).id, '⇄', 'Switchboard')];
    if (slackbot) direct.push(place(slackbot.room(user.id).id, '✦', 'Slackbot'));
    const globals = globalShortcuts.map(
      ({ callbackId, name }) =>
        `<button type="button" class="place" data-global="${escapeHtml(callbackId)}"><span aria-hidden="true">⚡</span>${escapeHtml(name)}</button>`,
    );
    const part = (title: string, items: readonly string[]) =>
      items.length === 0 ? '' : `<h2>${title}</h2>${items.join('')}`;
    return [
      part('Channels', channels),
      part('Direct messages', direct),
      part('App', [place(HOME, '⌂', 'Home')]),
      part('Shortcuts', globals),
    ].join('');
  }

  #home(user: User): string {
    const home = this.#options.workspace.state.homes.get(user.id);
    return home
      ? renderView(home, this.#context(user))
      : '<div class="home"><p class="hint">Nothing here yet.</p></div>';
  }

  #list(user: User, channel: string, kind: Kind): string {
    const all = this.#options.workspace.messages(channel, { visibleTo: user.id });
    const visible = all.slice(-SHOWN);
    // Replies are shown below the message they answer.
    const roots = visible.filter((m) => !m.threadTs || !visible.some((root) => root.ts === m.threadTs));
    const threads = roots.map((root) => {
      const replies = visible.filter((m) => m.threadTs === root.ts && m !== root);
      const messages = [root, ...replies].map((message) => this.#message(message, user, kind));
      return messages.join('') + this.#working(channel, root.threadTs ?? root.ts);
    });
    const older = all.length > visible.length ? `<p class="hint">The page shows the last ${SHOWN} messages.</p>` : '';
    const prompts = this.#prompts(channel);
    return `<div class="fill">${this.#welcome(kind)}${prompts}${older}${threads.join('')}</div>`;
  }

  /** The state of the app's work in a thread: its session with the Stop button, its status, and its prompts. */
  #working(channel: string, thread: string): string {
    const { sessions } = this.#options.workspace.state;
    const working = sessions.working(channel, thread);
    const session = sessions.session(channel, thread);
    const isProcessing = session?.status === 'processing';
    const prompts = this.#prompts(channel, thread);
    if (!working && !isProcessing && session?.status !== 'suspended') return prompts;
    const title = sessions.title(channel, thread);
    const name = title === undefined ? '' : `<b>${escapeHtml(title)}</b> `;
    const canStop = isProcessing && this.#options.workspace.state.events.has('agent_session_stopped');
    const stop = canStop
      ? `<button type="button" class="btn small" data-stop="${escapeHtml(thread)}">Stop</button>`
      : '';
    return `<div class="working" role="status">${name}${workingHtml(working, isProcessing)}${stop}</div>${prompts}`;
  }

  #prompts(channel: string, thread?: string): string {
    const found = this.#options.workspace.state.sessions.prompts(channel, thread);
    if (!found) return '';
    const inThread = thread === undefined ? '' : ` data-in="${escapeHtml(thread)}"`;
    const buttons = found.prompts.map(
      ({ title, message }) =>
        `<button type="button" data-prompt="${escapeHtml(message)}"${inThread}>${escapeHtml(title)}</button>`,
    );
    const heading = found.title === undefined ? '' : `<p>${escapeHtml(found.title)}</p>`;
    return `<div class="prompts">${heading}<div class="tries">${buttons.join('')}</div></div>`;
  }

  #message(message: Message, user: User, kind: Kind): string {
    const author = this.#options.workspace.state.users.get(message.user);
    return renderMessage(message, {
      ...this.#context(user),
      author: { name: author?.realName ?? message.user, isApp: author?.isBot === true },
      tools: this.#tools(message, kind),
    });
  }

  /** The buttons in a message's corner. Slack offers none on an ephemeral message. */
  #tools(message: Message, kind: Kind): string {
    if (message.ephemeralTo !== undefined || kind === 'assistant') return '';
    const thread = message.threadTs ?? message.ts;
    const buttons = [
      `<button type="button" data-thread="${escapeHtml(thread)}">Reply in thread</button>`,
      ...(this.#options.messageShortcuts ?? []).map(
        ({ callbackId, name }) =>
          `<button type="button" data-shortcut="${escapeHtml(callbackId)}">${escapeHtml(name)}</button>`,
      ),
    ];
    return `<div class="tools">${buttons.join('')}</div>`;
  }

  #welcome(kind: Kind): string {
    const { examples = [], directExamples = [], slackbot } = this.#options;
    const tries = { home: [], channel: examples, direct: directExamples, assistant: slackbot?.examples ?? [] }[
      kind
    ].map((text) => `<button type="button" data-try="${escapeHtml(text)}">${escapeHtml(text)}</button>`);
    const { title, text } = WELCOME[kind];
    return `<div class="welcome"><h3>${title}</h3><p>${text}</p><div class="tries">${tries.join('')}</div></div>`;
  }
}

/** The text of a working app: its status with a loader, or why the session waits. */
function workingHtml(working: Working | undefined, isProcessing: boolean): string {
  if (!working && !isProcessing) return '<span>waits for a person</span>';
  const loader = '<span class="loader" aria-hidden="true"></span>';
  if (!working) return `${loader}<span>Switchboard is working</span>`;
  const [first] = working.loading;
  const turns = first === undefined ? '' : ` data-loading="${escapeHtml(JSON.stringify(working.loading))}"`;
  return `${loader}<span${turns}>${escapeHtml(first ?? `Switchboard ${working.text}`)}</span>`;
}

/** Placeholder texts of the composer. */
const HINTS: Readonly<Record<Kind, string>> = {
  home: '',
  channel: 'Type / for a command, @ to mention',
  direct: 'Message Switchboard, or type /',
  assistant: 'Ask Slackbot',
};

const WELCOME: Readonly<Record<Kind, { title: string; text: string }>> = {
  home: { title: '', text: '' },
  channel: {
    title: 'Try Switchboard here',
    text: 'This is a local stand-in for a Slack workspace, on demo data. Type a command below, mention the app, click the buttons on the cards, and change who you are below the sidebar.',
  },
  direct: {
    title: 'Your conversation with Switchboard',
    text: 'Write a phone number, its last digits or a name, and the app looks it up. Nobody else reads what is written here.',
  },
  assistant: {
    title: 'Slackbot, by a script',
    text: 'In Slack a model picks the tool. Here a few sentences are recognized, and any tool can be called with its fields: <code>tool Field=value</code>. Requests to /mcp are signed as Slack signs them.',
  },
};
