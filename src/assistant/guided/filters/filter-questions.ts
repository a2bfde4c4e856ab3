import { LEVEL_STEPS, LIST_MODES, MODE_WORDS, NOTICES } from '../../../../tools/surfaces/filter-words.ts';
import { TRAFFIC, type Traffic } from '../../../../tools/surfaces/guard.ts';
import { type GuidedAnswer, help } from '../answers/answer.ts';
import { filterOwner } from '../answers/filter-owners.ts';
import { filtersOf } from '../answers/filters.ts';
import type { Reader } from '../answers/readings.ts';
import type { Asked } from '../facts/stance.ts';
import { unmarked } from '../facts/times.ts';
import { asksOfAll, filterKnowledge } from './filter-knowledge.ts';
import { isOfElse } from './filter-notices.ts';

/* Questions about the levels, the lists and the words of filters. */

const ASKS =
  /^\W*(?:(?:thx|thanks|thank\s+you|ok|okay|hi|hey|so|and|but|please|pls|wait|can\s+you|could\s+you|u)[\s,]+)*(?:what|whats|which|who|whos|how|show|list|see|tell|is|are|does|do|did|has|have|any|give|check|anything|explain|describe|difference)\b/iu;
const LISTED = new RegExp(String.raw`\b(?:${LIST_MODES.allowed}|${LIST_MODES.blocked})\b`, 'iu');
const LEVEL = /\b(?:levels?|how\s+strict)\b/iu;
const OF_WORDS = /\b(?:key\s?)?words?\b/iu;
const FLAGGED = /\b(?:block|ban|filter|flag|forbid|forbidden|stop)\w*/iu;
const CAN =
  /\b(?:what|which|how)\b[^.;!?]*\b(?:can|could|may)\s+(?:you|u|i|we|one)\s+(?:\p{L}+\s+){0,3}?(?:with|about|on)\s+(?:(?:the|guardian|call|message)\s+)*filters?\b/iu;
const WHAT_FILTERS_DO =
  'Each line has a call filter and a message filter. Write “set the message filter of 0103 to teenager”, “block links and pictures for Ben”, “block +1… for Ben”, “allow +1… to call 0104”, “pause the message filter of 0103”, “add the word vape to Ben’s filter”, “send alerts for Ben to +1…” or “who is blocked for Ben”';
const MEANS = /\b(?:what|how)\b[^.;!?]*\b(?:does|do|is|are|mean|means)\b|\bdifference\b|\bexplain\b/iu;
const COMPARES = new RegExp(
  String.raw`\b(?:vs|versus|compared?|differen(?:t|ce)|${LEVEL_STEPS.stricter}|${LEVEL_STEPS.softer})\b`,
  'iu',
);
/** "Which numbers has ava blocked": the customer acts, and it is asked for the list. */
const HAS_LISTED =
  /\b(?:which|what|whom?|how\s+many)\b[^.;!?]*\b(?:has|have|did|does|do)\s+[^.;!?]{1,40}?\b(?:block|bann?|blacklist|whitelist|allow)(?:s|ed)?\b(?!\s+(?:for|on|by)\b)|\b(?:which|what|how\s+many)\s+(?:numbers?|callers?|contacts?|senders?|people)\s+(?:is|are|have\s+been)\s+(?:blocked|banned|allowed)\b/iu;
/** "Who can text ben" */
const WHO_MAY =
  /\bwho(?:\s+(?:all|else|exactly))?\s+(?:can|may|could|(?:is|are|s)\s+(?:still\s+)?(?:able|allowed|permitted)\s+to|gets\s+to)\s+(?:still\s+|even\s+)?(?<reach>call|ring|phone|text|sms|message|msg|reach|contact|write)\b/iu;
const COPIES = /\b(?:copy|clone|duplicate|transfer|same)\b[^.;!?]*\bfilters?\b/iu;

