import { type Word, wordsOf } from '../../../language/sentence.ts';
import { DAY_MS, HOUR_MS } from '../../../lib/clock.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import { answer, type GuidedAnswer, help, understood } from '../answers/answer.ts';
import { filled, withDigits } from '../answers/fill.ts';
import { nameIn } from '../answers/finder.ts';
import type { Reader } from '../answers/readings.ts';
import { aboutOf, rulesAsked } from '../answers/rules.ts';
import { DEEDS } from '../facts/contrast.ts';
import { isoOf, periodIn, withMonths } from '../facts/period.ts';
import { isPlanName } from '../facts/plans.ts';
import { wallTime } from '../facts/since.ts';
import { type Asked, beginsDeed, isActor } from '../facts/stance.ts';
import { OF_NOW, timeSaid, unmarked } from '../facts/times.ts';
import { namesIn } from '../facts/unknown-names.ts';
import { ofMembers } from './account-members.ts';
import { ofBareList, ofCallerName } from './bare-lists.ts';
import { ofCustomerTotals } from './customer-totals.ts';
import { ofFreeNumbers } from './free-numbers.ts';
import { asksNotice } from './line-facts.ts';
import { STATES } from './list-conditions.ts';

/*
 * These readers list lines by a state, a customer, an id or their data, and show the data that a line used. A note
 * names what a list cannot filter by.
 */

