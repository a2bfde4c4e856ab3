import { defineOperation } from '../../src/catalogue/operation.ts';
import { e164List, messageFilterId, out, seeded, subscriberId } from '../shared/fields.ts';
import { beforeRemoval, disallowConsent, duringUpdate, listEffects, MESSAGE_FILTER } from '../shared/filters.ts';

export default defineOperation({
  id: 'subscribers_message_filter_allowed_contacts_remove',
  endpoint: 'POST /v1.0/subscribers/message-filter/allowed-contacts/remove',
  title: 'Take contacts off the allow list',
  description:
    'Takes contacts off the allow list of a message filter: its checks apply to them again. It does not block them.',
  risk: 'destroy',
  batch: { not: 'one call takes many entries of one filter' },
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes: 'PLATFORM.md, Guardian filtering; assumed: lists have at most 100 entries',
  input: () => ({ SubscriberId: subscriberId, MessageFilterId: messageFilterId, Contacts: e164List }),
  before: beforeRemoval(MESSAGE_FILTER, 'allowed', { id: 'MessageFilterId', numbers: 'Contacts' }),
  keys: ['SubscriberId', 'MessageFilterId', 'Contacts'],
  effects: listEffects(MESSAGE_FILTER, { list: 'allowed', how: 'taken', field: 'Contacts' }),
  exclusive: duringUpdate,
  consent: ({ Contacts, MessageFilterId }, known) =>
    disallowConsent(MESSAGE_FILTER, { id: MessageFilterId, numbers: Contacts }, known),
  output: () => ({ FilterId: out.text, SubscriberId: out.text, AllowedContacts: out.texts }),
  examples: [{ SubscriberId: seeded('TSUID'), MessageFilterId: seeded('MFID'), Contacts: ['+12015550199'] }],
});
