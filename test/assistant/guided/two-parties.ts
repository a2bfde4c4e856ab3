import { type Detailed, detailedIn } from './details.ts';

/* Texts between two parties, yes or no about a named route, and events that come to a webhook or leave it. */

const TEXTS = `
did avas text to +13125550140 go through yesterday | message_search_get | Query=ava | events_since numbers_lookup | only “to +13125550140” and “yesterday”
any texts from +19175550123 to ben reed this week | message_search_get | Query=ben reed | message_outbound | only “from +19175550123” and “this week”
which texts came from +13125550140 to ben | message_search_get | Query=ben | message_outbound | only “from +13125550140”
texts from +13125550140 to 0102 this week | message_search_get | Query=0102 | subscribers_message_filter_get | “from +13125550140” and “this week”
did 3125550144 text ava back | message_search_get | Query=ava | subscribers_message_filter_get message_outbound | from +13125550144
did 0101 text +13125550140 yesterday | message_search_get | Query=0101 | numbers_lookup message_outbound | to +13125550140
did +13125550144 reply to 0101 | message_search_get | Query=0101 | numbers_lookup | from +13125550144
how many messages did ava send to +13125550140 this week | message_search_get | Query=ava | message_outbound | to +13125550140
last messages between ava and 3125550140 | message_search_get | Query=ava | events_since | with +13125550140
text 3125550140 from 0101 | message_outbound | From=0101 | message_search_get
texts of ben last week | message_search_get | Query=ben | events_since | “last week”
texts ben got last night | message_search_get | Query=ben | events_since | “last night” and “received”
read me the texts Ben got last nigth | message_search_get | Query=Ben | events_since | “received”
`;

const RECORDS = `
is the main sip trunk active | voice_routes_get | CallRouteID=main sip trunk | numbers_find voice_routes_update
is the Main SIP trunk route enabled | voice_routes_get | CallRouteID=Main SIP trunk | numbers_find numbers_update
hey is the main sms route still on? | message_routes_get | MessageRouteId=main sms route | numbers_find message_routes_update
is call streaming on for the main sip trunk | voice_routes_get | CallRouteID=main sip trunk | account_voice_routes_get
does the main sip trunk still stream calls | voice_routes_get | CallRouteID=main sip trunk | numbers_find
does the main sip trunk have sip refer | voice_routes_get | CallRouteID=main sip trunk | numbers_find
is ava on the main sip trunk | numbers_find | Query=ava | voice_routes_get
does the front desk record calls | workgroups_get | WorkgroupId=Front Desk | subscribers_call_filter_update
front desk calls shouldnt be recorded any more | workgroups_update | WorkgroupId=Front Desk, RecordCalls=false | help
front desk calls should be recorded | workgroups_update | WorkgroupId=Front Desk, RecordCalls=true | help
turn on sms alerts for the front desk activity | workgroups_activity_update | WorkgroupId=Front Desk, SmsNotification=true | message_outbound
stop streaming calls on main sip trunk | voice_routes_update | CallRouteId=main sip trunk, EnableCallStreaming=false | subscribers_call_filter_blocked_numbers_add
stop call streaming on main sip trunk | voice_routes_update | EnableCallStreaming=false | _add
start streaming calls on the main sip trunk | voice_routes_update | EnableCallStreaming=true | _add
dont stream calls on the main sip trunk any more | voice_routes_update | EnableCallStreaming=false | voice_routes_get
don't record calls at front desk any more | workgroups_update | WorkgroupId=Front Desk, RecordCalls=false | subscribers_call_filter_update
dont send that text to ben any more | numbers_find | Query=ben | message_outbound | You said not to
`;

