import { detailedIn } from './details.ts';

/*
 * Orders that end, add or renew a part of a line, or what only sounds like one. None of them ends a line, buys one or ports
 * one. In the notation of `details.ts`.
 */

const ROWS = `
cancel the notice for ava's data | numbers_find | Query=ava | numbers_cancel | and not the line
delete 0103's messages | numbers_find | Query=0103 | numbers_cancel | and not the line
terminate access for lena | numbers_find | Query=lena | numbers_cancel | and not the line
disconnect ben from acme | numbers_find | Query=ben | numbers_cancel | and not the line
cancel 0103 please, customer left | numbers_cancel | Query=0103
end 0105's contract | numbers_cancel | Query=0105
stop service on 0103 until monday | numbers_status | StatusChange=park | numbers_cancel
pause service for ben for two weeks | numbers_status | StatusChange=park | numbers_cancel
new name for 0101 | subscribers_update | Query=0101 | numbers_provision
new owner for 0104 is ben | numbers_update | AssignedSubscriberId=ben, Query=0104 | numbers_provision
new plan for 0103: starter | subscriptions_update | PackageId=starter, SubscriptionId=0103 | packages_create numbers_provision
new price for starter 20 | packages_update | Price=20, PackageId=starter | packages_create
new voice route for 0106: backup | numbers_update | VoiceRouteId=backup voice route | voice_routes_create numbers_provision
send 0103 back to ava | numbers_update | AssignedSubscriberId=ava, Query=0103 | numbers_portin
bring 0103 over to ben | numbers_update | AssignedSubscriberId=ben, Query=0103 | numbers_portin
bring 0103 over to verizon | numbers_portout | Query=0103 | numbers_portin
subscribe me to changes on 0104 | numbers_watch | Query=0104 | subscriptions_create
what's new with 0103 | events_since | Query=0103 | numbers_provision
order a handset for ben | numbers_find | Query=ben | numbers_provision | no handsets
get ava a new iphone | numbers_find | Query=ava | numbers_provision | no handsets
park everyone but 0103 at acme | numbers_status | StatusChange=park, Query=undefined, PhoneNumbers=undefined | numbers_cancel | left out, as you say: “0103”
cap all but 0105 of acme's lines at 2 gb | numbers_data_usage_set | LimitValue=2048 | | left out, as you say: “0105”
text everyone but ben at globex: hello | message_outbound | Body=hello | | left out, as you say: “ben”
park all of acme's lines apart from the two in 312 | numbers_find | Query=acme | numbers_status | nothing is offered
data warnings for ava go to +13125550188 | numbers_find/numbers_lookup | | numbers_data_usage_set | no receiver
move 0105 off starter | subscriptions_delete | SubscriptionId=0105 | numbers_update
take ben off starter | subscriptions_delete | SubscriptionId=ben | numbers_update
don't cancel 0104, only 0110 | numbers_cancel | Query=0110 | | not 0104
dont suspend 0103, just 0105 | numbers_status | StatusChange=park, Query=0105 | numbers_cancel | not 0103
cancel 0104, ben doesnt need it | numbers_cancel | Query=0104
let +13125550123 through to bens phone, calls only | subscribers_call_filter_allowed_numbers_add | FilterMode=undefined | subscribers_call_filter_update
only let +13125550123 through to ben | subscribers_call_filter_update | FilterMode=WHITELIST
stop blocking calls from +13125550147 to ben | subscribers_call_filter_blocked_numbers_remove | SubscriberId=ben, Numbers=+13125550147 | subscribers_call_filter_blocked_numbers_add subscribers_call_filter_create
remove the block on calls from +13125550147 to ben | subscribers_call_filter_blocked_numbers_remove | SubscriberId=ben, Numbers=+13125550147 | subscribers_call_filter_blocked_numbers_add
ben no longer wants +13125550147 blocked | subscribers_call_filter_blocked_numbers_remove | SubscriberId=ben, Numbers=+13125550147 | subscribers_call_filter_blocked_numbers_add
let grandma 3125550190 text ava again, shes on the block list | subscribers_message_filter_blocked_contacts_remove | SubscriberId=ava, Contacts=+13125550190 | message_outbound
+13125550190 may call ben again | subscribers_call_filter_blocked_numbers_remove | SubscriberId=ben, Numbers=+13125550190
dont text ben, he is annoyed | numbers_find | Query=ben | message_outbound | You said not to
new number for ben in 415 | numbers_provision | AreaCode=415, AssignedSubscriberId=ben
`;

export const partsOfLines = detailedIn(ROWS);

/** Messages and their texts, which go out as they were typed. */
export const sentTexts: readonly (readonly [says: string, text: string])[] = [
  ['text ben the courier is outside, he is waiting', 'the courier is outside, he is waiting'],
  ['text 0102: your port is done, the customer is waiting', 'your port is done, the customer is waiting'],
  ['text 0102: text ava, ben and nina that we are back', 'text ava, ben and nina that we are back'],
  ['text 0102: how many are pending delete, by account', 'how many are pending delete, by account'],
  ['text everyone at globex: all but 0102 are down', 'all but 0102 are down'],
  ['text ben "get 0106 onto the main sms route"', 'get 0106 onto the main sms route'],
  ['text ben "no more sms for ava, calls and data stay on"', 'no more sms for ava, calls and data stay on'],
];
