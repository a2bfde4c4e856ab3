import { wordsOf } from '../../../language/sentence.ts';
import { defined } from '../../../lib/json.ts';
import { withMovedAccount, withRenamedAccount } from '../answers/account-orders.ts';
import { withoutAddress } from '../answers/addresses.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import { withoutKept } from '../answers/kept-values.ts';
import { withoutBlank } from '../answers/no-name.ts';
import { withAreaCode } from '../facts/area-codes.ts';
import { isPlanName, withPlan } from '../facts/plans.ts';
import { withDeedNouns, withoutAfterwards } from './afterwards.ts';
import { withAllowWish, withListedOnly } from './allow-wishes.ts';
import { withoutFile } from './as-files.ts';
import { plainerAsked } from './asked-words.ts';
import { complaints } from './complaints.ts';
import { withoutConsent } from './consent.ts';
import { withTextWords } from './filter-keywords.ts';
import { withForward } from './forward-wishes.ts';
import { withGoneValue } from './gone-values.ts';
import { withHalfOff } from './half-off.ts';
import { withFailingService } from './half-service.ts';
import { withHead } from './headed.ts';
import { withInboundAddress } from './inbound-addresses.ts';
import { receiptsTold, withNewWebhook } from './new-webhooks.ts';
import { offWish, withLineOfName } from './off-orders.ts';
import { withLineOnto } from './onto.ts';
import { withOtherNumber } from './other-number.ts';
import { ON_HOLD, plainer } from './plainer.ts';
import { asPortCheck } from './port-checks.ts';
import { withPortFact } from './port-facts.ts';
import { withCommas, withPortWish } from './port-wishes.ts';
import { withOwnObject } from './renamed.ts';
import { withRetiredPlan } from './retired-plans.ts';
import { withoutOwnHolder, withSaidHolder } from './said-holders.ts';
import { inFullWords } from './short-commands.ts';
import { withStatedChange } from './stated-changes.ts';
import { withStatedPrice } from './stated-prices.ts';
import { withTakenRole } from './taken-roles.ts';
import { withThreshold } from './thresholds.ts';
import { withTrouble } from './troubles.ts';
import { withoutUnwantedRoute } from './unwanted-routes.ts';
import { hookIn } from './webhook-changes.ts';
import { withWishedState } from './wished-states.ts';

/* Sentences that are read in other words than those that they have: a place of a new number, a webhook that has to move. */

const ASKS = String.raw`\b(?:new|another|fresh|second|need|needs|want|wants|get|give|buy|order|find|grab|provision|add|create|open)\b[^,.;!?]{0,60}?\b(?:numbers?|lines?|dids?)\b`;
const IN = String.raw`(?<=^(?![^,.;!?]{0,160}\b(?:subscriber|user|admin|sim|port|account)\b)[^,.;!?]{0,80}(?:${ASKS})[^,.;!?\d]{0,60})\s+(?:in|from|near|around)\s+(?:the\s+)?`;
const STATE = String.raw`(?:,\s*\p{L}{2}(?=\s*(?:$|[.;!?]|\bfor\b)))?`;
const PLACE_ENDS = String.raw`(?=\s*(?:$|[,.;!?]|\b(?:for|with|please|pls|asap|today|now)\b))`;
const PLACE = new RegExp(
  String.raw`${IN}(?<place>(?:[A-Z][\p{L}.'’-]+)(?:\s+[A-Z][\p{L}.'’-]+){0,3}${STATE})${PLACE_ENDS}`,
  'u',
);
/** The same in lower case. */
const SMALL_PLACE = new RegExp(
  String.raw`${IN.replace('|from|', '|')}(?<place>\p{Ll}[\p{L}.'’-]+(?:\s+(?!(?:for|with|please|pls|asap|today|now)\b)\p{Ll}[\p{L}.'’-]+){0,2}?${STATE})${PLACE_ENDS}`,
  'u',
);
/** First words of the names of places. */
const BEFORE_PLACE = new Set('new san los las santa fort north south east west st saint salt el la long'.split(' '));

/** A sentence in the words in which it is read. */
export interface Reworded {
  text: string;
  /** Sentences about what was left out, each with its mark in front. */
  told: readonly string[];
  /** The person who wants it, beside a line. */
  beside?: string;
}

