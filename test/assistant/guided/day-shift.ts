import { type Detailed, detailedIn } from './details.ts';

/*
 * A support agent's shift: texts without a mark before them, a look and a change in one message, and short messages after
 * what was shown or offered. In the notation of `details.ts`.
 */

const ROWS = `
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
  [
    '0105 has a new sim 89014103211118510720, swap it and check its data after',
    'numbers_update',
    'numbers_find',
  ],
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
