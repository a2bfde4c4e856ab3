import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { kindOf } from '../../../language/typed-values.ts';
import { COMMON, knownAs } from '../../../language/vocabulary.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import { newCustomerIn } from './new-customer.ts';
import { type Postal, postalIn, takePostal } from './postal.ts';
import { type Services, servicesIn } from './services.ts';

/* Values of records in a sentence: names in quotation marks, routes by name, prices, the address of a trunk. */

/** A route that a sentence names. */
export interface NamedRoute {
  name: string;
  carries: 'text' | 'call';
}

/** A package, a product or another record that a sentence names beside its noun: "the Starter package". */
export interface NamedRecord {
  /** As in `recordKinds`. */
  noun: string;
  name: string;
}

/** The values that a sentence gives for a record. */
export interface Details {
  /** A name in quotation marks. */
  name: string | undefined;
  /** The same, of a new customer. */
  customer: string | undefined;
  routes: readonly NamedRoute[];
  records: readonly NamedRecord[];
  /** USD. */
  price: number | undefined;
  /** The period of the price, if the sentence says it. */
  period: 'monthly' | 'once' | undefined;
  sku: string | undefined;
  /** The address of a trunk, and its port. */
  ip: string | undefined;
  port: number | undefined;
  /** The services of a new line, if it has only some: "texts only". */
  service?: { text: boolean; call: boolean } | undefined;
  /** The services of a new line, if the sentence lists them. */
  services?: Services | undefined;
  /** The address of an account, or of the holder of a number that is ported. */
  postal?: Postal | undefined;
  /** The person in whose name a number is at its carrier. */
  holder?: string | undefined;
}

