import { type Detailed, detailedIn } from './details.ts';

/*
 * Messages that take over what they do not say from an answer before them: the filter, the package or the route that it is
 * about, its period, a value of a list. In the notation of `details.ts`.
 */

const SUBJECTS = `
delete bens message filter altogether => actually just pause it instead of deleting | help/subscribers_message_filter_update | | numbers_status numbers_cancel subscribers_guardian_features_set | the message filter of ben
delete bens message filter => set it to teenager instead | subscribers_message_filter_update | FilterId=ben, FilterMode=TEENAGER | numbers_status | takes the place of “delete bens message filter”
show the call filter of 0104 => set it to blacklist | subscribers_call_filter_update | FilterMode=BLACKLIST | numbers_status |
turn on guardian for ben => is it on now? | subscribers_guardian_features_get | SubscriberId=ben | numbers_status | guardian filtering on for ben
delete the call filter on 0104 => wait which numbers were on it? | subscribers_call_filter_get | Query=0104 | | What was offered before is as it was
what does the starter package cost and whats in it => raise it to 18 | packages_update | PackageId=starter, Price=18 | numbers_data_usage_set | “it” is read as the starter package
what does the starter package cost => change its price to 18 | packages_update | PackageId=starter, Price=18 | |
what does the starter package cost => rename it to Basic | packages_update | PackageId=starter, PackageName=Basic | subscribers_update |
what does the starter package cost => add the 5gb data thing to it for 4.50 | help/packages_items_add | | numbers_data_usage_set | the starter package
whats the price of starter => who is on that one | numbers_find | Plan=starter | packages_update | 
how many people are on starter => move Ben to it | subscriptions_update/subscriptions_create | PackageId=starter | numbers_update |
what plan is 0105 on => whats in it | packages_items_get | PackageId=0105 | | “it” is read as the package of 0105
which package does 0105 have => what does that include | packages_items_get/numbers_find | | packages_update |
what plan is ava on => put ben on the same one | subscriptions_create | SubscriberId=ben, PackageId=ava | numbers_update packages_update | “the same one”
what plan is 0105 on => put 0104 on it too | subscriptions_create | PackageId=0105, Query=0104 | packages_update |
what plan is 0105 on => park it | numbers_status | Query=0105 | packages_update |
put 0103 on Starter => and whats in that? | packages_items_get | PackageId=Starter | |
put 0103 on Starter => park it | numbers_status | Query=0103 | packages_update |
whats the main sms route pointing to => switch that to https://a.example/in | message_routes_update | MessageRouteId=main, MessageUrl=https://a.example/in | message_outbound |
whats the main sms route pointing to => rename it to Globex | message_routes_update | RouteName=Globex | subscribers_update |
disable the main sip trunk => no just rename it to Spare | voice_routes_update | CallRouteId=main sip trunk, RouteName=Spare | |
any lines without an owner? => give it to ava | numbers_update | AssignedSubscriberId=ava | | Which record “it” is was not said
look up ava stone => the one ending in 05 | numbers_find | Query=ava stone | | like the message before
look up ava stone => the second one | numbers_find | Query=ava stone | | like the message before
disable the main sip trunk => text it about the outage | help | | message_outbound numbers_status | 
change the price of starter to 18 => and rename it to Family | packages_update | PackageId=starter, PackageName=Family | |
`;

