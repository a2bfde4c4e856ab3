import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/demo/sandbox/index.ts';
import type { Actor } from '../../src/lib/actor.ts';
import { type Clock, MINUTE_MS } from '../../src/lib/clock.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { asSwitchboardError } from '../../src/lib/errors.ts';
import { openRuntime, type Runtime } from '../../src/start/runtime.ts';
import { actorOf } from '../support/approval.ts';
import { waits } from '../support/asking.ts';
import { SkippingClock } from '../support/clock.ts';
import { makeFolder } from '../support/folder.ts';
import { takeOver } from '../support/later.ts';
import { onSandbox, openSandbox, sentTo } from '../support/on-sandbox.ts';
import { A1, REACTIVATE_PATH, seeded } from '../support/seed.ts';
import { editFile } from '../support/sqlite-file.ts';
import { until } from '../support/world.ts';

/*
 * Attacks on the ledger's file. Rows are edited by hand, as a person who prepared the folder would do. Without the
 * sealing key, none of these edits is ever run.
 */

const asker: Actor = { id: 'mcp:x', name: 'x', role: 'operator', surface: 'mcp', priority: 'assistant' };
const lee = actorOf('page:lee', { person: 'token:lee' });
const by = { person: 'token:lee', name: 'lee', way: 'page' } as const;

let folder: string;
let sandbox: Sandbox;
let runtimes: Runtime[];
beforeEach(async () => {
  folder = makeFolder();
  sandbox = await openSandbox();
  runtimes = [];
});
afterEach(async () => {
  for (const runtime of runtimes) await runtime.close();
});

async function open(clock?: Clock): Promise<Runtime> {
  const config = loadConfig({ ...onSandbox(sandbox.url), DATA_DIR: folder, LOG_LEVEL: 'silent' });
  const runtime = await openRuntime(config, { ...(clock && { clock }) });
  runtimes.push(runtime);
  return runtime;
}

/** Changes rows of the file behind the ledger's back. */
const edit = (sql: string, ...values: (string | number)[]) => editFile(join(folder, 'switchboard.db'), sql, ...values);

const pending = ({ gate }: Runtime, PhoneNumber = seeded(7)): Promise<string> =>
  waits(gate, 'numbers_reactivate', { PhoneNumber, AccountId: A1 }, asker);
/** The face of the error with which the yes to an action ends. */
async function refusal({ gate }: Runtime, id: string) {
  const failed = await gate.confirm(id, lee, 'page').catch(asSwitchboardError);
  if (!('face' in failed)) throw new Error('it was confirmed');
  expect(failed.face).toMatchObject({ code: 'unavailable', outcome: 'not_done' });
  return failed.face;
}

const sent = async () => (await sentTo(sandbox.url, REACTIVATE_PATH)).length;

const DAY = 86_400_000;

describe('a waiting action', () => {
  it.each<[string, string, (string | number)[]]>([
    ['another consent', `consent = replace(consent, '5 USD', '0 USD')`, []],
    ['another number on the card', `shown = replace(shown, '0107', '0101')`, []],
    ['another operation', `operation = 'products_delete'`, []],
    ['what another action asks for', 'input = (SELECT input FROM actions WHERE id <> ?1)', []],
    ['another requester', `person = 'token:somebody'`, []],
    ['a later end', `expires_at = expires_at + ${DAY}`, []],
    ['no seal', 'bound = NULL', []],
    ['a made-up seal', `bound = 'c2VhbA'`, []],
  ])('is not confirmed with %s', async (_name, change) => {
    const runtime = await open();
    await pending(runtime, seeded(8));
    const id = await pending(runtime);
    edit(`UPDATE actions SET ${change} WHERE id = ?1`, id);
    expect((await refusal(runtime, id)).message).toContain('seal');
    expect((await runtime.gate.actions.get(id))?.state).toBe('failed');
    expect(await sent()).toBe(0);
  });

  it('is refused after the clock was set back, in words about the clock', async () => {
    const clock = new SkippingClock();
    const runtime = await open(clock);
    const id = await pending(runtime);
    clock.skip(-10 * MINUTE_MS);
    const { effect, message, next } = await refusal(runtime, id);
    expect([effect, message]).toEqual(['nothing_sent', expect.stringContaining('The clock was set back')]);
    expect(`${message} ${next}`).not.toMatch(/seal/i);
    expect(await sent()).toBe(0);
    // It can be asked for again at once.
    await runtime.gate.confirm(await pending(runtime), lee, 'page');
    expect(await sent()).toBe(1);
  });

  it('is confirmed as it was asked for', async () => {
    const runtime = await open();
    await runtime.gate.confirm(await pending(runtime), lee, 'page');
    expect(await sent()).toBe(1);
  });
});

