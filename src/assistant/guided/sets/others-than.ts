import { recordKinds } from '../../../../tools/surfaces/records.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { jsonText } from '../../../lib/text.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import { exceptionsIn, withoutRows } from './exceptions.ts';

/*
 * Questions about all lines but one: "data used by all lines except 0105", "active acme lines without ava's". No search leaves
 * a line out. Surfaces leave the lines out of a list of lines; where they cannot, the others are shown with them, and the answer says so.
 */

/** Longer texts are no such question, and take long to read twice. */
const MAX_LENGTH = 200;
const SEARCH = 'numbers_find';
const OF_DATA = /^numbers_data_usage_/;
const MOST_DATA = 'which lines used the most data';

/** The answer to such a question without the exceptions. Undefined if its words mean something else. */
export function ofOthersThan(
  said: string,
  read: (text: string) => GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer | undefined {
  const isOrder = ({ operation = '' }: GuidedAnswer) => toolOf(operation)?.risk !== 'read';
  if (said.length > MAX_LENGTH) return undefined;
  const { rest, except } = exceptionsIn(said);
  if (except.length === 0) return undefined;
  const shown = read(said);
  const isRead = shown.kind === 'lookup' || shown.kind === 'events' || shown.kind === 'form';
  if (!isRead || isOrder(shown) || shown.narrow?.without !== undefined) return undefined;
  const hasOne = (of: GuidedAnswer) => except.some((who) => has(jsonText([of.input, of.find?.input]), who));
  const plain = read(rest.replace(/\s+/g, ' ').trim());
  // The data of one line names a line.
  const others = plain.kind === 'form' && OF_DATA.test(plain.operation ?? '') ? read(MOST_DATA) : plain;
  if (others.isInstead || others.kind === 'help' || isOrder(others) || hasOne(others)) return undefined;
  const { CountBy, ...input } = others.input;
  const isOfLines = others.operation === SEARCH && (CountBy === undefined || CountBy === 'Customer');
  // A list of people is one of their lines.
  if (isOfLines) return withoutRows({ ...others, input, understood: withoutCount(others.understood) }, except);
  if (others.kind === 'lookup' && isList(others.operation)) return withoutRows(others, except);
  if (!hasOne(shown) && shown.operation !== others.operation) return undefined;
  const told = `; in the list, too: ${except.map((who) => `“${who}”`).join(', ')}`;
  return {
    ...others,
    understood: `${others.understood.replace(/\.$/, '')}${told}.`,
    remarks: `${others.remarks ?? ''}${told}`,
  };
}

function withoutCount(text: string): string {
  return text.replace(/; counted by customer/, '');
}

function isList(operation: string | undefined): boolean {
  return recordKinds.some(({ list }) => list.operation === operation);
}

function has(text: string, name: string): boolean {
  return text.toLowerCase().includes(name.toLowerCase());
}
