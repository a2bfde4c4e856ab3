import { defineOperation } from '../../src/catalogue/operation.ts';
import { e164, lineKind, out } from '../shared/fields.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/numbers/portin/eligibility',
  title: 'Port-in eligibility',
  description:
    'Checks whether a number can be ported in: its current carrier and line type, and in Message why it cannot.',
  risk: 'read',
  batch: { row: 'PhoneNumber' },
  inSpecification: true,
  notes: 'PLATFORM.md, Port-in',
  input: () => ({
    PhoneNumber: e164,
    TargetClassification: lineKind.meta({ title: 'Kind of line at the old carrier' }),
  }),
  output: () => out.members('PhoneNumber Eligible CurrentCarrier NumberType Message'),
  examples: [{ PhoneNumber: '+13125550150', TargetClassification: 'Mobile' }],
});
