import * as z from 'zod';
import { asks, defineOperation } from '../../src/catalogue/operation.ts';
import { choice, e164, out, seeded, text, workgroupActivityId, workgroupId } from '../shared/fields.ts';
import { lookAtMember } from '../shared/workgroups.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/workgroups/activity/update',
  title: 'Change a member',
  description:
    'Changes one member of a workgroup (ring group or menu): its position, the number that rings, notifications.',
  resend: true,
  source: 'S',
  notes: 'PLATFORM.md, Workgroups: only WorkgroupActivityId is required; assumed: every change needs an approver',
  input: () => ({
    WorkgroupActivityId: workgroupActivityId,
    DigitOrder: z
      .int('must be a whole number')
      .min(0, 'must not be below 0')
      .optional()
      .describe('menu digit or ring position'),
    PhoneNumber: e164.optional(),
    WorkgroupId: workgroupId.optional(),
    Type: choice(['User', 'Workgroup']).optional(),
    ReferenceWorkgroupId: workgroupId.optional(),
    ReferenceUserId: text(100).optional(),
    SmsNotification: z.boolean().optional(),
    EmailNotification: z.boolean().optional(),
  }),
  keys: ['WorkgroupActivityId', 'WorkgroupId'],
  ordinary: {},
  raised: { 'every change': ['others'] },
  before: lookAtMember,
  consent: asks('Change', 'member', 'WorkgroupActivityId', {
    hazard: 'Takes effect at once for callers.',
    undo: 'Calls that went elsewhere in the meantime are not recovered.',
  }),
  output: () => ({ WorkgroupActivityStatus: out.plain, WorkgroupActivityId: out.plain }),
  // PLATFORM.md, Workgroups: "success", without a record.
  answer: { status: 'WorkgroupActivityStatus', bare: true },
  examples: [{ WorkgroupActivityId: seeded('WAID'), WorkgroupId: seeded('WID'), DigitOrder: 2 }],
});
