import {
  DIRECTION_WORDS,
  LEVEL_STEPS,
  LIST_MODES,
  MODE_WORDS,
  RULE_WORDS,
  SURE_LEVELS,
} from '../../../../tools/surfaces/filter-words.ts';
import { BLOCKS_LISTED, ONLY_LISTED, TRAFFIC, type Traffic } from '../../../../tools/surfaces/guard.ts';
import { defined, type Fields } from '../../../lib/json.ts';
import { answer, type GuidedAnswer, help, remarksOn, understood } from '../answers/answer.ts';
import { type FilterOwner, filterOwner } from '../answers/filter-owners.ts';
import type { Reader } from '../answers/readings.ts';
import { isDoubtful } from '../facts/doubt.ts';
import type { Facts } from '../facts/facts.ts';
import { type Asked, type Clause, isPolite, isQuestion } from '../facts/stance.ts';
import { unmarked } from '../facts/times.ts';
import { quotedWordsIn, type WordChange, wordsIn, wordsText } from '../wordings/filter-keywords.ts';
import { isToldWhenStopped, noticesIn, noticeWithoutNumber } from './filter-notices.ts';
import { type StateChange, stateIn } from './filter-states.ts';

/* Orders that set a mode or a rule of a filter: "set Ben's message filter to strict", "block links in her messages". */

const CALLS = /\b(?:call|caller|ring|phone|dial)(?:s|ed|ing|ers)?\b/i;
const TEXTS = /\b(?:text|sms|message|msg|texting|messaging|contact|sender)s?\b/i;
const FILTER = /\b(?:filter\w*|guardian|protection|levels?|modes?)\b/i;
/** An order for a new filter. */
export const CREATES = /\b(?:create|make|add|set\s*up|new|start)\b[^.;!?]*?\bfilters?\b/i;
/** Before a value. */
const TO = String.raw`\b(?:to|at|on|as|into|with|use|using|mode|level)\s+(?:(?:the|an?|level|mode|age|one|for|small|little|young|younger)\s+)*`;
const ONLY_ON_LIST =
  /\bonly\s+(?:the\s+)?(?:(?:people|persons?|numbers?|callers?|contacts?|senders?|those|ones|everyone)\s+)?(?:(?:who|that|which)\s+(?:is|are)\s+)?(?:on|in)\s+(?:the|his|her|their|that)\s+(?:\p{L}+\s+)?list\b|\bonly\s+(?:(?:the|his|her|their)\s+)*(?:allowed|approved|listed|whitelisted)\s+(?:people|numbers?|callers?|contacts?|senders?|ones)\b/iu;
const WATCHED =
  /\b(?:watch|monitor|observe|report)\b[^.;!?]*\b(?:not|never|dont|without|no)\b[^.;!?]*\b(?:block|stop|filter)\w*|\bonly\s+(?:watch|monitor|observe|report)\b|\b(?:watch|monitor|observe|report)\w*[\s-]+only\b/i;
