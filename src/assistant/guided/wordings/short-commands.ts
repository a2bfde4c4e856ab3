import { COURTESY } from '../facts/beginnings.ts';
import { LINE } from '../facts/line-pattern.ts';

/*
 * Commands of a few words, as people type them who know what they want: "limit 0101", "voice off 0101", "list cancelled",
 * "connect 0110 to Ben Reed". Each is put into the words that the families have.
 */

const LINES = String.raw`${LINE}(?:(?:\s*,\s*and\s+|\s*[,&]\s*|\s+and\s+)${LINE})*`;
const AMOUNT = String.raw`\d[\d.,]*\s*(?:gb|mb|gigs?|megs?)`;
const NAME = String.raw`(?!(?:the|a|an|my|our|his|her|its|their|it|that|another|other|verizon|mint|us)\b)\p{L}[\p{L}'’-]+(?:\s+(?!please\b|pls\b|now\b)\p{L}[\p{L}'’-]+)?`;
const END = String.raw`(?:[\s,]+(?:please|pls|plz|now|thanks|thx))*\s*[.!?]*\s*$`;
const SERVICE = '(?<what>voice|calls?|calling|sms|texts?|texting|messages?|messaging)';

const WHO = String.raw`(?:(?:(?:the|our|my|this)\s+)?(?:customer|cust|client|subscriber|user)\s+(?:wants?|needs?)\s+)?`;

const PORT_PIN = String.raw`(?:(?:port(?:ing)?|transfer)(?:[\s-]?out)?|leaving)\s+(?:pin|code)`;
/** The line, or the only line of a customer. */
const OWNED = String.raw`(?:${LINE}(?:['’]?s)?|${NAME}['’]s\s+(?:line|number|phone))`;
/** Why a customer needs the PIN. */
const LEAVES = String.raw`[\s?,.;–-]+(?:and\s+)?(?:s?he|they|(?:the\s+)?(?:customer|cust|client)|t-?mobile|at&t|\p{L}+)(?:['’]s)?\s+(?:is\s+|wants\s+to\s+|has\s+to\s+)?(?:leav\w*|mov\w*|go(?:es|ing)?|switch\w*|port\w*|asks?|asked|needs?|wants?|changes?|changing)\b[^?"“\d]{0,60}`;

type Change = string | ((found: Readonly<Record<string, string>>) => string);

