import * as z from 'zod';
import { defineOperation, label, on } from '../../src/catalogue/operation.ts';
import { defined } from '../../src/lib/values.ts';
import { accountWarning, lookAtPerson, numbersIn, text as said } from '../shared/before.ts';
import * as field from '../shared/fields.ts';
import { CHOICE_WORDS, KIND_WORDS, out, seeded } from '../shared/fields.ts';
import { kindOf } from '../shared/line.ts';
import { carriedBy, messageType, productType } from './provision.ts';

/** The members that an approver confirms, but for switching a service on. */
const RAISED = {
  'a new SIM, subscriber or route': ['Iccid', 'AssignedSubscriberId', 'MessageRouteId', 'VoiceRouteId'],
  'switching off messages or calls': ['MessageEnabled', 'VoiceEnabled'],
  'another kind of line or messages': ['MessageType', 'Classification', 'ProductType'],
} as const;
const GRAVE: readonly string[] = Object.values(RAISED).flat();

export default defineOperation({
  endpoint: 'POST /v1.0/numbers/update',
  title: 'Change a number',
  description:
    'Changes one number at once: binds a subscriber (an orphan needs one) or a SIM, sets routes, messaging, voice, caller name. Status changes: numbers_status.',
  batch: { row: 'Number' },
  // A SIM swap may use one of the number's remaining swaps.
  once: ['Iccid'],
  inSpecification: true,
  notes: 'PLATFORM.md, Number update: spelled Iccid here; PLATFORM.md, Number types: iot is p2p only',
  input: () => ({
    Number: field.e164,
    AssignedSubscriberId: field.subscriberId.optional(),
    Iccid: field.iccid.optional(),
    MessageRouteId: field.messageRouteId.optional(),
    VoiceRouteId: field.voiceRouteId.optional(),
    MessageEnabled: z.boolean().optional(),
    VoiceEnabled: z.boolean().optional(),
    MessageType: messageType.optional(),
    Classification: field.choice(['MVNO', 'IoT'], KIND_WORDS).optional(),
    ProductType: productType.optional(),
    CnamFirstName: field.text(50).optional().meta({ title: 'Caller first name' }),
    CnamLastName: field.text(50).optional().meta({ title: 'Caller last name' }),
  }),
  keys: ['Number'],
  current: {
    read: 'numbers_get',
    input: ({ Number: number }) => (typeof number === 'string' ? { PhoneNumber: number } : undefined),
    joined: { member: 'Cnam', label: 'Caller name', fields: ['CnamFirstName', 'CnamLastName'] },
  },
  ordinary: { MessageEnabled: on, VoiceEnabled: on, CnamFirstName: label, CnamLastName: label },
  raised: RAISED,
  hazards: {
    Iccid: 'The present SIM stops working.',
    MessageEnabled: 'No SMS or MMS in or out any more.',
    VoiceEnabled: 'No calls in or out any more.',
    MessageType: 'Messages of the present type may stop.',
    Classification: 'Services of the present kind may stop.',
    ProductType: 'Services that the new product lacks stop.',
  },
  before: async (input, look) => {
    const looked = await numbersIn([input.Number], 'Number', input, look);
    const record = looked.numbers[0]?.record;
    const only = carriedBy(String(input.Classification ?? (record ? kindOf(record) : '')));
    const isOther = only !== undefined && input.MessageType !== undefined && input.MessageType !== only;
    const message = `${input.Number} carries messages ${only && CHOICE_WORDS.MessageType[only]} only (${only})`;
    const problem = looked.problem ?? (isOther ? { field: 'MessageType', message } : undefined);
    if (record === undefined || problem) return { ...looked, ...defined({ problem }) };
    const holder = await lookAtPerson(input.AssignedSubscriberId, look);
    const account = said(record.AccountId) ?? said(looked.fill?.AccountId);
    return {
      ...looked,
      // The members that this call may change. One that the record lacks counts as different from the new one.
      known: { Record: defined(Object.fromEntries([...GRAVE, 'Cnam'].map((name) => [name, record[name]]))) },
      warnings: [...(looked.warnings ?? []), ...(await accountWarning('number', account, holder.account, look))],
    };
  },
  consent: ({ Number: number, ...input }, _known, reasons) => ({
    title:
      input.Iccid !== undefined
        ? `Swap the SIM of ${number}`
        : Object.keys(defined(input)).join() === 'AssignedSubscriberId'
          ? `Give ${number} to ${input.AssignedSubscriberId}`
          : `Change ${number}`,
    consequence: reasons,
    undo: `Another update can change it back.${GRAVE.some((name) => name in input) ? ' Calls and messages lost in the meantime are not recovered.' : ''}`,
    confirm: input.Iccid === undefined ? 'Change this number' : 'Swap the SIM',
  }),
  output: () => ({
    ...out.members('Number Tnid UpdateOrderId UpdateOrderDate UpdateOrderStatus MessageType MessageEnabled'),
    ...out.members('Classification VoiceEnabled MessageRouteId VoiceRouteId AssignedSubscriberId Iccid'),
    ...out.members('CnamFirstName CnamLastName ProductType'),
  }),
  answer: {
    status: 'UpdateOrderStatus',
    refusedStates: ['Cancelled', 'Canceled'],
    aside: ['Tnid', 'UpdateOrderId', 'UpdateOrderDate', 'CnamFirstName', 'CnamLastName'],
  },
  examples: [
    { Number: '+12015550110', AssignedSubscriberId: seeded('TSUID') },
    { Number: '+12015550110', Iccid: '8901240397190195850' },
  ],
});
