import { MODE_WORDS } from '../../../../tools/surfaces/filter-words.ts';
import { FEATURES_SET, FILTER_FIELDS, FILTER_LISTS, TRAFFIC, type Traffic } from '../../../../tools/surfaces/guard.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import { isOffer, type Meant, type Reading } from '../answers/topics.ts';
import { setsFilter } from '../filters/filter-settings.ts';
import { ofKinds } from '../filters/kind-parts.ts';
import { othersAsked } from './filter-effects.ts';
import { partOfOffer } from './open-parts.ts';

/* Messages that go on with a filter or a list that the message before named: "add +1…", "and his texts too". */

const BEGINS = String.raw`^\W*(?:(?:and|also|plus|then|ok|please|pls|actually|no|sorry|rather|better|add|put)[\s,]+)*`;
const ADDS = new RegExp(
  String.raw`${BEGINS}(?:\p{L}+[\s,]+){0,4}?(?<number>\+?\(?\d[\d().\s-]{8,16}\d|(?<![\d-])\d{4})(?:[\s,]+(?:too|also|as\s+well|please|pls|there|to\s+(?:it|the\s+list)))*[\s.!]*$`,
  'iu',
);
const OTHER_KIND = new RegExp(
  String.raw`${BEGINS}(?:(?:the|his|her|their|all|from|for|same|with|block|its)\s+)*(?<kind>calls?|texts?|sms|messages?)(?:\s+(?:from\s+(?:him|her|them|it|there|(?:that|this|the\s+same)\s+(?:one|number|caller|person)))|[\s,]+(?:too|also|as\s+well|please|pls))*[\s.!?]*$`,
  'iu',
);
const ONLY = new RegExp(
  String.raw`${BEGINS}(?:only\s+allow|allow\s+only|only\s+let)\s+(?<numbers>[+\d(#…*][^a-z]*(?:(?:and|or)[^a-z]*)*)(?:\s*(?:through|in|call|text))?[\s.!]*$`,
  'iu',
);
const BLOCKS = new RegExp(
  String.raw`${BEGINS}(?:(?:make|have|let)\s+it\s+)?(?<rule>block\s+(?:unknown|international|foreign)\s+\p{L}+)(?:[\s,]+(?:too|also|as\s+well|please|pls))*[\s.!]*$`,
  'iu',
);

/** Continues the order or the question about a filter. Undefined for any other message. */
export function ofFilterBefore(text: string, last: string, reading: Reading): Meant | undefined {
  if (text.length > 100) return undefined;
  const guided = reading.of(last);
  const owner = ownerOf(guided);
  if (owner === undefined) return undefined;
  const another = isOffer(guided, reading) ? undefined : newOne(text, owner, guided);
  if (another !== undefined) return { text: another, kind: 'read' };
  const shown = questionAbout(text, owner, guided);
  if (shown !== undefined) return { text: shown, kind: 'read', isAside: true, open: last };
  const others = isOffer(guided, reading) ? othersAsked(text, guided) : undefined;
  if (others !== undefined) return { text, kind: 'unclear', isRead: true, note: `${others}. “${last}” is as it was` };
  const isMade = isOffer(guided, reading) && TRAFFIC.some(({ create }) => create === guided.operation);
  if (isMade && OF_WORDS.test(text) && !/\d{3}|\?/.test(text))
    return { text, kind: 'unclear', isRead: true, note: `${WORDS_LATER}. “${last}” is as it was` };
  const noLevel = OTHER_KIND.test(text) && LEVELS.has(String(guided.input.FilterMode));
  if (noLevel) return { text, kind: 'unclear', note: `${NO_LEVEL}. “${last}” is as it was` };
  const both = BOTH_KINDS.test(text) ? onBothLists(owner, guided) : undefined;
  if (both !== undefined) return { text: both, kind: isOffer(guided, reading) ? 'corrects' : 'again', before: last };
  const kinds = isOffer(guided, reading) ? ofKinds(text, last, owner, guided) : undefined;
  if (kinds !== undefined) return kinds;
  const full = ofMode(text, owner, guided) ?? withRule(text, last, owner, guided);
  if (full !== undefined) return { text: full, kind: isOffer(guided, reading) ? 'corrects' : 'again', before: last };
  const setting = ofSetting(text, owner, guided);
  // Values for a filter that is offered go into this offer, and make no second one.
  const part = setting === undefined ? undefined : partOfOffer(text, [last], reading);
  if (part?.kind === 'adds') return part;
  if (setting !== undefined) {
    const isInstead = isOffer(guided, reading) && replaces(reading.of(setting), guided);
    return { text: setting, kind: isInstead ? 'corrects' : 'again', before: last };
  }
  const added = onOtherList(text, last, owner, guided) ?? onList(text, last, owner, guided);
  return added === undefined ? undefined : { text: added, kind: 'again', before: last };
}

