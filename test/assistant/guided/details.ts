import { type Request, requestsIn } from './requests.ts';

/*
 * Sentences whose details decide: who owns a list, what is wanted of two, when something is to end. In the notation of
 * `requests.ts`, with one more column: what the answer has to say.
 */

export interface Detailed extends Request {
  tells: string;
}

const LINES = `
is +13125550199 blocked for ben? | subscribers_call_filter_get | SubscriberId=ben | _add _remove | whether +13125550199 is blocked
can you check whether 3125550199 is blocked for ava | subscribers_call_filter_get | SubscriberId=ava | _add _remove | whether +13125550199
ben blocked 3125550199 by mistake | subscribers_call_filter_get | SubscriberId=ben | _add | whether +13125550199
hi, ben says 312 555 0199 still gets through, is it on his block list | subscribers_call_filter_get | SubscriberId=ben | _remove | whether +13125550199
does 3125550199 get through to 0101 | subscribers_call_filter_get | Phone=0101 | _add _remove | whether +13125550199
is 0101 blocking 3125550199 | subscribers_call_filter_get | Phone=0101 | _add _remove | whether +13125550199
is my customer ben blocking me on 3125550199 | subscribers_call_filter_get | SubscriberId=ben | _add _remove | whether +13125550199
has 3125550199 been blocked for texts for ben? | subscribers_message_filter_get | SubscriberId=ben | _add _remove | whether +13125550199
i think ben accidentaly blocked his mom 3125550166, can you check | subscribers_call_filter_get | SubscriberId=ben | _add _remove | whether +13125550166
is +13125550199 blocked? | subscribers_call_filter_get | Phone=undefined | _add _remove | whether +13125550199
make sure nobody can call ben except 3125550166 | subscribers_call_filter_update | FilterMode=WHITELIST, AllowedNumbers=+13125550166, SubscriberId=ben | _add _remove | blocks everyone else
has ava blocked anyone | subscribers_call_filter_get | SubscriberId=ava | _add _remove
who blocked 3125550199 for ben | events_since | SubscriberId=ben, PhoneNumber=+13125550199 | _add _remove | “ben” and +13125550199
who unblocked 3125550199 on 0102 | events_since | PhoneNumber=0102 | _add _remove | 0102
0103 has a block on 3125550199, lift it | subscribers_call_filter_blocked_numbers_remove | Numbers=+13125550199, SubscriberId=0103 | _add
block 3125550199 on 0101 and 0103 | subscribers_call_filter_blocked_numbers_add | Numbers=+13125550199, SubscriberId=0101 | _remove | each line has a filter of its own
allow only 3125550199 for ben | subscribers_call_filter_update | FilterMode=WHITELIST, AllowedNumbers=+13125550199, SubscriberId=ben | _add _remove | blocks everyone else
whitelist just 3125550199 on ava's phone | subscribers_call_filter_update | FilterMode=WHITELIST, SubscriberId=ava | _add _remove | blocks everyone else
nobody but 3125550199 may text ben | subscribers_message_filter_update | BlockUnknownNumbers=true, AllowedContacts=+13125550199 | _add _remove | blocks everyone else
allow 3125550199 for ben | subscribers_call_filter_allowed_numbers_add | Numbers=+13125550199, SubscriberId=ben | subscribers_call_filter_update
rather park than cancel 0104 | numbers_status | StatusChange=park, Query=0104 | numbers_cancel | left out, as you say: “than cancel”
better park 0103 than cancel it | numbers_status | StatusChange=park, Query=0103 | numbers_cancel
0103 not 0104 should be parked | numbers_status | StatusChange=park, Query=0103 | numbers_cancel | “not 0104”
park 0103 instead of 0104 | numbers_status | StatusChange=park, Query=0103 | numbers_cancel | “instead of 0104”
instead of cancelling 0104 we should suspend it | numbers_status | StatusChange=park, Query=0104 | numbers_cancel
don't cancel 0103, park it | numbers_status | StatusChange=park, Query=0103 | numbers_cancel
please dont cancel 0104 just put it on hold | numbers_status | StatusChange=park, Query=0104 | numbers_cancel
not cancel, park 0104 | numbers_status | StatusChange=park, Query=0104 | numbers_cancel
activate instead of park 0106 | numbers_status | StatusChange=activate, Query=0106 |
cancel both 0103 and 0104 but not 0105 | numbers_cancel | PhoneNumbers=0103+0104 | numbers_status | “but not 0105”
reactivate 0107, not 0108 | numbers_reactivate | Query=0107 | numbers_cancel | “not 0108”
pls unblock 3125550199 not 3125550144 for ben | subscribers_call_filter_blocked_numbers_remove | Numbers=+13125550199, SubscriberId=ben | _add
why did you park 0103 instead of 0104 | numbers_find/events_since | | numbers_status
0103 should have been parked not cancelled | numbers_find/numbers_lookup | | numbers_cancel
cancel or park 0104, whatever is cheaper | help/numbers_find | | numbers_status numbers_cancel
should i cancel or park 0104? | help/numbers_find | | numbers_status numbers_cancel
keep the number but cancel the plan for 0101 | subscriptions_delete | SubscriptionId=0101 | numbers_cancel
port in of 3125550111 still not done, cancel it please | numbers_portin_cancel | OrderId=+13125550111 | numbers_cancel
the cancel of 0107 was a mistake, undo | numbers_reactivate | Query=0107 | numbers_cancel
i want to undo what i just did | events_since | Only=actions | numbers_reactivate | Nothing was undone
cancel the hold on 0103 | numbers_status | StatusChange=activate, Query=0103 | numbers_cancel
0103 is still on hold, can u take it off | numbers_status | StatusChange=activate, Query=0103 | numbers_cancel
park 0103 from friday to monday | numbers_status | EffectiveDate=11/27/2026 | numbers_cancel | does not end by itself on 2026-11-30
put 0103 on hold for 2 weeks | numbers_status | EffectiveDate=11/22/2026 | numbers_cancel | does not end by itself (“for 2 weeks”)
suspend 0103 until further notice | numbers_status | StatusChange=park | numbers_cancel | “until further notice”
park 0103 at noon tomorrow | numbers_status | EffectiveDate=11/23/2026 | numbers_cancel | not taken: “at noon”
park 0104 every weekend | numbers_status | StatusChange=park | numbers_cancel | not taken: “every weekend”
cancel 0103 yesterday | numbers_cancel | Query=0103 | numbers_status | not taken: “yesterday”
cancel 0103 tonight | numbers_cancel | Query=0103 | numbers_status | cannot be scheduled for “tonight”
block 3125550199 for ben for 2 weeks | subscribers_call_filter_blocked_numbers_add | Numbers=+13125550199 | _remove | “for 2 weeks”
switch off guardian for ben just for tonight | subscribers_guardian_features_set | SubscriberId=ben | | “just for tonight”
watch 0101 for a week | numbers_watch | Query=0101 | | not taken: “for a week”
his phone was stolen on monday, park 0103 | numbers_status | EffectiveDate=11/22/2026 | numbers_cancel
0103 was stolen yesterday please suspend it | numbers_status | EffectiveDate=11/22/2026 | numbers_cancel
put 0104 on pause while she's in hospital | numbers_status | StatusChange=park | numbers_cancel | “while she's in hospital”
give 0101 2 gb on top for this weekend | numbers_data_usage_set | LimitValue=undefined | | add 2048 MB
port 3125550188 in on friday not thursday | numbers_portin | PortInDate=2026-11-27 | | “not thursday”
tell the customer on 0104 that her esim is ready, from 0101 | message_outbound | To=0104, From=0101, Body=her esim is ready |
text ben and 0101 "we are on it" | message_outbound | Body=we are on it, To=0101+ben | |
new number for ava in 212 with 5 gb | numbers_provision | AreaCode=212 | | not taken: 5 gb
what happened to 0104 between friday and monday | events_since | Query=0104 | | not taken: “until monday”
text 0101 and 0103 hello | message_outbound | To=0101+0103, Body=hello |
text 0101, 0103 and 0104: maintenance tonight | message_outbound | To=0101+0103+0104, Body=maintenance tonight |
sms to 0101, 0103: hi | message_outbound | To=0101+0103, Body=hi |
send ava and ben a text "we are back" | message_outbound | To=ava+ben, Body=we are back |
text ava, ben and nina that we are back | message_outbound | To=ava+ben+nina, Body=we are back |
message 0101 & 0103 from 0104 "all good" | message_outbound | To=0101+0103, From=0104, Body=all good |
set the limit of 0101 from 2 gb to 3 gb | numbers_data_usage_set | LimitValue=3072 |
lower 0101 from 5gb to 2gb | numbers_data_usage_set | LimitValue=2048 |
raise the limit of 0101 by 1 gb | numbers_data_usage_set | LimitValue=undefined | | add 1024 MB
cut the limit on 0101 in half | numbers_data_usage_set | LimitValue=undefined | | give the new value
double ben's data limit | numbers_data_usage_set | LimitValue=undefined, Query=ben | | give the new value
0101 needs 20% more data | numbers_data_usage_set | LimitValue=undefined | | give the new value
raise ben's limit to 10 for december | numbers_data_usage_set | LimitValue=undefined | | 10 has no unit
give ava 5 gb and ben 3 gb | numbers_data_usage_set | LimitValue=5120, Query=ava | | not taken: ben, 3 gb
remove the data limit on 0101 | numbers_data_usage_set | LimitValue=undefined | | no way to remove a limit
make 0101 unlimited | numbers_data_usage_set | LimitValue=undefined | packages_create | no way to remove a limit
stop throttling 0101 | numbers_data_usage_set | ThrottleValue=null, ThrottleSpeed=null |
what did lee do today | events_since | By=lee, Query=undefined | | What “lee” did
what has lee approved this week | events_since | By=lee, Since=7d | | What “lee” did
did lee approve my request | events_since | By=lee | | What “lee” did
show me everything ana did since yesterday | events_since | By=ana | | What “ana” did
who cancelled 0103 and when | events_since | Query=0103 | numbers_cancel | 0103
cancel my request | help | | numbers_cancel
i wish we could cancel 0104 | numbers_find | | numbers_cancel | not clear whether you want it
what a mistake to park 0103 | numbers_find | | numbers_status | You asked about
is it possible to cancel 0104? | numbers_find | | numbers_cancel | You asked about
cancel 0103 in case she calls again | numbers_find | | numbers_cancel
we might need to cancel 0104 | numbers_find | | numbers_cancel | You asked about
find ben and ava | numbers_find | Query=ben | | ava still needs the same
show 0101 and 0104 | numbers_find | | | by "0101, 0104"
cancel 0105 only if it used less than 1 GB | numbers_find | Query=0105 | numbers_cancel | “only if it used less than 1 GB” is a condition
park 0103 if she has not paid | numbers_find | Query=0103 | numbers_status | “if she has not paid” is a condition
reactivate 0107 once she has paid | numbers_find | Query=0107 | numbers_reactivate | is a condition
remove the data cap on 0105 but keep the warning at 15 MB | numbers_data_usage_set | LimitValue=undefined, NotifyValue=15, Query=0105 | | no way to remove a limit
drop the cap on 0103, only warn at 18 MB | numbers_data_usage_set | LimitValue=undefined, NotifyValue=18 | | no way to remove a limit
don't lower the limit of 0105 to 10 MB, raise it to 100 MB | numbers_data_usage_set | LimitValue=100, Query=0105 | | left out, as you say: “not to 10 MB”
please don't reduce 0103 to 1 GB, set it to 4 GB | numbers_data_usage_set | LimitValue=4096, Query=0103 | | “not to 1 GB”
set 0105 to 2 GB, not 5 GB | numbers_data_usage_set | LimitValue=2048 | | “not 5 GB”
I didn't ask to swap the SIM of 0101, who did? | events_since | Query=0101 | numbers_update numbers_status
nobody told you to cancel 0109, who was that? | events_since | Query=0109 | numbers_cancel
don't send the text to 0104 yet, show me what we sent before | events_since/message_search_get | Query=0104 | message_outbound | left out, as you say
don't cancel 0103, just tell me how much data it used | numbers_data_usage_info | Query=0103 | numbers_cancel | left out, as you say
don't text Ava yet, show what we already wrote | events_since/message_search_get | Query=Ava | message_outbound
swap the sim of 0101 to 8901240397190009990 for Ben at $20 | numbers_update | Iccid=8901240397190009990, Query=0101 | | not taken: 20
port 3125550144 over from mint mobile, account 8837421, on Dec 7 for Ava | numbers_portin | CurrentCarrierName=mint mobile, CurrentAccountNumber=8837421, PortInDate=2026-12-07, AssignedSubscriberId=Ava | numbers_portout
we want to bring 312 555 0144 over to us from Lakeside Wireless | numbers_portin | CurrentCarrierName=Lakeside Wireless | numbers_portout
cancel 0103, Ben's old number | numbers_cancel | Query=0103, PhoneNumbers=undefined |
park 0103 and Ben called about it | numbers_status | Query=0103, PhoneNumbers=undefined | numbers_cancel
if 0107 isnt deleted yet reactivate it, otherwise nothing | numbers_find | Query=0107 | numbers_reactivate numbers_cancel | “if 0107 isnt deleted yet” is a condition
0107: if its not deleted yet bring it back | numbers_find | Query=0107 | numbers_reactivate numbers_cancel | is a condition
if he hasnt paid cancel 0104 | numbers_find | Query=0104 | numbers_cancel | “if he hasnt paid” is a condition
if nobody uses 0103 park it | numbers_find | Query=0103 | numbers_status | “if nobody uses 0103” is a condition
if he pays dont cancel 0104 | numbers_find | Query=0104 | numbers_cancel | You said not to
if 0105 is not on hold put it on hold | numbers_find | Query=0105 | numbers_status | is a condition
if possible suspend 0103 | numbers_status | StatusChange=park, Query=0103 | numbers_cancel
if we suspend 0103 can she still get calls | numbers_find/help | | numbers_status | You asked about
cancel 0105 on 12/15 not before | numbers_cancel | Query=0105 | numbers_status | cannot be scheduled for 2026-12-15
park 0103 tomorrow and not today | numbers_status | EffectiveDate=11/23/2026, Query=0103 | numbers_cancel | “not today”
hold 0103 from monday not earlier | numbers_status | EffectiveDate=11/23/2026, Query=0103 | numbers_cancel | “not earlier”
park 0103 not before dec 1 | numbers_status | EffectiveDate=12/01/2026, Query=0103 | numbers_cancel
suspend 0103 on the 15th | numbers_status | EffectiveDate=12/15/2026, Query=0103 | numbers_cancel
park 0103 not today | numbers_find | Query=0103 | numbers_status | It is not clear
port 3125550145 in, but not before dec 7 | numbers_portin | PortInDate=2026-12-07 |
`;