const WEBHOOKS = `
dont send call events to our webhook any more | webhook_update | WebhookId=undefined | webhook_delete webhook_create | taken off the present entries
stop sending call events to our webhook | webhook_update | | webhook_delete | Call_Ringing is taken off
remove call events from the webhook of acme | webhook_update | WebhookId=acme | webhook_delete | taken off the present entries
no more call events to the acme webhook | webhook_update | WebhookId=acme | webhook_delete | taken off the present entries
the acme webhook doesnt need port updates any more | webhook_update | WebhookId=acme, SubscribedEvents=undefined | webhook_delete | Order_Update is taken off
add new sms events to acmes webhook | webhook_update | WebhookId=acme, SubscribedEvents=New_Sms | webhook_create | New_Sms is added to the present entries
acmes webhook should also get texts | webhook_update | WebhookId=acme, SubscribedEvents=New_Sms | webhook_create | New_Sms is added
acme webhook should only get new texts | webhook_update | WebhookId=acme, SubscribedEvents=New_Sms | webhook_create |
acme webhook moved to https://acme.example/new | webhook_update | WebhookId=acme, WebhookUrl=https://acme.example/new | webhook_create
does the acme webhook get order updates | account_webhooks_get | AccountId=acme | webhook_update
remove the acme webhook | webhook_delete | WebhookId=acme | webhook_update
send everything to https://acme.example/all | webhook_create | WebhookUrl=https://acme.example/all, SubscribedEvents=Order_Update,New_Sms,Call_Completed,Call_On_Hold,Call_Recording,Call_In_Progress,Call_Ringing |
create a webhook for everything to https://acme.example/all | webhook_create | WebhookUrl=https://acme.example/all |
hook for acme https://acme.example/h with order updates | webhook_create | AccountId=acme, WebhookUrl=https://acme.example/h, SubscribedEvents=Order_Update |
create a webhook to https://acme.example/all for new sms and delivery | webhook_create | SubscribedEvents=New_Sms | | no event of a webhook
`;

const FILTERS = `
unknown callers shouldn't reach ava | subscribers_call_filter_update | SubscriberId=ava, BlockUnknownNumbers=true | numbers_diagnose
strangers must not text ben | subscribers_message_filter_update | SubscriberId=ben, BlockUnknownNumbers=true | message_outbound
unknown numbers shouldn't be able to call 0103 | subscribers_call_filter_update | SubscriberId=0103, BlockUnknownNumbers=true | numbers_diagnose
add mom +13125550188 to bens contacts | subscribers_message_filter_allowed_contacts_add | SubscriberId=ben, Contacts=+13125550188 | subscribers_create
remove 3125550188 from ben's contacts | subscribers_message_filter_allowed_contacts_remove | SubscriberId=ben, Contacts=+13125550188 | numbers_cancel
let ben get texts from 3125550122 | subscribers_message_filter_allowed_contacts_add | SubscriberId=ben, Contacts=+13125550122 | message_outbound
3125550199 may call ava again | subscribers_call_filter_blocked_numbers_remove | SubscriberId=ava, Numbers=+13125550199 | _add
can 3125550199 call ava again? | subscribers_call_filter_get | SubscriberId=ava | _remove _add
3125550122 shouldnt be on avas allow list any more | subscribers_call_filter_allowed_numbers_remove | SubscriberId=ava, Numbers=+13125550122 | _add
add vape to bens blocked words | subscribers_message_filter_update | SubscriberId=ben | | adds “vape”
only let mom (+12125550111) and dad (+12125550112) call the kid's line 2015550103 | subscribers_call_filter_update | SubscriberId=+12015550103, FilterMode=WHITELIST, AllowedNumbers=+12125550111++12125550112 | |
on the kid's phone 2015550103 only mom 2125550111 and dad 2125550112 should get through | subscribers_call_filter_update | SubscriberId=+12015550103, AllowedNumbers=+12125550111++12125550112 | |
just mom (2125550111) and the school (3125550199) can call 0103, noone else | subscribers_call_filter_update | SubscriberId=0103, AllowedNumbers=+12125550111++13125550199 | |
allow only grandma +12125550111 and uncle +12125550112 to call ava's line 0103 | subscribers_call_filter_update | SubscriberId=0103, AllowedNumbers=+12125550111++12125550112 | |
0103 may only be called by dad (2125550112) and mom (212-555-0111) | subscribers_call_filter_update | SubscriberId=0103 | |
let mom (+12125550111) call 0103 | subscribers_call_filter_allowed_numbers_add | SubscriberId=0103, Numbers=+12125550111 | _blocked_numbers_add |
let granny (3125550144) through on 0103 | subscribers_call_filter_allowed_numbers_add | SubscriberId=0103, Numbers=+13125550144 | |
dont let dad (+12125550112) call 0103 | subscribers_call_filter_blocked_numbers_add | SubscriberId=0103, Numbers=+12125550112 | _allowed_numbers_add |
his ex (3125550177) isn't allowed to text 0103 | subscribers_message_filter_blocked_contacts_add | SubscriberId=0103, Contacts=+13125550177 | |
0103 may not be called by 3105550188 | subscribers_call_filter_blocked_numbers_add | SubscriberId=0103, Numbers=+13105550188 | | this is about calls
are only mom (2125550111) and dad (2125550112) allowed to call 0103 | numbers_lookup | | _update _add |
customer 2015550103 wants 7185550144 blocked | subscribers_call_filter_blocked_numbers_add | SubscriberId=+12015550103, Numbers=+17185550144 | |
2015550101 wants calls from 646-555-0133 blocked | subscribers_call_filter_blocked_numbers_add | SubscriberId=+12015550101, Numbers=+16465550133 | |
caller on 2015550101 needs 646-555-0133 and 646-555-0134 blocked for texts | subscribers_message_filter_blocked_contacts_add | SubscriberId=+12015550101, Contacts=+16465550133++16465550134 | |
customer 2015550101 wants 2015550103 blocked | subscribers_call_filter_blocked_numbers_add | SubscriberId=+12015550101, Numbers=+12015550103 | |
dont block 646-555-0133 for 2015550101 | subscribers_call_filter_get | Phone=+12015550101 | _blocked_numbers_add | You said not to
is 6465550133 blocked for 2015550101 | subscribers_call_filter_get | Phone=+12015550101 | _blocked_numbers_add |
`;

