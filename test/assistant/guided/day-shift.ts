import { type Detailed, detailedIn } from './details.ts';

/*
 * A support agent's shift: texts without a mark before them, a look and a change in one message, and short messages after
 * what was shown or offered. In the notation of `details.ts`.
 */

const ROWS = `
pause texts on 0103 | numbers_update | MessageEnabled=false, Query=0103 | message_search_get
hold calls on 0103 | numbers_update | VoiceEnabled=false, Query=0103 | numbers_status
resume texting for ben | numbers_update | MessageEnabled=true, Query=ben | message_search_get
get 0106 onto the main sms route | numbers_update | MessageRouteId=main sms route, Query=0106 | message_routes_update
let ben's line use the backup trunk | numbers_update | VoiceRouteId=backup trunk, Query=ben | voice_routes_update
switch ben to the main sms route | numbers_update | MessageRouteId=main sms route, AssignedSubscriberId=undefined | message_routes_update
move ben's number to the main sip trunk | numbers_update | VoiceRouteId=main sip trunk, Query=ben | voice_routes_update
use the backup trunk for ava | numbers_update | VoiceRouteId=backup trunk, Query=ava | voice_routes_update
bring 0103 back on the starter plan | subscriptions_create | PackageId=starter, Query=0103 | packages_update
give ava's 0110 to ben | numbers_update | AssignedSubscriberId=ben, Query=0110
enable texts on ben's 0102 | numbers_update | MessageEnabled=true, AssignedSubscriberId=undefined
which lines have starter | numbers_find | Plan=starter, Query=undefined
lines with starter | numbers_find | Plan=starter
how many lines are on starter | numbers_find | Plan=starter, CountBy=Status
0103's sim was stolen | numbers_find | Query=0103 | numbers_update numbers_cancel | Hold NUMBER
sim for 0103 stolen | numbers_find | Query=0103 | numbers_update numbers_cancel | swap the SIM
reset the usage of 0105 | numbers_find | Query=0105 | numbers_data_usage_set | no operation sets it back
can you clear ava's data counter | numbers_find | Query=ava | numbers_data_usage_set | no operation sets it back
cut off 0105's data at 5 gb | numbers_data_usage_set | LimitValue=5120 | numbers_cancel
cut off 0105's data at 5 | numbers_data_usage_set | Query=0105 | numbers_cancel | MB or GB
shut off 0105's data | numbers_find | Query=0105 | numbers_cancel | no switch for the data
kill 0105's texts | numbers_update | MessageEnabled=false | numbers_cancel
cut off ben's calls | numbers_update | VoiceEnabled=false, Query=ben | numbers_cancel
what can i still reactivate | numbers_find | Status=Cancelled - Pending Delete | numbers_reactivate
anything i can bring back | numbers_find | Status=Cancelled - Pending Delete | numbers_reactivate
forward 0101 to my cell | numbers_find | Query=0101 | numbers_update | voice route
change 0101's voice route to Backup | numbers_update | VoiceRouteId=Backup voice route, Query=0101 | voice_routes_update
set the sms route of ben to the acme one | numbers_update | MessageRouteId=acme sms route, Query=ben | message_routes_update
block premium calls for ava | numbers_find | Query=ava | subscribers_call_filter_update | no setting for premium
no more withheld numbers for ava | numbers_find | Query=ava | | unknown callers
send 0102 a msg we fixed it | message_outbound | Query=0102, Body=we fixed it
send 0102 a msg we fixed it => oops i meant 0101 | message_outbound | Query=0101, Body=we fixed it
send ben a text your sim is on the way | message_outbound | Query=ben, Body=your sim is on the way | numbers_update
send a text to ben we fixed it | message_outbound | Query=ben, Body=we fixed it
send 0103 a text from 0104 we are on it | message_outbound | To=0103, From=0104, Body=we are on it
text ben were looking into it | message_outbound | Query=ben, Body=were looking into it
text ben fixed now | message_outbound | Query=ben, Body=fixed now
message ava good news port went through | message_outbound | Query=ava, Body=good news port went through | numbers_portin
drop ava a line her port is done | message_outbound | Query=ava, Body=her port is done | numbers_cancel
give 0103 a heads up by text that we are on it | message_outbound | Query=0103, Body=we are on it
tell ben outage over | message_outbound | Query=ben, Body=outage over
ping 0103 its done | message_outbound | Query=0103, Body=its done
send jo lopez a text your plan changed | message_outbound | Query=jo lopez, Body=your plan changed
sms to globex not arriving | numbers_diagnose | Query=globex | message_outbound |
text 0101 that her sim ships today and tell me how many swaps she has | message_outbound | Query=0101, Body=her sim ships today
text 0103 its done and cancel 0104 | help | | | “cancel 0104”
text ava your port is done and swap your sim | message_outbound | Query=ava, Body=your port is done and swap your sim | numbers_status
do we have any 415 numbers free => great give one to ben | numbers_provision | AreaCode=415, AssignedSubscriberId=ben | numbers_update
do we have any 415 numbers free => ok ben gets one | numbers_provision | AreaCode=415, AssignedSubscriberId=ben | numbers_update
any free numbers in 415 => set ava up with one | numbers_provision | AreaCode=415, AssignedSubscriberId=ava | numbers_update
any free numbers in 415 => i'll take one for mia | numbers_provision | AreaCode=415, AssignedSubscriberId=mia | numbers_update
free numbers near 60614 => give one to ben | numbers_provision | ZipCode=60614, AssignedSubscriberId=ben | numbers_update
any free numbers in 415 => does ben have one | numbers_find | Query=ben | numbers_provision
give ben a new number | numbers_provision | AssignedSubscriberId=ben | numbers_update
new line for ben in 415 => is it live already? | events_since | Query=ben | | “new line for ben in 415”
suspend 0103 => is that in effect now | events_since | Query=0103 | | “suspend 0103”
raise 0101 to 5 gb => did that kick in? | events_since | Query=0101 | | “raise 0101 to 5 gb”
raise 0101 to 5 gb => has it been applied yet? | events_since | Query=0101
block 3125550111 for ben => is it live yet? | events_since | Query=ben
is anything still using voice route main | numbers_find | Route=main voice route
lines on voice route main | numbers_find | Route=main voice route
who uses the starter package | numbers_find | Plan=starter
does any number go through the backup trunk | numbers_find | Route=backup trunk
how many lines use the family package | numbers_find | Plan=family
delete voice route main => is anything still using it? | numbers_find | Route=main voice route | | What was offered before is as it was
delete the starter package => does anyone still have it? | numbers_find | Plan=starter | | What was offered before is as it was
what's in the starter package => does anybody use it | numbers_find | Plan=starter
who uses the most data on the starter plan | numbers_find | Plan=starter, Sort=Used
show texts of 0105 => any that failed? | message_search_get | Query=0105 | events_since | Only those that failed
show texts of 0105 => did any fail | message_search_get | Query=0105 | events_since | Only those that failed
show texts of 0105 => are any undelivered | message_search_get | Query=0105 | | Only those that failed
show texts of 0105 => any from yesterday? | message_search_get | Query=0105 | | “yesterday”
show ben's lines => is any of them parked? | numbers_find | Query=ben, Status=Parked
show ben's lines => any voip? | numbers_find | Query=ben, Product=voip
show port-in orders => any stuck? | events_since | Only=orders | | only “stuck”
show port-in orders => any that are pending? | events_since | Only=orders | | only “pending”
0103 cant make calls only text | numbers_diagnose | Query=0103, About=calls | message_outbound
0101 only gets texts no calls | numbers_diagnose | Query=0101, About=calls
ben can text but not call | numbers_diagnose | Query=ben, About=calls | message_outbound
ava only has voice no data | numbers_diagnose | Query=ava, About=data
0105 gets calls but no texts | numbers_diagnose | Query=0105, About=texts
0106 is offline, is it out of data or whats wrong | numbers_diagnose | Query=0106
ben only wants calls from people on his list, can u do that | subscribers_call_filter_update | SubscriberId=ben, FilterMode=WHITELIST | numbers_find
mia just wants texts from contacts on her allow list | subscribers_message_filter_update | SubscriberId=mia, BlockUnknownNumbers=true
ava wants nobody but people on her list to call her | subscribers_call_filter_update | SubscriberId=ava, FilterMode=WHITELIST
0110 has no one on it, put it on ben reed | numbers_update | Query=0110, AssignedSubscriberId=ben reed
0110 is unassigned, please move it to ava | numbers_update | Query=0110, AssignedSubscriberId=ava
0105 should be bens not avas, move it over | numbers_update | Query=0105, AssignedSubscriberId=ben
0105 belongs to ben not ava, change it | numbers_update | Query=0105, AssignedSubscriberId=ben
0105 should be ben's not ava's | numbers_update | Query=0105, AssignedSubscriberId=ben
0110 has no plan, put it on starter | subscriptions_create | Query=0110, PackageId=starter | numbers_update
what plan is 0101 on => what else could she get | account_packages_get | | | which packages do we have
what plan is 0101 on => anything cheaper? | account_packages_get | | | which packages do we have
what plan is 0101 on => what are her options | account_packages_get | |
ava wants to know who called her yesterday around 3 | events_since | Query=ava, Only=calls | | an empty list is no answer
who called ben this morning | events_since | Query=ben, Only=calls | | an empty list is no answer
ava hates her number 0103 wants a new one | numbers_status | PhoneNumbers=0103, StatusChange=undefined | numbers_provision numbers_cancel | choose “swap” or “replace”
swap ava's number 0103 for a new one | numbers_status | PhoneNumbers=0103 | numbers_provision numbers_cancel | choose “swap” or “replace”
what parental stuff is on for ben reed | subscribers_guardian_features_get | SubscriberId=ben reed
any parental settings on 0105 | subscribers_guardian_features_get | SubscriberId=0105
why isnt ben getting codes from his bank | numbers_diagnose | Query=ben, About=texts
ava isnt getting otps | numbers_diagnose | Query=ava, About=texts
what does lee have to approve | events_since | | numbers_find | not narrowed to “lee”
whats lee got to approve right now | events_since | | numbers_find | not narrowed to “lee”
keep an eye on the 312 port and tell me when its done | numbers_order_get | | | Only lines are watched
set ben's texts to the strictest => no wait hes 15, make it the teen one | subscribers_message_filter_update | SubscriberId=ben, FilterMode=TEENAGER | | which is withdrawn
set ben's texts to the strictest => hes 15, so make it the teen one | subscribers_message_filter_update | SubscriberId=ben, FilterMode=TEENAGER | subscribers_message_filter_create | which is withdrawn
reset avas password | subscribers_update | SubscriberId=ava | | Type the new password into the form
ben forgot his password | subscribers_update | SubscriberId=ben | | Type the new password into the form
is 0103 still in use | numbers_find | Query=0103
`;

