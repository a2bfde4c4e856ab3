import { isSpecific, type Word, wordsOf } from '../../../language/sentence.ts';
import { sameText, type Value, values } from '../answers/thread-values.ts';
import { areSameRecords, isOffer, type Meant, type Reading, type Topic } from '../answers/topics.ts';
import { exceptLines } from './amendments.ts';

/*
 * Messages that refuse what is offered: "never mind, don't send", "no need to swap it yet". Their verb is that of the open
 * offer, so that they take it back and order nothing else.
 */

/** The deeds and the things of an order, in any of their words. Nearly every order is about a number. */
function topicsOf(text: string): Set<string> {
  const all = wordsOf(text).flatMap(({ acts, things }) => [...acts, ...things]);
  return new Set(all.filter((one) => one !== 'number'));
}

/** Deeds that any change is: "don't send", "don't put it on hold", "don't change the limit". */
const GENERAL =
  /^(?:do|send|put|set|make|change|give|turn|take|get|add|start|touch|go|use|apply|request|submit|file|place|proceed|continue)$/;
/** Before the deed that is refused. */
const REFUSAL =
  /\b(?:(?:do|should|must|shall)\s*(?:n['’]?o?t|not)|dnt|never(?!\s*mind)|no\s+need\s+(?:to|for)|(?:rather|better)\s+not)\s+(?:to\s+)?(?=(?<deed>\p{L}+))/iu;
const SMALL = /\b(?:after\s+all|at\s+all|for\s+now|right\s+now|yet)\b/giu;

/** True for a part of a message that says not to do what an order asks for. */
export function refuses(part: string, order: string, now: number): boolean {
  if (!refusesDeed(part, order) || leavesLines(part, order, now)) return false;
  return values(part, now).every((value) => isIn(order, value));
}

/** The same, whichever record it names. */
function refusesDeed(part: string, order: string): boolean {
  const found = REFUSAL.exec(part);
  if (!found || part.includes('?')) return false;
  const before = wordsOf(part.slice(0, found.index));
  const [deed = '', rest] = [found.groups?.deed, part.slice(found.index + found[0].length).replace(SMALL, ' ')];
  const known = topicsOf(order);
  const isOfOrder = ({ acts, things, plain }: Word) =>
    GENERAL.test(plain) || [...acts, ...things].some((one) => known.has(one));
  const isSaid = ({ acts, things }: Word) => acts.length > 0 || things.some(isSpecific);
  const [first, ...others] = wordsOf(rest);
  const isFirst =
    first !== undefined && !first.isPast && (GENERAL.test(deed.toLowerCase()) || (isSaid(first) && isOfOrder(first)));
  return isFirst && before.every(({ acts }) => acts.length === 0) && others.filter(isSaid).every(isOfOrder);
}

/** True for "don't cancel 0106" after an order for 0104 and 0106. */
function leavesLines(part: string, order: string, now: number): boolean {
  const linesOf = (text: string) => values(text, now).filter(({ kind }) => LINES.has(kind));
  const refused = linesOf(part);
  return refused.length > 0 && !linesOf(order).every((one) => refused.some((other) => sameText(one.text, other.text)));
}

function isIn(order: string, { text }: Value): boolean {
  return order.toLowerCase().includes(text.toLowerCase().replace(/^[#…*]+/, ''));
}

const LINES: ReadonlySet<Value['kind']> = new Set(['number', 'digits']);

/** "Don't cancel 0106" after an order for 0104 and 0106: the order without that line. Undefined for other messages. */
export function withoutRefused(
  text: string,
  last: string,
  topic: Topic,
  now: number,
  reading: Reading,
): Meant | undefined {
  if (!isOffer(reading.of(last), reading) || !leavesLines(text, last, now) || !refusesDeed(text, last))
    return undefined;
  const refused = values(text, now).filter(({ kind }) => LINES.has(kind));
  return exceptLines(`not ${refused.map((one) => one.text).join(' and ')}`, last, topic, now, reading);
}

/** The orders before the last one that ask for the same deed for the same record: "block 9005551234 for Ava", "texts too". */
export function alikeBefore(last: string, earlier: readonly string[], reading: Reading): string[] {
  const deeds = new Set(wordsOf(last).flatMap(({ acts }) => acts));
  return earlier.filter(
    (one) =>
      one !== last &&
      wordsOf(one).some(({ acts }) => acts.some((act) => deeds.has(act))) &&
      isOffer(reading.of(one), reading) &&
      areSameRecords(reading.of(last), reading.of(one)),
  );
}
