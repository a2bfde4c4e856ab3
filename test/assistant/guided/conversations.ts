import { type Detailed, detailedIn } from './details.ts';

/*
 * Conversations of people who correct, narrow and ask about what is open. In the notation of `threads.ts`. NOW is Sunday,
 * November 22.
 */

const STEPS = `
how much is the package for acme => raise it by 2 dollars | packages_update | Price=undefined, PackageId=acme | | add 2 USD to the present one
make Starter 2 dollars cheaper | packages_update | Price=undefined, PackageId=Starter | _delete | take 2 USD off the present one
lower the price of Starter by 1.50 | packages_update | Price=undefined, PackageId=Starter | _delete | take 1.5 USD off
raise the price of Starter by 2 dollars to 17 | packages_update | Price=17, PackageId=Starter | | is the new price
increase the cost of product SIM-1 by 2 dollars | products_update | Cost=undefined, ProductId=SIM-1 | | add 2 USD
how much is the package for acme => raise it by 2 dollars => no just to 12 | packages_update | Price=12, PackageId=acme | | withdrawn
raise the price of Starter to 17 dollars => make Starter 1.50 dollars cheaper | help | | packages_delete | from the present price or from 17 USD
how much is the package for acme => raise it by 2 dollars => by 3 | packages_update | Price=undefined, PackageId=acme | | add 3 USD
port 3035550192 => date next friday then => ok too early, monday the 7th | numbers_portin | PortInDate=2026-12-07 | |
park 0103 on friday the 4th | numbers_status | EffectiveDate=12/04/2026, Query=0103 | |
park 0103 wed 2nd | numbers_status | EffectiveDate=12/02/2026, Query=0103 | |
port 3035550192 => date next friday then => ok too early, monday | help | | numbers_portin | the contrary of what it says
limit 0103 to 5 gb => too little, 3 | help | | numbers_data_usage_set | the contrary of what it says
limit 0103 to 5 gb => too little, 8 | numbers_data_usage_set | LimitValue=8192, Query=0103 | |
`;

const SCOPES = `
block 646 555 0147 for ben => also his texts from that number => no not the texts, only calls | help | | _add | “block 646 555 0147 for ben” is as it was
block 646 555 0147 for ben => also his texts from that number => only the calls please | help | | _add | “block 646 555 0147 for ben” is as it was
block calls and texts of 646 555 0147 for ben => not the texts | subscribers_call_filter_blocked_numbers_add | SubscriberId=ben | subscribers_message_filter_blocked_contacts_add |
park 0103 => limit 0103 to 5 gb => no not the hold, only the limit | help | | numbers_data_usage_settings | “limit 0103 to 5 gb” is as it was
cancel 0105 => text ben: call us please => keep the text but not the cancel | help | | message_outbound | “cancel 0105” is taken back
park 0103 => limit 0103 to 5 gb => forget the hold | help | | numbers_status | “park 0103” is taken back
park 0103 => reactivate 0107 => drop the limit | help | | numbers_reactivate | in none of the open offers
park 0103 => limit 0103 to 5 gb => just the first | help | | numbers_status | “limit 0103 to 5 gb” is taken back
park 0103 => limit 0105 to 5 gb => drop the limit, keep the hold | help | | numbers_status | “park 0103” is as it was
`;

