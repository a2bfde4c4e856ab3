import { type Detailed, detailedIn } from './details.ts';

/**
 * English words near to words of the vocabulary, ports that are to wait, what comes next for a line, and calls that are to
 * ring elsewhere.
 */
const LINES = `
new token for the webhook | webhook_update |  | webhook_create webhook_delete | type the new token
the webhook token leaked, change it | webhook_update |  | webhook_create webhook_delete | type the new token
secret for the hook got leaked, rotate it | webhook_update |  | webhook_create webhook_delete | type the new secret
customer deceased, cancel 0105 | numbers_cancel | Query=0105 | numbers_data_usage_set |
i suspect fraud on 0103, pause it | numbers_status | StatusChange=park, Query=0103 | numbers_cancel |
is 0103 in stock | numbers_find | Query=0103 | numbers_status numbers_update |
tested 0103, works | numbers_find | Query=0103 | message_outbound |
put ben's port on hold | help |  | numbers_status numbers_portin | cannot be paused
pause the port of 3125550111 | numbers_order_get | OrderId=+13125550111 | numbers_status | cannot be paused
hold off on porting 3125550111 | numbers_order_get | OrderId=+13125550111 | numbers_status numbers_portin | cannot be paused
put ben on hold | numbers_status | StatusChange=park, Query=ben | numbers_cancel |
is 12065550142 something we could port | numbers_portin_eligibility | PhoneNumber=+12065550142 | numbers_portin |
would she be able to bring 12065550142 over? | numbers_portin_eligibility | PhoneNumber=+12065550142 | numbers_portin |
check if 4155552391 can be ported for ben | numbers_portin_eligibility | PhoneNumber=+14155552391 | numbers_portin |
what happens to 0108 on sunday | numbers_find | Query=0108 | numbers_cancel |
what will happen to 0108 next week | numbers_find | Query=0108 | numbers_cancel |
what happened to 0108 on sunday | events_since | Query=0108 | numbers_cancel | what happened
how much is left on 0101 this month | numbers_find | Query=0101, Data=true | numbers_data_usage_set |
voice on 0104 should go to sip:desk@acme.example | numbers_find | Query=0104 | numbers_update | by a voice route
make 0103 ring ava's landline as well | numbers_find | Query=0103 | numbers_update subscribers_call_filter_create | by a voice route
stop sending events to the old hook | webhook_delete/webhook_update |  | message_outbound |
customer found the phone again, 0104 back on | numbers_status | StatusChange=activate, Query=0104 | numbers_cancel |
she found it, 0104 can go live again | numbers_status | StatusChange=activate, Query=0104 | numbers_cancel |
ava is out of data, top up 1 gb | numbers_data_usage_set | Query=ava | numbers_status | add 1024 MB
ben used up his data, add 2 gb | numbers_data_usage_set | Query=ben | numbers_status | add 2048 MB
top up 0101 to 3 gb | numbers_data_usage_set | LimitValue=3072, Query=0101 | numbers_status |
which numbers could i give a new customer | numbers_availability |  | numbers_provision subscribers_create |
export all acme subscribers to csv | numbers_find | Query=acme | numbers_update | was not understood
take 0104 off the network | numbers_find | Query=0104 |  | for now or for good
set callback url of the main sms route to https://hooks.acme.example/cb | message_routes_update | CallbackMessageUrl=https://hooks.acme.example/cb, MessageUrl=undefined | message_routes_create |
did i cancel 0110 or not | events_since | Query=0110 | numbers_cancel | what was done here
did we park 0103 or not | events_since | Query=0103 | numbers_status | what was done here
what's our rate limit | help |  | numbers_data_usage_set | 120 requests
`;

/** Messages that go on with amounts, and with one of several lines. */
const THREADS = `
set 0101 to 5gb => 5gb is too little, 8 | numbers_data_usage_set | LimitValue=8192, Query=0101 | |
how much data has 0101 used and whats the limit => set it to 5gb => hmm 5gb is too little, 8 => warn at 80 percent | numbers_data_usage_set | LimitValue=8192, NotifyValue=6554 | |
cap 0103 at 500 mb => 500 is way too low, 800 | numbers_data_usage_set | LimitValue=800 | |
pls cap 0101 at 2 GB and throttle at 1.5gb, notify at 1 gb => make it 4 / 3 / 2 | numbers_data_usage_set | LimitValue=4096, ThrottleValue=3072, NotifyValue=2048 | |
cap 0101 at 3gb, warn at 2gb => 5 and 4 please | numbers_data_usage_set | LimitValue=5120, NotifyValue=4096 | |
set the limit of 0101 to 3000 mb, throttle 128 | numbers_data_usage_set | LimitValue=3000, ThrottleSpeed=128-kbps, Query=0101 | |
look up 0101, 0103 and 0105 => set their data limit to 3000 mb, throttle 128 | numbers_data_usage_set | LimitValue=3000, PhoneNumbers=0101+0103+0105 | | “their” is read as
who are 0101 and 0103 => raise their limit to 2 gb | numbers_data_usage_set | LimitValue=2048, PhoneNumbers=0101+0103 | |
what ip is trunk 2 of the main sip trunk => set it to 203.0.113.7 | voice_routes_update | TrunkIp2=203.0.113.7, TrunkIp1=undefined | voice_routes_create |
cancel 0106 => can she get it back | help |  | numbers_reactivate |
cancel 0106 => can we get it back | help |  | numbers_reactivate |
cancel 0106 => will he be able to have his number back later? | help |  | numbers_reactivate |
put 0105 on starter => not the line, just the package | subscriptions_create | PackageId=starter, Query=0105 | subscriptions_delete | leaves the line as it is
`;

export const everydayWords: readonly Detailed[] = [...detailedIn(LINES), ...detailedIn(THREADS)];
