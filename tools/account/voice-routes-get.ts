import { defineOperation } from '../../src/catalogue/operation.ts';
import { accountId, out, seeded } from '../shared/fields.ts';
import { voiceRouteRecord } from '../voice/routes-create.ts';

export default defineOperation({
  id: 'account_voice_routes_get',
  endpoint: 'GET /v1.0/account/voice/routes',
  title: 'Voice routes of an account',
  description: "Lists an account's voice routes: CRID ids, names, types.",
  risk: 'read',
  resend: true,
  source: 'S',
  notes: 'PLATFORM.md, Voice route: the list spells AccountID',
  input: () => ({ AccountId: accountId.optional() }),
  output: () => ({ AccountID: out.text, TotalRoutes: out.number, Results: out.rows(voiceRouteRecord) }),
  examples: [{ AccountId: seeded('AID') }, {}],
});
