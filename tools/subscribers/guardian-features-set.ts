import * as z from 'zod';
import { defineOperation, on, target } from '../../src/catalogue/operation.ts';
import { subscriberOnly } from '../shared/before.ts';
import { out, seeded, someChange, subscriberId } from '../shared/fields.ts';

export const guardianFlags = {
  SubscriberId: out.text,
  EnableIntelligentGuardianCalls: out.flag,
  EnableIntelligentGuardianMessages: out.flag,
} as const;

/** The traffic that is no longer protected. */
function switchedOff(input: {
  EnableIntelligentGuardianCalls?: boolean | undefined;
  EnableIntelligentGuardianMessages?: boolean | undefined;
}): string[] {
  return [
    ...(input.EnableIntelligentGuardianCalls === false ? ['calls'] : []),
    ...(input.EnableIntelligentGuardianMessages === false ? ['messages'] : []),
  ];
}

export default defineOperation({
  id: 'subscribers_guardian_features_set',
  endpoint: 'POST /v1.0/subscribers/guardian-features',
  title: 'Guardian filtering: on or off',
  description:
    "Turns guardian filtering on or off for a subscriber. Call and message filters have no effect until it is on; off stops the subscriber's protection.",
  risk: 'write',
  batch: { row: 'SubscriberId' },
  resend: true,
  source: 'S+I',
  notes: 'PLATFORM.md, Guardian filtering',
  input: z.strictObject({
    SubscriberId: subscriberId,
    EnableIntelligentGuardianCalls: z.boolean().optional().meta({ title: 'Filter calls' }),
    EnableIntelligentGuardianMessages: z.boolean().optional().meta({ title: 'Filter messages' }),
  }),
  current: {
    read: 'subscribers_guardian_features_get',
    keys: ['SubscriberId'],
    input: ({ SubscriberId }) => (typeof SubscriberId === 'string' ? { SubscriberId } : undefined),
  },
  rules: (input) => someChange(input, ['SubscriberId'], 'EnableIntelligentGuardianMessages'),
  ordinary: {
    SubscriberId: target,
    EnableIntelligentGuardianCalls: on,
    EnableIntelligentGuardianMessages: on,
  },
  raised: {
    EnableIntelligentGuardianCalls: {
      what: 'turning a protection off',
      reason: "The subscriber's calls are no longer filtered; call filters have no effect.",
    },
    EnableIntelligentGuardianMessages: {
      what: 'turning a protection off',
      reason: "The subscriber's messages are no longer filtered; message filters have no effect.",
    },
  },
  before: subscriberOnly,
  consent: (input, _known, reasons) => {
    const off = switchedOff(input);
    if (off.length === 0)
      return {
        title: `Turn on guardian filtering for ${input.SubscriberId}`,
        consequence: 'Filters of this subscriber take effect at once.',
        undo: 'Can be turned off again.',
        confirm: 'Protect',
      };
    return {
      title: `Turn off guardian filtering of ${off.join(' and ')} for ${input.SubscriberId}`,
      consequence: reasons,
      undo: 'Can be turned on again; what came through meanwhile is not taken back.',
      confirm: 'Turn protection off',
    };
  },
  output: z.looseObject(guardianFlags),
  examples: [
    { SubscriberId: seeded('TSUID'), EnableIntelligentGuardianCalls: true, EnableIntelligentGuardianMessages: true },
  ],
});
