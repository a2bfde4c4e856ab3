import { type Detailed, detailedIn } from './details.ts';

/*
 * Questions, corrections and withdrawals of the change that is at hand: the one that is offered, or that the answer before
 * tells about. In the notation of `details.ts`.
 */

const LINES = `
bring back 0107 => how much is she charged for it | help | | events_since | costs: 5 USD
bring back 0107 => does she have to pay for that | help | | events_since | costs: 5 USD
bring back 0107 => what will she be charged | help | | events_since | costs: 5 USD
bring back 0107 => is she billed for this | help | | events_since | costs: 5 USD
bring back 0107 => what does the starter package cost | account_packages_get
bring back 0107 => how much did she pay last month | events_since
bring back 0107 => whos on 0103 => how much is that | help | | events_since | costs: 5 USD
bring back 0107 and 0108 => how much is that | help | | | 10 USD for these 2, 5 USD each
reactivate 0107, 0108 => what will that cost us | help | | | 10 USD for these 2
0107 was cancelled by mistake, can we get it back => does that cost her anything | help | | events_since | "Reactivate a cancelled number" costs: 5 USD
is 0107 reactivatable => how much is that | help | | events_since | You asked about "Reactivate a cancelled number"
can 0108 be brought back => whats the fee | help | | events_since | You asked about "Reactivate a cancelled number"
port in 3125550150 for ava => when will it be done | help | | numbers_order_get | You asked about "Port a number in"
customer wants to bring her number 3125550150 over => how long does that usually take | help | | numbers_order_get | You asked about "Port a number in"
how close is 0101 to the limit => and what happens when she hits it? | help | | events_since | You asked about "Set data limits"
what limits are set on 0103 => what happens once he goes over it | help | | events_since | You asked about "Set data limits"
what limits are set on 0103 => double it | numbers_data_usage_set | Query=0103 | numbers_update | double the data limit of 0103
data limit of ben? => halve that please | numbers_data_usage_set | Query=ben | numbers_update
need to put 2015550105 on hold => can i take the hold off again later? => sorry meant 0103 not 0105 | numbers_status | StatusChange=park, Query=0103 | numbers_find | which is withdrawn
put 0105 on hold => whos on 0103 => no wait 0103 not 0105 | numbers_status | StatusChange=park, Query=0103 | | which is withdrawn
cancel 0104 => what plan is 0104 on => it was 0106, not 0104 | numbers_cancel | Query=0106 | | which is withdrawn
can we port in 312-555-0144 => ok yes lets do it, for ava stone, acme | numbers_portin | PortInNumber=+13125550144, AssignedSubscriberId=ava stone | numbers_order_get
is 312-555-0144 portable => go ahead for ava | numbers_portin | PortInNumber=+13125550144, AssignedSubscriberId=ava
cancel 0110 => withdraw the cancel of 0110 | help | | numbers_reactivate | is taken back
park 0104 => take the park back | help | | numbers_find | is taken back
block calls and texts from 6465550111 for ava => hang on thats her dentist, unblock that number | subscribers_call_filter_blocked_numbers_remove | | | which is withdrawn
allow 2025550123 to call ben => wait no, take that number off his allow list | subscribers_call_filter_allowed_numbers_remove | | | withdrawn
how is the batch going => pause it | help | | numbers_status | A batch is paused
is my batch done => stop that please | help | | numbers_status | A batch is stopped
block 2125550177 for ava => whats on her list now | subscribers_call_filter_get | SubscriberId=ava | numbers_find
block 2125550177 for ava => who is on her block list | subscribers_call_filter_get | SubscriberId=ava | numbers_find
where do inbound texts for 0101 go => and voice? | numbers_find | Query=0101 | | where do inbound calls for 0101 go
are texts on for 0104 => and calls? | numbers_find | Query=0104 | | are calls on for 0104
last 10 messages from 0101 => any failed? | message_search_get | Query=0101 | numbers_diagnose | Only those that failed
messages of 0101 => how many of those failed | message_search_get | Query=0101 | numbers_diagnose
make a webhook for acme https://cb.acme.example/x for calls => change it so it gets new sms too | webhook_create | AccountId=acme, SubscribedEvents=New_Sms,Call_Completed,Call_On_Hold,Call_Recording,Call_In_Progress,Call_Ringing | message_search_get
park 0103 => change it so it starts monday | numbers_status | StatusChange=park, EffectiveDate=11/23/2026, Query=0103 | numbers_find
block 2125550177 for ava => make it include 2125550188 too | subscribers_call_filter_blocked_numbers_add | Numbers=+12125550188, SubscriberId=ava
stop telling me about the port of 3125550111 | numbers_watch | Stop=true | numbers_portin_cancel
stop notifying us about 0103 | numbers_watch | Stop=true, Query=0103 | numbers_status
`;

export const atHand: readonly Detailed[] = detailedIn(LINES);
