import { type Detailed, detailedIn } from './details.ts';

/*
 * Words of the talk around an order: a pause or an agreement before it, taking it back in words of one's own or after
 * another answer in between, questions about what is offered and who decides it, and what families ask of filters. In the notation of `details.ts`.
 */

const PAUSES = `
ben wants to port out, set him a pin => hold on that was for ava's 0101 not ben | numbers_portout | Query=0101 | numbers_status | takes the place of
ben wants to port out, set him a pin => hold on wrong customer | help | | numbers_status | is taken back
swap the sim of 0103, iccid 89012403971900099930 => hold on, ava says it's 0104 | numbers_update | Iccid=89012403971900099930, Query=0104 | numbers_status | takes the place of
cancel 0104 => one sec, the customer says it's 0106 | numbers_cancel | Query=0106 | numbers_status | takes the place of
park 0103 => stop, wrong one, it's 0101 | numbers_status | Query=0101 | numbers_diagnose | takes the place of
set a port-out pin for ben => hang on he told me it's 0101 | numbers_portout | Query=0101 | numbers_status | takes the place of
hold on, 0103 is not ready yet | numbers_find | Query=0103 | numbers_status |
hang on, is 0104 active? | numbers_find | Query=0104 | numbers_status |
hold on 0103 please, she lost the phone | numbers_status | StatusChange=park, Query=0103 | numbers_cancel |
0105 => ok raise it to 40 then | numbers_data_usage_set | Query=0105 | numbers_cancel | 40
0102 => ok text her: all good now | message_outbound | Body=all good now, Query=0102 | message_search_get |
0104 => alright, park it then | numbers_status | StatusChange=park, Query=0104 | numbers_cancel |
0104 => ok approve it then | help | | numbers_status | words do not
`;

const TAKEN_BACK = `
0106 wants to cancel => can we do it end of the month instead => hm shes staying. forget it | help | | numbers_cancel | is taken back
park 0103 => is it on hold now? => she found it, never mind | help | | numbers_status | is taken back
cancel 0104 => who has 0104 => take it back pls, he changed his mind | help | | numbers_cancel | is taken back
raise limit of 0105 to 30 mb => how much did 0105 use => leave the limit as it was | help | | numbers_data_usage_set | is taken back
bump the data limit on 0101 to 20 gb => actually make that 15 => sry forget it, leave it as is | help | | numbers_data_usage_set | is taken back
park 0103 => false alarm | help | | numbers_status | is taken back
park 0103 => not necessary any more, phone turned up | help | | numbers_status | is taken back
park 0103 => please remove that offer | help | | numbers_status | is taken back
park 0103 => leave her line alone | help | | numbers_status | is taken back
park 0103 => we'd better not | help | | numbers_status | is taken back
park 0103 => i take that back | help | | numbers_status | is taken back
park 0103 => u r wrong i didnt ask that | help | | numbers_status numbers_diagnose | is taken back
cancel 0104 => cancel that request, the customer decided otherwise | help | | numbers_cancel | is taken back
change the port date of +13125550111 to dec 16 => no keep the date, let me know when its done | numbers_order_get | | numbers_portin_update | to dec 16” is withdrawn
cancel 0106 => no, she is staying. what plan is she on? | numbers_find | Query=0106 | numbers_cancel | “cancel 0106” is withdrawn
park 0103 => forget it, text her "all good" | message_outbound | Body=all good, Query=0103 | numbers_status | “park 0103”, which is withdrawn
park 0103 => forget that, park 0104 | numbers_status | Query=0104 | numbers_cancel | “park 0103”, which is withdrawn
park 0105 and 0106 => pull that one back, i meant only 0106 | numbers_status | Query=0106 | numbers_cancel | which is withdrawn
wheres the port of 3125550111 => keep the date | numbers_order_get/numbers_find/help | | numbers_portin_update numbers_portin_cancel |
`;

