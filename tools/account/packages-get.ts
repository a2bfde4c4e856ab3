import { defineOperation } from '../../src/catalogue/operation.ts';
import { out } from '../shared/fields.ts';
import { activeFilter, packageRecord } from '../shared/plans.ts';

export default defineOperation({
  endpoint: 'GET /v1.0/account/packages',
  title: 'Packages of the account',
  description: 'Lists packages with names and prices.',
  notes: 'PLATFORM.md, Package; PLATFORM.md, Account: the filter',
  input: () => ({ Filter: activeFilter }),
  output: () => ({ TotalPackages: out.plain, Filter: out.plain, Results: out.rows(packageRecord) }),
});
