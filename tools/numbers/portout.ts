import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import type { Fields } from '../../src/lib/values.ts';
import { readDate } from '../../src/platform/dialect/readings.ts';
import { numbersIn } from '../shared/before.ts';
import { e164, out } from '../shared/fields.ts';

/** Members in which a platform may name the end of a PIN. None is documented (PLATFORM.md, Port-out). */
const ENDS = ['ExpiresAt', 'ExpiresOn', 'ExpirationDate', 'PinExpiration'];

/** The state of the PIN that an answer set. Its order stays "Pending", because no transfer has begun. */
function pinState(answer: Fields): string {
  const end = ENDS.map((name) => readDate(answer[name], 'UTC')?.from).find((at) => at !== undefined);
  return end === undefined ? 'the PIN is in force' : `the PIN is in force until ${new Date(end).toISOString()}`;
}

export default defineOperation({
  endpoint: 'POST /v1.0/numbers/portout',
  title: 'Set a port-out PIN',
  description:
    'Sets the PIN that lets another carrier take the number; does not move it. Without PortOutPIN one is made. Only the person who confirms sees it.',
  risk: 'destroy',
  batch: { not: 'each line gets its own PIN' },
  resend: true,
  source: 'S+I',
  notes:
    'PLATFORM.md, Port-out; assumed: a PIN has 4 to 10 digits, a new PIN replaces the one before, an order answered as Rejected was not placed',
  input: () => ({
    PortOutNumber: e164.meta({ title: 'Number' }),
    PortOutPIN: z
      .string()
      .trim()
      .regex(/^\d{4,10}$/, 'must have 4 to 10 digits; leave it out to have one generated')
      .meta({ secret: true, title: 'Port-out PIN' })
      .optional(),
  }),
  output: () => ({ OrderId: out.plain, OrderDate: out.plain, Status: out.plain, PhoneNumber: out.plain }),
  answer: { refusedStates: ['Cancelled', 'Canceled'], stands: pinState },
  before: (input, look) => numbersIn([input.PortOutNumber], 'PortOutNumber', input, look),
  keys: ['PortOutNumber'],
  endsNumber: true,
  unreadable: ['PortOutPIN'],
  // A given PIN is a separate row.
  effects: ({ PortOutPIN }) => (PortOutPIN === undefined ? [{ what: 'Port-out PIN', after: 'set', unread: true }] : []),
  makes: { secret: 'PortOutPIN', digits: 6, answeredAs: ['PIN'] },
  consent: ({ PortOutNumber }) => ({
    title: `Set a port-out PIN for ${PortOutNumber}`,
    consequence: 'Anyone with the PIN can move the number to another carrier, which ends service here.',
    undo: 'Another PIN can be set until the number has moved. A number that has moved cannot be brought back.',
    confirm: 'Set the port-out PIN',
  }),
  examples: [{ PortOutNumber: '+12015550105' }],
});
