import { type Request, requestsIn } from './requests.ts';

/* Sentences of a night and a day at a support desk, in the notation of `requests.ts`. The clock is at 2026-11-22. */

const LINES = `
park 0103 please, he's abroad till march | numbers_status | StatusChange=park, EffectiveDate=11/22/2026 | numbers_cancel
can we pause 201-555-0103 for a while | numbers_status/help | | numbers_cancel
she's back, so wake 0103 up again | numbers_status | StatusChange=activate | numbers_cancel
unfreeze +12015550103 | numbers_status | StatusChange=activate, EffectiveDate=11/22/2026 | numbers_cancel
0103 and 0105 both on hold as of monday | numbers_status/numbers_find | | numbers_cancel
why is 0106 on hold | numbers_diagnose/events_since/numbers_find | | numbers_status
who put 0106 on hold | events_since | Since=30d | numbers_status
don't put 0103 on hold yet | numbers_find | | numbers_status
is it possible to put a number on hold for a month? | help | |
cancel the line ending 0103 at the end of the month | numbers_cancel | |
please do not disconnect 0103 | numbers_find | | numbers_cancel
customer says we disconnected 0104 by mistake, get it back | numbers_reactivate | | numbers_cancel
is 0107 still recoverable | numbers_find/numbers_lookup | | numbers_cancel
cancel 0103 and port out 0104 | help | |
what would cancelling 0104 cost | help | |
who asked to cancel 0104 and did anyone approve it | events_since | | numbers_cancel
start a port for 312-555-0144, carrier is T-Mobile | numbers_portin | PortInNumber=+13125550144, CurrentCarrierName=T-Mobile | numbers_portout
move my customer's number 3125550144 over to us | numbers_portin | PortInNumber=+13125550144 | numbers_portout numbers_update
port-in 3125550144 stuck since tuesday | numbers_order_get/numbers_lookup | | numbers_portin
withdraw the port request for 3125550111 | numbers_portin_cancel | OrderId=+13125550111 | numbers_portin numbers_cancel
update the zip to 60601 on the port of 3125550111 | numbers_portin_update | OrderId=+13125550111 | numbers_portin
can 3125550144 be brought over | numbers_portin_eligibility | PhoneNumber=+13125550144 | numbers_portin
can 312 555 0144 be ported in? | numbers_portin_eligibility | PhoneNumber=+13125550144 | numbers_portin
block 3125550199 from texting ben | subscribers_message_filter_blocked_contacts_add | Contacts=+13125550199, SubscriberId=ben | _remove
block calls from 312 555 0199 to 0101 | subscribers_call_filter_blocked_numbers_add | Numbers=+13125550199, SubscriberId=0101 | _remove
ben keeps getting spam from +13125550199 | subscribers_call_filter_get/numbers_find | | _remove
unblock 3125550199 on 0101 | subscribers_call_filter_blocked_numbers_remove | Numbers=+13125550199, SubscriberId=0101 | _add
let +13125550199 call ava again | subscribers_call_filter_blocked_numbers_remove/subscribers_call_filter_allowed_numbers_add | Numbers=+13125550199 | subscribers_call_filter_blocked_numbers_add
only let +13125550199 and +13125550198 call 0101 | subscribers_call_filter_update | AllowedNumbers=+13125550199++13125550198, FilterMode=WHITELIST, SubscriberId=0101 | _add _remove
which numbers does ava have blocked | subscribers_call_filter_get | SubscriberId=ava | _add _remove
stop 3125550199 from calling ava | subscribers_call_filter_blocked_numbers_add | Numbers=+13125550199, SubscriberId=ava | _remove
give 0101 another gig | numbers_data_usage_set | | numbers_provision
0101 needs 10 gb instead of 5 | numbers_data_usage_set | LimitValue=10240 |
remove the data limit on 0101 | numbers_data_usage_set | |
set 0105 to 20gb and slow it down after 15 | numbers_data_usage_set | LimitValue=20480, ThrottleValue=15360 |
notify at 4 and stop at 5 gb for 0105 | numbers_data_usage_set | NotifyValue=4096, LimitValue=5120 | message_outbound
limit 0101 to 5 gb and warn at 4 | numbers_data_usage_set | LimitValue=5120, NotifyValue=4096 | message_outbound
does 0105 have any data left | numbers_find | | numbers_data_usage_set
put ben on the family plan | subscriptions_create | PackageId=family, SubscriberId=ben, TNID=ben |
move 0105 from starter to unlimited | subscriptions_update | SubscriptionId=0105 | numbers_portin numbers_update
cancel ben's plan but keep the number | subscriptions_delete | SubscriptionId=ben | numbers_cancel
ava lost her phone, send her a new esim | numbers_update/numbers_status | | numbers_provision message_outbound
swap the sim of 0105 to 8901240397190195850 | numbers_update/numbers_status | Iccid=8901240397190195850 | numbers_provision
what happened with 0103 last week | events_since | Since=2026-11-09T00:00:00.000Z |
show me the history of 0101 | events_since | Since=30d |
who changed ben's plan yesterday | events_since | | subscriptions_update
what did we get billed for this month | events_since | Only=charges |
text 0102 we are looking into it | message_outbound | Body=we are looking into it |
text 0102 hello from 0101 | message_outbound | To=0102, From=0101, Body=hello |
message 0102 from 0101 we are closed tomorrow | message_outbound | To=0102, From=0101, Body=we are closed tomorrow |
text ben your sim has shipped | message_outbound | Query=ben, Body=your sim has shipped |
tell 0104 her sim is in the mail | message_outbound | Body=her sim is in the mail |
text history of 0102 | message_search_get | | message_outbound
did 0102 get our message | events_since | | message_outbound
0104's caller id should read Reed Plumbing | numbers_update | CnamFirstName=Reed, CnamLastName=Plumbing |
rename the main sms route to Support SMS | message_routes_update | MessageRouteId=main sms route, RouteName=Support SMS |
any numbers in the 646 area | numbers_availability | AreaCode=646 | numbers_provision
what numbers can we get in 312 | numbers_availability | AreaCode=312 | numbers_provision
customer wants to take 0102 to verizon | numbers_portout | | subscribers_create numbers_portin
is anybody watching 0105 | numbers_watches/numbers_find | | numbers_watch
turn on guardian for ben's texts | subscribers_guardian_features_set | SubscriberId=ben, EnableIntelligentGuardianMessages=true |
filter swear words for 0102 | subscribers_message_filter_create | |
refund the 5 usd for 0107 | numbers_find/help | | numbers_reactivate numbers_cancel
+12015550101 cannot send sms | numbers_diagnose | About=texts, PhoneNumber=+12015550101 | message_outbound
Ben Ortiz is leaving us, please cancel his number | numbers_cancel | | numbers_portout
unless she pays, cancel 0104 | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
cancel 0104 if she calls again | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
cancel 0104 only if lee agrees | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
cancel 0104 unless lee says no | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
cancel 0104 after she confirms | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
cancel 0104 as soon as lee agrees | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
cancel 0104 until she pays | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
until she pays, park 0103 | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
wait for lee before cancelling 0104 | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
if she does not pay, cancel 0104 | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
if lee agrees, reactivate 0107 | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
order a new line for ben if he signs | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
reactivate 0107 only when she paid | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
ava wants 0104 cancelled but not today | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
cancel 0104 today or not | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
cancel 0104 - just kidding | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
cancel 0104 ... scratch that | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
park 0103, actually no | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
0104 cancel nope | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
ignore: cancel 0104 | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
it was a mistake to cancel 0104 | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
it would be bad to cancel 0104 | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
cancelling 0104 was a mistake | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
cancel 0104, it was a mistake | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
imagine we cancel 0104 | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
suppose we park 0103 | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
cancel 0104 is what she asked for yesterday, ignore it | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
reactivate 0107 was wrong | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
reactivate 0107 failed | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
park 0103 did not work | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
order a sim for 0104 was wrong | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
remove 0101 from ava | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
take 0101 from ava | numbers_find/numbers_lookup | | numbers_cancel numbers_reactivate numbers_status numbers_update numbers_provision numbers_portin
cancel 0104 after friday | numbers_cancel | |
cancel 0104 if possible | numbers_cancel | |
cancel 0104 as soon as possible | numbers_cancel | |
reactivate 0107, it was a mistake | numbers_reactivate | | numbers_cancel
swap the sim of 0105, the old one failed | numbers_update/numbers_status | | numbers_provision
text 0104: call us if you need help | message_outbound | Body=call us if you need help |
block 3125550199 for ben if he calls again | numbers_find/subscribers_call_filter_get | | _add _remove
block everyone but 3125550199 for ben | subscribers_call_filter_update | AllowedNumbers=+13125550199, FilterMode=WHITELIST, SubscriberId=ben | _add _remove
block everybody except 3125550142 on 0101 | subscribers_call_filter_update | AllowedNumbers=+13125550142, FilterMode=WHITELIST, SubscriberId=0101 | _add _remove
block all but 3125550142 for 0101 | subscribers_call_filter_update | AllowedNumbers=+13125550142, FilterMode=WHITELIST, SubscriberId=0101 | _add _remove
give 0101 2 gb less | numbers_data_usage_set | LimitValue=undefined |
lower the limit of 0101 by 5 mb | numbers_data_usage_set | LimitValue=undefined |
limit 0101 to 2-3 gb | numbers_data_usage_set | LimitValue=undefined |
raise the limit of 0101 from 2 to 3 gb | numbers_data_usage_set | LimitValue=3072 |
`;

export const shifts: readonly Request[] = requestsIn(LINES);
