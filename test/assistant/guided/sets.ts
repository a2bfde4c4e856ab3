import { type Detailed, detailedIn } from './details.ts';

/*
 * Sets of lines: those of a customer, several at once, comparisons and totals. In the notation of `details.ts`.
 */

const LINES = `
text all active acme lines: "Maintenance tonight 23:00-01:00, calls may drop." | message_outbound | To=undefined | | “acme”; state: Active
text all acme lines: Maintenance tonight | message_outbound | Body=Maintenance tonight | | “acme”
text all of globex: closed on friday | message_outbound | Body=closed on friday | message_search_get | “globex”
park all of acme today | numbers_status | StatusChange=park | numbers_cancel | “acme”
give all of globex 5 gb | numbers_data_usage_set | LimitValue=5120 | | “globex”
take all of acme off starter | numbers_find | Query=acme | numbers_cancel | stands for none
show all of ava's texts | message_search_get | Query=ava | message_outbound
move all of ava's mvno lines to starter | subscriptions_update | PackageId=starter | packages_update | product: mvno
put everyone at globex on starter | subscriptions_create | PackageId=starter | packages_update | “globex”
give all acme lines without a plan the starter plan | subscriptions_create | PackageId=starter | packages_update | plan: none
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
text all Acme Mobile lines: hello there | message_outbound | Body=hello there | | “Acme Mobile”
block 312-555-0150 on all lines of Acme Mobile | numbers_find | Query=Acme Mobile | numbers_cancel | stands for none
data usage for all acme lines pls, in one list => which one used the most | numbers_find | Query=acme, Data=true | | which acme lines
data usage for all acme lines => how many of them are parked | numbers_find | Query=acme, Status=Parked | numbers_status
block +19005551234 for ben and ava | subscribers_call_filter_blocked_numbers_add | SubscriberId=ben, Numbers=+19005551234 | _remove | each line has a filter of its own
block +1 900 555 1234 for both ava and ben | subscribers_call_filter_blocked_numbers_add | SubscriberId=ava | _remove | each line has a filter of its own
whats the cost if we bring back both 0107 and 0108 | help | | numbers_cancel
is 0103 set up the same as 0105? one of them is data capped | numbers_find | Full=true, Data=true | | 0103, 0105
compare 0103 and 0105 | numbers_find | Full=true, Data=true
who has more lines, acme or globex | numbers_find | CountBy=Account | | counted by account
which has fewer active lines: acme or globex | numbers_find | CountBy=Account, Status=Active
any lines without a sim in there? | numbers_find | Product=voip | numbers_status | have no SIM
which lines have no sim card | numbers_find | Product=voip
lines without a plan | numbers_find | Plan=none
show the globex account | account_get | AccountId=globex | account_update
status of the initech account | account_get | AccountId=initech
ben wants to cancel everything | numbers_find | Query=ben | numbers_cancel | “everything” names no line
`;

/** The log, open requests, colleagues, roles, and the platform itself. */
const PRODUCT = `
what did i turn down today | events_since | Only=actions, Since=2026-11-22T00:00:00.000Z | numbers_cancel
what did i reject this week | events_since | Only=actions, Since=7d
how many changes did we do today and how many are open | events_since | Only=actions | | lists them alone
did lee already ok my request? | events_since | By=lee | numbers_find
did lee sign off my cancellation | events_since | By=lee | numbers_cancel
can you give lee a nudge | numbers_find/help | | numbers_update message_outbound | reminds no colleague
chase kai please | numbers_find/help | | message_outbound | reminds no colleague
list port ins that are still open | events_since | Only=orders | | has no list of orders
can i approve my own requests or does that need a second one | help | | | CONFIRM_TWO_PERSON
can a supervisor confirm their own change | help | | | CONFIRM_TWO_PERSON
do we need a second approver for cancellations | help | | numbers_cancel | CONFIRM_TWO_PERSON
give tom read only access to this bot | help | | numbers_update subscribers_update | SLACK_VIEWERS
how do i give someone read only access | help | | numbers_update | SLACK_VIEWERS
who's allowed to approve cancellations in our team? | help | | numbers_cancel | SLACK_APPROVERS
is the platform up? things feel slow | distributor_accounts_get | | numbers_diagnose | nothing else about it is measured
any outage on the platform? | distributor_accounts_get |
can a cancelled number be undone? up to when | help | | numbers_cancel | Reactivate
up to when can a cancelled line be brought back | help | | numbers_portin | Reactivate
is roaming on for 0105, the class trip goes to canada on friday | numbers_find | Query=0105 | events_since | feature of a subscription
can a filter only work during school hours, say 8 to 3? | help | | | has no hours
can you see where the stolen phone 0103 is right now? | numbers_find | Query=0103 | numbers_status | no location
is the guardian filtering switched on for Ava, I mean for calls as well as for messages? | subscribers_guardian_features_get | SubscriberId=Ava
block +1 312-555-0150 from calling 0103 please => will that work right away? | help | | | You asked about "Block callers"
park 0103 => does it take effect immediately? | help | | | You asked about "Park
`;

