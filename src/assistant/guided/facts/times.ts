/*
 * Each time in a sentence leaves a mark that shows its clause. The mark is a space that no one types and that is part
 * of no word.
 */

/** A day that a sentence names. */
export interface Day {
  /** YYYY-MM-DD. */
  iso: string;
  /** True for a day up to which something holds: "until Jan 5", "from Friday to Monday". */
  isEnd: boolean;
}

/** A time as a sentence has it. Its index is that of its mark. */
export interface Time {
  /** As it is written: "for 2 weeks". */
  text: string;
  /**
   * - `day`: a day that may be filled in.
   * - `end`: it limits a period.
   * - `later`: a time of day, or one that is not yet.
   * - `past`: a time that is over.
   * - `often`: again and again.
   * - `unread`: written like a day, and none that is understood.
   */
  kind: 'day' | 'end' | 'later' | 'past' | 'often' | 'unread';
  /** Only of `day`. */
  day?: Day;
}

const FIRST_MARK = 0x2000;
/** Times of a sentence that are marked. Further ones are not told. */
const MAX_MARKS = 11;
const MARKS = /[\u2000-\u200a]/g;

/** The mark of a time. Empty for a sentence with too many of them. */
export function marked(index: number): string {
  return index < MAX_MARKS ? String.fromCharCode(FIRST_MARK + index) : '';
}

/** The text without marks. */
export function unmarked(text: string): string {
  return text.replace(MARKS, ' ');
}

export function isMarked(text: string): boolean {
  return text.search(MARKS) >= 0;
}

/** The indexes of the marks in a text. */
export function marksIn(text: string): number[] {
  return [...text.matchAll(MARKS)].map(([mark]) => mark.charCodeAt(0) - FIRST_MARK);
}

const COUNT = '(?:\\d{1,3}|an?|one|two|three|four|five|six|ten|some|a\\s+few|few|a\\s+couple\\s+of|couple)';
const UNIT = '(?:minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|wks?|months?|years?|yrs?)';
const PART = '(?:morning|afternoon|evening|night|weekend|day|week|month|year|winter|summer|spring|fall|autumn)';
const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?';
const SHORT = '(?:minutes?|mins?|hours?|hrs?)';

type Pattern = readonly [kind: Time['kind'], pattern: string];

/** Times that have a day in them, and are none: "every Monday". */
const BEFORE_DAYS: readonly Pattern[] = [
  ['often', `\\b(?:every|each)\\s+(?:other\\s+|single\\s+)?(?:${WEEKDAY}|${PART})\\b|\\b(?:daily|weekly|nightly)\\b`],
  ['past', `\\b(?:since|on|from)?\\s*\\b(?:last|past|previous)\\s+(?:${PART}|${WEEKDAY}|${COUNT}\\s+${UNIT})\\b`],
  [
    'often',
    '\\b(?:except\\s+)?(?:on\\s+|at\\s+)?(?:weekends|weekdays|nights|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\\b',
  ],
  [
    'end',
    '\\b(?:just\\s+|only\\s+)?for\\s+(?:just\\s+|only\\s+)?(?:tonight|today|now)\\b|(?<=\\b(?:but|and|,)\\s+)(?:just|only)\\s+(?:tonight|today)\\b',
  ],
];

