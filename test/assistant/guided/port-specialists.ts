import { type Detailed, detailedIn } from './details.ts';

/* Single messages of specialists for porting and onboarding. In the notation of `details.ts`. */

const COMPANIES = `
globex moved, new billing adress 22 Pine Ave Salt Lake City Utah 84101 | account_update | AccountId=globex, BillingAddress=22 Pine Ave+Salt Lake City+Utah+84101 | account_create |
globex relocated, billing address 8 Main St Kansas City Missouri 64105 | account_update | BillingAddress=8 Main St+Kansas City+Missouri+64105 | account_create |
port in 3125550140 for ava, acct 77812, address 12 Elm St Virginia Beach Virginia 23451 | numbers_portin | CurrentBillingAddress=12 Elm St+Virginia Beach+Virginia+23451 | |
onboard new custmer Initech, admin bill@initech.example | account_create | AccountName=Initech, AccountAdmin=bill@initech.example | subscribers_create |
new client Stark Industries, admin pepper@stark.example | account_create | AccountName=Stark Industries, AccountAdmin=pepper@stark.example | subscribers_create |
sign up customer Wonka Chocolates, administrator is willy@wonka.example | account_create | AccountName=Wonka Chocolates, AccountAdmin=willy@wonka.example | subscribers_create |
new customer Massive Dynamic, ops@massivedynamic.example | account_create | AccountName=Massive Dynamic | subscribers_create |
open an account called Vandelay, billing address 9 W Oak St Santa Fe New Mexico 87501, admin george@vandelay.example | account_create | AccountName=Vandelay, AccountAdmin=george@vandelay.example | subscribers_create |
onboard customer Nina Patel, nina@patel.example | subscribers_create | Name=Nina Patel | account_create |
add new customer Joe Park, admin, joe.park@globex.example | subscribers_create | Name=Joe Park, Role=Account Admin | account_create |
`;

const CATALOGUE = `
add 5 GB of data to the starter pack for 9.50 | packages_items_add | PackageId=starter, ProductId=5 GB of data, Price=9.5 | numbers_data_usage_set products_create |
add 2gb to the starter bundle for 3.00 | packages_items_add | PackageId=starter, ProductId=2gb, Price=3 | numbers_data_usage_set |
put another 3 gb of data into starter at 4.50 | packages_items_add | PackageId=starter, ProductId=3 gb of data, Price=4.5 | packages_update |
include esim in the starter plan | packages_items_add | PackageId=starter, ProductId=esim | packages_items_get |
give the starter pack a 5 gb add-on | packages_items_add | PackageId=starter, ProductId=5 gb | packages_create numbers_data_usage_set |
add 5 GB to 0103 | numbers_data_usage_set | Query=0103 | packages_items_add |
put 0103 on the starter pack | subscriptions_create | PackageId=starter, Query=0103 | packages_items_add |
create a product DATA-10, 10 GB of data, cost 16 monthly | products_create | SKU=DATA-10, Description=10 GB of data, Cost=16, BillingFrequency=MRC | packages_create |
new product SMS-100, 100 texts, cost 2 | products_create | SKU=SMS-100, Description=100 texts, Cost=2 | message_outbound |
add a product called VOICE-5, five hours of calls, cost 3 monthly | products_create | SKU=VOICE-5, Description=five hours of calls, Cost=3 | packages_create |
retire the starter package, nobody should buy it any more | packages_delete | PackageId=starter | subscriptions_delete numbers_cancel |
can you phase out the Senior plan | packages_delete | PackageId=Senior | subscriptions_delete |
we stop selling the Family Plus plan | packages_delete | PackageId=Family Plus | subscriptions_delete |
the starter package should be retired | packages_delete | PackageId=starter | subscriptions_delete |
pull the gold plan off the market because no one buys it | packages_delete | PackageId=gold | subscriptions_delete |
please discontinue the DATA-05 product | products_delete | ProductId=DATA-05 | packages_delete |
who retired the starter plan | events_since | | packages_delete |
discontinue ava's plan | subscriptions_delete | | packages_delete |
`;

const PORTS = `
chase up the port-in for ava | events_since | Query=ava | numbers_portin numbers_portin_cancel | Port-in orders
can you chase the port of 3125550111 | numbers_order_get | OrderId=+13125550111 | numbers_portin |
chase lee about the port cancel | numbers_find | | numbers_portin_cancel | Switchboard reminds no colleague
name on the port request should read Eva Stone not Ava Stone, order for 3125550111 | numbers_portin_update | OrderId=+13125550111, SubscriberName=Eva Stone | subscribers_update | “not Ava Stone”
zip of the port is 60614, order for 3125550111 | numbers_portin_update | OrderId=+13125550111 | account_update |
account number on the port is 46519999, the order is 3125550111 | numbers_portin_update | OrderId=+13125550111, CurrentAccountNumber=46519999 | numbers_portin |
billing name on the port order must be Eva Stone not Eva Ston, it's the order for 3125550111 | numbers_portin_update | OrderId=+13125550111, SubscriberName=Eva Stone | | “not Eva Ston”
check these for porting: 3125550160, 3125550161, 3125550162 | numbers_portin_eligibility | | numbers_order_get numbers_portin | for each of +13125550160, +13125550161, +13125550162
verify whether these can be ported: 3125550160 and 3125550161 | numbers_portin_eligibility | | numbers_order_get numbers_portin | for each of +13125550160, +13125550161
before we port them check 3125550160 and 3125550161 | numbers_portin_eligibility | | numbers_portin | for each of +13125550160, +13125550161
check the port status of 3125550160 and 3125550161 | numbers_order_get | OrderId=+13125550160 | numbers_portin_eligibility | +13125550161
cancel the port of 3125550111 and get ava a new number in 801 instead | numbers_portin_cancel | OrderId=+13125550111 | numbers_cancel | “get ava a new number in 801” has a button
get ben a line in 646 and cancel the port of 3125550111 | numbers_portin_cancel | OrderId=+13125550111 | numbers_cancel | “get ben a line in 646” has a button
drop the port of 3125550111 and park 0103 | numbers_portin_cancel | OrderId=+13125550111 | numbers_cancel | “park 0103” has a button
send port in updates to https://hooks.acme.example/sb | webhook_create | SubscribedEvents=Order_Update, WebhookUrl=https://hooks.acme.example/sb | numbers_portin_update message_routes_update |
we want port updates for acme at https://a.example/x | webhook_create | SubscribedEvents=Order_Update, AccountId=acme | numbers_order_get |
post port order changes to https://a.example/x | webhook_create | SubscribedEvents=Order_Update | numbers_portin_update |
stop sending port updates to https://a.example/x | webhook_update | | webhook_create |
`;

const HOLDERS = `
take 0104 off ava and put it on ben | numbers_update | AssignedSubscriberId=ben, Query=0104 | numbers_cancel |
pull 0104 off ava then put it under ben reed | numbers_update | AssignedSubscriberId=ben reed, Query=0104 | numbers_cancel |
remove 0103 from ava and set it on ben | numbers_update | AssignedSubscriberId=ben, Query=0103 | numbers_cancel |
take 0105 off ben and assign it to ava | numbers_update | AssignedSubscriberId=ava, Query=0105 | numbers_cancel |
take 0104 off ava and put it on hold | numbers_find | Query=0104 | numbers_update |
`;

export const portSpecialists: readonly Detailed[] = [COMPANIES, CATALOGUE, PORTS, HOLDERS].flatMap(detailedIn);
