import { type Detailed, detailedIn } from './details.ts';

/*
 * Questions of supervisors and of people on call: data of a period, batches, decisions, failures, port-in orders, what was
 * done how often, lines by their state. In the notation of `details.ts`.
 */

const LINES = `
how much data did 0106 use this month | numbers_data_usage_info | Query=0106 | numbers_data_usage_set | not by period (“this month”)
0106 data in october pls | numbers_data_usage_info | Query=0106 | | (“in october”)
what did ben use last month | numbers_data_usage_info | Query=ben | | (“last month”)
what has ava used so far this month | numbers_data_usage_info | Query=ava | | (“this month”)
gb burned by 0105 since monday | numbers_data_usage_info | Query=0105 | | (“since monday”)
who is 2015550101 => and what did she use last month | numbers_data_usage_info | PhoneNumbers=+12015550101 | | (“last month”)
is 0101 low on data | numbers_data_usage_info | Query=0101 | numbers_data_usage_set
how much data did we use this month | numbers_find | CountBy=Account, Data=true | | (“this month”)
data on 0101 is slow this week | numbers_diagnose | About=data
raise the data of 0106 this month | numbers_data_usage_set | Query=0106
who changed the data limit of 0106 this month | events_since | Query=0106 | numbers_data_usage_set
any failed webhooks since this morning? | events_since | Since=2026-11-22T06:00:00.000Z | webhook_update webhook_delete | is not known here
did the webhooks go thru last night | events_since | Since=2026-11-21T18:00:00.000Z | | is not known here
is our webhook down | account_webhooks_get | | | whether a delivery failed is not known here
retry the failed webhook deliveries | help | | webhook_update numbers_portin_update | nothing here can send one again
the webhook is broken, delete it | webhook_delete |
which webhooks do we have | account_webhooks_get |
whats going on with 0107, customer says its dead | numbers_diagnose | Query=0107 | numbers_reactivate
whats up with 0103, no calls since noon | numbers_diagnose | Query=0103, About=calls
what happened with 0103 yesterday | events_since | Query=0103
how many numbers are on hold at globex | numbers_find | Query=globex, Status=Parked | numbers_status
parked at acme | numbers_find | Query=acme, Status=Parked | numbers_status
lines on hold at acme | numbers_find | Query=acme, Status=Parked | numbers_status
does acme have lines on hold | numbers_find | Query=acme, Status=Parked | numbers_status
how many parked and how many active at globex | numbers_find | Query=globex, CountBy=Status | | counted by state
which of acmes lines are active | numbers_find | Query=acme, Status=Active
cancelled lines of acme | numbers_find | Query=acme, Status=Cancelled - Pending Delete | numbers_cancel
how many lines does acme have | numbers_find | Query=acme, CountBy=Status | numbers_provision | counted by state
ava on hold | numbers_status | StatusChange=park, Query=ava | numbers_cancel
cancel all parked lines of acme | numbers_find | Query=acme | numbers_status numbers_cancel | stands for none
cancel the suspended numbers at globex | numbers_find | Query=globex, Status=Parked | numbers_status numbers_cancel | stands for none
delete parked line 0106 | numbers_cancel | Query=0106 | numbers_status
list all lines that get deleted this week | numbers_find | Status=Cancelled - Pending Delete | numbers_cancel | not narrowed to “this week”
which lines do we lose tomorrow | numbers_find | Status=Cancelled - Pending Delete | numbers_cancel | “tomorrow”
what numbers expire in the next days | numbers_find | Query=undefined, Status=Cancelled - Pending Delete | | for 30 days after its cancellation
what failed since midnight | events_since | Since=2026-11-22T00:00:00.000Z | numbers_diagnose | only “failed”
only failed actions today | events_since | Only=actions | | only “failed”
what went wrong last night | events_since | Since=2026-11-21T18:00:00.000Z | | only “wrong”
what failed on 0105 today | events_since | Query=0105 | | only “failed”
how many reactivations did we do this month and what did they cost | events_since | Since=2026-11-01T00:00:00.000Z, Only=actions | numbers_reactivate | what was charged is added up
how much did we spend on reactivations this week | events_since | Since=7d, Only=charges | numbers_reactivate | not narrowed to “reactivations”
list of everybody who approved a cancel in november | events_since | Only=actions | numbers_cancel | each says who asked and who decided
how many sim swaps yesterday | events_since | Only=actions, Since=2026-11-21T00:00:00.000Z | numbers_update | only “swaps”
did anyone reactivate a line over the weekend | events_since | Only=actions | numbers_reactivate
what did ava stone text us | message_search_get | Query=ava stone | message_outbound
what did globex write to us last week | events_since | Only=messages, Since=2026-11-09T00:00:00.000Z, Query=globex | message_outbound
which lines are over their data limit | numbers_find | Sort=Used, Data=true | numbers_data_usage_set | None is chosen by its limit
who ran out of data | numbers_find | Sort=Used | numbers_data_usage_set
lines near the cap at acme | numbers_find | Sort=Used, Query=acme | numbers_data_usage_set
whats waiting for approval longer than an hour | events_since | | | only “longer than an hour”
what waits since yesterday | events_since | Since=2026-11-21T00:00:00.000Z | | Changes since 2026-11-21
which port ins are stuck | events_since | Only=orders | numbers_portin numbers_portin_cancel | only “stuck”
any failed ports since yesterday? | events_since | Only=orders, Since=2026-11-21T00:00:00.000Z | numbers_portin | “failed”
list open port ins | events_since | Only=orders, Query=undefined | numbers_portin | “open”
is 0105 still on hold, and since when | numbers_find | Query=0105 | numbers_status | since when
how long has 0105 been parked | events_since | Query=0105 | numbers_status | says since when
why was 0107 cancelled | events_since | Query=0107, Only=actions | numbers_cancel | who asked for it
why did the swap of 0105 fail | events_since | Query=0105 | numbers_update
why does ava want to cancel | numbers_find | Query=ava | numbers_cancel
approve the one for 0104 | numbers_find | Query=0104 | numbers_cancel | buttons of its card
decline the cancel of 0104 | numbers_find | Query=0104 | numbers_cancel | buttons of its card
sign off on the swap for 0105 | numbers_find | Query=0105 | numbers_status numbers_update | buttons of its card
reject calls from 3125550199 for ben | subscribers_call_filter_blocked_numbers_add | Numbers=+13125550199, SubscriberId=ben | _remove
confirm that 0103 is active | numbers_find | Query=0103 | numbers_status
stop the batch | help | | numbers_cancel numbers_status | needs no approval
cancel the batch from this morning | help | | numbers_cancel numbers_status | “Stop” on its card
pause the bulk job | help | | numbers_status | paused with “Pause”
put the batch on hold | help | | numbers_status | paused with “Pause”
resume the batch | help | | numbers_status numbers_reactivate | “Resume” on its card
stop the batch, its holding the wrong lines | help | | numbers_status numbers_cancel | “Stop” on its card
batch from this morning is wrong, stop it | help | | numbers_status numbers_cancel | “Stop” on its card
undo the whole batch | help | | numbers_status numbers_reactivate | not undone as a whole
is the batch done | help | | | shows its progress
cancel 0101, 0103, 0105 in one batch | numbers_cancel | PhoneNumbers=0101+0103+0105 | numbers_status
text 0101: the batch is cancelled | message_outbound | Body=the batch is cancelled | numbers_cancel
tell ben how much a SIM swap costs | help | | message_outbound numbers_update | Nothing was sent
what is in PKID-00000000-0000-4000-8000-000000000001 | packages_items_get | PackageId=PKID-00000000-0000-4000-8000-000000000001
who uses MRID-00000000-0000-4000-8000-000000000001 | numbers_find | Route=MRID-00000000-0000-4000-8000-000000000001 | message_routes_update
numbers on route CRID-00000000-0000-4000-8000-000000000001 | numbers_find | Route=CRID-00000000-0000-4000-8000-000000000001 | numbers_update
morning, anything blow up overnight? | events_since | Query=undefined | numbers_diagnose | not narrowed to “blow up”
give me a rundown of what changed since i left at 6pm | events_since | Since=2026-11-21T18:00:00.000Z
whats still in the queue | events_since | Query=undefined | | Those that wait for a person say so
any requests nobody looked at yet | events_since | Query=undefined | | Those that wait for a person say so
how many texts did we send today | events_since | Since=2026-11-22T00:00:00.000Z | message_outbound | with their delivery
what did acme cost us in november | events_since | Only=charges, Query=acme, By=undefined
everything dana changed this week | events_since | By=dana, Since=7d
who bought a number today | events_since | Only=actions | numbers_provision
how many new lines this month | numbers_find | BoughtFrom=2026-11-01 | numbers_provision
which numbers did we add yesterday | numbers_find | BoughtFrom=2026-11-21, BoughtTo=2026-11-21 | numbers_provision
i need 2 new lines this month | numbers_provision |
total lines per account | numbers_find | CountBy=Account, Query=undefined
lines per customer at globex | numbers_find | CountBy=Customer, Query=globex
which customers have no line | numbers_find | CountBy=Customer | subscribers_create
whos using more than 5 gb | numbers_find | UsedFrom=5120 | numbers_data_usage_set
give 0101 more than 5 gb | numbers_data_usage_set |
when does 0108 get deleted | numbers_find | Query=0108 | numbers_cancel
can we still save 0108 | numbers_find | Query=0108 | numbers_cancel
is ava stone's line working | numbers_diagnose | Query=ava stone
did anything change on 0103 before it died | events_since | Query=0103 | numbers_diagnose
when was the last sim swap on 0101 | events_since | Query=0101 | numbers_update
yes to the swap on 0103 | numbers_find | Query=0103 | numbers_update numbers_status | buttons of its card
how many numbers do we have free | numbers_find | Query=orphan
how many megs has ava stone got left | numbers_find | Query=ava stone | numbers_data_usage_set
did 0106 go over last month | numbers_data_usage_info | Query=0106 | numbers_data_usage_set | last month
data consumption report for globex november | numbers_data_usage_info | Query=globex | | (“november”)
is the webhook still alive | account_webhooks_get | | | whether a delivery failed is not known here
what happened to 0107, it was working yesterday | numbers_diagnose | Query=0107 | numbers_reactivate
park 0103, it was working yesterday | numbers_status | StatusChange=park, Query=0103 | numbers_cancel
globex: active vs parked | numbers_find | Query=globex, CountBy=Status
lines scheduled for deletion | numbers_find | Query=undefined, Status=Cancelled - Pending Delete | numbers_cancel
show failed reactivations this week | events_since | Only=actions, Since=7d | numbers_reactivate | “failed” and “reactivations”
how many approvals did kai give in november | events_since | By=kai | | “approvals”
what did we pay for ports this month | events_since | Only=charges | numbers_portin | “ports”
how often do we cancel lines per month | events_since | Only=actions | numbers_cancel | “cancel”
last thing ava stone wrote | message_search_get | Query=ava stone | message_outbound
show me what ben reed sent us on monday | events_since | Only=messages, Query=ben reed | message_outbound
anyone maxed out their data? | numbers_find | Sort=Used | numbers_data_usage_set
any approval sitting there for over 2 hours | events_since | | | “for over 2 hours”
who needs to approve the swap on 0103 | numbers_find | Query=0103 | numbers_update numbers_status | says who was asked
ports stuck in submitted | events_since | Only=orders | numbers_portin numbers_portin_cancel | “stuck”
0105 on hold since? | events_since | Query=0105 | numbers_status | says since when
is 0108 still recoverable and whats the fee | numbers_find | Query=0108 | numbers_provision
recover 0107 | numbers_reactivate | Query=0107 | numbers_cancel
dont recover 0107 | numbers_find | Query=0107 | numbers_reactivate
stop everything thats running | help | | numbers_cancel numbers_status | “Stop” on its card
what happens to failed ports | help | | numbers_portin_cancel
remove parked numbers from acme | numbers_find | Query=acme | numbers_status numbers_cancel
good morning, quick status please: what failed, what waits | events_since | Since=24h | | Those that wait for a person say so
how did the night go | events_since | Since=2026-11-21T18:00:00.000Z
hook failures this week? | events_since | Since=7d | | is not known here
how many of last nights changes failed | events_since | Since=2026-11-21T18:00:00.000Z, Only=actions | | “failed”
reactivations this month: how many and how much | events_since | Only=actions | numbers_reactivate | what was charged
cost of all swaps in november | events_since | Only=charges | numbers_status numbers_update | “swaps”
what has globex been texting us | message_search_get | Query=globex | message_outbound
did ava stone write back | message_search_get | Query=ava stone | message_outbound
lines at 100% of their limit | numbers_find | Sort=Used | numbers_data_usage_set | not taken: 100%
is my approval needed anywhere | events_since | Query=undefined
where do i approve things | events_since | | | buttons of its card
do we pay for getting a number back | help | | numbers_provision | You asked about "Reactivate
can 0108 be saved, cost? | numbers_find | Query=0108 | numbers_provision
hows the port situation | events_since | Only=orders | numbers_portin
when was ava stone put on hold | events_since | Query=ava stone | numbers_status | says since when
why did we lose 0107 | events_since | Query=0107 | numbers_cancel
batch paused? resume it | help | | numbers_status | “Resume” on its card
can you check how much 0103 has used this billing month | numbers_data_usage_info | Query=0103 | | (“this billing month”)
0105 gb this week?? | numbers_data_usage_info | Query=0105 | numbers_data_usage_set | (“this week”)
is anything wrong with our webhooks since 4pm | events_since | Since=2026-11-21T16:00:00.000Z | | is not known here
upcoming deletions at globex | numbers_find | Query=globex, Status=Cancelled - Pending Delete | numbers_cancel
which numbers can still be reactivated | numbers_find | Status=Cancelled - Pending Delete | numbers_reactivate
number of cancellations in november by ben | events_since | Only=actions, By=ben | numbers_cancel
show all reactivations approved by maria | events_since | Only=actions, By=maria | numbers_reactivate
who used up their data | numbers_find | Sort=Used | numbers_data_usage_set
who is the approver for 0104 | numbers_find | Query=0104 | | says who was asked
did someone say no to the swap of 0101 | events_since | Query=0101, Only=actions | numbers_update numbers_status
let the batch continue | help | | numbers_status | “Resume” on its card
which lines have package PKID-00000000-0000-4000-8000-000000000001 | numbers_find | Plan=PKID-00000000-0000-4000-8000-000000000001
is MRID-00000000-0000-4000-8000-000000000001 used by anyone | numbers_find | Route=MRID-00000000-0000-4000-8000-000000000001
0101 and 0103, how much data did they use | numbers_data_usage_info | PhoneNumbers=0101+0103 | numbers_data_usage_set
which numbers go away this month | numbers_find | Status=Cancelled - Pending Delete | numbers_cancel | “this month”
show sim swaps done by ben this week | events_since | By=ben, Since=7d | numbers_update | only “swaps”
what was declined today | events_since | Only=actions | | only “declined”
approved requests of yesterday | events_since | Only=actions | | only “Approved”
rejected ports and why | events_since | Only=orders | numbers_portin_cancel | “rejected”
is it too late to reactivate 0108 | numbers_find | Query=0108 | numbers_cancel
contents of PKID-00000000-0000-4000-8000-000000000001 | packages_items_get | PackageId=PKID-00000000-0000-4000-8000-000000000001
batch is parking the wrong lines!!! stop | help | | numbers_status | “Stop” on its card
reactivation - whats the damage | help | | numbers_cancel | You asked about
cancel 0105 since its on hold since august | numbers_cancel | Query=0105 | numbers_status
cancel 0105, it is on hold anyway | numbers_cancel | Query=0105 | numbers_status
park 0103 since she lost her phone | numbers_status | StatusChange=park, Query=0103 | numbers_cancel
what happened since 10am yesterday | events_since | Since=2026-11-21T10:00:00.000Z
do not stop the batch | help | | numbers_status numbers_cancel | shows its progress
can you show parked lines at acme | numbers_find | Query=acme, Status=Parked | numbers_status
how much of the plan data has 0105 eaten this month | numbers_data_usage_info | Query=0105 | numbers_data_usage_set | (“this month”)
numbers we lose next week | numbers_find | Status=Cancelled - Pending Delete | numbers_cancel | “next week”
any message from ava stone since tuesday | events_since | Only=messages, Query=ava stone | message_outbound
is getting 0107 back free | help | | numbers_provision | You asked about "Reactivate
is 0107 still reactivatable and for how much | numbers_find | Query=0107 | numbers_provision numbers_reactivate
did kai cancel anything yesterday | events_since | Only=actions, By=kai | numbers_cancel
who was the last to touch 0105 | events_since | Only=actions, Query=0105
how many new numbers since the 1st | numbers_find | Query=undefined, BoughtFrom=2026-11-01 | numbers_provision
`;

export const supervisors: readonly Detailed[] = detailedIn(LINES);
