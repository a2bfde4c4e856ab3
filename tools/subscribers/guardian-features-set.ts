import * as z from 'zod';
import { defineOperation, on } from '../../src/catalogue/operation.ts';
import { subscriberOnly } from '../shared/before.ts';
import { out, seeded, subscriberId } from '../shared/fields.ts';

export const guardianFlags = out.members(
  'SubscriberId EnableIntelligentGuardianCalls EnableIntelligentGuardianMessages',
);

export default defineOperation({
  id: 'subscribers_guardian_features_set',
  endpoint: 'POST /v1.0/subscribers/guardian-features',
  title: 'Turn filtering on or off',
  description: 'Turns guardian filtering on or off for a subscriber. Call and message filters need it on.',
  batch: { row: 'SubscriberId' },
  source: 'S+I',
  notes: 'PLATFORM.md, Guardian filtering',
  input: () => ({
    SubscriberId: subscriberId,
    EnableIntelligentGuardianCalls: z.boolean().optional().meta({ title: 'Filter calls' }),
    EnableIntelligentGuardianMessages: z.boolean().optional().meta({ title: 'Filter messages' }),
  }),
  keys: ['SubscriberId'],
  current: { read: 'subscribers_guardian_features_get' },
  ordinary: { EnableIntelligentGuardianCalls: on, EnableIntelligentGuardianMessages: on },
  raised: {
    'turning a protection off': ['EnableIntelligentGuardianCalls', 'EnableIntelligentGuardianMessages'],
  },
  hazards: {
    EnableIntelligentGuardianCalls: 'Calls are no longer filtered.',
    EnableIntelligentGuardianMessages: 'Messages are no longer filtered.',
  },
  before: subscriberOnly,
  consent: ({ SubscriberId }, _known, reasons) => ({
    title: `Change guardian filtering of ${SubscriberId}`,
    consequence: reasons,
    undo: 'Can be changed back; what was blocked or came through in the meantime stays so.',
    confirm: 'Change filtering',
  }),
  output: () => guardianFlags,
  examples: [{ SubscriberId: seeded('TSUID'), EnableIntelligentGuardianCalls: true }],
});
