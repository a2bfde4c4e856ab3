import { type Detailed, detailedIn } from './details.ts';

/* Sentences of a help desk at day, in the notation of `details.ts`. */

const AMOUNTS = `
set 0106 to 500mb and throttle to 64k when she hits 400 | numbers_data_usage_set | LimitValue=500, ThrottleValue=400, Query=0106 | |
slow 0106 to 64k once she reaches 400, limit 500 mb | numbers_data_usage_set | LimitValue=500, ThrottleValue=400 | |
limit 0103 to 5 gb and let us know when she passes 4 | numbers_data_usage_set | LimitValue=5120, NotifyValue=4096 | numbers_watch |
cap 0106 at 500 mb, text us when it gets to 400 mb | numbers_data_usage_set | LimitValue=500, NotifyValue=400 | message_outbound |
put a cap of 3 gig on ben | numbers_data_usage_set | LimitValue=3072, Query=ben | |
put a 5 gb limit on ava stone please | numbers_data_usage_set | LimitValue=5120, Query=ava stone | |
pull up ava stone => put a cap of 3 gig on it | numbers_data_usage_set | LimitValue=3072, Query=ava stone | |
raise 0103 to 8 gb, warn at 7 => make that 10 | numbers_data_usage_set | LimitValue=10240, NotifyValue=7168 | | takes the place
raise 0103 to 8 gb, warn at 7 => no, 10 | numbers_data_usage_set | LimitValue=10240, NotifyValue=7168 | |
slow down 0105 to 128k after 2gb => warn her at 1500 tho | numbers_data_usage_set | ThrottleValue=2048, NotifyValue=1500 | message_outbound |
`;

const ACCOUNTS = `
who's on the globex account | numbers_find | Query=globex, CountBy=Customer | |
everyone under acme mobile | numbers_find | Query=acme mobile, CountBy=Customer | subscribers_create |
who are the people at globex | numbers_find | Query=globex, CountBy=Customer | |
which users are in account Acme | numbers_find | Query=Acme, CountBy=Customer | |
who is on hold | numbers_find | Status=Parked, CountBy=undefined | |
put 0105 on the acme account | numbers_find | Query=0105 | account_update numbers_update | stays in its account
`;

const PORTS = `
cust asks if we can take over her number from t-mobile 7735550142 | numbers_portin_eligibility | PhoneNumber=+17735550142 | numbers_portin |
check if we can port 3125550191 in for ben | numbers_portin_eligibility | PhoneNumber=+13125550191 | numbers_portin | port in 3125550191 for ben
see if 3125550191 could move to us | numbers_portin_eligibility | PhoneNumber=+13125550191 | numbers_portin |
take over her number 7735550142 from t-mobile | numbers_portin | PortInNumber=+17735550142, CurrentCarrierName=t-mobile | |
she wants to switch to us from at&t and keep 7735550142 | numbers_portin | PortInNumber=+17735550142, CurrentCarrierName=AT&T | |
new customer wants to keep her number 7735550142, she is with t-mobile now | numbers_portin | PortInNumber=+17735550142, CurrentCarrierName=t-mobile | |
take 7735550142 over from verizon for ben | numbers_portin | AssignedSubscriberId=ben, CurrentCarrierName=verizon | |
take over 0103 from ava | numbers_find | Query=0103 | numbers_portin numbers_update |
correct the zip on JNUOID-00000000-0000-4000-8000-000000000001, it's 60614 | numbers_portin_update | OrderId=JNUOID-00000000-0000-4000-8000-000000000001 | |
JNUOID-00000000-0000-4000-8000-000000000001 whats the status of this port => carrier wants the right zip, its 60614 | numbers_portin_update | | |
`;

