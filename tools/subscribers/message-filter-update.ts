import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { e164, messageFilterId, someChange, subscriberId } from '../shared/fields.ts';
import { aloneOnFilter, beforeFilterUpdate, lossesOf, MESSAGE_FILTER, updateConsent } from '../shared/filters.ts';
import { messageFilterMode, messageFilterRecord, messageFilterSettings } from './message-filter-create.ts';

export default defineOperation({
  id: 'subscribers_message_filter_update',
  endpoint: 'POST /v1.0/subscribers/message-filter/update',
  title: 'Change a message filter',
  description: 'Changes a message filter, at once. Fields left out keep their values; a list given replaces the list.',
  risk: 'write',
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes:
    'PLATFORM.md, Guardian filtering: an update replaces the filter, so what is left out is read and sent again; assumed: it takes the levels too, lists have at most 100 entries',
  input: z.strictObject({
    FilterId: messageFilterId,
    SubscriberId: subscriberId.optional(),
    Phone: e164.optional(),
    FilterMode: messageFilterMode.optional(),
    ...messageFilterSettings,
  }),
  rules: (input) => someChange(input, ['FilterId', 'SubscriberId'], 'ApplyToInbound'),
  raisedBy: 'a filter paused or made weaker, a direction switched off, and numbers taken off a list',
  raises: (input, known) => {
    const losses = lossesOf(MESSAGE_FILTER, input, known);
    return losses.length === 0 ? undefined : { risk: 'destroy', reason: losses.join(' ') };
  },
  before: beforeFilterUpdate(MESSAGE_FILTER),
  exclusive: aloneOnFilter,
  consent: (input, known) => updateConsent(MESSAGE_FILTER, input, known),
  output: z.looseObject(messageFilterRecord),
  caution: ({ ApplyToInbound, ApplyToOutbound, FilterMode }) =>
    ApplyToInbound === false && ApplyToOutbound === false && FilterMode !== 'INACTIVE'
      ? 'This filter applies to neither direction: it filters no message. Set ApplyToInbound or ApplyToOutbound to true.'
      : undefined,
  examples: [{ FilterId: 'MFID-00000000-0000-4000-8000-000000000001', ApplyToInbound: true }],
});
