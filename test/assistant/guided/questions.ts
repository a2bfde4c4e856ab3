import { type Detailed, detailedIn } from './details.ts';

/*
 * Questions of support people about records, messages, history, money, and the rules of a change. In the notation of
 * `details.ts`.
 */

const LINES = `
which subscriptions does Ava have | numbers_find | Query=Ava, Full=true | subscriptions_delete | with its plan
which plan is ben on | numbers_find | Query=ben, Full=true | subscriptions_update
what does the Starter package contain | packages_items_get | PackageId=Starter | packages_items_delete | Starter
what is in Starter | packages_items_get | PackageId=Starter
show the voice trunk | account_voice_routes_get |
which numbers are on Main SMS route | numbers_find | Route=Main SMS route | message_routes_delete | Main SMS route
numbers that use the Main SIP trunk | numbers_find | Route=Main SIP trunk
which lines have no route | numbers_find | Route=none
lines without a plan | numbers_find | Plan=none | subscriptions_create
how many numbers have no plan | numbers_find | Plan=none
who is on Starter | numbers_find | Plan=Starter | subscriptions_create | Starter
whos on the starter plan | numbers_find | Plan=starter
how many active lines does acme have | numbers_find | Query=acme, Status=Active | | Active
lines on hold | numbers_find | Status=Parked | numbers_status
lines that used more than 10 MB | numbers_find | UsedFrom=10 | numbers_data_usage_set
who used the most data this month | numbers_find | Sort=Used, Descending=true
is sim 8901240397190190200 already used by someone | numbers_get | ICCID=8901240397190190200 | numbers_update
who has sim 8901240397190190200 | numbers_get | ICCID=8901240397190190200
is this number already used: 2015550104 | numbers_lookup | PhoneNumber=+12015550104
is 2015550104 in use | numbers_lookup | PhoneNumber=+12015550104
how much data is already used by 0103 | numbers_data_usage_info | Query=0103
what state are 0101 0102 0107 and 0109 in | numbers_find | | | by "0101, 0102, 0107, 0109"
what plan are 0101 and 0105 on | numbers_find | Full=true | subscriptions_update | by "0101, 0105"
any numbers available in 11201 | numbers_availability | ZipCode=11201 | numbers_provision
are there 718 numbers left | numbers_availability | AreaCode=718 | numbers_provision
got any numbers free in brooklyn | help | | numbers_provision | area code or zip
numbers in chicago | numbers_find | Query=chicago | | area code or zip
what's acme paying each month | numbers_find | Query=acme, Full=true | | is not known here
monthly bill of globex | numbers_find | Query=globex, Full=true | | is not known here
all iot lines at acme | numbers_find | Query=acme, Product=iot
how many voip lines does acme have | numbers_find | Query=acme, Product=voip, CountBy=Status
lines that used over 95% this month | numbers_find | Sort=Used, Descending=true | numbers_data_usage_set
export the list of parked lines | numbers_find | Status=Parked, Query=undefined
how long has that request for 0103 been waiting | events_since | Query=0103, Only=actions
since when is the request for 0103 open | events_since | Query=0103, Only=actions
any open request on 0104 | numbers_find | Query=0104 | | names what waits for it
tell me when the port of 13125550111 is through | numbers_order_get | OrderId=+13125550111 | numbers_watch | no port-in order
good mornin … anything blow up while i slept? | events_since | Since=2026-11-21T18:00:00.000Z
undo the last thing i did | events_since | Only=actions | numbers_reactivate | Nothing was undone
can you reactivate 0107 more than once | help/numbers_find | | numbers_reactivate
numbers without a subscriber | numbers_find | Query=orphan
who are the subscribers of globex | numbers_find | Query=globex, CountBy=Customer
how many lines do we have in total | numbers_find | CountBy=Status | numbers_provision
products over 10 dollars | account_products_get | | | over 10 dollars
whats the price of Starter | account_packages_get | | packages_update | prices
ballance of acme | events_since | Only=charges, Query=acme | | no balances
what's the outstanding amount of globex | events_since | Only=charges, Query=globex | | no balances
show ava's invoices | events_since | Only=charges, Query=ava | | no balances
what did ben get as txts yesterday | message_search_get | Query=ben | message_outbound events_since | “yesterday” and “received”
messages ava received this week | message_search_get | Query=ava | events_since | “this week” and “received”
texts of 0101 between Nov 18 and Nov 20 | events_since | Since=2026-11-18T00:00:00.000Z, Until=2026-11-21T00:00:00.000Z, Query=0101 | | from 2026-11-18 to 2026-11-20
what did we send ava this week | events_since | Since=7d, Query=ava | message_outbound
did ben reply | message_search_get | Query=ben | message_outbound
last calls of 0103 | events_since | Only=calls, Query=0103 | | Calls of
call log of 0101 | events_since | Only=calls, Query=0101
who parked 0103 | events_since | Only=actions, Query=0103 | numbers_status
I didn't ask to swap the SIM of 0101, who did? | events_since | Only=actions, Query=0101 | numbers_update numbers_status
what changed on 0105 since friday | events_since | Since=2026-11-20T00:00:00.000Z, Query=0105 | | since 2026-11-20
what happened with ava since friday | events_since | Query=ava
why was my request declined | events_since | Only=actions | numbers_diagnose | What you asked for
what did i ask for this week | events_since | Only=actions, Since=7d | | What you asked for
charges from Nov 17 to 19 | events_since | Since=2026-11-17T00:00:00.000Z, Until=2026-11-20T00:00:00.000Z, Only=charges | | from 2026-11-17 to 2026-11-19
17-19 november costs | events_since | Since=2026-11-17T00:00:00.000Z, Until=2026-11-20T00:00:00.000Z, Only=charges
what was charged this month | events_since | Since=2026-11-01T00:00:00.000Z, Only=charges | | since 2026-11-01
how much did we spend | events_since | Since=30d, Only=charges
can i get 0109 back and until when | numbers_find | Query=0109 | numbers_reactivate
what does that cost | help | | | Which change do you mean
morning, whats up | events_since | Since=24h
good morning, anything happen? | events_since | Since=24h
no texts to 0101 please | numbers_find | Query=0101 | numbers_diagnose message_outbound | nothing to stop
helo what can u do | help |
list of commands | help |
hello, i'm new here, what can you do? | help |
hi all, my first day, how does this work? | help |
what's waiting for approval | events_since | Query=undefined | numbers_diagnose
anything to approve | events_since | Query=undefined
do i have anything to confirm | events_since | Query=undefined
what is open | events_since | Query=undefined
lol who parked 0101 last nite | events_since | Only=actions, Query=0101 | numbers_status
hmm does anyone know who suspended 0104 | events_since | Only=actions, Query=0104 | numbers_status
what plan is 0103 on | numbers_find | Query=0103, Full=true | subscriptions_create | with its plan
does 0105 have a package? | numbers_find | Query=0105, Full=true | subscriptions_create
put 0103 on the starter plan | subscriptions_create | PackageId=starter
show me the texts of 0101 from today | message_search_get | Query=0101 | message_outbound | only “today”.
how many texts did 0101 send yesterday | message_search_get | Query=0101 | message_outbound
did 0104 get any messages today | message_search_get | Query=0104 | message_outbound
not a SIM swap, she just needs the QR code again | help | | numbers_update numbers_status | Show QR code
she needs her esim code again, 0103 | numbers_find | Query=0103 | numbers_update numbers_status | Show QR code
0103 needs a new esim with a qr code | numbers_update | Query=0103
withdraw the cancel i asked for earlier | help | | numbers_cancel | taken back with “Withdraw”
take back my hold of 0103 | numbers_find | Query=0103 | numbers_status | taken back with “Withdraw”
withdraw the block of 3125550199 for Ava | subscribers_call_filter_blocked_numbers_remove | SubscriberId=Ava
charge Ben 5 dollars for the reactivation of 0107 | numbers_find | Query=0107 | numbers_reactivate | charges, bills and refunds nobody itself
refund Ava the fee | numbers_find | Query=Ava | numbers_reactivate | refunds nobody itself
how much did we charge Ben | events_since | Only=charges, Query=Ben
how do I park a line | help | | numbers_cancel | You asked about "Park a number"
how can i swap a sim | help | | numbers_update | You asked about "Swap a SIM"
im losing it, 0106 uses too much data, cap it at 2gb | numbers_data_usage_set | LimitValue=2048, Query=0106
warn Ava when she hits 80% of her data | numbers_data_usage_set | Query=Ava | numbers_watch message_outbound |
change Ben Reed's email to ben@globex.example | subscribers_update | SubscriberId=Ben Reed | subscribers_create | cannot change the e-mail address
find sterling | numbers_find | Query=sterling
is 0105 parked | numbers_find | Query=0105 | numbers_status
is 0104 still live or did we kill it | numbers_find | Query=0104 | numbers_cancel
is 0107 gone yet | numbers_find | Query=0107 | numbers_cancel
is the hold on 0103 done | numbers_find | Query=0103 | numbers_status
did the hold on 0103 go through | numbers_find | Query=0103 | numbers_status
is 0103 on hold and since when | numbers_find | Query=0103 | numbers_status | since when
check if 0105 is parked and cancel it | numbers_find | Query=0105 | numbers_cancel | is a condition
did the sim swap of 0103 go through | events_since | Query=0103, Only=actions | numbers_update | what became of it
how many swaps does ben have left | numbers_find | Query=ben | numbers_update
how many gb has 0101 left | numbers_find | Query=0101, Data=true | numbers_data_usage_set
how many lines does acme have and how many of them are on hold | numbers_find | Query=acme, CountBy=Status, Status=undefined | numbers_status | counted by state
is 0103 an esim or a plastic one | numbers_find | Query=0103 | numbers_update
what type of number is 0102 | numbers_find | Query=0102 | numbers_update
which of our numbers have nobody on them | numbers_find | Query=orphan | numbers_update
which lines are not assigned to anyone | numbers_find | Query=orphan | numbers_update
is 0104 free | numbers_find | Query=0104 | numbers_provision
is 2015550110 taken | numbers_lookup | PhoneNumber=+12015550110 | numbers_provision
sumary of avas account | numbers_find | Query=ava
whats up with 2015550106 | numbers_diagnose | PhoneNumber=+12015550106
why is 3125550111 taking so long | numbers_order_get | OrderId=+13125550111 | numbers_portin
when will 3125550111 be done | numbers_order_get | OrderId=+13125550111 | numbers_portin
who has caller name blank | numbers_find | Sort=Number | numbers_update | cannot be narrowed
which lines have no caller id | numbers_find | Sort=Number | numbers_update
how many sim swaps this month vs last month | events_since | Since=2026-11-01T00:00:00.000Z, Until=undefined | numbers_update | not compared with “last month”
how many holds did we do last week and by whom | events_since | Since=2026-11-09T00:00:00.000Z, Until=2026-11-16T00:00:00.000Z | numbers_status
what happened to 0108 last month | events_since | Since=30d, Until=2026-11-01T00:00:00.000Z, Query=0108
what happened in the last month | events_since | Since=30d, Until=undefined
export the list of cancelled numbers | numbers_find | Status=Cancelled - Pending Delete | | no file is made
list everything thats on hold and since when | numbers_find | Status=Parked | numbers_status | since when
top 5 lines by data usage | numbers_find | Sort=Used, Descending=true, Rows=5
did the sim swap for ava go through | events_since | Only=actions, Query=ava | numbers_update | what became of it
did ben ever answer our text | message_search_get | Query=ben | message_outbound
what came in from +14155552671 yesterday | events_since | Only=messages, PhoneNumber=+14155552671 | numbers_portin
ava must not get texts from 3125550145 anymore | subscribers_message_filter_blocked_contacts_add | | events_since
got any vegas numbers free? | help | | numbers_provision | area code or zip
did we reply to ava | events_since | Query=ava | message_outbound
what came in from ben today | events_since | Only=messages, Query=ben
top 10 lines | numbers_find | Sort=Used, Descending=true, Rows=10
who uses no data | numbers_find | Sort=Used, Descending=undefined | numbers_diagnose
0103 has no data | numbers_diagnose | Query=0103, About=data
export all numbers as csv | numbers_inventory_get | | | no file is made
how long is a port out pin valid | help | | numbers_data_usage_info | Set a port-out PIN
set a port out pin for 0103 | numbers_portout | Query=0103
are 0104 and 0110 free | numbers_find | | numbers_availability | by "0104, 0110"
how many reactivations last month and this month | events_since | Only=actions | numbers_reactivate | not compared with “this month”
text ben: is 0104 free? | message_outbound | Query=ben | numbers_find
are any numbers unassigned | numbers_find | Query=orphan
how many mb until 0105 hits the limit | numbers_find | Query=0105 | numbers_data_usage_set
last weeks charges | events_since | Since=2026-11-09T00:00:00.000Z, Only=charges
is 0105 a mobile line | numbers_find | Query=0105
whats the limit on 0105 and how much is left | numbers_find | Query=0105 | numbers_data_usage_set
show 0107 and tell me till when we can get it back | numbers_find | Query=0107 | numbers_reactivate
has 0107 been cancelled by ava | events_since | Query=0107, By=ava | numbers_cancel
what number can we still get in 415 | numbers_availability | AreaCode=415 | numbers_provision
who's on call today | help | | events_since | keeps no rota
lines with more than 90% used | numbers_find | Sort=Used | numbers_data_usage_set
which url gets inbound sms | account_message_routes_get | | message_outbound
is there a webhook for ports | account_webhooks_get | | numbers_portin
are our webhooks ok | account_webhooks_get | | events_since | whether a delivery failed
is guardian on for 0101 | subscribers_guardian_features_get | SubscriberId=0101 | subscribers_guardian_features_set
who is the owner of account acme | distributor_subscribers_get | | account_update | e-mail of its admin, which “account acme” shows
alert me if 0105 changes state | numbers_watch | Query=0105 | numbers_status | a change of state
how do I undo a sim swap | help | | numbers_update | You asked about "Swap a SIM"
find customers in texas | distributor_subscribers_get | | message_search_get | not narrowed to “texas”
list all customers with their last call | distributor_subscribers_get | | events_since | no list has it
show me all cancelled numbers and when they get deleted | numbers_find | Status=Cancelled - Pending Delete | | until when
look up 0104 => which customers are over their data limit | numbers_find | Query=undefined, Sort=Used | numbers_data_usage_settings
look up 0104 => what plans do we have and what do they cost | account_packages_get | | numbers_find
look up 0104 => what is their plan | numbers_find | Query=0104 | | “their” is read as 0104
what happend overnight | events_since | Query=undefined
waht happenned to 0103 last nite | events_since | Query=0103
when was 0107 cancelled | events_since | Query=0107 | numbers_cancel
who approved the reactivation of 0107 | events_since | Query=0107 | numbers_reactivate
is guardian mode active for ben | subscribers_guardian_features_get | SubscriberId=ben | subscribers_guardian_features_set
tell me when 0103 gets suspended | numbers_watch | Query=0103 | numbers_status
wich lines are suspened | numbers_find | Status=Parked | numbers_status
`;

export const questions: readonly Detailed[] = detailedIn(LINES);
