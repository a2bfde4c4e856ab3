import type { Given } from '../../src/demo/playground/forms.ts';
import { type Message, objects, type View } from '../../src/demo/playground/types.ts';
import { isRecord } from '../../src/lib/json.ts';
import { C_APPROVALS, C_SUPPORT, type Stage, U_AGENT, U_LEAD } from '../surfaces/slack/support.ts';
import { directOf, say } from '../surfaces/slack/talking.ts';
import { rawText, stable, viewText } from './slack-text.ts';

/* A day in Slack as people see it: they write and press, and the diary notes the app's answers. */

const NAMES: Readonly<Record<string, string>> = { [U_AGENT]: 'Ana', [U_LEAD]: 'Lee' };

/** Days that no earlier replacement covers. */
const VARYING: readonly [RegExp, string][] = [
  [/\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, /g, ''],
  [/\b\d{2}\/\d{2}\/\d{4}\b/g, '{day}'],
  [/\b\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2})?\b/g, '{day}'],
];

/** One person's day. Every act waits until nothing is under way, and notes each message that is new or has changed. */
export class Diary {
  readonly #stage: Stage;
  readonly #lines: string[] = [];
  readonly #shown = new Map<string, string>();
  #view = '';

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** The whole day as text, with what differs from run to run left out. */
  text(): string {
    return VARYING.reduce((text, [pattern, word]) => text.replace(pattern, word), stable(this.#lines.join('\n')));
  }

  /** A message to the app. */
  async says(text: string): Promise<string> {
    return this.#act(`Ana: ${text}`, () => say(this.#stage, text));
  }

  /** A slash command, typed where the team talks. */
  async types(line: string): Promise<string> {
    const [command = '', ...rest] = line.split(' ');
    return this.#act(`Ana types ${line}`, () => this.#stage.type(command, rest.join(' '), U_AGENT, C_SUPPORT));
  }

  /** Presses the newest button that begins with a label: in the window on top, otherwise on a message. */
  async presses(label: string, user: string = U_AGENT): Promise<string> {
    const at = this.#button(label, user);
    return this.#act(`${NAMES[user]} presses [${label}]`, () => this.#stage.ws.click({ user, ...at }));
  }

  /** Sends the window on top, with values by the label of their field. */
  async sends(values: Readonly<Record<string, Given>> = {}, user: string = U_AGENT): Promise<string> {
    const view = this.#top(user);
    const inputs = objects(view.definition.blocks).filter(({ type }) => type === 'input');
    const given = Object.entries(values).map(([label, value]): [string, Given] => {
      const input = inputs.find((block) => textOf(block.label).startsWith(label));
      if (!input) throw new Error(`no field ${label}: ${inputs.map((block) => textOf(block.label)).join('; ')}`);
      return [String(input.block_id), value];
    });
    const text = Object.entries(values).map(([label, value]) => `${label}: ${String(value)}`);
    const button = textOf(view.definition.submit);
    return this.#act([`${NAMES[user]} sends [${button}]`, ...text].join('\n    '), () =>
      this.#stage.ws.submit({ user, values: Object.fromEntries(given) }),
    );
  }

  /** Closes the window on top without sending it. */
  async closes(user: string = U_AGENT): Promise<void> {
    await this.#stage.ws.closeView({ user });
    this.#view = '';
  }

  /** Something that happens by itself. */
  async happens(what: string, run: () => Promise<unknown>): Promise<string> {
    return this.#act(`(${what})`, run);
  }

  async #act(title: string, run: () => Promise<unknown>): Promise<string> {
    this.#lines.push('', `=== ${title}`, '');
    const done = await run();
    if (isRecord(done) && done.outcome === 'refused') throw new Error(`${title}: ${JSON.stringify(done)}`);
    await this.#stage.settled();
    const news = this.#news();
    this.#lines.push(...(news.length === 0 ? ['(nothing is shown)'] : news));
    return news.join('\n');
  }

