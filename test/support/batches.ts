import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Actor } from '../../src/lib/actor.ts';
import { begunDay } from './clock.ts';
import { seeded } from './seed.ts';
import { call, type Json, until, value, type World } from './world.ts';

/* Batches of a world, as an MCP client creates and follows them. */

export const STATUS = '/v1.0/numbers/status';
export const PARK = { StatusChange: 'park', EffectiveDate: begunDay() };

export const approver: Actor = { id: 'bob', name: 'Bob', role: 'approver', surface: 'page', priority: 'person' };

/** Phone numbers of the seed by their last digits. */
export const numbers = (...ends: number[]): string[] => ends.map(seeded);

export class BatchClient {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  async create(input: Record<string, unknown>): Promise<Json> {
    return value(await call(this.#client, 'batches_create', input));
  }

  park(ends: number[]): Promise<Json> {
    return this.create({ Operation: 'numbers_status', Numbers: numbers(...ends), Fields: PARK });
  }

  async get(id: string, more = {}): Promise<Json> {
    return value(await call(this.#client, 'batches_get', { id, ...more }));
  }

  /** The first page of the rows. */
  async rows(id: string): Promise<Json[]> {
    return (await this.get(id, { Page: 1 })).rows;
  }

  async stop(id: string): Promise<Json> {
    return value(await call(this.#client, 'batches_stop', { id })).batch;
  }

  /** Waits until the batch has one of these states. */
  async reaches(id: string, ...states: string[]): Promise<Json> {
    let found: Json;
    await until(
      async () => {
        found = (await this.get(id)).batch;
        return states.includes(found.status);
      },
      `batch ${id} is ${states.join(' or ')}`,
    );
    return found;
  }

  /** The question of a batch, as `confirmations_get` shows it. */
  async followed({ confirmation }: Json): Promise<Json> {
    return value(await call(this.#client, 'confirmations_get', { id: confirmation.id }));
  }
}

/** Waits until no process has more to do for the run of a batch. */
export async function runEnds({ runtime }: World, id: string): Promise<void> {
  const jobs = runtime.store.database('ledger');
  await until(
    async () => !(await jobs.get('SELECT 1 FROM jobs WHERE key = ? AND dead_at IS NULL', `batch.run ${id}`)),
    `the run of ${id} is over`,
  );
}
