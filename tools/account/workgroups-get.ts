import { defineOperation } from '../../src/catalogue/operation.ts';
import { out } from '../shared/fields.ts';

export default defineOperation({
  endpoint: 'GET /v1.0/account/workgroups',
  title: 'Workgroups',
  description: 'Lists workgroups: id, name, type, whether active.',
  notes: 'PLATFORM.md, Workgroups',
  input: () => ({}),
  output: () => ({
    Workgroups: out.rows({ WorkgroupId: out.key('WID', 'WG'), Name: out.said, Type: out.plain, Active: out.plain }),
  }),
});
