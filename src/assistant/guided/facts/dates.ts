import { DAY_MS } from '../../../lib/clock.ts';
import { isMarked, marked, marksIn, type Time } from './times.ts';

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const WEEKDAYS = 'sun mon tue wed thu fri sat'.split(' ');
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const WEEKDAY = '(sun(?:day)?|mon(?:day)?|tues?(?:day)?|wed(?:nesday)?|thur?s?(?:day)?|fri(?:day)?|sat(?:urday)?)';
const BEFORE =
  '(?<end>\\b(?:until|till|til|through|up\\s+to|before|by)\\s+)?(?:\\b(?:on|at|in|from|the|starting|effective|as\\s+of|for)\\s+)*';
const COUNTS: Readonly<Record<string, number>> = { a: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6 };

/** The ways to name a day, and the day of each, counted from `today` (midnight, epoch ms). */
const FORMS: readonly (readonly [
  pattern: string,
  day: (found: readonly string[], today: number) => number | undefined,
])[] = [
  ['\\b(\\d{4})[-/](\\d{1,2})[-/](\\d{1,2})\\b', ([y, m, d]) => dayOf(Number(y), Number(m), Number(d))],
  // With dashes, the day is only clear if it cannot be a month.
  ['\\b(\\d{1,2})-(1[3-9]|2\\d|3[01])-(\\d{4})\\b', ([m, d, y]) => dayOf(Number(y), Number(m), Number(d))],
  ['\\b(\\d{1,2})/(\\d{1,2})/(\\d{2})\\b(?!/)', ([m, d, y]) => dayOf(2000 + Number(y), Number(m), Number(d))],
  ['\\b(\\d{1,2})/(\\d{1,2})/(\\d{4})\\b', ([m, d, y]) => dayOf(Number(y), Number(m), Number(d))],
  ['\\b(\\d{1,2})/(\\d{1,2})\\b(?!/|\\s+(?:an?|of)\\b)', ([m, d], today) => next(Number(m), Number(d), today)],
  [`\\b${MONTH}\\s+(\\d{1,2})(?:st|nd|rd|th)?(?:,?\\s+(\\d{4}))?\\b`, ([m = '', d, y], today) => named(m, d, y, today)],
  [
    `\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+)?${MONTH}(?:,?\\s+(\\d{4}))?(?![a-z])`,
    ([d, m = '', y], today) => named(m, d, y, today),
  ],
  // A day without a month: "on the 15th".
  [
    '(?<=\\bthe\\s+)(\\d{1,2})(?:st|nd|rd|th)\\b(?!\\s+(?:one|lines?|numbers?|time|of|sim|floor|street|st|ave|avenue)\\b)',
    ([d], today) => nextOfMonth(Number(d), today),
  ],
  // A month without a day: "until March", "in March".
  [
    `(?<=\\b(?:until|till|til|through|by|before|from|starting|in)\\s)${MONTH}(?!\\s*\\d)\\b`,
    ([m = ''], today) => named(m, '1', undefined, today),
  ],
  ['\\bend\\s+of\\s+(?:the\\s+|this\\s+)?month\\b', (_, today) => endOfMonth(today, 1)],
  ['\\bend\\s+of\\s+next\\s+month\\b', (_, today) => endOfMonth(today, 2)],
  ['\\b(?:beginning\\s+of\\s+|start\\s+of\\s+)?next\\s+month\\b', (_, today) => endOfMonth(today, 1) + DAY_MS],
  ['\\bend\\s+of\\s+(?:the\\s+|this\\s+)?year\\b', (_, today) => next(12, 31, today)],
  ['\\bday after tomorrow\\b', (_, today) => today + 2 * DAY_MS],
  ['\\btomorrow\\b', (_, today) => today + DAY_MS],
  ['\\b(?:today|tonight|right now|immediately)\\b', (_, today) => today],
  [
    '\\bin\\s+(\\d{1,3}|a|one|two|three|four|five|six)\\s+(day|week)s?\\b',
    ([count = '', unit], today) => today + (COUNTS[count] ?? Number(count)) * (unit === 'week' ? 7 : 1) * DAY_MS,
  ],
  ['\\bnext\\s+week\\b', (_, today) => today + 7 * DAY_MS],
  [`\\b(?:this\\s+|next\\s+|coming\\s+)?${WEEKDAY}\\b`, ([name = ''], today) => weekday(name, today)],
];

