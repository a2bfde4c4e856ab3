import { defineOperation } from '../../src/catalogue/operation.ts';
import { out, workgroupId } from '../shared/fields.ts';

export const workgroupRecord = {
  WorkgroupId: out.key('WID', 'WG'),
  ...out.members('Name Type AccountId Active ScheduleId'),
} as const;

export default defineOperation({
  endpoint: 'GET /v1.0/workgroups',
  title: 'Workgroup details',
  description: 'One workgroup (ring group or menu). Ids: account_workgroups_get.',
  notes: 'PLATFORM.md, Workgroups; assumed: WorkgroupId is required',
  input: () => ({ WorkgroupId: workgroupId }),
  output: () => workgroupRecord,
});
