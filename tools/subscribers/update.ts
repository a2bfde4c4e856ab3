import { asks, defineOperation, label } from '../../src/catalogue/operation.ts';
import { defined } from '../../src/lib/values.ts';
import { lookAtNumbers, lookAtPerson, sameId, text as textIn } from '../shared/before.ts';
import { choice, e164ListOrEmpty, secretText, seeded, subscriberId, text } from '../shared/fields.ts';
import { ROLES, subscriberRecord, takenFrom, takingNumbers } from './create.ts';

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
  exclusive: takingNumbers,
  current: { read: 'subscribers_get' },
  ordinary: { Name: label },
  raised: { 'a new password': ['Password'], 'another role': ['Role'], 'other numbers': ['PhoneNumbers'] },
  hazards: {
    Password: 'The old password no longer signs in, and cannot be restored.',
    Role: (role) => `The role ${role} ${ROLES[role]}.`,
    PhoneNumbers: (_numbers, { known }) =>
      `The subscriber loses every number that is not in the list. ${takenFrom(known)}`.trim(),
  },
  before: async ({ SubscriberId, PhoneNumbers = [] }, look) => {
    const { customer, record } = await lookAtPerson(SubscriberId, look);
    const held = Array.isArray(record?.PhoneNumbers) ? record.PhoneNumbers : [];
    // Those that the subscriber has not yet are taken from somebody.
    const added = PhoneNumbers.filter((phone) => !held.includes(phone));
    const { numbers, customers = {}, rests, warnings } = await lookAtNumbers(added, {}, look);
    const others = numbers.filter(({ record: line }) => !sameId(line.AssignedSubscriberId, SubscriberId));
    const named = (lines: typeof others) => [...new Set(lines.flatMap(({ phone }) => customers[phone] ?? []))];
    // A line without a subscriber is taken from nobody.
    const Holders =
      named(others.filter(({ record: line }) => textIn(line.AssignedSubscriberId))).join('; ') || undefined;
    const concerned = [...new Set([...(customer === undefined ? [] : [customer]), ...named(others)])].join('; ');
    return {
      ...defined({ customer: concerned || undefined, rests, warnings }),
      known: defined({ Record: record, Holders }),
    };
  },
  consent: asks('Change', 'subscriber', 'SubscriberId', {
    undo: 'Calls and messages lost in the meantime are not recovered.',
  }),
  output: () => subscriberRecord,
  examples: [{ SubscriberId: seeded('TSUID'), Name: 'Ava Stone-Reed' }],
});
