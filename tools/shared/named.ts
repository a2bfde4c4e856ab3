import type { Checked, Look, NamedId, RecordProblem } from '../../src/catalogue/operation.ts';
import { defined, type Fields, recordOf, textOf } from '../../src/lib/json.ts';
import { inQuotes, nameText } from '../../src/lib/text.ts';
import { quote, quotesIn, words } from '../../src/lib/words.ts';
import { bareNumberId } from '../../src/platform/dialect/number-lists.ts';
import { accountName, lookAtSubscriber, text } from './before.ts';
import { kindOf } from './line.ts';
import { packageText, subscribersOf } from './plans.ts';

/*
 * Names of records for the person who confirms. Each record takes one request, and one for its account. A record that
 * cannot be read is named by its id, with a warning.
 */

interface Kind {
  operation: string;
  /** The field of the query. */
  field: string;
  /** The name that people know; empty if the record has none. */
  name: (record: Fields) => string;
}

const KINDS = {
  product: {
    operation: 'products_get',
    field: 'ProductId',
    name: (record) => text(record.Description) ?? text(record.SKU) ?? '',
  },
  package: { operation: 'packages_get', field: 'PackageId', name: (record) => text(record.PackageName) ?? '' },
  feature: {
    operation: 'subscriptions_features_get',
    field: 'FeatureId',
    name: (record) => text(record.FeatureName) ?? '',
  },
  subscription: { operation: 'subscriptions_get', field: 'SubscriptionId', name: () => '' },
  'message route': {
    operation: 'message_routes_get',
    field: 'MessageRouteId',
    name: (record) => text(record.RouteName) ?? '',
  },
  'voice route': {
    operation: 'voice_routes_get',
    field: 'CallRouteID',
    name: (record) => text(record.RouteName) ?? '',
  },
  webhook: { operation: 'webhook_get', field: 'WebhookId', name: (record) => text(record.WebhookUrl) ?? '' },
} as const satisfies Record<string, Kind>;

export interface NamedRecord {
  /** Undefined if it could not be read. */
  record: Fields | undefined;
  /** “Starter” if the record has a name, otherwise its id. */
  name: string;
  /** The account, if the record names one. */
  customer?: string;
  warnings: string[];
}

/** Reads one record by its id. Never rejects. `more` has further fields of the query. */
export async function lookAtNamed(
  kind: keyof typeof KINDS,
  id: string,
  look: Look,
  more: Fields = {},
): Promise<NamedRecord> {
  const { operation, field, name }: Kind = KINDS[kind];
  const reading = await look.read(operation, { ...more, [field]: id });
  if (reading.found === undefined) {
    const title = kind.charAt(0).toUpperCase() + kind.slice(1);
    return {
      record: undefined,
      name: id,
      warnings: [`${title} ${id} could not be read before asking: ${reading.why}`],
    };
  }
  const account = text(reading.found.AccountId);
  const called = name(reading.found);
  return {
    record: reading.found,
    name: called === '' ? id : inQuotes(called),
    ...(account === undefined ? {} : { customer: await accountName(account, look) }),
    warnings: [],
  };
}

/** The customer of a line that no subscriber has yet: the account's name, if it can be read. */
export async function lookAtAccount(id: string | undefined, look: Look): Promise<string> {
  const { found } = id === undefined ? { found: undefined } : await look.read('account_get', { AccountId: id });
  const name = text(found?.AccountName);
  return ['no subscriber yet', ...(name === undefined ? [] : [nameText(name)])].join(' · ');
}

/** A package with its price: “Starter” (15 USD a month), and “Old” (9 USD a month, inactive). */
export function packageName({ name, record }: NamedRecord): string {
  return record === undefined ? name : packageText(record, name);
}

