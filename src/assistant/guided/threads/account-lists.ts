import { recordKinds } from '../../../../tools/surfaces/records.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { placeName } from '../../../language/places.ts';
import { kindOf } from '../../../language/typed-values.ts';
import { isOffer, type Meant, type Reading } from '../answers/topics.ts';

/*
 * "Use that one for 0105" after the list of an account's routes: an order about the line, and no other list. The list that
 * is read for its only entry is that of our own account, and the answer says so.
 */

const THAT = /\b(?:(?:that|this|the\s+only)\s+one|that|this|it)\b/iu;
const MAX_LENGTH = 90;

/** The order about a record of the list before. Undefined for other messages. */
export function ofAccountList(text: string, last: string, reading: Reading): Meant | undefined {
  const said = text.length > MAX_LENGTH || text.includes('?') ? undefined : THAT.exec(text)?.[0];
  const before = reading.of(last);
  const { operation, input } = before.orAccount ?? before;
  const noun = recordKinds.find(({ list }) => list.operation === operation)?.noun;
  const { AccountId: account, ...others } = input;
  if (said === undefined || noun === undefined || before.kind !== 'lookup' || Object.keys(others).length > 0)
    return undefined;
  if (typeof account !== 'string') return undefined;
  const full = text.replace(said, () => `the ${placeName()} ${noun}`);
  const own = reading.of(full);
  const tool = reading.toolOf(own.operation ?? '');
  const field = tool && fieldsOf(tool).find((one) => kindOf(one)?.noun === noun);
  if (!field || !isOffer(own, reading)) return undefined;
  const note = `If ${account} has a list of its own, choose its ${noun} in the form`;
  return { text: full, kind: 'refers', word: { said, means: `the ${noun} of the list` }, note };
}
