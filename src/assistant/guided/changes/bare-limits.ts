import type { GuidedAnswer } from '../answers/answer.ts';
import { VOLUME_FIELDS } from '../answers/fill.ts';
import type { Asked } from '../facts/stance.ts';

/** Acts and things of a sentence that sets the limit itself. */
const OF_LIMIT: ReadonlySet<string> = new Set(['raise', 'limit', 'more', 'remove']);

/**
 * The answer without a limit that only an amount stands for, where other words of the sentence were not understood: these
 * may say that the amount is a notice. A lower limit takes service away.
 */
export function withoutGuessedLimit(guided: GuidedAnswer, { facts, clauses }: Asked): GuidedAnswer {
  const { [VOLUME_FIELDS.limit]: limit, ...input } = guided.input;
  const [only, ...others] = facts.volumes.filter(({ part }) => part === 'limit');
  if (limit === undefined || only?.isBare !== true || others.length > 0 || guided.wordsLeft === undefined)
    return guided;
  const words = clauses.flatMap((clause) => clause.words);
  if (words.some(({ acts, things }) => [...acts, ...things].some((one) => OF_LIMIT.has(one)))) return guided;
  const told = `. Whether ${only.text} is the limit, the notice or where data slows down was not understood: write “limit …”, “notify at …” or “slow down at …”`;
  const kind = guided.kind === 'question' ? 'form' : guided.kind;
  const { isReady: _, ...rest } = guided;
  return {
    ...rest,
    ...{ kind, input, isLater: true as const },
    understood: `${guided.understood.replace(/\.$/, '')}${told}.`,
    remarks: `${guided.remarks ?? ''}${told}`,
  };
}
