import { type Detailed, detailedIn } from './details.ts';

/* Messages, routes and what was decided, as team leads write about them. In the notation of `details.ts`. */

const REFUSED = `
don't send that reminder to ben | numbers_find | Query=ben | message_outbound numbers_diagnose | You said not to
please dont send a text to 0102 | numbers_find | Query=0102 | message_outbound numbers_diagnose | You said not to
don't mail the invoice to acme | numbers_find | Query=acme | events_since | You said not to
no need to send the confirmation to ben | numbers_find | Query=ben | message_outbound | You said not to
we should not forward this to globex | numbers_find | Query=globex | message_outbound | You said not to
dont tell me the plan of ava, tell me her limit | numbers_data_usage_settings | Query=ava | | dont tell me the plan
`;

const ROUTES = `
main sip trunk back on please | voice_routes_update | CallRouteId=main sip trunk, RouteEnabled=true | voice_routes_delete |
voice trunk main back on | voice_routes_update | CallRouteId=main voice trunk, RouteEnabled=true | voice_routes_delete |
re-enable main sip trunk | voice_routes_update | CallRouteId=main sip trunk, RouteEnabled=true | voice_routes_delete |
main sms route off please | message_routes_update | MessageRouteEnabled=false | message_routes_delete |
main sip trunk off for an hour | voice_routes_update | RouteEnabled=false | voice_routes_delete | “for an hour”
pause the main sms route | message_routes_update | MessageRouteEnabled=false | message_routes_delete numbers_status |
kill the main sip trunk for now | voice_routes_update | RouteEnabled=false | voice_routes_delete |
delete the main sip trunk | voice_routes_delete | CallRouteId=main sip trunk | voice_routes_update |
is the main sip trunk back on | voice_routes_get | CallRouteID=main sip trunk | voice_routes_update |
main sip trunk is down | voice_routes_get | CallRouteID=main sip trunk | voice_routes_update |
switch on guardian filtering on the sms route main | message_routes_update | MessageRouteId=main sms route, IntelligentRouteEnabled=true, MessageRouteEnabled=undefined | subscribers_guardian_features_set |
turn guardian filtering off for the main sms route | message_routes_update | IntelligentRouteEnabled=false | subscribers_guardian_features_set |
guardian on for sms route main | message_routes_update | IntelligentRouteEnabled=true | subscribers_guardian_features_set |
disable guardian on main sip trunk | voice_routes_update | IntelligentRouteEnabled=false, RouteEnabled=undefined | subscribers_guardian_features_set |
turn on guardian for ben | subscribers_guardian_features_set | SubscriberId=ben | message_routes_update voice_routes_update |
set message url method to GET on the main sms route | message_routes_update | MessageUrlMethod=GET |
main sms route method post | message_routes_update | MessageUrlMethod=POST |
new message route for acme called Acme OTP url https://otp.acme.example/in | message_routes_create | RouteName=Acme OTP |
put 0105 on the other message route | numbers_update | Query=0105, MessageRouteId=undefined | message_routes_update | names none
switch 0105 over to the other text route | numbers_update | Query=0105, MessageRouteId=undefined | message_routes_update | names none
find messages that mention invoice | help | | events_since message_outbound | with the word invoice
search messages for invoice | help | | events_since | with the word invoice
search the texts of 0101 for refund | message_search_get | Query=0101 | | only “refund”
look for the word late in ava's texts | message_search_get | Query=ava | | only “late”
what does it cost to send a text to Canada | help | | message_search_get |
how much is it to text mexico | help | | message_search_get |
change the main sip trunk to port 5080 | voice_routes_update | TrunkPort1=5080 | | Change a voice route.
set the port on the main sip trunk to 5080 | voice_routes_update | CallRouteId=main sip trunk, TrunkPort1=5080 | | Trunk port 1: 5080.
change main sip trunk's port to 5080 | voice_routes_update | TrunkPort1=5080 |
main sip trunk should use port 5061 over tcp | voice_routes_update | TrunkPort1=5061, TrunkTransport1=TCP |
set port 5070 on the backup trunk of main sip trunk | voice_routes_update | CallRouteId=main sip trunk, TrunkPort2=5070, TrunkPort1=undefined | | “backup” is trunk 2
set trunk 1 port to 5065 on the main sip trunk | voice_routes_update | TrunkPort1=5065, TrunkEnabled1=undefined |
what port is the main sip trunk on | account_voice_routes_get/voice_routes_get | | numbers_order_get
create a message route called Backup SMS for Acme that posts to https://backup.acme.example/in | message_routes_create | RouteName=Backup SMS, AccountId=Acme, MessageUrl=https://backup.acme.example/in | | Message URL method.
create a message route called Night for Acme delivering to https://n.example/in | message_routes_create | RouteName=Night, AccountId=Acme, MessageUrl=https://n.example/in | | Message URL method.
text ben that https://track.example/1 has his parcel | message_outbound | |
route for globex texts: https://globex.example/sms, call it Globex SMS | message_routes_create | RouteName=Globex SMS, AccountId=globex, MessageUrl=https://globex.example/sms | message_routes_update
route for acme calls: 203.0.113.9, call it Acme HQ | voice_routes_create | RouteName=Acme HQ, AccountId=acme, TrunkIp1=203.0.113.9 | voice_routes_update
add a delivery receipt url https://acme.example/dlr to the main sms route | message_routes_update | MessageRouteId=main sms route, CallbackMessageUrl=https://acme.example/dlr, MessageUrl=undefined | events_since
put https://acme.example/dlr as receipts address on the main sms route | message_routes_update | MessageRouteId=main sms route, CallbackMessageUrl=https://acme.example/dlr | events_since
show me what invoices acme has | events_since | Only=charges | | no balances
where does the main sms route deliver to | message_routes_get | MessageRouteId=main | numbers_find
where do texts on the main sms route end up | message_routes_get | MessageRouteId=main | help
`;

