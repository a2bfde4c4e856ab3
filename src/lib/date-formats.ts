import { BoundedMap } from './lists.ts';

/** Maximum number of stored formats. There may be many time zones, because each person has one. */
const MAX_FORMATS = 200;

const formats = new BoundedMap<string, Intl.DateTimeFormat>(MAX_FORMATS);

/**
 * A date format that is made once. Each one holds memory outside the JavaScript heap that the garbage collector does
 * not see, so making one per text lets the process grow by gigabytes.
 */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
}