const LINES =
  /\b(?:lines?|numbers?|sims?|esims?|customers?|subscribers?|clients?|users?|people|who(?:['’]?s|se)?|anyone|anybody|somebody|someone|everyone|everybody|everything|ones|how\s+many|what|whats)\b/iu;
/** Acts of a sentence that only reads. */
const READS: ReadonlySet<string> = new Set(['show', 'find', 'count', 'need', 'happen']);
const OTHERS =
  /\b(?:plan|package|bundle|tariff|subscription|route|trunk|webhook|product|feature|workgroup|filter|limit|cap|data|block\w*|sim\s+swaps?|pin|why|how\s+(?:long|do|does|can|to)|when|cost|price|if)\b/i;
const COUNTED = /\b(?:how\s+many|number\s+of|count|total)\b/i;
const LISTED =
  /\b(?:lines|numbers|sims|esims|customers|subscribers|people|users|ones|everyone|everybody|everything|any\w*|how\s+many|which|who|whos|what|list|show|count|does|do|has|have)\b|\b(?:parked|suspended|paused|frozen|active|cancell?ed|disconnected|on\s+(?:hold|pause|ice))\s+(?:\p{L}+\s+)?(?:at|of|for|from|with|in)\b/iu;
/** "Lines with more than 90% used": “more” orders nothing. */
const NOUN_FIRST =
  /^\W*(?:all\s+|any\s+)?(?:lines|numbers|customers|sims|subscribers)\s+(?:with|over|above|that|who|which|using|near|at)\b/i;
const WHO_DID =
  /\bwho\s+(?:just\s+|has\s+|had\s+|have\s+)?(?:parked|cancell?ed|suspended|paused|frozen|disconnected|deactivated)\b|\b(?:possible|would|could|allowed|should|can\s+be|can\s+(?:i|we)(?!\s+(?:get|see|have)\b))\b/i;
/** "…, and when they get deleted" */
const WHEN_GONE =
  /(?:,|\band)\s+(?:tell\s+me\s+|also\s+|show\s+)?(?:until\s+|till\s+)?when\s+(?:they|each|those|these|we|it|do\s+they|will\s+they)\b[^.;!?]*\b(?:delet\w+|gone|lost|lose|purged|expire\w*|removed|released|back|end)\b/i;
/** "…, and since when" */
const AND_SINCE =
  /(?:,|\band)\s+(?:since|from)\s+when\b[^.;!?]*|(?:,|\band)\s+(?:for\s+)?how\s+long\b(?:\s+(?:already|each|it\s+has\s+been|they\s+have\s+been))*|\s+since\s+when\s*\?*$/i;
const PAST = /\b(?:was|were|did|got|have\s+been|has\s+been)\b/i;

/** The list or the answer that such a sentence asks for. Undefined for any other sentence. */
export function ofListing(asked: Asked, reader: Reader): GuidedAnswer | undefined {
  const { facts, clauses } = asked;
  // "Lines on hold at Acme" is read as an order, and has no verb.
  const isOrder =
    !NOUN_FIRST.test(asked.said) &&
    clauses.some(beginsDeed) &&
    plainWords(facts).some(({ acts, isPast }) => !isPast && acts.some(isDone));
  if (facts.message !== undefined || isOrder) return undefined;
  for (const read of [
    ofPriceForAnother,
    ofCustomerTotals,
    ofFreeNumbers,
    ofMembers,
    ofBareList,
    ofCallerName,
    ofIds,
    ofUsed,
    ofOver,
    ofUsage,
    ofOverLimit,
    ofEnd,
    ofTotals,
    ofDeleted,
    ofBought,
    ofStates,
  ]) {
    const found = read(asked, reader);
    if (found) return found;
  }
  return undefined;
}

function plainWords({ rest }: Asked['facts']): Word[] {
  return wordsOf(unmarked(rest));
}

function isDone(act: string): boolean {
  return DEEDS.has(act);
}

const ASKS_LINES =
  /\b(?:who|whose|anyone|anybody|anything|used|in\s+use|numbers?|lines?|customers?|subscribers?|people|sims?|how\s+many|users?)\b/i;
const CONTENTS = /\b(?:in|inside|part\s+of|contain\w*|includ\w*|contents?|consist\w*|products?)\b/i;

/** "Who uses MRID-…", "what is in PKID-…". */
function ofIds({ facts, said, mayUse }: Asked, { byId }: Reader): GuidedAnswer | undefined {
  // "Package PKID-…" is read as a record by its name.
  const named = facts.details.records.flatMap(({ name }) => (/^[A-Z]{2,7}-[\w-]{6,}$/i.test(name) ? [name] : []));
  const [id, ...others] = [...new Set([...facts.ids, ...named])];
  if (id === undefined || others.length > 0 || facts.mentions.length > 0) return undefined;
  const isPlan = /^PKID-/i.test(id);
  const isRoute = /^[MC]RID-/i.test(id);
  const find = byId.get('numbers_find');
  if (find && mayUse(find.id) && (isPlan || isRoute) && ASKS_LINES.test(said)) {
    const input = isPlan ? { Plan: id } : { Route: id };
    const text = `Find numbers; ${isPlan ? 'plan' : 'route'}: ${id}`;
    return { ...answer('lookup', { tool: find, input, understood: text }), isList: true };
  }
  const items = byId.get('packages_items_get');
  if (
    !items ||
    !mayUse(items.id) ||
    !isPlan ||
    !CONTENTS.test(said) ||
    !/\b(?:what|which|show|list|see|contents)/i.test(said)
  )
    return undefined;
  return answer('lookup', { tool: items, input: { PackageId: id }, understood: `Products in the package ${id}` });
}

const DATA = /\b(?:data|gb|mb|gigs?|megs?|gigabytes?|megabytes?|internet|usage|consumption|traffic)\b/i;
const USES =
  /\b(?:us(?:e|es|ed|ing|age)|burn(?:s|ed|t|ing)?|consum\w+|traffic|(?:go|goes|going|gone|went)\s+thr\w+|eat(?:s|en|ing)?|ate|chew\w*|download(?:ed)?|left|remaining|report)\b/i;
const WHAT_USED =
  /\b(?:what|how\s+much)\s+(?:did|has|have|does|is|was)\b[^.;!?]*\b(?:use[ds]?|using|burn(?:ed|t)?|consumed?)\b(?!\s+(?:to|for|as)\b)|\bhow\s+much\b[^.;!?]*\b(?:has|have|had)\s+(?:already\s+)?(?:used|burned|consumed)\b/i;
const NO_USAGE =
  /\b(?:limit|cap|capped|allowance|quota|slow\w*|throttl\w*|why|who|how\s+many\s+(?:lines|numbers|people|customers)|plan|package|route|trunk|sim|phone|app|carrier|alert\w*|warn\w*|watch\w*|notif\w*|price|cost\w*|charge\w*|top|most|least|over|above|more\s+than|less\s+than|under|below|not|no|without|cannot|happen\w*|changed?|texts?|calls?)\b|n['’]t\b/i;
const PLAN_DATA = /\b(?:plan|package)(?:['’]s)?\s+data\b|\bdata\s+(?:plan|package)\b/gi;
const ALL = /\b(?:we|all|total|altogether|overall|everyone|everybody|together|company)\b/i;

/** "How much data did 0106 use this month": the data used now, and the period told. */
function ofUsage(asked: Asked, { byId, finder }: Reader): GuidedAnswer | undefined {
  const { facts, said, clauses, since, mayUse } = asked;
  if (
    NO_USAGE.test(said.replace(PLAN_DATA, 'data')) ||
    facts.volumes.length > 0 ||
    facts.ids.length > 0 ||
    (facts.mentions.length > 1 && !facts.isOneList)
  )
    return undefined;
  const time = timesSaid(asked);
  const isPeriod = since !== undefined || time !== undefined;
  if (!(DATA.test(said) && (USES.test(said) || isPeriod)) && !WHAT_USED.test(said)) return undefined;
  if (
    clauses.some(({ words }) =>
      words.some(({ acts, isPast }) => !isPast && acts.some((act) => act === 'trouble' || CHANGES.has(act))),
    )
  )
    return undefined;
  const told = isPeriod ? `; ${OF_NOW}${time === undefined ? '' : ` (“${time}”)`}` : '';
  const remarks = told === '' ? undefined : told;
  const name = facts.mentions.length === 0 ? nameIn(facts, clauses) : undefined;
  const [tool, find] = [byId.get('numbers_data_usage_info'), byId.get('numbers_find')];
  if (facts.mentions.length === 0 && name === undefined) {
    if (!find || !ALL.test(said) || !mayUse(find.id)) return undefined;
    const text = `Data used by all lines, counted by account${told}`;
    return answer('lookup', { tool: find, input: { CountBy: 'Account', Data: true }, understood: text });
  }
  if (!tool || !mayUse(tool.id)) return undefined;
  const texts = facts.mentions.map(({ text }) => text);
  const input = facts.numbers.length > 0 ? filled(tool, facts) : withDigits(tool, texts, filled(tool, facts));
  const named = name === undefined ? facts : { ...facts, digits: name };
  const first = texts.length > 1 ? undefined : finder.findFor(tool, input, named, clauses);
  // The lines of an account are added up.
  const ofAll =
    name === undefined || !find || !mayUse(find.id)
      ? undefined
      : {
          ...{ name, operation: find.id, input: { Query: name, CountBy: 'Account', Data: true } },
          understood: `Find numbers by "${name}"; the data that they have used, added up${told}.`,
        };
  return {
    ...answer('lookup', { tool, input, understood: `${understood(tool, input, first)}${told}` }, first),
    ...defined({ orAccount: ofAll }),
    ...defined({ remarks }),
  };
}

const MORE = /\b(?:over|above|more\s+than|at\s+least|exceed\w*|beyond|past)\b/i;
const LESS = /\b(?:under|below|less\s+than|fewer\s+than|at\s+most|up\s+to|only)\b/i;
const ASKS_WHO =
  /^\W*(?:(?:show|list|find|give|get|me|us|all|please|pls|can|you|tell|any|are|is|there|hi|hey|so|and)[\s,]+)*(?:who(?:['’]?s|se)?|which|what|lines|numbers|customers|people|subscribers|sims|any(?:one|body)|how\s+many|everyone|everybody)\b/i;

/** "Who is using more than 5 GB": the lines by the data that they used. */
function ofUsed({ facts, said, clauses, mayUse }: Asked, { byId }: Reader): GuidedAnswer | undefined {
  const tool = byId.get('numbers_find');
  const [volume, ...others] = facts.volumes;
  if (!tool || !mayUse(tool.id) || !volume || others.length > 0 || facts.mentions.length > 0) return undefined;
  if (
    /%|percent/i.test(volume.text) ||
    !ASKS_WHO.test(said) ||
    /\b(?:limit|cap|plan|package|product|throttl\w*|costs?|price)\b/i.test(said)
  )
    return undefined;
  const used = MORE.test(said) ? { UsedFrom: volume.mb } : LESS.test(said) ? { UsedTo: volume.mb } : undefined;
  if (used === undefined) return undefined;
  const name = nameIn(facts, clauses);
  const time = timeSaid(said);
  const text = `Find numbers${name === undefined ? '' : ` by "${name}"`}; MB used ${'UsedFrom' in used ? 'from' : 'to'} ${volume.mb} (${volume.text})`;
  const told = time === undefined ? '' : `; ${OF_NOW} (“${time}”)`;
  const input: Fields = { ...defined({ Query: name }), ...used, Data: true };
  return { ...answer('lookup', { tool, input, understood: `${text}${told}` }), isList: true };
}

/** The times of a sentence as they are written. */
function timesSaid({ facts, said }: Asked): string | undefined {
  const time = timeSaid(said);
  const others = facts.times.map(({ text }) => text).filter((text) => time?.includes(text) !== true);
  return [time, ...others].filter(Boolean).join(', ') || undefined;
}

const GOES_OVER =
  /\b(?:did|has|have|had|is|was|does|will)\b[^.;!?]*\b(?:go(?:ne|es|ing)?\s+over|over\s+(?:the|its|her|his|their)\s+(?:data\s+)?(?:limit|cap|allowance|quota)|(?:hit|reach(?:ed)?|exceed(?:ed)?)\s+(?:the|its|her|his|their)\s+(?:data\s+)?(?:limit|cap|allowance|quota)|maxed\s+out|throttled|run\s+out\s+of\s+data|out\s+of\s+data)\b/i;

/** Answers "Did 0106 go over last month" with the data of a line. */
function ofOver(asked: Asked, { byId, finder }: Reader): GuidedAnswer | undefined {
  const { facts, said, clauses, mayUse } = asked;
  const tool = byId.get('numbers_data_usage_info');
  if (!tool || !mayUse(tool.id) || facts.mentions.length !== 1 || facts.volumes.length > 0) return undefined;
  if (!GOES_OVER.test(said) || /\b(?:why|how|who|what\s+happens)\b/i.test(said)) return undefined;
  const time = timesSaid(asked);
  const remarks = time === undefined ? undefined : `; ${OF_NOW} (“${time}”)`;
  const input = filled(tool, facts);
  const find = finder.findFor(tool, input, facts, clauses);
  const text = `${understood(tool, input, find)}${remarks ?? ''}`;
  return { ...answer('lookup', { tool, input, understood: text }, find), ...defined({ remarks }) };
}

const CHANGES: ReadonlySet<string> = new Set(
  'park activate cancel reactivate raise block unblock allow swap watch unwatch portin portout remove off on create'.split(
    ' ',
  ),
);

const OVER_LIMIT =
  /\b(?:over|above|past|beyond|exceed\w*|hit|hitting|reach\w*|close\s+to|near(?:ing)?|at|out\s+of|used\s+up|through|under)\b[^.;!?]*\b(?:limits?|caps?|allowances?|quotas?)\b|\b(?:limits?|caps?)\b[^.;!?]*\b(?:reached|exceeded|hit|used\s+up)\b|\bmaxed\s+out\b|\bused\s+up\b[^.;!?]*\bdata\b|\bexceed\w*\b[^.;!?]*\b(?:data|plan)\b|\b(?:over|above|past|more\s+than|at\s+least|beyond|used|at|exceed\w*)\s+\d{2,3}\s*(?:%|percent)|\b\d{2,3}\s*(?:%|percent)\s+of\b|\b(?:throttled|slowed(?:\s+down)?|capped)\b|\b(?:out\s+of|no\s+more|ran\s+out\s+of)\s+data\b/i;

/** "Which lines are over their data limit": the lines by the data that they used, each with its limits. */
function ofOverLimit({ facts, said, clauses, mayUse }: Asked, { byId }: Reader): GuidedAnswer | undefined {
  const tool = byId.get('numbers_find');
  if (
    !tool ||
    !mayUse(tool.id) ||
    facts.mentions.length > 0 ||
    facts.volumes.some(({ text }) => !/%|percent/i.test(text))
  )
    return undefined;
  if (
    !LINES.test(said) ||
    !(OVER_LIMIT.test(said) || (facts.volumes.length > 0 && MORE.test(said))) ||
    /\b(?:what\s+(?:is|happens)|how\s+(?:do|does|can|to))\b/i.test(said)
  )
    return undefined;
  const isRead =
    /^\W*(?:\p{L}+\W+){0,4}?(?:which|who|whos|what|any\w*|list|show|how\s+many|all|lines|numbers|customers|subscribers|are|is|does|do|has|have)\b/iu;
  if (!isRead.test(said)) return undefined;
  const name = nameIn(facts, clauses);
  const time = timeSaid(said);
  const input: Fields = { ...defined({ Query: name }), Sort: 'Used', Descending: true, Data: true };
  const of = name === undefined ? '' : ` by "${name}"`;
  const when = time === undefined ? '' : `; ${OF_NOW} (“${time}”)`;
  const text = `Find numbers${of}; those with the most data used come first, each with its limits. None is chosen by its limit${when}`;
  return { ...answer('lookup', { tool, input, understood: text }), isList: true };
}

/** A deletion that is ahead: "get deleted this week". */
export const DELETED =
  /\b(?:get|gets|getting|be|being|are|to\s+be)\s+(?:\p{L}+\s+)?(?:deleted|purged|wiped|removed|released|lost|gone)\b|\b(?:expir(?:e|es|ing)|runs?\s+out|running\s+out|go(?:es|ing)?\s+away|disappear\w*|vanish\w*|we\s+(?:will\s+|would\s+)?lose(?!\s+(?:if|when)\b)|losing|pending\s+delet\w+|up\s+for\s+delet\w+|due\s+for\s+delet\w+|(?:scheduled|marked)\s+for\s+delet\w+|(?:about|going|due)\s+to\s+(?:go|lose|drop(?:\s+off)?|expire|be\s+(?:deleted|lost|released|gone)))\b|\b(?:drop(?:s|ping)?\s+off|(?:gone|go|going|lost)\s+for\s+good)\b|\bdelet(?:ed|ions?)\s+(?:soon|today|tonight|tomorrow|this|next|coming|in\s+the\s+next)\b|\b(?:up)?coming\s+delet\w+|\bdeletions\s+(?:at|of|for|in)\b|\b(?:lines|numbers|sims|which|what)\b[^.;!?]*\bcan\s+(?:(?:we|i|you|u)\s+)?(?:still\s+)?(?:be\s+)?(?:reactivate|restore|recover|save|rescue|brought\s+back|bring\s+back|get\s+back)d?\b|\b(?:still\s+)?(?:recoverable|restorable|reactivat(?:able|eable)|salvageable|rescuable|retrievable)\b/iu;

/** "Which lines get deleted this week": the cancelled ones, each with the day until which it can be brought back. */
function ofDeleted({ facts, said, clauses, mayUse }: Asked, { byId }: Reader): GuidedAnswer | undefined {
  const tool = byId.get('numbers_find');
  if (!tool || !mayUse(tool.id) || facts.mentions.length > 0 || facts.ids.length > 0) return undefined;
  if (!/\b(?:lines?|numbers?|sims?|what|anything|deletions|which)\b|^\W*delet/i.test(said) || !DELETED.test(said))
    return undefined;
  if (OTHERS.test(said) || /\b(?:who|should|must|need|please|pls)\b/i.test(said)) return undefined;
  const name = nameIn(facts, clauses);
  const time = timeSaid(said);
  const input: Fields = { ...defined({ Query: name }), Status: 'Cancelled - Pending Delete' };
  const of = name === undefined ? '' : ` by "${name}"`;
  const narrow = time === undefined ? '' : `; the list is not narrowed to “${time}”`;
  const text = `Find numbers${of}; state: Cancelled - Pending Delete. Each can be brought back for 30 days after its cancellation, and is deleted then; the day is known only of those that were cancelled here, and is on their card${narrow}`;
  return { ...answer('lookup', { tool, input, understood: text }), isList: true };
}

const ENDS =
  /\btoo\s+late\b|\bcan\s+(?:i|we|you|u)\s+still\s+(?:get|have)\b[^.;!?]*\bback\b|\b(?:how\s+(?:many\s+(?:more\s+)?days|long|much\s+time)|when|until\s+when|till\s+when|by\s+when|what\s+(?:day|date))\b[^.;!?]*\b(?:delet\w+|gone|reactivat\w*|bring|brought|sav(?:e|ed)|rescue\w*|recover\w*|restor\w*|left|expir\w+|purged|lost|lose)\b|\b(?:is|are)\b[^.;!?]*\b(?:gone|lost)\s+(?:for\s+good|forever|already)\b|\b(?:can|could)\s+(?:we|i|you|u|[#…*]*\d{4,})?\s*(?:still\s+)?(?:be\s+)?(?:sav(?:e|ed)|rescue|recover|restore)\b|\b(?:is|are)\b[^.;!?]*\b(?:(?:still|even)\s+)?(?:recoverable|restorable|salvageable|save?able|retrievable)\b|\b(?:already|finally|permanently)\s+deleted\b/i;

/** "When does 0108 get deleted", "can we still save it": the line, and how it is brought back. */
function ofEnd({ facts, said, clauses }: Asked, { finder }: Reader): GuidedAnswer | undefined {
  if (facts.mentions.length !== 1 || facts.volumes.length > 0 || !ENDS.test(said) || asksNotice(said)) return undefined;
  if (/\b(?:data|port\w*|plan|package|limit|swaps?|hold|gb|mb|take|does\s+it\s+take)\b/i.test(said)) return undefined;
  const lookup = finder.plainLookup(facts, clauses);
  if (lookup.operation === undefined) return undefined;
  // The card says until when, and what it costs, of a line that can be brought back.
  return { ...lookup, facts: ['until'], isInstead: true };
}

const NEW =
  /\b(?:new|added|add|bought|buy|ordered|provisioned|activated|opened|gained|onboarded)\b[^.;!?]*\b(?:lines|numbers|sims|esims)\b|\b(?:lines|numbers|sims|esims)\b[^.;!?]*\b(?:added|add|bought|buy|ordered|provisioned|opened|gained|new)\b/i;
const ASKS_NEW =
  /^\W*(?:(?:hi|hey|so|and|please|pls|can|you|show|list|give|tell|me|us|get|a|the|see|check)[\s,]+)*(?:how\s+many|which|what|new|all|number\s+of|count|lines|numbers|list|total|did)\b/i;

/** "How many new lines this month": the lines that were bought in that time. */
function ofBought(
  { facts, said, clauses, since, now, zone, mayUse }: Asked,
  { byId }: Reader,
): GuidedAnswer | undefined {
  const tool = byId.get('numbers_find');
  if (!tool || !mayUse(tool.id) || !since || facts.mentions.length > 0 || !NEW.test(said) || !ASKS_NEW.test(said))
    return undefined;
  if (facts.areaCode !== undefined || /\b(?:need|want|please|can\s+(?:we|i))\b/i.test(said)) return undefined;
  const dayOf = (value: string) => new Date(wallTime(sinceMoment(value, now), zone)).toISOString().slice(0, 10);
  // The day of a purchase is known for as long as the line, and what happened for 30 days.
  const period = periodIn(withMonths(said.toLowerCase()), wallTime(now, zone));
  const until = since.until === undefined ? undefined : dayOf(new Date(Date.parse(since.until) - 1).toISOString());
  const end = period?.end === undefined ? undefined : isoOf(period.end - DAY_MS);
  const last = period === undefined ? until : end;
  const name = nameIn(facts, clauses);
  const first = period === undefined ? dayOf(since.value) : isoOf(period.start);
  const input: Fields = { ...defined({ Query: name, BoughtTo: last }), BoughtFrom: first };
  const of = name === undefined ? '' : ` by "${name}"`;
  const text = `Find numbers${of}; bought from ${String(input.BoughtFrom)}${last === undefined ? '' : ` to ${last}`} (“${timeSaid(said) ?? since.text}”)`;
  return { ...answer('lookup', { tool, input, understood: text }), isList: true };
}

/** Epoch ms of a span before now, or of an ISO time. */
function sinceMoment(value: string, now: number): number {
  const [, count = '', unit] = /^(\d+)([hd])$/.exec(value) ?? [];
  return unit === undefined ? Date.parse(value) : now - Number(count) * (unit === 'h' ? HOUR_MS : DAY_MS);
}

const BY: readonly (readonly [by: string, pattern: string])[] = [
  ['Customer', 'customers?|subscribers?|persons?|people|holders?|owners?'],
  ['Account', 'accounts?|compan(?:y|ies)'],
  ['Status', 'status|states?'],
  ['Plan', 'plans?|packages?|bundles?|tariffs?'],
  ['Product', 'products?|types?|kinds?'],
  ['AreaCode', 'area\\s*codes?'],
  ['Month', 'months?'],
  ['MessageRoute', '(?:message|text|sms)\\s+routes?'],
  ['VoiceRoute', '(?:voice\\s+|call\\s+)?(?:routes?|trunks?)'],
];
const PER = String.raw`\b(?:per|by|for\s+each|in\s+each|of\s+each|each|for\s+every|every|grouped\s+by|broken\s+down\s+by)\s+`;
const NO_LINE =
  /\b(?:customers|subscribers|people|users|clients|who)\b[^.;!?]*\b(?:without|with\s+no|have\s+no|has\s+no|has\s*n['’]?t|have\s*n['’]?t|do\s*n['’]?t\s+have|no|zero)\s+(?:got\s+)?(?:an?\s+|any\s+)?(?:active\s+)?(?:lines?|numbers?|sims?|phones?)\b/i;

const MOST_LINES =
  /\b(?:who|which|whos|what)\b[^.;!?]*\b(?:most|fewest|least)\s+(?:active\s+|parked\s+)?(?:numbers|lines|sims)\b/i;

/** "Who has more lines, Acme or Globex" */
const MORE_LINES =
  /\b(?:who|which|whos|what)\b[^.;!?]*\b(?:more|fewer|less)\s+(?:(?:active|parked|cancelled)\s+)?(?:numbers|lines|sims)\b\W*(?<two>\p{L}+(?:\s+\p{L}+)?\s+or\s+\p{L}+(?:\s+\p{L}+)?)/iu;

/** "How many lines does Acme have vs Globex" */
const TWO =
  /\b(?:lines?|numbers?|sims?|esims?)\b.*(?<two>\bvs\b|\bversus\b|\bcompared\s+(?:to|with)\b|\bagainst\b|\band\s+(?:does\s+|has\s+)?\p{L}+\s+(?:have|has|got)\b)/iu;

/** "Lines per customer at Globex", "which customers have no line": totals. */
function ofTotals({ facts, said, clauses, mayUse }: Asked, { byId }: Reader): GuidedAnswer | undefined {
  const tool = byId.get('numbers_find');
  if (!tool || !mayUse(tool.id) || facts.mentions.length > 0 || facts.volumes.length > 0) return undefined;
  const isNone = NO_LINE.test(said);
  const isMost = MOST_LINES.test(said);
  const isLines = /\b(?:lines|numbers|sims|esims|active|parked|data)\b/i.test(said);
  const compared = COUNTED.test(said) ? TWO.exec(said)?.groups : undefined;
  const two =
    MORE_LINES.exec(said)?.groups?.two ??
    (compared && namesIn(facts).length > 1 ? namesIn(facts).join(' and ') : undefined);
  const isCompared = two !== undefined;
  const [by] = isCompared
    ? ['Account']
    : isNone || isMost
      ? ['Customer']
      : (BY.find(([, noun]) => new RegExp(`${PER}(?:${noun})\\b`, 'i').test(said)) ?? []);
  if (
    by === undefined ||
    !(isNone || isLines) ||
    /\b(?:limit|charges?|costs?|spen[dt]|texts?|calls?|how\s+often|(?:do|did)\s+we\s+(?!have\b)\p{L}+)\b/iu.test(said)
  )
    return undefined;
  const name = isCompared ? undefined : nameIn(facts, clauses);
  const [state] = STATES.find(([, pattern]) => pattern.test(said)) ?? [];
  const isData = DATA.test(said);
  const input: Fields = { ...whoseIn(name), ...defined({ Status: state }), CountBy: by, ...(isData && { Data: true }) };
  const words = by.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  const text = `Find numbers${name === undefined ? '' : ` by "${name}"`}${state === undefined ? '' : `; state: ${state}`}; counted by ${words}`;
  const told = isCompared ? `, ${two} among them` : isNone ? '. Those without a number are counted too, with none' : '';
  return { ...answer('lookup', { tool, input, understood: `${text}${told}` }), isList: true };
}

/** The criterion of the lines of a customer, or of those with a plan: "how many lines are on starter". */
function whoseIn(name: string | undefined): Fields {
  return name !== undefined && isPlanName(name) ? { Plan: name } : defined({ Query: name });
}

/** "How many are on hold at Globex", "parked and active ones of Acme". */
function ofStates(asked: Asked, { byId }: Reader): GuidedAnswer | undefined {
  const { facts, said, clauses, since, mayUse } = asked;
  const tool = byId.get('numbers_find');
  if (!tool || !mayUse(tool.id) || facts.mentions.length > 0 || facts.ids.length > 0 || facts.volumes.length > 0)
    return undefined;
  const ends = WHEN_GONE.exec(said)?.[0] ?? AND_SINCE.exec(said)?.[0] ?? '';
  const isRead = plainWords(
    ends === '' ? facts : { ...facts, rest: facts.rest.replace(WHEN_GONE, '').replace(AND_SINCE, '') },
  ).every(({ acts, isPast }) => isPast || acts.every((act) => READS.has(act)));
  if (!isRead || OTHERS.test(said.replace(ends, '')) || PAST.test(said) || WHO_DID.test(said)) return undefined;
  const name = nameIn(facts, clauses);
  // "Anything Priya cancelled" asks for what she did.
  if (name !== undefined && isActor(said, name)) return undefined;
  const states = STATES.filter(([, pattern]) => pattern.test(said)).map(([state]) => state);
  // "Ava on hold" is an order.
  if (!LISTED.test(said) && states.length < 2) return undefined;
  const isCount = COUNTED.test(said) && /\b(?:lines?|numbers?|sims?|esims?)\b/i.test(said);
  if (!(LINES.test(said) || name !== undefined) || (states.length === 0 && !(isCount && name !== undefined)))
    return undefined;
  const [state] = states;
  // "How many lines do they have, and how many of them are on hold" asks for both counts.
  const isBoth = (said.match(/\bhow\s+many\b/gi) ?? []).length > 1;
  const isOne = states.length === 1 && !isBoth;
  const given: Fields = isOne ? { Status: state } : { CountBy: 'Status' };
  const time = since === undefined ? undefined : timeSaid(said);
  const parts = [
    name === undefined
      ? 'Find numbers'
      : isPlanName(name)
        ? `Find numbers; plan: ${name}`
        : `Find numbers by "${name}"`,
    isOne ? `state: ${state}` : 'counted by state; a state that is not listed has none',
    ...(AND_SINCE.test(said) ? ['since when is in the history of each line, if it was done here'] : []),
    ...(!WHEN_GONE.test(said) ? [] : ['each says until when it can be brought back, and is deleted after that']),
    ...(time === undefined ? [] : [`the list is not narrowed to “${time}”`]),
  ];
  const input = { ...whoseIn(name), ...given };
  return { ...answer('lookup', { tool, input, understood: parts.join('; ') }), isList: true };
}

const TELL_PRICE =
  /^\W*(?:(?:please|pls|can|could|you|hey|hi)[\s,]+)*(?:tell|text|let|inform|message|write)\s+(?!me\b|us\b)(?<who>[\p{L}'’]+(?:\s+\p{Lu}[\p{L}'’]+)?|(?:the\s+)?customer)\s+(?:know\s+)?(?<what>(?:how\s+much|what|the\s+(?:price|cost|fee))\b.*)$/iu;

/** "Tell Ben how much a SIM swap costs": the price, and how to send it. */
function ofPriceForAnother({ said, clauses }: Asked, { byId }: Reader): GuidedAnswer | undefined {
  const { who, what } = TELL_PRICE.exec(said)?.groups ?? {};
  const [rule] = what === undefined ? [] : rulesAsked(what, clauses);
  const tool = rule && byId.get(rule.operation);
  if (!rule || !tool) return undefined;
  const { title, text } = aboutOf(rule, tool, (id) => byId.get(id));
  const sends = `Nothing was sent. To send it, write: text ${who} “…”.`;
  return {
    ...help(`You asked about "${title}" for ${who}. Nothing was sent`),
    operation: tool.id,
    about: { title, text: `${text} ${sends}` },
  };
}
