import { defineOperation } from '../../src/catalogue/operation.ts';
import { accountRecord } from '../account/create.ts';
import { out } from '../shared/fields.ts';

export default defineOperation({
  endpoint: 'GET /v1.0/distributor/accounts',
  title: 'All accounts',
  description: 'Every account of this distributor with its addresses and number of subscribers.',
  notes: 'PLATFORM.md, Account; assumed: the answer is a bare list, or one object where there is one account',
  input: () => ({}),
  output: () => ({ Results: out.rows(accountRecord), ...accountRecord }),
});
