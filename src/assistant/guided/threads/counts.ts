import { recordKinds } from '../../../../tools/surfaces/records.ts';
import type { Meant, Reading } from '../answers/topics.ts';

/* "How many is that" after a list: the list again, which says how many entries it has. No single record is meant. */

const COUNT =
  /^\W*(?:(?:so|and|ok|okay|then|hm+|but)[\s,]+)*how\s+many(?:\s+(?:is|are|were|of|makes?|does)?\s*(?:that|this|those|these|it|they|them|there)(?:\s+(?:make|be|then))?)?(?:\s+(?:in\s+total|in\s+all|altogether|now|all\s+together|then))*[\s?.!]*$/iu;

/** The list before. Undefined for other messages. */
export function ofCount(text: string, last: string, reading: Reading): Meant | undefined {
  if (!COUNT.test(text)) return undefined;
  const { kind, operation, facts } = reading.of(last);
  const isList = operation === 'numbers_find' || recordKinds.some(({ list }) => list.operation === operation);
  return kind === 'lookup' && isList && !facts ? { text: last, kind: 'again', before: last } : undefined;
}
