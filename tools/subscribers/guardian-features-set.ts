import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { subscriberOnly } from '../shared/before.ts';
import { out, someChange, subscriberId } from '../shared/fields.ts';

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
  resend: true,
  source: 'S+I',
  notes: 'PLATFORM.md, Guardian filtering',
  input: z.strictObject({
    SubscriberId: subscriberId,
    EnableIntelligentGuardianCalls: z.boolean().optional().meta({ title: 'Filter calls' }),
    EnableIntelligentGuardianMessages: z.boolean().optional().meta({ title: 'Filter messages' }),
  }),
  rules: (input) => someChange(input, ['SubscriberId'], 'EnableIntelligentGuardianMessages'),
  raisedBy: 'turning a protection off',
  raises: (input) => {
    const off = switchedOff(input);
    return off.length === 0
      ? undefined
      : { risk: 'destroy', reason: `Guardian filtering of ${off.join(' and ')} is turned off.` };
  },
  before: subscriberOnly,
  consent: (input) => ({
    title: `Turn off guardian filtering of ${switchedOff(input).join(' and ')} for ${input.SubscriberId}`,
    consequence: `The subscriber's ${switchedOff(input).join(' and ')} are no longer filtered; call and message filters have no effect.`,
    undo: 'Can be turned on again; what came through meanwhile is not taken back.',
    confirm: 'Turn protection off',
  }),
  output: z.looseObject(guardianFlags),
  examples: [
    {
      SubscriberId: 'TSUID-00000000-0000-4000-8000-000000000001',
      EnableIntelligentGuardianCalls: true,
      EnableIntelligentGuardianMessages: true,
    },
  ],
});
