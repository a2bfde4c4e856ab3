import { type Detailed, detailedIn } from './details.ts';

/*
 * Sentences of people in porting, customers and plans: reasons beside a refusal or a question, facts that say a new price or
 * place, and two things at once. In the notation of `details.ts`.
 */

const REASONS = `
starter is now 17.99 | packages_update | PackageId=starter, Price=17.99 | packages_items_update
Starter goes to 17.99 | packages_update | Price=17.99 | packages_items_update
carrier says the zip doesn't match on the port of 3125550111, it's 60614 not 60601 | numbers_portin_update | OrderId=+13125550111, CurrentBillingAddress=60614 | numbers_portin
zip is wrong on the port of 3125550111, 60614 not 60601 | numbers_portin_update | CurrentBillingAddress=60614 | numbers_portin
dont cancel the port-in of 3125550111, customer wants it after all | help | | numbers_portin numbers_portin_cancel | said not to
don't stop the port of 3125550111, she needs it on friday | help | | numbers_portin numbers_portin_cancel | said not to
leave the port-in of 3125550111 alone, ava still wants it | numbers_order_get | | numbers_portin |
please never cancel the port in 3125550111 because the customer wants the number | help | | numbers_portin numbers_portin_cancel | said not to
the customer changed her mind and wants to come, so don't cancel the port-in of 3125550111 | help | | subscribers_create numbers_portin numbers_portin_cancel | said not to
do not touch order JNUOID-00000000-0000-4000-8000-000000000001, customer wants the number ported | numbers_order_get | | numbers_portin |
where is the port-in of 3125550111, customer wants it asap | numbers_order_get | OrderId=+13125550111 | numbers_portin |
check the port-in of 3125550111, ava needs it | numbers_order_get | OrderId=+13125550111 | numbers_portin |
the port-in of 3125550111 is late and she needs the number | numbers_order_get | OrderId=+13125550111 | numbers_portin |
port in 3125550111 for ava, she needs it by dec 9 | numbers_portin | PortInNumber=+13125550111, PortInDate=2026-12-09 | |
don't drop the starter plan of 0105, he needs it | numbers_find | Query=0105 | subscriptions_delete | said not to
don't cancel 0103, park it | numbers_status | StatusChange=park | numbers_cancel |
pls chase up ava stones port-in, customer is asking again | events_since | Only=orders, Query=ava stone | numbers_find |
where is ben's port-in, the customer keeps calling | events_since | Only=orders, Query=ben | |
customer is getting impatient, where is the port-in of 3125550111 | numbers_order_get | OrderId=+13125550111 | |
`;

const PORTS = `
new port-in for ben reed: 6465550188 from T-Mobile acct 5551234 pin is 4821 | numbers_portin | PortInNumber=+16465550188, AssignedSubscriberId=ben reed, CurrentCarrierName=T-Mobile, CurrentAccountNumber=5551234 | numbers_portin_update | the PIN
port-in for ava stone: 4155550134, verizon, account 998877 | numbers_portin | PortInNumber=+14155550134, AssignedSubscriberId=ava stone, CurrentAccountNumber=998877 | numbers_portin_update |
open another port-in for Globex, 312 555 0199, acct 77123, at&t | numbers_portin | PortInNumber=+13125550199, AssignedSubscriberId=Globex, CurrentAccountNumber=77123 | numbers_portin_update |
port-in for ben: 6465550188 account should be 55512 | numbers_portin_update | CurrentAccountNumber=55512 | numbers_portin |
`;

const PRICES = `
data-05 costs us 8 now | products_update | ProductId=DATA-05, Cost=8 | events_since |
the price of data-05 is 8 now | products_update | ProductId=DATA-05, Cost=8 | packages_update |
from today we pay 0.40 for ESIM-01 | products_update | ProductId=ESIM-01, Cost=0.4 | |
we charge 19 for starter from today | packages_update | PackageId=starter, Price=19 | |
put the starter price up to 17.50 | packages_update | PackageId=starter, Price=17.5 | |
bring the starter price down to 11 | packages_update | PackageId=starter, Price=11 | |
put the starter price up by 2 | packages_update | PackageId=starter, Price=undefined | | add 2 USD
what does data-05 cost us now | account_packages_get/account_products_get | | products_update |
make a 10gb plan for 25 usd | packages_create | PackageName=10gb, Price=25 | |
new 20 GB plan 30 dollars a month | packages_create | PackageName=20 GB, Price=30 | packages_update |
`;

