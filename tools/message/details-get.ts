import { defineOperation } from '../../src/catalogue/operation.ts';
import { messageId, out } from '../shared/fields.ts';

export const messageRecord = {
  MessageId: out.key('TMID'),
  ...out.members('Direction Type CampaignId Cost From Body Region CreatedOn MessageType Status'),
} as const;

export default defineOperation({
  endpoint: 'GET /v1.0/message/details',
  title: 'Message details',
  description: 'One SMS or MMS by its id: parties, text, cost and delivery status.',
  source: 'S',
  notes: 'PLATFORM.md, Message',
  input: () => ({ MessageId: messageId }),
  output: () => ({ ...messageRecord, To: out.plain }),
});
