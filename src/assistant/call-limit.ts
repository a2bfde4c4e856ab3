/** Searches, states, forms and repeated reads that a turn may have besides its calls. */
const MOST_FREE = 20;

/** Counts the calls of one turn. Those that reach no platform are free, up to a number that ends a loop. */
export class CallLimit {
  readonly #most: number;
  #calls = 0;
  #free = 0;
  /** The number of the response that is being read. The model may call several tools in one. */
  #step = 0;
  /** The response in which the first call above the limit was. */
  #refusedIn: number | undefined;
  #isOver = false;

  /** @param most maximum number of calls */
  constructor(most: number) {
    this.#most = most;
  }

  /** Called before each response of the model. */
  beginStep(): void {
    this.#step += 1;
  }

  /** True once every call is used: the next response has to be the answer. */
  get isReached(): boolean {
    return this.#calls >= this.#most;
  }

  /** True if the model went on to call after it had been told of the limit. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Counts a call. False if it is above the limit. */
  take(): boolean {
    this.#calls += 1;
    if (this.#calls <= this.#most) return true;
    this.#refusedIn ??= this.#step;
    if (this.#step > this.#refusedIn) this.#isOver = true;
    return false;
  }

  /** Counts a call that reaches no platform. False if it is above the limit. */
  takeFree(): boolean {
    this.#free += 1;
    return this.#free <= MOST_FREE || this.take();
  }
}
