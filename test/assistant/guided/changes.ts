import { type Detailed, detailedIn } from './details.ts';

/*
 * Changes as support people ask for them: over lists of numbers, of plans, with the reason beside them. In the notation of
 * `details.ts`; "⏎" is the end of a line.
 */

const LISTS = `
put 0101, 0102 and 0103 on hold | numbers_status | StatusChange=park, PhoneNumbers=0101+0102+0103 | numbers_cancel numbers_update |
put 0101, 0103 on pause | numbers_status | StatusChange=park, PhoneNumbers=0101+0103 | numbers_cancel numbers_update |
take 0101, 0103 and 0104 off hold | numbers_status | StatusChange=activate, PhoneNumbers=0101+0103+0104 | numbers_cancel |
move 0101, 0102 and 0106 to the Starter package | subscriptions_update | PackageId=Starter | numbers_update | for each of 0101, 0102, 0106
put 0101, 0103 on Starter package | subscriptions_create | PackageId=Starter | numbers_update | for each of 0101, 0103
switch 0101, 0103 to the Family plan | subscriptions_update | PackageId=Family | numbers_update | for each of 0101, 0103
cancel these 2015550101 2015550103 | numbers_cancel | PhoneNumbers=+12015550101++12015550103 | |
cancel 2015550101, 2015550103 | numbers_cancel | PhoneNumbers=+12015550101++12015550103 | |
activate all of these:⏎2015550101⏎2015550103⏎2015550104 | numbers_status | StatusChange=activate, PhoneNumbers=+12015550101++12015550103++12015550104 | numbers_cancel |
please park⏎0101⏎0103 | numbers_status | StatusChange=park, PhoneNumbers=0101+0103 | numbers_cancel |
cancel all three: 0103, 0104, 0105 | numbers_cancel | PhoneNumbers=0103+0104+0105 | |
block 9175550123 9175550124 for Ava | subscribers_call_filter_blocked_numbers_add | SubscriberId=Ava, Numbers=+19175550123++19175550124 | _remove |
park 0103, 0104 is fine | numbers_status | PhoneNumbers=undefined | numbers_cancel | which of the numbers are meant is unclear
cancel 0103 and 0104 and text both of them goodbye | help | | | several changes
`;

const PLANS = `
put 0103 on Starter | subscriptions_create | PackageId=Starter, Query=0103 | numbers_update |
switch 0101 to starter | subscriptions_update | PackageId=starter, SubscriptionId=0101 | numbers_update |
upgrade 0101 to Traveler Max please | subscriptions_update | PackageId=Traveler Max, SubscriptionId=0101 | numbers_update |
0101 and 0102 should get the Starter plan | subscriptions_create | PackageId=Starter | packages_update numbers_data_usage_set | for each of 0101, 0102
0103 should go to Family please | subscriptions_create | PackageId=Family, Query=0103 | numbers_update |
ben reed needs the family package | subscriptions_create | PackageId=family, SubscriberId=ben reed | packages_create |
change the plan of 0101 to starter | subscriptions_update | PackageId=starter, SubscriptionId=0101 | numbers_update |
move ben to family | subscriptions_update | PackageId=family, SubscriptionId=ben | numbers_update |
give 0101 Starter | subscriptions_create | PackageId=Starter, Query=0101 | numbers_update numbers_data_usage_set |
take ben off starter | subscriptions_delete | SubscriptionId=ben | packages_delete numbers_cancel |
don't put 0103 on Starter | numbers_find | Query=0103 | subscriptions_create numbers_update | you said not to
Ava doesn't want the Starter plan any more | subscriptions_delete | SubscriptionId=Ava | subscriptions_create |
move 0110 to Ben Reed | numbers_update | AssignedSubscriberId=Ben Reed | subscriptions_update |
why can't 0110 make calls => ok give it to Ben Reed then | numbers_update | AssignedSubscriberId=Ben Reed, Query=0110 | | “it” is read as 0110
0103 => Ben Reed called, cancel it | numbers_cancel | Query=Ben Reed | | 
`;

