import { DAY_MS, HOUR_MS } from '../../../lib/clock.ts';

/* Lengths of time that something has lasted: "open longer than 2 hours", "older than a day". */

const COUNTS: Readonly<Record<string, number>> = {
  ...{ a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, eight: 8, ten: 10, twelve: 12 },
  ...{ 'half an': 0.5, 'a couple of': 2, 'a few': 3 },
};
const COUNT = `\\d{1,3}|${Object.keys(COUNTS)
  .sort((a, b) => b.length - a.length)
  .join('|')
  .replaceAll(' ', '\\s+')}`;
const AGE = new RegExp(
  String.raw`\b(?:for\s+)?(?<than>longer|more|older|over|at\s+least|less|newer|fewer)\s*(?:than)?\s+(?<count>${COUNT})\s*(?<unit>hours?|hrs?|h|minutes?|mins?|days?|d|weeks?)\b(?:\s+(?:already|now|old))?|\bfor\s+(?<own>${COUNT})\s*(?<ownUnit>hours?|hrs?|h|minutes?|mins?|days?|d|weeks?)\s+(?:already|now|or\s+(?:more|longer))\b`,
  'iu',
);

/** A length of time that something has lasted, with its words. */
export interface Age {
  said: string;
  ms: number;
  /** True for "less than". */
  isLess: boolean;
}

/** The length of time by which a sentence chooses what is open. Undefined if it says none in figures. */
export function ageIn(said: string): Age | undefined {
  const { 0: text = '', groups } = AGE.exec(said) ?? {};
  const count = (groups?.count ?? groups?.own)?.toLowerCase().replace(/\s+/g, ' ');
  const unit = (groups?.unit ?? groups?.ownUnit)?.toLowerCase();
  if (count === undefined || unit === undefined) return undefined;
  const one = unit.startsWith('h')
    ? HOUR_MS
    : unit.startsWith('m')
      ? HOUR_MS / 60
      : unit.startsWith('w')
        ? 7 * DAY_MS
        : DAY_MS;
  return {
    said: text.trim(),
    ms: (COUNTS[count] ?? Number(count)) * one,
    isLess: /^(?:less|newer|fewer)/i.test(groups?.than ?? ''),
  };
}
