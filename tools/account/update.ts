import { defineOperation, label, target } from '../../src/catalogue/operation.ts';
import { defined, recordOf } from '../../src/lib/json.ts';
import { text as textOf } from '../shared/before.ts';
import { accountId, address, mailingAddress, seeded, someChange, text } from '../shared/fields.ts';
import { nameOr } from '../shared/named.ts';
import { accountRecord } from './create.ts';

export default defineOperation({
  id: 'account_update',
  endpoint: 'POST /v1.0/account/update',
  title: 'Change an account',
  description:
    "Changes an account's name or addresses, as they stand on its invoices. Fields left out keep their values; null clears one of MailingAddress. Returns the account.",
  risk: 'write',
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes:
    'PLATFORM.md, Account: the manager cannot be changed; assumed: another address needs an approver, AccountId names the account and is required, fields of an address left out keep their values',
  input: () => ({
    AccountId: accountId,
    AccountName: text().optional(),
    BillingAddress: address.optional(),
    MailingAddress: mailingAddress.optional(),
  }),
  current: {
    read: 'account_get',
    keys: ['AccountId'],
    input: ({ AccountId }) => (typeof AccountId === 'string' ? { AccountId } : undefined),
  },
  rules: (input) => someChange(input, ['AccountId'], 'AccountName'),
  ordinary: { AccountId: target, AccountName: label },
  raised: {
    BillingAddress: { what: 'another address', reason: 'The invoices of the account get another billing address.' },
    MailingAddress: { what: 'another address', reason: 'Mail about the account goes to another address.' },
  },
  before: async ({ AccountId }, look) => {
    const { found, ...failed } = await look.read('account_get', { AccountId });
    const name = textOf(found?.AccountName);
    if (found) return { ...defined({ customer: name }), known: { Record: found } };
    const why = 'why' in failed ? String(failed.why) : '';
    return { warnings: [`Account ${AccountId} could not be read before asking: ${why}`] };
  },
  consent: ({ AccountId, BillingAddress, MailingAddress }, known, reasons) => ({
    title: `Change account ${nameOr(AccountId, recordOf(known.Record).AccountName)}`,
    consequence: reasons,
    undo: [
      'Another update can change it back.',
      ...(BillingAddress === undefined ? [] : ['Invoices sent in the meantime keep the new address.']),
      ...(MailingAddress === undefined ? [] : ['Mail sent in the meantime goes to the new address.']),
    ].join(' '),
    confirm: 'Change this account',
  }),
  output: () => accountRecord,
  examples: [
    { AccountId: seeded('AID'), AccountName: 'Acme Mobile', BillingAddress: { Street1: '2 Main St', City: 'Heber' } },
  ],
});
