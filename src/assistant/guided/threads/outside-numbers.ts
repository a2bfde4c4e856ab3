import type { Fields } from '../../../lib/json.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import type { Topic } from '../answers/topics.ts';
import { isAdded } from './open-parts.ts';

/*
 * Numbers on the lists of a filter, and those that get its notices, belong to strangers: "his" and "it" of the next message are
 * the customer or the line that has the filter.
 */

/** The topic with the owner of a filter in place of a number on its lists. */
export function withoutOutside(topic: Topic, { input, also = [] }: GuidedAnswer): Topic {
  const { line, ...rest } = topic;
  const owner = input.SubscriberId;
  if (line === undefined || typeof owner !== 'string') return topic;
  const end = (number: string) => number.replace(/\D/g, '').slice(-10);
  const numbers = [input, ...also.map((one) => one.input)].flatMap(outsideIn);
  if (!numbers.some((one) => end(one) === end(line)) || end(owner) === end(line)) return topic;
  return { ...rest, caller: line, ...(/\d{4}$/.test(owner) ? { line: owner } : { person: topic.person ?? owner }) };
}

function outsideIn(input: Fields): string[] {
  return phonesIn(JSON.stringify(Object.entries(input).flatMap(([name, value]) => (isAdded(name) ? [value] : []))));
}
