import { LEVELS, levelOf } from './fair-queue.ts';

/** The reserved parts of the window, as shares of its limit. Rounded down, so that small limits reserve nothing. */
const KEPT = {
  /** For confirmed actions alone. */
  confirmed: 1 / 20,
  /** For people, confirmed actions included: not for assistants and background work. */
  people: 1 / 6,
  /** What background work leaves to assistants, on top. */
  assistants: 1 / 10,
  /** The end of each class's share (confirmed actions excepted), only for actors that hold less than this much. */
  newcomers: 1 / 12,
} as const;

/**
 * How many places may be held in all when one is given out at each level of the queue. Of 120: 120 for a confirmed
 * action, 114 for a person, 100 for an assistant, 88 for background work, each 10 fewer for an actor that holds 10.
 */
export function limitsByLevel(limit: number): readonly number[] {
  const keep = (part: number) => Math.floor(limit * part + 1e-9);
  const limits = new Array<number>(LEVELS).fill(limit);
  const person = limit - keep(KEPT.confirmed);
  const assistant = limit - keep(KEPT.people);
  const background = assistant - keep(KEPT.assistants);
  limits[levelOf('person', false)] = person;
  limits[levelOf('person', true)] = person - keep(KEPT.newcomers);
  limits[levelOf('assistant', false)] = assistant;
  limits[levelOf('assistant', true)] = assistant - keep(KEPT.newcomers);
  limits[levelOf('background', false)] = background;
  limits[levelOf('background', true)] = background - keep(KEPT.newcomers);
  // No level may take what the level before it may not: the queue stops at the first that finds no place.
  for (let level = 1; level < LEVELS; level += 1) {
    limits[level] = Math.max(1, Math.min(limits[level - 1] ?? limit, limits[level] ?? limit));
  }
  return limits;
}

/** How many places each actor of this process holds. Costs the same however many actors there are. */
export class Holdings {
  readonly #counts = new Map<string, number>();
  /** Answered requests whose places fall free at a known time (epoch ms), the soonest first. */
  #leaving: { actor: string; freeAt: number }[] = [];
  /** Where `leaving` begins: taking the first out of a long list would move all others. */
  #first = 0;
  readonly #many: number;

  /** `limit`: places in the window. */
  constructor(limit: number) {
    this.#many = Math.max(1, Math.floor(limit * KEPT.newcomers + 1e-9));
  }

  taken(actor: string): void {
    this.#counts.set(actor, (this.#counts.get(actor) ?? 0) + 1);
  }

  /** A place falls free at `freeAt` (epoch ms): calls come in the order of these times. */
  leaves(actor: string, freeAt: number): void {
    this.#leaving.push({ actor, freeAt });
  }

  /** A place was given back unused. */
  givenBack(actor: string): void {
    const count = (this.#counts.get(actor) ?? 0) - 1;
    if (count > 0) this.#counts.set(actor, count);
    else this.#counts.delete(actor);
  }

  /** `now`: epoch ms. */
  holdsMany(actor: string, now: number): boolean {
    for (let next = this.#leaving[this.#first]; next !== undefined && next.freeAt <= now; ) {
      this.givenBack(next.actor);
      this.#first += 1;
      next = this.#leaving[this.#first];
    }
    if (this.#first > 1000 && this.#first * 2 > this.#leaving.length) {
      this.#leaving = this.#leaving.slice(this.#first);
      this.#first = 0;
    }
    return (this.#counts.get(actor) ?? 0) >= this.#many;
  }
}
