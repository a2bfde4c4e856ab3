import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { lookAtSubscriber, notInService, numbersIn } from '../shared/before.ts';
import {
  choice,
  e164,
  iccid,
  messageRouteId,
  out,
  someChange,
  subscriberId,
  text,
  voiceRouteId,
} from '../shared/fields.ts';
import { messageType, productType } from './provision.ts';

/** What an update takes away or gives to somebody else, one sentence each. */
function effectsOf(input: {
  Iccid?: string | undefined;
  AssignedSubscriberId?: string | undefined;
  MessageEnabled?: boolean | undefined;
  VoiceEnabled?: boolean | undefined;
  MessageRouteId?: string | undefined;
  VoiceRouteId?: string | undefined;
}): string[] {
  return [
    input.Iccid === undefined ? '' : `Service moves to the SIM ${input.Iccid}; the current SIM stops working.`,
    input.AssignedSubscriberId === undefined ? '' : `The line is assigned to subscriber ${input.AssignedSubscriberId}.`,
    input.MessageEnabled === false ? 'Messaging is switched off: no SMS or MMS in or out.' : '',
    input.VoiceEnabled === false ? 'Voice is switched off: no calls in or out.' : '',
    input.MessageRouteId === undefined ? '' : `Inbound messages go to route ${input.MessageRouteId}.`,
    input.VoiceRouteId === undefined ? '' : `Inbound calls go to route ${input.VoiceRouteId}.`,
  ].filter((sentence) => sentence !== '');
}

export default defineOperation({
  id: 'numbers_update',
  endpoint: 'POST /v1.0/numbers/update',
  title: 'Change a number',
  description:
    'Changes one number at once: binds a subscriber (an orphan needs one) or a SIM, sets routes, messaging, voice, caller name. Fields left out keep their values. Status changes: numbers_status.',
  risk: 'write',
  resend: true,
  source: 'I',
  beyondSpecification: false,
  notes: 'PLATFORM.md, Number update: spelled Iccid here; PLATFORM.md, Number types: iot is p2p only',
  input: z.strictObject({
    Number: e164,
    AssignedSubscriberId: subscriberId.optional(),
    Iccid: iccid.optional(),
    MessageRouteId: messageRouteId.optional(),
    VoiceRouteId: voiceRouteId.optional(),
    MessageEnabled: z.boolean().optional(),
    VoiceEnabled: z.boolean().optional(),
    MessageType: messageType.optional().describe('iot: only p2p. voip: only a2p'),
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
  raisedBy: 'a new SIM, subscriber or route, and messaging or voice switched off',
  raises: (input) => {
    const effects = effectsOf(input);
    if (effects.length === 0) return undefined;
    const reason = effects.join(' ');
    // A SIM swap may use one of the number's remaining swaps, so it is not repeated automatically.
    return input.Iccid === undefined ? { risk: 'destroy', reason } : { risk: 'destroy', reason, resend: false };
  },
  before: async (input, look) => {
    const { fill: _account, ...checked } = await numbersIn([input.Number], 'Number', input, look, notInService);
    if (input.AssignedSubscriberId === undefined || checked.problem) return checked;
    const next = await lookAtSubscriber(input.AssignedSubscriberId, look);
    return {
      ...checked,
      known: { NewSubscriber: next.customer ?? input.AssignedSubscriberId },
      warnings: [...(checked.warnings ?? []), ...(next.warnings ?? [])],
    };
  },
  consent: (input, known) => ({
    title: `${input.Iccid === undefined ? 'Change' : 'Swap the SIM of'} ${input.Number}`,
    consequence: [
      ...effectsOf(input),
      ...(known.NewSubscriber === undefined ? [] : [`The new subscriber is ${String(known.NewSubscriber)}.`]),
    ].join(' '),
    undo: 'Another update can change it back. Calls and messages lost in the meantime are not recovered.',
    confirm: input.Iccid === undefined ? 'Change this number' : 'Swap the SIM',
  }),
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
  answer: { status: 'UpdateOrderStatus', refusedStates: ['Cancelled', 'Canceled'] },
  examples: [
    { Number: '+12015550110', AssignedSubscriberId: 'TSUID-00000000-0000-4000-8000-000000000001' },
    { Number: '+12015550110', Iccid: '8901240397190195850' },
  ],
});
