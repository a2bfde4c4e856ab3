const SHOWN_MS = 6000;

/** A short message at the lower edge of the page. */
export class Toast {
  readonly #box: HTMLElement;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(box: HTMLElement) {
    this.#box = box;
  }

  show(text: string): void {
    this.#box.textContent = text;
    this.#box.hidden = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#box.hidden = true;
    }, SHOWN_MS);
  }
}
