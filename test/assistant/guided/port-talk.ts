import { type Detailed, detailedIn } from './details.ts';

/*
 * Specialists for ports and new customers write these: values of an order in any place, what stays, trouble since a port,
 * and questions about rejections and leaving. The rows have the notation of `details.ts`.
 */

const NAMES = `
fix the name on the 3125550111 port to Joan R. Pratt. thanks | numbers_portin_update | OrderId=+13125550111, SubscriberName=Joan R. Pratt | |
her port from T-Mobile was rejected because the name doesnt match, should be Ava M. Stone. can you fix | numbers_portin_update | SubscriberName=Ava M. Stone | |
name on the 3125550111 port is J. P. Morris | numbers_portin_update | SubscriberName=J. P. Morris | |
the authorised person on 3125550111 should be Mary K. O'Neil, thanks | numbers_portin_update | SubscriberName=Mary K. O'Neil | |
rename Ava Stone to Ava M. Stone | subscribers_update | Name=Ava M. Stone, SubscriberId=Ava Stone | |
new customer Tom B. Hale, tom@x.example, acme | subscribers_create | Name=Tom B. Hale | |
port in 7735550148 for ben, carrier verizon, acct 33120, name Ben A. Reed, 12 Oak Ave Chicago IL 60622 | numbers_portin | SubscriberName=Ben A. Reed, AssignedSubscriberId=ben, CurrentCarrierName=verizon | |
subscriber name on the port of 3125550111 is Joan Pratt => sorry, it is Joan R. Pratt | numbers_portin_update | SubscriberName=Joan R. Pratt | |
port in 7735550142 for ava stone, name on the bill Ava Stone | numbers_portin | SubscriberName=Ava Stone, AssignedSubscriberId=ava stone | |
port in 7735550142 for ava, name on acct joan pratt, zip 60614 | numbers_portin | SubscriberName=joan pratt, CurrentBillingAddress=60614 | |
can we port in 773 555 0142 => ok start it then, for ava stone at acme. losing carrier account 88213377, name on acct Ava Stone | numbers_portin | SubscriberName=Ava Stone, AssignedSubscriberId=ava stone, CurrentAccountNumber=88213377 | |
`;

const LABELLED = `
port 3125550111 date to 12/14 | numbers_portin_update | OrderId=+13125550111, PortInDate=2026-12-14 | numbers_portin |
port 3125550111 date to 12/14, keep everything else | numbers_portin_update | PortInDate=2026-12-14 | numbers_portin |
port 3125550111 name to Joan Pratt | numbers_portin_update | SubscriberName=Joan Pratt | numbers_portin |
port 312-555-0111: the zip should be 60614 | numbers_portin_update | CurrentBillingAddress=60614 | numbers_portin |
port 3125550111 account number is now 5512 | numbers_portin_update | CurrentAccountNumber=5512 | numbers_portin |
please port 3125550111 to ava on 12/14 | numbers_portin | AssignedSubscriberId=ava, PortInDate=2026-12-14 | |
port order for 3125550111: correct sim to 8901260882310000044 | numbers_portin_update | ICCID=8901260882310000044 | numbers_order_get |
3125550111 port: sim should be 8901260882310000044 | numbers_portin_update | ICCID=8901260882310000044 | numbers_order_get |
swap the sim of the ported line 2015550103 to 8901260882310000044 | numbers_update/numbers_status | | numbers_portin_update |
3125550111 - customer wants it a week later, dec 14 | numbers_portin_update | OrderId=+13125550111, PortInDate=2026-12-14 | numbers_lookup |
3125550111, she would rather have dec 14 | numbers_portin_update | PortInDate=2026-12-14 | numbers_lookup |
push the port of 3125550111 out a week | numbers_portin_update | OrderId=+13125550111, PortInDate=undefined | numbers_portout | not taken: “a week”
delay the port JNUOID-00000000-0000-4000-8000-000000000001 by two days | numbers_portin_update | PortInDate=undefined | | not taken: “two days”
status JNUOID-00000000-0000-4000-8000-000000000001 => make it a week later | numbers_portin_update | PortInDate=undefined | | not taken: “a week”
`;