/** Matches what looks like a day but cannot be read: "feb 30", "01.12.", "2026-02-30". */
const UNREAD = new RegExp(
  BEFORE +
    [
      '(?:(?<![\\d.-])\\d{1,4}(?<sign>[-/.])\\d{1,2}\\k<sign>\\d{1,4}(?![\\d-]|\\.\\d)',
      '(?<![\\d.])\\d{1,2}\\.\\d{1,2}\\.(?=\\s|$|[,;!?])',
      '(?<![\\d/])(?!24/7)\\d{1,2}/\\d{1,2}(?![\\d/]|\\s+(?:an?|of)\\b)',
      `\\b${MONTH}\\s+\\d{1,2}(?:st|nd|rd|th)?\\b`,
      `\\b\\d{1,2}(?:st|nd|rd|th)?\\s+(?:of\\s+)?${MONTH}(?![a-z])`,
      '(?<=\\bthe\\s+)\\d{1,2}(?:st|nd|rd|th)\\b(?!\\s+\\p{L})',
      '(?<![\\d+])(?:20\\d{2}(?:0\\d|1[0-2])[0-3]\\d|(?:0\\d|1[0-2])[0-3]\\d20\\d{2})(?!\\d)',
      '\\b2(?:mor+ow?|moz|nite|night|day)\\b|\\bin\\s+20\\d{2}\\b|\\b(?:in\\s+)?(?:a|two)\\s+fortnights?\\b',
      `\\b(?:mid|early|late|first|second|third|last|end|beginning|middle)(?:\\s+day)?[\\s-]+(?:of\\s+)?(?!may\\b)${MONTH}(?![a-z])`,
      `(?<=(?:\\d|\\bline|\\bnumber|\\bhold)\\s+)(?:in\\s+)?(?!may\\b|mar\\b)${MONTH}(?=\\s*(?:$|[,.;!]))`,
      '\\b(?:on|from|starting)\\s+the\\s+(?:first|second|third|fourth|fifth|last)\\b(?!\\s+\\p{L})',
      "(?<=\\b(?:on|from|starting|effective|as\\s+of|after|before|by)\\s+)(?:(?:christmas|new\\s+year['’]?s?)(?:\\s+(?:eve|day))?|thanksgiving|easter|xmas|halloween|labor\\s+day|payday)\\b)",
    ].join('|'),
  'giu',
);

/** The forms with the words before them, made once: each sentence is compared with all of them. */
const READ_FORMS = FORMS.map(([pattern, dayIn]) => [new RegExp(BEFORE + pattern, 'gi'), dayIn] as const);

/** Most sentences have no range, and the pattern of one is slow. */
const BEGINS_RANGE = /\b(?:from|between)\s/i;
/** Between the two days of a range: "from Friday to Monday". */
const RANGE = (() => {
  const day = `(?:${FORMS.map(([pattern]) => pattern).join('|')})`;
  return new RegExp(
    `(?<=\\b(?:from|between)\\s+(?:on\\s+|the\\s+)?${day}\\s*)(?:\\bto\\b|\\band\\b|[-–—])(?=\\s*${day})`,
    'gi',
  );
})();

