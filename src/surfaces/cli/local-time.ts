import { dateFormat } from '../../lib/clock.ts';

/** An instant as programs write it: with `Z` or an offset. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/**
 * A time as a person at a terminal reads it: `2026-11-21 14:03 CET`. Their zone is that of the process.
 *
 * @param seconds true to show them
 */
export function localTime(at: number, seconds = false): string {
  const format = dateFormat('en-US', {
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    ...(seconds && { second: '2-digit' }),
    hourCycle: 'h23',
    timeZoneName: 'short',
    timeZone: zone(),
  } as const);
  const { year, month, day, hour, minute, second, timeZoneName } = Object.fromEntries(
    format.formatToParts(at).map(({ type, value }) => [type, value]),
  );
  return `${year}-${month}-${day} ${hour}:${minute}${seconds ? `:${second}` : ''} ${timeZoneName}`;
}

/** The text in the person's zone if it is an instant, otherwise as it is. */
export function localTimeText(text: string): string {
  const at = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? text : localTime(at);
}

function zone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
