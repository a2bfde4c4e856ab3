import { LIST_MODES, MODE_WORDS, RULE_WORDS } from '../../../tools/surfaces/filter-words.ts';
import { BLOCKS_LISTED, ONLY_LISTED, TRAFFIC, type Traffic } from '../../../tools/surfaces/guard.ts';
import type { Fields } from '../../lib/json.ts';
import { answer, type GuidedAnswer, remarksOn, understood } from './answer.ts';
import { isDoubtful } from './doubt.ts';
import type { Facts } from './facts.ts';
import { looseName } from './finder.ts';
import { peopleIn } from './names.ts';
import { partiesOf } from './parties.ts';
import type { Reader } from './readings.ts';
import { type Asked, isPolite, isQuestion } from './stance.ts';
import { unmarked } from './times.ts';

/* Orders that set a mode or a rule of a filter: "set Ben's message filter to strict", "block links in her messages". */

const CALLS = /\b(?:call|caller|ring|phone|dial)(?:s|ed|ing|ers)?\b/i;
const TEXTS = /\b(?:text|sms|message|msg|texting|messaging|contact|sender)s?\b/i;
const FILTER = /\b(?:filter\w*|guardian|protection|levels?|modes?)\b/i;
const CREATES = /\b(?:create|make|add|set\s*up|new|start)\b[^.;!?]*?\bfilters?\b/i;
/** Before a value. */
const TO = String.raw`\b(?:to|at|on|as|into|with|use|using|mode|level)\s+(?:(?:the|an?|level|mode|age)\s+)*`;
const ONLY_ON_LIST =
  /\bonly\s+(?:the\s+)?(?:(?:people|persons?|numbers?|callers?|contacts?|senders?|those|ones|everyone)\s+)?(?:(?:who|that|which)\s+(?:is|are)\s+)?(?:on|in)\s+(?:the|his|her|their|that)\s+(?:\p{L}+\s+)?list\b|\bonly\s+(?:(?:the|his|her|their)\s+)*(?:allowed|approved|listed|whitelisted)\s+(?:people|numbers?|callers?|contacts?|senders?|ones)\b/iu;
const WATCHED =
  /\b(?:watch|monitor|observe|report)\b[^.;!?]*\b(?:not|never|dont|without|no)\b[^.;!?]*\b(?:block|stop|filter)\w*|\bonly\s+(?:watch|monitor|observe|report)\b/i;
const RECORDS = /\brecord(?:s|ed|ing)?\b/i;
const NOTIFIES =
  /\b(?:tell|text|notify|alert|inform|warn|message)\b[^.;!?]*\b(?:when(?:ever)?|if|once|every\s+time|as\s+soon\s+as|each\s+time)\b[^.;!?]*\bfilter\w*[^.;!?]*\b(?:stop|block|flag|catch|hold|filter)\w*/i;