const CHATTY = `
pls suspnd 0103 the guy lost his fone | numbers_status | StatusChange=park, Query=0103 | numbers_cancel |
hold 0103 lost phone | numbers_status | StatusChange=park, Query=0103 | numbers_cancel |
suspend 0103 phone stolen | numbers_status | StatusChange=park, Query=0103 | numbers_cancel |
suspend 2015550103 customer hasnt paid | numbers_status | StatusChange=park, PhoneNumbers=+12015550103 | numbers_cancel |
put 0103 on hold customer lost the phone | numbers_status | StatusChange=park, Query=0103 | numbers_cancel |
cancel 0105 customer is not happy | numbers_cancel | Query=0105 | |
cancel 0103 she is not sure | numbers_find | Query=0103 | numbers_cancel | you asked about
cancel 0103 he said no | numbers_find | Query=0103 | numbers_cancel |
block 9175550123 for ava he keeps calling her | subscribers_call_filter_blocked_numbers_add | SubscriberId=ava, Numbers=+19175550123 | _remove |
ok weird one, ben reed says he gets spam from 8005551212 all nite, can we block it | subscribers_call_filter_blocked_numbers_add | SubscriberId=ben reed, Numbers=+18005551212 | _remove |
ava stone keeps getting calls from 8005551212, please block them | subscribers_call_filter_blocked_numbers_add | SubscriberId=ava stone, Numbers=+18005551212 | _remove |
please don't block 9175550123, allow it | subscribers_call_filter_allowed_numbers_add | Numbers=+19175550123 | subscribers_call_filter_blocked_numbers_add |
don't block 9175550123 for Ava, allow it | subscribers_call_filter_allowed_numbers_add | SubscriberId=Ava | subscribers_call_filter_blocked_numbers_add |
block 9175550123 for Ava => and for Ben too | subscribers_call_filter_blocked_numbers_add | SubscriberId=Ben, Numbers=+19175550123 | _remove | like the message before
block 9175550123 for Ava => and for 0102 | subscribers_call_filter_blocked_numbers_add | SubscriberId=0102, Numbers=+19175550123 | _remove | like the message before
`;

const PORTS = `
account number on the port for 3125550111 was wrong, should be 998877 | numbers_portin_update | OrderId=+13125550111, CurrentAccountNumber=998877 | numbers_portin |
wrong account number on 3125550111's port, correct one is 998877 | numbers_portin_update | OrderId=+13125550111, CurrentAccountNumber=998877 | numbers_portin |
the zip on the port of 3125550111 was wrong, should be 07030 | numbers_portin_update | OrderId=+13125550111, CurrentBillingAddress=07030 | numbers_portin |
actually forget the port of 3125550111, customer stays with his old carrier | numbers_portin_cancel | OrderId=+13125550111 | numbers_cancel numbers_portin |
scrap that transfer of 3125550111 | numbers_portin_cancel | OrderId=+13125550111 | numbers_cancel |
customer changed his mind, stop the port of 3125550111 | numbers_portin_cancel | OrderId=+13125550111 | numbers_cancel |
cancel 0103, she changed her mind | numbers_cancel | Query=0103 | |
cancel 0103, but she changed her mind | numbers_find | Query=0103 | numbers_cancel | takes it back
cud u chek if 6465550190 can be portd to us | numbers_portin_eligibility | PhoneNumber=+16465550190 | numbers_portin |
port in 3125550178 => account number is 445566 and the pin is 9911 | numbers_portin | PortInNumber=+13125550178, CurrentAccountNumber=445566, CurrentAccountPassword=undefined | numbers_find | the PIN (a secret
port in 3125550178 => carrier is Verizon, account 445566 | numbers_portin | CurrentCarrierName=Verizon, CurrentAccountNumber=445566 | | it goes on with
port 3125550178 in => how is the port doing | numbers_order_get | | numbers_portin |
customer is leaving to T-Mobile and needs a transfer pin for 0102 | numbers_portout | Query=0102 | numbers_portin numbers_cancel |
`;

