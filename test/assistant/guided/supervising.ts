import { type Detailed, detailedIn } from './details.ts';

/*
 * What a supervisor asks and orders: exceptions of lists and of sets, levels of data in one order, parts of records, who may do what.
 * In the notation of `details.ts`.
 */

const ROWS = `
all mobile lines of acme that are active => without ava's | numbers_find | Query=acme, Status=Active | | left out, as you say: “ava”
active acme lines => all but 0103 and 0104 | numbers_find | Query=acme, Status=Active | | left out, as you say: “0103”, “0104”
acme lines => except the iot one | numbers_find | Query=acme | | left out, as you say: “iot”
who else used a lot of data besides 0105 | numbers_find | Query=undefined, Data=true | | left out, as you say: “0105”
data used by acme lines except 0105 | numbers_find | Query=acme, Data=true | | left out, as you say: “0105”
everyone at globex besides ben | numbers_find | Query=globex | | left out, as you say: “ben”
which voip lines do we have apart from 0104 | numbers_find | Product=voip | | left out, as you say: “0104”
is anyone except ben over their limit | numbers_find | Query=undefined, Data=true | | left out, as you say: “ben”
what changed today apart from 0103 | events_since | Query=undefined | | in the list, too: “0103”
packages other than Starter | account_packages_get | | | left out, as you say: “Starter”
block +13125550166 for everyone at acme except 0106 | numbers_find | Query=acme | | left out, as you say: “0106”
park everything of acme except ava's line and the iot one until friday | numbers_find | Query=acme | | left out, as you say: “ava”, “iot”
data limit 2000 mb on all acme mvno lines but 0105 gets 5000 | numbers_data_usage_set | LimitValue=2000, Query=undefined | | “0105 gets 5000” is an order of its own
cap all acme lines at 5gb except 0105 which gets 10gb | numbers_data_usage_set | LimitValue=5120, Query=undefined | | “0105 which gets 10gb” is an order of its own
turn texts off for all globex lines, ben's stays on | numbers_update | MessageEnabled=false, AssignedSubscriberId=undefined | | left out, as you say: “ben”
set limits for 0101: warn 1500, slow to 1 mbps at 1800, stop at 2500 | numbers_data_usage_set | NotifyValue=1500, ThrottleValue=1800, LimitValue=2500, ThrottleSpeed=1-mbps, Query=0101 | numbers_watch numbers_cancel |
set limits for 0103: warning 900, throttling 1200 at 1 mbps, stop 2000 | numbers_data_usage_set | NotifyValue=900, ThrottleValue=1200, LimitValue=2000, Query=0103 | message_outbound |
for 0103: notify at 1 gb, throttle to 1 mbps at 2 gb, cut off at 3 gb | numbers_data_usage_set | NotifyValue=1024, ThrottleValue=2048, LimitValue=3072, Query=0103 | numbers_watch |
limits of ben: alert 1000 mb, cap at 2000 mb and slow to 512 kbps at 1500 mb | numbers_data_usage_set | NotifyValue=1000, ThrottleValue=1500, LimitValue=2000, Query=ben | numbers_watch |
`;

export const supervisingRows: readonly Detailed[] = detailedIn(ROWS);
