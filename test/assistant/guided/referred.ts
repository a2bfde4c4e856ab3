import { type Detailed, detailedIn } from './details.ts';

/*
 * Messages that take over what they do not say from an answer before them: the filter, the package or the route that it is
 * about, its period, a value of a list. In the notation of `details.ts`.
 */

const SUBJECTS = `
delete bens message filter altogether => actually just pause it instead of deleting | help/subscribers_message_filter_update | | numbers_status numbers_cancel subscribers_guardian_features_set | the message filter of ben
delete bens message filter => set it to teenager instead | subscribers_message_filter_update | FilterId=ben, FilterMode=TEENAGER | numbers_status | takes the place of “delete bens message filter”
show the call filter of 0104 => set it to blacklist | subscribers_call_filter_update | FilterMode=BLACKLIST | numbers_status |
turn on guardian for ben => is it on now? | subscribers_guardian_features_get | SubscriberId=ben | numbers_status | guardian filtering for ben
delete the call filter on 0104 => wait which numbers were on it? | subscribers_call_filter_get | Query=0104 | | What was offered before is as it was
what does the starter package cost and whats in it => raise it to 18 | packages_update | PackageId=starter, Price=18 | numbers_data_usage_set | “it” is read as the starter package
what does the starter package cost => change its price to 18 | packages_update | PackageId=starter, Price=18 | |
what does the starter package cost => rename it to Basic | packages_update | PackageId=starter, PackageName=Basic | subscribers_update |
what does the starter package cost => add the 5gb data thing to it for 4.50 | help/packages_items_add | | numbers_data_usage_set | the starter package
whats the price of starter => who is on that one | numbers_find | Plan=starter | packages_update | 
how many people are on starter => move Ben to it | subscriptions_update/subscriptions_create | PackageId=starter | numbers_update |
what plan is 0105 on => whats in it | packages_items_get | PackageId=0105 | | “it” is read as the package of 0105
which package does 0105 have => what does that include | packages_items_get/numbers_find | | packages_update |
what plan is ava on => put ben on the same one | subscriptions_create | SubscriberId=ben, PackageId=ava | numbers_update packages_update | “the same one”
what plan is 0105 on => put 0104 on it too | subscriptions_create | PackageId=0105, Query=0104 | packages_update |
what plan is 0105 on => park it | numbers_status | Query=0105 | packages_update |
put 0103 on Starter => and whats in that? | packages_items_get | PackageId=Starter | |
put 0103 on Starter => park it | numbers_status | Query=0103 | packages_update |
whats the main sms route pointing to => switch that to https://a.example/in | message_routes_update | MessageRouteId=main, MessageUrl=https://a.example/in | message_outbound |
whats the main sms route pointing to => rename it to Globex | message_routes_update | RouteName=Globex | subscribers_update |
disable the main sip trunk => no just rename it to Spare | voice_routes_update | CallRouteId=main sip trunk, RouteName=Spare | |
disable the main sip trunk => text it about the outage | help | | message_outbound numbers_status | 
change the price of starter to 18 => and rename it to Family | packages_update | PackageId=starter, PackageName=Family | |
`;

export const referred: readonly Detailed[] = detailedIn(SUBJECTS);
