import { type Detailed, detailedIn } from './details.ts';

/*
 * Orders for a line or a person that name a package, a product or a route, and what else people in porting and plans write.
 * In the notation of `details.ts`.
 */

const OF_LINES = `
the port of 5550111 is done, put her on the starter package | subscriptions_create | PackageId=starter, Query=5550111 | packages_update packages_delete
put her on the starter package | subscriptions_create | PackageId=starter, SubscriberId=undefined | packages_update packages_delete | which line “her” is
the new line is live, give it the starter plan | subscriptions_create | PackageId=starter | packages_update packages_delete | which line “it” is
put this customer on the starter plan | subscriptions_create | PackageId=starter, SubscriberId=undefined | packages_update
take him off the starter package | subscriptions_delete | SubscriptionId=undefined | packages_delete packages_update | which line “him” is
remove 5550111 from the starter package | subscriptions_delete | SubscriptionId=5550111 | packages_delete
delete her plan | subscriptions_delete | SubscriptionId=undefined | packages_delete
drop the customer's package | subscriptions_delete | SubscriptionId=undefined | packages_delete
delete ben's package | subscriptions_delete | SubscriptionId=ben | packages_delete
ben quit, delete his plan | subscriptions_delete | SubscriptionId=ben | packages_delete
ava is ready, put her on the starter package | subscriptions_create | PackageId=starter, SubscriberId=ava | packages_update
update his plan to Starter please | subscriptions_update | PackageId=Starter, SubscriptionId=undefined | packages_update
rename her plan to Starter | help | | packages_update packages_delete | the same for all lines
rename 0105's plan to Starter | numbers_find | Query=0105 | packages_update | the same for all lines
delete his voice route | help | | voice_routes_delete | the same for all lines
delete 0105's voice route | numbers_find | Query=0105 | voice_routes_delete | the same for all lines
give her the 5 gb product | help | | products_update | the same for all lines
move her to the main sip trunk | numbers_update | VoiceRouteId=main sip trunk | voice_routes_update | which line “her” is
put ben on the Main SMS route | numbers_update | MessageRouteId=Main SMS route, Query=ben | message_routes_update
switch ben's route to Main SMS | numbers_update | MessageRouteId=Main SMS route | message_routes_update
switch 0105's plan to Starter again | subscriptions_update | SubscriptionId=0105, PackageId=Starter | subscriptions_create
swap 0105's plan for starter | subscriptions_update | SubscriptionId=0105, PackageId=starter | packages_update
end ben's starter subscription | subscriptions_delete | SubscriptionId=ben | packages_delete | “starter” is read as its package
sign 0105 up for Starter | subscriptions_create | PackageId=Starter | packages_update
sub 0101 to starter | subscriptions_create | PackageId=starter, TNID=0101 | numbers_update
move him over to Starter, he's done with the old plan | subscriptions_update | PackageId=Starter | numbers_update packages_update
take sku ESIM-01 off the Starter bundle | packages_items_delete | PackageId=Starter, PackageItemId=ESIM-01 | packages_delete
drop the esim item from the starter package | packages_items_delete | PackageId=starter, PackageItemId=esim | packages_delete
change the price of the esim item in starter to 3 | packages_items_update | PackageId=starter, PackageItemId=esim, Price=3 | packages_update
`;

const KEPT = `
dont cancel the port of 0111 yet, just tell me its status | numbers_order_get | OrderId=0111 | numbers_portin_cancel | left out, as you say
dont delete starter, just rename it to Starter 2026 | packages_update | PackageId=starter, PackageName=Starter 2026 | packages_delete subscribers_update | left out, as you say
do not delete DATA-05, just change its cost to 9 | products_update | ProductId=DATA-05, Cost=9 | products_delete
never mind deleting starter, only make it 12 bucks | packages_update | PackageId=starter, Price=12 | packages_delete
never cancel the acme account, just rename it to Acme West | account_update | AccountName=Acme West | numbers_cancel
don't send the pin yet, just check it | numbers_diagnose/help/numbers_find | | numbers_portout
`;

const ROLES = `
take the manager rights away from ben again | subscribers_update | SubscriberId=ben, Role=Subscriber
ben is no longer a manager | subscribers_update | SubscriberId=ben, Role=Subscriber
remove ben's manager role | subscribers_update | SubscriberId=ben, Role=Subscriber
strip ben of his admin rights | subscribers_update | SubscriberId=ben, Role=Subscriber
ben shouldnt have management access any longer | subscribers_update | SubscriberId=ben, Role=Subscriber
0102's customer is no longer manager | subscribers_update | Query=0102, Role=Subscriber
make ben a normal subscriber again | subscribers_update | SubscriberId=ben, Role=Subscriber | subscribers_create
make ben a manager | subscribers_update | SubscriberId=ben, Role=Manager
reset the password for ben@globex.example | subscribers_update | SubscriberId=ben@globex.example
pw reset for ava | subscribers_update | SubscriberId=ava
make ava@acme.example a manager | subscribers_update | SubscriberId=ava@acme.example, Role=Manager
give 0104 to ben@globex.example | numbers_update | AssignedSubscriberId=ben@globex.example, Query=0104
change owner of 0104 to Ben Reed | numbers_update | AssignedSubscriberId=Ben Reed, Query=0104
`;

const DESK = `
start a port in for 312 555 0177, carrier is Lakeside Wireless, account no 88120045, for ava stone | numbers_portin | CurrentCarrierName=Lakeside Wireless, CurrentAccountNumber=88120045, AssignedSubscriberId=ava stone
port in 312 555 0177, current carrier: Lakeside Wireless | numbers_portin | CurrentCarrierName=Lakeside Wireless, AssignedSubscriberId=undefined
port 3125550177, losing carrier = Blue Bird Mobile | numbers_portin | CurrentCarrierName=Blue Bird Mobile
did any port get rejected this week | events_since | Only=orders, Since=7d | numbers_portin | only “rejected”
has any port order been cancelled this month | events_since | Only=orders | numbers_portin_cancel | only “cancelled”
is anything still porting? | events_since | Only=orders | numbers_portin
can i delete the ESIM-01 product? | help | | products_delete packages_delete | ESIM-01
new feature Visual Voicemail of type voicemail for acme | subscriptions_features_add | FeatureName=Visual Voicemail, FeatureType=voicemail, AccountId=acme
new feature Spam Shield type security for globex | subscriptions_features_add | FeatureName=Spam Shield, FeatureType=security
turn on international roaming for 0105 | subscriptions_features_assignments_add | SubscriptionId=0105 | | not taken: “international”
Starter goes up to 19 a month from now on | packages_update | PackageId=Starter, Price=19, Monthly=true
our cost for ESIM-01 dropped to 0.40 | products_update | ProductId=ESIM-01, Cost=0.4 | packages_update
we dont sell Starter any more, scrap it | packages_delete | PackageId=Starter | numbers_cancel
what 702 numbers have you got | numbers_availability | AreaCode=702 | numbers_provision
add product VOICE-100 "100 minutes abroad" 3.50 | products_create | SKU=VOICE-100, Description=100 minutes abroad
`;

export const sharedRecords: readonly Detailed[] = [OF_LINES, KEPT, ROLES, DESK].flatMap(detailedIn);
