import { wordsOf } from '../../../language/sentence.ts';
import { found, type GuidedAnswer, help, refusal } from '../answers/answer.ts';
import { DEEDS } from '../facts/contrast.ts';
import { isForbidden } from '../facts/stance.ts';

/*
 * "Do not reactivate 0107, just tell me when it is deleted": the record is shown without the button for what is refused.
 * "Don't send that reminder to Ben" asks for nothing, whatever it names.
 */

/** A message that only tells not to write to or call a person. */
const TELLS_NOT =
  /^\W*(?:(?:please|pls|plz|hey|hi|ok|no|wait|stop|oh|actually|so|and|just|also|you|we|should|must)[\s,]+)*(?:do\s*n['’]?o?t|dnt|do\s+not|never|not|no\s+need\s+to)\s+(?:ever\s+|you\s+)?(?:send|mail|e-?mail|forward|write|reply|answer|respond|call|phone|ring|message|msg|tell|remind|inform|contact|share|invoice|ship|fax|post)(?!\s+(?:calls?|texts?)\s+(?:of|from)\b)\b[^.;!?,]*(?:[\s,]+(?:please|pls|plz|yet|today|now|again|any\s?more|thanks|thx))*[\s.!]*$/iu;
const LOOKUP = 'numbers_find';

/** The answer to a message that only tells not to write to or call a person. Undefined for other messages. */
function ofTellingNot(guided: GuidedAnswer, said: string): GuidedAnswer | undefined {
  if (guided.kind !== 'lookup' && guided.kind !== 'events') return undefined;
  if (guided.isRefused || guided.withdraws || guided.takesBack || guided.asks || !TELLS_NOT.test(said))
    return undefined;
  const lead = `You said not to: “${said.trim().replace(/[.!]+$/u, '')}”. Nothing was done.`;
  const input = guided.operation === LOOKUP ? guided.input : guided.find?.input;
  if (!input) return refusal(help(lead.replace(/\.$/u, '')));
  const understood = `${lead} ${found(input)}.`;
  return refusal({ kind: 'lookup', operation: LOOKUP, input, lead, understood, isInstead: true });
}

/** The answer to a sentence of which a part forbids a change. A record that is shown has no primary button then. */
export function withoutForbidden(guided: GuidedAnswer, said: string): GuidedAnswer {
  const told = ofTellingNot(guided, said);
  if (told) return told;
  if (guided.kind !== 'lookup' || guided.isRefused) return guided;
  const [forbidden] = said
    .split(/[,;.!?]|\b(?:just|but|only)\b/iu)
    .map((part) => part.trim())
    .filter((part) => isForbidden(part) && wordsOf(part).some(({ acts }) => acts.some((act) => DEEDS.has(act))));
  if (forbidden === undefined) return guided;
  const isTold = guided.understood.includes(forbidden);
  const left = isTold ? '' : `; left out, as you say: “${forbidden}”.`;
  return {
    ...guided,
    isInstead: true,
    isRefused: true,
    understood: isTold ? guided.understood : `${guided.understood.replace(/\.$/, '')}${left}`,
  };
}
