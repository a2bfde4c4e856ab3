import * as z from 'zod';
import { defineOperation, type Finding, type Look, type Trace } from '../../src/catalogue/operation.ts';
import { asSwitchboardError } from '../../src/lib/errors.ts';
import {
  type Fields,
  isRecord,
  joined,
  recordOf,
  recordsIn,
  scalarText,
  type Words,
  words,
} from '../../src/lib/values.ts';
import { quoted } from '../../src/platform/dialect/phone.ts';
import { NOT_DELIVERED, readFlag } from '../../src/platform/dialect/readings.ts';
import { longHttpsUrl } from '../shared/addresses.ts';
import { lookAtNumbers, type NumberFound, notInService, numbersIn } from '../shared/before.ts';
import { campaignId, e164, numberRows, out, phonesText } from '../shared/fields.ts';
import { messageRecord } from './details-get.ts';

/** The reason why a number cannot send messages, and how to fix it; undefined if it can. */
function canSend(number: NumberFound): string | undefined {
  const { phone, status, record } = number;
  if (status === 'parked') return `${phone} is Parked and cannot send. Activate it with numbers_status first`;
  if (readFlag(record.MessageEnabled) === false) {
    return `${phone} has messaging turned off. Turn it on with numbers_update MessageEnabled=true first`;
  }
  return notInService(number);
}

/** Recipients that have a row each in the question. */
const MOST_ROWS = 10;

export default defineOperation({
  endpoint: 'POST /v1.0/message/outbound',
  title: 'Send a message',
  description:
    'Sends an SMS at once, or an MMS if media is given. From is one of our active numbers. Each message is billed and can be neither recalled nor scheduled.',
  risk: 'spend',
  batch: { row: 'Number', list: 'To', most: 1, reaches: true },
  paidBy: 'From',
  adds: true,
  inSpecification: true,
  notes:
    'PLATFORM.md, Message; assumed: Body has at most 1600 characters, at most 100 recipients and 10 attachments, a recipient with Status Failed was not sent to',
  input: () => ({
    To: numberRows,
    From: e164,
    Body: z
      .string()
      .trim()
      .min(1, 'must not be empty')
      .max(1600, 'at most 1600 characters: split the text over several messages')
      .meta({ kind: 'multiline', title: 'Text' }),
    CampaignId: campaignId.optional(),
    Owner: e164.optional(),
    MmsMedia: z
      .array(z.strictObject({ MediaUrl: longHttpsUrl }))
      .max(10, 'at most 10 attachments')
      .optional(),
    MmsBase64: z
      .array(
        z.strictObject({
          Base64: z
            .base64('must be base64')
            .min(1, 'must not be empty')
            .max(1_000_000, 'at most 1,000,000 characters')
            .meta({ attachment: true }),
          BaseType: z
            .string()
            .trim()
            .regex(/^[\w.+-]+\/[\w.+-]+$/, 'must be a MIME type, for example image/png')
            .describe('MIME type'),
        }),
      )
      .max(10, 'at most 10 attachments')
      .optional(),
  }),
  rules: ({ To = [], From }) => {
    const numbers = To.map((row) => row.Number);
    const twice = numbers.find((number, i) => numbers.indexOf(number) !== i);
    if (twice !== undefined) return { field: 'To', message: `${twice} is given twice, and each message is billed` };
    if (From === undefined || !numbers.includes(From)) return undefined;
    return { field: 'To', message: `${From} is the sender too. Give another number` };
  },
  output: () => ({
    ...messageRecord,
    To: z
      .union([z.string(), z.array(z.looseObject({ Number: out.plain }))])
      .nullable()
      .optional(),
    Owner: out.plain,
  }),
  answer: {
    refusedStates: ['Cancelled', 'Canceled'],
    rows: 'To',
    verb: 'sent the message',
    noun: 'recipient',
    stands: handedOver,
    isLost: ({ Status }) => NOT_DELIVERED.test(scalarText(Status)),
    aside: ['Status', 'Direction', 'Type', 'MessageType', 'Region', 'CreatedOn'],
  },
  before: async (input, look) => {
    const checked = await numbersIn([input.From], 'From', input, look, canSend);
    const phones = recipients(input);
    // The question and the outcome name the recipients that are ours.
    const read: Look['read'] = (operation, query) => look.read(operation, query, 'name');
    const ours = look.isRow ? {} : (await lookAtNumbers(phones, {}, { ...look, read })).customers;
    const customers = { ...checked.customers, ...ours };
    const to = { what: phones.length > MOST_ROWS ? `To (${phones.length})` : 'To', member: 'To' };
    const effects = phones.length > MOST_ROWS ? [{ ...to, after: phones }] : phones.map((after) => ({ ...to, after }));
    const named = [input.From, ...phones.slice(0, MOST_ROWS)].flatMap((phone) => customers[phone] ?? []);
    return { ...checked, customers, effects, ...(named.length > 0 && { customer: [...new Set(named)].join('; ') }) };
  },
  consent: ({ To, From, MmsMedia = [], MmsBase64 = [] }) => ({
    title: `Send an ${MmsMedia.length + MmsBase64.length > 0 ? 'MMS' : 'SMS'} to ${phonesText(To)} from ${From}`,
    consequence: 'Each message is billed.',
    undo: 'A sent message cannot be recalled.',
    cost: To.length > 1 ? `${To.length} messages` : 'One message',
    confirm: 'Send message',
  }),
  reconcile: findMessage,
  examples: [{ To: [{ Number: '+12015550199' }], From: '+12015550101', Body: 'Hello from support.' }],
});

