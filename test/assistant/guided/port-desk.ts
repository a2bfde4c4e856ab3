import { type Detailed, detailedIn } from './details.ts';

/*
 * Orders that are written as lists of values, orders that follow one another, and facts about a port-in that was ordered.
 * In the notation of `details.ts`.
 */

const NEW_PEOPLE = `
add subscrber Nina Patel, nina.patel@globex.example, globex family, number 3475550166 to come | subscribers_create | Name=Nina Patel, Email=nina.patel@globex.example, AccountId=globex family | numbers_lookup numbers_update |
register user Rita Moss rita@acme.example, contact number 212 555 0133, acme mobile | subscribers_create | Name=Rita Moss, AccountId=acme mobile, PhoneNumbers=+12125550133 | numbers_lookup |
kim lee kim@acme.example, acme, subscriber role. create pls | subscribers_create | Name=kim lee, AccountId=acme, Role=Subscriber | |
new sub: Ivy Chen / ivy@acme.example / 3105550144 / acme | subscribers_create | Name=Ivy Chen, AccountId=acme | numbers_lookup |
can you create Ana Ruiz (ana@acme.example, acme) she keeps 2125550101 | subscribers_create | Name=Ana Ruiz, AccountId=acme | |
new subscriber Max Roe, no email yet, acme | subscribers_create | Name=Max Roe, AccountId=acme | |
add subscriber Eva Long, eva@acme.example, acme, role admin, pin 4471 | subscribers_create | Name=Eva Long, Role=Account Admin, AccountId=acme | numbers_portout | the PIN
add subscriber Nina Patel nina@globex.example, number 3475550166 is still at tmobile | subscribers_create | AccountId=undefined | numbers_lookup |
i need to onboard 3 people: Kim Lee kim@acme.example, Raj Rao raj@acme.example, Sue Dunn sue@acme.example, all acme | subscribers_create | Name=Kim Lee, AccountId=acme, Email=kim@acme.example | | Raj Rao (raj@acme.example), Sue Dunn (sue@acme.example) have a button
new subscribers for acme: Kim Lee kim@acme.example; Raj Rao raj@acme.example | subscribers_create | Name=Kim Lee, AccountId=acme | | Raj Rao (raj@acme.example) has a button
onboard two new people at globex: Raj Rao raj@globex.example and Sue Dunn sue@globex.example | subscribers_create | Name=Raj Rao, AccountId=globex | | each of the two is created by itself
`;

const PORTS = `
start a port in for +13105550123, acme mobile, losing acct 55501, authorised Joan Miller, 12 Oak St Springfield IL 62701 | numbers_portin | PortInNumber=+13105550123, CurrentAccountNumber=55501, SubscriberName=Joan Miller, AssignedSubscriberId=acme mobile | numbers_find |
port 6465550181, acme, account 6555018, name Lee Hart | numbers_portin | PortInNumber=+16465550181, CurrentAccountNumber=6555018, SubscriberName=Lee Hart | numbers_order_get |
please port 3475550120 to globex; acct 55501; Joan Miller; 12 Oak St Springfield IL 62701 | numbers_portin | PortInNumber=+13475550120, AssignedSubscriberId=globex, SubscriberName=Joan Miller | numbers_find |
port in 646 555 0172 as mvno for ava | numbers_portin | TargetPortinClassification=mvno, AssignedSubscriberId=ava | |
port 6465550181, iot, for ben | numbers_portin | TargetPortinClassification=iot, AssignedSubscriberId=ben | |
port his mobile number 6465550181 for ben | numbers_portin | TargetPortinClassification=undefined, AssignedSubscriberId=ben | |
port in 646 555 0186, number type voip | numbers_portin | PortInNumber=+16465550186 | | not taken: voip
port in 347 555 0168 as voip not mvno, ben's account, pin comes later | numbers_portin | AssignedSubscriberId=ben, TargetPortinClassification=undefined | | voip
`;

