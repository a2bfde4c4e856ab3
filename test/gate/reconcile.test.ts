import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Actor } from '../../src/lib/actor.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { openRuntime } from '../../src/start/runtime.ts';
import { begunDay, SkippingClock } from '../support/clock.ts';
import { type LatePlatform, openLatePlatform } from '../support/late-platform.ts';
import { recover } from '../support/later.ts';
import { onSandbox } from '../support/on-sandbox.ts';
import {
  A1,
  call,
  confirm,
  face,
  lose,
  openWorld,
  PROVISION,
  seeded,
  signIn,
  signOut,
  until,
  value,
  type World,
} from '../support/world.ts';

const BUY = '/v1.0/numbers/provision';
const SUBMIT = '/v1.0/numbers/cancel-order-submit';
const REACTIVATE = '/v1.0/numbers/reactivate';
/**
 * A request to the platform times out after nine seconds. One second later, a reading can prove that it was not done.
 */
const FAST = { PLATFORM_TIMEOUT_MS: '9000', PLATFORM_SETTLE_SECONDS: '9' };

let platform: LatePlatform;
let world: World;
let clock: SkippingClock;
let asked: string[];
let answer: 'accept' | 'decline';

async function open(env: Record<string, string> = {}): Promise<void> {
  clock = new SkippingClock();
  world = await openWorld(
    {
      PLATFORM_BASE_URL: platform.url,
      MCP_HTTP_TOKENS: 'ann:approver:ann-token-1,bob:approver:bob-token-1',
      ...env,
    },
    clock,
  );
  platform.target = world.sandbox.url;
}

beforeEach(async () => {
  platform = await openLatePlatform();
  asked = [];
  answer = 'accept';
});
afterEach(async () => {
  signOut();
  await world.close();
  await platform.close();
});

/** A client whose person answers every question with `answer`. */
const clientOf = (name: 'ann' | 'bob') =>
  world.client({
    token: `${name}-token-1`,
    person: ({ params }) => {
      asked.push(params.message);
      return answer === 'accept' ? { action: 'accept', content: {} } : { action: 'decline' };
    },
  });
type Client = Awaited<ReturnType<typeof clientOf>>;

const follow = async (client: Client, id: string) => value(await call(client, 'confirmations_get', { id }));
const bought = async () => {
  const { numbers } = (await world.state()) as { numbers: { Number: string }[] };
  return numbers.map((row) => row.Number).filter((number) => !number.startsWith('+12015550'));
};

