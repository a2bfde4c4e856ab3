import { afterEach, describe, expect, it } from 'vitest';
import {
  A1,
  call,
  confirm,
  decline,
  face,
  look,
  openWorld,
  press,
  seeded,
  signIn,
  signOut,
  value,
  type World,
} from '../support/world.ts';

/* Changes that need the yes of several approvers (CONFIRM_QUORUM), on the page, in a client and at a terminal. */

const ENV = {
  CONFIRM_QUORUM: 'destroy:2',
  CONFIRM_VIA: 'page,client,terminal',
  MCP_HTTP_TOKENS: 'op:operator:token-of-op-1,ana:approver:token-of-ana,lee:approver:token-of-lee',
};
const CANCEL = { PhoneNumbers: [{ Number: seeded(3) }] };
const SUBMIT = '/v1.0/numbers/cancel-order-submit';
const MINUTE = 60_000;

const worlds: World[] = [];
afterEach(async () => {
  signOut();
  for (const world of worlds.splice(0)) await world.close();
});

async function open(env: Record<string, string> = {}): Promise<World> {
  const world = await openWorld({ ...ENV, ...env });
  worlds.push(world);
  return world;
}

async function ask(world: World, name: string, input: Record<string, unknown>, token = 'token-of-op-1') {
  const client = await world.client({ token });
  const { confirmation } = value(await call(client, name, input));
  return { client, ...(confirmation as { id: string; url: string; approvals?: unknown }) };
}

async function trailOf(world: World, id: string) {
  const lines = (await world.runtime.ledger.audit()).filter(({ action }) => action === id);
  return lines.map(({ what, decider, way, detail }) => [what, decider, way, detail] as const).reverse();
}

