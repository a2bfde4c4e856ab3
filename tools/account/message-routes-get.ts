import { defineOperation } from '../../src/catalogue/operation.ts';
import { messageRouteRecord } from '../message/routes-create.ts';
import { accountId, out } from '../shared/fields.ts';

export default defineOperation({
  endpoint: 'GET /v1.0/account/message/routes',
  title: 'Message routes',
  description: "Lists an account's message routes: MRID ids, names, URLs.",
  notes: 'PLATFORM.md, Message route: the list spells AccountID',
  input: () => ({ AccountId: accountId.optional() }),
  output: () => ({
    ...out.members('AccountID TotalRoutes'),
    Results: out.rows({ ...messageRouteRecord, AccountID: out.plain }),
  }),
});
