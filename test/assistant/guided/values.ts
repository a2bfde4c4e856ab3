import { type Detailed, detailedIn } from './details.ts';

/*
 * Values that a sentence gives for the fields of an operation: those of its lists, addresses in their parts, accounts,
 * prices and periods. In the notation of `details.ts`; the parts of an address are joined by "+".
 */

const CHOICES = `
make ava stone manager pls | subscribers_update | Role=Manager, SubscriberId=ava stone | |
make ben account admin | subscribers_update | Role=Account Admin, SubscriberId=ben | |
change role of ava stone: manager | subscribers_update | Role=Manager, SubscriberId=ava stone | |
change ben reed from subscriber to admin | subscribers_update | Role=Account Admin | |
make ben reed manager of globex | subscribers_update | Role=Manager, SubscriberId=ben reed | subscribers_create | globex
add a person to Acme: Marta Lopes, marta@acmemobile.example, normal subscriber | subscribers_create | Name=Marta Lopes, Role=Subscriber, AccountId=Acme, Email=marta@acmemobile.example | |
create user Joao Pinto in globex as account admin, email joao@globex.example | subscribers_create | Name=Joao Pinto, Role=Account Admin, AccountId=globex, Email=joao@globex.example | |
create a subscriber Mia Reed, mia@globex.example | subscribers_create | Name=Mia Reed, Role=undefined | |
I need 2 new mobile lines area code 212 for Acme | numbers_provision | NumberType=mvno, AreaCode=212, AssignedSubscriberId=Acme | | not 2
buy iot number data only in 415 for globex | numbers_provision | NumberType=iot, ProductType=data-only, AreaCode=415 | |
new internet phone number in 702 for ben | numbers_provision | NumberType=voip, AreaCode=702 | |
new line for ben, sms-only | numbers_provision | ProductType=sms-only | |
new line for Acme Mobile | numbers_provision | NumberType=undefined | |
create product: sku SMS-500, 500 sms per month, cost 2.75, monthly | products_create | SKU=SMS-500, Type=sms, Cost=2.75, BillingFrequency=MRC | |
create product: sku SMS-500, 500 sms per month, cost 2.75, one-time | products_create | Description=500 sms per month, BillingFrequency=NRC | |
make new package Family Plus, 35 a month, type sip | packages_create | PackageName=Family Plus, Price=35, Monthly=true, Type=sip | |
make new package Student for 12,50 monthly, type esim | packages_create | Price=12.5, Monthly=true, Type=esim | |
create a webhook for order updates to https://ops.example.com/hook, json, no auth | webhook_create | DataFormat=json, AuthenticationType=None, SubscribedEvents=Order_Update | |
send order updates to https://ops.example.com/hook as xml without authentication | webhook_create | DataFormat=xml, AuthenticationType=None, SubscribedEvents=Order_Update | |
new voice route Backup, trunk 192.0.2.10 port 5061 over TLS | voice_routes_create | RouteType=Trunk, TrunkTransport1=TLS, TrunkTransport2=undefined | |
create a voice route named "Night forward" that forwards to +12125550000 | voice_routes_create | RouteType=Forward, RouteName=Night forward, TransferCallerId=+12125550000 | subscribers_call_filter_create |
`;

