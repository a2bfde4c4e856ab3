import { type Detailed, detailedIn } from './details.ts';

/*
 * Sets of lines: those of a customer, several at once, comparisons and totals. In the notation of `details.ts`.
 */

const LINES = `
text all active acme lines: "Maintenance tonight 23:00-01:00, calls may drop." | message_outbound | To=undefined | | “acme”; state: Active
text all acme lines: Maintenance tonight | message_outbound | Body=Maintenance tonight | | “acme”
send a message to everyone at Globex saying "we are back" | message_outbound | Body=we are back | | “Globex”
data usage for all acme lines pls, in one list | numbers_find | Query=acme, Data=true | numbers_data_usage_set | "acme"
usage of every active globex line | numbers_find | Query=globex, Status=Active, Data=true | numbers_data_usage_set
set all globex lines to 3gb max, notify at 2.5 | numbers_data_usage_set | LimitValue=3072, NotifyValue=2560, PhoneNumbers=undefined | | “globex”
set all acme lines to 3 GB | numbers_data_usage_set | LimitValue=3072 | | “acme”
limit ben's lines to 500 mb | numbers_data_usage_set | LimitValue=500 | | “ben”
cancel all active lines of acme | numbers_find | Query=acme, Status=Active | numbers_cancel numbers_status | stands for none
cancel all of bens lines | numbers_find | Query=ben | numbers_cancel numbers_status | stands for none
block all active globex lines | numbers_find | Query=globex, Status=Active | numbers_cancel numbers_status
watch all voip lines of acme | numbers_watch | PhoneNumber=undefined | | product: voip
text 0101: all acme lines are back | message_outbound | Query=0101, Body=all acme lines are back
all active lines of acme | numbers_find | Query=acme, Status=Active
`;

export const sets: readonly Detailed[] = detailedIn(LINES);
