import { type Detailed, detailedIn } from './details.ts';

/*
 * An account as the scope or the value of what is asked, parts of a record, and records that a sentence names. In the
 * notation of `details.ts`.
 */

const ROUTES = `
disable trunk 2 on the main sip trunk | voice_routes_update | CallRouteId=main sip trunk, TrunkEnabled2=false, RouteEnabled=undefined, RouteType=undefined | | trunk 2: off
turn 1 off and leave 2 on the main sip trunk | voice_routes_update | TrunkEnabled1=false, TrunkEnabled2=undefined, RouteEnabled=undefined | | trunk 2 stays
switch off the spare trunk on main sip trunk | voice_routes_update | TrunkEnabled2=false, RouteEnabled=undefined | |
turn trunk 1 back on for Main SIP trunk | voice_routes_update | CallRouteId=Main SIP trunk, TrunkEnabled1=true | numbers_reactivate |
please disable the secondary trunk of acme | voice_routes_update | CallRouteId=acme, TrunkEnabled2=false, RouteEnabled=undefined | |
disable the main sip trunk | voice_routes_update | CallRouteId=main sip trunk, RouteEnabled=false, TrunkEnabled1=undefined, RouteType=undefined | |
change the ip of trunk 2 on main sip trunk to 198.51.100.9 | voice_routes_update | TrunkIp1=undefined, TrunkIp2=198.51.100.9 | |
is trunk 1 enabled on the main sip trunk | voice_routes_get | CallRouteID=main sip trunk | voice_routes_update |
new sip trunk for globex, primary 198.51.100.7 backup 198.51.100.8 port 5060 udp | voice_routes_create | AccountId=globex, RouteType=Trunk, TrunkIp1=198.51.100.7, TrunkIp2=198.51.100.8, TrunkPort1=5060, TrunkTransport1=UDP | |
add voice route for globex, forward to +12125550188 | voice_routes_create | AccountId=globex, RouteType=Forward, TransferCallerId=+12125550188 | |
calls for acme should forward to +12015550102, set up a voice route for that | voice_routes_create | AccountId=acme, TransferCallerId=+12015550102 | |
make a new sms route for globex, messages should go to https://sms.globex.example/in | message_routes_create | AccountId=globex, MessageUrl=https://sms.globex.example/in | |
sms to acme numbers not reaching our endpoint since 6am, whats the route pointing to | account_message_routes_get | AccountId=acme | message_outbound |
whats the sms route of acme pointing to => ok point it to https://sms-backup.acme.example/in | message_routes_update | MessageRouteId=acme, MessageUrl=https://sms-backup.acme.example/in | message_outbound |
send 0104 a text => switch that to https://sms-backup.acme.example/in | help/numbers_update/message_routes_update | Body=undefined | message_outbound |
turn off the voice route for acme | voice_routes_update | CallRouteId=acme, RouteEnabled=false | |
kill the old webhook on globex | webhook_delete | WebhookId=globex | |
is anything listening for order updates on acme | account_webhooks_get | AccountId=acme | numbers_order_get |
show acmes webhooks for order updates | account_webhooks_get | AccountId=acme | numbers_order_get |
is anything listening for order updates on acme => add one for Order_Update and New_Sms to https://hooks.acme.example/sb | webhook_create | AccountId=acme, WebhookUrl=https://hooks.acme.example/sb | |
`;

const SCOPES = `
top data users acme please | numbers_find | Query=acme, Sort=Used | |
top data users on globex | numbers_find | Query=globex, Plan=undefined | |
how many active lines does acme have vs globex | numbers_find | Query=undefined, Status=Active, CountBy=Account | | acme and globex
how many lines do blue ridge and acme have | numbers_find | CountBy=Account | | blue ridge and acme
which lines at acme have no data limit | numbers_find | Query=acme, Data=true | | none is left out
set a 10 gb cap on all lines on the Globex account | numbers_data_usage_set | LimitValue=10240 | | lines found by “Globex”
acmes billing adress moved to 12 Dock Rd, Newark NJ 07102 | account_update | AccountId=acme, BillingAddress=12 Dock Rd+Newark+NJ+07102 | |
globex moved, new billing address 77 Elm Ave, Newark NJ 07102 | account_update | AccountId=globex, BillingAddress=77 Elm Ave+Newark+NJ+07102 | |
fyi the mailing address for Globex Family is now 5 Oak St, Newark NJ 07102 | account_update | AccountId=Globex Family, MailingAddress=5 Oak St+Newark+NJ+07102, BillingAddress=undefined | |
whats the billing address we have for acme | account_get | AccountId=acme | account_update |
change the billing email of Globex Family to ap@globex.example | numbers_find | | subscribers_update | cannot be changed here
close the globex account | numbers_find | | numbers_cancel | no way to close
remove ben from globex | numbers_find | | numbers_cancel | cannot be removed from an account
`;

