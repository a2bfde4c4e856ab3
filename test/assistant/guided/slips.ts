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
suspend ben on christmas | numbers_status | EffectiveDate=undefined, Query=ben | numbers_cancel | not taken: “on christmas”
park 0103 first of december | numbers_status | EffectiveDate=undefined | numbers_cancel | “first of december”
park 2015550103 20261225 | numbers_status | EffectiveDate=undefined | numbers_cancel | “20261225”
park 2015550103 in 2027 | numbers_status | EffectiveDate=undefined, PhoneNumbers=+12015550103 | numbers_cancel | “in 2027”
pause 0106 tmrw | numbers_status | EffectiveDate=11/23/2026 | numbers_cancel |
park 2015550103 on wensday | numbers_status | EffectiveDate=11/25/2026 | numbers_cancel |
put ben on hold 11/20 | numbers_status | EffectiveDate=undefined, Query=ben | numbers_cancel | “11/20”
limit 0104 to five gb | numbers_data_usage_set | LimitValue=5120, Query=0104 | |
cap ava at half a gig | numbers_data_usage_set | LimitValue=512, Query=ava | |
what happened 2 days ago | events_since | Since=2d, Query=undefined | |
`;

const WORDS = `
send from 0101 to 212-555-1234 hi there | message_outbound | To=+12125551234, From=0101, Body=hi there | |
from 0101 to 2125551234 hello there | message_outbound | To=+12125551234, From=0101, Body=hello there | |
send to 2125551234 hi there | message_outbound | To=+12125551234, Body=hi there | |
send 0101 to 2125551234 "hi there" | message_outbound | To=+12125551234, From=0101, Body=hi there | |
pls snd a msg to ben reed tht his bill is overdu | message_outbound | Body=his bill is overdu, Query=ben reed | |
msg ben reed that his bill is overdue | message_outbound | Body=his bill is overdue, Query=ben reed | events_since |
tell ben reed his bill is overdue | message_outbound | Body=his bill is overdue, Query=ben reed | |
text from 0102 to 9175550123 your order shipped | message_outbound | To=+19175550123, From=0102, Body=your order shipped | |
0101 texts 2125551234 call me back | message_outbound | To=+12125551234, From=0101, Body=call me back | |
txt ben reed ur sim is here | message_outbound | Body=ur sim is here, Query=ben reed | |
everyone but Ben gets a text: office closed tomorrow | numbers_find/help | | message_outbound message_search_get | stands for none
send from 0101 to 2125551234 | message_outbound | From=0101, To=+12125551234 | |
from 0101 to 2125551234 when did it start | numbers_lookup | | message_outbound |
reply to 0102 yes it is done | message_outbound | Body=yes it is done, Query=0102 | |
text ava & ben: we're back | message_outbound | To=ava+ben, Body=we're back | |
tell customer 0102 her order left | message_outbound | Body=her order left, Query=0102 | |
customer would like a new number in 312 | numbers_provision | AreaCode=312 | subscribers_create |
customer needs a second line | numbers_provision | | subscribers_create |
park 0103 => scratch that, 0104 | numbers_status | StatusChange=park, Query=0104 | numbers_cancel | withdrawn
inbox 0101 | message_search_get | Query=0101 | message_outbound |
sms ben "your line is back" | message_outbound | Body=your line is back, Query=ben | message_search_get numbers_reactivate |
hiya | help | | |
yo, ben reed pls | numbers_find | Query=ben reed | |
howdy, look up ben reed | numbers_find | Query=ben reed | |
block em for ben | subscribers_call_filter_blocked_numbers_add | SubscriberId=ben | |
somebody canceld 0105 by mistke | events_since | Query=0105 | numbers_cancel |
my colleague suspendd 0105 | numbers_find | Query=0105 | numbers_status |
0103 was put on hold by mistake | numbers_find | Query=0103 | numbers_status |
someone put 0103 on hold | events_since | Query=0103 | numbers_status |
0107 must stay cancelled | numbers_find | Query=0107 | numbers_cancel |
ava's line should remain suspended | numbers_find | Query=ava | numbers_status |
someone needs to put 0103 on hold | numbers_status | StatusChange=park, Query=0103 | numbers_cancel |
0103 needs to be put on hold | numbers_status | StatusChange=park, Query=0103 | numbers_cancel |
customer wants a transfer pin | numbers_portout | | subscribers_create |
customer wants 0103 to stay active | numbers_find | Query=0103 | subscribers_create numbers_status |
the customer is asking for his transfer pin, 0105 | numbers_portout | Query=0105 | subscribers_create |
our client needs a pause on 0103 | numbers_status | StatusChange=park, Query=0103 | subscribers_create |
new customer Dana Whit, d@x.com | subscribers_create | Name=Dana Whit, Email=d@x.com | |
cancel | help | | numbers_cancel | does not say what
find 0105 => suspend | numbers_status | StatusChange=park, Query=0105 | numbers_cancel |
new line for Ava Stone => 385 please | numbers_provision | AreaCode=385 | | goes on with
set 0101 to 5gb => sorry 2,5 gb | numbers_data_usage_set | LimitValue=2560, Query=0101 | |
connect 0110 to Ben Reed | numbers_update | AssignedSubscriberId=Ben Reed, Query=0110 | |
connect 0110 to verizon | numbers_find | Query=0110 | numbers_update |
subscriptions of 0101 | numbers_find | Query=0101 | subscriptions_create |
what is Ava subscribed to | numbers_find | Query=Ava | subscriptions_create |
put ava on the startr package | subscriptions_create | PackageId=starter, SubscriberId=ava | |
put ava on the zorro plan | subscriptions_create | PackageId=zorro, SubscriberId=ava | |
not 0103, 0105 needs the hold | numbers_status | StatusChange=park, Query=0105 | numbers_cancel | “not 0103”
calls of 0103 shouldn't go to Main SIP trunk | numbers_update | Query=0103, VoiceRouteId=undefined | | is the route that it leaves
stop routing texts of 0103 to the Backup route | numbers_update | Query=0103, MessageRouteId=undefined | _add | is the route that it leaves
0101, 0102 and 0106 all need a 2 GB cap | numbers_data_usage_set | LimitValue=2048, PhoneNumbers=0101+0102+0106 | |
put 0101 and 0103 on Starter, and 0104 too | subscriptions_create | PackageId=Starter | | for each of 0101, 0103, 0104
park 0101 and 0103, and 0104 too | numbers_status | PhoneNumbers=0101+0103+0104 | numbers_cancel |
turn on the morning digest in this channel | help | | | nothing here posts a digest
digest | events_since | Query=undefined | |
voice off 0101 | numbers_update | VoiceEnabled=false, Query=0101 | |
turn texting back on for 0104 | numbers_update | MessageEnabled=true, Query=0104 | numbers_reactivate |
limit 0101 | numbers_data_usage_settings | Query=0101 | numbers_data_usage_set |
limit 0101 unlimited | numbers_data_usage_set | LimitValue=undefined, Query=0101 | packages_update | no way to remove a limit
limit 0101 2gb warn at 80% | numbers_data_usage_set | LimitValue=2048, NotifyValue=1638, Query=0101 | numbers_watch |
voice recordings | subscribers_call_filter_get | | subscribers_call_filter_update |
rename 0101 Bob | numbers_update | CnamFirstName=Bob, Query=0101 | subscribers_update |
list cancelled | numbers_find | Status=Cancelled - Pending Delete | numbers_cancel |
bought last month | numbers_find | | events_since |
swap 0101 | numbers_find | Query=0101 | numbers_status | “swap” was not understood; nothing was done. here is the line.
rename ava Ava Reed | subscribers_update | SubscriberId=ava, Name=Ava Reed
update starter price 12 | packages_update | PackageId=starter, Price=12
set starter price to 17.99 | packages_update | PackageId=starter, Price=17.99
subscription 0105 | numbers_find | Query=0105
`;

const REASONS = `
the sim of 0106 was stolen!! lock it now | numbers_status | StatusChange=park, Query=0106 | numbers_update numbers_cancel |
0101 lost his phone, please block the line right away | numbers_status | StatusChange=park, Query=0101 | _add numbers_cancel |
lock 0106, the sim was stolen | numbers_status | StatusChange=park, Query=0106 | numbers_update |
please freeze 0105 asap, customer lost her handset | numbers_status | StatusChange=park, Query=0105 | numbers_update |
stolen phone on 0106, shut it down | numbers_status | StatusChange=park, Query=0106 | numbers_cancel |
someone stole ava's sim, freeze it | numbers_status | StatusChange=park, Query=ava | numbers_update |
the sim of 0106 was stolen, swap it | numbers_update | Query=0106 | numbers_status |
0106 was stolen, cancel it | numbers_cancel | Query=0106 | numbers_status |
dont lock 0106, the sim was not stolen | numbers_find | Query=0106 | numbers_status numbers_update | You said not to
block 3125550177 for 0101, she lost her phone | subscribers_call_filter_blocked_numbers_add | SubscriberId=0101 | numbers_status |
cancel the port of 3125550111, customer changed her mind | numbers_portin_cancel | OrderId=+13125550111 | numbers_cancel |
cancel 0104, i changed my mind | numbers_find | Query=0104 | numbers_cancel | takes it back
suspend 0105, she changed her mind | numbers_status | StatusChange=park, Query=0105 | |
customer got a new phone, needs a new esim for 0103 | numbers_update | Query=0103 | subscribers_create |
ben bought a new iphone and needs an esim on 0104 | numbers_update | Query=0104 | subscribers_create |
new esim line for ava in 312 | numbers_provision | AssignedSubscriberId=ava, AreaCode=312 | numbers_update | not taken: “esim”
new number for ava on esim | numbers_provision | AssignedSubscriberId=ava | numbers_update | esim”
change the number of ava to a 646 one | numbers_status | Query=ava, AreaCode=646 | numbers_update numbers_provision | choose “swap” or “replace”
change 0101 to a 646 number | numbers_status | PhoneNumbers=0101, AreaCode=646 | numbers_update numbers_cancel | choose “swap” or “replace”
swap 0101 for a 415 number | numbers_status | PhoneNumbers=0101, AreaCode=415 | numbers_update numbers_cancel | choose “swap” or “replace”
give ava a 212 number | numbers_provision | AreaCode=212 | numbers_update |
why can't 0104 call => turn it off and on again | numbers_find | Query=0104 | numbers_reactivate numbers_cancel numbers_status | cannot restart
turn 0104 off and on again | numbers_find | Query=0104 | numbers_reactivate numbers_cancel numbers_status | cannot restart
reboot 0103 pls | numbers_find | Query=0103 | numbers_reactivate numbers_status | cannot restart
turn voice off on 0101 | numbers_update | VoiceEnabled=false | numbers_status |
block 900 numbers on 0101 | numbers_find | Query=0101 | _add | prefix
block numbers starting with 900 for ava | numbers_find | Query=ava | _add | prefix
block area code 809 for ben | numbers_find | Query=ben | _add | prefix
block 3125550177 for ben | subscribers_call_filter_blocked_numbers_add | SubscriberId=ben | |
`;

export const slips: readonly Detailed[] = [...detailedIn(VALUES), ...detailedIn(WORDS), ...detailedIn(REASONS)];
