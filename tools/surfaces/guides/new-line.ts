import * as z from 'zod';
import { defined, type Fields, textOf } from '../../../src/lib/values.ts';
import { openOrder, orderOutlook, orderState } from '../../../src/platform/dialect/verdict.ts';
import { e164, iccid, messageRouteId, packageId, seeded, subscriberId, voiceRouteId } from '../../shared/fields.ts';
import { SIM_WAITS } from '../../shared/line.ts';
import { type Guide, guideForm, LINE, phoneIn } from './guide.ts';

const HOLDER = { known: 'A subscriber we have', created: 'A new subscriber' } as const;
const SOURCE = { bought: 'A new number', owned: 'A number we have' } as const;
const SIM = { esim: 'eSIM', card: 'SIM card', none: 'No SIM (VoIP)' } as const;
const KIND = { mobile: 'Mobile phone', device: 'IoT device' } as const;
const TEXTS = { people: 'Between people', software: 'From a business' } as const;
const SERVICE = {
  'sms+data+voice': 'Calls, texts and data',
  'sms+data': 'Texts and data',
  'sms-only': 'Texts only',
  'data-only': 'Data only',
} as const;

const choose = <const V extends Readonly<Record<string, string>>>(values: V, title: string) =>
  z.enum(Object.values(values) as [V[keyof V], ...V[keyof V][]]).meta({ title });

/** The values that the fields of a form hold or that a later step needs. */
const isBought = ({ Source }: Fields) => Source !== SOURCE.owned;
const isCreated = ({ Holder }: Fields) => Holder === HOLDER.created;
const isVoip = ({ Sim }: Fields) => Sim === SIM.none;

/** The area of a new number: three digits are an area code, five a ZIP code. */
const area = ({ Area }: Fields) => {
  const text = textOf(Area);
  return text.length === 5 ? { ZipCode: text } : { AreaCode: text };
};

const lineForm = guideForm({
  id: 'guide_new_line',
  title: 'New line',
  input: () => ({
    Holder: choose(HOLDER, 'Who is it for?'),
    AssignedSubscriberId: subscriberId.optional().meta({ title: 'Subscriber', examples: ['Ava Stone'] }),
    Source: choose(SOURCE, 'Which number?'),
    Area: z
      .string()
      .trim()
      .regex(/^(\d{3}|\d{5})$/, 'enter an area code of three digits or a ZIP code of five')
      .optional()
      .meta({ title: 'Area code or ZIP code', examples: ['201'] }),
    PhoneNumber: e164.optional().meta({ title: 'Number' }).describe('Last digits are enough'),
    Sim: choose(SIM, 'SIM'),
    ICCID: iccid.optional().describe('printed on the card'),
  }),
  example: { Holder: HOLDER.known, Source: SOURCE.bought, Area: '201', Sim: SIM.esim },
});

const plan = () => packageId.optional().meta({ title: 'Plan', examples: ['Family'] });

const serviceForm = guideForm({
  id: 'guide_new_line_service',
  title: 'Service',
  input: () => ({
    Sim: choose(SIM, 'SIM').optional(),
    PackageId: plan().describe('Leave it empty to choose a plan later'),
    Service: choose(SERVICE, 'What the line can do'),
    Kind: choose(KIND, 'Device').optional(),
    Texts: choose(TEXTS, 'Texts are').optional(),
    MessageRouteId: messageRouteId.optional().meta({ title: 'Inbound texts go to', examples: ['Main SMS'] }),
    VoiceRouteId: voiceRouteId.optional().meta({ title: 'Inbound calls go to', examples: ['Main voice'] }),
  }),
  example: { Service: SERVICE['sms+data+voice'] },
});

const planForm = guideForm({
  id: 'guide_new_line_plan',
  title: 'Plan',
  input: () => ({
    PackageId: packageId.optional().meta({ title: 'Plan' }).describe('Leave it empty to finish without a plan'),
  }),
  example: { PackageId: seeded('PKID') },
});

const ownedForm = guideForm({
  id: 'guide_new_line_owned',
  title: 'Plan',
  input: () => ({ PackageId: plan().describe('Leave it empty if the number has one, or to choose it later') }),
  example: {},
});

