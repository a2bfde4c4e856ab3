import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import type { Fields } from '../../src/lib/json.ts';
import { readFlag } from '../../src/platform/dialect/readings.ts';
import { longHttpsUrl } from '../shared/addresses.ts';
import { notInService, numbersIn } from '../shared/before.ts';
import { campaignId, e164, listNumbers, numberList, out } from '../shared/fields.ts';
import { findMessage } from '../shared/receipts.ts';
import { messageRecord } from './details-get.ts';

/** The reason why a number cannot send messages, and how to fix it; undefined if it can. */
function canSend(number: { phone: string; status: string; record: Fields }): string | undefined {
  const { phone, status, record } = number;
  if (status === 'parked') return `${phone} is Parked and cannot send. Activate it with numbers_status first`;
  if (readFlag(record.MessageEnabled) === false) {
    return `${phone} has messaging turned off. Turn it on with numbers_update MessageEnabled=true first`;
  }
  return notInService(number);
}

export default defineOperation({
  id: 'message_outbound',
  endpoint: 'POST /v1.0/message/outbound',
  title: 'Send a message',
  description:
    'Sends an SMS immediately, or an MMS if media is given. From must be one of our active numbers with messaging enabled. Each message is billed and can be neither recalled nor scheduled. Delivery: message_details_get.',
  risk: 'spend',
  batch: { row: 'Number', list: 'To', most: 1 },
  resend: false,
  source: 'I',
  beyondSpecification: false,
  notes:
    'PLATFORM.md, Message; assumed: Body has at most 1600 characters, at most 100 recipients and 10 attachments, a recipient with Status Failed was not sent to',
  input: () => ({
    To: numberList,
    From: e164,
    Body: z
      .string()
      .min(1, 'must not be empty')
      .max(1600, 'at most 1600 characters: split the text over several messages')
      .meta({ kind: 'multiline' }),
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
      .union([z.string(), z.array(z.looseObject({ Number: out.text }))])
      .nullable()
      .optional(),
    Owner: out.text,
  }),
  answer: { refusedStates: ['Cancelled', 'Canceled'], rows: 'To', verb: 'sent the message', noun: 'recipient' },
  before: async (input, look) => {
    const { fill: _account, ...checked } = await numbersIn([input.From], 'From', input, look, canSend);
    return checked;
  },
  consent: ({ To, From, MmsMedia = [], MmsBase64 = [] }) => ({
    title: `Send an ${MmsMedia.length + MmsBase64.length > 0 ? 'MMS' : 'SMS'} to ${listNumbers(To)} from ${From}`,
    consequence: `Each message is billed${To.length > 1 ? `, one for each of ${To.length} recipients` : ''}.`,
    undo: 'A sent message cannot be recalled.',
    cost: To.length > 1 ? `${To.length} messages, billed one by one` : 'One message, billed',
    confirm: 'Send message',
  }),
  reconcile: findMessage,
  examples: [{ To: [{ Number: '+12015550199' }], From: '+12015550101', Body: 'Hello from support.' }],
});