const OTHERS = `
need the caler id name off on 2015550105, she dosnt want it shown | numbers_lookup | PhoneNumber=+12015550105 | numbers_update | no way to remove a caller name
remove the caller name of 0105 | numbers_find | Query=0105 | numbers_update numbers_cancel | no way to remove a caller name
set the caller name of 0105 to Acme Sales | numbers_update | CnamFirstName=Acme, CnamLastName=Sales | |
new line in New Jersey | numbers_provision | AssignedSubscriberId=undefined | | area code of New Jersey
new line for Ben in Texas please | numbers_provision | AssignedSubscriberId=Ben | | area code of Texas
we need a new number for a customer in New Jersey | numbers_provision | | subscribers_create | area code of New Jersey
so the webhook for new messages points to the old server, it needs to be https://hooks.acme.example/sms now | webhook_update | WebhookUrl=https://hooks.acme.example/sms | webhook_create |
our webhook is wrong, it has to be https://hooks.acme.example/sms | webhook_update | WebhookUrl=https://hooks.acme.example/sms | webhook_create |
we need a webhook at https://hooks.acme.example/sms | webhook_create | WebhookUrl=https://hooks.acme.example/sms | webhook_update |
switch 0103 to a new number | numbers_status | PhoneNumbers=0103, StatusChange=undefined | numbers_provision numbers_cancel |
top up 0103 | numbers_data_usage_set | Query=0103 | |
slow 0103 down | numbers_data_usage_set | Query=0103 | numbers_diagnose |
do a sim swap for 0101 | numbers_update | Query=0101 | numbers_provision |
need a cancellation for 0105 | numbers_cancel | Query=0105 | |
suspension for 0103 please | numbers_status | StatusChange=park, Query=0103 | numbers_cancel |
activation of 0103 please | numbers_status | StatusChange=activate, Query=0103 | numbers_cancel |
reconnect 0107 | numbers_reactivate | Query=0107 | numbers_cancel |
no cancellation for 0105 please | numbers_find/help | | numbers_cancel |
the cancellation of 0105 was wrong | numbers_find/numbers_diagnose/help | | numbers_cancel |
`;

const REASONS = `
reactivate 0107, customer changed his mind | numbers_reactivate | Query=0107 | |
hold 0103, customer changed his mind about travelling | numbers_status | StatusChange=park, Query=0103 | |
reactivate 0108 plz customer changed his mind | numbers_reactivate | Query=0108 | |
unblock 2065550199 for ava, she changed her mind | subscribers_call_filter_blocked_numbers_remove | SubscriberId=ava | |
cancel 0105, i changed my mind | numbers_find | Query=0105 | numbers_cancel | takes it back
cancel 0105, actually he changed his mind | numbers_find | Query=0105 | numbers_cancel | takes it back
reactivate 0107 if it's not too late | numbers_reactivate | Query=0107 | |
cancel the cancelation of 0107 if you still can | numbers_reactivate | Query=0107 | numbers_cancel |
schedule a hold on 0103 for monday | numbers_status | StatusChange=park, Query=0103 | |
process the cancellation of 0110 please | numbers_cancel | Query=0110 | |
can we do the cancellation of 0110 today? | numbers_cancel | Query=0110 | |
did you do the cancellation of 0110 | numbers_find | Query=0110 | numbers_cancel |
stop the texts of 0104 | numbers_update | MessageEnabled=false, Query=0104 | subscribers_message_filter_blocked_contacts_add |
dont cancel 0104, only stop its texts | numbers_update | MessageEnabled=false, Query=0104 | numbers_cancel |
stop all calls for 0105 | numbers_update | VoiceEnabled=false, Query=0105 | |
stop texts from 2065550199 on 0104 | subscribers_message_filter_blocked_contacts_add | SubscriberId=0104 | numbers_update |
give 0110 to the globex subscriber | numbers_update | AssignedSubscriberId=globex, Query=0110 | |
assign 0110 to the acme mobile account | numbers_find | Query=0110 | numbers_update | stays in its account
rename acme mobile to Acme Wireless Inc | account_update | AccountId=acme mobile, AccountName=Acme Wireless Inc | numbers_update |
rename ava stone to Ava Brook | subscribers_update | SubscriberId=ava stone, Name=Ava Brook | account_update |
globex changed their email to billing@globex.example | subscribers_update | SubscriberId=globex | | cannot change the e-mail
change ava stones email to ava@example.com and her zip to 60614 | subscribers_update | SubscriberId=ava stone | | Not taken: 60614
customer upgraded to iphone 17, EID 89049032000001000000012345678901, number 0105 | numbers_update | Query=0105 | | ICCID of the new SIM
the zip on the port of 3125550111 should be 60615 not 60614 | numbers_portin_update | OrderId=+13125550111, CurrentBillingAddress=60615 | | not 60614
can we port 4155552391 to us at all | numbers_portin_eligibility | PhoneNumber=+14155552391 | numbers_portin |
can you port 4155552391 to us | numbers_portin | PortInNumber=+14155552391 | |
give me 3 new lines in 312 for Acme Mobile, mvno | numbers_provision | AreaCode=312, NumberType=mvno | |
new sim line for ben | numbers_provision | AssignedSubscriberId=ben | numbers_update |
let globex know by sms that their bill is ready | message_outbound | Body=their bill is ready, Query=globex | |
let 0103 know the bill is ready, by text | message_outbound | Body=the bill is ready, Query=0103 | |
tell 0103 that you can reach us by sms | message_outbound | Body=you can reach us by sms, Query=0103 | |
tell ben his number goes to ava now | message_outbound | Body=his number goes to ava now, Query=ben | numbers_update |
suspend 0103 and text him that he's on hold | numbers_status | Query=0103, StatusChange=park | | confirm it when the change is done
put 0110 on Ava Stone and activate it | numbers_find | Query=0110 | | one by one
retry the failed texts | help | | numbers_portin_update | a second time
hold 0103, actually the customer changed his mind | numbers_find | Query=0103 | numbers_status | takes it back
revoke the hold on 0104, customer paid | numbers_status | StatusChange=activate, Query=0104 | |
rename starter to Basic | packages_update | PackageId=starter, PackageName=Basic | subscribers_update |
ben reed has a new email ben.reed@globex.example | subscribers_update | SubscriberId=ben reed | | cannot change the e-mail
ava stone is now called ava brooks | subscribers_update | SubscriberId=ava stone, Name=ava brooks | |
zip for 3125550111 port needs to be 60615 | numbers_portin_update | OrderId=+13125550111, CurrentBillingAddress=60615 | |
can i bring my number 6465550133 to you? | numbers_portin_eligibility | PhoneNumber=+16465550133 | numbers_portin |
take 0102 off | numbers_find | Query=0102 | numbers_cancel | is not said
take 0102 off hold please | numbers_status | StatusChange=activate, Query=0102 | |
change her area code to 312? 0103 | numbers_status | PhoneNumbers=0103, AreaCode=312 | numbers_provision numbers_cancel |
`;