const RECORDS = `
ava goes by Ava Miller | subscribers_update | SubscriberId=ava, Name=Ava Miller | |
ben goes by the name Benjamin | subscribers_update | SubscriberId=ben, Name=Benjamin | | only a part of the name
everyone with a globex line | numbers_find | Query=globex | |
who has a globex line | numbers_find | Query=globex | |
two iot lines for acme in area 303 | numbers_provision | NumberType=iot, AssignedSubscriberId=acme, AreaCode=303 | numbers_availability | one number at a time
need two iot lines for acme in area 303 | numbers_provision | NumberType=iot, AreaCode=303 | numbers_find |
cancel the add-on of 0105 | subscriptions_features_assignments_delete | | numbers_cancel | 0105
ava's bundle should go | subscriptions_delete | SubscriptionId=ava | |
her bundle should go | subscriptions_delete | SubscriptionId=undefined | | “her”
ava's plan must be starter | subscriptions_create | PackageId=starter, SubscriberId=ava | |
let her have the starter plan | subscriptions_create | PackageId=starter | | “her”
let ava have the starter plan | subscriptions_create | PackageId=starter, SubscriberId=ava | |
put ben on the family plus plan | subscriptions_create | PackageId=family plus | |
cancel ben's line and his plan | help | | | Cancel numbers; End a subscription
cancel 0103 and its plan | numbers_find | Query=0103 | | Cancel numbers; End a subscription
who gets the invoices for Globex | account_get | AccountId=Globex | events_since | its admin
where do the invoices of acme go | account_get | AccountId=acme | events_since |
`;

const PRODUCTS = `
put esim-01 into starter too, at 2.50 | packages_items_add | PackageId=starter, ProductId=ESIM-01, Price=2.5 | |
add data-05 to starter for free | packages_items_add | PackageId=starter, ProductId=DATA-05, Price=0 | |
esim-01 in starter should cost 3 | packages_items_update | PackageId=starter, PackageItemId=ESIM-01, Price=3 | products_update |
starter should not have data-05 any more | packages_items_delete | PackageId=starter, PackageItemId=DATA-05 | products_delete packages_delete |
take DATA-05 out of starter | packages_items_delete | PackageId=starter, PackageItemId=DATA-05 | products_delete |
take data-05 out of starter, too expensive | packages_items_delete | PackageId=starter, PackageItemId=DATA-05 | products_delete |
get rid of esim-01 | products_delete | ProductId=ESIM-01 | |
sku data-05 is named 5 GB Data now | products_update | ProductId=DATA-05, Description=5 GB Data | |
data-05's cost went from 9 to 8 | products_update | ProductId=DATA-05, Cost=8 | events_since |
supplier raised esim-01 to 0.60 | products_update | ProductId=ESIM-01, Cost=0.6 | |
drop data-05 to 7.5 | products_update | ProductId=DATA-05, Cost=7.5 | products_delete |
starter is too cheap, make it 19 | packages_update | PackageId=starter, Price=19 | |
starter at 19 from january on | packages_update | PackageId=starter, Price=19 | | cannot be scheduled
the price of starter dropped, now 12 | packages_update | PackageId=starter, Price=12 | |
we raised starter by 2 dollars | packages_update | PackageId=starter, Price=undefined | | add 2 USD
create a package "Family Plus" 29.99 a month | packages_create | PackageName=Family Plus, Price=29.99, Monthly=true | |
add a plan "Travel" 45 a month | packages_create | PackageName=Travel, Price=45 | |
we need a new product: DATA-10, 10 GB of data, 12.00 | products_create | SKU=DATA-10, Cost=12 | packages_update |
new product DATA-20, 20 GB data, 15.50 a month | products_create | SKU=DATA-20, Cost=15.5, BillingFrequency=MRC | |
create the product VOICE-01, unlimited calls, 7.25 monthly | products_create | SKU=VOICE-01, Cost=7.25 | packages_update |
starter should cost 17.50 from now on | packages_update | PackageId=starter, Price=17.5 | |
DATA-05 should cost 10.50 | products_update | ProductId=DATA-05, Cost=10.5 | packages_update |
from january Starter costs 16 | packages_update | PackageId=Starter, Price=16 | |
should starter cost 17.50 | numbers_find | | packages_update |
what does DATA-05 cost us | account_products_get | | packages_update |
how much is DATA-05 | account_products_get | | packages_update |
what does Starter cost us | account_packages_get | | packages_update |
which plan is 2015550105 on and what does she pay | numbers_find | Query=+12015550105 | subscriptions_create | The packages have the prices
which plan has ava and what does it cost her | numbers_find | Query=ava | subscriptions_create | The packages have the prices
0101's plan and price pls | numbers_find | Query=0101 | subscriptions_create | The packages have the prices
how much is the starter plan | account_packages_get | | packages_update |
how much of the plan data has 0105 eaten | numbers_data_usage_info | Query=0105 | |
put ben on starter and tell me the price | subscriptions_create | PackageId=starter, SubscriberId=ben | |
switch 0105 to starter, what will she pay | subscriptions_update | PackageId=starter | |
make Ben a manager of his account | subscribers_update | SubscriberId=Ben, Role=Manager | account_create |
ben is a manager now | subscribers_update | SubscriberId=ben, Role=Manager | |
is ben a manager | subscribers_get | SubscriberId=ben | subscribers_update |
get me the voip numbers of Globex | numbers_find | Query=Globex | numbers_provision |
order an iot data only sim for acme, iccid 89012403971900099990 | numbers_provision | NumberType=iot, ProductType=data-only, ICCID=89012403971900099990 | numbers_update |
need a mobile sim for ava | numbers_provision | NumberType=mvno | |
order a new iot sim for 0106 | numbers_update | Query=0106 | numbers_provision |
is data-05 monthly or one time | account_products_get | | products_update |
`;

