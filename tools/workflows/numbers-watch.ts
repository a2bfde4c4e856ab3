import * as z from 'zod';
import { defineWorkflow } from '../../src/catalogue/operation.ts';
import type { Fields } from '../../src/lib/values.ts';
import { e164, out } from '../shared/fields.ts';

const NOT_WATCHED = 'It was not watched.';

export default defineWorkflow({
  id: 'numbers_watch',
  group: 'numbers',
  title: 'Watch a number',
  description:
    'Checks a number every 15 minutes; tells Slack and subscribers of switchboard://numbers/{PhoneNumber} when its data crosses a threshold (80 % without a notify) or its state changes.',
  risk: 'write',
  batch: { row: 'PhoneNumber', reads: { operation: 'numbers_get', by: 'PhoneNumber' } },
  input: () => ({
    PhoneNumber: e164,
    Stop: z.boolean().optional().describe('yes ends the watch, for everybody'),
  }),
  free: 'the watch belongs to Switchboard and the line keeps its service',
  told: ({ Stop }, { Message }) => ({
    title: Stop ? 'Stop watching a number' : 'Watch a number',
    isDone: Message !== NOT_WATCHED,
  }),
  output: () => ({
    ...out.members('PhoneNumber Watched Used Remaining'),
    Message: out.own,
  }),
  run: async ({ PhoneNumber, Stop }, { call, history }) => {
    if (Stop) {
      const was = await history.unwatch(PhoneNumber);
      return { PhoneNumber, Watched: false, Message: was ? 'It is no longer watched.' : NOT_WATCHED };
    }
    // A number that cannot be read cannot be watched.
    const answer = await call('numbers_data_usage_info', { PhoneNumbers: [{ Number: PhoneNumber }] });
    const [row = {}] = Array.isArray(answer.PhoneNumbers) ? (answer.PhoneNumbers as Fields[]) : [];
    const { everyMinutes, looks } = await history.watch(PhoneNumber);
    return {
      PhoneNumber,
      Watched: true,
      Used: row.Used ?? null,
      Remaining: row.Remaining ?? null,
      CurrentBehavior: row.CurrentBehavior ?? null,
      Message: looks
        ? `It is checked every ${everyMinutes} minutes.`
        : 'Saved. Monitoring starts when "switchboard start" is running with the same DATA_DIR.',
    };
  },
  examples: [{ PhoneNumber: '+12015550103' }],
});
