import { type Detailed, detailedIn } from './details.ts';

/*
 * Messages that continue earlier ones of their writer, which stand before " => ". In the notation of `details.ts`: what the
 * last message becomes, what it must never become, and what the answer says.
 */

const LINES = `
does ava have a limit on 0101 => remove it | numbers_data_usage_set | Query=0101 | numbers_cancel | the limit of 0101
does 0105 have a data cap => get rid of that | numbers_data_usage_set | Query=0105 | numbers_cancel
what plan is 0101 on => take it off | subscriptions_delete | SubscriptionId=0101 | numbers_cancel
does ava have a limit on 0101 => remove it => and on 0103? | numbers_data_usage_settings | Query=0103 | numbers_cancel
whats the caller name on 0103 => remove it | help | | numbers_cancel | What “it” means is unclear
lost phone, number 2015550103 => yes suspend it | numbers_status | StatusChange=park, PhoneNumbers=+12015550103 | numbers_cancel
cap 0103 at 5gb, warn at 4 => 4.5 for the warning | numbers_data_usage_set | LimitValue=5120, NotifyValue=4608, Query=0103 | | withdrawn
set 0105 to 10 gb and tell them at 8 => 8.5 rather for the warning | numbers_data_usage_set | LimitValue=10240, NotifyValue=8704, Query=0105
pls block 8005550177 for ava => texts from that one too => oh sorry its 8005550171 not 77 | subscribers_call_filter_blocked_numbers_add | Numbers=+18005550171, SubscriberId=ava | numbers_lookup
msg 0101 from 0103: your order is ready for pick up => change pick up to delivery | message_outbound | Body=your order is ready for delivery, From=0103 | subscriptions_update
sim swap for ava, new one is 8901260555566667777 => sorry last digit is an 8 | numbers_update | Iccid=8901260555566667778, Query=ava
freeze 0104 => scratch that, she only wanted calls off | help | | numbers_find | she only wanted calls off
new line for ben, 646 area => mobile not voip | numbers_provision | NumberType=mvno, AreaCode=646 | | goes on with
new line for ben, 646 area => mobile not voip => and sim 89012601111222233334 | numbers_provision | NumberType=mvno, ICCID=89012601111222233334, AreaCode=646 | numbers_get
send ava on 0101 a text => from 0103: 'please call your mother' | message_outbound | Body=please call your mother, From=0103, Query=0101 | message_search_get
lines 0101, 0103 and 0105 => cap them all at 5 gb => leave 0103 out => and slow down to 1 mbps at 4 gb | numbers_data_usage_set | LimitValue=5120, ThrottleValue=4096, ThrottleSpeed=1-mbps
cap 0103 at 5 gb => and slow down to 1 mbps at 4 gb | numbers_data_usage_set | LimitValue=5120, ThrottleValue=4096, ThrottleSpeed=1-mbps, Query=0103
filters of ben => ok make one for texts, child level => sorry adolescent i meant | subscribers_message_filter_update/subscribers_message_filter_create | FilterMode=ADOLESCENT, SubscriberId=ben | | withdrawn
allow only grandma 2025550181 to call ben => and the school, 2025550182 | subscribers_call_filter_update | AllowedNumbers=+12025550181++12025550182, SubscriberId=ben | numbers_lookup | the school
new voice route for acme called Desk => trunk ip 203.0.113.9 => tls please | voice_routes_create | TrunkTransport1=TLS, TrunkIp1=203.0.113.9 | numbers_find
set up a webhook for https://hooks.example.com/in => put | webhook_create | Method=PUT | numbers_update
change ava's name => Ava Miller | subscribers_update | Name=Ava Miller, SubscriberId=ava
block 2025550171 for ava => both | subscribers_call_filter_blocked_numbers_add | Numbers=+12025550171 | _remove | calls and texts
pls block 8005550177 for ava => texts from that one too | subscribers_message_filter_blocked_contacts_add | Contacts=+18005550177 | message_search_get
sim swap for ava, new one is 8901260555566667777 => put the old one back | help | | numbers_update | taken back
give 0110 to ben => ok leave it where it is then | help | | numbers_update | taken back
portout pin for 2015550104 => how long is it valid => wait wrong line, i meant 0106 | numbers_portout | Query=0106 | numbers_find
orphan 2015550110, give it to ben => is that free of charge? | help | | events_since
acme lines => the voip one only | numbers_find | Product=voip, Query=acme
what happened since 6pm yesterday => and for globex? | events_since | Query=globex | numbers_find
which lines are parked => and for acme? | numbers_find | Status=Parked, Query=acme
what packages are there => put 0106 on it | subscriptions_create | PackageId=listedonly, Query=0106 | numbers_update | the package of the list
what packages are there => whats in the first one | packages_items_get | PackageId=listedfirst | | first package of the list
message routes => rename the second one to Front | message_routes_update | MessageRouteId=listedsecond message route, RouteName=Front | | second message route of the list
webhooks => delete the last one | webhook_delete | WebhookId=listedlast | numbers_cancel | last webhook of the list
what packages are there => drop it to 9.99 a month | packages_update | PackageId=listedonly, Price=9.99, Monthly=true | packages_delete
what packages are there => drop it to 9.99 a month => no sorry 8.99 | packages_update | Price=8.99 | packages_delete | withdrawn
drop the esim product to 3.50 | products_update | ProductId=esim, Cost=3.5 | products_delete
voice routes => set trunk 2 to 198.51.100.7 udp port 5060 | voice_routes_update | TrunkIp2=198.51.100.7, TrunkTransport2=UDP, CallRouteId=undefined |
cancel the hold on 0103 => turn 0103 back on => can you switch 0103 back on please | numbers_status | StatusChange=activate, Query=0103 | numbers_reactivate
block 2025550171 for ava => 2025550172 is her mum | numbers_lookup/help/subscribers_call_filter_get | | subscribers_call_filter_blocked_numbers_add
change starter price to 9.99 => 12 | packages_update | Price=12, PackageId=starter | | withdrawn
set ben's message filter to child => 2025550188 | numbers_lookup/help | | subscribers_message_filter_update
park 0103, she comes back dec 14 | numbers_status | StatusChange=park, EffectiveDate=11/22/2026 | numbers_cancel | does not end by itself
park 0103 => she is back on dec 14 | numbers_status | StatusChange=park, EffectiveDate=11/22/2026 | | does not end by itself
activate 0103 on dec 14, she is back then | numbers_status | StatusChange=activate, EffectiveDate=12/14/2026
where are we with 3125550111 => actually cancel the whole port | numbers_portin_cancel | OrderId=+13125550111 | numbers_cancel
show me the voice route for acme => primary trunk moves to 203.0.113.40 port 5070 => and leave the secondary as it is | help | | numbers_find | “secondary” is left as it is
move the port date of 3125550111 to monday dec 7 | numbers_portin_update | PortInDate=2026-12-07
block 3125550171 and 3125550172 for 0101 => just 3125550171 | subscribers_call_filter_blocked_numbers_add | Numbers=+13125550171, SubscriberId=0101 | | withdrawn
block spam callers 3125550171 and 3125550172 on avas line => only the second one | subscribers_call_filter_blocked_numbers_add | Numbers=+13125550172 | numbers_lookup | withdrawn
block 3125550171, 3125550172 and 3125550173 for ben => no, only 3125550171 and 3125550173 | subscribers_call_filter_blocked_numbers_add | Numbers=+13125550171++13125550173
turn off voice on 0103 => and turn on texts | numbers_update | VoiceEnabled=undefined, MessageEnabled=true, Query=0103
turn on texts on 0103 => turn off calls | numbers_update | MessageEnabled=undefined, VoiceEnabled=false, Query=0103
turn off voice on 0103 => and texts too | numbers_update | VoiceEnabled=false, MessageEnabled=false
what packages are there => suspend 0103 | numbers_status | Query=0103 | packages_delete
park 0103 => text ava "hi" | message_outbound | Body=hi |
block 2025550171 for ava => send ben a text saying hello | message_outbound | Body=hello | _remove
cap 0103 at 5 gb => whats her plan | numbers_find | | numbers_data_usage_set
cap 0103 at 5 gb => 0105 has no data either | numbers_find/numbers_diagnose | | numbers_data_usage_set
park 0103 => sorry, 0105 | numbers_status | StatusChange=park, Query=0105 | numbers_cancel | takes the place of “park 0103”
park 0103 => wrong one, I meant 0106 | numbers_status | StatusChange=park, Query=0106 | numbers_cancel | withdrawn
cancel 0110 => oh no, not 0110, 0101 | numbers_cancel | Query=0101 | | withdrawn
text 0101 "hello" => no, to 0104 | message_outbound | Body=hello, Query=0104 | | withdrawn
text Ava "see you at 5" => wait, to Ben | message_outbound | Body=see you at 5, Query=Ben | | withdrawn
set the limit of 0101 to 3 gb => no, 4 gb | numbers_data_usage_set | LimitValue=4096, Query=0101 | | withdrawn
park 0103 from Monday => rather from Tuesday | numbers_status | EffectiveDate=11/24/2026, Query=0103 | numbers_cancel | withdrawn
park 0103 until Dec 3 => make it Dec 10 | numbers_status | EffectiveDate=11/22/2026 | numbers_cancel | does not end by itself on 2026-12-10
new line for Ben in 385 => sorry, in 801 | numbers_provision | AreaCode=801 | | withdrawn
block +13125550177 for Ava => sorry, for Ben | subscribers_call_filter_blocked_numbers_add | SubscriberId=Ben, Numbers=+13125550177 | _remove | withdrawn
block +13125550177 for Ava => and for Ben | subscribers_call_filter_blocked_numbers_add | SubscriberId=Ben | _remove | like the message before
park 0103 and 0104 => no, 0105 | numbers_find | Query=0105 | numbers_status numbers_cancel | does not say what to do
0105 usage => and 0106? | numbers_data_usage_info | Query=0106 |
find 0105 => cancel it | numbers_cancel | Query=0105 | | “it” is read as 0105
show 0104 => put it on hold | numbers_status | StatusChange=park, Query=0104 | numbers_cancel | “it” is read as 0104
find Ava => block +13125550155 for her | subscribers_call_filter_blocked_numbers_add | SubscriberId=Ava, Numbers=+13125550155 | _remove | “her” is read as Ava
data usage of 0105 => set its limit to 50 mb | numbers_data_usage_set | LimitValue=50, Query=0105 | | “its” is read as 0105
find Ben => text him "your line is ready" | message_outbound | Body=your line is ready, Query=Ben | | “him” is read as Ben
find 0106 => suspend that line | numbers_status | StatusChange=park, Query=0106 | numbers_cancel | “that line”
park 0103 => 0104 is stuck, cancel it | numbers_cancel/numbers_find/numbers_diagnose | Query=0104 | numbers_status
reactivate 0107 => what does that cost | help | | | costs: 5 USD
reactivate 0108 => and does that cost anything? | help | | | costs: 5 USD
cancel 0105 => no, forget it | help | | numbers_cancel | “cancel 0105” is taken back
cancel 0104 => nope, never mind | help | | numbers_cancel | is taken back
what plan is 0103 on => change it to Starter | subscriptions_create | PackageId=Starter, Query=0103 | numbers_update | “it” is read as 0103
which plan has Ava => ok switch her to starter please | subscriptions_create | PackageId=starter, SubscriberId=Ava | numbers_update | “her” is read as Ava
what plan is 0103 on => park it | numbers_status | StatusChange=park, Query=0103
0103 on hold? => take it off | numbers_status | StatusChange=activate, Query=0103 | numbers_cancel
look up Ben Reed => the webhook is broken, delete it | webhook_delete | WebhookId=undefined | numbers_cancel
wheres the port of 3125550111 => cancel it | numbers_portin_cancel | OrderId=+13125550111 | numbers_cancel | “it” is read as the port of 3125550111
port status 3125550111 => ok call it off pls | numbers_portin_cancel | OrderId=+13125550111 | numbers_cancel | “it” is read as the port
is the port of 3125550111 done => no? then cancel | numbers_portin_cancel | OrderId=+13125550111 | numbers_cancel | read as “cancel the port of 3125550111”
did 3125550111 port over yet => please cancel that order | numbers_portin_cancel/numbers_order_get | OrderId=+13125550111 | numbers_cancel
why is the port of 3125550111 stuck => the customer is staying with AT&T | numbers_portin_cancel | OrderId=+13125550111 | subscribers_create numbers_cancel | read as “cancel the port of 3125550111”
which port ins are stuck => cancel the one for 3125550111 | numbers_portin_cancel | OrderId=+13125550111 | numbers_cancel
wheres the port of 3125550111 => when will it be done | numbers_order_get | OrderId=+13125550111 | numbers_cancel numbers_lookup
wheres the port of 3125550111 => correct the zip to 60614 | numbers_portin_update | OrderId=+13125550111 | numbers_find
wheres the port of 3125550111 => dont cancel it yet | numbers_lookup/numbers_order_get | | numbers_cancel numbers_portin_cancel
port in 3125550190 => cancel it | help | | numbers_cancel numbers_lookup | is taken back
port in 3125550190 => forget it, customer changed his mind | help | | numbers_cancel numbers_lookup | is taken back
need port out pin for 0102 => she is staying after all | help | | numbers_portout | is taken back
new line for globex, area code 312 => cancel it | help | | numbers_cancel | is taken back
suspend 0103 => cancel it | help | | numbers_cancel | write “cancel 0103”
suspend 0103 => cancel that | help | | numbers_cancel | write “cancel 0103”
suspend 0103 => cancel that line | numbers_cancel | Query=0103
what plans do we have => cancel that | help | | numbers_cancel | What “that” means is unclear
what happened today => stop it | help | | numbers_cancel
who put 0103 on hold => undo it | numbers_status | StatusChange=activate, Query=0103 | numbers_cancel
who cancelled 0107 => undo that | numbers_reactivate | Query=0107 | numbers_cancel
is 0103 on hold? => cancel it | help | | numbers_cancel numbers_status | “lift the hold on 0103”
set 0103 to 5gb => make it 3 | numbers_data_usage_set | LimitValue=3072, Query=0103 | | read as “set 0103 to 3gb”
set 0103 to 5gb => actually 10 and same for 0101 | numbers_data_usage_set | LimitValue=10240, PhoneNumbers=0103+0101 | | withdrawn
put ava on the family plan => no, the basic one | subscriptions_create | PackageId=basic, SubscriberId=ava | | withdrawn
new customer Dana Whitfield => its Whitfeld without the i | subscribers_create | Name=Dana Whitfeld | | withdrawn
new customer Dana Whitfield, dana@whit.example => give her 0110 | numbers_update | AssignedSubscriberId=Dana Whitfield, Query=0110 | | is no customer yet
hold 0103 => done? did it go thru | events_since | Query=0103 | numbers_status
block 9005551234 on 0101 => unblock it again | subscribers_call_filter_blocked_numbers_remove | Numbers=+19005551234, SubscriberId=0101 | _add
block 9005551234 on 0101 => what else is blocked there | subscribers_call_filter_get | Query=0101 | _add _remove | “there” is read as 0101
show 0101 and 0103 => suspend the second one | numbers_status | StatusChange=park, Query=0103 | numbers_cancel | “the second one” is read as 0103
show 0101 and 0103 => suspend both | numbers_status | StatusChange=park, PhoneNumbers=0101+0103 | numbers_cancel
who worked on 0102 this week => and last week | events_since | Query=0102 | | read as “who worked on 0102 last week”
suspend 0105 => not her, ava stone | numbers_status | StatusChange=park, Query=ava stone | numbers_cancel | withdrawn
cancel 0104 => oh no thats the wrong customer | help | | numbers_cancel | is taken back
reactivate 0107 => too expensive, leave it | help | | numbers_reactivate numbers_cancel | is taken back
cancel 0104 => suspend instead | numbers_status | StatusChange=park, Query=0104 | numbers_cancel
show me 0103 => and 0105 => suspend them both | numbers_status | PhoneNumbers=0103+0105 | numbers_cancel
slow 0106 to 128kbps after 2gb => make it 256 | numbers_data_usage_set | ThrottleSpeed=256-kbps, ThrottleValue=2048 | | withdrawn
block 9005551234 for ava => and for texts too | subscribers_message_filter_blocked_contacts_add | SubscriberId=ava, Contacts=+19005551234 | _remove
block 9005551234 for ava => is it blocked now | subscribers_call_filter_get | SubscriberId=ava | _add _remove | whether +19005551234
hold 0103 => until friday | numbers_status | StatusChange=park, Query=0103 | numbers_cancel | does not end by itself
hold 0103 => starting monday | numbers_status | EffectiveDate=11/23/2026, Query=0103 | numbers_cancel | goes on with “hold 0103”
hold 0103 => he lost his phone | help | | numbers_cancel numbers_find | changes nothing
hold 0103 => her data is slow | numbers_diagnose | Query=0103 | numbers_status
new customer Dana Whitfield => email is dana@whit.example | subscribers_create | Name=Dana Whitfield, Email=dana@whit.example
set 0103 to 5gb => warn at 4 | numbers_data_usage_set | LimitValue=5120, NotifyValue=4096 | message_outbound
port in 3125550190 for ava => its with verizon | numbers_portin | CurrentCarrierName=verizon, PortInNumber=+13125550190
wheres the port of 3125550111 => pin was wrong, its 4471 | numbers_portin_update | OrderId=+13125550111 | numbers_diagnose
who cancelled 0107 => ask them why | help | | numbers_diagnose | asks nobody
what happened last night => and before that? | help | | | Write the time in full
text 0101 "hi" => from 0104 | message_outbound | To=0101, From=0104, Body=hi
who is 0104 => text her your sim is ready | message_outbound | Body=your sim is ready, Query=0104
put 0103 on hold til dec 3 => no, open end | help | | numbers_cancel numbers_status | was not understood
is the transfer of 3125550111 complete => nope she wants to keep her old carrier | numbers_portin_cancel | OrderId=+13125550111 | numbers_cancel subscribers_create
port status of 3125550111 => whats the hold up | numbers_order_get | OrderId=+13125550111 | numbers_status
any update on the 3125550111 port => abort abort | numbers_portin_cancel | OrderId=+13125550111 | numbers_cancel
wheres the port of 3125550111 => what happens if i cancel it | help | | numbers_cancel | You asked about "Cancel a port-in order"
bring over 4155550177 from verizon => hold off on that | help | | numbers_status numbers_cancel | is taken back
suspend 0101 => cancel the suspension | help | | numbers_cancel numbers_status | is taken back
who parked 0105 this morning => take it off again | numbers_status | StatusChange=activate, Query=0105 | numbers_cancel
who parked 0105 this morning => did they say why | events_since | Query=0105 | numbers_status
cancel 0104 => is that reversible | help | | numbers_cancel | You asked about "Cancel numbers"
freeze 0102 => 0103 as well | numbers_status | StatusChange=park, Query=0103 | numbers_cancel
freeze 0102 => not frozen yet, why | events_since | Query=0102 | numbers_status
limit 0102 to 2 gig => i said 3 gig not 2 | numbers_data_usage_set | LimitValue=3072, Query=0102
bump 0101 to 10gb => back to 5 | numbers_data_usage_set | LimitValue=5120, Query=0101
text 0104 "see you at 5" => 6 not 5 | help | | message_outbound | was not understood
block 2125550100 for 0102 => that number belongs to his mom, unblock | subscribers_call_filter_blocked_numbers_remove | Numbers=+12125550100, SubscriberId=0102 | _add
block 2125550100 for 0102 => who else is blocked | subscribers_call_filter_get | Query=0102 | _add _remove
add customer Jon Peterson => Peterson with two s | help | | subscribers_create | Write the name in full
add customer Jon Peterson => and text him welcome | message_outbound | Body=welcome, Query=Jon Peterson | | is no customer yet
show me 0104's texts => only from today | message_search_get | Query=0104 | events_since | only “today”
park 0103 but only today | numbers_status | StatusChange=park, Query=0103 | numbers_cancel | does not end by itself
show me 0101 => cancel it, no wait, hold it | numbers_find | Query=0101 | numbers_cancel
show me 0101 => cancel but not before friday | numbers_cancel | Query=0101 | | cannot be scheduled for 2026-11-27
show me 0101 => turn off texts | numbers_update | MessageEnabled=false, Query=0101 | numbers_cancel
show me 0101 => usage | numbers_data_usage_info | Query=0101
show me ava stone => cancel both | help | | numbers_cancel | Which record “both” is
who is 0106 => new sim 8901410321111851072 | numbers_update | Iccid=8901410321111851072, Query=0106
who is 0106 => block 6305550199 | subscribers_call_filter_blocked_numbers_add | Numbers=+16305550199, SubscriberId=0106
park 0105 please => dont do it til monday | numbers_status | EffectiveDate=11/23/2026, Query=0105 | numbers_cancel
park 0105 please => only if he doesnt answer | numbers_find | Query=0105 | numbers_status | is a condition
park 0105 please => both 0105 and 0101 | numbers_status | PhoneNumbers=0105+0101 | numbers_cancel | withdrawn
park 0105 please => no wait he just called back | help | | numbers_status numbers_cancel | is taken back
transfer 8475550133 in, tmobile acct 5512 => carrier is verizon sorry | numbers_portin | CurrentCarrierName=verizon, CurrentAccountNumber=5512 | | withdrawn
create customer Lee Wong, lee@w.example => email is lee@wong.example | subscribers_create | Name=Lee Wong, Email=lee@wong.example
create customer Lee Wong, lee@w.example => Li not Lee | subscribers_create | Name=Li Wong
raise 0106 to 8gb => 10 | numbers_data_usage_set | LimitValue=10240, Query=0106
text paul "we are closed" => "we are open" | message_outbound | Body=we are open, Query=paul
status port 6305550161 => the name on it is wrong, should be Paul Reyes | numbers_portin_update | OrderId=+16305550161 | numbers_diagnose
what happened overnight => anything with 0104? | events_since | Query=0104
park 0106 except on weekends | numbers_status | StatusChange=park, Query=0106 | | not taken: “except on weekends”
how far is the port of 5125550144 => fix the zip, 60622 | numbers_portin_update | OrderId=+15125550144, CurrentBillingAddress=60622 | numbers_cancel |
cap 0104 at 3 gb => same for 0105 and 0106 | numbers_data_usage_set | LimitValue=3072, PhoneNumbers=0105+0106 | | like the message before
block 8885550123 on 0104 => how do i undo this | help | | _remove | You asked about "Block callers"
who suspended 0105 => lift it | numbers_status | StatusChange=activate, Query=0105 | numbers_cancel
show 0103 0104 => cancel the first | numbers_cancel | Query=0103 | | “the first” is read as 0103
what happened today => only failures | events_since | Query=undefined | | failure
who approved the cancel of 0107 => and who asked | events_since | Query=0107 | numbers_cancel | like the message before
who cancelled 0107 => by whom => and when | events_since | Query=0107 | numbers_cancel | like the message before
how many lines did we cancel today => and yesterday? => who did them | events_since | Only=actions, Until=2026-11-22T00:00:00.000Z | numbers_cancel | cancel yesterday
is 0105 on hold => since when => by who | events_since | Query=0105 | numbers_status
what waits for me? => since when the top one => who asked for it | events_since | Query=undefined | | wait for a person
what waits for me => approve the first one | events_since | Query=undefined | | press the button
reactivate 0108 => it was declined => why | events_since | Query=0108 | numbers_diagnose
did anyone touch 0103 => who | events_since | Query=0103 |
who changed 0104 last week => what exactly | events_since | Query=0104 |
how many texts did we send today => and yesterday => to whom | events_since | Until=2026-11-22T00:00:00.000Z | message_outbound
who is 0104 => who is she | numbers_find | Query=0104 | events_since
who called 0103 today => did anyone text | message_search_get | Query=0103 |
show 0103 => calls today | events_since | Query=0103 |
show 0103 => what plans do we have | account_packages_get | Query=undefined |
how many port ins this month => which failed => and last month | events_since | Only=orders | | port ins last month
what failed last night => just the texts => retry them | help | | numbers_portin_update message_outbound | Nothing is repeated
why was my request for 0105 declined => ok ask again | help | | numbers_status numbers_cancel | “Ask again” on the card
reactivate 0108 => it was declined => try again | numbers_reactivate | Query=0108 | | like the message before
hold 0103 => please resend it | numbers_status | StatusChange=park, Query=0103 | |
hold 0103 => fix it and send again | help | | numbers_status | What is wrong in
port in 3125550155 => fix it and send again | numbers_portin_update | OrderId=+13125550155 | numbers_cancel |
send 0104 a text => your number is live now | message_outbound | Body=your number is live now, Query=0104 | |
send 0104 a text => hello from acme | message_outbound | Body=hello from acme, Query=0104 | |
find jorge => text him => your new sim is on its way | message_outbound | Body=your new sim is on its way, Query=jorge | |
text 0103 => please call us at 2125550100 | message_outbound | Body=please call us at 2125550100, Query=0103 | numbers_lookup |
text 0103 => tell her we cancel nothing today | message_outbound | Body=we cancel nothing today, Query=0103 | numbers_cancel |
i need to message ben reed => saying his order is ready | message_outbound | Body=his order is ready, Query=ben reed | |
text 0103 => actually 0105 => your port is complete | message_outbound | Body=your port is complete, Query=0105 | |
text 0103 => sorry i meant 0105 | message_outbound | Body=undefined, Query=0105 | | withdrawn
text 0103 => hold 0105 | numbers_status | StatusChange=park, Query=0105 | message_outbound |
text 0103 => show 0105 | numbers_find | Query=0105 | |
text 0104 => who is ben reed | numbers_find | Query=ben reed | message_outbound |
text 0104 => new line for ava | numbers_provision | AssignedSubscriberId=ava | message_outbound |
text 0104 => what failed last night | events_since | | message_outbound |
new line for ava => 201 => text only | numbers_provision | AreaCode=201, MessageEnabled=true, VoiceEnabled=false | message_search_get |
do not suspend ava, suspend ben | numbers_status | StatusChange=park, Query=ben | numbers_cancel | left out, as you say: “do not suspend ava”
dont suspend 0104 but suspend 0105 | numbers_status | StatusChange=park, Query=0105 | numbers_cancel | left out
do not suspend ava, cancel ben | numbers_cancel | Query=ben | numbers_status | left out
dont text 0104, text 0105 "hi" | message_outbound | Query=0105, Body=hi | | left out
dont text ava anything, text ben "dont worry, call us" | message_outbound | Query=ben | | left out
please dont park 0103, ben needs it | numbers_find | Query=0103 | numbers_status |
who has 0104 => and 0105 => which of them is on hold | numbers_find | | numbers_status |
hold 0103 => is it approved yet => by whom | events_since | Query=0103 | numbers_status |
text 0103 => never mind | help | | message_outbound | is taken back
new line for ava stone => area code 201 => text only | numbers_provision | AreaCode=201, AssignedSubscriberId=ava stone, VoiceEnabled=false | message_outbound message_search_get |
new line for ben => no calls | numbers_provision | AssignedSubscriberId=ben, VoiceEnabled=false | numbers_diagnose |
what does a new line cost => and if we take ten | help | | numbers_provision | is not multiplied
what does a sim swap cost => and a reactivation | help | | numbers_reactivate | You asked about "Reactivate
how long does a port in take => and a sim swap | help | | numbers_update | You asked about "Swap a SIM"
what does parking do => and cancelling | help | | numbers_cancel | You asked about "Cancel numbers"
suspend 0103 => not ava, ben needs the hold | numbers_status | StatusChange=park, Query=ben | | withdrawn
suspend ava => not ava, ben needs the hold | numbers_status | StatusChange=park, Query=ben | | withdrawn
park 0103 => no, 0105 needs it | numbers_status | StatusChange=park, Query=0105 | | withdrawn
cancel 0104 => no, ben wants a reactivation | numbers_reactivate | Query=ben | numbers_cancel |
cancel 0109 => no cancel 0108 => and 0107 too | numbers_cancel | Query=0107 | |
cancel 0110 => not today | help | | numbers_cancel events_since | is taken back
block 2125550199 for ben => sorry for ava => for texts too | subscribers_message_filter_blocked_contacts_add | SubscriberId=ava, Contacts=+12125550199 | _remove
suspend 0104 => no wait, not 0104, suspend 0105 | numbers_status | StatusChange=park, Query=0105 | numbers_cancel | withdrawn
suspend 0101 from monday => until friday | numbers_status | EffectiveDate=11/23/2026, Query=0101 | numbers_cancel | does not end by itself on 2026-11-27
hold 0104 from dec 1 => until dec 10 | numbers_status | EffectiveDate=12/01/2026, Query=0104 | numbers_cancel | does not end by itself on 2026-12-10
hold 0104 until dec 3 => until dec 10 | numbers_status | Query=0104 | numbers_cancel | does not end by itself on 2026-12-10
block 9005551234 on 2015550101 => also 9005551235 | subscribers_call_filter_blocked_numbers_add | Numbers=+19005551235, SubscriberId=+12015550101 | _remove |
block 9005551234 for ava => block 9005551235 too | subscribers_call_filter_blocked_numbers_add | Numbers=+19005551235, SubscriberId=ava | _remove |
correct the account number of the port of 3125550111 to 77120 => and the zip is 60614 | numbers_portin_update | CurrentAccountNumber=77120, CurrentBillingAddress=60614 | numbers_cancel |
correct the account number of the port of 3125550111 to 77120, and the zip is 60614 | numbers_portin_update | CurrentAccountNumber=77120, CurrentBillingAddress=60614 | |
dont hold 0103, just text her => i dont want 0105 cancelled, only parked | numbers_find/numbers_status | Body=undefined | message_outbound numbers_cancel |
text 0103 => nobody should cancel 0105 today | numbers_find | Query=0105 | message_outbound numbers_cancel |
text 0103 => please look at the order of 3125550111 too | numbers_order_get | OrderId=+13125550111 | message_outbound |
text Ben Reed => hmm whats his balance | events_since | Query=Ben Reed | message_outbound |
text 0103 => your line 0103 is active again | message_outbound/numbers_find | | numbers_status numbers_cancel |
port in 3125550111 stuck? => whats wrong with it | numbers_order_get | OrderId=+13125550111 | numbers_portin |
port in 3125550111 stuck? => whats wrong with it => cancel it then | numbers_portin_cancel | OrderId=+13125550111 | numbers_cancel |
port-out pin for 2015550101 => she wants 4455 | help | | numbers_find | A PIN is a secret
port-out pin for 2015550101 => make it 4455 | help | | numbers_find | A PIN is a secret
cancel 0105 => hold instead | numbers_status | StatusChange=park, Query=0105 | numbers_cancel | withdrawn
hold 0103 => who put 0103 on hold | events_since | Query=0103 | |
unblock 3125550199 for ben => who is blocked for ben? | subscribers_call_filter_get | SubscriberId=ben | |
suspend 0104 => why does it cost? | help | | numbers_diagnose | no cost of its own
reactivate 0107 => why so expensive? | help | | numbers_diagnose | 5 USD
suspend 0104 => why does it cost? => ok then leave it | help | | numbers_status | is taken back
cancel 0103 => not cancel, just pause it | numbers_status | StatusChange=park, Query=0103 | numbers_cancel | withdrawn
cancel 0103 => no dont cancel, suspend it | numbers_status | StatusChange=park, Query=0103 | numbers_cancel | withdrawn
who is Ben Reed => put his line on hold => no, just block 8005551212 for him | subscribers_call_filter_blocked_numbers_add | SubscriberId=Ben Reed | numbers_status | withdrawn
are there any webhooks => add one for port status to https://hooks.acme.com/p | webhook_create | WebhookUrl=https://hooks.acme.com/p, SubscribedEvents=Order_Update | numbers_portin |
which plans do we have => add one called Weekend | packages_create | PackageName=Weekend | events_since |
stop texts to 0104 => i mean only from 8885550100 | subscribers_message_filter_blocked_contacts_add | Contacts=+18885550100, SubscriberId=0104 | | withdrawn
block calls to 0104 => only from 8885550100 | subscribers_call_filter_blocked_numbers_add | Numbers=+18885550100, SubscriberId=0104 | | withdrawn
text 0103 hi there => make it "please call us back before 5pm" | message_outbound | Body=please call us back before 5pm, Query=0103 | | withdrawn
text 0103 "hi there" => change it to hello from acme | message_outbound | Body=hello from acme, Query=0103 | | withdrawn
text 0103 and 0104 hi => send it to 0103 only | message_outbound | Body=hi, Query=0103 | | withdrawn
price of a sim swap => ok do one for 0105 | numbers_update | Query=0105 | |
what does a reactivation cost => do it for 0107 | numbers_reactivate | Query=0107 | |
hold 0103 until friday => until when will that last? | help | | numbers_cancel | Park a number
what does it cost to bring back 0107 => ok do it | numbers_reactivate | Query=0107 | numbers_cancel |
how much is a sim swap for 0105 => yes do it | numbers_update | Query=0105 | |
cancel 2015550105 => no wait, just a hold | numbers_status | StatusChange=park, PhoneNumbers=+12015550105 | numbers_cancel | withdrawn
cancel 0105 => just a hold please | numbers_status | StatusChange=park, Query=0105 | numbers_cancel | withdrawn
cancel it | numbers_cancel | Query=undefined, PhoneNumbers=undefined | | not taken: “it”
set her limit to 50 mb | numbers_data_usage_set | LimitValue=50 | | not taken: “her”
`;

export const threads: readonly Detailed[] = detailedIn(LINES);

/** Whole requests of different people. None of them changes or goes on with another one, in whichever order they come. */
export const wholeRequests: readonly string[] = `
new line for Ben in 646, texts only
new line for Ava in area code 415
rename Tom to Tom Reed
add customer Ines Roth ines@roth.io
block 2125550177 for Nina
hold 0104 from monday
cancel 0110
reactivate 0107
text 0102 "your sim is ready"
limit 0105 to 5 gb
swap the sim of 0106 to 8901240397190009990
port in 3125550190 from Verizon for Zoe, account 998877
set the caller name of 0101 to BLUE KETTLE
give 0108 to Mia
subscribe 0109 to the starter plan
correct the account number of the port of 3125550111 to 77120
`
  .trim()
  .split('\n');
