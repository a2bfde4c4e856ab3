import { expect } from 'vitest';
import type { Rows } from './row.ts';

export const workgroups: Rows = {
  workgroups_activity_update: {
    changes: (after) => expect(after.workgroups[0].Activities[0].fields.DigitOrder).toBe(2),
  },
};
