import { type Detailed, detailedIn } from './details.ts';

/*
 * Orders and questions of a supervisor about routes, accounts, roles and the platform: an order is never answered with the
 * record alone, and what nothing here does is said. In the notation of `details.ts`.
 */

const LINES = `
swap trunk priorities on the acme voice route, backup first | voice_routes_update | CallRouteId=acme voice route | voice_routes_get | “swap”
lower the weight of trunk 2 on main sip trunk | voice_routes_update | CallRouteId=main sip trunk | | “lower”
flip the order of the trunks on main sip trunk | voice_routes_update | CallRouteId=main sip trunk |
swap the two members in the front desk workgroup | workgroups_update | |
record calls in the front desk workgroup | workgroups_update | | subscribers_call_filter_update
show the main sip trunk | voice_routes_get | | voice_routes_update
our trunk ip whitelist needs 203.0.113.9 too, dont drop the others | voice_routes_update | IpWhitelist=203.0.113.9 | subscribers_call_filter_update | added to the present
trunk whitelist: allow 198.51.100.9 as well, keep the rest | voice_routes_update | IpWhitelist=198.51.100.9 |
new api password for the message route webhook, i have it here | message_routes_update | | account_webhooks_get webhook_create | into the form
reset the token on the acme sms route | message_routes_update | |
new product sku DATA-10 10gb data 4 dollars monthly | products_create | SKU=DATA-10, Cost=4, Type=data | products_update
another product, sku VOICE-2, voice minutes, 1.20 a month | products_create | SKU=VOICE-2, Cost=1.2 | products_update
change product DATA-10 to 4 dollars monthly | products_update | | products_create
approve ana's port request | numbers_find | | numbers_portin | Words decide nothing
decline the port request of ben | numbers_find | | numbers_portin_cancel | Words decide nothing
put back the old limit on 0101 | numbers_find | Query=0101 | numbers_data_usage_set | puts a value back
restore the previous limit on 0101 | numbers_find | Query=0101 | numbers_data_usage_set numbers_reactivate | puts a value back
restore the old number 0107 | numbers_reactivate | Query=0107 |
recrod all calls on acme route | help | | subscribers_call_filter_update | records calls
tape every call on main sip trunk | help | | voice_routes_delete | records calls
record calls on 0101 | subscribers_call_filter_update | RecordFlaggedCalls=true |
show acmes features | numbers_find | Query=acme | subscriptions_features_add | No list says which features
which features exist on acme | help | | | No list says which features
add a feature called roaming | subscriptions_features_add | FeatureName=roaming |
whats the rate limit, are we close to it | help | | numbers_data_usage_set | is not shown in a conversation
take roaming away from 0103 | numbers_find | Query=0103 | _delete | FAID
acme mobile renamed to Acme Wireless, can u update | account_update | AccountId=acme mobile, AccountName=Acme Wireless | subscribers_update
globex rebranded to Globex Home, please update our records | account_update | AccountId=globex, AccountName=Globex Home |
change the acct admin of globex to billing@globex.example | numbers_find | | subscribers_update | cannot be changed here
change ben's role to account admin | subscribers_update | Role=Account Admin |
how many numbers are in stock | numbers_inventory_get | | numbers_diagnose
numbers in stock? | numbers_inventory_get | |
turn off the voice route for tonight, maintenance | voice_routes_update | RouteEnabled=false, CallRouteId=listedonly |
who has admin rights at acme mobile | distributor_subscribers_get | | subscribers_update | only “Account Admin” and “acme mobile”
who is account manager of initech | distributor_subscribers_get | | subscribers_update | “initech”
which subscribers are managers at globex | distributor_subscribers_get | | | only “Manager” and “globex”
who has admin access to the bot | help | | |
where do acmes inbound texts go | numbers_find | Query=acme |
where do calls for globex land | numbers_find | Query=globex |
is something broken? customers say texts dont arrive at acme | distributor_accounts_get | | message_outbound | Where texts go
any outages today? | distributor_accounts_get | |
is anything wrong with ben | numbers_diagnose | Query=ben |
make a list of all cancelled numbers and when they get deleted | numbers_find | Status=Cancelled - Pending Delete | numbers_cancel | until when
pull together an overview of parked lines at acme | numbers_find | Query=acme, Status=Parked |
block texting on all globex lines | numbers_update | MessageEnabled=false | subscribers_message_filter_blocked_contacts_add
disable calling for 0103 | numbers_update | VoiceEnabled=false | numbers_status
block texting from +13125550199 for ben | subscribers_message_filter_blocked_contacts_add | |
`;

export const onCall: readonly Detailed[] = detailedIn(LINES);
