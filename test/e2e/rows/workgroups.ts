import { expect } from 'vitest';
import { A1, id } from '../../support/world.ts';
import { has, type Rows } from './row.ts';

const WID = id('WID', 1);

export const workgroups: Rows = {
  workgroups_activity_update: {
    changes: (after) => expect(after.workgroups[0].Activities[0].fields.DigitOrder).toBe(2),
  },
  workgroups_get: { answers: has({ WorkgroupId: WID, Name: 'Front desk', AccountId: A1, Activities: [{}] }) },
  workgroups_update: {
    answers: has({ WorkgroupId: WID, Type: 'round-robin' }),
    changes: (after) => expect(after.workgroups[0].fields.Type).toBe('round-robin'),
  },
};
