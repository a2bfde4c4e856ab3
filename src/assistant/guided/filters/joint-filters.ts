import { CHILDREN } from '../../../../tools/surfaces/filter-words.ts';
import {
  FILTER_FIELDS,
  FILTER_LISTS,
  type FilterList,
  ONLY_LISTED,
  TRAFFIC,
} from '../../../../tools/surfaces/guard.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { wordsOf } from '../../../language/sentence.ts';
import type { Fields } from '../../../lib/json.ts';
import type { GuidedAnswer } from '../answers/answer.ts';

/*
 * Sentences about filters of calls and of texts, or of several lines or customers. They have different lists, so that the
 * sentence is read once for each.
 */

const CALLS = String.raw`(?:phone\s+)?(?:call(?:s|ing|ers?)?|ring(?:s|ing)?)`;
const TEXTS = '(?:text(?:s|ing)?|sms|messages?|messaging)';
const JOINED = String.raw`\s*(?:,|&|\+|\/|\bn\b|['’]n['’]?|\band\b|\bor\b|\bnor\b|\bas\s+well\s+as\b|\bplus\b)\s*(?:(?:for|from|on|of|the|his|her|their|also|to)\s+)*`;
const PAIR = new RegExp(
  String.raw`(?:\b(?<not>neither)\s+|\bboth\s+)?\b(?:(?<call>${CALLS})${JOINED}(?:both\s+)?(?<text>${TEXTS})|(?<textFirst>${TEXTS})${JOINED}(?<callNext>${CALLS}))\b`,
  'iu',
);
const BOTH = new RegExp(
  String.raw`,?\s*\b(?:(?:on|for)\s+)?both(?:\s+of\s+(?:them|these|those))?\b(?!\s+\p{L}+\s+and\b|\s+(?:${CHILDREN})\b)`,
  'iu',
);
/** "Block +1… for Ben, texts too" */
const TEXTS_TOO = new RegExp(
  String.raw`[\s,;]*\b(?:(?:and|also|plus|his|her|their|for|from)\s+)*${TEXTS}\s+(?:too|also|as\s+well)\b`,
  'iu',
);
const BOTH_FILTERS = /\bboth\s+(?:(?:of\s+)?(?:the|his|her|their)\s+)?filters\b/iu;
const OF_FILTERS =
  /\b(?:un)?(?:block|ban|bar)\w*|\b(?:allow|filter|guard|whitelist|blacklist|let|stop)\w*|\bneither\b/iu;

