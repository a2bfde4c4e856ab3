import { asks, defineOperation } from '../../src/catalogue/operation.ts';
import { ofAccount } from '../shared/before.ts';
import { accountId, removal, webhookId } from '../shared/fields.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/webhook/delete',
  title: 'Delete a webhook',
  description: 'Permanently deletes a webhook: its deliveries stop at once.',
  source: 'S',
  notes: 'PLATFORM.md, Webhook',
  ...removal('WebhookId', webhookId),
  input: () => ({ WebhookId: webhookId, AccountId: accountId.optional() }),
  before: async (input, look) => ofAccount((await look.read('webhook_get', input)).found, look),
  consent: asks('Delete', 'webhook', 'WebhookId', {
    hazard: 'All deliveries to its URL stop at once.',
    undo: 'Events missed until a new one is created are lost.',
  }),
});
