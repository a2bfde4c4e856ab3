import { defineWorkflow } from '../../src/catalogue/operation.ts';
import { text } from '../shared/before.ts';
import { out } from '../shared/fields.ts';
import { behaviourSaid, lineSaid } from '../shared/line.ts';

export default defineWorkflow({
  id: 'numbers_watches',
  group: 'numbers',
  title: 'Watched numbers',
  description: 'The numbers that are watched (numbers_watch) and the result of the last check.',
  risk: 'read',
  needsHistory: true,
  input: () => ({}),
  output: () => ({
    Results: out.rows({ PhoneNumber: out.plain, Used: out.plain, Remaining: out.plain, Message: out.own }),
  }),
  run: async (_input, { history }) => ({
    Results: (await history.watched()).map(({ phone, used, remaining, behaviour, checkedAt }) => ({
      PhoneNumber: phone,
      ...(checkedAt === undefined
        ? { Message: 'not checked yet' }
        : { Used: used, Remaining: remaining, CurrentBehavior: behaviour, CheckedAt: checkedAt }),
    })),
  }),
  sentences: {
    of: 'Results',
    title: (count) =>
      count === 0
        ? 'No number is watched'
        : `${count === 1 ? '1 watched number' : `${count} watched numbers`}, by the last check`,
    row: (row, _input, nameOf) => {
      const PhoneNumber = text(row.PhoneNumber) ?? '';
      const at = Date.parse(text(row.CheckedAt) ?? '');
      const says = [lineSaid(PhoneNumber, nameOf), text(row.Message) ?? behaviourSaid(row)];
      return {
        says: says.filter((part) => part !== '').join(': '),
        usage: row,
        ...(Number.isNaN(at) ? {} : { at }),
        next: [
          { tool: 'numbers_lookup', title: 'Look up', input: { PhoneNumber } },
          { tool: 'numbers_watch', title: 'Stop watching', input: { PhoneNumber, Stop: true } },
        ],
      };
    },
  },
});
