import * as z from 'zod';
import { defineOperation, type Harm, label, target } from '../../src/catalogue/operation.ts';
import { longHttpsUrl } from '../shared/addresses.ts';
import { choice, e164, seeded, someChange, text, workgroupId } from '../shared/fields.ts';
import { lookAtWorkgroup, workgroupName } from '../shared/workgroups.ts';
import { workgroupRecord } from './get.ts';

const reached = choice(['User', 'Workgroup']);

/** The harm of a member that changes where callers land or what they hear. */
function lands(says: string): Harm<unknown> {
  return { what: 'another target, schedule or announcement', reason: (value) => `${says} ${String(value)}.` };
}

const rings: Harm<unknown> = {
  what: 'how members are rung',
  reason: 'How the members of the workgroup are rung changes.',
};

function records(off: string, on: string): Harm<unknown> {
  return { what: 'recording', reason: (value) => (value === false ? off : on) };
}

export default defineOperation({
  id: 'workgroups_update',
  endpoint: 'POST /v1.0/workgroups/update',
  title: 'Change a workgroup',
  description:
    'Changes a workgroup (ring group or menu), at once for its callers. Fields left out keep their values. Members: workgroups_activity_update.',
  risk: 'write',
  resend: true,
  source: 'I',
  beyondSpecification: true,
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
  rules: (input) => someChange(input, ['WorkgroupId'], 'Name'),
  ordinary: {
    WorkgroupId: target,
    Name: label,
  },
  raised: {
    Type: rings,
    CallOrder: rings,
    TelegentPhone: lands('The number of the workgroup becomes'),
    AnnouncementText: {
      what: 'another target, schedule or announcement',
      reason: (text) => `Callers hear another announcement: ${text}.`,
    },
    AnnouncementUrl: lands('Callers hear the announcement at'),
    ScheduleId: lands('Opening hours follow the schedule'),
    TimeZone: lands('Opening hours follow the time zone'),
    OnHoursType: lands('During opening hours, callers reach a'),
    OnHoursId: lands('During opening hours, callers reach'),
    OffHoursType: lands('Outside opening hours, callers reach a'),
    OffHoursId: lands('Outside opening hours, callers reach'),
    RecordCalls: records('Calls are no longer recorded.', 'Calls are recorded.'),
    TranscribeRecordings: records('Recordings are no longer transcribed.', 'Recordings are transcribed.'),
  },
  before: ({ WorkgroupId }, look) => lookAtWorkgroup(WorkgroupId, look),
  consent: ({ WorkgroupId }, known, reasons) => ({
    title: `Change ${workgroupName(known, WorkgroupId)}`,
    consequence: reasons,
    undo: 'Another update can change it back. Calls that went elsewhere in the meantime are not recovered.',
    confirm: 'Change this workgroup',
  }),
  output: () => workgroupRecord,
  examples: [{ WorkgroupId: seeded('WID'), Name: 'Front desk', Type: 'round-robin' }],
});