/** The input of the purchase, from the words of the forms. */
function purchase(known: Fields): Fields {
  const isDevice = known.Kind === KIND.device;
  const productType = Object.entries(SERVICE).find(([, words]) => words === known.Service)?.[0] ?? 'sms+data+voice';
  // iot is p2p only, voip is a2p only (PLATFORM.md, Number types).
  const isA2p = isVoip(known) || (!isDevice && known.Texts === TEXTS.software);
  return defined({
    ...area(known),
    MessageRouteId: known.MessageRouteId,
    NumberType: isVoip(known) ? 'voip' : isDevice ? 'iot' : 'mvno',
    MessageType: isA2p ? 'a2p' : 'p2p',
    ProductType: productType,
    MessageEnabled: productType.includes('sms'),
    VoiceEnabled: productType.includes('voice'),
    DataEnabled: productType.includes('data'),
    VoiceRouteId: productType.includes('voice') ? known.VoiceRouteId : undefined,
    ICCID: known.Sim === SIM.card ? known.ICCID : undefined,
    AssignedSubscriberId: known.AssignedSubscriberId,
  });
}

/** The kind of a number in the words of a subscription. */
const SUBSCRIPTION: Readonly<Record<string, string>> = { iot: 'Iot', voip: 'Voip' };

/** The state of an order that the platform has not completed, or only in part; undefined for any other answer. */
function unfinished(answer: Fields): string | undefined {
  return orderOutlook(orderState(answer)) === 'partly' ? 'partly completed' : openOrder(answer);
}

const holder = ({ Name, AssignedSubscriberId }: Fields) => textOf(Name) || textOf(AssignedSubscriberId);

