import { describe, expect, it } from 'vitest';
import { batchedBy } from '../../src/catalogue/change.ts';
import type { Field } from '../../src/catalogue/field-types.ts';
import { fieldsOf } from '../../src/catalogue/fields.ts';
import { tools } from '../../tools/index.ts';

/** Fields that name the record of a call. */
const isTarget = ({ name, kind, required }: Field) =>
  required && (kind === 'phone' || ['PhoneNumbers', 'SubscriberId', 'SubscriptionId'].includes(name));

describe('operations over a list of rows', () => {
  it('every operation with a target says how it runs as a batch, or why it does not', () => {
    const silent = tools.filter((tool) => tool.batch === undefined && fieldsOf(tool).some(isTarget));
    const told = "add to its definition batch: { row: 'PhoneNumber' }, or batch: { not: 'the reason' }";
    expect(silent.map(({ id }) => `${id}: ${told}`)).toEqual([]);
  });

  it.each(tools.filter((tool) => batchedBy(tool)).map((tool) => [tool.id, tool] as const))(
    '%s: its row is a field, and no secret is stored with the rows',
    (_id, tool) => {
      const { row, list, reads, most = 1 } = batchedBy(tool) ?? { row: '' };
      const fields = fieldsOf(tool);
      const own = list === undefined ? fields : (fields.find(({ name }) => name === list)?.fields ?? []);
      expect(own.map(({ name }) => name)).toContain(row);
      expect(fields.filter(({ secret }) => secret)).toEqual([]);
      if (tool.kind === 'operation')
        expect([tool.makes, tool.takes, tool.keeps]).toEqual([undefined, undefined, undefined]);
      expect(list !== undefined || most === 1).toBe(true);
      // A change is planned from the record of each row.
      expect(tool.risk === 'read' || tool.before !== undefined || reads !== undefined).toBe(true);
    },
  );
});
