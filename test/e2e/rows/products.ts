import { expect } from 'vitest';
import { id, type Json } from '../../support/world.ts';
import { added, matches, type Rows } from './row.ts';

export const products: Rows = {
  products_create: {
    answers: matches('ProductId', /^PR?ID-/),
    changes: (after, _result, before) => expect(added(after, before, 'products')).toMatchObject({ SKU: 'DATA-10' }),
  },
  products_delete: {
    // Another operation may have put it into a package.
    before: async () => ({}),
    changes: (after) =>
      expect(after.products.filter((row: Json) => row.ProductId === id('PRID', 2) && row.Active !== false)).toEqual([]),
    // It is inside an active package, which is read before the question.
  },
};
