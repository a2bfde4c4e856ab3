import * as z from 'zod';
import { defineOperation, type Harm, target } from '../../src/catalogue/operation.ts';
import { choice, e164, out, seeded, someChange, text, workgroupActivityId, workgroupId } from '../shared/fields.ts';
import { lookAtMember } from '../shared/workgroups.ts';

function lands(says: string): Harm<unknown> {
  return { what: 'every change', reason: (value) => `${says} ${String(value)}.` };
}

function notified(by: string): Harm<unknown> {
  return {
    what: 'every change',
    reason: (value) => `The member is ${value === false ? 'no longer' : 'now'} notified by ${by}.`,
  };
}

export default defineOperation({
  id: 'workgroups_activity_update',
  endpoint: 'POST /v1.0/workgroups/activity/update',
  title: 'Change a workgroup member',
  description:
    'Changes one member of a workgroup (ring group or menu): its position, the number that rings, notifications. Fields left out keep their values. Changes where callers land at once.',
  risk: 'write',
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
  rules: (input) => someChange(input, ['WorkgroupActivityId', 'WorkgroupId'], 'DigitOrder'),
  ordinary: { WorkgroupActivityId: target, WorkgroupId: target },
  raised: {
    PhoneNumber: lands('Callers of the workgroup reach'),
    DigitOrder: lands('The menu digit or ring position of the member becomes'),
    Type: lands('The member becomes a'),
    ReferenceWorkgroupId: lands('Callers reach the workgroup'),
    ReferenceUserId: lands('Callers reach the user'),
    SmsNotification: notified('SMS'),
    EmailNotification: notified('e-mail'),
  },
  before: lookAtMember,
  consent: ({ WorkgroupActivityId }, { Group, Member = WorkgroupActivityId }, reasons) => ({
    title: `Change a member of ${Group === undefined ? 'a workgroup' : `the workgroup ${String(Group)}`}`,
    consequence: `${String(Member)}: ${reasons} Takes effect at once for callers.`,
    undo: 'Another update can change it back. Calls that went elsewhere in the meantime are not recovered.',
    confirm: 'Change this member',
  }),
  output: () => ({ WorkgroupActivityStatus: out.text, WorkgroupActivityId: out.text }),
  // PLATFORM.md, Workgroups: "success", without a record.
  answer: { status: 'WorkgroupActivityStatus', bare: true },
  examples: [
    { WorkgroupActivityId: seeded('WAID'), WorkgroupId: seeded('WID'), DigitOrder: 2, PhoneNumber: '+12015550101' },
  ],
});
