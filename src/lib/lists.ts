/*
 * Long lists are compared by reading each once, because comparing each of ten thousand members with each takes seconds.
 */

/** The members of a list that another one lacks. */
export function missingFrom<T>(list: readonly T[], other: readonly T[]): T[] {
  const present = new Set(other);
  return list.filter((one) => !present.has(one));
}

/** The members that a list shares with another one. */
export function sharedWith<T>(list: readonly T[], other: readonly T[]): T[] {
  const present = new Set(other);
  return list.filter((one) => present.has(one));
}

/** A list, one entry, or nothing, as a list. */
export function listOf<T>(entries: T | readonly T[] | undefined): readonly T[] {
  if (entries === undefined) return [];
  return Array.isArray(entries) ? entries : [entries as T];
}

/** A map with at most `max` entries. Setting an entry makes it the newest; the oldest one is dropped beyond `max`. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#max) {
      const [oldest] = this.keys();
      if (oldest !== undefined) this.delete(oldest);
    }
    return this;
  }
}
