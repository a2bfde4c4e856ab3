import { expect } from 'vitest';
import { id, type Json } from '../../support/world.ts';
import { added, has, matches, type Rows } from './row.ts';

export const packages: Rows = {
  packages_create: {
    answers: matches('PackageId', /^P(K)?ID-/),
    changes: (after, _result, before) =>
      expect(added(after, before, 'packages')).toMatchObject({ PackageName: 'Family line', Price: 20 }),
  },
  packages_items_add: {
    changes: (after) =>
      expect(after.packages[0].PackageItems.map((item: Json) => item.ProductId)).toContain(id('PRID', 2)),
  },
  packages_items_delete: {
    changes: (after) =>
      expect(after.packages[0].PackageItems.filter((item: Json) => item.Active !== false)).toEqual([]),
  },
  packages_get: { answers: has({ PackageName: 'Starter', Price: 15 }) },
};
