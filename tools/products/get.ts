import { defineOperation } from '../../src/catalogue/operation.ts';
import { productId } from '../shared/fields.ts';
import { productRecord } from '../shared/plans.ts';

export default defineOperation({
  endpoint: 'GET /v1.0/products',
  title: 'Product details',
  description: 'One product by id: stock code, type, cost, billing.',
  notes: 'PLATFORM.md, Product',
  input: () => ({ ProductId: productId }),
  output: () => productRecord,
});