export const dayShift: readonly Detailed[] = detailedIn(ROWS);

/** A message, the change that it asks for, and what it wants to see. */
export const lookAndChange: readonly (readonly [says: string, change: string, look: string])[] = [
  ['check 0103 and text him we fixed it', 'message_outbound', 'numbers_find'],
  [
    'check 0101 usage and also send ben a text saying were looking into it',
    'message_outbound',
    'numbers_data_usage_info',
  ],
  ['check 0101 usage and text ben: we are on it', 'message_outbound', 'numbers_data_usage_info'],
  ['check why 0103 cant text and send her a text: we are looking into it', 'message_outbound', 'numbers_diagnose'],
  ["show me ben's lines and suspend 0102", 'numbers_status', 'numbers_find'],
  ['see whether 0105 has data left and raise her limit to 5 gb', 'numbers_data_usage_set', 'numbers_find'],
  ['show usage of 0101, then cap it at 2 gb', 'numbers_data_usage_set', 'numbers_data_usage_info'],
  ['who has 0110? give it to ben', 'numbers_update', 'numbers_find'],
  ['park 0103 and show me its usage', 'numbers_status', 'numbers_data_usage_info'],
  ['cap 0101 at 2 gb and check how much she used', 'numbers_data_usage_set', 'numbers_data_usage_info'],
  ['suspend 0102 and show me bens other lines', 'numbers_status', 'numbers_find'],
  ['0105 has a new sim 89014103211118510720, swap it and check its data after', 'numbers_update', 'numbers_find'],
  ['park 0103 and show me its texts', 'numbers_status', 'message_search_get'],
  ['text 0101 that her sim ships today and tell me how many swaps she has', 'message_outbound', 'numbers_find'],
];

/** Messages of one part, which are not taken for two. */
export const oneThing: readonly string[] = [
  'can 0103 call and text 0104',
  'check if 0103 is active and park it',
  'list calls and texts of 0103',
  'customer wants to bring 7735550188 over from t-mobile, what do i need from her?',
];
