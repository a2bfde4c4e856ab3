import { type Detailed, detailedIn } from './details.ts';

/*
 * Messages that mean what was offered or shown before: a refusal takes the offer back, "her" is the line just shown, and an
 * amount, a caller's last digits or a text go into the order before. In the notation of `details.ts`.
 */

const TAKEN_BACK = `
text 0101: hi ava, your order is ready => never mind dont send | help | | message_outbound numbers_diagnose | is taken back
block 6465550100 for ava => never mind dont block | help | | _add _remove | is taken back
swap sim 0101 to 89012403971900017777 => wait dont swap yet | help | | numbers_update | is taken back
hold 0103 => dont hold it after all | help | | numbers_status | is taken back
cancel 0104 => never mind dont cancel | help | | numbers_cancel | is taken back
reactivate 0107 => nah dont reactivate | help | | numbers_reactivate | is taken back
set limit 0105 to 30 mb => forget it, dont change the limit | help | | numbers_data_usage_set | is taken back
text 0101: your sim is here => never mind dont text her | help | | message_outbound | is taken back
block texts from 6465550100 for ava => sorry dont block him | help | | _add _remove | is taken back
hold 0103 => no need to park it yet | help | | numbers_status | is taken back
new line for ava in 415 => scratch that, don't order it | help | | numbers_provision | is taken back
raise limit of 0105 to 30 mb => nvm he is fine with it | help | | numbers_data_usage_set | is taken back
text 0101: hi => oh we should not message her | help | | message_outbound | is taken back
cancel 0104 => take the cancellation back, customer called again | help | | numbers_cancel | is taken back
block 6465550100 for ava => texts as well => never mind dont block him | help | | _add _remove | and “block texts from +16465550100 for ava” are taken back
block 6465550100 for ava => texts as well => actually unblock it | subscribers_call_filter_blocked_numbers_remove | Numbers=+16465550100, SubscriberId=ava | _add | which are withdrawn
hold 0103 => and 0105 => never mind dont hold her | help | | numbers_status | “hold 0105” is taken back
cancel 0104 and 0106 => dont cancel 0106 | numbers_cancel | Query=0104 | | takes the place of
cancel 0104 and 0106 => not 0106, only 0104 | numbers_cancel | Query=0104 | | takes the place of
cancel 0104 and 0106 => please do not cancel 0104 and 0106 | help | | numbers_cancel | is taken back
hold 0103 => dont cancel it | numbers_find | Query=0103 | numbers_cancel | as it was
hold 0103 => don't hold 0105 | help | | numbers_status | 0105 is not in “hold 0103”
hold 0103 => not frozen yet, why | events_since | Query=0103 | numbers_status |
withdraw my request for the hold | help | | numbers_status | Withdraw
pull back everything of mine that is still waiting | help | | | Withdraw
`;

const SHOWN = `
ava stone 0103 => whats her usage | numbers_data_usage_info | Query=0103 | | “her” is read as 0103
ava stone 0103 => ok give her 200 mb more => no only 100 more | numbers_data_usage_set | Query=0103 | | add 100 MB to the present one
ava stone 0103 => and tell her by text its done | message_outbound | Query=0103, Body=its done | | “her” is read as 0103
ben 0102 => block +13125550155 for him | subscribers_call_filter_blocked_numbers_add | SubscriberId=0102, Numbers=+13125550155 | _remove |
ava stone 0103 => what's her email | subscribers_get | SubscriberId=ava stone | | “her” is read as ava stone
ava stone 0103 => give her 0110 | numbers_update | Query=0110, AssignedSubscriberId=ava stone | |
limit on 0106? => make it 50 | numbers_data_usage_set | Query=0106 | | read as “set the data limit of 0106 to 50”
limit on 0106? => 50 pls | numbers_data_usage_set | Query=0106 | | to 50”
how much data is left on 0105 => raise it to 30 | numbers_data_usage_set | Query=0105 | numbers_status | to 30”
data limits of 0105 => 1 gb please | numbers_data_usage_set | Query=0105, LimitValue=1024 | |
how much data is left on 0105 => raise it to 30 => and let us know when she gets to 25 | numbers_data_usage_set | Query=0105 | numbers_watch | 30 and 25 have no unit
set limit of 0105 to 30 mb => and warn her at 25 | numbers_data_usage_set | LimitValue=30, NotifyValue=25 | |
set limit of 0105 to 30 => mb | numbers_data_usage_set | LimitValue=30 | | withdrawn
set limit of 0105 to 200 mb => no only 100 | numbers_data_usage_set | LimitValue=100 | | withdrawn
cust on phone w 0105, no calls going out => and texts? | numbers_diagnose | Query=0105, About=texts | message_outbound | like the message before
why cant 0105 call => and data? | numbers_diagnose | Query=0105, About=data | |
why can't ben text => what about calls | numbers_diagnose | Query=ben, About=calls | |
who has 0110 => ok give it to ava | numbers_update | Query=0110, AssignedSubscriberId=ava | | “it” is read as 0110
who has 0110 => ok give it to ava => and does it have a subscription? | numbers_find | Query=0110 | | “it” is read as 0110
who has 0110 => ok put it on starter | subscriptions_create | Query=0110, PackageId=starter | | “it” is read as 0110
ok thanks, bye | help | | | Only the button
yes please send it | help | | message_outbound | Only the button
numbers in 718? => take one for ben | numbers_provision | AreaCode=718, AssignedSubscriberId=ben | numbers_cancel | area code 718
have we got 312 numbers available? => reserve two of those for acme | numbers_provision | AreaCode=312 | | one number at a time
any numbers free in 415 => get me one | numbers_provision | AreaCode=415 | |
can 7735550160 be ported? => good, start the port for Acme with ava | numbers_portin | PortInNumber=+17735550160 | | read as “port in 7735550160
can 7735550160 be ported? => good, start the port for ava => hm wait it is 7735550161 | numbers_portin | PortInNumber=+17735550161, AssignedSubscriberId=ava | | withdrawn
0103 is on hold => that was the wrong one, put it back on, it should have been 0104 | numbers_status | StatusChange=activate, Query=0103 | numbers_reactivate | the order for 0104
hold 0103 => that was the wrong one, put it back on, it should have been 0104 | numbers_status | StatusChange=activate, Query=0103 | numbers_reactivate | Then write “hold 0104”
who's on 201 555 0104 => the line should say "Warehouse 2" | numbers_update | Number=+12015550104, CnamFirstName=Warehouse, CnamLastName=2 | message_outbound |
Lady wants 0107 back, is this still possible and what would it cost her? => and 0109? | numbers_find | Query=0109 | numbers_reactivate | read as
`;

