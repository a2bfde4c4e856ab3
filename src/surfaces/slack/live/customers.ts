import type { Gate } from '../../../gate/gate.ts';
import type { Actor } from '../../../lib/actor.ts';
import { BoundedMap } from '../../../lib/bounded-map.ts';
import type { Clock } from '../../../lib/clock.ts';
import { FETCH_MS, FRESH_MS } from '../../../lib/durations.ts';
import { recordOf, textOf } from '../../../lib/json.ts';
import type { Log } from '../../../lib/log.ts';

/** Reads for the process itself, with a lower priority than people's requests. */
const READER: Actor = { id: 'slack', name: 'Slack', role: 'viewer', surface: 'slack', priority: 'background' };
const MAX_KEPT = 1_000;
/** Maximum number of queued numbers. A flood of messages must leave the request budget to people. */
const MAX_QUEUED = 20;

export interface CustomersOptions {
  gate: Gate;
  /** The search that finds a number with its customer, and its field. */
  find: { tool: { id: string }; field: string } | undefined;
  clock: Clock;
  log: Log;
}

/** Names of the customers behind numbers, read one at a time with the lowest priority and kept for ten minutes. */
export class Customers {
  readonly #options: CustomersOptions;
  readonly #known = new BoundedMap<string, { name: string | undefined; until: number }>(MAX_KEPT);
  #queue: Promise<unknown> = Promise.resolve();
  #queued = 0;
  #closed = false;

  constructor(options: CustomersOptions) {
    this.#options = options;
  }

  /** The customer and the account of a number; undefined if it has none, or if the platform does not answer in time. */
  async nameOf(phone: string): Promise<string | undefined> {
    const known = this.#known.get(phone);
    if (known && known.until > this.#options.clock.now()) return known.name;
    if (!this.#options.find || this.#queued >= MAX_QUEUED || this.#closed) return undefined;
    this.#queued += 1;
    const name = this.#queue
      .then(() => this.#read(phone))
      .finally(() => {
        this.#queued -= 1;
      });
    this.#queue = name;
    return name;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#queue;
  }

  async #read(phone: string): Promise<string | undefined> {
    const { gate, find, clock, log } = this.#options;
    if (!find || this.#closed) return undefined;
    try {
      const options = { deadline: clock.now() + FETCH_MS };
      const performed = await gate.perform(find.tool.id, { [find.field]: phone }, READER, options);
      if (performed.kind !== 'done' || !Array.isArray(performed.value.Numbers)) return undefined;
      const { Customer, Account } = recordOf(performed.value.Numbers[0]);
      const name = [textOf(Customer), textOf(Account)].filter((part) => part !== '').join(' · ') || undefined;
      this.#known.set(phone, { name, until: clock.now() + FRESH_MS });
      return name;
    } catch (error) {
      log('info', { error: String(error) }, 'the customer of an inbound message could not be read');
      return undefined;
    }
  }
}
