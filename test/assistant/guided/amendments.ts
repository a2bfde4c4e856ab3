import { type Detailed, detailedIn } from './details.ts';

/*
 * Follow-ups that change a part of an order, offers that stay open, orders about lines and ports in words of people's own,
 * and lists in as few words as a command. In the notation of `details.ts`.
 */

const LINES = `
hold 0101 and 0103 and 0105 => except 0103 | numbers_status | PhoneNumbers=0101+0105 | numbers_cancel | takes the place of
cancel 0101 and 0102 and 0106 => all but 0102 | numbers_cancel | PhoneNumbers=0101+0106 | numbers_status | withdrawn
suspend 0102 0104 => skip 0104 | numbers_status | StatusChange=park, Query=0102 | numbers_cancel | withdrawn
0101 0103 0105 => hold these => except 0103 | numbers_status | PhoneNumbers=0101+0105 | numbers_cancel |
hold 0101 and 0103 => not the second one | numbers_status | Query=0101 | numbers_cancel | withdrawn
hold 0101 and 0103 => not 0107 | help | | numbers_status numbers_cancel | 0107 is not in
hold 0101 => except 0101 | help | | numbers_status | is taken back
block 2125550142 on 0103 => and 2125550143 too => not 2125550143 | help | | _add _remove | is taken back
block 2125550142 on 0103 => not 0103, 0104 | subscribers_call_filter_blocked_numbers_add | SubscriberId=0104 | _remove |
cancel 0101 0103 => and 0105 too | numbers_cancel | Query=0105 | numbers_status | like the message before
reactivate 0108 => try 0107 instead | numbers_reactivate | Query=0107 | numbers_cancel | withdrawn
hold 0104 => wait what? no, 0105 | numbers_status | StatusChange=park, Query=0105 | numbers_cancel | withdrawn
hold 0101 => not on friday | help | | numbers_status |
hold 0101 monday => not friday | help | | numbers_status | as it was
unhold 0101 => today not tomorrow | numbers_status | StatusChange=activate, Query=0101 | numbers_cancel events_since |
hold 0101 tomorrow => today not friday | numbers_status | EffectiveDate=11/22/2026 | events_since |
hold 0101 => from when? i mean make it friday | numbers_status | EffectiveDate=11/27/2026 | numbers_find | “from when”
limit 0101 to 10gb => make it 8 => no 12, and tell her | numbers_data_usage_set | LimitValue=12288 | message_outbound | “tell her”
limit 0104 to 1gb => actually 2 and warn at 1.5 | numbers_data_usage_set | LimitValue=2048, NotifyValue=1536 | |
limit 0106 to 2gb => lol ok 3gb | numbers_data_usage_set | LimitValue=3072 | |
move 0101 to plan unlimited => not now, from dec 1 | subscriptions_update | PackageId=unlimited | events_since | 2026-12-01
set caller name of 0101 to A STONE => spelled STOEN sorry => lol no STONE was right | numbers_update | CnamLastName=STONE | |
hold 0101 => dont bother she paid | help | | numbers_status numbers_find | is taken back
park 0103 => nah skip it | help | | numbers_status numbers_find | is taken back
reactivate 0107 => whats that gonna cost | help | | numbers_find | 5 USD
reactivate 0107 => whats it cost first? | help | | events_since | 5 USD
hold 0101 => who owns 0103 | numbers_find | Query=0103 | numbers_status | Find numbers by "0103"
hold 0101 => what happened today | events_since | | numbers_status | What was offered before is as it was
text 0102 see you friday => make it monday | message_outbound | Query=0102, Body=see you monday | | withdrawn
hold 0103 => ok undo | help | | numbers_status | “lift the hold on 0103”
reactivate 0108 => it says refused, why | events_since | Query=0108 | numbers_cancel numbers_order_get | says why it was refused
reactivate 0108 => it says refused, why => try 0107 instead | numbers_reactivate | Query=0107 | |
who changed the webhook last => put it back to what it was | help | | numbers_update | Nothing here puts a value back
put 0105 on the cheaper one | numbers_find | Query=0105 | numbers_update | cannot be told here
whats waiting for me => and for jorge? | events_since | | numbers_find | jorge
what did priya change today => and jorge? | events_since | By=jorge | | like the message before
how many texts did 0101 send yesterday => how many of those failed | message_search_get | Query=0101 | numbers_diagnose | “failed” and “yesterday”
which lines are on hold => and the cancelled ones | numbers_find | Status=Cancelled - Pending Delete | |
0104 cant call out => it worked yesterday => check its route | numbers_find | Query=0104, Full=true | |
0104 no signal => since when | events_since | Query=0104, Since=30d | |
new customer Dana Whitlock 44 Lake Ave Chicago IL 60601 => give her 0110 | numbers_update | AssignedSubscriberId=Dana Whitlock, Query=0110 | |
look up ava stone => whats her sim => swap it | numbers_update | Query=ava stone | |
cancel 0105, wrong number | numbers_cancel | Query=0105 | |
kill the port in for 3125550111, wrong number | numbers_portin_cancel | OrderId=+13125550111 | numbers_cancel |
cancel 0105, sorry wrong number | numbers_find | Query=0105 | numbers_cancel | takes it back
port in 3125550111 stuck | numbers_order_get | OrderId=+13125550111 | numbers_portin |
port in 3125550190 not done yet | numbers_order_get | OrderId=+13125550190 | numbers_portin |
port in 3125550190 | numbers_portin | PortInNumber=+13125550190 | |
take 0102 off ben | numbers_find | Query=0102 | numbers_cancel | by giving it to another one
take 0102 off hold | numbers_status | StatusChange=activate, Query=0102 | numbers_cancel |
take 0103 off the main sms route | numbers_find | Query=0103 | numbers_cancel | by getting another one
hook 0110 up to ben | numbers_update | AssignedSubscriberId=ben, Query=0110 | |
hook ava up with a new line | numbers_provision | AssignedSubscriberId=ava | |
need 0103 live today, esim | numbers_status | StatusChange=activate, Query=0103 | numbers_cancel | not taken: “esim”
is 0103 live | numbers_find | Query=0103 | numbers_status |
park 0106 at month end | numbers_status | StatusChange=park, EffectiveDate=11/30/2026 | |
close out 0106 at month end | numbers_cancel | Query=0106 | | cannot be scheduled for 2026-11-30
0103 stolen phone suspend it asap | numbers_status | StatusChange=park, Query=0103 | numbers_cancel |
find me a vanity number w/ 7777 | numbers_find | Query=7777 | numbers_provision | chosen by its area code
new line for Ava Stone (201 area code) with the basic plan | numbers_provision | AreaCode=201 | packages_create | with the basic plan
carrier says wrong account number on 3125550111, should be 99231 | numbers_portin_update | CurrentAccountNumber=99231 | |
ava married, new last name Brook | subscribers_update | SubscriberId=ava, Name=Ava Brook | | the form has “Ava Brook” as the whole name
canel bens sim swap | numbers_find | Query=ben | numbers_cancel numbers_update | “Withdraw”
whos allowed to approve cancels | help | | _remove | an approver
did marcus withdraw the sim swap he asked for | events_since | By=marcus | |
dont cancel anything just tell me which lines get deleted this week | numbers_find | Status=Cancelled - Pending Delete | numbers_cancel | left out
what name shows when ava calls | numbers_find | Query=ava | numbers_update | 
can I still get 0108 back or is it too late | numbers_find | Query=0108 | numbers_reactivate
whats the imei on 0106 | numbers_find | Query=0106 | | IMEI
limit 0106 to 500mb a month | numbers_data_usage_set | LimitValue=500 | | “a month”
un-park 0104 she's home early | numbers_status | StatusChange=activate, Query=0104 | numbers_cancel |
list cancelled | numbers_find | Status=Cancelled - Pending Delete | numbers_cancel |
parked | numbers_find | Status=Parked | numbers_status |
all voip lines | numbers_find | Product=voip | |
count by status | numbers_find | CountBy=Status | |
list | numbers_inventory_get | | |
`;

