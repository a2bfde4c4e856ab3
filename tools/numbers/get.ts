import { defineOperation } from '../../src/catalogue/operation.ts';
import { e164, iccid, out } from '../shared/fields.ts';

export const numberRecord = {
  Number: out.plain,
  TNID: out.key('NID', 'TNID'),
  OrderId: out.key('JNUOID', 'JNOID', 'TNOID'),
  ...out.members('NumberType Classification MessageType MessageEnabled MessageRouteId VoiceEnabled VoiceRouteId'),
  ...out.members('Status OriginalDatePurchased AssignedSubscriberId Iccid Cnam ProductType SwapsRemaining'),
} as const;

export default defineOperation({
  endpoint: 'GET /v1.0/numbers',
  title: 'Record of a number',
  description:
    'Record of one number, by PhoneNumber or ICCID: routes, subscriber, SIM, status. With customer and data usage: numbers_lookup.',
  batch: { row: 'PhoneNumber' },
  listed: {
    operation: 'numbers_inventory_get',
    by: 'PhoneNumber',
    key: 'Number',
    rows: 'PhoneNumbers',
    total: 'TotalResults',
    same: ['Status', 'AssignedSubscriberId', 'AccountId'],
    size: 100,
    page: (PageNumber) => ({ PageNumber, TotalNumbersRequested: 100 }),
  },
  inSpecification: true,
  notes: 'PLATFORM.md, Number record',
  input: () => ({
    PhoneNumber: e164.optional(),
    Number: e164.optional().describe('same as PhoneNumber'),
    ICCID: iccid.optional(),
  }),
  rules: ({ PhoneNumber, Number: same, ICCID }) => {
    if (PhoneNumber && same && PhoneNumber !== same)
      return { field: 'Number', message: 'is another number than PhoneNumber; give one of them' };
    if (PhoneNumber || same || ICCID) return undefined;
    const message = 'give PhoneNumber or ICCID, for example PhoneNumber=+12015550101';
    return { field: 'PhoneNumber', ofWhole: true, message };
  },
  output: () => numberRecord,
  examples: [{ PhoneNumber: '+12015550101' }],
});
