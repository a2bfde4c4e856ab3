import { type Detailed, detailedIn } from './details.ts';

/*
 * What is said beside an order: for whom a new number is, that a line is no longer somebody's, a new name as a fact, the
 * reason of a trouble, what a new product is. In the notation of `details.ts`.
 */

const LINES = `
get ava a new number in 917 | numbers_provision | AssignedSubscriberId=ava, AreaCode=917 |
give ben reed a second line in 305 | numbers_provision | AssignedSubscriberId=ben reed, AreaCode=305 |
order globex family a second voip number in 312 | numbers_provision | AssignedSubscriberId=globex family, NumberType=voip |
buy a new landline number in 917 | numbers_provision | AssignedSubscriberId=undefined, AreaCode=917 |
find me a new number in 212 | numbers_provision | AssignedSubscriberId=undefined, AreaCode=212 |
new number in 917 please, the customer is ben reed | numbers_provision | AssignedSubscriberId=ben reed |
customer wants to bring her own number 9175550144 to us, she's ava stone | numbers_portin | AssignedSubscriberId=ava stone |
can we port 9175550144 in, he's blocked at verizon | numbers_portin_eligibility | | numbers_portin |
0106 shouldnt be avas anymore, take her off it | numbers_find | Query=0106 | numbers_cancel, numbers_update | by giving it to another one
0103 isn't ben's | numbers_find | Query=0103 | numbers_update | by giving it to another one
ava shouldn't have 0106 any more | numbers_find | Query=0106 | numbers_update, numbers_cancel | by giving it to another one
0106 isnt avas any more, give it to ben | numbers_update | Query=0106, AssignedSubscriberId=ben | numbers_cancel |
is 0103 no longer bens? | numbers_find | Query=0103 | numbers_update |
avas name is now Ava Miller | subscribers_update | SubscriberId=ava, Name=Ava Miller |
ava stone got married, her name is now Ava Miller | subscribers_update | SubscriberId=ava stone, Name=Ava Miller |
ben reed divorced, he's Ben Cole now | subscribers_update | SubscriberId=ben reed, Name=Ben Cole |
customer ava stone says she is now called Ava Miller | subscribers_update | SubscriberId=ava stone, Name=Ava Miller |
ava stone's phone is dead, she's angry now | numbers_diagnose | Query=ava stone | subscribers_update |
ava's name is now on the bill | events_since | | subscribers_update |
ava says she cant text from 0103, whats wrong | numbers_diagnose | Query=0103, About=texts | |
ava cant get online on 0101, what could be wrong | numbers_diagnose | Query=0101, About=data | |
bens daughter is older now, put his message filter to teenager | subscribers_message_filter_update | SubscriberId=ben, FilterMode=TEENAGER |
ava is leaving us with 0103, needs a port out pin | numbers_portout | Query=0103 |
park 0103 and alert me when its active again | numbers_find | Query=0103 | | several changes
can you unlock avas iphone, its locked to another carrier | help | | | no handsets
can you repair bens handset | numbers_find | Query=ben | | no handsets
create a product SKU SMS-100, 100 texts, cost 2.50 monthly | products_create | SKU=SMS-100, Description=100 texts, Cost=2.5 |
new product sku DATA-50, 50 GB data, 8 usd per month | products_create | SKU=DATA-50, Description=50 GB data, Cost=8 |
the carrier on port JNUOID-00000000-0000-4000-8000-000000000001 is actually Prairie Mobile, not Lakeside | numbers_portin_update | CurrentCarrierName=Prairie Mobile |
losing carrier of the port of 3125550111 should be Lakeside Wireless | numbers_portin_update | CurrentCarrierName=Lakeside Wireless |
who said yes to reactivating 0107 | events_since | Only=actions | numbers_reactivate |
who said no to parking 0103 | events_since | Only=actions | numbers_status |
don't let 0108 be deleted | numbers_find | Query=0108 | numbers_cancel, numbers_reactivate |
make sure 0107 doesn't get deleted | numbers_find | Query=0107 | numbers_cancel, numbers_reactivate |
keep 0107 please, don't let it get deleted | numbers_find | Query=0107 | numbers_cancel, numbers_reactivate |
0105 gets 500 megs from now on | numbers_data_usage_set | Query=0105, LimitValue=500 |
ben can use 3 gb a month on 0102 | numbers_data_usage_set | Query=0102, LimitValue=3072 |
0103 can use 2 gb? | numbers_find | Query=0103 | numbers_data_usage_set |
should 0103 get 2 gb | numbers_find | Query=0103 | numbers_data_usage_set |
stop texts with the word casino for ben | subscribers_message_filter_update | FilterId=ben | | adds “casino”
ben should not see texts that say viagra | subscribers_message_filter_update | FilterId=ben | | adds “viagra”
filter out sms that mention vape or weed on 0102 | subscribers_message_filter_update | FilterId=0102 | | adds “vape”, “weed”
show texts with the word invoice | help | | subscribers_message_filter_update events_since | with the word invoice
block 3125550177 everywhere | subscribers_call_filter_blocked_numbers_add | SubscriberId=undefined, Numbers=+13125550177 | | everywhere
schedule a text to ava for tomorrow 9am | numbers_find | Query=ava | message_outbound | at a later time
test the webhook | help | | webhook_delete, webhook_update | no test event
send a test event to the webhook | help | | webhook_update, message_outbound | no test event
create a workgroup Sales | help | | workgroups_update | creates or deletes a workgroup
add a workgroup called Support | help | | workgroups_update | creates or deletes a workgroup
sip password of main sip trunk | help | | numbers_portout | no read gives back
list all products | account_products_get | | |
please deactivate sms for 0106 until further notice | numbers_update | Query=0106, MessageEnabled=false | numbers_cancel | until further notice
new port: 3125550144 from AT&T for ben reed, acct 7788, zip 60614 | numbers_portin | AssignedSubscriberId=ben reed, CurrentAccountNumber=7788, CurrentCarrierName=AT&T | numbers_portin_update |
customer wants to keep her number 3125550144 | numbers_portin_eligibility | | numbers_portin_update |
show me all voip numbers | numbers_find | Product=voip |
new lines this week | numbers_find | BoughtFrom=2026-11-15 | numbers_provision |
remind lee about my request | numbers_find | Query=lee | message_outbound | reminds no colleague
ping lee to approve 0104 | numbers_find | Query=0104 | message_outbound | reminds no colleague
remove 0105 from its plan | subscriptions_delete | SubscriptionId=0105 | numbers_cancel |
delete the 5 GB product | products_delete | ProductId=5 GB |
delete the product 5 GB of data | products_delete | ProductId=5 GB of data |
what does child mode block | help | | | the strictest level
reply ok to 3125550177 from 0101 | message_outbound | From=0101, Body=ok |
nobody can call ava | numbers_diagnose | Query=ava, About=calls |
people cant text 0104 | numbers_diagnose | Query=0104, About=texts |
double check 0105's limit | numbers_data_usage_settings | Query=0105 | numbers_data_usage_set |
no calls from private numbers for ben | numbers_find | Query=ben | numbers_update | filter
forward texts of 0101 to ben | numbers_find | Query=0101 | numbers_update, message_outbound | to no other number
ben may text anyone again | subscribers_call_filter_get | SubscriberId=ben | message_outbound |
who had 0110 before | events_since | Only=actions | numbers_update |
remove the callback url from main sms route | message_routes_update | MessageRouteId=main sms route, CallbackMessageUrl=null | message_routes_delete | is taken off it
clear the callback of main sms route | message_routes_update | MessageRouteId=main sms route, CallbackMessageUrl=null | message_routes_delete |
delete the second trunk of main sip trunk | voice_routes_update | CallRouteId=main sip trunk, TrunkEnabled2=false | voice_routes_delete | keeps its address
drop the failover ip on main sip trunk | voice_routes_update | TrunkIp2=null | voice_routes_delete |
drop the description of the starter plan | packages_update | PackageId=starter, Description=null | packages_delete |
delete the main sms route | message_routes_delete | MessageRouteId=main sms route |
remove 0104 from main sip trunk | numbers_find | Query=0104 | voice_routes_update, voice_routes_delete |
give 0105 the feature FEID-00000000-0000-4000-8000-000000000001 | subscriptions_features_assignments_add | SubscriptionId=0105, FeatureId=FEID-00000000-0000-4000-8000-000000000001 |
lines bought this year | numbers_find | BoughtFrom=2026-01-01 | numbers_provision |
numbers we bought last month | numbers_find | BoughtFrom=2026-10-01, BoughtTo=2026-10-31 | numbers_provision |
which requests were withdrawn this week | events_since | Only=actions | | only “withdrawn”
was anything declined today | events_since | Only=actions | | only “declined”
costs this year | events_since | Only=charges | |
watch 0108 and tell me when it is gone | numbers_watch | Query=0108 | numbers_reactivate |
tell me when 0108 gets deleted | numbers_find | Query=0108 | numbers_reactivate |
which numbers are in the cancel window right now | numbers_find | Status=Cancelled - Pending Delete |
don't cancel JNUOID-00000000-0000-4000-8000-000000000001, ava wants to come over after all | numbers_order_get | OrderId=JNUOID-00000000-0000-4000-8000-000000000001 | numbers_portin, numbers_portin_cancel | You said not to
0102 wants to stay, no port out pin needed anymore | numbers_find | Query=0102 | numbers_portout | not needed
never mind the new number for ben, he doesnt want it | numbers_find | Query=ben | numbers_provision | not needed
take 0104 off ava but keep the line | numbers_find | Query=0104 | numbers_cancel | by giving it to another one
rename main sms route to Acme inbound | message_routes_update | RouteName=Acme inbound |
what ip is the sip trunk pointing at | account_voice_routes_get | | |
what does ava's subscription cost a month | numbers_find | Query=ava | subscriptions_create |
turn texting back on for 0104 and 0102 | numbers_update | MessageEnabled=true | numbers_reactivate, numbers_status | each of 0104, 0102
`;

export const saidWithIt: readonly Detailed[] = detailedIn(LINES);
