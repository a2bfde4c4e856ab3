import { BoundedMap } from '../../../lib/bounded-map.ts';
import { type Clock, inTime } from '../../../lib/clock.ts';
import type { AgentApi, Place } from '../api/agent.ts';

const MAX_REMEMBERED = 1_000;
/** Maximum time that an answer waits for its sign. */
const MAX_WAIT_MS = 400;

/** The first signs of answers: a status in the thread, set once for each message. */
export class Signs {
  readonly #agent: AgentApi;
  readonly #clock: Clock;
  /** The signs of the latest messages, by channel and timestamp. */
  readonly #shown = new BoundedMap<string, Promise<void>>(MAX_REMEMBERED);

  constructor(agent: AgentApi, clock: Clock) {
    this.#agent = agent;
    this.#clock = clock;
  }

  /**
   * Resolves when Slack has taken the sign, or after a moment. The work of an answer starts then, because it would hold
   * up the signs of messages that arrive at the same time.
   */
  show(place: Place, ts: string, hasModel: boolean): Promise<void> {
    const message = `${place.channel} ${ts}`;
    const earlier = this.#shown.get(message);
    if (earlier !== undefined) return earlier;
    const status = this.#agent.status(place, hasModel ? 'is thinking…' : 'is looking…');
    const shown = inTime(this.#clock, MAX_WAIT_MS, status, () => undefined);
    this.#shown.set(message, shown);
    return shown;
  }
}
