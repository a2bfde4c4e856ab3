import { defineOperation } from '../../src/catalogue/operation.ts';
import { accountId, webhookId } from '../shared/fields.ts';
import { webhookRecord } from './create.ts';

export default defineOperation({
  endpoint: 'GET /v1.0/webhook',
  title: 'Webhook details',
  description: 'One webhook by id, without its password. Ids: account_webhooks_get.',
  notes: 'PLATFORM.md, Webhook',
  input: () => ({ WebhookId: webhookId, AccountId: accountId.optional() }),
  output: () => webhookRecord,
});
