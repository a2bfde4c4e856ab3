import { wordsOf } from '../../../language/sentence.ts';
import type { GuidedAnswer } from '../answers/answer.ts';

/*
 * Orders about the words that a filter flags: "add the words vape and weed to Ben's filter", "take weed back out", "replace
 * vape by vaping". The guide has no records, so that a surface adds them to the present ones.
 */

export type WordChange = NonNullable<GuidedAnswer['words']>;

const NOUN = String.raw`(?:(?:the|these|those|this|that|following|blocked|banned|forbidden|bad|key|custom|filter)\s+)*(?:key\s?)?(?:words?|terms?|phrases?)`;
const WORD = String.raw`["“„']?(?!(?:to|on|for|from|in|into|of|out|off|by|with|and|back|please|pls|too|again|it|them|that|this|is|are|list|filter)\b)[\p{L}][\p{L}\p{N}'’-]*["”']?`;
const LIST = String.raw`${WORD}(?:\s*(?:,|&|\band\b|\bor\b)+\s*${WORD})*`;
const ADDS = new RegExp(
  String.raw`\b(?:add|block|ban|filter|include|flag|forbid|stop|put|also|and|want|need)\s+(?:also\s+|in\s+)?${NOUN}\s*:?\s*(?<list>${LIST})`,
  'iu',
);
const ADDS_TO = new RegExp(
  String.raw`\b(?:add|put)\s+(?<list>${LIST})\s+(?:to|on|into|in)\s+(?:\p{L}+['’]?s?\s+){0,4}?(?:key\s?)?(?:words?|word\s*list)\b`,
  'iu',
);
const REMOVES = new RegExp(
  String.raw`\b(?:take|remove|delete|drop|unblock|allow|strike|get)\s+(?:out\s+|off\s+|rid\s+of\s+)?${NOUN}\s*:?\s*(?<list>${LIST})`,
  'iu',
);
const REMOVES_FROM = new RegExp(
  String.raw`\b(?:take|remove|delete|drop|strike|get)\s+(?<list>${LIST})\s+(?:back\s+|again\s+)?(?:off|out|from)\b(?:\s+(?:of\s+|from\s+)?(?:\p{L}+['’]?s?\s+){0,4}?(?:key\s?)?(?:words?|word\s*list)\b)?`,
  'iu',
);
const REPLACES = new RegExp(
  String.raw`\b(?:replace|change|swap|exchange)\s+(?:${NOUN}\s+)?(?<old>${WORD})\s+(?:by|with|to|for|into)\s+(?:${NOUN}\s+)?(?<list>${LIST})`,
  'iu',
);
/** "Take weed off ben's filter": a word without a meaning here is one on its list. */
const OF_FILTER = String.raw`(?:(?:his|her|their|its)|\p{L}+(?:\s+\p{L}+)?['’]s)\s+(?:message\s+|text\s+|sms\s+)?filters?\b`;
const REMOVES_BARE = new RegExp(
  String.raw`\b(?:take|remove|delete|drop|strike|get)\s+(?<list>${LIST})\s+(?:back\s+|again\s+)?(?:off|out\s+of|from)\s+${OF_FILTER}`,
  'iu',
);
const ADDS_BARE = new RegExp(String.raw`\b(?:add|put)\s+(?<list>${LIST})\s+(?:to|on|into|in)\s+${OF_FILTER}`, 'iu');

function bareWordsIn(text: string): WordChange | undefined {
  const [removed, added] = [REMOVES_BARE, ADDS_BARE].map((pattern) => pattern.exec(text)?.groups?.list);
  const list = removed ?? added;
  const isWords = list !== undefined && !/\p{Lu}/u.test(list) && listOf(list).every(isUnknownWord);
  if (!isWords) return undefined;
  return removed === undefined ? { adds: listOf(added), removes: [] } : { adds: [], removes: listOf(removed) };
}

function isUnknownWord(word: string): boolean {
  return wordsOf(word).every(({ isUnknown }) => isUnknown);
}

const OF_WORDS = /\b(?:key\s?)?words?\b|\bterms?\b/iu;

/**
 * The words that a text puts on the list of a filter or takes off it.
 *
 * @param isAfter true if words of a filter were spoken of before, so that the noun may be left out
 */
export function wordsIn(text: string, isAfter = false): WordChange | undefined {
  const isNamed = OF_WORDS.test(text);
  if (!isNamed && !isAfter) return bareWordsIn(text);
  const replaced = REPLACES.exec(text)?.groups;
  if (replaced) return { adds: listOf(replaced.list), removes: listOf(replaced.old) };
  const removed = (isNamed ? REMOVES.exec(text) : null) ?? REMOVES_FROM.exec(text);
  if (removed) return { adds: [], removes: listOf(removed.groups?.list) };
  const added = ADDS_TO.exec(text) ?? ADDS.exec(text) ?? (isAfter ? ADDS_ALONE.exec(text) : null);
  return added ? { adds: listOf(added.groups?.list), removes: [] } : undefined;
}

