/**
 * The last `max` of something. A new one overwrites the oldest, so that keeping it costs the same however many there
 * were before.
 */
export class Recent<T> implements Iterable<T> {
  readonly max: number;
  readonly #slots: (T | undefined)[] = [];
  /** Where the next one goes. */
  #next = 0;
  #size = 0;

  constructor(max: number) {
    this.max = max;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds one, and answers the one that had to go for it. */
  push(value: T): T | undefined {
    const old = this.#slots[this.#next];
    this.#slots[this.#next] = value;
    this.#next = (this.#next + 1) % this.max;
    if (old === undefined) this.#size += 1;
    return old;
  }

  /** Takes one out; this one searches. */
  remove(value: T): void {
    const at = this.#slots.indexOf(value);
    if (at < 0) return;
    this.#slots[at] = undefined;
    this.#size -= 1;
  }

  /** Oldest first. */
  *[Symbol.iterator](): Iterator<T> {
    const start = this.#slots.length < this.max ? 0 : this.#next;
    for (let i = 0; i < this.#slots.length; i += 1) {
      const value = this.#slots[(start + i) % this.#slots.length];
      if (value !== undefined) yield value;
    }
  }
}