const LISTS = `
who is ava blocking atm | subscribers_call_filter_get | SubscriberId=ava | |
add Ava's mom +13125550188 to the numbers that may always call | subscribers_call_filter_allowed_numbers_add | SubscriberId=Ava, Numbers=+13125550188 | create |
add 3125550188 to the contacts who may text ava | subscribers_message_filter_allowed_contacts_add | SubscriberId=ava, Contacts=+13125550188 | |
let ava's dad +13125550188 always call | subscribers_call_filter_allowed_numbers_add | SubscriberId=ava, Numbers=+13125550188 | |
ava wants her sister +13125550188 to be able to always ring her | subscribers_call_filter_allowed_numbers_add | SubscriberId=ava | _remove |
ben's boss +13125550188 goes on the allowed list | subscribers_call_filter_allowed_numbers_add | SubscriberId=ben | |
who may always call ava | subscribers_call_filter_allowed_numbers_get | | _add |
`;

const QUESTIONS = `
Ben's texts dont arrive, can you see whats wrong? | numbers_diagnose | About=texts, Query=Ben | |
messages to 0104 are not delivered, please look into it | numbers_diagnose | About=texts, Query=0104 | |
ben's mms not sending | numbers_diagnose | About=texts | |
data on 0106 isnt working any idea why | numbers_diagnose | About=data | |
did the text to 2015550101 from yesterday go out? customer says never got it | events_since | PhoneNumber=+12015550101 | | not sent here is not in it
has the message to ben been delivered | events_since | Query=ben | message_outbound | in the messages below
when was the last call of 0103 | events_since | Only=calls | | lists no calls
what numbers did ben call yesterday | events_since | Only=calls | | lists no calls
who's the contact email for ava stone | subscribers_get | SubscriberId=ava stone | |
what happened to my requests from this morning | events_since | Only=actions | | What you asked for
is there an outage? three ppl with no service | distributor_accounts_get | | | answers
`;

const ORDERS = `
Hi, customer Ben calls, hes got a new email ben@globexfam.com and wants his line paused till he's back | numbers_status | StatusChange=park, Query=Ben | | ben@globexfam.com
ben got a new phone and wants his line parked | numbers_status | StatusChange=park, Query=ben | |
0103 is on vacation and wants her line paused | numbers_status | StatusChange=park, Query=0103 | |
sim swap 0105 -> 89014103211118510720, and text her when its done | numbers_update | Iccid=89014103211118510720, Query=0105 | message_outbound | send the text afterwards
park 0103 and text her once it's done | numbers_status | StatusChange=park, Query=0103 | message_outbound | not taken: “text her once it's done”
customer ben: pause line and change name to Benjamin Reed | help | | | “change ben's name to Benjamin Reed”
whats the diff between hold and cancel | help/numbers_cancel | | | You asked about
put the teen filter on bens messages => the one for kids instead | subscribers_message_filter_update | FilterMode=CHILD, SubscriberId=ben | | withdrawn
ben's kid gets weird texts, can we put the teen filter on his line => or better the one for small children | subscribers_message_filter_update | FilterMode=CHILD | | withdrawn
ben wants to know if his line is paused | numbers_find | | numbers_status |
tell ben his sim is on the way | message_outbound | Body=his sim is on the way | | write “your” in place of “his”
tell ben he can pick up the sim | message_outbound | Body=he can pick up the sim | numbers_update | write “you” in place of “he”
text ava: her line is back | message_outbound | Body=her line is back | |
Ava got married, last name is Porter now | subscribers_update | SubscriberId=Ava, Name=Ava Porter | | whole name
change avas last name to porter | subscribers_update | SubscriberId=ava, Name=Ava Porter | |
ava stone is called ava porter now, she got married | subscribers_update | SubscriberId=ava stone, Name=ava porter | |
`;

export const desk: readonly Detailed[] = [AMOUNTS, ACCOUNTS, PORTS, LISTS, QUESTIONS, ORDERS].flatMap(detailedIn);

/** Questions of one line, with the facts that the answer says first. */
export const deskFacts: readonly (readonly [says: string, facts: readonly string[]])[] = [
  ['does 2015550106 do voice or just data', ['calls on', 'data on']],
  ['is 0106 voice capable', ['calls on']],
  ['has 0101 got texting', ['texts on']],
  ['does 0102 have data left', ['left']],
];