const ORDERS_IN_TURN = `
add subscriber Lena Fox, lena@globex.example for globex, she will port 3475550167 | subscribers_create | Name=Lena Fox, AccountId=globex, PhoneNumbers=undefined | numbers_lookup | “she will port 3475550167” follows
onboard Sam Hill, sam@globex.example, globex, will bring his number 6465550190 over | subscribers_create | Name=Sam Hill, AccountId=globex | | follows once that is done
create Kim Lee kim@acme.example manager, and order her a voip line in 646 | subscribers_create | Name=Kim Lee, Role=Manager | | “order her a voip line in 646” follows
port in 646 555 0173 for ava, then put it on starter | numbers_portin | PortInNumber=+16465550173, AssignedSubscriberId=ava | subscriptions_create | “put it on starter” follows
port 6465550170 for ben and give him the family filter | numbers_portin | PortInNumber=+16465550170, AssignedSubscriberId=ben | numbers_order_get | “give him the family filter” follows
port in 6465550173 for ava and park it | numbers_portin | PortInNumber=+16465550173 | numbers_status | “park it” follows
if 646 555 0174 is portable port it to ben | numbers_portin_eligibility | PhoneNumber=+16465550174 | | the button below
is 404-555-0177 portable? if so start it for ava | numbers_portin_eligibility | PhoneNumber=+14045550177 | | the button below
check 6025550150 and then port it for ben | numbers_portin_eligibility | PhoneNumber=+16025550150 | | the button below
customer wants to bring 404 555 0177 over from verizon, is it portable? | numbers_portin_eligibility | PhoneNumber=+14045550177 | | the button below
add customer ines@roth.io, rename Tom to Tom Reed | help | | |
`;

const FACTS = `
JNUOID-00000000-0000-4000-8000-000000000001 got rejected, zip mismatch, should be 60611 | numbers_portin_update | CurrentBillingAddress=60611 | numbers_order_get |
the name on the account for that chicago port shoud be Robert Lang | numbers_portin_update | SubscriberName=Robert Lang | events_since |
authorized name on 3125550111 should be Carla Reed | numbers_portin_update | OrderId=+13125550111, SubscriberName=Carla Reed | subscribers_update |
3125550111 - wrong zip, 60611 is right | numbers_portin_update | OrderId=+13125550111, CurrentBillingAddress=60611 | numbers_diagnose |
port of 3125550111: customer is now with verizon not att | numbers_portin_update | OrderId=+13125550111, CurrentCarrierName=verizon | numbers_order_get |
new port date for 3125550111 is dec 9 | numbers_portin_update | OrderId=+13125550111, PortInDate=2026-12-09 | numbers_portin |
they want to port on the 15th instead | numbers_portin_update | PortInDate=2026-12-15 | numbers_portin |
order for 3125550111 account is 884411 zip 60611 | numbers_portin_update | CurrentAccountNumber=884411, CurrentBillingAddress=60611 | numbers_lookup |
the pin for 3125550111 is wrong, customer gave us a new one | numbers_portin_update | OrderId=+13125550111 | numbers_lookup |
porting pin changed to 8812 | numbers_portin_update | OrderId=undefined | numbers_find | the PIN is a secret
losing account no is 7781200 for the chicago number | numbers_portin_update | CurrentAccountNumber=7781200 | numbers_find |
fix the zip on the port, 60611 | numbers_portin_update | CurrentBillingAddress=60611 | |
foc moved to dec 11 | numbers_portin_update | PortInDate=2026-12-11 | numbers_portin |
port 3125550190 for ava on dec 9 | numbers_portin | PortInNumber=+13125550190, PortInDate=2026-12-09 | numbers_portin_update |
the port of 3125550111 completed yesterday | numbers_order_get | OrderId=+13125550111 | numbers_portin_update |
we ported 2015550101 in last week, when was that completed? | numbers_order_get | OrderId=+12015550101 | numbers_portin |
`;