const ADDRESSES = `
new customer: Blue Harbor Dental, admin email office@blueharbor.example, adress 44 Pier Rd, Portland OR 97204 | account_create | AccountName=Blue Harbor Dental, AccountAdmin=office@blueharbor.example, BillingAddress=44 Pier Rd+Portland+OR+97204 | subscribers_create account_update |
new customer: Blue Harbor Dental, admin email office@blueharbor.example, adress 44 Pier Rd, Portland OR 97204 => ah sorry the zip is 97209 | account_create | BillingAddress=44 Pier Rd+Portland+OR+97209 | account_update |
new customer: Blue Harbor Dental, admin email office@blueharbor.example, adress 44 Pier Rd, Portland OR 97204 => ah sorry the zip is 97209 => and country USA, mailing is same | account_create | BillingAddress=44 Pier Rd+Portland+OR+97209+USA, MailingAddress=44 Pier Rd+Portland+OR+97209+USA | account_update |
create account: name Blue Harbor Dental, admin office@blueharbor.example, address 44 Pier Rd, Portland OR 97204 | account_create | AccountName=Blue Harbor Dental, BillingAddress=44 Pier Rd+Portland+OR+97204 | account_update |
new account Pine & Co, billing address 44 Pier Rd, Apt 5, Salt Lake City UT 84101 | account_create | AccountName=Pine & Co, BillingAddress=44 Pier Rd+Apt 5+Salt Lake City+UT+84101 | |
open account for Lakeview Bikes | account_create | AccountName=Lakeview Bikes | |
change the billing adress of globex to 900 Elm Street, Suite 4, Denver CO 80203 | account_update | AccountId=globex, BillingAddress=900 Elm Street+Suite 4+Denver+CO+80203 | |
change the mailing address of acme to 1 Main St, Heber, Utah 84032, USA | account_update | AccountId=acme, MailingAddress=1 Main St+Heber+Utah+84032+USA, BillingAddress=undefined | |
update acme: new billing address 1600 Broadway, New York NY 10019 | account_update | AccountId=acme, BillingAddress=1600 Broadway+New York+NY+10019 | |
port in 3125550170 from T-Mobile for Ava Stone, account 4433, address 5 Oak St, Chicago IL 60601, name on bill John Stone | numbers_portin | PortInNumber=+13125550170, AssignedSubscriberId=Ava Stone, CurrentAccountNumber=4433, CurrentBillingAddress=5 Oak St+Chicago+IL+60601, SubscriberName=John Stone | account_update |
port in 3125550145 from T-Mobile => Billing adress is 12 Oak Lane Springfield IL 62704 | numbers_portin | CurrentBillingAddress=12 Oak Lane+Springfield+IL+62704 | account_update |
port in 3125550145 from T-Mobile => Billing adress is 12 Oak Lane Springfield IL 62704 => name on the bill: Benjamin Reed | numbers_portin | SubscriberName=Benjamin Reed, CurrentBillingAddress=12 Oak Lane+Springfield+IL+62704 | numbers_order_get |
for order JNUOID-00000000-0000-4000-8000-000000000001 the authorised person is Dana Cole and zip 60614 | numbers_portin_update | SubscriberName=Dana Cole, CurrentBillingAddress=60614 | |
correct the zip of order JNUOID-00000000-0000-4000-8000-000000000001 to 60614 | numbers_portin_update | CurrentBillingAddress=60614 | |
for order JNUOID-00000000-0000-4000-8000-000000000001 the account number must be 5540-2219 and the name Carl Jensen | numbers_portin_update | CurrentAccountNumber=5540-2219, SubscriberName=Carl Jensen | |
status of order JNUOID-00000000-0000-4000-8000-000000000001, zip 60614 | numbers_order_get | | numbers_portin_update |
`;

const ACCOUNTS = `
what is the account id of acme | account_get | AccountId=acme | |
billing address of globex? | account_get | AccountId=globex | account_update |
show the globex account | account_get | AccountId=globex | |
status of the initech account | account_get | AccountId=initech | |
what is the account number of 3125550111 | numbers_order_get/numbers_lookup/numbers_find/help | | |
who is the manager of Acme Mobile? | distributor_subscribers_get | | | role
show Globex => change admin mail to billing@globexfamily.example | account_update | AccountId=Globex | subscribers_update | cannot change the e-mail address of an account’s admin
`;

const PRODUCTS = `
Starter should cost 18 from now | packages_update | PackageId=Starter, Price=18 | |
package price up to 29.90 from now on | packages_update | Price=29.9 | |
packages under 20 usd | account_packages_get | | packages_update |
put the roaming product in Starter for 4,50 monthly | packages_items_add | PackageId=Starter, ProductId=roaming, Price=4.5, Monthly=true | products_update |
add the esim product to Family | packages_items_add | PackageId=Family, ProductId=esim | |
take out the esim from starter | packages_items_delete | PackageId=starter, PackageItemId=esim | packages_delete
remove PRID-00000000-0000-4000-8000-000000000001 from Starter | packages_items_delete | PackageId=Starter | products_delete | PRID-00000000-0000-4000-8000-000000000001
which products are not in any package | account_products_get | | | the whole list
price list of products pls | account_products_get | | |
show items of package Starter | packages_items_get | PackageId=Starter | |
what plan is ben on => he want family plus instead | subscriptions_create/subscriptions_update | PackageId=family plus | |
give roaming to ava on 0101 | subscriptions_features_assignments_add | SubscriptionId=0101 | numbers_update | named by its id
add roaming feature to 0101 | subscriptions_features_assignments_add | SubscriptionId=0101 | |
activate roaming for ben | subscriptions_features_assignments_add | SubscriptionId=ben | numbers_status |
take away roaming from 0101 | subscriptions_features_assignments_delete | | numbers_cancel | 0101
roaming for 0103 she flies to mexico tmrw | numbers_find | Query=0103 | subscriptions_features_assignments_add | Roaming is a feature
is roaming on for 0105 | numbers_find | Query=0105 | | Roaming is a feature
make a feature: Intl Calling, type roaming, for Acme | subscriptions_features_add | FeatureName=Intl Calling, FeatureType=roaming, AccountId=Acme | subscriptions_features_assignments_add |
`;

