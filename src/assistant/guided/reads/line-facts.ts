import type { LineFact } from '../../../language/line-facts.ts';
import { answer, type GuidedAnswer } from '../answers/answer.ts';
import { DEEDS, type Reader } from '../answers/readings.ts';
import { type Asked, asksToSee, beginsDeed, LAST_MONTH } from '../facts/stance.ts';
import { ofOtherSubject, otherSubject } from './asked-subject.ts';

/*
 * Questions of one line: its state, its holder, its routes, the rest of its data. The answer is
 * the line, and says these first.
 */

const BE = String.raw`\b(?:is|are|was|isn['’]?t|has|still|now|currently|both|if|whether|line|number|\d{4}|it)\b[^.;!?]*`;
/** "Is texting on", "does 0104 have calls enabled" */
const switched = (noun: string) =>
  new RegExp(
    String.raw`\b(?:is|are|has|have|does|do)\b[^.;!?]*\b(?:${noun})\b[^.;!?]*\b(?:on|off|enabled|disabled|switched|turned|allowed|active)\b(?!\s+(?:hold|pause|ice|the)\b)|${ableOf(noun)}`,
    'i',
  );
/** "Does 0106 do voice or just data", "is 0106 voice capable", "has Ben got data" */
function ableOf(noun: string): string {
  const one = '(?:voice|calls?|calling|texts?|texting|sms|messages?|messaging|data|internet)';
  const any = String.raw`(?:(?:just|only|both|and|or|any|mobile|phone|not|even|${one})[\s,/]+)*`;
  const ends = String.raw`(?=(?:[\s,/]+(?:just|only|both|and|or|also|too|at|all|capable|enabled|service|${one}))*\s*[?.!]*\s*$)`;
  return String.raw`\b(?:does|do|has|can|is)\b[^.;!?]*?\b(?:do|have|got|has|support|supports|include|includes|offer|handle)\s+${any}(?:${noun})\b${ends}|\b(?:is|are)\b[^.;!?]*?\s${any}(?:${noun})[\s-]+(?:capable|ready)\b`;
}
/** "How long do we have for 0108" */
const TIME_LEFT =
  /\bhow\s+(?:long|much\s+(?:more\s+)?time|many\s+(?:more\s+)?days)\s+(?:do|does|have|has|is|are)\s+(?:(?:we|she|he|they|i|it|there)\s+)?(?:still\s+)?(?:have|got|left)\b/i;
/** "What happens to 0108 on Sunday", "what will become of it": the line as it is, and until when it stays. */
const COMING =
  /^\W*(?:(?:so|and|ok|hi|hey)[\s,]+)*what(?:['’]?s|\s+(?:will|would|is))?\s+(?:(?:going\s+to|gonna|then)\s+)?(?:happens?|become)\s+(?:to|with|of)\s+(?:(?:the|her|his|their|line|number)\s+)*(?:\+?[#…*]*\d[\d\s().-]*\d|it|this|that)\b(?:\s+if\s+(?:we|i|she|he|they|nobody|no\s+one)\s+(?:do(?:es)?\s+nothing|(?:do(?:es)?\s*n['’]?t|do(?:es)?\s+not)\s+(?:do\s+anything|act|react)|waits?)\b)?/iu;
const NOTICE =
  /\bwatch\b|\b(?:let\s+(?:me|us)\s+know|notify|ping|alert|warn)\b[^.;!?]*\b(?:when|once|as\s+soon\s+as)\b/iu;
