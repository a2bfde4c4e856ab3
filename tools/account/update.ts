import { asks, defineOperation, label } from '../../src/catalogue/operation.ts';
import { defined } from '../../src/lib/values.ts';
import { lookAtAccount } from '../shared/before.ts';
import { accountId, address, mailingAddress, seeded, text } from '../shared/fields.ts';
import { accountRecord } from './create.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/account/update',
  title: 'Change an account',
  description: "Changes an account's name or addresses.",
  notes:
    'PLATFORM.md, Account: the manager cannot be changed; assumed: another address needs an approver, AccountId names the account and is required, fields of an address left out keep their values',
  input: () => ({
    AccountId: accountId,
    AccountName: text().optional(),
    BillingAddress: address.optional(),
    MailingAddress: mailingAddress.optional(),
  }),
  keys: ['AccountId'],
  current: { read: 'account_get' },
  ordinary: { AccountName: label },
  raised: { 'another address': ['BillingAddress', 'MailingAddress'] },
  hazards: { BillingAddress: 'Its invoices go to this billing address.' },
  before: async ({ AccountId }, look) => defined({ customer: await lookAtAccount(AccountId, look) }),
  consent: asks('Change', 'account', 'AccountId', { undo: 'Invoices and mail of the meantime keep the new address.' }),
  output: () => accountRecord,
  examples: [{ AccountId: seeded('AID'), AccountName: 'Acme Wireless' }],
});
