import type { Fields } from '../../src/lib/values.ts';
import { text } from '../shared/before.ts';
import { out } from '../shared/fields.ts';
import { dataUsageRead } from '../shared/line.ts';

/** Thresholds in MB, as the platform has them for a line. */
export const limitsRecord = out.members('NotifyValue ThrottleValue ThrottleSpeed LimitValue ValueUnit');

/** "data stops at 20 MB; slowed to 1 Mbps from 15 MB; notice at 10 MB". */
function limitsSaid({ LimitValue, ThrottleValue, ThrottleSpeed, NotifyValue, ValueUnit }: Fields): string {
  const isSet = (value: unknown) => value !== undefined && value !== null && value !== '';
  const amount = (value: unknown) => `${String(value)} ${text(ValueUnit) ?? 'MB'}`;
  const speed = (text(ThrottleSpeed) ?? '').replace(/-([kmg])bps$/i, (_, unit: string) => ` ${unit.toUpperCase()}bps`);
  const limits = [
    isSet(LimitValue) ? `data stops at ${amount(LimitValue)}` : '',
    isSet(ThrottleValue) ? `slowed${speed === '' ? '' : ` to ${speed}`} from ${amount(ThrottleValue)}` : '',
    isSet(NotifyValue) ? `notice at ${amount(NotifyValue)}` : '',
  ].filter((limit) => limit !== '');
  return limits.length === 0 ? 'no limits' : limits.join('; ');
}

export default dataUsageRead(
  'settings',
  { title: 'Data limits', description: 'The data thresholds set for numbers: notify, throttle and its speed, limit.' },
  limitsRecord,
  (line) => ({ says: limitsSaid(line) }),
  [
    { tool: 'numbers_data_usage_set', title: 'Set data limits' },
    { tool: 'numbers_data_usage_info', title: 'Data used' },
  ],
);