const INSTEAD = `
cancel 0105 => never mind, just put it on hold | numbers_status | StatusChange=park, Query=0105 | numbers_cancel | takes the place of “cancel 0105”
cancel 0105 => no, hold it instead | numbers_status | StatusChange=park, Query=0105 | numbers_cancel | takes the place of
cancel 0104 => actually just put it on hold | numbers_status | StatusChange=park, Query=0104 | numbers_cancel | takes the place of
suspend 0105 => nvm, swap its sim instead | numbers_update | Query=0105 | numbers_cancel | takes the place of
cancel 0105 => hold 0103 instead | numbers_status | StatusChange=park, Query=0103 | numbers_cancel |
cancel 0105 => never mind | help | | numbers_cancel | is taken back
hold 0103 and 0105 => only 0105 | numbers_status | StatusChange=park, Query=0105 | numbers_cancel | takes the place of
hold 0103 and 0105 => just 0105 | numbers_status | StatusChange=park, Query=0105 | numbers_cancel | takes the place of
hold 0103, 0104 and 0105 => just 0103 and 0105 please | numbers_status | PhoneNumbers=0103+0105 | numbers_cancel | withdrawn
hold 0103 and 0105 => only 0109 | numbers_find | Query=0109 | numbers_status | as it was
text 0103 your order is ready => did it arrive? | events_since | Query=0103 | message_outbound |
text 0103 your order is ready => was it delivered? | events_since | Query=0103 | message_outbound |
`;