const SWITCHED_OFF = `
turn off 0101 | numbers_find | Query=0101 | | for now or for good
switch ava's line off pls | numbers_find | Query=ava | | for now or for good
turn off 0101 phone was stolen | numbers_status | StatusChange=park, Query=0101 | numbers_cancel |
switch off 0104 for a while | numbers_status | StatusChange=park, Query=0104 | numbers_cancel | does not end by itself
turn 0103 off until friday | numbers_status | StatusChange=park, Query=0103 | numbers_cancel |
shut off 0105 she is travelling | numbers_status | StatusChange=park, Query=0105 | numbers_cancel |
phone lost, disable 0101 until she finds it | numbers_status | StatusChange=park, Query=0101 | numbers_cancel |
can u turn 0104 off just for tonight | numbers_status | StatusChange=park, Query=0104 | numbers_cancel |
turn off 2015550104 for good, customer is leaving us | numbers_cancel | PhoneNumbers=+12015550104 | |
turn off texts for 0104 | numbers_update | MessageEnabled=false, Query=0104 | numbers_cancel |
don't turn off 0101 | numbers_find | Query=0101 | numbers_cancel numbers_status |
put 0104 on vacation mode for 2 weeks | numbers_status | StatusChange=park, Query=0104 | |
set 0104 to travel mode until dec 20 | numbers_status | StatusChange=park, Query=0104 | |
pls put 0106 on pause its stolen | numbers_status | StatusChange=park, Query=0106 | |
pls block 0105 its lost | numbers_status | StatusChange=park, Query=0105 | |
0103 didnt pay, stop it | numbers_status | StatusChange=park, Query=0103 | numbers_cancel |
cut off 0104, bill overdue | numbers_status | StatusChange=park, Query=0104 | numbers_cancel |
customer lost her phone 2015550101, stop everything going out | numbers_status | StatusChange=park, PhoneNumbers=+12015550101 | |
customer lost her phone 2015550101 | numbers_lookup | PhoneNumber=+12015550101 | numbers_cancel | is not said
text 0103: your line is on hold, it's stolen | message_outbound | Query=0103 | numbers_status |
pls stop the suspension planned for 0103 | numbers_find | Query=0103 | numbers_status | withdraw
scrap the hold on 0103 i asked for earlier | numbers_find | Query=0103 | numbers_status | withdraw
cancel everything for Ben | numbers_find | Query=Ben | numbers_cancel | “everything for Ben” stands for none
the hold on 0106 can come off | numbers_status | StatusChange=activate, Query=0106 | |
no more calls for 0101, texts are ok | numbers_update | VoiceEnabled=false, Query=0101 | | Texts stay as they are
turn of texts on 0103 | numbers_update | MessageEnabled=false, Query=0103
can 0103 get texts turned of pls | numbers_update | MessageEnabled=false, Query=0103
please have voice shut of for 0104 | numbers_update | VoiceEnabled=false, Query=0104
ava wants texts off but calls still on, 0103 | numbers_update | MessageEnabled=false, Query=0103 | | Calls stay as they are
customer on 0105 no longer wants texting | numbers_update | MessageEnabled=false, Query=0105
ava wants no more texts on 0103 at all | numbers_update | MessageEnabled=false, Query=0103
port out pin for ava => the 0103 one | numbers_portout | Query=0103
port out pin for ava => 0103 | numbers_portout | Query=0103
suspend ava's line => 0105 please | numbers_status | StatusChange=park, Query=0105
suspend 0105 => ok she paid, back on pls | numbers_status | StatusChange=activate, Query=0105
suspend 0105 => she is back, put it on again | numbers_status | StatusChange=activate, Query=0105
cancel 0104, port out is done | numbers_cancel | Query=0104 | |
cancel 0105, number ported out already | numbers_cancel | Query=0105 | |
`;

