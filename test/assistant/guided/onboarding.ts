import { type Detailed, detailedIn } from './details.ts';

/*
 * Conversations of people who port numbers in and set new customers up: corrections of what is offered, values for a form
 * that is open, and acts that are refused. In the notation of `details.ts`; messages stand before " => ".
 */

const REFUSED = `
dont cancel the port for 3125550111, she changed her mind again | help | | numbers_lookup numbers_portin numbers_portin_cancel | You said not to
do not stop the port-in of 3125550111 | help | | numbers_lookup numbers_portin_cancel | The port-in order is as it was
please never cancel 3125550111's port | help | | numbers_lookup numbers_portin_cancel | Nothing was done
cancel caller name change | help | | numbers_update | A request that still waits
stop the role change | help | | subscribers_update | A request that still waits
cancel the address correction | help | | account_update | A request that still waits
pls stop the port of 3125550111 customer stays with old carrier | numbers_portin_cancel | OrderId=+13125550111 | numbers_order_get |
put a stop to the port of JNUOID-00000000-0000-4000-8000-000000000001 | numbers_portin_cancel | | numbers_portin_update |
put an end to the port of 3125550111 | numbers_portin_cancel | OrderId=+13125550111 | numbers_portin_update |
no texting on 0104 until the papers are signed | numbers_update | MessageEnabled=false, Query=0104 | message_search_get | until the papers are signed
no calls on 0103 while she is abroad | numbers_update | VoiceEnabled=false, Query=0103 | | while she is abroad
`;

const MADE = `
need an iot data only line for acme, area code 201 | numbers_provision | NumberType=iot, ProductType=data-only, AreaCode=201 | numbers_data_usage_set |
we need a mobile sms only number for ben in 312 | numbers_provision | ProductType=sms-only, AreaCode=312 | |
need voice for 0106, it has none. hook it to the main trunk | numbers_update | VoiceRouteId=main trunk, Query=0106 | account_webhooks_get |
voice route for Acme, sip trunk 203.0.113.10 port 5060 udp, call it HQ trunk | voice_routes_create | TrunkIp1=203.0.113.10, RouteName=HQ trunk | numbers_find |
message route for Acme to https://x.example/in, call it Front | message_routes_create | RouteName=Front, MessageUrl=https://x.example/in | numbers_find |
any free numbers in 415 for voip? | numbers_availability | AreaCode=415 | | “voip”
available iot numbers in 312 | numbers_availability | AreaCode=312 | | not split
free voip numbers in 201 => and in 646? => take one of those for acme | numbers_provision | NumberType=voip, AreaCode=646 | |
`;

