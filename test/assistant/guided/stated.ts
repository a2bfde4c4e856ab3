import { type Detailed, detailedIn } from './details.ts';

/* Facts that ask for a change, names and addresses of e-mail that are looked up, in the notation of `details.ts`. */

const FACTS = `
the trunk ip changed, primary is now 203.0.113.44 port 5061 tcp | voice_routes_update | TrunkIp1=203.0.113.44, TrunkPort1=5061, TrunkTransport1=TCP | |
our pbx moved, the new ip is 198.51.100.7 | voice_routes_update | TrunkIp1=198.51.100.7 | |
the ip of the main sip trunk is now 203.0.113.9 | voice_routes_update | CallRouteId=main sip trunk, TrunkIp1=203.0.113.9 | |
acme's sms url changed to https://in.acme.example/sms | message_routes_update | MessageUrl=https://in.acme.example/sms, MessageRouteId=acme | account_update |
acme wants the callback url on texts too https://cb.acme.example/dlr | message_routes_update | CallbackMessageUrl=https://cb.acme.example/dlr, MessageUrl=undefined | |
change the sms url of 0103 to https://hooks.acme.example/sms | numbers_find | Query=0103 | account_update | An address belongs to a route
password on acme message route needs rotating | message_routes_update | MessageRouteId=acme message route | | type the new one into the form
the token of the main sms route was leaked | message_routes_update | MessageRouteId=main sms route | | type the new one into the form
ava changed her email: ava.stone@newmail.example | subscribers_update | SubscriberId=ava | | cannot change the e-mail address
ben switched to another mail, ben.r@new.example | subscribers_update | SubscriberId=ben | subscribers_create | cannot change the e-mail address
acme moved, new invoice email is finance@acme.example | numbers_find | Query=acme | | e-mail address of an account cannot be changed
acme moved, new address 12 Pine St, Reno NV 89501 | account_update | AccountId=acme, BillingAddress=12 Pine St+Reno+NV+89501 | | Only an account has an address
her caller id should say STONE FAMILY on 0101 | numbers_update | CnamFirstName=STONE, CnamLastName=FAMILY, Query=0101 | |
0101 should show as Stone Family when she calls | numbers_update | CnamFirstName=Stone, CnamLastName=Family, Query=0101 | |
0104 should be on Bens name not Avas | numbers_update | AssignedSubscriberId=Ben, Query=0104 | | not Avas
0106 is supposed to be in the name of Ben Reed | numbers_update | AssignedSubscriberId=Ben Reed, Query=0106 | |
0103 is in ava's name | numbers_find | Query=0103 | numbers_update |
0103 should be on hold | numbers_status | StatusChange=park, Query=0103 | numbers_cancel |
0103 should not be on hold | numbers_find | Query=0103 | numbers_cancel |
0105 needs to be off hold | numbers_status | StatusChange=activate, Query=0105 | |
0107 should be active | numbers_reactivate | Query=0107 | numbers_cancel |
`;

const NOTICES = `
text avas 0101 when shes at 80 percent of her data | numbers_data_usage_set | Query=0101 | message_outbound |
warn ava at 80% on 0101 | numbers_data_usage_set | Query=0101, LimitValue=undefined | message_outbound numbers_watch |
let ben know when he hits 90% of his plan | numbers_data_usage_set | Query=ben | message_outbound |
alert ava once 80% of the data is gone | numbers_data_usage_set | Query=ava | numbers_watch |
text 0101: you are at 80% of your data | message_outbound | Body=you are at 80% of your data | numbers_data_usage_set |
`;

const LOOKUPS = `
whos ben@globex.example | numbers_find | Query=ben@globex.example | subscribers_create |
ben@globex.example | numbers_find | Query=ben@globex.example | |
do we have ben@globex.example | numbers_find | Query=ben@globex.example | subscribers_create |
subscriber with the email ben@globex.example | numbers_find | Query=ben@globex.example | |
new customer Tom Tan tom@acme.example | subscribers_create | Name=Tom Tan, Email=tom@acme.example | |
eva stoen number pls | numbers_find | Query=eva stoen | |
find ava stoen | numbers_find | Query=ava stoen | |
cancel ava stoens line | numbers_cancel | Query=ava stoen | |
ava suspnd her line | numbers_status | StatusChange=park, Query=ava | |
`;

const RECORDS = `
hook up a webhook for acme to https://x.acme.example/h for order updates only | webhook_create | AccountId=acme, WebhookUrl=https://x.acme.example/h, SubscribedEvents=Order_Update | |
get acme a webhook https://x.acme.example/h | webhook_create | AccountId=acme, WebhookUrl=https://x.acme.example/h | |
webhook for globex please, https://g.example/hook, new sms | webhook_create | AccountId=globex, SubscribedEvents=New_Sms | |
is there a webhook to https://x.acme.example/h | account_webhooks_get | | webhook_create |
delete the voice route nobody uses | account_voice_routes_get | | voice_routes_delete | nothing is deleted
get rid of the product nobody has | account_products_get | | products_delete | nothing is deleted
rename the product ESIM-01 to Legacy eSIM | products_update | ProductId=ESIM-01, Description=Legacy eSIM, Type=undefined | |
rename package starter to Basic Voice Monthly | packages_update | PackageId=starter, PackageName=Basic Voice Monthly | |
rename the main sms route to Old SMS today | message_routes_update | MessageRouteId=main sms route, RouteName=Old SMS today | |
rename ava stone to ava stone-miller, she got married | subscribers_update | SubscriberId=ava stone, Name=ava stone-miller | |
dont delete the product, just rename it to Legacy SMS | products_update | Description=Legacy SMS | products_delete subscribers_update | dont delete the product
change workgroup announcement to closed today | workgroups_update | AnnouncementText=closed today, Name=undefined | events_since |
set the announcement of workgroup support to back on monday | workgroups_update | WorkgroupId=Support, AnnouncementText=back on monday | |
`;

/** Facts that ask for a change. */
export const stated: readonly Detailed[] = [FACTS, NOTICES, LOOKUPS, RECORDS].flatMap(detailedIn);