describe('two approvers for what takes service away', () => {
  it('both say yes on the page: the first is recorded and shown, the second sends it', async () => {
    const world = await open();
    const { client, id, url, approvals } = await ask(world, 'numbers_cancel', CANCEL);
    expect(approvals).toEqual({ needed: 2, given: [] });
    await signIn(url, 'token-of-ana');
    expect((await look(url)).html).toContain('0 of 2: 2 different approvers must say yes');

    const first = await confirm(url);
    expect(first.html).toContain('Waiting for another person');
    expect(first.html).toMatch(/1 of 2: token:ana \(ana\) said yes at <time/);
    expect(first.html).toContain('You said yes to this');
    expect(first.html).not.toContain('value="confirm"');
    expect(await world.sent(SUBMIT)).toEqual([]);
    expect(value(await call(client, 'confirmations_get', { id }))).toMatchObject({
      status: 'pending',
      approvals: { needed: 2, given: [{ by: 'token:ana (ana)', at: expect.stringMatching(/^\d{4}-/) }] },
    });

    await signIn(url, 'token-of-lee');
    expect((await look(url)).html).toMatch(/1 of 2: token:ana/);
    const second = await confirm(url);
    expect(second.html).toContain('Done');
    expect(second.html).toContain('token:ana (ana) and token:lee (lee)');
    expect(await world.sent(SUBMIT)).toHaveLength(1);
    expect(value(await call(client, 'confirmations_get', { id }))).toMatchObject({
      status: 'done',
      decidedBy: 'token:ana (ana) and token:lee (lee)',
    });
    expect((await trailOf(world, id)).slice(0, 4)).toEqual([
      ['asked', null, null, expect.any(String)],
      ['approved', 'token:ana (ana)', 'page', '1 of 2'],
      ['confirmed', 'token:lee (lee)', 'page', 'page'],
      ['sent', 'token:lee (lee)', 'page', ''],
    ]);
  });

  it('are two people: the same one counts once, by whichever way', async () => {
    const world = await open();
    const { client, id, url } = await ask(world, 'numbers_cancel', CANCEL);
    await signIn(url, 'token-of-ana');
    const seen = await look(url);
    await confirm(url);
    const again = await press(url, 'confirm', {}, seen);
    expect([again.status, again.html]).toEqual([403, expect.stringContaining('another approver must confirm it too')]);
    // The same person's client asks, and is answered that it waits.
    const asked: unknown[] = [];
    const own = await world.client({
      token: 'token-of-ana',
      person: (request) => {
        asked.push(request);
        return { action: 'accept' };
      },
    });
    expect(value(await call(own, 'numbers_cancel', CANCEL)).confirmation).toMatchObject({ id, status: 'pending' });
    expect(asked).toEqual([]);
    expect(await world.sent(SUBMIT)).toEqual([]);
    expect(value(await call(client, 'confirmations_get', { id })).approvals.given).toHaveLength(1);
  });

  it('may also be the user of a client and an approver on the page', async () => {
    const world = await open();
    const own = await world.client({ token: 'token-of-ana', person: () => ({ action: 'accept' }) });
    const { confirmation } = value(await call(own, 'numbers_cancel', CANCEL));
    expect(confirmation).toMatchObject({
      status: 'pending',
      approvals: { needed: 2, given: [{ by: 'token:ana (the user of test)' }] },
    });
    expect(await world.sent(SUBMIT)).toEqual([]);
    await signIn(confirmation.url, 'token-of-lee');
    expect((await confirm(confirmation.url)).html).toContain('Done');
    expect(await world.sent(SUBMIT)).toHaveLength(1);
  });

  it('count --yes at the terminal as one', async () => {
    const world = await open();
    const ran = await world.cli(['numbers_cancel', '--json', JSON.stringify(CANCEL), '--yes']);
    expect(ran.code).toBe(3);
    expect(ran.error().message).toContain('has 1 of 2 approvals (cli:ana (ana)) and waits for an approver');
    expect(await world.sent(SUBMIT)).toEqual([]);
    const [waiting] = await world.runtime.ledger.list({ states: ['pending'] });
    const url = `${world.url}/confirm/${waiting?.id}`;
    await signIn(url, 'token-of-lee');
    expect((await confirm(url)).html).toContain('Done');
    expect(await world.sent(SUBMIT)).toHaveLength(1);
  });

  it('are not the requester under two-person approval', async () => {
    const world = await open({
      CONFIRM_TWO_PERSON: 'true',
      MCP_HTTP_TOKENS: `${ENV.MCP_HTTP_TOKENS},kim:approver:token-of-kim`,
    });
    const { url } = await ask(world, 'numbers_cancel', CANCEL, 'token-of-ana');
    await signIn(url, 'token-of-ana');
    expect((await confirm(url)).status).toBe(403);
    await signIn(url, 'token-of-lee');
    await confirm(url);
    expect(await world.sent(SUBMIT)).toEqual([]);
    await signIn(url, 'token-of-ana');
    expect((await confirm(url)).status).toBe(403);
    expect(await world.sent(SUBMIT)).toEqual([]);
    await signIn(url, 'token-of-kim');
    expect((await confirm(url)).html).toContain('Done');
    expect(await world.sent(SUBMIT)).toHaveLength(1);
  });

  it('decide by one no', async () => {
    const world = await open();
    const { client, id, url } = await ask(world, 'numbers_cancel', CANCEL);
    await signIn(url, 'token-of-ana');
    await confirm(url);
    await signIn(url, 'token-of-lee');
    expect((await decline(url)).html).toContain('Declined');
    expect(value(await call(client, 'confirmations_get', { id }))).toMatchObject({
      status: 'declined',
      decidedBy: 'token:lee (lee)',
    });
  });

  it('are asked for a raised change, and not for money or an ordinary change', async () => {
    const world = await open();
    const one = (name: string, input: Record<string, unknown>) => ask(world, name, input);
    const spend = await one('numbers_reactivate', { PhoneNumber: seeded(7), AccountId: A1 });
    expect(spend.approvals).toBeUndefined();
    await signIn(spend.url, 'token-of-ana');
    expect((await confirm(spend.url)).html).toContain('Done');
    const raised = await one('numbers_update', { Number: seeded(1), MessageEnabled: false });
    expect(raised.approvals).toEqual({ needed: 2, given: [] });
    const ordinary = await one('numbers_update', { Number: seeded(4), CnamLastName: 'Stone' });
    expect(ordinary.approvals).toBeUndefined();
  });

  it(
    'say yes to a batch as a whole',
    async () => {
      const world = await open();
      const client = await world.client({ token: 'token-of-op-1' });
      const numbers = [seeded(3), seeded(5)];
      const made = value(await call(client, 'batches_create', { Operation: 'numbers_cancel', Numbers: numbers }));
      const waiting = async () =>
        (await world.runtime.ledger.list({ states: ['pending'] })).find(({ operation }) => operation === 'batches_run');
      await expect.poll(waiting, { timeout: 20_000 }).toBeDefined();
      const url = `${world.url}/confirm/${(await waiting())?.id}`;
      await signIn(url, 'token-of-ana');
      await confirm(url);
      expect((await look(url)).html).toMatch(/1 of 2: token:ana/);
      expect(await world.sent(SUBMIT)).toEqual([]);
      await signIn(url, 'token-of-lee');
      await confirm(url);
      const batch = async () => value(await call(client, 'batches_get', { id: made.batch.id })).batch;
      await expect.poll(async () => (await batch()).status, { timeout: 20_000 }).toBe('done');
      expect((await batch()).decidedBy).toBe('token:ana (ana) and token:lee (lee)');
    },
    MINUTE,
  );

  it('are needed in time to be asked: with one alone the call is refused at once', async () => {
    const world = await open({ MCP_HTTP_TOKENS: 'op:operator:token-of-op-1,ana:approver:token-of-ana' });
    const client = await world.client({ token: 'token-of-op-1' });
    const error = face(await call(client, 'numbers_cancel', CANCEL));
    expect(error).toMatchObject({ code: 'forbidden_by_role', outcome: 'not_done' });
    expect(error.message).toContain('CONFIRM_QUORUM requires the yes of 2 different approvers');
    expect(await world.sent('/v1.0/numbers/cancel-order-request')).toEqual([]);
  });
});

