import * as z from 'zod';
import { defineOperation, type Harm, label, on, target } from '../../src/catalogue/operation.ts';
import { defined, type Fields, recordOf } from '../../src/lib/json.ts';
import { inQuotes } from '../../src/lib/text.ts';
import { accountWarning, lookAtSubscriber, notInService, numbersIn } from '../shared/before.ts';
import { KIND_WORDS } from '../shared/choice-words.ts';
import {
  choice,
  e164,
  iccid,
  messageRouteId,
  out,
  seeded,
  someChange,
  subscriberId,
  text,
  voiceRouteId,
} from '../shared/fields.ts';
import { lookAtNamed } from '../shared/named.ts';
import { messageType, productType } from './provision.ts';

/** The members that this call may change. A member that the record lacks counts as different from the new one. */
function changeableOf(record: Fields): Fields {
  const { AssignedSubscriberId, Iccid, MessageRouteId, VoiceRouteId, MessageEnabled, VoiceEnabled } = record;
  const { MessageType, Classification, ProductType, Cnam } = record;
  const services = { MessageEnabled, VoiceEnabled, MessageType, Classification, ProductType };
  return defined({ AssignedSubscriberId, Iccid, MessageRouteId, VoiceRouteId, Cnam, ...services });
}

/** Fields beside the one that a title names. */
const isAlone = (input: Fields, name: string) =>
  Object.keys(defined(input)).every((one) => one === 'Number' || one === name);

function titleFor(input: Fields, subscriber: unknown): string {
  const number = String(input.Number);
  if (input.Iccid !== undefined) return `Swap the SIM of ${number}`;
  return isGiven(input, subscriber) ? `Give ${number} to ${String(subscriber)}` : `Change ${number}`;
}

const isGiven = (input: Fields, subscriber: unknown) =>
  typeof subscriber === 'string' && input.Iccid === undefined && isAlone(input, 'AssignedSubscriberId');

/** The words of the yes: a button has room for a short name. */
function confirmFor(input: Fields, subscriber: unknown): string {
  if (input.Iccid !== undefined) return 'Swap the SIM';
  if (!isGiven(input, subscriber)) return 'Change this number';
  const [name = ''] = String(subscriber).replace(/[“”]/g, '').split(' · ');
  const words = `Give it to “${name}”`;
  return words.length <= 30 ? words : 'Give it to this subscriber';
}

const LOSES = ['Iccid', 'MessageRouteId', 'VoiceRouteId', 'MessageType', 'Classification', 'ProductType'];

/** Says how to change these members back. A name loses no call, and its old text is known. */
function undoFor(input: Fields, { Cnam }: Fields): string {
  const names = Object.keys(defined(input)).filter((name) => name !== 'Number');
  if (names.every((name) => name.startsWith('Cnam')))
    return typeof Cnam === 'string' && Cnam !== ''
      ? `Can be changed back to ${inQuotes(Cnam)}.`
      : 'Can be changed again.';
  const isLost = names.some((name) => LOSES.includes(name) || input[name] === false);
  return `Another update can change it back.${isLost ? ' Calls and messages lost in the meantime are not recovered.' : ''}`;
}

function becomes(noun: string, effect: string): Harm<string> {
  return {
    what: 'another kind of line or messages',
    reason: (value, { member, record }) => {
      const now = record?.[member];
      return `The ${noun} becomes ${value}${now === undefined || now === null ? '' : ` instead of ${String(now)}`}: ${effect}.`;
    },
  };
}

/** The problem of a message type that the number's kind does not carry (PLATFORM.md, Number types). */
function messageTypeProblem(input: Fields, record: Fields | undefined) {
  const kind = String(input.Classification ?? record?.Classification ?? record?.NumberType ?? '').toLowerCase();
  const only = kind === 'iot' ? 'p2p' : kind === 'voip' ? 'a2p' : undefined;
  if (only === undefined || input.MessageType === undefined || input.MessageType === only) return undefined;
  return { field: 'MessageType', message: `${String(input.Number)} is ${kind}, which carries ${only} only` };
}

