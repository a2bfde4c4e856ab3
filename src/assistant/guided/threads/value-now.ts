import { FEATURES_SET, FILTER_LISTS, TRAFFIC } from '../../../../tools/surfaces/guard.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { keysOf } from '../../../gate/change.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import { isOffer, isPort, type Meant, portOf, type Reading, type Topic } from '../answers/topics.ts';

/*
 * "What is it now?" after an offer: the values that the record has, since nothing is changed yet. "When will it be done?"
 * after an offer for a port asks for its order.
 */

const WHEN_NOW = String.raw`(?:(?:right\s+)?now|currently|at\s+the\s+moment|at\s+present|today|before|until\s+now|so\s+far|atm|rn)`;
const NOW = new RegExp(
  String.raw`^\W*(?:(?:and|ok|so|but|wait|hm+|hey|sorry)[\s,]+)*(?:what|whats|how|which(?:\s+one)?)(?:['’]?s)?\s*(?:is|was|are|were|does|did)?\s*(?:it|that|this|there|s?he|they|the\s+(?:line|route|filter|package|number))?\s*(?:(?:set|on|in|active|off|have|has|had|got|switched|turned|say|look\s+like)\s+)*(?:(?:to|up)\s+)?(?:${WHEN_NOW}|the\s+(?:current|present|old)\s+(?:one|value|name|setting))(?:\s+(?:then|again|anyway))?[\s?!.]*$`,
  'iu',
);

/** The read of what an open offer changes, for a question of what it is or was. Undefined for other messages. */
export function ofValueNow(text: string, open: string, topic: Topic, reading: Reading): Meant | undefined {
  if (!NOW.test(text)) return undefined;
  const offer = reading.of(open);
  const tool = reading.toolOf(offer.operation ?? '');
  if (!tool || !isOffer(offer, reading) || /_(?:create|provision|portin|outbound)$/.test(tool.id)) return undefined;
  const full = readsOf(offer, topic).find((one) => reading.of(one).kind === 'lookup');
  const unnamed = 'Whose filters that asks for was not said: write “filters of NAME”. What was offered is as it was';
  if (full === undefined && isOfFilters(tool.id)) return { text, kind: 'unclear', isRead: true, note: unnamed };
  if (full === undefined) return undefined;
  const keys = keysOf(tool);
  const labels = fieldsOf(tool).flatMap(({ name, label }) =>
    offer.input[name] === undefined || keys.includes(name) ? [] : [label],
  );
  const told = labels.length === 0 || isOfFilters(tool.id) ? '' : ` (${labels.join(', ')})`;
  const note = `Nothing is changed yet: the card has what it is now${told}. What was offered before is as it was`;
  return { text: full, kind: 'read', note };
}

/** Words that read the record of an offer, the best ones first. */
function readsOf({ operation = '', input }: GuidedAnswer, { line, person, subject }: Topic): string[] {
  const own = typeof input.SubscriberId === 'string' ? input.SubscriberId : person;
  // The number of a list is the other party's.
  const whose = own ?? (operation in FILTER_LISTS ? undefined : line);
  if (isOfFilters(operation)) return whose === undefined ? [] : [`filters of ${whose}`];
  if (subject && subject.isBeside !== true && subject.isList !== true) return [`show ${subject.words}`];
  const whom = line ?? person;
  return whom === undefined || !/^numbers_/.test(operation) ? [] : [`look up ${whom}`, `find ${whom}`];
}

function isOfFilters(operation: string): boolean {
  const isKind = TRAFFIC.some(({ create, update }) => create === operation || update === operation);
  return operation === FEATURES_SET || operation in FILTER_LISTS || isKind;
}

const WHEN_DONE =
  /^\W*(?:(?:and|ok|so|but|wait|hm+|hey|well)[\s,]+)*(?:when|by\s+when|how\s+soon)\s+(?:will|would|is|does|do|should|can|could|might)\s+(?:it|that|this|all\s+this|everything|the\s+(?:port|order|number|transfer)|s?he|they|we|i)\s+(?:(?:all|finally|then|be|get|going\s+to\s+be|have\s+it|expect\s+it)\s+)*(?:done|over|finish(?:ed)?|complete[d]?|ready|live|active|through|moved?|ported|here|happen|through|expected|go\s+(?:through|live))?(?:\s+(?:then|now|roughly|about))*[\s?!.]*$/iu;

/** The state of an order that is sent, for the question of when its port is done. Undefined for other messages. */
export function ofWhenDone(text: string, open: string, topic: Topic, reading: Reading): Meant | undefined {
  const offer = reading.of(open);
  if (!WHEN_DONE.test(text) || !isPort(offer) || offer.operation === 'numbers_portin' || !isOffer(offer, reading))
    return undefined;
  const port = portOf(topic, reading);
  const note = 'Its order says when, as far as the carriers say it. What was offered before is as it was';
  if (port !== undefined) return { text: `status of ${port}`, kind: 'read', note };
  return { text, kind: 'unclear', note: `${note}. Ask for its status with the id of the order (JNUOID-…)` };
}