const FACTS = `
0103 to starter pls, customer agreed | subscriptions_create | PackageId=starter, Query=0103 | numbers_update |
0105 wants off the family plan and onto starter | subscriptions_create | PackageId=starter | subscriptions_delete |
ben needs a plan, give him starter | subscriptions_create | PackageId=starter, SubscriberId=ben | packages_create |
give me 2 mobile numbers in 801 for globex | numbers_provision | NumberType=mvno, AssignedSubscriberId=globex, AreaCode=801 | | one number at a time
0110 isn't ava's, it is ben's | numbers_update | AssignedSubscriberId=ben | |
0104 isn't used, get rid of it | numbers_cancel | Query=0104 | numbers_data_usage_info |
close globex's account, they went bankrupt | numbers_find | | numbers_cancel | no way to close
remove ben reed from our system, he asked for it | numbers_find | | numbers_cancel | no way to delete a subscriber
customer wants to bring her own number 9175550144 to us, she's ava stone | numbers_portin | PortInNumber=+19175550144 | |
ava stone has a new surname, Brook | subscribers_update | SubscriberId=ava stone, Name=Ava Brook | |
ava's surname isn't Stone any more, it's Brook | subscribers_update | SubscriberId=ava, Name=Ava Brook | |
ben reed is Benjamin Reed on his id, please correct | subscribers_update | SubscriberId=ben reed, Name=Benjamin Reed | |
acme is no longer Acme Mobile but Acme Telecom, change that pls | subscribers_update | SubscriberId=acme, Name=Acme Telecom | |
cancel 0103, she doesn't want it | numbers_find | Query=0103 | numbers_cancel | takes it back
`;

