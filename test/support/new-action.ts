import type { NewAction } from '../../src/ledger/ledger.ts';

/** An action that a test writes into a ledger by hand: a reactivation that waits, with what `more` says. */
export const newAction = (more: Partial<NewAction> = {}): NewAction => ({
  ...{ operation: 'numbers_reactivate', actorId: 'test', actorName: 'test', person: 'test', surface: 'cli' },
  ...{ sent: {}, given: {}, list: undefined, shown: { PhoneNumber: '+12015550107' }, known: {}, consent: undefined },
  ...{ state: 'pending', expiresAt: Number.MAX_SAFE_INTEGER, ...more },
});