const WHOLE = `
new voip number 702, assign to ben reed, only sms | numbers_provision | NumberType=voip, AreaCode=702, ProductType=sms-only, AssignedSubscriberId=ben reed | numbers_update |
add customer ines@roth.io, rename Tom to Tom Reed | help | | |
rename 0104 to Stone Bakery | numbers_update | CnamFirstName=Stone, CnamLastName=Bakery, Query=0104 | subscribers_update |
rename the line 0103 to Ava School Phone | numbers_update | CnamFirstName=Ava, CnamLastName=School Phone, Query=0103 | subscribers_update |
rename the customer of 0104 to Ava Miller | subscribers_update | Name=Ava Miller, Query=0104 | |
change caller name on 0104 to stone bakery | numbers_update | CnamFirstName=stone, CnamLastName=bakery, Query=0104 | |
port in 3 numbers from tmobile for Acme: 3125550146, 3125550147, 3125550148 | numbers_portin | PortInNumber=+13125550146 | | one number at a time
check eligibility of 3125550150 and 3125550191 | numbers_portin_eligibility | | | for each of +13125550150, +13125550191
the pin at old carrier was wrong for 3125550111, correct is [secret removed] => JNUOID-00000000-0000-4000-8000-000000000001 | numbers_portin_update | OrderId=JNUOID-00000000-0000-4000-8000-000000000001 | |
give 0103 200 mb more => no only 100 more | numbers_data_usage_set | Query=0103 | | add 100 MB
where do the texts of acme go => new address from the dev team: https://sms.example.com/in — change it there please | message_routes_update | MessageUrl=https://sms.example.com/in | account_update |
who's on 555 0104 | numbers_find | Query=0104 | |
what is avail near zip 60614 | numbers_availability | ZipCode=60614 | |
first only show me, not buy: numbers with 929 | numbers_availability | AreaCode=929 | numbers_provision |
which of our nrs are waiting to be deleted | numbers_find | Status=Cancelled - Pending Delete, Query=undefined | |
Marta Lopes start at Globex monday, marta.lopes@globexfamily.example | subscribers_create | Name=Marta Lopes, Email=marta.lopes@globexfamily.example | |
`;

/** Searches by words of a sentence that was not understood, and those that a sentence asks for. */
export const guesses = ['which pony is blurple near zyx'];
export const searches = ['zebra jones', 'find zebra', 'who is ava stone', 'number of ben reed please', '0103'];

const RECORDS = `
whats inside Starter | packages_items_get | PackageId=Starter | |
show me package Starter | account_packages_get | | | only “Starter”
turn sip refer off on the Main SIP trunk | voice_routes_update | EnableSipRefer=false, RouteEnabled=undefined | | SIP refer: off
switch intelligent routing off for Main SMS route | message_routes_update | IntelligentRouteEnabled=false, MessageRouteEnabled=undefined | |
turn the fax mode off on Main SIP trunk | voice_routes_update | RouteEnabled=undefined | | not taken: “the fax mode”
disable Main SIP trunk | voice_routes_update | RouteEnabled=false | |
remove ava's manager rights | subscribers_update | SubscriberId=ava, Role=Subscriber
take manager away from ava stone | subscribers_update | SubscriberId=ava stone, Role=Subscriber
products in Basic please | account_packages_get | | | only “Basic”
`;