const TEXTS = `
text 0101: hi ava your order is ready => make it say ready tomorrow instead | message_outbound | Query=0101, Body=hi ava your order is ready tomorrow | | withdrawn
text 0101: hi ava, your order is ready => the text should say it comes tomorrow | message_outbound | Query=0101, Body=it comes tomorrow | | withdrawn
text ava on 0101 that her sim ships friday => make that thursday | message_outbound | Query=0101, Body=her sim ships thursday | | withdrawn
text 0101: your sim ships friday => sorry, monday | message_outbound | Query=0101, Body=your sim ships monday | | withdrawn
text ava 0101 hi your sim is here | message_outbound | Query=0101, Body=hi your sim is here | numbers_update |
text ben reed 0102 we are back | message_outbound | Query=0102, Body=we are back | |
text ava 0101 hi your sim is here => make it: hi ava your new sim is here | message_outbound | Query=0101, Body=hi ava your new sim is here | numbers_update | withdrawn
tell 0103 by text its done | message_outbound | Query=0103, Body=its done | |
text history 0102 today | message_search_get | Query=0102 | message_outbound |
send 0101 a message: The line of your daughter is parked. => from 0104 | message_outbound | To=0101, From=0104, Body=The line of your daughter is parked. | | withdrawn
text 0101: hi => send it from 0104 please | message_outbound | To=0101, From=0104, Body=hi | | withdrawn
`;

const FILTERS = `
please block 312-555-0145 on calls for Ava => sorry i meant 0154 | subscribers_call_filter_blocked_numbers_add | Numbers=+13125550154, SubscriberId=Ava | _remove | withdrawn
what does ben's call filter look like => could you take 0150 off it please, that was blocked by mistake | subscribers_call_filter_blocked_numbers_remove | Numbers=0150, SubscriberId=ben | numbers_cancel | read as “unblock 0150 for ben”
what does ben's call filter look like => take 0150 off it => and put it on the ones who may call instead | subscribers_call_filter_allowed_numbers_add | Numbers=0150, SubscriberId=ben | | read as “allow 0150 for ben”
ben's message filter => remove +13125550160 from it | subscribers_message_filter_blocked_contacts_remove | Contacts=+13125550160, SubscriberId=ben | |
which texts did Ben get lately => please block that sender | subscribers_message_filter_blocked_contacts_add | SubscriberId=Ben | subscribers_call_filter_blocked_numbers_add | sender is in the messages
look up Ben Reed => is his filtering on? => then turn it off for calls only | subscribers_guardian_features_set | SubscriberId=Ben Reed, EnableIntelligentGuardianCalls=false | numbers_status |
set up a call filter for 0105 pls => only allow 0101 and 0102 | subscribers_call_filter_update | SubscriberId=0105, FilterMode=WHITELIST, AllowedNumbers=0101+0102 | | withdrawn
`;

const ABOUT = `
port in 3125550145 for ben => what is still missing? | help | | numbers_cancel | Still needed: Current carrier name
park 0103 => what else do you need | help | | numbers_cancel | Nothing is missing
port in 3125550145 for ben => name on the bill: Benjamin Reed | numbers_portin | PortInNumber=+13125550145, AssignedSubscriberId=ben | numbers_order_get | it goes on with
swap sim 0103 => and the old one stops working right away? | help | | numbers_diagnose | Swap a SIM
port in 3125550145 for ben => does ben keep his old number then? | help | | | Port a number in
block +1 312-555-0150 from calling 0103 please => will that work right away? | help | | _add | Block callers
cancel 0104 => will he lose his number? | help | | numbers_cancel | Cancel numbers
hold 0103 => is it active? | numbers_find | Query=0103 | numbers_status | as it was
hold 0103 => does 0105 have a plan? | numbers_find | Query=0105 | numbers_status |
`;

export const carriedOver: readonly Detailed[] = [TAKEN_BACK, SHOWN, TEXTS, FILTERS, ABOUT].flatMap(detailedIn);
