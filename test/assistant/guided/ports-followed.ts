import { type Detailed, detailedIn } from './details.ts';

/* Messages after the check or the offer of a port-in, and facts about its order, in the notation of `details.ts`. */

const CHECKED = `
is +13125550191 portable? => why not | numbers_portin_eligibility | PhoneNumber=+13125550191 | numbers_order_get |
is +13125550191 portable? => how come | numbers_portin_eligibility | PhoneNumber=+13125550191 | numbers_order_get |
eligibility check for 3125550192 pls => so what date do i have to put | numbers_portin_eligibility | PhoneNumber=+13125550192 | numbers_order_get | A landline needs a port-in date
can we port in 312-555-0144 => ok yes lets do it, for ava stone, acme | numbers_portin | PortInNumber=+13125550144, AssignedSubscriberId=ava stone | numbers_order_get |
can we port in 312-555-0144 => lets do it for ava | numbers_portin | PortInNumber=+13125550144, AssignedSubscriberId=ava | |
can we port in 312-555-0144 => great, go ahead with the port for ben reed | numbers_portin | PortInNumber=+13125550144, AssignedSubscriberId=ben reed | |
can we port in 312-555-0144 => dont do it yet | help | | numbers_portin numbers_order_get | only checked
can we port in 312-555-0144 => how many days does it take | help | | numbers_order_get | Port a number in
customer wants to bring her number 3125550150 over => how long does that usually take | help | | numbers_order_get | Port a number in
`;

const FACTS = `
losing carrier is actually Mint Mobile, not T-Mobile | numbers_portin_update | CurrentCarrierName=Mint Mobile | numbers_order_get | not T-Mobile
losing carrier is actually Mint Mobile, not T-Mobile => JNUOID-00000000-0000-4000-8000-000000000001 | numbers_portin_update | CurrentCarrierName=Mint Mobile, OrderId=JNUOID-00000000-0000-4000-8000-000000000001 | |
old provider was Cricket | numbers_portin_update | CurrentCarrierName=Cricket | |
the sim for that port is 89012403971900019999 | numbers_portin_update | ICCID=89012403971900019999 | numbers_order_get |
billing address on the 0111 port is 900 W Lake St, Chicago, IL 60607 | numbers_portin_update | OrderId=0111, CurrentBillingAddress=900 W Lake St+Chicago+IL+60607 | |
name on her port should be Sofia Marin | numbers_portin_update | SubscriberName=Sofia Marin | |
wrong name on the port, should be Sofia Marin => the one for 0111 | numbers_portin_update | SubscriberName=Sofia Marin, OrderId=0111 | numbers_order_get |
wrong name on the port, should be Sofia Marin => its 312 555 0111 | numbers_portin_update | SubscriberName=Sofia Marin, OrderId=+13125550111 | |
correct the port order JNUOID-00000000-0000-4000-8000-000000000001 account number to 5567812 => pin is wrong too, she said [secret removed] => and zip should be 60614 not 60641 | numbers_portin_update | CurrentAccountNumber=5567812, CurrentBillingAddress=60614 | |
`;

const OFFERED = `
port 347 555 0123 from t-mobile for ava => account number there is 88213345 and the pin she will give me later | numbers_portin | CurrentAccountNumber=88213345, PortInNumber=+13475550123 | numbers_portout |
port 347 555 0123 from t-mobile for ava, account number 88213345, pin comes tomorrow | numbers_portin | CurrentAccountNumber=88213345 | numbers_portout |
set a port-out pin for 0102 tomorrow | numbers_portout | Query=0102 | |
port in 3475550123 from t-mobile for ava => losing carrier is actually Mint Mobile, not T-Mobile | numbers_portin | CurrentCarrierName=Mint Mobile, PortInNumber=+13475550123 | |
add subscriber tom becker tom@globex.example to globex family pls => oh and his number will be 0110 | subscribers_create | Name=tom becker, PhoneNumbers=0110 | |
new subscriber Lena Ortiz lena@acme.example acme mobile => she gets 0110 | subscribers_create | Name=Lena Ortiz, PhoneNumbers=0110 | |
new customer: Mara Lindqvist, mara@globex.example, globex family => she brings her number over from verizon, 312-555-0144 | numbers_portin | SubscriberName=Mara Lindqvist, CurrentCarrierName=verizon | | is no customer yet
need a new line for ben reed, area code 201, sms and voice => main sms route and the sip trunk | numbers_provision | MessageRouteId=main, VoiceRouteId=sip trunk | |
need a new line for ben reed, area code 201, sms and voice => no data on it | help | | numbers_diagnose | without data there is sms-only
new line for ben reed, area 201, sms and data => no texts | numbers_provision | ProductType=data-only, AreaCode=201 | |
move 0105 to the sip trunk | numbers_update | VoiceRouteId=sip trunk, Query=0105 | |
`;

/** Messages in threads about ports and new customers. */
export const portsFollowed: readonly Detailed[] = [CHECKED, FACTS, OFFERED].flatMap(detailedIn);
