import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { accountId, choice, e164ListOrEmpty, email, out, secretText, text } from '../shared/fields.ts';

export const subscriberRecord = {
  SubscriberId: out.text,
  Name: out.said,
  Email: out.text,
  PhoneNumbers: out.texts,
  Role: out.text,
  Account: out.record({ AccountId: out.text, CompanyName: out.said }),
} as const;

export default defineOperation({
  id: 'subscribers_create',
  endpoint: 'POST /v1.0/subscribers/create',
  title: 'Create a subscriber',
  description:
    'Creates a person who holds numbers, or a manager, in an account. Email must be unused on the whole platform. Returns the SubscriberId that provisioning and filters need.',
  risk: 'write',
  resend: false,
  defaultAccount: true,
  source: 'S',
  notes: 'PLATFORM.md, Subscriber: PhoneNumbers may be an empty array; assumed: lists have at most 100 entries',
  input: z.strictObject({
    Name: text(),
    Email: email,
    Role: choice(['Subscriber', 'Manager', 'Account Admin']),
    Password: secretText(),
    AccountId: accountId,
    PhoneNumbers: e164ListOrEmpty.default([]),
  }),
  output: z.looseObject(subscriberRecord),
  examples: [
    {
      Name: 'Dana Fox',
      Email: 'dana@acme.example',
      Role: 'Subscriber',
      Password: 'example-password',
      AccountId: 'AID-00000000-0000-4000-8000-000000000001',
      PhoneNumbers: [],
    },
  ],
});