const TRAFFIC = `
what did 0102 receive this morning | message_search_get | Query=0102 | events_since | “this morning” and “received”
did 0103 get anything today | message_search_get | Query=0103 | events_since | “received”
anything come in on 0104 since 9 | message_search_get | Query=0104 | events_since | “received”.
what went out from 0101 this week | message_search_get | Query=0101 | events_since | “sent”
did ava receive anything yesterday | message_search_get | Query=ava | events_since | “yesterday” and “received”
show me the texts on 0103 from today | message_search_get | Query=0103 | | only “today”.
texts between 0102 and +13125550199 | message_search_get | Query=0102 | subscribers_message_filter_get | only “with +13125550199”.
messages 0101 exchanged with 3125550177 yesterday | message_search_get | Query=0101 | subscribers_message_filter_get | “with +13125550177” and “yesterday”
conversation of ben with 3125550199 | message_search_get | Query=ben | numbers_lookup | “with +13125550199”
any replies from +13125550199 | events_since | Only=messages, PhoneNumber=+13125550199 | numbers_lookup | from +13125550199
did 3125550177 reply | events_since | Only=messages, PhoneNumber=+13125550177 | message_search_get
all failed texts of this week | events_since | Since=7d | | messages of one line at a time
texts that didnt arrive this week | events_since | Since=7d, Only=undefined | | only “didnt arrive”; the platform lists
failed texts of 0104 this week | message_search_get | Query=0104 | numbers_diagnose | “failed” and “this week”
why do texts on 0104 fail | numbers_diagnose | Query=0104 | message_search_get
`;

const REPORTS = `
what was withdrawn | events_since | Only=actions | | only “withdrawn”
what got approved | events_since | Only=actions | | only “approved”
which requests were taken back today | events_since | Only=actions | | only “taken back”
check the voicemail on 0101 | numbers_find | Query=0101 | | has voicemail
listen to the voicemails of ava | numbers_find | Query=ava | | has voicemail
how many numbers are pending delete, by account | numbers_find | Status=Cancelled - Pending Delete, CountBy=Account | | counted by account
`;

