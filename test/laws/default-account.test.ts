import { describe, expect, it } from 'vitest';
import { withDefaultAccount } from '../../src/catalogue/input.ts';
import { tools } from '../../tools/index.ts';

/* PLATFORM_ACCOUNT_ID is the account of what is made or paid. It narrows no read, no search and no check. */

const ACCOUNT = 'AID-00000000-0000-4000-8000-000000000001';
const OTHER = 'AID-00000000-0000-4000-8000-000000000002';
/** Every operation with the field AccountId, and whether a call that leaves it out gets the default account. */
const TABLE: readonly [id: string, takesDefault: boolean][] = [
  ['account_get', false],
  ['account_message_routes_get', false],
  ['account_update', false],
  ['account_voice_routes_get', false],
  ['account_webhooks_get', false],
  ['events_since', false],
  ['message_routes_create', true],
  ['message_routes_update', false],
  ['numbers_cancel', false],
  ['numbers_cancel_order_request', false],
  ['numbers_find', false],
  ['numbers_portin', true],
  ['numbers_provision', true],
  ['numbers_reactivate', true],
  ['subscribers_call_filter_get', false],
  ['subscribers_create', true],
  ['subscribers_guardian_features_get', false],
  ['subscribers_message_filter_get', false],
  ['subscriptions_features_add', true],
  ['voice_routes_create', true],
  ['webhook_create', true],
  ['webhook_delete', false],
  ['webhook_get', false],
  ['webhook_update', false],
];

describe('the default account', () => {
  it('has a row for every operation that names an account', () => {
    const withAccount = tools.filter((tool) => 'AccountId' in tool.input.shape).map(({ id }) => id);
    expect(TABLE.map(([id]) => id)).toEqual(withAccount.sort());
  });

  it.each(TABLE)('%s: filled in is %s', (id, takesDefault) => {
    const tool = tools.find((one) => one.id === id);
    if (!tool) throw new Error(`there is no ${id}`);
    expect(withDefaultAccount(tool, {}, ACCOUNT)).toEqual(takesDefault ? { AccountId: ACCOUNT } : {});
    expect(withDefaultAccount(tool, { AccountId: OTHER }, ACCOUNT)).toEqual({ AccountId: OTHER });
    expect(withDefaultAccount(tool, {}, undefined)).toEqual({});
  });

  it('is of no read, and of every purchase that names an account', () => {
    for (const tool of tools) {
      const takesDefault = 'AccountId' in withDefaultAccount(tool, {}, ACCOUNT);
      if (tool.risk === 'read') expect([tool.id, takesDefault]).toEqual([tool.id, false]);
      if (tool.risk === 'spend' && 'AccountId' in tool.input.shape)
        expect([tool.id, takesDefault]).toEqual([tool.id, true]);
    }
  });
});
