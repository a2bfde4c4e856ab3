import { defineOperation } from '../../src/catalogue/operation.ts';
import { accountId, out } from '../shared/fields.ts';
import { webhookRecord } from '../webhook/create.ts';

export default defineOperation({
  endpoint: 'GET /v1.0/account/webhooks',
  title: 'Webhooks of an account',
  description: "Lists an account's webhooks: ids, URLs, events; no passwords.",
  notes: 'PLATFORM.md, Webhook: the answer is a bare array',
  input: () => ({ AccountId: accountId.optional() }),
  output: () => ({ Results: out.rows(webhookRecord) }),
});
