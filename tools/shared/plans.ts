import * as z from 'zod';
import type { Checked, Look, RecordProblem } from '../../src/catalogue/operation.ts';
import { defined, type Fields, inQuotes, recordsIn, textOf } from '../../src/lib/values.ts';
import { bareNumberId } from '../../src/platform/dialect/number-lists.ts';
import { moneyText, readFlag } from '../../src/platform/dialect/readings.ts';
import { lookAtLine, lookAtPerson, MOST, namedLine, namedOf, otherHolder, sameId, text } from './before.ts';
import { choice, idOf, out } from './fields.ts';
import { kindOf } from './line.ts';

/*
 * Products, packages, subscriptions and features: their records as the platform returns them, and the effect of an
 * update on the people who are billed.
 */

export const productRecord = {
  ProductId: out.key('PRID', 'PID'),
  ...out.members('SKU Description Type SubType Cost BillingFrequency Active'),
} as const;

export const packageRecord = {
  PackageId: out.key('PKID', 'PID'),
  ...out.members('PackageName Description Type Price Monthly Active'),
} as const;

export const itemRecord = {
  PackageItemId: out.key('PIID'),
  ...out.members('PackageId ProductId Price Monthly Type Active'),
} as const;

export const subscriptionRecord = {
  SubscriptionId: out.key('SUB'),
  ...out.members('SubscriberId TNID ICCID PackageId Type Active'),
} as const;

export const assignmentRecord = {
  FeatureAssignmentId: out.key('FAID'),
  ...out.members('FeatureId SubscriptionId Active'),
} as const;

export const featureAssignmentId = idOf('FAID');

