import type { Command, Mention } from '../protocol.ts';
import { type Choice, Choices } from './choices.ts';
import type { Client } from './client.ts';
import { find, make, withData } from './dom.ts';

const HISTORY = 100;
const SHOWN_COMMANDS = 12;

/** The line in which people type: commands, mentions with their list, threads, and the texts sent before. */
export class Composer {
  readonly #client: Client;
  readonly #commands: readonly Command[];
  readonly #mentions: readonly Mention[];
  readonly #input = find<HTMLInputElement>('#input');
  readonly #menu = new Choices(this.#input, find('#suggestions'));
  readonly #history = JSON.parse(sessionStorage.getItem('history') ?? '[]') as string[];
  #historyAt = this.#history.length;
  #hint = '';
  #canMention = false;
  /** The thread that the composer answers in; undefined for the conversation itself. */
  #thread: string | undefined;

  constructor(client: Client, commands: readonly Command[], mentions: readonly Mention[]) {
    this.#client = client;
    this.#commands = commands;
    this.#mentions = mentions;
    this.#input.addEventListener('input', () => this.#suggest());
    this.#input.addEventListener('keydown', (event) => this.#handleKey(event));
    find('#thread-end').addEventListener('click', () => {
      this.leaveThread();
      this.focus();
    });
    find('#composer').addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#send();
    });
  }

  focus(): void {
    this.#input.focus();
  }

  /** Follows the place that is shown. */
  draw({ hint, mentions }: { hint: string; mentions: boolean }): void {
    find('#composer').hidden = this.#client.channel === 'home';
    this.#hint = hint;
    this.#canMention = mentions;
    this.#showHint();
  }

  /** Writes a text for the person to send. */
  fill(text: string): void {
    this.#input.value = text;
    this.focus();
    this.#suggest();
  }

  enterThread(ts: string): void {
    const author = document.querySelector(`.message${withData({ ts })} .who b`);
    this.#thread = ts;
    find('#thread-of').textContent = `In the thread of ${author?.textContent ?? 'a message'}`;
    find('#in-thread').hidden = false;
    this.#showHint();
    this.focus();
  }

  leaveThread(): void {
    this.#thread = undefined;
    find('#in-thread').hidden = true;
    this.#showHint();
  }

  /** Leaves the thread if the person is typing in one. */
  escape(): boolean {
    if (this.#thread === undefined || document.activeElement !== this.#input) return false;
    this.leaveThread();
    return true;
  }

  #showHint(): void {
    this.#input.placeholder = this.#thread === undefined ? this.#hint : 'Reply, with @switchboard to ask it';
  }

  #suggest(): void {
    this.#menu.show(this.#choicesFor(this.#input.value));
  }

  #choicesFor(typed: string): Choice[] {
    if (typed.startsWith('/') && !typed.includes(' ')) {
      const found = this.#commands.filter(({ command }) => command.startsWith(typed)).slice(0, SHOWN_COMMANDS);
      return found.map((one) => this.#commandChoice(one));
    }
    const [, before = '', name] = /^([\s\S]*?(?:^|\s))@(\w*)$/.exec(typed) ?? [];
    if (!this.#canMention || name === undefined) return [];
    const found = this.#mentions.filter((one) => one.name.startsWith(name.toLowerCase()));
    return found.map((one) => this.#choice(`@${one.name}`, one.text, `${before}@${one.name} `));
  }

  #commandChoice({ command, usageHint, description }: Command): Choice {
    const text = [usageHint, description].filter(Boolean).join(' — ');
    return { ...this.#choice(command, text, `${command} `), value: command };
  }

  #choice(name: string, text: string, filled: string): Choice {
    return { content: [make('b', {}, name), ' ', make('span', {}, text)], take: () => this.fill(filled) };
  }

  #handleKey(event: KeyboardEvent): void {
    if (this.#menu.handleKey(event)) return;
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    const step = event.key === 'ArrowUp' ? -1 : 1;
    this.#historyAt = Math.min(this.#history.length, Math.max(0, this.#historyAt + step));
    event.preventDefault();
    this.#input.value = this.#history[this.#historyAt] ?? '';
    this.#suggest();
  }

  async #send(): Promise<void> {
    const text = this.#input.value.trim();
    if (text === '') return;
    this.#history.push(text);
    if (this.#history.length > HISTORY) this.#history.shift();
    this.#historyAt = this.#history.length;
    sessionStorage.setItem('history', JSON.stringify(this.#history));
    this.#input.value = '';
    this.#suggest();
    // The answer appears at the end.
    const list = find('#list');
    list.scrollTop = list.scrollHeight;
    const [, command, rest] = /^(\/\S+)\s*([\s\S]*)$/.exec(text) ?? [];
    const at = { channel: this.#client.channel, ...(this.#thread === undefined ? {} : { threadTs: this.#thread }) };
    await this.#client.act(
      command === undefined ? { kind: 'say', ...at, text } : { kind: 'command', ...at, command, text: rest ?? '' },
    );
  }
}
