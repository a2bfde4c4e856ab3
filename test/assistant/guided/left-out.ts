import { type Detailed, detailedIn } from './details.ts';

/*
 * Lines that a set leaves out, changes that a sentence forbids, switches in the words of a wish, the plan of a person, and
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
