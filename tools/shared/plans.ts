import * as z from 'zod';
import type { Harm, Look } from '../../src/catalogue/operation.ts';
import { type Fields, recordOf, textOf } from '../../src/lib/json.ts';
import { bareNumberId } from '../../src/platform/dialect/number-lists.ts';
import { readFlag } from '../../src/platform/dialect/readings.ts';
import { text } from './before.ts';
import { choice, idOf, out } from './fields.ts';

/*
 * Products, packages, subscriptions and features: their records as the platform returns them, and the effect of an
 * update on the people who are billed.
 */

export const productRecord = {
  ProductId: out.key('PRID', 'PID'),
  SKU: out.text,
  Description: out.text,
  Type: out.text,
  SubType: out.text,
  Cost: out.number,
  BillingFrequency: out.text,
  Active: out.flag,
} as const;

export const packageRecord = {
  PackageId: out.key('PKID', 'PID'),
  PackageName: out.said,
  Description: out.said,
  Type: out.text,
  Price: out.number,
  Monthly: out.flag,
  Active: out.flag,
} as const;

export const itemRecord = {
  PackageItemId: out.key('PIID'),
  PackageId: out.text,
  ProductId: out.text,
  Price: out.number,
  Monthly: out.flag,
  Type: out.text,
  Active: out.flag,
} as const;

export const subscriptionRecord = {
  SubscriptionId: out.key('SUB'),
  SubscriberId: out.text,
  TNID: out.text,
  ICCID: out.text,
  PackageId: out.text,
  Type: out.text,
  Active: out.flag,
} as const;

export const assignmentRecord = {
  FeatureAssignmentId: out.key('FAID'),
  FeatureId: out.text,
  SubscriptionId: out.text,
  Active: out.flag,
} as const;

export const featureAssignmentId = idOf('FAID');

/** MRC, NRC or usage-based (PLATFORM.md, Product). */
export const billingFrequency = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(50)
  .overwrite((value) => (/^[mn]rc$/i.test(value) ? value.toUpperCase() : value))
  .refine((value) => /^(MRC|NRC|usage.*)$/i.test(value), {
    message: 'must be MRC (monthly), NRC (one-time) or usage-based',
  });

/** Filter of an account's lists (PLATFORM.md, Account). */
export const activeFilter = choice(['Active', 'Inactive', 'All']).optional();

/** The harm of changing a member that decides what people pay or get: "Price: 15 → 20." */
export function billed(what: string): Harm<unknown> {
  return {
    what,
    reason: (value, { member, record }) => {
      const now = record?.[member];
      if (record === undefined) return `${member}: ${String(value)}; what it is now could not be read.`;
      return `${member}: ${now === undefined || now === null ? '' : `${String(now)} → `}${String(value)}.`;
    },
  };
}

/** "15 USD a month" or "15 USD"; empty if the record has no price. */
export function priceOf({ Price, Monthly }: Fields): string {
  if (Price === undefined || Price === null || Price === '') return '';
  return `${String(Price)} USD${readFlag(Monthly) === true ? ' a month' : ''}`;
}

/** The number of the account's active subscriptions on a package; undefined with a warning if it could not be read. */
export async function subscribersOf(
  packageId: string,
  look: Look,
): Promise<{ count: number | undefined; warnings: string[] }> {
  const { found, ...failed } = await look.read('account_subscriptions_get', { Filter: 'Active' });
  if (found === undefined) {
    const why = 'why' in failed ? failed.why : '';
    return { count: undefined, warnings: [`The subscriptions could not be read before asking: ${why}`] };
  }
  const rows = Array.isArray(found.Results) ? found.Results.map(recordOf) : [];
  const count = rows.filter((row) => bareId(row.PackageId) === bareId(packageId)).length;
  // A partial list proves only the subscriptions that it contains.
  const isWhole = Array.isArray(found.Results) && !(Number(found.TotalSubscriptions) > rows.length);
  if (isWhole || count > 0) return { count, warnings: [] };
  return { count: undefined, warnings: ['The platform listed only a part of the subscriptions.'] };
}

/**
 * The id of the active subscription that a number already has, read with one request; undefined if it has none or the
 * list could not be read. `tnid` is the number's id.
 */
export async function subscriptionOf(tnid: string, look: Look): Promise<string | undefined> {
  const { found } = await look.read('account_subscriptions_get', { Filter: 'Active' });
  const rows = Array.isArray(found?.Results) ? found.Results.map(recordOf) : [];
  return text(rows.find((row) => bareNumberId(textOf(row.TNID)) === bareNumberId(tnid))?.SubscriptionId);
}

/** "1 active subscription is on it." */
export function subscribedWords(count: unknown): string {
  if (typeof count !== 'number') return 'How many subscriptions are on it could not be read.';
  return count === 1 ? '1 active subscription is on it.' : `${count} active subscriptions are on it.`;
}

/**
 * An id without its prefix. Two spellings of a package's or product's id name one record (PLATFORM.md, Identifiers).
 */
function bareId(value: unknown): string {
  return (text(value) ?? '').replace(/^(pkid|prid|pid)-/i, '').toLowerCase();
}
