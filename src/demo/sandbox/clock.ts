/** The source of real time; tests and hosts may pass their own. */
export interface RealTime {
  now(): number;
  setTimeout(fn: () => void, ms: number): unknown;
  clearTimeout(handle: unknown): void;
}

export const systemTime: RealTime = {
  now: () => Date.now(),
  setTimeout: (fn, ms) => setTimeout(fn, ms),
  clearTimeout: (handle) => {
    clearTimeout(handle as NodeJS.Timeout);
  },
};

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const DAY = 24 * 60 * MINUTE;

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: SECOND, m: MINUTE, h: 60 * MINUTE, d: DAY };

/** The longest single advance. Later dates do not fit into Date. */
const LONGEST_ADVANCE = 36_500 * DAY;

/** The sandbox clock: real time plus the time it was advanced by. */
export class SandboxClock {
  readonly real: RealTime;
  offset = 0;

  constructor(real: RealTime) {
    this.real = real;
  }

  now(): number {
    return this.real.now() + this.offset;
  }

  iso(at: number = this.now()): string {
    return new Date(at).toISOString();
  }

  /** Sets the clock, forward or back. Used only at start-up and reset. */
  set(at: number): void {
    this.offset = at - this.real.now();
  }

  /** Moves the clock forward to `at`, never back. */
  reach(at: number): void {
    if (at > this.now()) this.set(at);
  }
}

/** Parses `30d`, `5m`, `61s`, `2h` or `1500ms` to milliseconds. Returns null for any other form. */
export function parseDuration(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim());
  const unit = UNITS[match?.[2] ?? ''];
  if (match === null || unit === undefined) return null;
  const ms = Math.round(Number(match[1]) * unit);
  return ms <= LONGEST_ADVANCE ? ms : null;
}

/** Returns the first midnight UTC at or after a time, at which the nightly job runs (PLATFORM.md, Number record). */
export function midnightFrom(at: number): number {
  return Math.ceil(at / DAY) * DAY;
}

const DATE_FORMS = {
  us: { pattern: /^(\d{2})\/(\d{2})\/(\d{4})$/, order: [3, 1, 2] },
  iso: { pattern: /^(\d{4})-(\d{2})-(\d{2})$/, order: [1, 2, 3] },
} as const;

/** Parses a calendar date in `MM/DD/YYYY` or `YYYY-MM-DD` to UTC midnight. Returns null if it is not a real date. */
export function parseDate(text: string, forms: readonly (keyof typeof DATE_FORMS)[]): number | null {
  for (const form of forms) {
    const { pattern, order } = DATE_FORMS[form];
    const match = pattern.exec(text);
    if (match === null) continue;
    const [year, month, day] = order.map((group) => Number(match[group]));
    const at = Date.UTC(year ?? 0, (month ?? 0) - 1, day);
    const back = new Date(at);
    if (back.getUTCMonth() + 1 === month && back.getUTCDate() === day && back.getUTCFullYear() === year) return at;
  }
  return null;
}

/**
 * Returns the number of business days from today to a date. The date counts; today and weekends do not. Returns null if
 * the date is on a weekend or not after today.
 */
export function businessDaysUntil(now: number, date: number): number | null {
  const today = Math.floor(now / DAY) * DAY;
  const isWeekend = (at: number) => [0, 6].includes(new Date(at).getUTCDay());
  if (date <= today || isWeekend(date) || date - today > 60 * DAY) return null;
  let days = 0;
  for (let at = today + DAY; at <= date; at += DAY) if (!isWeekend(at)) days += 1;
  return days;
}

/** Formats a time as `tokenExpiry`, MM/DD/YYYY hh:mm:ss AM/PM in UTC (PLATFORM.md, Authentication). */
export function formatExpiry(at: number): string {
  const date = new Date(at);
  const two = (n: number) => String(n).padStart(2, '0');
  const hours = date.getUTCHours();
  const day = `${two(date.getUTCMonth() + 1)}/${two(date.getUTCDate())}/${date.getUTCFullYear()}`;
  const time = `${two(hours % 12 === 0 ? 12 : hours % 12)}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  return `${day} ${time} ${hours < 12 ? 'AM' : 'PM'}`;
}

/** Formats a time as ISO 8601 with fractional seconds and no zone, as in message records (PLATFORM.md, Message). */
export function zoneless(at: number): string {
  return new Date(at).toISOString().slice(0, -1);
}
