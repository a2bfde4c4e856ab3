import { defineOperation, target } from '../../src/catalogue/operation.ts';
import { e164List, messageFilterId, out, seeded, subscriberId } from '../shared/fields.ts';
import { additionConsent, beforeAddition, duringUpdate, listEffects, MESSAGE_FILTER } from '../shared/filters.ts';

export default defineOperation({
  id: 'subscribers_message_filter_allowed_contacts_add',
  endpoint: 'POST /v1.0/subscribers/message-filter/allowed-contacts/add',
  title: 'Allow message contacts',
  description:
    'Adds contacts whose messages skip every check of a message filter (keywords, links, media). Returns the whole list. Needs the MFID id from subscribers_message_filter_create.',
  risk: 'write',
  batch: { not: 'one call takes many entries of one filter' },
  resend: true,
  source: 'S+I',
  notes: 'PLATFORM.md, Guardian filtering; assumed: lists have at most 100 entries',
  input: () => ({ SubscriberId: subscriberId, MessageFilterId: messageFilterId, Contacts: e164List }),
  ordinary: {
    SubscriberId: target,
    MessageFilterId: target,
    Contacts: target,
  },
  before: beforeAddition(MESSAGE_FILTER, 'MessageFilterId', 'allowed'),
  effects: listEffects(MESSAGE_FILTER, { list: 'allowed', how: 'added', field: 'Contacts' }),
  consent: ({ Contacts }, known) => additionConsent(MESSAGE_FILTER, 'allowed', Contacts, known),
  exclusive: duringUpdate,
  output: () => ({ FilterId: out.text, SubscriberId: out.text, AllowedContacts: out.texts }),
  examples: [{ SubscriberId: seeded('TSUID'), MessageFilterId: seeded('MFID'), Contacts: ['+12015550199'] }],
});