const QUOTED = /["“„]([^"“”„]{1,80})["”“]|(?<![\p{L}\d])['‘]([^'‘’]{2,60})['’](?!\p{L})/u;
/** Words of sentences in which a quotation is the name of something. */
const NAMES =
  /\b(?:names?|named|called|rename\w*|caller[\s-]*id|cnam|packages?|plans?|bundles?|products?|routes?|trunks?|features?|workgroups?|accounts?|subscribers?|customers?|shows?|showing|see|display\w*)\b/i;
const CALLER_NAME = /\b(?:caller[\s-]*(?:id|name)|cnam|display\s+name|rename\w*)\b/i;
/** Words of sentences in which a quotation is the text of a message. */
const TEXTS =
  /\b(?:text|txt|sms|mms|msg|send|tell|say|says|saying|reply|write|notify|inform|let|message)\b(?!\s+(?:routes?|package|plan|filter|product)\b)/i;

/** The name in quotation marks of a sentence that names something, and sends no message. */
function quotedName(text: string): { name: string; whole: string } | undefined {
  const [whole, double, single] = QUOTED.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const others = text.replace(whole, ' ').replace(/\bhttps?:\S+/gi, ' ');
  const isName = CALLER_NAME.test(others)
    ? !/\b(?:text|sms|tell)\b(?!\s+(?:routes?|trunks?|package|plan|product)\b)/i.test(others)
    : NAMES.test(others);
  if (!isName || (!CALLER_NAME.test(others) && TEXTS.test(others))) return undefined;
  return { name: (double ?? single ?? '').trim(), whole };
}

/** A price, which is no part of the name before it: "Student 12.50 monthly". */
export const PRICED = String.raw`\d{1,5}(?:\.\d{1,2})?\s*(?:[$€]|(?:usd|USD|dollars?|bucks|monthly|once|(?:a|per|each)\s+month)\b)`;
const CAPITAL = "\\p{Lu}[\\p{L}\\p{M}\\d&'’+-]*";
const ROUTE_NAMES: readonly RegExp[] = [
  // "Main SMS route"
  new RegExp(`${CAPITAL}(?:\\s+(?:&\\s+)?[\\p{Lu}\\d][\\p{L}\\d&'’+-]*){0,3}\\s+(?:[Rr]oute|[Tt]runk)\\b`, 'gu'),
  // "Change the message route Main to https://…"
  new RegExp(
    `(?<=\\b(?:[Cc]hange|[Uu]pdate|[Pp]oint|[Dd]elete|[Rr]emove|[Rr]ename|[Dd]isable|[Ee]nable|[Tt]urn|[Ss]witch|[Ss]et)\\s+(?:off\\s+|on\\s+)?(?:the\\s+)?(?:message|sms|text|voice|call|sip)\\s+(?:route|trunk)\\s+)${CAPITAL}(?:\\s+[\\p{Lu}\\d][\\p{L}\\d&'’+-]*){0,3}(?=\\s*(?:$|[,.;]|(?:to|from|off|on|with|url)\\b))`,
    'gu',
  ),
  // "through main sip trunk"
  /(?<=\b(?:to|through|via|over|at|use|using|assign|onto|on|of|rename|delete|disable|enable|pause)\s+(?:the\s+|our\s+)?)(?!the\b|our\b|a\b|an\b)(?:(?!\d{4}\b|to\b|through\b|another\b)[\p{L}\d]+\s+){1,3}(?:route|trunk)\b/giu,
  // "Is main sip trunk ok", "give the main sip trunk …", "main sip trunk needs …"
  /(?<=^\W*(?:(?:hi|hey|so|and|ok|why|please|pls)[\s,]+)*(?:give\s+)?(?:the\s+|our\s+)?|\b(?:is|does|did|was|has)\s+)(?!(?:the|our|is|does|give|turn|switch|set|put|keep|leave)\b)(?:(?!\d{4}\b|(?:to|through|via|there|this|that|it|any|every|each|no|an?|the|our|another|route|trunk|in|on|at|of|for|from|by|me|us|her|him|them|which|what|whose|who|how|where|new|second|list|show|all|is|does|did|was|has|give|use|using|turn|switch)\b)[\p{L}\d]+\s+){1,3}(?:route|trunk)(?=\s+(?:ok(?:ay)?|up|down|working|fine|alive|healthy|live|on|off|enabled|disabled|running|deliver|delivers|delivering|send|sends|sending|point|points|pointing|go|goes|going|use|uses|using|needs?|should|must|has|have|is|an?|work|works|broken)\b)/giu,
];
/** Words that say what a route carries, and are no name alone. */
const GENERIC =
  /^(?:(?:primary|secondary|spare|failover|new|another|different|other|that|this|voice|message|messages|sms|text|texts|call|calls|sip|of|for|the|route|trunk|his|her|their|same|default)\s*)+$/i;

/** "Acmes sms route" names an account, and no route. */
const OWNER = /^\p{L}[\p{L}\d&-]*(?:['’]s|(?<=\p{Ll}[^s\P{L}])s)\s+/u;

function routeNames(text: string): string[] {
  const found: string[] = [];
  for (const pattern of ROUTE_NAMES)
    for (const [match] of text.matchAll(pattern)) {
      const isAfterNoun = !/\b(?:route|trunk)\b/i.test(match);
      const name = withoutVerbs(match);
      if (
        (name.includes(' ') || isAfterNoun) &&
        !GENERIC.test(name) &&
        !GENERIC.test(name.replace(OWNER, '')) &&
        !found.some((one) => one.includes(name) || name.includes(one))
      )
        found.push(name);
    }
  return found;
}

/** "Delete Main SMS route" names "Main SMS route". */
function withoutVerbs(name: string): string {
  const [first = '', ...rest] = name.split(/\s+/);
  const known = knownAs(first.toLowerCase());
  const isVerb =
    /^(?:the|use|our|route|point|for|of|on|to|at|in|from|with|via|through)$/i.test(first) ||
    (known !== undefined && known.acts.length > 0);
  return isVerb && rest.length > 1 ? withoutVerbs(rest.join(' ')) : name;
}

/** Verbs with which a line gets a route. */
export const ROUTING =
  /(?<!\b(?:the|a|an|our|voice|message|call|text|sms|new)\s+)\b(?:route|point|direct|steer|run|aim|use|switch|send)(?:s|d|ed|ing)?\b(?=\s+(?!to\b))/iu;
const NOUNS: Readonly<Record<string, string>> = {
  package: 'package',
  plan: 'package',
  bundle: 'package',
  tariff: 'package',
  product: 'product',
  workgroup: 'workgroup',
  feature: 'feature',
  account: 'account',
};
const NOUN = Object.keys(NOUNS).join('|');
const RUN = `${CAPITAL}(?:\\s+(?:&\\s+)?(?!\\d{4}\\b|\\d+\\.\\d|${PRICED})[\\p{Lu}\\d][\\p{L}\\d&'’+-]*){0,3}`;
/** A stock code, by which people call a product: "DATA-05". */
const CODE =
  /(?<![\p{L}\d-])(?<name>(?!(?:JNUOID|AID|TSUID|SUID|MRID|CRID|JNOID|TNOID|TMID|PRID|PKID|PID|WID|WAID|WG|FEID|FAID|CFID|MFID|SUB|NID|TNID|PIID|JCID|TCID)-)\p{Lu}{3,10}-\d{1,4}\p{Lu}?)(?![\p{L}\d-])/u;
/** The places of a record's name: after its noun, before it, as what has a price, and as what goes into a package. */
const RECORD_NAMES: readonly (readonly [pattern: RegExp, noun?: string])[] = [
  // "Delete the weekend plan"
  [
    /(?<=\b(?:delete|remove|retire|drop|rename|update)\s+(?:the|our)\s+)(?<name>(?!(?:data|whole|old|new|same|other|wrong|current|entire|monthly|voice|message|text|call)\b)\p{Ll}+(?:\s+\p{Ll}+)?)\s+(?<noun>package|plan|bundle|tariff|product)\b(?!\s+(?:of|for|from|on)\b)/iu,
  ],
  // "Delete the 5 GB product", "remove the product 5 GB of data"
  [
    /(?<=\b(?:delete|remove|retire|drop)\s+(?:the|our)\s+)(?<name>\d+\s?(?:gb|mb)(?:\s+of\s+data)?)\s+(?<noun>product)\b/iu,
  ],
  [
    /(?<=\b(?:delete|remove|retire|drop)\s+(?:the\s+|our\s+)?)(?<noun>product)\s+(?<name>\d+\s?(?:gb|mb)(?:\s+of\s+data)?)(?=\s*[.!]*\s*$)/iu,
  ],
  // "Add the 5 GB of data product to Starter"
  [
    /(?<=\b(?:add|put|include|take|remove|drop)\s+(?:the|our)\s+)(?<name>(?!(?:new|same|other|whole|old)\b)[\p{L}\d][^,.;!?]{1,40}?)\s+(?<noun>product)\b(?=\s+(?:to|into|in|from|out|off|on)\b)/iu,
  ],
  // A word of the vocabulary, which is a name only here.
  [
    /(?<=\b(?:on|onto|to|the|our|get|gets|with)\s+)(?<name>(?:unlimited|student|senior|youth|kids|business|premium|standard)(?:\s+data)?)\s+(?<noun>plan|package|bundle|tariff)\b/iu,
  ],
  [new RegExp(`\\b(?<noun>${NOUN})s?\\s+(?:called\\s+|named\\s+)?(?<name>${RUN})`, 'u')],
  [new RegExp(`(?<name>${RUN})\\s+(?<noun>${NOUN})\\b(?!\\s+(?:number|no|nr|pin))`, 'u')],
  [new RegExp(`(?<=\\b(?:price|amount|cost)\\s+(?:of|for)\\s+(?:the\\s+)?)(?<name>${RUN})`, 'u'), 'package'],
  [new RegExp(`(?<name>${RUN})(?=\\s+(?:now\\s+|should\\s+|must\\s+)amount\\b)`, 'u'), 'package'],
  [new RegExp(`(?<=\\b(?:billing|mailing)\\s+address\\s+(?:of|for)\\s+)(?<name>${RUN})`, 'u'), 'account'],
];
const INTO = new RegExp(
  `(?<=\\b(?:add|put|take|remove|drop|include|place|pull)\\s+(?:the\\s+)?)(?<name>${RUN})(?=\\s+(?:to|into|in|out\\s+of|out|from|off)\\s+(?:the\\s+)?package)`,
  'iu',
);

/** Takes the records that are named out of a sentence, and leaves their nouns. */
function takeRecords(text: string): { records: NamedRecord[]; rest: string } {
  const records: NamedRecord[] = [];
  let rest = text;
  const take = (pattern: RegExp, given?: string) => {
    const found = pattern.exec(rest);
    const noun = given ?? NOUNS[found?.groups?.noun?.toLowerCase() ?? ''];
    const name =
      found?.groups?.name &&
      (/^\p{Ll}/u.test(found.groups.name) || /^\d/.test(found.groups.name)
        ? found.groups.name
        : // “The workgroup Reception” is called by a word of the vocabulary.
          ownName(found.groups.name) || (noun === 'workgroup' ? found.groups.name : ''));
    // An id is read as one, and "Ava's plan" is that of a person.
    if (/^[A-Z]{2,7}-[\dA-F][\w-]{5,}$/iu.test(name ?? '')) return;
    if (!found || noun === undefined || name === undefined || name === '' || /['’]s$/.test(name)) return;
    // A new record has a field for its name.
    if (records.some((one) => one.noun === noun)) return;
    records.push({ noun, name: noun === 'product' ? name.replace(BESIDE_PRODUCT, '') : name });
    rest = rest.replace(found[0], found[0].replace(name, given ?? ''));
  };
  for (const [pattern, noun] of [...RECORD_NAMES, ...RECORD_NAMES]) take(pattern, noun);
  if (records.some(({ noun }) => noun === 'package')) take(INTO, 'product');
  return { records, rest };
}

/** The name without the verb or the word of everyday English with which a sentence begins: "Delete Starter". */
function ownName(name: string): string {
  const [first = '', ...rest] = name.split(/\s+/);
  const lower = first.toLowerCase();
  const isVerb = COMMON.has(lower) || (knownAs(lower)?.acts.length ?? 0) > 0 || /^(?:the|our|new|use)$/.test(lower);
  return isVerb ? ownName(rest.join(' ')) : name;
}

/** "The roaming product" is called "roaming". */
const BESIDE_PRODUCT = /^(?:(?:the|our|an?)\s+)+(?:(?:product|item)\s+)?|\s+(?:product|item)$/giu;

const OF_CALLS = /\b(?:voice|calls?|calling|sip|trunk|pbx)\b/i;
const OF_TEXTS = /\b(?:sms|mms|texts?|messages?|messaging)\b/i;

function carriedBy(name: string, text: string): NamedRoute['carries'] {
  if (OF_CALLS.test(name)) return 'call';
  return OF_TEXTS.test(name) || !OF_CALLS.test(text.replace(name, ' ')) ? 'text' : 'call';
}

const AMOUNT = String.raw`(?:(?:\$|usd\s*|us\$)\s*(?<before>\d{1,6}(?:[.,]\d{1,2})?)|(?<after>\d{1,6}(?:[.,]\d{1,2})?)\s*(?:\$|usd\b|dollars?\b|bucks\b))`;
const LEAD = String.raw`(?:\b(?:that|which|it)\s+)?(?:\b(?:costs?|costing|priced?|prices?|charged?)\b[\s:=]*)?(?:\b(?:is|of|at|to|for|be)\s+)?`;
const PERIOD = String.raw`(?:\s*(?:\/|\b(?:a|per|each|every)\b)?\s*(?<period>\bmonth(?:ly)?\b|\bmo\b|\bonce\b|\bone[\s-]?time\b|\bone[\s-]?off\b))?`;
const PRICE = new RegExp(`${LEAD}${AMOUNT}${PERIOD}`, 'iu');
/** "At 9.99 a month", "Family Plus, 35 monthly" */
const PERIODIC =
  /(?:\b(?:for|at|of)\s+|,\s*)(?<after>\d{1,5}(?:[.,]\d{1,2})?)\s*(?:\/|\b(?:a|per|each|every)\b)?\s*(?<period>\bmonth(?:ly)?\b)/iu;
/** An amount without its unit, after the word that says what it is: "make the price of Starter 17.99". */
const BARE_PRICE = new RegExp(
  String.raw`^(?!\W*(?:what|how|why|who|when|is|does|did|can)\b).*?\b(?:price|costs?|costing|priced)\b(?<between>[^,.;!?\d]{0,40}?)(?:(?:\b(?:is|at|to|be)\s+|[:=]\s*|(?<=\bcost(?:s|ing)?\s))\b(?<after>(?!0)\d{1,5}(?:\.\d{1,2})?)|(?<decimal>\d{1,5}\.\d{1,2}))(?![\d.]*\s*(?:gb|mb)|\d)${PERIOD}`,
  'iu',
);
/** "Add the product to Starter for 4.50" */
const FOR_PRICE = new RegExp(
  String.raw`(?<=\b(?:package|plan|bundle|product)s?\b[^.;!?]*)\b(?:for|at)\s+(?<after>\d{1,5}\.\d{2})(?![\d.]*\s*(?:gb|mb)|\d)${PERIOD}`,
  'iu',
);
/** "Put the Acme package up to 24.99", "bring the starter plan down to 9" */
const MOVED_PRICE = new RegExp(
  String.raw`^(?!\W*(?:what|how|why|who|when|is|does|did|can)\b)(?=.*\b(?:package|plan|bundle|tariff|product)s?\b).*?\b(?:(?:up|down|raise|lower|reduce|cut|bump|increase|drop)\b[^.;!?\d]*?\bto\s+(?<after>\d{1,5}(?:\.\d{1,2})?)|(?:package|plan|bundle|tariff|product)\b[^.;!?\d]*?\bto\s+(?<decimal>\d{1,5}\.\d{2}))(?![\d.]*\s*(?:gb|mb|kbps|mbps|texts?|minutes?)|\d)${PERIOD}`,
  'iu',
);
/** "Raise Starter to 17.50 a month" */
const MOVED_MONTHLY =
  /^(?!\W*(?:what|how|why|who|when|is|does|did|can)\b)(?!.*\b(?:limits?|caps?|data|gb|mb)\b).*?\b(?:raise|lower|reduce|cut|bump|increase|drop|bring|put|set)\b[^.;!?\d]*?\bto\s+(?<after>\d{1,5}(?:\.\d{1,2})?)\s*(?:\/|\b(?:a|per|each|every)\b)?\s*(?<period>\bmonth(?:ly)?\b)/iu;
const NUMBER_AND_PERIOD = new RegExp(`(?:${AMOUNT}|\\d[\\d.]*(?:,\\d{1,2}\\b)?)${PERIOD}`, 'iu');
/** Words that ask what something costs, unless an amount is given. */
const COST = /\b(?:costs?|costing|prices?|priced|fees?)\b/giu;
const SKU = /(?:\b(?:with|and)\s+)?\bsku\b\s*(?:(?:is|=|:)\s*)?(?<sku>[A-Z\d][A-Z\d_.-]{1,39})\b/iu;
const IP =
  /(?<![\d.])(?<ip>(?:\d{1,3}\.){3}\d{1,3})(?:\/\d{1,2})?(?:(?::|,?\s+(?:on\s+)?port\s+)(?<port>\d{2,5}))?(?![\d.])/u;

/** A second address, and a port apart from its address. */
const FURTHER_IP =
  /[,;]?\s*(?:\band\s+)?(?:\b(?:primary|backup|secondary|second|spare|failover)\s+)?(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/gu;
const PORT = /[,;]?\s*\b(?:both\s+)?(?:on\s+)?port\s*[:=]?\s*\d{2,5}\b/giu;

/** The sentence without the words of its values: a price that is given is no question of what something costs. */
export function wordsAside(said: string, { price, customer }: Details): string {
  const text = customer === undefined ? said : said.replace(customer, ' ').replace(/\S+@\S+/g, ' ');
  return price === undefined ? text : text.replace(COST, 'amount');
}

/** No details. */
export const NO_DETAILS: Details = {
  name: undefined,
  customer: undefined,
  routes: [],
  records: [],
  price: undefined,
  period: undefined,
  sku: undefined,
  ip: undefined,
  port: undefined,
};

const NEW_LINE =
  /\b(?:(?:new|another|second|additional|extra|fresh)\s+(?:\p{L}+\s+)?|(?:gets?|give|needs?|wants?|buy|order|add|open|provision)\s+(?:\p{L}+\s+)?an?\s+(?:(?:voip|mvno|iot|mobile|landline|[2-9]\d{2})\s+){0,2})(?:lines?|numbers?)\b/iu;
const TEXTING = '(?:texts?|texting|sms|messages?|messaging)';
const CALLING = '(?:calls?|calling|voice)';
const JOINED = String.raw`[\s,;(–-]+(?:(?:with|and|but|for|as|it['’]?s|that['’]?s|is|should\s+be|just)\s+)*`;
const ONLY = (what: string) => String.raw`(?:only\s+(?:for\s+)?${what}|${what}[\s-]+only|just\s+(?:for\s+)?${what})`;
const NONE = (what: string) => String.raw`(?:no|without(?:\s+any)?)\s+${what}`;
const SERVICES = [
  [`${ONLY(TEXTING)}|${NONE(CALLING)}`, { text: true, call: false }],
  [`${ONLY(CALLING)}|${NONE(TEXTING)}`, { text: false, call: true }],
].map(
  ([what, service]) => [new RegExp(String.raw`${JOINED}(?:${String(what)})(?![\p{L}\d])\)?`, 'iu'), service] as const,
);

/** "New line for Ava without calls": the services, and the sentence without them. */
function takeService(text: string): { rest: string } & Pick<Details, 'service' | 'services'> {
  if (!NEW_LINE.test(text) || /(?<![\d-])\d{4}(?!\d)/.test(text)) return { rest: text };
  const services = servicesIn(text);
  if (services) return { rest: text.replace(services.words, ' '), services };
  for (const [pattern, service] of SERVICES)
    if (pattern.test(text)) return { rest: text.replace(pattern, ' '), service: service as Details['service'] };
  return { rest: text };
}

/** Takes the details out of a sentence, and leaves words that say what they are. */
export function takeDetails(text: string): { details: Details; rest: string } {
  const { rest: apart, postal } = takePostal(text);
  const { rest: said, holder } = takeHolder(apart);
  const quoted = quotedName(said);
  const customer = quoted ? undefined : newCustomerIn(said);
  const {
    rest: own,
    service,
    services,
  } = takeService(quoted ? said.replace(quoted.whole, ' ') : (customer?.rest ?? said));
  // A customer with an admin or a billing address is an account.
  let rest = customer && (isCompany(customer.name, said) || (postal && OF_ACCOUNT.test(said))) ? asAccount(own) : own;
  const sku = SKU.exec(rest)?.groups?.sku;
  if (sku !== undefined) rest = rest.replace(SKU, ' ');
  const code = CODE.exec(rest)?.groups?.name;
  // Its digits are no amount.
  if (code !== undefined) rest = rest.replace(code, 'product');
  const { ip, port } = IP.exec(rest)?.groups ?? {};
  if (ip !== undefined) rest = rest.replace(IP, ' ipaddress ').replace(FURTHER_IP, ' ').replace(PORT, ' ');
  const price =
    PRICE.exec(rest) ??
    PERIODIC.exec(rest) ??
    BARE_PRICE.exec(rest) ??
    FOR_PRICE.exec(rest) ??
    MOVED_PRICE.exec(rest) ??
    MOVED_MONTHLY.exec(rest);
  const { before, after, decimal, period } = price?.groups ?? {};
  const amount = before ?? after ?? decimal;
  // The word "price" alone would make a question of what a change costs.
  if (price && amount !== undefined)
    rest = rest.replace(price[0], (part) => `${part.replace(NUMBER_AND_PERIOD, ' ')} amount `).replace(COST, 'amount');
  // "Cost 2.75, monthly": the period is apart from its price.
  const apartPeriod = price && period === undefined ? APART.exec(rest)?.groups?.period : undefined;
  if (apartPeriod !== undefined) rest = rest.replace(APART, ' ');
  const names = routeNames(rest);
  const routes = names.map((name): NamedRoute => ({ name, carries: carriedBy(name, rest) }));
  for (const { name, carries } of routes) rest = rest.replace(name, `${carries}routename`);
  // "Route calls of 0103 to …" gives the line a route.
  if (routes.length > 0)
    rest = rest.replace(ROUTING, ip === undefined && !/\bhttps?:/i.test(rest) ? 'assign' : 'change');
  const taken = takeRecords(rest);
  const coded = code === undefined ? [] : [{ noun: 'product', name: code }];
  const named = {
    ...taken,
    records: [...coded, ...taken.records.filter(({ noun }) => coded.length === 0 || noun !== 'product')],
  };
  return {
    rest: named.rest,
    details: {
      name: quoted?.name ?? customer?.name,
      customer: customer?.name,
      routes,
      records: named.records,
      price: amount === undefined ? undefined : Number(amount.replace(',', '.')),
      period: periodOf(period ?? apartPeriod),
      sku,
      ip,
      port: port === undefined ? undefined : Number(port),
      service,
      ...defined({ postal, holder, services }),
    },
  };
}

/** A period in a list of values. */
const APART =
  /(?:[,;]\s*|\b(?:and|billed|paid|charged)\s+)(?<period>monthly|once|one[\s-]?time|one[\s-]?off)\b(?=\s*(?:$|[,.;!?]))/iu;

function periodOf(text: string | undefined): Details['period'] {
  if (text === undefined) return undefined;
  return /^mo/i.test(text) ? 'monthly' : 'once';
}

/** "Name on the bill: Benjamin Reed", "the authorised person is Dana Cole". */
const HOLDER =
  /(?:[,;.]\s+|\s+and\s+|^\W*(?:and\s+)?)?(?:[Tt]he\s+)?(?:[Nn]ame\s+on\s+(?:the\s+)?(?:bill|ac+oun?t|acct|acc|invoice)|[Aa]uthori[sz]ed(?:\s+(?:person|name|contact|signer|user|party))?|(?:[Bb]ill(?:ing)?|[Aa]ccount)(?:\s+holder)?\s+name|[Aa]ccount\s+holder|(?<=[\d\]]\s+)name)(?<kept>\s+(?:on|of|for|at)\s+[^,;:.]{1,60}?(?=\s*:|\s(?:is|was|should|must|now|to)\s))?\s*(?:(?:is|was|should\s+be|must\s+be|now|to|as)\s+)*[:=]?\s*(?<holder>\p{Lu}[\p{L}\p{M}'’.-]*(?:\s+\p{Lu}[\p{L}\p{M}'’-]*){0,3})/u;
/** The same in lower case: ", name on acct ava stone". */
const SMALL_HOLDER =
  /(?:[,;.]\s+|\s+and\s+|^\W*(?:and\s+)?)(?:the\s+)?(?:name\s+on\s+(?:the\s+)?(?:bill|ac+oun?t|acct|acc|invoice)|(?:billing|account|acct)\s+name)(?:\s+is|:|\s*=)?\s+(?<holder>\p{Ll}[\p{L}'’-]+(?:\s+\p{Ll}[\p{L}'’-]+){1,2})(?=\s*(?:[,;.!]|$))/u;
/** Matches a sentence that may be about a number at another carrier. */
const AT_CARRIER = /\b(?:port\w*|transfer|bring|carrier|order|bill|authori[sz]ed)\b|\bJNUOID-/iu;

/** The name of a company: a customer with it is an account. */
const COMPANY = /\b(?:llc|inc|ltd|corp|gmbh|plc|llp|co|company|corporation|limited)\b\.?$/iu;
/** The address of the one who looks after the account: ", admin bill@x.com". A person has the role of one. */
const ADMIN_MAIL =
  /[,;:(–-]\s*(?:(?:the|its|their|with|and)\s+)*admin(?:istrator)?(?:\s+(?:is|e-?mail|mail|contact|will\s+be))*\s*[:=]?\s*(?<mail>[\w.+-]+)@/iu;
const OF_ACCOUNT = /\b(?:admin|billing|mailing|company|account)\b/i;

function asAccount(text: string): string {
  return text
    .replace('a new customer', 'a new account')
    .replace(/\s+as\s+(?:an?\s+|our\s+)?(?:new\s+)?(?:customer|client)\b/iu, '')
    .replace(/\badministrator\b/giu, 'admin');
}

/** True for a customer that is a company: by its words, by the domain of its mail, or with an admin of another name. */
function isCompany(name: string, said: string): boolean {
  if (COMPANY.test(name)) return true;
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\d]/gu, '');
  const [first = ''] = name.split(/\s+/);
  const domain = /@(?<domain>[\w-]+)/u.exec(said)?.groups?.domain;
  if (domain !== undefined && [name, first].some((one) => plain(one) === plain(domain))) return true;
  const admin = ADMIN_MAIL.exec(said)?.groups?.mail;
  return admin !== undefined && !name.split(/\s+/).some((word) => plain(admin).includes(plain(word)));
}

function takeHolder(text: string): { rest: string; holder?: string } {
  const isOfCarrier = AT_CARRIER.test(text);
  const small = isOfCarrier ? SMALL_HOLDER.exec(text) : null;
  const isName = small?.groups?.holder?.split(/\s+/).every((word) => !COMMON.has(word) && knownAs(word) === undefined);
  const found = isName === true ? small : isOfCarrier ? HOLDER.exec(text) : null;
  const holder = found?.groups?.holder;
  return found && holder !== undefined
    ? { rest: text.replace(found[0], found.groups?.kept ?? ' '), holder }
    : { rest: text };
}

/** The details in the fields of an operation. */
export function detailsIn(tool: Tool, details: Details): Fields {
  const { routes, records, price, period, sku, ip, port, service, postal, holder } = details;
  const fields = fieldsOf(tool);
  const has = (name: string) => fields.some((field) => field.name === name);
  const first = (...names: string[]) => names.find(has);
  const routeField = { text: first('MessageRouteId'), call: first('VoiceRouteId', 'CallRouteId') };
  const found: [string | undefined, unknown][] = [
    ...routes
      .slice(0, has('Number') ? 2 : 1)
      .map(({ name, carries }): [string | undefined, unknown] => [routeField[carries], name]),
    ...records.map(({ noun, name }): [string | undefined, unknown] => [idOf(fields, noun), name]),
    [first('Price', 'Cost'), price],
    [first('Monthly'), period && period === 'monthly'],
    [first('BillingFrequency'), period && (period === 'monthly' ? 'MRC' : 'NRC')],
    [first('SKU'), sku],
    [first('TrunkIp1'), ip],
    [first('TrunkPort1'), port],
    [first('SubscriberName'), holder],
    ...Object.entries(postalIn(fields, postal)),
    ...(tool.id === 'numbers_provision'
      ? ([
          ['MessageEnabled', service?.text],
          ['VoiceEnabled', service?.call],
        ] satisfies [string, unknown][])
      : []),
    [tool.id === 'voice_routes_create' ? 'RouteType' : undefined, ip && 'Trunk'],
  ];
  return Object.fromEntries(found.filter(([name, value]) => name !== undefined && value !== undefined));
}

function idOf(fields: readonly Field[], noun: string): string | undefined {
  return fields.find((field) => field.kind === 'id' && kindOf(field)?.noun === noun)?.name;
}

/** The details as a sentence has them, to tell those that an operation does not take. */
export function detailTexts({ name, routes, records, price, sku, ip, postal, holder }: Details): string[] {
  const named = [...routes, ...records].map((one) => one.name);
  const others = [...(postal?.texts ?? []), holder, price === undefined ? undefined : String(price)];
  return [...named, name, sku, ip, ...others].filter((text) => text !== undefined);
}
