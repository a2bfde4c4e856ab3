import { type Detailed, detailedIn } from './details.ts';

/*
 * Records that a sentence names without their noun, and parts that an order adds to one. In the notation of `details.ts`.
 */

const ROUTES = `
send delivery receipts of the main sms route to https://hooks.acme.example/dlr | message_routes_update | MessageRouteId=main sms route, CallbackMessageUrl=https://hooks.acme.example/dlr, MessageUrl=undefined
deliver status updates of the main sms route at https://hooks.acme.example/dlr | message_routes_update | CallbackMessageUrl=https://hooks.acme.example/dlr, MessageUrl=undefined
point call events of the main voice route to https://hooks.acme.example/v | voice_routes_update | CallbackVoiceUrl=https://hooks.acme.example/v, VoiceUrl=undefined
redirect the main sms route to https://hooks.acme.example/receipts | message_routes_update | MessageUrl=https://hooks.acme.example/receipts, CallbackMessageUrl=undefined
add a second trunk 192.0.2.20 port 5062 udp to main sip trunk | voice_routes_update | CallRouteId=main sip trunk, TrunkIp1=undefined, TrunkIp2=192.0.2.20, TrunkPort2=5062, TrunkTransport2=UDP | voice_routes_create
add another trunk 192.0.2.20 to the main sip trunk | voice_routes_update | CallRouteId=main sip trunk, TrunkIp1=undefined, TrunkIp2=192.0.2.20 | voice_routes_create | “another” is trunk 2
give the main sip trunk a failover trunk at 192.0.2.20 | voice_routes_update | CallRouteId=main sip trunk, TrunkIp2=192.0.2.20 | voice_routes_create
main sip trunk needs a second trunk, 192.0.2.20 port 5062 | voice_routes_update | CallRouteId=main sip trunk, TrunkIp2=192.0.2.20 | voice_routes_create
set up a backup sip trunk for globex at 192.0.2.20 | voice_routes_create | AccountId=globex
is main sip trunk ok | voice_routes_get | CallRouteID=main sip trunk | voice_routes_update
hey is main sms route working | message_routes_get | MessageRouteId=main sms route | message_routes_update
where does main sms route deliver to | message_routes_get | MessageRouteId=main sms route | message_routes_update
stop cnam lookup on main sip trunk | voice_routes_update | CnamLookup=false, RouteEnabled=undefined
turn off sip refer on night shift | voice_routes_update | EnableSipRefer=false, RouteEnabled=undefined
`;