const TROUBLES = `
0101 has no data since we ported it in | numbers_diagnose | About=data | numbers_portin |
0104 new customer says no calls coming in since the port in completed | numbers_diagnose | About=calls | numbers_order_get |
ben cant receive sms since his number was ported | numbers_diagnose | About=texts | events_since |
since the port went through 0104 cannot call out | numbers_diagnose | Query=0104 | numbers_portout numbers_portin |
after we swapped his sim 0105 has no signal | numbers_diagnose | Query=0105 | numbers_update |
is tom.baker@example.com already taken | numbers_find | Query=tom.baker@example.com | | does not mean that it is free
is ben@globex.example used already | numbers_find | Query=ben@globex.example | numbers_data_usage_info | does not mean that it is free
who do i ask to get a port approved | help | | events_since | who was asked
who signs off port-ins | help | | events_since | who was asked
`;

const IN_OTHER_WORDS = `
subscriber for acme please: Ravi Menon - ravi.menon@acme.example - 4045550120 - manager | subscribers_create | Name=Ravi Menon, AccountId=acme, Role=Manager | |
enroll Jack Moss under acme, mail jack@acme.example, his old number 3105550166 stays with att for now | subscribers_create | Name=Jack Moss, AccountId=acme | numbers_lookup |
new hire at acme, Tess Moore, tess@acme.example, needs account admin | subscribers_create | Name=Tess Moore, Role=Account Admin, AccountId=acme | |
add Kay West kay@acme.example and Lou Barr lou@acme.example to acme, both plain subscribers | subscribers_create | Name=Kay West, Role=Subscriber | | Lou Barr (lou@acme.example) has a button
port-in 4045550101 / verizon / acct 771-22 / Ina Falk / 12 Elm St, Atlanta GA 30305 | numbers_portin | PortInNumber=+14045550101, CurrentAccountNumber=771-22, CurrentCarrierName=verizon | numbers_portin_update |
start porting 7025550110, account holder Mary Poe, pin 8871, t-mobile | numbers_portin | SubscriberName=Mary Poe, CurrentCarrierName=t-mobile | numbers_portin_update | the PIN
bring over 2065550188, customer Ben Stone at globex, carrier att, acct 1206555, billing name Carl Stone | numbers_portin | AssignedSubscriberId=Ben Stone, AccountId=globex, SubscriberName=Carl Stone | |
port 6465550182 acme account 555 | numbers_portin | CurrentAccountNumber=555, AssignedSubscriberId=acme | numbers_order_get |
port 4155550150 over for ava and once its here put it on the family plan | numbers_portin | PortInNumber=+14155550150 | subscriptions_create | follows once that is done
can 9175550100 be ported? if yes go ahead for ben | numbers_portin_eligibility | | | the button below
see if 9175550101 is eligible and start the port for ava if it is | numbers_portin_eligibility | | | the button below
carrier bounced it, account number has to be 8820-11 | numbers_portin_update | CurrentAccountNumber=8820-11 | |
zip on my port request was a typo, make it 94110 | numbers_portin_update | CurrentBillingAddress=94110 | |
can we move the port of 3125550111 to dec 8 | numbers_portin_update | PortInDate=2026-12-08 | numbers_portin_eligibility |
port in 6465550173 for ava, keep it on the starter plan | numbers_portin | AccountId=undefined, AssignedSubscriberId=ava | |
`;

