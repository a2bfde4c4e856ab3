import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { defined, missingFrom } from '../../src/lib/values.ts';
import { httpsUrl } from '../shared/addresses.ts';
import { lookAtAccount } from '../shared/before.ts';
import { type Credentials, missingCredentials } from '../shared/credentials.ts';
import { accountId, choice, openChoice, out, secretText } from '../shared/fields.ts';

/** PLATFORM.md, Events. */
export const events = [
  'Order_Update',
  'New_Sms',
  'Call_Completed',
  'Call_On_Hold',
  'Call_Recording',
  'Call_In_Progress',
  'Call_Ringing',
] as const;

/** The events that a text names, in the platform's spelling. */
function eventsIn(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  return names.flatMap((name) => events.find((one) => one.toLowerCase() === name.toLowerCase()) ?? (name || []));
}

/** One comma-separated string in the platform's spelling, each event once and in one order. */
export const subscribedEvents = z
  .string()
  .overwrite((text) => {
    const names = eventsIn(text);
    return [...new Set([...events.filter((event) => names.includes(event)), ...names])].join(',');
  })
  .min(1, `give at least one of: ${events.join(', ')}`)
  .refine((text) => missingFrom(eventsIn(text), events).length === 0, {
    error: ({ input }) =>
      `no such event: ${missingFrom(eventsIn(String(input)), events).join(', ')}; the events are ${events.join(', ')}`,
  })
  .max(255, 'at most 255 characters')
  .describe(`comma-separated: ${events.join(', ')}`)
  .meta({ kind: 'choices', known: [...events] });

/** A webhook as the platform returns it, without its password and token. */
export const webhookRecord = {
  WebhookId: out.key('WID'),
  ...out.members('AccountId WebhookUrl Method DataFormat AuthenticationType AuthenticationUsername SubscribedEvents'),
  ...out.members('Active'),
} as const;

/** The delivery settings of a webhook and the platform's authentication there. */
export const webhookTarget = {
  Method: openChoice(['POST', 'PUT'], 10).optional(),
  DataFormat: openChoice(['json', 'xml'], 50).optional(),
  AuthenticationType: choice(['None', 'Basic', 'Token']).optional(),
  AuthenticationUsername: z.string().trim().min(1, 'must not be empty').max(255).optional(),
  AuthenticationPassword: secretText().optional(),
  AuthenticationToken: secretText().optional(),
} as const;

/** Basic needs a user name and a password, Token a token (PLATFORM.md, Webhook). */
export const WEBHOOK_CREDENTIALS: readonly Credentials[] = [
  {
    type: 'AuthenticationType',
    username: 'AuthenticationUsername',
    secrets: { Basic: 'AuthenticationPassword', Token: 'AuthenticationToken' },
  },
];

export default defineOperation({
  endpoint: 'POST /v1.0/webhook/create',
  title: 'Create a webhook',
  description:
    'Makes the platform call an HTTPS URL for each subscribed event. Without AccountId it covers all accounts (not confirmed by the platform).',
  risk: 'destroy',
  defaultAccount: true,
  source: 'S',
  notes:
    'PLATFORM.md, Webhook; PLATFORM.md, Events; PLATFORM.md, Limits; assumed: WebhookUrl and SubscribedEvents are required, without AccountId it covers all accounts',
  input: () => ({
    WebhookUrl: httpsUrl,
    SubscribedEvents: subscribedEvents,
    AccountId: accountId.optional(),
    ...webhookTarget,
  }),
  rules: (input) => missingCredentials(input, WEBHOOK_CREDENTIALS),
  before: async ({ AccountId }, look) => defined({ customer: await lookAtAccount(AccountId, look) }),
  consent: ({ WebhookUrl, AccountId }) => ({
    title: `Deliver events to ${WebhookUrl}`,
    consequence: `Events${AccountId === undefined ? ' of all accounts' : ''}, including customers' phone numbers and messages, are sent to this address.`,
    undo: 'Deleting the webhook stops it. Events already delivered cannot be recalled.',
    confirm: 'Create this webhook',
  }),
  output: () => webhookRecord,
  examples: [{ WebhookUrl: 'https://example.com/hook', SubscribedEvents: 'Order_Update,New_Sms', Method: 'POST' }],
});