export default defineOperation({
  id: 'numbers_update',
  endpoint: 'POST /v1.0/numbers/update',
  title: 'Change a number',
  description:
    'Changes one number at once: binds a subscriber (an orphan needs one) or a SIM, sets routes, messaging, voice, caller name. Fields left out keep their values. Status changes: numbers_status.',
  risk: 'write',
  batch: { row: 'Number' },
  resend: true,
  source: 'I',
  beyondSpecification: false,
  notes: 'PLATFORM.md, Number update: spelled Iccid here; PLATFORM.md, Number types: iot is p2p only',
  input: () => ({
    Number: e164,
    AssignedSubscriberId: subscriberId.optional(),
    Iccid: iccid.optional(),
    MessageRouteId: messageRouteId.optional(),
    VoiceRouteId: voiceRouteId.optional(),
    MessageEnabled: z.boolean().optional(),
    VoiceEnabled: z.boolean().optional(),
    MessageType: messageType.optional().describe('iot: only p2p. voip: only a2p'),
    Classification: choice(['MVNO', 'IoT'], KIND_WORDS).optional(),
    ProductType: productType.optional(),
    CnamFirstName: text(50).optional().meta({ title: 'Caller first name' }),
    CnamLastName: text(50).optional().meta({ title: 'Caller last name' }),
  }),
  current: {
    read: 'numbers_get',
    keys: ['Number'],
    input: ({ Number: number }) => (typeof number === 'string' ? { PhoneNumber: number } : undefined),
    // The platform shows both as one name.
    shownBy: {
      CnamFirstName: { member: 'Cnam', label: 'Caller name', part: 'first name' },
      CnamLastName: { member: 'Cnam', label: 'Caller name', part: 'last name' },
    },
  },
  rules: (input) =>
    someChange(input, ['Number'], 'AssignedSubscriberId') ??
    (input.Classification === 'IoT' && input.MessageType === 'a2p'
      ? {
          field: 'MessageType',
          message: 'an IoT number carries p2p only: use MessageType=p2p, or Classification=MVNO for a2p',
        }
      : undefined),
  ordinary: {
    Number: target,
    MessageEnabled: on,
    VoiceEnabled: on,
    CnamFirstName: label,
    CnamLastName: label,
  },
  raised: {
    Iccid: {
      what: 'a new SIM, subscriber or route',
      reason: (iccid) => `Service moves to the SIM ${iccid}; the current SIM stops working.`,
      // A SIM swap may use one of the number's remaining swaps.
      resend: false,
    },
    AssignedSubscriberId: {
      what: 'a new SIM, subscriber or route',
      reason: (id, { known: { NewSubscriber = id } }) => `The line is assigned to subscriber ${String(NewSubscriber)}.`,
    },
    MessageRouteId: {
      what: 'a new SIM, subscriber or route',
      reason: (id, { known: { MessageRoute = id } }) => `Inbound messages go to route ${String(MessageRoute)}.`,
    },
    VoiceRouteId: {
      what: 'a new SIM, subscriber or route',
      reason: (id, { known: { VoiceRoute = id } }) => `Inbound calls go to route ${String(VoiceRoute)}.`,
    },
    MessageEnabled: {
      what: 'switching off messages or calls',
      reason: 'Messaging is switched off: no SMS or MMS in or out.',
    },
    VoiceEnabled: { what: 'switching off messages or calls', reason: 'Voice is switched off: no calls in or out.' },
    MessageType: becomes('message type', 'messages of the present type may stop'),
    Classification: becomes('classification', 'services of the present one may stop'),
    ProductType: becomes('product type', 'services that it lacks stop'),
  },
  before: async (input, look) => {
    const looked = await numbersIn([input.Number], 'Number', input, look, notInService);
    const { fill: account, numbers: [number] = [], ...rest } = looked;
    const problem = rest.problem ?? messageTypeProblem(input, number?.record);
    const checked = {
      ...rest,
      ...defined({ problem }),
      known: number === undefined ? {} : { Record: changeableOf(number.record) },
    };
    if (problem) return checked;
    const { AssignedSubscriberId, MessageRouteId, VoiceRouteId } = input;
    const [next, messageRoute, voiceRoute] = await Promise.all([
      AssignedSubscriberId === undefined ? undefined : lookAtSubscriber(AssignedSubscriberId, look),
      MessageRouteId ? lookAtNamed('message route', MessageRouteId, look) : undefined,
      VoiceRouteId ? lookAtNamed('voice route', VoiceRouteId, look) : undefined,
    ]);
    return {
      ...checked,
      known: {
        ...checked.known,
        ...defined({
          // The rows of a batch have different names before, and one undo.
          Several: look.isRow,
          NewSubscriber: next?.customer === undefined ? undefined : inQuotes(next.customer),
          MessageRoute: messageRoute?.name,
          VoiceRoute: voiceRoute?.name,
        }),
      },
      warnings: [
        ...[checked, next, messageRoute, voiceRoute].flatMap((found) => found?.warnings ?? []),
        ...(await accountWarning('number', account, next?.fill, look)),
      ],
    };
  },
  consent: (input, { NewSubscriber, Several, Record = {} }, reasons) => ({
    title: titleFor(input, NewSubscriber),
    consequence: reasons,
    undo: undoFor(input, Several ? {} : recordOf(Record)),
    confirm: confirmFor(input, NewSubscriber),
  }),
  output: () => ({
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
