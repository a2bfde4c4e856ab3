import { defineOperation } from '../../src/catalogue/operation.ts';
import { messageId, out } from '../shared/fields.ts';

export const messageRecord = {
  MessageId: out.key('TMID'),
  Direction: out.text,
  Type: out.text,
  CampaignId: out.text,
  Cost: out.number,
  From: out.text,
  Body: out.said,
  Region: out.text,
  CreatedOn: out.text,
  MessageType: out.text,
  Status: out.text,
} as const;

export default defineOperation({
  endpoint: 'GET /v1.0/message/details',
  title: 'Message details',
  description: 'One SMS or MMS by its id: parties, text, cost and delivery status.',
  source: 'S',
  notes: 'PLATFORM.md, Message',
  input: () => ({ MessageId: messageId }),
  output: () => ({ ...messageRecord, To: out.text }),
});
