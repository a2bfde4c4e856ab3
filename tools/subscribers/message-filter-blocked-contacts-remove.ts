import { defineOperation } from '../../src/catalogue/operation.ts';
import { e164List, messageFilterId, out, seeded, subscriberId } from '../shared/fields.ts';
import { beforeRemoval, duringUpdate, filterName, listEffects, MESSAGE_FILTER, removed } from '../shared/filters.ts';

export default defineOperation({
  id: 'subscribers_message_filter_blocked_contacts_remove',
  endpoint: 'POST /v1.0/subscribers/message-filter/blocked-contacts/remove',
  title: 'Unblock message contacts',
  description:
    'Takes contacts off the block list of a message filter: their messages arrive again unless another rule stops them.',
  risk: 'destroy',
  batch: { not: 'one call takes many entries of one filter' },
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes: 'PLATFORM.md, Guardian filtering; assumed: lists have at most 100 entries',
  input: () => ({ SubscriberId: subscriberId, MessageFilterId: messageFilterId, Contacts: e164List }),
  before: beforeRemoval(MESSAGE_FILTER, 'blocked', { id: 'MessageFilterId', numbers: 'Contacts' }),
  keys: ['SubscriberId', 'MessageFilterId', 'Contacts'],
  effects: listEffects(MESSAGE_FILTER, { list: 'blocked', how: 'taken', field: 'Contacts' }),
  exclusive: duringUpdate,
  consent: ({ Contacts, MessageFilterId }, known) => ({
    title: `Unblock messages from ${removed(Contacts)}`,
    consequence: `On ${filterName(MESSAGE_FILTER, known, MessageFilterId)}: messages of ${Contacts.length === 1 ? 'this contact arrive' : 'these contacts arrive'} again, unless another rule stops them.`,
    undo: 'Can be blocked again. Messages that came through are not taken back.',
    confirm: Contacts.length === 1 ? 'Unblock this contact' : `Unblock ${Contacts.length} contacts`,
  }),
  output: () => ({ FilterId: out.text, SubscriberId: out.text, BlockedContacts: out.texts }),
  examples: [{ SubscriberId: seeded('TSUID'), MessageFilterId: seeded('MFID'), Contacts: ['+12015550199'] }],
});