const AFTER_DAYS: readonly Pattern[] = [
  [
    'end',
    `\\bfor\\s+(?:(?:just|only|about|at\\s+least|around|up\\s+to|max|another|the\\s+next|the\\s+coming)\\s+)*${COUNT}\\s+(?:more\\s+)?${UNIT}\\b`,
  ],
  [
    'end',
    `\\b(?:for|over|during)\\s+(?:(?:just|only|the|this|rest\\s+of|next|coming|whole)\\s+)+(?:${PART}|holidays?|time\\s+being|moment|vacation)s?\\b`,
  ],
  [
    'end',
    '\\bfor\\s+(?:a\\s+(?:little\\s+|short\\s+)?(?:while|bit)|some\\s+time|christmas|thanksgiving|easter|january|february|march|april(?![\u2019\u0027])|may(?=\\s*(?:$|[,.;!]|please\\b|pls\\b))|june|july|august|september|october|november|december)\\b|\\bover\\s+(?:christmas|thanksgiving|easter|new\\s+year)\\b|\\btemporarily\\b',
  ],
  [
    'end',
    '\\b(?:until|till|til|while)\\s+(?:further\\s+notice\\b|\\p{L}(?:(?!\\s(?:and|but|please|pls)\\b)[^,.;!?]){0,60})',
  ],
  [
    'past',
    `\\b(?:the\\s+)?day\\s+before\\s+yesterday\\b|\\byesterday\\b|\\b${COUNT}\\s+${UNIT}\\s+ago\\b|\\bearlier\\s+today\\b`,
  ],
  [
    'later',
    `(?:\\b(?:at|by|around|from|before|after|until|till|til)\\s*|\\b(?=\\d{1,2}\\s*[ap]m\\b))\\d{1,2}(?:(?:[:.]\\d{2})?\\s*(?:am|pm|o'?clock)|:\\d{2})(?![\\w:])|\\b(?:at|by|before|after|around)\\s+(?:noon|midnight|lunch|work|closing|hours)\\b`,
  ],
  ['later', `\\bin\\s+(?:about\\s+)?(?:${COUNT}|half\\s+an)\\s+(?:${SHORT}|months?|years?)\\b`],
  [
    'later',
    '\\b(?:tonight|this\\s+(?:afternoon|evening|weekend)|later(?:\\s+today)?|next\\s+(?:year|weekend)|(?:at\\s+the\\s+)?end\\s+of\\s+(?:the\\s+)?day|eod)\\b',
  ],
];

/**
 * Finds the times of a sentence that are no days, and leaves a mark behind each.
 *
 * @param when whether the days of the sentence are still in it
 * @param times the times that were found before, to which these are added
 */
export function markTimes(sentence: string, when: 'before days' | 'after days', times: Time[]): string {
  const isFirst = when === 'before days';
  return (isFirst ? BEFORE_DAYS : AFTER_DAYS).reduce(
    (rest, [kind, pattern]) =>
      rest.replace(new RegExp(pattern, 'giu'), (whole: string, ...found: unknown[]) => {
        const after = rest.slice(Number(found.find((one) => typeof one === 'number')) + whole.length);
        // A time within another one is not named separately.
        const within = times[marksIn(after.slice(0, 1))[0] ?? -1];
        if (isMarked(whole.trimEnd()) || (within && within.kind !== 'day')) return whole;
        times.push({ kind, text: whole.trim().replace(/\s+/g, ' ') });
        const mark = marked(times.length - 1);
        return isFirst ? ` ${mark} ` : `${whole}${mark}`;
      }),
    sentence,
  );
}

const SPAN = '(?:hours?|hrs?|minutes?|mins?|days?|nights?|weeks?|wks?|months?|quarters?|years?|weekend|cycle|period)';
const MONTHS =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)';
const SAID = new RegExp(
  String.raw`\b(?:(?:since|from|after|before|in|during|for|over|within)\s+)?(?:(?:the\s+)?(?:this|last|past|previous|current|next|coming)\s+(?:billing\s+|calendar\s+)?(?:(?:\d+|two|three|few|couple\s+of|${COUNT})\s+)?(?:${SPAN}|morning|afternoon|evening|${WEEKDAY}|${MONTHS})|today|tonight|tomorrow|yesterday(?:\s+(?:morning|afternoon|evening|night))?|over\s*night|right\s+now|soon|(?:at\s+)?(?:the\s+)?(?:month|week|year)[\s-]end|(?:the\s+)?end\s+of\s+(?:the\s+)?${SPAN})\b|\b(?:since|in|during|for|of|from|until|by|on|before|after)\s+(?:the\s+)?(?:${MONTHS}(?:\s+\d{1,2})?|${WEEKDAY}|(?:mon|tue|wed|thu|fri|sat|sun)|midnight|noon|lunch|\d{1,2}(?:st|nd|rd|th)|\d{1,2}(?::\d{2})?\s*(?:am|pm))\b|\b(?:january|february|april|june|july|august|september|october|november|december|oct|nov|dec)\b`,
  'iu',
);

/** The first words of a sentence that say a time or a period, as they are written. */
export function timeSaid(sentence: string): string | undefined {
  return SAID.exec(sentence)?.[0].trim();
}

/** Told where a sentence asks for the data of a period. */
export const OF_NOW = 'the platform tells what is used and left now, and not by period';
