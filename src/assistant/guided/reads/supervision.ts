import type { Narrow } from '../../../language/narrow.ts';
import { answer, type GuidedAnswer, help, understood } from '../answers/answer.ts';
import { filled, withMention } from '../answers/fill.ts';
import { nameIn } from '../answers/finder.ts';
import { asksWhatWaits } from '../answers/outside.ts';
import { asksForOwn } from '../answers/questions.ts';
import { DEEDS, MESSAGES, type Reader } from '../answers/readings.ts';
import { readOf } from '../answers/reads.ts';
import { peopleIn } from '../facts/names.ts';
import { type Asked, asksForCost, beginsDeed, LAST_MONTH } from '../facts/stance.ts';
import { LEAD, ofBatch } from './batches.ts';
import { DELETED } from './listings.ts';
import { asksWhatIsOpen, narrowing } from './narrow.ts';

/*
 * Supervisors and people on call ask about batches, decisions, failures, port-in orders, how often something was done,
 * since when and why. A note names what the list of an answer cannot filter by.
 */

type Read = (asked: Asked, reader: Reader) => GuidedAnswer | undefined;

/** "Cost of all swaps in November" */
const NOUN_FIRST =
  /^\W*(?:the\s+|a\s+)?(?:total\s+)?(?:costs?|fees?|charges?|number|count|list|amount|price)\s+(?:of|for)\b|\b(?:vs|versus|compared\s+(?:to|with))\b/i;

/** "What happened to my requests" asks for those of the writer. */
const OF_MINE = /\b(?:happen(?:ed)?|became)\b[^.;!?]*\bmy\s+(?:\p{L}+\s+)?requests?\b/iu;

/** The answer to a question or an order of that kind. Undefined for any other sentence. */
export function ofSupervision(asked: Asked, reader: Reader): GuidedAnswer | undefined {
  if (asked.facts.message !== undefined || (OF_MINE.test(asked.said) && asksForOwn(asked.said))) return undefined;
  const decided =
    ofBatch(asked.said) ??
    ofDecision(asked, reader) ??
    (RESENDS.test(asked.said) ? ofWebhooks(asked, reader) : undefined) ??
    ofWatchedPort(asked, reader);
  // "Ports stuck since Monday" begins with a noun.
  const ports = PORTS_FIRST.test(asked.said) ? ofPorts(asked, reader) : undefined;
  if (decided || ports || (asked.clauses.some(beginsDeed) && !NOUN_FIRST.test(asked.said))) return decided ?? ports;
  for (const read of READS) {
    const found = read(asked, reader);
    if (found) return found;
  }
  return undefined;
}

/** The answer with a further sentence about what it shows. */
export function telling(guided: GuidedAnswer | undefined, text: string, narrow?: Narrow): GuidedAnswer | undefined {
  const understood = `${guided?.understood.replace(/\.$/, '')}${text}.`;
  return guided && { ...guided, understood, ...(narrow && { narrow }) };
}

const DECIDES = new RegExp(
  String.raw`${LEAD}(?:(?:approve|decline|reject|deny|authori[sz]e|confirm|sign\s+off(?:\s+on)?|green\s?light|turn\s+down|accept)\b|(?:yes|no)\s+(?:to|for)(?=\s+(?:the|that|his|her|my|[#…]*\d))|(?:say|press|click|give|vote)\s+(?:an?\s+|the\s+|my\s+)?(?:yes|no|ok|okay|go(?:\s+ahead)?|approval)\s+(?:to|for|on)|ok(?:ay)?\s+(?=(?:the|that|his|her|my)\s+(?:one|request|change|cancel\w*|reactivation|swap|hold)))\s*(?=\p{L}|\d|[#…*+])`,
  'iu',
);
/** "Confirm that 0103 is active" asks, and "reject calls from …" blocks. */
const NO_DECISION =
  /\b(?:confirm|approve|accept)\s+(?:if|whether|with|to|me|us|by)\b|\bconfirm\b[^.;!?]*\b(?:is|isn|are|aren|was|wasn|were|has|hasn|have|does|doesn|did|can|will|being|number)\b|\b(?:reject|deny|decline|accept|approve)\b[^.;!?]*\b(?:calls?|callers?|calling|texts?|sms|messages?|to\s+call)\b|\b(?:confirm|accept|reject|decline)\b(?![^.;!?]*\b(?:requests?|asked)\b)[^.;!?]*\bport\b|\b(?:confirm|accept|reject|decline|approve)\b(?![^.;!?]*\b(?:requests?|asked)\b)[^.;!?]*\b(?:address|payment|e-?mail|invoice|price)\b/i;
