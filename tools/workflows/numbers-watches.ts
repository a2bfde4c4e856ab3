import { defineWorkflow } from '../../src/catalogue/operation.ts';
import { out } from '../shared/fields.ts';

export default defineWorkflow({
  id: 'numbers_watches',
  group: 'numbers',
  title: 'Watched numbers',
  description: 'The numbers that are watched (numbers_watch) and the result of the last check. No platform request.',
  risk: 'read',
  needsHistory: true,
  input: () => ({}),
  output: () => ({
    Results: out.rows({ PhoneNumber: out.text, Used: out.text, Remaining: out.text, Message: out.own }),
  }),
  run: async (_input, { history }) => ({
    Results: (await history.watched()).map(({ phone, used, remaining, behaviour, checkedAt }) => ({
      PhoneNumber: phone,
      ...(checkedAt === undefined
        ? { Message: 'not checked yet' }
        : { Used: used, Remaining: remaining, CurrentBehavior: behaviour, CheckedAt: checkedAt }),
    })),
  }),
  examples: [{}],
});
