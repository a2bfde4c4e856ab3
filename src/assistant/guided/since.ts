import { DAY_MS, HOUR_MS } from '../../lib/clock.ts';

/** When an evening begins and a working day, hours in UTC. */
const EVENING = 18;
const MORNING = 6;

/**
 * The start of the time that a sentence asks about, for `Since` of an operation: a span (8h) or an ISO time in UTC.
 * Undefined if it names none.
 *
 * @param now epoch ms
 */
export function sinceIn(sentence: string, now: number): string | undefined {
  const text = sentence.toLowerCase();
  const [, count, unit] =
    /\b(?:last|past|previous)\s+(\d{1,3})?\s*(hours?|h|days?|d|weeks?|minutes?|mins?)\b/.exec(text) ?? [];
  if (unit !== undefined) return span(Number(count ?? 1), unit);
  const [, short, letter] = /\bsince\s+(\d{1,3})\s*(h|d|hours?|days?)\b(?!\s*o)/.exec(text) ?? [];
  if (letter !== undefined) return span(Number(short), letter);
  const [, ago, unitAgo] = /\b(\d{1,3})\s*(hours?|h|days?|d)\s+ago\b/.exec(text) ?? [];
  if (unitAgo !== undefined) return span(Number(ago), unitAgo);
  const [, hour, minute, half] =
    /\b(?:since|after|from)\s+(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm|o'?clock)?\b/.exec(text) ?? [];
  if (hour !== undefined) return clockTime(Number(hour), Number(minute ?? 0), half, now);
  if (
    /\bover\s*night\b|\blast night\b|\bduring the night\b|\bwhile (?:i|we) (?:slept|was|were) (?:asleep|sleeping)\b/.test(
      text,
    )
  )
    return at(now, -1, EVENING);
  if (/\byesterday\b/.test(text)) return at(now, -1, 0);
  if (/\bthis morning\b/.test(text)) return at(now, 0, MORNING);
  if (/\btoday\b/.test(text)) return at(now, 0, 0);
  if (/\bweekend\b|\bfriday\b/.test(text)) return lastFriday(now);
  if (/\bthis week\b|\bmonday\b/.test(text)) return '7d';
  return undefined;
}

function span(count: number, unit: string): string {
  if (unit.startsWith('w')) return `${count * 7}d`;
  if (unit.startsWith('m')) return '1h';
  return `${count}${unit.startsWith('h') ? 'h' : 'd'}`;
}

/** The last time that the clock showed this hour. */
function clockTime(hour: number, minute: number, half: string | undefined, now: number): string | undefined {
  const hours = half === 'pm' && hour < 12 ? hour + 12 : half === 'am' && hour === 12 ? 0 : hour;
  if (hours > 23 || minute > 59) return undefined;
  const today = Math.floor(now / DAY_MS) * DAY_MS + hours * HOUR_MS + minute * 60_000;
  return new Date(today > now ? today - DAY_MS : today).toISOString();
}

function at(now: number, days: number, hour: number): string {
  return new Date((Math.floor(now / DAY_MS) + days) * DAY_MS + hour * HOUR_MS).toISOString();
}

function lastFriday(now: number): string {
  const back = (new Date(now).getUTCDay() + 2) % 7 || 7;
  return at(now, -back, EVENING);
}
