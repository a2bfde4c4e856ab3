import { defineOperation } from '../../src/catalogue/operation.ts';
import { e164, e164ListToReplace, messageFilterId, seeded, subscriberId } from '../shared/fields.ts';
import { changingFilter, MESSAGE_FILTER } from '../shared/filters.ts';
import { messageFilterMode, messageFilterRecord, messageFilterSettings } from './message-filter-create.ts';

export default defineOperation({
  title: 'Change a message filter',
  description: 'Changes a message filter, at once. A list given replaces the list.',
  ...changingFilter(MESSAGE_FILTER),
  notes:
    'PLATFORM.md, Guardian filtering: an update replaces the filter, so what is left out is read and sent again; assumed: it takes the levels too, lists have at most 100 entries',
  input: () => ({
    FilterId: messageFilterId,
    SubscriberId: subscriberId.optional(),
    Phone: e164.optional(),
    FilterMode: messageFilterMode.optional(),
    ...messageFilterSettings,
    AllowedContacts: e164ListToReplace,
    BlockedContacts: e164ListToReplace,
  }),
  output: () => messageFilterRecord,
  examples: [{ FilterId: seeded('MFID'), ApplyToInbound: true }],
});