const GROUPS = `
take 0101 out of front desk and put 0105 there | workgroups_activity_update | WorkgroupId=Front Desk, PhoneNumber=0105 | numbers_cancel numbers_update
remove 0101 from the front desk and add 0105 | workgroups_activity_update | WorkgroupId=Front Desk, PhoneNumber=0105 | numbers_cancel
0101 out, 0105 in at the front desk | workgroups_activity_update | PhoneNumber=0105 | numbers_cancel
remove 0101 from ben and give it to ava | numbers_update | AssignedSubscriberId=ava | workgroups_activity_update
sms the front desk member when a call is missed | workgroups_activity_update | WorkgroupId=Front Desk, SmsNotification=true | message_outbound
front desk member should get an sms on missed calls | workgroups_activity_update | SmsNotification=true | message_outbound
email the front desk member when a call is missed | workgroups_activity_update | EmailNotification=true, SmsNotification=undefined | message_outbound
stop texting the front desk members | workgroups_activity_update | SmsNotification=false | message_outbound
no more emails to the front desk member | workgroups_activity_update | EmailNotification=false | message_outbound
stop the sms notifications of the workgroup activity | workgroups_activity_update | SmsNotification=false, WorkgroupId=undefined | message_outbound
text ava when a call is missed | numbers_find | Query=ava | workgroups_activity_update message_outbound
when callers press 2 on the front desk send them to 3125550170 | workgroups_activity_update | DigitOrder=2, PhoneNumber=3125550170 | numbers_update
callers who press 2 at reception get 0103 | workgroups_activity_update | WorkgroupId=Reception, DigitOrder=2, PhoneNumber=0103 | numbers_update
if they press 3 on front desk forward to 0103 | workgroups_activity_update | DigitOrder=3, PhoneNumber=0103 | numbers_update
who does the front desk ring? | workgroups_get | WorkgroupId=Front Desk | workgroups_activity_update
which number rings first at the front desk | workgroups_get | WorkgroupId=Front Desk |
who does reception ring | workgroups_get | WorkgroupId=Reception |
whose phone rings at the front desk | workgroups_get | WorkgroupId=Front Desk |
who does ben call | events_since | | workgroups_get
who is on the main sms route | numbers_find | Route=main sms route | workgroups_get
is 0101 in the front desk | workgroups_get | WorkgroupId=Front Desk |
show the front desk | workgroups_get | WorkgroupId=Front Desk |
rename the front desk to Welcome | workgroups_update | WorkgroupId=Front Desk, Name=Welcome | subscribers_update
please rename reception to Main Desk | workgroups_update | WorkgroupId=Reception, Name=Main Desk | subscribers_update
pause the front desk | workgroups_get | WorkgroupId=Front Desk | numbers_status | No operation switches a workgroup
switch reception back on | workgroups_get | WorkgroupId=Reception | numbers_reactivate numbers_status | No operation switches a workgroup
turn the front desk off for the holidays | workgroups_get | WorkgroupId=Front Desk | numbers_status numbers_cancel |
deactivate the front desk workgroup | workgroups_get | WorkgroupId=Front Desk | numbers_cancel | No operation switches a workgroup
front desk announcement should say we are closed | workgroups_update | WorkgroupId=Front Desk, AnnouncementText=we are closed | numbers_cancel
change the front desk announcement to "We are closed today" | workgroups_update | WorkgroupId=Front Desk, AnnouncementText=We are closed today | numbers_cancel
turn email notifcations on for front desk | workgroups_activity_update | WorkgroupId=Front Desk, EmailNotification=true, SmsNotification=undefined
email notifications off for sales please | workgroups_activity_update | WorkgroupId=Sales, EmailNotification=false
disable sms notifications at support | workgroups_activity_update | WorkgroupId=Support, SmsNotification=false
start recording calls at the front desk | workgroups_update | WorkgroupId=Front Desk, RecordCalls=true
stop recording calls at front desk | workgroups_update | WorkgroupId=Front Desk, RecordCalls=false
stop recording calls in the workgroup Front desk | workgroups_update | WorkgroupId=Front Desk, RecordCalls=false
record calls in the workgroup Front desk | workgroups_update | WorkgroupId=Front Desk, RecordCalls=true
put 0103 on digit 2 of front desk | workgroups_activity_update | WorkgroupId=Front Desk, DigitOrder=2, PhoneNumber=0103 | numbers_update
in the front desk workgroup let digit 1 ring 0103 | workgroups_activity_update | WorkgroupId=Front Desk, DigitOrder=1, PhoneNumber=0103 | | the member at digit 1
make the front desk ring 0103 first instead of 0101 | workgroups_activity_update | WorkgroupId=Front Desk, PhoneNumber=0103, DigitOrder=undefined | subscribers_call_filter_create | the member with 0101
ring 0103 instead of 0101 at the front desk | workgroups_activity_update | WorkgroupId=Front Desk, PhoneNumber=0103 | | the member with 0101
replace 0101 with 0103 in the front desk workgroup | workgroups_activity_update | WorkgroupId=Front Desk, PhoneNumber=0103 | workgroups_update | the member with 0101
change the reception number from 0101 to 0103 | workgroups_activity_update | WorkgroupId=Reception, PhoneNumber=0103 | | the member with 0101
sales should call 0104 not 0103 | workgroups_activity_update | WorkgroupId=Sales, PhoneNumber=0104 | | the member with 0103
0103 takes over from 0101 at support | workgroups_activity_update | WorkgroupId=Support, PhoneNumber=0103 | | the member with 0101
put 0104 first in the front desk | workgroups_activity_update | WorkgroupId=Front Desk, PhoneNumber=0104, DigitOrder=1 | numbers_update
front desk should ring 0105 before 0101 | workgroups_activity_update | WorkgroupId=Front Desk, PhoneNumber=undefined | | the member with 0105
email front desk when option 1 gets a call | workgroups_activity_update | WorkgroupId=Front Desk, EmailNotification=true | | the member at digit 1
stop texting option 2 of front desk about calls | workgroups_activity_update | WorkgroupId=Front Desk, SmsNotification=false | | the member at digit 2
front desk option 2 should use digit 5 instead of 3 | workgroups_activity_update | WorkgroupId=Front Desk, DigitOrder=5 | | the member at digit 3
change digit 3 of reception to 4 | workgroups_activity_update | WorkgroupId=Reception, DigitOrder=4 | | the member at digit 3
take 0101 out of the front desk workgroup | workgroups_get | WorkgroupId=Front Desk | workgroups_activity_update | No operation adds a member
upgrade 0103 instead of 0101 | numbers_find | | workgroups_activity_update
park 0103 not 0101 | numbers_status | | workgroups_activity_update
text 0103: front desk option 2 is down, use 0101 instead of 0103 | message_outbound | | workgroups_activity_update
who is in the front desk workgroup | workgroups_get | WorkgroupId=Front Desk | workgroups_update
who is in front desk | workgroups_get | WorkgroupId=Front Desk | workgroups_update
send front desk calls to 0103 | workgroups_activity_update | WorkgroupId=Front Desk, PhoneNumber=0103 | numbers_update numbers_status | the member that is meant
front desk calls should land on 0105 | workgroups_activity_update | WorkgroupId=Front Desk, PhoneNumber=0105 | numbers_update
route reception calls to 0105 | workgroups_activity_update | WorkgroupId=Reception, PhoneNumber=0105 | voice_routes_update
record the calls on front desk | workgroups_update | WorkgroupId=Front Desk, RecordCalls=true | subscribers_call_filter_update
can you record front desk calls | workgroups_update | WorkgroupId=Front Desk, RecordCalls=true | subscribers_call_filter_update
transcribe the front desk recordings | workgroups_update | WorkgroupId=Front Desk, TranscribeRecordings=true | workgroups_activity_update
stop transcribing front desk | workgroups_update | WorkgroupId=Front Desk, TranscribeRecordings=false |
switch front desk to round robin | workgroups_update | WorkgroupId=Front Desk, Type=round-robin |
front desk greeting: we are closed | workgroups_update | WorkgroupId=Front Desk, AnnouncementText=we are closed | message_outbound
change the front desk greeting to: hi you reached demo | workgroups_update | WorkgroupId=Front Desk, AnnouncementText=hi you reached demo | message_outbound
have the front desk say "we are closed today" | workgroups_update | WorkgroupId=Front Desk, AnnouncementText=we are closed today | message_outbound
what do callers hear at the front desk | workgroups_get | WorkgroupId=Front Desk | workgroups_update
front desk hours should be 9 to 5 | workgroups_update | WorkgroupId=Front Desk | | a schedule of the platform
text 0103 that front desk calls go to 0105 | message_outbound | Body=front desk calls go to 0105 | workgroups_activity_update
list the workgroups | account_workgroups_get |
turn recording on for the whole account | help | | workgroups_update | no route, line or account
turn on recording for one week | help | | workgroups_update | no route, line or account
turn on call recording for ava | subscribers_call_filter_update | SubscriberId=ava | workgroups_update
`;

export const namedRecords: readonly Detailed[] = [...detailedIn(ROUTES), ...detailedIn(GROUPS)];

/** Orders whose name may be that of a workgroup, which surfaces look up. */
export const ofGroups: readonly (readonly [says: string, operation: string, name: string])[] = [
  ['turn on call recording for ava', 'workgroups_update', 'ava'],
  ['let the heber office ring 0103 instead of 0101', 'workgroups_activity_update', 'Heber Office'],
  ['option 3 of the hotline should ring 0104', 'workgroups_activity_update', 'Hotline'],
  ['start recording calls at the heber office', 'workgroups_update', 'heber office'],
];