const MOVED = `
port 3125550111 carrier to mint mobile | numbers_portin_update | CurrentCarrierName=mint mobile | |
the contact on the port of 3125550111 is Robert J. Lang | numbers_portin_update | SubscriberName=Robert J. Lang | numbers_order_get |
can we get the 3125550111 port two days earlier | numbers_portin_update | PortInDate=undefined | numbers_portin_eligibility | not taken: “two days”
port in 7735550160, account 1101 pin 1111 name Ann Lee | numbers_portin | SubscriberName=Ann Lee, CurrentAccountNumber=1101 | |
3125550111: make the port the 14th | numbers_portin_update | OrderId=+13125550111, PortInDate=2026-12-14 | numbers_portin |
new name for the port of 3125550111: Joan Pratt, the zip stays | numbers_portin_update | SubscriberName=Joan Pratt | |
status of the port of 3125550111 => change the date to dec 14 and keep the rest | numbers_portin_update | PortInDate=2026-12-14 | |
foc moved to dec 11 | numbers_portin_update | PortInDate=2026-12-11 | |
`;

const STAYS = `
fix the name on the 3125550111 port to Joan Pratt => leave the zip as it is | help | | | “zip” is left as it is
fix the name on the 3125550111 port to Joan Pratt => everything else stays the same | help | | | is as it was
fix the name on the 3125550111 port to Joan Pratt => no change to the account number | help | | | is as it was
fix the name on the 3125550111 port to Joan Pratt => no other changes | help | | | is as it was
fix the name on the 3125550111 port to Joan Pratt => the account number is correct | help | | | is left as it is
fix the name on the 3125550111 port to Joan Pratt => keep the rest | help | | | is as it was
the zip on the 3125550111 port is 60614 => and the address stays the same | help | | | is as it was
fix the name on the 3125550111 port to Joan Pratt => keep the name | help | | | is taken back
fix the name on the 3125550111 port to Joan Pratt => leave it as it is | help | | | is taken back
`;

const QUESTIONS = `
2015550102 eligible for port out? | numbers_lookup | | numbers_portin_eligibility numbers_portout | No check says whether a line may leave
is 2015550103 ok to port out | numbers_lookup | | numbers_portout | port-out PIN
are we allowed to port 0104 away | numbers_find | | numbers_portout | port-out PIN
can she take 0105 with her to t-mobile | numbers_find | | numbers_portout | No check says whether a line may leave
reasons for port rejections? | help | | numbers_order_get | differ from its own records
a port bounced, what now | help | | | is corrected
where can i enter the new pin, the old one was wrong | help | | | is corrected
is 0103 portable out to verizon | numbers_find | | numbers_portin_eligibility | port-out PIN
can you port out 0103 | numbers_portout | | |
turn off 2015550104 for good, customer is leaving us | numbers_cancel | | |
how do i resubmit a rejected port | help | | | that the other carrier rejected
why would a port be rejected | help | | numbers_order_get | differ from its own records
customer gave us the wrong pin again, where do i fix it | help | | | is corrected
status JNUOID-00000000-0000-4000-8000-000000000001 => and if it gets rejected? | help | | | is corrected
list all rejected port ins | events_since | | |
is 6465550192 wireline or wireless? | numbers_portin_eligibility | PhoneNumber=+16465550192, TargetClassification=Mobile | |
is 6465550192 wireline or wireless? => if wireline book it for 12/9 | numbers_portin | PortInNumber=+16465550192, PortInDate=2026-12-09 | numbers_order_get | “if wireline” is a condition
is 6465550192 portable? => if so start it for ava | numbers_portin | AssignedSubscriberId=ava | | is a condition
pin for port out on 0103 => whats the pin | help | | | shown once
pin for port out on 0103 => where do i see the code | help | | | shown once
port out pin for 2015550105 please => she says her new carrier needs it by noon, how long is it valid? | help | | numbers_lookup | how long is the port out pin valid
`;

const TROUBLE = `
ben says nobody can text him since he ported in | numbers_diagnose | Query=ben, About=texts | numbers_portin |
nobody can call 0103 since the port | numbers_diagnose | Query=0103, About=calls | |
ava complains that noone can reach her | numbers_diagnose | Query=ava, About=calls | |
customer says people can't text 2015550103 | numbers_diagnose | PhoneNumber=+12015550103, About=texts | |
ben texts dont arrive since the port | numbers_diagnose | Query=ben, About=texts | message_search_get |
line 2015550108 was cancelled by mistake during porting, can she have it back? | numbers_reactivate | PhoneNumber=+12015550108 | numbers_order_get |
0107 was cancelled by mistake, can we get it back before friday? | numbers_reactivate | Query=0107 | |
we cancelled 0108 by accident while porting, bring it back pls | numbers_reactivate | Query=0108 | numbers_order_get |
2015550108 disconnected by mistake, restore it? | numbers_reactivate | PhoneNumber=+12015550108 | |
customer ported in yesterday and has no data on 0105 | numbers_diagnose | Query=0105, About=data | numbers_portin |
ava ported in last week, her texts don't arrive | numbers_diagnose | Query=ava, About=texts | numbers_portin |
was 0107 cancelled by mistake? | numbers_find | Query=0107 | numbers_reactivate |
`;