const LISTS = `
anything rejected since yesterday 6pm | events_since | Only=undefined | | only “rejected”
anything declined today | events_since | Only=actions | | only “declined”
anything approved since monday | events_since | Only=actions | | only “approved”
who asked for the route change on main sms route today | events_since | Only=actions | message_routes_update | only “main sms”
can i get the digest weekly | help | | | posts a digest by itself
do we have a morning digest | help | | events_since | posts a digest by itself
get me a digest of last night | events_since | | | What happened since
tell me when avas port-in goes through | events_since | Only=orders, Query=ava | numbers_portin | Nobody gets a message of their own
texts off for all parked lines | numbers_find | Status=Parked | numbers_update numbers_status | stands for none
turn off texting for all parked lines | numbers_find | Status=Parked | numbers_update numbers_status | "Change a number" needs each
suspend all active lines | numbers_find | Status=Active | numbers_status | Nothing was done
please delete Ben Reed's profile, he left | numbers_find | Query=Ben Reed | numbers_update numbers_cancel | no way to delete a subscriber
delete ava's customer record | numbers_find | Query=ava | numbers_update numbers_cancel | no way to delete a subscriber
dont cancel the 3125550111 port, she just called again and still wants it | help | | numbers_portin numbers_portin_cancel | You said not to
let grandma +13125550166 text the kid on 0103 | subscribers_message_filter_allowed_contacts_add | SubscriberId=0103, Contacts=+13125550166 | message_outbound |
must we reactivate 0107 | numbers_find | Query=0107 | numbers_reactivate | You asked about
`;

export const twoParties: readonly Detailed[] = [
  ...detailedIn(TEXTS),
  ...detailedIn(RECORDS),
  ...detailedIn(WEBHOOKS),
  ...detailedIn(FILTERS),
  ...detailedIn(LISTS),
];
