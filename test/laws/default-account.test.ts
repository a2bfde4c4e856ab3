import { expect, it } from 'vitest';
import { withDefaultAccount } from '../../src/catalogue/input.ts';
import { tools } from '../../tools/index.ts';

/* PLATFORM_ACCOUNT_ID is the account of what is made or paid. It narrows no read, no search and no check. */

const ACCOUNT = 'AID-00000000-0000-4000-8000-000000000001';
const OTHER = 'AID-00000000-0000-4000-8000-000000000002';
/** Every operation that gets the default account if a call names none. */
const TAKE_DEFAULT = [
  'message_routes_create',
  'numbers_portin',
  'numbers_provision',
  'numbers_reactivate',
  'subscribers_create',
  'subscriptions_features_add',
  'voice_routes_create',
  'webhook_create',
];

it('the default account is filled in for what is made or paid, and for nothing else', () => {
  const filled = tools.filter((tool) => 'AccountId' in withDefaultAccount(tool, {}, ACCOUNT));
  expect(filled.map(({ id }) => id).sort()).toEqual(TAKE_DEFAULT);
  const paid = tools.filter(({ risk, input }) => risk === 'spend' && 'AccountId' in input.shape);
  expect(paid.filter((tool) => !filled.includes(tool))).toEqual([]);
  for (const tool of filled) {
    expect(withDefaultAccount(tool, {}, ACCOUNT)).toEqual({ AccountId: ACCOUNT });
    expect(withDefaultAccount(tool, { AccountId: OTHER }, ACCOUNT)).toEqual({ AccountId: OTHER });
    expect(withDefaultAccount(tool, {}, undefined)).toEqual({});
  }
});
