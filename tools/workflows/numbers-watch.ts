import * as z from 'zod';
import { defineWorkflow } from '../../src/catalogue/operation.ts';
import type { Fields } from '../../src/lib/json.ts';
import { e164, out } from '../shared/fields.ts';

export default defineWorkflow({
  id: 'numbers_watch',
  group: 'numbers',
  title: 'Watch a number',
  description:
    'Looks at a number’s data use and state every 15 minutes in the background and tells when it crosses its notify, throttle or limit threshold (80 % where no notify is set) or changes state: in Slack, and over MCP to whoever subscribed to switchboard://numbers/{PhoneNumber}. Stop ends it for everybody.',
  risk: 'write',
  input: z.strictObject({
    PhoneNumber: e164,
    Stop: z.boolean().optional().describe('yes ends the watch, for everybody'),
  }),
  output: z.looseObject({ PhoneNumber: out.text, Watched: out.flag, Used: out.text, Remaining: out.text }),
  run: async ({ PhoneNumber, Stop }, { call, history }) => {
    if (Stop) {
      const was = history.unwatch(PhoneNumber);
      return { PhoneNumber, Watched: false, Message: was ? 'It is no longer watched.' : 'It was not watched.' };
    }
    // A number that cannot be read cannot be watched either.
    const answer = await call('numbers_data_usage_info', { PhoneNumbers: [{ Number: PhoneNumber }] });
    const [row = {}] = Array.isArray(answer.PhoneNumbers) ? (answer.PhoneNumbers as Fields[]) : [];
    const { everyMinutes, looks } = history.watch(PhoneNumber);
    return {
      PhoneNumber,
      Watched: true,
      Used: row.Used ?? null,
      Remaining: row.Remaining ?? null,
      CurrentBehavior: row.CurrentBehavior ?? null,
      Message: looks
        ? `It is looked at every ${everyMinutes} minutes.`
        : 'It is noted. Nobody looks until "switchboard start" runs with the same DATA_DIR.',
    };
  },
  examples: [{ PhoneNumber: '+12015550103' }],
});