/** Words that no field takes. */
const WORDS_LEFT = `
voicemail pin reset for 2015550104 | numbers_lookup | | numbers_portout | no setting for voicemail
reset the voicemail password of 0104 | numbers_find | Query=0104 | numbers_portout | no setting for voicemail
client changed his mind about porting 3125550111 to us | numbers_portin_cancel | OrderId=+13125550111 | numbers_portin |
she doesn't want to port 3125550111 anymore | numbers_portin_cancel | OrderId=+13125550111 | numbers_portin |
unblock spam number 8005550199 on 0103 | subscribers_call_filter_blocked_numbers_remove | Numbers=+18005550199, SubscriberId=0103 | _add |
cancel 0104, moving abroad | numbers_cancel | Query=0104 | numbers_update |
moving 0104 to ben | numbers_update | AssignedSubscriberId=ben | numbers_cancel |
port in 3125550190 from verizon acct 998877 pin 4321 zip 60601 | numbers_portin | CurrentAccountNumber=998877, CurrentBillingAddress=60601 | | Not taken: the PIN
park 0103 for a couple weeks, shes travelling | numbers_status | Query=0103 | numbers_cancel | not taken: “for a couple weeks”
new line for globex, area code 415, cheapest plan | numbers_provision | AreaCode=415 | | “cheapest plan”
give me 3 new lines in 312 for Acme Mobile, mvno | numbers_provision | AreaCode=312, NumberType=mvno | |
limit ava to 5 gb but only at night | numbers_data_usage_set | LimitValue=5120, Query=ava | | “at night”
block 2125551234 for ben during school hours | subscribers_call_filter_blocked_numbers_add | SubscriberId=ben | | “during school hours”
suspend 0103 calls only | numbers_status | Query=0103 | numbers_cancel | “calls”
port 3125550190 in, keep his voicemail greeting | numbers_portin | PortInNumber=+13125550190 | | “his voicemail greeting”
text 0102 in spanish: su linea esta activa | message_outbound | Body=su linea esta activa, Query=0102 | | “in spanish”
give ben the family plan at a discount | subscriptions_create | PackageId=family, SubscriberId=ben | | “at a discount”
set up a voice route to our pbx with failover | voice_routes_create | | | “with failover”
swap the sim of 0101, she wants a blue one | numbers_update | Query=0101 | | “a blue”
change the caller name of 0102 to GLOBEX in capitals | numbers_update | CnamFirstName=GLOBEX | | “in capitals”
got any numbers free in brooklyn | help/numbers_availability | | | brooklyn
look up 0103, tell me the plan and if it has a block list | numbers_find | Query=0103 | | “if it has a block list”
what plan is 0105 on and when does it renew | numbers_find | Query=0105 | | “when does it renew”
whos 0102 and do they have autopay | numbers_find | Query=0102 | | “do they have autopay”
show me ben's number with his voicemail settings | numbers_find | Query=ben | | “his voicemail settings”
`;

/** Requests with a last column: what the answer has to say. */
export function detailedIn(lines: string): Detailed[] {
  return requestsIn(lines).map((request, at) => ({
    ...request,
    tells: (lines.trim().split('\n')[at] ?? '').split('|')[4]?.trim() ?? '',
  }));
}

export const details: readonly Detailed[] = [...detailedIn(LINES), ...detailedIn(WORDS_LEFT)];

/** Sentences in which nothing is left: greetings, reasons, and questions that a card answers. */
export const nothingLeft: readonly string[] = `
good morning, customer called tonight, please park 0103
cancel 0105, it is on hold anyway
can you pls put 0103 on hold right away, she lost her phone
her kid broke the phone so please suspend 0104 asap, thanks
block 2125551234 for ben, he keeps getting scam calls from there
im losing it, 0106 uses too much data, cap it at 2gb
whats the status of 0103 and who owns it
hiya, got a caller here, her number ends 0101, is she active
cancel 0101, 0103, 0105 in one batch
reactivate 0107, it was a mistake
tell me when 2015550101 runs out of data
set the caller name of 0102 to Blue Kettle please, customer asked for it
`
  .trim()
  .split('\n');