const SIMS = `
what sim does 0104 have => bind 8901260882310000077 to it | numbers_update | Iccid=8901260882310000077, Query=0104 | numbers_get |
pair 8901260882310000077 with 2015550103 | numbers_update | Iccid=8901260882310000077, Number=+12015550103 | |
what sim is on 0103 => tie 8901260882310000077 to that line | numbers_update | Iccid=8901260882310000077, Query=0103 | numbers_get |
ben wants his esim activated | numbers_find | Query=ben | numbers_status | Show QR code
activate esim for ben | numbers_find | Query=ben | numbers_status | Show QR code
set up esim on 2015550103 | numbers_lookup | | numbers_update | Show QR code
`;

const ORDERS = `
port in these two for globex: 7735550160 acct 4410 pin 1122 and 7735550161 acct 4411 pin 3344 | help | | | one button for each of them
customer on 2015550106 wants to leave us, she needs the transfer pin and her account number | numbers_portout | | | not taken: “her account number”
my pin is [secret removed], port 0101 out | numbers_portout | Query=0101 | numbers_portin_update |
new customer Mia Chan mia@chan.example, acme, wants a 646 number and the starter plan | subscribers_create | Name=Mia Chan, AccountId=Acme | | “wants a 646 number and the starter plan” follows
sign up Paul Orr, paul@orr.example, under globex w/ a new line in 312 | subscribers_create | Name=Paul Orr, AccountId=globex | | follows once that is done
new company Foo Ltd, admin ops@foo.io => add their user Omar Diaz omar@foo.io => get him a number in 415 | numbers_provision | AssignedSubscriberId=Omar Diaz, AreaCode=415 | | “Omar Diaz” is no customer yet
does area 720 have mobile numbers => ok 2 of them for acme, one for ava one for ben | numbers_provision | AreaCode=720, AssignedSubscriberId=acme | numbers_find | not taken: “one for ava one for ben”
does area 720 have mobile numbers => one for ava please | numbers_provision | AreaCode=720, AssignedSubscriberId=ava | |
free voip numbers in 201 => take 3 of those for acme | numbers_provision | AreaCode=201, NumberType=voip | | and not 3
intro text for ben: "hi ben" | message_outbound | Query=ben, Body=hi ben | |
port 7735550160 account 1101 name Ann Lee; 7735550161 account 1202 name Bob Lee | help | | | one button for each of them
any numbers in 305 => i'll take two for globex please | numbers_provision | AreaCode=305, AssignedSubscriberId=globex | | and not two
register Dan Fox, dan@acme.example, acme, with a new number and Starter | subscribers_create | Name=Dan Fox | | follows once that is done
welcome text to ava: "Welcome to Acme! Your line is active." | message_outbound | Query=ava, Body=Welcome to Acme! Your line is active. | |
`;

const READS = `
which package includes PRID-00000000-0000-4000-8000-000000000001 | account_packages_get | | products_get | no search finds a package
which bundle has the product PRID-00000000-0000-4000-8000-000000000002 in it | account_packages_get | | products_get | PRID-00000000-0000-4000-8000-000000000002
is joan pratt a customer already | numbers_find | Query=joan pratt | | Only customers with a line here are searched
show PRID-00000000-0000-4000-8000-000000000001 | products_get | | |
can you confirm 0101 is on the right account, should be globex | numbers_find | | | “should be globex”
does rita alvarez already exist with us? | numbers_find | Query=rita alvarez | | Only customers with a line here are searched
who are we getting 3125550111 from | numbers_order_get | OrderId=+13125550111 | numbers_lookup |
when was 3125550111 submitted | numbers_order_get | OrderId=+13125550111 | numbers_lookup |
are texts coming from 3125550111 | events_since | | numbers_order_get |
anything new on the port for 3125550111? | numbers_order_get | OrderId=+13125550111 | numbers_portin_eligibility |
anything moving on the port for 3125550111? => who is it for and when was it sent in | numbers_order_get | OrderId=+13125550111 | message_details_get |
anything moving on the port for 3125550111? => ok what can i do if they reject it | help | | | is corrected
`;

/** Messages about ports, the trouble after them, and SIMs. */
export const portTalk: readonly Detailed[] = [
  ...[NAMES, LABELLED, MOVED, STAYS, QUESTIONS, TROUBLE, SIMS],
  ...[ORDERS, READS],
].flatMap(detailedIn);
