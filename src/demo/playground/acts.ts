// Turns what the page sends into acts of a person in the workspace.
import { dateFormat } from '../../lib/clock.ts';
import { defined, type Fields, isRecord } from '../../lib/values.ts';
import type { Delivered } from './deliver.ts';
import { entered, type Given, spots } from './forms.ts';
import type { At } from './people.ts';
import { HOME } from './rooms.ts';
import type { ScriptedSlackbot } from './slackbot.ts';
import { str } from './types.ts';
import { typedText } from './typing.ts';
import type { Workspace } from './workspace.ts';

type Run = (acts: Acts, body: Fields, user: string) => Promise<Delivered>;

/** The acts that the page offers, by kind. */
const RUNS: Readonly<Record<string, Run>> = {
  command: (acts, body, user) =>
    acts.workspace.command({
      user,
      channel: String(body.channel),
      command: String(body.command),
      text: String(body.text ?? ''),
      ...threadOf(body),
    }),
  say: (acts, body, user) => acts.say(body, user),
  click: (acts, body, user) => acts.click(body, user),
  suggest: ({ workspace }, body, user) => workspace.suggest({ ...elementOf(body, user), value: String(body.value) }),
  submit: (acts, body, user) =>
    acts.workspace.submit({ user, viewId: String(body.viewId), values: acts.valuesOf(body.values) }),
  close: ({ workspace }, body, user) => workspace.closeView({ user, viewId: String(body.viewId) }),
  shortcut: ({ workspace }, body, user) => workspace.shortcut({ user, callbackId: String(body.callbackId) }),
  messageShortcut: ({ workspace }, body, user) =>
    workspace.messageShortcut({
      user,
      callbackId: String(body.callbackId),
      messageTs: String(body.messageTs),
    }),
  open: ({ workspace }, { channel }, user) =>
    channel === HOME ? workspace.openHome({ user }) : workspace.openChannel({ user, channel: String(channel) }),
  stop: ({ workspace }, body, user) =>
    workspace.stopSession({ user, channel: String(body.channel), threadTs: String(body.threadTs) }),
};

/** The acts of the people whom the page can act as. */
export class Acts {
  readonly workspace: Workspace;
  readonly #slackbot: ScriptedSlackbot | undefined;

  constructor(workspace: Workspace, slackbot: ScriptedSlackbot | undefined) {
    this.workspace = workspace;
    this.#slackbot = slackbot;
  }

  /** Does what the page asks for. Throws for an unknown kind. */
  run(body: Fields): Promise<Delivered> {
    const run = Object.hasOwn(RUNS, String(body.kind)) ? RUNS[String(body.kind)] : undefined;
    if (!run) throw new Error(`unknown kind ${String(body.kind)}`);
    return run(this, body, String(body.user));
  }

  say(body: Fields, user: string): Promise<Delivered> {
    const { state } = this.workspace;
    const channel = String(body.channel);
    if (this.#slackbot && state.channels.get(channel)?.isSlackbot) return this.#slackbot.ask(user, String(body.text));
    return this.workspace.say({ user, channel, text: typedText(state, String(body.text)), ...threadOf(body) });
  }

  click(body: Fields, user: string): Promise<Delivered> {
    this.#enter(user, body.values);
    const value = Array.isArray(body.value) ? body.value.map(String) : str(body.value);
    return this.workspace.click({ ...elementOf(body, user), ...defined({ value }) });
  }

  /** Reads the fields of a form as the page sends them. */
  valuesOf(given: unknown): Record<string, Given> {
    const fields = Object.entries(isRecord(given) ? given : {});
    return Object.fromEntries(fields.map(([name, value]) => [name, this.#valueOf(value)]));
  }

  #valueOf(value: unknown): Given {
    if (Array.isArray(value)) return value.map(String);
    if (!isRecord(value)) return value === null || value === undefined ? null : String(value);
    if (!Array.isArray(value.files)) return zonedSeconds(String(value.zoned), String(value.tz));
    const { files } = this.workspace.state;
    const chosen = value.files.map((id) => files.find(String(id))).filter((file) => file !== undefined);
    return { type: 'file_input', files: chosen.map((file) => files.payload(file)) };
  }

  /** Enters the values typed in a modal before a click in it is handled, as Slack does. */
  #enter(user: string, given: unknown): void {
    const top = this.workspace.openViews(user).at(-1);
    if (!top || !isRecord(given)) return;
    const values = this.valuesOf(given);
    for (const spot of spots(top)) {
      const value = values[spot.key];
      if (value === undefined) continue;
      try {
        top.entered.set(spot.key, entered(top, spot, value));
      } catch {
        top.entered.delete(spot.key);
      }
    }
  }
}

function elementOf(body: Fields, user: string): { user: string; actionId: string; blockId: string } & At {
  return { user, actionId: String(body.actionId), blockId: String(body.blockId), ...atOf(body) };
}

function atOf(body: Fields): At {
  if (body.home === true) return { home: true };
  const view = str(body.view);
  return view ? { view } : { messageTs: String(body.messageTs) };
}

function threadOf(body: Fields): { threadTs?: string } {
  return defined({ threadTs: str(body.threadTs) });
}

/** Converts a wall-clock time in a zone to Unix seconds. */
function zonedSeconds(local: string, tz: string): number {
  const guess = Date.parse(`${local}:00Z`);
  const shown = dateFormat('sv-SE', { timeZone: tz, dateStyle: 'short', timeStyle: 'short' }).format(guess);
  return Math.floor((guess - (Date.parse(`${shown.replace(' ', 'T')}:00Z`) - guess)) / 1000);
}
