import { defineOperation } from '../../src/catalogue/operation.ts';
import { CHOICE_WORDS } from '../shared/choice-words.ts';
import { callFilterId, choice, e164, e164ListToReplace, emptied, seeded, subscriberId } from '../shared/fields.ts';
import {
  aloneOnFilter,
  beforeFilterUpdate,
  CALL_FILTER,
  currentFilter,
  directionCaution,
  filterLevel,
  updateConsent,
} from '../shared/filters.ts';
import { callFilterRecord, callFilterSettings } from './call-filter-create.ts';

/**
 * An update accepts no age level (PLATFORM.md, Guardian filtering), so the level of the record cannot be sent again.
 */
const MODES = ['WHITELIST', 'BLACKLIST'] as const;

function levelProblem({ FilterMode: mode }: Readonly<Record<string, unknown>>) {
  if (mode === undefined || MODES.some((known) => known === mode)) return undefined;
  const message = `this filter has the level ${String(mode)}, which an update cannot keep. Choose ${MODES.join(' or ')}`;
  return { field: 'FilterMode', message };
}

export default defineOperation({
  endpoint: 'POST /v1.0/subscribers/call-filter/update',
  title: 'Change a call filter',
  description:
    'Changes a call filter, at once. Fields left out keep their values; a list given replaces the list, null clears a list or a text.',
  risk: 'write',
  resend: true,
  source: 'I',
  notes:
    'PLATFORM.md, Guardian filtering: an update replaces the filter, so what is left out is read and sent again, and takes no level; assumed: lists have at most 100 entries',
  input: () => ({
    FilterId: callFilterId,
    SubscriberId: subscriberId.optional(),
    Phone: e164.optional(),
    FilterMode: choice(MODES, CHOICE_WORDS.FilterMode).optional(),
    ...emptied(callFilterSettings, []),
    AllowedNumbers: e164ListToReplace,
    BlockedNumbers: e164ListToReplace,
  }),
  keys: ['FilterId', 'SubscriberId'],
  current: { ...currentFilter(CALL_FILTER), whole: levelProblem },
  ...filterLevel(CALL_FILTER),
  before: beforeFilterUpdate(CALL_FILTER),
  exclusive: aloneOnFilter,
  consent: (input, known) => updateConsent(CALL_FILTER, input, known),
  output: () => callFilterRecord,
  caution: (input) => directionCaution(CALL_FILTER, input, false),
  examples: [{ FilterId: seeded('CFID'), ApplyToInbound: true }],
});
