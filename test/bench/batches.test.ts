import { expect, test } from 'vitest';
import { deciderOf } from '../../src/gate/decisions.ts';
import { begunDay } from '../support/clock.ts';
import { PROVISION, seeded } from '../support/seed.ts';
import { type Json, openWorld, until, type World } from '../support/world.ts';

/*
 * One batch on the sandbox with the platform's own limit of 120 requests a minute and the real clock: requests, time,
 * the largest window of 60 s, and how long a person's lookup waits meanwhile.
 */

const MINUTE_MS = 60_000;
const ROWS = Number(process.env.BATCH_ROWS ?? 500);
const LOOKUPS = Number(process.env.BATCH_LOOKUPS ?? 200);
const owner = { id: 'bob', name: 'Bob', role: 'approver', surface: 'cli', priority: 'person' } as const;

function numbersOf(world: World, count: number): string[] {
  return Array.from({ length: count }, () =>
    String(world.sandbox.perform('/v1.0/numbers/provision', PROVISION).PhoneNumberAssigned),
  );
}

async function requests(world: World): Promise<{ path: string; at: number }[]> {
  const found = await (await fetch(`${world.sandbox.url}/sandbox/requests`)).json();
  return ((Array.isArray(found) ? found : found.Results) as Json[]).map(({ path, time, at }) => ({
    path,
    at: Date.parse(time ?? at),
  }));
}

/** The most requests in any 60 s. */
function largestWindow(times: readonly number[]): number {
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + MINUTE_MS).length));
}

async function measure(world: World, operation: string, numbers: readonly string[], shared: Json): Promise<void> {
  const { batches, gate } = world.runtime;
  const before = (await requests(world)).length;
  const started = Date.now();
  const { view } = await batches.create({ operation, list: { numbers }, shared }, owner);
  const planned = await batches.whileIn(['planning'], view.id, owner, { ms: 60 * MINUTE_MS });
  if (planned.state === 'waiting')
    await batches.ask(view.id, owner, { ask: async () => 'accept', decider: deciderOf(owner, 'terminal') });
  const waits: number[] = [];
  await until(
    async () => {
      const asked = Date.now();
      await gate.perform('numbers_get', { PhoneNumber: seeded(1) }, { ...owner, id: 'person' });
      waits.push(Date.now() - asked);
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      return (await batches.view(view.id, owner)).state !== 'running';
    },
    'the batch has ended',
    60 * MINUTE_MS,
  );
  const minutes = (Date.now() - started) / MINUTE_MS;
  const sent = (await requests(world)).slice(before);
  const { counts, state } = await batches.view(view.id, owner);
  const own = sent.length - waits.length;
  console.log(
    `${operation}: ${numbers.length} rows, ${state}, ${counts.done} done; ${own} requests in ${minutes.toFixed(1)} min, ` +
      `largest 60 s window ${largestWindow(sent.map(({ at }) => at))}; a person's lookup waited at most ${Math.max(...waits)} ms (${waits.length} lookups)`,
  );
  expect(state).toBe('done');
}

test.each([
  ['numbers_status', ROWS, { StatusChange: 'park', EffectiveDate: begunDay() }],
  ['numbers_lookup', LOOKUPS, {}],
])('%s', { timeout: 60 * MINUTE_MS }, async (operation, count, shared) => {
  const world = await openWorld({ PLATFORM_REQUESTS_PER_MINUTE: process.env.BATCH_LIMIT ?? '120' });
  await measure(world, operation, numbersOf(world, count), shared);
});
