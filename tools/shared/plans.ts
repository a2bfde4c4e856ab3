import * as z from 'zod';
import type { Harm, Look } from '../../src/catalogue/operation.ts';
import { type Fields, recordOf, textOf } from '../../src/lib/json.ts';
import { inQuotes } from '../../src/lib/text.ts';
import { memberMoney, moneyText } from '../../src/platform/dialect/money.ts';
import { bareNumberId } from '../../src/platform/dialect/number-lists.ts';
import { readFlag } from '../../src/platform/dialect/readings.ts';
import numbersGet from '../numbers/get.ts';
import { peopleText, text } from './before.ts';
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

/** The billing periods of products, in the words of people and of the platform. */
export const BILLING_WORDS: Readonly<Record<string, string>> = {
  ...{ mrc: 'MRC', monthly: 'MRC', month: 'MRC', recurring: 'MRC' },
  ...{ nrc: 'NRC', 'one-time': 'NRC', 'one time': 'NRC', once: 'NRC' },
};

/** MRC, NRC or usage-based (PLATFORM.md, Product). */
export const billingFrequency = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(50)
  .overwrite((value) => BILLING_WORDS[value.toLowerCase()] ?? value)
  .refine((value) => /^(MRC|NRC|usage.*)$/i.test(value), {
    message: 'must be monthly (MRC), one-time (NRC) or usage-based',
  });

/** Filter of an account's lists (PLATFORM.md, Account). */
export const activeFilter = choice(['Active', 'Inactive', 'All']).optional();

/** The harm of changing a member that decides what people pay or get: "Price: 15 USD → 20 USD." */
export function billed(what: string): Harm<unknown> {
  return {
    what,
    reason: (value, { member, record }) => {
      const now = record?.[member];
      const said = (one: unknown) => memberMoney(member, one) ?? String(one);
      if (record === undefined) return `${member}: ${said(value)}; what it is now could not be read.`;
      return `${member}: ${now === undefined || now === null ? '' : `${said(now)} → `}${said(value)}.`;
    },
  };
}

/** "15 USD a month" or "15 USD"; empty if the record has no price. */
export function priceOf({ Price, Monthly }: Fields): string {
  const price = moneyText(Price);
  return price === undefined ? '' : `${price}${readFlag(Monthly) === true ? ' a month' : ''}`;
}

/** The wholesale cost of a product: "4.50 USD a month"; empty if the record has none. */
export function costOf({ Cost, BillingFrequency }: Fields): string {
  const cost = moneyText(Cost);
  return cost === undefined ? '' : `${cost}${/^MRC$/i.test(textOf(BillingFrequency)) ? ' a month' : ''}`;
}

/** The active subscriptions on some packages. */
interface Subscribed {
  /** Undefined with a warning if it could not be read. */
  count: number | undefined;
  /** The first subscribers by name. Empty if there are none, or they could not be read. */
  who: string;
  warnings: string[];
}

/** Counts the account's active subscriptions on these packages, and names the first subscribers. At most four requests. */
export async function subscribersOf(packageIds: readonly string[], look: Look): Promise<Subscribed> {
  const { found, ...failed } = await look.read('account_subscriptions_get', { Filter: 'Active' });
  if (found === undefined) {
    const why = 'why' in failed ? failed.why : '';
    return { count: undefined, who: '', warnings: [`The subscriptions could not be read before asking: ${why}`] };
  }
  const rows = Array.isArray(found.Results) ? found.Results.map(recordOf) : [];
  const wanted = new Set(packageIds.map(bareId));
  const on = rows.filter((row) => wanted.has(bareId(row.PackageId)));
  const who = await peopleText(
    on.map((row) => text(row.SubscriberId)),
    look,
  );
  // A partial list proves only the subscriptions that it contains.
  const isWhole = Array.isArray(found.Results) && !(Number(found.TotalSubscriptions) > rows.length);
  const warnings = isWhole ? [] : ['The platform listed only a part of the subscriptions, so there may be more.'];
  return { count: isWhole || on.length > 0 ? on.length : undefined, who, warnings };
}

