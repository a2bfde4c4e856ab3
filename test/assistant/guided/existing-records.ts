import { type Detailed, detailedIn } from './details.ts';

/*
 * Orders about records that exist, with the part, the name or the list that they are about, and questions about them. In the
 * notation of `details.ts`.
 */

const LINES = `
primary trunk ip on the acme voice route needs to be 203.0.113.40 | voice_routes_update | TrunkIp1=203.0.113.40, CallRouteId=acme voice route | voice_routes_create | “primary” is trunk 1
add failover on the main sip trunk: 203.0.113.41 port 5062 over tcp | voice_routes_update | CallRouteId=main sip trunk, TrunkIp1=undefined, TrunkIp2=203.0.113.41, TrunkPort2=5062, TrunkTransport2=TCP, TrunkTransport1=undefined | voice_routes_create | trunk 2
the spare address of the main sip trunk should be 203.0.113.9 over tls | voice_routes_update | TrunkIp2=203.0.113.9, TrunkTransport2=TLS | voice_routes_create
make 203.0.113.9 the primary on globex's trunk | voice_routes_update | CallRouteId=globex, TrunkIp1=203.0.113.9 | voice_routes_create
secondary ip 203.0.113.9 for the acme voice route | voice_routes_update | TrunkIp2=203.0.113.9 | voice_routes_create
set trunk 2 of the main sip trunk to 198.51.100.7 udp port 5060 | voice_routes_update | CallRouteId=main sip trunk, TrunkIp2=198.51.100.7, TrunkPort2=5060, TrunkTransport2=UDP | voice_routes_create
create a sip trunk called Spare for globex with ip 203.0.113.9 | voice_routes_create | RouteName=Spare, TrunkIp1=203.0.113.9, AccountId=globex | voice_routes_update
allow 198.51.100.0/24 on the trunk whitelist | voice_routes_update | IpWhitelist=198.51.100.0/24 | _add | added to the present
whitelist 203.0.113.7 and 203.0.113.8 on main sip trunk | voice_routes_update | CallRouteId=main sip trunk, IpWhitelist=203.0.113.7+203.0.113.8 | _add
swich intelligent routing on for acmes sms route | message_routes_update | MessageRouteId=acme, IntelligentRouteEnabled=true | message_routes_get
enable symmetric rtp on the acme trunk | voice_routes_update | SymmetricRtp=true | voice_routes_create
forward calls for 0104 to a new voice route called Nightdesk, forward type | voice_routes_create | RouteName=Nightdesk, RouteType=Forward | voice_routes_get | not taken: 0104
need a new sms route for globex called Globex backup, deliver to https://globex.example/backup | message_routes_create | RouteName=Globex backup, AccountId=globex | message_routes_update
make a message route for Globex called globex-inbound, post to https://g.example/in | message_routes_create | RouteName=globex-inbound, CallbackMessageUrlMethod=undefined | message_routes_update
change the sms route password, it leaked | message_routes_update | MessageRouteId=listedonly | message_routes_create
new package "Family 20" 20 usd monthly with product 2 in it for 5 | packages_create | PackageName=Family 20, Price=20, Monthly=true | packages_items_add | chosen in the form
build a plan called Night Owl at 12 a month | packages_create | PackageName=Night Owl, Price=12 | packages_update
get rid of the product thats in no package | products_delete | | packages_items_delete | is not looked up
delete the products not in any package | products_delete | | packages_items_delete
new product: ROAM-EU-5, eu roaming 5 gb, type data, costs us 6.50 a month | products_create | SKU=ROAM-EU-5, Description=eu roaming 5 gb, Cost=6.5 | packages_create
put the acme package up to 24.99 | packages_update | PackageId=acme, Price=24.99 | packages_create
bring the starter plan down to 9 a month | packages_update | PackageId=starter, Price=9 | packages_create
raise Starter to 18.50 a month | packages_update | PackageId=Starter, Price=18.5 | packages_create
add the 5gb thing to the starter package for 4.50 | packages_items_add | PackageId=starter, Price=4.5 | packages_update
whos subscribed to which package at acme | account_subscriptions_get | | packages_update
how close are we to the rate limit | help | | numbers_cancel | 120 requests
can ana approve a cancellation on her own | help | | numbers_cancel | “ana” may do it only as an approver
accounts? | distributor_accounts_get | |
our webhooks | account_webhooks_get | |
call the globex account Globex Home from now on | account_update | AccountId=globex, AccountName=Globex Home | numbers_find
the acme account should be called Acme Wireless | account_update | AccountId=acme, AccountName=Acme Wireless |
whats still running right now? any batches | help | | numbers_status | A batch shows its progress
pause everything ana started | help | | numbers_status | “Pause” on its card
what can be undone and what not | help | | numbers_status | Withdraw
which changes are reversible here | help | | numbers_status | Withdraw
where do incoming texts for acme get delivered | numbers_find | Query=acme | message_routes_update
`;

export const existing: readonly Detailed[] = detailedIn(LINES);

/** Questions of fields of a record, with the fields that surfaces say first. */
export const valuesAsked: readonly (readonly [says: string, names: readonly string[]])[] = [
  ['whats the callback url on the sms route', ['CallbackMessageUrl']],
  ['what ip is trunk 2 on the acme voice route', ['TrunkIp2']],
  ['is trunk 1 enabled on the main sip trunk', ['TrunkEnabled1']],
  ['whos manager at acme', ['Role']],
  ['what events does the acme webhook send', ['SubscribedEvents']],
  ['what is the message password of the sms route', ['MessagePasswordToken']],
  ['what role does ava have', ['Role']],
  ['is sip refer on for the acme voice route', ['EnableSipRefer']],
  ['what url does the globex sms route post to', ['MessageUrl']],
  ['which routes does acme have', []],
];