const WHO_DECIDES =
  /^\W*(?:(?:and|so|ok|hey|hi)[\s,]+)*who\s+(?:else\s+)?(?:approves|confirms|decides|signs?\s+off|okays)\b|^\W*(?:(?:and|so|ok|hey|hi)[\s,]+)*who\s+decides\s*\?*$|\b(?:which|what)\s+(?:people|persons|colleagues|ones|of\s+(?:us|you))\s+(?:can|may|could|are\s+allowed\s+to)\s+(?:approve|confirm|sign|decide|decline|ok)\b|\bwho(?:m|se)?\b[^.;!?]*\b(?:ask|ping|call|write|go|turn|get|need|contact|message)\b[^.;!?]*\b(?:approval|sign-?\s?off|confirmation|(?:a|an|the)\s+(?:ok|okay|yes))\b|\b(?:am\s+i|are\s+you|is\s+(?:there|\p{L}+))\s+(?:(?:an?|the|any)\s+)?(?:only|other|another|second)\s+approvers?\b|\bwho(?:['’]?s|\s+is|\s+are)\s+(?:the\s+|an\s+|my\s+)?approvers?\b|\bwho(?:['’]?s|\s+all|\s+are)?\s+(?:else\s+)?(?:allowed|able|supposed|entitled|permitted)\s+to\s+(?:approve|confirm|sign|decide|decline|ok)\b|\bwho\s+(?:else\s+)?(?:needs?|has|have|must|should|can|may|could|might|is\s+(?:supposed|able|allowed)|all\s+can|gets?)\s+(?:to\s+)?(?:approve|confirm|sign|decide|decline|ok)\b|\bwhom?\s+(?:do|should|can|must|shall)\s+(?:i|we)\s+(?:have\s+to\s+|need\s+to\s+)?(?:ask|contact|talk\s+to|speak\s+to|go\s+to|turn\s+to|bug|need)\b[^?]*\b(?:approv\w+|sign(?:ed)?[\s-]?off|ok(?:ay)?(?:ed)?|yes)\b|\bwhose\s+(?:ok|okay|approval|yes|sign[\s-]?off)\b|\bwho\s+(?:signs?\s+off(?:\s+on)?|approves|okays)\s+(?:(?:the|a|an|our|all|new)\s+)*\p{L}+[\s-]?\p{L}*s\s*[?.!]*$/iu;
const WHO =
  'The card of a request says who was asked: an approver for what costs, reaches a person or takes something away, and any operator for another change. Who they are is set by the owner (SLACK_APPROVERS, SLACK_OPERATORS). The card of the line names what waits for it';
const BY_BUTTON =
  'Words decide nothing: a request is approved or declined with the buttons of its card, where it was asked for, or in the app’s Home';

/** Says where the buttons for "Approve the one for 0104" are, and finds the line with what waits. */
function ofDecision(asked: Asked, { finder, events }: Reader): GuidedAnswer | undefined {
  const { said, facts, clauses } = asked;
  const lookup = finder.plainLookup(facts, clauses);
  if (WHO_DECIDES.test(said) && lookup.kind !== 'help')
    return { ...lookup, isInstead: true, understood: `${WHO}. ${lookup.understood}`, holders: ['approver'] };
  if (WHO_DECIDES.test(said) && asked.since === undefined) return { ...help(WHO), holders: ['approver'] };
  // A whole number beside a customer calls them: "approve +1… for Ava".
  const isCaller =
    facts.mentions.some(({ isWhole }) => isWhole) && peopleIn(...clauses.map(({ words }) => words)).length > 0;
  const isWhere = /\bwhere\s+(?:do|can|should|must|would)\s+(?:i|we)\s+(?:approve|confirm|decline|decide|sign)/i.test(
    said,
  );
  if ((!DECIDES.test(said) && !isWhere) || NO_DECISION.test(said) || isCaller) return undefined;
  if (lookup.kind !== 'help')
    return {
      ...lookup,
      isInstead: true,
      understood: `${BY_BUTTON}. Nothing was done. The card of the line names what waits for it. ${lookup.understood}`,
    };
  const waits = events(undefined, { ...asked, facts: { ...facts, rest: '' }, clauses: [] });
  if (!waits) return help(`${BY_BUTTON}. Nothing was done`);
  const shown = waits.understood.replace(/^What happened/, 'Changes').replace(/\.$/, '');
  return { ...waits, understood: `${BY_BUTTON}. Nothing was done. ${shown}. Those that wait for a person say so.` };
}

const TOLD_WHEN =
  /\b(?:(?:tell|let|notify|ping|warn|alert|inform|message|text)\s+(?:me|us)\b[^.;!?]*\b(?:when|once|if|as\s+soon\s+as|after)|watch|keep\s+(?:an\s+)?eye)\b/i;