/** Names the progress of a sent message. Queued, sent and the like are not delivered yet (PLATFORM.md, Message). */
function handedOver({ Status }: Fields): string {
  const status = scalarText(Status).trim();
  if (NOT_DELIVERED.test(status)) return 'the carrier did not deliver it';
  return /^delivered$/i.test(status) ? 'delivered' : 'handed to the carrier, not delivered yet';
}

const recipients = ({ To }: Fields): string[] => recordsIn(To).map((row) => String(row.Number));

/**
 * Reconciles `message_outbound` by its delivery receipt: same sender, same text, no other recipients. The platform has
 * no search for sent messages (PLATFORM.md, Message), so reading cannot prove that nothing was sent.
 */
async function findMessage(input: Fields, trace: Trace): Promise<Finding> {
  const to = recipients(input);
  const receipts = await trace.receipts(String(input.From));
  const possible = receipts.filter(
    (receipt) =>
      receipt.messageId !== '' &&
      receipt.body === input.Body &&
      receipt.to.length > 0 &&
      receipt.to.every((number) => to.includes(number)),
  );
  const claimed = await trace.claimed(possible.map(({ messageId }) => messageId));
  const found = possible.filter(({ messageId }) => !claimed.has(messageId));
  const ids = [...new Set(found.map((receipt) => receipt.messageId))];
  const [id] = ids;
  if (id === undefined) return { outcome: 'unknown', saw: 'no delivery receipt of this message has come' };
  const unknown = (saw: Words): Finding => ({ outcome: 'unknown', saw });
  const named = ids.map((one) => words`${quoted(one)}`);
  if (ids.length > 1)
    return unknown(words`delivery receipts of several such messages have come: ${joined(named, ', ')}`);
  const couldBe = ({ From, Body, ...other }: Fields) =>
    From === input.From && Body === input.Body && recipients(other).some((number) => to.includes(number));
  if (trace.open.some((other) => other === undefined || couldBe(other)))
    return unknown(words`a delivery receipt of ${quoted(id)} has come, and the same message was sent twice`);
  const receipt = found.at(-1);
  // The receipt is sufficient if the record cannot be read now, and not if the platform does not know the message.
  const read = trace.call('message_details_get', { MessageId: id });
  const record = await read.catch((error: unknown) => asSwitchboardError(error).face.code);
  if (record === 'not_found')
    return unknown(words`a delivery receipt of ${quoted(id)} has come, and the platform knows no such message`);
  // The record may be older than a receipt with the final state of the message.
  const ended = receipt !== undefined && /^(deliver|fail|undeliver|reject)/i.test(receipt.status);
  const status = ended ? receipt.status : (recordOf(record).Status ?? receipt?.status);
  return {
    outcome: 'done',
    result: isRecord(record)
      ? { ...record, Status: status }
      : { MessageId: id, From: input.From, To: receipt?.to.join(','), Status: status },
    saw: words`the delivery receipt of ${quoted(id)}${isRecord(record) ? ' and message_details_get' : ''}: ${quoted(status)}`,
  };
}
