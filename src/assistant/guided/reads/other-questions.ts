import { GUARD_READS } from '../../../../tools/surfaces/guard.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { wordsOf } from '../../../language/sentence.ts';
import type { Fields } from '../../../lib/json.ts';
import { answer, type GuidedAnswer, help, understood } from '../answers/answer.ts';
import { filled } from '../answers/fill.ts';
import { nameIn } from '../answers/finder.ts';
import { DEEDS, type Reader } from '../answers/readings.ts';
import { accountNamed } from '../facts/accounts.ts';
import { type Asked, LAST_MONTH } from '../facts/stance.ts';
import { ofPlainQuestion } from './plain-questions.ts';
import { ofPlatformFacts } from './platform-facts.ts';
import { ofRoles } from './roles.ts';

/* Questions about webhooks, guardian filtering, watches, customers by place, and whether a change went through. */

type Read = (asked: Asked, reader: Reader) => GuidedAnswer | undefined;

/** The answer to such a question. Undefined for any other sentence. */
export function ofOtherQuestions(asked: Asked, reader: Reader): GuidedAnswer | undefined {
  if (asked.facts.message !== undefined) return undefined;
  for (const read of [
    ofPlatformFacts,
    ofDuty,
    ofHooks,
    ofCustomers,
    ofBillTo,
    ofAccount,
    ofRoles,
    ofGuardian,
    ofAlert,
    ofWent,
    ofPlainQuestion,
  ]) {
    const found = read(asked, reader);
    if (found) return found;
  }
  return undefined;
}

const isOfLine = ({ mentions, ids }: Asked['facts']) => mentions.length + ids.length > 0;

function allowed({ mayUse }: Asked, { byId }: Reader, id: string): Tool | undefined {
  const tool = byId.get(id);
  return tool && mayUse(tool.id) ? tool : undefined;
}

function shown(tool: Tool, input: Fields, text: string): GuidedAnswer {
  return answer('lookup', { tool, input, understood: text });
}

