import { type Checked, defineOperation, type Look, label, target } from '../../src/catalogue/operation.ts';
import { defined } from '../../src/lib/json.ts';
import { lookAtNumbers, text as textOf } from '../shared/before.ts';
import {
  accountId,
  choice,
  e164ListOrEmpty,
  email,
  listNumbers,
  out,
  secretText,
  seeded,
  text,
} from '../shared/fields.ts';

export const subscriberRecord = {
  SubscriberId: out.key('TSUID'),
  Name: out.said,
  Email: out.text,
  PhoneNumbers: out.texts,
  Role: out.text,
  Account: out.record({ AccountId: out.text, CompanyName: out.said }),
} as const;

/** The rights of each role (PLATFORM.md, Subscriber). */
export const ROLES = {
  Subscriber: 'holds numbers and administers nothing',
  Manager: 'administers subscribers, subscriptions, filters and data limits of the account',
  'Account Admin': 'configures routes, packages and billing of the account',
} as const;

/** Reads the account's name and the present holders of the numbers. */
async function before({ AccountId, PhoneNumbers }: { AccountId: string; PhoneNumbers: string[] }, look: Look) {
  const [account, { customer, rests, warnings = [] }] = await Promise.all([
    look.read('account_get', { AccountId }),
    PhoneNumbers.length === 0 ? ({} as Checked) : lookAtNumbers(PhoneNumbers, { AccountId }, look),
  ]);
  const unread = 'why' in account ? [`Account ${AccountId} could not be read before asking: ${account.why}`] : [];
  return {
    known: customer === undefined ? {} : { Holders: customer },
    warnings: [...unread, ...warnings],
    ...defined({ customer: textOf(account.found?.AccountName), rests }),
  };
}

export default defineOperation({
  id: 'subscribers_create',
  endpoint: 'POST /v1.0/subscribers/create',
  title: 'Create a subscriber',
  description:
    'Creates a person who holds numbers, or a manager, in an account. Email must be unused on the whole platform. Returns the SubscriberId that provisioning and filters need.',
  risk: 'write',
  batch: { not: 'each subscriber has a password' },
  resend: false,
  defaultAccount: true,
  source: 'S',
  notes:
    'PLATFORM.md, Subscriber: PhoneNumbers may be an empty array; assumed: a password, a role other than Subscriber and numbers need an approver, lists have at most 100 entries',
  input: () => ({
    Name: text(),
    Email: email,
    Role: choice(['Subscriber', 'Manager', 'Account Admin']),
    Password: secretText(),
    AccountId: accountId,
    PhoneNumbers: e164ListOrEmpty.default([]),
  }),
  ordinary: {
    Name: label,
    AccountId: target,
    Role: { words: 'if it is Subscriber', holds: (role) => role === 'Subscriber' },
    PhoneNumbers: { words: 'if it is empty', holds: (numbers) => Array.isArray(numbers) && numbers.length === 0 },
  },
  raised: {
    Email: { what: 'an e-mail address that signs in', reason: (email) => `The subscriber signs in as ${email}.` },
    Password: { what: 'a password', reason: 'With this password, its holder can sign in as this subscriber.' },
    Role: { what: 'a role other than Subscriber', reason: (role) => `The role ${role} ${ROLES[role]}.` },
    PhoneNumbers: {
      what: 'numbers for the new subscriber',
      reason: (numbers, { known: { Holders } }) =>
        `${listNumbers(numbers.map((phone) => ({ Number: phone })))} ${numbers.length === 1 ? 'is' : 'are'} assigned to the new subscriber${Holders === undefined ? '' : `; present holder: ${String(Holders)}`}.`,
    },
  },
  before,
  consent: ({ Name, Role }, _known, reasons) => ({
    title: `Create the ${Role.toLowerCase()} ${Name}`,
    consequence: reasons,
    undo: 'Not documented: the platform has no call that deletes a subscriber. Role, password and numbers can be changed.',
    confirm: 'Create this subscriber',
  }),
  output: () => subscriberRecord,
  examples: [
    {
      Name: 'Dana Fox',
      Email: 'dana@acme.example',
      Role: 'Subscriber',
      Password: 'example-password',
      AccountId: seeded('AID'),
      PhoneNumbers: [],
    },
  ],
});
