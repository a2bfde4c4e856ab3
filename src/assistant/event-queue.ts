/** Events that one side adds and another reads, in order. */
export class EventQueue<T> implements AsyncIterable<T> {
  readonly #waiting: T[] = [];
  #wake: () => void = () => undefined;
  #isEnded = false;

  add(event: T): void {
    this.#waiting.push(event);
    this.#wake();
  }

  /** The reader gets what was added before, and then the end. */
  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield next;
      else if (this.#isEnded) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
