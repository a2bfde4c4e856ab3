import type { Tool } from '../../../catalogue/operation.ts';
import type { Lookup } from '../../../language/typed-values.ts';
import { defined } from '../../../lib/json.ts';
import type { Facts } from '../facts/facts.ts';
import { peopleIn } from '../facts/names.ts';
import { type Asked, type Clause, type Fit, isQuestion, LAST_MONTH } from '../facts/stance.ts';
import { OF_NOW, timeSaid } from '../facts/times.ts';
import { ageIn } from './ages.ts';
import { answer, found, type GuidedAnswer, help } from './answer.ts';
import { filled } from './fill.ts';
import { callersRead, filtersOf, wholeListRead } from './filters.ts';
import { type Finder, looseName, nameIn } from './finder.ts';
import { asksWhatWaits } from './outside.ts';
import {
  amountIn,
  asksForMoney,
  asksForOwn,
  asksForPrice,
  asksWhatTheyPay,
  NO_MONEY,
  questionOf,
  undoesOwn,
  undoneOf,
} from './questions.ts';
import { narrowedBy } from './read-conditions.ts';
import { aboutOf, asksForThatCost, dependsOnState, type Rule, rulesAsked, sameOrder } from './rules.ts';

/* Answers to questions about the rules of a change, the writer's own requests, records and money. */

/** The parts of a guide that these answers need. */
export interface Reader {
  tools: readonly Tool[];
  byId: ReadonlyMap<string, Tool>;
  /** The lookup of a number. */
  lookup: Lookup | undefined;
  finder: Finder;
  /** The events, as far as the writer may read them. */
  events: (family: Fit['family'] | undefined, asked: Asked) => GuidedAnswer | undefined;
}

/** A family of events, which no words name. */
const events = (given: Fit['family']['given']): Fit['family'] =>
  defined({ operation: 'events_since', acts: 'decide', things: '', given });

/** The family of what colleagues did. */
export const DEEDS = events({ Only: 'actions' });

/** The family of messages that came in. */
export const MESSAGES = events({ Only: 'messages' });

/** The family of calls that were reported. */
export const CALLS = events({ Only: 'calls' });

/** "Lines on hold" names a list, and asks for nothing to be done. */
const LINES_ALONE =
  /^\W*(?:(?:all|any|our|the|show|list|me|which|what|see|how|many)\s+)*(?:lines|numbers|sims|customers)\s+(?:(?:that|which|are|is|currently|now|still)\s+)*(?:on\s+(?:hold|pause|ice)|parked|suspended|paused|frozen)[\s?.!]*$/iu;

const UNDONE =
  'Nothing was undone. Write the opposite of the change with its number, such as “reactivate 0107” or “take 0103 off hold”. ';

