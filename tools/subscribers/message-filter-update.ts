import { defineOperation } from '../../src/catalogue/operation.ts';
import { e164, e164ListToReplace, messageFilterId, seeded, subscriberId } from '../shared/fields.ts';
import {
  aloneOnFilter,
  beforeFilterUpdate,
  currentFilter,
  directionCaution,
  filterLevel,
  MESSAGE_FILTER,
  updateConsent,
} from '../shared/filters.ts';
import { messageFilterMode, messageFilterRecord, messageFilterSettings } from './message-filter-create.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/subscribers/message-filter/update',
  title: 'Change a message filter',
  description:
    'Changes a message filter, at once. Fields left out keep their values; a list given replaces the list, null clears a list or KeywordFilter.',
  risk: 'write',
  resend: true,
  source: 'I',
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
  keys: ['FilterId', 'SubscriberId'],
  current: currentFilter(MESSAGE_FILTER),
  ...filterLevel(MESSAGE_FILTER),
  before: beforeFilterUpdate(MESSAGE_FILTER),
  exclusive: aloneOnFilter,
  consent: (input, known) => updateConsent(MESSAGE_FILTER, input, known),
  output: () => messageFilterRecord,
  caution: (input) => directionCaution(MESSAGE_FILTER, input, false),
  examples: [{ FilterId: seeded('MFID'), ApplyToInbound: true }],
});
