import { FILTER_LISTS } from '../../../../tools/surfaces/guard.ts';
import { isOffer, type Meant, type Reading } from '../answers/topics.ts';

/* "Undo the first" where several offers are open takes that one back, and never the last one. */

const PLACES = ['first|1st', 'second|2nd', 'third|3rd', 'fourth|4th'].map(
  (words) =>
    new RegExp(
      String.raw`\b(?:the\s+)?(?:${words})(?:\s+(?:one|offer|change|order|block))?(?=\s*(?:$|[.,;!]|\b(?:please|pls|again|back|off|away|then|was|is)\b))`,
      'iu',
    ),
);
const ENDS =
  /\b(?:undo|withdraw|cancel|drop|forget|scratch|revert|remove|delete|not)\b|\btake\b[^.;!?]*\b(?:off|back|out|away)\b/iu;
const MAX_LENGTH = 120;

/** The open offer that a message takes back by its place. Undefined for other messages. */
export function ofNthOffer(text: string, offered: readonly string[], reading: Reading): Meant | undefined {
  const at = PLACES.findIndex((pattern) => pattern.test(text));
  if (at < 0 || text.length > MAX_LENGTH || text.includes('?') || /\d{3}/.test(text) || !ENDS.test(text))
    return undefined;
  const [last] = offered.slice(-1);
  // The entries of one offer are named by themselves.
  if (last === undefined || reading.of(last).each !== undefined || !isOffer(reading.of(last), reading))
    return undefined;
  const before = offered[at];
  const numbers = last.match(/\d{4}(?!\d)/g) ?? [];
  // "Hold 0101 and 0103" has places itself. The caller and the line of a list have none.
  if (numbers.length > 1 && !((reading.of(last).operation ?? '') in FILTER_LISTS)) return undefined;
  if (offered.length > 1 && before !== undefined) return { text, kind: 'back', before };
  return {
    ...{ text, kind: 'unclear', isRead: true },
    note: `Which number or offer “${text}” means cannot be told. Write its number. “${last}” is as it was`,
  };
}