/** "Don't set ben's filter to strict" */
const NOT_SET =
  /\b(?:do\s+not|dont|don['’]t|never|not)\s+(?:to\s+)?(?:set|put|change|make|switch|turn|move|record|create|use)\b/i;

/** The answer to an order that sets modes or rules of a filter. Undefined for other sentences. */
export function ofFilterSettings(asked: Asked, { byId }: Reader): GuidedAnswer | undefined {
  const { facts, clauses, isBack, mayUse } = asked;
  const text = unmarked(facts.rest).replace(/\s+/g, ' ');
  if (isBack || facts.message !== undefined || NOT_SET.test(text)) return undefined;
  if (clauses.some((clause) => isQuestion(clause.text, clause.isAsked) && !isPolite(clause.text))) return undefined;
  const [person] = peopleIn(...clauses.map(({ words }) => words));
  const { owner, others } = ownerOf(facts, person);
  const set = owner === undefined && !FILTER.test(text) ? undefined : settingsIn(text, others);
  if (!set) return undefined;
  const traffic = TRAFFIC.find(({ name }) => name === set.traffic);
  const isNew = CREATES.test(text);
  const tool = traffic && byId.get(isNew ? traffic.create : traffic.update);
  if (!traffic || !tool || !mayUse(tool.id)) return undefined;
  if (set.input.NotificationPhones === undefined && isDoubtful(facts.rest, text, tool)) return undefined;
  const first = isNew ? { FilterMode: BLOCKS_LISTED[traffic.name], ApplyToInbound: true } : {};
  const whose = isNew ? { SubscriberId: owner, Phone: owner } : { SubscriberId: owner, FilterId: owner };
  const input = { ...(owner === undefined ? {} : whose), ...first, ...set.input };
  const remarks = `${set.note}${remarksOn(tool, { facts, times: clauses.flatMap(({ times }) => times) })}`;
  const guided = answer('form', { tool, input, understood: `${understood(tool, input)}${remarks}` });
  return remarks === '' ? guided : { ...guided, remarks };
}

function ownerOf(facts: Facts, person: string | undefined): { owner: string | undefined; others: readonly string[] } {
  const { owner, others } = partiesOf(facts, person ?? (facts.mentions.length === 0 ? looseName(facts) : undefined));
  const [only, ...more] = facts.mentions;
  return owner === undefined && only && more.length === 0 ? { owner: only.text, others: [] } : { owner, others };
}

interface Setting {
  traffic: Traffic['name'];
  input: Fields;
  note: string;
}

/** The settings that a text names. `others`: numbers in it besides that of the customer. */
function settingsIn(text: string, others: readonly string[]): Setting | undefined {
  const saidCalls = CALLS.test(text) && !TEXTS.test(text);
  if (others.length > 0)
    return NOTIFIES.test(text)
      ? { traffic: saidCalls ? 'calls' : 'messages', input: { NotificationPhones: [...others] }, note: '' }
      : undefined;
  const only = ONLY_ON_LIST.test(text) ? listMode(saidCalls || !TEXTS.test(text) ? 'calls' : 'messages') : undefined;
  if (only) return only;
  const mode = FILTER.test(text) ? modeIn(text, saidCalls) : undefined;
  const watched = !mode && WATCHED.test(text) && TEXTS.test(text) && !CALLS.test(text);
  if (watched) return { traffic: 'messages', input: { FilterMode: 'MONITOR_ONLY' }, note: '' };
  const rules = rulesIn(text, mode?.traffic ?? saidTraffic(text));
  if (mode || rules)
    return { ...(rules ?? { note: '' }), ...mode, input: { ...mode?.input, ...rules?.input } } as Setting;
  return RECORDS.test(text) && CALLS.test(text) ? recorded(text) : undefined;
}

function saidTraffic(text: string): Traffic['name'] | undefined {
  return TEXTS.test(text) === CALLS.test(text) ? undefined : TEXTS.test(text) ? 'messages' : 'calls';
}

function listMode(traffic: Traffic['name']): Setting {
  return { traffic, input: { ...ONLY_LISTED[traffic] }, note: '; it lets only the numbers on its allow list through' };
}

/** The mode that a text names as a value. */
function modeIn(text: string, isCalls: boolean): Pick<Setting, 'traffic' | 'input' | 'note'> | undefined {
  const traffic = isCalls ? 'calls' : 'messages';
  const lists = (words: string) =>
    new RegExp(String.raw`\b(?:to|as|into)\s+(?:(?:an?|the)\s+)?(?:${words})\b`, 'i').test(text);
  if (lists(LIST_MODES.allowed)) return listMode(TEXTS.test(text) ? 'messages' : 'calls');
  if (lists(LIST_MODES.blocked)) {
    const name = TEXTS.test(text) ? 'messages' : 'calls';
    return { traffic: name, input: { FilterMode: BLOCKS_LISTED[name] }, note: '' };
  }
  const modes = Object.entries(MODE_WORDS[traffic]);
  const named = (before: string, after: string) =>
    modes.filter(([, words]) => new RegExp(String.raw`${before}(?:${words})\b${after}`, 'i').test(text));
  const [mode, ...others] =
    [named(TO, '(?!\\s+(?:filter|guard))'), named('\\b', '\\s+(?:level|mode|setting|one)\\b')].find(
      (found) => found.length > 0,
    ) ?? [];
  return mode && others.length === 0 ? { traffic, input: { FilterMode: mode[0] }, note: '' } : undefined;
}

/** The rules that a text switches on or off. */
export function rulesIn(text: string, traffic: Traffic['name'] | undefined): Setting | undefined {
  for (const name of traffic === undefined ? (['calls', 'messages'] as const) : [traffic]) {
    const flags = Object.entries(RULE_WORDS[name]).flatMap(([flag, words]): [string, boolean][] => {
      const part = text.split(/[.;!?]/).find((one) => new RegExp(String.raw`\b(?:${words})\b`, 'i').test(one));
      const isOn = part === undefined ? undefined : switched(part);
      return isOn === undefined ? [] : [[flag, isOn]];
    });
    if (flags.length > 0) return { traffic: name, input: Object.fromEntries(flags), note: '' };
  }
  return undefined;
}

const NOT = String.raw`(?:no\s+longer|any\s*more|any\s+longer|\bno\b|\bnot\b|\bnever\b|\bneither\b|\bnor\b|\bwithout\b|\bdont\b|n['’]t\b)`;
const BLOCKS = String.raw`\b(?:block|ban|forbid|reject|refuse|prevent|filter\s+out|stop(?!\s+block))(?:s|ed|ing)?\b`;
const NO_BLOCK = new RegExp(
  String.raw`(?:${NOT}|\b(?:stop|quit))\s+(?:\p{L}+\s+){0,2}?(?:block|ban|reject|filter)(?:s|ed|ing)?\b|\b(?:off|disable|remove|lift|undo|end)\b[^.;!?]*\bblock(?:ing|s)?\b|\bunblock`,
  'iu',
);
const NONE = /^\W*(?:(?:please|pls|and|also|ok|from\s+now\s+on)[\s,]+)*no\s+(?:more\s+)?\p{L}/iu;
const OPENS = /\b(?:allow|permit|let|accept)(?:s|ed|ing)?\b/i;
const RECEIVES = /\b(?:get|receive|have|see|send)(?:s|ting|ing)?\b/i;
const WANTED = /\b(?:wants?|should|must|shall|may|supposed|like|prefers?)\b/i;

/** True if what a part of a sentence names is to be blocked, false if it is to come through. */
function switched(part: string): boolean | undefined {
  if (NO_BLOCK.test(part)) return false;
  if (new RegExp(BLOCKS, 'i').test(part)) return true;
  const isNot = new RegExp(NOT, 'i').test(part);
  if (OPENS.test(part)) return isNot;
  if (NONE.test(part)) return true;
  return RECEIVES.test(part) && WANTED.test(part) && isNot ? true : undefined;
}

/** Calls of a filter are recorded only where it flags something. */
function recorded(text: string): Setting {
  const isOff = new RegExp(String.raw`${NOT}|\b(?:stop|end|off|disable|quit)\b`, 'i').test(text);
  const note = isOff ? '' : '; a filter records only the calls that it flags';
  return { traffic: 'calls', input: { RecordFlaggedCalls: !isOff }, note };
}
