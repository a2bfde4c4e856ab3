import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { actorOf } from '../support/approval.ts';
import { accepts, asks, CHANGED, followed } from '../support/asking.ts';
import { SkippingClock } from '../support/clock.ts';
import { type LatePlatform, lateWorld } from '../support/late-platform.ts';
import { confirm, look, signIn, signOut } from '../support/page.ts';
import { BUY_PATH, PROVISION } from '../support/seed.ts';
import { type Json, lose, type World } from '../support/world.ts';

/* A question that warns that the outcome of an earlier call is unknown, after that outcome has become known. */

let platform: LatePlatform;
let world: World;
let patient: Client;
beforeEach(async () => {
  const env = { MCP_HTTP_TOKENS: 'ann:approver:ann-token-1', PLATFORM_TIMEOUT_MS: '9000' };
  ({ platform, world } = await lateWorld(env, new SkippingClock()));
  patient = await world.client({ token: 'ann-token-1' });
});
afterEach(signOut);

const follow = (id: string): Promise<Json> => followed(patient, id);
const asked = (): Promise<Json> => asks(patient, 'numbers_provision', PROVISION);
const bought = async () => (await world.state()).numbers.length;

/** Loses the answer of a call, and asks for the same again, which waits. */
async function repeated(fate: 'cut-late' | 'cut-lost'): Promise<{ lost: string; waiting: Json }> {
  const ann = await world.client({ token: 'ann-token-1', person: accepts });
  platform.next(BUY_PATH, fate);
  const lost = await lose(ann, 'numbers_provision', PROVISION);
  const waiting = await asked();
  expect(waiting.consequence).toContain('its outcome is unknown');
  return { lost, waiting };
}

it('takes no yes once that call is found done, so that the work is not done a second time', async () => {
  const before = await bought();
  const { lost, waiting } = await repeated('cut-late');
  await platform.release();
  expect((await follow(lost)).status).toBe('done');
  await signIn(waiting.url, 'ann-token-1');
  await confirm(waiting.url);
  const ended = await follow(waiting.id);
  expect(ended).toMatchObject({ status: 'failed', error: CHANGED });
  expect(ended.error.message).toContain(`was done (${lost}`);
  expect((await look(waiting.url)).html).toContain('was done');
  expect(await bought()).toBe(before + 1);
  // The next one is a new call. Its approver is told of the one before.
  const next = await asked();
  expect(next.id).not.toBe(waiting.id);
  expect(next.consequence).toMatch(
    /^Warning: The same call was sent at .*; it was done\. Confirming does it a second time\.\n/,
  );
});

it('stays if that call was not done, and the next one does not warn and takes its place', async () => {
  const { lost, waiting } = await repeated('cut-lost');
  await world.runtime.gate.settle(lost, actorOf('lee'), 'not_done', 'page');
  expect((await follow(waiting.id)).status).toBe('pending');
  expect((await asked()).consequence).not.toContain('its outcome is unknown');
  expect(await follow(waiting.id)).toMatchObject({ status: 'declined', error: { reason: 'replaced' } });
});
