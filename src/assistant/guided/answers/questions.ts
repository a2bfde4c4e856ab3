import { placeName } from '../../../language/places.ts';
import { wordsOf } from '../../../language/sentence.ts';
import type { Fields } from '../../../lib/json.ts';
import type { Facts } from '../facts/facts.ts';
import { peopleIn } from '../facts/names.ts';
import { isPlanName } from '../facts/plans.ts';
import type { Asked, Clause } from '../facts/stance.ts';
import { unmarked } from '../facts/times.ts';
import { looseName, nameIn } from './finder.ts';

/*
 * This file reads questions that families of words cannot: lines by their plan, route, state or data, what a package
 * contains, who a customer is, money that is not held here, and the writer's own requests.
 */

/** A read that answers a question. */
export interface Question {
  operation: string;
  input: Fields;
  /** In words, in place of the operation's title. */
  text: string;
  /** True for a list that stays one if it has a single row. */
  isList?: true;
}

const NAME = String.raw`[\p{L}\p{M}\d][\p{L}\p{M}\d'’&.-]*`;
const LINES =
  /\b(?:lines?|numbers?|sims?|esims?|subscriptions?|customers?|subscribers?|clients?|users?|people|who(?:['’]?s|se)?|everyone|everybody|anyone|anybody|hogs?|how\s+many)\b/iu;
const PLAN = 'plan|package|bundle|tariff|subscription';
export const NO_PLAN = new RegExp(
  String.raw`\b(?:without|with\s*no|no|lack\w*|missing|not\s+on|not\s+in|(?:have|has)\s*n['’]?o?t(?:\s+got)?|don['’]?t\s+have|doesn['’]?t\s+have|not\s+have)\s+(?:an?\s+|any\s+)?(?:${PLAN})s?\b|\bplanless\b`,
  'iu',
);
const NO_ROUTE =
  /\b(?:without|with\s*no|no|lack\w*|missing|(?:do|does|have|has)\s*n['’]?o?t(?:\s+have|\s+got)?)\s+(?:an?\s+|any\s+)?(?:(?<kind>\p{L}+)\s+)?(?<noun>routes?|trunks?|routing)\b/iu;
export const NO_SIM =
  /\b(?:without|with\s*no|no|lack\w*|missing|(?:do|does|have|has)\s*n['’]?o?t(?:\s+have|\s+got)?)\s+(?:an?\s+|any\s+|their\s+)?e?-?sims?\b/iu;
const LISTS =
  /^\W*(?:(?:hi|hey|so|and|ok|please|pls|can\s+you|could\s+you)[\s,]+)*(?:which|what|how\s+many|any|list|show|find|are\s+there|is\s+there|who|do\s+we\s+have)\b/iu;

/** "Which of acme's lines have no plan": the lines that lack something, and not what each line has. */
export function asksWhatLacks(said: string): boolean {
  return (LISTS.test(said) || /\?\s*$/.test(said)) && [NO_PLAN, NO_ROUTE, NO_SIM].some((pattern) => pattern.test(said));
}

const ON_ROUTE = new RegExp(
  String.raw`\b(?:on|over|through|via|using|uses?|behind|assigned\s+to)\s+(?:the\s+|our\s+)?(?<name>(?:${NAME}\s+){1,4}?(?:route|trunk))\b`,
  'iu',
);
const ON_PLAN = new RegExp(
  String.raw`\b(?:on|with|under|using|have|has|having|in|subscribed\s+to|signed\s+up\s+for)\s+(?:the\s+|our\s+)?(?<name>(?:${NAME}\s+){1,3}?)(?:${PLAN})s?\b`,
  'iu',
);
/** "Who is on Starter": no noun says what Starter is. */
const ON_NAME = new RegExp(
  String.raw`\b(?:on|using|subscribed\s+to|signed\s+up\s+for)\s+(?:the\s+|our\s+)?(?<name>${NAME}(?:\s+${NAME}){0,2})\s*[?.!]*$`,
  'iu',
);
/** "Which lines have Starter": only a name that many packages have is one. */
const HAS_NAME = new RegExp(
  String.raw`\b(?:lines|numbers|customers|people|who|everyone|what)\s+(?:(?:that|which|all|still|currently)\s+)*(?:has|have|had|uses?|with|got)\s+(?:the\s+)?(?<name>${NAME}(?:\s+${NAME}){0,2})\s*[?.!]*$`,
  'iu',
);
const NOBODY =
  /\b(?:without|with\s*no|no|lack\w*|missing|(?:not|\p{L}+n['’]?t)\s+have)\s+(?:an?\s+|any\s+)?(?:subscriber|customer|owner|holder|user|person|name)s?\b|\borphan\w*|\b(?:numbers|lines|sims)\s+(?:(?:are|still|that|which|currently)\s+)*(?:unassigned|spare|unused)\b|\b(?:numbers?|lines?|sims?)\b[^.;!?]*\b(?:(?:have|has|with|got|belongs?\s+to|assigned\s+to|used\s+by)\s+(?:nobody|no\s?one)|(?:nobody|no\s?one)\s+(?:has|have|owns?|uses?|holds?|is\s+(?:on|using|assigned|bound|linked))|(?:not|\p{L}+n['’]?t)\s+(?:assigned|given|bound|linked|used|owned|belong)(?:\s+(?:to|by))?\s+(?:anyone|anybody|a\s+\p{L}+))|\b(?:unassigned|spare|unused|idle)\s+(?:numbers?|lines?|sims?)\b|\b(?:numbers|lines)\s+(?:do\s+)?(?:we|i)\s+have\s+(?:free|left|spare|unused)\b|\bunassigned\s+(?:numbers?|lines?|sims?)\b/iu;
const HOLDERS = /\b(?:subscribers?|customers?|people|users|clients|persons|admins?|administrators?|managers?)\b/iu;
const GENERIC =
  /^(?:(?:the|our|an?|any|no|some|which|what|each|every|their|his|her|my|this|that|same|voice|call|calls|sms|text|message|message|sip|number)\s*)+$/iu;
const ACTIVE = /\b(?:active|live|working)\b(?!\s+(?:webhook|package|product|order))/iu;
const PARKED = /\b(?:parked|suspended|paused|frozen)\b|\bon\s+(?:hold|pause|ice)\b/iu;
const NOT_ACTIVE = /\b(?:not|in|non)[\s-]?(?:active|live|working)\b/iu;
const CONTAINS =
  /\b(?:contain|contains|include|includes|included|consist\w*|made\s+up|comes?\s+with|part\s+of|inside|contents?)\b|\bwhat(?:['’]?s|\s+is|\s+are|\s+products?\s+(?:is|are))\s+in\b|\b(?:gets?|has|have)\s+(?:you|one|customers?)\b/iu;
const COUNTED = /\b(?:how\s+many|number\s+of|count)\b/iu;
const OVER = /\b(?:over|above|more\s+than|at\s+least|exceed\w*|beyond|past)\b/iu;
const UNDER = /\b(?:under|below|less\s+than|fewer\s+than|at\s+most|up\s+to)\b/iu;
const OR_MORE = /\d\s*[kmg]b?\s+or\s+(?:more|above|over|higher)\b|\d\s*[kmg]b\s*\+/iu;
const OR_LESS = /\d\s*[kmg]b?\s+or\s+(?:less|fewer|under|below|lower)\b/iu;
const MOST =
  /(?<!\bat\s+)\b(?:most|highest|top|biggest|heaviest|largest)\b[^,.;!?]*\b(?:data|usage|users?|mb|gb)\b|\bused?\s+the\s+most\b|\bdata\s+hogs?\b|\bheav(?:y|iest)\s+users?\b/iu;
const LEAST = /(?<!\bat\s+)\b(?:least|lowest|smallest)\b[^,.;!?]*\b(?:data|usage|users?|mb|gb)\b/iu;
const MONEY: ReadonlySet<string> = new Set(['balance', 'invoice', 'payment', 'receipt', 'debt']);
const OWES =
  /\b(?:owes?|owing|arrears|outstanding\s+(?:amount|money)|money\s+outstanding|unpaid|overdue|(?:has|have|did)\s+\p{L}+\s+(?:already\s+)?(?:paid|pay)|bills?\s+(?:of|for)|\p{L}+['’]s\s+bill)\b/iu;
const OWN =
  /\b(?:my|our)\s+(?:own\s+|last\s+|latest\s+|recent\s+)*(?:requests?|asks?|changes?|submissions?)\b|\b(?:did|have|had|what['’]?ve)\s+i\s+(?:already\s+|just\s+|ever\s+)?(?:do|done|ask(?:ed)?|request(?:ed)?|change[d]?|submit(?:ted)?|start(?:ed)?|approved?|declined?|confirm(?:ed)?|order(?:ed)?|cancel(?:led|ed)?|park(?:ed)?|turn(?:ed)?\s+down|reject(?:ed)?|refuse[d]?|sign(?:ed)?\s+off|decide[d]?|withdraw|withdrew|swap(?:ped)?|reactivate[d]?|block(?:ed)?)\b|\bi\s+(?:asked\s+for|requested|submitted)\b|\b(?:is|are|was|were|has|did|happened\s+to|status\s+of|where\s+is)\b[^.;!?]*\bmy\s+(?:\p{L}+\s+)?(?:reactivation|cancell?ation|cancel|swap|change|activation)\b/iu;
const ASKS =
  /^\W*(?:\p{L}+\W+){0,4}?(?:whats?|which|who|why|when|wheres?|hows?|status|state|news|update|did|was|were|has|have|is|are|show|list|any|anyone|anybody)\b/iu;

const UNDOES =
  /\b(?:undo|revert|reverse|roll\s+back|take\s+back)\b[^.;!?]*?\b(?:(?:what|everything|(?:the\s+)?(?:last|latest|previous)\s+\p{L}+)\s+(?:that\s+)?(?:i|we)\s+(?:just\s+|last\s+)?(?:did|changed|made|done)|(?:my|our|the)\s+(?:last|latest|previous|most\s+recent)\s+(?:change|thing|action|step|order|move|one|edit))\b/iu;

/** True for "undo the last thing I did", which does not say what that was. */
export function undoesOwn(said: string): boolean {
  return UNDOES.test(said);
}

const OF_OTHER =
  /\b(?:undo|revert|reverse|roll\s+back|take\s+back)\b[^.;!?\d]*?\b(?:(?:what|everything|(?:the\s+)?(?:very\s+)?(?:last|latest|previous)\s+\p{L}+)\s+(?:that\s+)?(?!(?:i|we|you)\b)(?<doer>\p{L}+)\s+(?:just\s+|last\s+|has\s+)?(?:did|changed|made|done)|(?<owner>\p{L}+)['’]s?\s+(?:very\s+)?(?:last|latest|previous)\s+(?:change|thing|action|step|order|move|one|edit))\b/iu;

/** The colleague whose deed a sentence wants undone: "undo the last thing ana did". */
export function undoneOf(said: string): string | undefined {
  const { doer, owner } = OF_OTHER.exec(said)?.groups ?? {};
  return doer ?? owner;
}

/** True for a question about what the writer asked for: "why was my request declined". */
export function asksForOwn(said: string): boolean {
  return OWN.test(said) && ASKS.test(said) && !/\bcan\s+(?:i|you)\b/i.test(said);
}

/** The read that answers a question about records. Undefined for any other sentence. */
export function questionOf({ facts, said, clauses }: Asked): Question | undefined {
  const words = clauses.flatMap((clause) => clause.words);
  const person = peopleIn(...clauses.map((clause) => clause.words))[0];
  const ofLine = comparedIn(facts, said) ?? planOf(words, facts, said);
  if (ofLine) return ofLine;
  const isPlural = LINES.test(said) && facts.mentions.length === 0;
  const things = new Set(words.flatMap((word) => word.things));
  if (things.has('package') || (person !== undefined && /\bwhat\b/i.test(said))) {
    const contents = contentsOf(said, person, things);
    if (contents) return contents;
  }
  if (isPlural && NOBODY.test(said))
    return {
      operation: 'numbers_find',
      input: { Query: 'orphan' },
      text: 'Find numbers without a subscriber',
      isList: true,
    };
  if (isPlural && NO_SIM.test(said))
    return {
      operation: 'numbers_find',
      input: { ...(person !== undefined && !NO_SIM.test(person) && { Query: person }), Product: 'voip' },
      text: 'Find numbers; product: voip. These have no SIM; whether another line has none is on its card',
      isList: true,
    };
  const usage = isPlural ? usageIn(said, facts) : {};
  // "Top data users on Globex": without a noun, only the name of a package is one.
  const isSorted = Object.keys(usage).length > 0;
  const plan = isPlural || things.has('subscription') ? planIn(said, person, words, isSorted) : undefined;
  const route = isPlural ? routeIn(said) : undefined;
  const given: Fields = {
    ...(plan !== undefined && { Plan: plan }),
    ...(route !== undefined && { Route: route }),
    ...(isPlural && ACTIVE.test(said) && !NOT_ACTIVE.test(said) && { Status: 'Active' }),
    ...(isPlural && PARKED.test(said) && { Status: 'Parked' }),
    ...usage,
  };
  const isUse = things.has('subscription') || things.has('package') || things.has('route');
  const isRead = words.every(({ acts }) => acts.every((act) => READS.has(act)));
  const named = person ?? (isSorted ? nameIn(facts, clauses) : isUse && isRead ? looseName(facts) : undefined);
  const isOther = named === undefined || (plan ?? '').includes(named) || (route ?? '').includes(named);
  const whose = isOther ? undefined : named;
  const query = whose === undefined ? {} : { Query: whose };
  const criteria = Object.entries(given).flatMap(([name, value]) =>
    LABELS[name] === undefined ? [] : [`${LABELS[name]} ${String(value)}`],
  );
  const found = (input: Fields, text = ''): Question => ({
    operation: 'numbers_find',
    input,
    text: [whose === undefined ? 'Find numbers' : `Find numbers by "${whose}"`, ...criteria, text]
      .filter(Boolean)
      .join('; '),
    isList: true,
  });
  if (criteria.length > 0) return found({ ...query, ...given });
  if (whose !== undefined && isUse && isRead && facts.mentions.length === 0 && !isRouteName(whose, said))
    return found(
      { ...query, Full: true },
      `each with its plan and its routes${ROUTE_ON.test(said) ? '. Whether a route is on is not kept: a line has one, or none' : ''}`,
    );
  if (whose !== undefined && isPlural && HOLDERS.test(said.replace(titleOf(whose), ' ')))
    return found({ ...query, CountBy: 'Customer' }, 'counted by customer');
  if (whose !== undefined && COUNTED.test(said) && isPlural && things.has('number')) return found(query);
  // "Number of routes we have" counts no lines.
  const isOfLines = LINES.test(said.replace(/\bnumbers?\s+of\s+(?!lines|numbers|sims)/giu, ' '));
  if (
    COUNTED.test(said) &&
    isPlural &&
    isOfLines &&
    things.has('number') &&
    /\b(?:we|total|all|altogether|overall)\b/i.test(said)
  )
    return found({ CountBy: 'Status' }, 'counted by state');
  return undefined;
}

/** The noun before a name is a title and asks for no list: "customer Ben cannot call from his line". */
function titleOf(name: string): RegExp {
  const words = name.replace(/[^\p{L}\d\s]/gu, '.');
  return new RegExp(String.raw`\b(?:subscriber|customer|client|user|person)\s+(?=${words}(?!\p{L}))`, 'giu');
}

/** True for a word before the kind of a route, which is the name of the route: "where does the main sms route deliver to". */
function isRouteName(name: string, said: string): boolean {
  const [first = ''] = name.split(/\s/u);
  // “Is the acme voice trunk up” may name an account.
  if (!/\b(?:where|what|which)\b/iu.test(said)) return false;
  return ROUTE_AFTER.test(said.slice(said.indexOf(first) + first.length));
}

const ROUTE_AFTER = /^(?:\s+(?:voice|calls?|sip|sms|mms|texts?|messages?|messaging))+\s+(?:route|trunk)\b/iu;

/** "Is his route even on?" */
const ROUTE_ON =
  /^\W*(?:\p{L}+[\s,]+){0,3}?(?:is|are)\b[^.;!?]*\b(?:routes?|trunk)\b[^.;!?]*\b(?:on|off|enabled|disabled|active|switched)\b(?:\s+(?:now|at\s+all|right\s+now))*\W*$/iu;
const COMPARES = /\b(?:same|alike|identical|equal|different|differs?|differences?|compared?|comparison|versus|vs)\b/i;

/** "Is 0103 set up the same as 0105": the lines in one list, with what may be different. */
function comparedIn({ mentions }: Facts, said: string): Question | undefined {
  const lines = [...new Set(mentions.map(({ text }) => text))];
  if (lines.length < 2 || !COMPARES.test(said)) return undefined;
  const Query = lines.join(', ');
  return {
    operation: 'numbers_find',
    input: { Query, Full: true, Data: true },
    text: `Find numbers by "${Query}"; each with its plan, its routes and its data`,
    isList: true,
  };
}

/** "What plan are 0103 and 0105 on": the lines with their plan and their routes. */
function planOf(words: Clause['words'], { mentions, volumes }: Facts, said: string): Question | undefined {
  const lines = [...new Set(mentions.map(({ text }) => text))].join(', ');
  const isUse = words.some(({ things }) =>
    things.some((one) => one === 'package' || one === 'subscription' || one === 'route'),
  );
  const isRead = words.every(({ acts, isPast }) => isPast || acts.every((act) => READS.has(act)));
  const isAsked = /\b(?:what|which|show|is|are|does|do|has|have|any|see|check|tell)\b|\?/i.test(said);
  if (lines === '' || volumes.length > 0 || !isUse || !isRead || !isAsked) return undefined;
  if (/\b(?:put|give|subscribe|assign|add|start|need|needs|want|wants)\b/i.test(said)) return undefined;
  return {
    operation: 'numbers_find',
    input: { Query: lines, Full: true },
    text: `Find numbers by "${lines}"; with ${mentions.length > 1 ? 'their' : 'its'} plan and ${mentions.length > 1 ? 'their' : 'its'} routes`,
    isList: true,
  };
}

export const LABELS: Readonly<Record<string, string>> = {
  Plan: 'plan:',
  Route: 'route:',
  Status: 'state:',
  UsedFrom: 'MB used from',
  UsedTo: 'MB used to',
  Sort: 'sorted by',
};

const PAYS =
  /\b(?:does|do|is|are|what['’]?s|whats)\s+\p{L}+(?:\s+\p{L}+)?\s+(?:currently\s+)?(?:pay|paying|billed|charged)\b|\b(?:what|how\s+much)\s+(?:does|do|will|is|are)\s+(?:[#…*]*\d{4}|number|\+?\d{10,11})\s+(?:pay|paying|billed|charged)\b|\bmonthly\s+(?:bill|cost|fee|charge|payment|total)s?\s+(?:of|for)\b|['’]s\s+monthly\b/iu;

/** True for "what is acme paying each month": the prices of the plans, and no charge of a change. */
export function asksWhatTheyPay(said: string): boolean {
  return PAYS.test(said) && !/\b(?:i|we|you|it|that|this)\s+(?:pay|billed|charged)\b/i.test(said);
}

/** The money in a question that Switchboard does not hold: "the balance of acme". */
export function asksForMoney(said: string, clauses: readonly Clause[]): boolean {
  return (
    OWES.test(said) ||
    (!CHARGES.test(said) &&
      clauses.some(({ words }) => words.some(({ things }) => things.some((one) => MONEY.has(one)))))
  );
}

/** “What do we charge for Starter” asks for a price, and for no charges. */
const CHARGES = /\b(?:do|does)\s+(?:we|you|it|they)\s+charge\b/i;
const NOT_PRICE = /\b(?:did|was|were|have|has|this|last)\b/i;

/** True for a question of a price, of something that only has a name. */
export function asksForPrice(said: string): boolean {
  const isPrice =
    /\b(?:price|cost|costs|fee|rate)\b|\bmuch\s+(?:is|are|does|do|for)\b/i.test(said) || CHARGES.test(said);
  return isPrice && !NOT_PRICE.test(said);
}

/** The answer to a question about money that Switchboard does not hold. */
export const NO_MONEY =
  'The platform has no balances, invoices or payments. What was charged for changes made here is shown instead';

/** The package whose products are asked for. */
function contentsOf(said: string, person: string | undefined, things: ReadonlySet<string>): Question | undefined {
  if (!CONTAINS.test(said)) return undefined;
  const name =
    OF_LINE.exec(said)?.groups?.whose ?? namedBefore(said) ?? (things.has('subscription') ? undefined : person);
  // "What's in our package": the only one that there is.
  if (name === undefined && ONE_PACKAGE.test(said) && !things.has('subscription'))
    return { operation: 'packages_items_get', input: { PackageId: placeName() }, text: 'Products in the package' };
  if (name === undefined) return undefined;
  return { operation: 'packages_items_get', input: { PackageId: name }, text: `Products in the package “${name}”` };
}

const ONE_PACKAGE =
  /\b(?:in|of|does|do)\s+(?:our|the|this|that)\s+(?:only\s+)?(?:package|plan|bundle)\b(?!\s+(?:of|for|on)\b)/iu;

/** "What is in the package of 0105": surfaces find a package by a line that has it. */
const OF_LINE = new RegExp(String.raw`\b(?:${PLAN})\s+(?:of|on|for)\s+(?<whose>[#…*]*\d{4})\b`, 'iu');
const PACKAGE_NAME = new RegExp(String.raw`(?<name>(?:${NAME}\s+){1,3}?)(?:${PLAN})\b`, 'iu');
const PACKAGE_AFTER = new RegExp(
  String.raw`\b(?:plan|package|bundle|tariff)\s+(?:called\s+|named\s+)?[“"']?(?<name>\p{Lu}${NAME}(?:\s+\p{Lu}${NAME}){0,2})`,
  'u',
);

function namedBefore(said: string): string | undefined {
  const before = unknownOf(PACKAGE_NAME.exec(said)?.groups?.name ?? '');
  return before ?? PACKAGE_AFTER.exec(said)?.groups?.name;
}

/** The last unknown words of a text, which may be a name. */
function unknownOf(text: string): string | undefined {
  const words = wordsOf(unmarked(text));
  const end = words.findLastIndex(({ isUnknown }) => !isUnknown);
  const name = words.slice(end + 1).map(({ typed }) => typed);
  return name.length === 0 ? undefined : name.join(' ');
}

function planIn(
  said: string,
  person: string | undefined,
  words: Clause['words'],
  isSorted: boolean,
): string | undefined {
  if (NO_PLAN.test(said)) return 'none';
  const before = ON_PLAN.exec(said)?.groups?.name;
  const named = before === undefined ? undefined : unknownOf(before);
  if (named !== undefined) return named;
  const had = HAS_NAME.exec(said)?.groups?.name;
  if (had !== undefined && isPlanName(had)) return had;
  const bare = /\broutes?\b|\btrunk\b/i.test(said) ? undefined : ON_NAME.exec(said)?.groups?.name;
  // "Who's on 555 0104" asks for a line.
  const isName = bare !== undefined && /\p{L}/u.test(bare) && wordsOf(bare).every(({ isUnknown }) => isUnknown);
  const isOther = words.some(({ acts }) => acts.some((act) => !READS.has(act)));
  return isName && !isOther && (!isSorted || isPlanName(bare)) && (person === undefined || bare.includes(person))
    ? bare
    : undefined;
}

const READS: ReadonlySet<string> = new Set(['show', 'find', 'count', 'need', 'subscribe', 'assign']);

/** The route that lines lack, for a search by it: of any kind, or of calls or texts alone. */
export function lackedRoute(said: string): string | undefined {
  const { kind = '', noun = '' } = NO_ROUTE.exec(said)?.groups ?? {};
  if (noun === '') return undefined;
  if (/^(?:voice|calls?|sip|phone)$/i.test(kind) || /^trunk/i.test(noun)) return 'no voice route';
  return /^(?:sms|mms|texts?|messages?|messaging)$/i.test(kind) ? 'no message route' : 'none';
}

function routeIn(said: string): string | undefined {
  const lacked = lackedRoute(said);
  if (lacked !== undefined) return lacked;
  const name = ON_ROUTE.exec(said)?.groups?.name ?? routeNamed(said);
  return name === undefined || GENERIC.test(name.replace(/\s+(?:route|trunk)$/iu, '')) ? undefined : name;
}

/** "On main sms": a name with the word of a route's traffic. */
function routeNamed(said: string): string | undefined {
  const name = ON_NAME.exec(said)?.groups?.name;
  const words = name === undefined ? [] : wordsOf(name);
  const isTraffic = ({ things }: (typeof words)[number]) => things.includes('text') || things.includes('call');
  const isName =
    words.length > 1 && words[0]?.isUnknown === true && words.every((word) => word.isUnknown || isTraffic(word));
  return isName && words.some(isTraffic) ? name : undefined;
}

/** Lines by the data that they used. */
export function usageIn(said: string, { volumes }: Pick<Facts, 'volumes'>): Fields {
  if (MOST.test(said)) return { Sort: 'Used', Descending: true, Data: true };
  if (LEAST.test(said)) return { Sort: 'Used', Data: true };
  const [only, ...others] = volumes;
  if (only === undefined || others.length > 0) return {};
  if (/%|\bper\s?cent/i.test(only.text)) return { Sort: 'Used', Descending: true, Data: true };
  if (OVER.test(said) || OR_MORE.test(said)) return { UsedFrom: only.mb, Data: true };
  return UNDER.test(said) || OR_LESS.test(said) ? { UsedTo: only.mb, Data: true } : {};
}

const AMOUNT =
  /\b(?:over|above|under|below|more\s+than|less\s+than|cheaper\s+than|at\s+least|at\s+most|up\s+to|costing|between)\s+(?:[$€£]\s*)?\d+(?:[.,]\d+)?(?:\s+and\s+(?:[$€£]\s*)?\d+(?:[.,]\d+)?)?\s*(?:dollars?|usd|bucks|[$€£])?(?!\s*(?:gb|mb|gigs?|days?|hours?))/iu;

/** The amount of money by which a sentence chooses rows of a list, which no list does. */
export function amountIn(said: string): string | undefined {
  return AMOUNT.exec(said)?.[0].trim();
}
