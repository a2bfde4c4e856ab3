import { beforeEach, describe, expect, it } from 'vitest';
import { accepts, followed } from '../support/asking.ts';
import { seeded } from '../support/seed.ts';
import { call, face, openWorld } from '../support/world.ts';

const SUBMIT = '/v1.0/numbers/cancel-order-submit';
const cancel = { PhoneNumbers: [{ Number: seeded(3) }] };

const world = await openWorld({ MCP_HTTP_TOKENS: 'ana:approver:token-of-ana,bo:operator:token-of-bo' });

describe('how the unknown outcome of a workflow is followed', () => {
  beforeEach(async () => {
    await world.reset();
    await world.control('faults', { path: SUBMIT, times: 5, status: 500 });
  });

  it('by the id of the whole, not of the stage inside it, which its reader may not follow', async () => {
    const client = await world.client({ token: 'token-of-ana', person: accepts });
    const { message, outcome } = face(await call(client, 'numbers_cancel', cancel));
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
