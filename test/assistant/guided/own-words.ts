import { type Detailed, detailedIn } from './details.ts';

/*
 * Changes in words of people's own: names of customers that ask for something else, addresses, fees, and what the platform
 * does not have. In the notation of `details.ts`.
 */

const LINES = `
make a customer nina park | subscribers_create | Name=nina park | numbers_status |
add nina park as a customer | subscribers_create | Name=nina park | numbers_status |
new customer: nina park, nina@x.com | subscribers_create | Name=nina park, Email=nina@x.com | numbers_status |
create customer Bill Stone | subscribers_create | Name=Bill Stone | |
new customer grace block | subscribers_create | Name=grace block | _add |
please add a new customer drew cancel, drew@x.com | subscribers_create | Name=drew cancel, Email=drew@x.com | numbers_cancel |
onboard nina park nina@park.com | subscribers_create | Name=nina park, Email=nina@park.com | numbers_status |
pls register client frank list (frank@list.com) for globex | subscribers_create | Name=frank list, AccountId=globex | |
new subscriber - Art Change, art@c.com, manager | subscribers_create | Name=Art Change, Role=Manager | |
add Jack Swap, jack@swap.io | subscribers_create | Name=Jack Swap, Email=jack@swap.io | |
add a new line for the customer grace block | numbers_provision | | _add |
make grace block an account admin | subscribers_update | SubscriberId=Grace Block, Role=Account Admin | _add |
add a customer to the block list | subscribers_call_filter_blocked_numbers_add | | subscribers_create |
add customer ava to the workgroup Sales | help/numbers_find/workgroups_activity_update/workgroups_update | | subscribers_create |
new customer needs a line | numbers_provision | | subscribers_create |
who is the new customer nina park | numbers_find | | subscribers_create numbers_status |
sign up ava for the family plan | subscriptions_create | PackageId=family, SubscriberId=ava | subscribers_create packages_create |
ava stone moved to 12 Oak St, Newark NJ 07102 | numbers_find | Query=ava stone | account_update | a subscriber has no address
customer moved to zip 07102 | help | | account_update | not taken: 07102
ava stone's new address is 12 Elm St, Chicago IL 60614 | numbers_find | Query=ava stone | account_update | not taken: 12 elm st, chicago il 60614
her new adress is 12 Elm St | help | | account_update | a subscriber has no address
ben lives at 1200 Maple Avenue now, Denver CO 80014 | numbers_find | Query=ben | account_update | a subscriber has no address
update the address of 0101 to 77 Main Street | numbers_find | Query=0101 | account_update | not taken: 77 main street
change the billing address of acme | account_update | | subscribers_update |
dont let anyone port out 0102 | numbers_find | Query=0102 | numbers_portout numbers_portin | no lock against a port-out
never let 0102 be ported | numbers_find | Query=0102 | numbers_portout numbers_order_get | no lock against a port-out
lock 0102 against port out | numbers_find | Query=0102 | numbers_status | no lock against a port-out
make sure nobody can port ava's number away | numbers_find | Query=ava | numbers_portout | no lock against a port-out
port out 0102 | numbers_portout | Query=0102 | numbers_portin |
whats the transfer pin of ava's line | numbers_find | Query=ava | numbers_portout | no port-out pin can be read
set a new transfer pin for 0103 | numbers_portout | Query=0103 | |
can you reboot ava's esim pls | numbers_find | Query=ava | numbers_update numbers_status | cannot reset
webhook for port orders is dead, can u resend | help | | webhook_delete numbers_order_get | nothing here can send one again
turn off data on 0106 | numbers_find | Query=0106 | numbers_status numbers_data_usage_set | no switch for the data
move 0102 to account acme | numbers_find | Query=0102 | account_update | stays in its account
unassign 0103 | numbers_find | Query=0103 | numbers_update | by giving it to another one
stop sending order events to https://a.example/hook | webhook_update | WebhookId=https://a.example/hook | webhook_delete | choose in the form
order a number in chicago for globex | numbers_provision | AssignedSubscriberId=globex | | area code of chicago
get me a line in new york | numbers_provision | | | area code of new york
buy a number in time for friday | numbers_provision | | |
activate 3 new lines for globex | numbers_provision | AssignedSubscriberId=globex | numbers_status | not 3
i need 3 lines for ben | numbers_provision | AssignedSubscriberId=ben | | not 3
order two numbers | numbers_provision | | numbers_order_get | not two
i need two numbers unblocked for ben | subscribers_call_filter_blocked_numbers_remove | SubscriberId=ben | numbers_provision |
activate two lines | numbers_status | StatusChange=activate | numbers_provision |
reactivate 2015550108 and charge acme | numbers_reactivate | PhoneNumber=+12015550108 | numbers_cancel | not taken: “and charge acme”
reactivate 0107 but don't charge her | numbers_reactivate | Query=0107 | numbers_cancel | “but don't charge her”
can you reactivate 0107 for free? | help | | numbers_cancel |
cancel 0104, customer wants refund of 20 dollars | numbers_cancel | Query=0104 | | not taken: “customer wants refund
text 0101: we waive the fee for you | message_outbound | Body=we waive the fee for you | |
make 0101 bens and 0102 avas | numbers_update | AssignedSubscriberId=ben, Query=0101 | | “0102 avas”
0101 is ben's now | numbers_update | AssignedSubscriberId=ben, Query=0101 | |
is 0101 ben's now? | numbers_find | Query=0101 | numbers_update |
0103 is parked now | numbers_find | Query=0103 | numbers_update numbers_status |
move 0102 from globex to acme | numbers_update | AssignedSubscriberId=acme, Query=0102 | account_update | not taken: “from globex”
transfer 0103 from ben to ava stone | numbers_update | AssignedSubscriberId=ava stone | numbers_portin | “from ben”
switch 0101 to Zephyr | numbers_find | Query=0101 | numbers_update subscriptions_update | what “zephyr” is
the cnam on 0102 is wrong, fix it to GLOBEX INC | numbers_update | CnamFirstName=GLOBEX, CnamLastName=INC, Query=0102 | numbers_diagnose |
the caller id on 0101 is wrong | numbers_update | Query=0101 | numbers_diagnose |
ava's email is wrong should be ava@new.com | subscribers_update | SubscriberId=ava | numbers_diagnose | cannot change the e-mail
ben reed changed his surname to reed-park | subscribers_update | SubscriberId=ben reed, Name=reed-park | numbers_status | only a part of the name
activate 12015550104 on the starter package | subscriptions_create | PackageId=starter, SubscriberId=+12015550104 | numbers_reactivate | read as “put
activate 0103 on friday | numbers_status | StatusChange=activate | subscriptions_create |
put 0103 on the unlimited plan from jan 1 | subscriptions_create | PackageId=unlimited, Query=0103 | numbers_data_usage_set | 2027-01-01
put ava on unlimited | subscriptions_create | PackageId=unlimited, SubscriberId=ava | numbers_data_usage_set |
take ava stone off the family plan and put her on basic | subscriptions_update | SubscriptionId=ava stone, PackageId=basic | subscriptions_delete | from “family plan”
put a hold on 0103 | numbers_status | StatusChange=park, Query=0103 | numbers_cancel |
who put a hold on 0103 | events_since | Query=0103 | numbers_status |
stop the cancellation of 0107 | numbers_reactivate | Query=0107 | numbers_cancel | “withdraw” on its card
cancel the cancellation of 0107 | numbers_reactivate | Query=0107 | numbers_cancel | “undo the cancellation
halt the disconnect of ava's line | numbers_reactivate | Query=ava | numbers_cancel |
stop cancelling 0104 | numbers_find | Query=0104 | numbers_cancel numbers_reactivate |
turn 0103 back on | numbers_reactivate | Query=0103 | numbers_cancel | a line on hold is activated
the zip on the 3125550111 port was wrong, shd be 60614 | numbers_portin_update | OrderId=+13125550111, CurrentBillingAddress=60614 | numbers_portin |
port 3125550190 in from t-mobile account 9981, customer ben | numbers_portin | CurrentAccountNumber=9981, CurrentCarrierName=t-mobile | account_update |
turn off the filter of ava | subscribers_guardian_features_set | SubscriberId=ava, EnableIntelligentGuardianCalls=false | subscribers_call_filter_delete | the filter itself stays
switch off ava's call filter | subscribers_guardian_features_set | EnableIntelligentGuardianMessages=undefined | subscribers_call_filter_delete | the filter itself stays
deactivate ben's call filter | subscribers_guardian_features_set | SubscriberId=ben | subscribers_call_filter_delete |
delete ava's call filter | subscribers_call_filter_delete | | subscribers_guardian_features_set |
turn off spam filter for 0101 | subscribers_message_filter_update | FilterId=0101, FilterMode=INACTIVE | _add subscribers_guardian_features_set |
unblock all for ben | subscribers_call_filter_get | SubscriberId=ben | _remove _add | each number is taken off a list by itself
reset ben's blocked numbers | subscribers_call_filter_get | SubscriberId=ben | _remove _add | by itself
unblock everyone on 0101 | subscribers_call_filter_get | Phone=0101 | _remove | by itself
take 3125550199 off ava's block list | subscribers_call_filter_blocked_numbers_remove | Numbers=+13125550199 | _add |
forward texts of 0103 to https://hooks.acme.com/sms | numbers_find | Query=0103, Full=true | webhook_create message_outbound | https://hooks.acme.com/sms
send 0102's messages to https://x.example/z | numbers_find | Query=0102 | message_outbound | belongs to a route
forward 0103's calls to 9735551000 | numbers_find | Query=0103 | voice_routes_update | +19735551000
change the message route Main to https://x.example/z | message_routes_update | MessageRouteId=Main, MessageUrl=https://x.example/z | |
point the Main SMS route to https://x.example/z | message_routes_update | MessageRouteId=Main SMS route | numbers_update |
move 0102's texts to the other route | numbers_update | Query=0102 | message_routes_update | “the other route” names none
give 0103 a different sms route | numbers_update | Query=0103 | message_routes_create |
add webhook https://ops.acme.com/hook for port updates | webhook_create | SubscribedEvents=Order_Update, WebhookUrl=https://ops.acme.com/hook | webhook_update |
send port updates to https://a.example/c | webhook_create | SubscribedEvents=Order_Update | numbers_order_get |
create a sip trunk | voice_routes_create | | |
add a new trunk 10.0.0.5 | voice_routes_create | TrunkIp1=10.0.0.5 | voice_routes_update |
0105 has a new sim 89014103211118510720, swap it and check its data after | numbers_update | Iccid=89014103211118510720, Query=0105
park 0103 and show me its texts | numbers_status | StatusChange=park
bump 0101's cap up to 20gb & let me know when its done | numbers_data_usage_set | LimitValue=20480, Query=0101 | | “let me know when its done”
tell ava 0103 and 0105 are back | message_outbound | Body=0103 and 0105 are back, Query=ava | |
tell me 0103 is active | numbers_find | Query=0103 | message_outbound |
ben doesnt want voicemail anymore | numbers_find | Query=ben | _add | no setting for voicemail
add 2 gb to 0106 | numbers_data_usage_set | Query=0106 | | add 2048 mb
give ben 3 more gigs this month | numbers_data_usage_set | Query=ben | | add 3072 mb
delete the weekend plan | packages_delete | PackageId=weekend | |
create a plan called Weekend 5 dollars a month | packages_create | PackageName=Weekend, Price=5 | |
can we get a new cust in the system, theo hold, theo.hold@gmail.com under globex | subscribers_create | Name=theo hold, AccountId=globex | numbers_status |
register april price as new subscriber for acme, april@price.io | subscribers_create | Name=april price, AccountId=acme | |
can u onboard jill remove jill@r.com as manager | subscribers_create | Name=jill remove, Role=Manager | _remove |
customer dean block wants a line | numbers_provision | | _add |
give 0101 to grace block | numbers_update | AssignedSubscriberId=grace block | _add |
ben just moved to 455 W 33rd St Apt 4, New York NY 10001, pls update | numbers_find | Query=ben | account_update | not taken: 455 w 33rd st apt 4, new york ny 10001
ava's zip changed to 10001 | numbers_find | Query=ava | account_update | not taken: 10001
0101 shows UNKNOWN as caller name, put AVA STONE | numbers_update | CnamFirstName=AVA, Query=0101 | |
cnam wrong for 2015550103, its NOVA TECH | numbers_update | CnamFirstName=NOVA, Number=+12015550103 | numbers_diagnose |
the caller name for 0104 should be changed to PINE CAFE | numbers_update | CnamFirstName=PINE, Query=0104 | |
reactivate 0108 but acme pays | numbers_reactivate | Query=0108 | | “but acme pays”
0105 wants off the family plan | subscriptions_delete | SubscriptionId=0105 | numbers_cancel | not taken: family
end 0103's subscription | subscriptions_delete | SubscriptionId=0103 | numbers_cancel |
put 0104 on the student package | subscriptions_create | PackageId=student, Query=0104 | |
un cancel 0107 | numbers_reactivate | Query=0107 | numbers_cancel |
stop 0107 from being deleted | numbers_reactivate | Query=0107 | numbers_cancel |
take 0103 off pause and cancel 0105 | help | | | one by one
switch 0103 on again | numbers_reactivate | Query=0103 | | a line on hold is activated
turn the call filter back on for ava | subscribers_guardian_features_set | EnableIntelligentGuardianCalls=true, EnableIntelligentGuardianMessages=undefined | subscribers_call_filter_create |
0102 from ben to ava stone please | numbers_update | AssignedSubscriberId=ava stone | numbers_portin | “from ben”
make ben the owner of 0110 | numbers_update | AssignedSubscriberId=ben, Query=0110 | |
0104 should belong to mia | numbers_update | AssignedSubscriberId=mia, Query=0104 | |
hand 0110 over to mia at globex | numbers_update | AssignedSubscriberId=mia | | at globex
route texts of 0102 to another route | numbers_update | MessageRouteId=undefined, Query=0102 | message_routes_update | “another route” names none
change the webhook https://a.example/z to https://a.example/w | webhook_update | WebhookId=https://a.example/z, WebhookUrl=https://a.example/w | webhook_create |
webhook https://a.example/z should also get call recordings | webhook_update | WebhookId=https://a.example/z, WebhookUrl=undefined | webhook_create | choose the events
new sms route called Backup posting to https://a.example/sms | message_routes_create | RouteName=Backup | numbers_order_get |
only 9175550100 and 9175550101 may text ben | subscribers_message_filter_update | SubscriberId=ben, AllowedContacts=+19175550100++19175550101 | _add |
let everyone call ben again | subscribers_call_filter_get | SubscriberId=ben | _remove _add | by itself
park 0103, customer pays tomorrow | numbers_status | StatusChange=park, EffectiveDate=11/23/2026, Query=0103 | |
cancel 0105 and 0106, she moved to 12 Main St | numbers_cancel | PhoneNumbers=0105+0106 | account_update | not taken: 12 main st
give ben's number to ava | numbers_update | AssignedSubscriberId=ava, Query=ben | |
drop the order events from webhook https://a.example/in | webhook_update | WebhookId=https://a.example/in | webhook_delete | choose in the form
tell 0102 0103 is back | message_outbound | Body=0103 is back, Query=0102 | |
release the hold on 0105 | numbers_status | StatusChange=activate, Query=0105 | |
0102 moved to a new plan | numbers_find | Query=0102 | packages_create |
ava's phone got stolen on the bus, can u block it for now | numbers_status | StatusChange=park, Query=ava | _add |
ben lost his phone, please block it | numbers_status | StatusChange=park, Query=ben | _add |
phone stolen, block 2015550103 please | numbers_status | StatusChange=park, PhoneNumbers=+12015550103 | _add |
sim of ben reed got stolen, can you lock it? | numbers_status | StatusChange=park, Query=ben reed | _add numbers_update |
block ben's phone, it was stolen | numbers_status | StatusChange=park, Query=ben | _add |
block 0104 for now | numbers_status | StatusChange=park, Query=0104 | _add |
block 0104 | numbers_find | Query=0104 | _add | “hold number” pauses it
lock ben's line | numbers_status | StatusChange=park, Query=ben | _add |
block 0104 for 0101 | subscribers_call_filter_blocked_numbers_add | Numbers=0104, SubscriberId=0101 | numbers_status |
block spam calls to 0104 | subscribers_call_filter_blocked_numbers_add | SubscriberId=0104 | numbers_status |
text 0101: phone stolen block it | message_outbound | Body=phone stolen block it | numbers_status |
take 0110 off whoever has it | numbers_find | Query=0110 | numbers_cancel | giving it to another one
take 0105 off the customer | numbers_find | Query=0105 | numbers_cancel | giving it to another one
take 0105 off the customer and give it to ben | numbers_update | AssignedSubscriberId=ben, Query=0105 | numbers_cancel |
take 0105 off hold | numbers_status | StatusChange=activate, Query=0105 | numbers_cancel |
activate a new line for globex, area code 312 | numbers_provision | AssignedSubscriberId=globex, AreaCode=312 | numbers_status |
turn on another line for ava | numbers_provision | AssignedSubscriberId=ava | numbers_status |
activate the new line of ben | numbers_status | StatusChange=activate, Query=ben | numbers_provision |
`;

