import { DAY_MS } from '../../../lib/clock.ts';

/* Periods of whole days that are over: "between Nov 20 and Nov 24", "since Monday", "on the 20th", "yesterday". */

/** A period of whole days, as a clock shows them as if it were UTC. */
export interface Period {
  /** Epoch ms of its first midnight. */
  start: number;
  /** Epoch ms of the midnight at which it ends; undefined for one that goes on. */
  end?: number;
  /** True for a day without a word such as "since", which may be one to come. */
  isAlone?: true;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const WEEKDAYS = 'sun mon tue wed thu fri sat'.split(' ');
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const WEEKDAY = '(?:sun(?:day)?|mon(?:day)?|tues?(?:day)?|wed(?:nesday)?|thur?s?(?:day)?|fri(?:day)?|sat(?:urday)?)';
const ORDINAL = '(?:st|nd|rd|th)';
const DAY = [
  String.raw`\d{4}-\d{2}-\d{2}`,
  String.raw`\d{1,2}/\d{1,2}(?:/\d{4})?`,
  String.raw`${MONTH}\.?\s+(?:the\s+)?\d{1,2}${ORDINAL}?(?:,?\s+\d{4})?(?!\d)`,
  String.raw`\d{1,2}${ORDINAL}?\s+(?:of\s+)?${MONTH}(?:,?\s+\d{4})?`,
  String.raw`(?:last\s+)?${WEEKDAY}`,
  'yesterday',
  'today',
  String.raw`(?:the\s+)?\d{1,2}${ORDINAL}`,
].join('|');
/** The second day of a range may lack its month: "Nov 20 to 24". */
const TO = String.raw`\s*(?:\b(?:to|and|until|till|til|through|thru)\b|[-–—])\s*(?:the\s+)?`;
const RANGE = new RegExp(String.raw`\b(?<from>${DAY})${TO}(?<to>${DAY}|now|\d{1,2}${ORDINAL}?(?![\d/]))(?!\w)`, 'i');
/** "20 to 24 November" */
const ONE_MONTH = new RegExp(
  String.raw`(?<![\d/-])(\d{1,2}${ORDINAL}?)(${TO})(\d{1,2}${ORDINAL}?\s+(?:of\s+)?)(${MONTH})\b`,
  'gi',
);
/** "Texts from yesterday" are those of that day alone. */
const SINCE = new RegExp(
  String.raw`\b(?:since|from(?!\s+(?:yesterday|last)\b)|after|starting)\s+(?:on\s+)?(?<day>${DAY})(?!\w)`,
  'i',
);
/** A day alone may be one that is to come, so that only a past form of it is read. */
const ON = new RegExp(
  String.raw`(?<!\b(?:next|until|till|til|by|before|every|as\s+of|for|this|over\s+the)\s+(?:the\s+)?)\b(?<day>${DAY})(?!\w)`,
  'i',
);
const IN_MONTH = new RegExp(String.raw`\b(?:in|during|for|of|since)\s+(?<month>${MONTH})\b(?!\s*\d)`, 'i');

/**
 * The days that a sentence asks about, the latest ones that are not to come.
 *
 * @param now epoch ms of the writer's clock, as if it were UTC
 */
export function periodIn(sentence: string, now: number): Period | undefined {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  // "What did Ana ask for yesterday": no day that is over is one to come.
  const text = sentence
    .replace(/\bthe\s+day\s+before\s+yesterday\b/gi, isoOf(today - 2 * DAY_MS))
    .replace(/\b(?:for|this|by)\s+(?=yesterday\b)/gi, '');
  const range = RANGE.exec(text)?.groups;
  const last = range?.to && (/^now$/i.test(range.to) ? today : dayIn(range.to, today));
  if (range?.from && last !== undefined && last !== '') {
    const month = new Date(dayIn(range.from, today) ?? last);
    // "Nov 20 to 24" is within one month.
    const bare = /^\d{1,2}(?:st|nd|rd|th)?$/i.test(range.to ?? '');
    const end = bare
      ? Date.UTC(month.getUTCFullYear(), month.getUTCMonth(), Number.parseInt(range.to ?? '', 10))
      : last;
    const start = /^\d{1,2}(?:st|nd|rd|th)?$/i.test(range.from.replace(/^the\s+/i, ''))
      ? dayIn(range.from, end)
      : dayIn(range.from, today);
    // "Between Friday and Monday" is not over yet on a Sunday.
    if (start !== undefined && start > end && !/\d/.test(range.to ?? '')) return { start };
    if (start !== undefined && start <= end) return { start, end: end + DAY_MS };
  }
  const since = dayIn(SINCE.exec(text)?.groups?.day, today);
  if (since !== undefined) return { start: since };
  const day = dayIn(ON.exec(text)?.groups?.day, today);
  if (day === today) return { start: day };
  const isYesterday = day === today - DAY_MS && /\byesterday\b/i.test(text);
  if (day !== undefined) return { start: day, end: day + DAY_MS, ...(!isYesterday && { isAlone: true as const }) };
  const at = new Date(today);
  const [, calendar] = /(?<!\b(?:the|this|past)\s+)\blast\s+(week|month)(?:['’]?s)?\b/i.exec(text) ?? [];
  if (calendar?.toLowerCase() === 'month')
    return {
      start: Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1, 1),
      end: Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1),
    };
  if (calendar !== undefined) {
    const monday = today - ((at.getUTCDay() + 6) % 7) * DAY_MS;
    return { start: monday - 7 * DAY_MS, end: monday };
  }
  const year = new Date(today).getUTCFullYear();
  if (/\b(?:this|current)\s+year\b|\byear\s+to\s+date\b/i.test(text)) return { start: Date.UTC(year, 0, 1) };
  if (/\blast\s+year\b/i.test(text)) return { start: Date.UTC(year - 1, 0, 1), end: Date.UTC(year, 0, 1) };
  if (/\b(?:this|current)\s+month\b|\bmonth\s+to\s+date\b/i.test(text))
    return { start: Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1) };
  const month = IN_MONTH.exec(text)?.groups?.month;
  return month === undefined ? undefined : monthIn(month, /\bsince\s+\p{L}+/iu.test(text), today);
}