const VALUES = `
new line for ava without calls | numbers_provision | MessageEnabled=true, VoiceEnabled=false, AssignedSubscriberId=ava | subscribers_call_filter_create |
new line for Ben Reed sms only | numbers_provision | MessageEnabled=true, VoiceEnabled=false | |
give me a new line for Ben, area code 646, sms only | numbers_provision | AreaCode=646, AssignedSubscriberId=Ben, VoiceEnabled=false | |
new line for Ben Reed no data | numbers_provision | AssignedSubscriberId=Ben Reed | numbers_data_usage_set | no data
add a new line for the customer grace block | numbers_provision | AssignedSubscriberId=Grace Block | |
change Ava's last name to Stone-Miller | subscribers_update | Name=Ava Stone-Miller, SubscriberId=Ava | | only the last name
Ava's last name should be Brook | subscribers_update | Name=Ava Brook, SubscriberId=Ava | |
Change the name on Ben's account to Benny Reed | subscribers_update | Name=Benny Reed, SubscriberId=Ben | account_update |
change caller name of 0104 to JOE PIZZA | numbers_update | CnamFirstName=JOE, CnamLastName=PIZZA, Query=0104 | |
caller id on 0104 should be MARIO PIZZA | numbers_update | CnamFirstName=MARIO, CnamLastName=PIZZA, Query=0104 | |
zip on JNUOID-00000000-0000-4000-8000-000000000001 should be 60614 | numbers_portin_update | OrderId=JNUOID-00000000-0000-4000-8000-000000000001, CurrentBillingAddress=60614 | |
text 2015550101 saying your order shipped, not from me, from 2015550104 | message_outbound | From=+12015550104, Body=your order shipped | |
don't text 0101 anymore, send it to 0104: hi | message_outbound | Query=0104, Body=hi | | left out
raise 2015550105 to 30 | numbers_data_usage_set | PhoneNumbers=+12015550105 | | MB or GB
next: new line for Ben Reed | numbers_provision | AssignedSubscriberId=Ben Reed | |
`;

export const changes: readonly Detailed[] = detailedIn(
  [REASONS, LISTS, PLANS, CHATTY, PORTS, OTHERS, SWITCHED_OFF, VALUES].map((lines) => lines.trim()).join('\n'),
).map((row) => ({
  ...row,
  says: row.says.replaceAll('⏎', '\n'),
}));
