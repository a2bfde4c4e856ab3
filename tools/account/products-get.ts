import { defineOperation } from '../../src/catalogue/operation.ts';
import { out } from '../shared/fields.ts';
import { activeFilter, productRecord } from '../shared/plans.ts';

export default defineOperation({
  endpoint: 'GET /v1.0/account/products',
  title: 'Products of the account',
  description: 'Lists products with stock code, cost and billing.',
  notes: 'PLATFORM.md, Product; PLATFORM.md, Account: the filter',
  input: () => ({ Filter: activeFilter }),
  output: () => ({ TotalProducts: out.plain, Filter: out.plain, Results: out.rows(productRecord) }),
});