const CORRECTED = `
new account Harbor Cafe, admin joe@harbor.example, billing address is 5 Pier Rd, Boston MA 02110 => no wait, zip is 02210 | account_create | BillingAddress=5 Pier Rd+Boston+MA+02210 | account_update | withdrawn
new account Harbor Cafe, admin joe@harbor.example, billing address is 5 Pier Rd, Boston MA 02110, mailing is the same => no wait, zip is 02210 | account_create | MailingAddress=5 Pier Rd+Boston+MA+02210 | account_update |
new account Harbor Cafe, admin joe@harbor.example, billing address 9 Oak Ave, Salem OR 97301 => street is 11 Oak Ave, sorry | account_create | BillingAddress=11 Oak Ave+Salem+OR+97301 | account_update |
new account Harbor Cafe, admin joe@harbor.example, billing address 9 Oak Ave, Salem OR 97301 => sorry, 11 Oak Ave | account_create | BillingAddress=11 Oak Ave+Salem+OR+97301 | account_update |
new account Harbor Cafe, admin joe@harbor.example, billing address 9 Oak Ave, Salem OR 97301 => the house number is 11 | account_create | BillingAddress=11 Oak Ave+Salem+OR+97301 | account_update |
new account Harbor Cafe, admin joe@harbor.example, billing address 9 Oak Ave, Salem OR 97301 => wrong city, it's Eugene | account_create | BillingAddress=9 Oak Ave+Eugene+OR+97301, AccountName=Harbor Cafe | account_update |
port in 3125550111 from T-Mobile for Ava Stone, address 5 Oak St, Chicago IL 60601 => zip on the port of 3125550111 is 60614 | numbers_portin | CurrentBillingAddress=5 Oak St+Chicago+IL+60614 | numbers_portin_update |
port in 3125550111 from T-Mobile for Ava Stone => the account number on the port of 3125550111 is 445566 | numbers_portin | CurrentAccountNumber=445566 | numbers_portin_update | id of the order
is 3125550133 portable => ok start the port for ava => her old carrier is t-mobile, account 7781, pin 1234 => sorry pin is 4321 | numbers_portin | PortInNumber=+13125550133, CurrentAccountNumber=7781 | numbers_portin_update | the PIN
port in 3125550190 for ava => change the zip of JNUOID-00000000-0000-4000-8000-000000000001 to 60614 | numbers_portin_update | CurrentBillingAddress=60614 | numbers_portin |
port in 3125550190 for ava => status? => whats missing? | help | | events_since | Still needed
new subscriber for globex: Tom Birch, tom@globex.example => make him account admin | subscribers_create | Role=Account Admin, Name=Tom Birch | subscribers_update |
new subscriber for globex: Tom Birch, tom@globex.example => give him the manager role | subscribers_create | Role=Manager, Name=Tom Birch | subscribers_update |
new subscriber for globex: Tom Birch, tom@globex.example => make him account admin => no thats wrong, just subscriber | subscribers_create | Role=Subscriber, Name=Tom Birch | | withdrawn
new subscriber for globex: Tom Birch, tom@globex.example => make him account admin => nope, wrong. manager | subscribers_create | Role=Manager | | withdrawn
`;

const MEANT = `
message routes => use that one for 0105 | numbers_update | MessageRouteId=listedonly message route, Query=0105 | account_message_routes_get |
message routes of acme => use that one for 0105 | numbers_update | Query=0105 | account_message_routes_get | If acme has a list of its own
who is 0110 assigned to => give it to ava then => and set caller name A STONE on it | numbers_update | CnamFirstName=A, CnamLastName=STONE, Query=0110 | |
look up ava stone => which lines does she have => is there a package on it? | numbers_find | Query=ava, Full=true | account_packages_get | “it” is read as
reactivate 0107 for ava => has lee said yes yet? => and now, is she live again? | numbers_find | Query=0107 | |
port status 13125550111 => can it still be cancelled? | numbers_order_get | OrderId=+13125550111 | numbers_lookup numbers_portin | until it is completed
order JNUOID-00000000-0000-4000-8000-000000000001 where are we => can it still be stopped? | numbers_order_get | | | until it is completed
status of order JNUOID-00000000-0000-4000-8000-000000000009 => sorry i mean the one for 13125550111 | numbers_order_get | OrderId=+13125550111 | numbers_lookup |
status of order JNUOID-00000000-0000-4000-8000-000000000009 => sorry i mean the one for 13125550111 => set the date to dec 18 | numbers_portin_update | OrderId=+13125550111, PortInDate=2026-12-18 | |
status of order JNUOID-00000000-0000-4000-8000-000000000009 => sorry i mean the one for 13125550111 => set the date to dec 18 => and the authorized name is Carol Finch | numbers_portin_update | SubscriberName=Carol Finch, PortInDate=2026-12-18 | |
pls stop the port of 3125550111 customer stays with old carrier => JNUOID-00000000-0000-4000-8000-000000000001 | numbers_portin_cancel | OrderId=JNUOID-00000000-0000-4000-8000-000000000001 | numbers_order_get |
`;

export const onboarding: readonly Detailed[] = [REFUSED, MADE, CORRECTED, MEANT].flatMap(detailedIn);
