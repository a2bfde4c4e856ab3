import { defineOperation } from '../../src/catalogue/operation.ts';
import { accountId } from '../shared/fields.ts';
import { accountRecord } from './create.ts';

export default defineOperation({
  endpoint: 'GET /v1.0/account',
  title: 'Account details',
  description: 'One account: name, addresses, how many subscribers. All accounts: distributor_accounts_get.',
  notes: 'PLATFORM.md, Account',
  input: () => ({ AccountId: accountId }),
  output: () => accountRecord,
});