export const newLine: Guide = {
  name: 'new_line',
  title: 'New line',
  description: 'Number, subscriber, plan and SIM, with the QR code at the end',
  group: 'numbers',
  words: 'new guide',
  from: { AreaCode: 'Area', ZipCode: 'Area', AssignedSubscriberId: 'AssignedSubscriberId', ICCID: 'ICCID' },
  reads: (text) => {
    if (/^(\d{3}|\d{5})$/.test(text)) return { Area: text };
    const phone = phoneIn(text);
    return phone === undefined ? undefined : { [LINE]: phone, Source: SOURCE.owned };
  },
  names: { form: lineForm, field: 'AssignedSubscriberId' },
  steps: [
    {
      name: 'line',
      title: 'Line',
      form: {
        of: lineForm,
        submit: 'Next',
        text: 'A number with a SIM for one subscriber. Nothing is bought before an approver approves it.',
        given: ({ ICCID }) => ({
          Holder: HOLDER.known,
          Source: SOURCE.bought,
          Sim: ICCID === undefined ? SIM.esim : SIM.card,
        }),
      },
    },
    {
      name: 'area',
      title: 'Line',
      when: isBought,
      run: {
        operation: 'numbers_availability',
        input: (known) => ({ ...area(known), MessageEnabled: true, VoiceEnabled: true }),
        stops: ({ AvailableNumberAreas: rows }, { Area }) =>
          Array.isArray(rows) && rows.length > 0
            ? undefined
            : { problem: `No numbers are available in ${textOf(Area)}. Try another area.` },
      },
    },
    {
      name: 'owned',
      title: 'Line',
      when: (known) => !isBought(known),
      run: {
        operation: 'numbers_get',
        input: ({ PhoneNumber }) => ({ PhoneNumber }),
        stops: ({ Status, Number: number }) =>
          /^active$/i.test(textOf(Status))
            ? undefined
            : { problem: `${textOf(number)} is not active: its state is “${textOf(Status)}”. Choose another number.` },
        keeps: ({ TNID, PhoneNumberId, Classification }) => ({
          TNID: TNID ?? PhoneNumberId,
          Classification,
        }),
      },
    },
    {
      name: 'subscriber',
      title: 'Subscriber',
      when: isCreated,
      form: {
        of: 'subscribers_create',
        text: 'An approver approves the new subscriber, because its password lets its holder sign in. The guide goes on by itself afterwards.',
        carries: () => ({ Role: 'Subscriber', PhoneNumbers: [] }),
        unless: 'CreatedId',
      },
      run: {
        operation: 'subscribers_create',
        keeps: ({ SubscriberId }) => ({ AssignedSubscriberId: SubscriberId, CreatedId: SubscriberId }),
      },
    },
    {
      name: 'buy',
      title: 'Service',
      when: isBought,
      form: {
        of: serviceForm,
        text: 'The number and the plan are billed separately, so an approver approves each. The guide goes on by itself.',
        found: (known) => ({
          text: 'Numbers are available.',
          facts: [`In ${textOf(known.Area)}`, `for ${holder(known)}`, textOf(known.Sim)],
        }),
        given: () => ({ Service: SERVICE['sms+data+voice'], Kind: KIND.mobile, Texts: TEXTS.people }),
        carries: ({ Sim }) => ({ Sim }),
      },
      run: {
        operation: 'numbers_provision',
        input: purchase,
        follows: ({ PackageId }, nameOf) =>
          PackageId === undefined ? undefined : `the plan ${nameOf(textOf(PackageId))}`,
        stops: ({ PhoneNumberAssigned }) =>
          textOf(PhoneNumberAssigned) !== ''
            ? undefined
            : { problem: 'The number was ordered, but has no name yet. Look for it in the inventory.' },
        keeps: ({ PhoneNumberAssigned, PhoneNumberId, ...answer }, known) => ({
          [LINE]: PhoneNumberAssigned,
          TNID: PhoneNumberId,
          Order: unfinished(answer),
          Classification: isVoip(known) ? 'VoIP' : known.Kind === KIND.device ? 'IoT' : 'MVNO',
        }),
      },
    },
    {
      name: 'assign',
      title: 'Service',
      when: (known) => !isBought(known),
      form: {
        of: ownedForm,
        text: 'An approver approves that the number changes hands, and then the plan. The guide goes on by itself.',
        found: (known) => ({
          text: 'The number is in service.',
          facts: [textOf(known.PhoneNumber), `for ${holder(known)}`, textOf(known.Sim)],
        }),
      },
      run: {
        operation: 'numbers_update',
        input: ({ PhoneNumber, AssignedSubscriberId, Sim, ICCID }) =>
          defined({ Number: PhoneNumber, AssignedSubscriberId, Iccid: Sim === SIM.card ? ICCID : undefined }),
        keeps: (answer) => ({ Order: unfinished(answer) }),
      },
    },
    {
      name: 'plan',
      title: 'Service',
      when: ({ PackageId }) => PackageId !== undefined,
      form: {
        of: planForm,
        text: 'The charges of the plan start once an approver approves it.',
        unless: 'PackageId',
      },
      run: {
        operation: 'subscriptions_create',
        input: (known) => ({
          SubscriberId: known.AssignedSubscriberId,
          TNID: known.TNID,
          PackageId: known.PackageId,
          Type: SUBSCRIPTION[textOf(known.Classification).toLowerCase()] ?? 'Mvno',
        }),
      },
    },
  ],
  end: {
    title: 'Done',
    headline: (known) => {
      const line = `${textOf(known.PhoneNumber)} for ${holder(known)}`;
      if (known.Order !== undefined) return `${line} is ordered, and not ready yet`;
      if (known.Sim !== SIM.esim) return `${line} is ready`;
      return known.code === undefined ? `${line} is set up` : `${line}: its eSIM ${SIM_WAITS}`;
    },
    hasCode: ({ Sim }) => Sim === SIM.esim,
    next: ({ Sim, Order }) => {
      const begin = Order === undefined ? '' : `The order is ${textOf(Order)}. Once the platform has completed it: `;
      if (Sim === SIM.esim) return `${begin}The customer scans the QR code with the phone: Settings › Add eSIM.`;
      if (Sim === SIM.card) return `${begin}The customer puts the SIM card into the phone and restarts it.`;
      return `${begin}Calls and texts go to the routes that were chosen.`;
    },
  },
};

/** The fields of the forms that are shown only with some choices. */
export const newLineConditions = {
  [lineForm.id]: {
    AssignedSubscriberId: { field: 'Holder', is: [HOLDER.known], required: true },
    Area: { field: 'Source', is: [SOURCE.bought], required: true },
    PhoneNumber: { field: 'Source', is: [SOURCE.owned], required: true },
    ICCID: { field: 'Sim', is: [SIM.card], required: true },
  },
  [serviceForm.id]: {
    Kind: { field: 'Sim', is: [SIM.esim, SIM.card], required: true },
    Texts: { field: 'Kind', is: [KIND.mobile], required: true },
    // The platform wants a route for inbound texts even if there are none.
    MessageRouteId: { field: 'Service', is: Object.values(SERVICE), required: true },
    VoiceRouteId: { field: 'Service', is: [SERVICE['sms+data+voice']], required: true },
  },
} as const;