/** "Products w/ prices", and not "w/o". */
const WITH = /(?<=\p{L}\s)w(?:\/\s*|\s+)(?=(?:the\s+|their\s+|its\s+)?\p{L}{3})/giu;
/** "How long is a port-out PIN valid", "what can it be used for". */
const PIN_RULE =
  /^(?!.*\d{3})(?=.*\b(?:valid|expir\w*|good\s+for|used?\s+for|last|mean|work)\b)\W*(?:how\s+long|how\s+does|what|does|do|when)\b.*\b(?:port[\s-]?out|porting|transfer)\s*-?\s*pins?\b.*$/isu;

/** "What does it cost to send a text to Canada" */
const TEXT_PRICE =
  /^\W*(?:(?:hi|hey|so|and|ok)[\s,]+)*(?:(?:what|how\s+much)\s+(?:does|would|will|do)\s+(?:it|we|they)\s+(?:cost|pay|charge)(?:\s+(?:me|us))?|how\s+much\s+(?:is|would)\s+it(?:\s+cost)?|what(?:['’]?s|\s+is)\s+the\s+(?:cost|price|rate|fee|charge))\s+(?:to|for|of)\s+(?:send(?:ing)?\s+(?:(?:an?|one)\s+)?(?:texts?|sms|messages?)|text(?:ing)?)(?<to>(?:\s+(?:to\s+)?(?:the\s+)?\p{L}[^.;!?]*)?)(?=[\s.?!]*$)/iu;

/** "Put a stop to the port" in the words that are read. */
function withPlainVerbs(text: string): string {
  return withForward(withLineOnto(text))
    .replace(GUARD_WAY, 'turn $<way> $<kind> guard')
    .replace(GUARD, (_all, kind: string) => `guardian ${/^c|^v/iu.test(kind) ? 'calls' : 'messages'}`)
    .replace(AUDIT_OF, 'who changed ')
    .replace(THE_NIGHT, '$<asks> last night')
    .replace(DOER, '$<asks>$<who> $<end>')
    .replace(CALLS_SINCE, '$<show>incoming calls of $<line> $<when>')
    .replace(RECORD_TO, 'set $<record> to $<value>')
    .replace(TEXT_PRICE, 'how much is a text$<to>')
    .replace(PUTS_END, 'stop')
    .replace(STOPS_TELLING, 'stop the alerts for ')
    .replace(WHOS_MAIL, "what's ")
    .replace(INVITES, 'add ')
    .replace(/\bdouble[\s-]?check\b/giu, 'check')
    .replace(WHERE_ROUTE, (...found) => valueOfRoute(found.at(-1)))
    .replace(NIGHT_SHIFT, '$<asks> $<did> we $<deed> overnight')
    .replace(WHERE_TRAFFIC, 'where does $<route> deliver to')
    .replace(OF_TRUNK, 'show the voice routes')
    .replace(PLAN_COST, 'what does $<who> pay for the plan')
    .replace(WAS_ANYTHING, 'what was $<done>')
    .replace(HAD_BEFORE, 'who changed $<line>$<other>')
    .replace(REACHES_ALL, 'show the filters of $<who>$<whom>')
    .replace(LANDED, '$<tell> when the port of $<number> is done')
    .replace(FOC, 'port date')
    .replace(ANY_NEWS, 'any news on ')
    .replace(TRANSFER_CODE, 'port-out pin')
    .replace(BILLING, 'billing address ')
    .replace(PLAN_ON, (all, ...found) => {
      const { verb, plan = '', line } = found.at(-1) as Record<string, string>;
      return isPlanName(plan) ? `${verb} ${line} on the ${plan} plan` : all;
    });
}

/** "A transfer code": with the port-out PIN, another carrier may take the number. */
const TRANSFER_CODE = /\b(?:transfer|port(?:ing)?[\s-]out)\s+codes?\b/giu;
/** "Set Globex's billing to 4 Pine Rd" */
const BILLING = /\bbilling\s+(?=(?:to|at|is(?:\s+now)?|should\s+be)\s+\d{1,5}\s+\p{L})/giu;
/** The cards call guardian filtering so: "turn message guard on for Ava". */
const GUARD = /\b(?<kind>messages?|texts?|sms|calls?|voice)\s+guard(?!\p{L})/giu;
const GUARD_WAY =
  /(?<=^\W*(?:(?:please|pls|hi|hey|ok|and|so)[\s,]+)*)(?<kind>messages?|texts?|sms|calls?|voice)\s+guard\s+(?:back\s+)?(?<way>on|off)(?=\s+(?:for|of|on|at)\s)/giu;
/** "The audit of 0104" */
const AUDIT_OF =
  /(?<=^\W*(?:(?:please|pls|can|you|show|get|give|me|us|see|open|the)\s+)*)\b(?:the\s+)?audit(?:\s+(?:log|trail|history))?\s+(?:for|of|on)\s+(?=[#…*]*\+?\(?\d{3})/giu;
/** "A summary of the night" */
const THE_NIGHT =
  /(?:^\W*(?:(?:please|pls|can|could|you|u|gimme|give|get|send|show|i|we|want|need|me|us|an?|the|quick|short)\s+)*)?\b(?<asks>(?:summary|recap|digest|overview|report|rundown|summarize|summarise)\s+(?:of|for|on))\s+(?:the|this)\s+night\b/giu;
/** "What did @lee do today" */
const DOER =
  /\b(?<asks>(?:what|anything)\s+(?:did|has|have|was)\s+|(?:changes|actions)\s+(?:by|of)\s+)@(?<who>\p{L}[\p{L}\d._-]*)\s+(?<end>(?:do|done|did|change[ds]?|approve[ds]?|today|yesterday|this|last|since)\b)/giu;
/** "Webhook WID-… to xml": a record and a value, without the verb. */
const RECORD_TO =
  /^\W*(?:(?:please|pls|hi|hey|ok|and|so)[\s,]+)*(?:the\s+)?(?<record>(?:web\s?hook|product|package|route|workgroup)\s+[A-Z]{2,5}-[\dA-Fa-f-]{8,})\s+(?:in)?to\s+(?<value>\S[^?]*)$/iu;

/** "Just acme" and "globex only" at the end of an order or a question: the account that it is for. */
const FOR_ONLY =
  /(?<=\b(?:summary|recap|digest|what\s+happened|events?|https?:\S+|web\s?hooks?|overnight|changes|charges)\b[^"“„]*),?\s+(?:(?:but|and)\s+)?(?:(?:just|only)\s+(?:for\s+)?(?<name>(?!(?:the|for|calls?|texts?|sms|messages?|me|us|those|these|new|orders?|charges|what|failed|today|one|with|https?)\b)\p{L}[\p{L}-]+)|(?:for\s+)?(?<last>(?!(?:the|for|calls?|texts?|sms|messages?|me|us|those|these|new|orders?|charges|events?|updates?|inbound|incoming|completed|today)\b)\p{L}[\p{L}-]+)\s+only)(?<end>\s*(?:please|pls|thanks|thx)?[\s.!?]*)$/iu;

/** "Stop telling us about 0101" ends a watch, and nothing that the line has. */
const STOPS_TELLING =
  /\b(?:(?:stop|quit)\s+(?:watching|(?:tell|notify|ping|messag|alert|inform|bother|updat|remind|warn|text)ing\s+(?:me|us)\s+(?:about|on|of))|(?:don['’]?t|do\s+not)\s+(?:tell|notify|ping|alert|inform|bother|update|remind)\s+(?:me|us)\s+(?:about|on))\s+(?:the\s+port(?:-?in)?\s+(?:of\s+)?|what\s+happens\s+(?:to|on|with)\s+)?(?=[#…*]*\+?\(?\d)/giu;

/** "Who's the contact email for Ava Stone" asks for no holder. */
const WHOS_MAIL = /\bwho(?:['’]?s|\s+is)\s+(?=(?:the\s+)?(?:contact\s+)?e-?mail\b)/giu;
const LINE = String.raw`(?:number\s+|line\s+)?[#…*]*(?:\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}|\d{4})(?!\d)`;
/** "Put starter on 0103" gives the line the package. */
const PLAN_ON = new RegExp(
  String.raw`(?<=^\W*(?:(?:please|pls|can\s+you|could\s+you|now|ok)[\s,]+)*)(?<verb>put|place|get)\s+(?:the\s+|our\s+)?(?<plan>\p{L}[\p{L}\d]*)(?:\s+(?:plan|package|bundle))?\s+on(?:to)?\s+(?<line>${LINE})(?=\s*(?:$|[.!,]|please|pls|now))`,
  'iu',
);
/** "Show all calls to 0101 since noon": the calls themselves, and not the line. */
const CALLS_SINCE = new RegExp(
  String.raw`^\W*(?<show>(?:(?:please|pls|can|you|show|list|get|see|give|me|us)\s+)*)(?:(?:all|any|the|every|incoming|inbound)\s+)*calls?\s+(?:(?:that\s+)?(?:came\s+in\s+)?(?:to|for|on|into|at))\s+(?<line>${LINE})\s+(?<when>(?:since|today|yesterday|after|from|in\s+the\s+last|this|last|overnight)\b[^?;]*?)[\s.?!]*$`,
  'iu',
);
/** "What ip is the sip trunk pointing at": the record of the route has it. */
const WHERE_ROUTE =
  /^\W*(?:and\s+|so\s+)?(?:what|which)\s+(?<what>ip|address|url|port|transport|host)(?:\s+address)?\s+(?:is|does|do|has)\s+(?<route>(?:the\s+)?(?:(?!(?:on|of|in|for)\b)\p{L}+\s+){0,3}?(?:trunk|route))\b(?!s)(?!\s*\d)[^?.;!\d]*[?\s.]*$/iu;
function valueOfRoute({ what = '', route = '' }: Readonly<Record<string, string>>): string {
  // “The port of …” is an order.
  return /^port$/iu.test(what) ? `which trunk port does ${route} use` : `what is the ${what} of ${route}`;
}

/** "What did the night shift do" */
const NIGHT_SHIFT =
  /\b(?<asks>what|anything|something)\s+(?<did>did|has|have)\s+the\s+night\s+(?:shift|team|crew|people|guys)\s+(?<deed>\p{L}+)(?!\s+(?:last|over|this))/giu;
/** "Where do texts on the main sms route end up" */
const WHERE_TRAFFIC =
  /^\W*(?:(?:and|so|ok|hey|hi)[\s,]+)*where\s+(?:do|does|are|is)\s+(?:the\s+)?(?:(?:inbound|incoming)\s+)?(?:texts?|sms|messages|calls|callers)\s+(?:on|of|over|via|from|through)\s+(?<route>(?:the\s+|our\s+)?(?:\p{L}+\s+){1,4}?(?:route|trunk))\s+(?:end\s+up|land|go|arrive|delivered|sent|pushed|posted|get\s+(?:delivered|sent|posted))(?:\s+to)?[?\s.]*$/iu;
/** "What is the ip of the sip trunk": no route is named. */
const OF_TRUNK =
  /^\W*what\s+is\s+the\s+(?:ip|address|url|port|transport|host)\s+of\s+(?:the\s+|our\s+)?(?:sip|voice)\s+trunk[?\s.]*$/iu;
/** "What does Ava's subscription cost a month" asks for no change. */
const PLAN_COST =
  /^\W*(?:and\s+|so\s+)?(?:what|how\s+much)\s+(?:does|do|is)\s+(?<who>(?!(?:the|a|an|our|this|that)\b)[\p{L}\d][\p{L}\d-]*)['’]?s?\s+(?:subscription|plan|package)\s+(?:cost|costs)\b[^?.;!]*[?\s.]*$/iu;
/** "Was anything withdrawn" */
const WAS_ANYTHING =
  /^\W*(?:was|were|has|have|is|did)\s+(?:anything|something|any\s+(?:requests?|changes?))\s+(?:been\s+|get\s+|got\s+)?(?<done>declined|withdrawn|approved|confirmed|rejected|expired)\b/iu;
/** "Who had 0110 before", "who was the previous owner of 0110" */
const HAD_BEFORE = new RegExp(
  String.raw`\bwho\s+(?:(?:had|owned|used|was\s+(?:on|using))\s+(?<line>${LINE})\s+(?:before|previously|earlier|last)|(?:was|is)\s+(?:the\s+)?(?:previous|former|last|old|earlier)\s+(?:owner|holder|customer|subscriber|user)\s+of\s+(?<other>${LINE}))`,
  'giu',
);
/** "Ben may text anyone again": what stops him is in his filters. */
const REACHES_ALL = new RegExp(
  String.raw`^\W*(?:let\s+(?<who>\p{L}[\p{L}'’-]+|${LINE})\s+|(?<whom>(?!(?:i|we|you|who|nobody|anyone|everyone|they|he|she|it)\b)\p{L}[\p{L}'’-]+|${LINE})\s+(?:may|can|should(?:\s+be\s+able\s+to)?|is\s+allowed\s+to)\s+)(?:text|call|ring|message|phone)\s+(?:anyone|anybody|everyone|everybody)(?:\s+(?:again|now|please|pls))*[\s.!]*$`,
  'iu',
);
/** "Anything new on the port of +1…" asks for its state, and for nothing new. */
const ANY_NEWS =
  /\b(?:any\s?thing|something)\s+(?:new|moving|happening|going\s+on|changed|moved|else)\s+(?:on|with|for|about|at)\s+(?=(?:(?:the|her|his|their|that|this|our)\s+)?(?:\S+\s+){0,2}port(?:s|ing|[\s-]?in)?\b)/giu;
/** "Let me know when 312… has landed": a number that comes from another carrier is no line yet, so its order is followed. */
const LANDED =
  /(?<tell>\b(?:tell|ping|alert|notify|inform|message|let|text)\s+(?:me|us)(?:\s+know)?)\s+(?:when|once|as\s+soon\s+as|the\s+moment|if)\s+(?:the\s+)?(?:number\s+)?(?<number>\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4})(?!\d)\s+(?:(?:has|is|have|was|gets?|got|finally|been)\s+)*(?:landed|lands|arrived?s?|(?:come|came|comes|moved|moves|switched|brought|carried)\s+(?:over|across|in)|ported(?:\s+(?:in|over))?|ports|transferred|with\s+us|over\s+here|in\s+with\s+us)(?:\s+(?:over|here|in|with\s+us|to\s+us|yet))*(?=\s*(?:$|[,.;!?]|please|pls))/giu;

/** "What's the FOC date: the day on which the other carrier releases the number. */
const FOC = /\bfoc\b(?:\s+(?:date|day))?/giu;
/** "Invite Mia Park mia@x.com as manager": a new customer. */
const INVITES = /\binvite\s+(?=[^.;!?@]{2,60}\s\S+@)/giu;
const PUTS_END = /\bput(?:ting)?\s+an?\s+(?:stop|end|halt)\s+to\b/giu;

export function reworded(text: string): Reworded {
  const owned = withoutOwnHolder(
    text.replace(FOR_ONLY, (...found) => {
      const { name, last = name, end = '' } = found.at(-1) as Record<string, string | undefined>;
      return ` for ${last ?? ''}${end}`;
    }),
  );
  const half = withHalfOff(withRetiredPlan(withStatedPrice(withTakenRole(owned.text))));
  const unwanted = withoutUnwantedRoute(half.text);
  const inbound = withInboundAddress(withoutKept(unwanted.text.replace(WITH, 'with ')));
  const hooked = withNewWebhook(withCommas(inbound.text));
  const object = withOwnObject(hooked);
  const fact = withPortFact(object.text);
  const stated = withStatedChange(fact.text);
  const first = withoutAfterwards(stated.text);
  const port = withPortWish(withDeedNouns(asPortCheck(first.text)));
  const wish = offWish(
    withoutConsent(
      withPlainVerbs(
        withTrouble(withGoneValue(withWishedState(withListedOnly(withAllowWish(withTextWords(port.text)))))),
      ),
    ),
  );
  const full = inFullWords(
    withoutBlank(withMovedAccount(withRenamedAccount(withLineOfName(wish.text)))).replace(
      PIN_RULE,
      'what does a port-out pin do',
    ),
  );
  const told = [
    ...half.told,
    ...unwanted.told,
    ...inbound.told,
    ...object.told,
    ...receiptsTold(hooked),
    ...fact.told,
    ...stated.told,
    ...first.told,
    ...port.told,
    ...wish.told,
    ...full.told,
  ];
  const { text: plain, address } = withoutAddress(withThreshold(withHead(withAreaCode(withOtherNumber(full.text)))));
  if (address !== undefined) told.push(`. Not taken: ${address}`);
  const asked = plainerAsked(plain);
  const shown = withoutFile(asked.text);
  const own = plainer(complaints(withFailingService(withSaidHolder(shown.text))));
  told.push(...asked.told, ...own.told, ...shown.told);
  const { text: anywhere, place } = withoutPlace(withMovedWebhook(withPlan(own.text)));
  if (place !== undefined)
    told.push(`. Numbers are chosen by area code and not by place: write the area code of ${place}`);
  return { text: anywhere, told, ...defined({ beside: wish.beside ?? owned.beside }) };
}

/** A sentence that asks for a new number, without the place in it: "new line in New Jersey". */
function withoutPlace(text: string): { text: string; place?: string } {
  const match = PLACE.exec(text) ?? SMALL_PLACE.exec(text);
  const place = match?.groups?.place;
  if (!match || place === undefined) return { text };
  if (!/^\p{Lu}/u.test(place) && !isSmallPlace(place)) return { text };
  return { text: text.slice(0, match.index) + text.slice(match.index + match[0].length), place };
}

/** True for words of a place in lower case: "chicago", "new york". */
function isSmallPlace(place: string): boolean {
  const [first = '', ...others] = place.replace(/,.*$/s, '').split(/\s+/);
  const words = BEFORE_PLACE.has(first) && others.length > 0 ? others : [first, ...others];
  return wordsOf(words.join(' ')).every(({ isUnknown, plain }) => isUnknown && plain.length > 2);
}

/** The answer with sentences about what the message says and the answer does not carry. */
export function withTold(answered: GuidedAnswer, told: readonly string[], today: string): GuidedAnswer {
  if (told.length === 0) return answered;
  const guided = told.includes(ON_HOLD) ? withActivation(answered, today) : answered;
  return {
    ...guided,
    understood: `${guided.understood.replace(/\.$/, '')}${told.join('')}.`,
    remarks: `${guided.remarks ?? ''}${told.join('')}`,
  };
}

/** "Turn 0103 back on": a line on hold is activated, a cancelled one reactivated. */
function withActivation(guided: GuidedAnswer, today: string): GuidedAnswer {
  if (guided.operation !== 'numbers_reactivate' || guided.each !== undefined) return guided;
  const EffectiveDate = today.replace(/^(\d+)-(\d+)-(\d+)$/, '$2/$3/$1');
  return { ...guided, orElse: { operation: 'numbers_status', input: { StatusChange: 'activate', EffectiveDate } } };
}

const URL = /\bhttps?:\/\/[^\s<>"“”]*[^\s<>"“”.,;!?)]/gi;
const MOVED =
  /\b(?:(?:needs?|has|have|got)\s+to|should|must|is\s+now|are\s+now|now|moved|wrong|old|instead|no\s+longer|changed)\b/i;
const MAKES =
  /\b(?:add|create|make|new\s+(?:web)?hook|set\s+up|register|an?\s+(?:new\s+)?(?:web)?hook|another|second|additional|delete|remove|drop|stop|cancel)\b/i;
const ASKED =
  /\?\s*$|^\W*(?:where|what|which|why|who|is|are|does|do|did|if|can|could|should)\b|\b(?:not|never|if|unless)\b|n['’]t\b/i;

/** "The webhook points to the old server, it needs to be https://…": the webhook that there is gets the address. */
function withMovedWebhook(text: string): string {
  const urls = text.match(URL) ?? [];
  const said = text.replace(URL, ' ');
  const isNamed = /\bweb\s?hook\s+(?:at\s+|on\s+)?https?:/i.test(text);
  const isMoved =
    !isNamed && /\bweb\s?hook\b/i.test(said) && MOVED.test(said) && !MAKES.test(said) && !ASKED.test(said.trim());
  if (!isMoved || urls.length !== 1) return text;
  const owner = hookIn(said);
  return `change the webhook${owner === undefined ? '' : ` of ${owner}`} to ${urls[0]}`;
}