const ANY_WORDS = `
could you open a customer record for Ella Quist, ella@acme.example, she is on acme, tel 6025550188 | subscribers_create | Name=Ella Quist, AccountId=acme, PhoneNumbers=+16025550188 | |
we signed Otto Lind (otto@globex.example) today, globex family, role manager | subscribers_create | Name=Otto Lind, AccountId=globex family, Role=Manager | events_since |
please add Bea Holt to globex, her mail: bea@globex.example, her number 4255550102 is with verizon today | subscribers_create | Name=Bea Holt, AccountId=globex | events_since |
onboarding: name Ida Roth, mail ida@globex.example, account globex, role subscriber, phone 5035550177 | subscribers_create | Name=Ida Roth, AccountId=globex, Role=Subscriber | subscribers_call_filter_get |
porting request 2125550133: carrier mint mobile, account 55-1200, name Al Gore, zip 10011, for ava | numbers_portin | PortInNumber=+12125550133, CurrentAccountNumber=55-1200, SubscriberName=Al Gore, AssignedSubscriberId=ava | numbers_portin_update |
she wants her verizon number 9175550122 over here, account is 4410-22, for ava | numbers_portin | PortInNumber=+19175550122, CurrentCarrierName=verizon, CurrentAccountNumber=4410-22 | numbers_lookup |
we have a landline 212 555 0192 to port for globex, ben. what date can we have earliest | numbers_portin | AssignedSubscriberId=globex, AccountId=undefined | | ben
port 2125550192 for acme, ava, verizon | numbers_portin | AssignedSubscriberId=ava, AccountId=acme | |
port 4045550178 for margaret stone, shes new, not in the system yet | numbers_portin | AssignedSubscriberId=margaret stone | | has to be a customer first
remove the date from the port of 3125550111 | numbers_portin_update | OrderId=+13125550111 | numbers_portin_cancel | the order itself goes on
the port for +1 312 555 0111 came back: invalid account number. its 99817-3 | numbers_portin_update | CurrentAccountNumber=99817-3 | |
order a mvno number in 312, full line | numbers_provision | ProductType=sms+data+voice | |
0110 has no owner, put it on ava | numbers_update | AssignedSubscriberId=ava, Query=0110 | |
put in note on acct acme that they prefer email | help | | account_update | field for notes
`;

const CORRECTED = `
port 6465550190 in for ava from verizon => erm i mean tmobile | numbers_portin | CurrentCarrierName=tmobile, AssignedSubscriberId=ava | | withdrawn
port 6465550190 in for ava, zip 02139 => my bad zip 02138 | numbers_portin | CurrentBillingAddress=02138 | | withdrawn
port 4045550155 for ava, verizon, acct 77120, zip 30305 => no sorry 77210 | numbers_portin | CurrentAccountNumber=77210, CurrentBillingAddress=30305 | | withdrawn
port 4045550155 for ava, verizon, acct 77120, zip 30305 => er zip's 30306 | numbers_portin | CurrentAccountNumber=77120, CurrentBillingAddress=30306 | | withdrawn
correct the zip of the port of 3125550111 to 60611 => sorry typo, 60612 | numbers_portin_update | CurrentBillingAddress=60612, OrderId=+13125550111 | | withdrawn
add subscriber Nina Patel, nina@globex.example, globex => wait no, thats acme | subscribers_create | AccountId=acme, Name=Nina Patel | | withdrawn
add subscriber Nina Patel, nina@globex.example, globex => hm sorry its spelled Nena Patel | subscribers_create | AccountId=Globex, Name=Nena Patel | | withdrawn
add user Max Orr max@acme.example, acme mobile => oops no, globex family | subscribers_create | AccountId=globex family, Name=Max Orr | | withdrawn
Ben wants to keep his old number 646 555 0177 from T-Mobile, acct 998877, can you port it onto his name | numbers_portin | AssignedSubscriberId=Ben, CurrentAccountNumber=998877 | |
ben reed brings 646-555-0177 from t-mobile, please port it in | numbers_portin | AssignedSubscriberId=ben reed, PortInNumber=+16465550177 | |
port Ben's old number 6465550177 from Sprint onto his name | numbers_portin | AssignedSubscriberId=Ben | |
move my customer's number 3125550144 over to us | numbers_portin | AssignedSubscriberId=undefined | |
move the port of 3125550111 over to Ben Reed | numbers_order_get | OrderId=+13125550111 | numbers_portin | give NUMBER to Ben Reed
0111 port should go to Ben's name not Ava's | numbers_order_get | OrderId=0111 | numbers_portin | give NUMBER to Ben
landline 312-555-0192 needs to come in on 2026-12-09, carrier is AT&T | numbers_portin | PortInDate=2026-12-09, CurrentCarrierName=AT&T | |
wireline 312-555-0192 needs to be brought in from AT&T | numbers_portin | PortInNumber=+13125550192, CurrentCarrierName=AT&T | |
312 555 0192 is moving over to us from mint | numbers_portin | PortInNumber=+13125550192 | numbers_portout |
is 312-555-0192 coming in today | events_since | PhoneNumber=+13125550192 | numbers_portin |
2015550103 is moving over to verizon | numbers_portout | PortOutNumber=+12015550103 | numbers_portin |
Lakeside says the account number for 3125550111 is wrong, should be 46512354 | numbers_portin_update | OrderId=+13125550111, CurrentAccountNumber=46512354 | numbers_diagnose |
the acct no for 312 555 0111 isnt right, right one is 46512354 | numbers_portin_update | CurrentAccountNumber=46512354 | |
account number on +13125550111 is wrong: 46512354 | numbers_portin_update | CurrentAccountNumber=46512354 | |
let me know when +13125550111 has landed | numbers_order_get | OrderId=+13125550111 | numbers_watch | Only lines are watched
notify me as soon as 3125550111 came over | numbers_order_get | OrderId=+13125550111 | numbers_watch message_outbound |
let me know when 0103 has arrived | numbers_watch | Query=0103 | |
port in status of 3125550111 | numbers_order_get | OrderId=+13125550111 | numbers_portin |
status port in 3125550111 | numbers_order_get | OrderId=+13125550111 | numbers_portin |
status of the port of 3125550111 => account number is 99817 they say | numbers_portin_update | CurrentAccountNumber=99817, OrderId=+13125550111 | |
status JNUOID-00000000-0000-4000-8000-000000000001 => the customer wants dec 9 instead | numbers_portin_update | PortInDate=2026-12-09 | numbers_portin |
where is the port of 3125550111 => they told us zip is 60614 | numbers_portin_update | CurrentBillingAddress=60614 | |
where is 3125550111 at? => is it rejected? => ok can we move it to dec 8 | numbers_portin_update | PortInDate=2026-12-08, OrderId=+13125550111 | numbers_portin_eligibility |
swap ben's sim to 8901260862291475012 => is it live already? | events_since | | numbers_find | “swap ben's sim
add subscrber Nina Patel, nina.patel@globex.example, globex family, number 3475550166 to come => whats her id | help | | numbers_lookup | has no id
add subscrber Nina Patel, nina.patel@globex.example, globex family, number 3475550166 to come => now port 3475550166 for her | numbers_portin | PortInNumber=+13475550166, SubscriberName=Nina Patel | | no customer yet
`;