const SHARES = `
warn at 80 percent of 5gb on 0105 | numbers_data_usage_set | NotifyValue=4096, LimitValue=undefined | |
cap 0105 at 5 gb and warn her at 80 percent | numbers_data_usage_set | LimitValue=5120, NotifyValue=4096 | message_outbound |
limit 0103 to 10 gb, slow it down at half of 8 gb | numbers_data_usage_set | LimitValue=10240, ThrottleValue=4096 | |
cap 0103 at 10 gb and send her a heads up when she hits 75% | numbers_data_usage_set | LimitValue=10240, NotifyValue=7680 | message_outbound |
limit 0105 to 5 gb and let her know at 4 gb | numbers_data_usage_set | LimitValue=5120, NotifyValue=4096, Query=0105 | message_outbound |
cap 0105 at 5 gb and text her at 4 | numbers_data_usage_set | LimitValue=5120, NotifyValue=4096 | message_outbound |
set the cap to 3 gb on 0105 => notify at 90% | numbers_data_usage_set | LimitValue=3072, NotifyValue=2765 | |
tell 0101 that 80% of her 5 gb are used | message_outbound | Body=80% of her 5 gb are used | numbers_data_usage_set |
cap 0105 at 5 gb, warn at 3500 | numbers_data_usage_set | LimitValue=5120, NotifyValue=3500 | |
data on 0105 => set the cap to 3 gb there => and warn her at 3500 | numbers_data_usage_set | LimitValue=3072, NotifyValue=3500 | |
set the cap to 3 gb on 0105 => slow it down at 2000 | numbers_data_usage_set | LimitValue=3072, ThrottleValue=2000 | |
limit 0105 4000 mb, slow down at 2 | numbers_data_usage_set | LimitValue=4000, ThrottleValue=2048 | |
cap 0105 at 3gb warn at 40 | numbers_data_usage_set | LimitValue=3072, NotifyValue=undefined | | 40 has no unit
`;

const CALLED = `
make a message route for Globex called globex-inbound, url https://x.example/in | message_routes_create | RouteName=globex-inbound, AccountId=Globex | |
need a new sms route for globex called Globex backup, deliver to https://a.example/x | message_routes_create | RouteName=Globex backup, AccountId=globex, MessageUrl=https://a.example/x | |
new package called weekend pass, 5 dollars a month | packages_create | PackageName=weekend pass, Price=5 | |
new account called oak and pine, billing@oak.example | account_create | AccountName=oak and pine, AccountAdmin=billing@oak.example | subscribers_create |
create a voice route called night-forward for Acme that forwards to +12125550000 | voice_routes_create | RouteName=night-forward, AccountId=Acme | |
set up a message route named acme_in for acme | message_routes_create | RouteName=acme_in, AccountId=acme | |
`;

const NEW_LINES = `
order a new number for ava, area code 201, full line w/ voice and data, sim 8901260123456789012 | numbers_provision | NumberType=undefined, ProductType=sms+data+voice, ICCID=8901260123456789012, AreaCode=201 | numbers_data_usage_set |
new line for ben in 303 with voice and data, sim 8901260123456789012 | numbers_provision | NumberType=undefined, ProductType=sms+data+voice, AreaCode=303 | |
add another line for ava with texts and data | numbers_provision | ProductType=sms+data | numbers_data_usage_set |
new line for ava, calls, texts and data | numbers_provision | ProductType=sms+data+voice | |
new line for ava, data only | numbers_provision | ProductType=data-only | |
new customer acc "Lakeview Plumbing" billing contact joe@lakeviewplumbing.com no address yet | account_create | AccountName=Lakeview Plumbing, AccountAdmin=joe@lakeviewplumbing.com | subscribers_create |
new acc Bay Cafe | account_create | AccountName=Bay Cafe | subscribers_create |
open an account for Lake Co => address 77 Hill Rd, Boise ID 83702, same for mailing | account_create | BillingAddress=77 Hill Rd+Boise+ID+83702, MailingAddress=77 Hill Rd+Boise+ID+83702 | |
open account Lake Co, 77 Hill Rd, Boise ID 83702 for both | account_create | BillingAddress=77 Hill Rd+Boise+ID+83702, MailingAddress=77 Hill Rd+Boise+ID+83702 | |
new account Lake Co, mailing address 77 Hill Rd, Boise ID 83702, billing is the same | account_create | BillingAddress=77 Hill Rd+Boise+ID+83702, MailingAddress=77 Hill Rd+Boise+ID+83702 | |
new account Lake Co, billing address 77 Hill Rd, Boise ID 83702, use that for mailing too | account_create | BillingAddress=77 Hill Rd+Boise+ID+83702, MailingAddress=77 Hill Rd+Boise+ID+83702 | |
add someone to acme: Nora Field, nora.field@acme.example, normal subscriber | subscribers_create | Name=Nora Field, AccountId=acme, Role=Subscriber | account_create |
forward calls for new acme lines to +12125550199, new voice route called Acme Desk | voice_routes_create | RouteName=Acme Desk, AccountId=acme, TransferCallerId=+12125550199 | |
`;

