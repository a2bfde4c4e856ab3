import { wordsOf } from '../../../language/sentence.ts';
import { marksIn, type Time } from './times.ts';

/* Contrasts: "park 0103 instead of 0104", "rather park than cancel", "don't cancel, just park it". One side is wanted. */

const NUMBER = String.raw`(?:(?:numbers?|lines?|the|ending|in|with)\s+)*[#…*(]*(?:\+?\(?\d[\d().\s-]{8,16}\d|\d{4})(?![\w-])`;
const NUMBERS = String.raw`${NUMBER}(?:\s*(?:,|\band\b|\bor\b|\bnor\b|&)\s*${NUMBER})*`;
/** Before numbers that are not meant. */
const NOT_THESE = new RegExp(
  String.raw`[,;]?\s*\b(?:(?:but|and)\s+)?(?:(?:not|except(?:\s+for)?|excluding|besides|instead\s+of|rather\s+than|other\s+than|unlike|apart\s+from)\s+(?:for\s+|on\s+|to\s+)?|(?:please\s+)?(?:keep|leave)\s+|(?:do\s+not|do\s?n['’]?t|never)\s+(?:touch|mean|include)\s+)(?:both\s+)?(${NUMBERS})(?:\s+(?:alone|active|running|open|untouched|out|as\s+(?:it|they)\s+(?:is|are)))?`,
  'giu',
);
/** Before an exception to all: the numbers after it are what is asked about. */
const ALL = /\b(?:every\w*|all|any\w*|no\s*body|no\s+one|rest|only)\b[^,.;!?]*$/i;
const PREFERS = /\b(?:rather|prefer\w*|sooner|better)\b/i;
/** The words after these are not wanted. "Than" is only beside a word such as "rather". */
const INSTEAD_OF = /\b(?:instead\s+of|rather\s+than|in\s+place\s+of|as\s+opposed\s+to|than)(?= |$) ?/i;
const AMOUNT = /^\s*\d[\d.]*\s*(?:gb|mb|gigs?)?\s*$/i;
/** Words that begin what is said next. */
const NEXT =
  /^(?:we|i|you|u|she|he|they|it's|please|pls|plz|should|could|can|would|must|let's|and|but|so|because|for)$/i;
const NEGATION = String.raw`(?:do\s+not|do\s?n['’]?t|not|never|no\s+need\s+to|without)`;
/** "Don't cancel 0104 just park it": the second part is a separate request. */
const BUT_DO = new RegExp(
  String.raw`(\b${NEGATION}\s+(?!only\b|just\b)([^,.;!?]*?))\s+(?:just|rather|instead|better|simply|only)\s+(?!if\b|when\b|because\b|yet\b)`,
  'giu',
);
/** "Park, not cancel": the second one is refused. */
const NOT_DOING =
  /[,(]?\s*\b(?:(?:and|but)\s+)?not\s+(?:to\s+|be\s+|being\s+)?([\p{L}-]+)(?:\s+(?:it|her|him|them|off))?\)?/giu;
/** "On starter, not on family". */
const NOT_THERE =
  /,?\s*\b(?:(?:and|but)\s+)?not\s+(?:on|to|for|from|with)\s+(?:the\s+)?(?!now\b|today\b|at\b)[^,.;!?]+?(?=\s+(?:but|and)\b|[,.;!?]|$)/giu;
/** "Not Ava's but Ben's line". */
const NOT_HERS =
  /\bnot\s+(?!only\b|just\b|yet\b|now\b)((?:for\s+|on\s+)?[\p{L}'’]+)(?:\s+line|\s+number)?,?\s+but\s+(?=(?:for\s+|on\s+)?[\p{L}'’]+)/giu;

const NAME = String.raw`\p{L}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)?`;
const OF_NAME = String.raw`(?:['’]s|s)?(?:\s+(?:line|number|sim|phone|account|one)s?)?`;
/** "Don't touch Ava's line, only Ben's", "not Ava, Ben", "leave Ava alone": people who are not meant. */
const NOT_THEM = new RegExp(
  [
    String.raw`\b(?:do\s+not|do\s?n['’]?t|never|not)\s+(?:touch|mean|include|change\s+anything\s+(?:for|on))\s+(?:the\s+(?:line|number)\s+of\s+)?(${NAME}?)${OF_NAME}\s*(?=[,.;]|\bbut\b|\bonly\b|$)`,
    String.raw`(?<=^|[,.;]\s*)(?:but\s+|and\s+)?not\s+(?:for\s+)?(${NAME}?)${OF_NAME}\s*(?=[,.;]|\bbut\b|$)`,
    String.raw`(?:[,;]\s*|\b(?:and|but)\s+)?\b(?:leave|keep)\s+(?:the\s+(?:line|number)\s+of\s+)?(${NAME}?)${OF_NAME}\s+(?:alone|untouched|out|as\s+(?:it\s+)?is)\b`,
  ].join('|'),
  'giu',
);

