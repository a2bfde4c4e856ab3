import type { Priority } from '../lib/actor.ts';

/** The classes in the order they are served. */
export const PRIORITIES: readonly Priority[] = ['confirmed', 'person', 'assistant', 'background'];

/** A member of a `FairQueue`. Only the queue writes the links. */
export interface Entry {
  readonly actor: string;
  priority: Priority;
  links?: { line: Line; before: Entry | undefined; next: Entry | undefined } | undefined;
}

/** The entries of one actor in one class, in the order they came. */
interface Line {
  readonly actor: string;
  readonly priority: Priority;
  level: number;
  first: Entry | undefined;
  last: Entry | undefined;
  size: number;
  /** Neighbours in the level's ring. */
  before: Line | undefined;
  next: Line | undefined;
}

/** The actors of one level that wait, in the order of their turns. */
interface Ring {
  first: Line | undefined;
  last: Line | undefined;
  actors: number;
  entries: number;
}

/**
 * Levels from the first served to the last: each class has two, the first for actors that hold few places of the
 * window, the second for those that hold many.
 */
export const LEVELS = PRIORITIES.length * 2;

/** The level of a class for an actor that holds few places, or many. */
export function levelOf(priority: Priority, holdsMany: boolean): number {
  return PRIORITIES.indexOf(priority) * 2 + Number(holdsMany);
}

/**
 * A queue by class, and within a class by turns of the actors (round-robin by actor id), so that one actor with many
 * calls delays another by one call only. Adding, taking and removing take constant time.
 */
export class FairQueue<T extends Entry> {
  readonly #holdsMany: (actor: string) => boolean;
  readonly #rings: Ring[] = Array.from({ length: LEVELS }, () => ({
    first: undefined,
    last: undefined,
    actors: 0,
    entries: 0,
  }));
  readonly #lines: Readonly<Record<Priority, Map<string, Line>>> = {
    confirmed: new Map(),
    person: new Map(),
    assistant: new Map(),
    background: new Map(),
  };
  #entries = 0;

  /** `holdsMany`: whether an actor belongs to the second level of its class now. */
  constructor(holdsMany: (actor: string) => boolean) {
    this.#holdsMany = holdsMany;
  }

  get size(): number {
    return this.#entries;
  }

  /** Entries that wait at a level. */
  sizeAt(level: number): number {
    return this.#ringAt(level).entries;
  }

  /** Adds an entry behind the others of its actor, or before them if `again` is true: its turn had already come. */
  add(entry: T, again = false): void {
    const line = this.#lineFor(entry);
    if (again) {
      entry.links = { line, before: undefined, next: line.first };
      if (line.first?.links) line.first.links.before = entry;
      else line.last = entry;
      line.first = entry;
    } else {
      entry.links = { line, before: line.last, next: undefined };
      if (line.last?.links) line.last.links.next = entry;
      else line.first = entry;
      line.last = entry;
    }
    line.size += 1;
    this.#entries += 1;
    this.#ringAt(line.level).entries += 1;
  }

  /** Removes an entry from any position. Does nothing if it is not waiting. */
  remove(entry: T): void {
    const links = entry.links;
    if (links === undefined) return;
    entry.links = undefined;
    const { line, before, next } = links;
    if (before?.links) before.links.next = next;
    else line.first = next;
    if (next?.links) next.links.before = before;
    else line.last = before;
    line.size -= 1;
    this.#entries -= 1;
    this.#ringAt(line.level).entries -= 1;
    if (line.size > 0) return;
    this.#leaveRing(line);
    this.#lines[line.priority].delete(line.actor);
  }

  /** Moves a waiting entry to another class, behind the others of its actor there. */
  move(entry: T, priority: Priority): void {
    if (entry.links === undefined) return;
    this.remove(entry);
    entry.priority = priority;
    this.add(entry);
  }

  /** The first level with a waiting entry; `LEVELS` if there is none. */
  firstLevel(): number {
    for (let level = 0; level < LEVELS; level += 1) {
      // An actor's level is recomputed when its turn comes, because the places it holds change meanwhile.
      for (let line = this.#ringAt(level).first; line !== undefined; line = this.#ringAt(level).first) {
        const now = levelOf(line.priority, this.#holdsMany(line.actor));
        if (now === level) return level;
        this.#toRing(line, now);
        if (now < level) return now;
      }
    }
    return LEVELS;
  }

  /** Removes and returns the next entry, and moves its actor behind the others of its level. */
  next(): T | undefined {
    const level = this.firstLevel();
    const line = level === LEVELS ? undefined : this.#ringAt(level).first;
    const entry = line?.first;
    if (line === undefined || entry === undefined) return undefined;
    this.remove(entry as T);
    if (line.size > 0) this.#toRing(line, level);
    return entry as T;
  }

  /** Estimates how many entries are served before the last waiting entry of an actor. */
  ahead(entry: T): number {
    const line = entry.links?.line;
    if (line === undefined) return 0;
    let before = 0;
    for (let level = 0; level < line.level; level += 1) before += this.#ringAt(level).entries;
    const ring = this.#ringAt(line.level);
    return before + Math.min(ring.entries, line.size * ring.actors) - 1;
  }

  #lineFor({ priority, actor }: Entry): Line {
    const lines = this.#lines[priority];
    const known = lines.get(actor);
    if (known !== undefined) return known;
    const level = levelOf(priority, this.#holdsMany(actor));
    const links = { before: undefined, next: undefined };
    const line: Line = { actor, priority, level, first: undefined, last: undefined, size: 0, ...links };
    lines.set(actor, line);
    this.#joinRing(line);
    return line;
  }

  #toRing(line: Line, level: number): void {
    this.#leaveRing(line);
    line.level = level;
    this.#joinRing(line);
  }

  #joinRing(line: Line): void {
    const ring = this.#ringAt(line.level);
    line.before = ring.last;
    line.next = undefined;
    if (ring.last !== undefined) ring.last.next = line;
    else ring.first = line;
    ring.last = line;
    ring.actors += 1;
    ring.entries += line.size;
  }

  #leaveRing(line: Line): void {
    const ring = this.#ringAt(line.level);
    if (line.before !== undefined) line.before.next = line.next;
    else ring.first = line.next;
    if (line.next !== undefined) line.next.before = line.before;
    else ring.last = line.before;
    line.before = undefined;
    line.next = undefined;
    ring.actors -= 1;
    ring.entries -= line.size;
  }

  #ringAt(level: number): Ring {
    const ring = this.#rings[level];
    if (ring === undefined) throw new RangeError(`there is no level ${level}`);
    return ring;
  }
}