const SERVICES = `
give 0104 texting back | numbers_update | MessageEnabled=true, Query=0104 | message_search_get
sms back on for 0104 | numbers_update | MessageEnabled=true, Query=0104 | message_outbound
turn on calls for ava | numbers_update | VoiceEnabled=true, Query=ava | subscriptions_features_assignments_add
let 0104 text again | numbers_update | MessageEnabled=true, Query=0104 | subscribers_message_filter_blocked_contacts_remove
give ava her calls back | numbers_update | VoiceEnabled=true, Query=ava, AssignedSubscriberId=undefined |
restore calls on 0102 | numbers_update | VoiceEnabled=true, Query=0102 |
0106 sms still off? | numbers_find | Query=0106 | message_search_get numbers_update
text from 0103 to ben: parcel is at the desk | message_outbound | From=0103, Body=parcel is at the desk, Query=ben | message_search_get
ping ava on 0101 that her sim is in the mail | message_outbound | Body=her sim is in the mail, Query=0101 | message_search_get
main trunk needs tls | voice_routes_update | CallRouteId=main trunk, TrunkTransport1=TLS | voice_routes_create
main trunk should use tls | voice_routes_update | CallRouteId=main trunk, TrunkTransport1=TLS | numbers_update
main sms route needs basic auth | message_routes_update | MessageRouteId=main sms route, MessageAuthenticationType=Basic | message_routes_create
let callbacks of main sms route go to https://cb.acme.example/r | message_routes_update | MessageRouteId=main sms route, CallbackMessageUrl=https://cb.acme.example/r | numbers_find
front desk should ring everyone at once | workgroups_update | WorkgroupId=Front Desk, Type=simultaneous |
make reception round robin | workgroups_update | WorkgroupId=Reception, Type=round-robin |
let the front desk ring one after the other | workgroups_update | WorkgroupId=Front Desk, Type=round-robin |
stop sms notices at front desk | workgroups_activity_update | WorkgroupId=Front Desk, SmsNotification=false | | SMS notification: off
turn on mail alerts for sales | workgroups_activity_update | WorkgroupId=Sales, EmailNotification=true | | Email notification: on.
is call recording on at the front desk | workgroups_get | WorkgroupId=Front Desk | workgroups_update
let nobody unknown text ben | subscribers_message_filter_update | BlockUnknownNumbers=true, SubscriberId=ben |
no one unknown may call ava | subscribers_call_filter_update | BlockUnknownNumbers=true, SubscriberId=ava |
keep unknown numbers away from ben | subscribers_call_filter_update | BlockUnknownNumbers=true, SubscriberId=ben |
let unknown people text ben | subscribers_message_filter_update | BlockUnknownNumbers=false, SubscriberId=ben |
tell globex customers: new office hours from monday | message_outbound | Body=new office hours from monday | | each of the lines found by “globex”
text acme people: we are closed | message_outbound | Body=we are closed | | each of the lines found by “acme”
number of routes we have | account_voice_routes_get | | numbers_find
what did the night shift do | events_since | Since=2026-11-21T18:00:00.000Z |
park all lines at once | help | | workgroups_update
`;

const SETTINGS = `
stop the guardian bypass for incoming on Main SMS route | message_routes_update | MessageRouteId=Main SMS route, InboundBypass=false, IntelligentRouteEnabled=undefined | |
inbound bypass on for main sms route pls | message_routes_update | MessageRouteId=main sms route, InboundBypass=true | |
dont skip guardian on outgoing texts of the main sms route | message_routes_update | OutboundBypass=false, IntelligentRouteEnabled=undefined | |
skip filtering for outgoing on Main SMS route | message_routes_update | OutboundBypass=true, IntelligentRouteEnabled=undefined | |
bypass off for the main sms route | message_routes_update | InboundBypass=undefined, OutboundBypass=undefined | | a bypass each
is inbound bypass on for the main sms route? | account_message_routes_get/message_routes_get | | message_routes_update |
basic auth for Main SMS route, user acme-in | message_routes_update | MessageRouteId=Main SMS route, MessageAuthenticationType=Basic, MessageUsername=acme-in | |
main sms route should use bearer authentication | message_routes_update | MessageAuthenticationType=Bearer | |
no auth on the main sms route | message_routes_update | MessageAuthenticationType=None | |
mms URL to https://x.example/mms for main sms route | message_routes_update | MessageRouteId=main sms route, MessageUrl=https://x.example/mms | |
add a delivery receipt url https://acme.example/dlr to the main sms route | message_routes_update | CallbackMessageUrl=https://acme.example/dlr, MessageUrl=undefined | |
trunk priority of main sip trunk 1 to 20 | voice_routes_update | CallRouteId=main sip trunk, Trunk1Priortiy=20 | |
weight of main sip trunk 2 should be 5 | voice_routes_update | CallRouteId=main sip trunk, Trunk2Weight=5 | |
use tcp for the main trunk | voice_routes_update | CallRouteId=main trunk, TrunkTransport1=TCP | |
main sip trunk transport to udp | voice_routes_update | CallRouteId=main sip trunk, TrunkTransport1=UDP | |
change the host of main sip trunk to sip2.example.com | voice_routes_update | CallRouteId=main sip trunk, TrunkIp1=sip2.example.com | |
add a second trunk sip2.example.com to the main sip trunk | voice_routes_update | CallRouteId=main sip trunk, TrunkIp2=sip2.example.com, TrunkIp1=undefined | voice_routes_create |
point trunk 2 of main sip trunk at gw.carrier.example | voice_routes_update | TrunkIp2=gw.carrier.example | |
turn off cnam lookups on the main sip trunk | voice_routes_update | CallRouteId=main sip trunk, CnamLookup=false | |
cnam lookup on for the trunk | voice_routes_update | CnamLookup=true | |
new voice route called Backup with host sip.example.com port 5060 | voice_routes_create | RouteName=Backup, TrunkIp1=sip.example.com, TrunkPort1=5060 | voice_routes_update |
create a sip trunk Backup at sip.example.com, port 5060, tls | voice_routes_create | RouteName=Backup, TrunkIp1=sip.example.com, TrunkTransport1=TLS | voice_routes_update |
need a voice route for Globex named Globex Out at sip.globex.example:5061 tcp | voice_routes_create | RouteName=Globex Out, TrunkPort1=5061, AccountId=Globex | voice_routes_update |
need another sms route for Globex called Globex In, url https://g.example/in | message_routes_create | RouteName=Globex In, AccountId=Globex | message_routes_update |
make a voice route for acme that forwards to 3125550144, name it Holiday forward | voice_routes_create | RouteName=Holiday forward, AccountId=acme | |
put 0103 on the main sip trunk | numbers_update | VoiceRouteId=main sip trunk | voice_routes_update |
delete the trunk sip.example.com | voice_routes_delete | | voice_routes_update |
`;