const VOLUME = String.raw`\d+(?:\.\d+)?\s*(?:gb|mb|gigs?|megs?|gigabytes?|megabytes?)\b`;
const SETS =
  '(?:rais(?:e|ing)|lower(?:ing)?|increas(?:e|ing)|decreas(?:e|ing)|reduc(?:e|ing)|cut(?:ting)?|set(?:ting)?|limit(?:ing)?|cap(?:ping)?|chang(?:e|ing)|mak(?:e|ing)|put(?:ting)?|bump(?:ing)?|drop(?:ping)?|giv(?:e|ing)|go(?:ing)?)';
/** "Don't lower the limit to 10 MB, raise it to 100 MB": only the second amount is wanted. */
const NOT_TO_AMOUNT = new RegExp(
  String.raw`\b${NEGATION}\s+(?:to\s+)?${SETS}\b((?:[^,.;!?]|\.\d)*?)\b(?:(?:to|at|by|of|on)\s+)?(${VOLUME})(?=\s*(?:for\s+now|please)?\s*(?:[,;.!]|[-–—]|\bbut\b|\band\b)(?:[\s,;.–—-]|but|and|no|please|pls|just|only|rather|instead|better|it|should|be|we|i|you|want|need)*(?:${SETS}|keep|leave|to|at)\b[^,.;!?]*?${VOLUME})`,
  'iu',
);
/** "2 GB, not 5 GB", "not 5 GB but 2 GB". */
const NOT_AMOUNT = new RegExp(String.raw`[,;]?\s*\b(?:(?:but|and)\s+)?not\s+(?:to\s+|at\s+|by\s+)?(${VOLUME})`, 'giu');

/** Words that change something. A contrast of other words says nothing about what is wanted. */
export const DEEDS: ReadonlySet<string> = new Set(
  'cancel park activate reactivate block unblock allow swap portin portout remove off on raise create assign subscribe unsubscribe unwatch resubmit forward text send'.split(
    ' ',
  ),
);

