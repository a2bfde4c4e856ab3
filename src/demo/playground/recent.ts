/**
 * The last `max` items. A new item overwrites the oldest, so that adding one takes constant time.
 */
export class Recent<T> implements Iterable<T> {
  readonly max: number;
  readonly #slots: (T | undefined)[] = [];
  /** Index of the next item. */
  #next = 0;
  #size = 0;

  constructor(max: number) {
    this.max = max;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds an item, and returns the one it replaced. */
  push(value: T): T | undefined {
    const old = this.#slots[this.#next];
    this.#slots[this.#next] = value;
    this.#next = (this.#next + 1) % this.max;
    if (old === undefined) this.#size += 1;
    return old;
  }

  /** Removes an item, in linear time. */
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
