import { type Detailed, detailedIn } from './details.ts';

/*
 * What people who port numbers in and set customers up write: checks before a port, corrections of its order, values of
 * lines, names of routes, and questions of how things go. In the notation of `details.ts`.
 */

const CHECKED = `
dont start the port for 4155550123 yet, just check it | numbers_portin_eligibility | PhoneNumber=+14155550123 | numbers_order_get numbers_portin |
check 3125550188 for port in pls | numbers_portin_eligibility | PhoneNumber=+13125550188 | numbers_order_get |
not starting the port yet, check 3125550188 first | numbers_portin_eligibility | PhoneNumber=+13125550188 | numbers_portin |
run a check on 3125550188 before we port | numbers_portin_eligibility | PhoneNumber=+13125550188 | numbers_portin |
we havent started porting 6465550142, can u check it first | numbers_portin_eligibility | PhoneNumber=+16465550142 | numbers_order_get |
please check the port of 3125550188 | numbers_order_get | OrderId=+13125550188 | numbers_portin_eligibility |
check 3125550188 for port in pls => ok go ahead and port it for ben | numbers_portin | PortInNumber=+13125550188, AssignedSubscriberId=ben | |
is there stock in zip 10001 | numbers_availability | ZipCode=10001 | numbers_diagnose |
mvno numbers near zip 60614 pls | numbers_availability | ZipCode=60614 | | “mvno”
what's the inventory at zip code 10001 | numbers_availability | ZipCode=10001 | |
any port ins stuck or rejected right now? | events_since | Only=orders | | “rejected” and “stuck”
are any ports of globex stuck | events_since | Only=orders, Query=globex | | only “stuck”
did the port for acme go through yet? | events_since | Only=orders, Query=acme | numbers_order_get | by its id
`;

const VALUES = `
we need a voice route, sip trunk to 203.0.113.10 port 5060 udp, name HQ trunk | voice_routes_create | RouteName=HQ trunk, TrunkIp1=203.0.113.10 | |
voice route to 203.0.113.9 named Backup trunk, port 5060 | voice_routes_create | RouteName=Backup trunk, TrunkIp1=203.0.113.9 | voice_routes_get |
new voice route, name: North Office Trunk, ip 203.0.113.9 | voice_routes_create | RouteName=North Office Trunk | |
port in 3125550111, account 4411, name Ava Stone | numbers_portin | SubscriberName=Ava Stone, CurrentAccountNumber=4411 | |
0104 should be mvno, not voip | numbers_update | Classification=MVNO, Query=0104 | | “not voip”
look up ben => what plan is he on => his line should be mvno not voip | numbers_update | Classification=MVNO, Query=ben | numbers_find | “not voip”
0106 needs to be mobile instead of iot | numbers_update | Classification=MVNO, Query=0106 | | “instead of iot”
switch 0104 from voip to mvno | numbers_update | Classification=MVNO, Query=0104 | |
make ben's line mvno | numbers_update | Classification=MVNO, Query=ben, AssignedSubscriberId=undefined | |
turn 0104 into an iot line | numbers_update | Classification=IoT, Query=0104 | |
0104 must be a2p and not p2p | numbers_update | MessageType=a2p, Query=0104 | | “and not p2p”
make ben a manager, not an account admin | subscribers_update | Role=Manager, SubscriberId=ben | | “not an account admin”
need a voip number in chicago (312) for ben | numbers_provision | AreaCode=312, NumberType=voip | |
new line for ben, chicago (312) | numbers_provision | AreaCode=312 | |
new voip line in seattle 206 for ava | numbers_provision | AreaCode=206, NumberType=voip | |
activate sim 8901410321111851072 on 0105 and put caller name J LOPEZ | numbers_update | Iccid=8901410321111851072, CnamFirstName=J, CnamLastName=LOPEZ, Query=0105 | |
give 0105 to ben and set caller name B REED | numbers_update | AssignedSubscriberId=ben, CnamLastName=REED, Query=0105 | |
change 0105: sim 8901410321111851072, caller name J LOPEZ | numbers_update | Iccid=8901410321111851072, CnamLastName=LOPEZ | |
give 0105 to ben and cancel 0104 | help | | numbers_cancel numbers_update | several changes
put in Gloria Diaz gloria@pinewood.example as a subscriber | subscribers_create | Name=Gloria Diaz, Email=gloria@pinewood.example | subscribers_update |
`;

