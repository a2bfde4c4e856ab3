import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { choice, e164, out, someChange, text, workgroupActivityId, workgroupId } from '../shared/fields.ts';

export default defineOperation({
  id: 'workgroups_activity_update',
  endpoint: 'POST /v1.0/workgroups/activity/update',
  title: 'Change a workgroup member',
  description:
    'Changes one member of a workgroup (ring group or menu): its position, the number that rings, notifications. Fields left out keep their values. Changes where callers land at once.',
  risk: 'write',
  resend: true,
  source: 'S',
  notes: 'PLATFORM.md, Workgroups: only WorkgroupActivityId is required',
  input: z.strictObject({
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
  output: z.looseObject({ WorkgroupActivityStatus: out.text, WorkgroupActivityId: out.text }),
  // PLATFORM.md, Workgroups: "success", without a record.
  answer: { status: 'WorkgroupActivityStatus', bare: true },
  examples: [
    {
      WorkgroupActivityId: 'WAID-00000000-0000-4000-8000-000000000001',
      WorkgroupId: 'WID-00000000-0000-4000-8000-000000000001',
      DigitOrder: 2,
      PhoneNumber: '+12015550101',
    },
  ],
});
