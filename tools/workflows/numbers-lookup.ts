import * as z from 'zod';
import { defineWorkflow } from '../../src/catalogue/operation.ts';
import type { Fields } from '../../src/lib/json.ts';
import { e164, out } from '../shared/fields.ts';

export default defineWorkflow({
  id: 'numbers_lookup',
  group: 'numbers',
  title: 'Look a number up',
  description:
    'Everything worth knowing about one number in one call: state, subscriber and account, SIM, routes, data usage. Full adds data limits and call filters. Start here.',
  risk: 'read',
  input: z.strictObject({
    PhoneNumber: e164,
    Full: z.boolean().optional(),
  }),
  output: z.looseObject({
    Number: out.record({ Number: out.text, Status: out.text }),
    Subscriber: out.record({ SubscriberId: out.text, Name: out.said }),
    DataUsage: out.record({ Used: out.text, Remaining: out.text, CurrentBehavior: out.text }),
    DataLimits: out.record({ LimitValue: out.number }),
    CallFilters: out.rows({ FilterId: out.text }),
    Missing: z.array(z.string()).optional(),
  }),
  /** At most three platform requests (five with Full). A part that could not be read is named in Missing. */
  run: async ({ PhoneNumber, Full }, { call, tell }) => {
    const number = await call('numbers_get', { PhoneNumber });
    tell({ Number: number });
    const one = { PhoneNumbers: [{ Number: PhoneNumber }] };
    const missing: string[] = [];
    const part = async (name: string, work: Promise<Fields>) => {
      const [settled] = await Promise.allSettled([work]);
      if (settled.status === 'fulfilled') return settled.value;
      missing.push(`${name}: ${settled.reason instanceof Error ? settled.reason.message : String(settled.reason)}`);
      return undefined;
    };
    const subscriberId = number.AssignedSubscriberId;
    const [subscriber, usage, limits, filters] = await Promise.all([
      typeof subscriberId === 'string' && subscriberId !== ''
        ? part('Subscriber', call('subscribers_get', { SubscriberId: subscriberId }))
        : undefined,
      part('DataUsage', call('numbers_data_usage_info', one)),
      Full ? part('DataLimits', call('numbers_data_usage_settings', one)) : undefined,
      Full ? part('CallFilters', call('subscribers_call_filter_get', { Phone: PhoneNumber })) : undefined,
    ]);
    return {
      Number: number,
      Subscriber: subscriber ?? null,
      DataUsage: firstRow(usage) ?? null,
      ...(Full ? { DataLimits: firstRow(limits) ?? null, CallFilters: rowsOf(filters?.Results) } : {}),
      ...(missing.length > 0 ? { Missing: missing } : {}),
    };
  },
  examples: [{ PhoneNumber: '+12015550101' }],
});

function rowsOf(value: unknown): Fields[] {
  return Array.isArray(value) ? (value as Fields[]) : [];
}

function firstRow(answer: Fields | undefined): Fields | undefined {
  return rowsOf(answer?.PhoneNumbers)[0];
}
