import { type Checked, defineOperation, type Look, label, target } from '../../src/catalogue/operation.ts';
import { type Fields, isRecord, recordOf } from '../../src/lib/json.ts';
import { missingFrom } from '../../src/lib/lists.ts';
import { setApart } from '../../src/platform/dialect/plain-values.ts';
import { readTexts } from '../../src/platform/dialect/readings.ts';
import { lookAtSubscriber, text as textOf } from '../shared/before.ts';
import { choice, e164ListOrEmpty, secretText, seeded, someChange, subscriberId, text } from '../shared/fields.ts';
import { nameOr } from '../shared/named.ts';
import { ROLES, subscriberRecord } from './create.ts';

function numberEffects(next: readonly string[], held: readonly string[] | undefined): string[] {
  // Names every number that is lost, because the rest of the question lists only the new ones.
  const list = (numbers: readonly string[]) => numbers.join(', ');
  if (held === undefined)
    return [
      next.length === 0
        ? 'The subscriber loses every number.'
        : `The subscriber holds only ${list(next)}, and loses every other number.`,
    ];
  const lost = missingFrom(held, next);
  const won = missingFrom(next, held);
  return [
    ...(lost.length === 0 ? [] : [`The subscriber loses ${list(lost)}.`]),
    ...(won.length === 0 ? [] : [`${list(won)} ${won.length === 1 ? 'is' : 'are'} assigned to the subscriber.`]),
  ];
}

/** Reads the subscriber once, to name it and to compare its fields. */
async function before({ SubscriberId }: { SubscriberId: string }, look: Look): Promise<Checked> {
  let record: Fields | undefined;
  const read: Look['read'] = async (operation, input) => {
    const reading = await look.read(operation, input);
    record = reading.found;
    return reading;
  };
  const { fill: _account, ...checked } = await lookAtSubscriber(SubscriberId, { ...look, read });
  return isRecord(record) ? { ...checked, known: { Record: record } } : checked;
}

/** Only other numbers cost calls and messages. */
function undoOf({ Password, PhoneNumbers }: { Password?: unknown; PhoneNumbers?: unknown }): string {
  if (Password !== undefined) return 'The old password cannot be restored; another one can be set.';
  const lost = PhoneNumbers === undefined ? '' : ' Calls and messages lost in the meantime are not recovered.';
  return `Another update can change it back.${lost}`;
}

export default defineOperation({
  id: 'subscribers_update',
  endpoint: 'POST /v1.0/subscribers/update',
  title: 'Change a subscriber',
  description:
    'Changes name, role, password or numbers of a subscriber. Fields left out keep their values; PhoneNumbers replaces the whole list. Email cannot be changed.',
  risk: 'write',
  batch: { not: 'it can carry a password' },
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes:
    'PLATFORM.md, Subscriber: an update without Email; assumed: a number left out of PhoneNumbers becomes an orphan, lists have at most 100 entries',
  input: () => ({
    SubscriberId: subscriberId,
    Name: text().optional(),
    Role: choice(['Subscriber', 'Manager', 'Account Admin']).optional(),
    Password: secretText().optional(),
    PhoneNumbers: e164ListOrEmpty.optional(),
  }),
  current: {
    read: 'subscribers_get',
    keys: ['SubscriberId'],
    input: ({ SubscriberId }) => (typeof SubscriberId === 'string' ? { SubscriberId } : undefined),
  },
  rules: (input) => someChange(input, ['SubscriberId'], 'Name'),
  ordinary: { SubscriberId: target, Name: label },
  raised: {
    Password: { what: 'a new password', reason: 'The password is replaced: the old one no longer signs in.' },
    Role: {
      what: 'another role',
      reason: (role, { record }) =>
        `The role becomes ${role}${textOf(record?.Role) === undefined ? '' : ` instead of ${setApart(String(record?.Role))}`}: ${ROLES[role]}.`,
    },
    PhoneNumbers: {
      what: 'other numbers',
      reason: (numbers, { record }) => numberEffects(numbers, record && readTexts(record.PhoneNumbers)).join(' '),
    },
  },
  before,
  consent: (input, known, reasons) => ({
    title: `Change subscriber ${nameOr(input.SubscriberId, recordOf(known.Record).Name)}`,
    consequence: reasons,
    undo: undoOf(input),
    confirm: 'Change this subscriber',
  }),
  output: () => subscriberRecord,
  examples: [{ SubscriberId: seeded('TSUID'), Name: 'Ava Stone-Reed' }],
});
