import { detailedIn } from './details.ts';

/*
 * Sentences about guardian filters: the line whose filter is meant, its settings, and numbers of strangers. In
 * the notation of `details.ts`.
 */

const LINES = `
guardian on for ben => now texts as well | help | | message_search_get | is for messages and calls already
guardian on for ben => only for messages | subscribers_guardian_features_set | EnableIntelligentGuardianMessages=true, SubscriberId=ben | subscribers_message_filter_update | withdrawn
guardian on for ben => not calls please | subscribers_guardian_features_set | EnableIntelligentGuardianMessages=true | message_search_get | withdrawn
turn guardian on for ben, texts only | subscribers_guardian_features_set | SubscriberId=ben, EnableIntelligentGuardianMessages=true | |
who's ava stone => is guardian on for ava? => turn calls on for her | subscribers_guardian_features_set | EnableIntelligentGuardianCalls=true, SubscriberId=ava | subscriptions_features_assignments_add |
who's ava stone => is guardian on for ava? => turn calls on for her => not messages | help | | message_search_get | is for calls already
block 3125550166 from calling ava's 0101 => and texting | subscribers_message_filter_blocked_contacts_add | Contacts=+13125550166, SubscriberId=0101 | message_search_get |
block 3125550166 from calling ava's 0101 => only messages | subscribers_message_filter_blocked_contacts_add | Contacts=+13125550166, SubscriberId=0101 | message_search_get | withdrawn
block 3125550166 from calling ava's 0101 => and texting => undo the first | help | | message_search_get | “block 3125550166 from calling ava's 0101” is taken back
allow only grandma +13125550199 and dad +13125550200 to text 0102 => plus 3125550201 => both calls and texts | subscribers_call_filter_update | AllowedNumbers=+13125550199++13125550200++13125550201, SubscriberId=0102 | message_search_get | calls and texts have lists
allow only grandma +13125550199 and dad +13125550200 to text 0102 => without dad | subscribers_message_filter_update | AllowedContacts=+13125550199, SubscriberId=0102 | | withdrawn
allow only the school 3125550177 and his uncle 3125550178 to call ben => not the school | subscribers_call_filter_update | AllowedNumbers=+13125550178, SubscriberId=ben | | withdrawn
show data limits for 0101 and 0103 => set both to 1gb => only 0101 sry | numbers_data_usage_set | LimitValue=1024, Query=0101 | numbers_find | withdrawn
create message filter for ben level child => make it teenager instead => also tell mum by sms when something is caught, 3125550188 | subscribers_message_filter_update | FilterMode=TEENAGER, NotificationPhones=+13125550188, SubscriberId=ben | numbers_lookup | goes on with
create message filter for ben level child => notify mum when something gets stopped, 3125550188 => and his contacts? | numbers_find | Query=ben | numbers_lookup |
make a call filter for ben, block 6465550143 => who is blocked now => add 6465550144 too | subscribers_call_filter_create | BlockedNumbers=+16465550143++16465550144, SubscriberId=ben | numbers_lookup |
make a call filter for ben, block 6465550143 => add 6465550144 too => and allow 3125550188 | subscribers_call_filter_allowed_numbers_add | Numbers=+13125550188, SubscriberId=ben | subscribers_call_filter_blocked_numbers_add |
look up ben reed => guardian on for him => thx. and block calls from 917 555 0166 | subscribers_call_filter_blocked_numbers_add | Numbers=+19175550166, SubscriberId=ben reed | |
block links and pictures in texts for ben => and unknown senders | subscribers_message_filter_update | BlockLinks=true, BlockMedia=true, BlockUnknownNumbers=true, SubscriberId=ben | numbers_find | goes on with
block unknown callers for ben => foreign calls too | subscribers_call_filter_update | BlockUnknownNumbers=true, BlockInternational=true | numbers_find |
which filters does ava have => add one for texts | subscribers_message_filter_create | SubscriberId=ava | |
call filter of 0104 => set up a new one | subscribers_call_filter_create | Query=0104 | |
which filters does ava have => add one for texts => child => with words knife, gun | help | | subscribers_message_filter_create | gets its words when it is there
2015550102 => rename him to Benny Reed | subscribers_update | Name=Benny Reed, SubscriberId=+12015550102 | |
rename ben to Benny Reed => back to how it was | help | | subscribers_update | taken back
the girl on 0101 gets nasty calls from 917 555 0166, her mother asks us to stop that | subscribers_call_filter_blocked_numbers_add | Numbers=+19175550166, SubscriberId=0101 | subscribers_call_filter_get |
ben gets rude texts from 917 555 0166, his mum wants them stopped | subscribers_message_filter_blocked_contacts_add | Contacts=+19175550166, SubscriberId=ben | subscribers_message_filter_get |
dont let 6465550143 reach ben anymore | subscribers_call_filter_blocked_numbers_add | Numbers=+16465550143, SubscriberId=ben | subscribers_call_filter_get |
mum does not want 6465550143 to text 0102 | subscribers_message_filter_blocked_contacts_add | Contacts=+16465550143, SubscriberId=0102 | subscribers_message_filter_get |
do they let 6465550143 reach ben? | subscribers_call_filter_get | SubscriberId=ben | _add |
ben shall only get texts frm +13125550188 and +13125550189 | subscribers_message_filter_update | SubscriberId=ben, AllowedContacts=+13125550188++13125550189, BlockUnknownNumbers=true | message_search_get |
ben may only get texts from +13125550188 | subscribers_message_filter_update | SubscriberId=ben, AllowedContacts=+13125550188 | numbers_lookup |
ben gets texts with porn links, how do i stop that | subscribers_message_filter_update | SubscriberId=ben, BlockLinks=true | message_search_get |
ava gets a lot of pictures by text, please make it stop | subscribers_message_filter_update | SubscriberId=ava, BlockMedia=true | |
family wants 2 gb a month max for 2015550101 and slow after that | numbers_data_usage_set | ThrottleValue=2048 | numbers_diagnose |
internet of 0103 is slow after 2 gb | numbers_data_usage_settings | Query=0103 | numbers_data_usage_set |
monitor only for bens texts | subscribers_message_filter_update | SubscriberId=ben, FilterMode=MONITOR_ONLY | numbers_watch |
block 646-555-0143 on bens phone, texts too | subscribers_call_filter_blocked_numbers_add | SubscriberId=ben, Numbers=+16465550143 | | calls and texts have lists
add the words suicide, pills and vape to bens filter | subscribers_message_filter_update | SubscriberId=ben | | it adds “suicide”, “pills”, “vape”
change dads notice number to 3125550200 for bens text filter | subscribers_message_filter_update | SubscriberId=ben, NotificationPhones=+13125550200 | | get no notice any more
make guardian of ben weaker | subscribers_message_filter_update | SubscriberId=ben | | one step softer
who gets the alerts for ben | subscribers_call_filter_get/subscribers_message_filter_get | SubscriberId=ben | numbers_find |
hows ava's guardian set | subscribers_guardian_features_get | SubscriberId=ava | subscribers_guardian_features_set |
stop ava from calling 2025550166 | subscribers_call_filter_blocked_numbers_add | SubscriberId=ava, CallFilterId=ava, Numbers=+12025550166 | numbers_lookup | outbound calls
stop ben calling 2025550166 | subscribers_call_filter_blocked_numbers_add | SubscriberId=ben, Numbers=+12025550166 | | outbound calls
prevent 0103 from calling 2025550155 | subscribers_call_filter_blocked_numbers_add | SubscriberId=0103, CallFilterId=0103, Numbers=+12025550155 | | outbound calls
don't let ben text 2025550155 | subscribers_message_filter_blocked_contacts_add | SubscriberId=ben, Contacts=+12025550155 | message_outbound | outbound messages
can you stop ava from calling her ex on 2025550166 | subscribers_call_filter_blocked_numbers_add | SubscriberId=ava, Numbers=+12025550166 | | outbound calls
stop strangers from calling 2015550102 | subscribers_call_filter_update | FilterId=+12015550102, BlockUnknownNumbers=true | _add |
please block 312-555-0150 from calling 0104 | subscribers_call_filter_blocked_numbers_add | CallFilterId=0104, SubscriberId=0104, Numbers=+13125550150 | _remove |
allow 312-555-0150 to call 0105 | subscribers_call_filter_allowed_numbers_add | CallFilterId=0105 | _remove |
unblock 312-555-0150 on 0104 | subscribers_call_filter_blocked_numbers_remove | CallFilterId=0104 | _add |
block texts from 3125550150 for ben | subscribers_message_filter_blocked_contacts_add | MessageFilterId=ben | _remove |
please delete the call filter on 0103 altogether, the customer is grown up and does not want it any more | subscribers_call_filter_delete | CallFilterId=0103 | |
delete Ben's call filter | subscribers_call_filter_delete | CallFilterId=Ben | |
could you make it so that only people on the list can call Ben, everyone else should be turned away | subscribers_call_filter_update | FilterId=Ben, FilterMode=WHITELIST | | allow list
change Ben's call filter to allow list | subscribers_call_filter_update | FilterId=Ben, FilterMode=WHITELIST | |
switch 0103's call filter to block list | subscribers_call_filter_update | FilterId=0103, FilterMode=BLACKLIST | |
the family wants ben to get no pictures and no links in his messages any longer | subscribers_message_filter_update | FilterId=ben, BlockMedia=true, BlockLinks=true | |
block links and pictures in Ben's messages | subscribers_message_filter_update | FilterId=Ben, BlockMedia=true, BlockLinks=true | subscribers_message_filter_create |
no more pictures for ben | subscribers_message_filter_update | FilterId=ben, BlockMedia=true | |
allow pictures in ben's texts again | subscribers_message_filter_update | FilterId=ben, BlockMedia=false | |
turn off link blocking for ben | subscribers_message_filter_update | FilterId=ben, BlockLinks=false | |
stop blocking unknown callers on 0103 | subscribers_call_filter_update | FilterId=0103, BlockUnknownNumbers=false | |
just watch bens messages for now and dont block anything, his mom wants to see first how it goes | subscribers_message_filter_update | FilterId=ben, FilterMode=MONITOR_ONLY | |
set Ben's message filter to monitor only | subscribers_message_filter_update | FilterId=Ben, FilterMode=MONITOR_ONLY | |
set Ben's message filter to TEENAGER | subscribers_message_filter_update | FilterId=Ben, FilterMode=TEENAGER | |
Put the filter for Ben to teen level please, the child level was too strict for him | subscribers_message_filter_update | FilterId=Ben, FilterMode=TEENAGER | |
put bens kid filter to the middle level | subscribers_message_filter_update | FilterId=ben, FilterMode=ADOLESCENT | |
put bens kid filter to the middle level => actually the strict one | subscribers_message_filter_update | FilterId=ben, FilterMode=CHILD | |
set up a message filter for the little girl on 0105 with the strictest level there is | subscribers_message_filter_create | Phone=0105, FilterMode=CHILD | |
create a message filter for 0105 with level CHILD | subscribers_message_filter_create | SubscriberId=0105, FilterMode=CHILD | |
block all foreign numbers from calling 0102, the kid got three calls from abroad last night | subscribers_call_filter_update | FilterId=0102, BlockInternational=true | subscribers_call_filter_create |
could we record the calls that come to Ben from the harasser so the police have something | subscribers_call_filter_update | FilterId=Ben, RecordFlaggedCalls=true | | only the calls that it flags
please tell the mother by text at 0101 whenever Ben's message filter stops something | subscribers_message_filter_update | FilterId=Ben, NotificationPhones=0101 | message_outbound |
notify 0101 when the message filter of 0102 blocks something | subscribers_message_filter_update | FilterId=0102, NotificationPhones=0101 | message_outbound |
set up a call filter for 0105 pls => only allow 0101 and 0102 | subscribers_call_filter_update | FilterId=0105, FilterMode=WHITELIST, AllowedNumbers=0101+0102 | _add |
set up a call filter for 0105 pls => only allow 0101 and 0102 => make it block unknown callers as well | subscribers_call_filter_update | FilterId=0105, AllowedNumbers=0101+0102, BlockUnknownNumbers=true | _add |
please make a call filter for 0104 that lets through only 0101, 0103 and 312-555-0170 | subscribers_call_filter_update | FilterId=0104, FilterMode=WHITELIST, AllowedNumbers=0101+0103++13125550170 | _add |
do not set bens filter to strict | subscribers_call_filter_get/subscribers_message_filter_get | | subscribers_message_filter_update |
is bens filter on the strict level? | subscribers_call_filter_get/subscribers_message_filter_get | | subscribers_message_filter_update |
can ben get pictures | message_search_get/numbers_find | | subscribers_message_filter_update |
ben can't get pictures | numbers_diagnose | | subscribers_message_filter_update |
if he is 13, set ben's filter to teen | numbers_find | | subscribers_message_filter_update | condition
please remove 312 555 0162 from the people who may text Ben, that was his old babysitter | subscribers_message_filter_allowed_contacts_remove | Contacts=+13125550162, MessageFilterId=Ben | _add |
please remove 3125550162 from Ben's allowed contacts | subscribers_message_filter_allowed_contacts_remove | Contacts=+13125550162 | _add |
the school nurse tells me her text messages never arrive at Ben's phone, her number is (312) 555-0188, please add her to the contacts he can get texts from | subscribers_message_filter_allowed_contacts_add | Contacts=+13125550188, SubscriberId=Ben | message_outbound |
the family made up with the neighbour, so could 312-555-0151 please come off the list of blocked callers for Ben again | subscribers_call_filter_blocked_numbers_remove | Numbers=+13125550151, SubscriberId=Ben | _add |
why does Ben not get any texts from his aunt at 312 555 0160 | subscribers_message_filter_get | SubscriberId=Ben | numbers_lookup _add _remove | whether +13125550160 is blocked
why cant 312-555-0188 reach 0103 by phone? the family says it rings nowhere | subscribers_call_filter_get | Phone=0103 | numbers_lookup _add _remove | whether +13125550188 is blocked
3125550150 texted ben | subscribers_message_filter_get | SubscriberId=ben | numbers_lookup |
show the texts ben got from 3125550150 | message_search_get | Query=ben | numbers_lookup | +13125550150
ava cannot text 3125550144 | numbers_diagnose | | |
ava's line 2015550103 gets no calls | numbers_diagnose | PhoneNumber=+12015550103 | |
Who's on the allowed list for texts on Ben's line? => add aunt carol, 312 555 0166 | subscribers_message_filter_allowed_contacts_add | Contacts=+13125550166, SubscriberId=Ben | numbers_lookup |
Who's on the allowed list for texts on Ben's line? => add aunt carol, 312 555 0166 => and her husband 0167 | subscribers_message_filter_allowed_contacts_add | Contacts=+13125550167, SubscriberId=Ben | numbers_find |
the family would like that ben only gets texts from his parents, that is 0101 and 312-555-0170, and nobody else | subscribers_message_filter_update | FilterId=ben, BlockUnknownNumbers=true, AllowedContacts=0101++13125550170 | _add |
remove the spam number from everyone's phones: 312-555-0150 should be blocked on all lines of Acme Mobile | help | | _remove numbers_lookup | Each line has a filter of its own
turn guardian filtering on for ben, both of them please | subscribers_guardian_features_set | EnableIntelligentGuardianCalls=true, EnableIntelligentGuardianMessages=true | |
turn off guardian for ava, calls and texts | subscribers_guardian_features_set | EnableIntelligentGuardianCalls=false, EnableIntelligentGuardianMessages=false | |
turn on guardian filtering for texts of ben | subscribers_guardian_features_set | EnableIntelligentGuardianCalls=undefined, EnableIntelligentGuardianMessages=true | |
look up Ben Reed please => is his filtering on? | subscribers_guardian_features_get | SubscriberId=Ben Reed | |
is the guardian filtering switched on for Ava, I mean for calls as well as for messages? | subscribers_guardian_features_get | SubscriberId=Ava | subscribers_guardian_features_set |
a man rings the kid on 0103 again and again from 312-555-0180, please make it stop => and his texts too | subscribers_message_filter_blocked_contacts_add | Contacts=+13125550180, MessageFilterId=0103 | _remove |
is 3125550150 blocked for ben? => and texts? | subscribers_message_filter_get | SubscriberId=ben | _add _remove | whether +13125550150
block +1 900 555 1234 for ben, sms | subscribers_message_filter_blocked_contacts_add | Contacts=+19005551234 | _remove |
do not block 312 555 0177 for Ben, that is his grandma, she only must be allowed | subscribers_call_filter_allowed_numbers_add | Numbers=+13125550177, SubscriberId=Ben | subscribers_call_filter_blocked_numbers_add |
allow everyone to ring Ben again | subscribers_call_filter_get | SubscriberId=Ben | _add _remove | taken off a list by itself
pause bens message filter till monday | subscribers_message_filter_update | FilterId=ben, FilterMode=INACTIVE | subscribers_guardian_features_set | does not end by itself
pause the message filter on 0103 | subscribers_message_filter_update | FilterId=0103, FilterMode=INACTIVE | subscribers_guardian_features_set |
switch the call filter on 0104 off for now | subscribers_call_filter_update | FilterId=0104, ApplyToInbound=false, ApplyToOutbound=false | subscribers_guardian_features_set | has no pause
could you freeze the text filter of 0105 | subscribers_message_filter_update | FilterId=0105, FilterMode=INACTIVE | subscribers_guardian_features_set numbers_status |
turn the filter of 0103 back on | subscribers_message_filter_update | FilterId=0103, FilterMode=ACTIVE | subscribers_guardian_features_set | without a level
turn bens filter back on | subscribers_guardian_features_set | SubscriberId=ben, EnableIntelligentGuardianCalls=true, EnableIntelligentGuardianMessages=true | | all lines of the customer
guardian calls off texts on for 0103 | subscribers_guardian_features_set | EnableIntelligentGuardianCalls=false, EnableIntelligentGuardianMessages=true | | all lines of the customer
turn calls guardian off for ava, messages stay on | subscribers_guardian_features_set | SubscriberId=ava, EnableIntelligentGuardianCalls=false, EnableIntelligentGuardianMessages=true | |
delete bens message filter => just pause it | subscribers_message_filter_update | FilterId=ben, FilterMode=INACTIVE | numbers_status subscribers_guardian_features_set | withdrawn
delete bens message filter altogether, mom closed the guardian plan => actually just pause it instead of deleting | subscribers_message_filter_update | FilterId=ben, FilterMode=INACTIVE | numbers_status |
delete the message filter of 0105 => pause the filter instead | subscribers_message_filter_update | FilterId=0105, FilterMode=INACTIVE | numbers_status subscribers_guardian_features_set |
set bens message filter to child => mum wants to get the alerts, her nr is 646 555 0177 | subscribers_message_filter_update | FilterId=ben, NotificationPhones=+16465550177 | numbers_lookup numbers_watch |
dad of the stone kids wants a text to 6465550121 whenever something gets blocked | subscribers_message_filter_update | NotificationPhones=+16465550121, FilterId=undefined | numbers_lookup |
set bens message filter to child => send them to dad instead 6465550178 | subscribers_message_filter_update | FilterId=ben, NotificationPhones=+16465550178 | numbers_lookup |
send alerts for ben to 6465550178 | subscribers_message_filter_update | FilterId=ben, NotificationPhones=+16465550178 | numbers_lookup numbers_watch |
ben's mum doesnt want the alerts any more | subscribers_message_filter_update | FilterId=ben | numbers_watch | Notification phones
no more notices to granny from the message filter of 0103 | subscribers_message_filter_update | FilterId=0103 | numbers_watch | Notification phones
downgrade ben from child to teenager | subscribers_message_filter_update | FilterId=ben, FilterMode=TEENAGER | subscriptions_update |
strictest level for ava 0101 pls | subscribers_message_filter_update | FilterId=0101, FilterMode=CHILD | |
what level is ben on | subscribers_message_filter_get | SubscriberId=ben | |
what level is ben on => make him adolescent | subscribers_message_filter_update | FilterId=ben, FilterMode=ADOLESCENT | |
make ben an adolescent | subscribers_message_filter_update | FilterId=ben, FilterMode=ADOLESCENT | |
a teen filter for 0105 please | subscribers_message_filter_update | FilterId=0105, FilterMode=TEENAGER | |
put the teen filter on all of avas lines => just the one ending 0103 | subscribers_message_filter_update | FilterId=0103, FilterMode=TEENAGER | |
put the teen filter on all of avas lines => just the one ending 0103 => and calls too | help | | subscribers_call_filter_update | takes no level
the filter for ben is too strict, one step softer | subscribers_message_filter_update | FilterId=ben | | one step softer
make the message filter of 0105 a bit stricter | subscribers_message_filter_update | FilterId=0105 | | one step stricter
filter on 0103 should only look at incoming | subscribers_message_filter_update | FilterId=0103, ApplyToInbound=true, ApplyToOutbound=false | |
bens message filter must not check outgoing messages | subscribers_message_filter_update | FilterId=ben, ApplyToOutbound=false | |
links ok for 0103 from now on | subscribers_message_filter_update | FilterId=0103, BlockLinks=false | |
links ok for 0103 from now on => but no pics | subscribers_message_filter_update | FilterId=0103, BlockMedia=true | message_search_get |
switch 0104 from whitelist to blacklist | subscribers_call_filter_update | FilterId=0104, FilterMode=BLACKLIST | _add |
only monitor 0103 dont block anything | subscribers_message_filter_update | FilterId=0103, FilterMode=MONITOR_ONLY | numbers_watch |
can u stop 0105 from sending pictures | subscribers_message_filter_update | FilterId=0105, BlockMedia=true, ApplyToOutbound=true | |
stop ben from sending links | subscribers_message_filter_update | FilterId=ben, BlockLinks=true, ApplyToOutbound=true | |
stop strangers from sending pictures to ben | subscribers_message_filter_update | FilterId=ben, BlockMedia=true, ApplyToOutbound=undefined | |
add the words vape and weed to bens filter | subscribers_message_filter_update | FilterId=ben | subscribers_call_filter_create | “vape”, “weed”
add the words vape and weed to bens filter => and take weed back out | subscribers_message_filter_update | FilterId=ben | | takes “weed” off
add keyword weed to bens message filter | subscribers_message_filter_update | FilterId=ben | | adds “weed”
show me all words we block for ben | subscribers_message_filter_get | SubscriberId=ben | subscribers_message_filter_create subscribers_message_filter_update |
show me all words we block for ben => replace vape by vaping | subscribers_message_filter_update | FilterId=ben | subscribers_update | adds “vaping” and takes “vape” off
set up a call filter for +12015550102 only approved callers, mum 6465550177 and dad 6465550178 | subscribers_call_filter_create | Phone=+12015550102, FilterMode=WHITELIST, AllowedNumbers=+16465550177++16465550178 | _add |
who is on the allow list of 0104 | subscribers_call_filter_get | Phone=0104 | numbers_find |
delete the call filter on 0104 => wait which numbers were on it? | subscribers_call_filter_get | Query=0104 | numbers_find |
thx, what can you do with filters | help | | | pause the message filter
what does adolescent level do | help | | | a moderate level
copy bens filter to 0103 | subscribers_call_filter_get | SubscriberId=ben | _add | Filters are not copied
set the teen filter on bens texts | subscribers_message_filter_update | FilterId=ben, FilterMode=TEENAGER | |
set up the teenager message filter for ben | subscribers_message_filter_create | SubscriberId=ben, FilterMode=TEENAGER | |
set up the teenager message filter for ben => no, the strict one | subscribers_message_filter_update | FilterId=ben, FilterMode=CHILD | |
delete the teen filter on bens texts | subscribers_message_filter_delete | | subscribers_message_filter_update |
0105's kid shouldn't be able to send photos any more | subscribers_message_filter_update | FilterId=0105, BlockMedia=true, ApplyToOutbound=true | numbers_diagnose |
ava moved from child to teenager last week | numbers_find/events_since | | subscribers_message_filter_update |
explain the difference between child and teen level | help | | subscribers_message_filter_update | Child: the strictest level
set 0104 to whitelist | subscribers_call_filter_update | FilterId=0104, FilterMode=WHITELIST | _add |
get rid of the word vape in bens filter | subscribers_message_filter_update | FilterId=ben | | takes “vape” off
bens message filter off please | subscribers_message_filter_update | FilterId=ben, FilterMode=INACTIVE | |
turn on guardian for ben => is it on now? | subscribers_guardian_features_get | SubscriberId=ben | subscribers_guardian_features_set |
ben is a teenager, park his line | numbers_status | Query=ben | subscribers_message_filter_update |
the teen filter on 0103 was a mistake | subscribers_call_filter_get | | subscribers_message_filter_update |
`;