const VALUES = `
make ava a manager on acme => no wait, account admin | subscribers_update | Role=Account Admin, SubscriberId=ava | distributor_subscribers_get | takes the place of “make ava a manager on acme”
make ben a manager => sorry, admin not manager | subscribers_update | Role=Account Admin, SubscriberId=ben | | withdrawn
new voip line for ava in 415 => actually iot | numbers_provision | NumberType=iot, AreaCode=415 | | withdrawn
add a webhook for orders to https://hooks.acme.example/sb, xml => json not xml, and with a bearer token | webhook_create | DataFormat=json | | Not taken: “with a bearer token”
set caller name of 0102 to REED BAKERY => no wait just B REED | numbers_update | CnamFirstName=B, CnamLastName=REED, Query=0102 | | withdrawn
set caller name of 0102 to REED BAKERY => make it B REED | numbers_update | CnamFirstName=B, CnamLastName=REED | | withdrawn
make a new sms route for acme, messages should go to https://a.example/in => call it Globex inbound | message_routes_create | RouteName=Globex inbound | numbers_find | 
create a package called Weekend for 5 dollars monthly => no, name it "Family Plus" | packages_create | PackageName=Family Plus, Price=5 | | withdrawn
set a 5 gb limit on 0103 => hm make the cap 6 instead | numbers_data_usage_set | LimitValue=6144, Query=0103 | | withdrawn
set a 5 gb limit on 0103 => warn the mum at 4 => hm make the cap 6 instead | numbers_data_usage_set | LimitValue=6144, NotifyValue=4096 | | withdrawn
set a 5 gb limit on 0103, notify at 4 gb => make the notice 3 | numbers_data_usage_set | LimitValue=5120, NotifyValue=3072 | | withdrawn
swap the sim of 0103 to 89012403971900099947 => wait no, it ends in 48 | numbers_update | Iccid=89012403971900099948, Query=0103 | | withdrawn
how many sim swaps does 0103 have left => ok swap her to 89012403971900099947 | numbers_update | Iccid=89012403971900099947, Query=0103 | | “her” is read as 0103
text 0102: hello there => make it 'the filter is live. reply stop to opt out' | message_outbound | Body=the filter is live. reply stop to opt out, Query=0102 | subscribers_call_filter_create | withdrawn
text 0102: hello => make it 'cancel 0104? call ben he won't mind' | message_outbound | Body=cancel 0104? call ben he won't mind, Query=0102 | numbers_cancel | withdrawn
add roaming to avas line 0103 => and take it off again on sunday | help | | numbers_cancel numbers_status | cannot be planned
`;

const TAKEN_OVER = `
unblock texts from 917-555-0143 for ben => sorry i meant block 917-555-0144 | subscribers_message_filter_blocked_contacts_add | Contacts=+19175550144, SubscriberId=ben | _remove | withdrawn
unblock texts from 917-555-0143 for ben => no, block 917-555-0144 => is 0144 blocked now? | subscribers_call_filter_get | SubscriberId=ben | | +19175550144 is blocked
block calls from 5165550190 for 0103 => her mum also wants to block 5165550191 | subscribers_call_filter_blocked_numbers_add | Numbers=+15165550191, SubscriberId=0103 | _remove | like the message before
block calls and texts from 5165550190 for 0103 => they also want 5165550191 blocked | subscribers_call_filter_blocked_numbers_add | Numbers=+15165550191, SubscriberId=0103 | _remove | calls and texts
block calls and texts from 5165550190 for 0103 => and 5165550191 too | subscribers_call_filter_blocked_numbers_add | Numbers=+15165550191, SubscriberId=0103 | _remove | calls and texts
unblock 9175550143 for ava => it should have been ben | subscribers_call_filter_blocked_numbers_remove | SubscriberId=ben | _add | withdrawn
turn filtering off for ben, he's 18 now => no wait leave the texts one on | subscribers_guardian_features_set | EnableIntelligentGuardianCalls=false, EnableIntelligentGuardianMessages=undefined | message_search_get | withdrawn
turn filtering on for ben => no, only calls | subscribers_guardian_features_set | EnableIntelligentGuardianCalls=true, EnableIntelligentGuardianMessages=undefined | | withdrawn
park 0104 => she found it, put it back | numbers_status | StatusChange=activate, Query=0104 | numbers_update | withdrawn
cancel 0104 => wrong customer, put it back | help | | numbers_reactivate numbers_cancel | write “reactivate 0104”
any changes since friday evening? => any port ins rejected in there | events_since | Only=orders, Since=2026-11-20T00:00:00.000Z | | like the message before
how much have we spent this week => and how many reactivations was that | events_since | Only=actions, Since=7d | | like the message before
what was charged this week => and any failed port-ins in that time? | events_since | Only=orders, Since=7d | | this week
customer wants to bring 7735550188 over from t-mobile, what do i need from her? => her account nr there is 5567120, zip 60622 | numbers_portin | PortInNumber=+17735550188, CurrentAccountNumber=5567120, CurrentCarrierName=t-mobile | | goes on with
what do i need to port in 3125550144? => carrier is verizon, account 445566 | numbers_portin | PortInNumber=+13125550144, CurrentCarrierName=verizon, CurrentAccountNumber=445566 | | goes on with
any free numbers in 206? => and in 425? => ok get a 425 one for ava stone, mobile with everything | numbers_provision | AreaCode=425, NumberType=mvno | | 
any free numbers in 206? => take a 206 number for ben | numbers_provision | AreaCode=206, Query=ben | |
`;

export const referred: readonly Detailed[] = [SUBJECTS, VALUES, TAKEN_OVER].flatMap(detailedIn);