/** An item of a package, with the names of package, product and first subscribers. At most seven requests. */
export async function lookAtItem(
  { PackageId, PackageItemId }: { PackageId: string; PackageItemId: string },
  look: Look,
): Promise<{
  item: Fields | undefined;
  names: Readonly<Record<string, NamedId>>;
  customer?: string;
  known: { Name: string; Product?: string; Subscribed: number | undefined; Who: string };
  warnings: string[];
  problem?: RecordProblem;
}> {
  const [found, items, { count, who, warnings }] = await Promise.all([
    lookAtNamed('package', PackageId, look),
    look.read('packages_items_get', { PackageId }),
    subscribersOf([PackageId], look),
  ]);
  const rows = Array.isArray(items.found?.Results) ? items.found.Results.map(recordOf) : [];
  const item = rows.find((row) => text(row.PackageItemId)?.toLowerCase() === PackageItemId.toLowerCase());
  const id = text(item?.ProductId);
  const product = id === undefined ? undefined : await lookAtNamed('product', id, look);
  const called = text(product?.record?.Description) ?? text(product?.record?.SKU);
  const isMissing = Array.isArray(items.found?.Results) && item === undefined;
  const message = `package ${PackageId} has no item ${PackageItemId}. packages_items_get lists its items`;
  return {
    item,
    ...(isMissing ? { problem: { field: 'PackageItemId', message, code: 'not_found' as const } } : {}),
    names: called === undefined ? {} : { [PackageItemId]: { noun: 'item', name: called, leads: [] } },
    ...(who !== '' && { customer: who }),
    known: {
      Name: packageName(found),
      ...(product ? { Product: product.name } : {}),
      Subscribed: count,
      Who: who,
    },
    warnings: [
      ...found.warnings,
      ...(items.found === undefined ? [`The item could not be read before asking: ${items.why}`] : []),
      ...(product?.warnings ?? []),
      ...warnings,
    ],
  };
}

/** A record's name in quotation marks; its id if it has no name. */
export function nameOr(id: string, name: unknown): string {
  const called = text(name);
  return called === undefined ? id : inQuotes(called);
}

/**
 * The phone number behind a number's id (TNID), from the first rows of the inventory with one request. Undefined if it is
 * not among them or the inventory could not be read.
 */
export async function phoneOfId(tnid: string, look: Look): Promise<string | undefined> {
  return text((await lineOfId(tnid, look))?.Number);
}

/** The record of the number with this id, as `phoneOfId` finds it. */
async function lineOfId(tnid: string, look: Look): Promise<Fields | undefined> {
  return (await lookAtLine('', tnid, look)).line;
}

/**
 * The number with this id, as `phoneOfId` finds it. An id that the whole inventory lacks is a problem; if only a part of
 * it was read, a warning says that the number was not checked.
 *
 * @param field the field of the call that names the number
 */
export async function lookAtLine(
  field: string,
  tnid: string,
  look: Look,
): Promise<{ line?: Fields; problem?: RecordProblem; warnings: string[] }> {
  const { found } = await look.read('numbers_inventory_get', { TotalNumbersRequested: ROWS });
  // What could not be read is said of the inventory as a whole.
  if (found === undefined) return { warnings: [] };
  const rows = Array.isArray(found.PhoneNumbers) ? found.PhoneNumbers.map(recordOf) : [];
  const line = rows.find((row) => bareNumberId(textOf(row.Tnid)) === bareNumberId(tnid));
  if (line !== undefined) return { line, warnings: [] };
  const total = Number(found.TotalResults ?? Number.NaN);
  if (rows.length >= total) {
    return { problem: { field, message: `no number has the id ${tnid}`, code: 'not_found' }, warnings: [] };
  }
  return {
    warnings: [`The number ${tnid} was not checked: the part of the inventory that was read does not have it.`],
  };
}

/**
 * The problem of a subscription whose subscriber does not hold its number, or whose type is not that of the number; one
 * more request to name who holds it. Undefined for a number that was not found, or has no holder.
 */
export async function unfitSubscription(
  line: Fields | undefined,
  { SubscriberId, Type }: { SubscriberId?: string | undefined; Type?: string | undefined },
  look: Look,
): Promise<RecordProblem | undefined> {
  const phone = text(line?.Number);
  if (line === undefined || phone === undefined) return undefined;
  const other = SubscriberId === undefined ? undefined : await otherHolder(phone, line, SubscriberId, look);
  if (other !== undefined) return other;
  const kind = kindOf(line);
  if (kind === '' || Type === undefined || kind === Type.toLowerCase()) return undefined;
  return { field: 'Type', message: `must match the kind of number: ${phone} is ${kind}, not ${Type.toLowerCase()}` };
}