/** The sentence without what it says is not wanted, and the words that were left out. */
export function withoutUnwanted(sentence: string, times: readonly Time[] = []): { rest: string; leftOut: string[] } {
  const leftOut: string[] = [];
  const without = (text: string, pattern: RegExp, isLeft: (match: string[], at: number, all: string) => boolean) =>
    text.replace(pattern, (...found: unknown[]) => {
      const at = found.findIndex((one) => typeof one === 'number');
      const match = found.slice(0, at).map(String);
      const whole = match[0] ?? '';
      if (!isLeft(match, Number(found[at]), text)) return whole;
      leftOut.push(whole.replace(/^[\s,;(]+|[\s)]+$/g, '').replace(/\s+/g, ' '));
      return ' ';
    });
  let rest = sentence.replace(BUT_DO, (whole, refused: string, what: string) =>
    hasDeed(what) ? `${refused}, ` : whole,
  );
  rest = rest.replace(NOT_TO_AMOUNT, (_, between: string, amount: string) => {
    leftOut.push(`not to ${amount}`);
    return `set limit ${between} `;
  });
  rest = without(rest, NOT_AMOUNT, ([whole = ''], at, all) =>
    new RegExp(VOLUME, 'iu').test(all.slice(0, at) + all.slice(at + whole.length)),
  );
  rest = withoutSecond(withoutDay(rest, leftOut, times), leftOut, times);
  rest = without(rest, NOT_THESE, ([whole = ''], at, all) => {
    const [before, after] = [all.slice(0, at), all.slice(at + whole.length)];
    const isException = ALL.test(
      /^[,;]?\s*(?:(?:but|and)\s+)?not\b/i.test(whole) ? before.replace(/\bonly\b/gi, '') : before,
    );
    return !isException && hasNumber(before + after) && hasDeed(before + after);
  });
  rest = without(rest, NOT_THEM, ([, ...names], at, all) => {
    const name = names.find((one) => one !== 'undefined' && one !== '') ?? '';
    const isOne = wordsOf(name.replace(/(?:['’]s?|(?<=\p{Ll})s)$/u, '')).every(({ isUnknown }) => isUnknown);
    const others = all.slice(0, at) + all.slice(at).replace(NOT_THEM, ' ');
    return isOne && (hasDeed(others) || /\b(?:needs?|wants?|gets?)\b/i.test(others));
  });
  rest = without(rest, NOT_HERS, (_, at, all) => hasDeed(all.slice(0, at)) || hasDeed(all.slice(at)));
  rest = without(rest, NOT_DOING, ([, deed = ''], at, all) => isDeed(deed) && isWanted(clauseBefore(all, at)));
  rest = without(rest, NOT_THERE, (_, at, all) => isWanted(clauseBefore(all, at)));
  return { rest, leftOut };
}

/** The sentence without the second side of "instead of", "rather than" and "rather … than". */
function withoutSecond(sentence: string, leftOut: string[], times: readonly Time[]): string {
  const found = INSTEAD_OF.exec(sentence);
  if (!found) return sentence;
  const [before, after] = [sentence.slice(0, found.index), sentence.slice(found.index + found[0].length)];
  if (/^than\b/i.test(found[0]) && !PREFERS.test(before)) return sentence;
  // "Dec 3 instead of Dec 1": the second day keeps only its mark.
  const day = times[marksIn(/^\s*/.exec(after)?.[0] ?? '')[0] ?? -1];
  if (day) {
    leftOut.push(`${found[0]}${day.text}`);
    return `${before} ${after.trimStart()}`;
  }
  const words = after.match(/\s*[^\s,.;!?]+(?:\.\d+)?/g) ?? [];
  const isEnd = (word: string, at: number) =>
    NEXT.test(word.trim()) ||
    new RegExp(`^${NUMBER}`, 'u').test(word.trim()) ||
    (at > 0 && /[,.;!?]/.test(words[at - 1]?.at(-1) ?? ''));
  const end = words.findIndex((word, at) => isEnd(word, at));
  let second = words.slice(0, end < 0 ? undefined : end).join('');
  // A number that is named once belongs to both sides.
  const own = new RegExp(`^\\s*(?:of\\s+|on\\s+|for\\s+)?${NUMBER}`, 'u').exec(after.slice(second.length))?.[0] ?? '';
  if (hasNumber(before) && own !== '') second += own;
  if (second.trim() === '') return sentence;
  leftOut.push(`${found[0]}${second}`.trim().replace(/\s+/g, ' '));
  // "10 gb instead of 5" asks for another amount.
  const kept = AMOUNT.test(second) && hasAmount(before) ? 'instead' : '';
  return `${before.replace(PREFERS, ' ')} ${kept} ${after.slice(second.length)}`;
}

function hasAmount(text: string): boolean {
  return /\d\s*(?:gb|mb|gigs?)\b/i.test(text);
}

const DAY_MARK = '[\\u2000-\\u200a]';
/** A space that is no mark. */
const SPACE = '[^\\S\\u2000-\\u200a]';
/** "Not before Monday": it begins then. */
const NOT_BEFORE = new RegExp(`[,;]?${SPACE}*\\b(?:(?:but|and)\\s+)?not(\\s*${DAY_MARK}\\s*)`, 'gi');
const STARTS = /^(?:before|until|till|til)\b/i;
/** "Tomorrow and not today", "on 12/15, not before". */
const NOT_THEN = new RegExp(
  `[,;]?${SPACE}*\\b(?:(?:but|and)\\s+)?not\\b(?:\\s+(?:for|on|from|until|till|any|a|even|one|single|day|minute))*(?:\\s+(?:before|earlier|sooner|until)(?:\\s+(?:then|that|than\\s+that))?(?=\\s*(?:$|[,.;!]|\\b(?:please|pls|ok)\\b))|\\s+(?:right\\s+)?(?:today|tonight|tomorrow|now|immediately|yet)\\b\\s*${DAY_MARK}?|\\s*${DAY_MARK})`,
  'gi',
);

/** The sentence without the second day of "on Friday, not Thursday". */
function withoutDay(sentence: string, leftOut: string[], times: readonly Time[]): string {
  const rest = sentence.replace(NOT_BEFORE, (whole, space: string) => {
    const day = times[marksIn(space)[0] ?? -1];
    if (!day?.day || !STARTS.test(day.text)) return whole;
    day.day.isEnd = false;
    return space;
  });
  return rest.replace(NOT_THEN, (whole, at: number, all: string) => {
    const days = (text: string) => marksIn(text).flatMap((mark) => times[mark]?.day ?? []);
    const others = `${all.slice(0, at)} ${all.slice(at + whole.length)}`;
    if (days(others).length === 0) return whole;
    const [day] = marksIn(whole).flatMap((mark) => times[mark] ?? []);
    const said = day ? `not ${day.text}` : whole.replace(/^[\s,;]+/, '').replace(/^(?:but|and)\s+/i, '');
    leftOut.push(said.trim().replace(/\s+/g, ' '));
    return ' ';
  });
}

function clauseBefore(text: string, at: number): string {
  return /[^.;!?]*$/.exec(text.slice(0, at))?.[0] ?? '';
}

/** True if a text asks for a deed and does not refuse it. */
function isWanted(text: string): boolean {
  return hasDeed(text) && !new RegExp(String.raw`\b${NEGATION}\b`, 'iu').test(text);
}

function hasDeed(text: string): boolean {
  return wordsOf(text.replace(/\d/g, ' ')).some(({ acts, things }) =>
    [...acts, ...things].some((one) => DEEDS.has(one)),
  );
}

function isDeed(word: string): boolean {
  return hasDeed(word);
}

function hasNumber(text: string): boolean {
  return new RegExp(`(?<![\\w+-])${NUMBER}`, 'u').test(text);
}
