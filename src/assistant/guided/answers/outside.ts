import { wordsOf } from '../../../language/sentence.ts';
import { COURTESY } from '../facts/beginnings.ts';
import { unmarked } from '../facts/times.ts';
import { NOT_OF_ACCOUNTS } from './account-orders.ts';
import { onAddress } from './addresses.ts';
import { ageIn } from './ages.ts';
import { asksWhoHasNoName } from './no-name.ts';
import { takenBackIn } from './own-requests.ts';
import { UNSUPPORTED } from './unsupported.ts';

/* Sentences that ask for what nothing here does, and sentences that only an earlier message explains. */

const REMINDS =
  /\bremind\s+(?:me|us|myself|ourselves)\b|\b(?:set|create|add|make|put|need|want)\s+(?:\p{L}+\s+){0,3}?reminders?\b/iu;
/** "Call Ben back at 4": asks for a phone call. */
const CALLS = new RegExp(
  String.raw`^\W*${COURTESY}(?:call|phone|ring|dial)\s+(?:him|her|them|(?:the\s+)?(?:customer|caller|client)|[#…*]*\+?\d[\d ().-]{2,16}|(?!(?:waiting|filters?|forwarding|routes?|lists?|logs?|history|records?|events?|the|it|id|me|us)\b)\p{L}+(?:\s+\p{Lu}\p{L}+)?)\s+(?:back\b|(?:at|in|around|after)\s+\d|for\s+(?:me|us)\b|tomorrow|tonight|later)[^,;?]*$`,
  'iu',
);
/** "Stop texting 0101": Switchboard sends only messages that people request. Others' messages are stopped by a block. */
const STOPS_SENDING =
  /^\W*(?:(?:please|pls|plz|hey|hi|ok|so|and|can|could|would|you|we|i|want|to|should|must|let['’]?s|just)[\s,]+)*(?:(?:stop|quit|cease|end)\s+(?:(?:with|our|the|all|any)\s+)*(?:texting|messaging|calling|phoning|ringing|writing|sending|sms(?:ing)?)|(?:no(?:\s+more)?|do\s*n['’]?o?t\s+send(?:\s+any)?(?:\s+more)?)\s+(?:texts?|messages?|sms|calls?)\s+to)\b(?![^,.;!?]*\bfrom\b)/iu;