/** The problem of a line that another subscriber holds, with the name of that one. */
async function otherHolder(
  phone: string,
  line: Fields,
  SubscriberId: string,
  look: Look,
): Promise<RecordProblem | undefined> {
  const holder = text(line.AssignedSubscriberId);
  if (holder === undefined || holder.toLowerCase() === SubscriberId.toLowerCase()) return undefined;
  const { customer = holder } = await lookAtSubscriber(holder, look);
  const message = words`${phone} belongs to ${quote(customer)}, not to this subscriber. Give the subscriber of the number`;
  return { field: 'SubscriberId', message };
}

/**
 * Adds to a check of a subscriber that of a line which their record is to cover, such as a filter. The line must be one
 * of ours, and nobody else's. `field`: the field that names it.
 */
export async function withLine(
  checked: Checked,
  line: { field: string; phone: string; SubscriberId: string },
  look: Look,
): Promise<Checked> {
  const found = await lineOfSubscriber(line, look);
  return {
    ...checked,
    ...found,
    warnings: [...(checked.warnings ?? []), ...found.warnings],
    rests: { ...checked.rests, ...found.rests },
  };
}

async function lineOfSubscriber(
  { field, phone, SubscriberId }: { field: string; phone: string; SubscriberId: string },
  look: Look,
): Promise<Pick<Checked, 'problem' | 'rests'> & { warnings: readonly string[] }> {
  const line = await look.read('numbers_get', { PhoneNumber: phone });
  if (line.found === undefined) {
    // A 404 that does not name the number may be about the endpoint.
    const isAbsent = line.code === 'not_found' && quotesIn(line.message).some((said) => said.includes(phone));
    if (!isAbsent) return { warnings: [`${phone} could not be read before asking: ${line.why}`] };
    const message = words`${phone} is not one of our numbers: ${line.message}`;
    return { problem: { field, message, code: 'not_found' }, warnings: [] };
  }
  const problem = await otherHolder(phone, line.found, SubscriberId, look);
  const holder = text(line.found.AssignedSubscriberId) ?? null;
  const warnings = holder === null ? [`${phone} has no subscriber, so it is not a line of this one.`] : [];
  return { ...defined({ problem }), warnings, rests: { [phone]: { AssignedSubscriberId: holder } } };
}

/** Rows of the inventory that one request reads. */
export const ROWS = 100;

/** The phone numbers behind these ids (TNID), as names for the question. One request. */
export async function numberNames(
  ids: readonly (string | undefined)[],
  look: Look,
): Promise<Readonly<Record<string, NamedId>>> {
  const found = await Promise.all(
    ids.map(async (id): Promise<[string, NamedId] | undefined> => {
      const phone = id === undefined ? undefined : await phoneOfId(id, look);
      return id === undefined || phone === undefined ? undefined : [id, { noun: 'number', name: phone, leads: [] }];
    }),
  );
  return Object.fromEntries(found.filter((entry) => entry !== undefined));
}

/** A subscription by its line, as a name for the question. Empty if the line is not known. */
export function subscriptionName(
  id: string,
  record: Fields | undefined,
  numbers: Readonly<Record<string, NamedId>>,
): Readonly<Record<string, NamedId>> {
  const line = numbers[String(record?.TNID)];
  return line === undefined ? {} : { [id]: { noun: 'subscription', name: line.name, isOf: true, leads: [] } };
}

/** An order by its numbers, as a name for the question. Empty if they are not known. `noun`: "port-in order". */
export function orderName(noun: string, id: string, phones: readonly string[]): Readonly<Record<string, NamedId>> {
  const [first, ...more] = phones;
  const name = more.length === 0 ? first : `${first} and ${more.length} more`;
  return name === undefined ? {} : { [id]: { noun, name, isOf: true, leads: [] } };
}