const DUTY =
  /\bwho(?:['’]?s|\s+is|\s+are|\s+was)?\s+(?:the\s+)?(?:(?:currently|now)\s+)?(?:on[\s-]call(?!s)|on\s+(?:duty|shift|rota)|working)\b(?!\s+(?:with|from|to|for|on)\s+[#…*+]*\d)|\b(?:on[\s-]call|duty)\s+(?:rota|roster|schedule|person|engineer)\b/iu;

/** "Who's on call today". */
const ofDuty: Read = ({ said, facts }) =>
  DUTY.test(said) && !isOfLine(facts)
    ? help(
        'Who is on call is not known here: Switchboard keeps no rota. What waits for a person is listed with “what is waiting for me”',
      )
    : undefined;

const HOOK_THERE =
  /^\W*(?:(?:hi|hey|so|and|ok|quick|question|check|if|whether|tell|me)[\s,:]+)*(?:(?:is|are)\s+there|do\s+we\s+have|have\s+we\s+got|any|got|is|are)\b[^.;!?]*\bweb\s?hooks?\b(?![^.;!?]*\b(?:fail\w*|deliver\w*|miss(?:ed|ing)|retr\w+|re-?sen\w+|errors?|since|yesterday|today|overnight|last|this)\b)/iu;
const HOOK_ADDRESS =
  /\b(?:which|what)\s+(?:url|address|endpoint|server|web\s?hook|hook)s?\b[^.;!?]*\b(?:gets?|receives?|handles?|is|are|do|does|for|takes?)\b[^.;!?]*\b(?:sms|texts?|messages?|calls?|events?|ports?|orders?|receipts?)\b|\bwhere\s+(?:do|does)\s+(?:our\s+|the\s+|inbound\s+|incoming\s+)*(?:events|web\s?hooks?)\s+go\b/iu;
const HOOKS_OK = /\b(?:ok|okay|fine|healthy|alive|up|down|dead|broken|silent|stuck|working|good|reachable)\b/i;

/** Words for what is sent to webhooks, and to no route. */
const OF_EVENTS = /\b(?:web\s?hooks?|hooks?|events?|ports?|port-?ins?|orders?|receipts?)\b/iu;
const ROUTED: readonly (readonly [what: RegExp, list: string])[] = [
  [/\b(?:sms|texts?|messages?)\b/iu, 'account_message_routes_get'],
  [/\bcalls?\b/iu, 'account_voice_routes_get'],
];

/** "Is there a webhook for ports", "which url gets inbound sms". */
const ofHooks: Read = (asked, reader) => {
  const { said, facts } = asked;
  const tool = allowed(asked, reader, 'account_webhooks_get');
  if (!tool || isOfLine(facts) || facts.url !== undefined || !(HOOK_THERE.test(said) || HOOK_ADDRESS.test(said)))
    return undefined;
  const route = HOOK_THERE.test(said) || OF_EVENTS.test(said) ? undefined : ROUTED.find(([what]) => what.test(said));
  const routes = route && allowed(asked, reader, route[1]);
  if (routes) {
    const own = shown(
      routes,
      {},
      `${routes.title}: each has the address to which they are delivered. A webhook gets an event beside it`,
    );
    return { ...own, nearest: [{ operation: tool.id, input: {} }] };
  }
  const health = HOOKS_OK.test(said) ? '. Whether a delivery failed is not known here: only what arrived is' : '';
  return shown(tool, {}, `${tool.title}: each has its address and what it gets${health}`);
};

const LISTS_CUSTOMERS =
  /^\W*(?:(?:hi|hey|please|pls|can|could|you|i|we|need|want|to|just)[\s,]+)*(?:list|show|find|get|give|which|what|who|search|see)\b[^.;!?]*\b(?:customers|subscribers|clients|people)\b/iu;
const IN_PLACE =
  /\b(?:customers|subscribers|clients|people)\s+(?:(?:that|who|we|have|are|live|living|based|located)\s+)*(?:in|from|near|around)\s+(?<place>(?!(?:area|zip|account|the\s+(?:last|past|account)|last|this|total|all|january|february|march|april|may|june|july|august|september|october|november|december|\d)\b)\p{L}[\p{L}.'’-]+(?:\s+\p{L}[\p{L}.'’-]+)?)\s*[.?!]*$/iu;
const WITH_LAST =
  /\b(?:customers|subscribers|clients)\b[^.;!?]*\bwith\s+(?:their|the)\s+(?<what>(?:last|latest|recent)\s+(?:calls?|texts?|messages?|sms|activity|login)|address(?:es)?|birthdays?|balances?|bills?|invoices?)/iu;

/** "Find customers in Texas", "list all customers with their last call": the list, and what it does not have. */
const ofCustomers: Read = (asked, reader) => {
  const { said, facts } = asked;
  const tool = allowed(asked, reader, 'distributor_subscribers_get');
  if (!tool || isOfLine(facts) || !LISTS_CUSTOMERS.test(said)) return undefined;
  const what = WITH_LAST.exec(said)?.groups?.what;
  if (what !== undefined)
    return shown(
      tool,
      {},
      `${tool.title}, without “${what}”: no list has it. Calls and texts of one line are listed with “calls of NUMBER” and “texts of NUMBER”`,
    );
  const place = IN_PLACE.exec(said)?.groups?.place;
  if (place === undefined) return undefined;
  const find = allowed(asked, reader, 'numbers_find');
  return {
    ...shown(
      tool,
      {},
      `${tool.title}, not narrowed to “${place}”: where a customer lives is not kept here. Numbers are found by area code`,
    ),
    ...(find && { nearest: [{ operation: find.id, input: { Query: place } }] }),
  };
};

const ORDERS =
  /^\W*(?:(?:please|pls|can|could|you|we|i|need|want|to|and|so|hey|hi)[\s,]+)*(?:change|update|set|rename|create|open|add|make|new|correct|fix|delete|remove|close)\b/iu;

const ACCOUNT =
  /^\W*(?:(?:hi|hey|please|pls|can|could|you|u|i|we|need|want|to|show|see|open|look\s+up|get|give|me|us|what(?:['’]?s)?|whats|is|the|status|state|details?|info|record|of|about|billing|mailing|address)[\s,]+)*(?<name>\p{L}[\p{L}\d&'’.-]*(?:\s+\p{L}[\p{L}\d&'’.-]*){0,2}?)\s+account(?:\s+(?:please|pls|details?|status|record|info))*[\s.?!]*$/iu;

/** "The account id of Acme", "billing address of Globex?", "status of the initech account": the record of the account. */
const ofAccount: Read = (asked, reader) => {
  const { said, facts } = asked;
  const tool = allowed(asked, reader, 'account_get');
  if (!tool || ORDERS.test(said) || isOfLine(facts)) return undefined;
  if (facts.details.postal !== undefined || facts.message !== undefined) return undefined;
  const other = ACCOUNT.exec(said)?.groups?.name;
  const isName = other !== undefined && wordsOf(other).every(({ isUnknown }) => isUnknown);
  const name = accountNamed(said) ?? (isName ? other : undefined);
  if (name === undefined) return undefined;
  return answer('lookup', { tool, input: { AccountId: name }, understood: `${tool.title} of “${name}”` });
};

const BILL_TO =
  /\b(?:who(?:m)?\s+(?:gets?|receives?|is\s+(?:sent|getting)|do\s+we\s+(?:send|mail|address)|(?:opens|handles))|where\s+(?:do|does|are|is))\b[^.;!?]*\b(?:bills?|invoices?|billing\s+(?:notices?|mails?|e-?mails?))\b/iu;
const OF_WHOM =
  /\b(?:for|of|at)\s+(?:the\s+)?(?<name>\p{L}[\p{L}&'’-]+(?:\s+\p{Lu}[\p{L}&'’-]+)?)|(?<owner>\p{L}[\p{L}&-]+)['’]s\s+(?:bills?|invoices?|billing)/iu;

/** "Who gets the invoices for Globex": the record of an account has the address of its admin. */
const ofBillTo: Read = (asked, reader) => {
  const { said, facts } = asked;
  const tool = allowed(asked, reader, 'account_get');
  const { name = '', owner: of = name } =
    said.length < 300 && BILL_TO.test(said) ? (OF_WHOM.exec(said)?.groups ?? {}) : {};
  const words = wordsOf(of);
  const end = words.findIndex(({ isUnknown }) => !isUnknown);
  const owner = of
    .split(/\s+/u)
    .slice(0, end < 0 ? undefined : end)
    .join(' ');
  if (!tool || isOfLine(facts) || owner === '') return undefined;
  const text = `${tool.title} of “${owner}”: its admin gets the notices about billing, and its billing address stands beside. The platform has no invoices`;
  return shown(tool, { AccountId: owner }, text);
};

const GUARDIAN = String.raw`\bguard(?:ian)?(?:\s+filter\w*|\s+mode)?\b[^.;!?]*\b(?:on|off|enabled|disabled|active|set|running|up)\b`;
/** "Are there filters on 0101" asks for its lists. */
const FILTERING = String.raw`\b(?:filter|filters|filtering|protection)\b[^.;!?]*\b(?:on|off|enabled|disabled|active)\b(?=\s*(?:$|[,.;?!]|(?:for|at|now|right|still|or)\b))`;
const IS_GUARDED = new RegExp(
  String.raw`^\W*(?:(?:hi|hey|so|and|ok|check|see|if|whether|tell|me)[\s,:]+)*(?:is|are|does|do|has|how(?:['’]?s|\s+is))\b[^.;!?]*?(?:${GUARDIAN}|${FILTERING})`,
  'iu',
);

/** "Is guardian on for 0101": the settings of its customer, who may have other lines. */
const ofGuardian: Read = (asked, { byId }) => {
  const { said, facts, clauses, mayUse } = asked;
  const tool = byId.get(GUARD_READS.features);
  const name = nameIn(facts, clauses)?.replace(/\s+(?:set|configured|doing|now)$/iu, '');
  const owner = facts.mentions[0]?.text ?? facts.ids[0] ?? name;
  if (!tool || !mayUse(tool.id) || !IS_GUARDED.test(said) || facts.mentions.length > 1) return undefined;
  if (owner === undefined) return undefined;
  return shown(tool, { SubscriberId: owner }, `${tool.title} of “${owner}”`);
};

const ALERT =
  /^\W*(?:(?:please|pls|can|could|you|hey|hi|ok|and)[\s,]+)*(?:alert|notify|tell|ping|warn|inform|let)\s+(?:me|us)\b[^.;!?]*\b(?:if|when|once|whenever|as\s+soon\s+as)\b[^.;!?]*\b(?:chang\w+\s+(?:(?:its|the|her|his)\s+)?(?:state|status)|(?:state|status)\s+(?:of\b[^.;!?]*)?chang\w+|(?:(?<!\bif\b[^.;!?]*)is|gets?|goes|becomes?|comes?)\s+(?:parked|suspended|cancell?ed|active|disconnected|off|down|inactive|back|on\s+hold))\b/iu;

/** "Alert me if 0105 changes state": the watch is offered. */
const ofAlert: Read = (asked, { byId, finder }) => {
  const { said, facts, clauses, mayUse } = asked;
  const tool = byId.get('numbers_watch');
  if (!tool || !mayUse(tool.id) || facts.mentions.length !== 1 || !ALERT.test(said)) return undefined;
  if (/\b(?:port\w*|order|text|call)\b/i.test(said)) return undefined;
  const input = filled(tool, facts);
  const find = facts.numbers.length > 0 ? undefined : finder.findFor(tool, input, facts, clauses);
  const remarks = '; it tells of a change of state, and of data that crosses a limit';
  return {
    ...answer('form', { tool, input, understood: `${understood(tool, input, find)}${remarks}` }, find),
    remarks,
  };
};

const WENT =
  /^\W*(?:(?:hi|hey|so|and|ok|check|see|if|whether|tell|me)[\s,:]+)*(?:did|has|have|is|was)\b[^.;!?]*\b(?:swap|change|limit|cancell?ation|re-?activation|activation|assignment|update|move|request)\b[^.;!?]*\b(?:go(?:ne)?\s+(?:through|thru|thro)|work(?:ed)?|done|finish(?:ed)?|complete[d]?|succe\w+|happen(?:ed)?|take(?:n)?\s+effect|ok|okay|fine)\b/iu;

/** "Did the SIM swap of 0103 go through": the changes of the line, with their outcomes. */
const ofWent: Read = (asked, { events, finder }) => {
  const { said, facts, clauses } = asked;
  const isNamed = facts.mentions.length === 1 || (facts.mentions.length === 0 && nameIn(facts, clauses) !== undefined);
  if (!WENT.test(said) || !isNamed || /\b(?:port\w*|order|texts?|messages?|why)\b/i.test(said)) return undefined;
  const listed = events(DEEDS, { ...asked, since: asked.since ?? LAST_MONTH });
  const line = finder.plainLookup(facts, clauses);
  if (!listed || line.operation === undefined) return listed;
  const told = `${listed.understood.replace(/\.$/, '')}; each says what became of it. Its state now is on its card.`;
  return { ...listed, understood: told, nearest: [{ operation: line.operation, input: line.input }] };
};