/** Questions of one property of a line, names beside other words, and words that are no order. */
const ONE_LINE = `
is 0101 near the cap | numbers_find | Query=0101 | numbers_data_usage_set
is 0105 close to its limit | numbers_find | Query=0105 | numbers_data_usage_set
is texting on for 0106 | numbers_find | Query=0106 | numbers_update message_outbound
does 0104 have calls enabled | numbers_find | Query=0104 | numbers_update
is data on for 0106 | numbers_find | Query=0106 | numbers_update
when was 0101 activated | numbers_find | Query=0101 | numbers_status
when did we get 0101 | numbers_find | Query=0101
did our text to 0102 go thru | events_since | Query=0102 | message_outbound | not sent here is not in it
was my message to 0101 delivered | events_since | Query=0101 | message_outbound | not sent here is not in it
anyone already asked to cancel 0104? | numbers_find | Query=0104 | numbers_cancel
cancel 0104 pls cust confirmed by email | numbers_cancel | Query=0104 | numbers_status
park 0104 please the customer confirmed by phone | numbers_status | Query=0104, StatusChange=park | numbers_cancel
ben cant receive texts from his bank | numbers_diagnose | Query=ben, About=texts
ben cant get texts from amazon | numbers_diagnose | Query=ben, About=texts
hey is something down? ben and ava both no signal | numbers_diagnose | Query=ben |
ben n ava both cant call | numbers_diagnose | Query=ben, About=calls |
john smith on the line, find his number | numbers_find | Query=john smith
ava: which package is she on and is her guardian stuff off? | numbers_find | Query=ava, Full=true | | guardian stuff
ben: is he on hold | numbers_find | Query=ben | numbers_status
when she gets to 18 mb on 0103 please just slow it down to 128 kbps rather than cut her off | numbers_data_usage_set | Query=0103, ThrottleValue=18, ThrottleSpeed=128-kbps, LimitValue=undefined
once 0103 reaches 4 gb slow it down to 256 kbps | numbers_data_usage_set | Query=0103, ThrottleValue=4096
warn the customer 0105 as soon as he uses 900 mb | numbers_data_usage_set | Query=0105, NotifyValue=900
whats the state of the order for +13125550111, grandma wants to know when her old number comes over | numbers_order_get | OrderId=+13125550111 | numbers_portin
park 0103, she asks when she gets it back | numbers_status | Query=0103, StatusChange=park | numbers_cancel
park 0103 when she gets back | numbers_find | Query=0103 | numbers_status | is a condition
the police want the serial number of the sim in 0103, can you look it up | numbers_find | Query=0103 | numbers_update numbers_status
i need to know the serial of ben's sim | numbers_find | Query=ben | numbers_update numbers_status
customer needs the serial number of the sim in 0101 | numbers_find | Query=0101 | numbers_update numbers_status
the school nurse tells me her text messages never arrive at Ben's phone | numbers_diagnose/numbers_find/message_search_get | | message_outbound
my colleague tells us that texts to 0102 bounce | numbers_diagnose/numbers_find/message_search_get | | message_outbound
Lady regrets it and wants 0107 back, is this still possible and what would it cost her? | numbers_find | Query=0107 | numbers_cancel
`;

export const sets: readonly Detailed[] = [...detailedIn(LINES), ...detailedIn(PRODUCT), ...detailedIn(ONE_LINE)];