/** Whole messages, each with its words. */
const WHOLE: readonly (readonly [pattern: string, change: Change])[] = [
  [
    String.raw`(?:did|has|have)\s+(?:anyone|anybody|someone|somebody)\s+(?:else\s+)?(?:swap|chang|park|cancel|suspend|activat|reactivat|reassign|mov)(?:e|ed|p|ped|led)?\s+(?:the\s+(?:sim|plan|limit|name)\s+(?:of|on|for)\s+)?(?<line>${LINE})`,
    'who changed $<line>',
  ],
  [String.raw`unlimited(?:\s+data)?\s+(?:on|for)\s+(?<line>${LINE})`, 'remove the data limit of $<line>'],
  [
    String.raw`(?:turn|switch|put)\s+(?:${SERVICE}\s+)(?:back\s+)?on(?:\s+again)?\s+(?:for|on|of)\s+(?<line>${LINE})(?:\s+again)?`,
    'turn on $<what> for $<line>',
  ],
  [String.raw`(?:hook|set)\s+(?<name>${NAME})\s+up\s+with\s+(?<line>${LINE})`, 'assign $<line> to $<name>'],
  // "Port out pin for 0101? customer is moving to Verizon", "0105 transfer pin, she leaves for T-Mobile"
  [
    String.raw`(?:(?:an?|the|new|his|her|their)\s+)?${PORT_PIN}\s+(?:(?:for|of|on)\s+)?(?<line>${OWNED})(?:\s+(?:please|pls))?(?:${LEAVES})?`,
    'set a port-out pin for $<line>',
  ],
  [String.raw`(?<line>${OWNED})\s+${PORT_PIN}(?:\s+(?:please|pls))?(?:${LEAVES})?`, 'set a port-out pin for $<line>'],
  [
    String.raw`(?<line>${LINES})(?:\s*[:,=]|\s+(?:only\s+|just\s+)?(?:needs?|should\s+(?:have|get)|up\s+to|to|at))?\s+(?:only\s+|just\s+)?(?<amount>${AMOUNT})`,
    'limit $<line> to $<amount>',
  ],
  [
    String.raw`(?:end|finish)\s+(?:with\s+)?(?<line>${LINES})\s+(?:for\s+good|permanently|forever|for\s+ever|once\s+and\s+for\s+all)`,
    'cancel $<line>',
  ],
  [
    String.raw`no\s+(?:more\s+)?guardian(?:\s+filter(?:ing|s)?)?\s+(?:for|on)\s+(?<who>${LINE}|(?!anymore)${NAME}?)(?:\s+any\s?more)?`,
    'turn guardian off for $<who>',
  ],
  [
    String.raw`(?<line>${LINES})\s+(?:gets?|goes\s+on|moves\s+to|should\s+(?:get|have|be\s+on))\s+(?:to\s+)?(?:the\s+)?(?<plan>\p{L}[\p{L}'’-]+(?:\s+\p{L}[\p{L}'’-]+)?)\s+(?<noun>package|plan|bundle|tariff)(?:\s+(?:as\s+of|from|starting)\s+(?:today|now))?`,
    'put $<line> on the $<plan> $<noun>',
  ],
  [
    String.raw`(?:(?:show|list|see|give|get|tell)\s+(?:me\s+|us\s+)?)?(?:the\s+)?(?:last|latest|recent|newest|previous|past)\s+(?:(?:\d{1,2}|few|two|three|four|five|ten)\s+)?(?:changes|actions|edits|modifications)\s+(?:(?:made|done)\s+)?(?:of|on|to|for)\s+(?<who>${LINE}|${NAME})`,
    ({ who = '' }) => (/\d/.test(who) ? `who changed ${who}` : `what was changed for ${who} lately`),
  ],
  // "0101 shows up as Ava Ston, fix it to Ava Stone": the name behind is the new one.
  [
    String.raw`(?:(?:the\s+)?caller\s*(?:id|name)\s+(?:of|on|for)\s+)?(?<line>${LINE})(?:\s+(?:shows?(?:\s+up)?|appears?|comes\s+up|displays)\s+(?:as|with)|(?<=caller.*)\s+(?:is|says|reads))\s+[^,;.\d]{2,40}[,;.]\s+(?:(?:but|and|it|that|please|pls|can\s+you)\s+)*(?:should\s+(?:be|say|read|show)|must\s+be|(?:fix|change|correct|set|update)\s+(?:it|that|this)\s+to|make\s+(?:it|that))\s+(?<name>${NAME})`,
    'set the caller name of $<line> to $<name>',
  ],
  // The card of a line may be called anything: "0105 got new plastic, serial 8901…"
  [
    String.raw`(?<line>${LINE})\s+(?:has|got|gets|have|received)\s+(?:an?\s+|the\s+|(?:her|his|its|their)\s+)?(?:new|other|another|replacement|fresh|spare)\s+(?:\p{L}+[\s,:;-]+){1,4}?(?:(?:serial|iccid|number|no|nr|is|it['’]?s)[\s.:#]*)*(?<iccid>\d{18,21}F?)`,
    'swap the sim of $<line> to $<iccid>',
  ],
  [String.raw`(?:make\s+it\s+)?(?<amount>${AMOUNT})\s+(?:for|on)\s+(?<line>${LINES})`, 'limit $<line> to $<amount>'],
  [
    String.raw`(?:(?:the\s+|our\s+|my\s+|this\s+)?(?:customer|cust|client|subscriber|caller|user|he|she|they|i|we)\s+)?(?:wants?|needs?|asks?\s+for|asked\s+for|requests?|requested)\s+(?:an?|the)\s+(?:temporary\s+|short\s+|quick\s+)?(?:hold|pause|suspension)\s+(?:on|for)\s+(?<line>${LINES})`,
    'put $<line> on hold',
  ],
  [
    String.raw`(?:data\s+)?(?:limits?|caps?|allowance)\s+(?:(?:of|for|on)\s+)?(?<line>${LINE})`,
    'show the data limit of $<line>',
  ],
  [String.raw`(?<line>${LINE})(?:['’]s)?\s+(?:data\s+)?(?:limits?|caps?|allowance)`, 'show the data limit of $<line>'],
  [
    String.raw`(?:(?:limit|cap|set|make|put)\s+)?(?<line>${LINE})\s+(?:to\s+)?unlimited(?:\s+data)?`,
    'remove the data limit of $<line>',
  ],
  [
    String.raw`(?:sms\s+|voice\s+|call\s+|text\s+)?(?:routes?|routing)\s+(?:(?:of|for)\s+)?(?<line>${LINE})`,
    'which route does $<line> use',
  ],
  [String.raw`${SERVICE}\s+off\s+(?:(?:for|on|of)\s+)?(?<line>${LINE})`, 'turn off $<what> for $<line>'],
  [String.raw`(?<line>${LINE})\s+${SERVICE}\s+(?<state>off|on)`, 'turn $<state> $<what> for $<line>'],
  [
    String.raw`(?:(?:show|list|see|get)\s+(?:me\s+)?(?:the\s+|all\s+)?)?(?:voice\s+|call\s+)?recordings?(?:\s+(?:of|for|from)\s+(?<who>${LINE}|${NAME}))?`,
    ({ who }) => `show the recording of calls${who ? ` of ${who}` : ''}`,
  ],
  [
    String.raw`(?:list|show|find|see|all)\s+(?:me\s+)?(?:all\s+|the\s+)*(?<state>cancell?ed|parked|suspended|active|disconnected|frozen|paused)(?:\s+ones)?`,
    'list all $<state> lines',
  ],
  [String.raw`(?:bought|purchased)\s+(?<when>.{3,30})`, 'numbers bought $<when>'],
  [String.raw`rename\s+(?<who>\p{L}+)\s+(?<name>\k<who>\s+\p{L}[\p{L}'’-]+)`, 'rename $<who> to $<name>'],
  [String.raw`(?:subscriptions?|subs)\s+(?<line>${LINE})`, 'which plan does $<line> have'],
  [
    String.raw`(?:update|change|set)\s+(?:the\s+)?(?:package\s+|plan\s+)?(?<plan>\p{L}[\p{L}'’-]*)\s+price\s+(?:to\s+)?\$?(?<price>\d+(?:\.\d\d?)?)`,
    'set the price of the $<plan> package to $<price>',
  ],
  [String.raw`rename\s+(?<line>${LINE})\s+(?!to\b)(?<name>${NAME})`, 'rename $<line> to $<name>'],
  [
    String.raw`(?:connect|hook\s+up|hook|link|attach|tie|pair)\s+(?<line>${LINE})\s+(?:up\s+)?(?:to|with)\s+(?<name>${NAME})`,
    'assign $<line> to $<name>',
  ],
  [
    String.raw`(?:what|which)\s+(?:plans?\s+|packages?\s+)?(?:is|are|did)\s+(?<who>${LINE}|${NAME})\s+(?:subscribed?\s+to|signed\s+up\s+(?:to|for)|on)`,
    'which plan does $<who> have',
  ],
  [
    String.raw`(?:(?:show|list|see|get)\s+(?:me\s+)?(?:the\s+|all\s+)?)?(?:subscriptions?|subs)\s+(?:of|for|on)\s+(?<who>${LINE}|${NAME})`,
    'which plan does $<who> have',
  ],
  [
    String.raw`(?<line>${LINES})\s+(?:all\s+|each\s+|both\s+)?(?:needs?|gets?|wants?|should\s+(?:have|get))\s+(?:an?\s+)?(?:data\s+)?(?<amount>${AMOUNT})\s+(?:data\s+)?(?:caps?|limits?)`,
    'limit $<line> to $<amount>',
  ],
  [
    String.raw`(?:limit\s+|cap\s+)?(?<line>${LINE})\s+(?:to\s+|at\s+)?(?<amount>${AMOUNT})[\s,]+(?:and\s+)?(?:warn|warning|alert|notify)\s+at\s+(?<share>\d{1,2})\s*(?:%|percent)`,
    withShare,
  ],
  [
    String.raw`(?<line>${LINES})\s+(?:goes|go|should\s+go|has\s+to\s+go|must\s+go|needs?\s+to\s+go)\s+on\s+hold`,
    'put $<line> on hold',
  ],
  [
    String.raw`(?<line>${LINES})\s+(?:needs?|wants?|gets?)\s+(?:an?|the)\s+(?:hold|pause|suspension)`,
    'put $<line> on hold',
  ],
];

