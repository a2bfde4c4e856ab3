import { defineOperation, type Exclusive, label } from '../../src/catalogue/operation.ts';
import { defined, type Fields } from '../../src/lib/values.ts';
import { lookAtAccount, lookAtNumbers } from '../shared/before.ts';
import { accountId, choice, e164ListOrEmpty, email, out, secretText, seeded, text } from '../shared/fields.ts';

export const subscriberRecord = {
  SubscriberId: out.key('TSUID'),
  ...out.members('Name Email Role'),
  PhoneNumbers: out.texts,
  Account: out.record({ AccountId: out.plain, CompanyName: out.said }),
} as const;

/** The rights of each role (PLATFORM.md, Subscriber). */
export const ROLES = {
  Subscriber: 'holds numbers and administers nothing',
  Manager: 'administers subscribers, subscriptions, filters and data limits of the account',
  'Account Admin': 'configures routes, packages and billing of the account',
} as const;

/** Who loses the numbers that a subscriber gets, as a check found it; empty if it gets none. */
export const takenFrom = ({ Holders }: Fields): string =>
  Holders === undefined ? '' : `The numbers are taken from ${String(Holders)}.`;

/** Nothing that cancels, moves or releases a number waits beside a call that gives it to somebody. */
export const takingNumbers: Exclusive<{ PhoneNumbers?: string[] | undefined }> = {
  with: [],
  values: ({ PhoneNumbers = [] }) => PhoneNumbers,
};

export default defineOperation({
  endpoint: 'POST /v1.0/subscribers/create',
  title: 'Create a subscriber',
  description: 'Creates a person in an account. Email must be unused on the whole platform.',
  batch: { not: 'each subscriber has a password' },
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
    PhoneNumbers: e164ListOrEmpty.default([]).describe('it holds them then, and nobody else'),
  }),
  keys: ['AccountId'],
  exclusive: takingNumbers,
  ordinary: {
    Name: label,
    Role: { words: 'if it is Subscriber', holds: (role) => role === 'Subscriber' },
    PhoneNumbers: { words: 'if it is empty', holds: (numbers) => Array.isArray(numbers) && numbers.length === 0 },
  },
  raised: {
    'an e-mail address that signs in': ['Email'],
    'a password': ['Password'],
    'a role other than Subscriber': ['Role'],
    'numbers for the new subscriber': ['PhoneNumbers'],
  },
  hazards: {
    Password: 'With this password, its holder can sign in as this subscriber.',
    Role: (role) => `The role ${role} ${ROLES[role]}.`,
    PhoneNumbers: (_numbers, { known }) => takenFrom(known),
  },
  before: async ({ AccountId, PhoneNumbers }, look) => {
    const [account, held] = await Promise.all([
      lookAtAccount(AccountId, look),
      lookAtNumbers(PhoneNumbers, { AccountId }, look),
    ]);
    const { customer: Holders, rests, warnings } = held;
    return defined({ known: defined({ Holders }), rests, warnings, customer: account });
  },
  consent: ({ Name, Role }, _known, reasons) => ({
    title: `Create the ${Role.toLowerCase()} ${Name}`,
    consequence: reasons,
    undo: 'No call deletes a subscriber. Role, password and numbers can be changed.',
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
    },
  ],
});