/** "Who gets the alerts for ben" */
const NOTICED = new RegExp(String.raw`\b(?:${NOTICES}|notified|alerted|informed|told)\b`, 'iu');
const WHO_IS_TOLD = new RegExp(
  String.raw`\b(?:whom?|which\s+numbers?|what\s+numbers?|where)\b[^.;!?]*(?:\b(?:gets?|receives?|goe?s?|sent)\b[^.;!?]*\b(?:${NOTICES})\b|\b(?:${NOTICES})\b[^.;!?]*\b(?:goe?s?|sent|to)\b|\b(?:is|are|gets?)\s+(?:notified|alerted|informed)\b)`,
  'iu',
);

const MAX_LENGTH = 300;

/** The answer to a question about filters. Undefined for other sentences. */
export function ofFilterQuestion(asked: Asked, { byId }: Reader): GuidedAnswer | undefined {
  const { facts, clauses, mayUse } = asked;
  if (facts.message !== undefined) return undefined;
  const text = unmarked(facts.rest).replace(/\s+/g, ' ').trim();
  if (text.length > MAX_LENGTH) return undefined;
  const { owner, isLine, others } = filterOwner(facts, clauses);
  const known = filterKnowledge(text, owner !== undefined);
  if (known !== undefined) return help(known.replaceAll('NAME', owner ?? 'NAME'));
  if (owner === undefined && facts.mentions.length === 0 && asksOfAll(text)) return allFilters(byId, mayUse);
  const anyone = ofAnyone(text, owner, asked, byId);
  if (anyone) return anyone;
  const whose = owner === undefined ? {} : isLine ? { Phone: owner } : { SubscriberId: owner };
  const read = (name: Traffic['name']) => {
    const tool = byId.get(TRAFFIC.find((one) => one.name === name)?.list ?? '');
    return tool && mayUse(tool.id) ? filtersOf(tool, { input: whose, asks: [] }) : undefined;
  };
  const both = () => joined([read('calls'), read('messages')]);
  if (COPIES.test(text) && owner !== undefined && !ASKS.test(text))
    return copied(facts.mentions.length, text, asked, byId);
  // "She is not happy with the level, what is it set to"
  const asks = ASKS.test(text) || (LEVEL.test(text) && text.split(/[.;!?]\s*|,\s+/).some((part) => ASKS.test(part)));
  if (!asks) return owner === undefined && COMPARES.test(text) ? levelText(text) : undefined;
  if (CAN.test(text)) return help(WHAT_FILTERS_DO);
  if (owner === undefined)
    return LEVEL.test(text) || MEANS.test(text) || COMPARES.test(text) ? levelText(text) : undefined;
  if (others.length > 0) return undefined;
  if (asked.since === undefined && HAS_LISTED.test(text)) return trafficRead(text, read) ?? both();
  const reach = WHO_MAY.exec(text)?.groups?.reach;
  if (reach !== undefined) return trafficRead(/^(?:write|msg)$/i.test(reach) ? 'text' : reach, read) ?? both();
  if (OF_WORDS.test(text) && FLAGGED.test(text)) {
    const words = read('messages');
    return words && { ...words, asksWords: true };
  }
  if (WHO_IS_TOLD.test(text) && !isOfElse(text)) return trafficRead(text.replace(NOTICED, ' '), read) ?? both();
  if (LEVEL.test(text)) return read('messages');
  if (!LISTED.test(text)) return undefined;
  return trafficRead(text, read) ?? both();
}

/** "Is +1… on anyone's block list": all filters, and whether they have the number. */
function ofAnyone(
  text: string,
  owner: string | undefined,
  { facts, mayUse }: Asked,
  byId: Reader['byId'],
): GuidedAnswer | undefined {
  const [only, ...others] = facts.mentions;
  const isOne = only?.isWhole === true && others.length === 0 && (owner === undefined || owner === only.text);
  if (!isOne || !ANYONE.test(text) || !ASKS_ANYONE.test(text) || !HAS_BLOCK.test(text)) return undefined;
  const tools = ['calls', 'messages'].map((kind) => byId.get(TRAFFIC.find(({ name }) => name === kind)?.list ?? ''));
  const input = { input: {}, asks: [only.text] };
  return joined(tools.map((tool) => (tool && mayUse(tool.id) ? filtersOf(tool, input) : undefined)));
}