/** "No, make it 0105", "I meant Ava", "the same for 0104". */
const CONTINUES =
  /^\W*(?:(?:no|nope|sorry|wait|oops|actually|oh|ok|okay|and|please|but|ah|hm+)[\s,]+)*(?:(?:make|do)\s+(?:it|that|this|the\s+same)\b|(?:i|we)\s+(?:mean|meant)\b|(?:the\s+)?same\s+(?:for|with|again|thing)\b|rather\b|not\s+[#…]*[\p{L}\d]+[\s,;.]+(?:but\s+)?[#…]*[\p{L}\d]+\s*$|(?<=\bno\W+)(?:for\s+)?[#…]*\d{4,}\s*[.!]*$)/iu;

/** "Ask them why": a colleague or a customer is asked something. */
const ASKS_SOMEBODY =
  /^\W*(?:(?:please|pls|ok|okay|so|and|then|can|could|would|you|just|lol|well)[\s,]+)*ask\s+(?:them|him|her|(?:the|our)\s+(?:customer|client|subscriber|agent|team|guy|lady)|everyone|(?!for\b|me\b|us\b|about\b|if\b)\p{L}+)\s+(?:why|what|if|whether|to|about|how|when|who|for|where)\b(?!.*\d{4})/iu;

/** "Give Lee a nudge", "chase the approver": a colleague is reminded of something. */
const NUDGES =
  /^\W*(?:(?:please|pls|ok|okay|so|and|then|can|could|would|you|u|we|just|hey|hi)[\s,]+)*(?:(?:give|send)\s+(?!(?:me|us)\b)(?:\p{L}+\s+){1,2}?(?:a|another)\s+(?:little\s+|gentle\s+|quick\s+)?(?:nudge|poke|push|reminder|kick|shout|heads?[\s-]?up)|(?:nudge|chase|poke|prod|hurry)\s+(?!(?:me|us)\b)(?:up\s+)?(?!(?:(?!about\b|with\b|on\b)[^.;!?\s]+\s+){0,3}(?:port(?:s|ing|[\s-]?ins?)?|orders?|carriers?|transfers?|JNUOID\S*)\b)\p{L}+|remind\s+(?:\p{L}+\s+(?:about|of|on)\s+(?:my|our|the|this|that)\s+(?:\p{L}+\s+)?(?:requests?|approvals?|changes?|questions?)|(?:the\s+|an?\s+)?(?:approvers?|supervisors?|managers?))|(?:ping|remind|ask|tell)\s+\p{L}+\s+to\s+(?:approve|confirm|decide|sign))\b(?!.*\d{10})/iu;

/** True for "ask them why". */
export function asksSomebody(said: string): boolean {
  return ASKS_SOMEBODY.test(said);
}

/** "Delete subscriber Ben", "remove the customer". */
const DELETES_SUBSCRIBER =
  /\b(?:delete|remove|erase|drop|close)\s+(?:the\s+|our\s+|my\s+|this\s+)?(?:subscriber|customer|user|client|account)\b(?!['’]?s?\s+(?:line|number|plan|sim|filter|block|limit|webhook|route|password|email|address))|\b(?:delete|remove|erase|drop|wipe)\s+(?:[\p{L}-]+\s+){0,2}?[\p{L}-]+['’]?s\s+(?:(?:whole|entire|customer|subscriber|user)\s+)*(?:profile|record|entry|user)\b/iu;
/** "Take 0103 away from Ava", without a new holder. */
const TAKES_AWAY =
  /^\W*(?:(?:please|pls|can|could|you|u)\s+)*unassign\b(?![^,.;!?]*\b(?:to|for(?!\s+(?:now|good|the\s+moment|a\s+while)))\b)|\b(?:take|remove|unassign|detach|pull|free|release|unlink)\b[^,.;!?]*(?:\bnumber\b|\b\d{4}\b|\bline\b)[^,.;!?]*\b(?:away\s+)?from\s+(?!(?:(?:the|its|her|his|their|any|all)\s+)?(?:\p{L}+\s+)?(?:plan|package|bundle|tariff|subscription|workgroup)\b|(?:the\s+)?(?:block|allow|filter|list|hold|watch|plan|number|account|route|\d))\p{L}+(?![^,.;!?]*\b(?:to|for(?!\s+(?:now|good|the\s+moment|a\s+while))|list|filter)\b)/iu;
/** Words about a voice mailbox, whose PIN is no port-out PIN. */
const VOICEMAIL =
  /^(?!.*\bkeep\b).*(?:\b(voice\s?mails?)\b[^.;!?]*\b(?:pin|passcode|password|code|reset|greeting)\b|\b(?:pin|passcode|password|greeting)\b[^.;!?]*\b(?:voice\s?mails?)\b)/isu;

const ROAMING = /\broaming\b/iu;
/** "Take roaming away from 0103", without the id that it was given. */
const TAKES_ROAMING =
  /^(?!.*["“„?])(?!.*\bF[EA]ID-)(?!.*\b(?:products?|packages?|plans?)\b)\W*(?:(?:please|pls|plz|ok|so|and|can|could|you|u|we|i|need|want|to|just|hey|hi)[\s,]+)*(?:(?:take|remove|stop|cancel|disable|deactivate|drop|turn\s+off|switch\s+off|get\s+rid\s+of|delete|end|kill|no(?:\s+more)?)\s+(?:the\s+|her\s+|his\s+|their\s+)?roaming\b|(?:turn|switch|take)\s+(?:the\s+)?roaming\s+(?:off|away)\b)/iu;
/** An order about roaming, what hinders it, or the records that have it. */
const OF_ROAMING =
  /\b(?:add|give|assign|activate|enable|turn|switch|take|remove|stop|cancel|disable|deactivate|drop|create|make|new|put|define|delete|want|need|order|buy|broken|trouble|wont|fails?|failing|works?|working|products?|packages?|plans?|charge[sd]?|cost|abroad\s+block)\b|n['’]t\b|\bnot?\b|["“„]|\btype\s+roaming\b/iu;

/** Features of phones that the platform has no setting for. */
const NO_SETTING =
  /\b(?:turn|switch|set|setup|activate|deactivate|enable|disable|add|remove|cancel|drop|reset|change|stop|delete|get|wants?|needs?|(?:send|forward|divert|route)(?=[^.;!?]*\bto\s+(?:(?:his|her|their|the)\s+)?voice))\b[^.;!?]*?\b(voice\s?mails?(?:\s+box)?|call\s+waiting|hot\s?spot|tethering|wi-?fi\s+calling|conference\s+calls?)\b/iu;
/** The name of a feature that is to be made: "create an add-on called Hotspot". */
export const MAKES_FEATURE =
  /\b(?:create|make|add|set\s*up|define|new)\s+(?:(?:an?|the|another|new)\s+)*(?:add-?ons?|features?|products?|packages?|plans?)\s+(?:(?:that\s+is|to\s+be)\s+)?(?:called|named)\b/iu;
/** "Block international calls": a kind of numbers, and none by its digits. */
const KIND_OF_CALLS =
  /\b(?:block|bar|ban|stop|disable|forbid|turn\s+off|switch\s+off|no(?:\s+more)?|allow|enable)\b[^.;!?]*?\b(international|foreign|overseas|unknown|anonymous|private|hidden|withheld|premium(?:[\s-]rate)?|toll[\s-]free)\s+(?:calls?|numbers?|callers?|texts?|messages?|calling)\b/iu;
const TAKES_REQUEST_BACK =
  /\b(?:take\s+back|withdraw|retract|pull\s+back|revoke|recall|cancel|drop|undo|scrap|kill|abort|stop|forget(?:\s+about)?|bin)\s+(?:my|our|the|that|this|his|her|\p{L}+['’]?s)\s+(?:(?!port|order|transfer)\p{L}+\s+){0,2}?(?:request|question|ask|confirmation)\b|\btake\s+(?:my|our|the)\s+(?:\p{L}+\s+)?(?:request|question)\s+(?:\p{L}+\s+){0,3}?back\b|^\W*(?:(?:please|pls|ok|okay|so|sorry|actually|i|want|need|to|can|could|you|we|let['’]?s)[\s,]+)*(?:withdraw|retract|take\s+back|pull\s+back|recall)\s+(?:my\b|our\b|what\s+i\b|the\s+(?:\p{L}+\s+)?(?:cancel\w*|change|swap|reactivation|activation|text|message|parking)\b|[^,.;!?]*\bi\s+(?:just\s+|had\s+)?(?:asked|requested|submitted|sent|made)\b)|\b(?:cancel|undo|drop|stop)\s+(?:the|my)\s+(?:\p{L}+\s+){1,3}?(?:that\s+)?i\s+(?:just\s+)?(?:asked|requested|submitted|sent)\b/iu;

/** "Stop the suspension planned for 0103", "scrap the hold on 0103 i asked for": a request that waits. */
const STOPS_REQUEST =
  /^\W*(?:(?:please|pls|plz|ok|okay|so|sorry|actually|hey|hi|can|could|you|u|we|i|need|want|to|let['’]?s)[\s,]+)*(?:cancel|stop|withdraw|drop|scrap|undo|revoke|retract|abort|call\s+off|kill|forget|pull)\s+(?:the|my|our|that|this|her|his)\s+(?:(?:planned|scheduled|pending|requested|open|waiting)\s+(?:hold|suspension|suspend|pause|park(?:ing)?|cancell?(?:ation|ing)?|disconnection|termination|re-?activation|activation|sim\s+swap|swap|plan\s+change|change)\b|(?:hold|suspension|suspend|pause|park(?:ing)?|cancell?(?:ation|ing)?|disconnection|termination|re-?activation|activation|sim\s+swap|swap|plan\s+change|change)\b(?:(?!\bnot\b)[^.;!?])*?\b(?:(?:that\s+(?:is|was)\s+|that['’]s\s+)?(?:planned|scheduled|booked|queued|pending|requested|waiting)|(?:that\s+|which\s+)?(?:i|we|\p{L}+)\s+(?:just\s+|had\s+|have\s+)?(?:asked(?:\s+for)?|requested|submitted|ordered|put\s+in|planned|scheduled))\b)/iu;

const BACK_AS_WAS =
  /\b(?:put|set|change|switch|turn|roll|revert|restore|reset|make|get|bring|take)\b[^.;!?]*\b(?:what|how|(?:the\s+way|like|as))\s+(?:it|that|this|they|she|he|everything)\s+(?:was|were|had|used\s+to\s+be)\b|^\W*(?:(?:please|pls|ok|okay|no|and|so|can|you|u|actually|now)[\s,]+)*(?:change|put|set|switch|turn|roll)\s+(?:it|that|this|them|everything)\s+back(?:\s+(?:to\s+(?:before|normal|the\s+old\s+(?:one|value))|again|please|pls|now|then))*[\s.!?]*$/iu;
/** "Restore the previous limit on 0101", "put back the old caller name" */
const FORMER =
  /^(?!.*["“„?])\W*(?:(?:please|pls|ok|okay|no|and|so|can|could|you|u|we|i|need|want|to|just|now|then)[\s,]+)*(?:(?:put|set|bring|switch|change|turn|roll|go|get)\s+(?:it\s+)?back\s+(?:to\s+)?|(?:restore|reinstate|recover|re-?instate|reset\s+to|revert\s+to|return\s+to)\s+)(?:the\s+|her\s+|his\s+|their\s+|its\s+|\S+['’]s\s+)?(?:old|former|previous|prior|earlier|original|last)\s+(?!(?:numbers?|lines?|messages?|texts?|phones?|one\b)\b)\p{L}/iu;
const COMPARED =
  /^\W*(?:(?:please|pls|ok|okay|and|so|can|could|you|u|then|just|we|want|to|let['’]?s)[\s,]+)*(?:put|move|switch|change|set|give|upgrade|downgrade|subscribe|get|bump)\b[^.;!?]*\bthe\s+(?<one>(?:cheap|bigg?|small|larg|great|low|high|fast|slow)(?:er|est)\s+(?:one|plan|package|bundle|tariff|option)|(?:better|best|more\s+expensive|most\s+expensive|next(?:\s+\p{L}+)?)\s+(?:one|plan|package|bundle|tariff|option))\b/iu;

const KEEPS_NUMBER =
  /^(?!.*\b(?:plan|package|bundle|subscription|tariff|hold|port\w*|swap|not|dont|never)\b)(?!.*n['’]t\b).*\b(?:cancel|terminate|close|kill|disconnect|end|delete)\b[^.;!?]*\b(?:but|and|while|yet)\s+(?:(?:he|she|they|we|customer)\s+(?:wants?\s+to\s+)?)?(?:keep(?:s|ing)?|hold\s+on\s+to|save|retain|reserve)\s+(?:the|her|his|their|its|my|our|that|this)\s+(?:phone\s+)?number\b/iu;
const OFF_ROUTE =
  /^\W*(?:(?:please|pls|can|could|you|u|ok|and|so|we|need|to|want)[\s,]+)*(?:take|remove|pull|get|drop|detach|unassign|unlink|move)\s+[^.;!?]*?(?:\d{4}|\p{L}+)[^.;!?]*?\b(?:off|from|out\s+of)\s+(?:of\s+)?(?:the\s+|our\s+|its\s+|her\s+|his\s+)?(?:[\p{L}\d]+\s+){0,3}?(?:route|trunk)\b(?![^.;!?]*\b(?:to|onto)\s)/iu;
const VANITY =
  /\b(?:vanity|golden?|memorable|fancy|lucky|easy\s+to\s+remember|custom|special)\s+(?:phone\s+|mobile\s+)?(?:numbers?|digits|line)\b|\b(?:need|want|buy|order|get\s+(?:me|us|her|him|them)|give\s+(?:me|us|her|him|them)|new)\b[^.;!?]*\b(?:an?|new|another)\s+(?:new\s+)?(?:number|line)\s+(?:ending|that\s+ends|starting|that\s+starts|beginning|containing|that\s+has|with\s+(?:lots\s+of|many|the\s+digits))\b/iu;
const SWAP_REQUEST =
  /^\W*(?:(?:please|pls|ok|okay|so|sorry|actually|no|can|could|you|u|we|and|hey)[\s,]+)*(?:cancel|stop|withdraw|abort|drop|scrap|kill|undo|revoke|call\s+off)\s+(?:(?:the|my|our|that|his|her|their|pending|open|\p{L}+['’]?s)\s+)*(?:(?!(?:and|or|to|for|on|of|port\w*|order|with)\b)\p{L}+[\s-]+){1,3}?(?:swap|change|exchange|replacement|switch|update|edit|correction|rename)\b(?!\s+(?:fees?|forms?|events?|orders?|of\s+address)\b)|^\W*(?:(?:please|pls|ok|okay|so|sorry|actually|no)[\s,]+)*(?:cancel|stop|withdraw|abort|drop|scrap|kill|undo|revoke|call\s+off)\s+(?:(?:the|my|our|that|his|her|their|pending|open|\p{L}+['’]?s)\s+)+(?:swap|reactivation|activation)\b(?!\s+(?:fee|form))/iu;

/** True for "put it back to what it was". */
export function asksForBefore(said: string): boolean {
  return (BACK_AS_WAS.test(said) || FORMER.test(said)) && !/["“„]/.test(said);
}

/** Further things that nothing here does, each with what there is instead. */
const ELSEWHERE: readonly (readonly [pattern: RegExp, instead: string])[] = [
  // "Block outbound on 0103", "nothing should go out on 0103"
  [
    /^(?!.*\?\s*$)(?!.*\d{7})(?!.*\b(?:filters?|routes?|trunks?|bypass|apply|applies|direction|both)\b).*(?:\b(?:block|stop|bar|ban|disable|cut|kill|restrict|forbid|switch\s+off|turn\s+off|nothing\s+(?:should|may|must|shall))\b[^.;!?]*\b(?:outbound|outgoing|outward|dial(?:ing)?\s+out|(?:call|text|go|goes|going|calling|texting)\s+out)\b)/isu,
    'What a line sends or calls cannot be stopped by itself: “turn off calls on NUMBER” and “turn off texts on NUMBER” stop both directions, and “park NUMBER” stops the whole line. To keep a customer from one number, write “stop NAME from calling +1…”',
  ],
  // "Don't let anyone port out 0102", "lock 0102 against port out"
  [
    /(?:\b(?:not|never|dont|no\s*body|no\s+one|noone|without)|(?<!ca)n['’]t)\b[^.;!?]*\b(?:port(?:ed|ing)?|transferred|transfer|taken|moved|leave)[\s-]?(?:outs?|away|elsewhere)\b|(?:\b(?:never|not|dont)|(?<!ca)n['’]t)\s+(?:(?:let|allow|want)\b[^.;!?]*\b)?(?:to\s+)?be\s+ported\b|(?:\b(?:never|not|dont)|n['’]t)\s+(?:let|allow|permit)\b[^,.;!?]*\b(?:port|transfer)\b(?![^,.;!?]*\bin\b)|\b(?:no\s*body|no\s+one|noone)\s+(?:can|could|may|should|must|is\s+able\s+to)\b[^,.;!?]*\b(?:port|transfer|steal|take)\b|\b(?:lock|block|protect|guard|secure|bar|prevent|stop|freeze|forbid|disable|disallow)\b[^.;!?]*\b(?:against|from|for|to)?\s*(?:(?:being|any|all|getting|unauthorized|illegal)\s+)*(?:port(?:ed|ing)?[\s-]?outs?|port[\s-]?out|ported|being\s+transferred)\b|\b(?:block|lock|prevent|forbid|disable)\s+(?:(?:any|all|the)\s+)*porting\b(?!\s+in\b)|\b(?:locked|protected|blocked|secured)\s+(?:against|from|for)\s+(?:being\s+)?port\w*|\b(?:port(?:ing)?(?:[\s-]?out)?|transfer)[\s-]?(?:lock|protection|freeze|block)\b|\bnumber[\s-]?(?:lock|protection)\b/iu,
    'The platform has no lock against a port-out. Another carrier needs the port-out PIN of the line: a new one is set with “set a port-out PIN for NUMBER”, and told to nobody',
  ],
  // "What's the transfer PIN of Ava's line"
  [
    /^(?!.*\b(?:what\s+(?:do|does)|what(?:['’]?s|\s+is|\s+are)\s+an?\b|expir\w*|how\s+long|valid|used\s+for|good\s+for|mean|set|new|create|generate|make|change|reset|issue|need|needs|want|wants|give|send)\b)(?:.*\b(?:what|whats|which|show|tell|see|read|find|know|look\s+up|got)\b.*)\b(?:port(?:ing)?(?:[\s-]?out)?|transfer|leave|leaving)\s*[\s-]?pin\b/isu,
    'No port-out PIN can be read here. A new one is set with “set a port-out PIN for NUMBER”, and is shown once',
  ],
  [
    /\b(?:move|transfer|switch|reassign|assign|give|change|put|shift)\s+[^.;!?]*\d{4}\b(?:[^.;!?]*\b(?:to|into|under|onto)|\s+(?:on|in))\s+(?:(?:the|another|a\s+different|her|his)\s+)*(?:account\b(?!\s*(?:admin|number))|(?:\p{L}+\s+)?\p{L}+(?:['’]s)?\s+account\b)/iu,
    'A number stays in its account, and nothing here moves it to another one. Within it, “give NUMBER to NAME” assigns it to a subscriber',
  ],
  [
    /\b(?:turn|switch|shut|cut)\s+(?:off|on)\s+(?:(?:the|all|her|his|their|mobile|cell)\s+)*(?:data|internet)\b(?!\s+(?:limits?|caps?|warnings?|alerts?|throttl\w+|usage|notif\w+))|\b(?:disable|enable|stop|kill|block|suspend|pause|freeze|park|bar|hold|cut)\s+(?:(?:the|all|her|his|their|just|only|mobile|cell)\s+)*(?:data|internet)(?:\s+only)?\s+(?:on|for|of|from)\b|\b(?:turn|switch|shut|cut|take)\s+[^.;!?]{0,40}\b(?:data|internet)\s+(?:off|on)\b/iu,
    'The platform has no switch for the data of a line. Data can be limited with “set the data limit of NUMBER to 1 MB”, and ends with a hold: “park NUMBER”',
  ],
  [
    /\b(?:reset|refresh|reboot|restart|re-?provision|reload|ping|bounce|reprogram|resync)\b[^.;!?]*\be?sims?\b|\be?sims?\s+(?:reset|refresh|reboot|restart)\b/iu,
    'The platform cannot reset or refresh a SIM. A new SIM is set with “swap the SIM of NUMBER”. Why a line has no service is asked with “why can’t NUMBER use data”',
  ],
  // "Record all calls on the Acme route"
  [
    /^(?!.*["“„?])(?!.*\b(?:workgroups?|filters?|flag\w*)\b)(?!.*\d{4})\W*(?:(?:please|pls|plz|ok|so|and|can|could|you|u|we|i|need|want|to|should|must|just|hey|hi|start|stop)[\s,]+)*(?:(?:record(?:ing)?|tape|taping)\s+(?:(?:all|every|the|our|their|incoming|outgoing|inbound|outbound)\s+)*calls?\b|(?:(?:turn|switch|put|set|enable|disable|activate)\s+)?(?:on\s+|off\s+|the\s+)*(?:call\s+)?recordings?\b)[^.;!?]*\b(?:routes?|trunks?|lines|accounts?|on|at|of|for)\b/isu,
    'No route, line or account records calls. A workgroup does (“record calls in the workgroup NAME”), and the call filter of a customer records the calls that it flags (“record flagged calls for NAME”)',
  ],
  // "What add-ons can a subscription get"
  [
    /^\W*(?:(?:please|pls|so|and|hi|hey|ok|show|list|tell|us|me)[\s,]+)*(?:what|which|any|all|the|our)?\s*add-?ons?\s+(?:(?:can|could|may)\s+(?:an?|any|the|each|every|\p{L}+['’]s|we|i)(?:\s+(?:subscriptions?|lines?|numbers?|customers?|subscribers?))?\s+(?:get|have|take|add|give|order|book)\b.*|(?:are|is)\s+there|exist|do\s+we\s+have|have\s+we\s+got)[\s?.!]*$/iu,
    'No list says which features there are: each is known by its id. With it, write “give NUMBER the feature FEID-…”. What a package has is listed with “what is in the PACKAGE package”',
  ],
  // "Which features exist on Acme"
  [
    /^(?!.*["“„])(?!.*\bFEID-)(?!.*\b(?:bot|app|switchboard|you|u|filters?|guardian|add|(?<!\b(?:can|could)\s+(?:we|i)\s+)give|create|new|assign|delete|remove|take|has\s+the\s+feature|have\s+the\s+feature|with\s+the\s+feature)\b)\W*(?:(?:please|pls|so|and|hi|hey|ok|can|could|tell|us|me|i|we|want|to)[\s,]+)*(?:show|list|see|which|what|whats|what['’]s|any|are|is|does|do|how\s+many|(?:\p{L}+['’]?s\s+)?features?)\b[^.;!?]*\bfeatures?\b|^\W*(?:\p{L}+['’]?s\s+)?features\s*\??$/isu,
    'No list says which features there are, or which one an account, a package or a line has: each is known by its id. With it, write “give NUMBER the feature FEID-…”; “subscriptions with the feature FEID-…” shows who has it. Texts, calls and data of a line are switched without one: “turn off texting on NUMBER”',
  ],
  // "Order 20 sim cards to the heber office", "ship us 5 sims"
  [
    /^(?!.*["“„?])\W*(?:(?:please|pls|plz|ok|so|and|can|could|you|u|we|i|need|want|to|just|hey|hi)[\s,]+)*(?:(?:ship|mail|post|courier|deliver)\s+[^.;!?]{0,40}?\be?sims?\b|(?:order|buy|get|send|reorder|purchase)\s+(?:(?:me|us|some|more|a|an|another|few|couple|of|box|pack|batch|dozen|new|blank|spare|empty|physical|extra|the|\d+)\s+)*(?:sim\s*cards?\b(?!\s+for\b)|e?sims\b(?=[^.;!?]*\b(?:to|at)\b)))/iu,
    'Nothing here orders or ships SIM cards. A SIM that is at hand is put into a line by its number (ICCID): “swap the SIM of NUMBER to ICCID”',
  ],
  // "How close are we to the rate limit"
  [
    /^(?!.*["“„])(?!.*\d{4}).*\b(?:rate[\s-]?limit(?:s|ed|ing)?|(?:api|request)\s+(?:budget|quota|limits?)|(?:requests?|api\s+calls)\s+(?:per|a|each)\s+(?:minute|min|second|sec))\b/isu,
    'How much of the platform’s rate limit is used is not shown in a conversation. All processes together send at most 120 requests in 60 seconds, if the owner has set no other limit (PLATFORM_REQUESTS_PER_MINUTE). A call that meets the limit waits and goes on by itself',
  ],
  // "Retry the failed texts"
  [
    /^(?!.*["“„])\W*(?:(?:please|pls|plz|ok|so|and|can|could|you|u|we|i|need|to|just|then)[\s,]+)*(?:resend|re-send|retry|re-try|repeat|redo|try|send)\s+(?:(?:all|just|only|the|these|those|his|her|their|our|that|last|failed|undelivered|unsent|rejected|bounced)\s+)*(?:texts?|sms|messages?)(?:\s+(?:that|which)\s+(?:\p{L}+\s+){0,2}?(?:failed|bounced))?(?:\s+(?:to|for|from|of|on)\s+\S+)?(?:\s+(?:again|once\s+more|now|please|pls))*[\s.!?]*$(?<=\b(?:again|once\s+more)\b.*|\b(?:resend|re-send|retry|re-try|repeat|redo)\b.*)/isu,
    'Nothing here sends a message a second time: write it again as a new one, “text NUMBER …”. “Show texts of NUMBER” has what was sent, and what became of it',
  ],
  [
    /\b(?:resend|re-send|redeliver|replay|retry|repeat|send\s+(?:it\s+|them\s+|these\s+|those\s+)?again)\b[^.;!?]*\b(?:webhooks?|deliver(?:y|ies)|events?|notifications?|callbacks?)\b|\b(?:webhooks?|deliver(?:y|ies)|callbacks?)\b.*\b(?:resend|re-send|redeliver|replay|send\s+(?:it|them|these|those|what|everything|all)?\s*(?:we\s+missed|again))\b/isu,
    'The platform delivers its events to webhooks, and nothing here can send one again. What happened meanwhile is listed with “what happened since DATE”',
  ],
];

const TRAFFIC_WORDS = String.raw`(?:calls?|calling|ring(?:s|ing)?|texts?|texting|messages?|sms|contacts?|callers?|phone|reach|filter(?:s|ing)?|guardian|block\w*|allow\s?list)`;
const HOURS = String.raw`(?:(?:after|before|past|until|till|from|between)\s+(?:\d{1,2}(?:[:.]\d{2})?\s*(?:am|pm|h|o['’]?clock)|(?:\d{1,2}(?:[:.]\d{2})?\s*(?:am|pm)?\s*(?:to|and|until|till|-|–)\s*\d{1,2}(?:[:.]\d{2})?\s*(?:am|pm)?)(?!\d)|(?:school|midnight|bed\s?time|dinner|dark)\b)|at\s+night|overnight|(?:at|during|in|on)\s+(?:the\s+)?(?:night(?:s|\s?time)?|school(?:\s+(?:time|hours|days))?|class(?:es)?|lessons?|exams?|day\s?time|weekends?|weekdays?|school\s+nights?|homework)|(?:school|office|certain|fixed|night)\s+hours)`;
const WISHES = String.raw`(?:no|not|never|only|just|block|stop|allow|let|mute|silence|filter|set|want|wants|may|can|could|should|must|schedule\w*|limit|restrict|turn|switch|pause)`;
/** "No calls after 9pm for Ben", "only contacts may call Ava at night", "quiet hours" */
const TIMED = new RegExp(
  String.raw`^(?!.*["“„:])(?!.*\d{3}[\s.)-]*\d{3}[\s.-]*\d{4})(?!.*\b(?:why|did|didn['’]?t|got|came|arrive\w*|yesterday|last|since|tonight|today|tomorrow|work\s?groups?|on[\s-]?call|park\w*|cancel\w*|port\w*|data|was|were|\d{1,2}[/.]\d{1,2}[/.]\d{2,4})\b)(?:.*\b(?:quiet|silent|sleep(?:ing)?|bed\s?time|rest)[\s-]?(?:hours|times?|mode)\b|.*\b(?:curfew|night\s+mode|do[\s-]not[\s-]disturb|dnd)\b|(?=.*\b${TRAFFIC_WORDS}\b)(?=.*\b${WISHES}\b).*\b(?:${HOURS})|(?=.*\b(?:filters?|block\w*|guardian|allow\s?list)\b).*\b(?:hours|schedule[ds]?)\b(?=.*(?:\?|\b(?:only|can|could|schedule\w*)\b)))`,
  'isu',
);
const TIMED_TEXT =
  'A filter has no hours: it holds at any time, until it is changed or deleted, and no call or text is stopped by the time of day. At any time, “allow only NUMBER to call NAME” lets only known numbers through, and “block NUMBER for NAME” stops one';

/** Features of a line or a filter that the platform does not have. */
const UNKNOWN: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [TIMED, TIMED_TEXT],
  [
    /^(?!.*["“„])(?=.*\b(?:phone|fone|line|sim|device|handset|\d{4,11})\b)(?:.*\bwhere(?:['’]?s|\s+(?:is|was))\s+(?:(?:the|her|his|their|\p{L}+?['’]?s)\s+){0,2}(?:phone|fone|device|handset)\b(?!\s+number)|.*\bwhere(?:['’]?s|\s+is)\s+(?:(?:line|number)\s+)?[#…*]*\+?[\d().\s-]*\d{4}\s+(?:right\s+now|now|currently|at\s+the\s+moment|physically|located)\b|.*\blocation\s+of\b|.*\blast\s+seen\b|.*\bwhere\b[^.;!?]*\b(?:phone|fone|device|handset)\b[^.;!?]*\b(?:is|are|was)\b(?!\s+(?:\p{L}+\s+)?(?:routed|sent|assigned))|.*\b(?:locate|track(?:\s+down)?|gps|geolocat\w*)\b(?![^.;!?]*\b(?:order|port\w*|number\s+of)\b))/isu,
    'Where a phone is cannot be seen here: the platform has no location. “Park NUMBER” pauses the line of a stolen phone, and “swap the SIM of NUMBER” gives it a new SIM',
  ],
];

/** "Charge Ben 5 dollars", "refund her the fee". */
const CHARGES =
  /^\W*(?:(?:please|pls|plz|hey|hi|ok|so|and|also|can|could|would|will|you|u|we|i|want|need|to|should|must|let['’]?s|just|now)[\s,]+)*(?:charge|bill|debit|invoice|refund|credit|reimburse|waive|forgive)\s+(?!for\b|of\b|to\b|me\s+if\b)(?:[^,.;!?]*?(?:[$€£]\s?\d|\d+(?:[.,]\d+)?\s*(?:dollars?|usd|bucks?|cents?|euros?|[$€£]))|(?:her|him|them|\p{Lu}\p{L}+|the\s+(?:customer|subscriber|client))\b)/iu;

/** "She wants her money back", "refund 0103 for last month", "give Ava a credit of 10": an order, and no question. */
const MONEY_BACK =
  /^(?!.*["“„])(?!\W*(?:(?:so|and|hi|hey|ok)[\s,]+)*(?:what|which|who|how|when|why|where|is|are|was|were|does|do|did|will|would|if|text|tell|sms|message)\b).*?(?:\b(?:his|her|their|the|some|my)\s+money\s+back\b|(?:^\W*|\b(?:please|pls|you|u|we|to|should|must|a|some|the|full|partial|wants?|needs?|get|give|issue)\s+)(?:refund|reimburse(?:ment)?)\b|(?<!\bat\s)\b(?:an?|some|the)\s+(?:[$€£]?[\d.]+\s*(?:%|dollars?|usd|percent)?\s+)?(?:discount|rebate|voucher|coupon|refund)\b|\b(?:a|some|the)\s+(?:\p{L}+\s+)?credit\b(?!\s+(?:card|check|limit|score))|(?:^\W*|\b(?:please|pls|you|u|we|to)\s+)credit\s+(?!card|check|limit))/iu;

/** "Give Ben 10% off", "knock 5 dollars off her next bill", "a month for free": nobody pays less by a setting. */
const LESS_TO_PAY =
  /^(?!.*["“„])(?!\W*(?:(?:so|and|hi|hey|ok)[\s,]+)*(?:what|which|who|how|when|why|where|is|are|was|were|does|do|did|will|would|if|text|tell|sms|message)\b)(?!.*\b(?:packages?|plans?|products?|data|limit|gb|mb)\b).*?(?:(?<![\d.])\d{1,3}(?:\.\d+)?\s*(?:%|percent\b)\s*(?:off|discount|less|cheaper|rebate)\b|[$€£]?\d+(?:[.,]\d+)?\s*(?:dollars?|usd|bucks?|[$€£])?\s+off\s+(?:(?:of|the|his|her|their|next|this|\p{L}+['’]s)\s+)*(?:bill|invoice|fee|charge|month)|\bdiscounts?\s+(?:of|for|to|on)\b|\b(?:an?|one|first|next|this|two|\d)\s+(?:free\s+months?|months?\s+(?:for\s+)?free)\b)/iu;

/** True for a wish to take a request back that waits: "withdraw the cancel I asked for". */
export function asksToWithdraw(said: string): boolean {
  return TAKES_REQUEST_BACK.test(said) || STOPS_REQUEST.test(said) || takenBackIn(said) !== undefined;
}

const CALLER_NAME = String.raw`(?:caller[\s-]*(?:id|name)(?:\s+name)?|cnam|display\s+name)`;
/** "Remove the caller name of 0105", "caller id off on 0105", "no caller name on 0105". */
const HIDES_NAME = new RegExp(
  String.raw`\b(?:remove|delete|clear|hide|drop|erase|wipe|disable|suppress|get\s+rid\s+of|turn\s+off|switch\s+off|without(?:\s+an?)?|no)\s+(?:the\s+|her\s+|his\s+|their\s+|its\s+|a\s+)*(?:[\p{L}’']+\s+){0,2}?${CALLER_NAME}\b|\b(?:take|turn|switch|need|needs|want|wants|put|get)\b[^,.;!?]*\b${CALLER_NAME}\b[^,.;!?]*\b(?:off|removed|hidden|gone|deleted)\b|\b(?:not|n['’]?t|never)\s+(?:want\s+(?:to\s+)?)?(?:show|display|have)\b[^,.;!?]*\b${CALLER_NAME}\b`,
  'iu',
);
const GIVES_NAME =
  /\b(?:lookup|route|trunk|to|as|with|instead|show|says?|be|read)\s+["“„\p{Lu}]|\b(?:lookup|route|trunk)\b/u;

/** "Turn on the morning digest in this channel". */
const DIGEST =
  /\b(?:turn|switch|set\s+up|enable|subscribe|schedule|post|send|activate|start|want|need|disable|stop|cancel)\b[^.;!?]*\b(?:(?:daily|morning|weekly|nightly|evening)\s+)?(?:digests?|(?:daily|morning|weekly|nightly)\s+(?:summary|report|recap))\b|\b(?:get|receive|have|there)\b[^.;!?]*\b(?:digests?\s+(?:daily|weekly|nightly|every|each|automatically)|(?:daily|morning|weekly|nightly|evening)\s+digests?)\b/iu;

const TO_EVERYONE =
  /\b(?<who>(?:everyone|everybody|(?:all|every|each)\s+(?:of\s+)?(?:(?:our|the|my)\s+)?(?:customers?|subscribers?|clients?|users?|people|lines?|numbers?))(?:\s+(?:but|except|besides)\s+(?:for\s+)?\p{L}+)?)\s+(?:should\s+|must\s+|has\s+to\s+)?(?:gets?|receives?)\s+(?:an?|this|the)\s+(?:texts?|sms|messages?)\b/iu;

/** The setting of a filter that stops a kind of callers, or that there is none. */
function ofKind(kind: string, isOfTexts: boolean): string {
  if (/^(?:premium|toll)/.test(kind) || (isOfTexts && /^(?:international|foreign|overseas)$/.test(kind)))
    return `A filter has no setting for ${kind} ${isOfTexts ? 'texts' : 'numbers'}. It stops unknown numbers, and those that are listed: “block NUMBER for NAME”`;
  if (/^(?:international|foreign|overseas)$/.test(kind))
    return 'International calls are a setting of the customer’s filter: “block international calls for NAME”, and “allow international calls for NAME”';
  return `A filter has no setting for ${kind} callers alone. “Block unknown callers for NAME” stops all who are not on the allow list`;
}

/** The request that cannot be done here, in words that follow "…". Undefined for other sentences. */
export function outsideOf(said: string): string | undefined {
  if (REMINDS.test(said)) return 'Switchboard cannot remind you. To have something done, write it when it is time';
  if (CALLS.test(said))
    return 'Switchboard places no calls and keeps no appointments. It can send a text: “text NUMBER …”';
  if (NUDGES.test(said))
    return 'Switchboard reminds no colleague. A request stays on its card until it is decided, withdrawn or too old, and “what is waiting” lists it for those who may decide it';
  if (asksSomebody(said))
    return 'Switchboard asks nobody. To text a customer, write “text NUMBER …”. The history of a line says who changed it';
  if (STOPS_SENDING.test(said) && !/https?:|\b(?:web)?hooks?\b|\b(?:events?|updates?|callbacks?)\b/i.test(said))
    return 'Switchboard sends a message only when somebody asks for it, so there is nothing to stop. To block another number for a customer, write “block NUMBER for CUSTOMER”';
  if (DIGEST.test(said))
    return 'Nothing here posts a digest by itself. “What happened since yesterday” shows one when it is asked for';
  const everyone = TO_EVERYONE.exec(said)?.groups?.who;
  if (everyone !== undefined && !/\?\s*$|^\W*(?:did|does|has|will|who)\b/i.test(said))
    return `A message needs each number or name: “${everyone}” stands for none. Write “text NUMBER …”`;
  if (CHARGES.test(said) || MONEY_BACK.test(said) || LESS_TO_PAY.test(said))
    return 'Switchboard charges, bills and refunds nobody itself. A fee belongs to its change and is billed with it: the question before the change says how much';
  if (asksToWithdraw(said))
    return 'A request is taken back with “Withdraw” on its card, by the person who asked. The card of a line names what waits for it';
  const ofAccount = NOT_OF_ACCOUNTS.find(([pattern]) => pattern.test(said));
  if (ofAccount) return ofAccount[1];
  if (DELETES_SUBSCRIBER.test(said))
    return 'The platform has no way to delete a subscriber or an account. Their numbers can be cancelled: “cancel NUMBER”';
  const [, feature] = (MAKES_FEATURE.test(said) ? null : NO_SETTING.exec(said)) ?? VOICEMAIL.exec(said) ?? [];
  if (feature !== undefined)
    return `The platform has no setting for ${feature.toLowerCase()}. Calls, texts and data of a line can be limited or switched with “Change a number” and its data limits`;
  const [, kind] = KIND_OF_CALLS.exec(said) ?? [];
  if (kind !== undefined) return ofKind(kind.toLowerCase(), /\b(?:texts?|messages?)\b/iu.test(said));
  if (TAKES_AWAY.test(said.replace(/\b[A-Z]{2,7}-[\w-]+/gu, ' ')))
    return 'A number is taken from a customer by giving it to another one: “give NUMBER to NAME”. To leave it without one, write “change the subscriber NAME”, and send the list of phone numbers without it';
  if (ROAMING.test(said) && !OF_ROAMING.test(said))
    return 'Roaming is a feature of a subscription, and no list says which features there are or which line has one. With its id (FEID-…), write “give NUMBER the feature FEID-…”, and “Subscriptions with a feature” lists who has it';
  if (ROAMING.test(said) && TAKES_ROAMING.test(said))
    return 'Roaming is a feature of a subscription, and no list says which line has one. It is taken away by the id that was shown when it was given: “delete feature assignment FAID-…”';
  const elsewhere = [...ELSEWHERE, ...UNKNOWN, ...UNSUPPORTED].find(([pattern]) => pattern.test(said));
  if (elsewhere) return elsewhere[1];
  if (asksForBefore(said))
    return 'Nothing here puts a value back by itself, and what it was is not kept. “Who changed NUMBER” shows what was done: write the change with the value that it had';
  const compared = COMPARED.exec(said)?.groups?.one;
  if (compared !== undefined)
    return `Which plan “the ${compared}” is cannot be told here. “Which plans do we have” lists them with their prices: write the name of the plan`;
  if (KEEPS_NUMBER.test(said))
    return 'A cancellation gives up the number with the line: it can be brought back for 30 days only. To keep the number without service, write “park NUMBER”';
  if (OFF_ROUTE.test(said))
    return 'A line leaves a route by getting another one: “point NUMBER at ROUTE”. No operation leaves it without one';
  if (VANITY.test(said))
    return 'The digits of a new number cannot be chosen: a number is chosen by its area code, as in “new line in area code 312”';
  if (SWAP_REQUEST.test(said))
    return 'A request that still waits is taken back with “Withdraw” on its card, by the person who asked. A change that was made is undone by another change. The card of the line names what waits for it';
  if (/\bimei\b/i.test(said))
    return 'The IMEI of a phone is not known here: only the SIM of a line (its ICCID) is, and it is on the card of the line';
  const address = onAddress(said);
  if (address !== undefined) return address;
  if (HIDES_NAME.test(said) && !GIVES_NAME.test(said) && !asksWhoHasNoName(said))
    return 'The platform has no way to remove a caller name, and takes no empty one. To show another one, write “set the caller name of NUMBER to NAME”';
  if (CONTINUES.test(said) && !hasDeed(said.replace(/\b(?:make|do|mean|meant)\b/gi, ' ')))
    return 'This message does not say what to do, and it is not clear which earlier one it continues. Write the whole order, such as “park 0103”. What was offered before is as it was';
  return undefined;
}

function hasDeed(text: string): boolean {
  return wordsOf(unmarked(text).replace(/\d/g, ' ')).some(({ acts }) => acts.length > 0);
}

const WAITING =
  /^\W*(?:(?:hi|hey|morning|good|so|and|ok|is|are|there|do|i|we|have|got)[\s,]+)*(?:any(?:thing|\s+\p{L}+)?|something|what(?:['’]?s|\s+is|\s+else)?|whats)\s+(?:\p{L}+\s+){0,3}?(?:(?:needs?|wants?|requires?)\s+(?:my|our|some|any)?\s*attention|(?:i|we)\s+(?:need|have|ought|should|must|got)\s+(?:to\s+)?(?:look\s+at|take\s+care|handle|deal\s+with|know|do)\b|on\s+my\s+(?:plate|desk|list)|for\s+me\s+to\s+(?:do|look\s+at|handle))(?:\s+(?:now|first|today|this\s+morning|right\s+now|rn|still|about|of|here))*[\s?.!]*$|\b(?:my|our)\s+(?:approval|yes|ok|sign-?off|confirmation|decision)\b[^.;!?]*\b(?:need\w*|required|wanted|missing|outstanding)\b|\bin\s+(?:the|my|our)\s+(?:approval\s+|confirmation\s+)?(?:queue|inbox|backlog)\b|\b(?:requests?|approvals?|changes?|questions?|anything|what|something)\b[^.;!?]*\b(?:nobody|no\s*one|noone)\s+(?:has\s+|had\s+)?(?:yet\s+)?(?:looked|decided|approved|answered|touched|confirmed|picked)\b|\b(?:requests?|approvals?|confirmations?|questions?)\b[^.;!?]*\b(?:sitting|sits|lying|hanging|stuck|unanswered|left\s+open|oldest|longest)\b|\b(?:pending|waiting|open|undecided|unanswered)\s+(?:for|since|longer|more\s+than|over)\b|\b(?:pending|open|outstanding|unapproved|undecided|unconfirmed)\s+(?:approvals?|requests?|confirmations?|questions?|decisions?|changes?)\b|\b(?:approvals?|requests?|confirmations?|questions?|changes?|what|anything|something|everything)(?:['’]?s|\s+is|\s+are|\s+ha(?:s|ve)\s+been)?\s+(?:still\s+|currently\s+)?(?:pending|open|waiting|waits?|awaiting|undecided)\b|\b(?:waits?|waiting|awaiting|pending)\s+(?:(?:for|on)\s+)?(?:an?\s+|my\s+|your\s+|the\s+)?(?:yes|approvals?|approvers?|confirmations?|decisions?|sign-?off)\b|\bneeds?\s+(?:an?\s+|my\s+|our\s+|your\s+)?(?:yes|approval|confirming|confirmation|approving|sign-?off)\b/iu;

/** "Which requests are older than three days" */
const OF_REQUESTS =
  /^\W*(?:(?:show|list|see|me|us|all|any|are|is|there|which|what|the|our)\s+)*(?:requests?|approvals?|confirmations?)\b/iu;

/** True for a question of which requests wait for a person. */
export function asksWhatWaits(said: string): boolean {
  return WAITING.test(said) || asksOnlyWhatWaits(said) || (OF_REQUESTS.test(said) && ageIn(said) !== undefined);
}

/** True for such a question that says nothing else, such as whose requests. */
export function asksOnlyWhatWaits(said: string): boolean {
  return (
    WAITING_ALONE.test(said) &&
    WAITING_WORD.test(said) &&
    !/^\W*(?:please\s+)?(?:approve|confirm|decline|open)\b/i.test(said)
  );
}

/** The same in a few words: "what is open", "anything to approve". */
const WAITING_ALONE =
  /^\W*(?:(?:hi|hey|hello|morning|please|pls|ok|so|and|is|are|was|were|do|does|did|i|we|you|have|has|got|there|show|tell|list|me|us|see|check|what|which|what['’]?s|whats|any|all|every|each|ones?|mine|nobody|no\s+one|without|answer(?:ed)?|anything|something|stuff|things?|the|my|our|your|a|still|currently|right|now|today|else|left|waiting|waits|pending|open|outstanding|unanswered|undecided|unconfirmed|needs?|must|should|be|to|can|for|of|on|in|from|with|by|an|ok|okay|somebody|someone|anyone|anybody|supervisors?|managers?|approvers|approve|confirm|decide|decline|sign|off|approved|confirmed|decided|approvals?|confirmations?|decisions?|requests?|questions?|queue|inbox|changes?|approver|a\s+yes|yes)\b[\s,?!.'’]*){2,12}$/iu;
const WAITING_WORD =
  /\b(?:waiting|waits?|pending|open|outstanding|unanswered|undecided|unconfirmed|approvals?|confirmations?|to\s+(?:approve|confirm|decide|sign)|(?:needs?|must|should)\s+(?:to\s+)?(?:be\s+)?(?:approv\w+|confirm\w+|decid\w+)|(?:can|should|must|do)\s+i\s+(?:have\s+to\s+)?(?:approve|confirm|decide)|(?:nobody|no\s+one)\s+(?:has\s+)?(?:answered|decided|approved|confirmed)|without\s+an?\s+answer|needs?\s+(?:an?\s+|my\s+|our\s+)?(?:yes|approval|approver|decision))\b/iu;

const SENT =
  /\b(?:text|sms|message|mms)(?:e?s)?\s+(?:(?:that\s+)?(?:we|i)\s+(?:\p{L}+\s+)?)?to\b|\b(?:we|i)\s+(?:ever\s+|already\s+|last\s+)?(?:text|texted|sms|message|messaged|send|sent|write|wrote|written|tell|told)\b|\b(?:our|my)\s+(?:last\s+|latest\s+|first\s+)?(?:texts?|sms|messages?)\b|\b(?:sent|written|texted)\s+to\b/iu;

/** True for a question about messages that we sent. They are found by their receiver. */
export function asksWhatWasSent(said: string): boolean {
  return SENT.test(said) || IF_SENT.test(said);
}

const IF_SENT =
  /^\W*(?:(?:and|so|hey|hi|hello|but|wait)\W+)*(?:did|have|has)\s+(?:we|i|you|u|(?:any|some)(?:one|body)(?!\s+(?:text|sms|messag|wr)))\s+(?:already\s+|ever\s+|actually\s+|even\s+)?(?:text|texted|sms|messaged?|wr[io]te|written|repl(?:y|ied)\s+to|respond(?:ed)?\s+to|tell|told|notify|notified|inform|informed|(?:send|sent)\b(?=[^?]*\b(?:text|sms|message|msg)))(?!\s+(?:us|me)\b)\b/iu;

const WHAT_WE_SENT =
  /^\W*(?:(?:and|so|hey|hi|ok|but|show|me|list)\W+)*(?:what|which|how\s+many|any|all|the)\s+(?:\p{L}+\s+)?(?:texts?|sms|messages?|msgs?)\s+(?:that\s+)?(?:did\s+|have\s+|had\s+)?(?:we|i)\s+(?:\p{L}+\s+)?(?:send|sent)\b/iu;

/** True for a question whether or which messages were sent: "did we text 0104 today", "what texts did we send her". */
export function asksIfSent(said: string): boolean {
  return IF_SENT.test(said) || WHAT_WE_SENT.test(said);
}

const CAME =
  /\b(?:gets?|got|gotten|receive[ds]?|came|come|comes|incoming|inbound|heard|hear)\b|\b(?:sent|wrote|texted|messaged)\s+(?:to\s+)?(?:us|me)\b/iu;

/** True for a question about messages that came in. */
export function asksWhatCame(said: string): boolean {
  return CAME.test(said) && !asksWhatWasSent(said);
}

const EVERYONE =
  /\b(?:everyone|everybody|all\s+(?:of\s+)?(?:the\s+|our\s+|my\s+|\p{L}+['’]?s\s+)?(?:(?:active|parked|suspended|paused|frozen|cancell?ed|inactive|unused|old)\s+)?(?:customers?|subscribers?|people|users?|clients?|lines?|numbers?|sims?)|(?:parked|suspended|paused|frozen|cancell?ed|inactive|unused)\s+(?:lines|numbers|sims)|(?:every|each)\s+(?:single\s+)?(?:customer|subscriber|user|client|line|number|sim)s?)\b/iu;

/** The words of a sentence for more numbers than it names: "everyone", "all of Acme's lines". */
export function everyoneIn(said: string): string | undefined {
  return EVERYONE.exec(said)?.[0];
}

const SEVERAL =
  /\b(two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|a\s+couple\s+of|a\s+few|several|some|[2-9]|[1-9]\d)\s+(?:(?!gb\b|mb\b)\p{L}+\s+){0,3}?(?:numbers|lines|sims|esims)\b/iu;

/** The count of new numbers that a sentence asks for, if it is more than one: "2 fresh numbers". */
export function severalIn(said: string): string | undefined {
  return SEVERAL.exec(said)?.[1];
}