/** The answer to a question about a change, or about the writer's requests. Undefined for any other sentence. */
export function ofRuleOrOwn(asked: Asked, reader: Reader): GuidedAnswer | undefined {
  const { byId, finder, events: read } = reader;
  const { facts, clauses, said, since } = asked;
  const [person] = peopleIn(...clauses.map(({ words }) => words));
  const doer = facts.mentions.length === 0 ? undoneOf(said) : undefined;
  const deeds = doer === undefined ? undefined : read(DEEDS, { ...asked, clauses: [], since: since ?? LAST_MONTH });
  if (deeds && doer !== undefined)
    return {
      ...deeds,
      input: { ...deeds.input, By: doer },
      understood: `${UNDONE}${deeds.understood.replace(/^What was done here/, `What “${doer}” did`)}`,
    };
  if ((asksForOwn(said) || undoesOwn(said)) && facts.mentions.length === 0 && person === undefined) {
    const own = read(DEEDS, { ...asked, clauses: [], since: since ?? LAST_MONTH });
    return (
      own && {
        ...own,
        isOwn: true,
        understood: `${undoesOwn(said) ? UNDONE : ''}${own.understood.replace(/^What was done here/, 'What you asked for or decided')}`,
      }
    );
  }
  if (asksForThatCost(facts.rest, clauses) && facts.mentions.length === 0 && person === undefined)
    return help('Which change do you mean? Write it with its name: “what does a reactivation cost”');
  const alone =
    ofCode(asked, reader) ??
    ofTexts(asked, reader) ??
    ofWholeList(asked, reader, person) ??
    ofAddress(asked, reader) ??
    ofForwarding(asked, reader);
  if (alone) return alone;
  if (LINES_ALONE.test(said) && facts.mentions.length === 0) return ofRecords(asked, reader);
  const [rule, ...others] = rulesAsked(facts.rest, clauses);
  const toolOf = (one: Rule | undefined) => one && byId.get(one.operation);
  const tool = toolOf(rule);
  // Our own numbers are not bought.
  if (!rule || !tool || (rule.means === 'number' && facts.mentions.length > 0)) return undefined;
  const more = others.map((other) => aboutOf(other, toolOf(other) ?? tool, (id) => byId.get(id)));
  const own = aboutOf(rule, tool, (id) => byId.get(id));
  const same = others.length === 0 ? sameOrder(facts.rest, clauses, rule) : '';
  const several = facts.mentions.length > 1 ? totalOf(own.text, facts.mentions.length) : [];
  const about = {
    ...own,
    text: [...several, `${same}${own.text}`, ...more.map(({ title, text }) => `${title}: ${text}`)].join('\n'),
  };
  // A number to be ported in is not in our inventory.
  const isOurs = facts.mentions.length === 1 && rule.operation !== 'numbers_portin';
  const lookup = isOurs ? finder.plainLookup(facts, clauses) : undefined;
  const isState = dependsOnState(facts.rest) || /\b(?:still|possible)\b/i.test(facts.rest);
  if (lookup?.operation !== undefined && isState) return { ...lookup, about, isInstead: true };
  const nearest = lookup?.operation === undefined ? [] : [{ operation: lookup.operation, input: lookup.input }];
  return { ...help(`You asked about "${rule.title}". Nothing was done`), operation: tool.id, about, nearest };
}

/** The price of a change of several lines: each is billed by itself. */
function totalOf(text: string, count: number): string[] {
  const [, amount, unit] = /^Cost: (\d+(?:\.\d+)?) (USD)\b/.exec(text) ?? [];
  return amount === undefined ? [] : [`For ${count} numbers: ${Number(amount) * count} ${unit}.`];
}

/** Matches a waiting time: "longer than an hour". */
const AGE =
  /\b(?:for\s+)?(?:longer|more|older|over|at\s+least|less)\s*(?:than)?\s+(?:an?|half\s+an|one|two|three|four|five|six|\d{1,3})\s*(?:hours?|hrs?|h|minutes?|mins?|days?|d)\b|\bfor\s+(?:hours|days|ages|a\s+(?:long\s+)?while|too\s+long|long)\b|\btoo\s+long\b|\b(?:oldest|longest)\b|\bforever\b/i;

/** The answer to a question of what waits for a person. Undefined for any other sentence. */
export function ofWaiting(asked: Asked, { events: read, finder }: Reader): GuidedAnswer | undefined {
  if (!asksWhatWaits(asked.said)) return undefined;
  if (asked.facts.mentions.length > 0) {
    const line = finder.plainLookup(asked.facts, asked.clauses);
    return { ...line, understood: `The card of a line names what waits for it, and since when. ${line.understood}` };
  }
  return waitingNow(asked, read);
}

/** The changes of the last day, of which those that wait say so; those of an age that the question names alone. */
export function waitingNow(asked: Asked, read: Reader['events']): GuidedAnswer | undefined {
  const age = ageIn(asked.said);
  const since = age === undefined ? asked.since : LAST_MONTH;
  const waits = read(undefined, { ...asked, since, facts: { ...asked.facts, rest: '' }, clauses: [] });
  const shown = waits?.understood.replace(/^What happened/, 'Changes').replace(/\.$/, '');
  if (waits?.kind !== 'events' || age === undefined) {
    const other = AGE.exec(asked.said)?.[0];
    const told = other === undefined ? '' : `, and since when; the list is not narrowed to “${other}”`;
    return waits && { ...waits, understood: `${shown}. Those that wait for a person say so${told}.` };
  }
  const border = new Date(asked.now - age.ms).toISOString();
  const told = { ...waits, understood: `${shown}. Those that wait for a person say so, and since when.` };
  return narrowedBy(told, [
    { outcome: 'open', ...(age.isLess ? { since: border } : { until: border }), said: age.said },
  ]);
}

