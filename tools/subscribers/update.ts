import { asks, defineOperation, label } from '../../src/catalogue/operation.ts';
import { defined } from '../../src/lib/values.ts';
import { lookAtPerson } from '../shared/before.ts';
import { choice, e164ListOrEmpty, secretText, seeded, subscriberId, text } from '../shared/fields.ts';
import { ROLES, subscriberRecord } from './create.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/subscribers/update',
  title: 'Change a subscriber',
  description:
    'Changes name, role, password or numbers of a subscriber. PhoneNumbers replaces the whole list. Email cannot be changed.',
  batch: { not: 'it can carry a password' },
  notes:
    'PLATFORM.md, Subscriber: an update without Email; assumed: a number left out of PhoneNumbers becomes an orphan, lists have at most 100 entries',
  input: () => ({
    SubscriberId: subscriberId,
    Name: text().optional(),
    Role: choice(['Subscriber', 'Manager', 'Account Admin']).optional(),
    Password: secretText().optional(),
    PhoneNumbers: e164ListOrEmpty.optional(),
  }),
  keys: ['SubscriberId'],
  current: { read: 'subscribers_get' },
  ordinary: { Name: label },
  raised: { 'a new password': ['Password'], 'another role': ['Role'], 'other numbers': ['PhoneNumbers'] },
  hazards: {
    Password: 'The old password no longer signs in, and cannot be restored.',
    Role: (role) => `The role ${role} ${ROLES[role]}.`,
    PhoneNumbers: 'The subscriber loses every number that is not in the list.',
  },
  before: async ({ SubscriberId }, look) => {
    const { customer, record } = await lookAtPerson(SubscriberId, look);
    return { ...defined({ customer }), known: defined({ Record: record }) };
  },
  consent: asks('Change', 'subscriber', 'SubscriberId', {
    undo: 'Calls and messages lost in the meantime are not recovered.',
  }),
  output: () => subscriberRecord,
  examples: [{ SubscriberId: seeded('TSUID'), Name: 'Ava Stone-Reed' }],
});
