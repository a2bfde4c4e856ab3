import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { accountId, address, someChange, text } from '../shared/fields.ts';
import { accountRecord } from './create.ts';

export default defineOperation({
  id: 'account_update',
  endpoint: 'POST /v1.0/account/update',
  title: 'Change an account',
  description:
    "Changes an account's name or addresses, as they stand on its invoices. Fields left out keep their values. Returns the account.",
  risk: 'write',
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes:
    'PLATFORM.md, Account: the manager cannot be changed; assumed: AccountId names the account and is required, fields of an address left out keep their values',
  input: z.strictObject({
    AccountId: accountId,
    AccountName: text().optional(),
    BillingAddress: address.optional(),
    MailingAddress: address.optional(),
  }),
  rules: (input) => someChange(input, ['AccountId'], 'AccountName'),
  output: z.looseObject(accountRecord),
  examples: [
    {
      AccountId: 'AID-00000000-0000-4000-8000-000000000001',
      AccountName: 'Acme Mobile',
      BillingAddress: { Street1: '2 Main St', City: 'Heber' },
    },
  ],
});