/** Buys a number on the same platform through another installation, without this one knowing. Returns the number. */
async function stranger(input: Record<string, unknown>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sb-stranger-'));
  const config = loadConfig({
    ...onSandbox(world.sandbox.url),
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
  });
  const runtime = await openRuntime(config, { clock });
  onTestFinished(async () => {
    await runtime.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const actor: Actor = { id: 'x', name: 'x', role: 'approver', surface: 'cli', priority: 'person' };
  const done = await runtime.gate.perform('numbers_provision', input, actor, { ask: async () => 'accept' });
  return done.kind === 'done' ? String(done.value.PhoneNumberAssigned) : '';
}

describe('work the platform does after the connection was cut', () => {
  it('is not called "not done" while it may still be done; a repeat warns; then it is found', async () => {
    await open();
    const ann = await clientOf('ann');
    platform.next(BUY, 'cut-late');
    const id = await lose(ann, 'numbers_provision', PROVISION);
    const first = await follow(ann, id);
    expect(first.status).toBe('unknown');
    expect(first.error.message).toMatch(/Read at \S+: numbers_inventory_get lists \d+ numbers, none of this kind/);

    answer = 'decline';
    expect(face(await call(ann, 'numbers_provision', PROVISION))).toMatchObject({ code: 'not_confirmed' });
    expect(asked.at(-1)).toContain('its outcome is unknown: it may have been done already');
    expect(await bought()).toEqual([]);

    await platform.release();
    const numbers = await bought();
    expect(numbers).toHaveLength(1);
    const found = await follow(ann, id);
    expect(found).toMatchObject({ status: 'done', result: { PhoneNumberAssigned: numbers[0] } });
    expect(found.result.Resolved).toMatch(/^Resolved at \d{4}-\S+ by reading: numbers_inventory_get lists \+1201/);
    const trail = (await world.runtime.gate.actions.audit()).find((line) => line.action === id && line.what === 'done');
    expect(trail).toMatchObject({ who: 'reading', detail: found.result.Resolved });
    expect(await world.sent(BUY)).toHaveLength(1);
  });

  it('is the answer to a repeat of a requester who has not learned it, and to the next one only a question', async () => {
    await open();
    const ann = await clientOf('ann');
    platform.next(BUY, 'cut-late');
    const id = await lose(ann, 'numbers_provision', PROVISION);
    await platform.release();
    const numbers = await bought();
    // Another reader finds the outcome, as a delivery of the platform does.
    const other: Actor = { id: 'x', name: 'x', role: 'approver', surface: 'page', priority: 'person' };
    expect((await world.runtime.gate.follow(id, other)).status).toBe('done');

    answer = 'decline';
    const questions = asked.length;
    const repeated = value(await call(ann, 'numbers_provision', PROVISION));
    expect(repeated).toMatchObject({
      PhoneNumberAssigned: numbers[0],
      Warning: expect.stringContaining(`Nothing was sent now: this is the result of the same call`),
    });
    expect([asked.length, await bought()]).toEqual([questions, numbers]);
    expect(face(await call(ann, 'numbers_provision', PROVISION))).toMatchObject({ code: 'not_confirmed' });
    expect(asked).toHaveLength(questions + 1);
  });

  it('is no answer to a repeat once its requester has read it', async () => {
    await open();
    const ann = await clientOf('ann');
    platform.next(BUY, 'cut-late');
    const id = await lose(ann, 'numbers_provision', PROVISION);
    await platform.release();
    expect((await follow(ann, id)).status).toBe('done');
    answer = 'decline';
    const questions = asked.length;
    expect(face(await call(ann, 'numbers_provision', PROVISION))).toMatchObject({ code: 'not_confirmed' });
    expect(asked).toHaveLength(questions + 1);
  });

  it('ends a question that was asked before: nobody confirms it without having read the warning', async () => {
    await open();
    const { confirmation } = value(
      await call(await world.client({ token: 'ann-token-1' }), 'numbers_provision', PROVISION),
    );
    platform.next(BUY, 'cut-lost');
    const lost = await lose(await clientOf('bob'), 'numbers_provision', PROVISION);

    await signIn(confirmation.url, 'ann-token-1');
    const page = await confirm(confirmation.url);
    expect(page.status).toBe(409);
    expect(page.html).toContain(`was sent, and its outcome is unknown (${lost}`);
    expect(page.html).toContain('ask again');
    const ann = await clientOf('ann');
    expect(await follow(ann, confirmation.id)).toMatchObject({ status: 'failed', error: { reason: 'changed' } });
    expect(await bought()).toEqual([]);

    // The next question says it, and its yes counts.
    const again = value(await call(ann, 'numbers_provision', PROVISION));
    expect(asked.at(-1)).toContain('its outcome is unknown: it may have been done already');
    expect(await bought()).toEqual([again.PhoneNumberAssigned]);
  });

  it('is run once more for the person who confirms against the warning', async () => {
    await open();
    const ann = await clientOf('ann');
    platform.next(BUY, 'cut-lost');
    await lose(ann, 'numbers_provision', PROVISION);
    const again = value(await call(ann, 'numbers_provision', PROVISION));
    expect(again.PhoneNumberAssigned).toMatch(/^\+1201/);
    expect(asked).toHaveLength(2);
    expect(asked[1]).toContain('outcome is unknown');
    expect(await bought()).toHaveLength(1);
  });

  it.each([
    ['numbers_reactivate', { PhoneNumber: seeded(7), AccountId: A1 }, REACTIVATE],
    ['numbers_cancel', { PhoneNumbers: [{ Number: seeded(3) }] }, SUBMIT],
    [
      'numbers_status',
      { StatusChange: 'park', PhoneNumbers: [{ Number: seeded(3) }], EffectiveDate: begunDay() },
      '/v1.0/numbers/status',
    ],
  ])('%s stays unknown too, and is found when it is done', async (name, input, path) => {
    await open();
    const ann = await clientOf('ann');
    platform.next(path, 'cut-late');
    const id = await lose(ann, name, input);
    expect((await follow(ann, id)).status).toBe('unknown');
    await platform.release();
    const done = await follow(ann, id);
    expect(done.status).toBe('done');
    expect(done.result.Resolved).toContain(`numbers_get says that +1201555`);
  });

  it('a plain write that cannot be read is put before a person when it is repeated', async () => {
    await open();
    const ann = await clientOf('ann');
    const route = {
      RouteName: 'Support',
      MessageUrl: 'https://example.com/in',
      MessageUrlMethod: 'POST',
      AccountId: A1,
    };
    platform.next('/v1.0/message/routes', 'cut-done');
    await lose(ann, 'message_routes_create', route);
    expect(asked).toHaveLength(1);
    answer = 'decline';
    expect(face(await call(ann, 'message_routes_create', route)).code).toBe('not_confirmed');
    expect(asked.at(-1)).toContain('its outcome is unknown');
  });
});

describe('work the platform never did', () => {
  it('is "not done" after the settling time, when two readings some time apart agree', async () => {
    await open(FAST);
    const ann = await clientOf('ann');
    platform.next(REACTIVATE, 'cut-lost');
    const sentAt = clock.now();
    const id = await lose(ann, 'numbers_reactivate', { PhoneNumber: seeded(7), AccountId: A1 });
    const states: string[] = [];
    const end = await until(
      async () => {
        clock.skip(1_000);
        const now = await follow(ann, id);
        states.push(now.status);
        return now;
      },
      (now) => now.status !== 'unknown',
    );
    expect(clock.now() - sentAt).toBeGreaterThanOrEqual(10_000);
    expect(end.status).toBe('failed');
    expect(end.error).toMatchObject({ outcome: 'not_done' });
    expect(end.error.message).toMatch(
      /^Resolved by reading at \S+ and \S+: numbers_get says that \+12015550107 is "Can/,
    );
    // The same change can be requested again.
    expect(value(await call(ann, 'numbers_reactivate', { PhoneNumber: seeded(7), AccountId: A1 })).Status).toBe(
      'Success',
    );
    expect(asked.at(-1)).not.toContain('unknown');
  });

  it('keeps its first reading over a restart', async () => {
    await open(FAST);
    const ann = await clientOf('ann');
    platform.next(REACTIVATE, 'cut-lost');
    const id = await lose(ann, 'numbers_reactivate', { PhoneNumber: seeded(7), AccountId: A1 });
    const { ledger } = world.runtime;
    const first = await until(
      async () => {
        clock.skip(1_000);
        await follow(ann, id);
        return (await ledger.readings.find(id))?.notDone;
      },
      (notDone) => notDone !== undefined,
    );
    const config = { ...world.runtime.config };
    const next = await openRuntime(config, { clock });
    onTestFinished(() => next.close());
    const end = await until(
      async () => {
        clock.skip(1_000);
        await recover(next);
        return await next.gate.actions.get(id);
      },
      (now) => now?.state !== 'unknown',
    );
    expect(end?.error?.message).toContain(new Date(first?.at ?? 0).toISOString());
  });
});

describe('what belongs to others', () => {
  it('never calls the number of a stranger ours', async () => {
    await open();
    const ann = await clientOf('ann');
    platform.next(BUY, 'cut-lost');
    const id = await lose(ann, 'numbers_provision', PROVISION);
    await stranger({ ...PROVISION, NumberType: 'iot', MessageType: 'p2p', ProductType: 'data-only' });
    expect(await bought()).toHaveLength(1);
    expect((await follow(ann, id)).status).toBe('unknown');
  });

  it('shows a person what may be ours where reading cannot tell', async () => {
    await open();
    const ann = await clientOf('ann');
    platform.next(BUY, 'cut-done');
    let theirs = '';
    // The outcome is read in the background soon after the cut, so the stranger buys before it.
    platform.beforeCut = async () => {
      theirs = await stranger(PROVISION);
    };
    const id = await lose(ann, 'numbers_provision', PROVISION);
    const numbers = await bought();
    expect(numbers).toHaveLength(2);
    const open2 = await follow(ann, id);
    expect(open2.status).toBe('unknown');
    expect(open2.error.message).toContain('several that may be it');
    for (const number of [...numbers, theirs]) expect(open2.error.message).toContain(number);
  });

  it('tells another requester of the earlier call and asks him as for a new one', async () => {
    await open();
    const [ann, bob] = [await clientOf('ann'), await clientOf('bob')];
    platform.next(BUY, 'cut-done');
    const id = await lose(ann, 'numbers_provision', PROVISION);
    const [hers] = await bought();
    answer = 'decline';
    expect(face(await call(bob, 'numbers_provision', PROVISION)).code).toBe('not_confirmed');
    expect(asked.at(-1)).toMatch(/^.*\n?ann made the same call at \d{4}-\S+ \(act_\S+\); it was done\./m);
    expect(asked.at(-1)).not.toContain(hers);
    expect(await bought()).toHaveLength(1);
    expect(await follow(ann, id)).toMatchObject({ status: 'done', result: { PhoneNumberAssigned: hers } });

    answer = 'accept';
    const his = value(await call(bob, 'numbers_provision', PROVISION));
    expect(his.PhoneNumberAssigned).not.toBe(hers);
    expect(await bought()).toHaveLength(2);
  });
});
