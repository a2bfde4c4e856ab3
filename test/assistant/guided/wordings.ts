import { ORDER } from '../../support/world.ts';

/** A sentence as support people type it. */
export interface Wording {
  says: string;
  /** The operations that are a right answer; `help` for none. */
  operations: readonly string[];
  /** The name or digits that are looked for. */
  finds: string | undefined;
}

/** "Sentence | operation/operation | name or digits that are looked for", one a line. */
const LINES = `
pls chk 2015550102 ive got him on the line | numbers_lookup
+1 201.555.0102 ??? | numbers_lookup
201/555/0102 status | numbers_lookup
whats going on w/ 2015550102 | numbers_lookup/numbers_diagnose
need everything on 12015550102 | numbers_lookup
who owns (201)5550102 | numbers_lookup
quick one: is 201-555-0102 ours? | numbers_lookup
is +12015550107 still active or already gone | numbers_lookup
info 201 555 0102 asap | numbers_lookup
which account is 2015550102 on | numbers_lookup
María José Núñez | numbers_find | María José Núñez
pull up Guadalupe Hernández | numbers_find | Guadalupe Hernández
find me jimenez's line | numbers_find | jimenez
what number does Iñaki Etxeberria have | numbers_find | Iñaki Etxeberria
customer called Ximena Del Río | numbers_find | Ximena Del Río
Rafael is calling again | numbers_find | Rafael
0104 please | numbers_find | 0104
the one ending 0104 | numbers_find | 0104
number with last 4 0104 | numbers_find | 0104
look for de la cruz | numbers_find | de la cruz
got a Mrs Okonkwo on the phone | numbers_find | Okonkwo
her texts dont go thru 2015550102 | numbers_diagnose
2015550102 cant call out since yday | numbers_diagnose
customer 2015550102 says no bars at all | numbers_diagnose
data not working 201-555-0102 again!! | numbers_diagnose
sms wont arrive on 2015550102 | numbers_diagnose
why is 2015550102 so slow | numbers_diagnose
2015550102 no service for 2 hrs, furious customer | numbers_diagnose
2015550102 doesnt ring when you call it | numbers_diagnose
José cant send texts | numbers_find/numbers_diagnose | José
Ava has no internet | numbers_find/numbers_diagnose | Ava
phone dead 2015550102 | numbers_diagnose
cant hear anything on calls with 2015550102 | numbers_diagnose
what happend since yesterday evening | events_since
anything new? | events_since
whats new since lunch | events_since
show me everything from the last 3 hours | events_since
did anything come in while i was out | events_since
events of the last hour | events_since
what changed overnight | events_since
recap the last 24h | events_since
cancell 2015550103 effective now | numbers_cancel
plz kill 2015550103, she moved abroad | numbers_cancel
2015550103 wants out, cancel it | numbers_cancel
Close the line 201-555-0103. Customer deceased. | numbers_cancel
drop 2015550103 and 2015550104 from our account | numbers_cancel
he wants his line gone: 2015550103 | numbers_cancel/numbers_lookup
disconect 2015550103 | numbers_cancel
cancel her line | numbers_cancel
cancel Lucía Fernández | numbers_cancel/numbers_find | Lucía Fernández
shut down 2015550103 for good | numbers_cancel
pls stop the cancellation of 2015550103 | numbers_lookup/numbers_reactivate/help
they said 2015550103 would be cancelled, is that so | numbers_lookup/help
can 2015550103 be cancelled without a fee | help
i did NOT ask to cancel 2015550103 | numbers_lookup
customer is threatening to cancel 2015550103 | numbers_lookup/help
do u know if 2015550107 got cancelled | numbers_lookup/help
unclear if we should cancel 2015550103 or not | numbers_lookup/help
dont touch 2015550103 | numbers_lookup
wait with cancelling 2015550103 till monday | numbers_lookup/help
i'd rather keep 2015550103 | numbers_lookup/help
cancel that | help/numbers_cancel
cancel my order of pizza | help/numbers_portin_cancel
what does a cancellation mean for 2015550103 | help/numbers_lookup
2015550107 was cut off by accident, need it back today | numbers_reactivate
reinstate 2015550107 | numbers_reactivate
un-cancel 2015550107 pls | numbers_reactivate
get 2015550107 running again | numbers_reactivate/numbers_lookup/numbers_diagnose
bring back 201-555-0107 she changed her mind | numbers_reactivate
is it too late to restore 2015550107 | help/numbers_lookup
reactivation fee for 2015550107? | help
undo the cancellation of 2015550107 | numbers_reactivate
revive 2015550107 | numbers_reactivate
port 3125550123 to us pls | numbers_portin
she wants to bring her number 312-555-0123 over from Verizon | numbers_portin
customer transferring 3125550123 from tmobile | numbers_portin
new port in for 3125550123 | numbers_portin
can 3125550123 be ported | numbers_portin_eligibility/help
check if 3125550123 can come over | numbers_portin_eligibility/help/numbers_lookup
portable? 3125550123 | numbers_portin_eligibility
any update on ORDER | numbers_order_get
wheres ORDER stuck | numbers_order_get
withdraw ORDER | numbers_portin_cancel
wrong pin on ORDER fix it | numbers_portin_update
pull the plug on port ORDER | numbers_portin_cancel/numbers_order_get
is ORDER done yet | numbers_order_get
when does the port ORDER complete | numbers_order_get
2015550101 is leaving to AT&T needs pin | numbers_portout
port out pin for 2015550101 | numbers_portout
give customer 2015550101 the transfer pin | numbers_portout
new line in 305 please | numbers_provision/numbers_availability
i need 1 number area code 305 | numbers_provision/numbers_availability
any free numbers in 646? | numbers_availability
whats available in area code 305 | numbers_availability
list our numbers | numbers_inventory_get
which numbers are unassigned | numbers_inventory_get
how much data has 2015550102 used | numbers_data_usage_info
gigs left on 2015550102 | numbers_data_usage_info
data usage 2015550102 | numbers_data_usage_info
give 2015550102 5gb more | numbers_data_usage_set
bump the data cap of 2015550102 to 10 GB | numbers_data_usage_set
whats the data cap on 2015550102 | numbers_data_usage_settings
text 2015550102 "your sim ships tomorrow" | message_outbound
tell 2015550102 by sms "call us back" | message_outbound
last msgs of 2015550102 | message_search_get
what did 2015550102 text us | message_search_get
sim lost 2015550102 | numbers_update
2015550102 got a new sim 8901260123456789012 | numbers_update
swap the sim on 2015550102 to 8901260123456789012 | numbers_update
phone stolen!! 2015550102 suspend now | numbers_status
pause 2015550102 she is travelling for 2 months | numbers_status
park my line 2015550102 | numbers_status
block +13125550177 from calling 2015550101 | subscribers_call_filter_blocked_numbers_add
who does Ava's kid have blocked | subscribers_call_filter_get/numbers_find
watch 2015550102's data | numbers_watch
what am i watching | numbers_watches
stop watching 2015550102 | numbers_watch
new customer Joaquín Peña joaquin@example.com | subscribers_create
change her name to Vélez, 2015550102 | subscribers_update/numbers_update/numbers_lookup
moved house, new adress for 2015550102 | account_update
caller id of 2015550102 should say PENA | numbers_update
set up a subscription for 2015550102 | subscriptions_create
drop the family plan from 2015550102 | subscriptions_delete
which plans do we have | account_packages_get
webhooks? | account_webhooks_get
turn on parental controls for TSUID-00000000-0000-4000-8000-000000000001 | subscribers_guardian_features_set
go | help
thx bye | help
can u look at 201 555 0105 rq | numbers_lookup/numbers_diagnose
(201)-555-0105 whose is it | numbers_lookup
tell me about 2015550105 | numbers_lookup
customer on hold, 2015550105 | numbers_lookup
is there anything wrong with 2015550105? | numbers_lookup/numbers_diagnose
+12015550105 what plan is she on | numbers_find/numbers_lookup/account_packages_get
Álvaro Gutiérrez called | numbers_find | Álvaro Gutiérrez
who is Pilar Castañeda | numbers_find | Pilar Castañeda
check Esteban Quiñones for me | numbers_find | Esteban Quiñones
ends with 0106 | numbers_find | 0106
the iot one, 0106 | numbers_find | 0106
find Sofía | numbers_find | Sofía
Paloma's texts bounce | numbers_find/numbers_diagnose | Paloma
2015550105 cannot recieve calls | numbers_diagnose
voice broken on 2015550105, sms ok | numbers_diagnose
internet super slow 2015550105 | numbers_diagnose
2015550105 keeps losing signal | numbers_diagnose
2015550105 - messages stuck sending | numbers_diagnose
help!! my mom's phone 2015550105 stopped working | numbers_diagnose
texts to 2015550105 never arrive | numbers_diagnose
2015550105 lte not working after swap | numbers_diagnose/numbers_update
what did i miss? | events_since
anything since 7am | events_since
updates from last night | events_since
what came in over the weekend | events_since
activity in the past 6 hours | events_since
terminate 2015550105 today | numbers_cancel
please discontinue service on 201.555.0105 | numbers_cancel
cancel +12015550105, +12015550106 | numbers_cancel
axe 2015550105 | numbers_cancel/numbers_lookup
cancel Renata Ibáñez's line now | numbers_cancel | Renata Ibáñez
is 2015550105 safe to cancel | numbers_lookup/help
nobody should cancel 2015550105 | numbers_lookup/help
who asked to cancel 2015550105?? | numbers_lookup/help
cancelling 2015550105 costs what | help/numbers_lookup
customer wanted to cancel 2015550105 but stays now | numbers_lookup/help
restore service 2015550107 please | numbers_reactivate
2015550107 cancelled by mistake! reactivate!! | numbers_reactivate
can we still get 2015550107 back? | help/numbers_lookup
port over 6465550188 | numbers_portin
is 6465550188 eligible to port | numbers_portin_eligibility
start a port in | numbers_portin
kill the port ORDER | numbers_portin_cancel
ORDER rejected, why | numbers_order_get
resubmit ORDER with new zip | numbers_portin_update
port out pin pls 2015550105 | numbers_portout
get me a 415 number | numbers_provision/numbers_availability
available numbers area code 917 | numbers_availability
how many gigs did 2015550105 burn | numbers_data_usage_info
usage for 2015550105 this month | numbers_data_usage_info
raise limit on 2015550105 to 20GB | numbers_data_usage_set
sms 2015550105 "we are on it" | message_outbound
show texts of 2015550105 | message_search_get
lost sim on 2015550105 | numbers_update
suspend 2015550105, phone was stolen | numbers_status
block spam caller +13125550166 | subscribers_call_filter_blocked_numbers_add
unblock +13125550166 | subscribers_call_filter_blocked_numbers_remove
keep an eye on 2015550105 | numbers_watch
add a new subscriber Inés Zúñiga ines@example.com | subscribers_create
list all subscribers | distributor_subscribers_get
2015550106 pls | numbers_lookup
hiya could u pull 2015550106 up | numbers_lookup
201-555-0106?? who dis | numbers_lookup
I have Ms. Achterberg asking about her phone | numbers_find | Achterberg
Nayeli Cervantes Ruiz | numbers_find | Nayeli Cervantes Ruiz
which line belongs to Thiago Muñoz | numbers_find | Thiago Muñoz
0105? | numbers_find | 0105
anything ending 0110 | numbers_find | 0110
her number ends in 0104 | numbers_find | 0104
details for +12015550104 | numbers_lookup
does 2015550104 have data left | numbers_data_usage_info/numbers_lookup
gb left on 2015550104? | numbers_data_usage_info/numbers_lookup
how much has 2015550104 used so far | numbers_data_usage_info
2015550104 not getting texts from her bank | numbers_diagnose
nothing works on 2015550104 | numbers_diagnose/numbers_lookup
calls drop after 10 sec on 2015550104 | numbers_diagnose/numbers_lookup
2015550104 says "no service" | numbers_diagnose
Ulises can't get online | numbers_find/numbers_diagnose | Ulises
picture messages fail 2015550104 | numbers_diagnose
roaming broken for 2015550104 | numbers_diagnose
fix 2015550104's texting | numbers_diagnose/numbers_lookup
what's new | events_since
what happened today | events_since
summary since monday | events_since/help
anything i should know from tonight | events_since/help
last 12 hours? | events_since
cancel 201 555 0104. thx | numbers_cancel
we need 2015550104 disconnected by end of day | numbers_cancel
cancel both 2015550104 and 2015550105 pls | numbers_cancel
kill line (201) 555-0104 | numbers_cancel
Cancel Ignacio Barraza please, non payment | numbers_cancel | Ignacio Barraza
deactivate 2015550104 | numbers_cancel
customer asks if cancelling 2015550104 today is possible | numbers_lookup/help
please confirm 2015550104 isn't being cancelled | numbers_lookup/help
cancel 2015550104? she didn't say that | numbers_lookup/help
why would anyone cancel 2015550104 | numbers_lookup/help
don't port 2015550104 away | numbers_lookup/help
the cancel of 2015550107 was a mistake, undo | numbers_reactivate
need 2015550107 back on | numbers_reactivate
reinstating 2015550107 costs how much | help/numbers_lookup
port request for 7185550144 from Verizon | numbers_portin
take over number 7185550144 from att | numbers_portin/numbers_lookup
eligible? 7185550144 | numbers_portin_eligibility
status ORDER | numbers_order_get
is the port ORDER going through | numbers_order_get
abort ORDER | numbers_portin_cancel
fix the name on order ORDER | numbers_portin_update
customer 2015550104 wants to leave, transfer pin? | numbers_portout/numbers_lookup/help
need a fresh number in area code 808 | numbers_provision/numbers_availability
what 917 numbers are free | numbers_availability
set the data limit of 2015550104 to 3 GB | numbers_data_usage_set
send 2015550104 a text "Your port is done" | message_outbound
read me the last texts of 2015550104 | message_search_get
new sim for 2015550104 | numbers_update
her sim broke, 2015550104 | numbers_update/numbers_diagnose/numbers_lookup
freeze 2015550104 while she's abroad | numbers_status
stop +13125550155 calling 2015550104 | subscribers_call_filter_blocked_numbers_add/numbers_lookup
watch data on 2015550104 | numbers_watch
register customer Noemí Ávila | subscribers_create
show our accounts | distributor_accounts_get
2015550103 go | numbers_lookup
need info (201)555-0103 now | numbers_lookup
what's the deal with 201 555 0103 | numbers_lookup
Rocío Benítez wants a callback, whats her number | numbers_find | Rocío Benítez
line 0103 who | numbers_find | 0103
search Montserrat | numbers_find | Montserrat
2015550103 wont send pics | numbers_diagnose/numbers_lookup
cust 2015550103 texts fail since update | numbers_diagnose
2015550103 calls go straight to voicemail | numbers_diagnose/numbers_lookup
why's 2015550103 offline | numbers_diagnose/numbers_lookup
any news? | events_since
what happened between yesterday and now | events_since
pls cancel 2015550103 | numbers_cancel
customer moving abroad -> cancel 2015550103 | numbers_cancel
delete line 2015550103 | numbers_cancel
cancel Xóchitl Romero's number | numbers_cancel | Xóchitl Romero
please don't disconnect 2015550103 yet | numbers_lookup/help
did we cancel 2015550103? | numbers_lookup/help
he says he never asked to cancel 2015550103 | numbers_lookup/help
what if we cancelled 2015550103 | numbers_lookup/help
tell her we can't cancel 2015550103 | numbers_lookup/help
customer complains we cancelled 2015550107 | numbers_lookup/help/numbers_reactivate
reactivate 2015550107 asap!!! | numbers_reactivate
please turn 2015550107 back on | numbers_reactivate
would reactivating 2015550107 cost anything | help
port in 9175550133 today | numbers_portin
can you port 9175550133 over | numbers_portin
where is ORDER | numbers_order_get
cancel ORDER pls | numbers_portin_cancel
port out 2015550103 | numbers_portout
we need a new line for a customer in 213 | numbers_provision/numbers_availability
data used on 2015550103 | numbers_data_usage_info
increase 2015550103 to 8gb | numbers_data_usage_set
text "hi" to 2015550103 | message_outbound
what texts did 2015550103 get | message_search_get
replace sim of 2015550103 with 8901260123456789012 | numbers_update
suspend 2015550103 | numbers_status
block +13125550144 for 2015550103 | subscribers_call_filter_blocked_numbers_add
monitor 2015550103 | numbers_watch
show me all accounts | distributor_accounts_get
`;

export const wordings: readonly Wording[] = LINES.trim()
  .split('\n')
  .map((line) => {
    const [says = '', operations = '', finds] = line.replaceAll('ORDER', ORDER).split(' | ');
    return { says, operations: operations.split('/'), finds };
  });
