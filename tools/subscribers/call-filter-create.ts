import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { CHOICE_WORDS, choice, e164, e164ListOrEmpty, out, seeded, subscriberId, text } from '../shared/fields.ts';
import { CALL_FILTER, creatingFilter } from '../shared/filters.ts';
import { keywordFilter } from '../shared/keywords.ts';

export const callFilterRecord = {
  FilterId: out.key('CFID'),
  ...out.members('SubscriberId Phone FilterMode EnableTranscription TranscriptionAction WarningMessage'),
  ...out.members('ApplyToOutbound ApplyToInbound BlockUnknownNumbers BlockInternational RecordFlaggedCalls'),
  AllowedNumbers: out.texts,
  BlockedNumbers: out.texts,
  NotificationPhones: out.texts,
} as const;

/** The settings of a call filter besides its mode. */
export const callFilterSettings = {
  AllowedNumbers: e164ListOrEmpty.optional(),
  BlockedNumbers: e164ListOrEmpty.optional(),
  ApplyToInbound: z.boolean().optional(),
  ApplyToOutbound: z.boolean().optional(),
  BlockUnknownNumbers: z.boolean().optional(),
  BlockInternational: z.boolean().optional(),
  NotificationPhones: e164ListOrEmpty.nullish(),
  EnableTranscription: z.boolean().optional().describe('KeywordFilter needs it'),
  KeywordFilter: keywordFilter
    .nullish()
    .describe('JSON string, any of {CustomKeywords:[],SystemKeywords:{},SeverityMap:{}}'),
  TranscriptionAction: choice(['WARNING', 'TERMINATE', 'NOTIFY'])
    .optional()
    .describe('on a flagged word: play WarningMessage, hang up, or alert NotificationPhones'),
  WarningMessage: text(500).optional().meta({ kind: 'multiline' }),
  RecordFlaggedCalls: z.boolean().optional(),
};

/** Voice levels are accepted but do nothing today (PLATFORM.md, Guardian filtering). */
const LEVELS: readonly string[] = ['CHILD', 'TEENAGER', 'ADOLESCENT'];

const creation = creatingFilter(CALL_FILTER);

export default defineOperation({
  title: 'Create a call filter',
  description:
    "Filters a subscriber's calls on one number, at once. WHITELIST lets only AllowedNumbers through, BLACKLIST all but BlockedNumbers; levels do nothing.",
  ...creation,
  notes:
    'PLATFORM.md, Guardian filtering: TimeRestrictions is reserved and left out; assumed: a direction left out is not filtered, lists have at most 100 entries',
  input: () => ({
    SubscriberId: subscriberId,
    Phone: e164.describe('the number the filter covers'),
    FilterMode: choice(['WHITELIST', 'BLACKLIST', 'CHILD', 'TEENAGER', 'ADOLESCENT'], CHOICE_WORDS.FilterMode),
    ...callFilterSettings,
  }),
  output: () => callFilterRecord,
  caution: (input) =>
    LEVELS.includes(input.FilterMode)
      ? 'Voice levels are not enabled on the platform today: only the allow and block lists work.'
      : creation.caution(input),
  examples: [{ SubscriberId: seeded('TSUID'), Phone: '+12015550101', FilterMode: 'BLACKLIST', ApplyToInbound: true }],
});
