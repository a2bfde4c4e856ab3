import { defineOperation } from '../../src/catalogue/operation.ts';
import { e164, e164ListToReplace, messageFilterId, seeded, someChange, subscriberId } from '../shared/fields.ts';
import { filterRules } from '../shared/filter-rules.ts';
import {
  aloneOnFilter,
  beforeFilterUpdate,
  currentFilter,
  MESSAGE_FILTER,
  neitherDirection,
  updateConsent,
} from '../shared/filters.ts';
import { messageFilterMode, messageFilterRecord, messageFilterSettings } from './message-filter-create.ts';

const RULES = filterRules(MESSAGE_FILTER);

export default defineOperation({
  id: 'subscribers_message_filter_update',
  endpoint: 'POST /v1.0/subscribers/message-filter/update',
  title: 'Change a message filter',
  description:
    'Changes a message filter, at once. Fields left out keep their values; a list given replaces the list, null clears a list or KeywordFilter.',
  risk: 'write',
  resend: true,
  source: 'I',
  beyondSpecification: true,
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
  rules: (input) => someChange(input, ['FilterId', 'SubscriberId'], 'ApplyToInbound'),
  current: currentFilter(MESSAGE_FILTER),
  ordinary: RULES.ordinary,
  raised: RULES.raised,
  before: beforeFilterUpdate(MESSAGE_FILTER),
  exclusive: aloneOnFilter,
  consent: (input, known, reasons) => updateConsent(MESSAGE_FILTER, input, known, reasons),
  output: () => messageFilterRecord,
  caution: ({ ApplyToInbound, ApplyToOutbound, FilterMode }) =>
    ApplyToInbound === false && ApplyToOutbound === false && FilterMode !== 'INACTIVE'
      ? neitherDirection(MESSAGE_FILTER)
      : undefined,
  examples: [{ FilterId: seeded('MFID'), ApplyToInbound: true }],
});