const PORT_PARTS = `
new authorized name on port order for 3125550111: Maria Delgado | numbers_portin_update | SubscriberName=Maria Delgado, OrderId=+13125550111 | numbers_portin |
port JNUOID-00000000-0000-4000-8000-000000000001 authorized name is Maria Delgado, not Maria Delgada | numbers_portin_update | SubscriberName=Maria Delgado | |
the account holder on the 3125550111 port is Maria Delgado | numbers_portin_update | SubscriberName=Maria Delgado, OrderId=+13125550111 | |
the account holder for JNUOID-00000000-0000-4000-8000-000000000001 must be Maria Delgado and account number 5567 | numbers_portin_update | SubscriberName=Maria Delgado, CurrentAccountNumber=5567 | |
port order for 3125550111: account number is now 88120034 | numbers_portin_update | CurrentAccountNumber=88120034 | |
what is the account number on the 3125550111 port | numbers_order_get | | numbers_portin_update |
wrong pin on that chicago port (+13125550111), correct one is [secret removed] | numbers_portin_update | OrderId=+13125550111 | | the PIN (a secret
cancel the port in for 3125550111 but only if its not scheduled yet | numbers_order_get | | numbers_portin numbers_portin_cancel | is a condition
`;

const WRAPPED = `
put both kids on child level | subscribers_message_filter_update | FilterMode=CHILD | | not taken: “both kids”
turn filtering back on for both kids calls and texts | subscribers_guardian_features_set | EnableIntelligentGuardianCalls=true, EnableIntelligentGuardianMessages=true | | “both kids”
Ava got married, her name is Ava Miller now | subscribers_update | Name=Ava Miller, SubscriberId=Ava | |
customer at 0105 is leaving us, cancel it | numbers_cancel | Query=0105 | numbers_portout |
customer in 0106 is leaving, cancel 0106 | numbers_cancel | Query=0106 | |
park 0103, not 0103 | numbers_status | Query=undefined | | unclear
refund 0103 for last month | numbers_find | Query=0103 | | refunds nobody
0103 wants her money back for october | numbers_find | Query=0103 | numbers_reactivate | refunds nobody
give ava a credit of 10 dollars | numbers_find | Query=ava | packages_update | refunds nobody
issue a refund to ben | numbers_find | Query=ben | | refunds nobody
text 0103 that the refund is on its way | message_outbound | Body=the refund is on its way | |
ava broke her phone and wants an esim instead | numbers_update | Query=ava | | not taken: esim
i need 0110 to go to ben | numbers_update | AssignedSubscriberId=ben, Query=0110 | |
she wants 0105 to go to ava | numbers_update | AssignedSubscriberId=ava, Query=0105 | |
add someone to the globex account: Leo Grant, leo@globex.example | subscribers_create | Name=Leo Grant, AccountId=globex | account_create |
got a ben reed on the other line, what number does he have | numbers_find | Query=ben reed | |
there is an ava stone on the phone, which lines does she have | numbers_find | Query=ava stone | |
set the cap to 3 gb on 0105 => slow it down at 2 | numbers_data_usage_set | LimitValue=3072, ThrottleValue=2048 | |
`;

export const values: readonly Detailed[] = [
  CHOICES,
  ADDRESSES,
  ACCOUNTS,
  PRODUCTS,
  WHOLE,
  RECORDS,
  SHARES,
  CALLED,
  NEW_LINES,
  PORT_PARTS,
  WRAPPED,
].flatMap(detailedIn);
