import type { Done } from '../protocol.ts';
import { Choices } from './choices.ts';
import type { Client } from './client.ts';
import { type Controls, placeOf } from './controls.ts';
import { isTypeahead } from './form-values.ts';

/** Time after a key before the app is asked, in ms. */
const TYPING_MS = 150;

/** Fields whose choices come from the app: Slack's external selects. */
export class Typeahead {
  readonly #client: Client;
  readonly #controls: Controls;
  readonly #lists = new WeakMap<HTMLInputElement, Choices>();
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(client: Client, controls: Controls) {
    this.#client = client;
    this.#controls = controls;
    // Before other handlers of keys, because Escape closes the list first.
    document.addEventListener('keydown', (event) => this.#handleKey(event), true);
    document.addEventListener('click', ({ target }) => {
      if (isTypeahead(target) && !this.#listOf(target).isOpen) this.#offer(target, 0);
    });
    document.addEventListener('focusout', ({ target }) => {
      if (isTypeahead(target)) this.#listOf(target).hide();
    });
    document.addEventListener('input', ({ target }) => {
      if (!isTypeahead(target)) return;
      delete target.dataset.value;
      this.#offer(target, TYPING_MS);
    });
  }

  #handleKey(event: KeyboardEvent): void {
    const field = event.target;
    if (!isTypeahead(field) || this.#listOf(field).handleKey(event) || event.key !== 'ArrowDown') return;
    event.preventDefault();
    this.#offer(field, 0);
  }

  #listOf(field: HTMLInputElement): Choices {
    const known = this.#lists.get(field);
    if (known) return known;
    const list = new Choices(field, field.nextElementSibling as HTMLElement);
    this.#lists.set(field, list);
    return list;
  }

  /** Shows the choices for what was typed, or all of them if a choice was made before. */
  #offer(field: HTMLInputElement, wait: number): void {
    clearTimeout(this.#typing);
    const typed = field.dataset.value === undefined ? field.value : '';
    if (typed.length < Number(field.dataset.min)) this.#listOf(field).hide();
    else this.#typing = setTimeout(() => void this.#ask(field, typed), wait);
  }

  async #ask(field: HTMLInputElement, value: string): Promise<void> {
    const { action, block } = field.dataset;
    const done = await this.#client.act({
      kind: 'suggest',
      ...placeOf(field),
      actionId: action,
      blockId: block,
      value,
    });
    if (document.activeElement === field) this.#show(field, done);
  }

  #show(field: HTMLInputElement, { options = [] }: Done): void {
    const list = this.#listOf(field);
    const choices = options.map(({ text, value }) => ({
      content: [text.text],
      take: () => {
        field.value = text.text;
        field.dataset.value = value;
        list.hide();
        if (field.dataset.act) void this.#controls.press(field, value);
      },
    }));
    list.show(choices, 'No matches');
  }
}
