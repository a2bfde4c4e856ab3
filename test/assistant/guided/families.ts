import { detailedIn } from './details.ts';

/*
 * Sentences of a desk for family plans: new filters with their lists, what filters can do, wishes of parents, and
 * numbers of those who call. In the notation of `details.ts`.
 */

const LINES = `
create a text filter for ben reed, teenager, block +14255550163 and notify dad on +12065550122 | subscribers_message_filter_create | FilterMode=TEENAGER, BlockedContacts=+14255550163, NotificationPhones=+12065550122, SubscriberId=ben reed | subscribers_call_filter_blocked_numbers_add message_outbound |
set up a call filter for ava that blocks +14255550163 and +14255550164 | subscribers_call_filter_create | FilterMode=BLACKLIST, BlockedNumbers=+14255550163++14255550164, SubscriberId=ava | _add |
new message filter for 0104: child level, allow +14255550188, alerts to mum +12065550121 | subscribers_message_filter_create | FilterMode=CHILD, AllowedContacts=+14255550188, NotificationPhones=+12065550121, Phone=0104 | message_outbound |
i need a new text filter on 0102 at adolescent, with +14255550163 and +14255550177 blocked, tell his mum at +12065550121 | subscribers_message_filter_create | FilterMode=ADOLESCENT, BlockedContacts=+14255550163++14255550177, NotificationPhones=+12065550121 | message_outbound |
swap: 206 555 0147 from ava's blocked to her allowed list | subscribers_call_filter_blocked_numbers_remove | Numbers=+12065550147, SubscriberId=ava | subscribers_call_filter_get | each list is changed by itself
pls take 425 555 0163 off the blacklist onto the whitelist for 0104 | subscribers_call_filter_blocked_numbers_remove | Numbers=+14255550163, SubscriberId=0104 | subscribers_call_filter_get | each list is changed by itself
move 4255550163 from bens allowed contacts to his blocked ones | subscribers_message_filter_allowed_contacts_remove | Contacts=+14255550163, SubscriberId=ben | subscribers_call_filter_get | each list is changed by itself
mum wants it at 3gb, warn at 2 | numbers_data_usage_set | LimitValue=3072, NotifyValue=2048 | |
0104 at 5gb, slow down at 4 | numbers_data_usage_set | LimitValue=5120, ThrottleValue=4096 | |
at 18 mb slow 0101 down | numbers_data_usage_set | ThrottleValue=18 | |
turn on guarding for ben, texts and calls | subscribers_guardian_features_set | EnableIntelligentGuardianCalls=true, EnableIntelligentGuardianMessages=true, SubscriberId=ben | |
block +442071838750 for ben, texts n calls | subscribers_call_filter_blocked_numbers_add | Numbers=+442071838750, SubscriberId=ben | | calls and texts have lists
is guarding on for ben at all? dad thinks it's on but he still gets spam | subscribers_guardian_features_get | SubscriberId=ben | subscribers_guardian_features_set |
list of all kids lines with a filter on | subscribers_call_filter_get/subscribers_message_filter_get | SubscriberId=undefined | subscribers_guardian_features_set | all filters
how many kids lines have guardian on | help | | subscribers_guardian_features_set | for one customer at a time
show me every line without filter | subscribers_call_filter_get | SubscriberId=undefined | subscribers_guardian_features_set |
what levels are there for the text filter and whats the difference | help | | subscribers_message_filter_get | Adolescent
what can be filtered on calls? levels too or just numbers | help | | subscribers_message_filter_get | international calls
do call filters have levels | help | | | no levels
can a parent see the texts of their kid? | help | | message_search_get | no filter shows a parent
is it possible for dad to read ben's messages? | help | | message_search_get | alerts for ben
wait is dad told about every text or only the blocked ones? | help | | subscribers_message_filter_get | makes no notice
who gets the alerts for 0104 | subscribers_call_filter_get | Phone=0104 | |
how many numbers are blocked for ava | subscribers_call_filter_get | SubscriberId=ava | numbers_find |
her mum isnt happy with the level on 0104, too strict. whats it set to | subscribers_message_filter_get | Phone=0104 | |
whos ava stones account admin, need the email of the parent | numbers_find | Query=ava stone | distributor_subscribers_get | not kept here
Mrs Stone (206-555-0121) asks which numbers are on her daughters account | numbers_find | Query=Stone | numbers_lookup |
Mr Hart (312-555-0188) says please park 0104 | numbers_status | StatusChange=park, Query=0104 | |
ben's dad (tel 312 555 0188) wants to know what texts his son got | message_search_get | Query=ben | numbers_lookup |
Ava says she's getting creepy messages from (425) 555-0163, dad wants them stopped asap | subscribers_message_filter_blocked_contacts_add | Contacts=+14255550163, SubscriberId=Ava | subscribers_message_filter_get |
ava's mum is upset about texts from 425 555 0163, make them stop | subscribers_message_filter_blocked_contacts_add | Contacts=+14255550163, SubscriberId=ava | |
ben keeps getting calls from 4255550163 and wants to be left alone | subscribers_call_filter_blocked_numbers_add | Numbers=+14255550163, SubscriberId=ben | |
some guy on 425-555-0163 keeps texting ava, her mother wants him blocked | subscribers_message_filter_blocked_contacts_add | Contacts=+14255550163, SubscriberId=ava | |
someone calls ben at night from 4255550163, block him | subscribers_call_filter_blocked_numbers_add | Numbers=+14255550163, SubscriberId=ben | subscribers_call_filter_get |
add the words "vape" and "meet me" to the word list on bens texts | subscribers_message_filter_update | SubscriberId=ben | numbers_find | adds “vape”, “meet me”
take "vape" off ben's filter | subscribers_message_filter_update | SubscriberId=ben | | takes “vape” off
text 0101 from 0103 "please add the word to the list" | message_outbound | From=0103, Body=please add the word to the list | subscribers_message_filter_update |
text +12015550101 from our number 0103: Hi Ava please call us | message_outbound | To=+12015550101, From=0103, Body=Hi Ava please call us | |
can you set quiet hours for ava, no calls after 9pm | numbers_find | Query=ava | numbers_diagnose | a filter has no hours
only contacts may call ava at night, mum + dad. possible? | numbers_find | Query=ava | | a filter has no hours
stop ava from texting in class | help | | | a filter has no hours
show calls of 0102 after 9pm | events_since | Query=0102 | | 21:00
suspend data on ava's 0105 only, phone stolen, calls can stay | numbers_find | Query=0105 | numbers_status | no switch for the data
ava wants her number changed bc of harassment, what are our options | numbers_status | Query=ava | numbers_update | choose “swap” or “replace”
give ben's number to ava | numbers_update | AssignedSubscriberId=ava, Query=ben | |
the last name on Ben's line is spelled wrong, should be Benjamin Hart | subscribers_update | Name=Benjamin Hart, SubscriberId=Ben | numbers_diagnose |
the name of 0102 is wrong, correct is Benny Reed | subscribers_update | Name=Benny Reed, Query=0102 | numbers_diagnose |
remove the text filter from ben completely his dad doesnt want it anymore | subscribers_message_filter_delete | MessageFilterId=ben | |
get rid of the call filter on ava for good | subscribers_call_filter_delete | CallFilterId=ava | |
how many texts did ava get from unknown numbers this week | message_search_get | Query=ava | numbers_find | “this week”
can we block anonymous callers for ben | numbers_find | Query=ben | | Block unknown callers
two things for ava: block 206-555-0147 on calls and put her text filter on adolescent | subscribers_message_filter_get/help | | | “block 206-555-0147 on calls for ava”
add grandma +14255550188 to the people who may text Ava => she should be able to call too | subscribers_call_filter_allowed_numbers_add | Numbers=+14255550188, SubscriberId=Ava | |
block +442071838750 for ben => texts should go too | subscribers_message_filter_blocked_contacts_add | Contacts=+442071838750, SubscriberId=ben | message_search_get |
block +442071838750 for ben, texts n calls => forget the calls | subscribers_message_filter_blocked_contacts_add | Contacts=+442071838750, SubscriberId=ben | | withdrawn
block +442071838750 for ben, texts n calls => skip the texts | subscribers_call_filter_blocked_numbers_add | Numbers=+442071838750, SubscriberId=ben | | withdrawn
is guarding on for ben at all? dad thinks it's on but he still gets spam => ok switch it on for texts | subscribers_guardian_features_set | EnableIntelligentGuardianMessages=true, EnableIntelligentGuardianCalls=undefined, SubscriberId=ben | subscribers_message_filter_update |
is guardian on for ben? => switch it on for texts => calls too | subscribers_guardian_features_set | EnableIntelligentGuardianCalls=true, EnableIntelligentGuardianMessages=true | numbers_find | withdrawn
turn on guardian for ben => leave out calls | subscribers_guardian_features_set | EnableIntelligentGuardianMessages=true, EnableIntelligentGuardianCalls=undefined | subscribers_message_filter_update | withdrawn
create a text filter for ben, teenager, block +14255550163 and notify dad on +12065550122 => add mum +12065550121 to the notify list too | subscribers_message_filter_create | NotificationPhones=+12065550122++12065550121, BlockedContacts=+14255550163 | numbers_lookup | goes on with
remove the text filter from ben completely => hm no keep it, only switch it to monitor | subscribers_message_filter_update | FilterMode=MONITOR_ONLY, SubscriberId=ben | | withdrawn
`;

export const ofFamilies = detailedIn(LINES);