export const filters = detailedIn(LINES);

/** Sentences about several filters, and the operations and filters of their answers. */
export const joint: readonly (readonly [says: string, answers: string])[] = [
  [
    'someones harassing ben from 312-555-0166, stop calls AND texts',
    'call_filter_blocked_numbers_add ben, message_filter_blocked_contacts_add ben',
  ],
  [
    'stop 3125550166 from calling and texting 0102',
    'call_filter_blocked_numbers_add 0102, message_filter_blocked_contacts_add 0102',
  ],
  [
    'block calls and texts from 312-555-0161 for Ben',
    'call_filter_blocked_numbers_add Ben, message_filter_blocked_contacts_add Ben',
  ],
  [
    'the stepfather 312 555 0161 should neither call nor text Ben any more, could you block him on both',
    'call_filter_blocked_numbers_add Ben, message_filter_blocked_contacts_add Ben',
  ],
  [
    'allow 0101 to call and text 0105',
    'call_filter_allowed_numbers_add 0105, message_filter_allowed_contacts_add 0105',
  ],
  [
    'block 312-555-0150 on 0101, 0103 and 0104',
    'call_filter_blocked_numbers_add 0101, call_filter_blocked_numbers_add 0103, call_filter_blocked_numbers_add 0104',
  ],
  [
    'block +1 900 555 1234 for both ava and ben, calls and sms',
    'call_filter_blocked_numbers_add ava, message_filter_blocked_contacts_add ava, call_filter_blocked_numbers_add ben, message_filter_blocked_contacts_add ben',
  ],
  ['block +19005551234 for ben and ava', 'call_filter_blocked_numbers_add ben, call_filter_blocked_numbers_add ava'],
  [
    "mom asks which numbers are blocked on Ben's phone at the moment, calls and texts both",
    'call_filter_get Ben, message_filter_get Ben',
  ],
  ["are there any filters at all on Ava's lines?", 'call_filter_get Ava, message_filter_get Ava'],
  ['what is blocked for ava', 'call_filter_get ava, message_filter_get ava'],
  [
    'what is blocked for ava and ben',
    'call_filter_get ava, message_filter_get ava, call_filter_get ben, message_filter_get ben',
  ],
  ['delete both filters of ben', 'call_filter_delete ben, message_filter_delete ben'],
  ['is 9175550143 blocked for ben', 'call_filter_get ben, message_filter_get ben'],
  [
    'both kids (0102 and 0103) block 3475550199 texts',
    'message_filter_blocked_contacts_add 0102, message_filter_blocked_contacts_add 0103',
  ],
  ['pause the filter on 0103', 'message_filter_update 0103, call_filter_update 0103'],
  ['who can call ava', 'call_filter_get ava'],
  ['which of our customers have the kids filter on', 'call_filter_get, message_filter_get'],
];
