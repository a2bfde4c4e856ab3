import { findAll, make } from './dom.ts';

export interface Choice {
  content: (Node | string)[];
  take: () => void;
  /** Enter sends a text that equals it, instead of taking the choice. */
  value?: string;
}

/** A list of choices beside a field that keeps the focus: arrows mark one, Enter and Tab take it, Escape closes. */
export class Choices {
  readonly #field: HTMLInputElement;
  readonly #menu: HTMLElement;

  constructor(field: HTMLInputElement, menu: HTMLElement) {
    this.#field = field;
    this.#menu = menu;
  }

  get isOpen(): boolean {
    return !this.#menu.hidden;
  }

  hide(): void {
    this.#menu.hidden = true;
    this.#field.setAttribute('aria-expanded', 'false');
    this.#field.removeAttribute('aria-activedescendant');
  }

  /** @param none shown if there is no choice; without it, the list closes */
  show(choices: readonly Choice[], none?: string): void {
    if (choices.length === 0 && none === undefined) {
      this.hide();
      return;
    }
    const rows = choices.map((choice, i) => this.#row(choice, i));
    const empty = make('div', { class: 'none', role: 'option', 'aria-disabled': 'true' }, none ?? '');
    this.#menu.replaceChildren(...(rows.length > 0 ? rows : [empty]));
    this.#menu.hidden = false;
    this.#field.setAttribute('aria-expanded', 'true');
    this.#mark(choices.length > 0 ? 0 : -1);
  }

  /** Handles a key. True if it was for the list. */
  handleKey(event: KeyboardEvent): boolean {
    if (!this.isOpen) return false;
    const items = this.#items();
    const marked = items.findIndex((item) => item.getAttribute('aria-selected') === 'true');
    const item = items[marked];
    // A command that is typed completely is sent by Enter.
    if (event.key === 'Enter' && item?.dataset.value === this.#field.value && item.dataset.value !== undefined) {
      this.hide();
      return false;
    }
    if (event.key === 'Escape') this.hide();
    else if (event.key === 'ArrowDown' && item) this.#mark((marked + 1) % items.length);
    else if (event.key === 'ArrowUp' && item) this.#mark((marked - 1 + items.length) % items.length);
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && item) item.click();
    else return false;
    event.preventDefault();
    return true;
  }

  #row({ content, take, value }: Choice, index: number): HTMLElement {
    const id = `${this.#menu.id || 'typeahead'}-${index}`;
    const row = make('div', {
      class: 'item',
      id,
      role: 'option',
      ...(value === undefined ? {} : { 'data-value': value }),
    });
    row.append(...content);
    // The field keeps the focus.
    row.addEventListener('mousedown', (event) => event.preventDefault());
    row.addEventListener('click', (event) => {
      event.preventDefault();
      take();
    });
    return row;
  }

  #items(): HTMLElement[] {
    return findAll('.item', this.#menu);
  }

  #mark(index: number): void {
    const items = this.#items();
    for (const [i, item] of items.entries()) item.setAttribute('aria-selected', String(i === index));
    const item = items[index];
    if (item) this.#field.setAttribute('aria-activedescendant', item.id);
    else this.#field.removeAttribute('aria-activedescendant');
    item?.scrollIntoView({ block: 'nearest' });
  }
}
