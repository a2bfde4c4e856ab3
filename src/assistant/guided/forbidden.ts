import { wordsOf } from '../../language/sentence.ts';
import type { GuidedAnswer } from './answer.ts';
import { DEEDS } from './contrast.ts';
import { isForbidden } from './stance.ts';

/* "Do not reactivate 0107, just tell me when it is deleted": the record is shown without the button for what is refused. */

/** The answer to a sentence of which a part forbids a change. A record that is shown has no primary button then. */
export function withoutForbidden(guided: GuidedAnswer, said: string): GuidedAnswer {
  if (guided.kind !== 'lookup' || guided.isRefused) return guided;
  const [forbidden] = said
    .split(/[,;.!?]|\b(?:just|but|only)\b/iu)
    .map((part) => part.trim())
    .filter((part) => isForbidden(part) && wordsOf(part).some(({ acts }) => acts.some((act) => DEEDS.has(act))));
  if (forbidden === undefined) return guided;
  const isTold = guided.understood.includes(forbidden);
  const told = isTold ? '' : `; left out, as you say: “${forbidden}”.`;
  return {
    ...guided,
    isInstead: true,
    isRefused: true,
    understood: isTold ? guided.understood : `${guided.understood.replace(/\.$/, '')}${told}`,
  };
}
