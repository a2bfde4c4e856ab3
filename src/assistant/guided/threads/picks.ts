import type { Narrow } from '../../../language/narrow.ts';
import type { Meant, Reading, Topic } from '../answers/topics.ts';

/* One line of the list that was just shown: "the one ending in 05", "the second one". The list is read again to find it. */

const LEAD = String.raw`^\W*(?:(?:ok|okay|so|and|please|pls|hm+|i\s+mean|show|me|open|take|its|it['’]?s)[\s,]+)*`;
const TAIL = String.raw`(?:[\s,]+(?:please|pls|then))*[\s.!?]*$`;
const ENDING = new RegExp(
  String.raw`${LEAD}(?:(?:the|that)\s+)?(?:one|line|number)?\s*(?:(?:that|which)\s+)?(?:ending|ends|finishing)\s+(?:in|with|on)\s+(?<ending>\d{1,3})${TAIL}`,
  'iu',
);
const ORDER = ['first|1st', 'second|2nd', 'third|3rd', 'fourth|4th', 'fifth|5th', 'sixth|6th', 'seventh|7th'];
const NTH = new RegExp(
  String.raw`${LEAD}the\s+(?:${ORDER.map((words) => `(${words})`).join('|')}|(last))(?:\s+(?:one|line|number))?${TAIL}`,
  'iu',
);

/** The line of a list that a message picks. Undefined for other messages. */
export function ofListed(text: string, last: string, { lines }: Topic, reading: Reading): Meant | undefined {
  const { kind, operation } = reading.of(last);
  if (kind !== 'lookup' || operation !== 'numbers_find' || lines !== undefined) return undefined;
  const line = lineIn(text);
  return line && { text: last, kind: 'again', before: last, pick: { line, kinds: [], said: `“${text}”` } };
}

function lineIn(text: string): Narrow['line'] {
  const ending = ENDING.exec(text)?.groups?.ending;
  if (ending !== undefined) return { ending };
  const at = (NTH.exec(text) ?? []).slice(1).findIndex((word) => word !== undefined);
  return at < 0 ? undefined : { at: at === ORDER.length ? -1 : at };
}
