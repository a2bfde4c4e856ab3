import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BatchClient, STATUS } from '../../support/batches.ts';
import {
  call,
  confirm,
  decline,
  face,
  MRID,
  openWorld,
  seeded,
  texts,
  value,
  type World,
} from '../../support/world.ts';

/* The tools about calls that wait, over MCP. */

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld();
  client = await world.client();
});
afterAll(() => world.close());
afterEach(() => world.reset());

const asked = async (n: number) =>
  value(await call(client, 'numbers_reactivate', { PhoneNumber: seeded(n) })).confirmation;

describe('a call that waits', () => {
  it('is withdrawn by its requester, once, and nothing is sent', async () => {
    const { id, url } = await asked(7);
    const withdrawn = value(await call(client, 'confirmations_withdraw', { id }));
    expect(withdrawn).toMatchObject({ id, status: 'declined', error: { reason: 'withdrawn' } });
    expect(face(await call(client, 'confirmations_withdraw', { id }))).toMatchObject({ code: 'not_confirmed' });
    await confirm(url).catch(() => undefined);
    expect(value(await call(client, 'confirmations_get', { id }))).toMatchObject({ status: 'declined' });
    expect((await world.requests()).filter((one) => one.path.includes('reactivate'))).toEqual([]);
  });

  it('is withdrawn if it asks about a batch, which ends with it', async () => {
    const batches = new BatchClient(client);
    const { batch, confirmation } = await batches.park([1, 3]);
    const { id } = confirmation;
    expect(value(await call(client, 'confirmations_withdraw', { id }))).toMatchObject({
      id,
      status: 'declined',
      error: { reason: 'withdrawn' },
    });
    expect(value(await call(client, 'batches_get', { id: batch.id })).batch).toMatchObject({ status: 'declined' });
    await confirm(confirmation.url).catch(() => undefined);
    expect(await world.sent(STATUS)).toEqual([]);
  });

  it('is found in the lookup of its line, and that of a batch is withdrawn by its id, too', async () => {
    const list = { Operation: 'numbers_reactivate', Numbers: [seeded(7), seeded(8)] };
    const { batch, confirmation } = value(await call(client, 'batches_create', list));
    const { Waiting } = value(await call(client, 'numbers_lookup', { PhoneNumber: seeded(7) }));
    expect(Waiting).toMatchObject([{ Id: confirmation.id }]);
    const withdrawn = await call(client, 'confirmations_withdraw', { id: Waiting[0].Id });
    expect(value(withdrawn)).toMatchObject({ status: 'declined', error: { reason: 'withdrawn' } });
    expect(value(await call(client, 'batches_get', { id: batch.id })).batch.status).toBe('declined');
    const again = value(await call(client, 'batches_create', list));
    expect(again.batch.id).not.toBe(batch.id);
    await decline(again.confirmation.url);
  });

  it('is answered with its question if its list is given again, with the rows that were left out', async () => {
    const list = { Operation: 'numbers_reactivate', Numbers: [7, 1, 8, 2, 3, 4, 5, 6].map(seeded) };
    const { batch, confirmation } = value(await call(client, 'batches_create', list));
    expect(batch).toMatchObject({ leftOut: 6, rowsIn: 'batches_get with Page 1', moreExceptions: 1 });
    const reason = expect.stringContaining('is Active');
    expect(batch.exceptions).toMatchObject(
      [2, 4, 5, 6, 7].map((row, at) => ({ row, target: seeded(at + 1), status: 'left out', reason })),
    );
    const again = await call(client, 'batches_create', list);
    const { id, status, level, summary, consequence, changes, url, expiresAt } = confirmation;
    const same = { id, status, level, summary, consequence, changes, url, expiresAt };
    expect(value(again).confirmation).toMatchObject({ ...same, requestedAt: expect.any(String) });
    expect(value(again).confirmation).not.toHaveProperty('stays');
    expect(value(again).batch).toMatchObject({ id: batch.id, exceptions: batch.exceptions });
    expect(texts(again)).toContain(`This already waits, asked at`);
    expect(texts(again).match(/already waits/g)).toHaveLength(1);
    // The state of the batch has them, too, and a page has all rows.
    expect(value(await call(client, 'batches_get', { id: batch.id })).batch).toMatchObject({ moreExceptions: 1 });
    expect(value(await call(client, 'batches_get', { id: batch.id, Page: 1 })).batch).not.toHaveProperty('exceptions');
    await decline(url);
  });

  it('is about whole numbers only, in a list as in a call', async () => {
    const shared = { StatusChange: 'park', EffectiveDate: '12/31/2099' };
    const one = face(await call(client, 'numbers_status', { ...shared, PhoneNumbers: [{ Number: '0104' }] }));
    expect(one.message).toContain('not a phone number');
    const list = { Operation: 'numbers_status', Numbers: ['0104', seeded(1), seeded(3)], Fields: shared };
    const { batch, confirmation } = value(await call(client, 'batches_create', list));
    expect(batch).toMatchObject({ ready: 2, exceptions: [{ row: 1, target: '0104' }] });
    expect(batch.exceptions[0].reason).toContain('Not a phone number: use E.164');
    await decline(confirmation.url);
  });

  it('says in one text what it leaves as it is, with the account by name', async () => {
    const route = { MessageRouteId: MRID, MessageUrl: 'https://example.com/other' };
    const answer = await call(client, 'message_routes_update', route);
    const { stays, url } = value(answer).confirmation;
    expect(stays).toMatch(/^Route name: “Main SMS route”; Message URL method: POST; Account: “Acme Mobile”; /);
    expect(answer._meta?.['switchboard/outside']).toContain('confirmation.stays');
    await decline(url);
  });

  it('is not withdrawn once it was confirmed, which does not read as if it had not been', async () => {
    const { id, url } = await asked(7);
    await confirm(url);
    const refused = face(await call(client, 'confirmations_withdraw', { id }));
    expect(refused).toMatchObject({ code: 'invalid_input', field: 'id', outcome: 'not_done' });
    expect(refused.message).toMatch(/It was already confirmed by .* and done\./);
    expect(value(await call(client, 'confirmations_get', { id })).status).toBe('done');
  });

  it.each([
    ['of nobody', { id: 'act_00000000' }, 'not_found'],
    ['without an id', {}, 'invalid_input'],
    ['that is a batch', { id: 'bat_1' }, 'invalid_input'],
    ['with another field', { id: 'act_1', Reason: 'none' }, 'invalid_input'],
  ])('%s is not withdrawn', async (_, input, code) => {
    expect(face(await call(client, 'confirmations_withdraw', input))).toMatchObject({ code, outcome: 'not_done' });
  });
});

describe('the states of several calls', () => {
  it('are one answer, in the order of the ids, with the error of one that is unknown in its place', async () => {
    const { id } = await asked(7);
    const ids = [id, 'act_00000000'];
    const { confirmations } = value(await call(client, 'confirmations_get', { ids }));
    expect(confirmations).toMatchObject([
      { id, status: 'pending' },
      { id: 'act_00000000', error: { code: 'not_found' } },
    ]);
    expect(value(await call(client, 'confirmations_get', { ids: JSON.stringify([id]) })).confirmations).toHaveLength(1);
  });

  it.each([[[]], [Array.from({ length: 21 }, (_, i) => `act_${i}`)]])(
    'are refused for a list of another length',
    async (ids) => {
      expect(face(await call(client, 'confirmations_get', { ids }))).toMatchObject({
        code: 'invalid_input',
        field: 'ids',
      });
    },
  );
});