  /** Returns the new texts for Ana and Lee. */
  #news(): string[] {
    const { ws } = this.#stage;
    const places: [string, string][] = [
      [directOf(this.#stage, U_AGENT), ''],
      [C_SUPPORT, ''],
      [C_APPROVALS, 'in #approvals: '],
    ];
    const found = places.flatMap(([channel, place]) =>
      ws
        .messages(channel)
        .filter(({ source }) => source !== 'person')
        .flatMap((message) => {
          const text = forPeople(message);
          const key = `${channel}${message.ts}`;
          if (this.#shown.get(key) === text) return [];
          const mark = this.#shown.has(key) ? 'changes to: ' : '';
          this.#shown.set(key, text);
          return [indented(`${place}${mark}`, text)];
        }),
    );
    const view = ws.openViews(U_AGENT).at(-1) ?? ws.openViews(U_LEAD).at(-1);
    const text = view ? viewForPeople(view) : '';
    const isNew = text !== '' && text !== this.#view;
    this.#view = text;
    return [...found, ...(isNew ? [indented('', text)] : [])];
  }

  #top(user: string): View {
    const view = this.#stage.ws.openViews(user).at(-1);
    if (!view) throw new Error('no window is open');
    return view;
  }

  #button(label: string, user: string) {
    const { ws } = this.#stage;
    const view = ws.openViews(user).at(-1);
    const inView = view && buttonIn(objects(view.definition.blocks), label);
    if (inView) return { view: true as const, ...inView };
    const channels = [directOf(this.#stage, user), directOf(this.#stage, U_AGENT), C_SUPPORT, C_APPROVALS];
    const messages = channels
      .flatMap((channel) => ws.messages(channel, { visibleTo: user }))
      .sort((one, other) => other.order - one.order);
    for (const message of messages) {
      const found = buttonIn(message.blocks, label);
      if (found) return { messageTs: message.ts, ...found };
    }
    throw new Error(`no button ${label}`);
  }
}

function buttonIn(blocks: readonly Record<string, unknown>[], label: string) {
  for (const block of [...blocks].reverse())
    for (const element of [...objects(block.elements), ...objects([block.accessory])])
      if (element.type === 'button' && textOf(element.text).startsWith(label))
        return { actionId: String(element.action_id), blockId: String(block.block_id) };
  return undefined;
}

/** A message without the ids and values that only programs read. */
export function forPeople({ text, blocks }: Pick<Message, 'text' | 'blocks'>): string {
  if (blocks.length === 0) return text;
  return cleaned(rawText({ text, blocks: withoutValues(blocks) }).replace(/^notification: .*\n(?:[^\n]+\n)*\n/, ''));
}

function viewForPeople(view: View): string {
  const { private_metadata: _, ...definition } = view.definition;
  const errors = Object.values(view.errors).map((error) => `! ${error}`);
  return [cleaned(viewText({ ...definition, blocks: withoutValues(objects(definition.blocks)) })), ...errors].join(
    '\n',
  );
}

function cleaned(text: string): string {
  return text
    .replace(/^(\[[^\n]*?\])(?: primary| danger)? {2}= $/gm, '$1')
    .replace(/: \w+_\w+(?:, several lines)? $/gm, '')
    .trimEnd();
}

function withoutValues(blocks: readonly Record<string, unknown>[]): Record<string, unknown>[] {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isRecord(value)) return value;
    const out = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walk(one)]));
    if (out.type === 'button') return { ...out, action_id: '', value: '' };
    if (isRecord(out.text) && typeof out.value === 'string') return { ...out, value: textOf(out.text) };
    if (out.type === 'input') return { ...out, block_id: '' };
    return typeof out.action_id === 'string' ? { ...out, action_id: '' } : out;
  };
  return blocks.map(walk).filter(isRecord);
}

function indented(before: string, text: string): string {
  return `${before}${text}`.replace(/^/gm, '  | ');
}

function textOf(found: unknown): string {
  return isRecord(found) ? String(found.text ?? '') : '';
}
