import { defineOperation, type Harm, target } from '../../src/catalogue/operation.ts';
import { defined } from '../../src/lib/json.ts';
import { httpsUrl } from '../shared/addresses.ts';
import { accountId, seeded, someChange, webhookId } from '../shared/fields.ts';
import { lookAtNamed, secretAgain } from '../shared/named.ts';
import { subscribedEvents, webhookCredentials, webhookRecord, webhookTarget } from './create.ts';

const delivery: Harm<unknown> = {
  what: 'every change',
  reason: 'How it delivers changes: a receiver that does not expect it refuses its events.',
};

export default defineOperation({
  id: 'webhook_update',
  endpoint: 'POST /v1.0/webhook/update',
  title: 'Change a webhook',
  description:
    'Changes where a webhook delivers, which events, or its credentials, at once. Fields left out keep their values.',
  risk: 'write',
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes:
    'PLATFORM.md, Webhook: fields left out keep their values (assumed); authentication Token as on create, where the interface writes Bearer',
  input: () => ({
    WebhookId: webhookId,
    WebhookUrl: httpsUrl.optional(),
    SubscribedEvents: subscribedEvents.describe('comma-separated, as in webhook_create').optional(),
    AccountId: accountId.optional(),
    ...webhookTarget,
  }),
  current: {
    read: 'webhook_get',
    keys: ['WebhookId'],
    input: ({ WebhookId, AccountId }) =>
      typeof WebhookId === 'string' ? defined({ WebhookId, AccountId }) : undefined,
    replaces: true,
    asksAgain: (record, given) =>
      String(given.AuthenticationType ?? record.AuthenticationType) === 'Token'
        ? secretAgain(record, given, 'AuthenticationType', 'AuthenticationToken')
        : secretAgain(record, given, 'AuthenticationType', 'AuthenticationPassword'),
  },
  rules: (input) =>
    someChange(input, ['WebhookId', 'AccountId'], 'WebhookUrl') ??
    webhookCredentials(input, 'or leave the type out to keep what is stored'),
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
    Method: delivery,
    DataFormat: delivery,
    AuthenticationType: delivery,
    AuthenticationUsername: delivery,
    AuthenticationPassword: delivery,
    AuthenticationToken: delivery,
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
