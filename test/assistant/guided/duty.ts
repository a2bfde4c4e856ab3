import { type Detailed, detailedIn } from './details.ts';

/*
 * Messages of people on duty: a route or a plan that is named by another line, who decides, what was done by whom, lines by
 * their state, and changes of routes in loose words. In the notation of `details.ts`.
 */

const LINES = `
what did guardian stop yesterday | help | | events_since | keeps no list of what guardian filtering
how many texts did the filter catch today | help | | events_since | keeps no list
what was blocked yesterday | events_since | Only=actions | |
anything i should know before my shift | events_since | | |
bring me up to speed | events_since | | |
handover please | events_since | | |
whats the admin email of acme mobile | account_get | AccountId=acme mobile | account_update |
who administers globex family | distributor_subscribers_get | | subscribers_update | “globex family”
rename the feature premium support to gold support | help | | subscribers_update | A feature keeps the name
pause acmes webhook, dont delete it | numbers_find | Query=acme | webhook_delete numbers_status | A webhook has no switch
take the acme webhook offline | help | | webhook_delete | A webhook has no switch
invoices for acme should go to billing@acme.example | numbers_find | Query=acme | events_since account_update | no invoices
send acme's bills to billing@acme.example | numbers_find | Query=acme | events_since account_update | no invoices
mailing address for acme: PO Box 4, Provo UT 84601 | account_update | AccountId=acme | |
new product sku VM-01 voicemail, 1.50 a month | products_create | SKU=VM-01, Description=voicemail, Cost=1.5 | |
create product SKU VM-02 voicemail plus, 2 a month | products_create | SKU=VM-02, Description=voicemail plus | |
delete the unused product | account_products_get | | products_delete | nothing is deleted
add new dispatcher Carla Mendez carla@acme.example to acme as manager, no number yet | subscribers_create | Name=Carla Mendez, Role=Manager, AccountId=acme | |
add our night clerk Tom Hill tom@acme.example to acme as manager | subscribers_create | Name=Tom Hill, Role=Manager | |
add Mary Jane Watson mj@acme.example to acme | subscribers_create | Name=Mary Jane Watson | |
put 0103 on the same route as 0101 | numbers_update | Query=0103, MessageRouteId=0101, VoiceRouteId=0101 | | routes of texts and of calls of 0101
0102 should use the same message route as 0101 | numbers_update | Query=0102, MessageRouteId=0101, VoiceRouteId=undefined |
route for 0102 is wrong, should be same as 0101 | numbers_update | Query=0102, MessageRouteId=0101, VoiceRouteId=0101 |
whatever trunk 0101 uses, put 0104 on it too | numbers_update | Query=0104, VoiceRouteId=0101, MessageRouteId=undefined |
can you align the sms route of 0105 with 0101 | numbers_update | Query=0105, MessageRouteId=0101 |
set 0101's route to 0103's | numbers_update | Query=0101, MessageRouteId=0103, VoiceRouteId=0103 |
use ava's message route for 0103 | numbers_update | Query=0103, MessageRouteId=ava |
route 0103 like 0101 | numbers_update | Query=0103, MessageRouteId=0101, VoiceRouteId=0101 |
change the route of 0101 to 0103 | numbers_update | MessageRouteId=undefined | | unclear
0103 and 0105 need the sip trunk 0101 is using | numbers_update | VoiceRouteId=0101 | | each of 0103, 0105
put all acme lines on the same sms route as 0102 | numbers_update | MessageRouteId=0102 | | found by “acme”
give 0103 the same plan as 0101 | subscriptions_create | Query=0103, PackageId=0101 |
switch 0105 to the plan 0101 has | subscriptions_update | SubscriptionId=0105, PackageId=0101 |
change 0101's plan to family | subscriptions_update | SubscriptionId=0101, PackageId=family |
who else is on the same route as 0104 | numbers_find | Route=route of 0104, Query=undefined |
which lines share a message route with 0104 | numbers_find | Route=message route of 0104 |
which customers are on ava's plan | numbers_find | Plan=plan of ava |
anybody else using the same trunk as 0105? | numbers_find | Route=voice route of 0105 |
what is the route of 0101 | numbers_find | Query=0101, Route=undefined |
who can approve this? | help | | | set by the owner
who do i ask for approval | help | | | set by the owner
which people can approve | help | | | set by the owner
name me the approvers | help | | | set by the owner
am i the only approver | help | | | set by the owner
who may decide about 0106 | numbers_find | Query=0106 | numbers_cancel | set by the owner
list everything thats pending delete | numbers_find | Status=Cancelled - Pending Delete | numbers_cancel
acme numbers pending delete | numbers_find | Query=acme, Status=Cancelled - Pending Delete | numbers_cancel
cancelled - pending delete numbers of acme | numbers_find | Query=acme, Status=Cancelled - Pending Delete | numbers_cancel
all pending delete lines | numbers_find | Status=Cancelled - Pending Delete | numbers_cancel
which numbers are cancelled and still recoverable | numbers_find | Status=Cancelled - Pending Delete | numbers_reactivate
anything cancelled but not gone yet? | numbers_find | Status=Cancelled - Pending Delete | numbers_cancel
parked voip lines | numbers_find | Status=Parked, Product=voip | numbers_status | product: voip
all active iot lines of acme | numbers_find | Query=acme, Status=Active, Product=iot | | product: iot
all acme lines that are not active | numbers_find | Query=acme, Status=undefined |
show me what ana did this week | events_since | By=ana, Since=7d | numbers_find | “ana”
everything ana did yesterday | events_since | By=ana |
ana's changes since monday | events_since | By=ana, Query=undefined |
unpark everything i parked today | events_since | | numbers_status | “unpark” needs the number
resume the one from lunch | events_since | | | “resume” needs the number
how much money went out yesterday | events_since | Only=charges |
who owns 0103 and since when | numbers_find | Query=0103 | | in its history
i declined something yesterday for ana, can she ask again | help | | numbers_find | ask again
kill 0106, device is scrapped => hold on, is anything still using it? | numbers_find | Query=0106 | | is as it was
port 4155550190 in for globex => before that - is it even portable | numbers_portin_eligibility | PhoneNumber=+14155550190 | numbers_portin
show the last texts to 0101 | message_search_get | Query=0101 | message_outbound
sms to 0101 last hour? | message_search_get | Query=0101 | message_outbound
any sms from 0104 since noon | message_search_get | Query=0104 | message_outbound
what texts did we send to 0101 today | events_since | Query=0101 | message_outbound
text to 0101: hello | message_outbound | Query=0101, Body=hello |
move the acme inbound sms over to https://dr.example.net/in till we fixed it | message_routes_update | MessageRouteId=acme, MessageUrl=https://dr.example.net/in | | other lines may use
send acmes inbound texts to https://dr.example.net/in | message_routes_update | MessageRouteId=acme, MessageUrl=https://dr.example.net/in |
forward globex calls to https://dr.example.net/v | voice_routes_update | CallRouteId=globex, VoiceUrl=https://dr.example.net/v |
voice route trunk 1 is down, prefer trunk 2 | voice_routes_update | CallRouteId=listedonly, TrunkEnabled1=undefined | account_voice_routes_get | priorities and weights
trunk 2 first please, trunk 1 is flapping on main sip trunk | voice_routes_update | CallRouteId=main sip trunk, TrunkEnabled1=undefined | numbers_find | priorities and weights
lower the weight of trunk 2 on main sip trunk | voice_routes_update | CallRouteId=main sip trunk, TrunkEnabled2=undefined |
turn recording on for the voice route | help | | subscribers_call_filter_update | records calls
disable the voice route | voice_routes_update | CallRouteId=listedonly, RouteEnabled=false |
switch the sms route's url to https://dr.example.net/in | message_routes_update | MessageRouteId=listedonly, MessageUrl=https://dr.example.net/in |
turn the route off | help | | | which one is meant
turn the route off => the voice one | voice_routes_update | CallRouteId=listedonly, RouteEnabled=false | message_routes_update
mark maria lopez as new subscriber at acme, maria.lopez@acme.example, takes 0110 | subscribers_create | Name=maria lopez, AccountId=acme, Email=maria.lopez@acme.example | | not taken: 0110
put tom baker down as a new customer at globex, tom@globex.example | subscribers_create | Name=tom baker, AccountId=globex |
new mvno line for globex, area code 646, subscriber ben | numbers_provision | AssignedSubscriberId=ben, AreaCode=646 | | has to be “globex”
port 4155550190 in for globex, ben takes it | numbers_portin | AssignedSubscriberId=ben, PortInNumber=+14155550190 | | has to be “globex”
Ava is getting spam from 8005550122, do smth | subscribers_call_filter_blocked_numbers_add | SubscriberId=Ava, Numbers=+18005550122 |
anything i need to look at | events_since | | | wait for a person
what needs my attention | events_since | | | wait for a person
what can you do without me clicking | help | | | nothing is changed
csv pls | help | | | no such file
rename the acme message route to "Acme inbound EU" => actually call it Acme inbound DR | message_routes_update | MessageRouteId=acme message route, RouteName=Acme inbound DR | numbers_find | is withdrawn
rename the main sip trunk to "HQ" => call it HQ 2 | voice_routes_update | RouteName=HQ 2 |
need 3 new voip numbers area code 312 for acme => check first if there are any | numbers_availability | AreaCode=312 | numbers_provision | is as it was
need 3 new voip numbers area code 312 for acme => any left there? | numbers_availability | AreaCode=312 | numbers_provision |
new line for ava in 646 => do we have any available | numbers_availability | AreaCode=646 |
block 2025550143 for ben, calls and texts => he said only calls | subscribers_call_filter_blocked_numbers_add | Numbers=+12025550143 | subscribers_message_filter_blocked_contacts_add | is withdrawn
0104 says no sms since 6am, can u see why => and is anybody else on that route hit too? | numbers_find | Route=message route of 0104 |
why can't 0105 call => any others on the same trunk? | numbers_find | Route=voice route of 0105 |
what plan is 0105 on => who else is on that plan | numbers_find | Plan=plan of 0105 |
suspended iot sims at globex | numbers_find | Query=globex, Status=Parked, Product=iot |
have 0105 use the same trunk as line 0102 please | numbers_update | Query=0105, VoiceRouteId=0102 |
0106 must be routed like 0101 | numbers_update | Query=0106, MessageRouteId=0101, VoiceRouteId=0101 |
new line for globex, mvno, 646, goes on bens route | numbers_provision | AreaCode=646, MessageRouteId=ben, VoiceRouteId=ben, AssignedSubscriberId=globex |
buy a number in 646 for ben on ava's voice route | numbers_provision | AreaCode=646, VoiceRouteId=ava, AssignedSubscriberId=ben |
who signs off reactivations | help | | numbers_reactivate | set by the owner
which of us can confirm this | help | | | set by the owner
make trunk 1 the backup on main sip trunk | voice_routes_update | CallRouteId=main sip trunk | | priorities and weights
try trunk 2 before trunk 1 | voice_routes_update | CallRouteId=listedonly | | priorities and weights
drop PRID-00000000-0000-4000-8000-000000000002 from the catalog => and ...0001 as well | products_delete | ProductId=PRID-00000000-0000-4000-8000-000000000001 | numbers_find
cancel the port JNUOID-00000000-0000-4000-8000-000000000001 => 0002 too | numbers_portin_cancel | OrderId=JNUOID-00000000-0000-4000-8000-000000000002 | numbers_cancel
`;

export const duty: readonly Detailed[] = detailedIn(LINES);

/** Questions, and the roles whose people the answer names. */
export const holders: readonly (readonly [says: string, roles: readonly string[]])[] = [
  ['who can approve this?', ['approver']],
  ['whose yes do i need for a cancel', ['approver']],
  ['who is an operator', ['operator']],
  ['reactivate 0107 => who can approve this?', ['approver']],
  ['watch 0103 => who has to approve that', ['operator']],
  ['who approved the cancel of 0104', []],
];
