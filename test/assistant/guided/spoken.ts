import { type Detailed, detailedIn } from './details.ts';
import { type Request, requestsIn } from './requests.ts';

/*
 * Requests as people put them: with slips, without a verb, with the name of a route or a package. In the notation of
 * `requests.ts`, and of `details.ts` for those that say what they do not carry.
 */

const LINES = `
pls prk 0104 | numbers_status | StatusChange=park, Query=0104 | numbers_cancel
suspnd 0103 plz | numbers_status | StatusChange=park | numbers_cancel
blok +13125550188 for ava | subscribers_call_filter_blocked_numbers_add | SubscriberId=ava, Numbers=+13125550188 | _remove
swp the sim of 0101 | numbers_update | Query=0101 |
cna you snd 0104 a mesage saying "we are lookng into it" | message_outbound | Body=we are lookng into it, Query=0104 |
gimme 3 fresh numbrs in 801 for acme thx! | numbers_provision | AreaCode=801, AssignedSubscriberId=acme |
rout voice of 0103 thru Main SIP trnk pls | numbers_update | VoiceRouteId=Main SIP trunk, Query=0103 | voice_routes_update
ok so the guy on 0103 wants a difrent name on caler id, "Blue Kettle Cafe" | numbers_update | CnamFirstName=Blue, CnamLastName=Kettle Cafe, Query=0103 | message_outbound
dotn cancel 0103 | numbers_find | Query=0103 | numbers_cancel
nver park 0104 | numbers_find | Query=0104 | numbers_status
data limit 3 GB for 0101, 0103, 0105 and 0106 | numbers_data_usage_set | LimitValue=3072, PhoneNumbers=0101+0103+0105+0106 |
Ava's line and Ben's line both on hold please | numbers_status | StatusChange=park, PhoneNumbers=Ava+Ben | numbers_cancel
0105 on hold from friday | numbers_status | StatusChange=park, Query=0105 | numbers_cancel
0103: suspend | numbers_status | StatusChange=park, Query=0103 | numbers_cancel
0104 off hold | numbers_status | StatusChange=activate, Query=0104 | numbers_cancel
0107 back please | numbers_reactivate | Query=0107 | numbers_cancel
limit of 0105 now 2 gb | numbers_data_usage_set | LimitValue=2048, Query=0105 |
0105 data limit hit 3 gb | numbers_data_usage_settings | Query=0105 | numbers_data_usage_set
guardian off for ava | subscribers_guardian_features_set | SubscriberId=ava, EnableIntelligentGuardianCalls=false |
is guardian off for ava | numbers_find/subscribers_guardian_features_get | | subscribers_guardian_features_set
point 0103's calls at Main SIP trunk | numbers_update | VoiceRouteId=Main SIP trunk | voice_routes_update
set message route of 0103 to Main SMS route | numbers_update | MessageRouteId=Main SMS route | message_routes_update
change the address of Main SIP trunk to 192.0.2.77 | voice_routes_update | CallRouteId=Main SIP trunk, TrunkIp1=192.0.2.77 | account_update
the sip trunk has a new ip, 192.0.2.77, update Main SIP trunk | voice_routes_update | CallRouteId=Main SIP trunk, TrunkIp1=192.0.2.77 | account_update
make a message route "Support inbox" to https://hooks.example.com/sms | message_routes_create | RouteName=Support inbox, MessageUrl=https://hooks.example.com/sms |
don't route 0103 to Main SIP trunk | numbers_find | Query=0103 | numbers_update
does 0103 use Main SIP trunk | numbers_find | Query=0103 | numbers_update
text 0103 that we route calls to Main SIP trunk now | message_outbound | Body=we route calls to Main SIP trunk now | numbers_update
make 0103 show up as Harbor Dental | numbers_update | CnamFirstName=Harbor, CnamLastName=Dental |
shoot 0104 a text: your sim is ready | message_outbound | Body=your sim is ready, Query=0104 |
somebody keeps spamming ava from +13125550188 can we block him | subscribers_call_filter_blocked_numbers_add | SubscriberId=ava, Numbers=+13125550188 | _remove
Ben gets spam calls from 3125550199, block them | subscribers_call_filter_blocked_numbers_add | SubscriberId=Ben, Numbers=+13125550199 | _remove
let +13125550166 call Ava always | subscribers_call_filter_allowed_numbers_add | SubscriberId=Ava, Numbers=+13125550166 | _remove
get Ava a second line | numbers_provision | AssignedSubscriberId=Ava |
buy one in 212 | numbers_provision | AreaCode=212 |
the porting of 3125550111 seems stuck, carrier says account number is wrong, its 46519999 | numbers_portin_update | OrderId=+13125550111, CurrentAccountNumber=46519999 | numbers_portin
correct JNUOID-00000000-0000-4000-8000-000000000001 the account number is 46519999 | numbers_portin_update | CurrentAccountNumber=46519999 | numbers_portin
create a package "Nightowl 10" for $22.50 a month | packages_create | PackageName=Nightowl 10, Price=22.5, Monthly=true |
make a product "Data 20", SKU DATA-20, costs 18 dollars | products_create | Description=Data 20, SKU=DATA-20, Cost=18 |
make the price of Starter 17.99 | packages_update | PackageId=Starter, Price=17.99 | packages_create
is the price of Starter 17.99? | account_packages_get/help/numbers_find | | packages_update
add product DATA-05 to package Starter for $3 | packages_items_add | ProductId=DATA-05, PackageId=Starter, Price=3 |
rename the package Starter to Starter Plus | packages_update | PackageId=Starter, PackageName=Starter Plus |
i think the webhook is dead, delete https://hooks.example.com/sb | webhook_delete | WebhookId=https://hooks.example.com/sb | webhook_update
rename the workgroup Sales to Sales East | workgroups_update | WorkgroupId=Sales, Name=Sales East |
rename the account Acme Mobile to Acme Wireless | account_update | AccountId=Acme Mobile, AccountName=Acme Wireless |
make Ben a manager | subscribers_update | SubscriberId=Ben, Role=Manager |
register Joe Brand as a subscriber, mail joe@brand.example | subscribers_create | Name=Joe Brand, Email=joe@brand.example |
`;

const TOLD = `
give 0103 and 0105 the caller name Oak & Pine | numbers_update | CnamFirstName=Oak, CnamLastName=& Pine | | for each of 0103, 0105
caller name of 0103 and 0105: Oak & Pine | numbers_update | CnamFirstName=Oak, CnamLastName=& Pine | | for each of 0103, 0105
route messages of 0103, 0104 and 0106 to Main SMS route | numbers_update | MessageRouteId=Main SMS route | message_routes_update | for each of 0103, 0104, 0106
reactivate 0107 and 0108 | numbers_reactivate | | numbers_cancel | for each of 0107, 0108
monitor 0103 and 0105 | numbers_watch | | | for each of 0103, 0105
guardian on for Ava and Ben | subscribers_guardian_features_set | EnableIntelligentGuardianCalls=true | | for each of Ava, Ben
subscribe 0101 and 0103 to Starter | subscriptions_create | PackageId=Starter, SubscriberId=undefined | | for each of 0101, 0103
`;

export const spoken: readonly Request[] = requestsIn(LINES);
export const severalAtOnce: readonly Detailed[] = detailedIn(TOLD);