/** The billing periods of products, in the words of people and of the platform. */
const BILLING_WORDS: Readonly<Record<string, string>> = {
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

/** The check before a change of what these packages cost or hold: their active subscriptions, and the first subscribers. */
export async function lookAtSubscribed(packageIds: readonly string[], look: Look) {
  const { found } = await look.read('account_subscriptions_get', { Filter: 'Active' });
  const rows = recordsIn(found?.Results);
  const wanted = new Set(packageIds.map(bareId));
  const on = rows.filter((row) => wanted.has(bareId(row.PackageId)));
  // In one order: the platform may list them in another one at the yes.
  const distinct = [...new Set(on.flatMap((row) => text(row.SubscriberId) ?? []))].sort();
  const persons = await Promise.all(distinct.slice(0, MOST).map((id) => lookAtPerson(id, look)));
  const names = persons.flatMap(({ customer }) => customer ?? []);
  const more = distinct.length - names.length;
  const who = names.length === 0 || more === 0 ? names.join(', ') : `${names.join(', ')} and ${more} more`;
  const isWhole = isWholeList(found, 'PackageId');
  const count = isWhole || on.length > 0 ? on.length : undefined;
  const isPart = found !== undefined && !isWhole;
  return {
    count,
    known: { Subscribed: count, Who: who },
    ...defined({ customer: who || undefined }),
    // The question names the first of them.
    rests: { [packageIds.join(', ')]: { 'changed part of the list of subscribers': distinct } },
    warnings: isPart ? ['The platform listed only a part of the subscriptions, so there may be more.'] : [],
  };
}

/** "1 active subscription is on it: Ava Stone." */
export function subscribedWords({ Subscribed: count, Who = '' }: Fields, where = 'it'): string {
  if (typeof count !== 'number') return `How many subscriptions are on ${where} could not be read.`;
  const named = Who === '' ? '' : `: ${String(Who)}`;
  return `${count === 1 ? '1 active subscription is' : `${count} active subscriptions are`} on ${where}${named}.`;
}

/** The hazard of a change of what subscribers pay or get. */
export function billedLater(_input: Fields, known: Fields): string {
  return `${subscribedWords(known)} When their charges change is not confirmed by the platform.`;
}

export const NO_REFUND = 'Charges are not refunded.';

/** Packages whose items are read to find a product. */
const MOST_PACKAGES = 10;

/** The packages of the account that contain a product. One request, and one for each of the first ten packages. */
export async function packagesWith(productId: string, look: Look) {
  const { found } = await look.read('account_packages_get', { Filter: 'All' });
  // In one order: the platform may list them in another one at the yes. A product that an active package contains is in use.
  const all = recordsIn(found?.Results).sort(
    (one, other) =>
      Number(isActive(other)) - Number(isActive(one)) || (textOf(one.PackageId) < textOf(other.PackageId) ? -1 : 1),
  );
  const read = await Promise.all(
    all.slice(0, MOST_PACKAGES).map(async (record) => {
      const id = textOf(record.PackageId);
      const items = recordsIn((await look.read('packages_items_get', { PackageId: id })).found?.Results);
      return { id, record, has: items.some((item) => bareId(item.ProductId) === bareId(productId)) };
    }),
  );
  // Without the total: a package that does not contain it changes nothing in the question.
  const warnings = read.length < all.length ? [`Only the items of ${read.length} packages were read.`] : [];
  return { packages: read.filter(({ has }) => has), warnings };
}

export function isActive(row: Fields): boolean {
  return readFlag(row.Active) !== false;
}

/** A package with its price: “Starter” (15 USD a month), and “Old” (9 USD a month, inactive). */
export function packageText(record: Fields | undefined, id: string): string {
  const called = text(record?.PackageName);
  const facts = record === undefined ? [] : [priceOf(record), isActive(record) ? '' : 'inactive'];
  const said = facts.filter((fact) => fact !== '');
  return `${called === undefined ? id : inQuotes(called)}${said.length === 0 ? '' : ` (${said.join(', ')})`}`;
}

/** An item of a package, the product in it, and the subscribers of the package. */
export async function lookAtItem(
  { PackageId, PackageItemId }: { PackageId: string; PackageItemId: string },
  look: Look,
): Promise<Checked> {
  const [items, subscribed] = await Promise.all([
    look.read('packages_items_get', { PackageId }),
    lookAtSubscribed([PackageId], look),
  ]);
  const item = recordsIn(items.found?.Results).find((row) => sameId(row.PackageItemId, PackageItemId));
  const message = `package ${PackageId} has no item ${PackageItemId}. packages_items_get lists its items`;
  if (items.found !== undefined && item === undefined)
    return { problem: { field: 'PackageItemId', message, code: 'not_found' } };
  const id = text(item?.ProductId);
  const product = id === undefined ? undefined : (await look.read('products_get', { ProductId: id })).found;
  const name = text(product?.Description) ?? text(product?.SKU);
  const { count: _count, known, ...checked } = subscribed;
  return {
    ...checked,
    ...(name !== undefined && { names: { [PackageItemId]: { noun: 'item', name, leads: [] } } }),
    known: { ...known, ...defined({ Record: item }) },
  };
}

/**
 * A subscription, its customer, and its line, which names it. One request for each, and one for the numbers.
 *
 * @param more ids of further numbers that the question names
 */
export async function lookAtSubscription(
  id: string,
  more: readonly (string | undefined)[],
  look: Look,
): Promise<Checked & { record?: Fields }> {
  const { found: record } = await look.read('subscriptions_get', { SubscriptionId: id });
  const own = text(record?.TNID);
  const tnids = [own, ...more].flatMap((tnid) => tnid ?? []);
  const [{ customer }, ...lines] = await Promise.all([
    lookAtPerson(text(record?.SubscriberId), look),
    ...tnids.map((tnid) => lookAtLine(tnid, look)),
  ]);
  const named = tnids.map((tnid, at) => namedLine(tnid, lines[at]?.line));
  const phone = own === undefined ? undefined : text(lines[0]?.line?.Number);
  return { ...defined({ customer, record }), names: Object.assign({}, ...named, namedOf('subscription', id, [phone])) };
}

/**
 * The id of the active subscription that a number already has, read with one request; empty if it has none, undefined if
 * the list could not be read. `tnid` is the number's id.
 */
export async function subscriptionOf(tnid: string, look: Look): Promise<string | undefined> {
  const { found } = await look.read('account_subscriptions_get', { Filter: 'Active' });
  const row = recordsIn(found?.Results).find((one) => bareNumberId(textOf(one.TNID)) === bareNumberId(tnid));
  return text(row?.SubscriptionId) ?? (isWholeList(found, 'TNID') ? '' : undefined);
}

/** False for a list of subscriptions that is partial, or leaves out a member: it proves only those that it contains. */
function isWholeList(found: Fields | undefined, member: string): boolean {
  const rows = recordsIn(found?.Results);
  const isTold = Array.isArray(found?.Results) && rows.every((row) => text(row[member]) !== undefined);
  return isTold && !(Number(found.TotalSubscriptions) > rows.length);
}

/**
 * The problem of a subscription whose subscriber does not hold its number, or whose type is not that of the number.
 * Undefined for a number that was not found, or has no holder.
 */
export async function unfitSubscription(
  line: Fields | undefined,
  { SubscriberId, Type }: { SubscriberId?: string | undefined; Type?: string | undefined },
  look: Look,
): Promise<RecordProblem | undefined> {
  if (line === undefined) return undefined;
  const other = await otherHolder(line, SubscriberId, look);
  const [kind, type] = [kindOf(line), Type?.toLowerCase()];
  if (other !== undefined || kind === '' || type === undefined || kind === type) return other;
  return { field: 'Type', message: `must match the kind of number: ${textOf(line.Number)} is ${kind}, not ${type}` };
}

/** An id without its prefix. Two spellings of a package's or product's id name one record (PLATFORM.md, Identifiers). */
function bareId(value: unknown): string {
  return textOf(value)
    .replace(/^(pkid|prid|pid)-/i, '')
    .toLowerCase();
}

/** The read whose answer has the current activation code of a number's eSIM (PLATFORM.md, Number record). */
export const activationRead = (PhoneNumber: string) => ({ operation: 'numbers_get', input: { PhoneNumber } });
