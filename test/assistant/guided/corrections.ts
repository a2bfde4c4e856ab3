import type { Detailed } from './details.ts';
import { requestsIn } from './requests.ts';

/*
 * Sentences that take an order back or correct themselves, that name others' numbers, or that nothing here does. In the
 * notation of `details.ts`; "⏎" is a new line.
 */

const LINES = `
they asked to cancel 0103, but dont do it | numbers_find | Query=0103 | numbers_cancel | takes it back
cancel 0103, or rather dont | numbers_find | Query=0103 | numbers_cancel | takes it back
cancel 0103 - wrong customer, dont | numbers_find | Query=0103 | numbers_cancel | takes it back
lee said cancel 0103. i say dont. | numbers_find | Query=0103 | numbers_cancel | takes it back
Park 0105.⏎Sorry, wrong number, do not do that. | numbers_find | Query=0105 | numbers_status | takes it back
Cancel 0103.⏎⏎Don't. | numbers_find | Query=0103 | numbers_cancel | takes it back
reactivate 0107, but she doesnt want it | numbers_find | Query=0107 | numbers_reactivate | takes it back
cancel 0103, no wait, he changed his mind | numbers_find | Query=0103 | numbers_cancel | takes it back
park 0103. wrong customer | numbers_find | Query=0103 | numbers_status | takes it back
Cancel 0103⏎oh wait that was the wrong line | numbers_find | Query=0103 | numbers_cancel | takes it back
cancel 0103 please don’t | numbers_find | Query=0103 | numbers_cancel | takes it back
cancel 0103 so dont | numbers_find | Query=0103 | numbers_cancel | takes it back
cancel 0103, no dont cancel it | numbers_find | Query=0103 | numbers_cancel | takes it back
cancel 0103. nope. | numbers_find | Query=0103 | numbers_cancel | takes it back
set the limit of 0101 to 5 gb. hmm, better not | numbers_find | Query=0101 | numbers_data_usage_set | takes it back
park 0103 please, she lost her phone. do not do anything yet | numbers_find | Query=0103 | numbers_status | takes it back
port in 3125550144, no the customer does not want that | help |  | numbers_portin | takes it back
block everyone except 3125550199 for ben, no dont | subscribers_call_filter_get | SubscriberId=ben | subscribers_call_filter_update |
text 0101 the sim is ready - no, wait, dont send it yet | numbers_find | Query=0101, Body=undefined | message_outbound | takes it back
text 0102 hello. never mind | numbers_find | Query=0102 | message_outbound | takes it back
cancel 0103, sorry not 0103, 0104 | numbers_cancel | Query=undefined, PhoneNumbers=undefined | | which of the numbers are meant is unclear
park 0103 and 0105, well not 0105 | numbers_status | PhoneNumbers=undefined | | which of the numbers are meant is unclear
suspend 0105 then again, leave it running | numbers_find | Query=0105 | numbers_status | takes it back
set 0101 to 5 gb, oops not that one | numbers_find | Query=0101 | numbers_data_usage_set | takes it back
cancel 0104, no one told me to | numbers_find | Query=0104 | numbers_cancel | takes it back
cancel 0104. thats a mistake | numbers_find | Query=0104 | numbers_cancel | not clear
text 0101 "see you, dont do it" | message_outbound | Query=0101 |
text 0101 sorry, wrong number | message_outbound | Query=0101 |
cancel ben's line, he doesn't want it anymore | numbers_cancel | Query=ben |
wrong number, park 0103 | numbers_status | Query=0103 | numbers_cancel
suspend 0103 but dont tell him | numbers_status | Query=0103 |
park 0103, don't cancel it | numbers_status | Query=0103 | numbers_cancel
give 0110 to ben, no not ben, ava | numbers_update | AssignedSubscriberId=ava | | “ben”
give 0110 to ben reed. sorry, ava stone | numbers_update | AssignedSubscriberId=ava stone | | “ben reed”
block 3125550199 for ben, i mean for ava | subscribers_call_filter_blocked_numbers_add | SubscriberId=ava | _remove | “ben”
no make it 0105 | numbers_find | Query=0105 | | does not say what to do
i meant 0104 | numbers_find | Query=0104 | | does not say what to do
stop texting 0101 | numbers_find | Query=0101 | _add _create _remove | nothing to stop
please quit sending texts to ben | numbers_find | Query=ben | _add _create | nothing to stop
remind me to cancel 0104 on friday | numbers_find | Query=0104 | numbers_cancel events_since | cannot remind
set a reminder to call ben tomorrow | numbers_find | Query=ben | events_since | cannot remind
ben must not get texts from 3125550144 anymore | subscribers_message_filter_blocked_contacts_add | SubscriberId=ben, Contacts=+13125550144 | numbers_portin _remove
ava shouldn't receive calls from 3125550199 any more | subscribers_call_filter_blocked_numbers_add | SubscriberId=ava, Numbers=+13125550199 | _remove
3125550199 must not call ava | subscribers_call_filter_blocked_numbers_add | SubscriberId=ava, Numbers=+13125550199 | _remove
keep 3125550199 from calling ben | subscribers_call_filter_blocked_numbers_add | SubscriberId=ben, Numbers=+13125550199 | _remove
3125550199 should not text ben anymore | subscribers_message_filter_blocked_contacts_add | SubscriberId=ben, Contacts=+13125550199 | _remove
3125550144 keeps calling ben | subscribers_call_filter_get | SubscriberId=ben | numbers_portin | whether +13125550144 is blocked
ava got a strange call from 3125550199 | subscribers_call_filter_get | SubscriberId=ava | numbers_portin | whether +13125550199 is blocked
bens blocklist | subscribers_call_filter_get | SubscriberId=ben |
show avas blocklist | subscribers_call_filter_get | SubscriberId=ava |
avas line | numbers_find | Query=ava |
0101s limit | numbers_data_usage_settings | Query=0101 |
james line | numbers_find | Query=james |
port in 3125550177 from T-Mobile | numbers_portin | PortInNumber=+13125550177, CurrentCarrierName=T-Mobile | numbers_portout
bring my customers number 3125550177 over from T-Mobile, acct 99812, pin 4471 | numbers_portin | PortInNumber=+13125550177, CurrentAccountNumber=99812, CurrentAccountPassword=undefined | numbers_portout | a secret
port 3125550177 in, carrier mint, account 8837421 | numbers_portin | CurrentAccountNumber=8837421, CurrentCarrierName=mint | numbers_portout
push the port date of 3125550111 to dec 3 | numbers_portin_update | OrderId=+13125550111, PortInDate=2026-12-03 | numbers_portin
the port in of 3125550111 has the wrong account nr, should be 46512354 | numbers_portin_update | OrderId=+13125550111, CurrentAccountNumber=46512354 | numbers_portin
change the account number on the port of 3125550111 to 46512354 | numbers_portin_update | OrderId=+13125550111, CurrentAccountNumber=46512354 | numbers_portin
is the port of 3125550111 from T-Mobile done | numbers_order_get | OrderId=+13125550111 | numbers_portin
ok suspend it | numbers_status | StatusChange=park | numbers_cancel | still needed
yes suspend it | help | | numbers_status | only the button of an open question
suspnd 0103 and 0105 for non payment | numbers_status | PhoneNumbers=0103+0105, StatusChange=park | numbers_cancel
only text 0101, not 0103: your sim is ready | message_outbound | Query=0101, To=undefined, Body=your sim is ready | | “not 0103”
text 0101, not 0103: hi | message_outbound | Query=0101, To=undefined | | “not 0103”
text everyone on acme that we're back | message_outbound | Body=we're back, To=undefined | | “acme”
text everyone that we're back | help | | message_outbound | “everyone” stands for none
suspend all of acmes lines | numbers_status | StatusChange=park, PhoneNumbers=undefined | numbers_cancel | “acme”
cancel every line of globex | numbers_find | Query=globex | numbers_cancel | stands for none
did the last sms to 0102 arrive | events_since | Query=0102, Since=30d | message_outbound
what did we text ben | events_since | Query=ben, Since=30d | message_outbound
what texts did we get from ben | message_search_get | | message_outbound
pending approvals | events_since | Since=24h | | wait for a person
what's waiting for a yes right now | events_since | Since=24h | | wait for a person
show the routes | account_voice_routes_get | | _delete | Message routes
what happened in the last 3 hrs | events_since | Since=3h
what happened in the last two hours | events_since | Since=2h
list all parked lines of globex | numbers_find | Status=Parked, Query=globex
turn voice off on 0101 | numbers_update | VoiceEnabled=false, Query=0101 | voice_routes_delete
disable texting for 0101 | numbers_update | MessageEnabled=false, Query=0101
take 0103 away from ava | numbers_find | Query=0103 | numbers_cancel | giving it to another one
delete subscriber ben reed | numbers_find | Query=ben reed | numbers_cancel | no way to delete
take back my request for 0104 | numbers_find | Query=0104 | numbers_cancel | Withdraw
calls of 0103 should go to the Main SIP trunk | numbers_update | VoiceRouteId=Main SIP trunk, Query=0103, AssignedSubscriberId=undefined
change the url of Main SMS route to https://acme.example/hook | message_routes_update | MessageRouteId=Main SMS route, MessageUrl=https://acme.example/hook | webhook_update
subscribe 0101 to Starter | subscriptions_create | PackageId=Starter, SubscriberId=0101, TNID=0101
put 0101 on Zephyr | numbers_find | Query=0101 | numbers_update | was not understood
raise Starter to 17.50 a month | packages_update | PackageId=Starter, Price=17.5, Monthly=true | numbers_data_usage_set
new customer Tom Park tom@park.example under acme | subscribers_create | Name=Tom Park, AccountId=acme, Email=tom@park.example
get me 2 fresh mobile numbers in area code 801 for acme | numbers_provision | AreaCode=801 | | one number at a time, and not 2
order three new numbers in 312 | numbers_provision | AreaCode=312, AssignedSubscriberId=undefined | | not three
cancel 0104, no wait, 0105 | numbers_cancel | Query=0105 |  | read as “cancel 0105”
raise 0101 to 3 gb, no make that 4 gb | numbers_data_usage_set | LimitValue=4096 |  | read as
don't touch Ava's line, only Ben's needs the SIM swap | numbers_update | Query=Ben |  | left out
not ava, ben needs a new sim | numbers_update | Query=ben |  | left out
park bens line, leave avas alone | numbers_status | Query=ben |  | left out
don't touch 0103, park 0104 | numbers_status | Query=0104 |  | left out
customer wants to leave, close down 0106 | numbers_cancel | Query=0106 | numbers_portout | 
turn off the voicemail of 0103 | numbers_find | Query=0103 | numbers_update | no setting for voicemail
cut 0103 off from data | numbers_find | Query=0103 | numbers_cancel | not clear
remove the forward on 0103 | numbers_find | Query=0103 | numbers_cancel | 
remove the warning on 0105 | numbers_data_usage_set | NotifyValue=null | numbers_cancel | 
no data on 0106 since this morning, customer furious | numbers_diagnose | Query=0106 | numbers_data_usage_set | 
block international calls on 0104 | subscribers_call_filter_update | FilterId=0104, BlockInternational=true | subscribers_call_filter_blocked_numbers_add |
0101 can text but cant call | numbers_diagnose | Query=0101 | message_outbound | 
0101 cant make calls but texts work | numbers_diagnose | About=calls, Query=0101 |  | 
take the hold off 0103 | numbers_status | StatusChange=activate, Query=0103 |  | 
hold off cancelling 0105 | numbers_find | Query=0105 | numbers_cancel | 
tell me if 0104 is active | numbers_find | Query=0104 | numbers_watch | 
text 0101: turn off roaming when you are abroad | message_outbound | Query=0101, Body=turn off roaming when you are abroad |  | 
text 0102 we block international calls from monday | message_outbound | Query=0102 |  | 
text 0104 "please remove voicemail greeting" | message_outbound | Query=0104 |  | 
text 0101 we need a new number in New Jersey for you | message_outbound | Query=0101, Body=we need a new number in New Jersey for you |  | 
text 0101 we put you on Starter today | message_outbound | Query=0101, Body=we put you on Starter today |  | 
text 0101 we come friday - no wait - monday | message_outbound | Query=0101, Body=we come friday - no wait - monday |  | 
`;

export const corrections: readonly Detailed[] = requestsIn(LINES).map((request, at) => ({
  ...request,
  says: request.says.replaceAll('⏎', '\n'),
  tells: (LINES.trim().split('\n')[at] ?? '').split('|')[4]?.trim() ?? '',
}));
