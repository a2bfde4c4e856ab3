import type { Consent, Look } from '../../src/catalogue/operation.ts';
import type { Fields } from '../../src/lib/json.ts';
import { readFlag } from '../../src/platform/dialect/readings.ts';
import { TRAFFIC } from '../surfaces/guard.ts';
import type { FilterKind } from './filter-reach.ts';

/* A filter of a subscriber whose guardian filtering is off (PLATFORM.md, Guardian filtering). */

/**
 * Reads whether guardian filtering of this traffic is on. `NoEffect` says that it is off, so that no filter has an
 * effect; nothing is returned if it is on or cannot be read.
 */
export async function withoutEffect(
  { traffic }: Pick<FilterKind, 'traffic'>,
  SubscriberId: string,
  look: Look,
): Promise<{ NoEffect?: string }> {
  const { found } = await look.read('subscribers_guardian_features_get', { SubscriberId });
  const feature = TRAFFIC.find(({ name }) => name === traffic)?.feature ?? '';
  if (readFlag(found?.[feature]) !== false) return {};
  return {
    NoEffect: `Guardian filtering of ${traffic} is off for this subscriber: the filter has no effect until it is turned on.`,
  };
}

/** Consent texts that say, before and after the change, that the filter has no effect now. */
export function saysNoEffect<T extends Consent>(consent: T, { NoEffect }: Fields): T {
  if (typeof NoEffect !== 'string') return consent;
  const consequence = [NoEffect, consent.consequence].filter((text) => text !== '').join(' ');
  return { ...consent, consequence, remains: NoEffect };
}
