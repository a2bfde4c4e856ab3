import { type Detailed, detailedIn } from './details.ts';

/*
 * Messages of people on duty: a route or a plan that is named by another line, who decides, what was done by whom, lines by
 * their state, and changes of routes in loose words. In the notation of `details.ts`.
 */

const LINES = `
put 0103 on the same route as 0101 | numbers_update | Query=0103, MessageRouteId=0101, VoiceRouteId=0101 | | routes of texts and of calls of 0101
0102 should use the same message route as 0101 | numbers_update | Query=0102, MessageRouteId=0101, VoiceRouteId=undefined |
route for 0102 is wrong, should be same as 0101 | numbers_update | Query=0102, MessageRouteId=0101, VoiceRouteId=0101 |
whatever trunk 0101 uses, put 0104 on it too | numbers_update | Query=0104, VoiceRouteId=0101, MessageRouteId=undefined |
can you align the sms route of 0105 with 0101 | numbers_update | Query=0105, MessageRouteId=0101 |
set 0101's route to 0103's | numbers_update | Query=0101, MessageRouteId=0103, VoiceRouteId=0103 |
use ava's message route for 0103 | numbers_update | Query=0103, MessageRouteId=ava |
route 0103 like 0101 | numbers_update | Query=0103, MessageRouteId=0101, VoiceRouteId=0101 |
change the route of 0101 to 0103 | numbers_update | MessageRouteId=undefined | | unclear
0103 and 0105 need the sip trunk 0101 is using | numbers_update | VoiceRouteId=0101 | | each of 0103, 0105
put all acme lines on the same sms route as 0102 | numbers_update | MessageRouteId=0102 | | found by “acme”
give 0103 the same plan as 0101 | subscriptions_create | Query=0103, PackageId=0101 |
switch 0105 to the plan 0101 has | subscriptions_update | SubscriptionId=0105, PackageId=0101 |
change 0101's plan to family | subscriptions_update | SubscriptionId=0101, PackageId=family |
who else is on the same route as 0104 | numbers_find | Route=route of 0104, Query=undefined |
which lines share a message route with 0104 | numbers_find | Route=message route of 0104 |
which customers are on ava's plan | numbers_find | Plan=plan of ava |
anybody else using the same trunk as 0105? | numbers_find | Route=voice route of 0105 |
what is the route of 0101 | numbers_find | Query=0101, Route=undefined |
who can approve this? | help | | | set by the owner
who do i ask for approval | help | | | set by the owner
which people can approve | help | | | set by the owner
name me the approvers | help | | | set by the owner
am i the only approver | help | | | set by the owner
who may decide about 0106 | numbers_find | Query=0106 | numbers_cancel | set by the owner
`;

export const duty: readonly Detailed[] = detailedIn(LINES);

/** Questions, and the roles whose people the answer names. */
export const holders: readonly (readonly [says: string, roles: readonly string[]])[] = [
  ['who can approve this?', ['approver']],
  ['whose yes do i need for a cancel', ['approver']],
  ['who is an operator', ['operator']],
  ['reactivate 0107 => who can approve this?', ['approver']],
  ['watch 0103 => who has to approve that', ['operator']],
  ['who approved the cancel of 0104', []],
];