const QUOTED = /["“„](?<word>[^"“”„]{1,40})["”“]/gu;
const PUTS_ON = /\b(?:add|put|flag|include|block|ban|forbid|filter|watch|catch|stop)\w*\b/iu;
const TAKES_OFF = /\b(?:take|remove|delete|drop|strike|unblock|allow)\w*\b/iu;
const OF_LIST = /\b(?:(?:key\s?)?words?|terms?|phrases?|word\s*list|filters?)\b/iu;
const SENDS = /^\W*(?:(?:please|pls|can|could|you|u|hi|hey)[\s,]+)*(?:text|sms|message|send|tell|write|reply|let)\b/iu;
const MOST_WORDS = 4;

/** The words in quotation marks that an order puts on the list of a filter or takes off it. They may be phrases. */
export function quotedWordsIn(text: string): WordChange | undefined {
  const words = [...text.matchAll(QUOTED)].map(({ groups }) => groups?.word?.trim() ?? '');
  const rest = text.replace(QUOTED, ' ');
  const isShort = words.every((word) => word !== '' && word.split(/\s+/).length <= MOST_WORDS);
  if (words.length === 0 || !isShort || !OF_LIST.test(rest) || SENDS.test(rest) || /\?\s*$/.test(rest))
    return undefined;
  // "Take … off the blocked words": the first verb is the order.
  const [on, off] = [PUTS_ON, TAKES_OFF].map((verb) => verb.exec(rest)?.index ?? rest.length);
  if (on === off) return undefined;
  return (on ?? 0) < (off ?? 0) ? { adds: words, removes: [] } : { adds: [], removes: words };
}

const TEXTS = String.raw`(?:(?:all|any|every|more|incoming|the)\s+)*(?:texts?|messages?|sms(?:es)?|msgs?|anything|everything)`;
const HAVING = String.raw`(?:with\s+(?:the\s+)?(?:words?|terms?|phrases?)|(?:(?:that|which)\s+(?:says?|contains?|mentions?|includes?|has|have|talks?\s+about)|containing|mentioning|including|saying)(?:\s+(?:the\s+)?(?:words?|terms?|phrases?))?)\s*:?\s*`;
const STOPS_TEXTS = new RegExp(
  String.raw`\b(?:stop|block|ban|filter(?:\s+out)?|reject|forbid|flag|catch|hold\s+back|keep\s+out|get\s+rid\s+of|no(?=\s+more))\s+${TEXTS}\s+${HAVING}(?<list>${LIST})(?:\s+in\s+(?:it|them))?`,
  'iu',
);
const NO_TEXTS = new RegExp(
  String.raw`^\W*(?<who>(?!(?:he|she|they|it|we|you|i)\b)\p{L}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}-]+)?|[#…*]*\d{4})\s+(?:should\s*(?:n['’]?t|\s+not)|must\s*(?:n['’]?t|\s+not)|does\s*(?:n['’]?t|\s+not)\s+want(?:\s+to)?|wants?\s+no)\s+(?:(?:to|see|get|receive|have|be|sent|read)\s+)*${TEXTS}\s+${HAVING}(?<list>${LIST})`,
  'iu',
);

/** "Stop texts with the word casino for ben", "ben shouldn't see messages that say viagra": the order for his filter. */
export function withTextWords(text: string): string {
  if (/["“„?]/u.test(text)) return text;
  const { who, list = '' } = NO_TEXTS.exec(text)?.groups ?? {};
  if (who !== undefined) return text.replace(NO_TEXTS, () => `add the words ${list} to the message filter for ${who}`);
  return text.replace(STOPS_TEXTS, 'add the words $<list> to the message filter');
}

/** "And vaping too", after words were added. */
const ADDS_ALONE = new RegExp(
  String.raw`^\W*(?:(?:and|also|plus|add|ok|please|pls)[\s,]+)+(?<list>${LIST})(?:[\s,]+(?:too|also|as\s+well|please|pls))*[\s.!]*$`,
  'iu',
);

function listOf(list: string | undefined): string[] {
  const words = (list ?? '').split(/\s*(?:,|&|\band\b|\bor\b)+\s*/iu).map((word) => word.replace(/["“”„]|^'|'$/g, ''));
  return [...new Set(words.filter((word) => word !== ''))];
}

/** Says to a person which words a change adds and removes. */
export function wordsText({ adds, removes }: WordChange): string {
  const parts = [
    ...(adds.length === 0 ? [] : [`adds ${quoted(adds)}`]),
    ...(removes.length === 0 ? [] : [`takes ${quoted(removes)} off`]),
  ];
  return `; it ${parts.join(' and ')}, and the other words of the filter stay`;
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `“${word}”`).join(', ');
}