/** Changes that are told as what happens or what should be. */
const TOLD = `
spam from 2125559876 keeps coming to 0101, make it stop | subscribers_call_filter_blocked_numbers_add | SubscriberId=0101, Numbers=+12125559876 | _get |
0101 keeps getting spam calls from 2125559876, stop them | subscribers_call_filter_blocked_numbers_add | SubscriberId=0101, Numbers=+12125559876 | _get |
stop spam from 2125559876 to 0101 | subscribers_call_filter_blocked_numbers_add | SubscriberId=0101, Numbers=+12125559876 | _remove |
2125559876 is harassing ben, stop it | subscribers_call_filter_blocked_numbers_add | SubscriberId=ben, Numbers=+12125559876 | |
2125559876 keeps calling 0101 | subscribers_call_filter_get | Phone=0101 | _add |
block 9005551212 on 0103 and 0105 | subscribers_call_filter_blocked_numbers_add | SubscriberId=0103, Numbers=+19005551212 | | each line has a filter of its own
show caller name "Acme Taxi" when 0102 calls | numbers_update | CnamFirstName=Acme, CnamLastName=Taxi, Query=0102 | |
change plan of 0101 to unlimited, but only from dec 1 | subscriptions_update | SubscriptionId=0101, PackageId=unlimited | | scheduled for 2026-12-01
bens new email is ben.reed@gmail.com | subscribers_update | SubscriberId=ben | | cannot change the e-mail address
ben is leaving to t-mobile and they ask for a transfer pin | numbers_portout | Query=ben | numbers_portin |
port out pin for ben | numbers_portout | Query=ben | |
why is ben leaving | numbers_diagnose | Query=ben | numbers_portout |
route incoming texts for 0103 to https://hooks.acme.example/sms | numbers_find | Query=0103 | numbers_update message_routes_update | change the message route name
cancelled 0104 by mistake, undo that | numbers_reactivate | Query=0104 | numbers_cancel |
we suspended 0103 by mistake, undo it | numbers_status | StatusChange=activate, Query=0103 | |
delete the webhook for messages | webhook_delete | WebhookId=undefined | | not taken: “for messages”
port in 3125550188 for acme, old carrier verizon | numbers_portin | AssignedSubscriberId=acme, CurrentCarrierName=verizon | |
port in 3125550188 for Ben Reed, acct 889123 | numbers_portin | AssignedSubscriberId=Ben Reed, CurrentAccountNumber=889123 | |
new customer: Lena Ortiz, lena@acme.example, acme mobile | subscribers_create | Name=Lena Ortiz, AccountId=Acme Mobile | |
hold 0101 and swap the sim on 0103 | help | | | “swap the sim on 0103”
swap the sim of 0103 and text her that it is done | numbers_update | Query=0103 | | confirm it when the change is done
take the number 0105 off ava stone | numbers_find | Query=0105 | numbers_cancel | giving it to another one
take ben's number off him | numbers_find | Query=ben | numbers_cancel | giving it to another one
park 0103 and text ava that it is parked | numbers_status | Query=0103, StatusChange=park | | confirm it when the change is done
can you hold 0101 and cancel 0104? | help | | | “cancel 0104”
should we hold 0101 and cancel 0102 | help | | | one by one. not taken: 0101
delete the webhook https://a.example/z | webhook_delete | WebhookId=https://a.example/z | |
`;

export const ownWords: readonly Detailed[] = detailedIn(`${LINES.trimEnd()}${TOLD}`);
