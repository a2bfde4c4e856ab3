import { GUARD_READS, type Guarded, TRAFFIC, type Traffic } from '../../tools/surfaces/guard.ts';
import { defined, type Fields, isRecord, textOf } from '../lib/json.ts';

/* Reads whom a number belongs to and what its guardian filters do, for the form and for a conversation. */

/** The number and the subscriber whose filters are shown or changed. */
export interface Guardee {
  SubscriberId: string;
  Phone: string;
  name: string;
}

/** Performs a read. */
export type Read = (operation: string, input: Fields) => Promise<Fields>;

/** The subscriber of a number; undefined if it has none. */
export async function guardeeOf(read: Read, Phone: string): Promise<Guardee | undefined> {
  const record = firstRecord(await read(GUARD_READS.number, { PhoneNumber: Phone }));
  const SubscriberId = textOf(record.AssignedSubscriberId);
  if (SubscriberId === '') return undefined;
  const subscriber = firstRecord(await read(GUARD_READS.subscriber, { SubscriberId }));
  return { SubscriberId, Phone, name: textOf(subscriber.Name) || SubscriberId };
}

/** Reads the filters in force for a number. */
export async function guardedOf(
  read: Read,
  { SubscriberId, Phone }: Pick<Guardee, 'SubscriberId' | 'Phone'>,
): Promise<Guarded> {
  const [features, ...lists] = await Promise.all([
    read(GUARD_READS.features, { SubscriberId }),
    ...TRAFFIC.map(({ list }) => read(list, { Phone, SubscriberId })),
  ]);
  const all: Record<Traffic['name'], readonly Fields[]> = { messages: [], calls: [] };
  for (const [i, { name }] of TRAFFIC.entries()) {
    const rows = lists[i]?.Results;
    all[name] = (Array.isArray(rows) ? rows : []).filter(isRecord);
  }
  const { messages, calls } = all;
  return { features, all, filters: defined({ messages: messages[0], calls: calls[0] }) };
}

/** The record itself, or the first of a list. */
export function firstRecord(value: Fields): Fields {
  const [first] = Array.isArray(value.Results) ? value.Results : [value];
  return isRecord(first) ? first : {};
}
