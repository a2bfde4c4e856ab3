import { defineOperation } from '../../src/catalogue/operation.ts';
import { defined } from '../../src/lib/json.ts';
import { accountId, out, seeded, webhookId } from '../shared/fields.ts';
import { lookAtNamed } from '../shared/named.ts';

export default defineOperation({
  id: 'webhook_delete',
  endpoint: 'POST /v1.0/webhook/delete',
  title: 'Delete a webhook',
  description:
    'Permanently deletes a webhook: all its deliveries stop at once, and later events are not delivered. Ids: account_webhooks_get.',
  risk: 'destroy',
  resend: true,
  source: 'S',
  notes: 'PLATFORM.md, Webhook',
  removes: 'WebhookId',
  input: () => ({ WebhookId: webhookId, AccountId: accountId.optional() }),
  output: () => ({ WebhookId: out.text, WebhookStatus: out.text }),
  answer: { status: 'WebhookStatus' },
  before: async ({ WebhookId, AccountId }, look) => {
    const { record, warnings, customer } = await lookAtNamed('webhook', WebhookId, look, { AccountId });
    return { known: defined({ Url: record?.WebhookUrl }), warnings, ...defined({ customer }) };
  },
  consent: ({ WebhookId }, { Url }) => ({
    title: `Delete webhook ${WebhookId}`,
    consequence: `All event deliveries to ${typeof Url === 'string' ? Url : 'its URL'} stop at once; events that fire from now on are not sent there.`,
    undo: 'Permanent. A new webhook can be created; events missed in between are lost.',
    confirm: 'Delete this webhook',
  }),
  examples: [{ WebhookId: seeded('WID') }],
});