describe('a yes in the ledger', () => {
  it.each([
    ['made up', `'[{"person":"token:kim","name":"kim","way":"page","at":1}]'`],
    ['given to somebody else', `replace(yeses, 'token:ana', 'token:kim')`],
  ])('that was %s counts for nothing', async (_, yeses) => {
    const world = await open();
    const { client, id, url } = await ask(world, 'numbers_cancel', CANCEL);
    await signIn(url, 'token-of-ana');
    await confirm(url);
    await world.runtime.store.database('ledger').run(`UPDATE actions SET yeses = ${yeses} WHERE id = ?`, id);
    await signIn(url, 'token-of-lee');
    await confirm(url);
    expect(await world.sent(SUBMIT)).toEqual([]);
    expect(value(await call(client, 'confirmations_get', { id })).status).toBe('failed');
  });

  it('is not enough for a row that says confirmed', async () => {
    const world = await open();
    const { id, url } = await ask(world, 'numbers_cancel', CANCEL);
    await signIn(url, 'token-of-ana');
    await confirm(url);
    const db = world.runtime.store.database('ledger');
    const sql =
      "UPDATE actions SET state = 'confirmed', decided_at = updated_at, decided_via = 'page', owner = ? WHERE id = ?";
    await db.run(sql, world.runtime.ledger.ownerId, id);
    const proven = await world.runtime.ledger.confirmed(id);
    expect(proven).toMatchObject({ flaw: { why: 'record' } });
  });
});

it('a quorum of anything else stops the start', async () => {
  await expect(open({ CONFIRM_QUORUM: 'spend:2' })).rejects.toThrow(/CONFIRM_QUORUM.*must be destroy:2/);
});
