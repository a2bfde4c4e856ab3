import { type Detailed, detailedIn } from './details.ts';

/*
 * Amounts, days and words with the slips of every day. In the notation of `details.ts`. What cannot be told is left empty:
 * no amount becomes 0, and no day becomes today.
 */

const VALUES = `
limit 0101 1,000 MB | numbers_data_usage_set | LimitValue=1000, Query=0101 | |
limit 0101 1 000 MB | numbers_data_usage_set | LimitValue=1000, Query=0101 | |
limit 0101 10,000mb | numbers_data_usage_set | LimitValue=10000, Query=0101 | |
limit 0101 1,5 GB | numbers_data_usage_set | LimitValue=1536, Query=0101 | |
set 0101 to 2,5 gb | numbers_data_usage_set | LimitValue=2560, Query=0101 | |
cap ava at 1 500 megs | numbers_data_usage_set | LimitValue=1500, Query=ava | |
warn 0101 at 1,500 mb | numbers_data_usage_set | NotifyValue=1500, Query=0101 | message_outbound |
throttle 0106 after 2,5 gb to 128kbps | numbers_data_usage_set | ThrottleValue=2560, ThrottleSpeed=128-kbps | |
limit 0101 and 0103 to 1,500 mb | numbers_data_usage_set | LimitValue=1500, PhoneNumbers=0101+0103 | |
limit 0101,5 gb | numbers_data_usage_set | LimitValue=5120, Query=0101 | |
limit 0101 500 mb | numbers_data_usage_set | LimitValue=500, Query=0101 | |
limit 0101 to 1,0000 mb | numbers_data_usage_set | LimitValue=undefined, Query=0101 | | “1,0000 mb” is no clear amount
cap 0106 at 1.000 mb | numbers_data_usage_set | LimitValue=undefined, Query=0106 | | “1.000 mb” is no clear amount
limit 0101 0 mb | numbers_data_usage_set | LimitValue=undefined, Query=0101 | | “0 mb” is no clear amount
text 0101 your limit is 1,5 GB now | message_outbound | Query=0101 | numbers_data_usage_set |
park 0104 yesterday | numbers_status | EffectiveDate=undefined, Query=0104 | numbers_cancel | not taken: “yesterday”
park 2015550104 2026-02-30 | numbers_status | EffectiveDate=undefined | numbers_cancel | not taken: “2026-02-30”
park 0104 on feb 30 | numbers_status | EffectiveDate=undefined | numbers_cancel | not taken: “on feb 30”
suspend 0104 on june 31st | numbers_status | EffectiveDate=undefined | numbers_cancel | not taken: “on june 31st”
park 0104 on 01.12. | numbers_status | EffectiveDate=undefined | numbers_cancel | not taken: “on 01.12.”
park 0104 from 25.12.2026 | numbers_status | EffectiveDate=undefined, Query=0104 | numbers_cancel | “from 25.12.2026”
park 2015550104 on 13/45/2026 | numbers_status | EffectiveDate=undefined | numbers_cancel | “on 13/45/2026”
park 0104 on the 32nd | numbers_status | EffectiveDate=undefined | numbers_cancel | “on the 32nd”
park 0104 on 12-25-2026 | numbers_status | EffectiveDate=12/25/2026 | numbers_cancel |
park 0104 on 12/25/26 | numbers_status | EffectiveDate=12/25/2026 | numbers_cancel |
park 2015550104 2020-01-01 | numbers_status | EffectiveDate=undefined | numbers_cancel | “2020-01-01”
activate 0103 last monday | numbers_status | EffectiveDate=undefined | numbers_cancel | “last monday”
pause 0101 3 days ago | numbers_status | EffectiveDate=undefined | numbers_cancel | “3 days ago”
park 0104 next weekend | numbers_status | EffectiveDate=undefined | numbers_cancel | “next weekend”
park 0104 on nov 20 | numbers_status | EffectiveDate=undefined | numbers_cancel | “on nov 20”
park 0104 on nov 20 2027 | numbers_status | EffectiveDate=11/20/2027 | numbers_cancel |
swap the sim of 0103 on feb 30 | numbers_update | Query=0103 | | “on feb 30”
0103 was stolen yesterday, suspend it | numbers_status | EffectiveDate=11/22/2026 | numbers_cancel |
what happened 2 days ago | events_since | Since=2d, Query=undefined | |
`;

export const slips: readonly Detailed[] = detailedIn(VALUES);