const ANYONE =
  /\b(?:(?:any|some)(?:one|body)(?:['’]?s)?|any\s+of\s+(?:our|the|my)\s+\p{L}+|any\s+(?:customers?|subscribers?|lines?|filters?))\b/iu;
const ASKS_ANYONE =
  /^\W*(?:(?:hi|hey|so|and|ok|check|see|if|whether)[\s,]+)*(?:is|are|does|do|has|have|did|any|some)/iu;
const HAS_BLOCK = /\b(?:block(?:s|ed|ing|list)?|black[\s-]?list(?:s|ed)?|ban(?:s|ned)?|bars?|barred)\b/iu;

/** The filters of all customers. */
function allFilters(byId: Reader['byId'], mayUse: Asked['mayUse']): GuidedAnswer | undefined {
  const tools = ['calls', 'messages'].map((kind) => byId.get(TRAFFIC.find(({ name }) => name === kind)?.list ?? ''));
  const reads = tools.map((tool) => (tool && mayUse(tool.id) ? filtersOf(tool, { input: {}, asks: [] }) : undefined));
  return joined(
    reads,
    'These are all filters. Whether guardian filtering is on is read for one customer: “is guardian on for NAME”',
  );
}

/** The filters of the kind of traffic that a text names. Undefined for both, or neither. */
function trafficRead(
  text: string,
  read: (name: Traffic['name']) => GuidedAnswer | undefined,
): GuidedAnswer | undefined {
  const isTexts = /\b(?:text|sms|messag|contact|sender)\w*/i.test(text);
  const isCalls = /\b(?:call|ring|phone)\w*/i.test(text);
  return isTexts === isCalls ? undefined : read(isTexts ? 'messages' : 'calls');
}

/** Several reads as one answer, with what is said above them. */
function joined(reads: readonly (GuidedAnswer | undefined)[], lead?: string): GuidedAnswer | undefined {
  const [first, ...also] = reads.filter((one) => one !== undefined);
  if (!first) return undefined;
  const told =
    lead === undefined
      ? {}
      : { isInstead: true as const, lead: `${lead}.`, understood: `${lead}. ${first.understood}` };
  return { ...first, ...told, ...(also.length > 0 && { also }) };
}

/** The filters that are to be copied, which nothing here does. */
function copied(count: number, text: string, asked: Asked, byId: Reader['byId']): GuidedAnswer | undefined {
  const { clauses, facts } = asked;
  const from = filterOwner(
    { ...facts, mentions: facts.mentions.filter(({ before }) => before !== 'to' && before !== 'for') },
    clauses,
  ).owner;
  if (from === undefined || (count === 0 && !/\bto\b/i.test(text))) return undefined;
  const why =
    'Filters are not copied: see the settings, and set them for the other line, such as “set the message filter of NUMBER to teenager”. Nothing was done';
  const reads = TRAFFIC.map(({ list }) => byId.get(list)).map(
    (tool) =>
      tool && filtersOf(tool, { input: /^\d|^\+/.test(from) ? { Phone: from } : { SubscriberId: from }, asks: [] }),
  );
  return joined([...reads].reverse(), why);
}

/** The levels that a text names, or all of them. Undefined for a text about no level of a filter. */
function levelText(text: string): GuidedAnswer | undefined {
  const levels = TRAFFIC.flatMap(({ name, levels: all }) => (name === 'messages' ? all : []));
  const isNamed = (mode: string) => new RegExp(String.raw`\b(?:${MODE_WORDS.messages[mode]})\b`, 'iu').test(text);
  const named = levels.filter(([mode]) => isNamed(mode));
  const isCompared = named.length > 1 && COMPARES.test(text);
  const isAbout = isCompared || LEVEL.test(text) || (/\bfilters?\b|\bguardian\b/i.test(text) && named.length > 0);
  if (
    !isAbout ||
    !(isCompared || MEANS.test(text) || /\b(?:which|what|list|show)\b/i.test(text)) ||
    OTHER_LEVELS.test(text)
  )
    return undefined;
  const shown = named.length > 0 ? named : levels;
  return help(`Levels of a message filter, strictest first. ${shown.map(([, words]) => words).join('; ')}`);
}

const OTHER_LEVELS = /\b(?:approval|access|support|signal|battery|data|service|role|permission)s?\b/iu;
