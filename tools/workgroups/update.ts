import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { type Fields, isRecord, recordOf } from '../../src/lib/json.ts';
import { longHttpsUrl } from '../shared/addresses.ts';
import { text as textOf } from '../shared/before.ts';
import { choice, e164, someChange, text, workgroupId } from '../shared/fields.ts';
import { workgroupRecord } from './get.ts';

const target = choice(['User', 'Workgroup']);

/** Fields that send callers to somebody else. */
const TARGETS: Readonly<Record<string, string>> = {
  TelegentPhone: 'The number of the workgroup becomes',
  OnHoursType: 'During opening hours, callers reach a',
  OnHoursId: 'During opening hours, callers reach',
  OffHoursType: 'Outside opening hours, callers reach a',
  OffHoursId: 'Outside opening hours, callers reach',
};

/** What an update takes away or sends elsewhere, one sentence each. A field that the record does not show counts as changed. */
function effectsOf(input: Fields, known: Fields): string[] {
  const now = recordOf(known.Workgroup);
  return [
    ...Object.entries(TARGETS).flatMap(([field, says]) =>
      input[field] === undefined || input[field] === now[field] ? [] : [`${says} ${String(input[field])}.`],
    ),
    ...(input.RecordCalls === false && now.RecordCalls !== false ? ['Calls are no longer recorded.'] : []),
  ];
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
  notes: 'PLATFORM.md, Workgroups: where callers land is raised, how members are rung is not',
  input: z.strictObject({
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
    OnHoursType: target.optional(),
    OnHoursId: text(100).optional(),
    OffHoursType: target.optional(),
    OffHoursId: text(100).optional(),
  }),
  rules: (input) => someChange(input, ['WorkgroupId'], 'Name'),
  raisedBy: 'another number or target for its callers, and recording switched off',
  raises: (input, known) => {
    const effects = effectsOf(input, known);
    return effects.length === 0 ? undefined : { risk: 'destroy', reason: effects.join(' ') };
  },
  before: async ({ WorkgroupId }, look) => {
    const { found, ...failed } = await look.read('workgroups_get', { WorkgroupId });
    if (!found) {
      const why = 'why' in failed ? String(failed.why) : '';
      return { warnings: [`Workgroup ${WorkgroupId} could not be read before asking: ${why}`] };
    }
    const AccountId = textOf(found.AccountId);
    const account = AccountId === undefined ? undefined : (await look.read('account_get', { AccountId })).found;
    const names = [textOf(found.Name) ?? WorkgroupId, textOf(account?.AccountName) ?? AccountId];
    return { customer: names.filter((name) => name !== undefined).join(' · '), known: { Workgroup: found } };
  },
  consent: (input, known) => ({
    title: `Change workgroup ${(isRecord(known.Workgroup) ? textOf(known.Workgroup.Name) : undefined) ?? input.WorkgroupId}`,
    consequence: effectsOf(input, known).join(' ') || 'The workgroup is changed as shown.',
    undo: 'Another update can change it back. Calls that went elsewhere in the meantime are not recovered.',
    confirm: 'Change this workgroup',
  }),
  output: z.looseObject(workgroupRecord),
  examples: [{ WorkgroupId: 'WID-00000000-0000-4000-8000-000000000001', Name: 'Front desk', Type: 'round-robin' }],
});
