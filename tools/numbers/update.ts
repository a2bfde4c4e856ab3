import * as z from 'zod';
import { defineOperation } from '../../src/operation.ts';
import { choice, e164, iccid, messageRouteId, out, someChange, subscriberId, text, voiceRouteId } from '../fields.ts';
import { messageType, productType } from './provision.ts';

export default defineOperation({
  id: 'numbers_update',
  endpoint: 'POST /v1.0/numbers/update',
  title: 'Change a number',
  description:
    'Changes one number at once: binds a subscriber (an orphan needs one) or a SIM, sets routes, messaging, voice, caller name. Fields left out stay. Status changes: numbers_status.',
  risk: 'write',
  resend: true,
  source: 'I',
  notes: 'gaps.md, Number update: spelled Iccid here; platform.md: iot is p2p only',
  input: z.strictObject({
    Number: e164,
    AssignedSubscriberId: subscriberId.optional(),
    Iccid: iccid.optional(),
    MessageRouteId: messageRouteId.optional(),
    VoiceRouteId: voiceRouteId.optional(),
    MessageEnabled: z.boolean().optional(),
    VoiceEnabled: z.boolean().optional(),
    MessageType: messageType.optional(),
    Classification: choice(['MVNO', 'IoT']).optional(),
    ProductType: productType.optional(),
    CnamFirstName: text(50).optional().meta({ title: 'Caller name: first' }),
    CnamLastName: text(50).optional().meta({ title: 'Caller name: last' }),
  }),
  rules: (input) =>
    someChange(input, ['Number'], 'AssignedSubscriberId') ??
    (input.Classification === 'IoT' && input.MessageType === 'a2p'
      ? {
          field: 'MessageType',
          message: 'an IoT number carries p2p only: use MessageType=p2p, or Classification=MVNO for a2p',
        }
      : undefined),
  output: z.looseObject({
    Number: out.text,
    Tnid: out.text,
    UpdateOrderId: out.text,
    UpdateOrderDate: out.text,
    UpdateOrderStatus: out.text,
    MessageType: out.text,
    MessageEnabled: out.flag,
    Classification: out.text,
    VoiceEnabled: out.flag,
    MessageRouteId: out.text,
    VoiceRouteId: out.text,
    AssignedSubscriberId: out.text,
    Iccid: out.text,
    CnamFirstName: out.text,
    CnamLastName: out.text,
    ProductType: out.text,
  }),
  answer: { status: 'UpdateOrderStatus' },
  examples: [
    { Number: '+12015550110', AssignedSubscriberId: 'TSUID-00000000-0000-4000-8000-000000000001' },
    { Number: '+12015550110', Iccid: '8901240397190195850' },
  ],
});
