import { DAY_MS, dateFormat, MINUTE_MS } from '../../lib/clock.ts';
import { scalarText } from '../../lib/values.ts';

/*
 * Dates in answers of the platform. Most carry no zone (PLATFORM.md, Message). They are read in PLATFORM_TIME_ZONE,
 * never in the zone of this process.
 */

/** The time that a date text means, in epoch ms, both ends included. `from` equals `until` for an exact moment. */
export interface Span {
  from: number;
  until: number;
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;
const US =
  /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:,?\s+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s*(?:([AP])\.?M\.?)?)?$/i;

/**
 * Reads a date of an answer: ISO 8601 with or without a zone, `MM/DD/YYYY`, and `MM/DD/YYYY hh:mm:ss AM`.
 * A day alone is the whole day. A wall-clock time that occurs twice (end of summer time) spans both.
 * @param text any value of a response; anything but a string is not a date
 * @param timeZone IANA zone for texts without one
 * @returns undefined if the text has none of these forms or is not a real date
 */
export function readDate(text: unknown, timeZone: string): Span | undefined {
  if (typeof text !== 'string') return undefined;
  const parts = partsOf(text.trim());
  if (parts === undefined) return undefined;
  const { wall, zone, dayOnly } = parts;
  if (dayOnly) {
    return { from: Math.min(...momentsOf(wall, timeZone)), until: Math.max(...momentsOf(wall + DAY_MS, timeZone)) - 1 };
  }
  if (zone !== undefined) return { from: wall - zone, until: wall - zone };
  const moments = momentsOf(wall, timeZone);
  return { from: Math.min(...moments), until: Math.max(...moments) };
}

/**
 * The moment that a date means, in epoch ms: the earliest if it is ambiguous, the beginning of a day. Undefined if it
 * cannot be read.
 */
export function readMoment(text: unknown, timeZone: string): number | undefined {
  return readDate(text, timeZone)?.from;
}

/**
 * A day as `2026-12-05`, from `12/05/2026`, `2026-12-05` or a moment, whose day is that of UTC. Any other text stays as it
 * is. Slack and the pages write it in words (`withDaysInWords`).
 *
 * @param options.weekday with the name of its day, by which a reader notices a wrong one
 */
export function dayText(text: string, { weekday = false }: { weekday?: boolean } = {}): string {
  const from = readDate(text, 'UTC')?.from;
  if (from === undefined) return text;
  const name = weekday ? `${dateFormat('en-US', { timeZone: 'UTC', weekday: 'long' }).format(from)}, ` : '';
  return name + new Date(from).toISOString().slice(0, 10);
}

/** A quotation, which stays as it was written, or a day. */
const DAY = /“[^”]*”|(?<![\w.=-])\d{4}-\d\d-\d\d(?![\w-]|\.\w)/g;
const WORDS = { timeZone: 'UTC', year: 'numeric', month: 'short', day: 'numeric' } as const;

/**
 * A sentence of ours, or a value that is a day, with days as "Dec 5, 2026".
 * @param shown a day (`2026-12-05`) and its words as they are shown
 */
export function withDaysInWords(text: string, shown = (_day: string, words: string) => words): string {
  return text.replace(DAY, (day) => {
    const from = readDate(day, 'UTC')?.from;
    return from === undefined ? day : shown(day, dateFormat('en-US', WORDS).format(from));
  });
}

/** The moments (one, or two in the hour that occurs twice) at which the clocks of a zone show a wall time. */
export function momentsOf(wall: number, timeZone: string): number[] {
  const candidates = [...new Set([wall - DAY_MS, wall + DAY_MS].map((near) => wall - zoneOffset(near, timeZone)))];
  const real = candidates.filter((at) => at + zoneOffset(at, timeZone) === wall);
  return real.length > 0 ? real : candidates;
}

/** Milliseconds by which the wall clock of a zone is ahead of UTC at a moment (epoch ms). */
export function zoneOffset(at: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0;
  const format = dateFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = Object.fromEntries(format.formatToParts(at).map((part) => [part.type, Number(part.value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

function partsOf(text: string) {
  const iso = ISO.exec(text);
  if (iso !== null) {
    const [, year, month, day, hour, minute, second, fraction, zone] = iso;
    const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone ?? '') ?? [];
    const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -MINUTE_MS : MINUTE_MS);
    return build({ year, month, day, hour, minute, second, fraction }, zone === undefined ? undefined : offset);
  }
  const us = US.exec(text);
  if (us === null) return undefined;
  const [, month, day, year, hour, minute, second, fraction, half] = us;
  if (half === undefined || hour === undefined) return build({ year, month, day, hour, minute, second, fraction });
  if (Number(hour) < 1 || Number(hour) > 12) return undefined;
  const hours = String((Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0));
  return build({ year, month, day, hour: hours, minute, second, fraction });
}

/**
 * The wall time as if it were UTC (`wall`, in ms), and the stated offset from UTC (`zone`, in ms). Undefined if there is no
 * such day or time.
 */
function build(
  texts: Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fraction', string | undefined>,
  zone?: number,
) {
  const [year, month, day] = [Number(texts.year), Number(texts.month), Number(texts.day)];
  const [hour, minute, second] = [Number(texts.hour ?? 0), Number(texts.minute ?? 0), Number(texts.second ?? 0)];
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const midnight = new Date(Date.UTC(year, month - 1, day));
  if (midnight.getUTCFullYear() !== year || midnight.getUTCMonth() !== month - 1) return undefined;
  const ms = Math.floor(Number(`0.${texts.fraction ?? '0'}`) * 1000);
  return { wall: Date.UTC(year, month - 1, day, hour, minute, second) + ms, zone, dayOnly: texts.hour === undefined };
}

/** Says that a change takes effect on this later day. */
export function scheduledText(day: string): string {
  return `Scheduled for ${day}. Nothing changes before that day.`;
}

/*
 * Amounts of money in records of the platform, which bills in USD (PLATFORM.md, Package; PLATFORM.md, Message).
 */

/** Members that hold an amount of money. */
const MONEY = /^(?:price|cost|knownusd)$/i;

/** "4.50 USD" for `$4.5`, "4.5" and 4.5, "9 USD" and "0.0045 USD"; undefined for a value that is no amount. */
export function moneyText(value: unknown): string | undefined {
  const [, amount] = /^\s*(?:\$|USD)?\s*(-?\d+(?:\.\d+)?)\s*(?:\$|USD)?\s*$/i.exec(scalarText(value)) ?? [];
  return amount === undefined ? undefined : `${amount.replace(/\.\d$/, '$&0')} USD`;
}

/** The amount in a member of a record; undefined for a member that holds none. */
export function memberMoney(name: string, value: unknown): string | undefined {
  return MONEY.test(name) ? moneyText(value) : undefined;
}
