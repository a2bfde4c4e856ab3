import { wordsOf } from '../../../language/sentence.ts';
import { unmarked } from './times.ts';

/** The unknown words of a sentence, those in a row as one. */
export function namesIn({ rest }: { rest: string }): string[] {
  const runs: string[][] = [];
  let isOpen = false;
  for (const { typed, isUnknown } of wordsOf(unmarked(rest).replace(/\d+\p{L}*/gu, ' '))) {
    const isName = isUnknown && typed.length > 1;
    if (isName && !isOpen) runs.push([]);
    if (isName) runs.at(-1)?.push(typed.replace(/['’]s$/, ''));
    isOpen = isName && !/['’]s$/.test(typed);
  }
  return runs.map((run) => run.slice(0, 3).join(' '));
}
