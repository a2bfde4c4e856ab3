import { sinceTime } from '../../../tools/shared/fields.ts';
import { systemClock } from '../../lib/clock.ts';
import { ConfigError } from '../../lib/config.ts';
import { readDate, type Span } from '../../platform/dialect/dates.ts';

/**
 * Reads the time of an option: a day (the whole day in UTC), a time in ISO 8601, or a time ago such as `8h`. Undefined if
 * the option is not given. Throws `ConfigError` with the usage for any other text.
 */
export function spanOf(option: string, text: string | undefined, usage: string): Span | undefined {
  if (text === undefined) return undefined;
  const span = readDate(text, 'UTC');
  if (span !== undefined) return span;
  const ago = sinceTime(text, systemClock.now());
  if (Number.isNaN(ago))
    throw new ConfigError(
      `${option} ${text} is not a time such as 8h, 2026-11-21 or 2026-11-21T14:00:00Z.\nUsage: ${usage}`,
    );
  return { from: ago, until: ago };
}
