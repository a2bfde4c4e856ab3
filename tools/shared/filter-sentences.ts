import type { RowSentence, Sentences } from '../../src/catalogue/operation.ts';
import { defined, type Fields } from '../../src/lib/json.ts';
import { readTexts } from '../../src/platform/dialect/readings.ts';
import { protectionOf, protectionWords, TRAFFIC, type Traffic } from '../surfaces/guard.ts';
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
  };
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
