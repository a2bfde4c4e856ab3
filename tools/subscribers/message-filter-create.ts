import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { CHOICE_WORDS, choice, e164, e164ListOrEmpty, out, seeded, subscriberId } from '../shared/fields.ts';
import { creatingFilter, MESSAGE_FILTER } from '../shared/filters.ts';
import { keywordFilter } from '../shared/keywords.ts';

export const messageFilterRecord = {
  FilterId: out.key('MFID'),
  ...out.members('SubscriberId Phone FilterMode'),
  AllowedContacts: out.texts,
  BlockedContacts: out.texts,
  NotificationPhones: out.texts,
  ...out.members('ApplyToOutbound ApplyToInbound BlockUnknownNumbers BlockLinks BlockMedia'),
} as const;

/** Levels and modes (PLATFORM.md, Guardian filtering). */
export const messageFilterMode = choice(
  ['CHILD', 'ADOLESCENT', 'TEENAGER', 'ACTIVE', 'MONITOR_ONLY', 'INACTIVE'],
  CHOICE_WORDS.FilterMode,
).describe(
  'levels: CHILD strictest, TEENAGER lightest; ACTIVE blocks, MONITOR_ONLY delivers but notifies, INACTIVE pauses',
);

/** The settings of a message filter besides its mode. */
export const messageFilterSettings = {
  AllowedContacts: e164ListOrEmpty.optional(),
  BlockedContacts: e164ListOrEmpty.optional(),
  ApplyToInbound: z.boolean().optional(),
  ApplyToOutbound: z.boolean().optional(),
  BlockUnknownNumbers: z.boolean().optional(),
  BlockLinks: z.boolean().optional(),
  BlockMedia: z.boolean().optional(),
  NotificationPhones: e164ListOrEmpty.nullish(),
  KeywordFilter: keywordFilter
    .nullish()
    .describe('JSON string, any of {CustomKeywords:[],SystemKeywords:{},SeverityMap:{}}'),
};

export default defineOperation({
  title: 'Create a message filter',
  description:
    "Filters a subscriber's messages on one number, at once. Set ApplyToInbound, ApplyToOutbound or both: with neither it filters nothing.",
  ...creatingFilter(MESSAGE_FILTER),
  notes:
    'PLATFORM.md, Guardian filtering: FilterMode takes the levels and the modes; assumed: a direction left out is not filtered, lists have at most 100 entries',
  input: () => ({
    SubscriberId: subscriberId,
    Phone: e164.describe('the number the filter covers'),
    FilterMode: messageFilterMode,
    ...messageFilterSettings,
  }),
  output: () => messageFilterRecord,
  examples: [{ SubscriberId: seeded('TSUID'), Phone: '+12015550101', FilterMode: 'ADOLESCENT', ApplyToInbound: true }],
});
