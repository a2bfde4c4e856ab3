import type { Gate } from '../gate/gate.ts';
import type { RecordSearch } from '../language/records.ts';
import type { Actor } from '../lib/actor.ts';
import { type Fields, isRecord } from '../lib/json.ts';
import { orderOf } from '../platform/dialect/orders.ts';
import { readOrElse } from '../store/key-values.ts';
import type { Card } from './card.ts';
import { lineCard } from './line.ts';
import type { LineReader } from './line-actions.ts';
import { listed } from './outcome.ts';

/** Changes of a number that are read for its card. */
const MOST_RECENT = 30;

/** Values that a surface adds to the answer of a lookup. */
export interface LineRead extends LineReader {
  /** Reads the history for the surface itself. */
  own: Actor;
  /** The number that was asked for, if the answer does not have it. */
  asked: string;
  records: Pick<RecordSearch, 'usedBy'>;
  /** True while the answer is incomplete. Names and Switchboard's own history are not read yet. */
  isPart?: boolean;
}

/**
 * The whole card of a looked-up number: the answer with its diagnosis, Switchboard's records of the number (changes
 * that wait, recent actions, open orders, messages), the names of its records, and the actions for the reader.
 *
 * @param value the answer of the lookup. Records of the store are left out while it is away.
 */
export async function lineOf(gate: Gate, value: Fields, reader: LineRead): Promise<Card & { phone: string }> {
  const { own, asked, records, actor, isPart = false } = reader;
  const phone = numberIn(value) ?? asked;
  const history = gate.history(own);
  const [recent, watches, inbound, uses, waiting] = await Promise.all([
    isPart ? [] : readOrElse(gate.actions.about(phone, MOST_RECENT, { whole: true }), []),
    readOrElse(history.watched(), []),
    isPart ? undefined : readOrElse(history.lastMessage(phone), undefined),
    isPart || actor === undefined ? [] : records.usedBy(value, actor),
    readOrElse(history.waitingFor(phone), []),
  ]);
  const orders = [...new Set(recent.flatMap((action) => orderOf(action) ?? []))];
  const reports = new Map(
    await Promise.all(orders.map(async (id) => [id, await readOrElse(history.order(id), undefined)] as const)),
  );
  const card = lineCard({
    phone,
    value,
    uses,
    recent: await listed(gate, recent),
    inbound,
    waiting,
    reportOf: (id) => reports.get(id),
    timeZone: gate.timeZone,
    watched: watches.some((watch) => watch.phone === phone),
    reader,
  });
  return { ...card, phone };
}

/** The number in a looked-up record, as the platform spells it. */
function numberIn(value: Fields): string | undefined {
  return Object.values(value)
    .filter(isRecord)
    .flatMap((part) => Object.values(part))
    .find((text): text is string => typeof text === 'string' && /^\+\d{7,15}$/.test(text));
}
