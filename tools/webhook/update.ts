import { asks, defineOperation } from '../../src/catalogue/operation.ts';
import { defined } from '../../src/lib/values.ts';
import { httpsUrl } from '../shared/addresses.ts';
import { ofAccount } from '../shared/before.ts';
import { credentialsAgain } from '../shared/credentials.ts';
import { accountId, emptied, seeded, webhookId } from '../shared/fields.ts';
import { subscribedEvents, WEBHOOK_CREDENTIALS, webhookRecord, webhookTarget } from './create.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/webhook/update',
  title: 'Change a webhook',
  description:
    'Changes where a webhook delivers, which events, or its credentials, at once. Give its passwords and tokens again.',
  notes:
    'PLATFORM.md, Webhook: fields left out keep their values (assumed); assumed: null empties Method, DataFormat and the credentials; authentication Token as on create, where the interface writes Bearer',
  input: () => ({
    WebhookId: webhookId,
    WebhookUrl: httpsUrl.optional(),
    SubscribedEvents: subscribedEvents.describe('comma-separated, as in webhook_create').optional(),
    AccountId: accountId.optional(),
    ...emptied(webhookTarget, ['AuthenticationType']),
  }),
  keys: ['WebhookId'],
  current: {
    read: 'webhook_get',
    input: ({ WebhookId, AccountId }) => (WebhookId === undefined ? undefined : defined({ WebhookId, AccountId })),
    replaces: true,
    asksAgain: (record, given) => credentialsAgain(record, given, WEBHOOK_CREDENTIALS),
  },
  ordinary: {},
  raised: { 'every change': ['others'] },
  hazards: { WebhookUrl: "Events, including customers' phone numbers and messages, are sent to the new address." },
  before: async ({ WebhookId, AccountId }, look) =>
    ofAccount((await look.read('webhook_get', defined({ WebhookId, AccountId }))).found, look),
  consent: asks('Change', 'webhook', 'WebhookId', { undo: 'Events delivered elsewhere until then are not recovered.' }),
  output: () => webhookRecord,
  examples: [{ WebhookId: seeded('WID'), WebhookUrl: 'https://example.com/new-hook' }],
});