const ABOUT = `
0107 was cancelled by mistake, bring it back => did lee approve it | events_since | Query=0107 | numbers_reactivate | 0107
0107 was cancelled by mistake, bring it back => did lee approve it => is it working again | numbers_diagnose | Query=0107 | numbers_reactivate | read as 0107
what did lee do today => is it working again | help | | numbers_status |
cancel 0104 => has anyone said yes yet | events_since | Query=0104 | numbers_cancel | 0104
cancel 0104 => who has 0104 => did anybody confirm it | events_since | Query=0104 | numbers_cancel |
block 9175550143 for ben => what did you just change? | events_since | Query=ben | _add |
swap the sim of 0105 to 89012403971900099930 => who has to approve that | help | | numbers_update | an approver for a new SIM
block 9175550143 for ben => and show me the list after | help | | _add | Nothing was done yet
move 0105 from ava to ben => what would ben have then | help | | numbers_update | Nothing was done yet
0106 wants to cancel => is there a fee if she changes her mind | help | | numbers_update numbers_cancel | Cancel numbers
park 0103 => what happens to her texts | help | | message_outbound numbers_status | Park a number
park 0103 => what does a sim swap cost | help | | numbers_update numbers_status | Swap a SIM
park 0103 => does it take effect immediately? | help | | numbers_status | Park a number
u r wrong i didnt ask that | help | | numbers_diagnose | Nothing was done
thats not what i meant | help | | numbers_diagnose | Nothing was done
undo the last thing ana did | events_since | By=ana | numbers_status | What “ana” did
revert lee's last change | events_since | By=lee | numbers_status | Nothing was undone
`;

const COLLEAGUES = `
cancel 0106 => did lee say yes yet? => remind him please | events_since | Query=0106 | message_outbound | cancel 0106
cancel 0106 => did lee say yes yet? => chase her about it | events_since | Query=0106 | message_outbound |
cancel 0106 => remind them to approve it | events_since | Query=0106 | message_outbound |
park 0103 => can you nudge lee | events_since | Query=0103 | message_outbound numbers_status |
cancel 0106 => did lee say yes => tell him its urgent | help | | message_outbound numbers_cancel | “him” is read as lee
park 0103 => has lee looked at it => is she at her desk | help | | numbers_find numbers_status | “she” is read as lee
cancel 0106 => did lee say yes => whats her plan | numbers_find | Query=0106 | numbers_cancel | 0106
cancel 0106 => did lee say yes yet? => what happens to the line when he does | help | | numbers_cancel | Cancel numbers
cancel 0106 => has that been ok'd yet | events_since | Query=0106 | numbers_cancel |
cancel 0106 => did lee agree to it already | events_since | Query=0106 | numbers_cancel |
did Lee say yes | events_since | | numbers_find | wait for a person
did ana agree to it already | events_since | | numbers_find | wait for a person
assign 0110 to ben => does that need lee? | help | | numbers_update numbers_find | an approver for a new SIM, subscriber or route
assign 0110 to ben => does that need lee? => ok leave it where it is then | help | | numbers_update | is taken back
put 0105 at 3 gb => who has to ok that | help | | numbers_data_usage_set | any operator
cancel 0104 => do we need an ok for that | help | | numbers_cancel | of an approver
ben => remind him that his bill is due | message_outbound | Body=his bill is due, Query=ben | events_since |
suspend ben => remind ben | message_outbound | Query=ben | numbers_status |
`;

const UNLISTED = `
who is blocked on 0101 => remove it | help | | subscribers_call_filter_delete numbers_cancel _remove | unblock NUMBER for 0101
who can call ben => take them off | help | | subscribers_call_filter_delete numbers_cancel _remove | for the whole filter
who is allowed to call ben => drop him | help | | subscribers_call_filter_delete _remove | off the allow list of ben
is 3125550199 blocked for ava => remove it | subscribers_call_filter_blocked_numbers_remove | Numbers=+13125550199, SubscriberId=ava | subscribers_call_filter_delete | read as 3125550199
who is blocked on 0101 => remove 3125550199 | subscribers_call_filter_blocked_numbers_remove | Numbers=+13125550199, SubscriberId=0101 | numbers_cancel | read as
show the call filter of ben => remove it | subscribers_call_filter_delete | CallFilterId=ben | numbers_cancel | the call filter of ben
`;