const EDITS = `
send a text to 0103: your new sim is in the post => sorry should say "your new sim is in the post and arrives wednesday" | message_outbound | Body=your new sim is in the post and arrives wednesday, Query=0103 | events_since | withdrawn
send a text to 0103: your new sim is in the post => text: "it comes today" | message_outbound | Body=it comes today, Query=0103 | events_since | withdrawn
send a text to 0103: your new sim is in the post => and from 0101 not from 0103 | message_outbound | From=0101, Body=your new sim is in the post | numbers_find | withdrawn
send a text to 0103: your new sim is in the post => hm ben should get it as well | message_outbound | Body=your new sim is in the post, Query=ben | |
park 0103 => 0105 needs it too | numbers_status | StatusChange=park, Query=0105 | numbers_lookup |
where do acmes texts go => change the url to https://sms.acme.example/in => and use PUT | message_routes_update | MessageUrlMethod=PUT, MessageUrl=https://sms.acme.example/in, MessageRouteId=acme | numbers_update | POST and GET are documented
where do acmes texts go => change the url to https://sms.acme.example/in => with method get please | message_routes_update | MessageUrlMethod=GET, MessageUrl=https://sms.acme.example/in | numbers_update |
which webhooks are there => add one for order updates to https://hooks.acme.example/orders => xml format please | webhook_create | DataFormat=xml, SubscribedEvents=Order_Update | |
need a new number in 312, full line => for ava on the main routes => make it two | help | | numbers_find | one number at a time, and not two
need a new number in 312, full line => no one is enough | help | | numbers_find | is as it was
what filters does ben have => set his texts to teenager => hm he is 9, child | subscribers_message_filter_update | FilterMode=CHILD, SubscriberId=ben | numbers_find |
rename 0105 to "Reception" => lower case please, reception | numbers_update | CnamFirstName=reception, Query=0105 | | withdrawn
rename 0105 to "Reception" => all caps please | numbers_update | CnamFirstName=RECEPTION, Query=0105 | | withdrawn
0103 0105 and 0106: limit 10gb, throttle at 8 => 256 kbps => without 0106 => and ben's line with 3 gb | numbers_data_usage_set | LimitValue=3072, Query=ben | numbers_find |
0103 and 0105: limit 10gb => and 0102 with 3 gb | numbers_data_usage_set | LimitValue=3072, Query=0102 | numbers_find |
which webhooks are there => add one for order updates to https://hooks.acme.example/orders => texts too => basic auth user acme | webhook_create | AuthenticationType=Basic, AuthenticationUsername=acme | | still needed: Authentication password
which webhooks are there => add one for order updates to https://hooks.acme.example/orders => basic auth, user name is hooks-bot please | webhook_create | AuthenticationUsername=hooks-bot | | still needed: Authentication password
`;

const ASKED = `
where is the port of 3125550111 => account nr was wrong, its 77812 => when will it be done | numbers_order_get | OrderId=+13125550111 | numbers_portin_update | was offered before is as it was
port in 3125550111 for ava => when will it be done | help | | numbers_order_get | Port a number in
where do acmes texts go => change the url to https://sms.acme.example/in => what was it before | message_routes_get | MessageRouteId=acme | numbers_find | Message URL
what filters does ben have => set his texts to teenager => what is on now | subscribers_call_filter_get | SubscriberId=ben | | Nothing is changed yet
how much is Starter => raise it by 2 dollars => what was it before | account_packages_get | | | Nothing is changed yet
rename 0105 to "Reception" => what was it before | numbers_find/numbers_lookup | Query=0105 | | Caller first name
`;

const PEOPLE = `
is 0104 bens => ah so which one is his | numbers_find | Query=ben | |
does 0104 belong to ben => his usage? | numbers_data_usage_info | Query=ben | |
is 0104 bens => ah so which one is his => turn off his voicemail => then forward his calls to 201 555 0104 | numbers_find | Query=ben | voice_routes_update | which other lines may use too
find 0104 => forward his calls to 201 555 0199 | numbers_find/numbers_lookup | Query=0104 | voice_routes_update | which other lines may use too
`;

const OPEN_SUBJECTS = `
customer lost his phone, 0102. sim swap? => new one is 89014103211118510720 | numbers_update | Iccid=89014103211118510720, Query=0102 | numbers_get |
which sim does 0104 have => new card 89014103211118510720 | numbers_update | Iccid=89014103211118510720, Query=0104 | numbers_get |
customer lost his phone, 0102. sim swap? => new one is 89014103211118510720 => oh its voip, leave it | help | | numbers_find | is taken back
find 0102 => oh its voip, leave it | help | | numbers_find | Nothing was asked for
0103 wants to leave, needs the pin => sorry 0101 => is there anything open on that line? => ok then set it to 483920 | help | | numbers_update | A PIN is a secret
`;

export const conversations: readonly Detailed[] = [STEPS, SCOPES, EDITS, ASKED, PEOPLE, OPEN_SUBJECTS].flatMap(
  detailedIn,
);
