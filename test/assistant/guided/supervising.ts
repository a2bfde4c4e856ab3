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
park everything of acme except ava's line and the iot one until friday | numbers_status | StatusChange=park | | left out, as you say: “ava”, “iot”
data limit 2000 mb on all acme mvno lines but 0105 gets 5000 | numbers_data_usage_set | LimitValue=2000, Query=undefined | | “0105 gets 5000” is an order of its own
cap all acme lines at 5gb except 0105 which gets 10gb | numbers_data_usage_set | LimitValue=5120, Query=undefined | | “0105 which gets 10gb” is an order of its own
turn texts off for all globex lines, ben's stays on | numbers_update | MessageEnabled=false, AssignedSubscriberId=undefined | | left out, as you say: “ben”
set limits for 0101: warn 1500, slow to 1 mbps at 1800, stop at 2500 | numbers_data_usage_set | NotifyValue=1500, ThrottleValue=1800, LimitValue=2500, ThrottleSpeed=1-mbps, Query=0101 | numbers_watch numbers_cancel |
set limits for 0103: warning 900, throttling 1200 at 1 mbps, stop 2000 | numbers_data_usage_set | NotifyValue=900, ThrottleValue=1200, LimitValue=2000, Query=0103 | message_outbound |
for 0103: notify at 1 gb, throttle to 1 mbps at 2 gb, cut off at 3 gb | numbers_data_usage_set | NotifyValue=1024, ThrottleValue=2048, LimitValue=3072, Query=0103 | numbers_watch |
limits of ben: alert 1000 mb, cap at 2000 mb and slow to 512 kbps at 1500 mb | numbers_data_usage_set | NotifyValue=1000, ThrottleValue=1500, LimitValue=2000, Query=ben | numbers_watch |
products and what they cost us => kill the one that isn't in any package | products_delete | | subscriptions_delete |
list products => delete the one nobody uses | account_products_get | | products_delete | was not looked up
webhooks => remove the one that goes to ops | webhook_delete | | numbers_cancel |
point the texts of Main SMS route to https://hooks.acme.example/in, keep the callback | message_routes_update | MessageRouteId=Main SMS route, MessageUrl=https://hooks.acme.example/in | |
where do calls for acme go right now => add a backup trunk 198.51.100.25 to it | voice_routes_update | TrunkIp2=198.51.100.25, CallRouteId=acme | voice_routes_create |
add a second trunk to Main SIP trunk: 198.51.100.25 port 5060 udp, priority 20 | voice_routes_update | CallRouteId=Main SIP trunk, TrunkIp2=198.51.100.25, TrunkPort2=5060, Trunk2Priortiy=20 | voice_routes_create |
trunk 2 of Main SIP trunk: priority 10, weight 50 | voice_routes_update | CallRouteId=Main SIP trunk, Trunk2Priortiy=10, Trunk2Weight=50 | |
set the weight of trunk 1 on Main SIP trunk to 30 | voice_routes_update | Trunk1Weight=30, TrunkEnabled1=undefined | |
add a new voice route with trunk 203.0.113.9 for acme | voice_routes_create | TrunkIp1=203.0.113.9, AccountId=acme | |
can we port in +13125550190 and 3125550145? | numbers_portin_eligibility | | numbers_portin | for each of +13125550190, +13125550145
can we port in +13125550190 and 3125550145? => do the second one then, for ava, carrier acct 5566 pin 9911 | numbers_portin | PortInNumber=+13125550145, AssignedSubscriberId=ava, CurrentAccountNumber=5566 | |
is ana allowed to cancel lines on her own? | help | | numbers_cancel | needs an approver
could an operator reactivate lines without an approver | help | | numbers_reactivate | needs an approver
do we get told when a port in changes? | help | | numbers_portin_update | Order_Update
are we notified about port changes | help | | numbers_portin_update | Order_Update
tell me when the port in of 5550111 is thru | numbers_order_get | OrderId=5550111 | |
what's different between a manager and an account admin | help | | | not documented here
what may a manager do | help | | | not documented here
anything changed on the routes this week | events_since | Since=7d | | only changes of “routes”
what changed on our packages this month | events_since | | | only changes of “packages”
what do we charge for Starter | account_packages_get | | |
what url do inbound texts go to | account_message_routes_get | | webhook_update |
what url do inbound texts go to => change that to https://hooks.acme.example/sms/in | message_routes_update | MessageUrl=https://hooks.acme.example/sms/in | webhook_update |
what url do inbound texts go to => change that to https://hooks.acme.example/sms/in => leave the callback as it is | help | | | “callback” is left as it is
send order updates and new texts for acme to https://ops.acme.example/events | webhook_create | SubscribedEvents=Order_Update,New_Sms, AccountId=acme, WebhookUrl=https://ops.acme.example/events | message_outbound |
post port changes of globex to https://x.example/p | webhook_create | SubscribedEvents=Order_Update, AccountId=globex | |
pause the webhook for globex | numbers_find | | numbers_status webhook_delete | A webhook has no switch
disable the webhook that sends order updates | help | | webhook_delete webhook_update | A webhook has no switch
webhook for acme: https://ops.acme.example/events, Order_Update and New_Sms, json => also calls that are ringing | webhook_create | SubscribedEvents=Order_Update,New_Sms,Call_Ringing | |
stop texts from going to ben's phone but calls stay on | numbers_update | MessageEnabled=false, VoiceEnabled=undefined, Query=ben | subscribers_message_filter_create subscribers_message_filter_blocked_contacts_add |
texts off for 0102, calls stay | numbers_update | MessageEnabled=false, VoiceEnabled=undefined, Query=0102 | |
switch off texting for ben, keep calls on | numbers_update | MessageEnabled=false, AssignedSubscriberId=undefined, Query=ben | |
turn texts off and voice on for 0102 | numbers_update | MessageEnabled=false, VoiceEnabled=true, Query=0102 | |
0103: voice off, sms on | numbers_update | MessageEnabled=true, VoiceEnabled=false, Query=0103 | |
turn off calls but turn on texts for 0103 | numbers_update | MessageEnabled=true, VoiceEnabled=false, Query=0103 | |
0104 should use Main SMS route, not Main SIP trunk | numbers_update | MessageRouteId=Main SMS route, VoiceRouteId=undefined, Query=0104 | | Not taken: “not Main SIP trunk”
0104 should use Main SMS route but not the voice trunk | numbers_update | MessageRouteId=Main SMS route, Query=0104 | | “not the voice trunk”
rename the front desk group to Reception | workgroups_update | WorkgroupId=Front Desk, Name=Reception | account_update |
record calls of workgroup "front desk" | workgroups_update | WorkgroupId=Front Desk | |
turn off call recording in the support group | workgroups_update | WorkgroupId=Support, RecordCalls=false | |
delete workgroup front desk | help | | | creates or deletes a workgroup
list accounts => globex - change the name to Globex Household, keep the address | subscribers_update | SubscriberId=globex, Name=Globex Household | |
every globex line bar ben's | numbers_find | Query=globex | subscribers_call_filter_blocked_numbers_add |
show texts of today except the failed ones | events_since | | | in the list, too: “the failed ones”
give everyone at acme 5 gb, 0103 gets 10 | numbers_data_usage_set | LimitValue=5120, Query=undefined | | “0103 gets 10” is an order of its own
notify 0103 at 800 and stop at 1000 | numbers_data_usage_set | NotifyValue=800, LimitValue=1000, Query=0103 | message_outbound |
do operators need me to park a line | help | | numbers_status | needs an approver
active acme lines => how many is that | numbers_find | Query=acme, Status=Active | |
show webhooks => how many are there | account_webhooks_get | | |
who is the admin contact for globex => make it finance@globex.example | numbers_find | | subscribers_create | cannot be changed here
make the admin of globex finance@globex.example | numbers_find | Query=globex | subscribers_update | cannot be changed here
lines nobody is assigned to | numbers_find | Query=orphan | |
`;

export const supervisingRows: readonly Detailed[] = detailedIn(ROWS);