/** True for a request to be told of a change of the line. */
export function asksNotice(said: string): boolean {
  return NOTICE.test(said);
}
const WHICH_ACCOUNT = /\b(?:which|what)\s+account\b/i;
const FACTS: readonly (readonly [fact: LineFact, pattern: RegExp])[] = [
  ['until', TIME_LEFT],
  ['until', COMING],
  [
    'until',
    /\b(?:until|till|til|by)\s+when\b|\b(?:how\s+(?:many\s+(?:more\s+)?days|long|much\s+time)|when|what\s+(?:day|date))\b[^.;!?]*\b(?:delet\w+|gone|wiped?|erased?|released?|removed\s+for\s+good|reactivat\w*|bring|brought|back|sav(?:e|ed)|recover\w*|restor\w*|left|expir\w+|purged|lost|lose)\b|\btoo\s+late\b/i,
  ],
  [
    'parked',
    new RegExp(`${BE}\\b(?:on\\s+(?:hold|pause|ice)|parked|suspended|paused|frozen)\\b|\\bhold\\s+on\\b`, 'i'),
  ],
  [
    'cancelled',
    new RegExp(`${BE}\\b(?:cancell?ed|disconnected|deactivated|terminated|gone|deleted|dead\\s+for\\s+good)\\b`, 'i'),
  ],
  [
    'active',
    new RegExp(`${BE}\\b(?:active|live|alive|online|in\\s+service)\\b|\\b(?:reactivation|activation)\\b`, 'i'),
  ],
  ['state', /\b(?:status|state)\b/i],
  ['email', /\be-?mail(?:\s+address)?\b/i],
  ['holder', /\bwho(?:['’]?s|se)?\b|\b(?:holder|owner|belongs?|customer\s+of|name\s+of)\b/i],
  ['account', /\b(?:which|what)\s+account\b|\baccount\s+(?:of|is|has)\b/i],
  ['calls', /\bwhere\b[^.;!?]*\bcalls?\b|\b(?:voice|call)\s+(?:route|trunk)\b|\b(?:which|what)\s+trunk\b/i],
  ['texts', /\bwhere\b[^.;!?]*\b(?:texts?|sms|messages?)\b|\b(?:message|sms|text)\s+route\b/i],
  ['plan', /\b(?:plan|package|bundle|tariff)\b/i],
  ['used', /\b(?:usage|used|burned)\b/i],
  [
    'left',
    /\b(?:left|remain\w*|remaining)\b|\bhow\s+(?:much|many)\b[^.;!?]*\b(?:until|till|til|before)\b[^.;!?]*\b(?:limit|cap)\b/i,
  ],
  [
    'near limit',
    /\b(?:near(?:ing|ly)?|close\s+to|almost|about\s+to\s+(?:hit|reach)|at|over|past|under|reached?|hit)\b[^.;!?]*\b(?:limit|cap|allowance|quota)\b/i,
  ],
  ['limit', /\b(?:limit|cap|allowance)\b/i],
  ['texts on', switched('texts?|texting|sms|messages?|messaging')],
  ['calls on', switched('calls?|calling|voice')],
  ['data on', switched('data|internet')],
  [
    'bought',
    /\b(?:when|what\s+(?:day|date)|how\s+old)\b[^.;!?]*\b(?:activated|bought|purchased|provisioned|opened)\b|\b(?:when\s+did|how\s+long\s+have|since\s+when\s+do)\s+we\s+(?:get|buy|order|have|had|add)\b(?![^.;!?]*\bback\b)/i,
  ],
  [
    'waiting',
    /^(?!\W*who\b).*\b(?:any\s?one|any\s?body|some\s?one|some\s?body|any\s+(?:open|pending)\s+requests?|a\s+request|has\s+it|colleague)\b[^.;!?]*\b(?:asked|ask|requested|request|submitted|waiting|pending|planned|scheduled)\b/i,
  ],
  [
    'swaps',
    /\bswaps\b|^\W*(?:when|can|may)\b[^.;!?]*\d{4}\s+(?:be\s+)?swap(?:ped)?\s+(?:again|already|yet|next)\b|\bnext\s+sim\s+swap\b/i,
  ],
  [
    'sim kind',
    /\b(?:e-?sim|plastic|physical)\b[^.;!?]*\bor\b[^.;!?]*\b(?:e-?sim|plastic|physical|normal|real)\b|^\W*(?:is|does)\b[^.;!?]*\b(?:e-?sim|plastic|physical\s+(?:sim|card))\b/i,
  ],
  [
    'kind',
    /\b(?:voip|mvno|iot|mobile)\b[^.;!?]*\bor\b|\b(?:what|which)\s+(?:kind|type|sort|product)\b|^\W*is\b[^.;!?]*\b(?:voip|mvno|iot|mobile\s+(?:line|number|one))\b/i,
  ],
  ['sim', /\b(?:iccid|serials?|sim\s+(?:card\s+)?(?:number|serial|id))\b|\b(?:which|what)\s+sim\b|\band\s+sim\b/i],
];
/** Facts whose question alone is answered by the line. */
const ALONE: ReadonlySet<LineFact> = new Set([
  'until',
  'parked',
  'cancelled',
  'active',
  'email',
  'calls',
  'texts',
  'account',
  'sim',
  'sim kind',
  'kind',
  'swaps',
  'holder',
  'near limit',
  'texts on',
  'calls on',
  'data on',
  'bought',
  'waiting',
]);
/** "How many GB are left". */
const OF_DATA = /\b(?:data|gb|mb|gigs?|megs?|megabytes?|gigabytes?|internet)\b/i;
/** "How much is left on 0101", "how much has she got left": nothing of a line is counted so but its data. */
const HOW_MUCH_LEFT =
  /\bhow\s+much\s+(?:(?:is|does|do|has|have|did)\b|(?:she|he|they)\b)[^.,;!?]*\bleft\b(?!\s+(?:to\s+pay|on\s+the\s+account))/iu;
const ASKS =
  /^\W*(?:(?:hi|hey|hello|so|and|ok|please|pls|quick|question|can|could|you|u|tell|show|give|me|us|check|see|if|whether|number|line|[#…*]*\d{4})[\s,:.–—-]+)*(?:is|are|was|isn['’]?t|has|what(?:['’]?s)?|whats|which|who(?:['’]?s)?|whose|where(?:['’]?s)?|when|how|does|do|did|can|until|till|it|the|their|her|his|they)\b|\?/iu;
const CAUSES =
  /\b(?:why|how\s+(?:do|does|can|to)|should|would|could\s+you|change|chang\w+|set|raise|lower|move|swap(?!s)|put|take|texted|texting|wrote|blocked?|filters?|ports?|port[\s-]?in|port[\s-]?out|porting|happen\w*|yesterday|guard(?:ian)?|approv\w*|when\s+(?:was|were|did|has)|who\s+(?:\p{L}+ed|did|can|could|should|may|must|needs?|else|just|to|wants?)|gets|becomes|goes|cant|cannot|dont|doesnt|not\s+work\w*|lines|numbers|customers|if\s+not|otherwise|yet\s+\p{L}|how\s+long\s+(?:has|have|is|was)|by\s+(?!when\b)\p{L}+|(?:cancel|park|activate|reactivate|suspend|pause|restore)\s+(?:it|her|him|them|that)|webhooks?|hooks?|https?|if\s+(?:we|i)|per|over)\b/iu;

/** "The police want the serial number of 0103" */
const WANTS =
  /\b(?:wants?|needs?|asks?\s+for|asked\s+for|looking\s+for)\s+(?:to\s+(?:know|see|have)\s+)?(?:the|her|his|their|its|[\p{L}]+['’]s)\s+(?:\p{L}+\s+)?(?:serial|iccid|e-?mail|status|state|holder|owner)\b/iu;

const WHEN_BOUGHT = /\b(?:since\s+)?when\s+(?:was|were|did|do|has)\b|\bhow\s+long\s+have\b/i;

const HOLDS =
  /^\W*(?:who(?:['’]?s)?\s+(?:is\s+)?(?:on|has|owns?|uses?|holds?|behind)\b|whose\b|whos\s+(?:line|number)\b|who\s+does\b[^.;!?]*\bbelong|[^.;!?]*\b(?:holder|owner)\b)/i;

/** The facts that a sentence asks for, in its order. */
function factsIn(said: string): LineFact[] {
  const all = FACTS.flatMap(([fact, pattern]) => {
    const at = pattern.exec(said)?.index;
    return at === undefined ? [] : [{ fact, at }];
  });
  const found = all.filter(({ fact }, at) => all.findIndex((one) => one.fact === fact) === at);
  const facts = found.sort((one, other) => one.at - other.at).map(({ fact }) => fact);
  if (facts.includes('near limit'))
    return facts.filter((fact) => fact !== 'limit' && fact !== 'left' && fact !== 'used');
  // A question for the requester of a cancellation does not ask whether the line is cancelled.
  if (facts.includes('waiting')) return ['waiting'];
  // "How many swaps are left" and "how many days left" ask for no data.
  if (facts.includes('swaps') && !OF_DATA.test(said)) return facts.filter((fact) => fact !== 'left' && fact !== 'sim');
  return facts.includes('until') ? facts.filter((fact) => fact !== 'left' && fact !== 'cancelled') : facts;
}

const UNTIL_WHEN = new RegExp(
  String.raw`\b(?:until|till|til|by)\s+when\b|\bwhen\s+(?:does|do|will|is|are)\b[^.;!?]*\b(?:delet\w+|gone|wiped?|erased?|released?|purged|lost|lose)\b|${TIME_LEFT.source}(?!.*\bback\b)`,
  'i',
);

/** The plain lookup of the only line with what is asked of it. Undefined for any other sentence. */
export function ofLineFacts(asked: Asked, { finder, events, byId }: Reader): GuidedAnswer | undefined {
  const { facts, said, clauses } = asked;
  if (facts.message !== undefined || facts.ids.length > 0 || facts.volumes.length > 0 || facts.mentions.length > 1)
    return undefined;
  const asks = factsIn(said);
  const [first, ...others] = asks;
  // The day on which a line was bought is in its record, and no event.
  const plain = said
    .replace(COMING, 'what is it')
    .replace(
      first === 'bought'
        ? WHEN_BOUGHT
        : first === 'texts on'
          ? /\btexting\b/i
          : first === 'swaps'
            ? /\bswap(?:ped)?\b/i
            : '',
      'when ',
    );
  const isAsked = ASKS.test(said) || WANTS.test(said) || WHICH_ACCOUNT.test(said) || clauses.some(asksToSee);
  if (first === undefined || !isAsked || CAUSES.test(plain)) return undefined;
  // "Watch 0108 and tell me when it is gone" asks for a notice.
  if (clauses.some(beginsDeed) || asksNotice(said)) return undefined;
  const lookup = finder.plainLookup(facts, clauses, first === 'account');
  if (lookup.kind !== 'lookup' || lookup.isList || !/^numbers_(?:find|lookup)$/.test(lookup.operation ?? ''))
    return undefined;
  // Several kinds of what is asked are one answer; one alone has its own read, if there is one.
  const isData = asks.includes('left') && (OF_DATA.test(said) || HOW_MUCH_LEFT.test(said));
  if (others.length === 0 && !ALONE.has(first) && !isData) return undefined;
  if (others.length === 0 && first === 'holder' && (facts.mentions.length === 0 || !HOLDS.test(said))) return undefined;
  if (others.length === 0 && first === 'until' && !UNTIL_WHEN.test(said) && !COMING.test(said)) return undefined;
  const thing = otherSubject(said, asks, String(Object.values(lookup.input)[0] ?? ''));
  if (thing !== undefined) return ofOtherSubject(lookup, thing, asks);
  if (first === 'near limit' && facts.mentions.length === 0) return undefined;
  const since = /\bsince\s+when\b|\bsince\s*\??$|\bhow\s+long\s+(?:already|been)\b/i.test(said)
    ? events(DEEDS, { ...asked, since: asked.since ?? LAST_MONTH })
    : undefined;
  // The record says who the holder is, also where nothing of it was done here.
  const isRecord = first === 'holder' || /^\W*(?:is|are)\b/i.test(said);
  if (since && others.length === 0 && !isRecord) return undefined;
  const told = since === undefined ? '' : ' Since when is in its history, if it was done here.';
  const mailed = first === 'email' && others.length === 0 ? mailOf(lookup, asked, byId) : undefined;
  if (mailed) return mailed;
  // The rows of a customer's lines say what each has used.
  const withData = isData && lookup.operation === 'numbers_find' && { input: { ...lookup.input, Data: true } };
  return {
    ...lookup,
    ...withData,
    understood: `${lookup.understood}${told}`,
    facts: asks,
    ...(first === 'waiting' && { isInstead: true as const }),
    ...(since?.operation !== undefined && { nearest: [{ operation: since.operation, input: since.input }] }),
  };
}

/** The customer by name, for a question of the address of e-mail: the rows of several lines do not have it. */
function mailOf(lookup: GuidedAnswer, { facts, mayUse }: Asked, byId: Reader['byId']): GuidedAnswer | undefined {
  const tool = byId.get('subscribers_get');
  const name = lookup.input.Query;
  if (!tool || !mayUse(tool.id) || facts.mentions.length > 0 || typeof name !== 'string' || /\d/.test(name))
    return undefined;
  const values = [{ name: 'Email', label: 'Email' }];
  return {
    ...answer('lookup', { tool, input: { SubscriberId: name }, understood: `${tool.title} of “${name}”` }),
    values,
  };
}
