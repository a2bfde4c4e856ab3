import { ORDER } from '../../support/world.ts';

/** A request as support people write it. */
export interface Request {
  says: string;
  /** The operations that are a right answer; `help` for none. */
  operations: readonly string[];
  /** Input that has to be filled in. Members of a list are joined with "+". */
  fills: Readonly<Record<string, string>>;
  /** Operations that must not be offered; one that begins with "_" is the end of their ids. */
  never: readonly string[];
}

/** "Sentence | operation/operation | Field=value, Field=value | operation operation", one a line. */
const LINES = `
stop blocking 3125550199 for ben | subscribers_call_filter_blocked_numbers_remove/subscribers_call_filter_get/numbers_find | Numbers=+13125550199, SubscriberId=ben | _add
please don't block +13125550199 any more | subscribers_call_filter_blocked_numbers_remove | Numbers=+13125550199 | _add
take 3125550199 off ava's block list | subscribers_call_filter_blocked_numbers_remove | Numbers=+13125550199 | _add
lift the block on 312-555-0199 | subscribers_call_filter_blocked_numbers_remove | Numbers=+13125550199 | _add
remove the block on +13125550199 for 0101 | subscribers_call_filter_blocked_numbers_remove | Numbers=+13125550199, SubscriberId=0101 | _add
block 3125550199 for 0101 | subscribers_call_filter_blocked_numbers_add | Numbers=+13125550199, SubscriberId=0101 | _remove
put +13125550177 on ben's block list | subscribers_call_filter_blocked_numbers_add | Numbers=+13125550177, SubscriberId=ben | _remove
is 3125550199 blocked for ava? | subscribers_call_filter_get/numbers_find/numbers_lookup |  | _add _remove
who is blocked on 0101 | subscribers_call_filter_get/numbers_find |  | _add _remove
who blocked +13125550199 for ava? | subscribers_call_filter_get/events_since/numbers_find/numbers_lookup |  | _add _remove
block texts from +13125550144 for ben | subscribers_message_filter_blocked_contacts_add | Contacts=+13125550144, SubscriberId=ben | _remove
the port of +13125550111 got kicked back | numbers_order_get/numbers_lookup/numbers_portin_update |  | numbers_portin numbers_provision
chase up the port-in of 312 555 0111 | numbers_order_get/numbers_lookup |  | numbers_portin numbers_portin_cancel
her port-in was rejected, what now? | numbers_order_get/help/numbers_portin_update |  | numbers_portin numbers_portin_cancel
port-in for 3125550111 still pending after a week | numbers_order_get/numbers_lookup |  | numbers_portin numbers_portin_cancel
did the port for 3125550111 go through | numbers_order_get/numbers_lookup |  | numbers_portin
verizon refused the port of 3125550111, zip was wrong | numbers_order_get/numbers_lookup/numbers_portin_update |  | numbers_portin
where are we with porting 3125550111 | numbers_order_get/numbers_lookup |  | numbers_portin
follow up on the port request for ava | numbers_order_get/numbers_find/numbers_lookup/help |  | numbers_portin
new sim for 0101 | numbers_update/numbers_status |  | numbers_provision
she needs another sim, 0104 | numbers_update/numbers_status |  | numbers_provision
send a replacement sim for 2015550101 | numbers_update/numbers_status/numbers_lookup |  | numbers_provision message_outbound
create a package | packages_create |  | subscriptions_create numbers_provision
make a new package called Family Plus | packages_create | PackageName=Family Plus | subscriptions_create
add a product to the starter package | packages_items_add | PackageId=starter | subscriptions_create products_create
delete the starter package | packages_delete | PackageId=starter | subscriptions_delete numbers_cancel
tell +12015550104 that the sim ships tomorrow | message_outbound | To=+12015550104, Body=the sim ships tomorrow | numbers_lookup numbers_update
let 0104 know that we fixed it | message_outbound | Query=0104, Body=we fixed it | numbers_lookup
text 0104 from 0101: your order is ready | message_outbound | To=0104, From=0101, Body=your order is ready | numbers_portin_cancel numbers_order_get
sms ben saying call me back please | message_outbound | Body=call me back please
send +12015550104 a text from +12015550101 saying "we are on it" | message_outbound | To=+12015550104, From=+12015550101, Body=we are on it
notify 2015550102 that service is back | message_outbound | To=+12015550102, Body=service is back | numbers_reactivate
who approved the cancel of 0103 | events_since/numbers_lookup/numbers_find |  | numbers_cancel
who cancelled 0107 and when | events_since/numbers_lookup/numbers_find |  | numbers_cancel numbers_reactivate
when was 0106 parked | events_since/numbers_lookup/numbers_find |  | numbers_status
who parked 2015550106? | events_since/numbers_lookup |  | numbers_status
did anybody reactivate 2015550107 already | events_since/numbers_lookup |  | numbers_reactivate
has anyone declined the cancellation of 0103? | events_since/numbers_lookup/numbers_find |  | numbers_cancel
what did we spend | events_since | Only=charges | numbers_data_usage_info
what did we spend this week | events_since | Only=charges | numbers_data_usage_info
how much have we been charged since yesterday | events_since | Only=charges | numbers_data_usage_info
what was billed today | events_since | Only=charges
any charges overnight? | events_since | Only=charges
give 0101 1.5 gb | numbers_data_usage_set | LimitValue=1536 | message_outbound
limit 2015550101 to 500 mb | numbers_data_usage_set | LimitValue=500
set 0101's data cap to 3 gb and throttle at 2 gb | numbers_data_usage_set | LimitValue=3072, ThrottleValue=2048
cap +12015550102 at 2.5gb, warn her at 2gb | numbers_data_usage_set | LimitValue=2560, NotifyValue=2048 | message_outbound numbers_watch
lower the data limit of 2015550102 to 1 gb | numbers_data_usage_set | LimitValue=1024
what's the data limit on 0101 | numbers_data_usage_settings/numbers_find |  | numbers_data_usage_set
is 0101 near its limit? | numbers_data_usage_settings/numbers_data_usage_info/numbers_find |  | numbers_data_usage_set
park 2015550106 tomorrow | numbers_status | StatusChange=park, EffectiveDate=11/23/2026 | numbers_cancel
park 0101 until Jan 5 | numbers_status | StatusChange=park | numbers_cancel
suspend 2015550101 from December 1 | numbers_status | StatusChange=park, EffectiveDate=12/01/2026 | numbers_cancel
put 0103 on hold | numbers_status | StatusChange=park | numbers_cancel
put the line of ben on hold please | numbers_status | StatusChange=park | numbers_cancel
take 0103 off hold | numbers_status | StatusChange=activate | numbers_cancel
unpark 2015550103 | numbers_status | StatusChange=activate | numbers_cancel
resume 2015550103 on monday | numbers_status | StatusChange=activate, EffectiveDate=11/23/2026 | numbers_cancel
end the suspension of 2015550103 | numbers_status | StatusChange=activate | numbers_cancel
don't park 2015550103 | numbers_lookup/help |  | numbers_status
is 2015550103 parked | numbers_lookup |  | numbers_status
which lines are parked | numbers_find/numbers_inventory_get |  | numbers_status
stop watching 0101 | numbers_watch | Stop=true
don't watch 2015550101 any longer | numbers_watch | Stop=true
tell me when 2015550101 runs out of data | numbers_watch | PhoneNumber=+12015550101 | message_outbound
let me know if 0101 gets close to its limit | numbers_watch |  | message_outbound numbers_data_usage_set
warn me before 2015550102 hits the cap | numbers_watch | PhoneNumber=+12015550102 | message_outbound numbers_data_usage_set
cancel 0103 | numbers_cancel
please terminate +12015550103 as of today | numbers_cancel | PhoneNumbers=+12015550103
close ben's contract | numbers_cancel |  | subscriptions_delete
cancel the plan of 2015550103 | subscriptions_delete |  | numbers_cancel
cancel the family plan for ava | subscriptions_delete |  | numbers_cancel
end the subscription of 2015550103 | subscriptions_delete |  | numbers_cancel
cancel the invoice for 2015550103 | help/numbers_lookup |  | numbers_cancel numbers_portin_cancel
cancel my appointment with ben | help/numbers_find |  | numbers_cancel numbers_portin_cancel
cancel the order for 3125550111 | numbers_portin_cancel |  | numbers_cancel
call off the port of +13125550111 | numbers_portin_cancel/numbers_lookup/numbers_order_get |  | numbers_cancel numbers_portin
don't cancel the port of 3125550111 | numbers_lookup/help/numbers_order_get |  | numbers_portin_cancel numbers_cancel
stop the port-in of 3125550111 | numbers_portin_cancel |  | numbers_cancel
stop cancelling 2015550103 | numbers_lookup/help |  | numbers_cancel
undo the cancellation of 2015550107 | numbers_reactivate | PhoneNumber=+12015550107 | numbers_cancel
revive ava's old number | numbers_reactivate |  | numbers_cancel
how long can I still reactivate 2015550107 | help/numbers_lookup |  | numbers_cancel
port 6465550188 over, account number 4411 | numbers_portin | PortInNumber=+16465550188 | numbers_portout
port 6465550188 to us on December 3 | numbers_portin | PortInNumber=+16465550188, PortInDate=2026-12-03 | numbers_portout
move the port of ORDER to Dec 10 | numbers_portin_update | OrderId=ORDER, PortInDate=2026-12-10 | numbers_portin
reschedule ORDER to next friday | numbers_portin_update | OrderId=ORDER, PortInDate=2026-11-27 | numbers_portin
fix the zip on ORDER and resubmit | numbers_portin_update | OrderId=ORDER | numbers_portin
ava wants to leave for at&t, she needs a pin | numbers_portout/numbers_find/help |  | numbers_portin numbers_cancel
get me the port out pin for 2015550101 | numbers_portout | PortOutNumber=+12015550101 | numbers_portin
delete the webhook | webhook_delete/account_webhooks_get |  | webhook_create
which webhooks do we have | account_webhooks_get |  | webhook_delete webhook_create
add a webhook for order events | webhook_create |  | webhook_delete
change the webhook address | webhook_update |  | account_update webhook_delete
show me the routes of acme | account_voice_routes_get/account_message_routes_get/numbers_find |  | _delete
where do calls to 0102 go? | account_voice_routes_get/numbers_find/numbers_lookup/voice_routes_get |  | voice_routes_update
forward calls of 0102 to +13125550100 | voice_routes_update/numbers_update |  | subscribers_call_filter_blocked_numbers_add
delete the main sms route | message_routes_delete |  | voice_routes_delete
make ava a manager | subscribers_update | SubscriberId=ava | subscribers_create
change ben's name to Ben Ortiz | subscribers_update | SubscriberId=ben, Name=Ben Ortiz | subscribers_create numbers_update
rename the subscriber ava to Ava Reed | subscribers_update | Name=Ava Reed | subscribers_create
add a customer Nina Park nina@example.com | subscribers_create | Name=Nina Park, Email=nina@example.com | numbers_status
give 0110 to ben | numbers_update | AssignedSubscriberId=ben | numbers_data_usage_set message_outbound
assign 2015550110 to Ava Stone | numbers_update | Number=+12015550110, AssignedSubscriberId=Ava Stone
which plan is 2015550101 on | account_packages_get/account_subscriptions_get/numbers_lookup |  | subscriptions_create subscriptions_delete
put 2015550101 on the starter plan | subscriptions_create/subscriptions_update | PackageId=starter | numbers_status numbers_cancel
move ava to the starter plan | subscriptions_update/subscriptions_create | PackageId=starter | numbers_portin
turn off guardian for ben | subscribers_guardian_features_set | SubscriberId=ben | numbers_cancel
is guardian on for ava? | subscribers_guardian_features_get/numbers_find |  | subscribers_guardian_features_set
allow 3125550144 to call ava | subscribers_call_filter_allowed_numbers_add | Numbers=+13125550144 | _remove
don't allow 3125550144 any more for ava | subscribers_call_filter_allowed_numbers_remove | Numbers=+13125550144 | _add
show ben's text filter | subscribers_message_filter_get/numbers_find |  | _delete _create
delete the call filter of ben | subscribers_call_filter_delete |  | _create
ben can't call anybody | numbers_diagnose |  | subscribers_call_filter_delete
no texts reach 0104 since monday | numbers_diagnose |  | message_outbound
why is 2015550104 offline | numbers_diagnose
her data is super slow 2015550105 | numbers_diagnose | About=data | numbers_data_usage_set
what happened on 2015550103 since friday | events_since |  | numbers_cancel
anything from the night shift? | events_since/help
show me the last messages of ava | message_search_get/numbers_find |  | message_outbound
what did 0104 write to us yesterday | message_search_get/events_since/numbers_find |  | message_outbound
how many lines do we have | numbers_inventory_get/numbers_find |  | numbers_provision
give me a list of all numbers without subscriber | numbers_inventory_get/numbers_find |  | subscribers_create numbers_provision
any free numbers in area code 646 | numbers_availability | AreaCode=646 | numbers_provision
new number for ben in 646 | numbers_provision | AreaCode=646 | numbers_update
refund ava | help/numbers_find/numbers_lookup |  | message_outbound numbers_cancel
can you unlock ben's phone | help/numbers_find/numbers_lookup |  | subscribers_call_filter_blocked_numbers_remove numbers_cancel
we lost the customer | help/numbers_find |  | numbers_update numbers_cancel
is it possible to pause a line | help/numbers_lookup |  | numbers_cancel
what does parking cost | help
should i swap the sim or replace the number of 0101 | help/numbers_find/numbers_lookup |  | numbers_cancel
eva ston | numbers_find | Query=eva ston
who has 0104 | numbers_find | Query=0104
the account of globex | numbers_find/distributor_accounts_get/help |  | account_create account_update
ava wants 5551230199 gone from her blocked callers, 3125550199 | subscribers_call_filter_blocked_numbers_remove/help/numbers_find/subscribers_call_filter_get |  | _add numbers_cancel
quit blocking +13125550188 on 0102 | subscribers_call_filter_blocked_numbers_remove | Numbers=+13125550188, SubscriberId=0102 | _add
ben should be able to get calls from +13125550188 again, unblock it | subscribers_call_filter_blocked_numbers_remove |  | _add
undo the block for +13125550188 | subscribers_call_filter_blocked_numbers_remove |  | _add
no longer block texts from +13125550188 for ava | subscribers_message_filter_blocked_contacts_remove |  | _add
never block +13125550188 | help/numbers_lookup |  | _add _remove
why is +13125550188 blocked for ben | subscribers_call_filter_get/numbers_find/numbers_lookup/numbers_diagnose |  | _add _remove
don't suspend 0101 | numbers_lookup/numbers_find/help |  | numbers_status
resume service on 0106 please | numbers_status | StatusChange=activate | numbers_cancel
reopen line 0106, she is back from travelling | numbers_status/numbers_reactivate/numbers_find |  | numbers_cancel
cancel the suspension of 0106 | numbers_status/numbers_find |  | numbers_cancel
freeze 0102 starting 12/24 | numbers_status | StatusChange=park, EffectiveDate=12/24/2026 | numbers_cancel
pause ava's phone over christmas, from Dec 20 until Jan 3 | numbers_status | StatusChange=park, EffectiveDate=12/20/2026 | numbers_cancel
put 0104 back in service | numbers_status/numbers_reactivate/numbers_find |  | numbers_cancel
the port-in failed again | numbers_order_get/help/numbers_diagnose |  | numbers_portin numbers_portin_cancel
what is holding up the port of 3125550111 | numbers_order_get/numbers_lookup |  | numbers_portin numbers_status
is there a port open for 3125550111 | numbers_order_get/numbers_lookup |  | numbers_portin
t-mobile bounced the port for ben, wrong account number | numbers_order_get/numbers_find/numbers_portin_update/numbers_lookup |  | numbers_portin
escalate the port of 3125550111 | numbers_order_get/numbers_lookup/help |  | numbers_portin numbers_portin_cancel
when will 3125550111 be ported | numbers_order_get/numbers_lookup |  | numbers_portin
push ORDER back to December 15 | numbers_portin_update/numbers_order_get |  | numbers_portin numbers_portin_cancel numbers_reactivate
let's bring over 6465550188 from verizon | numbers_portin | PortInNumber=+16465550188 | numbers_portout
replace the sim card of 2015550104 | numbers_update/numbers_status |  | numbers_provision
ben lost his phone with the sim | numbers_update/numbers_status/numbers_find/numbers_diagnose |  | numbers_provision numbers_cancel
order a sim for ava | numbers_update/numbers_status/numbers_provision/help/numbers_find |  | numbers_portin_cancel
esim swap for 0105 | numbers_update/numbers_status |  | numbers_provision
create a new plan for families | packages_create |  | subscriptions_create
rename the starter package to Basic | packages_update | PackageId=starter | subscriptions_update
subscribe 0104 to starter | subscriptions_create |  | numbers_cancel
give ben the starter plan | subscriptions_create | PackageId=starter, SubscriberId=ben | packages_create
what plans are there | account_packages_get |  | subscriptions_create
ava is paying for which package? | account_packages_get/account_subscriptions_get/numbers_find |  | subscriptions_create
message ava: please restart your phone | message_outbound | Body=please restart your phone | numbers_status
tell ben his sim is on the way | message_outbound/numbers_find |  | numbers_update numbers_provision
remind 0104 that the bill is due friday | message_outbound | Body=the bill is due friday | events_since
text +12015550104 "hello" from 0101 | message_outbound | To=+12015550104, From=0101, Body=hello
did ava get our text yesterday | message_search_get/numbers_find/events_since |  | message_outbound
has ben answered our sms | message_search_get/numbers_find |  | message_outbound
who confirmed the new limit for 0101 | events_since/numbers_lookup/numbers_find/numbers_data_usage_settings |  | numbers_data_usage_set
who sent a text to 0104 | message_search_get/events_since/numbers_find |  | message_outbound
what changed on ben's line since monday | events_since |  | numbers_update subscribers_update
show me what was done for ava today | events_since/numbers_find
what did we spend on acme this month | events_since/numbers_find | Only=charges | numbers_data_usage_info
how much money went out yesterday | events_since
what did that cancellation cost us | events_since/help |  | numbers_cancel
bump ava up to 10 gb | numbers_data_usage_set | LimitValue=10240 | numbers_data_usage_info
0103 should get 3 gb from now on | numbers_data_usage_set/numbers_find |  | message_outbound
throttle 2015550103 to 512 kbps after 4 gb | numbers_data_usage_set | ThrottleSpeed=512-kbps | numbers_status
remove the data limit from 0103 | numbers_data_usage_set/numbers_data_usage_settings/numbers_find/help |  | numbers_cancel
how much data did ava burn this week | numbers_data_usage_info/numbers_find |  | numbers_data_usage_set
who used the most data | numbers_data_usage_info/numbers_find/help |  | numbers_data_usage_set
which lines are over 5 gb | numbers_find/numbers_data_usage_info/help |  | numbers_data_usage_set
ava moved, her new address is 12 Main St | account_update/numbers_find/help |  | numbers_provision numbers_update
ben changed his name to Benjamin Ortiz | subscribers_update/numbers_find |  | subscribers_create
update the email of ava | subscribers_update/numbers_find |  | subscribers_create
register a subscriber named Lou Reed for acme | subscribers_create | Name=Lou Reed
hand 0110 over to ben | numbers_update | AssignedSubscriberId=ben | numbers_portin numbers_cancel
unassign 0104 | numbers_update/help/numbers_find |  | numbers_cancel
delete subscriber ben | help/numbers_find/subscribers_update |  | numbers_cancel
remove ava's webhook | webhook_delete/account_webhooks_get |  | numbers_cancel
stop sending events to our webhook | webhook_delete/webhook_update/account_webhooks_get |  | webhook_create message_outbound
show me all message routes | account_message_routes_get |  | message_routes_delete
set up a voice route to our pbx | voice_routes_create |  | voice_routes_delete
disable parental control for ben | subscribers_guardian_features_set | SubscriberId=ben, EnableIntelligentGuardianCalls=false, EnableIntelligentGuardianMessages=false | numbers_cancel
switch on guardian calls only for ava | subscribers_guardian_features_set | SubscriberId=ava, EnableIntelligentGuardianCalls=true | subscribers_guardian_features_get
stop forwarding calls from +12015550101 | numbers_lookup |  | numbers_cancel message_outbound
cancel my request to cancel +12015550107 | numbers_lookup |  | numbers_cancel
turn on call filtering for 0101 | subscribers_call_filter_create/subscribers_guardian_features_set/subscribers_call_filter_update/subscribers_call_filter_get |  | subscribers_call_filter_delete
turn off the message filter of ava | subscribers_message_filter_delete/subscribers_message_filter_update |  | subscribers_message_filter_create
whitelist 3125550144 for ava's texts | subscribers_message_filter_allowed_contacts_add | Contacts=+13125550144 | _remove
take 3125550144 off the allow list of ava | subscribers_call_filter_allowed_numbers_remove |  | _add
who can call ava | subscribers_call_filter_get/numbers_find |  | _add _remove
ava doesn't get any texts | numbers_diagnose |  | message_outbound
calls from 0104 don't go out | numbers_diagnose
mobile data dead since noon on 2015550105 | numbers_diagnose |  | numbers_data_usage_set
ben hears nothing when he calls | numbers_diagnose/numbers_find |  | message_outbound
what is wrong with ava's line | numbers_diagnose/numbers_find
activate the new sim for 0104 | numbers_update/numbers_status/numbers_find |  | numbers_provision
please cancel nothing | help |  | numbers_cancel
she does not want to cancel 0103 after all | numbers_lookup/numbers_find/help |  | numbers_cancel
do not reactivate 0107 | numbers_lookup/numbers_find/help |  | numbers_reactivate
i was asked whether we can cancel 0103 at no cost | help/numbers_lookup/numbers_find
customer says her line was cancelled without asking | help/numbers_find/numbers_lookup/numbers_reactivate |  | numbers_cancel
cancel all lines of globex | numbers_cancel/numbers_find |  | account_update
terminate ben's sim contract by end of year | numbers_cancel |  | subscriptions_delete
drop the roaming feature from ava's subscription | subscriptions_features_assignments_delete |  | subscriptions_delete numbers_cancel
add roaming to ava's line | subscriptions_features_assignments_add/help/numbers_find |  | subscribers_create numbers_provision
need a number in 212 for acme | numbers_provision/numbers_availability |  | numbers_portin
are there numbers in 415 | numbers_availability/numbers_inventory_get/numbers_find |  | numbers_provision
give me 0104's port out pin | numbers_portout |  | numbers_portin
is 6465550188 portable | numbers_portin_eligibility |  | numbers_portin
can we take over 6465550188 | numbers_portin_eligibility/help/numbers_portin/numbers_lookup |  | numbers_portout
hello, I need help | help
order lunch | help |  | numbers_portin_cancel numbers_provision
approve it | help |  | numbers_cancel
good morning, anything urgent? | help/events_since
watch 0102 and tell me at 80% | numbers_watch |  | message_outbound
stop the alerts for 0101 | numbers_watch | Stop=true | numbers_cancel
pls un-park 0106 | numbers_status/numbers_find |  | numbers_cancel numbers_reactivate
I don't want 0103 parked any more | numbers_status | StatusChange=activate | numbers_cancel
please stop the service pause on 0106 | numbers_status | StatusChange=activate | numbers_cancel
ben got a new phone, swap his sim | numbers_update/numbers_status |  | numbers_provision
sim in 2015550104 is broken, send a new one | numbers_update/numbers_status/numbers_diagnose |  | numbers_provision message_outbound
what is the status of 3125550111's port? | numbers_order_get/numbers_lookup |  | numbers_portin
port for ava was declined because of the pin | numbers_order_get/numbers_portin_update/numbers_find/numbers_lookup |  | numbers_portin numbers_portout
any rejected orders today? | numbers_order_get/events_since |  | numbers_portin numbers_portin_cancel
we want to port 6465550188 from AT&T | numbers_portin | PortInNumber=+16465550188 | numbers_portout
withdraw the port request of 3125550111 | numbers_portin_cancel |  | numbers_cancel numbers_portin
do not withdraw ORDER | help/numbers_order_get/numbers_lookup |  | numbers_portin_cancel
resend the port ORDER with the right account number | numbers_portin_update/numbers_order_get |  | numbers_portin message_outbound
correct the carrier name of ORDER | numbers_portin_update | OrderId=ORDER | numbers_portin
let ben know his line is active again | message_outbound/numbers_find |  | numbers_status numbers_reactivate
send ava a message that we are closed tomorrow | message_outbound | Body=we are closed tomorrow | numbers_cancel
write to 0104: thanks for waiting | message_outbound | Body=thanks for waiting
text everybody about the outage | message_outbound/help |  | numbers_cancel
read ava's messages from last week | message_search_get/numbers_find |  | message_outbound
why did my text to 0104 not arrive | numbers_diagnose/message_search_get/numbers_find |  | message_outbound
block this spammer 3125550177 on ava's phone | subscribers_call_filter_blocked_numbers_add | Numbers=+13125550177, SubscriberId=ava | _remove
ava is getting spam calls from 3125550177 | subscribers_call_filter_blocked_numbers_add/subscribers_call_filter_get/numbers_find/numbers_diagnose/numbers_lookup |  | _remove
should we block 3125550177? | help/numbers_lookup |  | _remove
take the filter off ben's texts | subscribers_message_filter_delete |  | _create _add
ben wants to receive texts from 3125550177 again | subscribers_message_filter_blocked_contacts_remove/help/numbers_find/subscribers_message_filter_allowed_contacts_add/numbers_lookup/numbers_diagnose |  | message_outbound
what filters does 0101 have | subscribers_call_filter_get/numbers_find |  | _create _delete
don't delete ava's filter | subscribers_call_filter_get/numbers_find/help |  | _delete
make 0101 unlimited | numbers_data_usage_set/help/numbers_find |  | numbers_cancel
give ava an extra gb | numbers_data_usage_set |  | message_outbound numbers_provision
is ava out of data | numbers_data_usage_info/numbers_find/numbers_diagnose |  | numbers_data_usage_set
how many mb are left on 0104 | numbers_find |  | numbers_data_usage_set
slow 0104 down to 128 kbps at 1gb | numbers_data_usage_set | ThrottleSpeed=128-kbps, ThrottleValue=1024 | numbers_cancel
what is ava's limit | numbers_data_usage_settings/numbers_find |  | numbers_data_usage_set
suspend globex until they pay | numbers_status/numbers_find | StatusChange=park | numbers_cancel
deactivate 0104 on Dec 31 | numbers_cancel
cancel 2015550103 tomorrow | numbers_cancel | PhoneNumbers=+12015550103
cancel 0104 and 0105 | numbers_cancel | PhoneNumbers=0104+0105
cancel the watch on 0104 | numbers_watch | Stop=true | numbers_cancel
cancel ben's call filter | subscribers_call_filter_delete |  | numbers_cancel
cancel the message to ava | help/numbers_find/message_search_get |  | numbers_cancel message_outbound
cancel the webhook for orders | webhook_delete |  | numbers_portin_cancel numbers_cancel
ben asked for a cancellation quote | help/numbers_find |  | numbers_cancel
ava is thinking about cancelling | help/numbers_find |  | numbers_cancel
why does ava want to cancel | help/numbers_find |  | numbers_cancel
customer changed her mind about cancelling 0103 | help/numbers_find |  | numbers_cancel
who is allowed to cancel lines | help/numbers_find/subscribers_call_filter_get
tell me the price of a reactivation | help/numbers_reactivate
new customer: Maria Lopez, maria@lopez.org | subscribers_create | Email=maria@lopez.org | message_outbound
set ben's role to account admin | subscribers_update | SubscriberId=ben | account_update
reset ava's password | subscribers_update | SubscriberId=ava | subscribers_create
change the billing address of acme | account_update |  | webhook_update
open an account for Initech | account_create/help |  | numbers_provision
list the subscribers of acme | distributor_subscribers_get/numbers_find |  | subscribers_create
assign 0110 to Ava | numbers_update | AssignedSubscriberId=Ava | numbers_portin
whose number is 0105 | numbers_find
change the route of 0104 | numbers_update/message_routes_update/voice_routes_update |  | _delete
what routes does 0104 use | account_voice_routes_get/numbers_find/account_message_routes_get |  | _delete
downgrade ava to the starter plan | subscriptions_update/subscriptions_create/numbers_find/account_packages_get |  | subscriptions_delete packages_update
remove 0104 from its plan | subscriptions_delete |  | numbers_cancel packages_delete
raise the price of the starter plan to 12 | packages_update |  | numbers_data_usage_set
what's in the starter plan | packages_items_get/account_packages_get |  | packages_create
put the esim product into the starter package | packages_items_add |  | subscriptions_create
please lift ava's call block for 3125550166 | subscribers_call_filter_blocked_numbers_remove | Numbers=+13125550166 | _add
3125550166 should no longer be blocked for ben | subscribers_call_filter_blocked_numbers_remove | Numbers=+13125550166 | _add
why did you block 3125550166 | subscribers_call_filter_get/numbers_lookup/help/events_since |  | _add _remove
dont block anyone for ava | help/numbers_find |  | _add
stop the data watch of 0102 | numbers_watch | Stop=true | numbers_cancel numbers_data_usage_set
the port was bounced by sprint | numbers_order_get/help |  | numbers_portin
is my port request through? | numbers_order_get/help |  | numbers_portin numbers_portin_cancel
abort porting 3125550111 | numbers_portin_cancel/numbers_order_get/numbers_lookup |  | numbers_portin numbers_cancel
ben's esim is damaged, he needs a fresh one | numbers_update/numbers_status/numbers_find/numbers_diagnose |  | numbers_provision
ship another sim to ava | numbers_update/numbers_status/numbers_find/help |  | numbers_provision message_outbound
build a new bundle | packages_create/help |  | subscriptions_create
tell 0105 we will call back at noon | message_outbound |  | numbers_cancel
inform +12015550102 that her port is done | message_outbound | To=+12015550102, Body=her port is done | numbers_portin
who authorised cancelling 0103 | events_since/numbers_find/numbers_lookup/help |  | numbers_cancel
who put 0103 on hold | events_since/numbers_find/numbers_lookup/help |  | numbers_status
total spend today | events_since | Only=charges | numbers_data_usage_info
how high were our costs this week | events_since/help |  | numbers_data_usage_info numbers_data_usage_set
hold 0104 until Feb 2 | numbers_status | StatusChange=park | numbers_cancel
wake 0104 up again tomorrow | numbers_status/numbers_find/numbers_reactivate |  | numbers_cancel
cancel the hold on 0104 | numbers_status | StatusChange=activate | numbers_cancel
cut ben's data to 200 mb | numbers_data_usage_set | LimitValue=200 | numbers_cancel
up the cap on 0102 to 6gb please | numbers_data_usage_set | LimitValue=6144 | numbers_cancel
remove ava's throttle | numbers_data_usage_set/numbers_data_usage_settings/numbers_find/help |  | numbers_cancel
transfer 0110 to ben | numbers_update | AssignedSubscriberId=ben | numbers_portin numbers_portout numbers_cancel
ben is moving to verizon, give him his pin | numbers_portout/numbers_find/help |  | numbers_portin numbers_cancel
end ava's plan | subscriptions_delete |  | numbers_cancel
switch ava to the starter plan | subscriptions_update | PackageId=starter | numbers_cancel
we do not want ava's number cancelled | help/numbers_find |  | numbers_cancel
was 0103 cancelled by mistake? | numbers_find/numbers_lookup/events_since |  | numbers_cancel numbers_reactivate
should 0103 be reactivated? | help/numbers_find/numbers_lookup |  | numbers_cancel
delete my last message to ben | help/numbers_find/message_search_get |  | numbers_cancel message_outbound
close ticket 4411 | help/numbers_find |  | numbers_cancel
delete acme | help/numbers_find |  | numbers_cancel account_update
remove the product DATA-05 | products_delete |  | packages_delete numbers_cancel
where do our webhooks point to | account_webhooks_get |  | webhook_update
make the webhook send order events too | webhook_update/account_webhooks_get/help |  | message_outbound webhook_delete
ava cannot text 3125550144 | numbers_diagnose |  | message_outbound
calls keep dropping on 0105 | numbers_diagnose
set caller name of 0101 to Acme Sales | numbers_update | CnamFirstName=Acme, CnamLastName=Sales, Query=0101
change the caller id of ava to ACME | numbers_update | CnamFirstName=ACME, Query=ava
turn off the porn filter for ben | subscribers_message_filter_update |  | subscribers_call_filter_delete subscribers_message_filter_delete
port 312 555 0190 from Verizon for ava | numbers_portin | PortInNumber=+13125550190, AssignedSubscriberId=ava
what did we spend last month | events_since | Only=charges, Since=30d | numbers_data_usage_info
slow 0105 down to 128 kbps after 5 gb | numbers_data_usage_set | ThrottleValue=5120, ThrottleSpeed=128-kbps, Query=0105 | numbers_diagnose
list all cancelled numbers | numbers_find | Status=Cancelled - Pending Delete | numbers_cancel
cancel the port-in of 3125550190 | numbers_portin_cancel | OrderId=+13125550190 | numbers_cancel
rename subscriber ben reed to ben read | subscribers_update | SubscriberId=ben reed, Name=ben read
record the calls of ben | subscribers_call_filter_update/subscribers_call_filter_get |  | _add
stop recording ben's calls | subscribers_call_filter_update/subscribers_call_filter_get |  | _add _delete
move ava to the family plan | subscriptions_update | SubscriptionId=ava, PackageId=family | subscriptions_delete
end ava's subscription | subscriptions_delete | SubscriptionId=ava | numbers_cancel
switch 0103 to a physical sim | numbers_update/numbers_status | Query=0103 | numbers_provision
leave 0103 | numbers_find/numbers_lookup/help | | numbers_portout numbers_cancel
please leave 0103 active | numbers_find/numbers_lookup/help | | numbers_portout numbers_cancel
ava wants to leave us, what now | numbers_portout | Query=ava | numbers_cancel
my pin is [secret removed], port 0101 out | numbers_portout | Query=0101 | numbers_portin
never mind | help | | oauth2_tokens
has ava got a limit | numbers_data_usage_settings/numbers_find |  | numbers_data_usage_set
`;

/** The requests of a table in the notation above. */
export function requestsIn(lines: string): Request[] {
  return lines
    .trim()
    .replaceAll('ORDER', ORDER)
    .split('\n')
    .map((line) => {
      const [says = '', operations = '', fills = '', never = ''] = line.split('|').map((part) => part.trim());
      const pairs = fills
        .split(', ')
        .filter(Boolean)
        .map((pair) => pair.split('='));
      return {
        says,
        operations: operations.split('/'),
        fills: Object.fromEntries(pairs),
        never: never.split(' ').filter(Boolean),
      };
    });
}

export const requests: readonly Request[] = requestsIn(LINES);
