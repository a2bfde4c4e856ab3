import { defineOperation } from '../../src/catalogue/operation.ts';
import {
  CHOICE_WORDS,
  callFilterId,
  choice,
  e164,
  e164ListToReplace,
  emptied,
  seeded,
  subscriberId,
} from '../shared/fields.ts';
import { CALL_FILTER, changingFilter } from '../shared/filters.ts';
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

const change = changingFilter(CALL_FILTER);

export default defineOperation({
  title: 'Change a call filter',
  description: 'Changes a call filter, at once. A list given replaces the list.',
  ...change,
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
  current: { ...change.current, whole: levelProblem },
  output: () => callFilterRecord,
  examples: [{ FilterId: seeded('CFID'), ApplyToInbound: true }],
});
