import { DAY_MS, dateFormat, HOUR_MS } from '../../../lib/clock.ts';
import { KEPT_MS } from '../../../lib/durations.ts';
import { momentsOf, zoneOffset } from '../../../platform/dialect/dates.ts';
import { isoOf, type Period, periodIn, withMonths } from './period.ts';

/** When an evening begins and a working day, hours of the writer's clock. */
const EVENING = 18;
const MORNING = 6;

/** The start of a time: a span (8h), or a moment and how the writer's clock showed it. */
export interface Since {
  /** For `Since` of an operation: a span or an ISO time in UTC. Never in the future. */
  value: string;
  /** In words: "in the last 8 hours", "since 2026-11-23 18:00 (America/New_York)", "on 2026-11-23 (UTC)". */
  text: string;
  /** The end, for `Until` of an operation; undefined if it is now. */
  until?: string;
  /** True for a day without a word such as "since", which may be one to come. */
  isDay?: true;
}

/**
 * The start of the time that a sentence asks about. Undefined if it names none.
 *
 * @param now epoch ms
 * @param zone IANA time zone of the writer; UTC if left out or unknown
 */
export function sinceIn(sentence: string, now: number, zone?: string): Since | undefined {
  const compared = COMPARED.exec(sentence)?.[1];
  if (compared !== undefined && sinceIn(compared, now, zone) !== undefined) {
    const first = sinceIn(sentence.replace(COMPARED, ' '), now, zone);
    const told = `; it is not compared with “${compared}”: ask for that by itself`;
    if (first !== undefined) return { ...first, text: `${first.text}${told}` };
  }
  const known = knownZone(zone);
  const wallNow = wallTime(now, zone);
  const text = withMonths(sentence.toLowerCase()).replace(/\b(today|yesterday|night|morning)['’]?s\b/g, '$1');
  const start = startIn(text, wallNow);
  if (start === undefined) {
    const period = periodIn(text, wallNow);
    return period && ofPeriod(period, wallNow, known);
  }
  if (typeof start === 'string') return { value: start, text: `in ${spanText(start)}` };
  const shown = new Date(start).toISOString().slice(0, 16).replace('T', ' ');
  return { value: momentOf(start, known), text: `since ${known === 'UTC' ? `${shown} UTC` : `${shown} (${known})`}` };
}

/** The moment at which a clock shows this time. In the hour that occurs twice, the earlier one. */
function momentOf(wall: number, zone: string): string {
  return new Date(Math.min(...momentsOf(wall, zone))).toISOString();
}

/** A period of whole days, as far as what happened is kept. Undefined for a day that is longer ago than that. */
function ofPeriod({ start, end, isAlone }: Period, now: number, zone: string): Since | undefined {
  const kept = now - KEPT_MS;
  if (isAlone && (end ?? start) <= kept) return undefined;
  const isOver = end !== undefined && end <= kept;
  if (isOver) return { value: '30d', text: `in ${spanText('30d')} (what is older is not kept)` };
  const last = end === undefined ? undefined : isoOf(end - DAY_MS);
  const first = isoOf(start);
  const days = last === undefined ? `since ${first}` : last === first ? `on ${first}` : `from ${first} to ${last}`;
  const isCut = start < kept;
  const isAhead = end !== undefined && end > now;
  return {
    value: isCut ? '30d' : momentOf(start, zone),
    text: `${days} (${zone}${isCut ? '; only the last 30 days are kept' : ''})`,
    ...(end === undefined || isAhead ? {} : { until: momentOf(end, zone) }),
    ...(isAlone && { isDay: true as const }),
  };
}

/** The time that a clock in a zone shows, as if it were UTC. */
export function wallTime(now: number, zone?: string): number {
  return now + zoneOffset(now, knownZone(zone));
}

function knownZone(zone: string | undefined): string {
  return zone !== undefined && isZone(zone) ? zone : 'UTC';
}

function isZone(zone: string): boolean {
  try {
    dateFormat('en-US', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

const COUNTS: Readonly<Record<string, number>> = {
  ...{ two: 2, 'a couple of': 2, 'couple of': 2, couple: 2, three: 3, 'a few': 3, few: 3, four: 4, five: 5, six: 6 },
  ...{ seven: 7, eight: 8, nine: 9, ten: 10, twelve: 12, an: 1, one: 1 },
};
/** "Last two hours" */
const COUNTED = new RegExp(
  `\\b(${Object.keys(COUNTS)
    .map((count) => count.replaceAll(' ', '\\s+'))
    .join('|')})\\s+(hours?|hrs?|days?|weeks?|wks?|months?|minutes?|mins?)\\b`,
  'g',
);

/** "Last week", "last month", and not "in the last week". */
const CALENDAR = /(?<!\b(?:the|this|past)\s+)\blast\s+(?:week|month)(?:['’]?s)?\b/;
/** A second time that the first is compared with. */
const COMPARED =
  /(?:,\s*)?\b(?:vs|versus|against|compared\s+(?:to|with)|in\s+comparison\s+(?:to|with)|than|and(?=\s+(?:this|last|previous)\s+(?:week|month|year)\b))\b\.?\s+(?:in\s+)?((?:the\s+)?(?:last|previous|this|prior)\s+(?:week|month|year|day|\p{L}+day)|yesterday|today|\p{L}+)(?=\s*(?:[?.!,]|$))/iu;

/** Units of a span after its count. */
const UNIT = '(?:hours?|hrs?|h|days?|d|weeks?|wks?|w|months?|minutes?|mins?)';
/** A span (8h), or a time of the writer's clock as if it were UTC (ms). `now` is such a time too. */
function startIn(sentence: string, now: number): string | number | undefined {
  const text = sentence.replace(
    COUNTED,
    (_, count: string, unit: string) => `${COUNTS[count.replace(/\s+/g, ' ')]} ${unit}`,
  );
  // Events are kept for 30 days. "Last month" and "last week" alone are those of the calendar.
  if (/\b(?:the\s+last|past|previous)\s+month\b/.test(text)) return '30d';
  if (CALENDAR.test(text)) return undefined;
  const [, count, unit] =
    /\b(?:last|past|previous)\s+(\d{1,3})?\s*(hours?|hrs?|h|days?|d|weeks?|wks?|minutes?|mins?)\b/.exec(text) ?? [];
  if (unit !== undefined) return span(Number(count ?? 1), unit);
  const [, short, letter] = new RegExp(`\\bsince\\s+(\\d{1,3})\\s*(${UNIT})\\b(?!\\s*o)`).exec(text) ?? [];
  if (letter !== undefined) return span(Number(short), letter);
  const [, ago, unitAgo] = new RegExp(`\\b(\\d{1,3})\\s*(${UNIT})\\s+ago\\b`).exec(text) ?? [];
  if (unitAgo !== undefined) return span(Number(ago), unitAgo);
  // A span alone, as in `/events 12h`. With other words it may be a length of time: "valid for 2 days".
  const [, own, ownUnit] = new RegExp(`^\\W*(?:events?\\s+)?(\\d{1,3})\\s*(${UNIT})\\W*$`).exec(text) ?? [];
  if (ownUnit !== undefined) return span(Number(own), ownUnit);
  const moment = hourOfDay(text, now);
  if (moment !== undefined) return moment;
  const [, hour, minute, half] =
    /\bsince\b[^,.;!?\d]{1,30}\b(?:at|around|about)\s+(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm|o'?clock)?\b/.exec(text) ??
    /\b(?:since|after|from)\s+(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm|o'?clock)?\b(?!(?:st|nd|rd|th)?\s*(?:years?\b|(?:of\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|[-/]|gb|mb|gigs?|megs?|to\s+[\d.]+\s*(?:gb|mb)))/.exec(
      text,
    ) ??
    [];
  // "After 5pm yesterday" ends with today's midnight.
  const until = /\byesterday\b/.test(text) ? at(now, 0, 0) - 1 : now;
  if (hour !== undefined) return clockTime(Number(hour), Number(minute ?? 0), half, until);
  if (
    /\bover\s*night\b|\blast night\b|\bthe night(?:\s+shift)?\b(?=\s*(?:go\b|[?.!]|$))|\bduring the night\b|\b(?:while|when|as) (?:i|we) (?:(?:was|were) )?(?:slept|asleep|sleeping|in bed)\b/.test(
      text,
    )
  )
    return at(now, -1, EVENING);
  const named = partIn(text);
  if (named !== undefined) return clockTime(named.hour, 0, undefined, named.isYesterday ? at(now, 0, 0) : now);
  if (/\bthis morning\b/.test(text)) return at(now, 0, now < at(now, 0, MORNING) ? 0 : MORNING);
  if (/(?<!\b(?:until|till|to|and|through)\s+)\btoday\b/.test(text) && !/\byesterday\b/.test(text))
    return at(now, 0, 0);
  const past = text.replace(
    /\b(?:as of|until|till|by|next|for|starting)\s+(?:the\s+)?(?:weekend|friday|monday)\b/g,
    ' ',
  );
  if (/\bweekend\b/.test(past)) return lastFriday(now);
  if (/\bthis week\b/.test(past)) return '7d';
  return undefined;
}

/** "Since yesterday 6pm", "since monday at 18:30": an hour of a day that is named before it. */
const HOUR_OF_DAY =
  /\b(?:since|after|from)\s+(?<day>(?:last\s+|this\s+)?(?:yesterday|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?))\s*,?\s+(?:(?:at|around|about)\s+)?(?<hour>\d{1,2})(?:(?:[:.](?<minute>\d{2}))\s*(?<late>am|pm)?|\s*(?<half>am|pm|o['’]?clock|h))\b/;

function hourOfDay(text: string, now: number): number | undefined {
  const { day = '', hour, minute = '0', late, half = late } = HOUR_OF_DAY.exec(text)?.groups ?? {};
  const start = hour === undefined ? undefined : periodIn(`since ${day}`, now)?.start;
  if (start === undefined) return undefined;
  // The last time before the end of this day at which the clock showed this hour.
  const moment = clockTime(Number(hour), Number(minute), half, start + DAY_MS - 1);
  return moment === undefined || moment > now ? undefined : moment;
}

/** Hours at which parts of a day begin, for "since noon" and "yesterday evening". */
const PARTS: readonly (readonly [pattern: string, hour: number])[] = [
  ['midnight', 0],
  ['morning', MORNING],
  ['noon|lunch(?:\\s*time)?|midday|afternoon', 12],
  ['evening|night', EVENING],
];

/** "Since midnight", "since noon", "yesterday afternoon", "this evening". */
function partIn(text: string): { hour: number; isYesterday: boolean } | undefined {
  for (const [part, hour] of PARTS) {
    if (new RegExp(`\\byesterday\\s+(?:${part})\\b`).test(text)) return { hour, isYesterday: true };
    const isOwn =
      part === 'morning'
        ? 'since\\s+(?:the\\s+)?'
        : '(?:(?:since|after|from)\\s+(?:around\\s+|about\\s+)?(?:the\\s+)?|this\\s+)';
    if (new RegExp(`\\b${isOwn}(?:${part})\\b`).test(text)) return { hour, isYesterday: false };
  }
  return undefined;
}

/** "the last 7 days" for 7d. */
export function spanText(value: string): string {
  const [, count = '', unit] = /^(\d+)([hd])$/.exec(value) ?? [];
  const noun = unit === 'h' ? 'hour' : 'day';
  return Number(count) === 1 ? `the last ${noun}` : `the last ${count} ${noun}s`;
}

function span(count: number, unit: string): string {
  // No more than 30 days are kept.
  if (/^mo/.test(unit)) return '30d';
  if (unit.startsWith('w')) return `${Math.min(count * 7, 30)}d`;
  if (unit.startsWith('m')) return `${Math.max(1, Math.ceil(count / 60))}h`;
  return `${count}${unit.startsWith('h') ? 'h' : 'd'}`;
}

/** The last time that the clock showed this hour. */
function clockTime(hour: number, minute: number, half: string | undefined, now: number): number | undefined {
  const hours = half === 'pm' && hour < 12 ? hour + 12 : half === 'am' && hour === 12 ? 0 : hour;
  if (hours > 23 || minute > 59) return undefined;
  const today = Math.floor(now / DAY_MS) * DAY_MS + hours * HOUR_MS + minute * 60_000;
  return today > now ? today - DAY_MS : today;
}

function at(now: number, days: number, hour: number): number {
  return (Math.floor(now / DAY_MS) + days) * DAY_MS + hour * HOUR_MS;
}

function lastFriday(now: number): number {
  const back = (new Date(now).getUTCDay() + 2) % 7 || 7;
  return at(now, -back, EVENING);
}
