import * as z from 'zod';
import { asks, defineOperation, label } from '../../src/catalogue/operation.ts';
import { defined } from '../../src/lib/values.ts';
import { longHttpsUrl } from '../shared/addresses.ts';
import { ofAccount } from '../shared/before.ts';
import { choice, e164, seeded, text, workgroupId } from '../shared/fields.ts';
import { workgroupRecord } from './get.ts';

const reached = choice(['User', 'Workgroup']);

export default defineOperation({
  endpoint: 'POST /v1.0/workgroups/update',
  title: 'Change a workgroup',
  description:
    'Changes a workgroup (ring group or menu), at once for its callers. Members: workgroups_activity_update.',
  resend: true,
  notes: 'PLATFORM.md, Workgroups; assumed: every change but another name needs an approver',
  input: () => ({
    WorkgroupId: workgroupId,
    Name: text().optional(),
    Type: choice(['IVR', 'simultaneous', 'round-robin']).optional(),
    TelegentPhone: e164.optional().meta({ title: 'Number of the workgroup' }),
    CallOrder: text(20).optional(),
    AnnouncementText: text(1000).optional().meta({ kind: 'multiline' }),
    AnnouncementUrl: longHttpsUrl.optional(),
    ScheduleId: text(100).optional(),
    TimeZone: text(60).optional(),
    RecordCalls: z.boolean().optional(),
    TranscribeRecordings: z.boolean().optional(),
    OnHoursType: reached.optional(),
    OnHoursId: text(100).optional(),
    OffHoursType: reached.optional(),
    OffHoursId: text(100).optional(),
  }),
  keys: ['WorkgroupId'],
  ordinary: { Name: label },
  raised: {
    'another target, schedule or announcement': ['others'],
    'how members are rung': ['Type', 'CallOrder'],
    recording: ['RecordCalls', 'TranscribeRecordings'],
  },
  before: async ({ WorkgroupId }, look) => {
    const { found } = await look.read('workgroups_get', { WorkgroupId });
    return { ...(await ofAccount(found, look)), known: defined({ Record: found }) };
  },
  consent: asks('Change', 'workgroup', 'WorkgroupId', {
    undo: 'Calls that went elsewhere in the meantime are not recovered.',
  }),
  output: () => workgroupRecord,
  examples: [{ WorkgroupId: seeded('WID'), Name: 'Front desk', Type: 'round-robin' }],
});
