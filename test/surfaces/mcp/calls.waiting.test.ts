import { afterEach, describe, expect, it } from 'vitest';
import { call, confirm, face, openWorld, seeded, value } from '../../support/world.ts';

/* The tools about calls that wait, over MCP. */

const world = await openWorld();
const client = await world.client();
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

  it('is not withdrawn once it was confirmed, which does not read as if it had not been', async () => {
    const { id, url } = await asked(7);
    await confirm(url);
    const refused = face(await call(client, 'confirmations_withdraw', { id }));
    expect(refused).toMatchObject({ code: 'invalid_input', field: 'id', outcome: 'not_done' });
    expect(refused.message).toMatch(/It was already confirmed by .* and done\./);
    expect(value(await call(client, 'confirmations_get', { id })).status).toBe('done');
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
});
