import { type Detailed, detailedIn } from './details.ts';

/*
 * Orders with a clause beside them that gives a reason, refuses something else or says for whom it is. In the notation of
 * `details.ts`.
 */

const ROWS = `
0105 is nearly out of data, make it 40mb | numbers_data_usage_set | LimitValue=40, Query=0105
0103 ran dry again, bump it to 60 mb | numbers_data_usage_set | LimitValue=60, Query=0103
ben sends too many texts, switch texting off for him | numbers_update | MessageEnabled=false, Query=ben | message_outbound
turn off texts on 0103 he sends spam | numbers_update | MessageEnabled=false, Query=0103
0110 was a test line, get rid of it for good | numbers_cancel | Query=0110
cancel 0104 after she confirms | numbers_find | Query=0104 | numbers_cancel | nothing here waits for it
0106 isnt avas any more, give it to ben | numbers_update | AssignedSubscriberId=ben, Query=0106
get ben a different number he gets threats | numbers_status | Query=ben | numbers_provision
ben is being harassed, give him a new number | numbers_status | Query=ben | numbers_provision
give ben a new number, he gets spam calls all day | numbers_status | Query=ben | numbers_provision
give ava a new number, she needs a second one | numbers_provision | AssignedSubscriberId=ava
0101 moved to chicago, wants a number with area code 312 | numbers_status | AreaCode=312 | numbers_provision
dont park 0104, just stop the texts on it | numbers_update | MessageEnabled=false, Query=0104 | numbers_status | left out, as you say
no need to cancel 0106, just switch off calls on it | numbers_update | VoiceEnabled=false, Query=0106 | numbers_cancel | left out, as you say
dont suspend 0103, only turn texts off | numbers_update | MessageEnabled=false, Query=0103 | numbers_status
never mind parking 0106, just change its limit to 40 mb | numbers_data_usage_set | LimitValue=40, Query=0106 | numbers_status
dont park 0103, customer stays | numbers_find | Query=0103 | numbers_status | You said not to
we dont want to cancel 0105 anymore | numbers_find | Query=0105 | numbers_cancel | You said not to
customer no longer wants to cancel 0105 | numbers_find | Query=0105 | numbers_cancel | You said not to
0105 should no longer be cancelled | numbers_find | Query=0105 | numbers_cancel | You said not to
dont block +13055550123 for ben anymore | subscribers_call_filter_blocked_numbers_remove | SubscriberId=ben | _add
0106 cap 25 and a heads up at 20 | numbers_data_usage_set | Query=0106, LimitValue=undefined | | 25 and 20 have no unit
0106 limit 25, alert 20 | numbers_data_usage_set | Query=0106 | | 25 and 20 have no unit
0103 to 60mb | numbers_data_usage_set | LimitValue=60, Query=0103
make it 40mb for 0105 | numbers_data_usage_set | LimitValue=40, Query=0105
end 0106 for good | numbers_cancel | Query=0106
0105 got new plastic, serial 89012403971900010077 | numbers_update | Iccid=89012403971900010077, Query=0105
is +13055550123 on anyones block list | subscribers_call_filter_get | SubscriberId=undefined, Phone=undefined | | whether +13055550123
does any of our customers block +13055550123 | subscribers_call_filter_get | SubscriberId=undefined | _add | whether +13055550123
wipe the phone of 0103 | numbers_find | Query=0103 | numbers_cancel | no handsets
give ava a discount of 5 dollars | numbers_find | Query=ava | packages_update | charges, bills and refunds nobody
where is the phone of 0103 right now | numbers_find | Query=0103 | | no location
where was bens phone last seen | numbers_find | Query=ben | | no location
reboot the router of acme | numbers_find | Query=acme | | “reboot” was not understood
book ava a hotel | numbers_find | Query=ava | | “book” was not understood
last 5 changes of ava | events_since | Only=actions, Query=ava
latest changes on 0104 | events_since | Only=actions, Query=0104
0103 gets no verification codes | numbers_diagnose | Query=0103, About=texts
ben never gets his login codes | numbers_diagnose | Query=ben, About=texts
did 0103 get her verification code | message_search_get | Query=0103
ava gave 0104 back, take her off it | numbers_find | Query=0104 | numbers_cancel
take ava off 0104 | numbers_find | Query=0104 | numbers_cancel | the list of phone numbers without it
dont cancel 0105 after all | numbers_find | Query=0105 | numbers_cancel | If a request for it waits
let me know when 3125550111 is ported | numbers_order_get | OrderId=+13125550111 | numbers_portin | Only lines are watched
let ava know at 0101 that we fixed it | message_outbound | Body=we fixed it, Query=0101
no more guardian for ben | subscribers_guardian_features_set | EnableIntelligentGuardianCalls=false, SubscriberId=ben
caller id of 0101 is Ava Ston, should be Ava Stone | numbers_update | CnamLastName=Stone, Query=0101
0106 gets the starter package | subscriptions_create | PackageId=starter, Query=0106
0106 goes on hold | numbers_status | StatusChange=park, Query=0106
supend 0106 plz | numbers_status | StatusChange=park, Query=0106
`;

export const context: readonly Detailed[] = detailedIn(ROWS);

/** Reads of two people, which are answered for both. */
export const bothRead: readonly (readonly [says: string, operation: string, names: readonly string[]])[] = [
  ['how much data did ava and ben use', 'numbers_data_usage_info', ['ava', 'ben']],
  ['ben n ava both cant call', 'numbers_diagnose', ['ben', 'ava']],
  ['texts of ava and ben', 'message_search_get', ['ava', 'ben']],
];