const QR =
  /\b(?:qr|activation)[\s-]*codes?\b|\bqr\b|\be?sim[\s-]+(?:bar)?codes?\b|\bcodes?\s+(?:for|of)\s+(?:(?:the|her|his|their|an?)\s+)?e?sim\b|\b(?:activat\w*|install\w*|scan\w*|load\w*|set\w*\s+up|turn\s+on|enable)\s+(?:(?:the|her|his|their|its|an?|\p{L}+['’]s)\s+)?e-?sim\b(?!\s+(?:lines?|numbers?|plan|product|swap|to\s+\d|\d))|\be-?sim\s+(?:to\s+be\s+)?(?:activated|installed|enabled|set\s+up)\b/iu;
const NEW_SIM = /\b(?:new|another|fresh|replacement)\s+e?sims?\b|\b(?:swap|replace|exchange)\w*\b/i;
/** Before a swap that is not wanted. */
const NO_SWAP =
  /\b(?:no|not|n['’]t|without|instead\s+of|rather\s+than|never)\b[^,.;!?]{0,24}\b(?:swap|replace|exchange|new\s+e?sim)/i;

/** "She needs the QR code again": the card of the line has it, and nothing is changed. Undefined for other sentences. */
export function ofCode({ facts, said, clauses }: Asked, { finder }: Reader): GuidedAnswer | undefined {
  if (!QR.test(said) || facts.message !== undefined) return undefined;
  if (NEW_SIM.test(said) && !NO_SWAP.test(said)) return undefined;
  const lookup = finder.plainLookup(facts, clauses);
  const isSent = /\b(?:re-?send|send|mail|e-?mail|text|sms|forward)/iu.test(said);
  const where = `The card of a line with an eSIM has “Show QR code”, and nothing is changed by it${isSent ? '. It is not sent to a customer from here' : ''}`;
  if (lookup.kind === 'help') return help(`${where}. Write the number of the line, its last digits or the name`);
  return { ...lookup, understood: `${where}. ${lookup.understood}` };
}

/** Asks for the texts of a line: "how many texts did 0101 send". Texts that we sent are asked for in other words. */
const TEXTS =
  /\b(?:texts?|sms|mms|messages?)\b[^,.;!?]*\b(?:did|has|have|had|does)\b[^,.;!?]*\b(?:send|sent|gets?|got|gotten|receiv\w*|write|written|wrote)\b|\b(?:did|has|have|had|does)\b[^,.;!?]*\b(?:send|sent|gets?|got|gotten|receiv\w*)\b[^,.;!?]*\b(?:texts?|sms|mms|messages?)\b/i;
/** "The last texts to 0101": those of a line of ours, which last digits name. */
const OF_LINE =
  /^(?!.*\b(?:send|sending|write|writing|reply|block\w*|stop\w*|forward\w*|route\w*|delete|cancel|not|why|resend|deliver\w*|arrive\w*|fail\w*|bounce\w*|go\s+through)\b)(?!.*n['’]t\b).*\b(?:texts?|sms|mms|messages?|msgs?)\s+(?:(?:sent|going|that\s+(?:went|came|go)|which\s+(?:went|came))\s+)?(?:to|from|of|on|for|with|at)\s+(?:(?:the\s+)?(?:line|number)\s+)?[#…*]*\d{4}(?![\w-])/isu;
const LISTED =
  /^\W*(?:(?:can|could|you|u|please|pls|i|we|want|need|to|me|us|the|ok|so|and)[\s,]+)*(?:show|list|see|get|give|pull|look|last|latest|recent|all|any)\b/iu;
const OURS =
  /\b(?:we|us|our|i|my|me)\b(?!\s+the\s+(?:last|latest)\b)(?<!\b(?:show|give|get)\s+(?:me|us))(?<!\bcan\s+(?:i|we))/i;

/** The messages of a line that a question asks for. Undefined for other sentences. */
export function ofTexts({ facts, said, clauses, since }: Asked, { byId, finder }: Reader): GuidedAnswer | undefined {
  const tool = byId.get('message_search_get');
  if (!tool || facts.mentions.length !== 1 || OURS.test(said)) return undefined;
  const isAsked = clauses.some(({ text, isAsked }) => isQuestion(text, isAsked));
  const isOfLine = OF_LINE.test(said) && (isAsked || since !== undefined || LISTED.test(said)) && facts.days.length < 2;
  if (!isOfLine && (!isAsked || !TEXTS.test(said) || /\b(?:from|to)\s+[#…*+(]*\d/i.test(said))) return undefined;
  // A number that texts a customer has no messages here.
  if (callersRead(facts, peopleIn(...clauses.map(({ words }) => words))[0])) return undefined;
  const input = filled(tool, facts);
  const find = finder.findFor(tool, input, facts, clauses);
  return answer('lookup', { tool, input, understood: tool.title }, find);
}

/** The list that is to be cleared, which nothing here does at once. Undefined for other sentences. */
function ofWholeList({ facts }: Asked, { byId }: Reader, person: string | undefined): GuidedAnswer | undefined {
  const read = wholeListRead(facts, person ?? (facts.mentions.length === 0 ? looseName(facts) : undefined));
  const tool = read && byId.get(read.operation);
  if (!read || !tool) return undefined;
  const guided = filtersOf(tool, read);
  return { ...guided, isInstead: true, understood: `${read.how}. ${guided.understood}` };
}

const CARRIED = /\b(?:texts?|sms|mms|messages?|calls?|voice)\b/i;
const CARRIES =
  /\b(?:forward|send|route|go|goes|going|deliver|post|push|point|direct|redirect|arrive|land|come|hit|reach)(?:s|ed|ing)?\b/i;

const FORWARDS = /\b(?:forward|redirect|divert)(?:s|ed|ing)?\b/i;
const SENDS_CALLS =
  /\b(?:forward|redirect|divert|send|route|transfer|pass|put\s+through)(?:s|ed|ing)?\b[^.;!?]*?(?:['’]s\s+(?:\p{L}+\s+)?calls?|\bcalls?\s+(?:of|for|to)\s+\p{L}+)\b[^.;!?]*?\s(?:through\s+)?(?:on)?to\s/iu;
const SIP = /\bsips?:[^\s,;]+/i;
/** "Make 0103 ring her landline as well" */
const RINGS =
  /\bring(?:s|ing)?\s+(?:also\s+|through\s+)?(?:on\s+|at\s+)?(?<phone>(?:(?:the|her|his|their|my|our|\p{L}+['’]s?)\s+)?(?:land\s?line|home|office|desk|cell|mobile|work|other)(?:\s+(?:phone|number))?)\b/iu;

/** "Forward 0101 to my cell": which number that is, is not known. */
const TO_PHONE =
  /\b(?:forward|redirect|divert)(?:s|ed|ing)?\b[^.;!?\d]*(?:[#…*]*\d{4}[^.;!?\d]*)?\b(?:on)?to\s+(?<phone>(?:(?:the|her|his|their|my|our|\p{L}+['’]s?)\s+)?(?:\p{L}+\s+)?(?:land\s?line|home|office|desk|cell|mobile|work)(?:\s+(?:phone|number))?)\b/iu;

/** "Forward 0103's calls to +1…", "… to sip:…": that is set on the line's route. Undefined for other sentences. */
function ofForwarding({ facts, clauses, said }: Asked, { finder, lookup: lines }: Reader): GuidedAnswer | undefined {
  const { rest, mentions, message, details, digits } = facts;
  const [person] = peopleIn(...clauses.map(({ words }) => words));
  // "Forward Ben's calls to +1…" names his line by its customer.
  const aside = TO_PHONE.exec(rest)?.groups?.phone;
  const isAside = aside !== undefined && mentions.length === 0;
  const isNamed = person !== undefined && (isAside || (mentions.length === 1 && SENDS_CALLS.test(rest)));
  const [line, other, ...others] = isNamed ? [undefined, ...mentions] : mentions;
  if (message !== undefined || details.routes.length > 0 || !(line ?? isNamed) || others.length > 0) return undefined;
  if (/\b(?:texts?|sms|messages?|route|trunk)\b/i.test(said)) return undefined;
  const [sip] = SIP.exec(said) ?? [];
  const phone = RINGS.exec(rest)?.groups?.phone ?? aside;
  const to = sip ?? (FORWARDS.test(rest) || isNamed || phone !== undefined ? (other?.text ?? phone) : undefined);
  if (to === undefined) return undefined;
  const way =
    sip === undefined
      ? `The number that a route forwards to, such as ${to}, is in no field here: it is set at the platform, and “point NUMBER at ROUTE” gives a line such a route`
      : `See the route of the line, and write “change the voice route NAME” with ${to}`;
  const how = `Calls are forwarded by a voice route, which other lines may use too. ${way}. Nothing was done`;
  const own = {
    ...facts,
    mentions: line ? [line] : [],
    numbers: line?.isWhole ? [line.text] : [],
    digits: !line || line.isWhole ? digits : line.text,
  };
  const named = isNamed && lines?.find ? { tool: lines.find.tool, input: { [lines.find.field]: person } } : undefined;
  const lookup = named
    ? answer('lookup', { ...named, understood: found(named.input) })
    : finder.plainLookup(own, clauses);
  return { ...lookup, isInstead: true, understood: `${how}. ${lookup.understood}` };
}

/** "Forward texts of 0103 to https://…": the address is one of the line's route. Undefined for other sentences. */
function ofAddress({ facts, clauses }: Asked, { finder }: Reader): GuidedAnswer | undefined {
  const { url, message, rest, mentions, details } = facts;
  if (url === undefined || message !== undefined || details.routes.length > 0 || mentions.length > 1) return undefined;
  if (!CARRIED.test(rest) || !CARRIES.test(rest) || /\b(?:webhook|route|trunk)/i.test(rest)) return undefined;
  const lookup = finder.plainLookup(facts, clauses);
  if (lookup.kind !== 'lookup') return undefined;
  const kind = /\b(?:calls?|voice)\b/i.test(rest) ? 'voice' : 'message';
  const how = `An address belongs to a route, which other lines may use too. See the route of the line, and write “change the ${kind} route NAME to ${url}”. Nothing was done`;
  const find = finder.find(facts, clauses);
  const own = find
    ? answer('lookup', { ...find, input: { ...find.input, Full: true }, understood: found(find.input) })
    : lookup;
  return { ...own, isInstead: true, understood: `${how}. ${own.understood}` };
}

const PRICED = [
  [/^PKID-/i, 'packages_get', 'PackageId'],
  [/^PRID-/i, 'products_get', 'ProductId'],
] as const;

/** "What is the price of PKID-…": the record with that id, which is no name in a list. */
function ofId(id: string, { mayUse }: Asked, tools: Reader['tools']): GuidedAnswer | undefined {
  const [, operation, field = ''] = PRICED.find(([prefix]) => prefix.test(id)) ?? [];
  const tool = tools.find((one) => one.id === operation);
  if (!tool || !mayUse(tool.id)) return undefined;
  return answer('lookup', { tool, input: { [field]: id }, understood: tool.title });
}

/** "Which package is Ava on, and what does it cost" */
const OWN_PLAN =
  /\b(?:which|what)\s+(?:package|plan)\s+(?:is|are|does|do|has|have)\s+(?!(?:the|best|cheapest|there)\b)/iu;

/** The stock code of a product: "DATA-05". */
const STOCK_CODE = /^\p{L}[\p{L}\d]*(?:-[\p{L}\d]+)*-\d[\p{L}\d]*$/u;

/** The answer to a question about records, or about money. Undefined for any other sentence. */
export function ofRecords(asked: Asked, { tools, events: read }: Reader): GuidedAnswer | undefined {
  const { facts, clauses, said, since, mayUse } = asked;
  const find = tools.find(({ id }) => id === 'numbers_find');
  const payer = facts.mentions[0]?.text ?? nameIn(facts, clauses);
  const asksPlan = OWN_PLAN.test(said) && (asksForPrice(said) || asksWhatTheyPay(said));
  if ((asksPlan || asksWhatTheyPay(said)) && payer !== undefined && find && mayUse(find.id)) {
    const text = asksPlan
      ? `Find numbers by "${payer}": each with its plan. The packages have the prices`
      : `What a customer pays is not known here: each line shows its plan, and the packages have the prices. Find numbers by "${payer}"`;
    const prices = mayUse(PACKAGES) ? tools.find(({ id }) => id === PACKAGES) : undefined;
    return {
      ...answer('lookup', { tool: find, input: { Query: payer, Full: true }, understood: text }),
      isList: true,
      ...(prices && { also: [answer('lookup', { tool: prices, input: {}, understood: 'Packages and their prices' })] }),
    };
  }
  // "Add a receipt url https://… to the main sms route" is about a record.
  const isOfRecord = facts.url !== undefined || facts.details.routes.length > 0;
  if (!isOfRecord && asksForMoney(said, clauses)) {
    const charges = read(events({ Only: 'charges' }), { ...asked, since: since ?? LAST_MONTH });
    if (charges) return { ...charges, understood: `${NO_MONEY}. ${charges.understood}` };
  }
  const isPrice = asked.facts.mentions.length === 0 && asksForPrice(said) && mayUse(PACKAGES);
  const [record] = asked.facts.details.records;
  const named = record?.name ?? peopleIn(...clauses.map(({ words }) => words))[0] ?? looseName(asked.facts);
  const person = isPrice ? named : undefined;
  const byId = person === undefined ? undefined : ofId(person, asked, tools);
  if (byId) return byId;
  const products = tools.find(({ id }) => id === PRODUCTS);
  if (person !== undefined && products && STOCK_CODE.test(person) && mayUse(PRODUCTS)) {
    const text = `Products and what they cost, for “${person}”`;
    const narrow = { name: person.toUpperCase(), kinds: [], said: `“${person}”` };
    return { ...answer('lookup', { tool: products, input: {}, understood: text }), narrow };
  }
  if (person !== undefined) {
    const list = tools.find(({ id }) => id === PACKAGES);
    const text = `Packages and their prices, for “${person}”. Products are a list of their own`;
    if (list)
      return {
        ...answer('lookup', { tool: list, input: {}, understood: text }),
        narrow: { name: person, kinds: [], said: `“${person}”` },
        nearest: [
          { operation: ITEMS, input: { PackageId: person } },
          { operation: PRODUCTS, input: {} },
        ],
      };
  }
  const question = questionOf(asked);
  const tool = question && tools.find(({ id }) => id === question.operation);
  if (!question || !tool || !mayUse(tool.id)) return undefined;
  const { input, isList } = question;
  // Only the current usage is known.
  const time = input.Data === true ? timeSaid(said) : undefined;
  const text = time === undefined ? question.text : `${question.text}; ${OF_NOW} (“${time}”)`;
  const lists = [
    ...(typeof input.Plan === 'string' ? [PACKAGES] : []),
    ...(typeof input.Route === 'string' ? ROUTES : []),
  ];
  const nearest = lists.filter(mayUse).map((operation) => ({ operation, input: {} }));
  return {
    ...answer('lookup', { tool, input, understood: text }),
    ...defined({ isList }),
    ...(nearest.length > 0 && { nearest }),
  };
}

const PACKAGES = 'account_packages_get';
const ROUTES = ['account_message_routes_get', 'account_voice_routes_get'];
const PRODUCTS = 'account_products_get';
const ITEMS = 'packages_items_get';

/** Lists that no amount of money narrows. */
const LISTS = /^account_\w+_get$/;

/** The answer with the amount of money by which it does not choose. */
export function withRemarks(guided: GuidedAnswer, { said }: Asked): GuidedAnswer {
  const amount = guided.kind === 'lookup' && LISTS.test(guided.operation ?? '') ? amountIn(said) : undefined;
  if (amount === undefined) return guided;
  return {
    ...guided,
    understood: `${guided.understood} The whole list is shown: it cannot be narrowed to “${amount}”.`,
  };
}

/** The check of a number that is to be ported in, which is not in our inventory and cannot be looked up. */
export function portCheck(
  facts: Facts,
  clauses: readonly Clause[],
  check: Tool | undefined,
): NonNullable<GuidedAnswer['nearest']>[number] | undefined {
  const isPort = clauses.some(({ fits: [fit] }) => fit?.tool.id === 'numbers_portin');
  return isPort && check
    ? { operation: check.id, input: filled(check, facts, { TargetClassification: 'Mobile' }) }
    : undefined;
}