const LINE = String.raw`[#…*]*(?<!\d)\d{4}(?!\d)`;
const LINES = new RegExp(
  String.raw`\b(?<at>for|on)\s+(?:both\s+)?(?<all>${LINE}(?:\s*(?:,|and|&|\+)+\s*(?:(?:on|for)\s+)?${LINE})+)`,
  'iu',
);
const NAME = String.raw`\p{L}[\p{L}-]+(?:\s+\p{Lu}[\p{L}-]+)?`;
const NAMES = new RegExp(
  String.raw`\b(?<at>for|on)\s+(?:both\s+)?(?<one>${NAME})(?:\s*,)?\s+and\s+(?:for\s+)?(?<other>${NAME})`,
  'iu',
);
/** Lines in a list at the place of their customers, beside the number of another: "both kids (0102 and 0103) block +1…". */
const OWN_LINES = new RegExp(
  String.raw`(?<!\b(?:(?:un)?block\w*|allow\w*|ban|by|from|to|with|let|only|and|,)\s+)(?<!\d)\(?(?<all>${LINE}(?:\s*(?:,|and|&|\+)+\s*${LINE})+)\)?`,
  'iu',
);
const HAS_OWNER = new RegExp(String.raw`\b(?:for|on|of)\s+${LINE}`, 'iu');
const WHOLE_NUMBER = /\+?\(?\d[\d().\s-]{8,14}\d/u;
/** Most lines or customers of one message. */
const MOST = 4;

/** The sentence about calls alone, and whether it is about texts too. */
function ofCalls(text: string): { text: string; isBoth: boolean } {
  const groups = PAIR.exec(text)?.groups;
  if (!groups && TEXTS_TOO.test(text) && !SAYS_TEXTS.test(text.replace(TEXTS_TOO, ' ')))
    return { text: text.replace(TEXTS_TOO, ' for calls').trim(), isBoth: true };
  if (!groups) return { text: text.replace(BOTH_FILTERS, 'call filter'), isBoth: BOTH_FILTERS.test(text) };
  const calls = groups.call ?? groups.callNext ?? '';
  return {
    text: text.replace(PAIR, groups.not === undefined ? calls : `not ${calls}`).replace(BOTH, ''),
    isBoth: true,
  };
}

/** The sentence for each line or customer whose filters it names. */
function byOwner(text: string): string[] {
  const { at = 'for', all } = LINES.exec(text)?.groups ?? {};
  const lines = all?.match(/\d{4}/gu);
  if (lines) return lines.map((line) => text.replace(LINES, `${at} ${line}`));
  const own = HAS_OWNER.test(text) ? undefined : OWN_LINES.exec(text)?.groups?.all;
  if (own !== undefined && WHOLE_NUMBER.test(text.replace(own, ' ')))
    return (own.match(/\d{4}/gu) ?? []).map(
      (line) => `${text.replace(OWN_LINES, ' ').replace(/\s+/g, ' ').trim()} for ${line}`,
    );
  const named = NAMES.exec(text)?.groups;
  const isName = (name: string | undefined) => name !== undefined && wordsOf(name).every(({ isUnknown }) => isUnknown);
  if (!named || !isName(named.one) || !isName(named.other)) return [text];
  return [named.one, named.other].map((name) => text.replace(NAMES, `${named.at} ${name}`));
}

/** The operation on the lists of calls or of texts that does the same on those of the other. */
function twinOf(operation: string): string | undefined {
  const list = FILTER_LISTS[operation];
  if (list) {
    const isTwin = (one: FilterList) =>
      one.list === list.list && one.adds === list.adds && one.traffic !== list.traffic;
    return Object.entries(FILTER_LISTS).find(([, one]) => isTwin(one))?.[0];
  }
  const [calls, messages] = (['calls', 'messages'] as const).map((name) => TRAFFIC.find((one) => one.name === name));
  for (const kind of ['list', 'create', 'update'] as const) {
    if (operation === calls?.[kind]) return messages?.[kind];
    if (operation === messages?.[kind]) return calls?.[kind];
  }
  return DELETES[operation];
}

const DELETES: Readonly<Record<string, string>> = {
  subscribers_call_filter_delete: 'subscribers_message_filter_delete',
  subscribers_message_filter_delete: 'subscribers_call_filter_delete',
};

/** The input of a change of the one kind of filter for the other. Undefined if it sets what the other one has not. */
function twinInput(input: Fields, from: string, tool: Tool): Fields | undefined {
  const [own, other] = [from, tool.id].map((id) => FILTER_LISTS[id]);
  const names = new Map([
    [own?.id, other?.id],
    [own?.entries, other?.entries],
    [FILTER_FIELDS[from], FILTER_FIELDS[tool.id]],
    ['AllowedNumbers', 'AllowedContacts'],
    ['BlockedNumbers', 'BlockedContacts'],
  ]);
  const { FilterMode, ...rest } = input;
  const entries = Object.entries(rest).map(([name, value]) => [names.get(name) ?? name, value] as const);
  const mode = FilterMode === 'WHITELIST' ? ONLY_LISTED.messages : FilterMode === undefined ? {} : { FilterMode };
  const twin = { ...Object.fromEntries(entries), ...mode };
  return Object.keys(twin).every((name) => name in tool.input.shape) ? twin : undefined;
}

/** The same answer for the other kind of traffic. Undefined for an answer that is about no filter. */
function twinAnswer(guided: GuidedAnswer, toolOf: (id: string) => Tool | undefined): GuidedAnswer | undefined {
  const from = guided.operation ?? '';
  const tool = toolOf(twinOf(from) ?? '');
  const input = tool && twinInput(guided.input, from, tool);
  if (!tool || !input || guided.isInstead) return undefined;
  const before = toolOf(from)?.title ?? '';
  return { ...guided, operation: tool.id, input, understood: guided.understood.replace(before, tool.title) };
}

const CALL_FILTERS = 'subscribers_call_filter_get';
const SAYS_CALLS = new RegExp(
  String.raw`\b${CALLS}\b|\bphon(?:e|es|ing)\s+(?:her|him|them)\b|\b(?:by|over)\s+(?:the\s+)?phone\b`,
  'iu',
);
const SAYS_TEXTS = new RegExp(
  String.raw`(?<!\b(?:by|in|via|a|an|us|me)\s+)\b${TEXTS}\b(?!\s+(?:us|me|her|him|them)\b)`,
  'iu',
);

/** The answer about filters of texts, where the sentence speaks of texts alone: "block +1… for Ben, sms only". */
export function ofItsTraffic(
  guided: GuidedAnswer,
  said: string,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer {
  const { operation = '' } = guided;
  if (operation === SWITCH) return ofOneKind(guided, said);
  const isOfCalls = FILTER_LISTS[operation]?.traffic === 'calls' || operation === CALL_FILTERS;
  const isOther = isOfCalls && SAYS_TEXTS.test(said) && !SAYS_CALLS.test(said);
  return (isOther ? twinAnswer(guided, toolOf) : undefined) ?? guided;
}

/** Guardian filtering of the only kind that a sentence names: "guardian on for Ben, texts only". */
function ofOneKind(guided: GuidedAnswer, said: string): GuidedAnswer {
  const [isCalls, isTexts] = [SAYS_CALLS.test(said), SAYS_TEXTS.test(said)];
  const features = TRAFFIC.filter(({ feature }) => guided.input[feature] !== undefined);
  if (isCalls === isTexts || features.length < 2) return guided;
  const other = TRAFFIC.find(({ name }) => (name === 'calls') === isTexts)?.feature;
  const input = Object.fromEntries(Object.entries(guided.input).filter(([name]) => name !== other));
  return { ...guided, input };
}

/** The list of the filters of texts beside that of calls, for a question that says neither. */
export function withBothLists(
  guided: GuidedAnswer,
  said: string,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer {
  const isList = guided.operation === CALL_FILTERS && guided.kind === 'lookup';
  if (!isList || guided.isInstead || guided.also || SAYS_CALLS.test(said) || SAYS_TEXTS.test(said)) return guided;
  const twin = RECORDS.test(said) ? undefined : twinAnswer(guided, toolOf);
  return twin ? { ...guided, also: [twin] } : guided;
}

/** An unblock of both lists, or the block or the allowance of calls with a sentence that texts have another list, for an order that says neither. */
export function withOtherKind(
  guided: GuidedAnswer,
  said: string,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer {
  const list = FILTER_LISTS[guided.operation ?? ''];
  const isSilent = list?.traffic === 'calls' && !SAYS_CALLS.test(said) && !SAYS_TEXTS.test(said);
  // Whom an unblock frees may be on both lists.
  const isFreed = isSilent && !list.adds && list.list === 'blocked' && guided.kind !== 'help' && !guided.also;
  const twin = isFreed && !guided.isInstead && guided.input.Numbers ? twinAnswer(guided, toolOf) : undefined;
  if (twin) return { ...guided, also: [twin] };
  if (!isSilent || !list.adds || guided.kind === 'help' || guided.also || guided.isInstead || guided.isOutgoing)
    return guided;
  const told = `; this is about calls: texts have a list of their own, and “both” ${list.list === 'blocked' ? 'blocks' : 'allows'} them too`;
  const understood = `${guided.understood.replace(/\.$/, '')}${told}.`;
  return { ...guided, understood, remarks: `${told}${guided.remarks ?? ''}` };
}

const RECORDS = /\brecord/iu;

const SWITCH = 'subscribers_guardian_features_set';

/** The answers to a sentence about several filters, the first one with the others. Undefined for any other sentence. */
export function ofJointFilters(
  text: string,
  alone: (text: string) => GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer | undefined {
  if (!OF_FILTERS.test(text) || /["“„:]/u.test(text)) return undefined;
  const { text: calls, isBoth } = ofCalls(text);
  const parts = byOwner(calls);
  if ((parts.length < 2 && !isBoth) || parts.length > MOST) return undefined;
  const answers = parts.map(alone);
  if (isBoth && answers.every(({ operation }) => operation === SWITCH)) return switchedBoth(answers);
  const all = answers.flatMap(({ also = [], ...one }) => [one, ...also, ...(isBoth ? [twinAnswer(one, toolOf)] : [])]);
  const [first, ...others] = all.filter((one) => one !== undefined);
  const isFilter = (one: GuidedAnswer) =>
    one.kind === first?.kind && !one.isInstead && twinOf(one.operation ?? '') !== undefined;
  const isSame =
    new Set(all.map((one) => JSON.stringify([one?.operation, one?.input]))).size < all.length || !all.every(Boolean);
  if (!first || isSame || ![first, ...others].every(isFilter)) return undefined;
  const lists = isBoth ? '; calls and texts have lists of their own' : '';
  const owners = parts.length > 1 ? '; each line has a filter of its own' : '';
  const told = `${first.understood.replace(/\.$/, '')}${owners}${lists}.`;
  return { ...first, understood: told, also: others.map((one) => (one.remarks === first.remarks ? untold(one) : one)) };
}

/** A further answer without the remarks of the first one. */
function untold({ remarks: _, ...guided }: GuidedAnswer): GuidedAnswer {
  return guided;
}

/** Guardian filtering of calls, and the same for messages. */
function switchedBoth([first, ...others]: readonly GuidedAnswer[]): GuidedAnswer | undefined {
  const [calls, messages] = (['calls', 'messages'] as const).map((name) => TRAFFIC.find((one) => one.name === name));
  if (!first || others.length > 0 || !calls || !messages) return undefined;
  const value = first.input[calls.feature];
  return { ...first, input: { ...first.input, [messages.feature]: value } };
}
