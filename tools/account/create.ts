import { asks, defineOperation } from '../../src/catalogue/operation.ts';
import { address, email, mailingAddress, out, text } from '../shared/fields.ts';

const addressRecord = out.record(out.members('Street1 Street2 City State Zip Country'));

export const accountRecord = {
  AccountId: out.key('AID'),
  ...out.members('AccountName AccountAdmin TotalSubscribers'),
  BillingAddress: addressRecord,
  MailingAddress: addressRecord,
} as const;

export default defineOperation({
  endpoint: 'POST /v1.0/account/create',
  title: 'Create an account',
  description: 'Creates an account, which cannot be deleted here.',
  source: 'S',
  notes:
    'PLATFORM.md, Account: only AccountName is required, fields of MailingAddress may be null; assumed: MailingAddress may be null as a whole, a billing address needs an approver as in a change',
  input: () => ({
    AccountName: text(),
    AccountAdmin: email.optional().describe("the manager's e-mail: billing and system notices"),
    BillingAddress: address
      .optional()
      .describe('required for invoicing; Country: USA unless the distributor is international'),
    MailingAddress: mailingAddress.nullish(),
  }),
  ordinary: 'new',
  raised: { 'a billing address': ['BillingAddress'] },
  hazards: { BillingAddress: 'Its invoices go to this billing address.' },
  consent: asks('Create', 'account', 'AccountName', { undo: 'It can be changed, and not deleted here.' }),
  output: () => accountRecord,
  examples: [{ AccountName: 'Northwind Mobile', AccountAdmin: 'manager@northwind.example' }],
});