/** "Do we get told when a port changes", "are we notified about ports": whether anyone hears of it. */
const IS_TOLD =
  /\b(?:do|does|will|would|can|could|are|is|am)\s+(?:we|i|you|the\s+team|anyone|somebody|someone)\s+(?:(?:also|ever|even|automatically|always)\s+)*(?:(?:get|be|have|being|getting)\s+)?(?:(?:an?|any|some)\s+)?(?:told|notified|informed|alerted|pinged|warned|updated|messages?|texts?|notifications?|notices?|alerts?|updates?|emails?|hear|know|see)\b[^.;!?]*\b(?:when|once|if|about|of|on|as\s+soon\s+as|after|for)\b/i;
const WATCHES = /\bwatch|\bkeep\s+(?:an\s+)?eye/i;
const WATCHED_ORDER =
  'Only lines are watched, and no port-in order: its changes are shown in the channel for events. This is its state now';

const HEARD =
  'The changes of port-in and other orders are shown in the channel for events, and a webhook with Order_Update gets them. Nobody gets a message of their own: “status of the port of NUMBER” asks for one';

function hooksOf(byId: Reader['byId'], mayUse: Asked['mayUse']): NonNullable<GuidedAnswer['nearest']> {
  const list = byId.get('account_webhooks_get');
  return list && mayUse(list.id) ? [{ operation: list.id, input: {} }] : [];
}

/** "Tell me when ava's port-in goes through": the orders of the customer as far as they were reported. */
function portsOfNamed(asked: Asked, { events }: Reader): GuidedAnswer | undefined {
  const { facts, clauses } = asked;
  const name = nameIn(facts, clauses);
  if (name === undefined) return undefined;
  const own = { ...asked, facts: { ...facts, digits: name }, clauses: [], since: asked.since ?? LAST_MONTH };
  return telling(events({ ...DEEDS, given: { Only: 'orders' } }, own), `. ${HEARD}`);
}

/** "Tell me when the port of +1… is through": the order, and a sentence about who hears of it. */
function ofWatchedPort(asked: Asked, reader: Reader): GuidedAnswer | undefined {
  const { said, facts, mayUse } = asked;
  const { byId } = reader;
  const tool = byId.get('numbers_order_get');
  const isAsked = IS_TOLD.test(said);
  // "The port of 5550111": a number without its area code.
  const part = isAsked ? undefined : /(?<![\d-])\d{7}(?![\d-])/.exec(said)?.[0];
  const [id = facts.mentions[0]?.text ?? part, ...others] = facts.ids;
  if (!tool || !mayUse(tool.id) || others.length > 0 || facts.mentions.length > 1) return undefined;
  if (!(TOLD_WHEN.test(said) || isAsked) || !/\b(?:ports?|ported|port[\s-]?in|porting|orders?|transfer)\b/i.test(said))
    return undefined;
  if (/\b(?:customer|port(?:ed)?[\s-]?out)\b/i.test(said)) return undefined;
  if (id === undefined && (isAsked || !WATCHES.test(said)))
    return portsOfNamed(asked, reader) ?? { ...help(HEARD), nearest: hooksOf(byId, mayUse) };
  if (id === undefined) {
    // "Keep an eye on the 312 port" names no order.
    const remarks = `. ${WATCHED_ORDER.replace('. This is its state now', '')}`;
    const isPort = WATCHES.test(said) && /\bport/i.test(said);
    const text = `${understood(tool, {})}${remarks}`;
    return isPort ? { ...answer('form', { tool, input: {}, understood: text }), remarks } : undefined;
  }
  const input = { OrderId: id };
  return answer('lookup', { tool, input, understood: `${WATCHED_ORDER}. ${understood(tool, input)}` });
}