const FAMILIES = `
notify mum on 2025550188 when ben gets a blocked msg | subscribers_message_filter_update | SubscriberId=ben, NotificationPhones=+12025550188 | message_outbound | go on to get it
tell his mother 2025550188 when ava gets a blocked call | subscribers_call_filter_update | SubscriberId=ava, NotificationPhones=+12025550188 | message_outbound | go on to get it
let 2025550188 know whenever something is blocked for ben | subscribers_message_filter_update | SubscriberId=ben, NotificationPhones=+12025550188 | message_outbound | go on to get it
text ben's parents when a message is blocked | help | | message_outbound numbers_find | write the number
ava's mum should hear about it when a call is blocked | help | | _add message_outbound | for ava
what did the filter stop for Ava this week? | message_search_get | Query=Ava | subscribers_message_filter_update | keeps no list
did the filter catch anything for ben | message_search_get | Query=ben | subscribers_message_filter_update | keeps no list
how many messages did the filter hold back on 0104 | message_search_get | Query=0104 | numbers_status | keeps no list
allow only grandma 2025550181 to call ben => what happens to everybody else then? | help | | _add subscribers_call_filter_update | calls of everybody else are blocked
block 2025550171 for ben => can others still call him | help | | _add | as they do now
what is the difference between child and teenager | help | | subscribers_message_filter_update | Teenager: the lightest level
child vs teen level | help | | subscribers_message_filter_update | Child: the strictest level
is adolescent stricter than teenager | help | | subscribers_message_filter_update | Adolescent: a moderate level
who can text ben | subscribers_message_filter_get | SubscriberId=ben | _add | Message filters
who is able to message 0103 | subscribers_message_filter_get | Phone=0103 | message_outbound | Message filters
who can text ben => block 2025550183 | subscribers_message_filter_blocked_contacts_add | Contacts=+12025550183, SubscriberId=ben | subscribers_call_filter_update | texts from
block 2025550171 for ava | subscribers_call_filter_blocked_numbers_add | Numbers=+12025550171 | _remove | texts have a list of their own
block 2025550171 for ava => both | subscribers_call_filter_blocked_numbers_add | Numbers=+12025550171 | _remove | calls and texts have lists of their own
block calls from 2025550171 for ava => calls and texts | subscribers_call_filter_blocked_numbers_add | Numbers=+12025550171 | _remove | is withdrawn
ava's texts to 2025550155 dont arrive, is it the filter | subscribers_message_filter_get | SubscriberId=ava | numbers_portin | whether +12025550155 is blocked
ben cant reach 2025550155, is it blocked | subscribers_call_filter_get | SubscriberId=ben | numbers_portin | whether +12025550155 is blocked
ben shouldnt get any pictures from strangers | subscribers_message_filter_update | SubscriberId=ben, BlockMedia=true | numbers_diagnose | each holds by itself
ava shouldnt be getting calls from abroad | subscribers_call_filter_update | SubscriberId=ava, BlockInternational=true | numbers_diagnose | Change a call filter
`;

const RECORDS = `
take 3125550199 off ben's filter | help | | subscribers_call_filter_delete | unblock 3125550199 for ben
remove mum from ben's filter | help | | subscribers_call_filter_delete | the filter itself is not deleted
take ben's filter off | subscribers_guardian_features_set | | numbers_cancel subscribers_call_filter_delete |
take the word vape off ben's filter | subscribers_message_filter_update | SubscriberId=ben | _delete | takes “vape” off
take weed off Ava Stone's message filter | subscribers_message_filter_update | SubscriberId=Ava Stone | subscribers_message_filter_delete | takes “weed” off
add vape and weed to ben's filter | subscribers_message_filter_update | SubscriberId=ben | _add | adds “vape”, “weed”
which numbers has ava blocked | subscribers_call_filter_get | SubscriberId=ava | _add | Call filters
who did ava block | subscribers_call_filter_get | SubscriberId=ava | _add | Call filters
which callers did ben block | subscribers_call_filter_get | SubscriberId=ben | _add | Call filters
which lines dont have an owner | numbers_find | Query=orphan | subscriptions_delete | without a subscriber
which lines arent assigned to anyone | numbers_find | Query=orphan | numbers_update | without a subscriber
when does 0108 get wiped for good | numbers_find | Query=0108 | numbers_cancel | 0108
when do we lose 0108 | numbers_find | Query=0108 | numbers_cancel | 0108
send 0101 a message from 0103 saying hello => which texts did we send her this week | events_since | Query=0101 | message_outbound | read as 0101
send 0101 a message from 0103 saying hello => did our text go through | events_since | Query=0101 | numbers_diagnose | 0101
send 0101 a message from 0103 saying hello => was the message delivered | events_since | Query=0101 | numbers_diagnose | 0101
what texts did we send to 0101 today | events_since | Query=0101 | message_outbound | 0101
what messages did we send ben | events_since | Query=ben | message_outbound | ben
`;

export const talk: readonly Detailed[] = [PAUSES, TAKEN_BACK, ABOUT, COLLEAGUES, UNLISTED, FAMILIES, RECORDS].flatMap(
  detailedIn,
);
