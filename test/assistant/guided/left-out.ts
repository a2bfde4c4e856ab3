import { type Detailed, detailedIn } from './details.ts';

/*
 * Lines that a set leaves out, changes that a sentence forbids, switches and limits in the words of a wish, the plan of a person, and
 * names in quotation marks. In the notation of `details.ts`.
 */

const ROWS = `
set 10gb on all acme mvno lines but not 0105 | numbers_data_usage_set | LimitValue=10240, Query=undefined | | left out, as you say: “0105”
limit all acme lines to 5gb except ben and 0104 | numbers_data_usage_set | LimitValue=5120, Query=undefined | | left out, as you say: “ben”, “0104”
cap all acme lines at 5gb except 0105 | numbers_data_usage_set | LimitValue=5120, Query=undefined | | left out, as you say: “0105”
set 10gb on all acme lines apart from 0103 and 0105 | numbers_data_usage_set | LimitValue=10240, Query=undefined | | left out, as you say: “0103”, “0105”
warn all acme mvno lines at 15 mb, not 0101 though | numbers_data_usage_set | NotifyValue=15, Query=undefined | | left out, as you say: “0101”
limit all acme lines to 5gb => except 0105 | numbers_data_usage_set | LimitValue=5120, Query=undefined | | which is withdrawn
set all acme mvno lines to 10gb limit => without 0103 | numbers_data_usage_set | LimitValue=10240, Query=undefined | | left out, as you say: “0103”
cancel 0106 and 0110 => just 0110 actually | numbers_cancel | Query=0110 | | which is withdrawn
do NOT reactivate 0107, just tell me when it gets deleted | numbers_find | Query=0107 | numbers_reactivate | left out, as you say: “do NOT reactivate 0107”
mum wants all filtering off for ben | subscribers_guardian_features_set | SubscriberId=ben, EnableIntelligentGuardianCalls=false, EnableIntelligentGuardianMessages=false | subscribers_call_filter_create |
customer wants no more filters on ben | subscribers_guardian_features_set | SubscriberId=ben, EnableIntelligentGuardianCalls=false | subscribers_call_filter_create |
make sure voice is enabled on 0103 | numbers_update | VoiceEnabled=true, Query=0103 | subscribers_call_filter_create |
make sure calls work on 0101 | numbers_update | VoiceEnabled=true, Query=0101 | subscribers_call_filter_create |
make sure texts are off for 0101 | numbers_update | MessageEnabled=false, Query=0101 | subscribers_message_filter_create |
put 0103 back in service | numbers_status | StatusChange=activate, Query=0103 | numbers_update |
0101 has no data since we ported it in | numbers_diagnose | Query=0101 | numbers_portin |
cant send texts from 0101 after the port | numbers_diagnose | Query=0101 | numbers_portin numbers_order_get |
texts dont work after the sim swap on 0101 | numbers_diagnose | Query=0101 | numbers_status |
which package is ava on, and what does it cost | numbers_find | Query=ava | account_packages_get | The packages have the prices
no signal on 0103 ever since they moved it over | numbers_diagnose | Query=0103 | numbers_update |
point inbound texts on Main SMS route to https://a.example/sms/in, keep the callback | message_routes_update | MessageRouteId=Main SMS route, MessageUrl=https://a.example/sms/in, CallbackMessageUrl=undefined | |
set Main SMS route's url to https://a.example/x but dont touch the callback url | message_routes_update | MessageUrl=https://a.example/x, CallbackMessageUrl=undefined | |
set the callback url of Main SMS route to https://a.example/y | message_routes_update | CallbackMessageUrl=https://a.example/y | |
the port 3125550111: account number is 99812 => and the pin stays the same | help | | numbers_portin_update | as it was
update zip of 3125550111 to 60614 => address is unchanged | help | | | as it was
the port 3125550111: account number is 99812 => leave it as is | help | | | taken back
data used by all lines except 0105 | numbers_find | Query=undefined | | in the list, too: “0105”
active acme lines without ava's | numbers_find | Query=acme, Status=Active | | left out, as you say: “ava”
lines without a plan | numbers_find | Plan=none | |
notify at 1500, throttle to 1 mbps at 1800, cut off at 2500 | numbers_data_usage_set | NotifyValue=1500, ThrottleValue=1800, LimitValue=2500 | numbers_cancel message_outbound |
what limits does 0101 have => notify at 1500, throttle to 1 mbps at 1800, cut off at 2500 | numbers_data_usage_set | NotifyValue=1500, LimitValue=2500 | numbers_cancel message_outbound |
create a starter plan 25 dollars a month | packages_create | PackageName=starter, Price=25, Monthly=true | packages_items_add packages_update |
new family plan 60 a month | packages_create | PackageName=family, Price=60 | |
make the starter plan 20 dollars | packages_update | PackageId=starter, Price=20 | packages_create |
onboard Lena Fox (lena@fox.example) to Globex Family: new number in 646 | help | | packages_update | Create a subscriber; Provision a number
make sure 0104 can receive calls | numbers_update | VoiceEnabled=true, Query=0104 | subscribers_call_filter_create |
0101 needs to be able to text | numbers_update | MessageEnabled=true, Query=0101 | message_outbound |
the number 0103 needs to be able to make calls again | numbers_update | VoiceEnabled=true, Query=0103 | |
0104 put it on hold for now dont cancel | numbers_status | StatusChange=park, Query=0104 | numbers_cancel | does not end by itself
cut off data for 0103 when it hits 3 gb | numbers_data_usage_set | LimitValue=3072, Query=0103 | |
block data for ben after 5gb | numbers_data_usage_set | LimitValue=5120, Query=ben | |
give ava 2 gb more on 0105 | numbers_data_usage_set | Query=0105 | numbers_update | add 2048 MB
give ben 500 mb extra | numbers_data_usage_set | Query=ben | numbers_update | add 500 MB
dont cancel 0103 | numbers_find | Query=0103 | numbers_cancel | said not to
assign 0110 "ava stone" | numbers_update | AssignedSubscriberId=ava stone, Query=0110 | |
park "ben" | numbers_status | StatusChange=park, Query=ben | |
put 0103 on "main sms route" | numbers_update | MessageRouteId=main sms route, Query=0103 | |
put 0103 on "Starter" | subscriptions_create | PackageId=Starter, Query=0103 | |
send "ava stone" a text: hello | message_outbound | Body=hello, Query=ava stone | |
"ava stone" data usage | numbers_data_usage_info | Query=ava stone | |
text 0102 "1234" | message_outbound | Body=1234, Query=0102 | |
block "+12015550199" for ben | subscribers_call_filter_blocked_numbers_add | SubscriberId=ben | |
what's on "Main SIP trunk" | voice_routes_get | CallRouteID=Main SIP trunk | |
delete webhook "orders" | webhook_delete | WebhookId=undefined | | Not taken: “orders”
`;

export const leftOutRows: readonly Detailed[] = detailedIn(ROWS);