const READ = WHOLE.map(
  ([pattern, change]) => [new RegExp(`^\\W*${COURTESY}${WHO}${pattern}${END}`, 'iu'), change] as const,
);

function withShare({ line = '', amount = '', share = '' }: Readonly<Record<string, string>>): string {
  const value = Number(amount.replace(/[^\d.]/g, ''));
  const mb = Math.round((value * (/g/i.test(amount) ? 1024 : 1) * Number(share)) / 100);
  return `limit ${line} to ${amount} and warn at ${mb} MB`;
}

/** "I haven't", "wasn't me" behind a question of who did something. */
const NOT_ME =
  /(?<=^\W*did\b.*[?.!,;])\s*(?:i\s+(?:have|did)\s*(?:n['’]?t|not)(?:\s+do\s+(?:it|that))?|(?:it\s+)?was\s*n['’]?t\s+me|not\s+me)\s*[.!]*\s*$/iu;
/** "Put 0101 and 0103 on Starter, and 0104 too". */
const TOO = new RegExp(
  String.raw`^(?<head>[^\d]*)(?<lines>${LINES})(?<rest>[^\d"“”:]*?)[\s,]+(?:and|plus|also)\s+(?:also\s+)?(?<more>${LINE})\s*(?:too|as\s+well|also)${END}`,
  'iu',
);
/** "Not 0103, 0105 needs the hold". */
const NOT_FIRST = new RegExp(
  String.raw`^\W*(?<not>not\s+${LINE})\s*[,;.]\s*(?:but\s+)?(?<rest>${LINES}\s+\p{L}.*)$`,
  'isu',
);
const NOT_THERE: readonly RegExp[] = [
  String.raw`(?<what>calls?|texts?|messages?|sms)\s+(?:of|from|to|on|for)\s+(?<line>${LINE})\s+(?:should|must|need\s+to|have\s+to)\s+(?:stop|quit|no\s+longer)\s+(?:go(?:ing)?|run(?:ning)?)\s+(?:to|through|over|via)\s+(?<route>[^,.;!?\d]+)`,
  String.raw`(?<what>calls?|texts?|messages?|sms)\s+(?:of|from|to|on|for)\s+(?<line>${LINE})\s+(?:(?:should|must|may|do|can)\s*(?:n['’]?t|not)|cannot|shouldnt|mustnt)\s+(?:go|run|be\s+(?:routed|sent))\s+(?:to|through|over|via)\s+(?<route>[^,.;!?]+)`,
  String.raw`(?:stop|quit|do\s*n['’]?o?t|do\s+not)\s+(?:send(?:ing)?|rout(?:e|ing)|run(?:ning)?)\s+(?:the\s+)?(?<what>calls?|texts?|messages?|sms)\s+(?:of|from|for|on)\s+(?<line>${LINE})\s+(?:to|through|over|via)\s+(?<route>[^,.;!?\d]+)`,
].map((pattern) => new RegExp(`^\\W*${COURTESY}${pattern}${END}`, 'iu'));

/** Puts a message into the words that the families have, with notes on it. Any other message is returned as it is. */
export function inFullWords(text: string): { text: string; told: readonly string[] } {
  if (/["“„]/.test(text)) return { text, told: [] };
  const said = text.replace(NOT_ME, '');
  for (const pattern of NOT_THERE) {
    const { what, line, route = '' } = pattern.exec(said)?.groups ?? {};
    if (what === undefined || line === undefined) continue;
    const kind = /^call/i.test(what) ? 'voice' : 'message';
    const told = `. “${route.trim()}” is the route that it leaves: choose another one in the form`;
    return { text: `put ${line} on another ${kind} route`, told: [told] };
  }
  const not = NOT_FIRST.exec(said)?.groups;
  if (not?.rest !== undefined) {
    const rest = inFullWords(not.rest);
    return { text: rest.text, told: [...rest.told, `; left out, as you say: “${not.not}”`] };
  }
  const too = TOO.exec(said)?.groups;
  if (too?.lines !== undefined) return inFullWords(`${too.head}${too.lines} and ${too.more}${too.rest}`);
  for (const [pattern, change] of READ) {
    const groups = pattern.exec(said)?.groups;
    if (groups === undefined) continue;
    return {
      text:
        typeof change === 'string'
          ? change.replace(/\$<(\w+)>/g, (_, name: string) => groups[name] ?? '')
          : change(groups),
      told: [],
    };
  }
  return { text: said, told: [] };
}