const CREATIONS = `
add dana whitlock to acme, dana@acme.example, just a regular user | subscribers_create | Name=dana whitlock, AccountId=acme, Role=Subscriber | |
new manager for acme, Tom Ray, tom@acme.example | subscribers_create | Name=Tom Ray, AccountId=acme, Role=Manager | |
new child on globex family: Leo Reed, leo@globex.example | subscribers_create | Name=Leo Reed, AccountId=globex family | |
put Mia Torres in as the manager at acme, mia@harborcoffee.com | subscribers_create | Name=Mia Torres, AccountId=acme, Role=Manager | subscribers_update |
find the customer priya natarajan => ok then create her, priya@globex.example, under globex | subscribers_create | Name=priya natarajan, AccountId=globex | |
new customer today: Harbor Coffee LLC, contact mia@harborcoffee.com, 12 Pier St, Portland OR 97209 | account_create | AccountName=Harbor Coffee LLC, AccountAdmin=mia@harborcoffee.com | subscribers_create |
new customer today: Harbor Coffee LLC, contact mia@harborcoffee.com => and put Mia Torres in as the manager there, same mail | subscribers_create | Name=Mia Torres, Role=Manager, AccountId=Harbor Coffee LLC, Email=mia@harborcoffee.com | subscribers_update |
onboard Blue Ridge Inc, admin tom@blueridge.example | account_create | AccountName=Blue Ridge Inc, AccountAdmin=tom@blueridge.example | subscribers_create |
start port in for 3125550144 to acme, carrier t-mobile | numbers_portin | PortInNumber=+13125550144, AssignedSubscriberId=acme | |
port 3125550144 to acme for ava stone | numbers_portin | AssignedSubscriberId=ava stone, AccountId=acme | |
`;

const PACKAGES = `
add the 5 GB of data product to starter for 4.50 | packages_items_add | PackageId=starter, ProductId=5 GB of data, Price=4.5, Type=undefined | |
change the cost of DATA-05 to 2.10 | products_update | ProductId=DATA-05, Cost=2.1 | |
wholesale cost on DATA-05 goes up to 2.10 from dec | products_update | ProductId=DATA-05, Cost=2.1 | | cannot be scheduled
the price of SMS-500 goes down to 3.25 | products_update | ProductId=SMS-500, Cost=3.25 | |
create a package Family 20, 20 dollars monthly, with the esim product | packages_create | PackageName=Family 20, Price=20, Monthly=true, Type=undefined | | esim
take the data add-on off the starter package | packages_items_delete | PackageId=starter, PackageItemId=data | packages_delete
what does the starter package cost and whats in it | account_packages_get | | |
ava's 0104 has no plan yet, put it on the starter package | subscriptions_create | PackageId=starter, Query=0104 | packages_update |
0103 lost its bundle, can you put it on the family plan | subscriptions_create | PackageId=family | packages_update |
how many people are on starter => move Ben to it | subscriptions_create | PackageId=starter | numbers_update |
what package is 0103 on => what else do we have | account_packages_get | | account_products_get |
ben reed got married now ben cole | subscribers_update | SubscriberId=ben reed, Name=ben cole | subscriptions_update |
change ben reeds name to ben cole | subscribers_update | SubscriberId=ben reed, Name=ben cole | |
remove all guardian stuff from ava | subscribers_guardian_features_set | SubscriberId=ava, EnableIntelligentGuardianCalls=false | |
swap the lines of ava 0101 and ben 0102 | numbers_find | | numbers_update | two changes
`;

export const accounts: readonly Detailed[] = [ROUTES, SCOPES, CREATIONS, PACKAGES].flatMap(detailedIn);

/** Questions about what a name has, and the read that is meant if the name is one of an account. */
export const ofAccounts: readonly { says: string; operation?: string; name?: string }[] = [
  { says: 'what voice routes has globex got', operation: 'account_voice_routes_get', name: 'globex' },
  { says: 'message routes of globex', operation: 'account_message_routes_get', name: 'globex' },
  { says: 'is the acme voice trunk up?', operation: 'voice_routes_get', name: 'acme' },
  { says: 'whats the sms route of acme pointing to', operation: 'message_routes_get', name: 'acme' },
  { says: 'which plans does acme have to sell', operation: 'account_packages_get', name: 'acme' },
  { says: 'globex moved to 12 Elm St, Provo, UT 84601', operation: 'account_update', name: 'globex' },
  { says: 'acme has moved to 500 Oak Ave, Denver CO 80202', operation: 'account_update', name: 'acme' },
  { says: 'ava moved to a new place' },
  { says: 'what plan is ava on' },
  { says: 'find ben' },
];
