import { fieldsOf } from '../../catalogue/fields.ts';
import { keysOf } from '../../gate/change.ts';
import { isOffer, type Meant, type Reading, type Topic } from './topics.ts';

/* "What is it now?" after an offer that sets a value of a line: the value that the line has, since nothing is changed yet. */

const NOW =
  /^\W*(?:(?:and|ok|so|but|wait|hm+|hey)[\s,]+)*(?:what|whats|how|which(?:\s+one)?)(?:['’]?s)?\s*(?:is|was|are)?\s*(?:it|that|this|there)?\s*(?:(?:set|on|in)\s+)*(?:(?:right\s+)?now|currently|at\s+the\s+moment|at\s+present|today|before|atm|rn|the\s+(?:current|present|old)\s+(?:one|value|name))[\s?!.]*$/iu;

/** The look-up of the line of an open offer. Undefined for other messages. */
export function ofValueNow(text: string, open: string, { line, person }: Topic, reading: Reading): Meant | undefined {
  const whom = line ?? person;
  if (whom === undefined || !NOW.test(text)) return undefined;
  const offer = reading.of(open);
  const tool = reading.toolOf(offer.operation ?? '');
  if (!tool || !isOffer(offer, reading) || !/^numbers_(?:update|status|data_usage_set)$/.test(tool.id))
    return undefined;
  const keys = keysOf(tool);
  const labels = fieldsOf(tool).flatMap(({ name, label }) =>
    offer.input[name] === undefined || keys.includes(name) ? [] : [label],
  );
  const told = labels.length === 0 ? '' : ` (${labels.join(', ')})`;
  const full = [`look up ${whom}`, `find ${whom}`].find((one) => reading.of(one).kind === 'lookup');
  const note = `Nothing is changed yet: the card has what it is now${told}. What was offered before is as it was`;
  return full === undefined ? undefined : { text: full, kind: 'read', note };
}