const WEEKDAY_BESIDE =
  /\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?[,.]?\s+(?:the\s+)?(?=(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\p{L}*\.?\s+\d|\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\d{1,2}\/\d{1,2})/giu;
/** "Monday the 7th", "fri 4th" */
const WEEKDAY_OF_MONTH =
  /\b(?:(?:this|next|coming)\s+)?(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?[,.]?\s+(?:the\s+)?(?=\d{1,2}(?:st|nd|rd|th)\b)/giu;
const HOLDS = /\b(?:park|suspend|pause|freeze|hold)(?:s|ed|ing)?\b/iu;
/** "Park 0103, she comes back Monday": the day is the end of the hold, and not its beginning. */
const RETURNS =
  /(?<who>\b(?:s?he|they|customer|client|\p{Lu}\p{L}+)\b(?:['’](?:s|ll|re))?)\s+(?:(?:will|is|are|be|only|just)\s+)*(?:(?:comes?|coming|gets?|be)\s+)?(?:back|home|returns?|returning)\s+(?:(?:home|again|from\s+\p{L}+)\s+)?(?:on\s+)?(?=(?:next\s+|this\s+)?(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|tomorrow|the\s+\d|\d))/giu;

/**
 * Takes the days out of a sentence, and leaves a mark in the place of each.
 *
 * @param now epoch ms of the writer's clock, as if it were UTC
 * @param times the times that were found before, to which the days are added
 */
export function takeDays(sentence: string, now: number, times: Time[] = []): string {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const ends = HOLDS.test(sentence) ? sentence.replace(RETURNS, '$<who> until ') : sentence;
  // Of "Monday, Dec 7" the date says the day.
  let rest = (BEGINS_RANGE.test(ends) ? ends.replace(RANGE, ' until ') : ends)
    .replace(WEEKDAY_BESIDE, '')
    .replace(WEEKDAY_OF_MONTH, 'the ');
  for (const [pattern, dayIn] of READ_FORMS)
    rest = rest.replace(pattern, (...match: unknown[]) => {
      const whole = String(match[0]);
      const groups = match.slice(2, -3).map((one) => (typeof one === 'string' ? one.toLowerCase() : undefined));
      const day = dayIn(
        groups.map((one) => one ?? ''),
        today,
      );
      if (day === undefined || isMarked(whole.trim())) return whole;
      const isEnd = typeof match[1] === 'string' && !/^(?:by|before)/i.test(match[1]);
      times.push({
        kind: 'day',
        text: whole.trim().replace(/\s+/g, ' '),
        day: { iso: new Date(day).toISOString().slice(0, 10), isEnd },
      });
      const mark = marked(times.length - 1);
      return /today|tonight|tomorrow|now|immediately/i.test(whole) ? `${whole}${mark}` : ` ${mark} `;
    });
  return rest.replace(UNREAD, (whole: string) => {
    if (isMarked(whole.trim())) return whole;
    times.push({ kind: 'unread', text: whole.trim().replace(/\s+/g, ' ') });
    return ` ${marked(times.length - 1)} `;
  });
}

/** Moves a weekday that ends something behind the day on which that begins: "from Friday to Monday". */
export function orderEnds(rest: string, times: readonly Time[]): void {
  let start = '';
  for (const { day, text } of marksIn(rest).flatMap((mark) => times[mark] ?? [])) {
    if (day === undefined) continue;
    if (!day.isEnd) start = day.iso;
    else if (day.iso < start && new RegExp(`\\b${WEEKDAY}\\b`, 'i').test(text))
      day.iso = new Date(Date.parse(day.iso) + 7 * DAY_MS).toISOString().slice(0, 10);
  }
}

function dayOf(year: number, month: number, day: number): number | undefined {
  const at = Date.UTC(year, month - 1, day);
  const read = new Date(at);
  return read.getUTCMonth() === month - 1 && read.getUTCDate() === day ? at : undefined;
}

/** The next such day. */
function next(month: number, day: number, today: number): number | undefined {
  const year = new Date(today).getUTCFullYear();
  const at = dayOf(year, month, day);
  return at !== undefined && at < today ? dayOf(year + 1, month, day) : at;
}

/** The next such day of a month. */
function nextOfMonth(day: number, today: number): number | undefined {
  const at = new Date(today);
  const days = [0, 1, 2].map((ahead) => {
    const first = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + ahead, 1));
    return dayOf(first.getUTCFullYear(), first.getUTCMonth() + 1, day);
  });
  return days.find((one) => one !== undefined && one >= today);
}

function named(month: string, day: string | undefined, year: string | undefined, today: number): number | undefined {
  const at = MONTHS.indexOf(month.slice(0, 3)) + 1;
  return year === undefined || year === '' ? next(at, Number(day), today) : dayOf(Number(year), at, Number(day));
}

/** The last day of a month. `ahead`: 1 for this month, 2 for the next one. */
function endOfMonth(today: number, ahead: number): number {
  const at = new Date(today);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + ahead, 0);
}

function weekday(name: string, today: number): number {
  const ahead = (WEEKDAYS.indexOf(name.slice(0, 3)) - new Date(today).getUTCDay() + 7) % 7;
  return today + (ahead === 0 ? 7 : ahead) * DAY_MS;
}