/** The sentence with its month at both days of a range: "20 to 24 November". */
export function withMonths(sentence: string): string {
  return sentence.replace(ONE_MONTH, '$1 $4$2$3$4');
}

/** The last such month, or the part of the present one that is over. */
function monthIn(name: string, isOpen: boolean, today: number): Period {
  const at = MONTHS.indexOf(name.slice(0, 3).toLowerCase());
  const present = new Date(today);
  const year = present.getUTCFullYear() - (at > present.getUTCMonth() ? 1 : 0);
  const isPresent = at === present.getUTCMonth();
  return {
    start: Date.UTC(year, at, 1),
    ...(isOpen || isPresent ? {} : { end: Date.UTC(year, at + 1, 1) }),
  };
}

/** The latest such day that is not to come; undefined for a text that names none. */
function dayIn(text: string | undefined, today: number): number | undefined {
  if (text === undefined) return undefined;
  const plain = text.toLowerCase().replace(/^(?:the|last)\s+/, '');
  if (plain === 'today') return today;
  if (plain === 'yesterday') return today - DAY_MS;
  const weekday = WEEKDAYS.indexOf(plain.slice(0, 3));
  if (weekday >= 0) {
    const back = (new Date(today).getUTCDay() - weekday + 7) % 7;
    return today - (back === 0 ? 7 : back) * DAY_MS;
  }
  const [, y, m, d] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(plain) ?? [];
  if (y !== undefined) return past(Number(y), Number(m), Number(d), today);
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?$/.exec(plain) ?? [];
  if (month !== undefined) return past(year && Number(year), Number(month), Number(day), today);
  const name = MONTHS.findIndex((one) => new RegExp(`\\b${one}`).test(plain)) + 1;
  const [number = '', ofYear] = [/\b(\d{1,2})(?!\d)/.exec(plain)?.[1], /\b(\d{4})\b/.exec(plain)?.[1]];
  if (name > 0) return past(ofYear && Number(ofYear), name, Number(number), today);
  if (number === '') return undefined;
  const at = new Date(today);
  const inMonth = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), Number(number));
  return inMonth <= today ? inMonth : Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1, Number(number));
}

/** The day, in the last year in which it is not to come unless a year is named. */
function past(year: number | '' | undefined, month: number, day: number, today: number): number | undefined {
  const at = Date.UTC(year || new Date(today).getUTCFullYear(), month - 1, day);
  if (new Date(at).getUTCMonth() !== month - 1) return undefined;
  if (at <= today) return at;
  return year ? undefined : Date.UTC(new Date(today).getUTCFullYear() - 1, month - 1, day);
}

export function isoOf(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}