const RECORDS = /\brecord(?:s|ed|ing)?\b/i;
/** "Don't set ben's filter to strict" */
const NOT_SET =
  /\b(?:do\s+not|dont|don['’]t|never|not)\s+(?:to\s+)?(?:set|put|change|make|switch|turn|move|record|create|use)\b|^\W*(?:please\s+)?(?:explain|describe)\b|\b(?:vs|versus|compared?|difference)\b/i;

/** "List all lines with a filter on" asks for a list, and switches nothing. */
const ASKS_LIST =
  /^\W*(?:(?:hi|hey|ok|so|and|please|pls|can|could|you|u|i|we|need|want|get|give|me|us|an?|the|to|see)[\s,]+)*(?:list|overview|show|which|how\s+many|count|who)\b/iu;

/** Longer texts tell a story, and order more than a setting. */
const MAX_LENGTH = 400;

/** The notices of a member of a workgroup are none of a filter. */
const OF_GROUP = /^(?!.*\bfilters?\b).*\b(?:work\s?groups?|ring\s+groups?|on[\s-]?call\s+(?:number|phone))\b/isu;

/** The answer to an order that sets modes or rules of a filter. Undefined for other sentences. */
export function ofFilterSettings(asked: Asked, { byId }: Reader): GuidedAnswer | undefined {
  const { facts, clauses, isBack } = asked;
  const text = unmarked(facts.rest).replace(/\s+/g, ' ').trim();
  const quoted = isBack || NOT_SET.test(text) ? undefined : quotedWordsIn(asked.plain ?? '');
  if (quoted) {
    const set = { traffic: 'messages' as const, input: {}, note: wordsText(quoted), words: quoted };
    return withSetting(asked, set, filterOwner(facts, clauses).owner, text, byId);
  }
  if (OF_GROUP.test(text)) return undefined;
  if (isBack || text.length > MAX_LENGTH || facts.message !== undefined || NOT_SET.test(text) || ASKS_LIST.test(text))
    return undefined;
  const isNotice = isToldWhenStopped(text);
  const asks = (clause: Clause) => isQuestion(clause.text, clause.isAsked) && !isPolite(clause.text);
  if (clauses.some((clause) => asks(clause) && (clause.isAsked || !isNotice))) return undefined;
  const named = isNotice ? withReceiverApart(facts) : facts;
  const whose = withReceiver(filterOwner(named, clauses), named);
  const unnumbered =
    isNotice && whose.owner !== undefined && whose.others.length === 0
      ? noticeWithoutNumber(text, whose.owner)
      : undefined;
  if (unnumbered !== undefined) return help(unnumbered);
  const set = settingsIn(text, { ...whose, isFilter: false });
  if (!set) return undefined;
  const [first, ...also] = [set, ...(set.also ? [set.also] : [])].map((one) =>
    withSetting(asked, one, whose.owner, text, byId),
  );
  const others = also.filter((one) => one !== undefined);
  return first && others.length > 0 ? { ...first, also: others } : first;
}

/** "Notify mum on +1… when ben gets a blocked text": the only whole number is that of the notice. */
function withReceiverApart(facts: Facts): Facts {
  const whole = facts.mentions.filter(({ isWhole }) => isWhole);
  if (whole.length !== 1) return facts;
  const mentions = facts.mentions.map((one) => (one.isWhole ? { ...one, before: 'to', isOwner: false } : one));
  return { ...facts, mentions };
}

/** "Dad wants a text to +1… whenever something gets blocked": the only number is that of the notice. */
function withReceiver(whose: FilterOwner, { mentions }: Facts): FilterOwner {
  const [only, ...others] = mentions;
  const isReceiver = only?.isWhole === true && others.length === 0 && only.before === 'to' && whose.owner === only.text;
  return isReceiver ? { owner: undefined, isLine: false, others: [only.text] } : whose;
}

/** The form with a setting. */
function withSetting(
  { facts, clauses, mayUse }: Asked,
  set: Setting,
  owner: string | undefined,
  text: string,
  byId: Reader['byId'],
): GuidedAnswer | undefined {
  const traffic = TRAFFIC.find(({ name }) => name === set.traffic);
  const isNew = CREATES.test(text) && set.operation === undefined && !set.words && stepIn(text) === undefined;
  const tool = traffic && byId.get(set.operation ?? (isNew ? traffic.create : traffic.update));
  if (!traffic || !tool || !mayUse(tool.id)) return undefined;
  if (!waits(set) && isDoubtful(facts.rest, text, tool)) return undefined;
  const start = isNew
    ? { FilterMode: BLOCKS_LISTED[traffic.name], ...(isDirected(set.input) ? {} : { ApplyToInbound: true }) }
    : {};
  const place = isNew ? { Phone: owner } : set.operation === undefined ? { FilterId: owner } : {};
  const input = { ...(owner === undefined ? {} : { SubscriberId: owner, ...place }), ...start, ...set.input };
  const remarks = `${set.note}${remarksOn(tool, { facts, times: clauses.flatMap(({ times }) => times) })}`;
  const guided = answer('form', { tool, input, understood: `${understood(tool, input)}${remarks}` });
  return {
    ...guided,
    ...(remarks !== '' && { remarks }),
    ...defined({ words: set.words, softer: set.softer, addsNotices: set.addsNotices }),
  };
}

/** True for a setting that names its own condition: "when the filter stops something". */
function waits({ input }: Setting): boolean {
  return input.NotificationPhones !== undefined;
}

function isDirected({ ApplyToInbound, ApplyToOutbound }: Fields): boolean {
  return ApplyToInbound !== undefined || ApplyToOutbound !== undefined;
}

/** Settings of a filter that a text names. */
export interface Setting extends StateChange {
  words?: WordChange;
  softer?: 1 | -1;
}

/** The owner of the filter that a text is about. */
interface Whose extends FilterOwner {
  /** True if the message before is about a filter. */
  isFilter: boolean;
}

/** True for a message that sets something of the filter that the message before is about: "but no pics". */
export function setsFilter(text: string, others: readonly string[], isOfWords: boolean): boolean {
  if (NOT_SET.test(text) || /\?/.test(text)) return false;
  return (
    (isOfWords && wordsIn(text, true) !== undefined) ||
    settingsIn(text, { owner: 'it', isLine: true, others, isFilter: true }) !== undefined
  );
}

/** The settings that a part of an order for a filter names: "adolescent", "block links too". */
export function settingsOf(text: string, others: readonly string[] = []): Setting | undefined {
  const whose = { owner: 'it', isLine: true, others, isFilter: true };
  return settingsIn(text, whose) ?? settingsIn(`set it to ${text}`, whose);
}

/** The settings that a text names. Without a filter in it, it has to name whose they are. */
function settingsIn(text: string, { owner, isLine, others, isFilter }: Whose): Setting | undefined {
  const isNamed = isFilter || FILTER.test(text);
  const notices = noticesIn(text, others, isNamed);
  if (notices) return notices;
  if (owner === undefined && !isNamed) return undefined;
  const saidCalls = CALLS.test(text) && !TEXTS.test(text);
  const isListed = ONLY_ON_LIST.test(text);
  const only = isListed ? listMode(saidCalls || !TEXTS.test(text) ? 'calls' : 'messages') : undefined;
  if (others.length > 0) return only && isNamed ? withAllowed(only, others) : undefined;
  if (only) return only;
  const words = wordsIn(text);
  if (words) return { traffic: 'messages', input: {}, note: wordsText(words), words };
  const states =
    !RECORDS.test(text) && !rulesIn(text, saidTraffic(text)) ? stateIn(text, saidTraffic(text), isLine) : undefined;
  if (states) return states;
  const mode = modeIn(text, { isCalls: saidCalls, isNamed, isOwned: owner !== undefined });
  const isWatched = !mode && WATCHED.test(text) && !saidCalls && (TEXTS.test(text) || isNamed || BLOCKING.test(text));
  if (isWatched) return { traffic: 'messages', input: { FilterMode: 'MONITOR_ONLY' }, note: '' };
  const softer = mode || !isNamed ? undefined : stepIn(text);
  if (softer !== undefined) return { traffic: 'messages', input: {}, note: stepText(softer), softer };
  const rules = rulesIn(text, mode?.traffic ?? saidTraffic(text));
  const traffic = mode?.traffic ?? rules?.traffic ?? saidTraffic(text) ?? 'messages';
  const direction = isNamed || rules ? directionIn(text, rules !== undefined) : undefined;
  if (mode || rules || direction)
    return {
      ...{ traffic, note: `${mode?.note ?? ''}${rules?.note ?? ''}${direction?.note ?? ''}` },
      input: { ...mode?.input, ...rules?.input, ...direction?.input },
    };
  return RECORDS.test(text) && CALLS.test(text) ? recorded(text) : undefined;
}

/** "Only approved callers, mum +1… and dad +1…": the numbers that get through. */
function withAllowed(only: Setting, others: readonly string[]): Setting {
  const field = TRAFFIC.find(({ name }) => name === only.traffic)?.allowed ?? '';
  return { ...only, input: { ...only.input, [field]: [...others] }, note: '; it lets only these numbers through' };
}

const BLOCKING = /\bblock\w*/i;

/** "One step softer": a level beside the present one. */
function stepIn(text: string): 1 | -1 | undefined {
  const [stricter, softer] = (['stricter', 'softer'] as const).map((way) =>
    new RegExp(String.raw`\b(?:${LEVEL_STEPS[way]})\b`, 'i').test(text),
  );
  return stricter === softer ? undefined : softer ? 1 : -1;
}

function stepText(step: 1 | -1): string {
  const levels = TRAFFIC.flatMap(({ name, levels: all }) => (name === 'messages' ? all.slice(0, 3) : []));
  const names = levels.map(([mode]) => mode.toLowerCase());
  return `; the levels are ${names.join(', ')}, strictest first: one step ${step > 0 ? 'softer' : 'stricter'} than the present one is meant`;
}

/** The directions that a text names, or that of what a customer sends. `hasRules`: it says what is blocked. */
function directionIn(text: string, hasRules: boolean): Pick<Setting, 'input' | 'note'> | undefined {
  const [isIn, isOut] = (['ApplyToInbound', 'ApplyToOutbound'] as const).map((name) =>
    new RegExp(String.raw`\b(?:${DIRECTION_WORDS[name]})\b`, 'i').test(text),
  );
  const isOnly = /\b(?:only|just|nothing\s+but|solely)\b/i.test(text);
  const isNot = new RegExp(NOT, 'i').test(text) || /\b(?:ignore|skip|exclude|leave)\b/i.test(text);
  const note = '; the direction is that of the whole filter';
  if (/\bboth\s+(?:directions|ways)\b/i.test(text) || (isIn && isOut && !isOnly && !isNot))
    return { input: { ApplyToInbound: true, ApplyToOutbound: true }, note: '' };
  if (isIn !== isOut && !hasRules) {
    const [own, other] = isIn ? ['ApplyToInbound', 'ApplyToOutbound'] : ['ApplyToOutbound', 'ApplyToInbound'];
    return {
      input: isNot && !isOnly ? { [own]: false } : { [own]: true, ...(isOnly && { [other]: false }) },
      note: '',
    };
  }
  const isSent = isOut === true || (SENDS.test(text) && !SENT_TO.test(text));
  return hasRules && isSent ? { input: { ApplyToOutbound: true }, note } : undefined;
}

/** Names traffic that the customer sends: "stop 0105 from sending pictures". */
const SENDS =
  /\b(?:from|not|n['’]t|never|no\s+longer|dont|may|can|to)\s+(?:\p{L}+\s+)?(?:send|forward|share|post)(?:ing|s)?\b|\bsends\b/iu;
const SENT_TO =
  /\b(?:send|forward|share|post)(?:ing|s)?\s+(?:him|her|them|me|us)\b|\b(?:send|forward|share|post)(?:ing|s)?\b[^.;!?]*\bto\s+(?:him|her|them|number\b|[#…*]*\d|\p{Lu})|\b(?:strangers?|people|unknown|senders?|others|anyone|anybody|nobody|someone)\b[^.;!?]*\bsend/iu;

function saidTraffic(text: string): Traffic['name'] | undefined {
  return TEXTS.test(text) === CALLS.test(text) ? undefined : TEXTS.test(text) ? 'messages' : 'calls';
}

function listMode(traffic: Traffic['name']): Setting {
  return { traffic, input: { ...ONLY_LISTED[traffic] }, note: '; it lets only the numbers on its allow list through' };
}

/** The mode that a text names as a value. */
function modeIn(
  text: string,
  { isCalls, isNamed, isOwned }: { isCalls: boolean; isNamed: boolean; isOwned: boolean },
): Pick<Setting, 'traffic' | 'input' | 'note'> | undefined {
  const traffic = isCalls ? 'calls' : 'messages';
  const isMoved = isOwned && FROM_LIST.test(text);
  const lists = (words: string) =>
    (isNamed || isMoved) &&
    new RegExp(String.raw`\b(?:to|as|into)\s+(?:(?:an?|the)\s+)?(?:${words})\b`, 'i').test(text);
  if (lists(LIST_MODES.allowed)) return listMode(TEXTS.test(text) ? 'messages' : 'calls');
  if (lists(LIST_MODES.blocked)) {
    const name = TEXTS.test(text) ? 'messages' : 'calls';
    return { traffic: name, input: { FilterMode: BLOCKS_LISTED[name] }, note: '' };
  }
  const modes = Object.entries(MODE_WORDS[traffic]);
  const named = (before: string, after: string) =>
    modes.filter(([, words]) => new RegExp(String.raw`${before}(?:${words})\b${after}`, 'iu').test(text));
  const isOrder = isOwned && !IS_SO.test(text);
  const frames = [
    ...(isNamed
      ? [
          () => named('\\b', ENOUGH),
          () => named(TO, '(?!\\s+(?:filter|guard))'),
          () => named('\\b', '\\s+(?:level|mode|setting|one)\\b'),
        ]
      : []),
    ...(isNamed && !ENDS.test(text)
      ? [() => named(NEW_FILTER, String.raw`(?:['’]s)?\s+(?:\p{L}+\s+){0,2}?(?:filters?|guard\p{L}*|protection)\b`)]
      : []),
    ...(isOrder ? [() => named(FROM_TO, ''), () => (SURE.test(text) ? named(MAKES, '') : [])] : []),
  ];
  const found = frames.reduce<typeof modes>((before, frame) => (before.length > 0 ? before : frame()), []);
  const [mode, ...others] = found;
  return mode && others.length === 0 ? { traffic, input: { FilterMode: mode[0] }, note: '' } : undefined;
}

/** "Teenager is enough" */
const ENOUGH = String.raw`(?:\s+(?:level|mode))?\s+(?:is|are|would\s+be|will\s+be|should\s+be|will|would|should)\s+(?:enough|fine|ok|okay|sufficient|plenty|better|do)\b`;
const ALL_MODES = Object.values(MODE_WORDS.messages).join('|');
const SURE = new RegExp(String.raw`\b(?:${SURE_LEVELS})\b`, 'i');
/** "From child to teenager" */
const FROM_TO = String.raw`\bfrom\s+(?:${ALL_MODES})(?:\s+(?:level|mode))?\s+(?:up\s+|down\s+)?to\s+(?:an?\s+|the\s+)?`;
/** "Make him an adolescent", of a customer who is named. */
const MAKES = String.raw`\b(?:make|set|put|turn|switch|change|move|bring|get|lower|raise|reduce|downgrade|upgrade|give|treat|filter)\b[^.;!?]*?\s(?:(?:to|on|onto|into|as|at|an?|the)\s+)?`;
const IS_SO = /\b(?:was|were|has\s+been|had\s+been|got|moved|went|came|changed|switched|downgraded|upgraded)\b/i;
const LISTS = `(?:${LIST_MODES.allowed}|${LIST_MODES.blocked})`;
/** "From whitelist to blacklist", "set 0104 to block list" */
const FROM_LIST = new RegExp(
  String.raw`\bfrom\s+${LISTS}\s+to\b|\b(?:set|change|switch|turn|make)\s+\S+(?:\s+\S+)?\s+(?:in)?to\s+(?:an?\s+|the\s+)?${LISTS}(?:\s+mode)?(?=\s*(?:$|[,.;!]|please\b|pls\b))`,
  'iu',
);
/** Before the level of a filter that is wanted: "put the teen filter on", "a child filter". That of "his kid filter" is there. */
const NEW_FILTER = String.raw`(?:^\W*(?:(?:please|pls|hi|hey|ok|and|then)\s+)*|\b(?:set|put|use|apply|switch|give|get|make|create|add|need|needs|want|wants|install|activate|start|turn\s+on|set\s*up|move|change|to|with)\b[^.;!?]*?\s)(?:(?:an?|the|new|our|up|on|to)\s+)*`;
const ENDS = /\b(?:delete|remove|drop|cancel|erase|end|off|out|away|without|pause\w*|stop|disable|deactivate)\b/i;

/** The rules that a text switches on or off. */
export function rulesIn(text: string, traffic: Traffic['name'] | undefined): Setting | undefined {
  const found = (traffic === undefined ? (['calls', 'messages'] as const) : [traffic]).map((name): Setting => {
    const flags = Object.entries(RULE_WORDS[name]).flatMap(([flag, words]): [string, boolean][] => {
      const part = text.split(/[.;!?]/).find((one) => new RegExp(String.raw`\b(?:${words})\b`, 'i').test(one));
      const isOn = part === undefined ? undefined : switched(part);
      return isOn === undefined ? [] : [[flag, isOn]];
    });
    return { traffic: name, input: Object.fromEntries(flags), note: '' };
  });
  // "Strangers from sending pictures" is about messages, which alone have pictures.
  const count = ({ input }: Setting) => Object.keys(input).length;
  const [first, other] = found;
  const best = first && other && count(other) > count(first) ? other : first;
  if (!best || count(best) === 0) return undefined;
  const isBoth = best.input.BlockUnknownNumbers === true && count(best) > 1 && FROM_UNKNOWN.test(text);
  return isBoth ? { ...best, note: EACH_ALONE } : best;
}

/** "Pictures from strangers": two rules of a filter, which has none for both at once. */
const FROM_UNKNOWN = new RegExp(
  String.raw`\b(?:from|by|of)\s+(?:\p{L}+\s+)?(?:${RULE_WORDS.messages.BlockUnknownNumbers})|\b(?:${RULE_WORDS.messages.BlockUnknownNumbers})\s+(?:from\s+)?send`,
  'iu',
);
const EACH_ALONE =
  '; no rule is for both at once: each holds by itself, so that those of known numbers and everything of unknown ones are blocked';

const NOT = String.raw`(?:no\s+longer|any\s*more|any\s+longer|\bno\b|\bnot\b|\bnever\b|\bnobody\b|\bno[\s-]?one\b|\bnone\b|\bneither\b|\bnor\b|\bwithout\b|\b(?:do|does|did|should|must|may|shall|need|ca|wo|is|are)n['’]?t\b)`;
const BLOCKS = String.raw`\bkeep(?:s|ing)?\b[^.;!?]*\b(?:away|out)\b|\b(?:block|ban|forbid|reject|refuse|prevent|filter\s+out|stop(?!\s+block))(?:s|ed|ing)?\b`;
const NO_BLOCK = new RegExp(
  String.raw`(?:${NOT}|\b(?:stop|quit))\s+(?:\p{L}+\s+){0,2}?(?:block|ban|reject|filter)(?:s|ed|ing)?\b|\b(?:off|disable|remove|lift|undo|end)\b[^.;!?]*\bblock(?:ing|s)?\b|\bunblock`,
  'iu',
);
const NONE = /^\W*(?:(?:please|pls|and|but|also|ok|from\s+now\s+on)[\s,]+)*no\s+(?:more\s+)?\p{L}/iu;
const FINE = /\b(?:ok|okay|fine|alright|allowed|welcome|again)\b/i;
const OPENS = /\b(?:allow|permit|let|accept)(?:s|ed|ing)?\b/i;
const RECEIVES = /\b(?:get|receive|have|see|send)(?:s|ting|ing)?\b/i;
const WANTED = /\b(?:wants?|(?:should|must|shall|may)(?:n['’]?t)?|supposed|like|prefers?)\b/i;

/** True if what a part of a sentence names is to be blocked, false if it is to come through. */
function switched(part: string): boolean | undefined {
  if (NO_BLOCK.test(part)) return false;
  if (new RegExp(BLOCKS, 'i').test(part)) return true;
  const isNot = new RegExp(NOT, 'i').test(part);
  if (OPENS.test(part)) return isNot;
  if (NONE.test(part)) return true;
  if (FINE.test(part)) return isNot;
  return RECEIVES.test(part) && WANTED.test(part) && isNot ? true : undefined;
}

/** Calls of a filter are recorded only where it flags something. */
function recorded(text: string): Setting {
  const isOff = new RegExp(String.raw`${NOT}|\b(?:stop|end|off|disable|quit)\b`, 'i').test(text);
  const note = isOff ? '' : '; a filter records only the calls that it flags';
  return { traffic: 'calls', input: { RecordFlaggedCalls: !isOff }, note };
}
