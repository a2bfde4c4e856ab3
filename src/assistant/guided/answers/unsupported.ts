/* Wishes about lines that the platform has no operation for, each with what there is instead. */

const ASKED = '^(?!.*["“„])';
const LINE = String.raw`[#…*]*(?:\+?\d[\d().\s-]{8,}\d|\d{4})`;

/** What people do online, which no filter is for. */
const ONLINE = String.raw`(?:web\s?(?:sites?|pages?)|sites|apps?|porn|games?|gaming|social\s+media|screen\s+time|app\s+store|tik\s?tok|you\s?tube|instagram|insta|facebook|snapchat|whatsapp|netflix|browsing|browser|the\s+web|adult\s+(?:content|sites?))`;

export const UNSUPPORTED: readonly (readonly [pattern: RegExp, instead: string])[] = [
  // "Swap the lines of Ava 0101 and Ben 0102"
  [
    new RegExp(
      String.raw`${ASKED}.*\b(?:swap|exchange|trade|switch)\s+(?:over\s+)?(?:the\s+|their\s+)?(?:lines|numbers|phones|phone\s+numbers)\b(?!\s+(?:to|onto|off|on)\b).*(?:\band\b|\bwith\b|&)`,
      'isu',
    ),
    'No operation swaps two lines. It is two changes: “give NUMBER to NAME” for the one, and then for the other',
  ],
  // "Take 0102 off"
  [
    new RegExp(
      String.raw`^\W*(?:(?:please|pls|plz|ok|okay|so|and|can|could|would|you|u|we|need|to|just|hey|hi)[\s,]+)*(?:take|pull|get|have)\s+(?:(?:number|line)\s+)?${LINE}\s+off(?:[\s,]+(?:please|pls|plz|now|today|asap|thanks|thx|then))*[\s.!?]*$`,
      'iu',
    ),
    'What the line is to be taken off is not said. “Take NUMBER off hold” ends a hold, “give NUMBER to NAME” takes it from its customer, “take NUMBER off the plan” ends a subscription, and “cancel NUMBER” ends the line',
  ],
  // "Turn 0104 off and on again", "restart it"
  [
    new RegExp(
      String.raw`${ASKED}(?!.*\b(?:webhooks?|events?|batch|subscriptions?|bot|app|server)\b)(?:.*\boff\s+(?:and|then|&|,)+\s*(?:then\s+)?(?:(?:turn|switch|put)\s+(?:it\s+)?)?(?:back\s+)?on\b|.*\boff\s*[/-]\s*on\b(?!\s+\p{L}*\s*\d)|\W*(?:(?:please|pls|plz|ok|okay|so|and|then|can|could|would|you|u|we|i|try|to|just|want|need|let['’]?s|maybe|hey|hi)[\s,]+)*(?:restart|re-?start|reboot|power[\s-]?cycle|bounce|reset|hard[\s-]?reset|refresh|cycle)\s+(?:it|that|this|her|him|them|(?:the|her|his|their|its|my)\s+(?:line|number|phone|connection|service)|(?:(?:line|number)\s+)?${LINE}|\p{L}+['’]s\s+(?:line|number|phone|connection|service)|(?:the\s+)?(?:line|number|service|connection)\s+(?:of|for|on)\s+\S+)(?:\s+(?:\p{L}+\s*){0,3})?[\s.!?]*$)`,
      'isu',
    ),
    'The platform cannot restart a line. A hold and its end are two changes: “park NUMBER”, and then “activate NUMBER”. Why a line has no service is asked with “why can’t NUMBER call”',
  ],
  // "Reset the data of 0105"
  [
    new RegExp(
      String.raw`${ASKED}(?!.*\b(?:limit|cap|password|not|never|dont|if|when)\b)\W*(?:(?:please|pls|plz|hey|hi|ok|so|can|could|would|you|u|we|i|want|need|to|just)[\s,]+)*(?:reset|re-?set|zero|clear|wipe)\s+(?:out\s+)?[^.;!?]*?\b(?:data|usage|counter|allowance|megabytes|gigabytes)\b`,
      'isu',
    ),
    'The platform counts what a line used, and no operation sets it back. More data is given with “set the data limit of NUMBER to 5 GB”',
  ],
  // "Rename the feature premium support to gold support"
  [
    /^\W*(?:(?:please|pls|plz|hey|hi|ok|so|can|could|would|you|u|we|i|want|need|to|just)[\s,]+)*(?:(?:rename|relabel|retitle|rebrand|(?:change|set|update|edit|fix|correct)\s+(?:the\s+)?name\s+(?:of|on|for))\s+(?:the\s+|our\s+)?(?:(?!plan\b|package\b|product\b|route\b)[\p{L}\d-]+\s+){0,4}?features?\b|(?:the\s+|our\s+)?(?:[\p{L}\d-]+\s+){0,4}?feature\b[^.;!?]*\b(?:should|must|has\s+to|needs\s+to)\s+be\s+(?:called|named|renamed)\b|call\s+(?:the\s+|our\s+)(?:[\p{L}-]+\s+){0,4}?feature\s+["“]?\p{L})/isu,
    'A feature keeps the name that it was created with: the platform shows, creates and deletes features, and changes none. A new one is made with “create a feature named NAME”',
  ],
  // "Pause the webhook for Globex"
  [
    new RegExp(
      String.raw`${ASKED}(?!.*\bhold\s+on\b)(?!.*\b(?:not|never|dont|don['’]t)\s+(?:pause|suspend|disable|turn|switch|deactivate|freeze|mute)\b)\W*(?:(?:please|pls|plz|hey|hi|ok|so|can|could|would|you|u|we|i|want|need|to|just)[\s,]+)*(?:(?:do\s*n['’]?t|do\s+not)\s+(?:delete|remove|drop|kill)\b[^.;!?]*?[\s,;]+(?:but\s+|just\s+|only\s+)*)?(?:pause|unpause|suspend|resume|freeze|mute|disable|deactivate|re-?enable|enable|(?:take|get|bring|put)(?=[^.;!?]*\bweb\s?hooks?\s+(?:off\s?line|on\s?line|on\s+(?:hold|pause)))|(?:turn|switch)\s+(?:back\s+)?(?:off|on)|(?:turn|switch)(?=[^.;!?]*\b(?:off|on)\b))\s+[^.;!?,]*\bweb\s?hooks?\b(?!\s+(?:auth|events?))`,
      'isu',
    ),
    'A webhook has no switch: it gets its events until it is deleted. “webhooks of ACCOUNT” lists them, “delete the webhook of ACCOUNT” ends one, and its address and its events can be changed',
  ],
  // "Unlock ava's iphone, it is locked to another carrier", "can you repair his handset"
  [
    new RegExp(
      String.raw`${ASKED}(?!.*\b(?:not|never)\b)(?:.*\b(?:sim[\s-]?|carrier[\s-]?|network[\s-]?)?(?:unlock(?:s|ed|ing)?|unbrick|jailbreak|imei|blacklisted)\b[^.;!?]*\b(?:i?phones?|handsets?|devices?|android|pixel|galaxy|tablets?|ipads?|watch)\b|.*\b(?:wip(?:e|es|ed|ing)|erase|factory[\s-]?reset)\b[^.;!?]*\b(?:i?phones?|handsets?|devices?|mobiles?|tablets?|ipads?)\b(?!\s*(?:numbers?|book))|.*\b(?:i?phones?|handsets?|devices?|tablets?|ipads?)\b[^.;!?]*\b(?:carrier|sim|network)[\s-]?(?:un)?locked\b|.*\b(?:repair(?:s|ed|ing)?|fix|replace|exchange|insure|warranty)\b[^.;!?]*\b(?:handsets?|screens?|batter(?:y|ies)|displays?|chargers?)\b|\W*(?:(?:please|pls|plz|hey|hi|ok|so|can|could|would|you|u|we|i|want|need|needs|to|just|customer|client|she|he)[\s,]+)*(?:order|buy|purchase|sell|ship|get|give|send)\s+[^.;!?]*?\b(?:handsets?|smart\s?phones?|i-?phones?|androids?|pixels?|galaxys?|tablets?|chargers?)\b)`,
      'isu',
    ),
    'Switchboard has lines, and no handsets: it cannot sell, unlock, wipe, repair or replace a device. The carrier or shop that sold it can. What is done here for another device is the SIM: “swap the SIM of NUMBER”',
  ],
  // "Schedule a text to ava for tomorrow 9am"
  [
    new RegExp(
      String.raw`${ASKED}\W*(?:(?:please|pls|plz|hey|hi|ok|so|can|could|would|you|u|we|i|want|need|to|just)[\s,]+)*(?:schedule|queue|plan|time)\s+(?:up\s+)?(?:an?\s+|the\s+|this\s+|another\s+)?(?:texts?|sms|messages?|msgs?)\b`,
      'isu',
    ),
    'A text goes out at once, and none can be sent at a later time. When it is time, write “text NUMBER: …”',
  ],
  // "Forward texts of 0101 to ben"
  [
    /^(?!.*(?:["“„]|https?:|\b(?:not|never|dont|routes?|webhooks?|url|endpoint|address|server|e-?mail)\b)).*\b(?:forward|redirect|relay|divert|copy|pass\s+on)\b[^.;!?]*\b(?:texts?|texting|sms|messages?|msgs?)\b[^.;!?]*\bto\b/isu,
    'The texts of a line go to the address of its message route, and to no other number. “Message route of NUMBER” shows it, and “change the message route NAME” sets another address for all of its lines',
  ],
  // "Data warnings for Ava go to +1…"
  [
    /^(?!.*(?:["“„]|\b(?:not|never|dont|limit|filter\w*|flagged|keywords?)\b))(?=.*\+?\d{7})(?:.*\b(?:data|usage)\s+(?:warnings?|alerts?|notices?|notifications?)\b[^.;!?]*\bto\b|.*\b(?:add|put)\b[^.;!?]*\bto\b[^.;!?]*\b(?:data|usage)\s+(?:warnings?|alerts?|notices?|notifications?)\b)/isu,
    'The platform has no receiver for the notice of a line’s data: only the amount at which it comes is set, with “warn NUMBER at 3 GB”',
  ],
  // "Test the webhook", "send a test event to the webhook"
  [
    new RegExp(
      String.raw`${ASKED}(?!.*\b(?:not|never|dont)\b)(?:.*\b(?:test|try|ping|trigger|fire|verify)\s+(?:out\s+)?(?:the\s+|our\s+|that\s+|my\s+|\p{L}+['’]?s\s+)*webhooks?\b|.*\btest\s+(?:events?|messages?|calls?|deliver\p{L}+|pings?)\b[^.;!?]*\bwebhooks?\b|.*\bwebhooks?\s+tests?\b)`,
      'isu',
    ),
    'The platform sends no test event: a webhook gets the next real one. What it is subscribed to is in “show the webhooks”',
  ],
  // "Create a workgroup Sales", "delete workgroup front desk"
  [
    /^(?!.*\b(?:not|never|dont)\b)\W*(?:(?:please|pls|plz|hey|hi|ok|so|can|could|would|you|u|we|i|want|need|to|just)[\s,]+)*(?:(?:create|set\s+up|build|new|add|open|delete|remove|drop|close|dissolve|get\s+rid\s+of)|make(?=\s+(?:an?|another|the)\s))\s+(?:(?:an?|the|our|another|new|second)\s+)*(?:(?!(?:to|from|in|on|of|for)\b)\p{L}+\s+){0,2}?(?:work\s?groups?|(?:ring|hunt|call|queue)\s+groups?)\b(?!\s+(?:activit|notif|member|name|digit))/isu,
    'No operation creates or deletes a workgroup: the platform only shows and changes those that there are. “List the workgroups” has them, and “change the workgroup NAME” opens its form',
  ],
  // "Put a note on acct Acme that they prefer email"
  [
    new RegExp(
      String.raw`${ASKED}\W*(?:(?:please|pls|plz|hey|hi|ok|so|can|could|would|you|u|we|i|want|need|to|just)[\s,]+)*(?:put|add|leave|make|write|save|attach|keep|log|set)\s+(?:in\s+|down\s+)?(?:an?\s+|the\s+|this\s+)?(?:short\s+|quick\s+)?(?:notes?|comments?|remarks?|memos?)\b`,
      'isu',
    ),
    'No record of the platform has a field for notes, so that none can be kept here',
  ],
  // "Block 900 numbers on 0101"
  [
    new RegExp(
      String.raw`${ASKED}(?:.*\b(?:block|bar|ban|stop|reject|forbid|allow|unblock|whitelist|blacklist|filter)\b[^.;!?]*?(?:\b(?:all\s+|any\s+|every\s+|the\s+)*\+?1?[\s-]?\(?[2-9]\d\d\)?(?![\d-])\s*(?:numbers?|calls?|callers?|texts?|area\s*codes?|prefix(?:es)?|lines)\b|\b(?:numbers?|calls?|callers?|texts?|anything|everything|anyone|everyone|all|messages?)\s+(?:that\s+|which\s+|who\s+|from\s+)*(?:start(?:s|ing)?|begin(?:s|ning)?|beginning)\s+(?:with|in|by)\s+\+?\d{1,6}(?!\d)|\b(?:area\s*code|prefix)\s+\+?\d{1,6}(?!\d)|\b(?:numbers?|calls?|callers?|texts?|messages?|everyone|anyone|everything|anything)\s+(?:from|in|with)\s+(?:the\s+|area\s*code\s+|prefix\s+)*[2-9]\d\d(?![\d-]|[\s.)]+\d)(?:\s|$)))`,
      'isu',
    ),
    'A prefix or an area code cannot be blocked or allowed: a filter takes whole numbers. Write “block NUMBER for NAME”, or choose kinds of numbers with “create a call filter for NAME”',
  ],
  // "Can we block websites or apps for the kid"
  [
    new RegExp(
      String.raw`${ASKED}(?:.*\b(?:block|filter|ban|bar|restrict|limit|forbid|disable|stop|lock|prevent|deny|allow|unblock|control|monitor|see|track)(?:s|ed|ing|ning)?\b[^.;!?]*?\b${ONLINE}\b|.*\b${ONLINE}\b[^.;!?]*\b(?:blocked|filtered|banned|restricted|limited|forbidden|stopped|turned\s+off|disabled)\b)`,
      'isu',
    ),
    'There is no filter for websites, apps or what is done online. A filter is for calls and texts (“block NUMBER for NAME”, “set the message filter of NUMBER to child”), and data can be limited as a whole: “set the limit of NUMBER to 2 GB”',
  ],
  // "Is there voicemail on 0101"
  [
    new RegExp(
      String.raw`${ASKED}(?!.*\b(?:active|activated|enabled|disabled|switched|turned|work\s?group)\b)\W*(?:(?:hi|hey|so|and|ok|please|pls|check|see|know|tell\s+me|if|whether)[\s,]+)*(?:is|are|does|do|has|have|can|could|did|what\s+about|any|how\s+do(?:es)?|why|(?:check|look\s+(?:at|into)|listen\s+to|play|open|show|see|get|read|hear|find)(?=\s+(?:\S+\s+){0,3}?(?:voice\s?mails?|call\s+waiting|hot\s?spot|tethering|wi-?fi|volte)\b))\b[^.;!?]*?\b(?:voice\s?mails?|call\s+waiting|hot\s?spot|tethering|wi-?fi\s+calling|conference\s+calls?|volte|call\s+recording)\b`,
      'isu',
    ),
    'Whether a line has voicemail, call waiting, a hotspot or the like is not known here: it is set at the carrier or on the phone. The card of a line has its services, which are calls, texts and data',
  ],
];
