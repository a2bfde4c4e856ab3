import { detailedIn } from './details.ts';

/*
 * What agents of a day shift write about lines: another number, levels of data, forwards, callers who always get through,
 * and questions of what no record has. In the notation of `details.ts`.
 */

const ROWS = `
send 0103 to a different sms route | numbers_update | Query=0103 | message_outbound
lost phone on 0103!! block everything | numbers_status | StatusChange=park | numbers_cancel subscribers_call_filter_blocked_numbers_add
Hi team, is 0102 able to get texts? | numbers_diagnose | About=texts | message_outbound
text 0103 => what routes are there | account_voice_routes_get | | message_outbound
text 0103 => is that line active? | numbers_find | Query=0103 | message_outbound
text 0103 => what time works for you? | message_outbound | Body=what time works for you? |
new subscriber Tom Hale at globex => his mail is tom.hale@globex.example sorry | subscribers_create | Email=tom.hale@globex.example |
block intl calls on 0102 | subscribers_call_filter_update | FilterId=0102, BlockInternational=true | subscribers_call_filter_blocked_numbers_add
phone of 0105 got stolen, stop the line for now | numbers_status | StatusChange=park | numbers_cancel
stop the line 0105 for now, phone stolen | numbers_status | StatusChange=park | numbers_cancel
voice on 0106 is off, turn it on pls | numbers_update | VoiceEnabled=true | numbers_reactivate
texts on 0104 are off, turn them back on | numbers_update | MessageEnabled=true | numbers_reactivate
call Ben back at 4pm for me | numbers_find | Query=Ben | message_outbound | places no calls
let only +13125550144 and +13125550145 call 0104 | subscribers_call_filter_update | FilterMode=WHITELIST | subscribers_call_filter_blocked_numbers_remove
let only mom +13125550144 text 0104 | subscribers_message_filter_update | FilterId=0104 | message_outbound subscribers_message_filter_blocked_contacts_remove
Ava wants no calls from unknown numbers on 0101 | subscribers_call_filter_update | FilterId=0101, BlockUnknownNumbers=true |
where do calls to the front desk go? | workgroups_get | WorkgroupId=Front Desk | workgroups_update
+14155550123 should be able to call 0103 | subscribers_call_filter_allowed_numbers_add | SubscriberId=0103 | subscribers_call_filter_blocked_numbers_add
her dad +14155550123 must be able to text 0103 | subscribers_message_filter_allowed_contacts_add | SubscriberId=0103 | message_outbound
let her dad +14155550123 call my daughter on 0103 | subscribers_call_filter_allowed_numbers_add | SubscriberId=0103 |
tell Ben his port is done, send it from 0104 | message_outbound | From=0104, Body=his port is done |
text Ava that her sim is ready. send it from 0103 please | message_outbound | From=0103, Body=her sim is ready |
stop texts on 0104, customer doesnt want them | numbers_update | MessageEnabled=false |
what's acme's billing address | account_get | AccountId=acme | account_update
whats globexs billing address | account_get | AccountId=globex | account_update
park 0103 => who has 0104 => cancel | help | | numbers_cancel
tell ben reed his bill is overdue => dont text ben, he is annoyed | help | | message_outbound | is taken back
text 0103: your sim is ready => don't send that yet | help | | message_outbound | is taken back
stop filtering calls from 3125550170 to ben | subscribers_call_filter_allowed_numbers_add | SubscriberId=ben, Numbers=+13125550170 | subscribers_guardian_features_set |
quit filtering texts from 3125550170 for ben | subscribers_message_filter_allowed_contacts_add | SubscriberId=ben, Contacts=+13125550170 | subscribers_guardian_features_set |
don't filter 3125550170 on ava's line | subscribers_call_filter_allowed_numbers_add | SubscriberId=ava | subscribers_guardian_features_set |
stop guardian from filtering 3125550144 to ava | subscribers_call_filter_allowed_numbers_add | SubscriberId=ava, Numbers=+13125550144 | subscribers_guardian_features_set |
stop filtering calls for ben | subscribers_guardian_features_set | SubscriberId=ben, EnableIntelligentGuardianCalls=false | _allowed_numbers_add |
stop letting 3125550170 through to ben | subscribers_call_filter_blocked_numbers_add | SubscriberId=ben, Numbers=+13125550170 | _allowed_numbers_add |
stop letting 3125550170 through on 0101 | subscribers_call_filter_blocked_numbers_add | SubscriberId=0101, Numbers=+13125550170 | _allowed_numbers_add |
3125550170 shouldnt get through to ben anymore | subscribers_call_filter_blocked_numbers_add | SubscriberId=ben | _allowed_numbers_add |
make sure 3125550144 doesn't reach ben | subscribers_call_filter_blocked_numbers_add | SubscriberId=ben | _allowed_numbers_add |
make sure 3125550170 gets through to ben | subscribers_call_filter_allowed_numbers_add | SubscriberId=ben, Numbers=+13125550170 | _blocked_numbers_add |
make sure 3125550170 can call ben | subscribers_call_filter_allowed_numbers_add | SubscriberId=ben, Numbers=+13125550170 | _blocked_numbers_add numbers_update |
3125550144 cannot reach ben | subscribers_call_filter_get | SubscriberId=ben | _blocked_numbers_add |
cancel ava s plan | subscriptions_delete | SubscriptionId=ava | numbers_cancel |
cancel ben s line | numbers_cancel | Query=ben | subscriptions_delete |
get two voip numbers for acme | numbers_provision | NumberType=voip, AssignedSubscriberId=acme | numbers_update |
get a new mobile number in 646 for Ava | numbers_provision | NumberType=mvno, AreaCode=646, AssignedSubscriberId=Ava | numbers_update |
we need 5 iot lines for acme | numbers_provision | NumberType=iot | numbers_update |
get all voip numbers of acme | numbers_find | Query=acme, Product=voip | numbers_provision |
get me ava's mobile number | numbers_find | Query=ava | numbers_provision |
calls for 0104 should ring 3125550170 | numbers_find | Query=0104 | numbers_update | such as +13125550170, is in no field here
calls to 0104 should go to 3125550170 | numbers_find | Query=0104 | numbers_update | such as +13125550170, is in no field here
ring 3125550170 for calls to 0104 | numbers_find | Query=0104 | numbers_update | such as +13125550170, is in no field here
ben's calls should go to 0105 for now | numbers_find | Query=ben | numbers_update | such as 0105, is in no field here
calls from 3125550170 should ring ben | subscribers_call_filter_get | SubscriberId=ben | numbers_update |
0101 shows up as Ava Ston, fix it to Ava Stone | numbers_update | CnamFirstName=Ava, CnamLastName=Stone, AssignedSubscriberId=undefined | |
0102 displays Benn Reed, correct it to Ben Reed | numbers_update | CnamFirstName=Ben, CnamLastName=Reed, AssignedSubscriberId=undefined | |
outgoing calls from 0101 show Eva Stone instead of Ava Stone | numbers_update | CnamFirstName=Ava, CnamLastName=Stone | |
0105 shows up as voip instead of mvno | numbers_update | CnamFirstName=undefined | |
put 0110 on ben reed | numbers_update | Query=0110, AssignedSubscriberId=ben reed | subscriptions_create |
put 2015550110 on Nina Park please | numbers_update | AssignedSubscriberId=Nina Park | subscriptions_create |
put 0103 on Traveller | subscriptions_create | PackageId=Traveller | |
where is 0101 right now | numbers_find | Query=0101 | numbers_status | no location
what's the location of 0103 | numbers_find | Query=0103 | | no location
when will 3125550190 be ours | numbers_order_get | OrderId=+13125550190 | |
when does 3125550111 land with us | numbers_order_get | OrderId=+13125550111 | |
when do we get 0108 back | numbers_find | Query=0108 | numbers_portin |
swap the number on 0104 to a 312 area code | numbers_status | PhoneNumbers=0104, AreaCode=312 | numbers_cancel numbers_provision | choose “swap” or “replace”
replace ava stone's number with a 312 one | numbers_status | Query=ava stone, AreaCode=312 | numbers_cancel numbers_update | choose “swap” or “replace”
0105 needs a 312 area code | numbers_status | PhoneNumbers=0105, AreaCode=312 | numbers_cancel numbers_provision |
switch 0102 to another number, zip 60601 | numbers_status | PhoneNumbers=0102, ZipCode=60601 | numbers_cancel numbers_provision |
customer wants her number changed, 0103 | numbers_status | PhoneNumbers=0103 | numbers_cancel numbers_provision |
dont swap the number of 0104 | numbers_find | Query=0104 | numbers_status | You said not to
move 0103 to the other one | numbers_update | | numbers_status |
set limit 100mb notify 80 on 0101 0103 0105 | numbers_data_usage_set | LimitValue=100, NotifyValue=80, PhoneNumbers=0101+0103+0105 | |
0103 limit 40 mb warn 30 throttle 35 | numbers_data_usage_set | LimitValue=40, NotifyValue=30, ThrottleValue=35 | |
0101: 100mb limit, 80 warning | numbers_data_usage_set | LimitValue=100, NotifyValue=80 | |
0101 100 mb limit and 80 mb warning | numbers_data_usage_set | LimitValue=100, NotifyValue=80 | |
notify 80 limit 100 mb on 0105 | numbers_data_usage_set | LimitValue=100, NotifyValue=80 | |
customer ben cant recieve calls on his line | numbers_diagnose | Query=ben, About=calls | |
customer ava stone can't use data | numbers_diagnose | Query=ava stone, About=data | |
cust ben cannot make calls from his line | numbers_diagnose | Query=ben, About=calls | |
give ben roaming | subscriptions_features_assignments_add | SubscriptionId=ben | |
correct the account number on avas port to 99887766 | numbers_portin_update | CurrentAccountNumber=99887766 | numbers_portin | “port-in orders of ava”
cancel the port in for Ben Reed | numbers_portin_cancel | | numbers_cancel | “port-in orders of Ben Reed”
what phone model is on 0103 | numbers_find | Query=0103 | | No record here has “phone model”
whats ava's birthday | numbers_find | Query=ava | | No record here has “birthday”
is 0103 an android | numbers_find | Query=0103 | | No record here has “android”
stop forwarding 0101 | numbers_find | Query=0101 | voice_routes_update numbers_update | no forward of its own
0103 shouldn't forward any more | numbers_find | Query=0103 | voice_routes_update | no forward of its own
cancel the forwarding of ava's line | numbers_find | Query=ava | numbers_cancel | no forward of its own
forward 0101 to ben | numbers_find | Query=0101 | numbers_update | such as that of ben
divert 0105 to ava stone | numbers_find | Query=0105 | numbers_update | such as that of ava stone
forward ava's calls to ben | numbers_find | Query=ava | numbers_update voice_routes_update | such as that of ben
make sure 8015550123 can always get through to ben | subscribers_call_filter_allowed_numbers_add | SubscriberId=ben, Numbers=+18015550123 | |
0103 should always get calls from 3125550144 | subscribers_call_filter_allowed_numbers_add | SubscriberId=0103, Numbers=+13125550144 | |
put ava's 0103 back in service she is home | numbers_status | StatusChange=activate, Query=0103 | numbers_update |
cut 0101's speed after 18 mb to 256 | numbers_data_usage_set | Query=0101, LimitValue=undefined, ThrottleValue=18, ThrottleSpeed=256-kbps | |
lower the speed of 0103 to 128 kbps after 10 mb | numbers_data_usage_set | ThrottleValue=10, ThrottleSpeed=128-kbps, LimitValue=undefined | |
get ben a different number | numbers_status | Query=ben | numbers_provision | choose “swap” or “replace”
keep 3125550166 off 0103 texts only | subscribers_message_filter_blocked_contacts_add | SubscriberId=0103, Contacts=+13125550166 | |
keep 3125550166 away from ben | subscribers_call_filter_blocked_numbers_add | SubscriberId=ben, Numbers=+13125550166 | |
kids mode for ben texts | subscribers_message_filter_update | SubscriberId=ben, FilterMode=CHILD | |
nobody reaches 0104 | numbers_diagnose | Query=0104, About=calls | |
no one gets through to ben | numbers_diagnose | Query=ben, About=calls | |
any msgs to 0104 that bounced | message_search_get | Query=0104 | numbers_diagnose | only “bounced”
scrap my request for 0103 | numbers_find | Query=0103 | numbers_cancel | taken back with “Withdraw”
transfer pin for 0103? she goes to mint | numbers_portout | Query=0103 | |
2015550105 port out pin? tmobile asks for it | numbers_portout | PortOutNumber=+12015550105 | numbers_portin |
0103 port-out code pls | numbers_portout | Query=0103 | |
port out pin for ava's line please, she's leaving | numbers_portout | Query=ava | |
whats the port out pin for 0103 | numbers_find | Query=0103 | numbers_portout | No port-out PIN can be read
is a port out pin needed for 0103? | numbers_find | Query=0103 | numbers_portout |
0105 should be parked for august | numbers_status | Query=0105, StatusChange=park, EffectiveDate=undefined | | the day on which it begins
park ava's 0103 for december, she travels | numbers_status | Query=0103, EffectiveDate=undefined | | the day on which it begins
pls put 0103 on hold over the summer | numbers_status | Query=0103, EffectiveDate=undefined | numbers_cancel |
park 0103 for may please | numbers_status | Query=0103, EffectiveDate=undefined | |
park 0103 for two weeks | numbers_status | Query=0103, EffectiveDate=11/22/2026 | |
park 0103 for april's mother | numbers_status | Query=0103, EffectiveDate=11/22/2026 | |
show me the 10 latest texts of 0104 | message_search_get | Query=0104, Results=10 | |
last three messages ben got | message_search_get | Query=ben, Results=3 | |
the newest 15 texts on +12015550104 | message_search_get | PhoneNumber=+12015550104, Results=15 | |
last messages of 0101 in 5 days | message_search_get | Query=0101, Results=undefined | |
were there failed messages on 0103 this week | message_search_get | Query=0103 | numbers_diagnose | only “failed”
her sim is broken and she's in the store for a new one, 2015550103. park it till then | numbers_status | StatusChange=park, PhoneNumbers=+12015550103 | numbers_update |
her sim died and she waits for a replacement, pause 2015550101 till it's there | numbers_status | StatusChange=park | numbers_update |
ben's sim is dead, new one comes monday. park his line meanwhile | numbers_status | Query=ben, EffectiveDate=11/22/2026 | numbers_update |
0105: sim lost and a new one is ordered, suspend it for now | numbers_status | Query=0105, StatusChange=park | numbers_provision |
her sim is broken, swap 0103 to 89012403971900012345 | numbers_update | Query=0103, Iccid=89012403971900012345 | numbers_provision |
reactivate 0107 and text him that he's back | numbers_reactivate | Query=0107 | | confirm it when the change is done
unblock +13105550188 for ben and tell him by text its done | subscribers_call_filter_blocked_numbers_remove | SubscriberId=ben, Numbers=+13105550188 | | confirm it when the change is done
voice is off on 0106? can you switch it on | numbers_update | Query=0106, VoiceEnabled=true | numbers_reactivate |
0106 has calls off, turn em back on | numbers_update | Query=0106, VoiceEnabled=true | numbers_reactivate |
texts are off on ben's line? please enable them | numbers_update | Query=ben, MessageEnabled=true | |
voice is on for 0103? switch it off | numbers_update | Query=0103, VoiceEnabled=false | |
why is voice off on 0106 | numbers_diagnose | Query=0106 | numbers_update |
is voice off on 0106? | numbers_find | Query=0106 | numbers_update |
calls off on 0103 until i say so | numbers_update | Query=0103, VoiceEnabled=false | | does not end by itself
0101 must not send texts | numbers_update | Query=0101, MessageEnabled=false | numbers_diagnose |
0101 can't send texts | numbers_diagnose | Query=0101 | numbers_update |
customer's email is ben@globex.example, whats his number | numbers_find | Query=ben@globex.example | subscribers_update |
the email is ava@acme.example. who's that | numbers_find | Query=ava@acme.example | subscribers_update |
customer email: ava@acme.example, is her line parked? | numbers_find | Query=ava@acme.example | numbers_status subscribers_update |
email of ben is ben@globex.example, change it | subscribers_update | SubscriberId=ben | |
500mb is not enough for ava, give her 1gb | numbers_data_usage_set | Query=ava, LimitValue=1024 | |
0105 says 1gb is too little, make it 3 gb | numbers_data_usage_set | Query=0105, LimitValue=3072 | |
2 gb is too much for 0103, make it 1 | numbers_data_usage_set | Query=0103, LimitValue=1024 | |
nobody can reach her on 2015550105 | numbers_diagnose | PhoneNumber=+12015550105, About=calls | |
ava got a new esim, put it on 2015550101 pls | numbers_update | Number=+12015550101, AssignedSubscriberId=undefined | |
new esim for ava, move it to 0103 | numbers_update | Query=0103, AssignedSubscriberId=undefined | |
dont cancel 0103 yet, just tell me what it would cost | help | | numbers_update | You asked about "Cancel numbers"
what product is 0106 | numbers_find | Query=0106 | products_update |
give ben 10% off his next bill | numbers_find | Query=ben | | charges, bills and refunds nobody
knock 5 dollars off ava's next bill | numbers_find | Query=ava | | charges, bills and refunds nobody
10% off for ben please | numbers_find | Query=ben | | charges, bills and refunds nobody
send calls for 0104 to his voicemail | numbers_find | Query=0104 | numbers_update | no setting for voicemail
`;

export const lineDesk = detailedIn(ROWS);

/** Messages that are carried as a whole. */
export const lineDeskWhole = [
  'give ava roaming on 0105',
  '0103 limit 40 mb warn 30 throttle 35',
  'ben wants a different number, 0102',
  'spam from 3125550170 on bens line, block em',
  'whats the next date 0103 can swap again',
];

/** Questions of where calls go. */
export const forwardFacts: readonly (readonly [says: string, facts: readonly string[]])[] = [
  ['where is 0103 forwarded to', ['calls']],
  ['does 0101 forward anywhere', ['calls']],
  ['stop forwarding 0101', ['calls']],
];

/** Questions of one text that was sent, which no direction narrows. */
export const oneSent = [
  'did the text to 0101 get thru',
  'was the message to 0103 received',
  'did the sms to ben get delivered',
];
