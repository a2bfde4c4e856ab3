import type { OutcomeRecord } from '../ledger/outcomes.ts';

/* The texts of readings about a call whose outcome is unknown. */

/** Maximum length of a reading's text. */
const MAX_OBSERVED = 700;
/** Prefix of a stored first reading that showed the work as partly done. */
export const PARTLY = 'partly: ';

/** Two readings agree if both showed the same part as done, or both showed nothing as done. */
export function agrees(first: OutcomeRecord['notDone'], outcome: 'partly' | 'not_done', observed: string): boolean {
  return outcome === 'partly' ? first?.observed === observed : first?.observed.startsWith(PARTLY) === false;
}

/** One line of limited length, because readings quote texts of the platform. */
export function clean(text: string): string {
  const line = text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069\s]+/gu, ' ').trim();
  return line.length > MAX_OBSERVED ? `${line.slice(0, MAX_OBSERVED - 1)}…` : line;
}