const OF_WORDS =
  /^\W*(?:(?:and|also|plus|ok|then|please|pls)\s+)*(?:with|add|flag|block|include)?\s*(?:the\s+)?(?:key\s?)?words?\s+\p{L}/iu;
const WORDS_LATER =
  'A new message filter gets its words when it is there: write “add the words … to the filter of NAME” after it was made';

const NEW_ONE = new RegExp(
  String.raw`${BEGINS}(?:(?:can|could|let['’]?s|you|u|we|i)\s+)*(?:create|make|set\s+up|add|need|want|give\s+(?:him|her|them)|start|new)?\s*(?:another|an?|new|one)(?:\s+(?:new|one))*(?:\s+(?:for|on|of)\s+(?:(?:his|her|their|the)\s+)?(?<kind>calls?|texts?|sms|messages?))?(?:[\s,]+(?:too|also|as\s+well|please|pls|then))*[\s.!]*$`,
  'iu',
);

/** "Add one for texts" after the filters of a customer were shown: a new filter for the same customer. */
function newOne(text: string, owner: string, guided: GuidedAnswer): string | undefined {
  const found = NEW_ONE.exec(text);
  const own = trafficOf(guided);
  if (!found || !own || TRAFFIC.every(({ list }) => list !== guided.operation)) return undefined;
  const kind = found.groups?.kind;
  if (kind === undefined && guided.also !== undefined) return undefined;
  const name = kind === undefined ? own.name : /^call/i.test(kind) ? 'calls' : 'messages';
  return `create a ${TRAFFIC.find((one) => one.name === name)?.noun} for ${owner}`;
}

const LEVELS = new Set(
  TRAFFIC.flatMap(({ name, levels }) => (name === 'messages' ? levels.slice(0, 3).map(([mode]) => mode) : [])),
);
const NO_LEVEL =
  'A call filter takes no level: it lets through only the numbers on its allow list, or all but those on its block list';

/** The kind of traffic of a filter that an answer is about. */
function trafficOf({ operation = '', also = [] }: GuidedAnswer): Traffic | undefined {
  const list = FILTER_LISTS[operation];
  const isOf = ({ name, list: read, create, update }: Traffic) =>
    list ? list.traffic === name : [read, create, update, DELETES[name]].includes(operation);
  return TRAFFIC.find((one) => (also.length > 0 ? one.name === 'messages' && TRAFFIC.some(isOf) : isOf(one)));
}

const DELETES = { calls: 'subscribers_call_filter_delete', messages: 'subscribers_message_filter_delete' } as const;

const ASKS_LISTS =
  /^\W*(?:(?:and|so|but|wait|hm+|ok|sorry|oh|no)[\s,]+)*(?:who(?:['’]?s)?|which|what|how\s+many)\s+(?:all\s+|else\s+|(?:numbers?|callers?|contacts?|people|senders?)\s+)?(?:is|are|s|get|gets|got)?\s*(?:(?:all|now|still|already|currently|then|blocked|banned|allowed|barred|at\s+the\s+moment)[\s?]*)+$|^\W*(?:(?:and|so|but|wait|hm+|ok|sorry|oh|no)[\s,]+)*(?:which|what|who(?:['’]?s)?|how\s+many|show|list)\b[^.;!]*\b(?:on|in)\s+(?:it|that|there|the\s+list|its?\s+lists?|the\s+filter)\b/iu;

const ASKS_STATE =
  /^\W*(?:(?:and|so|but|ok|wait)[\s,]+)*(?:is|are)\s+(?:it|that|they|the\s+filter(?:s|ing)?)\s+(?:(?:still|already|now|really)\s+)*(?:on|off|active|paused|working|in\s+force)\b[^.;!]*$/iu;

/** "Wait, which numbers were on it?" after an offer for a filter: the question about its lists. */
function questionAbout(text: string, owner: string, guided: GuidedAnswer): string | undefined {
  const traffic = trafficOf(guided);
  const asksState = ASKS_STATE.test(text);
  if (guided.operation === FEATURES_SET && asksState) return `is guardian filtering on for ${owner}`;
  return traffic && (ASKS_LISTS.test(text) || asksState) ? `show the ${traffic.noun} of ${owner}` : undefined;
}

