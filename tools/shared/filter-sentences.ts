import type { RowQuestion, RowSentence, Sentences } from '../../src/catalogue/operation.ts';
import { defined, type Fields } from '../../src/lib/json.ts';
import { readTexts } from '../../src/platform/dialect/readings.ts';
import { type Protection, protectionOf, protectionWords, TRAFFIC, type Traffic } from '../surfaces/guard.ts';
import { text } from './before.ts';

/* Describes the filters of a customer in sentences: the traffic that each lets through, and the people whom it blocks. */

/** The field of a filter's id, and the operations that block and unblock on it. */
interface FilterCalls {
  id: string;
  block: string;
  unblock: string;
}

/** The sentences of a list of filters of one kind of traffic. */
export function filterSentences(name: Traffic['name'], calls: FilterCalls): Sentences<{ Phone?: string | undefined }> {
  const traffic = TRAFFIC.find((one) => one.name === name);
  if (!traffic) throw new Error(`no traffic ${name}`);
  const { noun } = traffic;
  return {
    of: 'Results',
    title: (count, { Phone }) => {
      const whose = Phone === undefined ? '' : ` of ${Phone}`;
      if (count === 0) return `No ${noun}${whose}: nobody is blocked`;
      return `${count === 1 ? `1 ${noun}` : `${count} ${noun}s`}${whose}`;
    },
    row: (row) => sentenceOf(row, traffic, calls),
    about: (rows, { numbers, of }) => numbers.map((number) => blockedText(rows, number, { traffic, of })).join(' '),
  };
}

/** Says whether filters let a number through, and why. */
function blockedText(
  rows: readonly Fields[],
  number: string,
  { traffic, of }: { traffic: Traffic; of: RowQuestion['of'] },
): string {
  const what = `${traffic.title} from ${number}`;
  const whose = of ?? 'everyone';
  const found = rows.map((row) => ({ phone: text(row.Phone), state: stateOf(protectionOf(traffic, row), number) }));
  const phones = (state: State) => found.flatMap((row) => (row.state === state ? (row.phone ?? []) : []));
  const on = (state: State) => {
    const all = phones(state);
    return of !== undefined && rows.length === 1
      ? of
      : `${of === undefined ? '' : `${of} on `}${all.join(', ') || 'a line'}`;
  };
  const has = (state: State) => found.some((row) => row.state === state);
  const others = traffic.name === 'calls' ? 'Messages' : 'Calls';
  const apart = `${others} have a filter of their own.`;
  if (has('listed')) return `${what} are blocked for ${on('listed')}. ${apart}`;
  if (has('unlisted'))
    return `${what} are blocked for ${on('unlisted')}, because only allowed numbers get through. ${apart}`;
  if (has('paused'))
    return `${what} are not blocked for ${whose}: the number is on the block list, but that filter blocks nothing now. ${apart}`;
  return `${what} are not blocked for ${whose}. ${apart}`;
}

/** What a filter does with a number. `paused`: its list has the number, and has no effect. */
type State = 'listed' | 'unlisted' | 'paused' | 'free';

function stateOf({ level, rules, inbound, allowed, blocked }: Protection, number: string): State {
  const has = (list: readonly string[]) => list.some((entry) => isSameNumber(entry, number));
  const isOff = !inbound || level === 'INACTIVE' || level === 'MONITOR_ONLY';
  if (has(blocked)) return isOff ? 'paused' : 'listed';
  const isClosed = level === 'WHITELIST' || rules.includes('BlockUnknownNumbers');
  return isClosed && !isOff && !has(allowed) ? 'unlisted' : 'free';
}

/** True if one number is the other, or its last digits. */
function isSameNumber(entry: string, number: string): boolean {
  const [one, other] = [entry.replace(/\D/g, ''), number.replace(/\D/g, '')];
  return one !== '' && (one.endsWith(other) || other.endsWith(one));
}

function sentenceOf(row: Fields, traffic: Traffic, { id, block, unblock }: FilterCalls): RowSentence {
  const phone = text(row.Phone);
  const blocked = readTexts(row[traffic.blocked]) ?? [];
  const input = defined({ SubscriberId: text(row.SubscriberId), [id]: text(row.FilterId) });
  return {
    says: [
      `${phone === undefined ? '' : `${phone}: `}${protectionWords(traffic, protectionOf(traffic, row))}`,
      ...(blocked.length === 0 ? ['No number is blocked.'] : []),
    ].join(' '),
    next: [
      { tool: block, title: 'Block', input },
      { tool: unblock, title: 'Unblock', input },
    ],
  };
}