/** Carriers that report or are taken back, numbers that come over, and lines of devices. */
const REPORTED = `
tmobile... sorry Lakeside says the pin on the 0111 port is wrong, correct one is 9080 | numbers_portin_update | OrderId=0111, CurrentCarrierName=undefined | numbers_portin | a secret
verizon, no wait, sorry: the zip on the 0111 port is wrong, should be 60611 | numbers_portin_update | OrderId=0111, CurrentCarrierName=undefined | numbers_portin |
at&t rejected the name on the port of 3125550111, it should be Ava Stone | numbers_portin_update | OrderId=+13125550111, CurrentCarrierName=undefined, SubscriberName=Ava Stone | numbers_portin |
T-Mobile told us the PIN for 3125550111 is wrong | numbers_portin_update | OrderId=+13125550111, CurrentCarrierName=undefined | numbers_portin |
Blue Bird says the account number of the 0111 port should be 778810 | numbers_portin_update | OrderId=0111, CurrentAccountNumber=778810, CurrentCarrierName=undefined | numbers_portin |
the losing carrier of the 0111 port is Blue Bird | numbers_portin_update | OrderId=0111, CurrentCarrierName=Blue Bird | numbers_portin |
losing carrier of 3125550111 is Verizon not AT&T | numbers_portin_update | CurrentCarrierName=Verizon | numbers_portin |
port status 3125550111 and also change ava's line 0101 to caller name Ava Stone | numbers_update | Query=0101, CnamFirstName=Ava, CnamLastName=Stone | numbers_portin_update |
port status of 3125550111 and also rename 0103 to caller name Ben Reed | numbers_update | Query=0103, CnamFirstName=Ben | numbers_portin_update |
status of the port 3125550111, then park 0103 | numbers_status | Query=0103, StatusChange=park | numbers_portin_update |
landline 312-555-0192 coming over from AT&T, acct 5501, can it be here dec 10? | numbers_portin | CurrentCarrierName=AT&T, CurrentAccountNumber=5501 | numbers_portin_update |
3125550193 comes across from Lakeside, account 8810 | numbers_portin | CurrentCarrierName=Lakeside, CurrentAccountNumber=8810 | numbers_portin_update |
porting 3125550190 from Lakeside, acct 771, goes to Globex | numbers_portin | CurrentCarrierName=Lakeside, CurrentAccountNumber=771 | numbers_portin_update |
porting 7735550148 from Blue Bird for ben, acct 5512 | numbers_portin | CurrentCarrierName=Blue Bird, CurrentAccountNumber=5512 | numbers_portin_update |
Globex is moving 3125550177 to us from Comcast, acct no 4410 | numbers_portin | PortInNumber=+13125550177, CurrentAccountNumber=4410 | numbers_portin_update |
port 3125550177 from Comcast, acc nr. 4410-AB | numbers_portin | PortInNumber=+13125550177, CurrentAccountNumber=4410-AB | numbers_portin_update |
porting 2015550103 away to Verizon | numbers_portout | PortOutNumber=+12015550103 | numbers_portin |
get a data sim for the new tracker, 201 area | numbers_provision | NumberType=iot, AreaCode=201, AssignedSubscriberId=undefined | numbers_update | “tracker”
get us a data sim for a meter, area 312 | numbers_provision | NumberType=iot, AreaCode=312 | numbers_update |
order 4 data sims for our sensors in area 415 | numbers_provision | NumberType=iot, AreaCode=415 | numbers_update | one number at a time
activate a data sim for the alarm at acme, area 312 | numbers_provision | NumberType=iot, AreaCode=312 | numbers_status |
need 2 iot sims for globex in 201 | numbers_provision | NumberType=iot, AreaCode=201 | numbers_update |
get a data sim for 0103 | numbers_update | Query=0103 | numbers_provision |
swap the data sim of 0106 | numbers_update | Query=0106 | numbers_provision |
create account Northwind LLC, admin kim@northwind.example, 12 Main St, Chicago, IL 60601 | account_create | AccountName=Northwind LLC, AccountAdmin=kim@northwind.example | subscribers_create |
open account Riverside Clinic, admin joe@riverside.example, 5 Lake St, Austin, TX 78701 | account_create | AccountName=Riverside Clinic | subscribers_create |
I have the consent of the customer, submit the cancellation of 2015550101 | numbers_cancel | PhoneNumbers=+12015550101 | numbers_status |
we got the customer's ok, so park 0105 | numbers_status | Query=0105, StatusChange=park | numbers_cancel |
with her approval: port out 0103 | numbers_portout | Query=0103 | numbers_cancel |
do I have the consent of the customer to cancel 0103? | numbers_find | Query=0103 | numbers_cancel |
Verizon needs a new pin for the 3125550111 port | numbers_portin_update | OrderId=+13125550111, CurrentCarrierName=undefined | numbers_portin |
losing carrier is Verizon, wants zip 60611 on the 3125550111 port | numbers_portin_update | CurrentCarrierName=Verizon | numbers_portin |
ben wants out of 0102, give him a transfer code | numbers_portout | Query=0102 | numbers_update |
send ava a transfer code for 0103 | numbers_portout | Query=0103 | numbers_update |
`;

export const portDesk: readonly Detailed[] = [
  NEW_PEOPLE,
  PORTS,
  ORDERS_IN_TURN,
  FACTS,
  TROUBLES,
  IN_OTHER_WORDS,
  ANY_WORDS,
  CORRECTED,
  REPORTED,
].flatMap(detailedIn);
