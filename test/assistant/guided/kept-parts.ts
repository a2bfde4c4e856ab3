import { type Detailed, detailedIn } from './details.ts';

/*
 * Orders that name what stays, orders that name the customer in place of the line, and what narrows a list or a search. In
 * the notation of `details.ts`.
 */

const LINES = `
disable texting on 0106 but leave data on | numbers_update | MessageEnabled=false, Query=0106 | numbers_status | Data stays as it is
keep data on but stop texts on 0103 | numbers_update | MessageEnabled=false, Query=0103 | numbers_status | Data stays
leave calls and data on but disable texting on 0105 | numbers_update | MessageEnabled=false, VoiceEnabled=undefined, Query=0105 | numbers_status | Calls and data stay
turn off calls and texts on 0106 but leave data on | numbers_update | MessageEnabled=false, VoiceEnabled=false, Query=0106 | numbers_status | Data stays
cut calls on 0102 while data stays | numbers_update | VoiceEnabled=false, Query=0102 | numbers_status | Data stays
no more texts on 0104 but leave the internet on | numbers_update | MessageEnabled=false, Query=0104 | numbers_status | Internet stays as it is
no more sms for ava, calls and data stay on | numbers_update | MessageEnabled=false, Query=ava | numbers_status | Calls and data stay
stop data on 0105 but keep texts | numbers_find | Query=0105 | numbers_update | no switch for the data
turn off texts for ava | numbers_update | MessageEnabled=false, Query=ava |
turn calls on for ben please | numbers_update | VoiceEnabled=true, Query=ben |
disable sms for ava stone | numbers_update | MessageEnabled=false, Query=ava stone |
cut calls for ava until monday | numbers_update | VoiceEnabled=false, Query=ava | | does not end by itself
turn off calls for ava | numbers_update | VoiceEnabled=false, Query=ava | subscriptions_features_assignments_delete
chase up the port in for ava | events_since | Only=orders, Query=ava | numbers_portin_cancel | Port-in orders of “ava”
chase up avas port | events_since | Only=orders, Query=ava | numbers_portin_cancel |
nudge lee about the port in | numbers_find | Query=lee | numbers_portin | reminds no colleague
put 0110 under ava stone | numbers_update | AssignedSubscriberId=ava stone, Query=0110 | subscribers_create
move 0104 under ben please | numbers_update | AssignedSubscriberId=ben, Query=0104 |
register 0110 under mia reed | numbers_update | AssignedSubscriberId=mia reed, Query=0110 |
which active lines have no sim | numbers_find | Status=Active, Product=voip |
active lines without sim | numbers_find | Status=Active, Product=voip |
parked lines with no sim | numbers_find | Status=Parked, Product=voip |
cancel ava stone's voip line | numbers_cancel | Query=ava stone, Product=voip |
park ava's iot line | numbers_status | StatusChange=park, Query=ava, Product=iot |
new voip line for ava | numbers_provision | NumberType=voip, Product=undefined |
anything break since yesterday 6pm? | events_since | Since=2026-11-21T18:00:00.000Z |
what happened since friday at 18:30 | events_since | Since=2026-11-20T18:30:00.000Z |
make bens filter less strict, teenager is enough | subscribers_message_filter_update | FilterMode=TEENAGER, SubscriberId=ben | subscribers_message_filter_create
make bens filter less strict | subscribers_message_filter_update | FilterMode=undefined, SubscriberId=ben | | one step softer
did anas reactivation of 0107 go through | events_since | Only=actions, Query=0107 | numbers_reactivate | what became of it
list acmes voice routes | numbers_find | Query=acme, Route=undefined |
order 20 sim cards to the heber office | help | | numbers_provision numbers_order_get | orders or ships SIM cards
ship 5 sims to our warehouse | help | | numbers_provision | orders or ships SIM cards
order a new sim card for 0103 | numbers_update | Query=0103 |
give me a csv of globexs voip numbers | numbers_find | Query=globex, Product=voip | | no file is made
change the number of 0105, area code 312, keep the sim | numbers_status | AreaCode=312, StatusChange=undefined | numbers_cancel | choose “swap” or “replace”
make a voice route for globex that forwards calls to +12015550199 | voice_routes_create | RouteType=Forward, TransferCallerId=+12015550199, AccountId=globex | | no member is documented
`;

export const keptParts: readonly Detailed[] = detailedIn(LINES);