/** Prices, names and parts of packages in other words. */
const PRICED = `
raise starter to 17.50 from now on | packages_update | PackageId=starter, Price=17.5 | numbers_update |
lower family to 12 | packages_update | PackageId=family, Price=12 | numbers_update |
bump the starter plan up to 18 dollars from today | packages_update | PackageId=starter, Price=18 | numbers_update |
pls reduce Starter to 12.50 from today | packages_update | PackageId=Starter, Price=12.5 | numbers_update |
cut starter to 14 | packages_update | PackageId=starter, Price=14 | packages_delete |
drop the price of starter by 2 | packages_update | PackageId=starter, Price=undefined | packages_delete | take 2 USD off
raise starter to 20 gb | numbers_data_usage_set | LimitValue=20480 | packages_update |
raise 0103 to 20 gb | numbers_data_usage_set | Query=0103 | packages_update |
drop the esim product to 3.50 | products_update | ProductId=esim, Cost=3.5 | products_delete |
the esim item in starter should cost 3.99 | packages_items_update | PackageId=starter, PackageItemId=esim, Price=3.99, Type=undefined | packages_update |
the esim profile in the package Starter should cost 3.99 | packages_items_update | PackageId=Starter, PackageItemId=esim, Price=3.99 | packages_update |
our esim item in starter should cost 4.25 | packages_items_update | PackageId=starter, PackageItemId=esim, Price=4.25 | packages_update |
DATA-05 in the package Starter is now 6 | packages_items_update | PackageItemId=DATA-05, Price=6 | packages_update |
the ESIM-01 entry in the starter plan goes up to 3.80 | packages_items_update | PackageItemId=ESIM-01, Price=3.8 | packages_update |
the starter package should cost 18 | packages_update | PackageId=starter, Price=18 | packages_items_update |
new product 10 GB of data, sku DATA-10, 8 usd monthly | products_create | SKU=DATA-10, Cost=8, Description=10 GB of data | packages_items_add |
new product: Night Bundle, 4 dollars once | products_create | Description=Night Bundle, Cost=4 | packages_items_add |
create a product Weekend Pass, sku WKND-01, 2.50 monthly | products_create | Description=Weekend Pass, SKU=WKND-01 | packages_items_add |
add a new product 1 GB of data, sku DATA-01, 3.50 a month | products_create | Description=1 GB of data, Cost=3.5 | packages_items_add |
add product DATA-05 to Starter, 4 usd | packages_items_add | ProductId=DATA-05, PackageId=Starter, Price=4 | products_create |
create package Student 12.50 monthly | packages_create | PackageName=Student, Price=12.5 | products_create |
new plan Senior 9 monthly | packages_create | PackageName=Senior, Price=9 | products_create |
create package Family 5 for 30 usd | packages_create | PackageName=Family 5, Price=30 | products_create |
create an add-on called Hotspot for acme | subscriptions_features_add | FeatureName=Hotspot, AccountId=acme | numbers_update |
make a new addon named Hot Spot for globex | subscriptions_features_add | FeatureName=Hot Spot, AccountId=globex | numbers_update |
turn on hotspot for 0103 | numbers_find | Query=0103 | subscriptions_features_add | no setting for hotspot
what addons can a subscription get | help | | account_subscriptions_get | No list says which features there are
what add-ons can a line have | help | | account_subscriptions_get | No list says which features there are
make ESIM-01 2.25 | products_update | ProductId=ESIM-01, Cost=2.25 | products_create |
set DATA-05 at 7.40 | products_update | ProductId=DATA-05, Cost=7.4 | products_create |
price starter at 21 | packages_update | PackageId=starter, Price=21 | packages_create |
set family to 30 a month | packages_update | PackageId=family, Price=30 | numbers_update |
make family 5 gb | numbers_data_usage_set | LimitValue=5120 | packages_update |
remove 5 GB of data from starter | packages_items_delete | PackageId=starter, PackageItemId=5 GB of data | packages_delete |
take the 5 GB of data out of the family plan | packages_items_delete | PackageId=family, PackageItemId=5 GB of data | packages_delete |
put starter on 2015550103 | subscriptions_create | PackageId=starter, TNID=+12015550103 | numbers_update |
put the family plan on 0104 pls | subscriptions_create | PackageId=family, Query=0104 | numbers_update |
put ava on 0103 | numbers_update | AssignedSubscriberId=ava, Query=0103 | subscriptions_create |
set globex's billing to 4 Pine Rd, Austin TX 78702 | account_update | AccountId=globex | events_since |
`;

export const planDesk: readonly Detailed[] = [REASONS, PORTS, PRICES, RECORDS, PRODUCTS, FACTS, PRICED].flatMap(
  detailedIn,
);

/** Two questions about one line, with the operations of their answers. */
export const bothAsked: readonly (readonly [says: string, first: string, second: string])[] = [
  ["how much data did 0105 use and what's its limit", 'numbers_data_usage_info', 'numbers_data_usage_settings'],
  ["what's the limit of 0105 and how much has it used", 'numbers_data_usage_settings', 'numbers_data_usage_info'],
  ['how much did 0105 use and what is its plan', 'numbers_data_usage_info', 'numbers_find'],
];
