import type { Checked, Consent, Look } from '../../src/catalogue/operation.ts';
import { defined, type Fields } from '../../src/lib/json.ts';
import { readFlag } from '../../src/platform/dialect/readings.ts';
import { FEATURES_SET, TRAFFIC } from '../surfaces/guard.ts';
import type { FilterKind } from './filter-reach.ts';

/* A filter of a subscriber whose guardian filtering is off (PLATFORM.md, Guardian filtering). */

/** True if guardian filtering of this traffic is off, so that no filter has an effect; false also if it cannot be read. */
export async function isFilteringOff(
  { traffic }: Pick<FilterKind, 'traffic'>,
  SubscriberId: string,
  look: Look,
): Promise<boolean> {
  const { found } = await look.read('subscribers_guardian_features_get', { SubscriberId });
  return readFlag(found?.[featureOf(traffic)]) === false;
}

function featureOf(traffic: string): string {
  return TRAFFIC.find(({ name }) => name === traffic)?.feature ?? '';
}

/** Returns a warning about a filter that has no effect now, and the facts that the consent texts need. */
export function offFindings(
  { traffic }: Pick<FilterKind, 'traffic'>,
  what: 'block' | 'filter',
  { SubscriberId, customer = 'this subscriber' }: { SubscriberId: string; customer?: string | undefined },
): { known: { Off: Fields }; warning: string } {
  const [name] = customer.split(' · ');
  const says = `The ${what} is kept but has no effect: guardian filtering of ${traffic} is off for ${name}.`;
  return {
    known: {
      Off: {
        says,
        SubscriberId,
        feature: featureOf(traffic),
        yet: what === 'block' ? 'not blocking yet' : 'no effect yet',
      },
    },
    warning: says,
  };
}

/** Adds a warning to those of a check. */
export function warned<T extends Checked>(checked: T, warning: string): T {
  return { ...checked, warnings: [...(checked.warnings ?? []), warning] };
}

/** Consent texts whose outcome says that the filter has no effect now, and offers to turn filtering on. */
export function saysNoEffect<T extends Consent>(consent: T, { Off }: Fields): T {
  const { says, yet, SubscriberId, feature } = (Off ?? {}) as Fields;
  if (typeof says !== 'string' || typeof feature !== 'string') return consent;
  const input = defined({ SubscriberId, [feature]: true });
  return {
    ...consent,
    remains: says,
    ...(typeof yet === 'string' && { yet }),
    next: { operation: FEATURES_SET, label: 'Turn it on', input },
  };
}
