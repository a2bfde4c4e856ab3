import { recordKinds } from '../../../../tools/surfaces/records.ts';
import { begins } from '../answers/parts.ts';
import type { Meant, Reading } from '../answers/topics.ts';
import { plainTalk } from './plain-talk.ts';

/*
 * "The one that isn't in any package" after a list of products is a product, also if its description names other records. The
 * sentence is read with the noun of the list in place of "one".
 */

const ONE =
  /\b(?<the>the|that|those|any)\s+one(?<several>s)?(?=\s+(?:that|which|who|whose|with|without|in|on|of|for|not|nobody|no|called|named|we|they|going|pointing)\b)/iu;
const LINES = /\b(?:lines?|numbers?)$/u;

/** The order for a record of the list before, with its noun. Undefined for other messages. */
export function ofListedOne(text: string, last: string, reading: Reading): Meant | undefined {
  const match = ONE.exec(text);
  const before = reading.of(last);
  const kind = recordKinds.find(({ list }) => before.kind === 'lookup' && list.operation === before.operation);
  if (!match || !kind || LINES.test(kind.noun) || !begins(plainTalk(text))) return undefined;
  const { the = 'the', several } = match.groups ?? {};
  const noun = `${kind.noun}${several === undefined ? '' : 's'}`;
  return { text: text.replace(match[0], `${the} ${noun}`), kind: 'read' };
}
