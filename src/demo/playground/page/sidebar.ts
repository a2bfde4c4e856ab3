import { find } from './dom.ts';

/** The sidebar. In a narrow window a button opens it over the conversation. */
export class Sidebar {
  readonly #side = find('#side');
  readonly #person = find('#person');
  readonly #toggle = find('#toggle');

  constructor() {
    this.#toggle.addEventListener('click', () => this.show(!this.isOpen));
    find('.main').addEventListener('click', (event) => {
      if (event.target instanceof Node && !this.#toggle.contains(event.target)) this.show(false);
    });
  }

  get isOpen(): boolean {
    return this.#side.classList.contains('open');
  }

  show(open: boolean): void {
    const at = document.activeElement;
    if (this.#side.classList.toggle('open', open)) find('.place', this.#side).focus();
    else if (this.#side.contains(at) || this.#person.contains(at)) this.#toggle.focus();
    this.#toggle.setAttribute('aria-expanded', String(open));
  }
}