describe('a confirmed action that a process left behind', () => {
  /**
   * Leaves an action from a first process, edits it by hand, and lets a second process take it up beside an honest one.
   */
  async function takenUp(change: string) {
    const first = await open();
    const id = await pending(first);
    await first.ledger.confirm(id, by);
    const honest = await pending(first, seeded(8));
    await first.ledger.confirm(honest, by);
    edit(`UPDATE actions SET ${change} WHERE id = ?1`, id);
    const second = await open();
    // The first process is silent from here on: the second one takes its work for its own.
    await takeOver(second);
    await until(
      () => Promise.all([id, honest].map(async (one) => (await second.gate.actions.get(one))?.state ?? '')),
      (states) => states.every((state) => ['done', 'failed'].includes(state)),
    );
    const { actions } = second.gate;
    return { action: await actions.get(id), honest: await actions.get(honest), requests: await sent() };
  }

  it.each<[string, string]>([
    ['decided in the future', `decided_at = ${Date.now() + 10 * DAY}`],
    ['asked for in the future', `created_at = ${Date.now() + 10 * DAY}`],
    ['decided by somebody else', `decided_person = 'token:boss'`],
    ['decided another way', `decided_via = 'slack'`],
    ['with another input', 'input = (SELECT input FROM actions WHERE id <> ?1)'],
    ['without a seal', 'proof = NULL, bound = NULL'],
    ['without a seal over its decision', 'proof = NULL'],
    ['with the seal of another decision', 'proof = (SELECT proof FROM actions WHERE id <> ?1)'],
    ['whose record cannot be read', `shown = '{', known = '['`],
  ])('is not run: %s', async (_name, change) => {
    const { action, honest, requests } = await takenUp(change);
    expect(action).toMatchObject({ state: 'failed', error: { code: 'unavailable', outcome: 'not_done' } });
    // It does not keep the others: the honest one was sent, and refused by the carrier as 0108 is.
    expect(honest?.sentAt).toBeDefined();
    expect(requests).toBe(1);
  });

  it.each<[string, string]>([
    ['and its ends are taken out', 'sent_at = NULL, finished_at = NULL, result = NULL, error = NULL'],
    ['and only its time of sending is left', 'finished_at = NULL, result = NULL, error = NULL'],
    ['and only its end is left', 'sent_at = NULL, result = NULL, error = NULL'],
    ['and only its result is left', 'sent_at = NULL, finished_at = NULL, error = NULL'],
  ])('is not run again where a done one is set back to confirmed %s', async (_how, change) => {
    const first = await open();
    const id = await pending(first);
    await first.gate.confirm(id, lee, 'page');
    expect((await first.gate.actions.get(id))?.state).toBe('done');
    expect(await sent()).toBe(1);
    edit(`UPDATE actions SET state = 'confirmed', owner = 'nobody', ${change} WHERE id = ?1`, id);
    const second = await open();
    await takeOver(second);
    await second.gate.idle();
    await until(
      async () => (await second.gate.actions.get(id))?.state ?? '',
      (state) => state === 'failed',
    );
    expect(await sent()).toBe(1);
  });

  it('is run where its record is as it was written', async () => {
    const { action, requests } = await takenUp('reading = NULL');
    expect(action?.state).toBe('done');
    expect(requests).toBe(2);
  });
});