const GOING =
  /\b(?:what['’]?s?|whats|wat|wots|anything|something)\b(?:\s+(?:is|the\s+hell|exactly))*\s+(?:going\s+on|up|wrong|happening|the\s+(?:matter|deal|story|issue|problem))\s+(?:with|on|at|w\/)\b|\bwhat\s+gives\b|\bwhat\s+happened\s+(?:to|with|on)\b/i;

/** "What is going on with 0107, customer says it's dead": the diagnosis of the line. */
function ofTrouble(asked: Asked, reader: Reader): GuidedAnswer | undefined {
  const { facts, clauses, said } = asked;
  const isNamed = facts.mentions.length === 1 || peopleIn(...clauses.map(({ words }) => words)).length > 0;
  if (!isNamed || !GOING.test(said) || OTHER_THING.test(said)) return undefined;
  if (WORKED.test(said)) return ofLine(asked, reader);
  const fit = clauses.flatMap(({ fits }) => fits).find(({ tool }) => tool.id === 'numbers_diagnose');
  const isTrouble = clauses.some(({ words }) => words.some(({ acts }) => acts.includes('trouble')));
  return fit && isTrouble ? readOf(fit, asked, reader) : undefined;
}

const WORKS =
  /^\W*(?:(?:hi|hey|so|and|ok|please|pls|check|see|if|whether|can|you|tell|me)[\s,]+)*(?:is|are|does|do)\b[^.;!?]*\b(?:work(?:s|ing)?|broken|down|up\s+and\s+running|functioning)\b/i;
const OTHER_THING =
  /\b(?:web\s?hooks?|hooks?|routes?|trunks?|batch|filters?|ports?|orders?|plans?|packages?|platform|api|switchboard|how)\b/i;

/** "Is Ava's line working": the diagnosis of the line. */
function ofWorking(asked: Asked, reader: Reader): GuidedAnswer | undefined {
  return WORKS.test(asked.said) && !OTHER_THING.test(asked.said) ? ofLine(asked, reader) : undefined;
}

/** "It worked yesterday" */
const WORKED = /\b(?:was|were)\s+(?:still\s+)?(?:working|fine|active|ok(?:ay)?|good)\b|\bworked\b/i;

/** The diagnosis of the only line or person of a sentence. */
function ofLine({ facts, clauses, mayUse }: Asked, { byId, finder }: Reader): GuidedAnswer | undefined {
  const tool = byId.get('numbers_diagnose');
  if (!tool || !mayUse(tool.id) || facts.mentions.length > 1) return undefined;
  if (facts.mentions.length === 0 && nameIn(facts, clauses) === undefined) return undefined;
  const input = filled(tool, facts);
  const find = finder.findFor(tool, input, facts, clauses);
  if (facts.numbers.length === 0 && !find) return undefined;
  return answer('lookup', { tool, input, understood: understood(tool, input, find) }, find);
}

const WEBHOOK = /\b(?:web\s?hooks?|hooks|hook|callbacks?)\b/i;
const DELIVERED =
  /\b(?:fail\w*|errors?|erroring|deliver\w*|miss(?:ed|ing)?|go(?:ne|ing|es)?\s+(?:thr|out|down)\w*|went|down|dead|broken|bounc\w*|lost|arriv\w*|reach\w*|retr(?:y|ied|ies)|re-?sen[dt]|received?|fir(?:e|ed|ing)|sent|stopped|silent|late|delayed|stuck|work(?:s|ed|ing)?|happened|get(?:ting)?\s+thr\w+|ok|healthy|alive|wrong|weird|call(?:ed|s)?|hit|ping(?:ed)?|trigger\w*|respond\w*|reachable|problems?|issues?|trouble)\b/i;
const RESENDS = /\bre-?sen[dt]|\bretr(?:y|ied)|\breplay|\bre-?deliver/i;
const SETS_WEBHOOK =
  /^\W*(?:(?:please|pls|can|could|you|we|i|want|need|to|and|ok|so)[\s,]+)*(?:add|create|make|set|new|delete|remove|drop|change|update|point|switch|turn|disable|enable|move|stop|register|where|cancel)\b/i;

/** Answers "Any failed webhooks since this morning?" with arrivals, as failed deliveries are not known. */
function ofWebhooks(asked: Asked, { events, byId }: Reader): GuidedAnswer | undefined {
  const { said, facts, mayUse } = asked;
  if (!WEBHOOK.test(said) || !DELIVERED.test(said) || SETS_WEBHOOK.test(said) || facts.url !== undefined)
    return undefined;
  const arrived = events(undefined, { ...asked, clauses: [], facts: { ...facts, rest: '' } });
  const list = byId.get('account_webhooks_get');
  const resends = RESENDS.test(said) ? ', and nothing here sends one again' : '';
  const why = `Which deliveries of a webhook failed is not known here: only what arrived is${resends}`;
  return (
    arrived && {
      ...arrived,
      understood: `${why}. ${arrived.understood}`,
      ...(list && mayUse(list.id) && { nearest: [{ operation: list.id, input: {} }] }),
    }
  );
}

const LISTS =
  /^\W*(?:(?:hi|hey|hello|yo|morning|evening|so|and|ok|please|pls|can|could|you|i|we|need|want|give|get|tell|us|me|a|the|see|check|just|team|guys|folks|quick|question|good|status|report|update)[\s,:!.…–—-]+)*(?:ports|port[\s-]?ins|orders|requests|changes|cancell?ations|reactivations|texts|how['’]?s|unsuccessful|(?:is|are|was|were|has|have)\s+(?:there\s+)?(?:any(?:thing|one|body)?|a)|which|what|whats|any(?:thing|one|body)?|list|show|how\s+many|how\s+much|all|are\s+there|were\s+there|was\s+there|is\s+there|did|do\s+we\s+have|only|everything|every|everyone|everybody|who|whose|count|number\s+of|total|open|pending|stuck|failed|rejected|late|outstanding|overdue|status|errors?|failures)\b/i;
const FAILED =
  /\b(?:fail(?:s|ed|ing|ures?)?|errors?|errored|go(?:ne|es|ing)?\s+wrong|went\s+wrong|go\s+bad|bounced?|(?:did|has|have)\s*(?:n['’]?t|not)\s+(?:work|go\s+thr\w+|gone?\s+thr\w+|succeed\w*)|refused|crashed|unsuccessful|not\s+successful|bl(?:ew|ow|own)\s+up|exploded?|broke|reject(?:ed|s|ions?))\b/i;
const KINDS: readonly (readonly [pattern: RegExp, only: string])[] = [
  [/\b(?:ports?|port[\s-]?ins?|porting|orders?|transfers?)\b/i, 'orders'],
  [/\b(?:actions?|changes?|requests?|jobs?)\b/i, 'actions'],
];
const PORTS =
  /\b(?:(?:any|some|every|no|each)(?:(?:one|body)['’]?s)?\s+(?:other\s+)?(?:port|order)(?![\s-]?out)|(?:anything|anyone|anybody|something|what|who|which\s+[a-z]+)(?:['’]?s|\s+is|\s+are)?\s+(?:still\s+|currently\s+)*(?:porting(?!\s+out)|being\s+ported|in\s+porting)|ports|port\s+(?:situation|queue|pipeline|list)|port[\s-]?ins?|port(?:ing)?[\s-](?:orders?|requests?)|transfers|(?:open|pending|stuck|rejected|failed|late)\s+(?:port|order)s?|orders)\b/i;
const STATED =
  /\b(?:stuck|open|pending|late|overdue|rejected|failed|failing|fail|delayed|waiting|outstanding|running|in\s+progress|hanging|unfinished|completed?|done|finished|went\s+thr\w+|bounced|due|cancell?ed|submitted|not\s+done)\b/i;
const PORTS_FIRST =
  /^\W*(?:(?:all|any|our|the|open|pending|stuck|failed|rejected|late)\s+)*(?:ports|port[\s-]ins|orders)\b/i;
const TAKES =
  /\bhow\s+(?:long|do|does|can|to|would|much)\b|\bcosts?\b|\bwhat\s+(?:is|are)\s+an?\b|\bwhat\s+happens\s+(?:to|if|when|with)\b/i;

/** "Which port-ins are stuck": the orders as far as they were reported. */
function ofPorts(asked: Asked, { events }: Reader): GuidedAnswer | undefined {
  const { said, facts, since } = asked;
  if (
    facts.mentions.length > 0 ||
    facts.ids.length > 0 ||
    !PORTS.test(said) ||
    SPENT.test(said) ||
    !LISTS.test(said) ||
    TAKES.test(said)
  )
    return undefined;
  const state = STATED.exec(said)?.[0];
  const only = { ...DEEDS, given: { Only: 'orders' } };
  const listed = withoutState(events(only, { ...asked, since: since ?? LAST_MONTH }));
  const { narrow, told } = narrowing(listed, said, state && `“${state}”`);
  return telling(
    listed,
    `. Each order as it was reported last, with its state and reason${told}. The platform has no list of orders: one that is not here is found by its id, “order ID”, or by its number`,
    narrow,
  );
}

/** "Are any ports of Globex stuck": the state is no part of the name. */
function withoutState(listed: GuidedAnswer | undefined): GuidedAnswer | undefined {
  const query = listed?.find?.input.Query;
  if (!listed?.find || typeof query !== 'string') return listed;
  const [state] = STATED.exec(query) ?? [];
  const name = state === undefined ? query : query.replace(state, ' ').replace(/\s+/g, ' ').trim();
  if (name === '' || name === query) return listed;
  const find = { ...listed.find, input: { ...listed.find.input, Query: name } };
  return { ...listed, find, understood: listed.understood.replace(query, () => name) };
}

/** "What failed since midnight": the events, in which those that failed say so. */
function ofFailures(asked: Asked, { events }: Reader): GuidedAnswer | undefined {
  const { said, facts } = asked;
  const failed = FAILED.exec(said)?.[0];
  if (failed === undefined || !LISTS.test(said) || facts.ids.length > 0 || facts.mentions.length > 1) return undefined;
  if (/\bwhy\b/i.test(said) || TAKES.test(said) || (facts.mentions.length > 0 && !/\bwhat\b/i.test(said)))
    return undefined;
  const act = ACTS.exec(facts.rest)?.[0];
  const only = KINDS.find(([pattern]) => pattern.test(facts.rest))?.[1] ?? (act === undefined ? undefined : 'actions');
  const family = only === undefined ? undefined : { ...DEEDS, given: { Only: only } };
  const waits = asksWhatWaits(said) ? '. Those that wait for a person say so' : '';
  const clauses = facts.mentions.length > 0 ? asked.clauses : [];
  const listed = events(family, {
    ...asked,
    clauses,
    facts: facts.mentions.length > 0 ? facts : { ...facts, rest: '' },
  });
  const { narrow, told } = narrowing(listed, said, `“${failed}”${act === undefined ? '' : ` and “${act}”`}`);
  return telling(listed, `${told}${waits}`, narrow);
}

const ACTS =
  /\b(?:reactivat\w*|cancel\w*|disconnect\w*|terminat\w*|deactivat\w*|park(?:s|ed|ing|ings)|suspen(?:ded|sions?)|holds|activat(?:ed|ions?)|(?:sim[\s-]+)?swap(?:s|ped)|(?:un)?block(?:s|ed)|approv(?:ed|als?)|declin(?:ed|es)|withdr(?:awn|ew|awals?)|taken\s+back|rejections?|(?:plan|limit|sim|name)\s+changes|new\s+(?:customers|subscribers|users|accounts)|ports|port[\s-]?ins|lose|lost|holds?|renam(?:ed|es)|changes|requests)\b/i;
const COUNTS =
  /\b(?:how\s+many|how\s+often|number\s+of|vs|versus|compared|count|total|list|show|which|what|all|any(?:one|body|thing)?|something|somebody|someone|everyone|everybody|who)\b/i;
const DONE =
  /\b(?:how\s+often|did|were|was|have|has|had|done|made|been|got|happened|\p{L}{3,}ed)\b|\b(?:today|yesterday|overnight|this|last|since|in)\b/iu;
const SPENT = /\b(?:spen[dt]|costs?|pa(?:y|id)|charge[sd]?|bill(?:ed)?|fees?)\b/i;
/** "Approved requests of yesterday" */
const DONE_FIRST =
  /^\W*(?:(?:all|list|show|me|the|our)\s+)*\p{L}{3,}ed\s+(?:requests|changes|questions|reactivations|cancell?ations|swaps|actions)\b/iu;
const PRESENT = /\bwhat\s+(?:happens|does|do|would|will|can|should|is|are)\b/i;
const WAS = /\b(?:did|were|was|had|got|(?:have|has)\s+(?:been|we|you|they))\b/i;
/** "Show all reactivations" */
const NOUNS = /(?:ions|als|swaps|cancels|changes|requests)$/i;
const NOW = /\b(?:are|is|currently|now|pending|waiting|open|need|needs|must|should|can|could|would|will|if)\b/i;

/** The acts of a sentence in quotation marks: “declined” and “requests”. */
function actsIn(rest: string): string {
  const acts = [...rest.matchAll(new RegExp(ACTS.source, 'gi'))].map(([act]) => `“${act}”`);
  return [...new Set(acts)].join(' and ');
}

/** Answers "How many reactivations this month, and what did they cost" with those changes and charges. */
function ofDone(asked: Asked, { events }: Reader): GuidedAnswer | undefined {
  const { said, facts, since } = asked;
  const act = ACTS.exec(facts.rest)?.[0];
  const isMoney =
    (SPENT.test(said) || /\bhow\s+much\b(?!\s+(?:data|gb|mb|time)\b)/i.test(said)) &&
    (since !== undefined || /\b(?:did|have|was|were|spent)\b/i.test(said));
  if (
    act === undefined ||
    facts.mentions.length > 0 ||
    facts.ids.length > 0 ||
    asksWhatWaits(said) ||
    PRESENT.test(said) ||
    (DELETED.test(said) && !WAS.test(said))
  )
    return undefined;
  const isList = (COUNTS.test(said) || DONE_FIRST.test(said)) && DONE.test(said);
  if (
    !(isList || isMoney) ||
    (since === undefined &&
      !/\bhow\s+often\b/i.test(said) &&
      (NOW.test(said) || !(WAS.test(said) || (LISTS.test(said) && NOUNS.test(act)))))
  )
    return undefined;
  if (since === undefined && !/\bhow\s+often\b/i.test(said) && asksForCost(said) && !isMoney) return undefined;
  const only = isMoney && !/\b(?:how\s+many|who|list|which)\b/i.test(said) ? 'charges' : 'actions';
  const listed = events({ ...DEEDS, given: { Only: only } }, { ...asked, since: since ?? LAST_MONTH });
  const details = [
    ...(asksWhatIsOpen(said) ? ['those that wait for a person say so, and “what is waiting” lists them alone'] : []),
    ...(/\b(?:who|everyone|everybody|whom)\b/i.test(said) ? ['each says who asked and who decided'] : []),
    ...(isMoney && only === 'actions' ? ['what was charged is added up with it'] : []),
  ];
  // Charges are added up for the whole list.
  const { narrow, told } = isMoney
    ? { narrow: undefined, told: `; the list is not narrowed to ${actsIn(facts.rest)}` }
    : narrowing(listed, said, /^“(?:changes|requests)”$/.test(actsIn(facts.rest)) ? undefined : actsIn(facts.rest));
  return telling(listed, `${details.map((detail) => `; ${detail}`).join('')}${told}`, narrow);
}

const HELD =
  /\bon\s+(?:hold|pause|ice)\b|\b(?:waiting|pending|open|undecided|unanswered|outstanding)\b|\b(?:parked|suspended|paused|frozen|active|cancell?ed|inactive|blocked|assigned|disconnected|dead|off|down)\b|\bbelongs?\b/i;
const SINCE_WHEN =
  /\bsince\s+when\b|\b(?:for\s+)?how\s+long\b[^.;!?]*\b(?:been|already)\b|\bhow\s+long\s+(?:is|was)\b|\bsince\s*(?:\?|$)|\bwhen\s+(?:did|was|were|has|have)\b/i;
const WHY =
  /\bwhy\b[^.;!?]*\b(?:cancel\w*|park(?:ed)?|suspend(?:ed)?|on\s+hold|pause[d]?|disconnect\w*|deactivat\w*|terminat\w*|reactivat\w*|swapp?ed|moved|reassigned|unparked|frozen|lose|lost|gone)\b|\bwhy\s+(?:did|has|was)\b[^.;!?]*\b(?:swap|change|request|reactivation|activation|parking|hold|action|update|cancel\w*)\b[^.;!?]*\b(?:fail|declin|reject)\w*|\breasons?\b[^.;!?]*\b(?:cancel\w*|park\w*|suspen\w*|hold|pause)/i;

/** "When was the last SIM swap on 0101". */
const LAST_ACT =
  /\bwhen\b[^.;!?]*\b(?:last|latest|first|previous)\b[^.;!?]*\b(?:swap\w*|chang\w*|cancel\w*|park\w*|reactivat\w*|hold|limit|suspen\w*|activat\w*|touched)\b/i;
const TOUCHED =
  /\b(?:did|has|have|had)\s+(?:anything|something|anyone|someone|somebody|anybody|we)\s+(?:\p{L}+\s+)?(?:chang\w*|touch\w*|happen\w*|do|done|mess\w*|edit\w*|tweak\w*|say|said|approv\w*|declin\w*|reject\w*|confirm\w*)\b/iu;

const DECIDED = /\b(?:say|said|approv\w*|declin\w*|reject\w*|confirm\w*)\b/i;

/** Matches questions of what may be or is wanted. */
const WISHED =
  /\b(?:how|can|could|should|would|will|may)\s+(?:i|we|you|it|he|she|they)\b|\b(?:would|should|wants?|wanted|needs?|going\s+to|trying|tries|cannot|can['’]?t)\b/i;

/** Answers "Since when is 0105 on hold", "why was 0107 cancelled" with line events. */
function ofReason(asked: Asked, { events, finder }: Reader): GuidedAnswer | undefined {
  const { said, facts, clauses } = asked;
  const isWhen = (SINCE_WHEN.test(said) && HELD.test(said)) || LAST_ACT.test(said);
  const isOrder = clauses.some(({ words }) =>
    words.some(({ things }) => things.includes('portin') || things.includes('order')),
  );
  if ((!isWhen && !WHY.test(said) && !TOUCHED.test(said)) || isOrder || facts.mentions.length > 1) return undefined;
  if (WISHED.test(said)) return undefined;
  const name = facts.mentions.length === 0 ? nameIn(facts, clauses) : undefined;
  const lookup = finder.plainLookup({ ...facts, ...(name !== undefined && { digits: name }) }, clauses);
  if (lookup.operation === undefined) return undefined;
  const isTouched = !isWhen && !WHY.test(said);
  if (isTouched && /\bwho\b/i.test(said)) return undefined;
  const listed = events(isTouched && !DECIDED.test(said) ? undefined : DEEDS, {
    ...asked,
    since: asked.since ?? LAST_MONTH,
  });
  if (isTouched) return listed;
  const text = isWhen
    ? '; the day of the change there says since when. Its state now is on its card'
    : '; each says who asked for it, who decided, when, and the reason if one was given';
  const shown = telling(listed, text);
  return shown && { ...shown, nearest: [{ operation: lookup.operation, input: lookup.input }] };
}

const TEXTS_OUT =
  /\b(?:texts?|sms|mms|messages?)\b[^.;!?]*\b(?:(?:did|have|had)\s+(?:we|i)\s+(?:send|sent|text\w*|write|wrote)|(?:went|go|gone|going)\s+out|(?:were|was|got|get|been)\s+(?:sent|delivered)|we\s+sent|deliver\w*)\b|\bhow\s+many\s+(?:texts|sms|messages)\s+(?:sent|delivered)\b/i;
const TEXTS_IN =
  /\b(?:texts?|sms|mms|messages?)\b[^.;!?]*\b(?:(?:came|come|coming)\s+in|(?:did|have|had)\s+we\s+(?:get|got|receive[d]?)|(?:were|was)\s+received|arrived?)\b/i;

/** Matches a question of what became of a message: "did our text to 0102 go through". */
const ARRIVED =
  /\b(?:did|has|have|was|were|is)\b[^.;!?]*\b(?:texts?|sms|mms|messages?)\b[^.;!?]*\b(?:go(?:ne)?\s+(?:through|thru|thro|out)|went\s+(?:through|thru|out)|arrived?|deliver(?:ed)?|reach(?:ed)?|get\s+(?:there|through|thru|delivered)|got\s+(?:there|through|thru|delivered)|land(?:ed)?|bounced?|fail(?:ed)?|read)\b/i;

/** Answers "How many texts did we send today" with the events, which show the delivery. */
function ofTexts(asked: Asked, { events, byId }: Reader): GuidedAnswer | undefined {
  const { said, facts, since } = asked;
  const list = byId.get('message_search_get');
  if (list && asked.mayUse(list.id) && facts.mentions.length === 1 && ARRIVED.test(said) && !/\bwhy\b/i.test(said)) {
    const sent = events(undefined, { ...asked, since: since ?? LAST_MONTH });
    const told = '; a text that was not sent here is not in it, and may be in the messages of the number';
    const shown = telling(sent, told);
    return (
      shown && { ...shown, nearest: [{ operation: list.id, input: withMention(list, filled(list, facts), facts) }] }
    );
  }
  if (!LISTS.test(said) || FAILED.test(said) || facts.mentions.length > 1 || facts.ids.length > 0) return undefined;
  if (TEXTS_IN.test(said) && facts.mentions.length === 0) return events(MESSAGES, asked);
  if (!TEXTS_OUT.test(said) || /\b(?:why|not|cost\w*|what)\b|n['’]t\b/i.test(said)) return undefined;
  const listed = events(undefined, { ...asked, since: since ?? LAST_MONTH });
  return telling(listed, '; texts that were sent stand there with their delivery');
}

const WROTE =
  /\bwhat\s+(?:all\s+)?(?:did|has|have|does)\s+.+?\s+(?:(?:just|last|ever|already|even)\s+)*(?:been\s+(?:texting|writing|sending|saying|messaging)|text(?:ed)?|writ(?:e|ten)|wrote|sen[dt]|message[d]?|sms(?:ed)?|say|said|repl(?:y|ied)|answer(?:ed)?)\b/i;
const LAST_WROTE =
  /\b(?:last|latest|newest|recent|everything|anything|all|what)\b[^.;!?]*\b(?:wrote|texted|messaged|sent|said)\b(?!\s+to\s+(?!us\b|me\b))/i;
const TEXTS_OF = /\b(?:texts?|messages?|sms|replies|reply)\s+(?:from|by)\s+(?!us\b|me\b)\p{L}/iu;
const WROTE_BACK =
  /\b(?:did|has|have)\s+(?!we\b|i\b|you\b|they\b|he\b|she\b|anyone\b|anybody\b)[\p{L}'’ ]{2,30}?\s(?:ever\s+|already\s+)?(?:wr\w+|text(?:ed)?|repl\w+|answer\w*|respond\w*|message\w*)\s+(?:us|me|back|yet|in|(?:to\s+)?(?:our|my)\s+(?:last\s+|latest\s+|first\s+)?(?:texts?|sms|messages?))\b/iu;
/** "What came in from Ben" */
const CAME_FROM = /\b(?:what|anything|something)\s+(?:has\s+|have\s+|all\s+)?c[ao]me\s+in\s+from\s+\p{L}/iu;
const WE =
  /\b(?:did|has|have|does)\s+(?:we|i|you|they|he|she|anyone|somebody|someone)\b|\b(?:we|i|you)\s+(?:\p{L}+\s+)?(?:wrote|texted|messaged|sent|said)\b|\bwho\b/iu;

/** "What did Ava Stone text us": the messages of the person's line, or those that came in since a time. */
function ofWriter(asked: Asked, { events, finder, byId }: Reader): GuidedAnswer | undefined {
  const { said, facts, clauses, since } = asked;
  const tool = byId.get('message_search_get');
  const isAsked =
    ([WROTE, LAST_WROTE, WROTE_BACK].some((pattern) => pattern.test(said)) && !WE.test(said)) ||
    TEXTS_IN.test(said) ||
    CAME_FROM.test(said) ||
    (since !== undefined && LISTS.test(said) && TEXTS_OF.test(said));
  if (!tool || !isAsked || facts.mentions.length > 0) return undefined;
  const name = nameIn(facts, clauses);
  if (name === undefined) return undefined;
  const named = { ...asked, facts: { ...facts, digits: name }, clauses: [] };
  if (since) return events(MESSAGES, { ...named, since });
  const find = finder.findFor(tool, {}, named.facts, []);
  return (
    find && answer('lookup', { tool, input: {}, understood: `${tool.title}; find numbers by "${name}" first` }, find)
  );
}

const READS: readonly Read[] = [
  ofTrouble,
  ofWorking,
  ofWebhooks,
  ofWriter,
  ofTexts,
  ofReason,
  ofPorts,
  ofFailures,
  ofDone,
];
