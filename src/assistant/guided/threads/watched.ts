import type { GuidedAnswer } from '../answers/answer.ts';
import { endingIn } from '../answers/endings.ts';
import { values } from '../answers/thread-values.ts';
import type { Meant, Reading, Topic } from '../answers/topics.ts';

/*
 * "Stop it" after the list of watched numbers ends the watch that was shown. It takes no earlier order back.
 */

const WATCHES = 'numbers_watches';
const WATCHING =
  /^\W*(?:\p{L}+[\s,]+){0,4}?(?:stop|end|quit)\s+(?:watching|monitoring|tracking)\s+(?:it|that(?:\s+one)?|this(?:\s+one)?)[\s.!]*$/iu;
const UNWATCH = /^\W*(?:\p{L}+[\s,]+){0,4}?unwatch(?:\s+(?:it|that(?:\s+one)?|this(?:\s+one)?))?[\s.!]*$/iu;
/** Words that end a watch, and not the line that is watched. */
const ENDS = /\b(?:stop|halt|end|drop|quit|undo|remove|delete|cancel|off|kill|scrap)\b/iu;

/**
 * The order that ends the only watch which the answer before showed. Undefined for other messages.
 *
 * @param isShowing true if the answer before showed records
 */
export function ofWatched(
  text: string,
  { last, topic, isShowing = false }: { last: string | undefined; topic: Topic; isShowing?: boolean | undefined },
  now: number,
  reading: Reading,
): Meant | undefined {
  if (last === undefined || topic.line === undefined || !isShowing || text.includes('?')) return undefined;
  if (reading.of(last).operation !== WATCHES) return undefined;
  const ending = endingIn(text, (part) => values(part, now).length > 0);
  const isEnded = ending !== undefined && ending.says !== 'stays' && ENDS.test(text);
  if (!(isEnded || WATCHING.test(text) || UNWATCH.test(text))) return undefined;
  return { text: `stop watching ${topic.line}`, kind: 'read' };
}

/** The words that end the watch which an offer starts. It starts at once, so that its button may have been used already. */
export function stopsWatch({ operation, input, find }: GuidedAnswer): string | undefined {
  const line = input.PhoneNumber ?? Object.values(find?.input ?? {})[0];
  return operation !== 'numbers_watch' || input.Stop === true || line === undefined
    ? undefined
    : `stop watching ${String(line)}`;
}
