/** Turns in a row in which new connections keep work from being started. */
const MOST_HELD = 100;

/**
 * Starts work one piece at a time, each in its own turn of the event loop. Many requests that arrive together would
 * otherwise be handled in one turn, and no other connection would be served until its end.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #isHeld = false;
  /** Turns since the last piece of work was started. */
  #held = 0;

  /** Resolves in a turn in which nothing else is started. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(() => this.#start());
    });
  }

  /**
   * Starts nothing in this turn. Called for each new connection: Node accepts one in a turn, so a connection waits for
   * as many turns as connections were opened before it, and these turns must be short.
   */
  hold(): void {
    this.#isHeld = true;
  }

  #start(): void {
    if (this.#isHeld && this.#held < MOST_HELD) {
      this.#held += 1;
    } else {
      this.#held = 0;
      this.#waiting.shift()?.();
    }
    this.#isHeld = false;
    if (this.#waiting.length > 0) setImmediate(() => this.#start());
  }
}
