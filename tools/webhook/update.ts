import { defineOperation, target } from '../../src/catalogue/operation.ts';
import { defined } from '../../src/lib/json.ts';
import { httpsUrl } from '../shared/addresses.ts';
import { credentialHarms, credentialsAgain, methodHarm } from '../shared/credentials.ts';
import { accountId, emptied, seeded, someChange, webhookId } from '../shared/fields.ts';
import { lookAtNamed } from '../shared/named.ts';
import { subscribedEvents, WEBHOOK_CREDENTIALS, webhookRecord, webhookTarget } from './create.ts';

const delivery = credentialHarms('every change', 'Its events');

export default defineOperation({
  id: 'webhook_update',
  endpoint: 'POST /v1.0/webhook/update',
  title: 'Change a webhook',
  description:
    'Changes where a webhook delivers, which events, or its credentials, at once. Fields left out keep their values, except passwords and tokens, which cannot be read back; null clears one.',
  risk: 'write',
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes:
    'PLATFORM.md, Webhook: fields left out keep their values (assumed); assumed: null empties Method, DataFormat and the credentials; authentication Token as on create, where the interface writes Bearer',
  input: () => ({
    WebhookId: webhookId,
    WebhookUrl: httpsUrl.optional(),
    SubscribedEvents: subscribedEvents.describe('comma-separated, as in webhook_create').optional(),
    AccountId: accountId.optional(),
    ...emptied(webhookTarget, [
      'Method',
      'DataFormat',
      'AuthenticationUsername',
      'AuthenticationPassword',
      'AuthenticationToken',
    ]),
  }),
  current: {
    read: 'webhook_get',
    keys: ['WebhookId'],
    input: ({ WebhookId, AccountId }) =>
      typeof WebhookId === 'string' ? defined({ WebhookId, AccountId }) : undefined,
    replaces: true,
    asksAgain: (record, given) => credentialsAgain(record, given, WEBHOOK_CREDENTIALS),
  },
  rules: (input) => someChange(input, ['WebhookId', 'AccountId'], 'WebhookUrl'),
  ordinary: { WebhookId: target },
  raised: {
    AccountId: { what: 'every change', reason: (account) => `The webhook is moved to account ${account}.` },
    WebhookUrl: {
      what: 'every change',
      reason: (url, { known: { Url } }) =>
        `From now on its events, including customers' phone numbers and messages, are sent to ${url}${typeof Url === 'string' && Url !== url ? ` instead of ${Url}` : ''}.`,
    },
    SubscribedEvents: {
      what: 'every change',
      reason: (events, { known: { Events } }) =>
        `It delivers ${spaced(events)}${typeof Events === 'string' ? ` (now ${spaced(Events)})` : ''}; other events are no longer sent there.`,
    },
    Method: methodHarm('every change', 'Its events'),
    DataFormat: {
      what: 'every change',
      reason: (format) =>
        `Its events are delivered ${format === null ? 'in a format that the platform chooses' : `as ${format}`}: a receiver that expects another format refuses them.`,
    },
    AuthenticationType: delivery.type,
    AuthenticationUsername: delivery.secret,
    AuthenticationPassword: delivery.secret,
    AuthenticationToken: delivery.secret,
  },
  before: async ({ WebhookId, AccountId }, look) => {
    const { record, warnings, customer } = await lookAtNamed('webhook', WebhookId, look, { AccountId });
    const known = defined({ Url: record?.WebhookUrl, Events: record?.SubscribedEvents, Record: record });
    return { known, warnings, ...defined({ customer }) };
  },
  consent: (input, { Url }, reasons) => ({
    title: `Change webhook ${input.WebhookId}`,
    consequence: [
      input.WebhookUrl === undefined ? `It delivers to ${typeof Url === 'string' ? Url : 'its present address'}.` : '',
      reasons,
    ]
      .join(' ')
      .trim(),
    undo: 'Another update can change it back. Events delivered elsewhere in the meantime are not recovered.',
    confirm: 'Change this webhook',
  }),
  output: () => webhookRecord,
  examples: [
    { WebhookId: seeded('WID'), WebhookUrl: 'https://example.com/new-hook' },
    {
      WebhookId: seeded('WID'),
      SubscribedEvents: 'Order_Update',
      AuthenticationType: 'Token',
      AuthenticationToken: 'example-token',
    },
  ],
});

function spaced(events: string): string {
  return events.split(/\s*,\s*/).join(', ');
}