/** "But no pics", "just pause it", "send them to dad, +1…": a setting of the filter that was spoken of. */
function ofSetting(text: string, owner: string, guided: GuidedAnswer): string | undefined {
  const traffic = trafficOf(guided);
  const others = phonesIn(text);
  // With another line or customer it is another order.
  const rest = others.length > 0 ? text.replace(/\+?\(?\d[\d().\s-]{8,16}\d/g, ' ') : text;
  if (
    !traffic ||
    /(?<![\d-])\d{4}(?![\d-])|\b(?:for|of|on)\s+(?!it\b|him\b|her\b|them\b|that\b|now\b|\p{L}+ing\b)\p{L}+/iu.test(rest)
  )
    return undefined;
  const whole = `the ${traffic.noun} of ${owner}`;
  const own = text.trim().replace(/[\s.!]+$/, '');
  const named = own.replace(FILTER_MEANT, whole);
  if (!setsFilter(named, others, isOfWords(guided))) return undefined;
  if (named !== own) return named;
  const noun = isOfWords(guided) && !/\bwords?\b/i.test(own) ? own.replace(VERB_OF_WORDS, '$& the word') : own;
  return `${noun} for ${whole}`;
}

/** True for a change that takes the place of the one before: of a filter that was to be deleted, or of the same setting. */
function replaces(next: GuidedAnswer, before: GuidedAnswer): boolean {
  const isDeleted = Object.values(DELETES).some((id) => id === before.operation);
  const settings = Object.keys(next.input).filter((name) => !WHOSE.has(name));
  return isDeleted || settings.some((name) => name in before.input);
}

const WHOSE: ReadonlySet<string> = new Set(['SubscriberId', 'Phone', 'FilterId']);

const FILTER_MEANT = /\b(?:(?:the|his|her|their|that|this)\s+filter|it)\b/iu;
const VERB_OF_WORDS =
  /\b(?:add|take|remove|delete|drop|replace|swap|change|and|also)\b(?!\s+(?:add|take|remove|delete|drop|replace|swap|change|the)\b)/iu;

/** True for an answer about the words that a filter flags. */
function isOfWords({ words, asksWords }: GuidedAnswer): boolean {
  return words !== undefined || asksWords === true;
}

function ownerOf({ operation = '', input, find }: GuidedAnswer): string | undefined {
  const [owner] = [input.SubscriberId, input.Phone, input[FILTER_FIELDS[operation] ?? ''], find?.input.Query].filter(
    (one) => typeof one === 'string',
  );
  return typeof owner === 'string' ? owner : undefined;
}

/** The message says itself what is done with the number: "and allow +1…". */
const OWN_DEED = /\b(?:un)?block\b|\ballow\b/i;

/** "Add aunt Carol, +1…" after a list was shown, and last digits that complete the number before. */
function onList(
  text: string,
  last: string,
  owner: string,
  { operation = '', input, also = [] }: GuidedAnswer,
): string | undefined {
  const list = FILTER_LISTS[operation];
  const shown = TRAFFIC.find((one) => one.list === operation);
  const given = ADDS.exec(text)?.groups?.number;
  if (given === undefined || (!shown && !list?.adds) || !/^\W*(?:and|also|plus|add|put)\b/i.test(text))
    return undefined;
  // "And 0104" may be another line; "and her husband 0167" is none.
  if (/^\d{4}$/.test(given) && !/\b(?:his|her|their|the)\s+\p{L}+/iu.test(text)) return undefined;
  const before = phonesIn(JSON.stringify(list ? input[list.entries] : ''));
  const [only, ...others] = before;
  const number = /^\d{4}$/.test(given)
    ? only && others.length === 0
      ? `${only.slice(0, -4)}${given}`
      : undefined
    : given;
  const isBlock = list ? list.list === 'blocked' : /\bblock/i.test(last);
  if (number === undefined || (shown && !isBlock && !/\ballow|\bmay\b|\bcan\b|white/i.test(last))) return undefined;
  const own = OWN_DEED.exec(text)?.[0].toLowerCase();
  const deed = own ?? (isBlock ? 'block' : 'allow');
  // A caller whose calls and texts were blocked is followed by one of both kinds.
  if (list && also.some(({ operation: other = '' }) => FILTER_LISTS[other]?.list === list.list))
    return `${deed} calls and texts from ${number.trim()} for ${owner}`;
  return order(deed, shown?.name ?? list?.traffic ?? 'calls', number, owner);
}

const BOTH_KINDS = new RegExp(
  String.raw`${BEGINS}(?:(?:block|stop|unblock|allow|for|of|make|it|do)\s+)*(?:both(?:\s+(?:of\s+them|kinds|calls\s+and\s+(?:texts|messages)))?|calls?\s+(?:and|&|\+)\s+(?:texts?|sms|messages?)|(?:texts?|sms|messages?)\s+(?:and|&|\+)\s+calls?)(?:[\s,]+(?:too|also|as\s+well|please|pls))*[\s.!]*$`,
  'iu',
);

/** "And his texts too" after a caller was blocked, or after a list that does not have them. */
function onOtherList(
  text: string,
  last: string,
  owner: string,
  { operation = '', input, asks = [] }: GuidedAnswer,
): string | undefined {
  const kind = OTHER_KIND.exec(text)?.groups?.kind;
  const list = FILTER_LISTS[operation];
  const shown = TRAFFIC.find((one) => one.list === operation);
  const [number, ...others] = list ? phonesIn(JSON.stringify(input[list.entries] ?? '')) : asks;
  if (kind === undefined || number === undefined || others.length > 0) return undefined;
  const traffic = /^call/i.test(kind) ? 'calls' : 'messages';
  if (traffic === (list?.traffic ?? shown?.name)) return undefined;
  if (!list) {
    const isOrder = /\b(?:stop|block)\b/i.test(last) && !/\?\s*$/.test(`${last}${text}`);
    return isOrder ? order('block', traffic, number, owner) : `is ${number} blocked for ${owner} for ${kind}`;
  }
  const deed = list.list === 'blocked' ? (list.adds ? 'block' : 'unblock') : list.adds ? 'allow' : undefined;
  return deed === undefined ? undefined : order(deed, traffic, number, owner);
}

/** The correction of a number for both lists, where the number before was offered for both of them. */
export function onBothOffers(meant: Meant, offered: readonly string[], reading: Reading): Meant {
  const { kind, text, before } = meant;
  if (kind !== 'corrects' || before === undefined) return meant;
  const [own, old] = [reading.of(text), reading.of(before)];
  const list = FILTER_LISTS[own.operation ?? ''];
  const owner = ownerOf(own);
  const full = list && owner !== undefined ? onBothLists(owner, own) : undefined;
  const callers = ({ operation = '', input }: GuidedAnswer) =>
    phonesIn(JSON.stringify(input[FILTER_LISTS[operation]?.entries ?? ''] ?? '')).join(' ');
  const isOther = (one: string) => {
    const other = reading.of(one);
    const of = FILTER_LISTS[other.operation ?? ''];
    const isSameList = of?.list === list?.list && of?.adds === list?.adds && of?.traffic !== list?.traffic;
    return isSameList && ownerOf(other) === ownerOf(old) && callers(other) === callers(old);
  };
  const sibling = offered.find((one) => one !== before && isOther(one));
  if (full === undefined || sibling === undefined || callers(own) === callers(old)) return meant;
  return { ...meant, text: full, also: [sibling] };
}

/** "Both", after a caller was put on one of the two lists. */
function onBothLists(owner: string, { operation = '', input, also = [] }: GuidedAnswer): string | undefined {
  const list = FILTER_LISTS[operation];
  const numbers = list ? phonesIn(JSON.stringify(input[list.entries] ?? '')) : [];
  const deed = list?.list === 'blocked' ? (list.adds ? 'block' : 'unblock') : list?.adds ? 'allow' : undefined;
  if (deed === undefined || numbers.length === 0 || also.length > 0) return undefined;
  return `${deed} calls and texts from ${numbers.join(' and ')} for ${owner}`;
}

function order(deed: string, traffic: Traffic['name'], number: string, owner: string): string {
  if (deed === 'allow') return `allow ${number.trim()} to ${traffic === 'calls' ? 'call' : 'text'} ${owner}`;
  return `${deed} ${traffic === 'calls' ? 'calls' : 'texts'} from ${number.trim()} for ${owner}`;
}

/** "Actually the strict one" after a level was set. */
function ofMode(text: string, owner: string, { operation, input }: GuidedAnswer): string | undefined {
  const traffic = TRAFFIC.find((one) => [one.list, one.create, one.update].includes(operation ?? ''));
  if (traffic?.name !== 'messages' || (operation !== traffic.list && input.FilterMode === undefined)) return undefined;
  const words = Object.values(MODE_WORDS.messages).join('|');
  const mode = new RegExp(
    String.raw`${BEGINS}(?:(?:make|set|it|him|her|them|to|the|an?|use|rather|instead|on|put)\s+)*(?<mode>${words})(?:\s+(?:one|level|mode|please|instead))*[\s.!]*$`,
    'iu',
  ).exec(text)?.groups?.mode;
  return mode === undefined ? undefined : `set the message filter of ${owner} to ${mode}`;
}

/** "Only allow 0101 and 0102", "make it block unknown callers as well" while a filter is made or changed. */
function withRule(text: string, last: string, owner: string, { operation }: GuidedAnswer): string | undefined {
  const traffic = TRAFFIC.find(({ create, update }) => operation === create || operation === update);
  if (!traffic) return undefined;
  const numbers = ONLY.exec(text)?.groups?.numbers;
  if (numbers !== undefined) return `make a ${traffic.noun} for ${owner} that allows only ${numbers.trim()}`;
  const rule = BLOCKS.exec(text)?.groups?.rule;
  return rule === undefined ? undefined : `${last.replace(/[\s.!]+$/, '')} and ${rule}`;
}
