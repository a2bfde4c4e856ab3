import { type Detailed, detailedIn } from './details.ts';

/*
 * Messages of leads: values that have to go, a deed that only names what is asked about, colleagues and roles, reasons that
 * look like retractions, and offers that are taken back after a question. In the notation of `details.ts`.
 */

const LINES = `
remove 198.51.100.7 from the ip whitelist of the voice route | voice_routes_update | IpWhitelist=undefined | | taken off the present entries
take 203.0.113.9 off the allowed ips of acme's voice route | voice_routes_update | IpWhitelist=undefined, TrunkIp1=undefined | | 203.0.113.9 is not filled in
pls delete 203.0.113.7 and 203.0.113.8 from the whitelist of main sip trunk | voice_routes_update | IpWhitelist=undefined, CallRouteId=main sip trunk | | taken off the present entries
add 198.51.100.7 to the ip whitelist of the voice route | voice_routes_update | IpWhitelist=198.51.100.7
port in +13125550111, is it stuck? | numbers_order_get | OrderId=+13125550111 | numbers_portin | is not offered
port in +13125550111, where does it stand? | numbers_order_get | OrderId=+13125550111 | numbers_portin
porting +13125550111 in - any news? | numbers_order_get | OrderId=+13125550111 | numbers_portin
reactivate 0108, did that go through? | events_since | Query=0108 | numbers_reactivate
suspend 0104, is it done? | events_since | Query=0104 | numbers_status
port in +13125550111 | numbers_portin | PortInNumber=+13125550111
delete the message route of acme, nobody needs it | message_routes_delete | MessageRouteId=acme
remove the webhook of globex, no one uses it anymore | webhook_delete | WebhookId=globex
cancel 0106, nobody asked for that | numbers_find | Query=0106 | numbers_cancel | takes it back
did lee say yes to anything i asked today? | events_since | Query=undefined, Only=actions | numbers_find | what you asked for
has ana seen my requests this week | events_since | Query=undefined | | what you asked for
did lee see it yet | events_since | Query=undefined
reactivate 0108 => did lee see it yet | events_since | Query=0108 | | reactivate 0108
reactivate 0108 => did lee see it yet => so what happened with it | events_since | Query=0108
reactivate 0108 => has ana looked at that already => what plan is it on | numbers_find | Query=0108
what can ana do that a viewer cant | help | | | a viewer only reads
what may an operator do | help | | | a viewer only reads
who are the approvers | help | | | set by the owner
list our operators | help | | | set by the owner
is lee an approver? | help | | | set by the owner
what needs an approver | events_since |
lines of globex => park them all => who has to ok that | help | | | set by the owner
kill line 0105, customer left. => wait, wrong one, i meant 0106 => whats on that line => ok leave it | help | | numbers_cancel | is taken back
suspend 0102 => whats on that line => never mind | help | | numbers_status | is taken back
watch 0103 => actually dont bother | help | | numbers_watch | is taken back
port in +13125550111 => tell me when it completes => actually dont bother | help | | numbers_watch | is taken back
order JNUOID-00000000-0000-4000-8000-000000000001 => cancel it, customer changed his mind => hm no, only change the pin to 4471 | numbers_portin_update | OrderId=JNUOID-00000000-0000-4000-8000-000000000001 | numbers_portin_cancel | which is withdrawn
order JNUOID-00000000-0000-4000-8000-000000000001 => cancel it => no, only correct the zip to 97201 | numbers_portin_update | | numbers_portin_cancel | which is withdrawn
turn off calls and texts on 0104 for now | numbers_update | VoiceEnabled=false, MessageEnabled=false
turn on sms and voice for 0104 | numbers_update | VoiceEnabled=true, MessageEnabled=true
turn off calls on 0104 for now => and texts too | numbers_update | VoiceEnabled=false, MessageEnabled=false | message_search_get
turn on texting for 0103 => voice as well please | numbers_update | VoiceEnabled=true, MessageEnabled=true
turn off calls on 0104 for now => and texts too => put it back how it was | help | | numbers_update | is taken back
find 5 numbers in 415 for acme => take the first two | numbers_provision | AreaCode=415 | | not two
find 5 numbers in 415 for acme => take the first two => how much is that going to be | help | | | costs
need a second trunk on the acme voice route, 203.0.113.20 port 5060 udp | voice_routes_update | CallRouteId=acme voice route, TrunkIp2=203.0.113.20 | voice_routes_create | trunk 2
point acmes sms route at https://hooks.acme.example/in instead | message_routes_update | MessageRouteId=acme, MessageUrl=https://hooks.acme.example/in
please redirect globex's message route to https://g.example/in | message_routes_update | MessageRouteId=globex, MessageUrl=https://g.example/in
rotate the password on the acme sms route | message_routes_update | MessageRouteId=acme sms route | | into the form
nothing should go out on 0103 until i say so, block outbound | numbers_find | Query=0103 | _blocked_numbers_add | both directions
switch off outgoing calls for ava | numbers_find | Query=ava | _blocked_numbers_add numbers_update | both directions
stop ava from calling 2125550177 | subscribers_call_filter_blocked_numbers_add | SubscriberId=ava
any action with unknown outcome i need to settle? | events_since | Query=undefined, Only=actions | | where it is settled
requests whose outcome is still unknown this week | events_since | Since=7d, Only=actions | | where it is settled
batches | help | | | shows its progress on its card
batch from this morning, how far is it | help | | | shows its progress on its card
the park batch, where does it stand | help | | numbers_status | shows its progress on its card
list all products for acme w prices | numbers_find | Query=acme
`;

export const leads: readonly Detailed[] = detailedIn(LINES);