/** Packages whose items are read to find a product. */
const MOST_PACKAGES = 10;

/** The packages that contain a product. */
interface Containing {
  /** `name`: with its price. `called`: its bare name, or its id. */
  packages: readonly { id: string; called: string; name: string; isActive: boolean }[];
  /** The number of packages whose items were not read. */
  unread: number;
  warnings: string[];
}

/** Finds the packages of the account that contain a product. One request, and one for each of the first ten packages. */
export async function packagesWith(productId: string, look: Look): Promise<Containing> {
  const { found, ...failed } = await look.read('account_packages_get', { Filter: 'All' });
  if (found === undefined) {
    const why = 'why' in failed ? failed.why : '';
    return { packages: [], unread: 0, warnings: [`Which packages contain it could not be read before asking: ${why}`] };
  }
  const all = Array.isArray(found.Results) ? found.Results.map(recordOf) : [];
  // A product that an active package contains is in use.
  const ordered = [...all].sort((one, other) => Number(isActive(other)) - Number(isActive(one)));
  const read = ordered.slice(0, MOST_PACKAGES);
  const items = await Promise.all(
    read.map((row) => look.read('packages_items_get', { PackageId: text(row.PackageId) ?? '' })),
  );
  const packages = read.flatMap((row, i) => {
    const rows = items[i]?.found?.Results;
    const has = Array.isArray(rows) && rows.some((item) => bareId(recordOf(item).ProductId) === bareId(productId));
    const id = text(row.PackageId);
    return has && id !== undefined
      ? [{ id, called: text(row.PackageName) ?? id, name: packageText(row, id), isActive: isActive(row) }]
      : [];
  });
  const unread = all.length - items.filter(({ found: answer }) => answer !== undefined).length;
  const partly = unread === 0 ? [] : [`The items of ${unread} of ${all.length} packages were not read.`];
  return { packages, unread, warnings: partly };
}

function isActive(row: Fields): boolean {
  return readFlag(row.Active) !== false;
}

/** A package with its price: “Starter” (15 USD a month), and “Old” (9 USD a month, inactive). */
export function packageText(record: Fields, id: string): string {
  const called = text(record.PackageName);
  const facts = [priceOf(record), isActive(record) ? '' : 'inactive'].filter((fact) => fact !== '');
  const name = called === undefined ? id : inQuotes(called);
  return facts.length === 0 ? name : `${name} (${facts.join(', ')})`;
}

/**
 * The id of the active subscription that a number already has, read with one request; empty if it has none, undefined if
 * the list could not be read. `tnid` is the number's id.
 */
export async function subscriptionOf(tnid: string, look: Look): Promise<string | undefined> {
  const { found } = await look.read('account_subscriptions_get', { Filter: 'Active' });
  if (found === undefined) return undefined;
  const rows = Array.isArray(found.Results) ? found.Results.map(recordOf) : [];
  return text(rows.find((row) => bareNumberId(textOf(row.TNID)) === bareNumberId(tnid))?.SubscriptionId) ?? '';
}

/** "1 active subscription is on it." */
export function subscribedWords(count: unknown, who: unknown = '', where = 'it'): string {
  if (typeof count !== 'number') return `How many subscriptions are on ${where} could not be read.`;
  const named = who === '' ? '' : `: ${String(who)}`;
  return count === 1
    ? `1 active subscription is on ${where}${named}.`
    : `${count} active subscriptions are on ${where}${named}.`;
}

/**
 * An id without its prefix. Two spellings of a package's or product's id name one record (PLATFORM.md, Identifiers).
 */
function bareId(value: unknown): string {
  return (text(value) ?? '').replace(/^(pkid|prid|pid)-/i, '').toLowerCase();
}

/** The read whose answer has the current activation code of a number's eSIM (PLATFORM.md, Number record). */
export function activationRead(phone: string): { operation: string; input: Fields } {
  return { operation: numbersGet.id, input: { PhoneNumber: phone } };
}
