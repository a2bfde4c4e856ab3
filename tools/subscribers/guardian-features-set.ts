import * as z from 'zod';
import { defineOperation, on, target } from '../../src/catalogue/operation.ts';
import { inQuotes } from '../../src/lib/text.ts';
import { subscriberOnly } from '../shared/before.ts';
import { out, seeded, someChange, subscriberId } from '../shared/fields.ts';

export const guardianFlags = {
  SubscriberId: out.text,
  EnableIntelligentGuardianCalls: out.flag,
  EnableIntelligentGuardianMessages: out.flag,
} as const;

interface Flags {
  EnableIntelligentGuardianCalls?: boolean | undefined;
  EnableIntelligentGuardianMessages?: boolean | undefined;
}

/** "call filtering on and message filtering off". */
function switched({
  EnableIntelligentGuardianCalls: calls,
  EnableIntelligentGuardianMessages: messages,
}: Flags): string {
  const traffic = (is: boolean) =>
    [...(calls === is ? ['call'] : []), ...(messages === is ? ['message'] : [])].join(' and ');
  return [true, false]
    .filter((is) => traffic(is) !== '')
    .map((is) => `${traffic(is)} filtering ${is ? 'on' : 'off'}`)
    .join(' and ');
}

const isOff = (input: Flags) =>
  input.EnableIntelligentGuardianCalls === false || input.EnableIntelligentGuardianMessages === false;

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
  input: () => ({
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
  before: async (input, look) => {
    const { customer, ...checked } = await subscriberOnly(input, look);
    return customer === undefined
      ? checked
      : { ...checked, customer, known: { Customer: inQuotes(customer.split(' · ')[0] ?? '') } };
  },
  consent: (input, { Customer = input.SubscriberId }, reasons) => ({
    title: `Turn ${switched(input)} for ${String(Customer)}`,
    consequence: reasons,
    undo: isOff(input)
      ? 'Can be turned on again; what came through meanwhile is not taken back.'
      : 'Can be turned off again; what was blocked meanwhile is not delivered.',
    confirm: isOff(input) ? 'Turn protection off' : 'Turn protection on',
  }),
  output: () => guardianFlags,
  examples: [
    { SubscriberId: seeded('TSUID'), EnableIntelligentGuardianCalls: true, EnableIntelligentGuardianMessages: true },
  ],
});
