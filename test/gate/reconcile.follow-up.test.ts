import { beforeEach, describe, expect, it } from 'vitest';
import { actorOf } from '../support/approval.ts';
import { accepts, followed, loses } from '../support/asking.ts';
import { FastClock } from '../support/clock.ts';
import { recover } from '../support/later.ts';
import { id, seeded } from '../support/seed.ts';
import { call, face, openWorld, type World, within } from '../support/world.ts';

const LIMITS = '/v1.0/numbers/data-usage';
/** The first attempt and its retries. A 502 has none, so that no test waits for the last one. */
const ALL = 5;

let world: World;
let clock: FastClock;
beforeEach(async () => {
  clock = new FastClock();
  const tokens = { MCP_HTTP_TOKENS: 'ana:approver:token-of-ana' };
  world = await openWorld({ MCP_TOOLSETS: 'all', PLATFORM_SETTLE_SECONDS: '30', ...tokens }, clock);
});

const limits = (LimitValue: number, ...ends: number[]) => ({
  PhoneNumbers: ends.map((end) => ({ Number: seeded(end) })),
  LimitValue,
});
/** Sets a limit whose answer is lost by this fault. Resolves to the id of the action. */
const limitLost = (fault: object, ends = [1]) =>
  loses(world, 'numbers_data_usage_set', limits(30_000, ...ends), { path: LIMITS, ...fault });
const action = async (one: string) => world.runtime.gate.refresh(one);

/** Has the background read until the outcome is known. */
async function readUntilKnown(one: string): Promise<void> {
  for (let n = 0; n < 10 && (await action(one)).state === 'unknown'; n += 1) {
    await recover(world.runtime);
    clock.skip(60_000);
  }
}

describe('an unknown outcome of a change that may be repeated and can be read', () => {
  it('is read soon, and is done where the record shows what was sent', async () => {
    const one = await limitLost({ dropAfterCommit: true });
    await recover(world.runtime);
    expect(await action(one)).toMatchObject({ state: 'done', result: { LimitValue: 30_000 } });
    expect((await action(one)).result?.Resolved).toContain('numbers_data_usage_settings shows');
  });

  it('is not done where two readings show other values', async () => {
    const one = await limitLost({ status: 502, times: 1 });
    await readUntilKnown(one);
    expect(await action(one)).toMatchObject({ state: 'failed', error: { outcome: 'not_done' } });
  });

  it('is partly done where one of several records shows what was sent', async () => {
    const one = await limitLost({ status: 502, times: 1 }, [1, 3]);
    await within({ PLATFORM_BASE_URL: world.sandbox.url }, async ({ runtime }) => {
      const ask = async () => 'accept' as const;
      await runtime.gate.perform('numbers_data_usage_set', limits(30_000, 1), actorOf('x'), { ask });
    });
    await readUntilKnown(one);
    const result = { PhoneNumbers: [{ Number: seeded(1) }], FailedChange: [{ Number: seeded(3) }] };
    expect(await action(one)).toMatchObject({ state: 'partly', result });
  });

  it('stays unknown where another call has changed the record since', async () => {
    const one = await limitLost({ status: 502, times: 1 });
    const later = ['numbers_data_usage_set', '--json', JSON.stringify(limits(40_000, 1)), '--yes', '--again'];
    expect((await world.cli(later)).code).toBe(0);
    await readUntilKnown(one);
    expect(await action(one)).toMatchObject({ state: 'unknown' });
  });
});

it('the cancellation of a port-in is read from its order', async () => {
  const OrderId = id('JNUOID', 1);
  const path = '/v1.0/numbers/portin/cancel';
  const one = await loses(world, 'numbers_portin_cancel', { OrderId }, { path, dropAfterCommit: true });
  await recover(world.runtime);
  expect(await action(one)).toMatchObject({ state: 'done', result: { OrderId, Status: 'Cancelled' } });
});

describe('how the unknown outcome of a workflow is followed', () => {
  beforeEach(async () => {
    await world.control('faults', { path: '/v1.0/numbers/cancel-order-submit', times: ALL, status: 500 });
  });

  it('by the id of the whole, not of the stage inside it, which its reader may not follow', async () => {
    const client = await world.client({ token: 'token-of-ana', person: accepts });
    const { message, outcome } = face(await call(client, 'numbers_cancel', { PhoneNumbers: [{ Number: seeded(3) }] }));
    expect(outcome).toBe('unknown');
    const [, id = ''] = /Follow it with confirmations_get, id (act_\S+)\.$/.exec(message) ?? [];
    expect((await world.runtime.gate.actions.get(id))?.operation).toBe('numbers_cancel');
    const seen = await followed(client, id);
    expect(seen).toMatchObject({ id, status: 'unknown', error: { outcome: 'unknown' } });
    expect(seen.error.message).not.toContain('Follow it with');
  });

  it('with a command in the terminal, which answers as the tool does', async () => {
    const ran = await world.cli(['numbers_cancel', seeded(3), '--yes', '--again']);
    expect(ran.code).toBe(4);
    const [, id = ''] = /switchboard call confirmations_get id=(act_[\w-]+)$/.exec(ran.error().message) ?? [];
    for (const words of [
      ['confirmations_get', `id=${id}`],
      ['confirmations', 'get', id],
    ]) {
      const told = await world.cli(words);
      expect([told.code, told.json()]).toEqual([0, expect.objectContaining({ id, status: 'unknown' })]);
    }
    expect((await world.cli(['confirmations_get'])).error()).toMatchObject({ code: 'invalid_input', field: 'id' });
    expect((await world.cli(['confirmations_get', 'id=act_nobody'])).error()).toMatchObject({ code: 'not_found' });
  });
});
