import { type Detailed, detailedIn } from './details.ts';

/*
 * Reads with conditions, totals of a customer, changes of all lines of a customer, and entries that are added to a list. In
 * the notation of `details.ts`.
 */

/** What is read is narrowed by what is said. */
const READS = `
show me the texts of 0103 from yesterday | message_search_get | Query=0103 | message_outbound | only “yesterday”
did the message to ben go thru last night | events_since | Query=ben | message_outbound | messages below
find texts with the word invoice sent to 0102 this week | message_search_get | Query=0102 | message_outbound | “invoice”
what texts did 0103 send last week | message_search_get | Query=0103 | message_outbound | only “last week” and “sent”
texts 0101 received today | message_search_get | Query=0101 | message_outbound | only “today” and “received”
show me 0103's texts that mention refund since monday | message_search_get | Query=0103 | message_outbound | only “since monday” and “refund”
search the messages of ava for the word pin | message_search_get | Query=ava | message_outbound | “pin”
what did ana ask for yesterday | events_since | By=ana, Only=actions | numbers_find | on 2026-11-21
what has lee asked for this week | events_since | By=lee | numbers_find
any approvals open longer than 2 hours | events_since | | | only “longer than 2 hours”
requests waiting for more than a day | events_since | | | only “for more than a day”
which requests are older than three days | events_since | | | only “older than three days”
who changed the main sms route this week | events_since | Only=actions | message_routes_update | only “main sms”
who touched globex inbound route yesterday | events_since | Only=actions | message_routes_update | only “globex inbound”
acme lines with no voice route | numbers_find | Query=acme, Route=no voice route | numbers_update voice_routes_update | no voice route
which acme lines have no message route | numbers_find | Query=acme, Route=no message route | numbers_update
globex lines without a plan | numbers_find | Query=globex, Plan=none | subscriptions_create
ava's lines that used more than 10 mb | numbers_find | Query=ava, UsedFrom=10 | numbers_data_usage_set
which acme lines have used at least 15 mb of data | numbers_find | Query=acme, UsedFrom=15 | numbers_data_usage_set
acme customers who burned more than 1 gb | numbers_find | Query=acme, UsedFrom=1024 | numbers_data_usage_set
ava's lines with 10 mb or more | numbers_find | Query=ava, UsedFrom=10 | numbers_data_usage_set
numbers of acme missing a route | numbers_find | Query=acme, Route=none | numbers_update
which cancelled numbers get deleted this week | numbers_find | Status=Cancelled - Pending Delete | numbers_cancel | not narrowed to “this week”
whats the monthly price of starter | account_packages_get | | packages_update | “starter”
all esims and sims of acme | numbers_find | Query=acme | numbers_update numbers_status | card of a line has its SIM
acme's sims | numbers_find | Query=acme | numbers_update numbers_status
`;

const TOTALS = `
total data usage of acme this month | numbers_find | Query=acme, CountBy=Customer, Data=true | numbers_data_usage_set | added up
what is globex's combined data usage | numbers_find | Query=globex, CountBy=Customer | numbers_data_usage_set | added up
how much data have acme's lines used together | numbers_find | Query=acme, CountBy=Customer | | added up
total data of all active acme lines | numbers_find | Query=acme, CountBy=Customer, Status=Active | | added up
how many sms did acme send today | message_search_get | Query=acme | message_outbound | only “today” and “sent”
number of texts acme got yesterday | message_search_get | Query=acme | message_outbound | only “yesterday” and “received”
`;

/** Changes of the lines of a customer, and of the entries of a list. */
const CHANGES = `
suspend all of ava's lines | numbers_status | StatusChange=park | numbers_cancel | found by “ava”
put all of acme's lines on hold | numbers_status | StatusChange=park | numbers_cancel | found by “acme”
put all acme lines that used more than 10 mb on hold | numbers_status | StatusChange=park | numbers_cancel | MB used from 10
set all acme lines over 10 mb to 3 gb | numbers_data_usage_set | LimitValue=3072 | | MB used from 10
cancel all acme lines without a plan | numbers_find | Query=acme, Plan=none | numbers_cancel | stands for none
whitelist 198.51.100.7 on the sip trunk | voice_routes_update | IpWhitelist=198.51.100.7 | _add _remove | added to the present entries
also let 198.51.100.9 in on the main sip trunk | voice_routes_update | IpWhitelist=198.51.100.9, TrunkIp1=undefined | _add | added to the present entries
remove 192.0.2.10 from the whitelist of the sip trunk | voice_routes_update | IpWhitelist=undefined | voice_routes_delete | taken off the present entries
replace 192.0.2.10 with 192.0.2.20 on the whitelist of main sip trunk | voice_routes_update | IpWhitelist=192.0.2.20 | | 192.0.2.10 is taken off
only allow 198.51.100.7 on the main sip trunk | voice_routes_update | IpWhitelist=198.51.100.7 | _add | replaced as a whole
`;

export const readConditions: readonly Detailed[] = [
  ...detailedIn(READS),
  ...detailedIn(TOTALS),
  ...detailedIn(CHANGES),
];
