import { defineOperation } from '../../src/catalogue/operation.ts';
import { accountId, out } from '../shared/fields.ts';
import { voiceRouteRecord } from '../voice/routes-create.ts';

export default defineOperation({
  endpoint: 'GET /v1.0/account/voice/routes',
  title: 'Voice routes',
  description: "Lists an account's voice routes: CRID ids, names, types.",
  source: 'S',
  notes: 'PLATFORM.md, Voice route: the list spells AccountID',
  input: () => ({ AccountId: accountId.optional() }),
  output: () => ({ AccountID: out.plain, TotalRoutes: out.plain, Results: out.rows(voiceRouteRecord) }),
});