const WEBHOOKS = `
webhook WID-00000000-0000-4000-8000-000000000009 to xml please | webhook_update | WebhookId=WID-00000000-0000-4000-8000-000000000009, DataFormat=xml | webhook_create |
stop sending new sms events to WID-00000000-0000-4000-8000-000000000009 | webhook_update | WebhookId=WID-00000000-0000-4000-8000-000000000009 | webhook_delete subscribers_message_filter_blocked_contacts_add |
add call ringing to webhook WID-00000000-0000-4000-8000-000000000009 | webhook_update | WebhookId=WID-00000000-0000-4000-8000-000000000009 | webhook_create |
we want call ringing events at https://cc.globex.example/calls, globex only | webhook_create | AccountId=globex | |
add webhook https://ops.acme.example/ev for order updates, just acme | webhook_create | AccountId=acme | |
add webhook https://ops.acme.example/ev for order updates only | webhook_create | AccountId=undefined | |
`;

const PRODUCTS = `
esim profile costs 5 dollars now | products_update | ProductId=esim profile, Cost=5 | numbers_update |
the esim profile should cost 5.50 | products_update | ProductId=esim profile, Cost=5.5 | numbers_update |
make ESIM-01 a one time charge | products_update | ProductId=ESIM-01, BillingFrequency=NRC | products_create |
bill DATA-05 monthly from now on | products_update | ProductId=DATA-05, BillingFrequency=MRC | products_create |
DATA-05 billing to monthly please | products_update | ProductId=DATA-05, BillingFrequency=MRC | |
is ESIM-01 billed monthly? | events_since | | products_update |
make a product ESIM-02 one time 5 usd | products_create | SKU=ESIM-02 | products_update |
`;

const ASKED_AND_SENT = `
gimme a summary of the night, just acme | events_since | Query=acme | numbers_update |
recap of the night pls, globex only | events_since | Query=globex | |
what did @lee do today | events_since | By=lee | |
show all calls to 0101 since noon | events_since | Only=calls, Query=0101 | |
calls to 0101 today | events_since | Only=calls, Query=0101 | |
calls to 0101 fail | numbers_diagnose | About=calls | events_since |
calls on 0104 dont come in since the trunk change | numbers_diagnose | About=calls | numbers_update |
0103 has no calls after the trunk edit | numbers_diagnose | About=calls | numbers_update |
audit for 0104 | events_since | Query=0104 | |
turn message guard on for Ava Stone | subscribers_guardian_features_set | SubscriberId=Ava Stone, EnableIntelligentGuardianMessages=true | |
message guard off for Ava Stone | subscribers_guardian_features_set | SubscriberId=Ava Stone, EnableIntelligentGuardianMessages=false | |
is call guard on for ben | subscribers_guardian_features_get | SubscriberId=ben | subscribers_guardian_features_set |
send 0103 the picture https://acme.example/map.png with "we moved" from 0101 | message_outbound | Body=we moved, From=0101, MmsMedia=https://acme.example/map.png | |
text 0103 from 0101 "see the picture https://acme.example/map.png" | message_outbound | MmsMedia=undefined | |
`;

export const messagesAndRoutes: readonly Detailed[] = [
  ...detailedIn(REFUSED),
  ...detailedIn(ROUTES),
  ...detailedIn(SETTINGS),
  ...detailedIn(WEBHOOKS),
  ...detailedIn(PRODUCTS),
  ...detailedIn(ASKED_AND_SENT),
  ...detailedIn(TRAFFIC),
  ...detailedIn(REPORTS),
  ...detailedIn(SERVICES),
];