const ASKED = `
who talked to 0105 today | events_since | Only=undefined, Query=0105 | | messages that came in
who spoke to ben reed last week | events_since | Only=undefined, Query=ben reed | |
which lines are over 90% of their data | numbers_find | UsedFrom=undefined, Sort=Used | | not taken: 90%
show me texts from 0102 since noon | message_search_get | Query=0102 | message_outbound | only “since noon”
messages of 0105 after 5pm | message_search_get | Query=0105 | message_outbound | only “after 5pm”
give me yesterday's changes as csv | events_since | | | not taken: “as csv”
what does the plan of 0101 cost | numbers_find | Query=0101 | subscriptions_create | The packages have the prices
which plan is 0101 on and what does it cost | numbers_find | Query=0101 | subscriptions_create | The packages have the prices
give me status of all acme numbers | numbers_find | Query=acme | |
the webhook secret leaked, need a new one | webhook_update | | webhook_delete | into the form alone
rotate the webhook secret | webhook_update | | webhook_delete |
delete the webhook https://a.example/x | webhook_delete | | webhook_update |
allow 2125550150 on 0102 => remove it again | help | | _add | off the allow list of 0102
port 3125550111 got rejected wrong pin, correct one is 8821 | numbers_portin_update | OrderId=+13125550111 | numbers_portin | the PIN (a secret
`;

const PORTS = `
customer changed their mind abt porting 13125550111, pull it | numbers_portin_cancel | OrderId=+13125550111 | numbers_portin |
we wanted to port 3125550111 but she is staying, call it off | numbers_portin_cancel | OrderId=+13125550111 | numbers_portin |
porting 3125550111 was a mistake, scrap it | numbers_portin_cancel | OrderId=+13125550111 | numbers_portin numbers_cancel |
what does "pending carrier approval" mean for a port => and how is 3125550111 doing | numbers_order_get | OrderId=+13125550111 | numbers_portin | read as the port-in order
what does "pending carrier approval" mean for a port => and how is 3125550111 doing => cancel it. no wait dont, just change the account nr to 77001 | numbers_portin_update | OrderId=+13125550111, CurrentAccountNumber=77001 | numbers_portin numbers_portin_cancel |
port got rejected for 646-555-7788, send it again with account no 5567 | numbers_portin_update | OrderId=+16465557788, CurrentAccountNumber=5567 | numbers_portin |
the port of 646-555-7788 bounced, resubmit it with acct nr. A-5567 | numbers_portin_update | OrderId=+16465557788, CurrentAccountNumber=A-5567 | numbers_portin |
need to port in 646-555-7788 from t-mobile for ava stone, acct no 99812345 pin 4471 | numbers_portin | PortInNumber=+16465557788, CurrentAccountNumber=99812345, AssignedSubscriberId=ava stone | |
port 2125550190 for ava, account number 100200, name Ava Stone, address 5 Pine St Albany NY 12207 | numbers_portin | PortInNumber=+12125550190, CurrentAccountNumber=100200, SubscriberName=Ava Stone | numbers_portin_update account_update |
don't port 2015550104 away | numbers_lookup | | numbers_portin numbers_portin_cancel |
`;

const OWNERS = `
lost phone!! ben, please block his sim right away | numbers_status | StatusChange=park, Query=ben | |
suspend ben's line, he lost the phone | numbers_status | StatusChange=park, Query=ben | |
ben hasnt paid, suspend him til he does | numbers_status | StatusChange=park, Query=ben | | til he does
zoe parker is 3 weeks overdue, put her on hold | numbers_status | StatusChange=park, Query=zoe parker | |
ava didnt pay her bill, freeze her line | numbers_status | StatusChange=park, Query=ava | |
`;

const PARTIES = `
send ava a msg from 0102 saying its fixed now | message_outbound | From=0102, Query=ava, To=undefined | |
text ben that his bill is ready => from 0103 | message_outbound | From=0103, Query=ben | |
message zoe from 0101: your sim arrived | message_outbound | From=0101, Query=zoe | |
`;

export const amendments: readonly Detailed[] = [LINES, INSTEAD, ASKED, PORTS, OWNERS, PARTIES].flatMap(detailedIn);