const ASKED = `
can i change the name on a port after it's submitted | help | | numbers_portin | until a port-in is completed
can the zip on a port be changed once submitted | help | | numbers_portin | until a port-in is completed
how do i cancel a port order thats already completed? | help | | numbers_portin_cancel numbers_cancel | cannot be cancelled any more
the port is completed, how do i cancel it | help | | numbers_cancel | cannot be cancelled any more
how do i stop a port that went through already | help | | numbers_cancel | cannot be cancelled any more
how do i cancel a port before it completes | help | | numbers_cancel | You asked about
which features can we give a line? | help | | subscriptions_features_add | FEID-
can we get the number 201 555 0199 specifically? | help | | numbers_lookup numbers_portin numbers_provision | by its area code
can we get 201 555 0199 as a new number | help | | numbers_provision | by its area code
new customer Delta Freight wants 5 lines with sims, where do i start | help | | numbers_update numbers_provision | new account Delta Freight
what's in our package | packages_items_get | | account_packages_get |
whats the price of package PKID-00000000-0000-4000-8000-000000000001 | packages_get | PackageId=PKID-00000000-0000-4000-8000-000000000001 | account_packages_get |
which route do new lines on acme get | account_message_routes_get | AccountId=acme | account_voice_routes_get | its order asks for the message route
`;

const FOLLOWED = `
customer ordered the wrong thing, cancel 0105 => no not the line, just the subscription | subscriptions_delete | SubscriptionId=0105 | numbers_find numbers_cancel | which is withdrawn
cancel 0105 => keep the number, only end the package | subscriptions_delete | SubscriptionId=0105 | numbers_cancel | which is withdrawn
cancel 0104 => the package i meant, not the line | subscriptions_delete | SubscriptionId=0104 | numbers_find numbers_cancel | which is withdrawn
is 6465550142 portable => move it over for ava | numbers_portin | PortInNumber=+16465550142, AssignedSubscriberId=ava | numbers_portin_update |
who has 0110 => assign to ben | numbers_update | AssignedSubscriberId=ben, Query=0110 | |
who has 0110 => assign to ben => no wait, ava | numbers_update | AssignedSubscriberId=ava, Query=0110 | | which is withdrawn
whats 0108 status => transfer to ben | numbers_update | AssignedSubscriberId=ben, Query=0108 | |
where are we with 3125550111 => what account number did we send them? | numbers_order_get | OrderId=+13125550111 | events_since |
where are we with 3125550111 => what account number did we send them? => should be 778812 | numbers_portin_update | CurrentAccountNumber=778812, OrderId=+13125550111 | numbers_find |
where are we with 3125550111 => what account number did we send them? => should be 778812 => and zip 60614 | numbers_portin_update | CurrentAccountNumber=778812, CurrentBillingAddress=60614 | |
where are we with 3125550111 => what account number did we send them? => should be 778812 => actually cancel the whole port | numbers_portin_cancel | OrderId=+13125550111 | numbers_cancel | which is withdrawn
port status 3125550111 => which name did we give? => it should be Ava Stone-Miller | numbers_portin_update | SubscriberName=Ava Stone-Miller | |
look up 0105 => set its caller name to DANA'S CAFE => what is it now? | numbers_find | Query=0105 | numbers_update | Nothing is changed yet
are 4155550130, 4155550131 and 4155550191 portable? => port the first two for acme | numbers_portin | PortInNumber=+14155550130 | | +14155550131
look up 0103, 0104 and 0105 => park the last two | numbers_status | PhoneNumbers=0104+0105 | |
new account Pinewood School, 12 Elm St, Boston MA 02110 => sorry, Pinewood Schools => now add Gloria Diaz gloria@pinewood.example as manager there | subscribers_create | Name=Gloria Diaz, AccountId=Pinewood Schools, Role=Manager | subscribers_update |
new account Bay Dental, 1 Oak St, Boston MA 02110 => now invite Mia Park mia@bay.example as account admin there | subscribers_create | Name=Mia Park, AccountId=Bay Dental | account_create |
`;

export const porting: readonly Detailed[] = [CHECKED, VALUES, ASKED, FOLLOWED].flatMap(detailedIn);
