import { type Detailed, detailedIn } from './details.ts';

/*
 * Messages of a support agent: watches, limits that are to go, texts that are corrected in part, relatives on a list,
 * reports of many customers, and questions of what a line cannot do. In the notation of `details.ts`.
 */

const LINES = `
make sure 0104 can receive calls | numbers_update | Query=0104, VoiceEnabled=true | subscribers_call_filter_create
watch 0104 => stop it | help | | numbers_find | stop watching 0104
the data limit on 0101 should go away completly | numbers_data_usage_set | Query=0101 | numbers_data_usage_settings | no way to remove a limit
0101 no data limit any more please | numbers_data_usage_set | Query=0101 | | no way to remove a limit
ava's data cap on 0105 must go | numbers_data_usage_set | Query=0105 | | no way to remove a limit
the throttle on 0105 should be lifted | numbers_data_usage_set | Query=0105, ThrottleValue=null |
the hold on 0104 has to go away | numbers_status | StatusChange=activate, Query=0104 |
why should the limit on 0101 go away | numbers_data_usage_settings | Query=0101 | numbers_data_usage_set
tell Ben "your new phone is ready for pickup at the store" => no wait, say "your phone" not "your new phone" | message_outbound | Body=your phone is ready for pickup at the store, Query=Ben | | withdrawn
text 0102 "your order is ready come by before 5" => not "come by" but "call us" | message_outbound | Body=your order is ready call us before 5 |
text 0102 "your order is ready come by before 5" => replace order with parcel | message_outbound | Body=your parcel is ready come by before 5 |
text 0102: your order is ready tomorrow => leave out "tomorrow" | message_outbound | Body=your order is ready |
text 0102: your order is ready tomorrow => make it say parcel not order | message_outbound | Body=your parcel is ready tomorrow |
text ava "we fixed it" on 0101 and then tell me if it arrived | message_outbound | Body=we fixed it, Query=0101 | | Not taken: “tell me if it arrived”
message 0101 "call us" and check if it was delivered | message_outbound | Body=call us | | Not taken: “check if it was delivered”
send 0103 "your sim is ready", then let me know when he reads it | message_outbound | Body=your sim is ready | | Not taken: “let me know when he reads it”
can grandma (+1 551 555 0042) text ben even with the filter | subscribers_message_filter_get | SubscriberId=ben | | whether +15515550042 is blocked
can +15515550042 still text ben if the filter is on? | subscribers_message_filter_get | SubscriberId=ben | | whether +15515550042 is blocked
can grandma (+1 551 555 0042) text ben even with the filter => add her then | subscribers_message_filter_allowed_contacts_add | SubscriberId=ben, Contacts=+15515550042 |
can 551 555 3142 call ben => block it | subscribers_call_filter_blocked_numbers_add | SubscriberId=ben, Numbers=+15515553142 |
let grandma +1 551 555 0042 text ben | subscribers_message_filter_allowed_contacts_add | SubscriberId=ben, Contacts=+15515550042 | message_outbound
let his grandma text ben, her number is 551 555 0042 | subscribers_message_filter_allowed_contacts_add | SubscriberId=ben, Contacts=+15515550042 | message_outbound
let his teacher mrs Lund (551 555 3142) call ben | subscribers_call_filter_allowed_numbers_add | SubscriberId=ben, Numbers=+15515553142 |
grandma 551 555 3142 should be able to text ben | subscribers_message_filter_allowed_contacts_add | SubscriberId=ben, Contacts=+15515553142 | message_outbound
allow calls from 551 555 3142 to ben | subscribers_call_filter_allowed_numbers_add | SubscriberId=ben, Numbers=+15515553142 |
unblock calls from 917 555 3142 for ben | subscribers_call_filter_blocked_numbers_remove | SubscriberId=ben, Numbers=+19175553142 |
is it us or the carrier?? lots of ppl complaining about sms since 9 | distributor_accounts_get | | numbers_find | nothing else about it is measured here
many customers say sms are down, is something known? | distributor_accounts_get | | numbers_find | nothing else about it is measured here
several people complain that calls fail today | distributor_accounts_get | | numbers_find
are texts down for everyone | distributor_accounts_get | | message_search_get
forward ben's calls to 201 555 0104 while he is in surgery | numbers_find | Query=ben | voice_routes_update | is in no field here
forward ava's calls to 0104 | numbers_find | Query=ava | voice_routes_update
send all calls for ben to 917 555 3142 | numbers_find | Query=ben | voice_routes_update | voice route
ben says none of his texts go out since this morning | numbers_diagnose | About=texts, Query=ben |
ava reports that no calls come through | numbers_diagnose | About=calls, Query=ava |
0102: not a single text gets delivered | numbers_diagnose | About=texts, Query=0102 |
can the 0102 customer get mobile data? | numbers_diagnose | About=data, Query=0102 |
is there voicemail on 0101? | numbers_find | Query=0101 | | is not known here
does ben have wifi calling | numbers_find | Query=ben | | is not known here
customer broke his sim, 0104. how do i give him a new one? | numbers_find | Query=0104 | | write “swap the SIM of 0104”
how do i swap a sim on 0101 | numbers_find | Query=0101 | | write “swap the SIM of 0101”
which of acme's lines have no plan | numbers_find | Query=acme, Plan=none |
which globex lines have no plan | numbers_find | Query=globex, Plan=none |
how many acme lines have no voice route | numbers_find | Query=acme, Route=no voice route |
parent asks if we can block websites or apps for kid | help | | subscribers_call_filter_blocked_numbers_add | There is no filter for websites
can we block websites for ben | numbers_find | Query=ben | subscribers_call_filter_blocked_numbers_add | There is no filter for websites
block youtube on 0102 | numbers_find | Query=0102 | subscribers_call_filter_blocked_numbers_add | There is no filter for websites
block links and pictures for ben | subscribers_message_filter_update | BlockLinks=true, SubscriberId=ben |
slow 0105 to 512k at 4gb => make it 256k | numbers_data_usage_set | ThrottleValue=4096, ThrottleSpeed=256-kbps, Query=0105 | | withdrawn
set 0105 to slow down to 512k after 4gb => sorry thats 256k | numbers_data_usage_set | ThrottleValue=4096, ThrottleSpeed=256-kbps | | withdrawn
throttle 0105 to 1 mbps at 4 gb => 512k not 1 mbps | numbers_data_usage_set | ThrottleValue=4096, ThrottleSpeed=512-kbps | | withdrawn
do we have something in zip 07030 | numbers_availability | ZipCode=07030 |
new customer Maria Lopez at acme => she wants an 305 number, mobile w everything | numbers_provision | AreaCode=305, ProductType=sms+data+voice, NumberType=mvno |
is ben's route even on? | numbers_find | Query=ben | | Whether a route is on is not kept
the warning at 3 gb on 0103 should go away | numbers_data_usage_set | NotifyValue=null, Query=0103 |
globex lines that have no route? | numbers_find | Query=globex, Route=none |
ben's mom wants instagram blocked for him | numbers_find | Query=ben | subscribers_call_filter_blocked_numbers_add | There is no filter for websites
new line for ava in 305, mobile with everything | numbers_provision | AreaCode=305, ProductType=sms+data+voice, NumberType=mvno |
customer wants to bring 773-555-0190 to us, can he? | numbers_portin_eligibility | PhoneNumber=+17735550190 | numbers_portin
lady wants to move her number 773 555 0190 over, is that possible | numbers_portin_eligibility | PhoneNumber=+17735550190 | numbers_portin
hows my request doing | events_since | Only=actions |
resend the esim qr to ava for 0101 | numbers_find | Query=0101 | | It is not sent to a customer from here
`;

export const supportDesk: readonly Detailed[] = detailedIn(LINES);
