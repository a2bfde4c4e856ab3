import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  call,
  confirm,
  id,
  type Json,
  openWorld,
  PROVISION,
  seeded,
  TSUID,
  value,
  type World,
  within,
} from '../support/world.ts';

/* Repeats: an older question, and the same call many times at once. */

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld({ MCP_TOOLSETS: 'all' });
  client = await world.client();
});
afterAll(() => world.close());
beforeEach(() => world.afresh());

describe('a second call with other values', () => {
  const line = { SubscriberId: TSUID, Phone: seeded(1) };
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      'subscriptions_create',
      { SubscriberId: TSUID, TNID: id('NID', 1), PackageId: id('PKID', 1), Type: 'Mvno' },
      { ICCID: '89012403971900010010' },
    ],
    ['subscribers_call_filter_create', { ...line, FilterMode: 'BLACKLIST' }, { BlockUnknownNumbers: true }],
    ['subscribers_message_filter_create', { ...line, FilterMode: 'CHILD' }, { ApplyToInbound: true }],
  ])('takes the place of the first where a line has one such record: %s', async (operation, input, other) => {
    const first = value(await call(client, operation, input)).confirmation;
    const next = value(await call(client, operation, { ...input, ...other })).confirmation;
    expect(next.id).not.toBe(first.id);
    expect(value(await call(client, 'confirmations_get', { id: first.id })).error).toMatchObject({
      reason: 'replaced',
    });
  });

  it('waits beside the first where each adds one: a message', async () => {
    const send = (Body: string) =>
      call(client, 'message_outbound', { To: [{ Number: '+13125550100' }], From: seeded(5), Body });
    const first = value(await send('first')).confirmation;
    await send('second');
    expect(value(await call(client, 'confirmations_get', { id: first.id })).status).toBe('pending');
  });
});

describe('two changes of one line', () => {
  it('wait side by side, and the first yes leaves the second as it is', async () => {
    const one = { Number: seeded(1), CnamFirstName: 'Ava' };
    const other = { PhoneNumbers: [{ Number: seeded(1) }], LimitValue: 30 };
    const first = value(await call(client, 'numbers_update', one)).confirmation;
    const second = value(await call(client, 'numbers_data_usage_set', other)).confirmation;
    await confirm(first.url);
    await confirm(second.url);
    for (const { id } of [first, second])
      expect(value(await call(client, 'confirmations_get', { id })).status).toBe('done');
  });
});

describe('twenty identical calls at once', () => {
  const ACCOUNT = { AccountName: 'Northwind Mobile', AccountAdmin: 'manager@northwind.example' };
  const TWENTY = Array.from({ length: 20 });
  const count = async (of: World) =>
    (await of.state()).accounts.filter((one: Json) => one.AccountName === ACCOUNT.AccountName).length;

  it('with --yes make one account', async () => {
    const args = ['account_create', '--json', JSON.stringify(ACCOUNT), '--yes'];
    await Promise.all(TWENTY.map(() => world.cli(args)));
    expect(await count(world)).toBe(1);
  });

  it('of an assistant, with CONFIRM_OWN=false, make one account', () =>
    within({ MCP_TOOLSETS: 'all', CONFIRM_OWN: 'false' }, async (waived) => {
      const own = await waived.client();
      const results = await Promise.all(TWENTY.map(() => call(own, 'account_create', ACCOUNT)));
      expect(results.filter(({ isError }) => isError)).toEqual([]);
      expect(await count(waived)).toBe(1);
      // The level approver knows no such setting.
      const asked = value(await call(own, 'numbers_provision', PROVISION));
      expect(asked.confirmation).toMatchObject({ status: 'pending', level: 'approver' });
      expect(await waived.sent('/v1.0/numbers/provision')).toEqual([]);
    }));
});
