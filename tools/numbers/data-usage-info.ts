import { out } from '../shared/fields.ts';
import { behaviourSaid, dataUsageRead } from '../shared/line.ts';

export default dataUsageRead(
  'info',
  {
    title: 'Data used',
    description: 'Data used and remaining for numbers, and whether they are throttled or stopped.',
  },
  { Used: out.plain, Remaining: out.plain, CurrentBehavior: out.plain },
  (usage) => ({ says: behaviourSaid(usage), usage }),
  [
    { tool: 'numbers_data_usage_settings', title: 'Data limits' },
    { tool: 'numbers_data_usage_set', title: 'Set data limits' },
  ],
);
