import { type Detailed, detailedIn } from './details.ts';

/*
 * Sentences of which one word suggests another operation, and questions whose answer is a fact of the platform. In the
 * notation of `details.ts`.
 */

const NOTICES = `
0103 wants a heads up at 15mb | numbers_data_usage_set | NotifyValue=15, Query=0103, LimitValue=undefined | |
0101 wants to be told at 18 | numbers_data_usage_set | Query=0101, LimitValue=undefined | numbers_find | 18 has no unit
0105 should get a ping at 12 mb | numbers_data_usage_set | NotifyValue=12, LimitValue=undefined | |
give 0103 a heads up once she hits 15 mb | numbers_data_usage_set | NotifyValue=15, LimitValue=undefined | numbers_watch |
let 0103 know at 15 mb | numbers_data_usage_set | NotifyValue=15, LimitValue=undefined | message_outbound |
ben needs to hear from us at 15 mb | numbers_data_usage_set | NotifyValue=15, Query=ben | |
0105 wants a gizmo at 12mb | numbers_data_usage_set | LimitValue=undefined, Query=0105 | | whether 12mb is the limit
set 0105 to 12mb | numbers_data_usage_set | LimitValue=12, Query=0105 | |
tell 0103 that we fixed it | message_outbound | Body=we fixed it, Query=0103 | numbers_data_usage_set |
slow 0103 down to 128k after 18 mb | numbers_data_usage_set | ThrottleValue=18, ThrottleSpeed=128-kbps | |
throttle 0105 to 1 mbit/s at 16 mb | numbers_data_usage_set | ThrottleValue=16, ThrottleSpeed=1-mbps | |
throttle 0103 at 5 gb to 512 kbit | numbers_data_usage_set | ThrottleValue=5120, ThrottleSpeed=512-kbps | |
0105 is nearly out of data, bump her to 25 and txt her that we did | numbers_find | Query=0105 | numbers_data_usage_info | you asked for several changes
raise 0105 to 25 | numbers_data_usage_set | Query=0105, LimitValue=undefined | | 25 has no unit
`;

const DEEDS = `
she says somebody moved her number to another sim yesterday, 0101, can u check | events_since | Query=0101, Only=actions | numbers_update numbers_status |
cust says someone swapped her sim on 0103, was that us? | events_since | Query=0103, Only=actions | numbers_update numbers_status |
customer claims somebody cancelled 0104, did we | events_since | Query=0104, Only=actions | numbers_cancel |
apparently a hacker has swapped the sim of 0105 | events_since | Query=0105, Only=actions | numbers_update |
someone put 0105 on hold and she wants to know why | events_since | Query=0105, Only=actions | numbers_status |
someone raised the limit on 0103, was that you? | events_since | Query=0103, Only=actions | numbers_data_usage_set |
someone parked 0103 by mistake, undo it | numbers_status | StatusChange=activate, Query=0103 | events_since |
somebody stole her phone 0103, park it | numbers_status | StatusChange=park, Query=0103 | events_since |
someone should park 0103 | numbers_status | StatusChange=park, Query=0103 | events_since |
`;

const HOLDERS = `
take 0103 off avas name, nobody should have it for now | numbers_find | Query=0103 | numbers_cancel numbers_status | a number is taken from a customer by giving it
take 0103 off avas account for now | numbers_find | Query=0103 | numbers_cancel numbers_status | a number is taken from a customer by giving it
remove ava from 0103 | numbers_find | Query=0103 | numbers_cancel | a number is taken from a customer by giving it
get 0104 out of ava's hands | numbers_find | Query=0104 | numbers_cancel | a number is taken from a customer by giving it
remove ben as the holder of 0102 | numbers_find | Query=0102 | numbers_cancel | a number is taken from a customer by giving it
take 0103 off avas name and give it to ben | numbers_update | AssignedSubscriberId=ben, Query=0103 | numbers_cancel |
take 0103 off the shelf | numbers_find | Query=0103 | numbers_cancel |
take 0103 off the network | numbers_find | Query=0103 | numbers_reactivate | for now or for good
0104 should be bens not avas | numbers_update | AssignedSubscriberId=ben, Query=0104 | | “not avas”
0104 should be ben reeds | numbers_update | AssignedSubscriberId=ben reed, Query=0104 | |
0104 is supposed to be bens | numbers_update | AssignedSubscriberId=ben, Query=0104 | |
ava stone got married, shes ava miller now | subscribers_update | SubscriberId=ava stone, Name=ava miller | |
ben reed is now ben cole | subscribers_update | SubscriberId=ben reed, Name=ben cole | |
`;

const QUESTIONS = `
which account is ben reed under | numbers_find | Query=ben reed | distributor_accounts_get |
under which account is ava | numbers_find | Query=ava | |
can ben text | numbers_diagnose | About=texts, Query=ben | message_search_get |
can 0104 get texts | numbers_diagnose | About=texts, Query=0104 | message_search_get |
can 0103 receive calls | numbers_diagnose | About=calls, Query=0103 | |
is ava able to make calls on 0101 | numbers_diagnose | About=calls, Query=0101 | |
can ben use data | numbers_diagnose | About=data, Query=ben | numbers_data_usage_info |
can you text 0104 we are open | message_outbound | Body=we are open, Query=0104 | numbers_diagnose |
is the iot one of ava stone online? | numbers_find | Query=ava stone, Product=iot | |
which of avas lines is the voip one | numbers_find | Query=ava, Product=voip | |
is the international add on still active for ben | numbers_find | Query=ben, Full=true | | whether “the international add-on” is on
is voicemail still active for ben | numbers_find | Query=ben, Full=true | | whether “voicemail” is on
is the data add on active for 0105 | numbers_find | Query=0105, Full=true | | whether “the data add-on” is on
what got blocked for ben last week? | message_search_get | Query=ben | events_since | no list of what a filter stopped
which texts to ben were blocked | message_search_get | Query=ben | events_since | no list of what a filter stopped
what do i need to bring 7735550188 over from t-mobile | help | | numbers_portin | the account number and pin there
customer wants to bring 7735550188 over from t-mobile, what do i need from her? | help | | numbers_portin | the account number and pin there
where do i upload the LOA for the 0111 port | help | | numbers_order_get | no operation takes a document
can a customer send us the bill for the port | help | | events_since | no operation takes a document
whats avas pin | help | | numbers_portout | cannot be looked up
any numbers about to drop off for good this week? | numbers_find | Status=Cancelled - Pending Delete | numbers_cancel |
reactivate 0107, fee is ok | numbers_reactivate | Query=0107 | |
`;

const ABOUT = `
0106 wants to cancel => is there a fee if she changes her mind | help | | numbers_status numbers_cancel | you asked about "cancel numbers"
park 0103 => what happens to her texts | help | | message_outbound | you asked about "park a number"
park 0103 => what does a sim swap cost | help | | numbers_status | you asked about "swap a sim"
if i park 0103 does she keep her number | help | | numbers_status | you asked about "park a number"
how long does a wireline port take | help | | numbers_portin | a landline needs a day
`;

export const factsAsked: readonly Detailed[] = [NOTICES, DEEDS, HOLDERS, QUESTIONS, ABOUT].flatMap(detailedIn);
